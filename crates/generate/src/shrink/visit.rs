//! Visits what a program refers to, so that it can be changed.

use raddle_ir::{
    Action, Atom, Callee, EndKind, Expression, Initial, ProgramDraft, RegisterId, SyncInit, Type,
};

/// Every expression of a program that is no part of another.
pub(super) fn expressions(draft: &mut ProgramDraft, visit: &mut dyn FnMut(&mut Expression)) {
    for global in draft.globals.values_mut() {
        for (_, initial) in &mut global.initial {
            match initial {
                Initial::Address(address) => visit(address),
                Initial::Sync(sync) => in_sync(sync, visit),
                Initial::Scalar(..) | Initial::Any(_) => {}
            }
        }
    }
    for function in draft.functions.values_mut() {
        for edge in function.edges.values_mut() {
            in_action(&mut edge.action, visit);
        }
    }
    for root in &mut draft.roots {
        root.arguments.iter_mut().for_each(&mut *visit);
    }
    let invariants = draft.invariants.iter_mut().map(|it| &mut it.formula);
    let mut formulas: Vec<_> = invariants.collect();
    for exclusive in &mut draft.exclusives {
        visit(&mut exclusive.address);
        formulas.push(&mut exclusive.condition);
    }
    for formula in formulas {
        for atom in &mut formula.atoms {
            match atom {
                Atom::Cell { address, .. } => visit(address),
                Atom::Owner { lock } => visit(lock),
                Atom::At { .. } | Atom::Index(_) => {}
            }
        }
        visit(&mut formula.body);
    }
}

fn in_sync(sync: &mut SyncInit, visit: &mut dyn FnMut(&mut Expression)) {
    match sync {
        SyncInit::Semaphore(value) | SyncInit::Barrier(value) => visit(value),
        SyncInit::Mutex(_) | SyncInit::ReadWriteLock | SyncInit::Condition | SyncInit::Monitor => {}
    }
}

fn in_call(
    callee: &mut Callee,
    arguments: &mut [Expression],
    visit: &mut dyn FnMut(&mut Expression),
) {
    if let Callee::Indirect(address) = callee {
        visit(address);
    }
    arguments.iter_mut().for_each(visit);
}

/// Every expression of an action that is no part of another.
pub(super) fn in_action(action: &mut Action, visit: &mut dyn FnMut(&mut Expression)) {
    match action {
        Action::Assign { value, .. } => visit(value),
        Action::Assume { condition } | Action::Assert { condition, .. } => visit(condition),
        Action::Load { address, .. }
        | Action::Size { address, .. }
        | Action::Free { address, .. } => {
            visit(address);
        }
        Action::Store { address, value, .. } => {
            visit(address);
            visit(value);
        }
        Action::ReadModifyWrite {
            address, operand, ..
        } => {
            visit(address);
            visit(operand);
        }
        Action::CompareExchange {
            address,
            expected,
            desired,
            ..
        } => {
            visit(address);
            visit(expected);
            visit(desired);
        }
        Action::Allocate { size, .. } => visit(size),
        Action::Init { object, sync } => {
            visit(object);
            in_sync(sync, visit);
        }
        Action::Destroy { object, .. } => visit(object),
        Action::Sync { object, mutex, .. } => {
            visit(object);
            mutex.iter_mut().for_each(visit);
        }
        Action::Call {
            callee, arguments, ..
        } => in_call(callee, arguments, visit),
        Action::Spawn {
            callee,
            arguments,
            place,
            ..
        } => {
            in_call(callee, arguments, visit);
            if let Some(place) = place {
                visit(&mut place.address);
            }
        }
        Action::Return { value } | Action::ExitThread { value } => {
            value.iter_mut().for_each(visit);
        }
        Action::Join { thread, .. } | Action::Detach { thread } => visit(thread),
        Action::EndProcess {
            kind: EndKind::Exit(status),
        } => visit(status),
        Action::Emit { arguments, .. } => arguments.iter_mut().for_each(visit),
        Action::EndProcess {
            kind: EndKind::Abort,
        }
        | Action::Havoc { .. }
        | Action::Fence { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Unsupported { .. } => {}
    }
}

/// The expression and all its parts, the outer ones first.
pub(super) fn nodes(expression: &mut Expression, visit: &mut dyn FnMut(&mut Expression)) {
    visit(expression);
    match expression {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => nodes(operand, visit),
        Expression::Binary(_, left, right) => {
            nodes(left, visit);
            nodes(right, visit);
        }
        Expression::Select(condition, then, otherwise) => {
            nodes(condition, visit);
            nodes(then, visit);
            nodes(otherwise, visit);
        }
    }
}

/// The registers that an action writes.
pub(super) fn targets(action: &mut Action) -> Vec<&mut RegisterId> {
    match action {
        Action::Assign { target, .. }
        | Action::Havoc { target }
        | Action::Load { target, .. }
        | Action::Allocate { target, .. }
        | Action::Size { target, .. } => vec![target],
        Action::ReadModifyWrite { target, .. }
        | Action::Call { target, .. }
        | Action::Spawn { target, .. }
        | Action::Join { target, .. } => target.iter_mut().collect(),
        Action::CompareExchange {
            previous, success, ..
        } => previous.iter_mut().chain(success).collect(),
        Action::Sync { result, .. } => result.iter_mut().collect(),
        Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Store { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Return { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Fence { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => Vec::new(),
    }
}

/// Every type of a global, field or allocation.
pub(super) fn types(draft: &mut ProgramDraft) -> Vec<&mut Type> {
    let globals = draft.globals.values_mut().map(|it| &mut it.ty);
    let fields = draft
        .structs
        .values_mut()
        .flat_map(|it| it.fields.iter_mut().map(|field| &mut field.ty));
    let allocated = draft
        .functions
        .values_mut()
        .flat_map(|it| it.edges.values_mut())
        .filter_map(|edge| match &mut edge.action {
            Action::Allocate { ty, .. } => ty.as_mut(),
            _ => None,
        });
    globals.chain(fields).chain(allocated).collect()
}
