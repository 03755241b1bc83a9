//! Induction over several steps: a target that is not reached within some steps is not reached by the next.
//!
//! # Source
//!
//! \[Sheeran00\], without the demand that the states of a path differ.
//!
//! # Definitions
//!
//! *Depth* `k`: no execution reaches a target within its first `k` steps, and none does with a step that follows `k - 1`
//! that reached none, from any state in which the *lemmas* hold.
//!
//! # Invariants
//!
//! The lemmas hold where executions begin and are kept by every step: whoever calls has shown it, and the check of the
//! certificate asks again.
//!
//! # Deviations
//!
//! Not complete: paths may go round in circles outside the reachable states. A proof is a certificate that others check.
//!
//! # Tested by
//!
//! `tests/random_systems.rs`.

use raddle_base::Budget;
use raddle_logic::{Answer, CaDiCal, Certificate, Solver, TermId, TransitionSystem};

use crate::execute::execute;
use crate::outcome::{GaveUp, Outcome};
use crate::unroll::Unrolling;

/// Induction of increasing depth, and the shortest execution on the way if there is one. The lemmas have to be inductive
/// together.
pub fn induction(
    system: &mut TransitionSystem,
    lemmas: &[TermId],
    deepest: usize,
    budget: &Budget,
) -> Outcome {
    let result = Induction::new(system, lemmas, budget).run(deepest);
    result.unwrap_or_else(Outcome::GaveUp)
}

struct Induction<'a> {
    system: &'a mut TransitionSystem,
    lemmas: &'a [TermId],
    budget: &'a Budget,
    unrolling: Unrolling,
    violation: TermId,
    /// Executions from where they begin.
    base: Solver<CaDiCal>,
    /// Executions from anywhere.
    step: Solver<CaDiCal>,
}

impl<'a> Induction<'a> {
    fn new(system: &'a mut TransitionSystem, lemmas: &'a [TermId], budget: &'a Budget) -> Self {
        let conditions: Vec<TermId> = system.targets.iter().map(|it| it.condition).collect();
        let violation = system.terms.any(&conditions);
        Self {
            system,
            lemmas,
            budget,
            unrolling: Unrolling::new(),
            violation,
            base: Solver::with(CaDiCal::without_inprocessing()),
            step: Solver::with(CaDiCal::without_inprocessing()),
        }
    }

    fn run(&mut self, deepest: usize) -> Result<Outcome, GaveUp> {
        let begins = self.unrolling.at(self.system, 0, self.system.initial);
        self.base.assert(&self.system.terms, begins);
        for point in 0..deepest {
            self.go_to(point);
            let violated = self.unrolling.at(self.system, point, self.violation);
            let terms = &self.system.terms;
            match self.base.check(terms, &[violated], self.budget)? {
                Answer::Interrupted(exhausted) => return Err(exhausted.into()),
                Answer::Unsatisfiable(_) => {}
                Answer::Satisfiable(mut model) => {
                    let steps: Vec<_> = (0..=point)
                        .map(|it| self.unrolling.step(self.system, it, &mut model))
                        .collect();
                    let inputs = steps.iter().map(|it| &it.inputs[..]);
                    return execute(self.system, &steps[0].state, inputs)
                        .map(Outcome::Reached)
                        .ok_or(GaveUp::Contradiction("a model is no execution"));
                }
            }
            let terms = &self.system.terms;
            match self.step.check(terms, &[violated], self.budget)? {
                Answer::Interrupted(exhausted) => return Err(exhausted.into()),
                Answer::Satisfiable(_) => {}
                Answer::Unsatisfiable(_) => {
                    return Ok(Outcome::Proved(Certificate {
                        invariant: self.lemmas.to_vec(),
                        depth: point + 1,
                    }));
                }
            }
        }
        Err(GaveUp::DepthReached(deepest))
    }

    /// Lets both solvers know of one step more, and that the one before it was harmless.
    fn go_to(&mut self, point: usize) {
        let mut facts = Vec::new();
        if let Some(before) = point.checked_sub(1) {
            let violated = self.unrolling.at(self.system, before, self.violation);
            facts.push(self.system.terms.not(violated));
            facts.push(self.unrolling.leads_on(self.system, before));
        }
        for condition in self.lemmas.iter().copied().chain([self.system.constraint]) {
            facts.push(self.unrolling.at(self.system, point, condition));
        }
        for fact in facts {
            self.base.assert(&self.system.terms, fact);
            self.step.assert(&self.system.terms, fact);
        }
    }
}
