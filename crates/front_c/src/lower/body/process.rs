//! The process around `main`: what happens before it, what it is given, and how all ends.

use raddle_base::Span;
use raddle_ir::{Action, BinaryOp, EndKind, Expression, LocationId, Scalar};

use crate::Assumption;
use crate::lower::scalars;
use crate::lower::startup::{self, Entry, When};
use crate::typed::FunctionId;

use super::{FunctionLowering, ReturnBy, Storage, Value};

impl FunctionLowering<'_, '_> {
    /// Nothing is known of objects that nobody defines, and whoever finds their addresses in memory may look at them.
    pub(super) fn give_up_unknown_objects(&mut self) {
        let module = self.lowering.module;
        for object in self.lowering.features.unknown_objects.clone() {
            let source = &module.objects[object];
            self.use_unknown_object(object, source.span.or(self.function.span));
        }
    }

    /// Functions that run before `main`; before them, those that run at the end are registered for it.
    pub(super) fn begin_process(&mut self) {
        let module = self.lowering.module;
        if !startup::entries(module, When::End).is_empty()
            && let Some(begin) = self.lowering.function_named(startup::BEGIN_PROCESS)
        {
            self.call_plainly(begin);
        }
        self.call_entries(When::Beginning);
    }

    /// Calls what the program wants to be called at its beginning or at its end.
    pub(in crate::lower) fn call_entries(&mut self, when: When) {
        let module = self.lowering.module;
        for entry in startup::entries(module, when) {
            match entry {
                Entry::Function(function) => self.call_plainly(function),
                Entry::Unsupported(what, span) => self.unsupported(what, span),
            }
        }
    }

    fn call_plainly(&mut self, function: FunctionId) {
        let callee = self.lowering.function(function);
        self.then(
            Action::Call {
                target: None,
                callee: raddle_ir::Callee::Direct(callee),
                arguments: Vec::new(),
            },
            None,
        );
    }

    /// Gives `main` its arguments, those that it looks at, and goes on at `body`. Where that begins.
    pub(super) fn pass_command_line(&mut self, body: LocationId) -> LocationId {
        let source = self.source;
        if !matches!(self.return_by, ReturnBy::ProcessStatus) {
            return body;
        }
        let begin = self.new_location();
        self.here = begin;
        for (index, &local) in source.parameters.iter().enumerate() {
            let Some(storage) = self.locals[local] else {
                continue;
            };
            let span = source.locals[local].span;
            let Some(scalar) = self.lowering.scalar(&source.locals[local].ty.ty) else {
                continue;
            };
            let value = match (index, &self.lowering.options.surroundings.arguments) {
                (0 | 1, Some(words)) => {
                    let assumption = Assumption::Arguments(words.clone());
                    self.lowering.assumptions.insert(assumption);
                    if index == 0 {
                        // The name of the program is one of them.
                        Expression::Constant(words.len() as u128 + 1, scalar)
                    } else {
                        Expression::Global(self.lowering.argument_vector(words))
                    }
                }
                (2, Some(_)) => Expression::Global(self.lowering.environment()),
                (0, None) => self.any_count(scalar, span),
                // Whoever looks at an argument, or at the environment, sees what nobody knows.
                _ => {
                    self.lowering.draft.has_unknown_values = true;
                    self.undefined(scalar)
                }
            };
            match storage {
                Storage::Register(register) => self.assign(register, value.into(), span),
                Storage::Memory(address) => self.then(
                    Action::Store {
                        address: Expression::Register(address),
                        value,
                        ty: scalar,
                        access: raddle_ir::Access::Plain,
                    },
                    span,
                ),
            }
        }
        self.connect(Action::skip(), body, None);
        begin
    }

    /// Any number that is not negative.
    fn any_count(&mut self, scalar: Scalar, span: Option<Span>) -> Expression {
        let target = self.temporary(scalar);
        self.then(Action::Havoc { target }, span);
        let count = Expression::Register(target);
        let condition =
            Expression::binary(BinaryOp::GreaterEqual, count.clone(), scalars::zero(scalar));
        self.then(Action::Assume { condition }, span);
        count
    }

    /// Ends the process as `exit` does.
    pub(in crate::lower) fn end_process(&mut self, status: Value, span: Option<Span>) {
        // Whoever registered functions to be called at the end has them called.
        if let Some(exit) = self.lowering.exit_with_handlers() {
            self.then(
                Action::Call {
                    target: None,
                    callee: raddle_ir::Callee::Direct(exit),
                    arguments: vec![status.expression.clone()],
                },
                span,
            );
        }
        let exit = self.function.exit;
        self.connect(
            Action::EndProcess {
                kind: EndKind::Exit(status.expression),
            },
            exit,
            span,
        );
        self.here = self.new_location();
    }
}
