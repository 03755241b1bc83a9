//! The engine that looks first: executions under schedulers that choose at random or with few switches, one at a time and in place. It
//! finds what is shallow, however large the program is, and proves nothing.
//!
//! - `campaign`: executions one after the other; `execution`: one of them; `threads`: who can go on; `points`: where others may;
//! - `strategy`: who does; `inputs`: what the program leaves open;
//! - `orders`: accesses that nothing orders; `confirm`: from a suspicion to a trace;
//! - `record`: the steps of an execution; `distinct`: how many executions were different.
//!
//! # Invariants
//!
//! - What it calls unsafe was replayed step by step, and the violation is the one that the interpreter tells at the end.
//! - It never says safe.
//! - Equal tasks with equal settings run equal executions, whatever the clock says, until the budget is spent.
//! - No state is kept or hashed: what an execution costs depends on its steps.
#![warn(clippy::wildcard_enum_match_arm)]

mod campaign;
mod confirm;
mod distinct;
mod execution;
mod inputs;
mod orders;
mod points;
mod record;
mod strategy;
mod threads;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use raddle_engine::{
    Answer, Budget, Claims, Engine, EngineId, Events, Property, Reason, Reduction, Sampled, Task,
    Verdict,
};

pub use strategy::StrategyName;

/// Executions until they bring nothing new.
#[derive(Clone, Debug)]
pub struct SampleEngine {
    pub strategy: StrategyName,
    /// At most so many executions. `None`: until they bring nothing new.
    pub schedules: Option<u64>,
    /// After the first violations, and when nothing is new any more, it goes on until the budget is spent.
    pub goes_on: bool,
    /// So many steps of all executions together at most.
    pub most_steps: u64,
    /// For a run beside others.
    pub pace: Option<Pace>,
    pub flaw: Flaw,
}

/// What is wrong on purpose, for tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flaw {
    #[default]
    None,
    /// Traces end a step before what they show.
    EarlyEnds,
    /// Whoever runs goes on as long as it can.
    NoSwitches,
}

impl Default for SampleEngine {
    fn default() -> Self {
        Self {
            strategy: StrategyName::default(),
            schedules: None,
            goes_on: false,
            most_steps: u64::MAX,
            pace: None,
            flaw: Flaw::None,
        }
    }
}

/// How much of the time it takes beside others.
#[derive(Clone, Debug)]
pub struct Pace {
    /// So much at once; then a small share.
    pub burst: Duration,
    /// Only one of them works at a time anyway.
    pub takes_turns: bool,
    is_alone: Arc<AtomicBool>,
}

impl Pace {
    pub fn new(burst: Duration, takes_turns: bool, is_alone: Arc<AtomicBool>) -> Self {
        Self {
            burst,
            takes_turns,
            is_alone,
        }
    }

    fn is_alone(&self) -> bool {
        self.is_alone.load(Ordering::Relaxed)
    }
}

impl Engine for SampleEngine {
    fn id(&self) -> EngineId {
        EngineId::Sample
    }

    fn reduction(&self) -> Reduction {
        Reduction::None
    }

    fn decides(&self, property: Property) -> bool {
        property != Property::AtomicSets
    }

    fn claim(&mut self, task: &Task<'_>, budget: &Budget, events: &mut dyn Events) -> Claims {
        let Some(mut campaign) = campaign::Campaign::new(self, task) else {
            let nothing = Reason::Sampled(Sampled::default());
            return Claims::new(Answer {
                verdicts: verdicts(task, |_| Verdict::Unknown(nothing.clone())),
                ..Answer::default()
            });
        };
        campaign.run(budget, events);
        let sampled = campaign.sampled();
        Claims::new(Answer {
            verdicts: verdicts(task, |property| match campaign.found().get(&property) {
                Some(trace) => Verdict::Unsafe(trace.clone()),
                None => Verdict::Unknown(Reason::Sampled(sampled)),
            }),
            counters: campaign.counters(),
            ..Answer::default()
        })
    }
}

fn verdicts(
    task: &Task<'_>,
    verdict: impl Fn(Property) -> Verdict,
) -> std::collections::BTreeMap<Property, Verdict> {
    let properties = task.semantics.properties.iter();
    properties.map(|it| (*it, verdict(*it))).collect()
}
