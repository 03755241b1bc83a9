//! What headers say of atomic sets is what the judge of traces says of many executions (AS §2).
//!
//! The judge shares nothing with the engine that decides the property.

use raddle_ir::Program;
use raddle_ir::interpret::serializability::judge_trace;
use raddle_ir::interpret::{Effect, Interpreter, Outcome, Property, Semantics, ThreadNumber};
use raddle_testkit::header::Truth;
use raddle_testkit::{run, walk};

const EXECUTIONS: u64 = 400;
const STEPS: usize = 2_000;

/// An execution that is chosen by the seed: mostly the same thread goes on.
fn execution(program: &Program, seed: u64) -> Vec<(ThreadNumber, Vec<Effect>)> {
    let interpreter = Interpreter::new(program, Semantics::default());
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
