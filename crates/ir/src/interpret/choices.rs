//! The choices of an edge in a state: the values of a havoc, where a new object lies, and what an operation on a
//! synchronisation object leaves open.

use crate::action::{Action, AllocateKind};
use crate::expression::Expression;
use crate::program::{EdgeId, FunctionId, RegisterId};

use super::evaluate::Evaluator;
use super::state::{State, ThreadNumber};
use super::{Interpreter, StepPart, sync};

impl Interpreter<'_> {
    /// Whether the choice of a part is one that its edge offers here.
    pub(super) fn is_a_choice(&self, state: &State, thread: ThreadNumber, part: &StepPart) -> bool {
        // Of a havoc, any value: a trace may choose among more than are tried one by one.
        let is_exact = !self.program.functions[part.function].is_approximate;
        if let Action::Havoc { target } = self.program.edge(part.function, part.edge).action
            && is_exact
        {
            let ty = self.program.functions[part.function].registers[target].ty;
            return part
                .choice
                .is_some_and(|bits| bits <= ty.mask(self.program.model));
        }
        self.choices(state, thread, part.function, part.edge)
            .is_ok_and(|choices| choices.contains(&part.choice))
    }

    /// Where a new object may lie: anywhere else, or where one of the freed blocks lay that it fits into.
    fn places_for(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        size: &Expression,
    ) -> Vec<Option<u128>> {
        let mut choices = vec![None];
        if state.places.is_empty() {
            return choices;
        }
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
        // A fault, and a size that nothing has, come to light when the object is made.
        let size = evaluator.bits(size).ok();
        if let Some(size) = size.and_then(|it| u64::try_from(it).ok()) {
            let homes = state.places.free_for(size, state).into_iter();
            choices.extend(homes.map(|home| Some(u128::from(home.0))));
        }
        choices
    }

    /// A value that stands for all of a havoc, if one does: then it does not matter that it is not known exactly.
    fn unnoticed(&self, function: FunctionId, edge: EdgeId) -> Option<Vec<Option<u128>>> {
        match self.wide.as_ref()?.of_havoc(function, edge)? {
            [value] => Some(vec![Some(*value)]),
            _ => None,
        }
    }

    /// The values that a register may get, or their number if there are too many.
    fn values_of_havoc(
        &self,
        function: FunctionId,
        edge: EdgeId,
        target: RegisterId,
    ) -> Result<Vec<Option<u128>>, u128> {
        let ty = self.program.functions[function].registers[target].ty;
        let greatest = ty.mask(self.program.model);
        let is_wide = greatest >= u128::from(self.semantics.max_choices);
        if self.program.functions[function].is_approximate {
            // Of few values the definition knows no classes, so that none of them stands for all.
            let unnoticed = is_wide.then(|| self.unnoticed(function, edge)).flatten();
            return unnoticed.ok_or(greatest.saturating_add(1));
        }
        let wide = self
            .wide
            .as_ref()
            .filter(|it| is_wide || it.are_preferred());
        match wide.and_then(|it| it.of_havoc(function, edge)) {
            Some(values) => Ok(values.iter().copied().map(Some).collect()),
            None if is_wide => Err(greatest.saturating_add(1)),
            None => Ok((0..=greatest).map(Some).collect()),
        }
    }

    /// The choices of an edge in a state, or their number if there are too many.
    pub fn choices(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        edge: EdgeId,
    ) -> Result<Vec<Option<u128>>, u128> {
        match &self.program.edge(function, edge).action {
            Action::Havoc { target } => self.values_of_havoc(function, edge, *target),
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
            Action::Allocate {
                size,
                kind: AllocateKind::Heap,
                ..
            } => Ok(self.places_for(state, thread, function, size)),
            Action::Allocate {
                kind: AllocateKind::Stack,
                ..
            }
            | Action::Assign { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
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
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => Ok(vec![None]),
        }
    }
}
