//! Places in the middle of a block, with what has to be known of the way there, and what a block leads to.

use std::collections::BTreeMap;

use raddle_encode::guard::is_same;
use raddle_encode::hazard::Met;
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_encode::touch::Standing;
use raddle_ir::LocationId;
use raddle_logic::{TermId, Terms};

/// Where a thread is in a block. Their order is that in which executions visit them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) place: UnrolledPoint,
    /// How deep in atomic sections.
    pub(crate) depth: u32,
    pub(crate) phase: Phase,
}

impl Point {
    /// How the edges that leave it stand in the step.
    pub(crate) fn standing(&self) -> Standing {
        if self.depth > 0 {
            return Standing::Section;
        }
        match self.phase {
            Phase::Start => Standing::First,
            Phase::BeforeCommit | Phase::AfterCommit => Standing::Later,
        }
    }

    /// The location, as one of its frame.
    pub(crate) fn head(&self) -> (usize, LocationId) {
        (self.place.depth(), self.place.top().location)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Start,
    BeforeCommit,
    AfterCommit,
}

/// A place in the middle of a block.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) local: Local,
    /// The block begins here.
    pub(crate) is_begun: bool,
    /// The guard that the block began with, if there was one.
    pub(crate) origin: Option<TermId>,
    /// The loops that were entered on the way, by depth of frame and head.
    pub(crate) entered: BTreeMap<(usize, LocationId), Entered>,
    /// How many threads were started on the way, at most.
    pub(crate) started: u32,
}

/// When a loop was entered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    pub(crate) guard: TermId,
    pub(crate) started: u32,
}

impl Pending {
    /// At the beginning of a block.
    pub(crate) fn first(local: Local) -> Self {
        Self {
            origin: Some(local.guard),
            local,
            is_begun: true,
            entered: BTreeMap::new(),
            started: 0,
        }
    }

    /// After an edge, which starts a thread or not.
    pub(crate) fn after(&self, local: Local, starts: bool) -> Self {
        Self {
            local,
            is_begun: false,
            origin: self.origin,
            entered: self.entered.clone(),
            started: self.started + u32::from(starts),
        }
    }

    /// Remembers that a loop was entered here.
    pub(crate) fn enter(&mut self, head: (usize, LocationId)) {
        let entered = Entered {
            guard: self.local.guard,
            started: self.started,
        };
        self.entered.insert(head, entered);
    }

    /// Whether nothing was decided since a loop was entered, or the block began in it.
    pub(crate) fn is_undecided(&self, terms: &Terms, head: (usize, LocationId)) -> bool {
        let entered = self.entered.get(&head).map(|it| it.guard);
        let before = entered.or(self.origin);
        before.is_some_and(|it| is_same(terms, it, self.local.guard))
    }

    /// How many threads were started since a loop was entered, or the block began in it.
    pub(crate) fn started_in(&self, head: (usize, LocationId)) -> u32 {
        let before = self.entered.get(&head).map_or(0, |it| it.started);
        self.started.saturating_sub(before)
    }

    pub(crate) fn join(&mut self, terms: &mut Terms, other: &Pending) {
        self.local.join(terms, &other.local);
        self.origin = self.origin.filter(|_| self.origin == other.origin);
        self.entered.retain(|head, entered| {
            let its = other.entered.get(head);
            its.is_some_and(|it| is_same(terms, it.guard, entered.guard))
        });
        self.started = self.started.max(other.started);
    }
}

/// What a block led to.
#[must_use]
pub(crate) struct Outcome {
    pub(crate) shared: Shared,
    pub(crate) exits: Whereabouts,
    /// The thread, or the process, has come to its end.
    pub(crate) is_over: TermId,
    /// Threads that were started, as they begin.
    pub(crate) begun: Vec<(ThreadIndex, Local)>,
    /// What went wrong on the way.
    pub(crate) met: Vec<Met>,
}
