//! Addresses that are looked at in parts: `memcmp` of two pointers compares their bytes.
//!
//! What is loaded byte by byte, or as a part of a union that also holds a pointer, and gets into an operation with
//! another such part, is read as a part of the *address*: all lives there have the same bytes. A part that is only moved
//! keeps the number of the life, for a pointer that was copied byte by byte still points to it.

use std::collections::BTreeSet;

use raddle_base::BitSet;

use super::taint::for_each_source;
use crate::action::Action;
use crate::effect::Deed;
use crate::expression::Expression;
use crate::program::{EdgeId, Function, FunctionId, Program, RegisterId};
use crate::types::{Scalar, StructId, StructType, Type};

/// What a program shows of pointers besides pointers: in unions, or where an indivisible access is wider than a pointer, as
/// to a pointer with a count beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Views {
    /// As numbers that are as wide.
    pub(super) as_numbers: bool,
    /// In parts larger than bytes.
    pub(super) in_parts: bool,
}

impl Views {
    pub(super) fn of(program: &Program) -> Self {
        let mut views = Self::default();
        for union in program.structs.values().filter(|it| it.is_union) {
            let (mut pointers, mut numbers) = (BTreeSet::new(), Vec::new());
            add_cells(program, union, 0, &mut pointers, &mut numbers);
            let word = program.model.pointer_bytes();
            for (at, size) in numbers {
                let is_shared = pointers.iter().any(|it| *it < at + size && at < it + word);
                views.as_numbers |= is_shared && size >= word;
                views.in_parts |= is_shared && size < word;
            }
        }
        let mut edges = program.functions.values().flat_map(|it| it.edges.values());
        views.as_numbers |= edges.any(|edge| is_wider_than_pointers(program, &edge.action));
        views
    }
}

/// Whether an action touches more than a pointer at once.
fn is_wider_than_pointers(program: &Program, action: &Action) -> bool {
    let operands = action.operands(program.model).into_iter();
    let word = program.model.pointer_bytes();
    operands
        .filter(|it| it.is_atomic && it.deed == Deed::Data)
        .any(|it| it.extent.is_some_and(|size| size > word))
}

/// Of large arrays, the first elements say it all.
const MOST_ELEMENTS: u64 = 16;

fn add_cells(
    program: &Program,
    record: &StructType,
    offset: u64,
    pointers: &mut BTreeSet<u64>,
    numbers: &mut Vec<(u64, u64)>,
) {
    for field in &record.fields {
        add_type(program, &field.ty, offset + field.offset, pointers, numbers);
    }
}

fn add_type(
    program: &Program,
    ty: &Type,
    offset: u64,
    pointers: &mut BTreeSet<u64>,
    numbers: &mut Vec<(u64, u64)>,
) {
    match ty {
        Type::Scalar(Scalar::Pointer) => {
            pointers.insert(offset);
        }
        Type::Scalar(scalar @ Scalar::Int(_)) => {
            numbers.push((offset, scalar.size(program.model)));
        }
        Type::Scalar(Scalar::Float(_) | Scalar::Thread) | Type::Sync(_) => {}
        Type::Struct(id) => {
            let id: StructId = *id;
            add_cells(program, &program.structs[id], offset, pointers, numbers);
        }
        Type::Array(element, length) => {
            let size = program.size_of(element).unwrap_or(0);
            for index in 0..(*length).min(MOST_ELEMENTS) {
                add_type(program, element, offset + index * size, pointers, numbers);
            }
        }
    }
}

/// The loads whose values are looked at as parts of addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(BTreeSet<(FunctionId, EdgeId)>);

impl Parts {
    pub(super) fn of(program: &Program, views: Views) -> Self {
        let mut found = BTreeSet::new();
        for (id, function) in program.functions.iter() {
            let looked_at = looked_at(program, function, views);
            for (edge, it) in function.edges.iter() {
                if let Action::Load { target, ty, .. } = &it.action
                    && is_part(program, *ty, views)
                    && looked_at.contains(*target)
                {
                    found.insert((id, edge));
                }
            }
        }
        Self(found)
    }

    pub(super) fn is_any(&self) -> bool {
        !self.0.is_empty()
    }

    pub(super) fn contains(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.0.contains(&(function, edge))
    }
}

fn is_part(program: &Program, ty: Scalar, views: Views) -> bool {
    let bits = ty.bits(program.model);
    matches!(ty, Scalar::Int(_))
        && (bits == 8 || views.in_parts && bits < program.model.pointer_bits())
}

/// The registers of a function whose values get into an operation of two parts.
fn looked_at(program: &Program, function: &Function, views: Views) -> BitSet<RegisterId> {
    let mut parts = BitSet::new();
    let mut moved = BitSet::new();
    let actions = || function.edges.values().map(|it| &it.action);
    for action in actions() {
        if let Action::Load { target, ty, .. } = action
            && is_part(program, *ty, views)
        {
            parts.insert(*target);
        }
    }
    while assigned(function).fold(false, |changed, (target, value)| {
        changed | (has_source(value, &parts) && parts.insert(target))
    }) {}
    let mut found = BitSet::new();
    for action in actions() {
        for expression in action.expressions() {
            add_compared(expression, &parts, &mut found);
        }
        if let Action::Store { value, .. } = action {
            add_sources(value, &mut moved);
        }
    }
    for set in [&mut found, &mut moved] {
        while assigned(function).fold(false, |changed, (target, value)| {
            changed | (set.contains(target) && add_sources(value, set))
        }) {}
    }
    // A part that is also moved keeps the number of the life.
    let ids = function.registers.ids();
    for register in ids.filter(|it| moved.contains(*it)) {
        found.remove(register);
    }
    found
}

fn assigned(function: &Function) -> impl Iterator<Item = (RegisterId, &Expression)> {
    function.edges.values().filter_map(|edge| {
        if let Action::Assign { target, value } = &edge.action {
            Some((*target, value))
        } else {
            None
        }
    })
}

/// Adds the sources of operations that have parts on both sides.
fn add_compared(
    expression: &Expression,
    parts: &BitSet<RegisterId>,
    found: &mut BitSet<RegisterId>,
) {
    match expression {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            add_compared(operand, parts, found);
        }
        Expression::Binary(_, left, right) => {
            if has_source(left, parts) && has_source(right, parts) {
                add_sources(left, found);
                add_sources(right, found);
            }
            add_compared(left, parts, found);
            add_compared(right, parts, found);
        }
        Expression::Select(condition, then, otherwise) => {
            add_compared(condition, parts, found);
            add_compared(then, parts, found);
            add_compared(otherwise, parts, found);
        }
    }
}

fn has_source(expression: &Expression, registers: &BitSet<RegisterId>) -> bool {
    let mut found = false;
    for_each_source(expression, &mut |it| found |= registers.contains(it));
    found
}

fn add_sources(expression: &Expression, registers: &mut BitSet<RegisterId>) -> bool {
    let mut changed = false;
    for_each_source(expression, &mut |it| changed |= registers.insert(it));
    changed
}
