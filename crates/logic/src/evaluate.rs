//! What terms are worth when their variables have values.

use raddle_base::Id;

use crate::terms::{BitVector, Term, TermId, Terms, VariableId, evaluate_operation, mask};

/// Values of variables. A variable that was not given one is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    values: Vec<Option<u128>>,
}

impl Assignment {
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a variable a value; bits above its width are dropped when it is read.
    pub fn set(&mut self, variable: VariableId, bits: u128) {
        if self.values.len() <= variable.index() {
            self.values.resize(variable.index() + 1, None);
        }
        self.values[variable.index()] = Some(bits);
    }

    /// The value, if one was given.
    pub fn get(&self, variable: VariableId) -> Option<u128> {
        self.values.get(variable.index()).copied().flatten()
    }
}

/// Evaluates terms under one assignment and keeps what it computed.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    assignment: Assignment,
    values: Vec<u128>,
    is_known: Vec<bool>,
}

impl Evaluation {
    pub fn new(assignment: Assignment) -> Self {
        Self {
            assignment,
            ..Self::default()
        }
    }

    pub fn assignment(&self) -> &Assignment {
        &self.assignment
    }

    /// The value of a term, however deep. All terms have to be from one [`Terms`].
    pub fn value(&mut self, terms: &Terms, root: TermId) -> u128 {
        if self.values.len() < terms.len() {
            self.values.resize(terms.len(), 0);
            self.is_known.resize(terms.len(), false);
        }
        let Ok(()) = terms.visit_below(
            root,
            self,
            |this, term| this.is_known[term.index()],
            |this, term| {
                this.values[term.index()] = this.compute(terms, term);
                this.is_known[term.index()] = true;
                Ok::<(), std::convert::Infallible>(())
            },
        );
        self.values[root.index()]
    }

    /// Whether a truth value is true.
    pub fn holds(&mut self, terms: &Terms, condition: TermId) -> bool {
        self.value(terms, condition) == 1
    }

    /// The value of a term whose arguments are known.
    fn compute(&self, terms: &Terms, term: TermId) -> u128 {
        let width = terms.width(term);
        match terms.term(term) {
            Term::Constant(bits) => bits,
            Term::Variable(variable) => self.assignment.get(variable).unwrap_or(0) & mask(width),
            Term::Apply(operation, arguments) => {
                let mut values = [BitVector { bits: 0, width: 1 }; 3];
                for (value, &argument) in values.iter_mut().zip(arguments) {
                    *value = BitVector {
                        bits: self.values[argument.index()],
                        width: terms.width(argument),
                    };
                }
                evaluate_operation(operation, width, &values[..arguments.len()])
            }
        }
    }
}
