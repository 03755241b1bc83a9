//! How few switches of thread, or preemptions, a violation takes, found by looking at all states with every thread that may have
//! run last.
//!
//! As plain as can be: no reduction, and nothing that is left out because something else is as good.

use std::collections::{BTreeMap, HashMap, VecDeque};

use raddle_ir::Program;
use raddle_ir::interpret::{
    Outcome, Property, Semantics, State, Stop, Successor, ThreadNumber, Violation,
};

/// What of an execution is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    Switches,
    /// Switches from a thread that could go on.
    Preemptions,
}

/// For each property that can be violated, the fewest switches or preemptions of an execution that shows it; `None` if there are more than
/// `limit` states, each counted once for each thread that may have run last.
pub fn fewest(
    program: &Program,
    semantics: &Semantics,
    counted: Counted,
    limit: usize,
) -> Option<BTreeMap<Property, usize>> {
    type Point = (State, Option<ThreadNumber>);
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let initial = interpreter.initial_states().unwrap_or_default();
    let mut known: HashMap<Point, usize> = HashMap::new();
    let mut frontier: VecDeque<(Point, usize)> = VecDeque::new();
    let mut found = BTreeMap::new();
    for state in initial {
        known.insert((state.clone(), None), 0);
        frontier.push_back(((state, None), 0));
    }
    while let Some(((state, last), switches)) = frontier.pop_front() {
        if known[&(state.clone(), last)] < switches {
            continue;
        }
        if known.len() > limit {
            return None;
        }
        note(&mut found, &interpreter.judge(&state), switches);
        let successors = interpreter.successors(&state);
        if semantics.properties.contains(&Property::Deadlock)
            && interpreter.pause(&state, &successors).is_some()
        {
            let leave = &mut |looked: usize| (looked <= limit).then_some(()).ok_or(());
            let waits = interpreter.waits_for_ever(&state, leave).ok()?;
            note(&mut found, waits.as_slice(), switches);
            let livelock = interpreter.livelock(&state, leave).ok()?;
            note(&mut found, livelock.as_slice(), switches);
        }
        let goes_on = |it: &ThreadNumber| successors.iter().any(|next| next.step.thread == *it);
        let last = match counted {
            Counted::Switches => last,
            Counted::Preemptions => last.filter(goes_on),
        };
        for successor in successors {
            let thread = successor.step.thread;
            let is_switch = last.is_some_and(|it| it != thread);
            let after = switches + usize::from(is_switch);
            note(&mut found, &shown(&successor), after);
            let Outcome::Next(next) = successor.outcome else {
                continue;
            };
            let point = (next, Some(thread));
            if known.get(&point).is_some_and(|it| *it <= after) {
                continue;
            }
            known.insert(point.clone(), after);
            if is_switch {
                frontier.push_back((point, after));
            } else {
                frontier.push_front((point, after));
            }
        }
    }
    Some(found)
}

fn shown(successor: &Successor) -> Vec<Violation> {
    let mut violations = successor.violations.clone();
    if let Outcome::Stopped(Stop::Violation(violation)) = &successor.outcome {
        violations.push(violation.clone());
    }
    violations
}

fn note(found: &mut BTreeMap<Property, usize>, violations: &[Violation], switches: usize) {
    for violation in violations {
        let known = found.entry(violation.property).or_insert(switches);
        *known = (*known).min(switches);
    }
}
