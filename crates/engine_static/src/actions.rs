//! Properties that single actions violate: safe if no action of the program may do it.
//!
//! The proof of one property takes it for granted that no earlier step violates one that ends executions, and says so for
//! each of those that it could not exclude (docs/SOUNDNESS.md, “What a safe verdict rests on”).

use raddle_analysis::doubts::{Doubt, Doubts};
use raddle_analysis::properties::doubts_of;
use raddle_engine::{Answer, Condition, Proof, ProofReason, Property, Reason, Undefined, Verdict};
use raddle_ir::Program;

use crate::{reason, rest_on};

/// What the proofs rest on, as reports name it.
const PROCEDURE: &str =
    "proved for every action by ranges of numbers, definite assignment and what locks protect";
const PROCEDURE_ASSUMING: &str = "proved for every action by ranges of numbers, definite assignment and what locks protect, \
                                  assuming that nothing undefined happens";

/// Properties of which a proof may rest on values.
const OF_VALUES: [Property; 4] = [
    Property::Assert,
    Property::Memory,
    Property::Overflow,
    Property::Undefined,
];

pub(crate) fn decide(
    program: &Program,
    properties: &[Property],
    undefined: Undefined,
    answer: &mut Answer,
) {
    let doubts = match doubts_of(program) {
        Ok(doubts) => doubts,
        Err(obstacle) => {
            let unknown = Verdict::Unknown(reason(obstacle));
            let all = properties.iter().map(|it| (*it, unknown.clone()));
            answer.verdicts.extend(all);
            return;
        }
    };
    let mut is_said = false;
    for &property in properties {
        let mut verdict = judge(&doubts, property, undefined);
        // Once is enough, with a property that looks at values.
        if let Verdict::Safe(Proof::OverApproximation { reasons, .. }) = &mut verdict
            && !is_said
            && OF_VALUES.contains(&property)
        {
            *reasons = said(&doubts);
            is_said = true;
        }
        if matches!(verdict, Verdict::Safe(_)) && undefined == Undefined::Examined {
            rest_on(answer, conditions(&doubts));
        }
        answer.verdicts.insert(property, verdict);
    }
}

fn judge(doubts: &Doubts, property: Property, undefined: Undefined) -> Verdict {
    if let Some(doubt) = doubts.unsupported().or(doubts.of(property)) {
        return Verdict::Unknown(Reason::NotProved {
            what: doubt.what.to_owned(),
            span: doubt.span,
        });
    }
    let procedure = match undefined {
        Undefined::Assumed => PROCEDURE_ASSUMING,
        Undefined::Examined => PROCEDURE,
        Undefined::Excluded => match Property::ending().find_map(|it| doubts.of(it)) {
            Some(doubt) => {
                return Verdict::Unknown(Reason::UndefinedNotExcluded {
                    what: doubt.what.to_owned(),
                    span: doubt.span,
                });
            }
            None => PROCEDURE,
        },
    };
    Verdict::Safe(Proof::OverApproximation {
        procedure,
        reasons: Vec::new(),
    })
}

/// What threads leave to one another.
fn said(doubts: &Doubts) -> Vec<ProofReason> {
    let invariants = doubts.invariants.iter();
    invariants
        .map(|it| ProofReason {
            text: it.text.clone(),
            span: it.span,
        })
        .collect()
}

/// One for each property that ends executions and is doubted.
fn conditions(doubts: &Doubts) -> impl Iterator<Item = Condition> {
    Property::ending().filter_map(|property| {
        let Doubt { what, span, .. } = doubts.of(property)?;
        Some(Condition::No {
            property,
            what: (*what).to_owned(),
            span: *span,
        })
    })
}
