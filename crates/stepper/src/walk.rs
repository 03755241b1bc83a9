//! One execution, step by step and in place: who runs next is up to the caller.

use raddle_ir::action::{Action, AllocateKind};
use raddle_ir::in_place::{ActedEnd, Chosen};
use raddle_ir::interpret::numbering::Row;
use raddle_ir::interpret::{
    APPROXIMATE, Effect, Ending, Interpreter, Outcome, State, StepPart, Stop, ThreadNumber,
    Violation,
};
use raddle_ir::program::{EdgeId, FunctionId};

use crate::scheduler::Scheduler;

/// Whether a thread took a step.
#[derive(Debug)]
pub enum Tried {
    Stepped,
    Blocked,
    /// The step ended the process.
    Ended(Ending),
    /// The step failed, and the state is one in the middle of it.
    Stopped(Stop),
}

/// An execution under way. No state of it is kept, so that long ones are cheap.
#[derive(Debug)]
pub struct Walk<'a> {
    interpreter: &'a Interpreter<'a>,
    state: State,
    /// None: new objects are called as the definition calls them, so that the steps are those of a trace.
    names: Option<Row>,
    /// Of the last step that was taken.
    effects: Vec<Effect>,
    parts: Vec<StepPart>,
    overflow: Option<Violation>,
}

/// Which of so many possibilities is tried first.
pub(crate) fn first_of(count: usize, scheduler: &mut dyn Scheduler) -> usize {
    if count < 2 {
        0
    } else {
        scheduler.choose(count) % count
    }
}

impl<'a> Walk<'a> {
    /// The steps are those of a trace.
    pub fn new(interpreter: &'a Interpreter<'a>, state: State) -> Self {
        Self {
            interpreter,
            state,
            names: None,
            effects: Vec::new(),
            parts: Vec::new(),
            overflow: None,
        }
    }

    /// New objects get names in a row, which costs less.
    pub fn with_names_in_a_row(interpreter: &'a Interpreter<'a>, state: State) -> Self {
        Self {
            names: Some(Row::default()),
            ..Self::new(interpreter, state)
        }
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn into_state(self) -> State {
        self.state
    }

    /// What the last step did.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// The edges of the last step, or of the one that failed.
    pub fn parts(&self) -> &[StepPart] {
        &self.parts
    }

    /// The signed overflow of the last step, if there was one. The execution goes on with the wrapped result.
    pub fn take_overflow(&mut self) -> Option<Violation> {
        self.overflow.take()
    }

    /// A step of this thread.
    pub fn step_of(&mut self, thread: ThreadNumber, scheduler: &mut dyn Scheduler) -> Tried {
        let threads = self.state.threads.unobserved();
        let Some(frame) = threads.get(&thread).and_then(|it| it.frames.last()) else {
            return Tried::Blocked;
        };
        let function = frame.function;
        let program = self.interpreter.program();
        let edges = program.outgoing(function, frame.location);
        let first = first_of(edges.len(), scheduler);
        for &edge in edges[first..].iter().chain(&edges[..first]) {
            let tried = match &program.edge(function, edge).action {
                Action::AtomicBegin { .. } => self.section(thread, edge, scheduler),
                Action::Havoc { .. } if program.functions[function].is_approximate => {
                    let span = program.edge(function, edge).span;
                    let what = APPROXIMATE.to_owned();
                    self.parts.clear();
                    self.parts.push(StepPart {
                        function,
                        edge,
                        choice: None,
                    });
                    Tried::Stopped(Stop::Unsupported { what, span })
                }
                Action::Havoc { target } => {
                    let ty = program.functions[function].registers[*target].ty;
                    let value = scheduler.value_at((function, edge), ty.mask(program.model));
                    self.take(thread, (function, edge), Some(value))
                }
                Action::Sync { .. } => self.operation(thread, (function, edge), scheduler),
                Action::Allocate {
                    kind: AllocateKind::Heap,
                    ..
                } if self.names.is_none() && !self.state.places.is_empty() => {
                    self.operation(thread, (function, edge), scheduler)
                }
                // The rest leaves no choice.
                Action::Assign { .. }
                | Action::Assume { .. }
                | Action::Assert { .. }
                | Action::Load { .. }
                | Action::Store { .. }
                | Action::ReadModifyWrite { .. }
                | Action::CompareExchange { .. }
                | Action::Allocate { .. }
                | Action::Size { .. }
                | Action::Free { .. }
                | Action::Init { .. }
                | Action::Destroy { .. }
                | Action::Call { .. }
                | Action::Return { .. }
                | Action::Spawn { .. }
                | Action::Join { .. }
                | Action::Detach { .. }
                | Action::ExitThread { .. }
                | Action::EndProcess { .. }
                | Action::AtomicEnd
                | Action::UnitBegin { .. }
                | Action::UnitEnd { .. }
                | Action::Fence { .. }
                | Action::Emit { .. }
                | Action::Unsupported { .. } => self.take(thread, (function, edge), None),
            };
            if !matches!(tried, Tried::Blocked) {
                return tried;
            }
        }
        Tried::Blocked
    }

    /// An action with one of its choices.
    fn operation(
        &mut self,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
        scheduler: &mut dyn Scheduler,
    ) -> Tried {
        let choices = self
            .interpreter
            .choices(&self.state, thread, place.0, place.1)
            .expect("only a havoc has too many choices");
        let first = first_of(choices.len(), scheduler);
        for &choice in choices[first..].iter().chain(&choices[..first]) {
            let tried = self.take(thread, place, choice);
            if !matches!(tried, Tried::Blocked) {
                return tried;
            }
        }
        Tried::Blocked
    }

    /// An atomic section: which of its inner ways get to its end is known only when they were tried.
    fn section(
        &mut self,
        thread: ThreadNumber,
        begin: EdgeId,
        scheduler: &mut dyn Scheduler,
    ) -> Tried {
        let mut successors = self.interpreter.thread_successors(&self.state, thread);
        successors.retain(|successor| successor.step.parts[0].edge == begin);
        if successors.is_empty() {
            return Tried::Blocked;
        }
        let chosen = first_of(successors.len(), scheduler);
        let successor = successors.swap_remove(chosen);
        self.overflow = successor.violations.into_iter().next();
        self.effects = successor.effects;
        self.parts = successor.step.parts;
        match successor.outcome {
            Outcome::Next(next) => {
                self.state = next;
                self.after_step()
            }
            Outcome::Stopped(stop) => Tried::Stopped(stop),
        }
    }

    /// One edge with one choice.
    fn take(
        &mut self,
        thread: ThreadNumber,
        (function, edge): (FunctionId, EdgeId),
        choice: Option<u128>,
    ) -> Tried {
        self.effects.clear();
        let chosen = Chosen {
            thread,
            function,
            edge,
            choice,
        };
        let (state, row) = (&mut self.state, self.names.as_mut());
        let acted = (self.interpreter).perform(state, chosen, row, &mut self.effects);
        if matches!(acted.end, ActedEnd::Blocked) {
            return Tried::Blocked;
        }
        self.parts.clear();
        self.parts.push(StepPart {
            function,
            edge,
            choice,
        });
        self.overflow =
            (acted.overflowed).then(|| self.interpreter.overflow_of(&self.state, chosen));
        match acted.end {
            ActedEnd::Stopped(stop) => Tried::Stopped(stop),
            ActedEnd::Done | ActedEnd::Blocked => {
                if self.names.is_none() {
                    self.interpreter.tidy(&mut self.state);
                }
                self.after_step()
            }
        }
    }

    fn after_step(&self) -> Tried {
        if !self.state.has_ended {
            return Tried::Stepped;
        }
        // What ends a process does nothing else.
        let Some(Effect::End { ending }) = self.effects.last() else {
            unreachable!("the step that ends a process says how")
        };
        Tried::Ended(*ending)
    }
}
