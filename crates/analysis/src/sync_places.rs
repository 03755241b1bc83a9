//! Where synchronisation objects are declared, and the part of a program before anybody uses one.

use raddle_ir::{Action, EdgeId, Initial, LocationId, MutexKind, SyncInit, SyncType, Type};

use crate::call_graph::{InstanceId, ThreadId};
use crate::flow::{Facts, Problem, solve};
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset};

/// The locations that are passed before anybody works on a synchronisation object or starts a thread.
pub(crate) struct Prologue {
    facts: Facts<bool>,
}

impl Prologue {
    pub(crate) fn new(points_to: &PointsTo<'_>) -> Self {
        Self {
            facts: solve(points_to, &Untouched { points_to }),
        }
    }

    pub(crate) fn is_at(&self, instance: InstanceId, location: LocationId) -> bool {
        self.facts.at(instance, location).copied().unwrap_or(false)
    }
}

struct Untouched<'a, 'p> {
    points_to: &'a PointsTo<'p>,
}

impl Problem for Untouched<'_, '_> {
    type Fact = bool;

    fn beginning(&self, thread: ThreadId) -> Option<bool> {
        let is_alone = self.points_to.program.roots.len() == 1;
        Some(is_alone && raddle_base::Id::index(thread) == 0)
    }

    fn after(&self, instance: InstanceId, edge: EdgeId, before: &bool) -> bool {
        let function = self.points_to.graph.instances[instance].function;
        let action = &self.points_to.program.edge(function, edge).action;
        *before && !matches!(action, Action::Sync { .. } | Action::Spawn { .. })
    }

    fn merge(&self, _: InstanceId, known: &mut bool, more: &bool) -> bool {
        let before = *known;
        *known &= *more;
        *known != before
    }
}

/// Whether a global has a synchronisation object of a family at each of the offsets from the beginning.
pub(crate) fn is_declared(
    points_to: &PointsTo<'_>,
    object: ObjectId,
    offset: Offset,
    family: SyncType,
) -> bool {
    let program = points_to.program;
    let ObjectKind::Global(global) = points_to.objects[object].kind else {
        return false;
    };
    let global = &program.globals[global];
    let cell = match (offset.exact(), &global.ty) {
        (Some(at), ty) => sync_at(points_to, ty, at),
        (None, Type::Array(element, _)) => {
            let size = program.size_of(element).unwrap_or(0);
            if size == 0 || !offset.stride.is_multiple_of(size) {
                return false;
            }
            sync_at(points_to, element, offset.remainder % size)
        }
        (None, Type::Scalar(_) | Type::Sync(_) | Type::Struct(_)) => None,
    };
    let is_family = cell.is_some_and(|cell| cell.is_family_of(family));
    // A barrier for nobody must not be used.
    is_family
        && (family != SyncType::Barrier
            || offset.exact().is_some_and(|at| {
                global.initial.iter().any(|(place, initial)| {
                    *place == at
                        && matches!(initial, Initial::Sync(SyncInit::Barrier(
                            raddle_ir::Expression::Constant(needed, _))) if *needed > 0)
                })
            }))
}

/// The synchronisation object at an offset, without a list of all of them.
fn sync_at(points_to: &PointsTo<'_>, ty: &Type, offset: u64) -> Option<SyncType> {
    let program = points_to.program;
    match ty {
        Type::Sync(sync) => (offset == 0).then_some(*sync),
        Type::Scalar(_) => None,
        Type::Array(element, length) => {
            let size = program.size_of(element).filter(|it| *it > 0)?;
            (offset / size < *length)
                .then(|| sync_at(points_to, element, offset % size))
                .flatten()
        }
        Type::Struct(id) => {
            let structure = &program.structs[*id];
            if structure.is_union {
                return None;
            }
            structure.fields.iter().find_map(|field| {
                let inside = offset.checked_sub(field.offset)?;
                let size = program.size_of(&field.ty)?;
                (inside < size)
                    .then(|| sync_at(points_to, &field.ty, inside))
                    .flatten()
            })
        }
    }
}

/// Whether a declared mutex is never one that counts acquires of its owner.
pub(crate) fn is_never_recursive(
    points_to: &PointsTo<'_>,
    object: ObjectId,
    offset: Offset,
) -> bool {
    let ObjectKind::Global(global) = points_to.objects[object].kind else {
        return false;
    };
    let global = &points_to.program.globals[global];
    let is_counting = |sync: SyncType| sync == SyncType::Mutex(MutexKind::Recursive);
    let is_declared = offset
        .exact()
        .and_then(|at| sync_at(points_to, &global.ty, at))
        .is_some_and(|it| !is_counting(it));
    let is_said = global.initial.iter().any(|(at, initial)| {
        Some(*at) == offset.exact()
            && matches!(initial, Initial::Sync(sync) if is_counting(sync.sync_type()))
    });
    let is_made = points_to.actions().any(|(instance, _, action)| {
        let Action::Init { object: made, sync } = action else {
            return false;
        };
        let values = points_to.values(instance, made);
        is_counting(sync.sync_type()) && values.addresses().any(|(it, _)| it == object)
    });
    is_declared && !is_said && !is_made
}
