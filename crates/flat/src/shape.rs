//! What a piece of a state may hold in all executions: few values, places in objects, or numbers of so many bits.
//!
//! # Definitions
//!
//! - A *shape* over-approximates the values that some slot holds in reachable states. Shapes only grow, and there are finitely
//!   many above one, so growing them comes to an end.
//!
//! # Invariants
//!
//! - **(S1)** What a shape tells of a term holds whatever the variables of the term are, within the shapes of the slots they belong to.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::FastMap;
use raddle_encode::names::ObjectName;
use raddle_encode::pointees::{Reach, pointees};
use raddle_ir::DataModel;
use raddle_logic::terms::{BitVector, evaluate_operation};
use raddle_logic::{Operation, Term, TermId, Terms};

/// More numbers than these are not told apart.
const MOST_NUMBERS: usize = 6;

/// More addresses than these are not told apart.
const MOST_ADDRESSES: usize = 100;

/// What a slot may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Values(BTreeSet<u128>),
    Addresses(BTreeSet<(ObjectName, Reach)>),
    /// Any number of so many bits.
    Number(u32),
}

/// Which numbers are names of objects and threads that are worth being told apart.
pub(crate) struct NameRule<'a> {
    pub(crate) model: DataModel,
    pub(crate) is_name: &'a dyn Fn(u128) -> bool,
}

impl Shape {
    /// No value yet.
    pub(crate) fn nothing() -> Self {
        Shape::Values(BTreeSet::new())
    }

    /// What either may hold, of so many bits.
    pub(crate) fn join(self, other: Shape, width: u32, known: &NameRule<'_>) -> Shape {
        match (self, other) {
            (Shape::Number(_), Shape::Addresses(_)) | (Shape::Addresses(_), Shape::Number(_)) => {
                Shape::Number(width)
            }
            (Shape::Number(bits), other) | (other, Shape::Number(bits)) => {
                Shape::Number(bits.max(other.bits()))
            }
            (Shape::Values(one), Shape::Values(other)) => {
                Shape::of_values(one.union(&other).copied().collect(), width, known)
            }
            (one, other) => {
                let mut reaches = one.reaches(known.model);
                reaches.extend(other.reaches(known.model));
                if reaches.len() > MOST_ADDRESSES {
                    return Shape::Number(width);
                }
                Shape::Addresses(reaches)
            }
        }
    }

    fn of_values(values: BTreeSet<u128>, width: u32, known: &NameRule<'_>) -> Shape {
        let is_address = |it: &u128| width >= known.model.pointer_bits() && (known.is_name)(*it);
        let most = if values.iter().any(is_address) {
            MOST_ADDRESSES
        } else {
            MOST_NUMBERS
        };
        let shape = Shape::Values(values);
        if let Shape::Values(values) = &shape
            && values.len() > most
        {
            return Shape::Number(shape.bits());
        }
        shape
    }

    /// The bits of the largest number that is told; addresses have more than all that matters.
    fn bits(&self) -> u32 {
        match self {
            Shape::Values(values) => values.last().map_or(0, |it| 128 - it.leading_zeros()),
            Shape::Addresses(_) => 128,
            Shape::Number(bits) => *bits,
        }
    }

    fn reaches(self, model: DataModel) -> BTreeSet<(ObjectName, Reach)> {
        match self {
            Shape::Values(values) => values
                .into_iter()
                .map(|it| {
                    let (object, offset) = ObjectName::split(it, model);
                    (object, Reach::At(offset))
                })
                .collect(),
            Shape::Addresses(reaches) => reaches,
            Shape::Number(_) => BTreeSet::new(),
        }
    }

    /// Whether it may name an object.
    pub(crate) fn names(&self, object: ObjectName, model: DataModel) -> bool {
        match self {
            Shape::Values(values) => values
                .iter()
                .any(|it| ObjectName::split(*it, model).0 == object),
            Shape::Addresses(reaches) => reaches.iter().any(|it| it.0 == object),
            Shape::Number(_) => false,
        }
    }
}

/// What terms may be worth, kept for those that were looked at.
#[derive(Default)]
pub(crate) struct Looked {
    values: FastMap<TermId, Option<Rc<BTreeSet<u128>>>>,
    /// Those of variables that belong to slots of few values.
    variables: BTreeMap<TermId, Rc<BTreeSet<u128>>>,
}

/// More combinations of arguments than these are not tried.
const MOST_COMBINATIONS: usize = 64;

impl Looked {
    /// A variable has only these values.
    pub(crate) fn learn(&mut self, variable: TermId, values: BTreeSet<u128>) {
        self.variables.insert(variable, Rc::new(values));
    }

    /// The shape of what a term may be worth.
    pub(crate) fn shape(&mut self, terms: &Terms, term: TermId, known: &NameRule<'_>) -> Shape {
        let width = terms.width(term);
        if let Some(values) = self.values(terms, term) {
            return Shape::of_values(values.iter().copied().collect(), width, known);
        }
        if width != known.model.pointer_bits() {
            return Shape::Number(Self::bits(terms, term));
        }
        match pointees(terms, term, known.model) {
            Some(found) if found.len() <= MOST_ADDRESSES => {
                let is_name =
                    |it: &(ObjectName, Reach)| (known.is_name)(it.0.pointer(0, known.model));
                if found.iter().any(is_name) {
                    Shape::Addresses(found)
                } else {
                    Shape::Number(Self::bits(terms, term))
                }
            }
            Some(_) | None => Shape::Number(Self::bits(terms, term)),
        }
    }

    /// The bits below which all of a number lies, as far as its top shows.
    fn bits(terms: &Terms, root: TermId) -> u32 {
        let mut most = 0;
        let mut seen = BTreeSet::new();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match terms.term(term) {
                Term::Constant(bits) => most = most.max(128 - bits.leading_zeros()),
                Term::Apply(Operation::ZeroExtend, &[inner]) => open.push(inner),
                Term::Apply(Operation::IfThenElse, &[_, then, otherwise]) => {
                    open.extend([then, otherwise]);
                }
                Term::Variable(_) | Term::Apply(..) => most = most.max(terms.width(term)),
            }
        }
        most.max(1)
    }

    /// The values of a term, if they are few.
    fn values(&mut self, terms: &Terms, root: TermId) -> Option<Rc<BTreeSet<u128>>> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.values.contains_key(&term) {
                open.pop();
                continue;
            }
            let unknown: Vec<TermId> = match terms.term(term) {
                Term::Constant(_) | Term::Variable(_) => Vec::new(),
                Term::Apply(Operation::IfThenElse, arguments) => self.unknown(&arguments[1..]),
                Term::Apply(_, arguments) => self.unknown(arguments),
            };
            if unknown.is_empty() {
                let values = self.compute(terms, term);
                self.values.insert(term, values);
                open.pop();
            } else {
                open.extend(unknown);
            }
        }
        self.values[&root].clone()
    }

    fn unknown(&self, arguments: &[TermId]) -> Vec<TermId> {
        let unknown = arguments.iter().filter(|it| !self.values.contains_key(it));
        unknown.copied().collect()
    }

    /// The values of a term whose arguments were looked at.
    fn compute(&self, terms: &Terms, term: TermId) -> Option<Rc<BTreeSet<u128>>> {
        let width = terms.width(term);
        let anything = || (width == 1).then(|| Rc::new(BTreeSet::from([0, 1])));
        let found = match terms.term(term) {
            Term::Constant(bits) => Some(BTreeSet::from([bits])),
            Term::Variable(_) => return self.variables.get(&term).cloned().or_else(anything),
            Term::Apply(Operation::IfThenElse, arguments) => {
                let both = (&self.values[&arguments[1]], &self.values[&arguments[2]]);
                let (Some(one), Some(other)) = both else {
                    return anything();
                };
                Some(one.union(other).copied().collect())
            }
            Term::Apply(operation, arguments) => self.combined(terms, operation, width, arguments),
        };
        match found {
            Some(found) if found.len() <= 2 * MOST_ADDRESSES => Some(Rc::new(found)),
            Some(_) | None => anything(),
        }
    }

    /// All that an operation gives for the values of its arguments.
    fn combined(
        &self,
        terms: &Terms,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> Option<BTreeSet<u128>> {
        let mut tuples: Vec<Vec<BitVector>> = vec![Vec::new()];
        for argument in arguments {
            let values = self.values[argument].as_ref()?;
            if tuples.len() * values.len() > MOST_COMBINATIONS {
                return None;
            }
            let width = terms.width(*argument);
            tuples = tuples
                .iter()
                .flat_map(|tuple| {
                    values.iter().map(move |bits| {
                        let mut longer = tuple.clone();
                        longer.push(BitVector { bits: *bits, width });
                        longer
                    })
                })
                .collect();
        }
        let results = tuples
            .iter()
            .map(|tuple| evaluate_operation(operation, width, tuple));
        Some(results.collect())
    }
}
