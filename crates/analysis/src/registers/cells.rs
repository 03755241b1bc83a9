//! In which range the integers in memory lie, whoever wrote them and when.
//!
//! A cell holds what it held first or what somebody has stored there, so the ranges of all these together hold at any
//! time, for any number of threads and in any order. Cells of an array that is written at an index are one cell.
//!
//! # Invariants
//!
//! - A range only grows, and only finitely often: after some changes its bounds go to the next number that the program
//!   names, or is next to one that it names, and after some more to the end of its type.
//! - A value that was never set has any range, as in [`NumberFacts::UNSET`]: to look at it is a doubt of its own.

use std::collections::BTreeMap;

use raddle_ir::arithmetic::signed_value;
use raddle_ir::{Action, BinaryOp, Expression, Initial, IntType, Program, Scalar};

use crate::numbers::{NumberFacts, bounds};
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset};

/// After so many changes the range of a cell grows by leaps.
const PATIENCE: u32 = 3;
/// After so many it has no bounds but those of its type.
const MAX_LEAPS: u32 = 12;
/// More landings than this are not made of numbers and steps.
const MAX_LANDINGS: usize = 4_000;
/// Of an object with more different cells than this nothing is known.
const MAX_CELLS: usize = 64;

/// What is stored in the cells of one shape of an object.
struct Stored {
    offset: Offset,
    ty: IntType,
    facts: NumberFacts,
    changes: u32,
}

#[derive(Default)]
struct Cells {
    stored: Vec<Stored>,
    /// What is stored there is not followed.
    is_lost: bool,
}

pub(super) struct Ranges {
    cells: BTreeMap<ObjectId, Cells>,
    landings: Landings,
}

/// Where leaps of bounds end: numbers that the program names, and those beside them, in order.
pub(super) struct Landings(Vec<i128>);

impl Ranges {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            cells: BTreeMap::new(),
            landings: Landings::of(program),
        }
    }

    pub(super) fn landings(&self) -> &Landings {
        &self.landings
    }

    /// Takes note of a store; whether it tells anything new.
    pub(super) fn store(
        &mut self,
        object: ObjectId,
        offset: Offset,
        ty: Scalar,
        facts: NumberFacts,
    ) -> bool {
        let cells = self.cells.entry(object).or_default();
        if cells.is_lost {
            return false;
        }
        let Scalar::Int(int) = ty else {
            return lose(cells);
        };
        if int.bits > 64 {
            return lose(cells);
        }
        let known = (cells.stored.iter_mut()).find(|it| it.offset == offset && it.ty == int);
        let Some(known) = known else {
            if cells.stored.len() == MAX_CELLS {
                return lose(cells);
            }
            cells.stored.push(Stored {
                offset,
                ty: int,
                facts,
                changes: 0,
            });
            return true;
        };
        let mut joined = known.facts.join(facts);
        if joined == known.facts {
            return false;
        }
        known.changes += 1;
        if known.changes > MAX_LEAPS {
            joined = known.facts.widen(joined, ty);
        } else if known.changes > PATIENCE {
            joined = self.landings.leap(known.facts, joined, ty);
        }
        known.facts = joined;
        true
    }

    /// The range of what is loaded.
    pub(super) fn load(
        &self,
        points_to: &PointsTo<'_>,
        object: ObjectId,
        offset: Offset,
        int: IntType,
    ) -> NumberFacts {
        let ty = Scalar::Int(int);
        let any = NumberFacts::any(ty);
        if int.bits > 64 {
            return any;
        }
        let Some(mut facts) = first_range(points_to, object, offset, int) else {
            return any;
        };
        let Some(cells) = self.cells.get(&object) else {
            return facts;
        };
        if cells.is_lost {
            return any;
        }
        let size = ty.size(points_to.program.model);
        for stored in &cells.stored {
            let stored_size = Scalar::Int(stored.ty).size(points_to.program.model);
            if !stored.offset.may_overlap(stored_size, offset, size) {
                continue;
            }
            let is_whole = stored_size == size && stored.offset.same_or_apart(offset, size);
            if !is_whole {
                return any;
            }
            facts = facts.join(read_as(stored.facts, int));
        }
        facts
    }
}

fn lose(cells: &mut Cells) -> bool {
    cells.is_lost = true;
    cells.stored = Vec::new();
    true
}

impl Landings {
    fn of(program: &Program) -> Self {
        let (mut found, mut steps) = (Vec::new(), Vec::new());
        for function in program.functions.values() {
            for edge in function.edges.values() {
                if let Action::Assume { condition: named }
                | Action::Assert {
                    condition: named, ..
                }
                | Action::Assign { value: named, .. }
                | Action::Store { value: named, .. } = &edge.action
                {
                    add_numbers(named, &mut found);
                    add_steps(named, &mut steps);
                }
            }
        }
        for numbers in [&mut found, &mut steps] {
            numbers.sort_unstable();
            numbers.dedup();
        }
        // Who counts on from a number that was compared comes a step beyond it.
        if found.len() * steps.len() <= MAX_LANDINGS {
            let beyond = steps
                .iter()
                .flat_map(|by| found.iter().map(move |it| it + by));
            let beyond: Vec<i128> = beyond.collect();
            found.extend(beyond);
            found.sort_unstable();
            found.dedup();
        }
        Self(found)
    }

    /// What is certain of both, where bounds that move go to the next landing.
    pub(super) fn leap(&self, known: NumberFacts, more: NumberFacts, ty: Scalar) -> NumberFacts {
        let joined = known.join(more);
        let (least, greatest) = bounds(ty);
        if known.low > known.high {
            return joined;
        }
        let Self(landings) = self;
        let mut leapt = joined;
        if joined.low < known.low {
            let below = landings.partition_point(|it| *it <= joined.low);
            let landing = below.checked_sub(1).map_or(least, |at| landings[at]);
            leapt.low = landing.max(least).min(joined.low);
        }
        if joined.high > known.high {
            let above = landings.partition_point(|it| *it < joined.high);
            let landing = landings.get(above).copied().unwrap_or(greatest);
            leapt.high = landing.min(greatest).max(joined.high);
        }
        leapt
    }
}

/// A number that was stored with another sign is another number, unless both signs mean the same.
fn read_as(stored: NumberFacts, int: IntType) -> NumberFacts {
    let ty = Scalar::Int(int);
    let (low, high) = bounds(ty);
    if stored.low > stored.high || stored.is_within(low, high) {
        stored
    } else {
        NumberFacts {
            is_defined: stored.is_defined,
            ..NumberFacts::any(ty)
        }
    }
}

/// What a cell holds before anybody has stored there; `None` if that is not known.
pub(super) fn first_range(
    points_to: &PointsTo<'_>,
    object: ObjectId,
    offset: Offset,
    int: IntType,
) -> Option<NumberFacts> {
    let known = &points_to.objects[object];
    let global = match known.kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => global,
        ObjectKind::Allocated(..) if points_to.is_zeroed(object) => {
            return Some(NumberFacts::exactly(0));
        }
        ObjectKind::Allocated(..) => return Some(NumberFacts::UNSET),
    };
    let global = &points_to.program.globals[global];
    let size = Scalar::Int(int).size(points_to.program.model);
    let mut facts = None;
    for (at, initial) in &global.initial {
        let at = Offset::exactly(*at);
        let (initial_size, range) = match initial {
            Initial::Scalar(ty @ Scalar::Int(stored), bits) if stored.bits <= 64 => {
                let number = NumberFacts::exactly(signed_value(*bits, *stored));
                (ty.size(points_to.program.model), Some(read_as(number, int)))
            }
            Initial::Scalar(ty, _) | Initial::Any(ty) => (ty.size(points_to.program.model), None),
            Initial::Address(_) => (points_to.program.model.pointer_bytes(), None),
            // They have no value: whoever looks is told elsewhere.
            Initial::Sync(_) => continue,
        };
        if !at.may_overlap(initial_size, offset, size) {
            continue;
        }
        let is_whole = initial_size == size && at.same_or_apart(offset, size);
        let range = range.filter(|_| is_whole)?;
        // Of several values for one cell the last counts, which is one of them.
        facts = Some(facts.map_or(range, |it: NumberFacts| it.join(range)));
    }
    if offset.exact().is_some() && facts.is_some() {
        return facts;
    }
    let zero = NumberFacts::exactly(0);
    Some(facts.map_or(zero, |it| it.join(zero)))
}

/// The numbers that an expression adds or takes away.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a step")]
fn add_steps(expression: &Expression, found: &mut Vec<i128>) {
    match expression {
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => add_steps(operand, found),
        Expression::Binary(op, left, right) => {
            let sign = match op {
                BinaryOp::Add | BinaryOp::AddWrapping => 1,
                BinaryOp::Subtract | BinaryOp::SubtractWrapping => -1,
                _ => 0,
            };
            if let Expression::Constant(bits, Scalar::Int(int)) = **right
                && int.bits <= 64
                && sign != 0
            {
                found.push(sign * signed_value(bits, int));
            }
            add_steps(left, found);
            add_steps(right, found);
        }
        Expression::Select(condition, then, otherwise) => {
            add_steps(condition, found);
            add_steps(then, found);
            add_steps(otherwise, found);
        }
    }
}

fn add_numbers(expression: &Expression, found: &mut Vec<i128>) {
    match expression {
        Expression::Constant(bits, Scalar::Int(int)) if int.bits <= 64 => {
            let number = signed_value(*bits, *int);
            found.extend([number - 1, number, number + 1]);
        }
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
            add_numbers(operand, found);
        }
        Expression::Binary(_, left, right) => {
            add_numbers(left, found);
            add_numbers(right, found);
        }
        Expression::Select(condition, then, otherwise) => {
            add_numbers(condition, found);
            add_numbers(then, found);
            add_numbers(otherwise, found);
        }
    }
}
