//! The conditions of dynamic movers: what they promise holds in every state of small programs, and on the programs about
//! side conditions, each one left out hides a failing assertion.

use std::collections::BTreeSet;

use raddle_engine::{Budget, Property, Reduction, Semantics, Silent, Task, Verdict};
use raddle_engine_explicit::{ExplicitEngine, Flaw};
use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Outcome, State, Step, Successor};
use raddle_reduce::dynamic::{Clause, DynamicMovers, Present, Strength};
use raddle_tasks::header::Truth;
use raddle_testkit::{run, walk};

/// The programs in which an assertion fails, with their names.
fn failing_programs() -> Vec<(String, Program)> {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    programs
        .into_iter()
        .filter(|test| test.name.contains("tests/rad/dynamic"))
        .filter_map(|test| {
            let header = test.header().expect("it has a header");
            let fails = header.truth.get(&Property::Assert) == Some(&Truth::Unsafe);
            fails.then(|| {
                let program = run::load(&test.source, &header).expect("it is a program");
                (test.name, program)
            })
        })
        .collect()
}

/// Whether the engine does not see that an assertion fails.
fn is_missed(program: &Program, clause: Option<Clause>) -> bool {
    let mut engine = ExplicitEngine {
        flaw: Flaw {
            clause,
            ..Flaw::default()
        },
        ..ExplicitEngine::new(Reduction::Dynamic)
    };
    let task = Task::new(
        program,
        Semantics {
            properties: vec![Property::Assert],
            ..Semantics::default()
        },
    );
    let answer = raddle_engine::decide(&mut engine, &task, &Budget::unlimited(), &mut Silent);
    !matches!(answer.verdicts[&Property::Assert], Verdict::Unsafe(_))
}

#[test]
fn every_side_condition_is_needed_for_some_program() {
    let programs = failing_programs();
    assert!(programs.len() >= 20, "only {} programs", programs.len());
    for (name, program) in &programs {
        assert!(!is_missed(program, None), "{name}: nobody sees it");
    }
    let mut missing = Vec::new();
    for clause in Clause::ALL {
        let fooled: Vec<&str> = programs
            .iter()
            .filter(|(_, program)| is_missed(program, Some(clause)))
            .map(|(name, _)| name.as_str())
            .collect();
        println!("{clause:?}: {fooled:?}");
        if fooled.is_empty() {
            missing.push(clause);
        }
    }
    assert!(missing.is_empty(), "nothing needs {missing:?}");
}

/// More states of one program than this are not looked at.
const MOST_STATES: usize = 1_500;

/// Whether the step moves from this state on.
fn moves(
    movers: &DynamicMovers<'_>,
    interpreter: &Interpreter<'_>,
    state: &State,
    step: &Step,
) -> bool {
    let [part] = step.parts.as_slice() else {
        return false;
    };
    let mut present = Present {
        interpreter,
        state,
        thread: step.thread,
    };
    let frame = present.running().expect("who takes a step runs");
    movers.condition(&mut present, &frame, (part.function, part.edge))
}

/// The state that a step leads to, if it leads to one.
fn next(interpreter: &Interpreter<'_>, state: &State, step: &Step) -> Option<State> {
    match interpreter.take(state, step)?.outcome {
        Outcome::Next(next) => Some(next),
        Outcome::Stopped(_) => None,
    }
}

/// How many pairs of steps a condition promised something about, and which promises were broken (D1, D2).
fn promises(program: &Program, strength: Strength) -> (usize, Vec<String>) {
    let movers = DynamicMovers::new(program, strength);
    let interpreter = raddle_stepper::definition(program, Semantics::default());
    let mut open = interpreter.initial_states().unwrap_or_default();
    let mut seen: BTreeSet<State> = open.iter().cloned().collect();
    let (mut count, mut broken) = (0, Vec::new());
    while let Some(state) = open.pop() {
        let successors: Vec<Successor> = interpreter.successors(&state);
        for mine in &successors {
            let Outcome::Next(after) = &mine.outcome else {
                continue;
            };
            let moves_here = moves(&movers, &interpreter, &state, &mine.step);
            for its in successors
                .iter()
                .filter(|it| it.step.thread != mine.step.thread)
            {
                let Outcome::Next(other) = &its.outcome else {
                    continue;
                };
                // Who has ended the process has the last word.
                if !moves_here || other.has_ended {
                    continue;
                }
                count += 1;
                if !moves(&movers, &interpreter, other, &mine.step) {
                    broken.push(format!(
                        "{:?} ends the condition of {:?}",
                        its.step, mine.step
                    ));
                }
                let one = next(&interpreter, after, &its.step);
                let two = next(&interpreter, other, &mine.step);
                if one.is_none() || one != two {
                    broken.push(format!("{:?} and {:?} do not commute", mine.step, its.step));
                }
            }
            if seen.len() < MOST_STATES && seen.insert(after.clone()) {
                open.push(after.clone());
            }
        }
    }
    (count, broken)
}

#[test]
fn what_a_condition_promises_holds_in_every_state() {
    let mut programs = failing_programs();
    programs
        .extend((1..200).map(|seed| (format!("seed {seed}"), generate(seed, &Profile::default()))));
    for strength in [Strength::Phase, Strength::Dynamic] {
        let mut count = 0;
        for (name, program) in &programs {
            let (looked_at, broken) = promises(program, strength);
            assert!(broken.is_empty(), "{name}: {}", broken.join("\n"));
            count += looked_at;
        }
        println!("{strength:?}: {count} pairs of steps");
        assert!(count > 1_000, "conditions hardly ever hold: {count}");
    }
}
