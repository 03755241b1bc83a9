//! Rules on types.

use raddle_base::{Arena, Id, SideTable};

use super::{MAX_DEPTH, Report};
use crate::program::ProgramDraft;
use crate::types::{Scalar, StructId, StructType, Type};

pub(super) fn check(draft: &ProgramDraft, report: &mut Report) {
    check_finite(&draft.structs, report);
    for ty in draft.structs.values() {
        check_layout(draft, ty, report);
    }
    for global in draft.globals.values() {
        if let Err((rule, message)) = check_type(draft, &global.ty) {
            let message = format!("the type of `{}` {message}", global.name);
            report.add(rule, global.span, message);
        }
    }
    for function in draft.functions.values() {
        let registers = function.registers.values().map(|it| (it.ty, it.span));
        let result = function.result.map(|ty| (ty, function.span));
        for (ty, span) in registers.chain(result) {
            if let Err((rule, message)) = check_scalar(ty) {
                report.add(
                    rule,
                    span,
                    format!("a type in `{}` {message}", function.name),
                );
            }
        }
    }
}

/// What is wrong with a type: the rule and the end of a sentence that begins with the type.
pub(super) type Fault = (&'static str, String);

pub(super) fn check_scalar(scalar: Scalar) -> Result<(), Fault> {
    match scalar {
        Scalar::Int(int) if !(1..=128).contains(&int.bits) => Err((
            "V7",
            format!("is an integer of {} bits; integers have 1 to 128", int.bits),
        )),
        Scalar::Int(_) | Scalar::Float(_) | Scalar::Pointer | Scalar::Thread => Ok(()),
    }
}

/// Whether a type is in order, given that structs are finite.
pub(super) fn check_type(draft: &ProgramDraft, ty: &Type) -> Result<(), Fault> {
    let mut inner = ty;
    let mut depth = 0;
    while let Type::Array(element, _) = inner {
        inner = element;
        depth += 1;
    }
    if depth > MAX_DEPTH {
        return Err((
            "V8",
            format!("nests more than {MAX_DEPTH} arrays; name a struct instead"),
        ));
    }
    match inner {
        Type::Scalar(scalar) => check_scalar(*scalar)?,
        Type::Struct(id) if !draft.structs.contains(*id) => {
            return Err(("V8", format!("names a struct {id:?} that does not exist")));
        }
        Type::Struct(_) | Type::Sync(_) | Type::Array(..) => {}
    }
    match draft.size_of(ty) {
        Some(_) => Ok(()),
        None => Err(("V10", "takes more than 2^63 bytes; make it smaller".into())),
    }
}

/// No struct contains itself, and none nests too deep. A depth-first walk with a stack of its own.
fn check_finite(structs: &Arena<StructId, StructType>, report: &mut Report) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done { depth: usize },
    }
    let mut marks = SideTable::filled(structs, Mark::New);
    for root in structs.ids() {
        let mut stack = vec![(root, 0_usize, 1_usize)];
        while let Some((id, next, depth)) = stack.pop() {
            if next == 0 {
                match marks[id] {
                    Mark::New => marks[id] = Mark::Open,
                    Mark::Open | Mark::Done { .. } => continue,
                }
            }
            let Some(field) = structs[id].fields.get(next) else {
                marks[id] = Mark::Done { depth };
                if depth > MAX_DEPTH {
                    let message = format!(
                        "the type `{}` nests more than {MAX_DEPTH} deep",
                        structs[id].name
                    );
                    report.add("V8", None, message);
                    return;
                }
                if let Some((_, _, outer)) = stack.last_mut() {
                    *outer = (*outer).max(depth + 1);
                }
                continue;
            };
            let mut depth = depth;
            let (inner, arrays) = element_of(&field.ty);
            depth = depth.max(arrays + 1);
            let Some(inner) = inner else {
                stack.push((id, next + 1, depth));
                continue;
            };
            if inner.index() >= structs.len() {
                // Reported by `check_layout`.
                stack.push((id, next + 1, depth));
                continue;
            }
            match marks[inner] {
                Mark::New => {
                    stack.push((id, next + 1, depth));
                    stack.push((inner, 0, 1));
                }
                Mark::Open => {
                    let message = format!(
                        "the type `{}` contains itself; use a pointer",
                        structs[inner].name
                    );
                    report.add("V8", None, message);
                    return;
                }
                Mark::Done { depth: below } => {
                    stack.push((id, next + 1, depth.max(below + 1)));
                }
            }
        }
    }
}

fn element_of(ty: &Type) -> (Option<StructId>, usize) {
    let (mut inner, mut arrays) = (ty, 0);
    while let Type::Array(element, _) = inner {
        inner = element;
        arrays += 1;
    }
    match inner {
        Type::Struct(id) => (Some(*id), arrays),
        Type::Scalar(_) | Type::Sync(_) | Type::Array(..) => (None, arrays),
    }
}

fn check_layout(draft: &ProgramDraft, ty: &StructType, report: &mut Report) {
    let name = &ty.name;
    if !ty.align.is_power_of_two() {
        let message = format!("the alignment {} of `{name}` is no power of two", ty.align);
        report.add("V9", None, message);
    }
    if i64::try_from(ty.size).is_err() {
        let message = format!("the type `{name}` takes more than 2^63 bytes; make it smaller");
        report.add("V10", None, message);
    }
    for field in &ty.fields {
        if let Err((rule, message)) = check_type(draft, &field.ty) {
            let message = format!("the type of `{name}.{}` {message}", field.name);
            report.add(rule, None, message);
            continue;
        }
        let size = draft.size_of(&field.ty).unwrap_or(u64::MAX);
        if field
            .offset
            .checked_add(size)
            .is_none_or(|end| end > ty.size)
        {
            let message = format!(
                "the field `{name}.{}` ends beyond the {} bytes of `{name}`",
                field.name, ty.size
            );
            report.add("V9", None, message);
        }
        if ty.is_union && field.offset != 0 {
            let message = format!(
                "the field `{name}.{}` of a union is not at its start",
                field.name
            );
            report.add("V9", None, message);
        }
    }
}
