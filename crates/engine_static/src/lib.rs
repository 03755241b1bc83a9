//! The static engine: proofs without search, for any number of threads and any size of data.
//!
//! - [`race`](StaticEngine): by locksets, thread-locality and the order of starts and joins;
//! - what single actions violate (`memory`, `lock-misuse`, `uninitialized`, `undefined`, `overflow`, `assert`, `leak`):
//!   where no action of the program may do it, as far as ranges of numbers, definite assignment, points-to sets and
//!   locksets tell.
//!
//! It never finds a violation.
#![warn(clippy::wildcard_enum_match_arm)]

mod actions;
mod race;

use raddle_analysis::races::Obstacle;
use raddle_engine::{
    Answer, Budget, Claims, Condition, Engine, EngineId, Events, Property, Reason, Reduction, Task,
    Undefined, Verdict, condition,
};

/// Proves what it can and says nothing of the rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticEngine {
    pub undefined: Undefined,
}

impl Engine for StaticEngine {
    fn id(&self) -> EngineId {
        EngineId::Static
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        property == Property::Race || raddle_analysis::properties::PROVABLE.contains(&property)
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, _: &mut dyn Events) -> Claims {
        let mut answer = Answer::default();
        let asked = &task.semantics.properties;
        if asked.contains(&Property::Race) {
            let verdict = match budget.check() {
                Ok(()) => race::decide(task.program, self.undefined, &mut answer),
                Err(exhausted) => Verdict::Unknown(exhausted.into()),
            };
            answer.verdicts.insert(Property::Race, verdict);
        }
        let others: Vec<Property> = (asked.iter().copied())
            .filter(|it| *it != Property::Race && self.decides(*it))
            .collect();
        if !others.is_empty() {
            match budget.check() {
                Ok(()) => actions::decide(task.program, &others, self.undefined, &mut answer),
                Err(exhausted) => {
                    let unknown = others
                        .iter()
                        .map(|it| (*it, Verdict::Unknown(exhausted.into())));
                    answer.verdicts.extend(unknown);
                }
            }
        }
        Claims::new(answer)
    }
}

fn rest_on(answer: &mut Answer, conditions: impl IntoIterator<Item = Condition>) {
    for it in conditions {
        condition::add(&mut answer.conditions, it);
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
