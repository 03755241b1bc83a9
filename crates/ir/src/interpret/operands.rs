//! The places in memory, and the threads, that the operands of an action name.

use crate::action::Action;
use crate::arithmetic;
use crate::effect::{Deed, Operand};
use crate::expression::Expression;

use super::evaluate::Evaluator;
use super::judge::MemoryAccess;
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
        let places = self.places_of_operands(state, thread, part);
        places.map(|(_, place)| place).collect()
    }

    /// See [`Interpreter::tried`].
    pub(super) fn looks(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &StepPart,
    ) -> Vec<MemoryAccess> {
        let places = self.places_of_operands(state, thread, part);
        places
            .filter_map(|(operand, (object, offset))| {
                let content = state.objects.get(&object)?;
                Some(MemoryAccess {
                    object,
                    offset,
                    size: u64::from(offset < content.bytes.len() as u64),
                    is_write: operand.is_write && matches!(operand.deed, Deed::Init | Deed::Whole),
                    is_atomic: operand.is_atomic,
                })
            })
            .collect()
    }

    fn places_of_operands<'s>(
        &'s self,
        state: &'s State,
        thread: ThreadNumber,
        part: &StepPart,
    ) -> impl Iterator<Item = (Operand<'s>, (ObjectNumber, u64))> {
        let model = self.program.model;
        let action = &self.program.edge(part.function, part.edge).action;
        let operands = action.operands(model).into_iter();
        operands.filter_map(move |operand| {
            let pointer = self.number_of(state, thread, operand.address)?;
            let (object, offset) = arithmetic::split_pointer(pointer, model);
            Some((operand, (ObjectNumber(object), offset)))
        })
    }

    /// The thread that an action of a thread joins or detaches, whether or not it is there.
    pub(crate) fn joined_by(
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
