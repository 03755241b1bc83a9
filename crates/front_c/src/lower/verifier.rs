//! The functions by which programs of SV-COMP speak to a verifier.

use raddle_base::Span;
use raddle_ir::Action;

use crate::typed::{self, Function};
use crate::types::Type;

use super::body::FunctionLowering;
use super::primitives::Done;

const ATOMIC: &str = "__VERIFIER_atomic_";
const NONDETERMINISTIC: &str = "__VERIFIER_nondet_";

/// Reaching these is the error, whatever their body does.
const ERRORS: &[&str] = &["reach_error", "__VERIFIER_error", "raddle_unreachable"];

/// Functions that are one action, unless the program defines them.
#[derive(Clone, Copy)]
enum VerifierCall {
    Assume,
    Begin,
    End,
}

const CALLS: &[(&str, VerifierCall)] = &[
    ("__VERIFIER_assume", VerifierCall::Assume),
    ("__VERIFIER_atomic_begin", VerifierCall::Begin),
    ("__VERIFIER_atomic_end", VerifierCall::End),
];

/// The functions by name, and the beginnings of names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let calls = CALLS.iter().map(|it| it.0);
    let prefixes = [ATOMIC, NONDETERMINISTIC];
    calls.chain(ERRORS.iter().copied()).chain(prefixes)
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
        if function.name.starts_with(NONDETERMINISTIC) {
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
            (VerifierCall::Assume | VerifierCall::Begin | VerifierCall::End, _) => None,
        }
    }
}
