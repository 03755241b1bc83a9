//! A walk over stored states that tells from which of them a way leads out.

use crate::ids::NodeId;

/// A walk over states in which somebody may be stuck, or everybody may spin (Tarjan 1972).
#[derive(Default)]
pub(super) struct Walk {
    /// Of each state, by its number.
    marks: Vec<WayOut>,
    /// Those that are not decided, each after one from which it can be reached.
    undecided: Vec<NodeId>,
    pub(super) path: Vec<Bend>,
    /// From these no way leads out, what can be reached first.
    pub(super) closed: Vec<NodeId>,
    /// In some state somebody may be stuck, or everybody may spin, and a violation ends the execution.
    pub(super) may_be_saved_by_an_end: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayOut {
    Unseen,
    /// Its place among those that are undecided.
    Undecided(usize),
    /// Nobody is stuck in all that may come.
    Open,
    Closed,
}

/// A state on the path.
pub(super) struct Bend {
    pub(super) next: Vec<NodeId>,
    place: usize,
    /// The first undecided one that it leads to.
    pub(super) low: usize,
}

impl Walk {
    pub(super) fn mark(&mut self, node: NodeId) -> &mut WayOut {
        let at = node.index();
        if self.marks.len() <= at {
            self.marks.resize(at + 1, WayOut::Unseen);
        }
        &mut self.marks[at]
    }

    pub(super) fn enter(&mut self, node: NodeId, next: Vec<NodeId>) {
        let place = self.undecided.len();
        *self.mark(node) = WayOut::Undecided(place);
        self.undecided.push(node);
        self.path.push(Bend {
            next,
            place,
            low: place,
        });
    }

    /// A way out was found from the end of the path. Every undecided state leads to one on the path, and so to its end.
    pub(super) fn leads_out(&mut self) {
        self.path.clear();
        for node in std::mem::take(&mut self.undecided) {
            *self.mark(node) = WayOut::Open;
        }
    }

    /// Everything after the end of the path was seen.
    pub(super) fn leave(&mut self) {
        let Some(bend) = self.path.pop() else { return };
        if bend.low < bend.place {
            if let Some(before) = self.path.last_mut() {
                before.low = before.low.min(bend.low);
            }
            return;
        }
        // From these no way leads elsewhere but to what is closed.
        for node in self.undecided.split_off(bend.place) {
            *self.mark(node) = WayOut::Closed;
            self.closed.push(node);
        }
    }
}
