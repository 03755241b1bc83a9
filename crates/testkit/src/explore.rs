//! Looks at the reachable states of a small program, for tests that ask about more than verdicts.

use std::collections::{BTreeSet, HashSet, VecDeque};

use raddle_ir::interpret::{Interpreter, Outcome, Semantics, State, Successor};
use raddle_ir::{EdgeId, FunctionId, Program};

/// Calls `visit` on reachable states with their successors, breadth first, until there are none left or `limit`
/// states have been seen. Whether all were visited.
pub fn explore(
    program: &Program,
    limit: usize,
    visit: impl FnMut(&Interpreter<'_>, &State, &[Successor]),
) -> bool {
    let interpreter = raddle_stepper::definition(program, Semantics::default());
    let initial = interpreter.initial_states().unwrap_or_default();
    explore_from(&interpreter, initial, limit, visit)
}

/// The same from some states, by an interpreter that may be asked for less.
pub fn explore_from(
    interpreter: &Interpreter<'_>,
    initial: Vec<State>,
    limit: usize,
    mut visit: impl FnMut(&Interpreter<'_>, &State, &[Successor]),
) -> bool {
    let mut seen: HashSet<State> = initial.iter().cloned().collect();
    let mut frontier: VecDeque<State> = initial.into();
    let mut visited = 0;
    while let Some(state) = frontier.pop_front() {
        if visited == limit {
            return false;
        }
        visited += 1;
        let successors = interpreter.successors(&state);
        visit(interpreter, &state, &successors);
        for successor in successors {
            if let Outcome::Next(next) = successor.outcome
                && !seen.contains(&next)
            {
                seen.insert(next.clone());
                frontier.push_back(next);
            }
        }
    }
    true
}

/// The edges that some step took, among the first `limit` states.
pub fn executed_edges(program: &Program, limit: usize) -> BTreeSet<(FunctionId, EdgeId)> {
    let mut executed = BTreeSet::new();
    explore(program, limit, |_, _, successors| {
        for part in successors.iter().flat_map(|it| &it.step.parts) {
            executed.insert((part.function, part.edge));
        }
    });
    executed
}

/// The numbers of the predicates of exclusive access that held for some thread in some of the first `limit` states.
pub fn evaluated_exclusives(program: &Program, limit: usize) -> BTreeSet<usize> {
    let mut evaluated = BTreeSet::new();
    if program.exclusives.is_empty() {
        return evaluated;
    }
    explore(program, limit, |interpreter, state, _| {
        for (number, exclusive) in program.exclusives.iter().enumerate() {
            let count = exclusive.elements.as_ref().map_or(1, |it| it.count);
            let holds = |index| {
                state.threads.keys().any(|&thread| {
                    interpreter.has_exclusive_access(state, exclusive, index, thread) == Some(true)
                })
            };
            if (0..count).any(holds) {
                evaluated.insert(number);
            }
        }
    });
    evaluated
}
