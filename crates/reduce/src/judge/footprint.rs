//! What a step touches that another thread may touch too.

use std::collections::BTreeSet;

use raddle_ir::interpret::{
    Effect, MemoryAccess, ObjectNumber, State, Storage, Successor, pointers,
};

use super::Judge;
use crate::guesses::Guess;
use crate::keys::ObjectKey;
use crate::movers::Row;
use crate::omission::Omission;

#[derive(Default)]
pub(super) struct Footprint {
    pub(super) cells: Vec<Cell>,
    /// Objects that have to live for the step to go well.
    pub(super) lives: BTreeSet<ObjectNumber>,
    /// Objects whose life it ends.
    pub(super) ended: BTreeSet<ObjectNumber>,
    /// Synchronisation objects that it works on, in the order of the operands.
    pub(super) syncs: Vec<Operand>,
}

#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) object: ObjectNumber,
    pub(super) offset: u64,
    /// No other thread can reach it.
    pub(super) is_private: bool,
}

pub(super) struct Cell {
    pub(super) object: ObjectNumber,
    pub(super) offset: u64,
    pub(super) size: u64,
    pub(super) is_write: bool,
}

impl Footprint {
    pub(super) fn read(&mut self, object: ObjectNumber, offset: u64, size: u64) {
        self.touch(object, offset, size, false);
    }

    fn touch(&mut self, object: ObjectNumber, offset: u64, size: u64, is_write: bool) {
        self.lives.insert(object);
        self.cells.push(Cell {
            object,
            offset,
            size,
            is_write,
        });
    }

    fn synchronize(&mut self, object: ObjectNumber, offset: u64) {
        self.syncs.push(Operand {
            object,
            offset,
            is_private: false,
        });
    }

    /// Of accesses that lead nowhere as yet.
    pub(super) fn of_accesses(accesses: &[MemoryAccess], state: &State) -> Self {
        let mut footprint = Self::default();
        for access in accesses {
            let object = state.objects.get(&access.object);
            if object.is_some_and(|it| it.syncs.contains_key(&access.offset)) {
                footprint.synchronize(access.object, access.offset);
            }
            footprint.touch(access.object, access.offset, access.size, access.is_write);
        }
        footprint
    }
}

impl Judge<'_> {
    pub(super) fn footprint(
        &self,
        successor: &Successor,
        rows: &[Row],
        after: &State,
    ) -> Footprint {
        let mut footprint = Footprint::default();
        let model = self.interpreter.program().model;
        // Inside a section it does not show which of them is which.
        let changes_life = rows.contains(&Row::LifeChange) || rows.contains(&Row::FreeNamed);
        for effect in &successor.effects {
            match effect {
                Effect::Read {
                    object, offset, ty, ..
                } => footprint.read(*object, *offset, ty.size(model)),
                Effect::Write {
                    object, offset, ty, ..
                } => footprint.touch(*object, *offset, ty.size(model), true),
                Effect::Synchronize {
                    object,
                    offset,
                    size,
                    ..
                } => {
                    footprint.synchronize(*object, *offset);
                    footprint.touch(*object, *offset, *size, changes_life);
                }
                Effect::Measure { object, .. } => footprint.read(*object, 0, 0),
                Effect::Free { object, .. } => {
                    footprint.ended.insert(*object);
                }
                Effect::Allocate { .. }
                | Effect::Spawn { .. }
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => {}
            }
        }
        footprint.ended.extend(self.locals_that_end(after));
        footprint
    }

    /// The objects on the stack of the thread, and its copies of thread-locals, that end with this step.
    fn locals_that_end(&self, after: &State) -> Vec<ObjectNumber> {
        if after.has_ended {
            return Vec::new();
        }
        let Some(thread) = self.before.state.threads.get(&self.thread) else {
            return Vec::new();
        };
        let is_live = |state: &State, object: &ObjectNumber| {
            state.objects.get(object).is_some_and(|it| it.is_live)
        };
        let frames = thread.frames.iter().flat_map(|it| &it.stack_objects);
        frames
            .chain(&thread.locals)
            .filter(|object| is_live(&self.before.state, object) && !is_live(after, object))
            .copied()
            .collect()
    }

    /// Leaves out what is private to the thread, or was made by the step itself.
    pub(super) fn keep_shared(&mut self, footprint: &mut Footprint) {
        let touched: BTreeSet<ObjectNumber> = footprint
            .cells
            .iter()
            .map(|cell| cell.object)
            .chain(footprint.lives.iter().copied())
            .chain(footprint.ended.iter().copied())
            .collect();
        let mut own = BTreeSet::new();
        for object in touched {
            if self.note_ownership(object) {
                own.insert(object);
            }
        }
        footprint.cells.retain(|cell| !own.contains(&cell.object));
        footprint.lives.retain(|object| !own.contains(object));
        footprint.ended.retain(|object| !own.contains(object));
        for operand in &mut footprint.syncs {
            operand.is_private = own.contains(&operand.object);
        }
    }

    /// Whether the object is the thread's own, or made by the step itself. Takes note of what the answer rests on, and that
    /// pointers are not hidden where the thread touches what is private to another.
    fn note_ownership(&mut self, object: ObjectNumber) -> bool {
        if !self.before.state.objects.contains_key(&object) {
            return true;
        }
        if self.omits(Omission::PublishedStaysSo) {
            return !self.leads_to(object);
        }
        match self.before.private.get(&object) {
            Some(owner) if *owner == self.thread => self.rely(Guess::Hidden),
            Some(_) => {
                self.refute(Guess::Hidden);
                false
            }
            None => false,
        }
    }

    /// Whether pointers lead from what others have now to the object.
    fn leads_to(&self, object: ObjectNumber) -> bool {
        let (program, state) = (self.interpreter.program(), &self.before.state);
        let globals = state
            .objects
            .iter()
            .filter(|(_, it)| it.storage == Storage::Global);
        let mut open: Vec<ObjectNumber> = globals.map(|(number, _)| *number).collect();
        for (number, thread) in &state.threads {
            if *number != self.thread {
                open.extend(&thread.locals);
                open.extend(pointers::from_thread(program, thread));
                open.extend(thread.frames.iter().flat_map(|it| &it.stack_objects));
            }
        }
        let mut reached = BTreeSet::new();
        while let Some(number) = open.pop() {
            if reached.insert(number)
                && let Some(content) = state.objects.get(&number)
            {
                open.extend(pointers::from_object(program, content));
            }
        }
        reached.contains(&object)
    }

    /// The key of a synchronisation object that others can reach.
    pub(super) fn sync_key(&self, operand: Option<&Operand>) -> Option<(ObjectKey, u64)> {
        let operand = operand.filter(|it| !it.is_private)?;
        let content = self.before.state.objects.get(&operand.object)?;
        Some((ObjectKey::of(content), operand.offset))
    }
}
