//! Which edges move, always or where a thread and all others are now.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use raddle_encode::place::Place;
use raddle_encode::state::{Local, Shared};
use raddle_engine::Reduction;
use raddle_ir::interpret::{Interpreter, Recycling};
use raddle_ir::{Action, EdgeId, FunctionId, Program};
use raddle_logic::TermId;
use raddle_reduce::dynamic::{DynamicMovers, Strength};
use raddle_reduce::static_movers::StaticMovers;

use crate::unroll::Unrolling;
use crate::world::{Elsewhere, Moment, View, standing};

/// Which edges move, as far as a reduction says.
pub(crate) struct Movers<'p> {
    program: &'p Program,
    recycling: Arc<Recycling>,
    pub(crate) statics: Option<StaticMovers>,
    dynamics: Option<DynamicMovers<'p>>,
    reduction: Reduction,
    /// Edges that change what invariants look at: others see that at once.
    seen_at_once: BTreeSet<(FunctionId, EdgeId)>,
}

impl<'p> Movers<'p> {
    pub(crate) fn new(interpreter: &Interpreter<'p>, reduction: Reduction) -> Self {
        let program = interpreter.program();
        let strength = match reduction {
            Reduction::None | Reduction::Local | Reduction::Static => None,
            Reduction::Phase | Reduction::Optimistic => Some(Strength::Phase),
            Reduction::Dynamic => Some(Strength::Dynamic),
        };
        let dynamics = strength.map(|it| DynamicMovers::new(program, it));
        let statics = match &dynamics {
            Some(dynamics) => Some(dynamics.statics()),
            None if reduction == Reduction::None => None,
            None => Some(StaticMovers::new(program)),
        };
        Self {
            program,
            recycling: Arc::clone(interpreter.recycling()),
            statics,
            dynamics,
            reduction,
            seen_at_once: BTreeSet::new(),
        }
    }

    /// These edges move no more.
    pub(crate) fn never_move(&mut self, edges: BTreeSet<(FunctionId, EdgeId)>) {
        self.seen_at_once = edges;
    }

    /// Whether the edge is a right and a left mover in every state.
    fn always(&self, function: FunctionId, edge: EdgeId) -> (bool, bool) {
        let Some(statics) = &self.statics else {
            return (false, false);
        };
        if self.seen_at_once.contains(&(function, edge)) {
            return (false, false);
        }
        let moves = statics.moves(self.program, &self.recycling, (function, edge));
        let is_meant = self.reduction != Reduction::Local
            || is_local(&self.program.edge(function, edge).action);
        (
            moves.right && self.reduction.has_right_movers(),
            moves.left && is_meant,
        )
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
    /// Notes where others are, for conditions that ask.
    pub(crate) fn look_around(&mut self, thread: usize) {
        let Some(dynamics) = &self.movers.dynamics else {
            return;
        };
        let strength = dynamics.strength();
        let mut others = Vec::new();
        let begun = self.encoder.begun.iter().map(|(number, local)| {
            let place = self
                .encoder
                .places
                .start(self.encoder.instances[*number].function);
            (*number, place, local.clone())
        });
        let known = self
            .whereabouts
            .iter()
            .enumerate()
            .flat_map(|(number, places)| {
                places
                    .iter()
                    .map(move |(place, local)| (number, place.clone(), local.clone()))
            });
        for (number, place, mut local) in known.chain(begun) {
            if number == thread {
                continue;
            }
            let function = self.encoder.instances[number].function;
            if strength == Strength::Phase {
                // All that counts is whether it is anywhere.
                let last: Option<&mut Elsewhere> = others.last_mut();
                if let Some(last) = last.filter(|it| it.frames[0].0.thread == number) {
                    last.is_there = self.encoder.terms.or(last.is_there, local.guard);
                    continue;
                }
                local.frames.truncate(1);
            }
            others.push(standing(number, function, &place, &local));
        }
        self.elsewhere = others.into();
    }

    /// Under which condition an access moves both ways.
    pub(crate) fn moves_now(
        &mut self,
        thread: usize,
        shared: &Shared,
        place: &Place,
        edge: EdgeId,
        local: &Local,
    ) -> TermId {
        let function = place.top().function;
        if self.movers.seen_at_once.contains(&(function, edge)) {
            return self.encoder.terms.truth(false);
        }
        let Some(dynamics) = self.movers.dynamics.take() else {
            return self.encoder.terms.truth(false);
        };
        let frame = local.frames.last().expect("runs");
        let view = View {
            thread,
            function,
            registers: frame.registers.clone().into(),
        };
        let others = Rc::clone(&self.elsewhere);
        let mut moment = Moment {
            unrolling: self,
            shared,
            thread,
            guard: local.guard,
            others: &others,
        };
        let condition = dynamics.condition(&mut moment, &view, (function, edge));
        self.movers.dynamics = Some(dynamics);
        condition
    }

    pub(crate) fn moves_right(
        &mut self,
        thread: usize,
        shared: &Shared,
        place: &Place,
        edge: EdgeId,
        local: &Local,
    ) -> TermId {
        let (always, _) = self.movers.always(place.top().function, edge);
        if always || !self.movers.reduction.has_right_movers() {
            return self.encoder.terms.truth(always);
        }
        self.moves_now(thread, shared, place, edge, local)
    }

    pub(crate) fn moves_left(
        &mut self,
        thread: usize,
        shared: &Shared,
        place: &Place,
        edge: EdgeId,
        local: &Local,
    ) -> TermId {
        let (_, always) = self.movers.always(place.top().function, edge);
        if always {
            return self.encoder.terms.truth(true);
        }
        self.moves_now(thread, shared, place, edge, local)
    }
}
