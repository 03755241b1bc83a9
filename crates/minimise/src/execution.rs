//! Executions, with what is needed to change them.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use raddle_base::fast_hasher;
use raddle_ir::interpret::{Effect, State, Step, Successor, ThreadNumber, Violation};

/// Where a thread stands, with who has called it: equal for equal functions and locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ControlPlace(u64);

impl ControlPlace {
    /// `None` if the thread is not there, or has ended.
    pub(crate) fn of(state: &State, thread: ThreadNumber) -> Option<Self> {
        let frames = &state.threads.get(&thread)?.frames;
        if frames.is_empty() {
            return None;
        }
        let mut hasher = fast_hasher();
        for frame in frames {
            (frame.function, frame.location).hash(&mut hasher);
        }
        Some(Self(hasher.finish()))
    }
}

/// A step, and what it was when it was taken.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) step: Arc<Step>,
    /// Where its thread stood.
    pub(crate) place: ControlPlace,
    /// The threads that it started.
    pub(crate) spawned: Vec<ThreadNumber>,
    /// It begins a transaction of the engine.
    pub(crate) begins: bool,
}

impl Item {
    pub(crate) fn new(successor: &Successor, place: ControlPlace, begins: bool) -> Self {
        let spawned = |effect: &Effect| {
            if let Effect::Spawn { thread } = effect {
                Some(*thread)
            } else {
                None
            }
        };
        Self {
            step: Arc::new(successor.step.clone()),
            place,
            spawned: successor.effects.iter().filter_map(spawned).collect(),
            begins,
        }
    }

    pub(crate) fn thread(&self) -> ThreadNumber {
        self.step.thread
    }
}

/// Steps that may be an execution, from one of the initial states.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    pub(crate) initial: usize,
    pub(crate) items: Vec<Item>,
}

/// Steps that are an execution, and what it shows.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) initial: usize,
    pub(crate) items: Vec<Item>,
    pub(crate) violation: Violation,
}

impl Execution {
    /// How often another thread goes on.
    pub(crate) fn switches(&self) -> usize {
        let pairs = self.items.windows(2);
        pairs.filter(|it| it[0].thread() != it[1].thread()).count()
    }

    /// The threads that take steps, in the order of their first.
    pub(crate) fn threads(&self) -> Vec<ThreadNumber> {
        let mut threads = Vec::new();
        let mut known = std::collections::BTreeSet::new();
        for item in &self.items {
            if known.insert(item.thread()) {
                threads.push(item.thread());
            }
        }
        threads
    }

    /// The numbers of the steps of a thread.
    pub(crate) fn steps_of(&self, thread: ThreadNumber) -> Vec<usize> {
        let all = self.items.iter().enumerate();
        all.filter(|(_, it)| it.thread() == thread)
            .map(|(at, _)| at)
            .collect()
    }

    /// The guide in which only these steps are left.
    pub(crate) fn keeping(&self, is_kept: impl Fn(usize, &Item) -> bool) -> Guide {
        let all = self.items.iter().enumerate();
        let kept = all.filter(|(at, item)| is_kept(*at, item));
        Guide {
            initial: self.initial,
            items: kept.map(|(_, it)| it.clone()).collect(),
        }
    }
}
