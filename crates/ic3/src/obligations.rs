//! Proof obligations: cubes that lead to a target and have to be excluded from a frame.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use raddle_base::{Arena, define_id};

use crate::cube::Cube;
use crate::outcome::Step;

define_id!(
    /// An obligation that one violating step gave rise to.
    ObligationId, "o"
);

/// A cube of which a state leads to a target.
#[derive(Clone, Debug)]
pub(crate) struct Obligation {
    pub(crate) cube: Cube,
    /// A step from one of its states into the successor, or to a target.
    pub(crate) step: Step,
    /// Whose cube the step leads to; none if it reaches a target.
    pub(crate) successor: Option<ObligationId>,
}

/// The obligations of one violating step, lowest level first, and of one level the latest first.
#[derive(Default)]
pub(crate) struct Obligations {
    all: Arena<ObligationId, Obligation>,
    queue: BinaryHeap<(Reverse<usize>, u64, ObligationId)>,
    added: u64,
}

impl Obligations {
    pub(crate) fn new() -> Self {
        Self {
            all: Arena::new(),
            queue: BinaryHeap::new(),
            added: 0,
        }
    }

    pub(crate) fn add(&mut self, obligation: Obligation, level: usize) -> ObligationId {
        let id = self.all.push(obligation);
        self.enqueue(id, level);
        id
    }

    pub(crate) fn enqueue(&mut self, id: ObligationId, level: usize) {
        self.queue.push((Reverse(level), self.added, id));
        self.added += 1;
    }

    /// The next one, with the level at which it has to be blocked.
    pub(crate) fn take(&mut self) -> Option<(ObligationId, usize)> {
        let (Reverse(level), _, id) = self.queue.pop()?;
        Some((id, level))
    }

    pub(crate) fn get(&self, id: ObligationId) -> &Obligation {
        &self.all[id]
    }

    /// From this one on, until a target is reached.
    pub(crate) fn chain(&self, first: ObligationId) -> Vec<Obligation> {
        let mut found = Vec::new();
        let mut at = Some(first);
        while let Some(id) = at {
            found.push(self.all[id].clone());
            at = self.all[id].successor;
        }
        found
    }
}
