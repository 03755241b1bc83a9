//! Executions cut to their core: of random executions of random programs, and of what engines show, the core replays on the
//! definition, shows the same violation, is no longer, has no more switches, and is its own core; what is wrong on purpose is
//! noticed.
//!
//! `RADDLE_SEED` and `RADDLE_CASES` widen or repeat the run.

use std::collections::BTreeMap;

use raddle_certify::Audited;
use raddle_engine::{Reduction, Trace, Verdict};
use raddle_engine_explicit::ExplicitEngine;
use raddle_generate::{Profile, Random, Theme, generate};
use raddle_ir::Program;
use raddle_ir::interpret::{
    Interpreter, Outcome, Property, Semantics, Stop, Violation, happens_before, serializability,
};
use raddle_minimise::{Effort, Flaw, minimise_with};
use raddle_testkit::oracle::decide;
use raddle_testkit::seeds::{are_usual, seeds};

/// Random executions of one program.
const EXECUTIONS: usize = 3;
/// Longer ones are left.
const STEPS: usize = 100;
/// Enough for everything that can be tried.
const ENOUGH: Effort = Effort {
    replays: 20_000,
    steps: 4_000_000,
};
/// Enough to notice what is wrong.
const LITTLE: Effort = Effort {
    replays: 200,
    steps: 20_000,
};

fn semantics(seed: u64) -> Semantics {
    let properties = if seed % 8 == 1 {
        // Other violations come long before.
        vec![Property::AtomicSets]
    } else {
        Property::ALL.to_vec()
    };
    Semantics {
        properties,
        has_spurious_wakeups: true,
        ..Semantics::default()
    }
}

/// What a random execution shows first.
fn random_trace(
    interpreter: &Interpreter<'_>,
    random: &mut Random,
    looks_for_order: bool,
) -> Option<Trace> {
    let starts = interpreter.initial_states().ok()?;
    let initial = random.below(starts.len());
    let start = starts[initial].clone();
    let asks = |property| interpreter.semantics().properties.contains(&property);
    let mut state = start.clone();
    let mut steps = Vec::new();
    let trace = |steps, violation| {
        let transactions = Vec::new();
        Some(Trace {
            initial,
            steps,
            transactions,
            violation,
        })
    };
    while steps.len() < STEPS {
        let shown = interpreter.judge(&state);
        if !shown.is_empty() {
            let violation = shown[random.below(shown.len())].clone();
            return trace(steps, violation);
        }
        let mut successors = interpreter.successors(&state);
        if successors.is_empty() {
            break;
        }
        let successor = successors.swap_remove(random.below(successors.len()));
        steps.push(successor.step);
        let mut violations = successor.violations.into_iter();
        if let Some(violation) = violations.find(|it| asks(it.property)) {
            return trace(steps, violation);
        }
        match successor.outcome {
            Outcome::Next(next) => state = next,
            Outcome::Stopped(Stop::Violation(violation)) if asks(violation.property) => {
                return trace(steps, violation);
            }
            Outcome::Stopped(_) => return None,
        }
        if looks_for_order
            && let Ok(Some(race)) = happens_before::violation(interpreter, &start, &steps)
        {
            return trace(steps, race);
        }
    }
    if !asks(Property::AtomicSets) {
        return None;
    }
    let circle = serializability::violations(interpreter, &start, &steps);
    trace(steps, circle.into_iter().next()?)
}

/// What some executions of a program show, and what a search does.
fn traces(program: &Program, semantics: &Semantics, seed: u64) -> Vec<Trace> {
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let mut random = Random::new(seed ^ 0xc07e);
    let looks_for_order = seed.is_multiple_of(4);
    // Few executions of units go in a circle.
    let executions = if semantics.properties == [Property::AtomicSets] {
        EXECUTIONS * 10
    } else {
        EXECUTIONS
    };
    let mut traces: Vec<Trace> = (0..executions)
        .filter_map(|_| random_trace(&interpreter, &mut random, looks_for_order))
        .collect();
    let mut engine = ExplicitEngine::new(Reduction::Optimistic);
    let answer = decide(&mut engine, program, semantics);
    traces.extend(answer.verdicts.into_values().filter_map(|it| match it {
        Verdict::Unsafe(trace) => Some(trace),
        Verdict::Safe(_) | Verdict::Unknown(_) => None,
    }));
    traces
}

/// Participants stand at the same places, and the sentence has the same words.
fn is_same(a: &Violation, b: &Violation) -> bool {
    let words = |it: &Violation| -> String {
        let letters = it.message.chars().filter(|it| !it.is_ascii_digit());
        letters.collect()
    };
    let places = |it: &Violation| -> Vec<_> {
        let labels = it.labels.iter();
        labels.map(|it| (it.function, it.edge)).collect()
    };
    (a.property, &a.span, words(a), places(a)) == (b.property, &b.span, words(b), places(b))
}

/// What was seen of cores.
#[derive(Clone, Debug, Default)]
struct Tally {
    traces: BTreeMap<Property, usize>,
    smaller: usize,
    settled: usize,
    /// Steps and switches before and after.
    steps: (usize, usize),
    switches: (usize, usize),
}

impl Tally {
    fn count(&self) -> usize {
        self.traces.values().sum()
    }
}

/// What is wrong with the core of a trace.
fn checked(
    (program, semantics): (&Program, &Semantics),
    trace: &Trace,
    (effort, flaw): (Effort, Flaw),
    tally: &mut Tally,
) -> Result<(), String> {
    let cut = |trace: &Trace| minimise_with(program, semantics, trace, effort, &|| true, flaw);
    let core = cut(trace);
    let property = trace.violation.property;
    let verdict = Verdict::Unsafe(core.trace.clone());
    match Audited::new(program, semantics, property, verdict) {
        Ok(audited) if matches!(audited.verdict(), Verdict::Unsafe(_)) => {}
        other => return Err(format!("the core does not replay: {other:?}")),
    }
    if !is_same(&trace.violation, &core.trace.violation) {
        return Err(format!(
            "{:?} became {:?}",
            trace.violation, core.trace.violation
        ));
    }
    let length = |it: &Trace| (it.steps.len(), it.switches());
    let ((steps, switches), (fewer, less)) = (length(trace), length(&core.trace));
    if fewer > steps || less > switches {
        return Err(format!("{steps}, {switches} became {fewer}, {less}"));
    }
    if cut(trace).trace != core.trace {
        return Err("another time it is another core".to_owned());
    }
    if core.is_settled && cut(&core.trace).trace != core.trace {
        return Err("the core has another core".to_owned());
    }
    *tally.traces.entry(property).or_insert(0) += 1;
    tally.smaller += usize::from(core.trace != *trace);
    tally.settled += usize::from(core.is_settled);
    tally.steps = (tally.steps.0 + steps, tally.steps.1 + fewer);
    tally.switches = (tally.switches.0 + switches, tally.switches.1 + less);
    Ok(())
}

/// Programs of all kinds; some in which threads are left to wait alone, some with units of work.
fn program(seed: u64) -> Program {
    let profile = match seed % 4 {
        0 => Profile {
            lone_waits: 50,
            ..Profile::default()
        },
        1 => Profile {
            themes: vec![(Theme::Counter, 1), (Theme::Units, 6)],
            ..Profile::default()
        },
        _ => Profile::default(),
    };
    generate(seed, &profile)
}

/// The first core with which something is wrong.
fn first_wrong(cases: u64, effort: Effort, flaw: Flaw) -> (Option<String>, Tally) {
    let mut tally = Tally::default();
    for seed in seeds(cases) {
        let (program, semantics) = (program(seed), semantics(seed));
        for trace in traces(&program, &semantics, seed) {
            let task = (&program, &semantics);
            if let Err(wrong) = checked(task, &trace, (effort, flaw), &mut tally) {
                return (Some(format!("seed {seed}: {wrong}")), tally);
            }
        }
    }
    (None, tally)
}

#[test]
fn the_core_is_an_execution_with_the_same_violation_and_its_own_core() {
    let (wrong, tally) = first_wrong(100, ENOUGH, Flaw::None);
    assert_eq!(wrong, None);
    if !are_usual() {
        println!("{tally:?}");
        return;
    }
    let all = tally.count();
    assert!(all >= 200, "{tally:?}");
    assert!(tally.settled * 100 >= all * 99, "{tally:?}");
    assert!(tally.smaller * 2 >= all, "{tally:?}");
    // Programs are small, so executions are not long, but random ones switch often.
    assert!(tally.switches.1 * 2 <= tally.switches.0, "{tally:?}");
    for property in [
        Property::Assert,
        Property::Race,
        Property::Deadlock,
        Property::Memory,
        Property::AtomicSets,
    ] {
        let known = tally.traces.get(&property);
        assert!(known.is_some_and(|it| *it >= 3), "{tally:?}");
    }
}

#[test]
fn what_is_wrong_with_cores_is_noticed() {
    for flaw in [
        Flaw::AnyViolation,
        Flaw::UntriedGuides,
        Flaw::AnythingIsBetter,
    ] {
        let (wrong, _) = first_wrong(60, LITTLE, flaw);
        assert!(wrong.is_some(), "{flaw:?} is not noticed");
    }
}
