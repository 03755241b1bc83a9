//! What options ask for that cannot be done, as data: what a setting is called only those know who offer it.

use std::ops::Deref;

use raddle_engine::{EngineId, Reduction};
use raddle_engine_mat::ContextBounds;
use raddle_ir::Program;

use crate::{EngineChoice, Options};

/// Options that ask no engine for something that it cannot do.
#[derive(Clone, Debug)]
pub struct ValidOptions(Options);

impl ValidOptions {
    /// # Errors
    ///
    /// What is wrong with them.
    pub fn new(options: Options) -> Result<Self, Misuse> {
        match misuse(&options, options.engine) {
            None => Ok(Self(options)),
            Some(misuse) => Err(misuse),
        }
    }
}

impl Deref for ValidOptions {
    type Target = Options;

    fn deref(&self) -> &Options {
        &self.0
    }
}

/// Something that cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misuse {
    /// The engine has no such reduction.
    Reduction {
        engine: EngineChoice,
        reduction: Reduction,
    },
    /// The engine does nothing of the kind.
    Setting {
        engine: EngineChoice,
        setting: Setting,
    },
    /// One goes only without the other.
    Together(Setting, Setting),
    /// What it leaves out may have fewer preemptions than what it keeps.
    Preempting(Reduction),
    /// A context bound is about a function that the program does not have.
    UnknownFunction(String),
}

/// What only some engines understand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The fewest switches of thread.
    Shortest,
    /// At most so many preemptions.
    Preemptions,
    Symmetry,
    HashCompact,
    Checkpoint,
    /// The question to a solver.
    Question,
    Patterns,
    Automata,
    Pairs,
    ContextBounds,
    Strategy,
    Schedules,
}

impl Setting {
    fn is_set(self, options: &Options) -> bool {
        match self {
            Setting::Shortest => options.wants_shortest,
            Setting::Preemptions => options.explicit.preemptions.is_some(),
            Setting::Symmetry => options.explicit.symmetry,
            Setting::HashCompact => options.explicit.hash_compact,
            Setting::Checkpoint => options.explicit.checkpoint.is_some(),
            Setting::Question => options.keeps_question,
            Setting::Patterns => options.patterns.is_some(),
            Setting::Automata => !options.automata.is_empty(),
            Setting::Pairs => options.pairs.is_some(),
            Setting::ContextBounds => options.context_bounds != ContextBounds::default(),
            Setting::Strategy => options.sample.strategy.is_some(),
            Setting::Schedules => options.sample.schedules.is_some(),
        }
    }

    /// The one engine that understands it, of all.
    pub fn engine(self) -> EngineId {
        match self {
            Setting::Shortest
            | Setting::Preemptions
            | Setting::Symmetry
            | Setting::HashCompact
            | Setting::Checkpoint => EngineId::Explicit,
            Setting::Question => EngineId::Bmc,
            Setting::Patterns | Setting::Automata => EngineId::Pushdown,
            Setting::Pairs | Setting::ContextBounds => EngineId::Token,
            Setting::Strategy | Setting::Schedules => EngineId::Sample,
        }
    }

    /// Whether the engine that is chosen understands it; the driver's own choice does if that engine is a part of it.
    pub fn is_understood_by(self, choice: EngineChoice) -> bool {
        match choice {
            EngineChoice::One(engine) => engine == self.engine(),
            EngineChoice::Auto => match self {
                Setting::Shortest
                | Setting::Preemptions
                | Setting::Symmetry
                | Setting::HashCompact
                | Setting::Checkpoint
                | Setting::Patterns
                | Setting::Automata => true,
                // Other engines may decide without asking anything.
                Setting::Question
                | Setting::Pairs
                | Setting::ContextBounds
                | Setting::Strategy
                | Setting::Schedules => false,
            },
        }
    }
}

/// What is wrong with the options, if this engine is to follow them.
pub(crate) fn misuse(options: &Options, engine: EngineChoice) -> Option<Misuse> {
    if let Some(reduction) = options.reduction
        && !engine.reductions().contains(&reduction)
    {
        return Some(Misuse::Reduction { engine, reduction });
    }
    let first_of = |settings: &[Setting]| {
        let mut settings = settings.iter().copied();
        settings.find(|it| it.is_set(options))
    };
    let of_search = first_of(&[Setting::Symmetry, Setting::HashCompact, Setting::Checkpoint]);
    let not_understood = |setting: Option<Setting>| {
        let setting = setting.filter(|it| !it.is_understood_by(engine))?;
        Some(Misuse::Setting { engine, setting })
    };
    let counted = [Setting::Shortest, Setting::Preemptions];
    let is_set = |it: &Setting| it.is_set(options);
    not_understood(first_of(&counted))
        .or_else(|| {
            let [shortest, preemptions] = counted;
            let are_both = counted.iter().all(is_set);
            are_both.then_some(Misuse::Together(shortest, preemptions))
        })
        .or_else(|| Some(Misuse::Together(of_search?, first_of(&counted)?)))
        .or_else(|| {
            let reduction = options.reduction.filter(|it| !it.keeps_preemptions())?;
            Some(Misuse::Preempting(reduction)).filter(|_| is_set(&Setting::Preemptions))
        })
        .or_else(|| not_understood(of_search))
        .or_else(|| not_understood(first_of(&[Setting::Question])))
        .or_else(|| not_understood(first_of(&[Setting::Patterns, Setting::Automata])))
        .or_else(|| not_understood(first_of(&[Setting::Pairs, Setting::ContextBounds])))
        .or_else(|| not_understood(first_of(&[Setting::Strategy, Setting::Schedules])))
}

/// A context bound that names no function of the program.
pub(crate) fn unknown_function(options: &Options, program: &Program) -> Option<Misuse> {
    let is_known = |name: &str| program.functions.values().any(|it| it.name == name);
    let mut bounds = options.context_bounds.named.iter();
    let wrong = bounds.find(|it| !is_known(&it.name))?;
    Some(Misuse::UnknownFunction(wrong.name.clone()))
}

#[cfg(test)]
mod tests {
    use raddle_engine_wpds::patterns::PatternSet;

    use super::*;

    fn setting_misused(options: &Options) -> Option<Setting> {
        match misuse(options, options.engine) {
            None => None,
            Some(Misuse::Setting { setting, engine }) => {
                assert_eq!(engine, options.engine);
                Some(setting)
            }
            Some(other) => panic!("{other:?}"),
        }
    }

    fn with(engine: EngineChoice) -> Options {
        Options {
            engine,
            ..Options::default()
        }
    }

    #[test]
    fn a_reduction_that_the_engine_does_not_have_is_refused() {
        let options = Options {
            reduction: Some(Reduction::Phase),
            ..with(EngineChoice::One(EngineId::Reference))
        };
        assert_eq!(
            misuse(&options, options.engine),
            Some(Misuse::Reduction {
                engine: options.engine,
                reduction: Reduction::Phase
            })
        );
        assert_eq!(misuse(&options, EngineChoice::Auto), None);
    }

    #[test]
    fn only_an_engine_that_counts_switches_is_asked_for_the_fewest() {
        for engine in EngineChoice::ALL {
            let options = Options {
                wants_shortest: true,
                ..with(engine)
            };
            let expected = (!engine.counts_switches()).then_some(Setting::Shortest);
            assert_eq!(setting_misused(&options), expected, "{engine:?}");
        }
    }

    #[test]
    fn only_an_engine_that_asks_a_solver_tells_its_question() {
        for engine in EngineChoice::ALL {
            let options = Options {
                keeps_question: true,
                ..with(engine)
            };
            let is_able = engine == EngineChoice::One(EngineId::Bmc);
            let expected = (!is_able).then_some(Setting::Question);
            assert_eq!(setting_misused(&options), expected, "{engine:?}");
        }
    }

    #[test]
    fn only_an_engine_that_looks_for_patterns_is_told_which() {
        for engine in EngineChoice::ALL {
            let options = Options {
                patterns: Some(PatternSet::Fourteen),
                ..with(engine)
            };
            let is_able = [EngineChoice::Auto, EngineChoice::One(EngineId::Pushdown)];
            let expected = (!is_able.contains(&engine)).then_some(Setting::Patterns);
            assert_eq!(setting_misused(&options), expected, "{engine:?}");
        }
    }

    #[test]
    fn preemptions_are_counted_by_the_engine_and_the_reductions_that_can() {
        for engine in EngineChoice::ALL {
            let mut options = with(engine);
            options.explicit.preemptions = Some(2);
            let is_able = [EngineChoice::Auto, EngineChoice::One(EngineId::Explicit)];
            let expected = (!is_able.contains(&engine)).then_some(Setting::Preemptions);
            assert_eq!(setting_misused(&options), expected, "{engine:?}");
        }
        let mut options = with(EngineChoice::Auto);
        options.explicit.preemptions = Some(2);
        for reduction in Reduction::ALL {
            options.reduction = Some(reduction);
            let is_refused = misuse(&options, options.engine).is_some();
            assert_eq!(is_refused, !reduction.keeps_preemptions(), "{reduction}");
        }
        options.reduction = None;
        options.wants_shortest = true;
        assert_eq!(
            misuse(&options, options.engine),
            Some(Misuse::Together(Setting::Shortest, Setting::Preemptions))
        );
    }

    #[test]
    fn the_fewest_switches_are_not_looked_for_up_to_names() {
        let mut options = Options {
            wants_shortest: true,
            ..with(EngineChoice::Auto)
        };
        options.explicit.symmetry = true;
        assert_eq!(
            misuse(&options, options.engine),
            Some(Misuse::Together(Setting::Symmetry, Setting::Shortest))
        );
    }
}
