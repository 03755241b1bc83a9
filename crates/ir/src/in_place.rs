//! An action acted on a state in place, for whoever needs no copy of the state before.

use crate::expression::Expression;
use crate::program::{EdgeId, FunctionId};

use crate::interpret::act::Progress;
use crate::interpret::evaluate::Evaluator;
use crate::interpret::memory;
use crate::interpret::run::{NewNames, Run};
use crate::interpret::state::{State, ThreadNumber};
use crate::interpret::{Effect, Interpreter, Stop, Violation};
use crate::numbering::Row;

/// The edge of the running frame of a thread, with a choice.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub thread: ThreadNumber,
    pub function: FunctionId,
    pub edge: EdgeId,
    pub choice: Option<u128>,
}

/// What came of an action. Unless it is done, the state is one in the middle of it.
#[derive(Clone, Debug)]
pub struct Acted {
    pub end: ActedEnd,
    /// A signed operation has overflowed, and the action went on with the wrapped result.
    pub overflowed: bool,
}

#[derive(Clone, Debug)]
pub enum ActedEnd {
    Done,
    /// It cannot be done now, or the choice cannot be made.
    Blocked,
    Stopped(Stop),
}

impl Interpreter<'_> {
    /// Performs an action. What it does is added to the effects. With a row, new objects get its next name, else the one
    /// that they get in every order of steps. Dead objects are not forgotten.
    pub fn perform(
        &self,
        state: &mut State,
        chosen: Chosen,
        row: Option<&mut Row>,
        effects: &mut Vec<Effect>,
    ) -> Acted {
        let Chosen {
            thread,
            function,
            edge,
            choice,
        } = chosen;
        let mut run = Run {
            interpreter: self,
            state,
            thread,
            function,
            edge,
            choice,
            effects: std::mem::take(effects),
            overflowed: false,
            names: row.map_or(NewNames::Canonical, NewNames::InARow),
        };
        let progress = run.perform();
        let overflowed = run.overflowed;
        *effects = run.effects;
        let end = match progress {
            Progress::Done => ActedEnd::Done,
            Progress::Blocked(_) | Progress::NotAChoice => ActedEnd::Blocked,
            Progress::Failed(failure) => {
                let place = (function, edge);
                ActedEnd::Stopped(self.stop(state, thread, place, failure))
            }
        };
        Acted { end, overflowed }
    }

    /// Forgets what a step has left behind that nothing can lead to any more.
    pub fn tidy(&self, state: &mut State) {
        memory::forget_dead(self.program, state, |state, number| {
            self.recycling.keeps_address(state, number)
        });
        self.recycling.tidy(self.program, state);
    }

    /// The violation that a signed overflow in an action is.
    pub fn overflow_of(&self, state: &State, chosen: Chosen) -> Violation {
        self.overflow(state, chosen.thread, (chosen.function, chosen.edge))
    }

    /// What an expression is in the running frame of a thread; `None` if something goes wrong, it is undefined or it overflows.
    pub fn value_of(
        &self,
        state: &State,
        thread: ThreadNumber,
        expression: &Expression,
    ) -> Option<u128> {
        let frame = state.threads.get(&thread).and_then(|it| it.frames.last())?;
        let mut evaluator = Evaluator {
            program: self.program,
            state,
            thread: Some(thread),
            types: &self.program.functions[frame.function].registers,
            values: &frame.registers,
            overflowed: false,
            observes_layout: false,
        };
        let bits = evaluator.bits(expression).ok()?;
        (!evaluator.overflowed).then_some(bits)
    }
}
