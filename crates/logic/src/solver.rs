//! Answers about terms: what was asserted, with what is assumed for one question, can it hold?
//!
//! A model of the SAT solver is not believed: the values of the variables are put into every asserted and assumed term,
//! and each has to come out true. So a mistake of the translation or of the solver can cost an answer, but never make a
//! wrong *satisfiable*. For *unsatisfiable* the translation and the solver are trusted.

use std::fmt;

use raddle_base::{Budget, Exhausted, FastSet};

use crate::blast::Blaster;
use crate::cadical::CaDiCal;
use crate::clauses::Clauses;
use crate::evaluate::{Assignment, Evaluation};
use crate::gates::Bit;
use crate::sat::{Literal, Outcome, Sat};
use crate::smt;
use crate::terms::{TermId, Terms, VariableId};

/// Asserts and asks, about the terms of one [`Terms`], again and again.
pub struct Solver<S = CaDiCal> {
    sat: S,
    blaster: Blaster,
    clauses: Clauses,
    /// Which terms these are; set by the first use.
    identity: Option<u64>,
    asserted: Vec<TermId>,
    /// How many of the asserted terms the SAT solver knows.
    encoded: usize,
    /// Terms that are the same where a condition holds, and how many of them the SAT solver knows.
    same: Vec<Same>,
    encoded_same: usize,
    calls: usize,
}

/// Where the condition holds, the two terms are the same.
#[derive(Clone, Copy, Debug)]
struct Same {
    condition: TermId,
    left: TermId,
    right: TermId,
}

/// What the solver says.
#[derive(Clone, Debug)]
#[must_use]
pub enum Answer {
    /// With values of the variables, under which all that was asserted and assumed was found to be true.
    Satisfiable(Model),
    /// With assumed terms that cannot hold together with what was asserted; not always as few as possible.
    Unsatisfiable(Vec<TermId>),
    Interrupted(Exhausted),
}

/// Why there is no answer although nobody interrupted: a bug of ours or of the SAT solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverError {
    /// This asserted or assumed term is false under the model that was found.
    ModelRefuted { term: TermId },
}

impl std::error::Error for SolverError {}

impl fmt::Display for SolverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverError::ModelRefuted { term } => write!(
                f,
                "the model that the SAT solver found makes `{term:?}` false, which it was told is true"
            ),
        }
    }
}

/// Values of the variables, and of all terms by them. Variables that do not matter are zero.
#[derive(Clone, Debug)]
pub struct Model {
    evaluation: Evaluation,
}

impl Model {
    /// The value of any term. What is computed for it is kept.
    pub fn value(&mut self, terms: &Terms, term: TermId) -> u128 {
        self.evaluation.value(terms, term)
    }

    pub fn holds(&mut self, terms: &Terms, condition: TermId) -> bool {
        self.evaluation.holds(terms, condition)
    }

    pub fn variable(&self, variable: VariableId) -> u128 {
        self.evaluation.assignment().get(variable).unwrap_or(0)
    }
}

/// What was spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Terms that became gates.
    pub terms: usize,
    pub gates: usize,
    /// Of the SAT solver.
    pub variables: usize,
    pub clauses: usize,
    pub calls: usize,
    pub conflicts: u64,
}

impl Solver<CaDiCal> {
    pub fn new() -> Self {
        Self::with(CaDiCal::new())
    }
}

impl Default for Solver<CaDiCal> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Sat> Solver<S> {
    /// On another SAT solver, which has no clauses yet.
    pub fn with(sat: S) -> Self {
        Self {
            sat,
            blaster: Blaster::new(),
            clauses: Clauses::new(),
            identity: None,
            asserted: Vec::new(),
            encoded: 0,
            same: Vec::new(),
            encoded_same: 0,
            calls: 0,
        }
    }

    /// The SAT solver, for what it tells beyond answers.
    pub fn sat(&self) -> &S {
        &self.sat
    }

    /// From now on only models under which this truth value is true. It is translated when a question is asked.
    pub fn assert(&mut self, terms: &Terms, condition: TermId) {
        self.demand(terms, condition);
        self.asserted.push(condition);
    }

    /// From now on only models under which the two terms are the same where the condition holds: two clauses a bit, and
    /// no term or gate for it. Meant for very many of them; `asserted` and `script` do not tell them.
    pub fn assert_same(&mut self, terms: &Terms, condition: TermId, left: TermId, right: TermId) {
        self.demand(terms, condition);
        assert_eq!(
            terms.width(left),
            terms.width(right),
            "terms of different widths are never the same"
        );
        self.same.push(Same {
            condition,
            left,
            right,
        });
    }

    /// Everything asserted so far.
    pub fn asserted(&self) -> &[TermId] {
        &self.asserted
    }

    /// Can all that was asserted hold together with these truth values?
    pub fn check(
        &mut self,
        terms: &Terms,
        assumed: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, SolverError> {
        for &condition in assumed {
            self.demand(terms, condition);
        }
        self.calls += 1;
        let literals = match self.encode(terms, assumed, budget) {
            Ok(literals) => literals,
            Err(exhausted) => {
                return Ok(Answer::Interrupted(exhausted));
            }
        };
        match self.sat.solve(&literals, budget) {
            Outcome::Satisfiable => self.model(terms, assumed).map(Answer::Satisfiable),
            Outcome::Unsatisfiable => {
                let failed: FastSet<Literal> = self.sat.failed_assumptions().into_iter().collect();
                let mut core: Vec<TermId> = assumed
                    .iter()
                    .zip(&literals)
                    .filter(|(_, literal)| failed.contains(literal))
                    .map(|(&term, _)| term)
                    .collect();
                core.sort_unstable();
                core.dedup();
                Ok(Answer::Unsatisfiable(core))
            }
            Outcome::Interrupted(why) => Ok(Answer::Interrupted(why)),
        }
    }

    /// The question whether these truth values can hold, as SMT-LIB 2 text for another solver.
    pub fn script(&self, terms: &Terms, assumed: &[TermId]) -> String {
        smt::script(terms, &[&self.asserted, assumed].concat())
    }

    pub fn counters(&self) -> Counters {
        Counters {
            terms: self.blaster.translated(),
            gates: self.blaster.gates().len(),
            variables: self.clauses.variables(),
            clauses: self.clauses.clauses(),
            calls: self.calls,
            conflicts: self.sat.conflicts(),
        }
    }

    fn demand(&mut self, terms: &Terms, condition: TermId) {
        let identity = *self.identity.get_or_insert(terms.identity());
        assert_eq!(
            identity,
            terms.identity(),
            "a solver is asked about the terms of one `Terms` only"
        );
        assert_eq!(terms.width(condition), 1, "a condition is a truth value");
    }

    /// Tells the SAT solver what it does not know yet, and gives the literals of what is assumed.
    fn encode(
        &mut self,
        terms: &Terms,
        assumed: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<Literal>, Exhausted> {
        while let Some(&condition) = self.asserted.get(self.encoded) {
            let bit = self.blaster.blast(terms, condition, budget)?[0];
            let gates = self.blaster.gates();
            self.clauses.assert(gates, bit, &mut self.sat, budget)?;
            self.encoded += 1;
        }
        while let Some(&same) = self.same.get(self.encoded_same) {
            self.encode_same(terms, same, budget)?;
            self.encoded_same += 1;
        }
        let mut literals = Vec::with_capacity(assumed.len());
        for &condition in assumed {
            let bit = self.blaster.blast(terms, condition, budget)?[0];
            let gates = self.blaster.gates();
            literals.push(self.clauses.literal(gates, bit, &mut self.sat, budget)?);
        }
        Ok(literals)
    }

    fn encode_same(&mut self, terms: &Terms, same: Same, budget: &Budget) -> Result<(), Exhausted> {
        let condition = self.blaster.blast(terms, same.condition, budget)?[0];
        let left = self.blaster.blast(terms, same.left, budget)?.to_vec();
        let right = self.blaster.blast(terms, same.right, budget)?.to_vec();
        let gates = self.blaster.gates();
        let sat = &mut self.sat;
        let condition = self.clauses.literal(gates, condition, sat, budget)?;
        for (left, right) in left.into_iter().zip(right) {
            if left == right {
                continue;
            }
            let left = self.clauses.literal(gates, left, sat, budget)?;
            let right = self.clauses.literal(gates, right, sat, budget)?;
            self.clauses.add(sat, &[!condition, !left, right]);
            self.clauses.add(sat, &[!condition, left, !right]);
        }
        Ok(())
    }

    /// Reads the values of the variables and checks that they do what they should.
    fn model(&mut self, terms: &Terms, assumed: &[TermId]) -> Result<Model, SolverError> {
        let mut assignment = Assignment::new();
        for &variable in self.blaster.variables() {
            let bits = self.blaster.bits(terms, terms.variable_term(variable));
            let mut value = 0_u128;
            for (index, &bit) in bits.iter().enumerate() {
                let is_set = value_of(&self.clauses, &mut self.sat, bit);
                value |= u128::from(is_set) << index;
            }
            assignment.set(variable, value);
        }
        let mut evaluation = Evaluation::new(assignment);
        for &term in self.asserted.iter().chain(assumed) {
            if !evaluation.holds(terms, term) {
                return Err(SolverError::ModelRefuted { term });
            }
        }
        for same in &self.same {
            if evaluation.holds(terms, same.condition)
                && evaluation.value(terms, same.left) != evaluation.value(terms, same.right)
            {
                return Err(SolverError::ModelRefuted {
                    term: same.condition,
                });
            }
        }
        Ok(Model { evaluation })
    }
}

/// A bit in the model; false if the SAT solver was never told of it.
fn value_of(clauses: &Clauses, sat: &mut impl Sat, bit: Bit) -> bool {
    clauses
        .known_literal(bit)
        .and_then(|literal| sat.value(literal))
        .unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_the_same_where_the_condition_holds_and_only_there() {
        let mut terms = Terms::new();
        let [left, right] = ["left", "right"].map(|it| terms.variable(it, 8));
        let condition = terms.variable("condition", 1);
        let differ = terms.differ(left, right);
        let otherwise = terms.not(condition);
        let mut solver = Solver::new();
        solver.assert_same(&terms, condition, left, right);
        let budget = Budget::unlimited();
        let answer = solver.check(&terms, &[condition, differ], &budget);
        assert!(matches!(answer, Ok(Answer::Unsatisfiable(_))), "{answer:?}");
        for assumed in [[otherwise, differ], [condition, condition]] {
            let answer = solver.check(&terms, &assumed, &budget);
            assert!(matches!(answer, Ok(Answer::Satisfiable(_))), "{answer:?}");
        }
    }
}
