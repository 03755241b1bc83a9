//! The interpreter has an answer to every program that keeps the rules, however little sense it makes.

mod wild;

use std::collections::{BTreeSet, VecDeque};

use raddle_ir::interpret::{Outcome, Semantics, State};
use raddle_ir::{Action, Program, validate};

fn explore(program: &Program, limit: usize) {
    let semantics = Semantics {
        max_choices: 16,
        ..Semantics::default()
    };
    let interpreter = raddle_stepper::definition(program, semantics);
    let Ok(start) = interpreter.initial_states() else {
        return;
    };
    let mut seen: BTreeSet<State> = start.iter().take(4).cloned().collect();
    let mut queue: VecDeque<State> = seen.iter().cloned().collect();
    while let Some(state) = queue.pop_front() {
        let successors = interpreter.successors(&state);
        interpreter.judge_with(&state, &successors);
        for successor in successors.into_iter().take(8) {
            if let Outcome::Next(next) = successor.outcome
                && seen.len() < limit
                && seen.insert(next.clone())
            {
                queue.push_back(next);
            }
        }
    }
}

#[test]
fn programs_that_make_no_sense_can_be_run() {
    for seed in 0..5000 {
        let mut draft = wild::wild(seed);
        // Recursion inside an atomic section goes on until a large limit; that takes too long here.
        for edge in draft
            .functions
            .values_mut()
            .flat_map(|it| it.edges.values_mut())
        {
            if matches!(edge.action, Action::AtomicBegin { .. }) {
                edge.action = Action::skip();
            }
        }
        let program = validate(draft).expect("wild programs keep the rules");
        explore(&program, 60);
    }
}
