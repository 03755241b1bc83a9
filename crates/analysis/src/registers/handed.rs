//! What cells hold when nobody keeps them: what is handed on from one thread to the next.

use raddle_ir::{Initial, Scalar};

use crate::numbers::NumberFacts;
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::Offset;

use super::cells::{Landings, first_range};
use super::differences::less;
use super::tracked::{Cell, Tracked};

/// After so many changes a range grows by leaps, and after so many more to the end of its type.
const PATIENCE: u32 = 3;
const MAX_LEAPS: u32 = 12;

/// By tracked cell: the first value, and every value that a thread leaves behind where it stops keeping the cell, lets go
/// of what guards it, starts a thread or ends.
pub(super) struct Handed(Vec<(NumberFacts, u32)>);

impl Handed {
    pub(super) fn new(points_to: &PointsTo<'_>, tracked: &Tracked) -> Self {
        let cells = tracked.cells.iter();
        let mut first: Vec<NumberFacts> = cells.map(|it| first_value(points_to, it)).collect();
        for (one, other, _) in tracked.pairs() {
            first.push(less(first[one], first[other]));
        }
        Self(first.into_iter().map(|it| (it, 0)).collect())
    }

    pub(super) fn get(&self, cell: usize) -> NumberFacts {
        self.0[cell].0
    }

    /// Takes note of a value that is left behind; whether it tells anything new.
    pub(super) fn add(
        &mut self,
        cell: usize,
        facts: NumberFacts,
        ty: Scalar,
        landings: &Landings,
    ) -> bool {
        let (known, changes) = &mut self.0[cell];
        let mut joined = known.join(facts);
        if joined == *known {
            return false;
        }
        *changes += 1;
        if *changes > MAX_LEAPS {
            joined = known.widen(joined, ty);
        } else if *changes > PATIENCE {
            joined = landings.leap(*known, joined, ty);
        }
        *known = joined;
        true
    }
}

/// What a cell holds before anybody has written it.
pub(super) fn first_value(points_to: &PointsTo<'_>, cell: &Cell) -> NumberFacts {
    let any = NumberFacts::any(cell.ty);
    match cell.ty {
        Scalar::Int(int) => {
            let offset = Offset::exactly(cell.offset);
            first_range(points_to, cell.object, offset, int).unwrap_or(any)
        }
        Scalar::Pointer => match points_to.objects[cell.object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                let model = points_to.program.model;
                let word = model.pointer_bytes();
                let initial = &points_to.program.globals[global].initial;
                let mut here = initial.iter().filter(|(at, it)| {
                    let size = match it {
                        Initial::Scalar(ty, _) | Initial::Any(ty) => ty.size(model),
                        Initial::Address(_) => word,
                        Initial::Sync(sync) => sync.sync_type().size(model),
                    };
                    *at < cell.offset + word && cell.offset < *at + size
                });
                match (here.next(), here.next()) {
                    (Some((at, Initial::Address(_))), None) if *at == cell.offset => NumberFacts {
                        is_not_null: true,
                        ..any
                    },
                    (_, _) => any,
                }
            }
            ObjectKind::Allocated(..) if points_to.is_zeroed(cell.object) => any,
            ObjectKind::Allocated(..) => NumberFacts::UNSET,
        },
        Scalar::Float(_) | Scalar::Thread => any,
    }
}
