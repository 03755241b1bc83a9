//! All that one thread can do in one step of the unrolling: a block of edges between two places where others may run.
//!
//! # Source
//!
//! DR §5, the block encoding; DR Table 3 (R1 to R6) for the phases inside of a block.
//!
//! # Definitions
//!
//! - A *block* leads from external places to external places, or to *open* ones, over places that are neither.
//! - DR's copies of a location: N is a place at which blocks end; R and L are [`Phase::BeforeCommit`] (pre-commit) and [`Phase::AfterCommit`]
//!   (post-commit). R1 and R2 are `gathers` and `commits` in [`Unrolling::go`] and [`Unrolling::spread`]; R4, R5 and R6 are `passes`.
//! - An open place is one of DR's exposed states `C'_i`, which cut the loops of the pre-phase: the thread is before its commit, and the
//!   schedule lets nobody else run.
//!
//! # Invariants
//!
//! - **(B1)** The guards of the places that wait to be expanded exclude one another, and places come in the order in
//!   which executions visit them; so one copy of what is shared serves all of them.
//! - **(B2)** A block ends where the thread may wait, and before every round of a loop, unless nothing was decided since the
//!   block began, and few threads were started; so blocks are finite, and executions with few threads are short.
//! - **(B3)** Before the commit every edge but the last is a right mover; after it, edges are passed only if all that leave
//!   a place are left movers and one of them can be taken.
//! - **(B4)** After the commit, a block may end before an edge that fails, so that others go on there: before an assertion always, before
//!   a violation that ends the execution if verdicts are to hold up to there.
//!
//! # Deviations
//!
//! 1. DR Tables 1 and 3 make five copies of each location. The choice and the action are one formula here, so R' and L', which
//!    part them, are not needed (`docs/design/reduction.md`).
//! 2. DR cuts every cycle at a location of its feedback set. Here a round whose outcome is certain is passed in the same block (B2).
//!
//! # Tested by
//!
//! `crates/engine_bmc/tests/blocks.rs` counts blocks of DR's examples; `bmc.rs` there compares verdicts with the enumeration of all
//! executions.

use std::collections::BTreeMap;

use raddle_encode::hazard::{Hazard, Met};
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::{MOST_ROUNDS, UnrolledPoint};
use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_encode::taking::{Request, Taken, Way, Ways};
use raddle_ir::{Action, EdgeId, FunctionId};
use raddle_logic::TermId;
use raddle_reduce::dynamic::At;

use crate::pending::{Outcome, Pending, Phase, Point};
use crate::unroll::Unrolling;

/// A loop that has started more threads than this goes on in another block.
const MOST_STARTED: u32 = 8;

/// The same for a loop that nothing leads out of: it comes to the limit of threads in any case, and what a few of them do
/// is to be seen before.
const MOST_STARTED_WITHOUT_END: u32 = 0;

/// A block while it is built.
struct Block {
    thread: ThreadIndex,
    /// What is shared where the block has come to.
    shared: Shared,
    pending: BTreeMap<Point, Pending>,
    exits: Whereabouts,
    /// Under which conditions the thread, or the process, has come to its end.
    over: Vec<TermId>,
    begun: Vec<(ThreadIndex, Local)>,
    met: Vec<Met>,
}

impl Unrolling<'_> {
    /// Runs a thread from wherever it may be.
    pub(crate) fn block(
        &mut self,
        thread: ThreadIndex,
        from: &Whereabouts,
        shared: &Shared,
    ) -> Outcome {
        let mut block = Block {
            thread,
            shared: shared.clone(),
            pending: self.beginnings(from, shared),
            exits: Whereabouts::new(),
            over: Vec::new(),
            begun: Vec::new(),
            met: Vec::new(),
        };
        self.look_around(thread, &block.begun);
        while let Some((point, mut at)) = block.pending.pop_first() {
            if self.encoder.poll_budget() {
                break;
            }
            if point.place.is_first_round() && self.encoder.places.is_head(&point.place) {
                at.enter(point.head());
            }
            if self.stay(&mut block, &point, &mut at) {
                self.leave(&mut block, &point, &at);
            }
        }
        Outcome {
            is_over: self.encoder.terms.any(&block.over),
            shared: block.shared,
            exits: block.exits,
            begun: block.begun,
            met: block.met,
        }
    }

    /// The places where the block begins: those of open transactions are before their commit.
    fn beginnings(&mut self, from: &Whereabouts, shared: &Shared) -> BTreeMap<Point, Pending> {
        let goes_on = self.encoder.terms.not(shared.has_ended);
        let mut pending = BTreeMap::new();
        for (place, local) in from {
            let guard = self.encoder.terms.and(local.guard, goes_on);
            if self.encoder.terms.is_false(guard) {
                continue;
            }
            let never = self.encoder.terms.truth(false);
            let is_new = self.encoder.terms.not(local.is_open);
            for (phase, condition) in [(Phase::Start, is_new), (Phase::BeforeCommit, local.is_open)]
            {
                let guard = self.encoder.terms.and(guard, condition);
                if !self.encoder.terms.is_false(guard) {
                    let local = Local {
                        guard,
                        is_open: never,
                        ..local.clone()
                    };
                    let place = place.clone();
                    let point = Point {
                        place,
                        depth: 0,
                        phase,
                    };
                    pending.insert(point, Pending::first(local));
                }
            }
        }
        pending
    }

    /// The block ends here where others need to run; whether it goes on elsewhere.
    fn stay(&mut self, block: &mut Block, point: &Point, at: &mut Pending) -> bool {
        if point.depth > 0 || at.is_begun {
            return true;
        }
        let passes = self.passes(block.thread, &block.shared, point, at);
        let ends = self.encoder.terms.not(passes);
        let ends = self.encoder.terms.and(at.local.guard, ends);
        if !self.encoder.terms.is_false(ends) {
            let local = Local {
                guard: ends,
                is_open: (self.encoder.terms).truth(point.phase == Phase::BeforeCommit),
                ..at.local.clone()
            };
            self.arrive(&mut block.exits, point.place.clone(), local);
        }
        at.local.guard = self.encoder.terms.and(at.local.guard, passes);
        !self.encoder.terms.is_false(at.local.guard)
    }

    /// Goes all ways that leave a place.
    fn leave(&mut self, block: &mut Block, point: &Point, at: &Pending) {
        let Ways { ways, chosen } =
            self.encoder
                .ways(block.thread, &point.place, &at.local, point.standing());
        self.looks.note_choices(chosen);
        for way in ways {
            if self.encoder.terms.is_false(way.guard) {
                continue;
            }
            let edge = (point.place.top().function, way.edge);
            let action = &self.encoder.program.edge(edge.0, edge.1).action;
            if point.depth == 0 && *action == Action::AtomicEnd {
                let what = "the end of an atomic section that never began".to_owned();
                let hazard = Hazard::Unsupported(what);
                block
                    .met
                    .push(self.encoder.hazard_at(way.guard, hazard, edge));
                continue;
            }
            self.go(block, point, at, way);
        }
    }

    /// Goes one way.
    fn go(&mut self, block: &mut Block, point: &Point, at: &Pending, way: Way) {
        let thread = block.thread;
        let depth = (self.encoder).depth_after(&point.place, way.edge, point.depth);
        let gathers = self.gathers(block, point, depth, (way.edge, &way.of(&at.local)));
        let request = Request {
            step: self.step,
            thread,
            place: &point.place,
            way,
            local: &at.local,
            standing: point.standing(),
        };
        let Taken {
            advanced,
            failing,
            begun,
            met,
            accesses,
            choices,
        } = self.encoder.take(request, &mut block.shared);
        let known = block.met.len();
        block.met.extend(met);
        block.begun.extend(begun);
        self.looks.note_accesses(accesses);
        self.looks.note_choices(choices);
        if point.depth == 0 && point.phase == Phase::AfterCommit {
            let failing = self.failing(failing, &block.met[known..]);
            if !self.encoder.terms.is_false(failing) {
                // A thread that stands before a step that fails lets others go on.
                let local = Local {
                    guard: failing,
                    ..at.local.clone()
                };
                self.arrive(&mut block.exits, point.place.clone(), local);
            }
        }
        let Some(advanced) = advanced else {
            return;
        };
        let starts = advanced.started.is_some();
        if starts {
            self.look_around(thread, &block.begun);
        }
        let local = advanced.next.as_ref().map(|it| &it.1);
        if depth == 0 || local.is_none() {
            if point.standing().is_first() {
                self.looks.note_first(advanced.guard);
            }
            let shown = self.look_inside(thread, &block.shared, local, advanced.guard);
            block.met.extend(shown);
        }
        match advanced.next {
            Some((place, local)) => {
                let next = at.after(local, starts);
                self.spread(block, (place, depth), gathers, &next);
            }
            None => block.over.push(advanced.guard),
        }
    }

    /// Under which condition an edge fails: its assertion, or with a violation that ends the execution, if what others do
    /// before it is wanted.
    fn failing(&mut self, assertion: Option<TermId>, met: &[Met]) -> TermId {
        let ends = |it: &&Met| matches!(it.hazard, Hazard::Violation(it) if it.ends_executions());
        let ending = met.iter().filter(ends).map(|it| it.condition);
        let all: Vec<TermId> = if self.ends_before_violations {
            assertion.into_iter().chain(ending).collect()
        } else {
            assertion.into_iter().collect()
        };
        self.encoder.terms.any(&all)
    }

    /// Under which condition an edge belongs to the phase before the commit.
    fn gathers(
        &mut self,
        block: &Block,
        point: &Point,
        depth_after: u32,
        (edge, local): (EdgeId, &Local),
    ) -> TermId {
        let is_in_section = point.depth > 0 || depth_after > 0;
        if point.phase == Phase::AfterCommit
            || is_in_section
            || self.may_end_locals(block.thread, &point.place, local)
        {
            return self.encoder.terms.truth(false);
        }
        self.moves_right(block.thread, &block.shared, &point.place, edge, local)
    }

    /// Comes to a place in the middle of the block, in the phase before the commit or after it.
    fn spread(
        &mut self,
        block: &mut Block,
        (place, depth): (UnrolledPoint, u32),
        gathers: TermId,
        next: &Pending,
    ) {
        let commits = self.encoder.terms.not(gathers);
        for (phase, condition) in [
            (Phase::BeforeCommit, gathers),
            (Phase::AfterCommit, commits),
        ] {
            let guard = self.encoder.terms.and(next.local.guard, condition);
            if self.encoder.terms.is_false(guard) {
                continue;
            }
            let mut at = next.clone();
            at.local.guard = guard;
            let place = place.clone();
            let point = Point {
                place,
                depth,
                phase,
            };
            if let Some(known) = block.pending.get_mut(&point) {
                known.join(&mut self.encoder.terms, &at);
            } else {
                block.pending.insert(point, at);
            }
        }
    }

    fn arrive(&mut self, exits: &mut Whereabouts, place: UnrolledPoint, local: Local) {
        if let Some(known) = exits.get_mut(&place) {
            known.join(&mut self.encoder.terms, &local);
        } else {
            exits.insert(place, local);
        }
    }

    /// Under which condition nobody else need run here (B2, B3).
    fn passes(
        &mut self,
        thread: ThreadIndex,
        shared: &Shared,
        point: &Point,
        at: &Pending,
    ) -> TermId {
        let place = &point.place;
        if self.movers.statics.is_none() {
            return self.encoder.terms.truth(false);
        }
        if self.encoder.places.is_head(place) {
            let head = point.head();
            let most_started = if self.encoder.places.is_endless(place) {
                MOST_STARTED_WITHOUT_END
            } else {
                MOST_STARTED
            };
            if !at.is_undecided(&self.encoder.terms, head)
                || at.started_in(head) > most_started
                || place.round() > MOST_ROUNDS
            {
                return self.encoder.terms.truth(false);
            }
        }
        if point.phase == Phase::BeforeCommit {
            return self.encoder.terms.truth(true);
        }
        if self.may_end_locals(thread, place, &at.local) || self.may_be_stuck(place) {
            return self.encoder.terms.truth(false);
        }
        let spot = place.top();
        let program = self.encoder.program;
        let mut all = self.encoder.terms.truth(true);
        for edge in program.outgoing(spot.function, spot.location) {
            let moves = self.moves_left(thread, shared, place, *edge, &at.local);
            all = self.encoder.terms.and(all, moves);
            if self.encoder.terms.is_false(all) {
                break;
            }
        }
        all
    }

    /// Whether objects that others may reach end with the next step. Others cannot use them after it as they could before,
    /// so it is no right mover, whatever else it does.
    fn may_end_locals(&self, thread: ThreadIndex, place: &UnrolledPoint, local: &Local) -> bool {
        let Some(statics) = &self.movers.statics else {
            return true;
        };
        let program = self.encoder.program;
        let is_last = |function: FunctionId, edge: EdgeId| {
            program.edge(function, edge).to == program.functions[function].exit
        };
        let standing: Vec<(FunctionId, At)> = place.frames().collect();
        for ((function, at), frame) in standing.into_iter().zip(&local.frames).rev() {
            let may_return = match at {
                At::Location(location) => {
                    let mut edges = program.outgoing(function, location).iter();
                    edges.any(|edge| is_last(function, *edge))
                }
                At::Call(edge) => is_last(function, edge),
            };
            if !may_return {
                return false;
            }
            if !frame.stack_objects.is_empty() && !statics.keeps_locals_of(function) {
                return true;
            }
        }
        !statics.keeps_thread_locals() && !self.encoder.instances[thread].local_objects.is_empty()
    }

    /// Whether guards may refuse all ways on.
    fn may_be_stuck(&self, place: &UnrolledPoint) -> bool {
        let spot = place.top();
        let edges = self.encoder.program.outgoing(spot.function, spot.location);
        let has_guards = edges.iter().any(|edge| {
            matches!(
                self.encoder.program.edge(spot.function, *edge).action,
                Action::Assume { .. }
            )
        });
        edges.is_empty() || has_guards && !self.encoder.is_either_or(spot.function, edges)
    }
}
