//! All that one thread can do in one step of the unrolling: a block of edges between two places where others may run
//! (DR §5).
//!
//! # Invariants
//!
//! - **(B1)** The guards of the places that wait to be expanded exclude one another, and places come in the order in
//!   which executions visit them; so one copy of what is shared serves all of them.
//! - **(B2)** A block ends where the thread may wait, and before every round of a loop, unless nothing was decided since the
//!   block began; so blocks are finite.
//! - **(B3)** Before the commit every edge but the last is a right mover; after it, edges are passed only if all that leave
//!   a place are left movers and one of them can be taken.

use std::collections::BTreeMap;

use raddle_engine::Reduction;
use raddle_ir::{Action, EdgeId, Expression, FunctionId, Program, UnaryOp};
use raddle_logic::TermId;
use raddle_reduce::static_movers::StaticMovers;

use crate::hazard::Hazard;
use crate::place::Place;
use crate::state::{Local, Shared, Whereabouts};
use crate::unroll::{Choice, Record, Unrolling};

/// A loop that decides nothing is passed so often in one block.
const MOST_ROUNDS: u32 = 2_000;

/// Recursion is followed so far.
pub(crate) const MOST_FRAMES: usize = 50;

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
    /// The guard that the block began with, if there was one.
    origin: Option<TermId>,
}

/// What a block led to.
pub(crate) struct Outcome {
    pub(crate) shared: Shared,
    pub(crate) exits: Whereabouts,
    /// The thread, or the process, has come to its end.
    pub(crate) is_over: TermId,
}

/// What an edge leads to.
pub(crate) struct Advanced {
    pub(crate) guard: TermId,
    /// `None` if the thread or the process has ended.
    pub(crate) next: Option<(Place, Local)>,
    pub(crate) choice: Choice,
    pub(crate) started: Option<usize>,
}

/// Which edges move, as far as a reduction says.
pub(crate) struct Movers<'p> {
    program: &'p Program,
    statics: Option<StaticMovers>,
    is_local: bool,
}

impl<'p> Movers<'p> {
    pub(crate) fn new(program: &'p Program, reduction: Reduction) -> Self {
        Self {
            program,
            statics: (reduction != Reduction::None).then(|| StaticMovers::new(program)),
            is_local: reduction == Reduction::Local,
        }
    }

    fn moves(&self, function: FunctionId, edge: EdgeId) -> (bool, bool) {
        let Some(statics) = &self.statics else {
            return (false, false);
        };
        let moves = statics.moves(self.program, function, edge);
        if self.is_local {
            // Left movers only, so that nothing is gathered before the commit.
            return (
                false,
                moves.left && is_local(&self.program.edge(function, edge).action),
            );
        }
        (moves.right, moves.left)
    }
}

/// Whether an action touches nothing but registers and memory.
fn is_local(action: &Action) -> bool {
    matches!(
        action,
        Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Emit { .. }
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
    )
}

impl Unrolling<'_> {
    /// Runs a thread from wherever it may be.
    pub(crate) fn block(&mut self, thread: usize, from: &Whereabouts, shared: &Shared) -> Outcome {
        let mut shared = shared.clone();
        let goes_on = self.terms.not(shared.has_ended);
        let mut pending: BTreeMap<(Place, u32, Phase), Pending> = BTreeMap::new();
        for (place, local) in from {
            let guard = self.terms.and(local.guard, goes_on);
            if !self.terms.is_false(guard) {
                let local = Local {
                    guard,
                    ..local.clone()
                };
                let origin = Some(guard);
                pending.insert((place.clone(), 0, Phase::Start), Pending { local, origin });
            }
        }
        let mut exits = Whereabouts::new();
        let mut over = Vec::new();
        while let Some(((place, depth, phase), at)) = pending.pop_first() {
            if self.is_stopped() {
                break;
            }
            if depth == 0 && phase != Phase::Start && self.ends(thread, &place, phase, &at) {
                self.arrive(&mut exits, place, at.local);
                continue;
            }
            for (edge, guard) in self.choices(&place, at.local.guard) {
                if self.terms.is_false(guard) {
                    continue;
                }
                let local = Local {
                    guard,
                    ..at.local.clone()
                };
                let function = place.top().function;
                if depth == 0 && self.program.edge(function, edge).action == Action::AtomicEnd {
                    let what = "the end of an atomic section that never began".to_owned();
                    self.meet(guard, Hazard::Unsupported(what), (function, edge));
                    continue;
                }
                let Some(advanced) = self.take(thread, &mut shared, &place, edge, local) else {
                    continue;
                };
                self.records.push(Record {
                    step: self.step,
                    thread,
                    place: (function, edge),
                    condition: advanced.guard,
                    choice: advanced.choice,
                    started: advanced.started,
                });
                let Some((next, local)) = advanced.next else {
                    over.push(advanced.guard);
                    continue;
                };
                let (inner, phase) = self.after(&place, edge, depth, phase);
                let origin = at.origin.filter(|it| *it == local.guard);
                let key = (next, inner, phase);
                if let Some(known) = pending.get_mut(&key) {
                    known.local.join(&mut self.terms, &local);
                    known.origin = None;
                } else {
                    pending.insert(key, Pending { local, origin });
                }
            }
        }
        let is_over = self.terms.any(&over);
        Outcome {
            shared,
            exits,
            is_over,
        }
    }

    fn arrive(&mut self, exits: &mut Whereabouts, place: Place, local: Local) {
        if let Some(known) = exits.get_mut(&place) {
            known.join(&mut self.terms, &local);
        } else {
            exits.insert(place, local);
        }
    }

    /// How deep in atomic sections an edge leads, and whether the transaction has committed then.
    fn after(&self, place: &Place, edge: EdgeId, depth: u32, phase: Phase) -> (u32, Phase) {
        let function = place.top().function;
        let action = &self.program.edge(function, edge).action;
        let inner = if *action == Action::AtomicBegin {
            depth + 1
        } else if *action == Action::AtomicEnd {
            depth - 1
        } else {
            depth
        };
        let is_section = depth > 0 || inner > 0;
        let (moves_right, _) = self.movers.moves(function, edge);
        let phase = match phase {
            Phase::Start | Phase::BeforeCommit if moves_right && !is_section => Phase::BeforeCommit,
            Phase::Start | Phase::BeforeCommit | Phase::AfterCommit => Phase::AfterCommit,
        };
        (inner, phase)
    }

    /// Whether others may run here (B2, B3).
    fn ends(&self, thread: usize, place: &Place, phase: Phase, at: &Pending) -> bool {
        if self.movers.statics.is_none() {
            return true;
        }
        if self.places.is_head(place) {
            let decided = at.origin != Some(at.local.guard);
            if decided || place.round() > MOST_ROUNDS {
                return true;
            }
        }
        if phase == Phase::BeforeCommit {
            return false;
        }
        let spot = place.top();
        let edges = self.program.outgoing(spot.function, spot.location);
        let all_move = edges
            .iter()
            .all(|edge| self.movers.moves(spot.function, *edge).1);
        let frame = at.local.frames.last().expect("runs");
        let is_outermost = place.depth() == 1;
        let ends_locals = !frame.stack_objects.is_empty()
            || is_outermost && !self.instances[thread].local_objects.is_empty();
        let is_kept = self
            .movers
            .statics
            .as_ref()
            .is_some_and(StaticMovers::are_locals_kept);
        let may_end_locals = ends_locals
            && !is_kept
            && edges.iter().any(|edge| {
                let edge = self.program.edge(spot.function, *edge);
                edge.to == self.program.functions[spot.function].exit
            });
        !all_move || may_end_locals || self.may_be_stuck(place)
    }

    /// Whether guards may refuse all ways on.
    fn may_be_stuck(&self, place: &Place) -> bool {
        let spot = place.top();
        let edges = self.program.outgoing(spot.function, spot.location);
        let has_guards = edges.iter().any(|edge| {
            matches!(
                self.program.edge(spot.function, *edge).action,
                Action::Assume { .. }
            )
        });
        edges.is_empty() || has_guards && !self.is_either_or(spot.function, edges)
    }

    /// Whether there are two edges, one with the negated guard of the other.
    fn is_either_or(&self, function: FunctionId, edges: &[EdgeId]) -> bool {
        let [one, other] = edges else {
            return false;
        };
        let guard = |edge: EdgeId| {
            let action = &self.program.edge(function, edge).action;
            let Action::Assume { condition } = action else {
                return None;
            };
            Some(condition)
        };
        match (guard(*one), guard(*other)) {
            (Some(one), Some(other)) => is_negation(one, other) || is_negation(other, one),
            _ => false,
        }
    }

    /// The edges that leave a place, each with the condition under which it is tried.
    fn choices(&mut self, place: &Place, guard: TermId) -> Vec<(EdgeId, TermId)> {
        let spot = place.top();
        let edges = self.program.outgoing(spot.function, spot.location);
        if edges.len() < 2 || self.is_either_or(spot.function, edges) {
            return edges.iter().map(|edge| (*edge, guard)).collect();
        }
        let width = usize::BITS - (edges.len() - 1).leading_zeros();
        let chosen = self.terms.fresh_variable("edge", width);
        let last = edges.len() - 1;
        let edges = edges.to_vec();
        let mut rest = guard;
        edges
            .into_iter()
            .enumerate()
            .map(|(at, edge)| {
                if at == last {
                    return (edge, rest);
                }
                let is_this = self.terms.equals_constant(chosen, at as u128);
                let taken = self.terms.and(rest, is_this);
                let is_other = self.terms.not(is_this);
                rest = self.terms.and(rest, is_other);
                (edge, taken)
            })
            .collect()
    }
}

/// Whether a place is too far to go on: recursion and loops in atomic sections need an end.
pub(crate) fn is_too_far(place: &Place) -> bool {
    place.depth() > MOST_FRAMES || place.round() > MOST_ROUNDS + 1
}

fn is_negation(one: &Expression, other: &Expression) -> bool {
    matches!(one, Expression::Unary(UnaryOp::Not, inner) if **inner == *other)
}
