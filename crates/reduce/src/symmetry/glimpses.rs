//! Steps that look at names themselves: at the numbers of objects, which could be others.
//!
//! Names are in pointers. A step that reads memory in which a pointer lies as something else, writes a part of one, or puts
//! something into memory that looks like one, would do otherwise with other names.

use raddle_ir::interpret::{Effect, ObjectNumber, Outcome, State, Successor, pointers};
use raddle_ir::{Program, Scalar};
use raddle_stepper::renaming::names_in;

/// Some bytes of an object.
#[derive(Clone, Copy)]
struct Cells {
    object: ObjectNumber,
    offset: u64,
    ty: Scalar,
}

/// Whether a step does otherwise if objects have other names.
pub fn shows_names(program: &Program, before: &State, successor: &Successor) -> bool {
    let states = || {
        let after = match &successor.outcome {
            Outcome::Next(after) => Some(after),
            Outcome::Stopped(_) => None,
        };
        std::iter::once(before).chain(after)
    };
    let mut written: Vec<Cells> = Vec::new();
    successor.effects.iter().any(|effect| match effect {
        Effect::ObserveLayout => true,
        Effect::Read {
            object, offset, ty, ..
        } => {
            let cells = Cells {
                object: *object,
                offset: *offset,
                ty: *ty,
            };
            // What a section has written and will write over is in no state.
            let is_mixed = written.iter().any(|it| it.is_mixed_with(program, &cells));
            is_mixed || states().any(|state| cells.touch_names(program, state, false))
        }
        Effect::Write {
            object, offset, ty, ..
        } => {
            let cells = Cells {
                object: *object,
                offset: *offset,
                ty: *ty,
            };
            written.push(cells);
            let mut states = states();
            let is_torn = states
                .next()
                .is_some_and(|before| cells.touch_names(program, before, true));
            is_torn || states.any(|after| cells.touch_names(program, after, false))
        }
        Effect::Synchronize { .. }
        | Effect::Allocate { .. }
        | Effect::Measure { .. }
        | Effect::Free { .. }
        | Effect::Spawn { .. }
        | Effect::UnitBegin { .. }
        | Effect::UnitEnd { .. }
        | Effect::Emit { .. }
        | Effect::Set { .. }
        | Effect::End { .. } => false,
    })
}

impl Cells {
    fn end(&self, program: &Program) -> u64 {
        self.offset + self.ty.size(program.model)
    }

    /// Whether bytes of a pointer are among these, unless they are that pointer, or all of it is among them and does not
    /// count.
    fn touch_names(&self, program: &Program, state: &State, is_overwritten: bool) -> bool {
        let Some(object) = state.objects.unobserved().get(&self.object) else {
            return false;
        };
        let word = program.model.pointer_bytes();
        // What lies beside the cells counts as looked at, and so does whether what it names is there.
        let size = self.ty.size(program.model);
        pointers::from_cells(program, state, self.object, self.offset, size);
        let (start, end) = (self.offset, self.end(program));
        let from = start.saturating_sub(word - 1);
        let to = (end + word - 1).min(object.bytes.len() as u64);
        let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        if from > to {
            return false;
        }
        let bytes = object.bytes.get(index(from)..index(to));
        let mut names = names_in(program, &bytes).filter(|(_, it)| state.objects.contains_key(it));
        names.any(|(at, _)| {
            let at = from + at as u64;
            let is_itself = self.ty == Scalar::Pointer && at == start;
            let is_covered = is_overwritten && start <= at && at + word <= end;
            !is_itself && !is_covered
        })
    }

    /// Whether one of them is a pointer and the other is not the same one.
    fn is_mixed_with(&self, program: &Program, other: &Cells) -> bool {
        let overlap = self.object == other.object
            && self.offset < other.end(program)
            && other.offset < self.end(program);
        let is_pointer = self.ty == Scalar::Pointer || other.ty == Scalar::Pointer;
        let are_same = self.offset == other.offset && self.ty == other.ty;
        overlap && is_pointer && !are_same
    }
}
