//! Executions are believed once they were executed.

use raddle_logic::TransitionSystem;

use crate::outcome::{Reached, Step};

/// The execution from a state with these inputs, if it begins where executions do and each step is possible, until the
/// first target.
pub(crate) fn execute<'i>(
    system: &TransitionSystem,
    begin: &[u128],
    inputs: impl IntoIterator<Item = &'i [u128]>,
) -> Option<Reached> {
    if !system.is_initial(begin) {
        return None;
    }
    let mut state = begin.to_vec();
    let mut steps = Vec::new();
    for inputs in inputs {
        let (after, reached) = system.step(&state, inputs)?;
        steps.push(Step {
            state: std::mem::replace(&mut state, after),
            inputs: inputs.to_vec(),
        });
        if let Some(target) = reached {
            return Some(Reached { target, steps });
        }
    }
    None
}
