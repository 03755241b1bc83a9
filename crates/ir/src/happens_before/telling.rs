//! What is said of an execution whose last step races with an earlier one.

use crate::interpret::MemoryAccess;
use crate::interpret::{Interpreter, Outcome, Property, State, Step, Violation, ViolationLabel};
use crate::wording::naming::NamedDeed;

use super::{Conflict, Unclear, events, first_conflict};

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
) -> Result<Option<Violation>, Unclear> {
    let mut before = vec![start.clone()];
    let mut told = Vec::new();
    for step in steps {
        let state = before.last().expect("it begins with the start");
        let Some(successor) = interpreter.take(state, step) else {
            break;
        };
        told.push((step.thread, events(interpreter, state, &successor)?));
        let Outcome::Next(next) = successor.outcome else {
            break;
        };
        before.push(next);
    }
    let conflict = first_conflict(&told)?.filter(|it| it.steps.1 + 1 == steps.len());
    Ok(conflict.map(|it| tell(interpreter, &before, steps, &it)))
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
