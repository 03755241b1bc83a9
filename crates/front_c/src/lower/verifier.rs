//! The functions by which programs speak to a verifier: those of SV-COMP, and what other verifiers call the same.
//!
//! No library has them, so whoever calls them means a verifier. `assert` is one of them where a program calls it without
//! its header, which other verifiers let pass.

use raddle_base::Span;
use raddle_ir::Action;

use crate::typed::{self, Function};
use crate::types::Type;

use super::body::FunctionLowering;
use super::primitives::Done;

const ATOMIC: &str = "__VERIFIER_atomic_";
/// The beginnings of names of functions that return any value of their type.
const NONDETERMINISTIC: &[&str] = &["__VERIFIER_nondet_", "nondet_"];

/// Reaching these is the error, whatever their body does.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error", "raddle_unreachable"];

/// Functions that are one action, unless the program defines them.
#[derive(Clone, Copy)]
enum VerifierCall {
    Assume,
    /// What may follow the condition is text for people.
    Assert,
    Begin,
    End,
    /// Says that others may go on, which they may anyway.
    Nothing,
}

const CALLS: &[(&str, VerifierCall)] = &[
    ("__VERIFIER_assume", VerifierCall::Assume),
    ("__CPROVER_assume", VerifierCall::Assume),
    ("__ESBMC_assume", VerifierCall::Assume),
    ("__VERIFIER_assert", VerifierCall::Assert),
    ("__CPROVER_assert", VerifierCall::Assert),
    ("__ESBMC_assert", VerifierCall::Assert),
    ("assert", VerifierCall::Assert),
    ("__VERIFIER_atomic_begin", VerifierCall::Begin),
    ("__CPROVER_atomic_begin", VerifierCall::Begin),
    ("__ESBMC_atomic_begin", VerifierCall::Begin),
    ("__VERIFIER_atomic_end", VerifierCall::End),
    ("__CPROVER_atomic_end", VerifierCall::End),
    ("__ESBMC_atomic_end", VerifierCall::End),
    ("__ESBMC_yield", VerifierCall::Nothing),
];

/// The functions by name, and the beginnings of names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let calls = CALLS.iter().map(|it| it.0);
    calls
        .chain(ERRORS.iter().copied())
        .chain([ATOMIC])
        .chain(NONDETERMINISTIC.iter().copied())
}

/// Whether a function without a body, by its name, returns any value of its type.
pub(super) fn is_nondeterministic(name: &str) -> bool {
    NONDETERMINISTIC.iter().any(|it| name.starts_with(it))
}

/// Whether a function without a body, by its name, only looks at its first argument.
pub(super) fn is_assumption(name: &str) -> bool {
    CALLS
        .iter()
        .any(|(known, call)| *known == name && matches!(call, VerifierCall::Assume))
}

/// Whether a function, by its name, is one indivisible step.
pub(super) fn is_section(name: &str) -> bool {
    name.strip_prefix(ATOMIC)
        .is_some_and(|rest| !matches!(rest, "begin" | "end"))
}

impl FunctionLowering<'_, '_> {
    /// `None` if the function is none of these, or the program defines what it does.
    pub(super) fn call_verifier(
        &mut self,
        function: &Function,
        arguments: &[typed::Expression],
        result_type: &Type,
        span: Span,
    ) -> Option<Done> {
        if ERRORS.contains(&&*function.name) {
            for argument in arguments {
                self.effect(argument);
            }
            let message = format!("`{}` is reached", function.name);
            return Some(self.fail(Some(message), span));
        }
        if function.body.is_some() {
            return None;
        }
        if is_nondeterministic(&function.name) && arguments.is_empty() {
            let scalar = self.lowering.scalar(result_type)?;
            let is_bool = matches!(result_type, Type::Bool);
            return Some(Done(Some(self.anything(scalar, is_bool, span))));
        }
        let (_, call) = CALLS.iter().find(|(known, _)| *known == function.name)?;
        match (call, arguments) {
            (VerifierCall::Assume, [condition]) => {
                let condition = self.condition(condition);
                self.then(
                    Action::Assume {
                        condition: condition.expression,
                    },
                    span,
                );
                Some(Done(None))
            }
            (VerifierCall::Assert, [condition, texts @ ..]) => {
                let condition = self.condition(condition);
                for text in texts {
                    self.effect(text);
                }
                self.then(
                    Action::Assert {
                        condition: condition.expression,
                        message: None,
                    },
                    span,
                );
                Some(Done(None))
            }
            (VerifierCall::Begin, []) => {
                self.then(
                    Action::AtomicBegin {
                        is_as_written: false,
                    },
                    span,
                );
                Some(Done(None))
            }
            (VerifierCall::End, []) => {
                self.then(Action::AtomicEnd, span);
                Some(Done(None))
            }
            (VerifierCall::Nothing, []) => Some(Done(None)),
            (
                VerifierCall::Assume
                | VerifierCall::Assert
                | VerifierCall::Begin
                | VerifierCall::End
                | VerifierCall::Nothing,
                _,
            ) => None,
        }
    }
}
