//! A finite transition system over terms: what engines that begin in any state work on. Knows no programs.
//!
//! A state gives every state variable a value, a step also gives every input one. A step is possible where the
//! constraint holds; then each state variable becomes what its next term is worth. A target is reached by a possible
//! step in which its condition holds, whatever the step leads to: the step is the violation.

use raddle_base::{Id, define_id};

use crate::evaluate::{Assignment, Evaluation};
use crate::terms::{TermId, Terms, VariableId};

define_id!(
    /// A state variable of one [`TransitionSystem`].
    StateVariableId, "s"
);

define_id!(
    /// A target of one [`TransitionSystem`].
    TargetId, "g"
);

/// One variable of the state.
#[derive(Clone, Debug)]
pub struct StateVariable {
    /// The variable among the terms.
    pub variable: VariableId,
    /// The term that is the variable.
    pub current: TermId,
    /// Over state variables and inputs: what it is after a step.
    pub next: TermId,
}

/// Something that must not happen, or that nothing is known about once it has.
#[derive(Clone, Debug)]
pub struct Target {
    pub name: String,
    /// Over state variables and inputs, of width 1.
    pub condition: TermId,
}

/// Why no execution of a system reaches a target, for whoever wants to check it.
///
/// Every conjunct of the invariant holds where executions begin and is kept by every possible step. From where it holds,
/// no step reaches a target if the `depth - 1` steps before it reached none; and no execution reaches one in its first
/// `depth - 1` steps. With depth 1 the invariant alone excludes the targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// Over state variables, of width 1.
    pub invariant: Vec<TermId>,
    /// At least 1.
    pub depth: usize,
}

/// A finite transition system. Whoever makes one sees to it that conditions have width 1, that `initial` has state
/// variables only, and that everything else has state variables and inputs only: [`TransitionSystem::broken_rule`].
pub struct TransitionSystem {
    pub terms: Terms,
    pub state: Vec<StateVariable>,
    pub inputs: Vec<VariableId>,
    /// The states in which executions begin.
    pub initial: TermId,
    /// The steps that are possible.
    pub constraint: TermId,
    pub targets: Vec<Target>,
}

impl TransitionSystem {
    /// Which rule of a transition system this one breaks, if any. For tests and for whoever reads one from a file.
    pub fn broken_rule(&self) -> Option<String> {
        let of_state: Vec<VariableId> = self.state.iter().map(|it| it.variable).collect();
        let of_step: Vec<VariableId> = of_state.iter().chain(&self.inputs).copied().collect();
        if let Some(twice) = first_repeated(&of_step) {
            let name = self.terms.variable_name(twice);
            return Some(format!("`{name}` is listed twice"));
        }
        for it in &self.state {
            let name = self.terms.variable_name(it.variable);
            if self.terms.as_variable(it.current) != Some(it.variable) {
                return Some(format!("`{name}` is not its own current term"));
            }
            if self.terms.width(it.next) != self.terms.width(it.current) {
                return Some(format!("`{name}` changes its width"));
            }
            if let Some(foreign) = self.foreign(it.next, &of_step) {
                return Some(format!("what `{name}` becomes depends on `{foreign}`"));
            }
        }
        let conditions = std::iter::once(("the initial condition", self.initial, &of_state))
            .chain([("the constraint", self.constraint, &of_step)])
            .chain(
                self.targets
                    .iter()
                    .map(|target| (target.name.as_str(), target.condition, &of_step)),
            );
        for (name, condition, allowed) in conditions {
            if self.terms.width(condition) != 1 {
                return Some(format!("{name} is no truth value"));
            }
            if let Some(foreign) = self.foreign(condition, allowed) {
                return Some(format!("{name} depends on `{foreign}`"));
            }
        }
        None
    }

    /// A variable below `root` that is not allowed there.
    fn foreign(&self, root: TermId, allowed: &[VariableId]) -> Option<&str> {
        self.terms
            .below(&[root])
            .into_iter()
            .filter_map(|term| self.terms.as_variable(term))
            .find(|variable| !allowed.contains(variable))
            .map(|variable| self.terms.variable_name(variable))
    }

    /// The bits of a state together.
    pub fn state_bits(&self) -> u32 {
        self.state
            .iter()
            .map(|it| self.terms.width(it.current))
            .sum()
    }

    /// The state after one step from `state` with `inputs`, and the first target that the step reaches; nothing if the
    /// step is not possible.
    pub fn step(&self, state: &[u128], inputs: &[u128]) -> Option<(Vec<u128>, Option<TargetId>)> {
        let mut assignment = self.assignment(state);
        for (&variable, &value) in self.inputs.iter().zip(inputs) {
            assignment.set(variable, value);
        }
        let mut evaluation = Evaluation::new(assignment);
        if evaluation.value(&self.terms, self.constraint) == 0 {
            return None;
        }
        let reached = self
            .targets
            .iter()
            .position(|target| evaluation.value(&self.terms, target.condition) == 1)
            .map(TargetId::from_index);
        let after = self
            .state
            .iter()
            .map(|it| evaluation.value(&self.terms, it.next))
            .collect();
        Some((after, reached))
    }

    /// Whether executions may begin in this state.
    pub fn is_initial(&self, state: &[u128]) -> bool {
        Evaluation::new(self.assignment(state)).value(&self.terms, self.initial) == 1
    }

    /// The state as values of the variables.
    pub fn assignment(&self, state: &[u128]) -> Assignment {
        let mut assignment = Assignment::new();
        for (it, &value) in self.state.iter().zip(state) {
            assignment.set(it.variable, value);
        }
        assignment
    }
}

fn first_repeated(variables: &[VariableId]) -> Option<VariableId> {
    let mut sorted = variables.to_vec();
    sorted.sort_unstable();
    sorted
        .windows(2)
        .find(|pair| pair[0] == pair[1])
        .map(|pair| pair[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter of two bits that an input lets go on; it must not come to three.
    fn counter() -> TransitionSystem {
        let mut terms = Terms::new();
        let count = terms.variable("count", 2);
        let goes_on = terms.variable("goes on", 1);
        let (zero, one, two) = (
            terms.constant(0, 2),
            terms.constant(1, 2),
            terms.constant(2, 2),
        );
        let more = terms.add(count, one);
        let next = terms.if_then_else(goes_on, more, count);
        let initial = terms.equal(count, zero);
        let is_two = terms.equal(count, two);
        let condition = terms.and(is_two, goes_on);
        let constraint = terms.truth(true);
        TransitionSystem {
            state: vec![StateVariable {
                variable: terms.as_variable(count).expect("it is one"),
                current: count,
                next,
            }],
            inputs: vec![terms.as_variable(goes_on).expect("it is one")],
            initial,
            constraint,
            targets: vec![Target {
                name: "three".to_owned(),
                condition,
            }],
            terms,
        }
    }

    #[test]
    fn a_step_leads_on_and_tells_the_target() {
        let system = counter();
        assert_eq!(system.broken_rule(), None);
        assert_eq!(system.state_bits(), 2);
        assert!(system.is_initial(&[0]) && !system.is_initial(&[1]));
        assert_eq!(system.step(&[1], &[1]), Some((vec![2], None)));
        assert_eq!(
            system.step(&[2], &[1]),
            Some((vec![3], Some(TargetId::from_index(0))))
        );
        assert_eq!(system.step(&[2], &[0]), Some((vec![2], None)));
    }

    #[test]
    fn a_system_that_begins_by_an_input_is_refused() {
        let mut system = counter();
        system.initial = system.terms.variable_term(system.inputs[0]);
        assert_eq!(
            system.broken_rule().as_deref(),
            Some("the initial condition depends on `goes on`")
        );
    }
}
