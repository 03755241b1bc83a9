//! Terms that can have a few values only, because they choose between constants: locations of threads, pointers to one of a
//! few objects.
//!
//! For each such term the values are kept, maybe more than it can have but never less. An operation on them that can have
//! one value only is that constant: so a thread that cannot be somewhere yet is not there, and a pointer does not point at
//! an object that it was never given.

use crate::terms::{BitVector, Operation, TermId, Terms, evaluate_operation};

/// How many values are kept of a term; of more, nothing is known.
const MOST_VALUES: usize = 16;

/// How many pairs of values are tried for an operation.
const MOST_PAIRS: usize = 64;

impl Terms {
    /// The operation on these arguments, or the constant that it has to be.
    pub(in crate::terms) fn intern_valued(
        &mut self,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> TermId {
        let values = self.values_of_operation(operation, width, arguments);
        if let Some([only]) = values.as_deref() {
            return self.intern_constant(*only, width);
        }
        let term = self.intern_operation(operation, width, arguments);
        // A truth value can have both; that says nothing.
        if let Some(values) = values
            && width > 1
        {
            self.values.insert(term, values.into_boxed_slice());
        }
        term
    }

    /// All values that a term can have, if they are few.
    fn values_of(&self, term: TermId) -> Option<&[u128]> {
        match self.nodes[term].shape {
            super::Shape::Constant(constant) => {
                Some(std::slice::from_ref(&self.constants[constant]))
            }
            super::Shape::Variable(_) => None,
            super::Shape::Apply(..) => self.values.get(&term).map(AsRef::as_ref),
        }
    }

    fn values_of_operation(
        &self,
        operation: Operation,
        width: u32,
        arguments: &[TermId],
    ) -> Option<Vec<u128>> {
        let mut found: Vec<u128> = match *arguments {
            [_, then, otherwise] => {
                let otherwise = self.values_of(otherwise)?;
                [self.values_of(then)?, otherwise].concat()
            }
            [only] => {
                let inner = self.width(only);
                let values = self.values_of(only)?.iter();
                values
                    .map(|&bits| {
                        evaluate_operation(operation, width, &[BitVector { bits, width: inner }])
                    })
                    .collect()
            }
            [left, right] => {
                let widths = [left, right].map(|it| self.width(it));
                let (left, right) = (self.values_of(left)?, self.values_of(right)?);
                if left.len() * right.len() > MOST_PAIRS {
                    return None;
                }
                let pairs = left
                    .iter()
                    .flat_map(|&left| right.iter().map(move |&right| [left, right]));
                pairs
                    .map(|pair| {
                        let [first, second] = [0, 1].map(|index| BitVector {
                            bits: pair[index],
                            width: widths[index],
                        });
                        evaluate_operation(operation, width, &[first, second])
                    })
                    .collect()
            }
            _ => unreachable!("operations have one to three arguments"),
        };
        found.sort_unstable();
        found.dedup();
        (found.len() <= MOST_VALUES).then_some(found)
    }
}
