//! What an unrolling consists of: nodes, what was found on the way, and where the token comes and goes.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Arena, Id, define_id};
use raddle_encode::Word;
use raddle_encode::hazard::Met;
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::Shared;
use raddle_encode::touch::{Access, Touch};
use raddle_ir::{EdgeId, FunctionId};
use raddle_logic::TermId;

use crate::deeds::{Deed, Lock, Locking};

define_id!(
    /// A node, in the order in which they were met: after all that come before it.
    NodeIndex,
    "n"
);

/// A point at which a thread needs the token.
pub(crate) struct Node {
    pub(crate) thread: ThreadIndex,
    pub(crate) place: (FunctionId, EdgeId),
    pub(crate) at: UnrolledPoint,
    /// Its number within the thread.
    pub(crate) index: usize,
    pub(crate) arrival: Arrival,
    pub(crate) receipt: Receipt,
    pub(crate) passage: Passage,
    pub(crate) effect: Effect,
    /// Mutexes that the thread holds before.
    pub(crate) held: BTreeSet<Lock>,
    /// Nodes after which it comes; `None` stands for the beginning of the thread.
    pub(crate) before: BTreeSet<Option<NodeIndex>>,
    /// Whether the thread may end, or is cut, after it.
    pub(crate) is_last: bool,
    /// How many edges were recorded before it.
    pub(crate) records: usize,
}

/// How a thread comes to a node.
pub(crate) struct Arrival {
    /// Under which condition.
    pub(crate) guard: TermId,
    /// Whether it has the token then, and the time at which it got it last.
    pub(crate) holds: TermId,
    pub(crate) clock: TermId,
    /// How often it has received the token before.
    pub(crate) receipts: TermId,
}

/// Whether a thread receives the token at a node, when, and what with it.
pub(crate) struct Receipt {
    pub(crate) happens: TermId,
    pub(crate) clock: TermId,
    pub(crate) came: Vec<Word>,
}

/// How a thread goes on from a node.
pub(crate) struct Passage {
    /// Whether it stands here with the token, to go on or to claim.
    pub(crate) acts: TermId,
    /// Whether it claims its next accesses: it stops here for good, as if it had made them, so that another thread that is about to
    /// make a conflicting one shows a race.
    pub(crate) claims: TermId,
    /// Whether it gets past, and passes the token on then.
    pub(crate) passes: TermId,
    pub(crate) sent: TermId,
    /// When it had the token.
    pub(crate) clock: TermId,
    /// What is shared then.
    pub(crate) shared: Shared,
}

/// What a node does that others see.
#[derive(Default)]
pub(crate) struct Effect {
    pub(crate) touches: BTreeSet<Touch>,
    pub(crate) deeds: BTreeSet<Deed>,
    /// It is one operation on one plain mutex.
    pub(crate) locking: Option<(Locking, Lock)>,
    /// It has ways on which it joins no thread.
    pub(crate) joins_perhaps: bool,
    /// What it is about to touch, where it acts.
    pub(crate) accesses: Vec<Access>,
}

/// When an edge that was recorded is taken.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    pub(crate) clock: TermId,
    /// The step that it is a part of.
    pub(crate) step: usize,
    /// Whether that comes to its end.
    pub(crate) completes: TermId,
}

/// Something that goes wrong, and when.
pub(crate) struct FoundFault {
    pub(crate) met: Met,
    pub(crate) thread: ThreadIndex,
    pub(crate) clock: TermId,
    pub(crate) step: usize,
}

/// What an unrolling to some depth gave.
#[derive(Default)]
pub(crate) struct Unrolled {
    pub(crate) nodes: Arena<NodeIndex, Node>,
    /// The node that starts each thread, by its number.
    pub(crate) starts: BTreeMap<ThreadIndex, Option<NodeIndex>>,
    /// What threads touch while others are there, or are started.
    pub(crate) touches: BTreeSet<(ThreadIndex, UnrolledPoint, Touch)>,
    /// Places that have to be nodes, whatever they touch.
    pub(crate) needing: BTreeSet<(ThreadIndex, UnrolledPoint)>,
    /// Where threads come to.
    pub(crate) visited: BTreeSet<(ThreadIndex, UnrolledPoint)>,
    /// One for each record of the encoder.
    pub(crate) marks: Vec<Mark>,
    pub(crate) found: Vec<FoundFault>,
    /// Where loops and recursion were cut.
    pub(crate) cuts: Vec<TermId>,
    pub(crate) cut_places: BTreeSet<(ThreadIndex, UnrolledPoint)>,
    /// Conditions of the threads that may begin with the token; one of them does.
    pub(crate) first_holders: Vec<TermId>,
    /// How many steps were taken.
    pub(crate) steps: usize,
}

impl Unrolled {
    /// How many threads there are up to the last that is started.
    pub(crate) fn threads(&self) -> usize {
        self.starts.keys().max().map_or(0, |it| it.index() + 1)
    }

    /// Whether threads come nowhere and do nothing that they do not in another unrolling.
    pub(crate) fn is_within(&self, other: &Unrolled) -> bool {
        let theirs: BTreeMap<(ThreadIndex, &UnrolledPoint), &Node> = other
            .nodes
            .values()
            .map(|it| ((it.thread, &it.at), it))
            .collect();
        self.visited.is_subset(&other.visited)
            && self.touches.is_subset(&other.touches)
            && self.nodes.values().all(|mine| {
                let its = theirs.get(&(mine.thread, &mine.at));
                its.is_some_and(|it| mine.effect.deeds.is_subset(&it.effect.deeds))
            })
    }
}

/// Where the token comes and goes, once that is known.
#[derive(Default)]
pub(crate) struct Doors {
    pub(crate) receiving: BTreeSet<(ThreadIndex, UnrolledPoint)>,
    pub(crate) sending: BTreeSet<(ThreadIndex, UnrolledPoint)>,
    /// Where threads were cut: no other places may be reached than before.
    pub(crate) cuts: BTreeSet<(ThreadIndex, UnrolledPoint)>,
}
