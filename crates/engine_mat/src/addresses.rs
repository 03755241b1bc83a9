//! What an edge would touch if others had made it possible: found out before it is known what other threads do.
//!
//! A thread that waits, or uses what is not there yet, does so as far as it knows alone. What it waits for has to be handed
//! over all the same.

use raddle_encode::Taking;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::place::UnrolledPoint;
use raddle_encode::pointees::{Reach, pointees};
use raddle_encode::state::{Local, Shared};
use raddle_encode::touch::{Atomicity, Mode, Touch};
use raddle_ir::{Deed, EdgeId};
use raddle_logic::TermId;

use crate::step::Inner;
use crate::threads::Threads;

/// More bytes than an object has.
const ALL: u64 = u64::MAX / 4;

impl Threads<'_, '_> {
    /// Places behind the pointers of an edge where synchronisation objects are, or which may not be there yet.
    pub(crate) fn addressed(
        &mut self,
        thread: ThreadIndex,
        (place, edge): (&UnrolledPoint, EdgeId),
        guard: TermId,
        at: &Inner,
    ) -> Vec<Touch> {
        let program = self.encoder.program;
        let action = &program.edge(place.top().function, edge).action;
        let model = program.model;
        let mut found = Vec::new();
        for operand in action.operands(model) {
            let address = operand.address;
            // How large a synchronisation object is, it says itself once it is there.
            let size = match operand.deed {
                Deed::Synchronize => 1,
                Deed::Data | Deed::Init | Deed::Whole => operand.extent.unwrap_or(ALL),
            };
            let mut copy: Shared = at.shared.clone();
            let local = Local {
                guard,
                ..at.local.clone()
            };
            // What goes wrong here is met when the edge is taken.
            let mut taking = Taking::aside(thread, &mut copy, (place, edge), local);
            let pointer = self.encoder.evaluate(&mut taking, |it| it.bits(address));
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
                let is_sync = operand.deed == Deed::Synchronize;
                if number != ObjectName::NONE && (is_sync || !is_there) {
                    found.push(Touch {
                        object: number,
                        offset,
                        size,
                        mode: Mode::Write,
                        atomicity: Atomicity::Atomic,
                    });
                }
            }
        }
        found
    }
}
