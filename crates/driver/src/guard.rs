//! Keeps engines to the table of sound reductions: a property that a reduction does not keep is not asked of it.

use std::collections::BTreeMap;

use raddle_engine::{
    Answer, Budget, Counters, Engine, Events, Property, Reason, Reduction, Task, Verdict,
};

/// An engine that is asked only what its reduction keeps, and says unknown of the rest.
pub(crate) struct Guarded {
    inner: Box<dyn Engine>,
}

impl Guarded {
    pub(crate) fn new(inner: Box<dyn Engine>) -> Self {
        Self { inner }
    }
}

impl Engine for Guarded {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn reduction(&self) -> Reduction {
        self.inner.reduction()
    }

    fn decide(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Answer {
        let reduction = self.reduction();
        let (sound, unsound): (Vec<Property>, Vec<Property>) = task
            .semantics
            .properties
            .iter()
            .partition(|it| reduction.is_sound_for(**it));
        let mut answer = if sound.is_empty() {
            Answer {
                verdicts: BTreeMap::new(),
                counters: Counters::new(),
                observes_layout: false,
                notes: Vec::new(),
            }
        } else {
            let mut task = task.clone();
            task.semantics.properties = sound;
            self.inner.decide(&task, budget, events)
        };
        for property in unsound {
            let reason = Reason::UnsoundReduction {
                reduction,
                property,
            };
            answer.verdicts.insert(property, Verdict::Unknown(reason));
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::SourceMap;
    use raddle_engine::{Proof, Semantics, Silent};

    use super::*;
    use crate::{Options, load};

    /// Says that everything is safe.
    struct Believer(Reduction);

    impl Engine for Believer {
        fn name(&self) -> &'static str {
            "believer"
        }

        fn reduction(&self) -> Reduction {
            self.0
        }

        fn decide(&mut self, task: &Task<'_>, _: &Budget, _: &mut dyn Events) -> Answer {
            let safe = || Verdict::Safe(Proof::SearchExhausted(self.0));
            Answer {
                verdicts: task
                    .semantics
                    .properties
                    .iter()
                    .map(|it| (*it, safe()))
                    .collect(),
                counters: Counters::new(),
                observes_layout: false,
                notes: Vec::new(),
            }
        }
    }

    #[test]
    fn no_property_is_safe_by_a_reduction_that_does_not_keep_it() {
        let mut sources = SourceMap::new();
        sources.add("program.rad", "thread t { skip }\n");
        let program = load(&sources, &Options::default())
            .expect("it is a program")
            .program;
        for reduction in Reduction::ALL {
            let task = Task {
                program: &program,
                semantics: Semantics::default(),
                seed: 0,
                jobs: 1,
            };
            let mut engine = Guarded::new(Box::new(Believer(reduction)));
            let answer = engine.decide(&task, &Budget::unlimited(), &mut Silent);
            assert_eq!(answer.verdicts.len(), task.semantics.properties.len());
            for (property, verdict) in answer.verdicts {
                let expected = if reduction.is_sound_for(property) {
                    "safe"
                } else {
                    "unknown"
                };
                assert_eq!(verdict.word(), expected, "{reduction} and {property}");
            }
        }
    }
}
