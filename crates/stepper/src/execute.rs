//! One execution, in place: no state is kept or copied, so that long runs are cheap.
//!
//! Actions mean what they mean everywhere, because the same code performs them. Two things differ from a search, and
//! neither changes what a program can do: objects that are dead and that nothing points to are forgotten only when names
//! run out, and new objects get the next name in a row.

use raddle_ir::interpret::{
    Effect, Ending, Interpreter, State, Stop, ThreadNumber, Value, Violation,
};

pub use crate::scheduler::{FirstPossible, Scheduler, Seeded};
use crate::walk::{Tried, Walk, first_of};

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

struct Executor<'a> {
    walk: Walk<'a>,
    scheduler: &'a mut dyn Scheduler,
    output: &'a mut dyn FnMut(&[u8]),
    overflow: Option<Violation>,
    /// Kept for their memory.
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
        walk: Walk::with_names_in_a_row(interpreter, state),
        scheduler,
        output,
        overflow: None,
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
            Tried::Ended(ending) => {
                executor.tell_effects();
                break ExecutionEnd::Ended(ending);
            }
            Tried::Stopped(stop) => break ExecutionEnd::Stopped(stop),
        }
        executor.tell_effects();
    };
    Execution {
        state: executor.walk.into_state(),
        end,
        steps,
        overflow: executor.overflow,
    }
}

impl Executor<'_> {
    /// A step of some thread.
    fn step(&mut self) -> Tried {
        let state = self.walk.state();
        if state.threads.len() == 1
            && let Some((&thread, _)) = state.threads.first_key_value()
        {
            return self.step_of(thread);
        }
        let mut threads = std::mem::take(&mut self.threads);
        threads.clear();
        let running = state.threads.iter();
        threads.extend(
            running
                .filter(|(_, thread)| !thread.frames.is_empty())
                .map(|(number, _)| *number),
        );
        let first = first_of(threads.len(), self.scheduler);
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

    fn step_of(&mut self, thread: ThreadNumber) -> Tried {
        let tried = self.walk.step_of(thread, self.scheduler);
        if self.overflow.is_none() {
            self.overflow = self.walk.take_overflow();
        }
        tried
    }

    fn tell_effects(&mut self) {
        for effect in self.walk.effects() {
            if let Effect::Emit { bytes } = effect {
                (self.output)(bytes);
            }
        }
    }

    fn end_of_the_blocked(&self) -> ExecutionEnd {
        if !self.walk.state().is_over() {
            return ExecutionEnd::Blocked;
        }
        let first = self.walk.state().threads.get(&ThreadNumber(0));
        ExecutionEnd::ThreadsEnded(first.map_or(Value::Undefined, |thread| thread.result))
    }
}
