//! An execution moment by moment: where each thread stands, what it holds and waits for, what the last step changed.

use std::sync::Arc;

use raddle_base::{Id, SourceMap};
use raddle_diag::PlaceData;
use raddle_engine::Trace;
use raddle_ir::interpret::{
    Effect, Interpreter, ObjectNumber, Outcome, State, Step, Successor, Sync, Thread, ThreadNumber,
    Value,
};
use raddle_ir::{FunctionId, RegisterId, Scalar};

use crate::brackets::{Bracket, brackets};
use crate::data::StepData;
use crate::names::Names;
use crate::record::{Recorder, first_line};

/// The execution between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The step that led here; there is none at the start.
    pub step: Option<StepData>,
    /// Another thread took it than the one before.
    pub is_switch: bool,
    /// Where in a transaction the step stands.
    pub bracket: Bracket,
    /// What the step does in the violation, if that lies in steps rather than in the end.
    pub marks: Vec<String>,
    /// What the step gave a value to.
    pub changes: Vec<Change>,
    /// Threads that run, and those that ended but were not joined, in the order of their numbers.
    pub threads: Vec<ThreadView>,
}

/// A cell, register or semaphore before and after a step. The values may be equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub name: String,
    /// `None` if it had no value that the program could know.
    pub before: Option<String>,
    pub after: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadView {
    pub number: u64,
    pub name: String,
    pub has_ended: bool,
    /// The statement it stands before.
    pub statement: String,
    pub place: Option<PlaceData>,
    /// Names of locks.
    pub holds: Vec<String>,
    /// What keeps it from going on, as in “`m`, held by `left`”; empty if it can.
    pub waits: Vec<String>,
}

/// The start and the moment after each step, as far as the trace is an execution of the program.
///
/// A step that stops the execution leads to the moment before it, once more.
pub fn timeline(interpreter: &Interpreter<'_>, sources: &SourceMap, trace: &Trace) -> Vec<Moment> {
    let recorder = Recorder::new(interpreter, sources);
    let viewer = Viewer {
        interpreter,
        sources,
    };
    let mut moments: Vec<Moment> = Vec::new();
    let Some(mut state) = interpreter.initial_state(trace.initial) else {
        return moments;
    };
    moments.push(Moment {
        step: None,
        is_switch: false,
        bracket: Bracket::None,
        marks: Vec::new(),
        changes: Vec::new(),
        threads: viewer.threads(&state),
    });
    let mut previous = None;
    let brackets = brackets(&trace.transactions, trace.steps.len());
    for (index, (step, bracket)) in trace.steps.iter().zip(brackets).enumerate() {
        let Some(successor) = interpreter.take(&state, step) else {
            break;
        };
        let data = recorder.step(&state, step, &successor);
        let changes = viewer.changes(&state, step, &successor);
        let (next, is_over) = match successor.outcome {
            Outcome::Next(next) => (next, false),
            Outcome::Stopped(_) => (state, true),
        };
        moments.push(Moment {
            step: Some(data),
            is_switch: previous.is_some_and(|thread| thread != step.thread),
            bracket,
            marks: marks(trace, index),
            changes,
            threads: viewer.threads(&next),
        });
        if is_over {
            break;
        }
        previous = Some(step.thread);
        state = next;
    }
    moments
}

fn marks(trace: &Trace, step: usize) -> Vec<String> {
    let labels = trace.violation.labels.iter();
    labels
        .filter(|it| it.step == Some(step))
        .map(|it| it.text.clone())
        .collect()
}

struct Viewer<'a> {
    interpreter: &'a Interpreter<'a>,
    sources: &'a SourceMap,
}

/// What can change its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holder {
    Cell(ObjectNumber, u64, Scalar),
    Register(FunctionId, RegisterId),
}

impl Viewer<'_> {
    fn threads(&self, state: &State) -> Vec<ThreadView> {
        state
            .threads
            .iter()
            .map(|(&number, thread)| self.thread(state, number, thread))
            .collect()
    }

    fn thread(&self, state: &State, number: ThreadNumber, thread: &Thread) -> ThreadView {
        let program = self.interpreter.program();
        let edge = thread.frames.last().and_then(|frame| {
            let edge = *program.outgoing(frame.function, frame.location).first()?;
            Some((frame.function, edge))
        });
        let span = edge
            .and_then(|(function, edge)| program.edge(function, edge).span)
            .filter(|it| self.sources.knows(*it));
        ThreadView {
            number: number.0,
            name: self.interpreter.thread_name(state, number),
            has_ended: thread.frames.is_empty(),
            statement: match (edge, span) {
                (_, Some(span)) => first_line(self.sources.text(span)),
                (Some((function, edge)), None) => raddle_ir::print::print_action(
                    program,
                    function,
                    &program.edge(function, edge).action,
                ),
                (None, None) => String::new(),
            },
            place: span.map(|span| PlaceData::new(span, self.sources)),
            holds: self.interpreter.locks_held(state, number),
            waits: self.interpreter.waits(state, number),
        }
    }

    fn changes(&self, before: &State, step: &Step, successor: &Successor) -> Vec<Change> {
        let after = match &successor.outcome {
            Outcome::Next(next) => Some(next),
            Outcome::Stopped(_) => None,
        };
        let names = Names::new(self.interpreter, before, after);
        // A section may give several values to the same; the last one counts.
        let mut last: Vec<(Holder, Value)> = Vec::new();
        for effect in &successor.effects {
            let (holder, value) = match effect {
                Effect::Write {
                    object,
                    offset,
                    ty,
                    value,
                    ..
                } => (Holder::Cell(*object, *offset, *ty), *value),
                Effect::Set {
                    function,
                    register,
                    value,
                } => (Holder::Register(*function, *register), *value),
                Effect::Read { .. }
                | Effect::Synchronize { .. }
                | Effect::Allocate { .. }
                | Effect::Measure { .. }
                | Effect::Free { .. }
                | Effect::Spawn { .. }
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Emit { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => continue,
            };
            match last.iter_mut().find(|(known, _)| *known == holder) {
                Some((_, known)) => *known = value,
                None => last.push((holder, value)),
            }
        }
        let mut changes: Vec<Change> = last
            .into_iter()
            .filter_map(|(holder, value)| self.change(before, step.thread, holder, value, &names))
            .collect();
        if let Some(after) = after {
            self.semaphores(before, after, &mut changes);
        }
        changes
    }

    /// `None` for registers that have no name in the source.
    fn change(
        &self,
        before: &State,
        thread: ThreadNumber,
        holder: Holder,
        value: Value,
        names: &Names<'_>,
    ) -> Option<Change> {
        let program = self.interpreter.program();
        let (name, ty, old) = match holder {
            Holder::Cell(object, offset, ty) => {
                let old = self.interpreter.cell(before, object, offset, ty);
                (names.place(object, offset), ty, old)
            }
            Holder::Register(function, register) => {
                let known = &program.functions[function].registers[register];
                if known.is_temporary {
                    return None;
                }
                let old = before
                    .threads
                    .get(&thread)
                    .and_then(|it| it.frames.last())
                    .filter(|frame| frame.function == function)
                    .and_then(|frame| frame.registers.get(register.index()).copied());
                (known.name.clone(), known.ty, old)
            }
        };
        Some(Change {
            name,
            before: old
                .filter(|old| *old != Value::Undefined)
                .map(|old| names.value(old, ty)),
            after: names.value(value, ty),
        })
    }

    fn semaphores(&self, before: &State, after: &State, changes: &mut Vec<Change>) {
        for (&number, object) in &after.objects {
            let Some(old) = before.objects.get(&number) else {
                continue;
            };
            if Arc::ptr_eq(old, object) {
                continue;
            }
            for (&offset, sync) in &object.syncs {
                if let (Sync::Semaphore { value }, Some(Sync::Semaphore { value: old })) =
                    (sync, old.syncs.get(&offset))
                    && value != old
                {
                    changes.push(Change {
                        name: self.interpreter.place_name(after, number, offset),
                        before: Some(old.to_string()),
                        after: value.to_string(),
                    });
                }
            }
        }
    }
}
