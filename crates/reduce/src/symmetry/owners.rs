//! Memory that only one thread ever gets to.

use std::collections::{BTreeMap, BTreeSet};

use raddle_analysis::call_graph::Origin;
use raddle_analysis::conflicts::accesses;
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_ir::Program;
use raddle_ir::interpret::{ObjectNumber, ThreadNumber};
use raddle_stepper::renaming::number_of_global;

use crate::history::Configuration;

/// Which thread has which objects to itself.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// Globals that only one of the first threads accesses, in any execution.
    globals: BTreeMap<ObjectNumber, ThreadNumber>,
}

impl Owners {
    pub(super) fn new(program: &Program) -> Self {
        let Some(points_to) = PointsTo::new(program).ok() else {
            return Self::default();
        };
        if points_to.not_understood().is_some() {
            return Self::default();
        }
        let mut users: BTreeMap<ObjectNumber, BTreeSet<_>> = BTreeMap::new();
        for access in accesses(&points_to) {
            if let ObjectKind::Global(global) = points_to.objects[access.object].kind {
                let object = number_of_global(global);
                users.entry(object).or_default().insert(access.thread);
            }
        }
        let owner = |threads: BTreeSet<_>| -> Option<ThreadNumber> {
            let only = threads.first().filter(|_| threads.len() == 1)?;
            match points_to.graph.threads[*only].origin {
                Origin::Root(index) => Some(ThreadNumber(index as u64)),
                Origin::Spawn(..) => None,
            }
        };
        let users = users.into_iter();
        Self {
            globals: users
                .filter_map(|(object, threads)| Some((object, owner(threads)?)))
                .collect(),
        }
    }

    /// Whether globals belong to a thread by its name, which then stays as it is.
    pub(super) fn has_globals(&self, thread: ThreadNumber) -> bool {
        self.globals.values().any(|it| *it == thread)
    }

    /// The thread that has an object to itself, if one has.
    pub(super) fn owner(
        &self,
        configuration: &Configuration,
        object: ObjectNumber,
    ) -> Option<ThreadNumber> {
        let private = configuration.private.unobserved().get(&object);
        private.or_else(|| self.globals.get(&object)).copied()
    }
}
