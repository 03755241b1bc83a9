//! Who decides which property: the engine, and the reduction that keeps the property.

use raddle_engine::{Engine, EngineId, Reduction, Undefined};
use raddle_engine_bmc::BmcEngine;
use raddle_engine_explicit::{Checkpoint, ExplicitEngine, Order};
use raddle_engine_ic3::Ic3Engine;
use raddle_engine_mat::MatEngine;
use raddle_engine_reference::ReferenceEngine;
use raddle_engine_sample::SampleEngine;
use raddle_engine_static::StaticEngine;
use raddle_engine_wpds::PushdownEngine;
use raddle_engine_wpds::given::resolve::Given;
use raddle_ir::interpret::Property;

use crate::misuse::misuse;
use crate::{EngineChoice, Options};

/// What `explicit` does unless asked otherwise, best first: the first that keeps the property.
const PREFERRED: [Reduction; 3] = [Reduction::Optimistic, Reduction::Local, Reduction::None];

/// The same for `bmc`.
const PREFERRED_BY_BMC: [Reduction; 4] = [
    Reduction::Dynamic,
    Reduction::Optimistic,
    Reduction::Local,
    Reduction::None,
];

fn preferred_by_bmc(property: Property) -> &'static [Reduction] {
    // What is lost between right movers and the commit, others see only if the former are not put off.
    let is_seen_between = property == Property::Memory;
    &PREFERRED_BY_BMC[usize::from(is_seen_between)..]
}

/// An engine with one of its reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decider {
    pub(crate) engine: EngineId,
    pub(crate) reduction: Reduction,
    /// A search has shown that nothing undefined happens, so that this need not be proved once more.
    pub(crate) relies_on_search: bool,
}

impl Decider {
    /// Who decides the property by search, or by what else was asked for.
    pub(crate) fn of(options: &Options, property: Property) -> Self {
        match options.engine {
            // No search decides it, with any reduction.
            EngineChoice::Auto if property == Property::AtomicSets => Self::of_units(),
            EngineChoice::Auto => Self::best(EngineId::Explicit, options, property),
            EngineChoice::One(engine) => Self::best(engine, options, property),
        }
    }

    /// The engine with the reduction that was asked for, or else the best one that keeps the property.
    fn best(engine: EngineId, options: &Options, property: Property) -> Self {
        let reduction = |preferred| {
            let asked = options.reduction;
            asked.unwrap_or_else(|| best_for(property, preferred))
        };
        let reduction = match engine {
            EngineId::Explicit if options.explicit.preemptions.is_some() => {
                reduction(&[Reduction::None])
            }
            EngineId::Explicit => reduction(&PREFERRED),
            EngineId::Bmc => reduction(preferred_by_bmc(property)),
            EngineId::Reference
            | EngineId::Static
            | EngineId::Pushdown
            | EngineId::Token
            | EngineId::Sample
            | EngineId::Ic3 => Reduction::None,
        };
        Self::new(engine, reduction)
    }

    fn new(engine: EngineId, reduction: Reduction) -> Self {
        Self {
            engine,
            reduction,
            relies_on_search: false,
        }
    }

    /// Who decides the first of the properties.
    pub(crate) fn of_first(options: &Options, properties: &[Property]) -> Self {
        let first = properties.first().copied().unwrap_or(Property::Assert);
        Self::of(options, first)
    }

    /// The engine that proves without search, before others search.
    pub(crate) fn without_search() -> Self {
        Self::new(EngineId::Static, Reduction::None)
    }

    /// The engine that decides `atomic-sets`.
    pub(crate) fn of_units() -> Self {
        Self::new(EngineId::Pushdown, Reduction::None)
    }

    /// The same, once a search has come to its end without meeting anything undefined.
    pub(crate) fn of_units_after_search() -> Self {
        Self {
            relies_on_search: true,
            ..Self::of_units()
        }
    }

    pub(crate) fn engine(self, options: &Options, automata: &[Given]) -> Box<dyn Engine> {
        match self.engine {
            EngineId::Explicit => Box::new(ExplicitEngine {
                order: match options.explicit.preemptions {
                    Some(most) => Order::FewestPreemptions { most },
                    None if options.wants_shortest => Order::FewestSwitches,
                    None => Order::FirstFound,
                },
                symmetry: options.explicit.symmetry,
                hash_compact: options.explicit.hash_compact,
                checkpoint: options
                    .explicit
                    .checkpoint
                    .clone()
                    .map(|folder| Checkpoint {
                        folder,
                        every: options.explicit.checkpoint_every,
                    }),
                measures: options.measures,
                races: options.explicit.races,
                ..ExplicitEngine::new(self.reduction)
            }),
            EngineId::Reference => Box::new(ReferenceEngine),
            EngineId::Bmc => Box::new(BmcEngine {
                keeps_question: options.keeps_question,
                ..BmcEngine::new(self.reduction)
            }),
            EngineId::Ic3 => Box::new(Ic3Engine::default()),
            EngineId::Static => Box::new(StaticEngine {
                undefined: if options.is_strict {
                    undefined(options.assume_defined)
                } else if options.assume_defined {
                    Undefined::Assumed
                } else {
                    Undefined::Examined
                },
            }),
            EngineId::Token => Box::new(MatEngine {
                pairs: options.pairs.unwrap_or_default(),
                context_bounds: options.context_bounds.clone(),
            }),
            EngineId::Sample => Box::new(SampleEngine {
                strategy: options.sample.strategy.unwrap_or_default(),
                schedules: options.sample.schedules,
                // Whoever sets no limit wants to hear of all there is.
                goes_on: options.engine == EngineChoice::One(EngineId::Sample)
                    && options.timeout.is_none()
                    && options.sample.schedules.is_none(),
                ..SampleEngine::default()
            }),
            EngineId::Pushdown => Box::new(PushdownEngine {
                patterns: options.patterns.unwrap_or_default(),
                undefined: undefined(options.assume_defined || self.relies_on_search),
                automata: automata.to_vec(),
                limits: raddle_engine_wpds::Limits::default(),
            }),
        }
    }
}

/// One run of an engine, on all properties that it is to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EngineRun {
    pub(crate) decider: Decider,
    pub(crate) properties: Vec<Property>,
}

/// The runs that decide the properties, in the order of the first property of each.
pub(crate) fn plan(options: &Options, properties: &[Property]) -> Vec<EngineRun> {
    let mut parts: Vec<EngineRun> = Vec::new();
    for &property in properties {
        let decider = Decider::of(options, property);
        match parts.iter_mut().find(|it| it.decider == decider) {
            Some(part) => part.properties.push(property),
            None => parts.push(EngineRun {
                decider,
                properties: vec![property],
            }),
        }
    }
    parts
}

/// The runs of `pushdown` of a plan, and the others.
pub(crate) fn apart(parts: Vec<EngineRun>) -> (Vec<EngineRun>, Vec<EngineRun>) {
    parts
        .into_iter()
        .partition(|it| it.decider.engine == EngineId::Pushdown)
}

/// The runs of `bmc` beside those of the plan, where the driver chooses; none where it could not do what is asked for.
pub(crate) fn plan_of_bmc(options: &Options, properties: &[Property]) -> Vec<EngineRun> {
    plan_beside(options, properties, &BmcEngine::new(Reduction::None))
}

/// The same of `sample`.
pub(crate) fn plan_of_sample(options: &Options, properties: &[Property]) -> Vec<EngineRun> {
    plan_beside(options, properties, &SampleEngine::default())
}

fn plan_beside(options: &Options, properties: &[Property], engine: &dyn Engine) -> Vec<EngineRun> {
    let options = Options {
        engine: EngineChoice::One(engine.id()),
        ..options.clone()
    };
    if misuse(&options, options.engine).is_some() {
        return Vec::new();
    }
    let properties: Vec<Property> = properties
        .iter()
        .copied()
        .filter(|it| engine.decides(*it))
        .collect();
    plan(&options, &properties)
}

fn best_for(property: Property, preferred: &[Reduction]) -> Reduction {
    preferred
        .iter()
        .copied()
        .find(|it| it.is_sound_for(property))
        .unwrap_or(Reduction::None)
}

fn undefined(is_assumed_away: bool) -> Undefined {
    if is_assumed_away {
        Undefined::Assumed
    } else {
        Undefined::Excluded
    }
}

/// Every engine with every reduction it can apply.
pub fn combinations() -> Vec<(EngineId, Reduction)> {
    EngineId::ALL
        .into_iter()
        .flat_map(|engine| engine.reductions().iter().map(move |it| (engine, *it)))
        .collect()
}

/// Every engine that comes to an end with every reduction it has, each once: for comparing them.
pub fn engines() -> Vec<Box<dyn Engine>> {
    engines_that(|it| !it.goes_on_for_long())
}

/// The same of those that go on for ever, or for very long, with some programs: whoever asks them needs a limit.
pub fn bounded_engines() -> Vec<Box<dyn Engine>> {
    engines_that(EngineId::goes_on_for_long)
}

fn engines_that(is_wanted: impl Fn(EngineId) -> bool) -> Vec<Box<dyn Engine>> {
    combinations()
        .into_iter()
        .filter(|(engine, _)| is_wanted(*engine))
        .map(|(engine, reduction)| Decider::new(engine, reduction).engine(&Options::default(), &[]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_decides_all_that_its_reduction_keeps() {
        let options = Options::default();
        let parts = plan(&options, &Property::ALL);
        let described: Vec<(&str, &str, Vec<&str>)> = parts
            .iter()
            .map(|it| {
                let names = it.properties.iter().map(|it| it.name()).collect();
                (it.decider.engine.name(), it.decider.reduction.name(), names)
            })
            .collect();
        assert_eq!(
            described,
            [
                (
                    "explicit",
                    "optimistic",
                    vec![
                        "assert",
                        "race",
                        "deadlock",
                        "memory",
                        "overflow",
                        "lock-misuse",
                        "uninitialized",
                        "undefined",
                        "invariant"
                    ]
                ),
                ("explicit", "local", vec!["leak"]),
                ("pushdown", "none", vec!["atomic-sets"]),
            ]
        );
        for part in parts {
            for property in part.properties {
                assert!(part.decider.reduction.is_sound_for(property), "{property}");
            }
        }
    }

    #[test]
    fn bmc_runs_beside_on_what_it_decides_unless_it_cannot_do_what_is_asked_for() {
        let parts = plan_of_bmc(&Options::default(), &Property::ALL);
        assert!(!parts.is_empty());
        for part in parts {
            assert_eq!(part.decider.engine, EngineId::Bmc);
            for property in part.properties {
                let engine = part.decider.engine(&Options::default(), &[]);
                assert!(engine.decides(property), "{property}");
                assert!(part.decider.reduction.is_sound_for(property), "{property}");
            }
        }
        let shortest = Options {
            wants_shortest: true,
            ..Options::default()
        };
        assert_eq!(plan_of_bmc(&shortest, &Property::ALL), []);
        assert_eq!(
            plan_of_bmc(&Options::default(), &[Property::AtomicSets]),
            []
        );
    }

    #[test]
    fn what_the_caller_asks_for_is_one_run() {
        let options = Options {
            engine: EngineChoice::One(EngineId::Explicit),
            reduction: Some(Reduction::Phase),
            ..Options::default()
        };
        let parts = plan(&options, &Property::ALL);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].decider.reduction, Reduction::Phase);
        assert_eq!(misuse(&options, options.engine), None);
    }

    #[test]
    fn engines_are_listed_once_with_each_of_their_reductions() {
        let names = |engines: Vec<Box<dyn Engine>>| -> Vec<String> {
            engines
                .iter()
                .map(|it| format!("{} {}", it.name(), it.reduction()))
                .collect()
        };
        let bounded = names(bounded_engines());
        assert_eq!(bounded.len(), Reduction::ALL.len() + 4);
        assert!(bounded.contains(&"token none".to_owned()));
        assert!(bounded.contains(&"pushdown none".to_owned()));
        assert!(bounded.contains(&"sample none".to_owned()));
        assert!(bounded.contains(&"ic3 none".to_owned()));
        assert_eq!(
            names(engines()),
            [
                "reference none",
                "explicit none",
                "explicit local",
                "explicit static",
                "explicit phase",
                "explicit optimistic",
                "explicit dynamic",
                "static none",
            ]
        );
    }
}
