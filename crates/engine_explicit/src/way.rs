//! A way through states, from which an execution can be made again.

use raddle_base::saved;
use raddle_ir::interpret::{Interpreter, Outcome, State, Step, ThreadNumber};

/// A way through states: which thread, and which of its successors, step by step.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Way(pub(super) Box<[(ThreadNumber, Box<[u32]>)]>);

impl Way {
    /// The thread that takes the first step.
    pub(crate) fn first(&self) -> Option<ThreadNumber> {
        self.0.first().map(|(thread, _)| *thread)
    }

    /// The threads and which of their successors, one after the other.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (ThreadNumber, usize)> + '_ {
        self.0.iter().flat_map(|(thread, choices)| {
            let choices = choices.iter();
            choices.map(|choice| (*thread, *choice as usize))
        })
    }

    /// Goes the way from a state.
    pub(crate) fn follow(
        &self,
        interpreter: &Interpreter<'_>,
        mut state: State,
        steps: &mut Vec<Step>,
    ) -> State {
        for (thread, choices) in &self.0 {
            for &choice in choices {
                let successor = interpreter
                    .thread_successors(&state, *thread)
                    .into_iter()
                    .nth(choice as usize)
                    .expect("the interpreter gives the same successors again");
                steps.push(successor.step);
                state = match successor.outcome {
                    Outcome::Next(next) => next,
                    Outcome::Stopped(_) => {
                        unreachable!("only steps with a next state lead to a state")
                    }
                };
            }
        }
        state
    }
}

saved!(struct Way(steps));
