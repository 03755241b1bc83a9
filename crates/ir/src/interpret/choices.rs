//! The choices of an edge in a state: the values of a havoc, and what an operation on a synchronisation object leaves
//! open.

use crate::action::Action;
use crate::program::{EdgeId, FunctionId};

use super::evaluate::Evaluator;
use super::state::{State, ThreadNumber};
use super::{Interpreter, Part, sync};

impl Interpreter<'_> {
    /// Whether the choice of a part is one that its edge offers here.
    pub(super) fn is_a_choice(&self, state: &State, thread: ThreadNumber, part: &Part) -> bool {
        // Of a havoc, any value: a trace may choose among more than are tried one by one.
        if let Action::Havoc { target } = self.program.edge(part.function, part.edge).action {
            let ty = self.program.functions[part.function].registers[target].ty;
            return part
                .choice
                .is_some_and(|bits| bits <= ty.mask(self.program.model));
        }
        self.choices(state, thread, part.function, part.edge)
            .is_ok_and(|choices| choices.contains(&part.choice))
    }

    /// The choices of an edge in a state, or their number if there are too many.
    pub(super) fn choices(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        edge: EdgeId,
    ) -> Result<Vec<Option<u128>>, u128> {
        match &self.program.edge(function, edge).action {
            Action::Havoc { target } => {
                let ty = self.program.functions[function].registers[*target].ty;
                let greatest = ty.mask(self.program.model);
                if greatest < u128::from(self.semantics.max_choices) {
                    return Ok((0..=greatest).map(Some).collect());
                }
                match self.classes.of_havoc(function, edge) {
                    Some(values) => Ok(values.iter().copied().map(Some).collect()),
                    None => Err(greatest.saturating_add(1)),
                }
            }
            Action::Sync {
                operation, object, ..
            } => {
                let frame = state.threads[&thread].frames.last().expect("runs");
                let mut evaluator = Evaluator {
                    program: self.program,
                    state,
                    thread: Some(thread),
                    types: &self.program.functions[function].registers,
                    values: &frame.registers,
                    overflowed: false,
                    observes_layout: false,
                };
                // A fault comes to light when the operation is performed.
                Ok(evaluator.bits(object).map_or(vec![None], |pointer| {
                    sync::choices(
                        self.program,
                        state,
                        thread,
                        *operation,
                        pointer,
                        self.asks_serial,
                    )
                }))
            }
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
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => Ok(vec![None]),
        }
    }
}
