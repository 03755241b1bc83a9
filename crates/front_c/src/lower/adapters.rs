//! Functions that stand between a thread and a function of another type than `void *(void *)`.
//!
//! Such a thread works with every compiler on the machines that we read for: the function takes what it knows of the
//! argument, and who joins the thread does not look at its result. Where a thread begins with its function, the lowering
//! passes the argument in the form that the function takes, unless its result must be kept from whoever joins. Where our library calls the function through a pointer,
//! because threads have more to do at their end, the pointer is one to an adapter.

use raddle_ir::{self as ir, Action, Expression, Function, Location, Register, Scalar};

use crate::typed::{self, ExpressionKind, FunctionId};
use crate::types::Type;

use super::body::{FunctionLowering, is_memory};
use super::threads::peeled;
use super::{Lowering, scalars};

impl FunctionLowering<'_, '_> {
    /// The next time that this argument of `pthread_create` is evaluated, it is a function that such threads can begin with.
    pub(super) fn adapt_thread_function(&mut self, function: &typed::Expression) {
        let ExpressionKind::FunctionAddress(named) = peeled(function).kind else {
            return;
        };
        if let Some(adapter) = self.lowering.thread_adapter(named) {
            self.compute_early(function, Expression::Function(adapter).into());
        }
    }
}

impl Lowering<'_> {
    /// Calls the function with the argument of a thread; absent if the thread can call it itself, or nobody can say how.
    pub(super) fn thread_adapter(&mut self, named: FunctionId) -> Option<ir::FunctionId> {
        let named = self.resolved_function(named);
        if let Some(known) = self.thread_adapters.get(&named) {
            return Some(*known);
        }
        let source = &self.module.functions[named];
        let ty = &source.ty;
        let is_fitting = ty.parameters.len() == 1
            && matches!(ty.parameters[0].ty, Type::Pointer(_))
            && matches!(ty.result, Type::Pointer(_))
            && !ty.is_variadic;
        if is_fitting || source.is_null || is_memory(&ty.result) {
            return None;
        }
        let result = self.scalar(&ty.result);
        let name = self.unique_name(&format!("thread of {}", source.name));
        let callee = self.function(named);
        let mut adapter = Function::new(name);
        let mut register = |name: &str, ty: Scalar| {
            adapter.registers.push(Register {
                name: name.into(),
                ty,
                is_temporary: false,
                span: None,
            })
        };
        let argument = register("argument", Scalar::Pointer);
        // What is no pointer was never set, for whoever joins the thread.
        let given = register("result", Scalar::Pointer);
        let mut arguments = Vec::new();
        for (index, parameter) in ty.parameters.iter().enumerate() {
            let scalar = self.passed_as(ty, &parameter.ty)?;
            arguments.push(if index == 0 {
                let is_bool = matches!(parameter.ty, Type::Bool);
                let argument = Expression::Register(argument);
                scalars::convert(argument, Scalar::Pointer, scalar, is_bool, self.model())
            } else {
                Expression::Register(register(&format!("parameter {index}"), scalar))
            });
        }
        if ty.is_variadic {
            arguments.push(Expression::null());
        }
        adapter.parameters = 1;
        adapter.result = Some(Scalar::Pointer);
        let target = (result == Some(Scalar::Pointer)).then_some(given);
        let after = adapter.locations.push(Location::default());
        let (entry, exit) = (adapter.entry, adapter.exit);
        let call = Action::Call {
            target,
            callee: ir::Callee::Direct(callee),
            arguments,
        };
        adapter.connect(entry, call, after, source.span);
        let value = Some(Expression::Register(given));
        adapter.connect(after, Action::Return { value }, exit, source.span);
        let adapter = self.draft.functions.push(adapter);
        self.thread_adapters.insert(named, adapter);
        Some(adapter)
    }
}
