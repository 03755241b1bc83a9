//! Where synchronisation objects may lie in memory.

use raddle_ir::{Action, Deed};

use crate::conflicts::Access;
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset};

/// Where synchronisation objects are declared, allocated or made.
pub(super) fn sync_places(
    points_to: &PointsTo<'_>,
    accesses: &[Access],
) -> Vec<(ObjectId, Offset, u64)> {
    let program = points_to.program;
    let mut found: Vec<(ObjectId, Offset, u64)> = accesses
        .iter()
        .filter(|it| it.deed == Deed::Init)
        .map(|it| (it.object, it.offset, it.size))
        .collect();
    for (id, object) in points_to.objects.iter() {
        let ty = match object.kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                Some(&program.globals[global].ty)
            }
            ObjectKind::Allocated(_, instance, edge) => {
                let function = points_to.graph.instances[instance].function;
                let action = &program.edge(function, edge).action;
                if let Action::Allocate { ty, .. } = action {
                    ty.as_ref()
                } else {
                    None
                }
            }
        };
        let Some(ty) = ty else { continue };
        let cells = ty.sync_cells(&program.structs, program.model);
        if cells.len() > MAX_SYNCS {
            // Too many to tell apart: they may lie anywhere.
            found.push((id, Offset::ANY, 1));
        } else {
            found.extend(
                cells
                    .into_iter()
                    .map(|(offset, sync)| (id, Offset::exactly(offset), sync.size(program.model))),
            );
        }
    }
    found
}

/// More synchronisation objects in one object than this are not told apart.
const MAX_SYNCS: usize = 64;
