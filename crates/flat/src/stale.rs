//! Who still names an object: what a place makes again has the name of what it made before.

use std::sync::Arc;

use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_logic::TermId;

use crate::build::Builder;
use crate::pass::Pass;
use crate::shape::Shape;
use crate::slot::{Field, LinkField, Slot, ValuePart};

impl Builder<'_> {
    /// Under which condition something names an object that was made, before the step.
    pub(crate) fn stale(&mut self, pass: &Pass, object: ObjectName) -> TermId {
        let model = self.encoder.program.model;
        let mut found = Vec::new();
        for (slot, shape) in &self.shapes {
            if !shape.names(object, model) {
                continue;
            }
            let Some(coded) = pass.coded.get(slot) else {
                continue;
            };
            if self.encoder.terms.width(coded.current) != model.pointer_bits() {
                continue;
            }
            let (low, high) = (model.offset_bits(), model.object_bits());
            let number = self.encoder.terms.extract(coded.current, low, high);
            let is_this = (self.encoder.terms).equals_constant(number, object.in_terms());
            let mut conditions = vec![is_this];
            if let Some(condition) = holds_something(slot) {
                match condition {
                    Holds::Slot(slot) => conditions.extend(pass.current(&slot)),
                    Holds::Woken(thread) => {
                        let woken = pass.before.links[thread].woken;
                        let is_woken = self.encoder.terms.or(woken.is_signalled, woken.is_released);
                        conditions.push(is_woken);
                    }
                }
            }
            if let Slot::Cell(container, ..) | Slot::Sync(container, ..) = slot {
                if *container == object {
                    continue;
                }
                let container = &pass.before.memory.objects[container];
                conditions.push(container.is_live);
            }
            found.push(self.encoder.terms.all(&conditions));
        }
        self.encoder.terms.any(&found)
    }

    /// Whether a step puts the name of something that was made where nobody can tell it from a number.
    pub(crate) fn lost_names(&mut self, pass: &Pass, shared: &Shared) -> bool {
        let mut changed: Vec<(Slot, TermId)> = Vec::new();
        for (name, object) in &shared.memory.objects {
            let before = pass.before.memory.objects.get(name);
            if before.is_some_and(|it| Arc::ptr_eq(it, object)) {
                continue;
            }
            for (offset, cell) in &object.cells {
                let slot = Slot::Cell(*name, *offset, cell.size, ValuePart::Bits);
                changed.push((slot, cell.word.bits));
            }
        }
        for (thread, link) in shared.links.iter() {
            if let Some((_, word)) = link.result {
                let slot = Slot::Link(thread, LinkField::Result(ValuePart::Bits));
                changed.push((slot, word.bits));
            }
        }
        changed.into_iter().any(|(slot, term)| {
            // A cell that is no slot was taken apart, or comes with the next pass.
            let before = pass.current(&slot);
            before != Some(term) && self.loses_name(before.map(|_| &slot), term)
        })
    }

    /// The same of the registers of a thread.
    pub(crate) fn loses_names(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        local: &Local,
    ) -> bool {
        let place = self.encoder.places.folded(place);
        let registers = self.registers(thread, &place, local);
        registers
            .into_iter()
            .any(|(slot, term)| self.loses_name(Some(&slot), term))
    }

    fn loses_name(&mut self, slot: Option<&Slot>, term: TermId) -> bool {
        let width = self.encoder.terms.width(term);
        let is_kept = match slot.and_then(|it| self.shapes.get(it)) {
            Some(Shape::Values(_) | Shape::Addresses(_)) => true,
            Some(Shape::Number(_)) | None => false,
        };
        width >= self.encoder.program.model.pointer_bits()
            && !is_kept
            && self.encoder.names.kinds(&self.encoder.terms, term).is_name
    }
}

/// When a slot counts.
enum Holds {
    Slot(Slot),
    Woken(ThreadIndex),
}

/// What has to be so for what a slot holds to be read by anybody.
fn holds_something(slot: &Slot) -> Option<Holds> {
    match slot {
        Slot::Register(thread, calls, function, register, ValuePart::Bits) => {
            Some(Holds::Slot(Slot::Register(
                *thread,
                calls.clone(),
                *function,
                *register,
                ValuePart::IsSet,
            )))
        }
        Slot::Cell(object, offset, size, ValuePart::Bits) => Some(Holds::Slot(Slot::Cell(
            *object,
            *offset,
            *size,
            ValuePart::IsSet,
        ))),
        Slot::Link(thread, LinkField::Result(ValuePart::Bits)) => Some(Holds::Slot(Slot::Link(
            *thread,
            LinkField::Result(ValuePart::IsSet),
        ))),
        Slot::Link(thread, LinkField::Condition | LinkField::Mutex) => Some(Holds::Woken(*thread)),
        Slot::Sync(object, offset, Field::WaitsWith(thread)) => Some(Holds::Slot(Slot::Sync(
            *object,
            *offset,
            Field::Waits(*thread),
        ))),
        Slot::Ended
        | Slot::At(_)
        | Slot::Register(..)
        | Slot::Live(_)
        | Slot::Cell(..)
        | Slot::Sync(..)
        | Slot::Link(..)
        | Slot::Freed(_) => None,
    }
}
