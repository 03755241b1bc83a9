//! An execution in place is one of those that the search knows: each of its steps is a successor, with the same output,
//! and it ends in the same way.

use std::collections::BTreeSet;

use raddle_generate::{Profile, generate};
use raddle_ir::arithmetic::split_pointer;
use raddle_ir::interpret::{Effect, Interpreter, Outcome, Semantics, State, Successor, Value};
use raddle_ir::{DataModel, Program};
use raddle_stepper::execute::{Execution, ExecutionEnd, Scheduler, Seeded};

const PROGRAMS: u64 = 2000;
const STEPS: u64 = 400;

#[test]
fn every_step_of_an_execution_is_a_successor() {
    let (mut steps, mut ends) = (0, 0);
    for seed in 0..PROGRAMS {
        let program = generate(seed, &Profile::default());
        let interpreter = raddle_stepper::definition(&program, Semantics::default());
        let Ok(states) = interpreter.initial_states() else {
            continue;
        };
        let mut scheduler = Seeded::new(seed);
        let chosen = scheduler.choose(states.len());
        if let Some(taken) = compare(&program, &interpreter, &states[chosen], &mut scheduler) {
            ends += 1;
            steps += taken;
        }
    }
    assert!(ends > PROGRAMS / 2, "only {ends} executions came to an end");
    assert!(steps > 5 * PROGRAMS, "only {steps} steps were compared");
}

/// Executes step by step beside the search; how many steps, or `None` if what happens depends on the names of objects.
/// Several states of the search may look like that of the execution; one of them has to go on as it does.
fn compare(
    program: &Program,
    interpreter: &Interpreter<'_>,
    start: &State,
    scheduler: &mut Seeded,
) -> Option<u64> {
    let mut quick = start.clone();
    let mut exact = BTreeSet::from([start.clone()]);
    for step in 0..STEPS {
        let mut output = Vec::new();
        let mut emit = |bytes: &[u8]| output.extend_from_slice(bytes);
        let Execution { state, end, .. } =
            raddle_stepper::execute::execute(interpreter, quick, scheduler, 1, &mut emit);
        let successors: Vec<Successor> = exact
            .iter()
            .flat_map(|it| interpreter.successors(it))
            .collect();
        let observes = |it: &Successor| it.effects.contains(&Effect::ObserveLayout);
        if successors.iter().any(observes) {
            return None;
        }
        match end {
            ExecutionEnd::StepLimit | ExecutionEnd::Ended(_) => {
                let found: Vec<Successor> = successors
                    .into_iter()
                    .filter(|it| output_of(it) == output && leads_to(program, it, &state))
                    .collect();
                assert!(
                    !found.is_empty(),
                    "step {step} leads to no successor: {state:?}\n{}",
                    raddle_ir::print::print(program)
                );
                if let ExecutionEnd::Ended(ending) = end {
                    let ends_so = |it: &Successor| it.effects.contains(&Effect::End { ending });
                    assert!(found.iter().any(ends_so));
                    return Some(step);
                }
                let next = found.into_iter().filter_map(|it| match it.outcome {
                    Outcome::Next(next) => Some(next),
                    Outcome::Stopped(_) => None,
                });
                (quick, exact) = (state, next.take(16).collect());
            }
            ExecutionEnd::Stopped(stop) => {
                let is_known = successors.iter().any(|successor| {
                    matches!(&successor.outcome, Outcome::Stopped(other)
                        if std::mem::discriminant(other) == std::mem::discriminant(&stop))
                });
                assert!(is_known, "step {step} stops: {stop:?}");
                return Some(step);
            }
            ExecutionEnd::Blocked => {
                assert!(
                    exact
                        .iter()
                        .any(|it| !it.is_over() && interpreter.successors(it).is_empty())
                );
                return Some(step);
            }
            ExecutionEnd::ThreadsEnded(_) => {
                assert!(exact.iter().any(State::is_over), "step {step}");
                return Some(step);
            }
        }
    }
    None
}

fn output_of(successor: &Successor) -> Vec<u8> {
    let emitted = successor.effects.iter().filter_map(|effect| match effect {
        Effect::Emit { bytes } => Some(bytes.clone()),
        _ => None,
    });
    emitted.collect::<Vec<_>>().concat()
}

/// Whether a successor's state is the same, up to the names of objects and to dead ones that were not forgotten.
fn leads_to(program: &Program, successor: &Successor, state: &State) -> bool {
    let Outcome::Next(next) = &successor.outcome else {
        return false;
    };
    let live = |state: &State| {
        let objects = state.objects.values().filter(|it| it.is_live);
        let mut sizes: Vec<(usize, usize)> =
            objects.map(|it| (it.bytes.len(), it.syncs.len())).collect();
        sizes.sort_unstable();
        sizes
    };
    next.has_ended == state.has_ended
        && live(next) == live(state)
        && next.threads.len() == state.threads.len()
        && next.threads.iter().zip(&state.threads).all(|(one, other)| {
            one.0 == other.0
                && one.1.woken.is_some() == other.1.woken.is_some()
                && one.1.frames.len() == other.1.frames.len()
                && one
                    .1
                    .frames
                    .iter()
                    .zip(&other.1.frames)
                    .all(|(one, other)| {
                        one.function == other.function
                            && one.location == other.location
                            && one
                                .registers
                                .iter()
                                .zip(&other.registers)
                                .all(|(one, other)| is_same(program.model, *one, *other))
                    })
        })
}

/// Whether two values are equal, or both look like names of objects that were made on the way.
fn is_same(model: DataModel, one: Value, other: Value) -> bool {
    let is_name = |value: Value| match value {
        Value::Bits(bits) => model.is_made(split_pointer(bits, model).0),
        Value::Undefined => false,
    };
    one == other || is_name(one) && is_name(other)
}
