//! Where ways of one thread meet.

use raddle_base::Id;

use raddle_ir::action::Action;
use raddle_ir::program::{Function, Program};

use raddle_ir::interpret::state::{State, ThreadNumber};

/// For each function and location, whether ways can meet there.
///
/// Every cycle of states of one thread goes through such a location, so whoever follows a thread need not remember the
/// states elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Joins {
    is_join: Vec<Vec<bool>>,
}

impl Joins {
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            is_join: program.functions.values().map(joins_of).collect(),
        }
    }
}

fn joins_of(function: &Function) -> Vec<bool> {
    let mut incoming = vec![0_u32; function.locations.len()];
    // Whoever begins the function comes in too.
    incoming[function.entry.index()] += 1;
    for edge in function.edges.values() {
        // A callee may come back on many ways.
        let ways = if matches!(edge.action, Action::Call { .. }) {
            2
        } else {
            1
        };
        incoming[edge.to.index()] += ways;
    }
    incoming.into_iter().map(|count| count > 1).collect()
}

impl Joins {
    /// Whether the thread may have come to this state on several ways, by where it stands. `true` if it has ended.
    pub(crate) fn ways_meet(&self, state: &State, thread: ThreadNumber) -> bool {
        state
            .threads
            .get(&thread)
            .and_then(|it| it.frames.last())
            .is_none_or(|frame| self.is_join[frame.function.index()][frame.location.index()])
    }
}
