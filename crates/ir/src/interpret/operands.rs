//! The places in memory, and the threads, that the operands of an action name.

use crate::action::Action;
use crate::arithmetic;
use crate::expression::Expression;

use super::evaluate::Evaluator;
use super::state::{ObjectNumber, State, ThreadNumber};
use super::{Interpreter, StepPart};

impl Interpreter<'_> {
    /// See [`Interpreter::pointed_to`].
    pub(super) fn operands(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &StepPart,
    ) -> Vec<(ObjectNumber, u64)> {
        let action = &self.program.edge(part.function, part.edge).action;
        action
            .operands(self.program.model)
            .into_iter()
            .map(|it| it.address)
            .filter_map(|address| self.number_of(state, thread, address))
            .map(|pointer| {
                let (object, offset) = arithmetic::split_pointer(pointer, self.program.model);
                (ObjectNumber(object), offset)
            })
            .collect()
    }

    /// The thread that an action of a thread joins or detaches, whether or not it is there.
    pub(super) fn joined_by(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &StepPart,
    ) -> Option<ThreadNumber> {
        let action = &self.program.edge(part.function, part.edge).action;
        let (Action::Join { thread: named, .. } | Action::Detach { thread: named }) = action else {
            return None;
        };
        let number = self.number_of(state, thread, named)?;
        u64::try_from(number).ok().map(ThreadNumber)
    }

    /// What an expression is for a thread; `None` if it has no value.
    fn number_of(
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
        evaluator.bits(expression).ok()
    }
}
