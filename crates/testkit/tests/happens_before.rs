//! Clocks against the definition of happens-before: on random executions of generated programs with weaker orders, fences, attempts at locks
//! and the rest both find the same first race; what is wrong on purpose is noticed. And searches with clocks against each other.

use raddle_engine::{
    Budget, Property, Reason, Schedule, Semantics, Silent, Verdict, decide_unordered,
};
use raddle_generate::{Profile, Random, Theme, generate};
use raddle_ir::interpret::happens_before::{Clocks, Event, events, first_conflict};
use raddle_ir::interpret::{Interpreter, Outcome, ThreadNumber};
use raddle_ir::{Order, Program};
use raddle_testkit::seeds::seeds;

/// Executions of more steps are left.
const STEPS: usize = 80;
/// So many executions of each program are looked at.
const EXECUTIONS: u64 = 12;

/// Programs in which something orders, or fails to.
fn profile() -> Profile {
    Profile {
        themes: vec![
            (Theme::Message, 6),
            (Theme::Fenced, 6),
            (Theme::ReadModifyWrite, 2),
            (Theme::CompareExchange, 4),
            (Theme::TryLock, 4),
            (Theme::ReadersWriters, 3),
            (Theme::Condition, 2),
            (Theme::Semaphore, 2),
            (Theme::Barrier, 2),
            (Theme::Heap, 2),
            (Theme::Children, 2),
            (Theme::Counter, 1),
        ],
        extras: Vec::new(),
        ..Profile::default()
    }
}

fn interpreter(program: &Program) -> Interpreter<'_> {
    let semantics = Semantics {
        properties: vec![Property::Race],
        ..Semantics::default()
    };
    raddle_stepper::definition(program, semantics)
}

/// What may be wrong with the clocks, as other events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flaw {
    None,
    RelaxedIsAcquire,
    RelaxedIsRelease,
    FencesAreForgotten,
    AcquisitionIsForgotten,
    AccessesAreForgotten,
    NamesAreNotWritten,
    ThreadsBeginBeforeTheirNames,
}

fn flawed(flaw: Flaw, events: &[Event]) -> Vec<Event> {
    let is_spawn = |event: &&Event| matches!(event, Event::Spawn(_));
    let starts = events.iter().any(|it| is_spawn(&it));
    if flaw == Flaw::ThreadsBeginBeforeTheirNames {
        let rest = events.iter().filter(|it| !is_spawn(it));
        return events
            .iter()
            .filter(is_spawn)
            .chain(rest)
            .cloned()
            .collect();
    }
    let change = |event: &Event| match (flaw, event.clone()) {
        (
            Flaw::RelaxedIsAcquire,
            Event::Read {
                cell,
                order: Order::Relaxed,
            },
        ) => Some(Event::Read {
            cell,
            order: Order::Acquire,
        }),
        (
            Flaw::RelaxedIsRelease,
            Event::Write {
                cell,
                order: Order::Relaxed,
                continues,
            },
        ) => Some(Event::Write {
            cell,
            order: Order::Release,
            continues,
        }),
        (Flaw::FencesAreForgotten, Event::Fence { .. })
        | (Flaw::AcquisitionIsForgotten, Event::Acquire { .. }) => None,
        (Flaw::AccessesAreForgotten, Event::Access(access)) if !access.is_write => None,
        (Flaw::NamesAreNotWritten, Event::Access(_)) if starts => None,
        (_, event) => Some(event),
    };
    events.iter().filter_map(change).collect()
}

/// One execution: whether clocks, in their normal form or not, and the definition differ in it, and whether it has a race.
fn compared(program: &Program, random: &mut Random, flaw: Flaw) -> Result<bool, String> {
    let interpreter = interpreter(program);
    let Some(mut state) = interpreter
        .initial_states()
        .unwrap_or_default()
        .into_iter()
        .next()
    else {
        return Ok(false);
    };
    let mut settled = Clocks::new(&state);
    let mut plain = settled.clone();
    let mut told: Vec<(ThreadNumber, Vec<Event>)> = Vec::new();
    let mut found = None;
    for step in 0..STEPS {
        let mut successors = interpreter.successors(&state);
        if successors.is_empty() {
            break;
        }
        let at = random.below(successors.len());
        let successor = successors.swap_remove(at);
        let thread = successor.step.thread;
        let Ok(seen) = events(&interpreter, &state, &successor) else {
            break;
        };
        let wrong = flawed(flaw, &seen);
        let (Ok(one), Ok(other)) = (settled.step(thread, &wrong), plain.step(thread, &wrong))
        else {
            break;
        };
        told.push((thread, seen));
        if one.is_some() != other.is_some() {
            return Err(format!(
                "step {step}: clocks {one:?}, without normal form {other:?}"
            ));
        }
        if one.is_some() {
            found = Some(step);
            break;
        }
        let Outcome::Next(next) = successor.outcome else {
            break;
        };
        state = next;
        settled.settle(&state);
    }
    let Ok(defined) = first_conflict(&told) else {
        return Ok(false);
    };
    let defined = defined.map(|it| it.steps.1);
    if found == defined {
        Ok(found.is_some())
    } else {
        Err(format!(
            "clocks find a race at {found:?}, the definition at {defined:?}"
        ))
    }
}

fn first_difference(cases: u64, flaw: Flaw) -> (Option<String>, u64) {
    let mut races = 0;
    for seed in seeds(cases) {
        let program = generate(seed, &profile());
        let mut random = Random::new(seed ^ 0x0bde);
        for _ in 0..EXECUTIONS {
            match compared(&program, &mut random, flaw) {
                Ok(has_race) => races += u64::from(has_race),
                Err(difference) => return (Some(format!("seed {seed}: {difference}")), races),
            }
        }
    }
    (None, races)
}

#[test]
fn clocks_find_the_races_of_the_definition() {
    let (difference, races) = first_difference(200, Flaw::None);
    assert_eq!(difference, None);
    assert!(races >= 100, "only {races} executions have a race");
}

#[test]
fn what_is_wrong_with_clocks_is_noticed() {
    for flaw in [
        Flaw::RelaxedIsAcquire,
        Flaw::RelaxedIsRelease,
        Flaw::FencesAreForgotten,
        Flaw::AcquisitionIsForgotten,
        Flaw::AccessesAreForgotten,
        Flaw::NamesAreNotWritten,
        Flaw::ThreadsBeginBeforeTheirNames,
    ] {
        let (difference, _) = first_difference(120, flaw);
        assert!(difference.is_some(), "{flaw:?} is not noticed");
    }
}

/// Whether no race, a race or nothing is known.
fn word(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Unknown(_) => None,
        Verdict::Safe(_) | Verdict::Unsafe(_) => Some(verdict.word()),
    }
}

#[test]
fn local_steps_at_once_make_no_difference() {
    let budget = Budget::unlimited().with_timeout(std::time::Duration::from_secs(20));
    let mut decided = 0;
    for seed in seeds(40) {
        let program = generate(seed, &profile());
        let interpreter = interpreter(&program);
        let decide = |schedule| {
            let none = Reason::NotDecidedByEngine;
            decide_unordered(&interpreter, &none, schedule, &budget, &mut Silent)
        };
        let (all, local) = (
            decide(Schedule::EveryStep),
            decide(Schedule::AfterLocalSteps),
        );
        if let (Some(all), Some(local)) = (word(&all), word(&local)) {
            assert_eq!(all, local, "seed {seed}");
            decided += 1;
        }
    }
    assert!(decided > 0, "nothing was decided");
}
