//! What is called when a scope or a thread is left: the attribute `cleanup`, and the macros of `pthread_cleanup_push`.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, Name};

use super::scope::Entity;
use super::{Checked, Checker};
use crate::typed::{Expression, Statement, StatementKind};
use crate::types::Type;

impl Checker {
    /// `__attribute__((cleanup(f)))`: the function gets the address of the variable when its scope is left.
    pub(super) fn cleanup(
        &mut self,
        variable: &Name,
        function: &Name,
        span: Span,
        out: &mut Vec<Statement>,
    ) -> Checked<()> {
        let is_function = matches!(
            self.lookup(function).map(|found| &found.entity),
            Some(Entity::Function(..) | Entity::NestedFunction(_))
        );
        if !is_function {
            let message = format!("`{function}`, which is to clean up, is not a function");
            return Err(self.error(span, message));
        }
        let named = |name: &Name| tree::Expression {
            kind: tree::ExpressionKind::Identifier(name.clone()),
            span,
        };
        let address = tree::Expression {
            kind: tree::ExpressionKind::Unary(
                tree::UnaryOperator::AddressOf,
                Box::new(named(variable)),
            ),
            span,
        };
        let call = self.call(&named(function), &[address], span)?;
        let kind = if matches!(call.ty, Type::Record(_)) {
            StatementKind::Unsupported(format!(
                "the cleanup by `{function}`, which gives a struct,"
            ))
        } else {
            let due = self.hidden_local(Type::Void.into(), span);
            StatementKind::Cleanup(due, call)
        };
        out.push(Statement { kind, span });
        Ok(())
    }

    /// Calls in glibc's macro `pthread_cleanup_push`, whose names stand in the same scope; `None` if this is none.
    ///
    /// The macro marks the place where a thread comes back to run the handler. Here handlers are run where the thread
    /// ends: the place is never come back to, and what is registered is the handler itself.
    pub(super) fn cleanup_push(
        &mut self,
        name: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Option<Checked<Expression>> {
        let is_here = |checker: &Self, name: &str| {
            let found = checker.lookup_here(name).map(|found| &found.entity);
            matches!(found, Some(Entity::Local(_)))
        };
        if !is_here(self, "__cancel_routine") || !is_here(self, "__cancel_arg") {
            return None;
        }
        match name {
            "__sigsetjmp_cancel" | "__sigsetjmp" if is_here(self, "__not_first_call") => {
                Some(Ok(self.int(false, span)))
            }
            "__pthread_register_cancel" => {
                let named = |name: &str| tree::Expression {
                    kind: tree::ExpressionKind::Identifier(super::name(name)),
                    span,
                };
                let mut given = arguments.to_vec();
                given.extend([named("__cancel_routine"), named("__cancel_arg")]);
                let push = "__raddle_push_cleanup";
                Some(self.library_call(push, name, &given, span))
            }
            _ => None,
        }
    }
}
