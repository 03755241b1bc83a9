//! What predicates of exclusive access read, and which of them belong to one thread by their form.
//!
//! Whether others can give or take exclusive access is a question about all reachable states. Where a search does not
//! see them all, the form of the predicate has to answer it.

use std::collections::BTreeSet;

use raddle_base::Id;
use raddle_ir::interpret::{Object, ObjectNumber, State, Storage};
use raddle_ir::{Atom, BinaryOp, Expression, Formula, GlobalId, Program, RegisterId, Scalar};

use crate::watched::object_of;

/// What a predicate reads that other threads than its subject may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reads {
    /// Of globals, from one byte to another.
    ranges: Vec<(ObjectNumber, usize, usize)>,
    /// Something whose place depends on the state.
    has_others: bool,
    /// Which thread holds a lock, other than whether the subject does: that only the subject changes.
    has_owners: bool,
}

impl Reads {
    pub(crate) fn of(program: &Program, formula: &Formula) -> Self {
        let mut compared = BTreeSet::new();
        compared_with_subject(&formula.body, &mut compared);
        let mut reads = Self::default();
        for (register, atom) in formula.registers.ids().zip(&formula.atoms) {
            match atom {
                Atom::Cell { address, ty } => match global_of(address) {
                    Some(global) if !program.globals[global].is_thread_local => {
                        let end = |from: u64| from.saturating_add(ty.size(program.model));
                        let range = address.constant_place().map(|(_, from)| (from, end(from)));
                        let (from, to) = range.unwrap_or((0, u64::MAX));
                        let index = |it| usize::try_from(it).unwrap_or(usize::MAX);
                        reads
                            .ranges
                            .push((object_of(global), index(from), index(to)));
                    }
                    Some(_) | None => reads.has_others = true,
                },
                Atom::Owner { .. } => reads.has_owners |= !compared.contains(&register),
                Atom::At { .. } | Atom::Index(_) => {}
            }
        }
        reads
    }

    /// Whether a step changed any of it.
    pub(crate) fn differ(&self, before: &State, after: &State) -> bool {
        let is_changed = |&(number, from, to): &(ObjectNumber, usize, usize)| {
            let (was, is) = (before.objects.get(&number), after.objects.get(&number));
            match (was, is) {
                (Some(was), Some(is)) => !was.bytes.agrees(&is.bytes, from..to),
                (Some(_), None) | (None, Some(_)) => true,
                (None, None) => false,
            }
        };
        self.ranges.iter().any(is_changed)
            || (self.has_others || self.has_owners)
                && before.objects.iter().any(|(number, was)| {
                    after
                        .objects
                        .get(number)
                        .is_none_or(|is| self.is_other_change(was, is))
                })
    }

    fn is_other_change(&self, was: &Object, is: &Object) -> bool {
        let is_changed = was.bytes != is.bytes || was.is_live != is.is_live;
        self.has_others && was.storage != Storage::Global && is_changed
            || self.has_owners && was.syncs != is.syncs
    }
}

/// The registers that are compared with the subject of a formula, where they stand for themselves.
fn compared_with_subject(expression: &Expression, found: &mut BTreeSet<RegisterId>) {
    match expression {
        Expression::Binary(BinaryOp::Equal | BinaryOp::NotEqual, left, right) => {
            match (&**left, &**right) {
                (Expression::Register(register), Expression::CurrentThread)
                | (Expression::CurrentThread, Expression::Register(register)) => {
                    found.insert(*register);
                }
                (left, right) => {
                    compared_with_subject(left, found);
                    compared_with_subject(right, found);
                }
            }
        }
        Expression::Binary(_, left, right) => {
            compared_with_subject(left, found);
            compared_with_subject(right, found);
        }
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            compared_with_subject(operand, found);
        }
        Expression::Select(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                compared_with_subject(part, found);
            }
        }
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
    }
}

/// The global in which an address lies, whatever its offset.
fn global_of(mut address: &Expression) -> Option<GlobalId> {
    while let Expression::Binary(BinaryOp::Offset, base, _) = address {
        address = base;
    }
    if let Expression::Global(global) = address {
        Some(*global)
    } else {
        None
    }
}

/// Whether a predicate demands that its subject holds one certain lock, or is one certain thread, and maybe more. Then
/// two threads never have it at once, and nobody but its subject can bring that about.
pub(crate) fn is_own(formula: &Formula) -> bool {
    let mut open = vec![&formula.body];
    while let Some(part) = open.pop() {
        if let Expression::Select(left, right, otherwise) = part {
            // `left and right`
            if matches!(**otherwise, Expression::Constant(0, _)) {
                open.extend([&**left, &**right]);
            }
        } else if let Expression::Binary(BinaryOp::Equal, left, right) = part
            && (names_one(formula, left, right) || names_one(formula, right, left))
        {
            return true;
        }
    }
    false
}

/// Whether `subject` is the running thread, and `one` a lock's owner or a thread that depends on nothing that changes.
fn names_one(formula: &Formula, subject: &Expression, one: &Expression) -> bool {
    if let Expression::Register(register) = one
        && let Some(Atom::Owner { lock }) = formula.atoms.get(register.index())
    {
        return *subject == Expression::CurrentThread && is_constant(formula, lock);
    }
    is_subject(subject) && is_constant(formula, one)
}

/// The running thread, or its number. In a smaller type two threads may have one number.
fn is_subject(mut expression: &Expression) -> bool {
    while let Expression::Cast(Scalar::Int(ty), operand) = expression
        && ty.bits >= 64
    {
        expression = operand;
    }
    *expression == Expression::CurrentThread
}

/// Whether it depends on nothing but the index of the cell.
fn is_constant(formula: &Formula, expression: &Expression) -> bool {
    match expression {
        Expression::Constant(..) | Expression::Global(_) | Expression::Function(_) => true,
        Expression::Register(register) => {
            matches!(formula.atoms.get(register.index()), Some(Atom::Index(_)))
        }
        Expression::CurrentThread => false,
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            is_constant(formula, operand)
        }
        Expression::Binary(_, left, right) => {
            is_constant(formula, left) && is_constant(formula, right)
        }
        Expression::Select(condition, then, otherwise) => [condition, then, otherwise]
            .into_iter()
            .all(|part| is_constant(formula, part)),
    }
}
