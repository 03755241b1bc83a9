//! Which edges move where a thread and all others are now.

use std::rc::Rc;

use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_ir::{Action, EdgeId};
use raddle_logic::TermId;
use raddle_reduce::dynamic::Strength;

use crate::elsewhere::{Elsewhere, View, standing};
use crate::unroll::Unrolling;
use crate::world::Moment;

impl Unrolling<'_> {
    /// Notes where others are, those included that the block has begun, for conditions that ask.
    pub(crate) fn look_around(&mut self, thread: ThreadIndex, begun: &[(ThreadIndex, Local)]) {
        let Some(dynamics) = &self.movers.dynamics else {
            return;
        };
        let strength = dynamics.strength();
        let mut others = Vec::new();
        let begun = begun.iter().map(|(number, local)| {
            let place = self
                .encoder
                .places
                .start(self.encoder.instances[*number].function);
            (*number, place, local.clone())
        });
        let known = self.whereabouts.iter().flat_map(|(number, places)| {
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

    /// Under which condition an access moves both ways; of the start of a thread, the store of its name.
    pub(crate) fn moves_now(
        &mut self,
        thread: ThreadIndex,
        shared: &Shared,
        place: &UnrolledPoint,
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
        thread: ThreadIndex,
        shared: &Shared,
        place: &UnrolledPoint,
        edge: EdgeId,
        local: &Local,
    ) -> TermId {
        let function = place.top().function;
        let (always, _) = self.movers.always(function, edge);
        let action = &self.encoder.program.edge(function, edge).action;
        // Whatever it stores, what a thread starts comes after it.
        let starts = matches!(action, Action::Spawn { .. });
        if always || starts || !self.movers.reduction.has_right_movers() {
            return self.encoder.terms.truth(always);
        }
        self.moves_now(thread, shared, place, edge, local)
    }

    pub(crate) fn moves_left(
        &mut self,
        thread: ThreadIndex,
        shared: &Shared,
        place: &UnrolledPoint,
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
