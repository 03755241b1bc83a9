//! What an edge would touch if others had made it possible: found out before anybody knows what others do.
//!
//! A thread that waits, or uses what is not there yet, does so as far as it knows alone. What it waits for has to be handed
//! over all the same.

use raddle_encode::action::Taking;
use raddle_encode::encoder::Choice;
use raddle_encode::place::Place;
use raddle_encode::pointees::{Reach, pointees};
use raddle_encode::state::{Local, Shared};
use raddle_encode::touch::Touch;
use raddle_ir::{Action, DataModel, EdgeId, Expression};
use raddle_logic::TermId;

use crate::step::Inner;
use crate::threads::Threads;

/// More bytes than an object has.
const ALL: u64 = u64::MAX / 4;

impl Threads<'_, '_> {
    /// Places behind the pointers of an edge where synchronisation objects are, or which may not be there yet.
    pub(crate) fn addressed(
        &mut self,
        thread: usize,
        (place, edge): (&Place, EdgeId),
        guard: TermId,
        at: &Inner,
    ) -> Vec<Touch> {
        let program = self.encoder.program;
        let action = &program.edge(place.top().function, edge).action;
        let model = program.model;
        let mut found = Vec::new();
        for (address, size) in addresses(action, model) {
            let mut copy: Shared = at.shared.clone();
            let mut taking = Taking {
                thread,
                shared: &mut copy,
                place,
                edge,
                local: Local {
                    guard,
                    ..at.local.clone()
                },
                choice: Choice::Nothing,
                started: None,
            };
            // What goes wrong here is met when the edge is taken.
            let (met, observes_layout) = (self.encoder.met.len(), self.encoder.observes_layout);
            let pointer = self.encoder.evaluate(&mut taking, |it| it.bits(address));
            self.encoder.met.truncate(met);
            self.encoder.observes_layout = observes_layout;
            let targets = pointees(&self.encoder.terms, pointer, model).unwrap_or_default();
            for (number, reach) in targets {
                let object = at.shared.memory.objects.get(&number);
                let is_there = object.is_some_and(|it| self.encoder.terms.is_true(it.is_live));
                let (offset, size) = match reach {
                    Reach::At(offset) => {
                        let sync = object.and_then(|it| it.syncs.get(&offset));
                        (offset, sync.map_or(size, |it| it.size(model)))
                    }
                    Reach::Anywhere { .. } => (0, ALL),
                };
                let is_sync = matches!(action, Action::Sync { .. });
                if number != 0 && (is_sync || !is_there) {
                    found.push(Touch {
                        object: number,
                        offset,
                        size,
                        is_write: true,
                        is_atomic: true,
                    });
                }
            }
        }
        found
    }
}

/// The addresses that an action uses, with how many bytes it wants there.
fn addresses(action: &Action, model: DataModel) -> Vec<(&Expression, u64)> {
    match action {
        Action::Load { address, ty, .. }
        | Action::Store { address, ty, .. }
        | Action::ReadModifyWrite { address, ty, .. }
        | Action::CompareExchange { address, ty, .. } => vec![(address, ty.size(model))],
        Action::Size { address, .. } | Action::Free { address, .. } => vec![(address, ALL)],
        Action::Init { object, sync } => vec![(object, sync.sync_type().size(model))],
        Action::Destroy { object, sync } => vec![(object, sync.size(model))],
        Action::Sync { object, mutex, .. } => {
            let all = std::iter::once(object).chain(mutex);
            all.map(|it| (it, 1)).collect()
        }
        Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Allocate { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::Spawn { .. }
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => Vec::new(),
    }
}
