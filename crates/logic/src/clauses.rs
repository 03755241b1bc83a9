//! From gates to clauses. A gate gets a variable of the SAT solver, and the clauses that define it, when it is first asked for.

use raddle_base::{Budget, Exhausted, Id};

use crate::gates::{Bit, Gate, GateId, Gates};
use crate::sat::{Literal, Sat};

/// How many gates are encoded between two looks at the budget.
const GATES_BETWEEN_CHECKS: usize = 4096;

/// The longest clause that a disjunction is written as.
const LONGEST_CLAUSE: usize = 64;

/// Which gates one SAT solver knows.
#[derive(Default)]
pub struct Clauses {
    literals: Vec<Option<Literal>>,
    variables: usize,
    added: usize,
}

impl Clauses {
    pub fn new() -> Self {
        Self::default()
    }

    /// How many variables the solver was given.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many clauses the solver was given.
    pub fn clauses(&self) -> usize {
        self.added
    }

    /// The literal of a bit, if its gate is known to the solver.
    pub fn known_literal(&self, bit: Bit) -> Option<Literal> {
        let literal = (*self.literals.get(bit.gate().index())?)?;
        Some(signed(literal, bit))
    }

    /// The literal that stands for a bit in all models.
    pub fn literal(
        &mut self,
        gates: &Gates,
        bit: Bit,
        sat: &mut impl Sat,
        budget: &Budget,
    ) -> Result<Literal, Exhausted> {
        if self.literals.len() < gates.len() {
            self.literals.resize(gates.len(), None);
        }
        let mut pending = vec![bit.gate()];
        while let Some(&gate) = pending.last() {
            if self.literals[gate.index()].is_some() {
                pending.pop();
                continue;
            }
            let before = pending.len();
            for input in gates.gate(gate).inputs() {
                if self.literals[input.gate().index()].is_none() {
                    pending.push(input.gate());
                }
            }
            if pending.len() == before {
                pending.pop();
                if self.variables.is_multiple_of(GATES_BETWEEN_CHECKS) {
                    budget.check()?;
                }
                self.define(gates, gate, sat);
            }
        }
        Ok(self
            .known_literal(bit)
            .expect("the gate was just made known"))
    }

    /// Makes a bit true in all models from now on. Conjunctions and disjunctions at the top need no variables of their own.
    pub fn assert(
        &mut self,
        gates: &Gates,
        bit: Bit,
        sat: &mut impl Sat,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        let mut pending = vec![bit];
        while let Some(bit) = pending.pop() {
            match gates.gate(bit.gate()) {
                Gate::And(a, b) if !bit.is_negated() => pending.extend([b, a]),
                Gate::False
                | Gate::Input
                | Gate::And(..)
                | Gate::Xor(..)
                | Gate::Choice(..)
                | Gate::Majority(..) => {
                    let mut clause = Vec::new();
                    for alternative in alternatives(gates, bit) {
                        clause.push(self.literal(gates, alternative, sat, budget)?);
                    }
                    self.add(sat, &clause);
                }
            }
        }
        Ok(())
    }

    pub(crate) fn add(&mut self, sat: &mut impl Sat, clause: &[Literal]) {
        self.added += 1;
        sat.add_clause(clause);
    }

    /// Gives a gate whose inputs are known a variable and its clauses.
    fn define(&mut self, gates: &Gates, gate: GateId, sat: &mut impl Sat) {
        let output = sat.new_variable();
        self.variables += 1;
        let known = |bit| {
            self.known_literal(bit)
                .expect("inputs are made known before")
        };
        match gates.gate(gate) {
            Gate::False => self.add(sat, &[!output]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let (a, b) = (known(a), known(b));
                self.add(sat, &[!output, a]);
                self.add(sat, &[!output, b]);
                self.add(sat, &[output, !a, !b]);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (known(a), known(b));
                self.add(sat, &[!output, a, b]);
                self.add(sat, &[!output, !a, !b]);
                self.add(sat, &[output, !a, b]);
                self.add(sat, &[output, a, !b]);
            }
            Gate::Choice(condition, then, otherwise) => {
                let (condition, then, otherwise) =
                    (known(condition), known(then), known(otherwise));
                self.add(sat, &[!condition, !then, output]);
                self.add(sat, &[!condition, then, !output]);
                self.add(sat, &[condition, !otherwise, output]);
                self.add(sat, &[condition, otherwise, !output]);
                // These two follow from the others, and let the solver see what does not depend on the condition.
                self.add(sat, &[!then, !otherwise, output]);
                self.add(sat, &[then, otherwise, !output]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (known(a), known(b), known(c));
                for (a, b) in [(a, b), (a, c), (b, c)] {
                    self.add(sat, &[!a, !b, output]);
                    self.add(sat, &[a, b, !output]);
                }
            }
        }
        self.literals[gate.index()] = Some(output);
    }
}

fn signed(literal: Literal, bit: Bit) -> Literal {
    if bit.is_negated() { !literal } else { literal }
}

/// Bits of which one is true just if `bit` is: a negated conjunction is a disjunction of negations.
fn alternatives(gates: &Gates, bit: Bit) -> Vec<Bit> {
    let mut pending = vec![bit];
    let mut found = Vec::new();
    while let Some(bit) = pending.pop() {
        match gates.gate(bit.gate()) {
            Gate::And(a, b) if bit.is_negated() && found.len() + pending.len() < LONGEST_CLAUSE => {
                pending.extend([!b, !a]);
            }
            Gate::False
            | Gate::Input
            | Gate::And(..)
            | Gate::Xor(..)
            | Gate::Choice(..)
            | Gate::Majority(..) => found.push(bit),
        }
    }
    found
}
