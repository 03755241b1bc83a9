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
//!   (post-commit). R1 and R2 are `gathers` and `commits` in [`Unrolling::block`]; R4, R5 and R6 are `passes`.
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
//!
//! # Deviations
//!
//! 1. DR Tables 1 and 3 make five copies of each location. The choice and the action are one formula here, so R' and L', which
//!    part them, are not needed (`docs/design/reduction.md`).
//! 2. DR cuts every cycle at a location of its feedback set. Here a round whose outcome is certain is passed in the same block (B2).
//!
//! # Tested by
//!
//! `crates/testkit/tests/blocks.rs` counts blocks of DR's examples; `bmc.rs` there compares verdicts with the enumeration of all
//! executions.

use std::collections::BTreeMap;

use raddle_encode::Record;
use raddle_encode::guard::is_same;
use raddle_encode::hazard::Hazard;
use raddle_encode::place::{MOST_ROUNDS, Place};
use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_ir::{Action, EdgeId, FunctionId, LocationId};
use raddle_logic::{TermId, Terms};
use raddle_reduce::dynamic::At;

use crate::unroll::Unrolling;

/// A loop that has started more threads than this goes on in another block.
const MOST_STARTED: u32 = 8;

/// The same for a loop that nothing leads out of: it comes to the limit of threads in any case, and what a few of them do
/// is to be seen before.
const MOST_STARTED_WITHOUT_END: u32 = 0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Start,
    BeforeCommit,
    AfterCommit,
}

/// A place in the middle of a block.
#[derive(Clone, Debug)]
struct Pending {
    local: Local,
    /// The block begins here.
    is_begun: bool,
    /// The guard that the block began with, if there was one.
    origin: Option<TermId>,
    /// The loops that were entered on the way, by depth of frame and head.
    entered: BTreeMap<(usize, LocationId), Entered>,
    /// How many threads were started on the way, at most.
    started: u32,
}

/// When a loop was entered.
#[derive(Clone, Copy, Debug)]
struct Entered {
    guard: TermId,
    started: u32,
}

impl Pending {
    /// Whether nothing was decided since a loop was entered, or the block began in it.
    fn is_undecided(&self, terms: &Terms, head: (usize, LocationId)) -> bool {
        let entered = self.entered.get(&head).map(|it| it.guard);
        let before = entered.or(self.origin);
        before.is_some_and(|it| is_same(terms, it, self.local.guard))
    }

    /// How many threads were started since a loop was entered, or the block began in it.
    fn started_in(&self, head: (usize, LocationId)) -> u32 {
        let before = self.entered.get(&head).map_or(0, |it| it.started);
        self.started.saturating_sub(before)
    }

    fn join(&mut self, terms: &mut Terms, other: &Pending) {
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
pub(crate) struct Outcome {
    pub(crate) shared: Shared,
    pub(crate) exits: Whereabouts,
    /// The thread, or the process, has come to its end.
    pub(crate) is_over: TermId,
}

impl Unrolling<'_> {
    /// Runs a thread from wherever it may be.
    pub(crate) fn block(&mut self, thread: usize, from: &Whereabouts, shared: &Shared) -> Outcome {
        let mut shared = shared.clone();
        let goes_on = self.encoder.terms.not(shared.has_ended);
        let mut pending: BTreeMap<(Place, u32, Phase), Pending> = BTreeMap::new();
        for (place, local) in from {
            let guard = self.encoder.terms.and(local.guard, goes_on);
            if !self.encoder.terms.is_false(guard) {
                let local = Local {
                    guard,
                    ..local.clone()
                };
                let never = self.encoder.terms.truth(false);
                let is_new = self.encoder.terms.not(local.is_open);
                for (phase, condition) in
                    [(Phase::Start, is_new), (Phase::BeforeCommit, local.is_open)]
                {
                    let guard = self.encoder.terms.and(guard, condition);
                    if !self.encoder.terms.is_false(guard) {
                        let at = Pending {
                            local: Local {
                                guard,
                                is_open: never,
                                ..local.clone()
                            },
                            is_begun: true,
                            origin: Some(guard),
                            entered: BTreeMap::new(),
                            started: 0,
                        };
                        pending.insert((place.clone(), 0, phase), at);
                    }
                }
            }
        }
        let mut exits = Whereabouts::new();
        let mut over = Vec::new();
        self.look_around(thread);
        while let Some(((place, depth, phase), mut at)) = pending.pop_first() {
            if self.encoder.poll_budget() {
                break;
            }
            let head = (place.depth(), place.top().location);
            if place.is_first_round() && self.encoder.places.is_head(&place) {
                let entered = Entered {
                    guard: at.local.guard,
                    started: at.started,
                };
                at.entered.insert(head, entered);
            }
            if depth == 0 && !at.is_begun {
                let passes = self.passes(thread, &shared, &place, phase, &at);
                let ends = self.encoder.terms.not(passes);
                let ends = self.encoder.terms.and(at.local.guard, ends);
                if !self.encoder.terms.is_false(ends) {
                    let local = Local {
                        guard: ends,
                        is_open: self.encoder.terms.truth(phase == Phase::BeforeCommit),
                        ..at.local.clone()
                    };
                    self.arrive(&mut exits, place.clone(), local);
                }
                at.local.guard = self.encoder.terms.and(at.local.guard, passes);
                if self.encoder.terms.is_false(at.local.guard) {
                    continue;
                }
            }
            self.encoder.notes.is_first = depth > 0 || phase == Phase::Start;
            self.encoder.notes.is_section = depth > 0;
            for (edge, guard, callee) in self.encoder.ways(thread, &place, &at.local) {
                if self.encoder.terms.is_false(guard) {
                    continue;
                }
                self.encoder.callee = callee;
                let local = Local {
                    guard,
                    ..at.local.clone()
                };
                let function = place.top().function;
                if depth == 0
                    && self.encoder.program.edge(function, edge).action == Action::AtomicEnd
                {
                    let what = "the end of an atomic section that never began".to_owned();
                    self.encoder
                        .meet(guard, Hazard::Unsupported(what), (function, edge));
                    continue;
                }
                let inner = self.encoder.depth_after(&place, edge, depth);
                let is_settled = phase == Phase::AfterCommit || depth > 0 || inner > 0;
                let gathers = if is_settled || self.may_end_locals(thread, &place, &local) {
                    self.encoder.terms.truth(false)
                } else {
                    self.moves_right(thread, &shared, &place, edge, &local)
                };
                let advanced = self.encoder.take(thread, &mut shared, &place, edge, local);
                if let Some(failing) = self.encoder.failing.take()
                    && depth == 0
                    && phase == Phase::AfterCommit
                    && !self.encoder.terms.is_false(failing)
                {
                    // Who stands before an assertion that fails lets others go on.
                    let local = Local {
                        guard: failing,
                        ..at.local.clone()
                    };
                    self.arrive(&mut exits, place.clone(), local);
                }
                let Some(advanced) = advanced else {
                    continue;
                };
                self.encoder.records.push(Record {
                    step: self.step,
                    thread,
                    place: (function, edge),
                    condition: advanced.guard,
                    choice: advanced.choice,
                    started: advanced.started,
                });
                if advanced.started.is_some() {
                    self.look_around(thread);
                }
                if inner == 0 || advanced.next.is_none() {
                    let local = advanced.next.as_ref().map(|it| &it.1);
                    self.look_inside(thread, &shared, local, advanced.guard);
                }
                let Some((next, local)) = advanced.next else {
                    over.push(advanced.guard);
                    continue;
                };
                let commits = self.encoder.terms.not(gathers);
                for (phase, condition) in [
                    (Phase::BeforeCommit, gathers),
                    (Phase::AfterCommit, commits),
                ] {
                    let guard = self.encoder.terms.and(local.guard, condition);
                    if self.encoder.terms.is_false(guard) {
                        continue;
                    }
                    let local = Local {
                        guard,
                        ..local.clone()
                    };
                    let next_at = Pending {
                        local,
                        is_begun: false,
                        origin: at.origin,
                        entered: at.entered.clone(),
                        started: at.started + u32::from(advanced.started.is_some()),
                    };
                    let key = (next.clone(), inner, phase);
                    if let Some(known) = pending.get_mut(&key) {
                        known.join(&mut self.encoder.terms, &next_at);
                    } else {
                        pending.insert(key, next_at);
                    }
                }
            }
        }
        let is_over = self.encoder.terms.any(&over);
        Outcome {
            shared,
            exits,
            is_over,
        }
    }

    fn arrive(&mut self, exits: &mut Whereabouts, place: Place, local: Local) {
        if let Some(known) = exits.get_mut(&place) {
            known.join(&mut self.encoder.terms, &local);
        } else {
            exits.insert(place, local);
        }
    }

    /// Under which condition nobody else need run here (B2, B3).
    fn passes(
        &mut self,
        thread: usize,
        shared: &Shared,
        place: &Place,
        phase: Phase,
        at: &Pending,
    ) -> TermId {
        if self.movers.statics.is_none() {
            return self.encoder.terms.truth(false);
        }
        if self.encoder.places.is_head(place) {
            let head = (place.depth(), place.top().location);
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
        if phase == Phase::BeforeCommit {
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
    fn may_end_locals(&self, thread: usize, place: &Place, local: &Local) -> bool {
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
    fn may_be_stuck(&self, place: &Place) -> bool {
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
