//! Where pointers may point to, read off their terms.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_ir::DataModel;
use raddle_logic::{Operation, Term, TermId, Terms};

use crate::names::ObjectName;
use crate::object::Object;

/// More pointers in one value than this are not told apart.
const MOST_POINTEES: usize = 200;

/// How deep terms are looked into for addresses.
const DEPTH: u32 = 12;

/// Where in an object a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    At(u64),
    /// To every so many bytes from the first on.
    Anywhere {
        first: u64,
        step: u64,
    },
}

impl Reach {
    pub fn covers(self, offset: u64) -> bool {
        match self {
            Reach::At(at) => at == offset,
            Reach::Anywhere { first, step } => offset % step == first % step,
        }
    }
}

/// The objects that a pointer may point to, read off its term; `None` if it may be anything.
pub fn pointees(
    terms: &Terms,
    pointer: TermId,
    model: DataModel,
) -> Option<BTreeSet<(ObjectName, Reach)>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![(pointer, None)];
    while let Some((term, outer)) = open.pop() {
        if !seen.insert((term, outer)) {
            continue;
        }
        if seen.len() > 20 * MOST_POINTEES || found.len() > MOST_POINTEES {
            return None;
        }
        match terms.term(term) {
            Term::Constant(bits) => {
                let (number, offset) = ObjectName::split(bits, model);
                let reach = match outer {
                    None => Reach::At(offset),
                    Some((residue, step)) => Reach::Anywhere {
                        first: (offset % step + residue) % step,
                        step,
                    },
                };
                found.insert((number, reach));
            }
            Term::Apply(Operation::IfThenElse, arguments) => {
                open.extend([(arguments[1], outer), (arguments[2], outer)]);
            }
            // One side is a pointer, the other what is added to it.
            Term::Apply(Operation::Add, arguments) => {
                let (base, added) = match arguments {
                    [base, added] if is_address(terms, *base, model, DEPTH) => (*base, *added),
                    [added, base] if is_address(terms, *base, model, DEPTH) => (*base, *added),
                    _ => return None,
                };
                let (residue, step) = congruence(terms, added);
                let outer = match outer {
                    None => (residue, step),
                    Some((before, other)) => {
                        let step = step.min(other);
                        ((residue + before) % step, step)
                    }
                };
                open.push((base, Some(outer)));
            }
            Term::Variable(_) | Term::Apply(..) => return None,
        }
    }
    Some(found)
}

/// The objects that a word may name, if it is plain that it is made of addresses.
pub fn named(terms: &Terms, word: TermId, model: DataModel) -> BTreeSet<ObjectName> {
    named_at_all(terms, word, model).unwrap_or_default()
}

/// The same; `None` if it may be anything.
pub fn named_at_all(terms: &Terms, word: TermId, model: DataModel) -> Option<BTreeSet<ObjectName>> {
    let found = pointees(terms, word, model)?;
    Some(found.into_iter().map(|(number, _)| number).collect())
}

/// Whether all that the term may be are addresses of objects, or null, as far as that shows without looking deep into
/// sums.
fn is_address(terms: &Terms, term: TermId, model: DataModel, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut has_address = false;
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > 20 * MOST_POINTEES {
            return false;
        }
        let is_one = match terms.term(term) {
            Term::Constant(0) => continue,
            Term::Constant(bits) => ObjectName::split(bits, model).0 != ObjectName::NONE,
            Term::Apply(Operation::IfThenElse, arguments) => {
                open.extend(&arguments[1..]);
                continue;
            }
            Term::Apply(Operation::Add, arguments) => arguments
                .iter()
                .any(|it| is_address(terms, *it, model, depth)),
            Term::Variable(_) | Term::Apply(..) => false,
        };
        if !is_one {
            return false;
        }
        has_address = true;
    }
    has_address
}

/// A remainder and a power of two that the term leaves it with whatever its variables are.
fn congruence(terms: &Terms, term: TermId) -> (u64, u64) {
    congruence_within(terms, term, DEPTH)
}

/// The same, looking so deep.
fn congruence_within(terms: &Terms, term: TermId, depth: u32) -> (u64, u64) {
    const MOST: u64 = 1 << 16;
    let Some(depth) = depth.checked_sub(1) else {
        return (0, 1);
    };
    let congruence = |terms: &Terms, term| congruence_within(terms, term, depth);
    let low = |bits: u128| u64::try_from(bits % u128::from(MOST)).expect("below");
    match terms.term(term) {
        Term::Constant(bits) => (low(bits), MOST),
        Term::Apply(Operation::Add, &[left, right]) => {
            let (one, other) = (congruence(terms, left), congruence(terms, right));
            let step = one.1.min(other.1);
            ((one.0 + other.0) % step, step)
        }
        Term::Apply(Operation::Multiply, &[left, right]) => {
            let factor = terms.constant_value(right).or(terms.constant_value(left));
            let zeros = factor.map_or(0, u128::trailing_zeros).min(16);
            (0, 1 << zeros)
        }
        Term::Apply(Operation::ShiftLeft, &[_, amount]) => {
            let zeros = terms.constant_value(amount).unwrap_or(0).min(16);
            (0, 1 << zeros)
        }
        Term::Apply(Operation::ZeroExtend | Operation::SignExtend, &[inner]) => {
            let (residue, step) = congruence(terms, inner);
            let width = terms.width(inner).min(16);
            let step = step.min(1 << width);
            (residue % step, step)
        }
        Term::Apply(Operation::Concatenate, &[_, tail]) => {
            let (residue, step) = congruence(terms, tail);
            let step = step.min(1 << terms.width(tail).min(16));
            (residue % step, step)
        }
        Term::Apply(Operation::IfThenElse, &[_, then, otherwise]) => {
            let (one, other) = (congruence(terms, then), congruence(terms, otherwise));
            let mut step = one.1.min(other.1);
            while one.0 % step != other.0 % step {
                step /= 2;
            }
            (one.0 % step, step)
        }
        Term::Variable(_) | Term::Apply(..) => (0, 1),
    }
}

/// Whether a word is, or may be, an address that a program computed. Numbers from nowhere are none.
pub fn may_be_an_address(
    terms: &Terms,
    word: TermId,
    objects: &BTreeMap<ObjectName, Arc<Object>>,
    model: DataModel,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![word];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.term(term) {
            Term::Constant(bits) => {
                let (number, _) = ObjectName::split(bits, model);
                if number != ObjectName::NONE && objects.contains_key(&number) {
                    return true;
                }
            }
            Term::Apply(Operation::IfThenElse, arguments) => {
                open.extend([arguments[1], arguments[2]]);
            }
            Term::Variable(_) | Term::Apply(..) => {}
        }
        if seen.len() > 20 * MOST_POINTEES {
            return true;
        }
    }
    false
}
