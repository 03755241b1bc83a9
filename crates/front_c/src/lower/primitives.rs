//! What the text of our library cannot say in C, and calls whose meaning is plain enough to be put in their place.

use raddle_base::Span;
use raddle_ir::{
    Action, AllocateKind, BinaryOp, EndKind, Expression, IntType, RegisterId, Scalar, UnaryOp,
};

use crate::Assumption;
use crate::typed::{self, ConstantValue, ExpressionKind, FunctionId, LvalueKind, ObjectId};
use crate::types::Type;

use super::body::{FunctionLowering, Value};
use super::scalars;
use super::startup::When;

/// Names that begin so are ours.
const OURS: &str = "__raddle_";

/// That a call was understood; a scalar, if it has a result.
pub(super) struct Done(pub(super) Option<Value>);

impl FunctionLowering<'_, '_> {
    /// Does what a function of ours does, or a function of the C library that is not the user's own.
    pub(super) fn call_known(
        &mut self,
        function: FunctionId,
        arguments: &[typed::Expression],
        result_type: &Type,
        is_wanted: bool,
        span: Span,
    ) -> Option<Done> {
        let module = self.lowering.module;
        let source = &module.functions[function];
        if let Some(name) = source.name.strip_prefix(OURS)
            && source.body.is_none()
        {
            return self
                .primitive(name, arguments, result_type, span)
                .or_else(|| self.thread_primitive(name, arguments, is_wanted, span));
        }
        if !source.is_static
            && let Some(done) = self.absolute_value(&source.name, arguments, span)
        {
            return Some(done);
        }
        if let Some(done) = self.call_verifier(source, arguments, result_type, span) {
            return Some(done);
        }
        if source.body.is_some() && !source.is_library {
            return None;
        }
        if !is_wanted && self.print(&source.name, arguments, span) {
            return Some(Done(None));
        }
        if let Some(done) = self.call_threads(&source.name, arguments, is_wanted, span) {
            return Some(done);
        }
        match (&*source.name, arguments) {
            // The text knows what to do if it is too much.
            ("malloc", [size])
                if !self.lowering.options.malloc_may_fail && !self.is_too_much(size) =>
            {
                Some(self.allocate_heap(size, false, span))
            }
            ("free", [address]) => {
                let address = self.value(address);
                self.then(
                    Action::Free {
                        address: address.expression,
                        kind: AllocateKind::Heap,
                    },
                    span,
                );
                Some(Done(None))
            }
            ("abort", []) => Some(self.end(EndKind::Abort, span)),
            ("__assert_fail", [text, ..]) => {
                let message = self
                    .literal(text)
                    .map(|text| format!("`{}` does not hold", String::from_utf8_lossy(&text)));
                Some(self.fail(message, span))
            }
            _ => None,
        }
    }

    /// gcc computes these itself, even where the program has a function of the name that is not static.
    fn absolute_value(
        &mut self,
        name: &str,
        arguments: &[typed::Expression],
        span: Span,
    ) -> Option<Done> {
        let ([operand], "abs" | "labs" | "llabs") = (arguments, name) else {
            return None;
        };
        let Some(Scalar::Int(int)) = self.lowering.scalar(&operand.ty) else {
            return None;
        };
        let value = self.value(operand);
        let zero = Expression::int(0, int).into();
        let is_negative = self.binary(BinaryOp::Less, value.clone(), zero, span);
        let opposite = self.unary(UnaryOp::Negate, value.clone(), span);
        Some(Done(Some(self.select(is_negative, opposite, value, span))))
    }

    fn primitive(
        &mut self,
        name: &str,
        arguments: &[typed::Expression],
        result_type: &Type,
        span: Span,
    ) -> Option<Done> {
        if name.starts_with("any") {
            let scalar = self.lowering.scalar(result_type)?;
            let is_bool = matches!(result_type, Type::Bool);
            return Some(Done(Some(self.anything(scalar, is_bool, span))));
        }
        match (name, arguments) {
            ("allocate", [size]) => Some(self.allocate_heap(size, false, span)),
            ("allocate_zeroed", [size]) => Some(self.allocate_heap(size, true, span)),
            ("free", [address]) => {
                let address = self.value(address);
                self.then(
                    Action::Free {
                        address: address.expression,
                        kind: AllocateKind::Heap,
                    },
                    span,
                );
                Some(Done(None))
            }
            ("object_size", [address]) => {
                let address = self.value(address);
                let target = self.temporary(Scalar::Int(self.lowering.model().unsigned_word()));
                self.then(
                    Action::Size {
                        target,
                        address: address.expression,
                    },
                    span,
                );
                Some(Done(Some(Expression::Register(target).into())))
            }
            ("emit_byte", [byte]) => {
                let byte = self.value(byte);
                self.emit("{%c}".into(), vec![byte], span);
                Some(Done(None))
            }
            ("exit", [status]) => {
                let status = self.value(status);
                Some(self.end(EndKind::Exit(status.expression), span))
            }
            ("call_destructors", []) => {
                self.call_entries(When::End);
                Some(Done(None))
            }
            ("abort", []) => Some(self.end(EndKind::Abort, span)),
            ("assert_fail", [text]) => {
                let message = self
                    .literal(text)
                    .map(|text| String::from_utf8_lossy(&text).into_owned());
                Some(self.fail(message, span))
            }
            ("unsupported", [what]) => {
                let what = self.literal(what).unwrap_or_default();
                self.unsupported(String::from_utf8_lossy(&what), span);
                Some(Done(None))
            }
            ("assume", [condition]) => {
                let condition = self.condition(condition);
                self.then(
                    Action::Assume {
                        condition: condition.expression,
                    },
                    span,
                );
                Some(Done(None))
            }
            ("malloc_may_fail", []) => {
                let may_fail = u128::from(self.lowering.options.malloc_may_fail);
                Some(Done(Some(
                    Expression::Constant(may_fail, scalars::BOOL).into(),
                )))
            }
            ("processors", []) => {
                let known = self.lowering.options.surroundings.processors;
                let assumption = known.map(Assumption::Processors);
                self.lowering.assumptions.extend(assumption);
                let number = u128::from(known.unwrap_or(0));
                Some(Done(Some(
                    Expression::Constant(number, scalars::INT).into(),
                )))
            }
            ("leaps", []) => Some(self.leaps()),
            ("assuming", [what]) => {
                let is_known = self.lowering.options.surroundings.arguments.is_some();
                if is_known {
                    let what = self.literal(what).unwrap_or_default();
                    let what = String::from_utf8_lossy(&what).into_owned();
                    self.lowering.assumptions.insert(Assumption::Other(what));
                }
                let is_known = Expression::Constant(u128::from(is_known), scalars::BOOL);
                Some(Done(Some(is_known.into())))
            }
            ("sent_signals", []) => {
                let sent = u128::from(self.lowering.module.sent_signals);
                let scalar = Scalar::Int(IntType::unsigned(64));
                Some(Done(Some(Expression::Constant(sent, scalar).into())))
            }
            ("knows_environment", []) => {
                let is_known = self.lowering.options.surroundings.arguments.is_some();
                let is_known = Expression::Constant(u128::from(is_known), scalars::BOOL);
                Some(Done(Some(is_known.into())))
            }
            ("extern_havoc", []) => {
                let is_havoc = u128::from(self.lowering.options.extern_havoc);
                Some(Done(Some(
                    Expression::Constant(is_havoc, scalars::BOOL).into(),
                )))
            }
            ("atomic_begin" | "atomic_begin_as_written", []) => {
                let is_as_written = name == "atomic_begin_as_written";
                self.then(Action::AtomicBegin { is_as_written }, span);
                Some(Done(None))
            }
            ("atomic_end", []) => {
                self.then(Action::AtomicEnd, span);
                Some(Done(None))
            }
            _ => None,
        }
    }

    /// How often a clock may leap; less than 0 if it may show anything.
    fn leaps(&mut self) -> Done {
        let known = self.lowering.options.surroundings.leaps;
        let assumption = known.map(Assumption::Leaps);
        self.lowering.assumptions.extend(assumption);
        let number = known.map_or(scalars::INT.mask(self.lowering.model()), u128::from);
        Done(Some(Expression::Constant(number, scalars::INT).into()))
    }

    /// Whether a size is a number of more than half of the address space.
    fn is_too_much(&self, size: &typed::Expression) -> bool {
        let word = Scalar::Int(self.lowering.model().unsigned_word());
        let half = word.mask(self.lowering.model()) / 2;
        matches!(size.kind, ExpressionKind::Integer(number) if number > half)
    }

    fn allocate_heap(&mut self, size: &typed::Expression, is_zeroed: bool, span: Span) -> Done {
        let size = self.value(size);
        let target: RegisterId = self.temporary(Scalar::Pointer);
        self.then(
            Action::Allocate {
                target,
                size: size.expression,
                ty: None,
                is_zeroed,
                kind: AllocateKind::Heap,
                read_only: raddle_ir::ReadOnly::NOTHING,
            },
            span,
        );
        Done(Some(Expression::Register(target).into()))
    }

    /// Ends the process; what follows is not reached.
    fn end(&mut self, kind: EndKind, span: Span) -> Done {
        let exit = self.function.exit;
        self.connect(Action::EndProcess { kind }, exit, Some(span));
        self.here = self.new_location();
        Done(None)
    }

    /// Fails an assertion; what follows is not reached.
    pub(super) fn fail(&mut self, message: Option<String>, span: Span) -> Done {
        self.then(
            Action::Assert {
                condition: Expression::bool(false),
                message,
            },
            span,
        );
        Done(None)
    }

    pub(super) fn emit(&mut self, text: String, arguments: Vec<Value>, span: Span) {
        let arguments = arguments.into_iter().map(|it| it.expression).collect();
        self.then(Action::Emit { text, arguments }, span);
    }

    /// The bytes of a string literal that an argument points to, up to its first zero.
    pub(super) fn literal(&self, argument: &typed::Expression) -> Option<Vec<u8>> {
        let mut argument = argument;
        while let ExpressionKind::Cast(inner) = &argument.kind {
            argument = inner;
        }
        let ExpressionKind::AddressOf(place) = &argument.kind else {
            return None;
        };
        let LvalueKind::Object(object) = place.kind else {
            return None;
        };
        self.literal_bytes(object)
    }

    fn literal_bytes(&self, object: ObjectId) -> Option<Vec<u8>> {
        let object = &self.lowering.module.objects[object];
        let is_bytes = matches!(&object.ty.ty, Type::Array(element, _)
            if self.lowering.scalar(&element.ty).is_some_and(|it| it.size(self.lowering.model()) == 1));
        if !object.is_string_literal || !is_bytes {
            return None;
        }
        let mut bytes = Vec::new();
        for piece in &object.initial {
            match &piece.value {
                ConstantValue::Bytes(text) => bytes.extend_from_slice(text),
                ConstantValue::Bits(..) | ConstantValue::Address(..) => return None,
            }
        }
        let end = bytes
            .iter()
            .position(|byte| *byte == 0)
            .unwrap_or(bytes.len());
        bytes.truncate(end);
        Some(bytes)
    }
}

/// A byte as `printf` takes it.
pub(super) const BYTE: Scalar = Scalar::Int(IntType::unsigned(8));
