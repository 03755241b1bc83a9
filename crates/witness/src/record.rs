//! From a trace to its file form: the steps are taken once more, to see what each read and wrote.

use std::cell::RefCell;

use raddle_base::{FastMap, Id, SourceMap, Span};
use raddle_diag::{LabelData, PlaceData};
use raddle_engine::Trace;
use raddle_ir::interpret::{
    Effect, Interpreter, Outcome, State, Step, StepPart, Successor, Violation,
};
use raddle_ir::{Action, EdgeId, FunctionId, Program, SyncOperation};

use crate::data::{CellData, PartData, StepData, TraceData, ViolationData, ViolationLabelData};
use crate::names::Names;

/// The file form of a trace that the certifier accepted; of any other, as far as it goes.
pub fn record(interpreter: &Interpreter<'_>, sources: &SourceMap, trace: &Trace) -> TraceData {
    let recorder = Recorder::new(interpreter, sources);
    TraceData {
        property: trace.violation.property.to_string(),
        initial: trace.initial,
        steps: recorder.steps(trace),
        transactions: trace.transactions.clone(),
        found: None,
        violation: recorder.violation(&trace.violation),
    }
}

pub(crate) struct Recorder<'a> {
    interpreter: &'a Interpreter<'a>,
    program: &'a Program,
    sources: &'a SourceMap,
    /// Parts without their choices: where in the sources an edge lies takes long to find, and loops take it often.
    parts: RefCell<FastMap<(FunctionId, EdgeId), PartData>>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(interpreter: &'a Interpreter<'a>, sources: &'a SourceMap) -> Self {
        Self {
            interpreter,
            program: interpreter.program(),
            sources,
            parts: RefCell::default(),
        }
    }

    fn steps(&self, trace: &Trace) -> Vec<StepData> {
        let mut recorded = Vec::new();
        let mut state = self.interpreter.initial_state(trace.initial);
        for step in &trace.steps {
            let Some(before) = state.take() else { break };
            let Some(successor) = self.interpreter.take(&before, step) else {
                break;
            };
            recorded.push(self.step(&before, step, &successor));
            state = match successor.outcome {
                Outcome::Next(next) => Some(next),
                Outcome::Stopped(_) => None,
            };
        }
        recorded
    }

    pub(crate) fn step(&self, before: &State, step: &Step, successor: &Successor) -> StepData {
        let after = match &successor.outcome {
            Outcome::Next(next) => Some(next),
            Outcome::Stopped(_) => None,
        };
        let names = Names::new(self.interpreter, before, after);
        let mut data = StepData {
            thread: step.thread.0,
            thread_name: names.thread(step.thread),
            parts: step.parts.iter().map(|part| self.part(part)).collect(),
            reads: Vec::new(),
            writes: Vec::new(),
            sets: Vec::new(),
            events: Vec::new(),
            output: Vec::new(),
        };
        let mut words = self.operation(step, &successor.effects).into_iter();
        for effect in &successor.effects {
            self.effect(effect, &mut words, &names, &mut data);
        }
        data
    }

    /// `words` say what is done to the synchronisation objects, one after the other.
    fn effect(
        &self,
        effect: &Effect,
        words: &mut impl Iterator<Item = &'static str>,
        names: &Names<'_>,
        data: &mut StepData,
    ) {
        match effect {
            Effect::Read {
                object,
                offset,
                ty,
                value,
                ..
            } => data.reads.push(CellData {
                name: names.place(*object, *offset),
                value: names.value(*value, *ty),
            }),
            Effect::Write {
                object,
                offset,
                ty,
                value,
                ..
            } => data.writes.push(CellData {
                name: names.place(*object, *offset),
                value: names.value(*value, *ty),
            }),
            Effect::Synchronize { object, offset, .. } => data.events.push(format!(
                "{} `{}`",
                words.next().unwrap_or("on"),
                names.place(*object, *offset)
            )),
            Effect::Allocate { object, size, home } => data.events.push(format!(
                "allocates {}`{}` of {size} bytes",
                if home.is_some() {
                    "at a freed address "
                } else {
                    ""
                },
                names.place(*object, 0)
            )),
            Effect::Measure { object, size, .. } => data.events.push(format!(
                "finds that `{}` has {size} bytes",
                names.place(*object, 0)
            )),
            Effect::Free { object, .. } => {
                let word = if names.is_local(*object) {
                    "ends"
                } else {
                    "frees"
                };
                let place = names.place(*object, 0);
                data.events.push(format!("{word} `{place}`"));
            }
            Effect::Spawn { thread } => data
                .events
                .push(format!("starts thread `{}`", names.thread(*thread))),
            Effect::UnitBegin { set } => data.events.push(match set {
                Some(set) => format!(
                    "begins a unit of work on `{}`",
                    self.program.atomic_sets[*set].name
                ),
                None => "begins a unit of work".to_owned(),
            }),
            Effect::UnitEnd { set } => data.events.push(match set {
                Some(set) => format!(
                    "ends a unit of work on `{}`",
                    self.program.atomic_sets[*set].name
                ),
                None => "ends a unit of work".to_owned(),
            }),
            Effect::ObserveLayout => data
                .events
                .push("depends on where objects lie in memory".to_owned()),
            // The statement says it.
            Effect::End { .. } => {}
            Effect::Emit { bytes } => {
                data.output
                    .push(String::from_utf8_lossy(bytes).into_owned());
            }
            Effect::Set {
                function,
                register,
                value,
            } => {
                let register = &self.program.functions[*function].registers[*register];
                if !register.is_temporary {
                    data.sets.push(CellData {
                        name: register.name.clone(),
                        value: names.value(*value, register.ty),
                    });
                }
            }
        }
    }

    /// What is done to each synchronisation object. The effects of an atomic section do not tell their parts apart.
    fn operation(&self, step: &Step, effects: &[Effect]) -> Vec<&'static str> {
        let [part] = step.parts.as_slice() else {
            return Vec::new();
        };
        let objects = effects
            .iter()
            .filter(|it| matches!(it, Effect::Synchronize { .. }))
            .count();
        match &self.program.edge(part.function, part.edge).action {
            Action::Sync { operation, .. } => {
                if operation.takes_mutex() && objects == 1 {
                    // A woken thread does not touch the condition any more.
                    vec!["goes on and takes"]
                } else {
                    sync_words(*operation)
                }
            }
            Action::Init { .. } => vec!["init"],
            Action::Destroy { .. } => vec!["destroy"],
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => Vec::new(),
        }
    }

    fn part(&self, part: &StepPart) -> PartData {
        let place = (part.function, part.edge);
        let mut parts = self.parts.borrow_mut();
        let known = parts.entry(place).or_insert_with(|| self.part_at(place));
        PartData {
            choice: part.choice.map(|choice| choice.to_string()),
            ..known.clone()
        }
    }

    fn part_at(&self, (function, edge): (FunctionId, EdgeId)) -> PartData {
        let span = self.span(function, edge);
        PartData {
            function: self.program.functions[function].name.clone(),
            edge: edge.index(),
            choice: None,
            action: raddle_ir::print::print_action(
                self.program,
                function,
                &self.program.edge(function, edge).action,
            ),
            place: span.map(|span| PlaceData::new(span, self.sources)),
            source: span.map(|span| first_line(self.sources.text(span))),
        }
    }

    fn violation(&self, violation: &Violation) -> ViolationData {
        ViolationData {
            property: violation.property.to_string(),
            message: violation.message.clone(),
            place: violation.span.as_ref().map(|(span, text)| LabelData {
                place: PlaceData::new(*span, self.sources),
                text: text.clone(),
            }),
            labels: violation
                .labels
                .iter()
                .map(|label| ViolationLabelData {
                    thread: label.thread.0,
                    function: self.program.functions[label.function].name.clone(),
                    edge: label.edge.index(),
                    step: label.step,
                    text: label.text.clone(),
                    place: self
                        .span(label.function, label.edge)
                        .map(|span| PlaceData::new(span, self.sources)),
                })
                .collect(),
        }
    }

    fn span(&self, function: FunctionId, edge: EdgeId) -> Option<Span> {
        let span = self.program.edge(function, edge).span;
        span.filter(|it| self.sources.knows(*it))
    }
}

/// What an operation does to its object, and to the mutex if it takes one. The words of the language where they
/// say it.
fn sync_words(operation: SyncOperation) -> Vec<&'static str> {
    match operation {
        SyncOperation::WaitBegin => vec!["waits on", "releases"],
        SyncOperation::WaitEnd | SyncOperation::WaitEndTimed => vec!["goes on after", "takes"],
        SyncOperation::MonitorWaitBegin => vec!["waits on and releases"],
        SyncOperation::MonitorWaitEnd => vec!["goes on after and takes"],
        SyncOperation::ReadWriteRelease => vec!["release"],
        SyncOperation::SemaphoreValue => vec!["asks the value of"],
        SyncOperation::MutexAcquire
        | SyncOperation::MutexTry
        | SyncOperation::SpinAcquire
        | SyncOperation::SpinTry
        | SyncOperation::SpinRelease
        | SyncOperation::MutexTimed
        | SyncOperation::MutexRelease
        | SyncOperation::ReadAcquire
        | SyncOperation::ReadTry
        | SyncOperation::ReadTimed
        | SyncOperation::WriteAcquire
        | SyncOperation::WriteTry
        | SyncOperation::WriteTimed
        | SyncOperation::Signal
        | SyncOperation::Broadcast
        | SyncOperation::SemaphorePost
        | SyncOperation::SemaphoreWait
        | SyncOperation::SemaphoreTry
        | SyncOperation::SemaphoreTimed
        | SyncOperation::BarrierArrive
        | SyncOperation::BarrierLeave
        | SyncOperation::MonitorEnter
        | SyncOperation::MonitorExit
        | SyncOperation::MonitorNotify
        | SyncOperation::MonitorNotifyAll => vec![operation.name()],
    }
}

pub(crate) fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or("").trim().to_owned()
}
