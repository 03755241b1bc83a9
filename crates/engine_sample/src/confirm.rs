//! From what an execution seems to show to a trace: it is replayed, and what is claimed is what the interpreter tells then.

use std::collections::BTreeSet;

use raddle_engine::Trace;
use raddle_ir::interpret::{Interpreter, Outcome, Property, State, Stop, ThreadNumber, Violation};

use crate::record::{Record, trace};

/// What an execution seems to show after so many steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Suspicion {
    pub(crate) property: Property,
    pub(crate) steps: usize,
    /// Of a race: the earlier step, by its number.
    pub(crate) earlier: Option<usize>,
}

/// The violations that it is about, each with its trace; none if it was wrong.
pub(crate) fn confirmed(
    interpreter: &Interpreter<'_>,
    start: &State,
    record: &Record,
    suspicion: Suspicion,
) -> Vec<Trace> {
    match suspicion.earlier {
        Some(earlier) => meeting(interpreter, start, record, earlier, suspicion.steps - 1),
        None => shown(interpreter, start, record, suspicion),
    }
}

fn shown(
    interpreter: &Interpreter<'_>,
    start: &State,
    record: &Record,
    suspicion: Suspicion,
) -> Vec<Trace> {
    let mut state = start.clone();
    let mut steps = Vec::with_capacity(suspicion.steps);
    let is_wanted = |it: &Violation| it.property == suspicion.property;
    for index in 0..suspicion.steps {
        let step = record.step(index);
        let Some(successor) = interpreter.take(&state, &step) else {
            return Vec::new();
        };
        steps.push(step);
        let is_last = index + 1 == suspicion.steps;
        if is_last && let Some(found) = successor.violations.iter().find(|it| is_wanted(it)) {
            return vec![trace(record.initial, steps, found.clone())];
        }
        match successor.outcome {
            Outcome::Next(next) => state = next,
            Outcome::Stopped(Stop::Violation(found)) if is_last && is_wanted(&found) => {
                return vec![trace(record.initial, steps, found)];
            }
            Outcome::Stopped(_) => return Vec::new(),
        }
    }
    let found = interpreter.judge(&state).into_iter().find(is_wanted);
    found
        .map(|it| trace(record.initial, steps, it))
        .into_iter()
        .collect()
}

/// An execution in which two threads stand before accesses that nothing orders: whoever made the earlier one stays before it, and so
/// do all who depend on him.
///
/// If no earlier accesses race, what the later one depends on does not depend on the earlier one, so it is all there.
fn meeting(
    interpreter: &Interpreter<'_>,
    start: &State,
    record: &Record,
    earlier: usize,
    later: usize,
) -> Vec<Trace> {
    let mut state = start.clone();
    let mut steps = Vec::with_capacity(later);
    let mut stays: BTreeSet<ThreadNumber> = BTreeSet::new();
    for index in 0..later {
        if index == earlier {
            stays.insert(record.thread(index));
        }
        if stays.contains(&record.thread(index)) {
            continue;
        }
        let step = record.step(index);
        match interpreter.take(&state, &step).map(|it| it.outcome) {
            Some(Outcome::Next(next)) => {
                state = next;
                steps.push(step);
            }
            Some(Outcome::Stopped(_)) | None => {
                stays.insert(step.thread);
            }
        }
    }
    if stays.contains(&record.thread(later)) {
        return Vec::new();
    }
    let pair = [record.thread(earlier), record.thread(later)];
    let races = interpreter.judge(&state).into_iter().filter(|it| {
        it.property == Property::Race && it.labels.iter().all(|it| pair.contains(&it.thread))
    });
    races
        .map(|it| trace(record.initial, steps.clone(), it))
        .collect()
}
