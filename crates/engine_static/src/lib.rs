//! The static engine: proofs without search.
//!
//! Proves `race` by locksets, thread-locality and the order of starts and joins, for any number of threads. It never
//! finds a violation, and decides no other property.
#![warn(clippy::wildcard_enum_match_arm)]

use raddle_analysis::races::{Obstacle, RaceAnswer, prove};
use raddle_analysis::undefined::Possibility;
use raddle_engine::{
    Answer, Budget, Claims, Condition, Engine, EngineId, Events, Proof, ProofReason, Property,
    Reason, Reduction, Task, Undefined, Verdict,
};
use raddle_ir::Program;

/// Proves what it can and says nothing of the rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticEngine {
    pub undefined: Undefined,
}

/// What the proofs rest on, as reports name it.
const PROCEDURE: &str = "proved by locksets, thread-locality and the order of starts and joins";
const PROCEDURE_ASSUMING: &str = "proved by locksets, thread-locality and the order of starts and joins, assuming that \
                                  nothing undefined happens";

impl Engine for StaticEngine {
    fn id(&self) -> EngineId {
        EngineId::Static
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        property == Property::Race
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, _: &mut dyn Events) -> Claims {
        let mut answer = Answer::default();
        if task.semantics.properties.contains(&Property::Race) {
            let verdict = match budget.check() {
                Ok(()) => self.race(task.program, &mut answer),
                Err(exhausted) => Verdict::Unknown(exhausted.into()),
            };
            answer.verdicts.insert(Property::Race, verdict);
        }
        Claims::new(answer)
    }
}

impl StaticEngine {
    fn race(self, program: &Program, answer: &mut Answer) -> Verdict {
        let (procedure, reasons) = match (prove(program), self.undefined) {
            (RaceAnswer::Proved(reasons), _) => (PROCEDURE, reasons),
            (RaceAnswer::ProvedUnlessUndefined { reasons, .. }, Undefined::Assumed) => {
                (PROCEDURE_ASSUMING, reasons)
            }
            (RaceAnswer::ProvedUnlessUndefined { reasons, found }, Undefined::Examined)
                if !found.reaches_unsupported =>
            {
                answer.conditions = Condition::not_excluded(&found.what, found.span);
                if !found.follows_unset {
                    let is_left = |it: &Condition| it.property() != Some(Property::Uninitialized);
                    answer.conditions.retain(is_left);
                }
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
}

fn reason(obstacle: Obstacle) -> Reason {
    match obstacle {
        Obstacle::Pair {
            variable, first, ..
        } => Reason::NotProved {
            what: format!("no lock, start or join keeps two accesses to `{variable}` apart"),
            span: first,
        },
        Obstacle::NotUnderstood { what, span } => Reason::NotProved { what, span },
        Obstacle::TooLarge => Reason::NotProved {
            what: "the program has too many calls for the analysis".into(),
            span: None,
        },
    }
}
