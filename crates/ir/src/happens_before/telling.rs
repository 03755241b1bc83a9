//! What is said of an execution whose last step races with an earlier one.

use raddle_base::Span;

use crate::interpret::MemoryAccess;
use crate::interpret::{Interpreter, Outcome, Property, State, Step, Violation, ViolationLabel};
use crate::wording::naming::NamedDeed;

use super::{Conflict, Unclear, events, first_conflict};

/// The step of which the rules do not tell what it orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnclearStep {
    pub step: usize,
    pub why: Unclear,
}

/// The race between the last step of an execution and an earlier one, if that is the first race in it. Equal executions give equal
/// violations, so that a claim can be compared with what an execution really shows.
///
/// # Errors
///
/// If the rules do not tell.
pub fn violation(
    interpreter: &Interpreter<'_>,
    start: &State,
    steps: &[Step],
) -> Result<Option<Violation>, UnclearStep> {
    let mut before = vec![start.clone()];
    let mut told = Vec::new();
    // The step that each part of the execution belongs to.
    let mut step_of = Vec::new();
    let mut doubtful = None;
    for (at, step) in steps.iter().enumerate() {
        let state = before.last().expect("it begins with the start");
        let Some(successor) = interpreter.take(state, step) else {
            break;
        };
        let seen = events(interpreter, state, &successor);
        let seen = seen.map_err(|why| UnclearStep { step: at, why })?;
        if seen.is_doubtful {
            doubtful.get_or_insert(at);
        }
        step_of.resize(step_of.len() + seen.parts.len(), at);
        told.extend(seen.parts.into_iter().map(|it| (step.thread, it)));
        let Outcome::Next(next) = successor.outcome else {
            break;
        };
        before.push(next);
    }
    let last = steps.len().saturating_sub(1);
    let conflict = first_conflict(&told).map_err(|why| UnclearStep { step: last, why })?;
    let conflict = conflict.map(|it| Conflict {
        steps: (step_of[it.steps.0], step_of[it.steps.1]),
        ..it
    });
    match (conflict.filter(|it| it.steps.1 == last), doubtful) {
        (Some(_), Some(step)) => {
            let why = Unclear::Section;
            Err(UnclearStep { step, why })
        }
        (Some(conflict), None) => Ok(Some(tell(interpreter, &before, steps, &conflict))),
        (None, _) => Ok(None),
    }
}

impl Interpreter<'_> {
    /// What is not clear about a step from a state, and where the user sees it.
    pub fn tell_unclear(&self, state: &State, step: &Step, why: Unclear) -> (String, Option<Span>) {
        let part = &step.parts[0];
        let place = (part.function, part.edge);
        let visible = self.visible_edge(state, step.thread, place);
        let what = match (why, visible.callee) {
            (Unclear::Order, _) => "a memory order that is computed".to_owned(),
            (Unclear::Sizes, _) => "atomic accesses of different sizes to common bytes".to_owned(),
            (Unclear::Section, None) => "an atomic section".to_owned(),
            (Unclear::Section, Some(callee)) => {
                format!("a call of `{}`", self.program.functions[callee].name)
            }
        };
        let (function, edge) = visible.edge;
        (what, self.program.edge(function, edge).span)
    }
}

fn tell(
    interpreter: &Interpreter<'_>,
    before: &[State],
    steps: &[Step],
    conflict: &Conflict,
) -> Violation {
    let (first, second) = &conflict.accesses;
    let (earlier, later) = conflict.steps;
    let offset = first.offset.max(second.offset);
    let name = interpreter.place_name(&before[later], first.object, offset);
    let deeds = match (first.is_write, second.is_write) {
        (true, true) => "written by two threads",
        (true, false) => "written and then read",
        (false, true) => "read and then written",
        (false, false) => unreachable!("one of them writes"),
    };
    let label = |at: usize, access: &MemoryAccess| -> ViolationLabel {
        let part = &steps[at].parts[0];
        let word = if access.is_write { "written" } else { "read" };
        let deed = NamedDeed::Done(word.to_owned());
        let place = (part.function, part.edge);
        let mut label = interpreter.label(&before[at], steps[at].thread, place, deed);
        label.step = Some(at);
        label
    };
    Violation {
        property: Property::Race,
        message: format!("`{name}` is {deeds}, and neither happens before the other"),
        labels: vec![label(earlier, first), label(later, second)],
        span: None,
    }
}
