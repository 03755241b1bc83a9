//! One execution, in place: no state is kept or copied, so that long runs are cheap.
//!
//! Actions mean what they mean everywhere, because the same code performs them. Two things differ from a search, and
//! neither changes what a program can do: objects that are dead and that nothing points to are forgotten only when names
//! run out, and new objects get the next name in a row.

use raddle_base::Random;

use raddle_ir::action::Action;
use raddle_ir::program::{EdgeId, FunctionId};

use raddle_ir::interpret::in_place::{ActedEnd, Chosen};
use raddle_ir::interpret::numbering::Row;
use raddle_ir::interpret::{
    APPROXIMATE, Effect, Ending, Interpreter, Outcome, State, Stop, ThreadNumber, Value, Violation,
};

/// Decides what an execution does where it could do several things.
pub trait Scheduler {
    /// Which of so many possibilities, two or more, is tried first. If it is not possible now, those after it are tried,
    /// then those before it.
    fn choose(&mut self, count: usize) -> usize;

    /// Some value, at most the greatest.
    fn value(&mut self, greatest: u128) -> u128;
}

/// The first thing that is possible, and zeros.
#[derive(Clone, Copy, Debug, Default)]
pub struct FirstPossible;

impl Scheduler for FirstPossible {
    fn choose(&mut self, _: usize) -> usize {
        0
    }

    fn value(&mut self, _: u128) -> u128 {
        0
    }
}

/// Choices that look random and follow from a seed.
#[derive(Clone, Debug)]
pub struct Seeded {
    random: Random,
}

impl Seeded {
    pub fn new(seed: u64) -> Self {
        let random = Random::new(seed);
        Self { random }
    }
}

impl Scheduler for Seeded {
    fn choose(&mut self, count: usize) -> usize {
        self.random.below(count)
    }

    fn value(&mut self, greatest: u128) -> u128 {
        let mut number = || u128::from(self.random.next_number());
        let wide = number() << 64 | number();
        match greatest.checked_add(1) {
            Some(count) => wide % count,
            None => wide,
        }
    }
}

/// What came of an execution.
#[derive(Debug)]
pub struct Execution {
    /// The last state. After a stop, the one in the middle of the step that failed.
    pub state: State,
    pub end: ExecutionEnd,
    /// How many steps were taken.
    pub steps: u64,
    /// The first signed overflow. The execution goes on after it, with the wrapped result.
    pub overflow: Option<Violation>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExecutionEnd {
    /// The process ended itself.
    Ended(Ending),
    /// Every thread has come to its end; what the first one gave.
    ThreadsEnded(Value),
    Stopped(Stop),
    /// Threads are left, but none of them can take a step.
    Blocked,
    StepLimit,
}

/// Whether a thread took a step.
enum Tried {
    Stepped,
    Blocked,
    End(ExecutionEnd),
}

struct Executor<'a> {
    interpreter: &'a Interpreter<'a>,
    state: State,
    scheduler: &'a mut dyn Scheduler,
    output: &'a mut dyn FnMut(&[u8]),
    names: Row,
    overflow: Option<Violation>,
    /// Kept for their memory.
    effects: Vec<Effect>,
    threads: Vec<ThreadNumber>,
}

/// Executes at most so many steps from a state. What is emitted goes to `output`, step by step.
pub fn execute(
    interpreter: &Interpreter<'_>,
    state: State,
    scheduler: &mut dyn Scheduler,
    limit: u64,
    output: &mut dyn FnMut(&[u8]),
) -> Execution {
    let mut executor = Executor {
        interpreter,
        state,
        scheduler,
        output,
        names: Row::default(),
        overflow: None,
        effects: Vec::new(),
        threads: Vec::new(),
    };
    let mut steps = 0;
    let end = loop {
        if steps == limit {
            break ExecutionEnd::StepLimit;
        }
        match executor.step() {
            Tried::Stepped => steps += 1,
            Tried::Blocked => break executor.end_of_the_blocked(),
            Tried::End(end) => break end,
        }
    };
    Execution {
        state: executor.state,
        end,
        steps,
        overflow: executor.overflow,
    }
}

impl Executor<'_> {
    /// A step of some thread.
    fn step(&mut self) -> Tried {
        if self.state.threads.len() == 1
            && let Some((&thread, _)) = self.state.threads.first_key_value()
        {
            return self.step_of(thread);
        }
        let mut threads = std::mem::take(&mut self.threads);
        threads.clear();
        let running = self.state.threads.iter();
        threads.extend(
            running
                .filter(|(_, thread)| !thread.frames.is_empty())
                .map(|(number, _)| *number),
        );
        let first = self.first_of(threads.len());
        let mut tried = Tried::Blocked;
        for &thread in threads[first..].iter().chain(&threads[..first]) {
            tried = self.step_of(thread);
            if !matches!(tried, Tried::Blocked) {
                break;
            }
        }
        self.threads = threads;
        tried
    }

    fn first_of(&mut self, count: usize) -> usize {
        if count < 2 {
            0
        } else {
            self.scheduler.choose(count) % count
        }
    }

    /// A step of this thread.
    fn step_of(&mut self, thread: ThreadNumber) -> Tried {
        let Some(frame) = self.state.threads[&thread].frames.last() else {
            return Tried::Blocked;
        };
        let function = frame.function;
        let program = self.interpreter.program();
        let edges = program.outgoing(function, frame.location);
        let first = self.first_of(edges.len());
        for &edge in edges[first..].iter().chain(&edges[..first]) {
            let tried = match &program.edge(function, edge).action {
                Action::AtomicBegin { .. } => self.section(thread, edge),
                Action::Havoc { .. } if program.functions[function].is_approximate => {
                    let span = program.edge(function, edge).span;
                    let what = APPROXIMATE.to_owned();
                    Tried::End(ExecutionEnd::Stopped(Stop::Unsupported { what, span }))
                }
                Action::Havoc { target } => {
                    let ty = program.functions[function].registers[*target].ty;
                    let value = self.scheduler.value(ty.mask(program.model));
                    self.take(thread, (function, edge), Some(value))
                }
                Action::Sync { .. } => self.operation(thread, (function, edge)),
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

    /// An operation on a synchronisation object, with one of its choices.
    fn operation(&mut self, thread: ThreadNumber, place: (FunctionId, EdgeId)) -> Tried {
        let choices = self
            .interpreter
            .choices(&self.state, thread, place.0, place.1)
            .expect("only a havoc has too many choices");
        let first = self.first_of(choices.len());
        for &choice in choices[first..].iter().chain(&choices[..first]) {
            let tried = self.take(thread, place, choice);
            if !matches!(tried, Tried::Blocked) {
                return tried;
            }
        }
        Tried::Blocked
    }

    /// An atomic section: which of its inner ways get to its end is known only when they were tried.
    fn section(&mut self, thread: ThreadNumber, begin: EdgeId) -> Tried {
        let mut successors = self.interpreter.thread_successors(&self.state, thread);
        successors.retain(|successor| successor.step.parts[0].edge == begin);
        if successors.is_empty() {
            return Tried::Blocked;
        }
        let chosen = self.first_of(successors.len());
        let successor = successors.swap_remove(chosen);
        if self.overflow.is_none() {
            self.overflow = successor.violations.into_iter().next();
        }
        self.effects = successor.effects;
        self.tell_effects();
        match successor.outcome {
            Outcome::Next(next) => {
                self.state = next;
                self.after_step()
            }
            Outcome::Stopped(stop) => Tried::End(ExecutionEnd::Stopped(stop)),
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
        let (state, row) = (&mut self.state, Some(&mut self.names));
        let acted = (self.interpreter).perform(state, chosen, row, &mut self.effects);
        if acted.overflowed && self.overflow.is_none() && !matches!(acted.end, ActedEnd::Blocked) {
            self.overflow = Some(self.interpreter.overflow_of(&self.state, chosen));
        }
        match acted.end {
            ActedEnd::Done => {
                self.tell_effects();
                self.after_step()
            }
            ActedEnd::Blocked => Tried::Blocked,
            ActedEnd::Stopped(stop) => Tried::End(ExecutionEnd::Stopped(stop)),
        }
    }

    fn tell_effects(&mut self) {
        for effect in &self.effects {
            if let Effect::Emit { bytes } = effect {
                (self.output)(bytes);
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
        Tried::End(ExecutionEnd::Ended(*ending))
    }

    fn end_of_the_blocked(&self) -> ExecutionEnd {
        if !self.state.is_over() {
            return ExecutionEnd::Blocked;
        }
        let first = self.state.threads.get(&ThreadNumber(0));
        ExecutionEnd::ThreadsEnded(first.map_or(Value::Undefined, |thread| thread.result))
    }
}
