//! A SAT solver with the formulas that it was told, asked many small questions.

use raddle_base::{Budget, Exhausted, FastSet};
use raddle_logic::blast::Blaster;
use raddle_logic::clauses::Clauses;
use raddle_logic::{CaDiCal, Literal, Outcome, Sat, TermId, Terms, VariableId};

/// How many clauses that held for one question a solver carries along before it is made anew.
const MOST_TEMPORARY: usize = 1000;

/// One SAT solver. Several share the gates of one [`Blaster`].
///
/// Unlike [`raddle_logic::Solver`] it takes clauses over literals and does not check models: what follows from a model
/// here is executed, and what follows from *unsatisfiable* is certified.
pub(crate) struct Context {
    clauses: Clauses,
    sat: CaDiCal,
    temporary: usize,
    questions: u64,
}

impl Context {
    pub(crate) fn new() -> Self {
        Self {
            clauses: Clauses::new(),
            sat: CaDiCal::without_inprocessing(),
            temporary: 0,
            questions: 0,
        }
    }

    /// Whether so many temporary clauses were added that another solver is quicker.
    pub(crate) fn is_worn(&self) -> bool {
        self.temporary >= MOST_TEMPORARY
    }

    pub(crate) fn questions(&self) -> u64 {
        self.questions
    }

    /// The literals that stand for the bits of a term, lowest first.
    pub(crate) fn literals(
        &mut self,
        blaster: &mut Blaster,
        terms: &Terms,
        term: TermId,
        budget: &Budget,
    ) -> Result<Vec<Literal>, Exhausted> {
        let bits = blaster.blast(terms, term, budget)?.to_vec();
        let mut found = Vec::with_capacity(bits.len());
        for bit in bits {
            let gates = blaster.gates();
            found.push(self.clauses.literal(gates, bit, &mut self.sat, budget)?);
        }
        Ok(found)
    }

    /// The literal that stands for a truth value.
    pub(crate) fn literal(
        &mut self,
        blaster: &mut Blaster,
        terms: &Terms,
        condition: TermId,
        budget: &Budget,
    ) -> Result<Literal, Exhausted> {
        let bit = blaster.blast(terms, condition, budget)?[0];
        let gates = blaster.gates();
        self.clauses.literal(gates, bit, &mut self.sat, budget)
    }

    pub(crate) fn new_literal(&mut self) -> Literal {
        self.sat.new_variable()
    }

    pub(crate) fn add_clause(&mut self, clause: &[Literal]) {
        self.sat.add_clause(clause);
    }

    /// A clause that holds while the literal is assumed that is given back; [`Context::retire`] ends it.
    pub(crate) fn add_temporary(&mut self, clause: &[Literal]) -> Literal {
        let switch = self.sat.new_variable();
        let mut clause = clause.to_vec();
        clause.push(!switch);
        self.sat.add_clause(&clause);
        self.temporary += 1;
        switch
    }

    pub(crate) fn retire(&mut self, switch: Literal) {
        self.sat.add_clause(&[!switch]);
    }

    /// Whether the clauses and these literals can hold together.
    pub(crate) fn is_satisfiable(
        &mut self,
        assumed: &[Literal],
        budget: &Budget,
    ) -> Result<bool, Exhausted> {
        self.questions += 1;
        match self.sat.solve(assumed, budget) {
            Outcome::Satisfiable => Ok(true),
            Outcome::Unsatisfiable => Ok(false),
            Outcome::Interrupted(exhausted) => Err(exhausted),
        }
    }

    /// What was assumed and could not hold together.
    pub(crate) fn failed(&mut self) -> FastSet<Literal> {
        self.sat.failed_assumptions().into_iter().collect()
    }

    /// Whether a literal is true in the model.
    pub(crate) fn holds(&mut self, literal: Literal) -> bool {
        self.sat.value(literal).unwrap_or(false)
    }

    /// The value of a variable in the model; what the solver was never told of is zero.
    pub(crate) fn value(&mut self, blaster: &Blaster, terms: &Terms, variable: VariableId) -> u128 {
        let term = terms.variable_term(variable);
        let Some(bits) = blaster.known_bits(terms, term) else {
            return 0;
        };
        let mut value = 0;
        for (index, &bit) in bits.iter().enumerate() {
            let literal = self.clauses.known_literal(bit);
            let is_set = literal.is_some_and(|it| self.holds(it));
            value |= u128::from(is_set) << index;
        }
        value
    }
}
