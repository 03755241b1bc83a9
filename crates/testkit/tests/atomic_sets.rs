//! Atomic sets (AS §2): what headers say of them is what the judge of traces says of many executions, and what the
//! pushdown engine says is what it says of all.

use std::fmt::Write as _;
use std::time::Duration;

use raddle_engine::{
    AbstractRole, Answer, Budget, Proof, Reason, Silent, Task, Undefined, Verdict,
};
use raddle_engine_wpds::{Limits, PushdownEngine};
use raddle_ir::Program;
use raddle_ir::interpret::serializability::judge_trace;
use raddle_ir::interpret::{Effect, Outcome, Property, Semantics, ThreadNumber};
use raddle_tasks::header::{Header, Truth};
use raddle_testkit::units::program;
use raddle_testkit::{run, walk};

const EXECUTIONS: u64 = 400;
const STEPS: usize = 2_000;

/// An execution that is chosen by the seed: mostly the same thread goes on.
fn execution(program: &Program, seed: u64) -> Vec<(ThreadNumber, Vec<Effect>)> {
    let interpreter = raddle_stepper::definition(program, Semantics::default());
    let mut state = interpreter.initial_states().unwrap_or_default().remove(0);
    let mut steps: Vec<(ThreadNumber, Vec<Effect>)> = Vec::new();
    let mut random = seed;
    let mut draw = |below: usize| {
        // Knuth's constants; the upper bits are the better ones.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap_or(0) % below
    };
    while steps.len() < STEPS {
        let successors = interpreter.successors(&state);
        let same = steps.last().and_then(|(thread, _)| {
            successors
                .iter()
                .position(|successor| successor.step.thread == *thread)
        });
        let index = match same {
            _ if successors.is_empty() => break,
            Some(same) if draw(3) != 0 => same,
            Some(_) | None => draw(successors.len()),
        };
        let successor = successors
            .into_iter()
            .nth(index)
            .expect("an index below the length");
        steps.push((successor.step.thread, successor.effects));
        match successor.outcome {
            Outcome::Next(next) => state = next,
            Outcome::Stopped(_) => break,
        }
    }
    steps
}

#[test]
fn headers_say_of_atomic_sets_what_executions_show() {
    let mut seen = [0, 0];
    for program in walk::programs(&walk::repository_root()).expect("there are programs") {
        if !program.source.contains("atomic-sets=") {
            continue;
        }
        let header = program.header().expect("headers are checked elsewhere");
        let Some(truth) = header.truth.get(&Property::AtomicSets) else {
            continue;
        };
        let loaded = run::load(&program.source, &header).expect("programs can be loaded");
        let is_broken =
            (0..EXECUTIONS).any(|seed| judge_trace(&loaded, &execution(&loaded, seed)).is_some());
        assert_eq!(*truth == Truth::Unsafe, is_broken, "{}", program.name);
        seen[usize::from(is_broken)] += 1;
    }
    assert!(seen.iter().all(|count| *count >= 4), "{seen:?}");
}

/// Whether some execution is not serializable, all of them looked at: states with the same accesses so far to the same
/// units go on alike. `None` if there are too many.
fn some_execution_is_broken(program: &Program, most: usize) -> Option<bool> {
    let interpreter = raddle_stepper::definition(program, Semantics::default());
    let start = interpreter.initial_states().ok()?.into_iter().next()?;
    let mut seen = std::collections::HashSet::new();
    let mut work = vec![(start, Vec::<(ThreadNumber, Vec<Effect>)>::new())];
    while let Some((state, steps)) = work.pop() {
        if judge_trace(program, &steps).is_some() {
            return Some(true);
        }
        for successor in interpreter.successors(&state) {
            let mut steps = steps.clone();
            let mut effects = successor.effects;
            effects.retain(|effect| {
                matches!(
                    effect,
                    Effect::Read { .. }
                        | Effect::Write { .. }
                        | Effect::UnitBegin { .. }
                        | Effect::UnitEnd { .. }
                )
            });
            if !effects.is_empty() {
                steps.push((successor.step.thread, effects));
            }
            let Outcome::Next(next) = successor.outcome else {
                continue;
            };
            if seen.insert((next.clone(), format!("{steps:?}"))) {
                work.push((next, steps));
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(false)
}

/// Proved by the abstraction, proved by search, refuted, unknown: how many of so many random programs.
fn agreeing(programs: usize, is_wide: bool) -> [u32; 4] {
    let mut seen = [0; 4];
    let (mut looked_at, mut seed) = (0, 0);
    while looked_at < programs {
        seed += 1;
        let text = program(seed, is_wide);
        let program = run::load(&text, &Header::default())
            .unwrap_or_else(|problem| panic!("seed {seed}: {problem}\n{text}"));
        let Some(truth) = some_execution_is_broken(&program, 3_000) else {
            continue;
        };
        looked_at += 1;
        let answer = asked(&program, Undefined::Excluded);
        let kind = match &answer.verdicts[&Property::AtomicSets] {
            Verdict::Safe(Proof::OverApproximation { .. } | Proof::NothingToCheck) => 0,
            Verdict::Safe(
                Proof::SearchExhausted(_)
                | Proof::SearchUpTo(_)
                | Proof::HappensBefore(_)
                | Proof::Invariant { .. },
            ) => 1,
            Verdict::Unsafe(_) => 2,
            Verdict::Unknown(reason) => {
                // The accesses of the pattern, with what leads to them.
                if let Reason::PossibleAtomicityViolation { steps, .. } = reason {
                    let marked = steps.iter().filter(|it| it.role == AbstractRole::Marked);
                    let is_shown = (3..=4).contains(&marked.count());
                    assert!(is_shown, "seed {seed} has no witness:\n{text}");
                }
                3
            }
        };
        match kind {
            0 | 1 => assert!(!truth, "seed {seed} is not safe:\n{text}"),
            2 => assert!(truth, "seed {seed} is not unsafe:\n{text}"),
            _ => {}
        }
        seen[kind] += 1;
        // What the abstraction alone says up to the first undefined thing, whether or not there is one.
        let assumed = asked(&program, Undefined::Assumed);
        if let Verdict::Safe(_) = assumed.verdicts[&Property::AtomicSets] {
            assert!(
                !truth,
                "seed {seed} is not safe, whatever is defined:\n{text}"
            );
        }
    }
    seen
}

fn asked(program: &Program, undefined: Undefined) -> Answer {
    let engine = PushdownEngine {
        undefined,
        ..PushdownEngine::default()
    };
    answered(engine, program, &Budget::unlimited())
}

fn answered(mut engine: PushdownEngine, program: &Program, budget: &Budget) -> Answer {
    let task = Task::new(
        program,
        Semantics {
            properties: vec![Property::AtomicSets],
            ..Semantics::default()
        },
    );
    raddle_engine::decide(&mut engine, &task, budget, &mut Silent)
}

#[test]
fn the_pushdown_engine_says_of_random_programs_what_all_executions_show() {
    let seen = agreeing(200, false);
    assert!(seen[0] > 40 && seen[2] > 40 && seen[3] < 10, "{seen:?}");
}

#[test]
fn what_the_abstraction_gives_up_on_is_not_called_safe_for_it() {
    let seen = agreeing(200, true);
    assert!(seen[0] > 10 && seen[2] > 40, "{seen:?}");
}

/// What the engine says of AS Listing 1.
fn listing(name: &str) -> (Program, Answer) {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("there are programs");
    let test = programs
        .into_iter()
        .find(|it| it.name.ends_with(name))
        .expect("it is among the examples");
    let header = test.header().expect("it has a header");
    let program = run::load(&test.source, &header).expect("it is a program");
    let answer = asked(&program, Undefined::Excluded);
    (program, answer)
}

#[test]
fn listing_1_breaks_pattern_12_and_then_pops_an_empty_stack() {
    for name in ["as-listing1-stack.rad", "as-listing1-stack.c"] {
        let (program, answer) = listing(name);
        let said: Vec<&String> = answer
            .notes
            .iter()
            .flat_map(|it| &it.diagnostic.notes)
            .collect();
        let pattern = "pattern 12 on `S`: R1(count) W2(data) W2(count) R1(data)";
        assert!(said.iter().any(|it| *it == pattern), "{name}: {said:?}");
        let Verdict::Unsafe(trace) = &answer.verdicts[&Property::AtomicSets] else {
            panic!("{name} is not unsafe");
        };
        // The unit that was interrupted goes on alone.
        let interpreter = raddle_stepper::definition(&program, Semantics::default());
        let mut state = interpreter.initial_states().unwrap_or_default().remove(0);
        for step in &trace.steps {
            let successor = interpreter.take(&state, step).expect("the trace replays");
            let Outcome::Next(next) = successor.outcome else {
                panic!("{name}: the trace ends early");
            };
            state = next;
        }
        let thread = trace.steps.last().expect("there are steps").thread;
        let stop = loop {
            let mut successors = interpreter.thread_successors(&state, thread);
            match successors.remove(0).outcome {
                Outcome::Next(next) => state = next,
                Outcome::Stopped(stop) => break stop,
            }
        };
        let raddle_ir::interpret::Stop::Violation(violation) = stop else {
            panic!("{name}: {stop:?}");
        };
        assert_eq!(
            violation.property,
            Property::Memory,
            "{name}: {violation:?}"
        );
        let place = &program.functions[violation.labels[0].function];
        assert_eq!(place.name, "pop", "{name}: {violation:?}");
    }
}

#[test]
fn listing_1_is_serializable_if_the_wrapper_locks_the_stack() {
    for name in [
        "as-listing1-stack-repaired.rad",
        "as-listing1-stack-repaired.c",
    ] {
        let (_, answer) = listing(name);
        let verdict = &answer.verdicts[&Property::AtomicSets];
        assert!(matches!(verdict, Verdict::Safe(_)), "{name}: {verdict:?}");
    }
}

/// What the engine says of a text in so many milliseconds.
fn said(text: &str, limits: Limits, milliseconds: u64) -> Verdict {
    let program = run::load(text, &Header::default()).expect("it is a program");
    let engine = PushdownEngine {
        limits,
        ..PushdownEngine::default()
    };
    let budget = Budget::unlimited().with_timeout(Duration::from_millis(milliseconds));
    let mut answer = answered(engine, &program, &budget);
    answer
        .verdicts
        .remove(&Property::AtomicSets)
        .expect("it was asked for")
}

/// Each cell has a lock of its own, and there is no end to the states.
fn many_locks(locks: usize) -> String {
    let mut text = String::new();
    for at in 0..locks {
        let _ = writeln!(text, "var x{at}: u32\nmutex m{at}");
        let _ = writeln!(
            text,
            "unit fn f{at}() {{ lock m{at} {{ x{at} = x{at} + 1 }} }}"
        );
    }
    let all: Vec<String> = (0..locks).map(|at| format!("x{at}")).collect();
    let _ = writeln!(text, "atomicset S {{ {} }}", all.join(", "));
    text += "thread t[2] {\n    while true {\n";
    for at in 0..locks {
        let _ = writeln!(text, "        f{at}()");
    }
    text + "    }\n}\n"
}

#[test]
fn a_table_that_is_full_is_the_reason_and_its_size_is_told() {
    let limits = Limits {
        stretches: 0,
        nodes: 200,
    };
    let verdict = said(&many_locks(3), limits, 1_000);
    let Verdict::Unknown(reason) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(
        reason.to_string(),
        "the table of decision diagrams is full: it has room for 200"
    );
    let verdict = said(&many_locks(3), Limits::default(), 60_000);
    assert!(
        matches!(verdict, Verdict::Safe(Proof::OverApproximation { .. })),
        "{verdict:?}"
    );
}

/// Units on `x` under all of so many locks, units on `y` under another, and no end to the states.
fn under_many_locks(locks: usize) -> String {
    let (mut declared, mut acquired, mut released) = (String::new(), String::new(), String::new());
    for at in 0..locks {
        let _ = writeln!(declared, "mutex m{at}");
        let _ = writeln!(acquired, "acquire m{at}");
        let _ = writeln!(released, "release m{}", locks - 1 - at);
    }
    format!(
        "var x: u32\nvar y: u32\natomicset S {{ x, y }}\nmutex alone\n{declared}\
         unit fn f() {{\n{acquired}x = x + 1\nx = x + 1\n{released}}}\n\
         unit fn g() {{ lock alone {{ y = y + 1 }} }}\n\
         thread t[2] {{ while true {{ f(); g() }} }}\n"
    )
}

#[test]
fn locks_beyond_those_that_histories_are_kept_of_are_left_aside() {
    let verdict = said(&under_many_locks(31), Limits::default(), 60_000);
    assert!(
        matches!(verdict, Verdict::Safe(Proof::OverApproximation { .. })),
        "{verdict:?}"
    );
    let verdict = said(&under_many_locks(32), Limits::default(), 5_000);
    let Verdict::Unknown(reason) = verdict else {
        panic!("{verdict:?}");
    };
    let text = reason.to_string();
    assert!(
        text.contains("(the lock `alone` was left aside: histories are kept of 32 locks only)"),
        "{text}"
    );
}

/// There is no end to the threads of the kind.
fn server(locking: &str) -> String {
    format!(
        "var low: u32\nvar high: u32\nmutex m\natomicset S {{ low, high }}\n\
         unit fn handle() {{ {locking} {{ low = low + 1; high = low }} }}\n\
         fn worker() {{ handle() }}\n\
         fn main() {{ while true {{ let t = spawn worker() }} }}\n"
    )
}

#[test]
fn any_number_of_threads_is_decided_by_a_few_of_a_kind() {
    let verdict = said(&server("lock m"), Limits::default(), 60_000);
    assert!(
        matches!(verdict, Verdict::Safe(Proof::OverApproximation { .. })),
        "{verdict:?}"
    );
    let verdict = said(&server("if true"), Limits::default(), 60_000);
    assert!(matches!(verdict, Verdict::Unsafe(_)), "{verdict:?}");
}

#[test]
fn writers_exclude_one_another_and_readers_are_left_aside() {
    let program = |reader: &str| {
        format!(
            "var low: u32\nvar high: u32\nrwlock r\natomicset S {{ low, high }}\n\
             unit fn set() {{\nacquire_write r\nlow = low + 1\nhigh = low\nrelease_rw r\n}}\n\
             thread t[2] {{ while true {{ set() }} }}\n{reader}"
        )
    };
    let verdict = said(&program(""), Limits::default(), 60_000);
    assert!(
        matches!(verdict, Verdict::Safe(Proof::OverApproximation { .. })),
        "{verdict:?}"
    );
    let reader =
        "thread u {\nunit {\nacquire_read r\nlet a = low\nlet b = high\nrelease_rw r\n}\n}\n";
    let verdict = said(&program(reader), Limits::default(), 3_000);
    let Verdict::Unknown(reason) = verdict else {
        panic!("{verdict:?}");
    };
    let text = reason.to_string();
    let why = "(the lock `r` was left aside: readers are not kept apart from writers)";
    assert!(text.contains(why), "{text}");
}
