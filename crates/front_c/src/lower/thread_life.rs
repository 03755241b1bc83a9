//! The life of a thread: how it starts, with what, where its name goes, how it is joined and how it ends itself.

use raddle_base::Span;
use raddle_ir as ir;
use raddle_ir::{Access, Action, Expression, NamePlace, RegisterId, Scalar};

use crate::typed::{self, ExpressionKind};
use crate::types::Type;

use super::body::{FunctionLowering, Value};
use super::primitives::Done;
use super::scalars::INT;
use super::threads::{is_null, peeled, zero};

impl FunctionLowering<'_, '_> {
    /// Starts a thread; gives its name.
    pub(super) fn spawn(
        &mut self,
        function: &typed::Expression,
        argument: &typed::Expression,
        span: Span,
    ) -> Value {
        let (callee, arguments) = self.started(function, argument);
        self.start(None, callee, arguments, span)
    }

    /// What a new thread begins with. A function that is known gets the argument in the form it takes.
    pub(super) fn started(
        &mut self,
        function: &typed::Expression,
        argument: &typed::Expression,
    ) -> (ir::Callee, Vec<Expression>) {
        if let ExpressionKind::FunctionAddress(known) = peeled(function).kind {
            let module = self.lowering.module;
            let ty = &module.functions[known].ty;
            let argument = self.value(argument);
            let result = self.lowering.scalar(&ty.result);
            if result.is_some_and(|it| it != Scalar::Pointer)
                && let Some(adapter) = self.lowering.thread_adapter(known)
            {
                return (ir::Callee::Direct(adapter), vec![argument.expression]);
            }
            let mut arguments = Vec::new();
            for (index, parameter) in ty.parameters.iter().enumerate() {
                let scalar = self
                    .lowering
                    .scalar(&parameter.ty)
                    .unwrap_or(Scalar::Pointer);
                arguments.push(if index == 0 {
                    let is_bool = matches!(parameter.ty, Type::Bool);
                    self.convert(argument.clone(), scalar, is_bool).expression
                } else {
                    self.undefined(scalar)
                });
            }
            if ty.is_variadic {
                arguments.push(Expression::null());
            }
            let known = self.lowering.function(known);
            (ir::Callee::Direct(known), arguments)
        } else {
            let function = self.value(function);
            let argument = self.value(argument);
            (
                ir::Callee::Indirect(function.expression),
                vec![argument.expression],
            )
        }
    }

    pub(super) fn start(
        &mut self,
        place: Option<NamePlace>,
        callee: ir::Callee,
        arguments: Vec<Expression>,
        span: Span,
    ) -> Value {
        let target = self.temporary(Scalar::Thread);
        self.then(
            Action::Spawn {
                target: Some(target),
                place,
                callee,
                arguments,
            },
            span,
        );
        Expression::Register(target).into()
    }

    /// Whether attributes of a thread, if there are any, ask for a detached one: `pthread_attr_t` begins with that.
    pub(super) fn are_detached(&mut self, attributes: &typed::Expression, span: Span) -> Value {
        let attributes = self.value(attributes);
        let attributes = self.in_temporary(attributes, span);
        let state = self.temporary(INT);
        self.assign(state, zero(), span);
        let (look, end) = (self.new_location(), self.new_location());
        let is_set = super::scalars::is_nonzero(attributes.expression.clone(), Scalar::Pointer);
        self.branch(is_set.into(), look, end, span);
        self.here = look;
        self.connect(
            Action::Load {
                target: state,
                address: attributes.expression,
                ty: INT,
                access: Access::Plain,
            },
            end,
            Some(span),
        );
        self.here = end;
        super::scalars::is_nonzero(Expression::Register(state), INT).into()
    }

    /// Starts a thread and stores its id; gives its name. With glibc the id is there when the thread runs.
    pub(super) fn start_into(
        &mut self,
        address: Value,
        callee: ir::Callee,
        arguments: Vec<Expression>,
        span: Span,
    ) -> Value {
        let word = Scalar::Int(self.lowering.model().unsigned_word());
        if self.lowering.options.stores_ids_late {
            let made = self.start(None, callee, arguments, span);
            let name = self.convert(made.clone(), word, false);
            self.store_scalar(address, name, word, Access::Plain, span);
            return made;
        }
        let place = NamePlace {
            address: address.expression,
            ty: word,
        };
        self.start(Some(place), callee, arguments, span)
    }

    pub(super) fn join(&mut self, thread: Value, target: Option<(RegisterId, Value)>, span: Span) {
        self.then(
            Action::Join {
                thread: thread.expression,
                target: target.as_ref().map(|(target, _)| *target),
            },
            span,
        );
        if let Some((value, address)) = target {
            self.store_unless_null(address, Expression::Register(value).into(), span);
        }
    }

    /// Joins a thread, unless it is the running one: glibc says so instead of waiting for ever.
    pub(super) fn join_another(
        &mut self,
        thread: &typed::Expression,
        result: &typed::Expression,
        span: Span,
    ) -> Done {
        let word = Scalar::Int(self.lowering.model().unsigned_word());
        let name = self.value(thread);
        let name = self.convert(name, word, false);
        let name = self.in_temporary(name, span);
        let target = (!is_null(result)).then(|| {
            let address = self.value(result);
            let address = self.in_temporary(address, span);
            (self.temporary(Scalar::Pointer), address)
        });
        let code = self.temporary(INT);
        let own = self.own_name();
        let is_own = self.binary(ir::BinaryOp::Equal, name.clone(), own, span);
        let (refuse, wait, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.branch(is_own, refuse, wait, span);
        self.here = refuse;
        let refused = Expression::Constant(ir::interpret::EDEADLK, INT);
        self.assign(code, refused.into(), span);
        self.connect(Action::skip(), end, Some(span));
        self.here = wait;
        let thread = self.convert(name, Scalar::Thread, false);
        self.join(thread, target, span);
        self.assign(code, zero(), span);
        self.connect(Action::skip(), end, Some(span));
        self.here = end;
        Done(Some(Expression::Register(code).into()))
    }

    pub(super) fn thread(&mut self, thread: &typed::Expression) -> Value {
        let thread = self.value(thread);
        self.convert(thread, Scalar::Thread, false)
    }

    pub(super) fn own_name(&mut self) -> Value {
        self.lowering.asks_own_name = true;
        let word = Scalar::Int(self.lowering.model().unsigned_word());
        self.convert(Expression::CurrentThread.into(), word, false)
    }

    pub(super) fn exit_thread(&mut self, value: Value, span: Span) -> Done {
        self.lowering.exits_threads = true;
        let exit = self.function.exit;
        self.connect(
            Action::ExitThread {
                value: Some(value.expression),
            },
            exit,
            Some(span),
        );
        self.here = self.new_location();
        Done(None)
    }

    fn store_unless_null(&mut self, address: Value, value: Value, span: Span) {
        let (store, end) = (self.new_location(), self.new_location());
        let is_set = super::scalars::is_nonzero(address.expression.clone(), Scalar::Pointer);
        self.branch(is_set.into(), store, end, span);
        self.here = store;
        self.store_scalar(address, value, Scalar::Pointer, Access::Plain, span);
        self.connect(Action::skip(), end, Some(span));
        self.here = end;
    }
}
