//! Rules on invariants, predicates of exclusive access and atomic sets.

use raddle_base::{Arena, Id, Span};

use super::expression::{Scope, constant_address, depth};
use super::types::{Fault, check_scalar};
use super::{MAX_DEPTH, Report};
use crate::expression::Expression;
use crate::formula::{Atom, Exclusive, Formula};
use crate::part::{Family, find_path};
use crate::print::scalar_name;
use crate::program::{ProgramDraft, RegisterId};
use crate::types::{Scalar, Type};

pub(super) fn check(draft: &ProgramDraft, report: &mut Report) {
    if !draft.invariants.is_empty() || !draft.exclusives.is_empty() {
        for global in draft.globals.values().filter(|it| it.is_opaque) {
            let message = format!("`{}` is opaque beside formulas", global.name);
            report.add("V42", global.span, message);
        }
    }
    for invariant in &draft.invariants {
        let formula = &invariant.formula;
        note(check_formula(draft, formula), invariant.span, report);
        note(check_subjectless(draft, formula), invariant.span, report);
        note(check_indexless(formula), invariant.span, report);
    }
    for exclusive in &draft.exclusives {
        note(check_cell(draft, exclusive), exclusive.span, report);
        note(
            check_formula(draft, &exclusive.condition),
            exclusive.span,
            report,
        );
        if exclusive.elements.is_none() {
            note(
                check_indexless(&exclusive.condition),
                exclusive.span,
                report,
            );
        }
    }
    for set in draft.atomic_sets.values() {
        for member in &set.members {
            let is_part = draft.globals.get(member.global).is_some_and(|global| {
                let fits = |ty: &Type| draft.size_of(ty) == Some(member.size);
                find_path(draft, &global.ty, member.offset, None, &fits).is_some()
            });
            if !is_part {
                let message = format!("a member of `{}` is no part of a global", set.name);
                report.add("V41", set.span, message);
            }
        }
    }
}

fn note(result: Result<(), Fault>, span: Option<Span>, report: &mut Report) {
    if let Err((rule, message)) = result {
        report.add(rule, span, message);
    }
}

fn check_formula(draft: &ProgramDraft, formula: &Formula) -> Result<(), Fault> {
    if formula.atoms.len() != formula.registers.len() {
        let message = "a formula has not one register for each atom";
        return Err(("V34", message.into()));
    }
    let mut scope = Scope {
        draft,
        registers: &formula.registers,
        visible: 0,
    };
    // How deep the text of each atom nests, with the atoms inside it.
    let mut depths: Vec<usize> = Vec::new();
    let too_deep = || ("V19", format!("a formula nests more than {MAX_DEPTH} deep"));
    for (at, atom) in formula.atoms.iter().enumerate() {
        scope.visible = at;
        let ty = match atom {
            Atom::Cell { address, ty } => {
                check_scalar(*ty).map_err(|(rule, end)| (rule, format!("a cell {end}")))?;
                expect_pointer(&scope, address)?;
                *ty
            }
            Atom::Owner { lock } => {
                expect_pointer(&scope, lock)?;
                Scalar::Thread
            }
            Atom::At { function, location } => {
                check_point(draft, *function, *location)?;
                Scalar::BOOL
            }
            Atom::Index(int) => {
                let ty = Scalar::Int(*int);
                check_scalar(ty).map_err(|(rule, end)| (rule, format!("an index {end}")))?;
                ty
            }
        };
        if formula.registers[RegisterId::from_index(at)].ty != ty {
            let message = "a register of a formula has another type than its atom";
            return Err(("V34", message.into()));
        }
        let inside = address_of(atom).map_or(0, |address| {
            depth(address, &|register| depths[register.index()])
        });
        if inside >= MAX_DEPTH {
            return Err(too_deep());
        }
        depths.push(inside + 1);
    }
    scope.visible = formula.atoms.len();
    let ty = scope.type_of(&formula.body)?;
    if ty != Scalar::BOOL {
        let message = format!("a formula is `{}`, not `u1`; compare it", scalar_name(ty));
        return Err(("V36", message));
    }
    if depth(&formula.body, &|register| depths[register.index()]) > MAX_DEPTH {
        return Err(too_deep());
    }
    let mut next = 0;
    if count_uses(formula, &formula.body, &mut next) && next == formula.atoms.len() {
        Ok(())
    } else {
        let message = "a formula does not use each of its atoms once, in their order";
        Err(("V35", message.into()))
    }
}

/// Whether the atoms that `expression` uses are numbered on from `next` as evaluation meets them.
fn count_uses(formula: &Formula, expression: &Expression, next: &mut usize) -> bool {
    let mut is_in_order = true;
    expression.for_each_register(&mut |register| {
        if !is_in_order || register.index() < *next {
            is_in_order = false;
            return;
        }
        if let Some(address) = address_of(&formula.atoms[register.index()]) {
            is_in_order = count_uses(formula, address, next);
        }
        is_in_order &= register.index() == *next;
        *next += 1;
    });
    is_in_order
}

fn address_of(atom: &Atom) -> Option<&Expression> {
    match atom {
        Atom::Cell { address, .. } => Some(address),
        Atom::Owner { lock } => Some(lock),
        Atom::At { .. } | Atom::Index(_) => None,
    }
}

fn expect_pointer(scope: &Scope, address: &Expression) -> Result<(), Fault> {
    match scope.type_of(address)? {
        Scalar::Pointer => Ok(()),
        other @ (Scalar::Int(_) | Scalar::Float(_) | Scalar::Thread) => Err((
            "V34",
            format!(
                "an address in a formula is `{}`, not `ptr`",
                scalar_name(other)
            ),
        )),
    }
}

/// Whether the location is reached is seen when locations are numbered.
fn check_point(
    draft: &ProgramDraft,
    function: crate::program::FunctionId,
    location: crate::program::LocationId,
) -> Result<(), Fault> {
    let fault = |message: &str| Err(("V39", message.to_owned()));
    match draft.functions.get(function) {
        None => fault("a formula names a location of a function that does not exist"),
        Some(function) if !function.locations.contains(location) => {
            fault("a formula names a location that does not exist")
        }
        Some(function) if function.exit == location => {
            fault("no thread ever stands at the exit of a function; put `skip` after the label")
        }
        Some(_) => Ok(()),
    }
}

fn check_subjectless(draft: &ProgramDraft, formula: &Formula) -> Result<(), Fault> {
    let fault = |what: &str| Err(("V37", format!("an invariant names {what}")));
    let addresses = formula.atoms.iter().filter_map(address_of);
    for expression in addresses.chain([&formula.body]) {
        let mut stack = vec![expression];
        while let Some(expression) = stack.pop() {
            match expression {
                Expression::CurrentThread => return fault("the running thread"),
                Expression::Global(global) => {
                    let global = draft.globals.get(*global);
                    if global.is_some_and(|global| global.is_thread_local) {
                        return fault("a thread-local global");
                    }
                }
                Expression::Constant(..) | Expression::Register(_) | Expression::Function(_) => {}
                Expression::Unary(_, operand) | Expression::Cast(_, operand) => stack.push(operand),
                Expression::Binary(_, left, right) => stack.extend([&**left, &**right]),
                Expression::Select(condition, then, otherwise) => {
                    stack.extend([&**condition, &**then, &**otherwise]);
                }
            }
        }
    }
    if formula.atoms.iter().any(|it| matches!(it, Atom::At { .. })) {
        return fault("a program point");
    }
    Ok(())
}

fn check_indexless(formula: &Formula) -> Result<(), Fault> {
    if formula.atoms.iter().any(|it| matches!(it, Atom::Index(_))) {
        let message = "an index variable stands outside a predicate on a family of cells";
        return Err(("V38", message.into()));
    }
    Ok(())
}

fn check_cell(draft: &ProgramDraft, exclusive: &Exclusive) -> Result<(), Fault> {
    let fault = |message: &str| Err(("V40", message.to_owned()));
    check_scalar(exclusive.ty).map_err(|(rule, end)| (rule, format!("an exclusive cell {end}")))?;
    let registers = Arena::new();
    let scope = Scope {
        draft,
        registers: &registers,
        visible: 0,
    };
    scope.type_of(&exclusive.address)?;
    let Some((Expression::Global(global), offset)) = constant_address(&exclusive.address) else {
        return fault("an exclusive cell is no part of a global");
    };
    let global = &draft.globals[*global];
    if global.is_thread_local {
        return fault("an exclusive cell is thread-local, so it is exclusive anyway");
    }
    let size = draft.size_of(&global.ty).unwrap_or(0);
    let bytes = exclusive.ty.size(draft.model);
    let Some(offset) = u64::try_from(offset)
        .ok()
        .filter(|offset| offset.checked_add(bytes).is_some_and(|end| end <= size))
    else {
        return fault("an exclusive cell lies outside its global");
    };
    if let Some(elements) = &exclusive.elements {
        let family = Some(Family {
            count: elements.count,
            stride: elements.stride,
        });
        let fits = |ty: &Type| *ty == Type::Scalar(exclusive.ty);
        if find_path(draft, &global.ty, offset, family, &fits).is_none() {
            return fault("a family of exclusive cells is no path with a variable index");
        }
    }
    Ok(())
}
