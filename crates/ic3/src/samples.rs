//! States that executions at random come through.

use raddle_base::{Budget, Exhausted, Random};
use raddle_logic::{Answer, Evaluation, Solver, TransitionSystem};

/// How many executions are run, and how many steps each takes at most.
const EXECUTIONS: usize = 60;
const STEPS: usize = 120;

/// How many inputs are tried in a state before it counts as one without steps.
const TRIES: usize = 40;

/// Some reachable states, each once, in the order in which they were met. Equal seeds give equal states.
pub(crate) fn samples(
    system: &TransitionSystem,
    seed: u64,
    budget: &Budget,
) -> Result<Vec<Vec<u128>>, Exhausted> {
    let mut random = Random::new(seed);
    let Some(first) = beginning(system, budget)? else {
        return Ok(Vec::new());
    };
    let mut seen = std::collections::BTreeSet::new();
    let mut found = Vec::new();
    for _ in 0..EXECUTIONS {
        budget.check_time()?;
        let mut state = varied(system, &first, &mut random);
        for _ in 0..STEPS {
            if seen.insert(state.clone()) {
                found.push(state.clone());
            }
            let mut tries = 0..TRIES;
            let after = tries.find_map(|_| step_at_random(system, &state, &mut random));
            let Some(after) = after else { break };
            state = after;
        }
    }
    Ok(found)
}

/// A state in which executions begin, if there is one.
fn beginning(system: &TransitionSystem, budget: &Budget) -> Result<Option<Vec<u128>>, Exhausted> {
    let mut solver = Solver::new();
    solver.assert(&system.terms, system.initial);
    match solver.check(&system.terms, &[], budget) {
        Ok(Answer::Satisfiable(model)) => {
            let state = system.state.iter().map(|it| model.variable(it.variable));
            Ok(Some(state.collect()))
        }
        Ok(Answer::Interrupted(exhausted)) => Err(exhausted),
        Ok(Answer::Unsatisfiable(_)) | Err(_) => Ok(None),
    }
}

/// Another state in which executions begin, with some variables at random.
fn varied(system: &TransitionSystem, first: &[u128], random: &mut Random) -> Vec<u128> {
    let mut state = first.to_vec();
    for (index, it) in system.state.iter().enumerate() {
        let before = state[index];
        state[index] = word_at_random(system.terms.width(it.current), random);
        if !system.is_initial(&state) {
            state[index] = before;
        }
    }
    state
}

fn step_at_random(
    system: &TransitionSystem,
    state: &[u128],
    random: &mut Random,
) -> Option<Vec<u128>> {
    let mut assignment = system.assignment(state);
    for &input in &system.inputs {
        let width = system.terms.width(system.terms.variable_term(input));
        assignment.set(input, word_at_random(width, random));
    }
    let mut evaluation = Evaluation::new(assignment);
    if !evaluation.holds(&system.terms, system.constraint) {
        return None;
    }
    let mut next = |it: &raddle_logic::StateVariable| evaluation.value(&system.terms, it.next);
    Some(system.state.iter().map(&mut next).collect())
}

/// Small numbers often, others sometimes.
fn word_at_random(width: u32, random: &mut Random) -> u128 {
    let word = u128::from(random.next_number()) << 64 | u128::from(random.next_number());
    let bits = if random.chance(60) {
        width.min(3)
    } else {
        width
    };
    word & (u128::MAX >> (128 - bits))
}
