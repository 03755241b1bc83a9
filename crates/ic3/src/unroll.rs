//! Executions of a fixed number of steps as formulas: a copy of the state for each step.

use raddle_logic::{Model, Substitution, TermId, TransitionSystem};

use crate::outcome::Step;

/// The state and the inputs at one point of an execution.
struct Copy {
    state: Vec<TermId>,
    inputs: Vec<TermId>,
    /// Variables of the system become those of this copy.
    here: Substitution,
}

/// Copies, made when they are first asked for.
#[derive(Default)]
pub(crate) struct Unrolling {
    copies: Vec<Copy>,
}

impl Unrolling {
    pub(crate) fn new() -> Self {
        Self { copies: Vec::new() }
    }

    fn copy(&mut self, system: &mut TransitionSystem, at: usize) -> &mut Copy {
        while self.copies.len() <= at {
            let number = self.copies.len();
            let mut here = Substitution::new();
            let terms = &mut system.terms;
            let mut renamed = |variable| {
                let name = format!("{}@{number}", terms.variable_name(variable));
                let width = terms.width(terms.variable_term(variable));
                let term = terms.fresh_variable(&name, width);
                here.replace(terms, variable, term);
                term
            };
            let state = system.state.iter().map(|it| renamed(it.variable)).collect();
            let inputs = system.inputs.iter().map(|&it| renamed(it)).collect();
            self.copies.push(Copy {
                state,
                inputs,
                here,
            });
        }
        &mut self.copies[at]
    }

    /// A term about a state and inputs, at a point of the execution.
    pub(crate) fn at(
        &mut self,
        system: &mut TransitionSystem,
        point: usize,
        term: TermId,
    ) -> TermId {
        let copy = self.copy(system, point);
        system.terms.substitute(&mut copy.here, term)
    }

    /// Whether the state at the point after `point` is what the step there leads to.
    pub(crate) fn leads_on(&mut self, system: &mut TransitionSystem, point: usize) -> TermId {
        let all = (0..system.state.len()).map(|index| {
            let next = system.state[index].next;
            let next = self.at(system, point, next);
            let after = self.copy(system, point + 1).state[index];
            system.terms.equal(after, next)
        });
        let all: Vec<TermId> = all.collect();
        system.terms.all(&all)
    }

    /// Whether the states at two points are the same.
    pub(crate) fn same(
        &mut self,
        system: &mut TransitionSystem,
        one: usize,
        other: usize,
    ) -> TermId {
        let one = self.copy(system, one).state.clone();
        let other = self.copy(system, other).state.clone();
        let pairs = one.into_iter().zip(other);
        let all: Vec<TermId> = pairs.map(|(a, b)| system.terms.equal(a, b)).collect();
        system.terms.all(&all)
    }

    /// The state and the inputs at a point in a model.
    pub(crate) fn step(
        &mut self,
        system: &mut TransitionSystem,
        point: usize,
        model: &mut Model,
    ) -> Step {
        let copy = self.copy(system, point);
        let mut value = |&term: &TermId| model.value(&system.terms, term);
        let state = copy.state.iter().map(&mut value).collect();
        let inputs = copy.inputs.iter().map(&mut value).collect();
        Step { state, inputs }
    }
}
