//! `race`, by locksets, thread-locality and the order of starts and joins.

use raddle_analysis::races::{RaceAnswer, prove};
use raddle_analysis::undefined::Possibility;
use raddle_engine::{Answer, Condition, Proof, ProofReason, Property, Reason, Undefined, Verdict};
use raddle_ir::Program;

use crate::{reason, rest_on};

/// What the proofs rest on, as reports name it.
const PROCEDURE: &str = "proved by locksets, thread-locality and the order of starts and joins";
const PROCEDURE_ASSUMING: &str = "proved by locksets, thread-locality and the order of starts and joins, assuming that \
                                  nothing undefined happens";

pub(crate) fn decide(program: &Program, undefined: Undefined, answer: &mut Answer) -> Verdict {
    let (procedure, reasons) = match (prove(program), undefined) {
        (RaceAnswer::Proved(reasons), _) => (PROCEDURE, reasons),
        (RaceAnswer::ProvedUnlessUndefined { reasons, .. }, Undefined::Assumed) => {
            (PROCEDURE_ASSUMING, reasons)
        }
        (RaceAnswer::ProvedUnlessUndefined { reasons, found }, Undefined::Examined)
            if !found.reaches_unsupported =>
        {
            let conditions = Condition::not_excluded(&found.what, found.span).into_iter();
            let counts = |it: &Condition| {
                found.follows_unset || it.property() != Some(Property::Uninitialized)
            };
            rest_on(answer, conditions.filter(counts));
            (PROCEDURE, reasons)
        }
        (
            RaceAnswer::ProvedUnlessUndefined { found, .. },
            Undefined::Excluded | Undefined::Examined,
        ) => {
            let Possibility { what, span, .. } = found;
            return Verdict::Unknown(Reason::UndefinedNotExcluded { what, span });
        }
        (RaceAnswer::Unproved(obstacles), _) => {
            let first = obstacles.into_iter().next();
            return Verdict::Unknown(first.map_or(Reason::NotDecidedByEngine, reason));
        }
    };
    let counters = &mut answer.counters;
    counters.insert("reasons", u64::try_from(reasons.len()).unwrap_or(u64::MAX));
    Verdict::Safe(Proof::OverApproximation {
        procedure,
        reasons: reasons
            .into_iter()
            .map(|reason| ProofReason {
                text: reason.to_string(),
                span: reason.span,
            })
            .collect(),
    })
}
