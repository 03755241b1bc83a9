//! What people call abstract objects and their parts.

use raddle_base::Span;
use raddle_ir::{Action, Type};

use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset};

/// As in `list[..].next`.
pub fn of_part(points_to: &PointsTo<'_>, object: ObjectId, offset: Offset) -> String {
    let program = points_to.program;
    let (name, ty) = match points_to.objects[object].kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            let global = &program.globals[global];
            (global.name.clone(), Some(&global.ty))
        }
        ObjectKind::Allocated(_, instance, edge) => {
            let function = points_to.graph.instances[instance].function;
            let Action::Allocate { target, ty, .. } = &program.edge(function, edge).action else {
                unreachable!("only allocations make objects")
            };
            let name = &program.functions[function].registers[*target].name;
            let ty = ty.as_ref();
            let function = &program.functions[function].name;
            (format!("{function}.{name}"), ty)
        }
    };
    let Some(ty) = ty else {
        return name;
    };
    match (offset.exact(), ty) {
        (Some(offset), _) => {
            let path = ty.path_to(offset, &program.structs, program.model);
            format!("{name}{path}")
        }
        (None, Type::Array(element, _)) => {
            let is_element = program.size_of(element).is_some_and(|size| {
                size > 0 && offset.stride.is_multiple_of(size) && offset.remainder < size
            });
            if is_element {
                let path = element.path_to(offset.remainder, &program.structs, program.model);
                format!("{name}[..]{path}")
            } else {
                name
            }
        }
        (None, Type::Scalar(_) | Type::Sync(_) | Type::Struct(_)) => name,
    }
}

/// Where an object is declared or allocated.
pub fn place(points_to: &PointsTo<'_>, object: ObjectId) -> Option<Span> {
    let program = points_to.program;
    match points_to.objects[object].kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            program.globals[global].span
        }
        ObjectKind::Allocated(_, instance, edge) => {
            let function = points_to.graph.instances[instance].function;
            program.edge(function, edge).span
        }
    }
}

/// What is not understood about an action.
pub fn of_obstacle(action: &Action) -> String {
    if let Action::Unsupported { what } = action {
        what.clone()
    } else if action.called_address().is_some() {
        "a call through a pointer of unknown origin".into()
    } else {
        "an access through a pointer of unknown origin".into()
    }
}
