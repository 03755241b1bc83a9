//! All threads, unrolled one by one: a thread is a list of guarded nodes, and what it receives at a node is open.
//!
//! # Source
//!
//! MAT §2.1, its first phase: decoupled thread models, in which shared variables are localised.
//!
//! # Definitions
//!
//! A *node* is a place where a thread has to do with something that another thread has to do with as well, and one of them changes
//! it (MAT: a shared access with its `read_sync` and `write_sync` blocks). A *hazard* is something that is not modelled, with the
//! condition under which it is met.
//!
//! # Invariants
//!
//! - **(T1)** Places come in the order in which executions visit them, and the guards of those that wait exclude one
//!   another. Each has the state as the thread knows it there; where ways meet, states meet.
//! - **(T2)** What is not a node touches nothing that another thread writes, and writes nothing that another thread
//!   touches. So it may happen at any time between the nodes of its thread.
//! - **(T3)** A thread that gets past a node has the token there. Before a node, a thread that has no token may stay for ever.
//!
//! # Deviations
//!
//! 1. MAT knows beforehand which variables are shared. Here which bytes are depends on how far threads get, so they are
//!    unrolled again until nothing new is found (`shape`).
//!
//! # Tested by
//!
//! `crates/testkit/tests/token.rs`.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Id;
use raddle_encode::Hazard;
use raddle_encode::encoder::{Beginning, Encoder};
use raddle_encode::hazard::Met;
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_ir::{Action, EdgeId, FunctionId, LocationId, SyncOperation as Op};
use raddle_logic::TermId;

use crate::deeds::{Deed, Lock, Locking, Stepped, Way};
use crate::shape::Shape;
use crate::unrolled::{
    Arrival, Doors, Effect, FoundFault, Mark, Node, NodeIndex, Passage, Receipt, Unrolled,
};

/// Loops whose ends are not open are followed so many rounds for each round that others are.
const ROUNDS_WITHOUT_DECISION: u32 = 64;

/// And so many in any case.
const ROUNDS_IN_ANY_CASE: u32 = 64;

/// Where a thread begins.
pub(crate) struct Start {
    pub(crate) thread: ThreadIndex,
    local: Local,
    shared: Shared,
    clock: TermId,
    holds: TermId,
    /// No other thread is there yet.
    is_alone: bool,
    /// The node that starts it.
    pub(crate) by: Option<NodeIndex>,
}

/// A place that waits to be visited.
#[derive(Clone)]
struct Pending {
    /// Its guard is the condition under which the thread comes here.
    local: Local,
    shared: Shared,
    holds: TermId,
    clock: TermId,
    receipts: TermId,
    is_alone: bool,
    /// How many more rounds are followed.
    fuel: u32,
    /// Loops in which it was open whether to leave them, since their heads were visited.
    open_loops: BTreeSet<(usize, LocationId)>,
    held: BTreeSet<Lock>,
    /// The nodes that may have been the last.
    last: BTreeSet<Option<NodeIndex>>,
}

/// What all ways that leave a place have in common.
struct Onward {
    /// Under which condition the thread takes its step.
    guard: TermId,
    /// Whether it has the token then.
    holds: TermId,
    last: BTreeSet<Option<NodeIndex>>,
    open_loops: BTreeSet<(usize, LocationId)>,
    /// The place, if it is a node.
    by: Option<NodeIndex>,
}

/// Unrolls all threads of a program.
pub(crate) struct Threads<'a, 'p> {
    pub(crate) encoder: &'a mut Encoder<'p>,
    pub(crate) shape: &'a Shape,
    /// How many rounds of loops are followed.
    pub(crate) depth: u32,
    /// Whether threads may claim what they are about to touch.
    pub(crate) looks_for_races: bool,
    /// `None`: it may come and go everywhere.
    doors: Option<&'a Doors>,
    pub(crate) unrolled: Unrolled,
    pending_starts: BTreeMap<ThreadIndex, Start>,
}

/// Bits of how often a thread receives the token.
pub(crate) const RECEIPT_BITS: u32 = 16;

impl<'a, 'p> Threads<'a, 'p> {
    pub(crate) fn new(
        encoder: &'a mut Encoder<'p>,
        shape: &'a Shape,
        (depth, looks_for_races): (u32, bool),
        doors: Option<&'a Doors>,
    ) -> Self {
        encoder.records.clear();
        encoder.wanted.accesses = true;
        Self {
            encoder,
            shape,
            depth,
            looks_for_races,
            doors,
            unrolled: Unrolled::default(),
            pending_starts: BTreeMap::new(),
        }
    }

    /// Unrolls the roots and all that they start.
    pub(crate) fn run(mut self, beginning: &Beginning) -> Unrolled {
        let roots = beginning.whereabouts.len();
        let clock = self.encoder.terms.constant(0, self.shape.clock_bits.max(1));
        for (thread, places) in beginning.whereabouts.iter() {
            let holds = if roots == 1 {
                self.encoder.terms.truth(true)
            } else {
                self.encoder.terms.fresh_variable("first", 1)
            };
            self.unrolled.first_holders.push(holds);
            if let Some(local) = places.values().next() {
                let start = Start {
                    thread,
                    local: local.clone(),
                    shared: beginning.shared.clone(),
                    clock,
                    holds,
                    is_alone: roots == 1,
                    by: None,
                };
                self.pending_starts.insert(thread, start);
            }
        }
        while let Some((_, start)) = self.pending_starts.pop_first() {
            self.unrolled.starts.insert(start.thread, start.by);
            self.unroll(start);
        }
        self.unrolled
    }

    fn unroll(&mut self, start: Start) {
        let thread = start.thread;
        let function = self.encoder.instances[thread].function;
        let place = self.encoder.places.start(function);
        let receipts = self.encoder.terms.constant(0, RECEIPT_BITS);
        let first = Pending {
            local: start.local,
            shared: start.shared,
            holds: start.holds,
            clock: start.clock,
            receipts,
            is_alone: start.is_alone,
            fuel: self.depth,
            open_loops: BTreeSet::new(),
            held: BTreeSet::new(),
            last: BTreeSet::from([None]),
        };
        let mut pending = BTreeMap::from([(place, first)]);
        while let Some((place, at)) = pending.pop_first() {
            if self.encoder.poll_budget() {
                return;
            }
            let Some(at) = self.go_on(thread, &place, at) else {
                continue;
            };
            for (next, at) in self.visit(thread, &place, at) {
                self.arrive(&mut pending, next, at);
            }
        }
    }

    fn arrive(
        &mut self,
        pending: &mut BTreeMap<UnrolledPoint, Pending>,
        place: UnrolledPoint,
        at: Pending,
    ) {
        if self.encoder.terms.is_false(at.local.guard) {
            return;
        }
        let Some(known) = pending.get_mut(&place) else {
            pending.insert(place, at);
            return;
        };
        let terms = &mut self.encoder.terms;
        let guard = at.local.guard;
        known.shared.merge(terms, guard, &at.shared);
        known.holds = terms.if_then_else(guard, at.holds, known.holds);
        known.clock = terms.if_then_else(guard, at.clock, known.clock);
        known.receipts = terms.if_then_else(guard, at.receipts, known.receipts);
        known.local.join(terms, &at.local);
        known.is_alone &= at.is_alone;
        known.fuel = known.fuel.max(at.fuel);
        known.open_loops.extend(at.open_loops);
        known.held.retain(|it| at.held.contains(it));
        known.last.extend(at.last);
    }

    /// Whether loops are followed from here, with what is left for the way on.
    fn go_on(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        mut at: Pending,
    ) -> Option<Pending> {
        if let Some(doors) = self.doors {
            let is_cut = doors.cuts.contains(&(thread, place.clone()));
            if is_cut {
                self.cut(&at);
            }
            return (!is_cut).then_some(at);
        }
        let top = place.top();
        let is_head = self.encoder.places.is_head(place);
        let is_again = is_head && !place.is_first_round();
        let is_open = at.open_loops.remove(&(place.depth(), top.location));
        let mut is_cut = false;
        if is_again && (is_open || self.encoder.places.is_endless(place)) {
            is_cut = at.fuel == 0;
            at.fuel = at.fuel.saturating_sub(1);
        }
        let most = self.depth * ROUNDS_WITHOUT_DECISION + ROUNDS_IN_ANY_CASE;
        is_cut |= is_again && place.round() > most;
        let same = place.frames().filter(|it| it.0 == top.function).count();
        is_cut |= same > 2 + 2 * self.depth as usize;
        if is_cut {
            self.cut(&at);
            self.unrolled.cut_places.insert((thread, place.clone()));
            return None;
        }
        Some(at)
    }

    fn cut(&mut self, at: &Pending) {
        self.unrolled.cuts.push(at.local.guard);
        self.end_at(&at.last);
    }

    /// The thread may go no further than these nodes.
    fn end_at(&mut self, last: &BTreeSet<Option<NodeIndex>>) {
        for node in last.iter().flatten() {
            self.unrolled.nodes[*node].is_last = true;
        }
    }

    /// All that a thread can do at a place.
    fn visit(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        mut at: Pending,
    ) -> Vec<(UnrolledPoint, Pending)> {
        let mut node = self
            .shape
            .is_node(thread, place)
            .then(|| self.receive(thread, place, &mut at));
        let guard = at.local.guard;
        let records = self.encoder.records.len();
        let before = self.shape.values(self.encoder, &at.shared);
        let mut stepped = self.step(thread, place, (&at.local, &at.shared));
        let completions: Vec<TermId> = stepped.ways.iter().map(|it| it.guard).collect();
        let completes = self.encoder.terms.any(&completions);
        self.account((thread, at.clock, guard), records, completes, &mut stepped);
        self.note(thread, place, &at, &mut stepped);
        let passes = self.encoder.terms.and(guard, completes);
        let mut onward = Onward {
            guard,
            holds: at.holds,
            last: at.last.clone(),
            open_loops: self.open_loops(place, &stepped.ways),
            by: None,
        };
        let is_last = stepped.ways.iter().any(|it| it.next.is_none());
        if let Some(node) = &mut node {
            node.records = records;
            node.is_last = is_last;
            self.pass(node, passes, &mut stepped);
            onward.holds = self.encoder.terms.not(node.passage.sent);
            onward.by = Some(NodeIndex::from_index(self.unrolled.nodes.len()));
            onward.last = BTreeSet::from([onward.by]);
        } else if is_last {
            self.end_at(&at.last);
        }
        let mut nexts = Vec::new();
        let mut after: Option<Shared> = None;
        for mut way in std::mem::take(&mut stepped.ways) {
            if node.is_some() {
                let shape = self.shape;
                shape.assume(self.encoder, &mut way.shared, &before, way.guard);
                match &mut after {
                    None => after = Some(way.shared.clone()),
                    Some(known) => {
                        known.merge(&mut self.encoder.terms, way.guard, &way.shared);
                    }
                }
            }
            nexts.extend(self.follow(way, &at, &onward));
        }
        if let Some(mut node) = node {
            if let Some(mut after) = after {
                // A thread that claims its accesses does not make them.
                let passage = &mut node.passage;
                after.merge(&mut self.encoder.terms, passage.claims, &passage.shared);
                passage.shared = after;
            }
            self.unrolled.nodes.push(node);
        }
        nexts
    }

    /// What is known of a node once its step was taken: whether the thread gets past, and what it does.
    fn pass(&mut self, node: &mut Node, passes: TermId, stepped: &mut Stepped) {
        let passage = &mut node.passage;
        let claimed = self.encoder.terms.and(passage.acts, passage.claims);
        passage.passes = self.encoder.terms.or(passes, claimed);
        let key = (node.thread, node.at.clone());
        let sends = self.doors.is_none_or(|it| it.sending.contains(&key));
        passage.sent = if sends {
            self.encoder.terms.fresh_variable("sent", 1)
        } else {
            self.encoder.terms.truth(false)
        };
        node.effect = Effect {
            touches: stepped.touches.clone(),
            deeds: stepped.deeds.clone(),
            locking: self.locking(&node.at, stepped),
            joins_perhaps: stepped.ways.len() > 1,
            accesses: std::mem::take(&mut stepped.accesses),
        };
    }

    /// Goes one way: threads begin, and this one comes to another place, unless it has ended.
    fn follow(
        &mut self,
        way: Way,
        at: &Pending,
        onward: &Onward,
    ) -> Option<(UnrolledPoint, Pending)> {
        for (started, local, shared) in way.begun {
            // Only where the whole step is taken.
            let local = Local {
                guard: way.guard,
                ..local
            };
            self.begin(started, onward.guard, (local, shared), at.clock, onward.by);
        }
        let (next, local) = way.next?;
        let mut held = at.held.clone();
        held.retain(|it| !way.released.contains(it));
        let acquired = way.acquired.iter().copied();
        held.extend(acquired.filter(|it| self.shape.stays_held(*it)));
        let mut open_loops = at.open_loops.clone();
        open_loops.extend(onward.open_loops.iter().copied());
        let local = Local {
            guard: self.encoder.terms.and(onward.guard, local.guard),
            ..local
        };
        let at = Pending {
            local,
            shared: way.shared,
            holds: onward.holds,
            clock: at.clock,
            receipts: at.receipts,
            is_alone: at.is_alone && !way.starts,
            fuel: at.fuel,
            open_loops,
            held,
            last: onward.last.clone(),
        };
        Some((next, at))
    }

    /// Whether a step is one operation on one plain mutex.
    fn locking(&self, place: &UnrolledPoint, stepped: &Stepped) -> Option<(Locking, Lock)> {
        let spot = place.top();
        let program = self.encoder.program;
        let [edge] = program.outgoing(spot.function, spot.location) else {
            return None;
        };
        let Action::Sync { operation, .. } = &program.edge(spot.function, *edge).action else {
            return None;
        };
        let locking = if *operation == Op::MutexAcquire {
            Locking::Acquires
        } else if *operation == Op::MutexRelease {
            Locking::Releases
        } else {
            return None;
        };
        let mut touches = stepped.touches.iter();
        let touch = touches.next()?;
        let lock = (touch.object, touch.offset);
        let is_plain = self.shape.is_plain_mutex(lock);
        (touches.next().is_none() && is_plain && stepped.deeds.is_empty())
            .then_some((locking, lock))
    }

    /// Comes to a node: with the token, or it comes there, or this is the end.
    fn receive(&mut self, thread: ThreadIndex, place: &UnrolledPoint, at: &mut Pending) -> Node {
        let arrives = at.local.guard;
        let terms = &mut self.encoder.terms;
        let (holds, clock, receipts) = (at.holds, at.clock, at.receipts);
        let key = (thread, place.clone());
        let receives = self.doors.is_none_or(|it| it.receiving.contains(&key));
        let received = if receives {
            terms.fresh_variable("received", 1)
        } else {
            terms.truth(false)
        };
        let received_at = terms.fresh_variable("clock", self.shape.clock_bits.max(1));
        let is_certain = terms.is_false(holds) && receives;
        let mut came = if receives {
            self.shape.fresh(terms)
        } else {
            self.shape.prepare(self.encoder, &mut at.shared);
            self.shape.values(self.encoder, &at.shared)
        };
        let terms = &mut self.encoder.terms;
        let has_token = terms.or(holds, received);
        let claims = if self.looks_for_races {
            terms.fresh_variable("claims", 1)
        } else {
            terms.truth(false)
        };
        at.clock = if is_certain {
            received_at
        } else {
            terms.if_then_else(received, received_at, clock)
        };
        let one = terms.resize(received, RECEIPT_BITS, false);
        at.receipts = terms.add(receipts, one);
        self.shape.receive(
            self.encoder,
            &mut at.shared,
            (received, is_certain),
            &mut came,
            (thread, &at.held),
        );
        let terms = &mut self.encoder.terms;
        let goes_on = terms.not(at.shared.has_ended);
        let acts = terms.all(&[arrives, has_token, goes_on]);
        let executes = terms.not(claims);
        at.local.guard = terms.and(acts, executes);
        let never = terms.truth(false);
        Node {
            thread,
            at: place.clone(),
            place: self.edge_of(place),
            index: self.nodes_of(thread),
            arrival: Arrival {
                guard: arrives,
                holds,
                clock,
                receipts,
            },
            receipt: Receipt {
                happens: received,
                clock: received_at,
                came,
            },
            passage: Passage {
                acts,
                claims,
                passes: never,
                sent: never,
                clock: at.clock,
                shared: at.shared.clone(),
            },
            effect: Effect::default(),
            held: at.held.clone(),
            before: at.last.clone(),
            is_last: false,
            records: 0,
        }
    }

    /// The edge by which a node is shown.
    fn edge_of(&self, place: &UnrolledPoint) -> (FunctionId, EdgeId) {
        let spot = place.top();
        let edges = self.encoder.program.outgoing(spot.function, spot.location);
        let first = edges.first();
        (
            spot.function,
            *first.expect("a node has an edge that touches something"),
        )
    }

    /// How many nodes a thread has so far.
    fn nodes_of(&self, thread: ThreadIndex) -> usize {
        let nodes = self.unrolled.nodes.values();
        nodes.filter(|it| it.thread == thread).count()
    }

    /// What was recorded and met is so only where the thread comes here.
    fn account(
        &mut self,
        (thread, clock, guard): (ThreadIndex, TermId, TermId),
        records: usize,
        completes: TermId,
        stepped: &mut Stepped,
    ) {
        let step = self.unrolled.steps;
        self.unrolled.steps += 1;
        for record in &mut self.encoder.records[records..] {
            record.condition = self.encoder.terms.and(guard, record.condition);
            self.unrolled.marks.push(Mark {
                clock,
                step,
                completes,
            });
        }
        for met in stepped.met.drain(..) {
            let condition = self.encoder.terms.and(guard, met.condition);
            if !self.encoder.terms.is_false(condition) {
                self.unrolled.found.push(FoundFault {
                    met: Met { condition, ..met },
                    thread,
                    clock,
                    step,
                });
            }
        }
    }

    /// Notes what a place touches, and whether it has to be a node.
    fn note(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        at: &Pending,
        stepped: &mut Stepped,
    ) {
        let starts = stepped.deeds.iter().any(|it| matches!(it, Deed::Start(_)));
        if at.is_alone && !starts {
            return;
        }
        if !stepped.deeds.is_empty() {
            self.unrolled.needing.insert((thread, place.clone()));
        }
        if !at.is_alone {
            for touch in &stepped.touches {
                self.unrolled
                    .touches
                    .insert((thread, place.clone(), *touch));
            }
        }
    }

    fn begin(
        &mut self,
        thread: ThreadIndex,
        guard: TermId,
        (local, shared): (Local, Shared),
        clock: TermId,
        by: Option<NodeIndex>,
    ) {
        let terms = &mut self.encoder.terms;
        let local = Local {
            guard: terms.and(guard, local.guard),
            ..local
        };
        if let Some(known) = self.pending_starts.get_mut(&thread) {
            known.shared.merge(terms, local.guard, &shared);
            known.local.join(terms, &local);
            return;
        }
        let start = Start {
            thread,
            local,
            shared,
            clock,
            holds: terms.truth(false),
            is_alone: false,
            by,
        };
        self.pending_starts.insert(thread, start);
    }

    /// The loops that some ways leave and others do not.
    fn open_loops(&self, place: &UnrolledPoint, ways: &[Way]) -> BTreeSet<(usize, LocationId)> {
        let mut open = BTreeSet::new();
        if ways.len() < 2 {
            return open;
        }
        let depth = place.depth();
        for &head in self.encoder.places.loops(place) {
            let leaves = |way: &Way| match &way.next {
                None => true,
                Some((next, _)) => {
                    next.depth() < depth
                        || next.depth() == depth && !self.encoder.places.loops(next).contains(&head)
                }
            };
            if ways.iter().any(leaves) && !ways.iter().all(leaves) {
                open.insert((depth, head));
            }
        }
        open
    }

    /// Something that this engine cannot follow.
    pub(crate) fn give_up(
        &self,
        condition: TermId,
        what: &str,
        place: (FunctionId, EdgeId),
    ) -> Met {
        let hazard = Hazard::Unsupported(what.to_owned());
        self.encoder.hazard_at(condition, hazard, place)
    }
}
