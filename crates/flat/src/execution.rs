//! Paths of the system as executions of the program.

use raddle_base::Id;
use raddle_encode::hazard::Hazard;
use raddle_encode::names::ThreadIndex;
use raddle_encode::trace::{UnderValues, Valuation, Walk};
use raddle_engine::{Property, Trace};
use raddle_ir::interpret::{Interpreter, State, Step, Value};
use raddle_logic::{Assignment, Evaluation, TargetId, VariableId};

use crate::Flat;
use crate::pass::What;
use crate::slot::Slot;

impl Flat<'_> {
    /// The execution that a path is: state and inputs of each step, the last of which reaches the target. `None` if the
    /// interpreter does not go the same way, or the target is no violation.
    pub fn execution(
        &self,
        interpreter: &Interpreter<'_>,
        initial: &[State],
        path: &[(Vec<u128>, Vec<u128>)],
        target: TargetId,
    ) -> Option<Trace> {
        let (last, before) = path.split_last()?;
        let mut values = self.values(path.first()?, true);
        let mut walk = self.encoder.walk(interpreter, initial, &mut values)?;
        self.walk(&mut walk, before)?;
        let mut values = self.values(last, before.is_empty());
        let occasions = &self.occasions[target.index()];
        let occasion = occasions.iter().find(|it| values.holds(it.condition))?;
        let What::Met(Hazard::Violation(property)) = occasion.what else {
            return None;
        };
        let is_overflow = property == Property::Overflow;
        let mut was_taken = false;
        walk.begin_block();
        for (at, record) in self.encoder.records.iter().enumerate() {
            if at >= occasion.after
                && (!is_overflow || (at > occasion.after && !walk.is_in_section()))
            {
                break;
            }
            if values.holds(record.condition) {
                // Most overflows wrap, so that the edge was taken.
                was_taken |= is_overflow && at == occasion.after;
                self.encoder.follow(&mut walk, &mut values, record)?;
            }
        }
        if !walk.has_stopped() && !was_taken {
            walk.fail(occasion.thread, occasion.place)?;
        }
        walk.trace(property, false)
    }

    /// The steps that a path is, and the state of the program that they lead to. `None` if the interpreter does not go the same way.
    pub fn follow(
        &self,
        interpreter: &Interpreter<'_>,
        initial: &[State],
        path: &[(Vec<u128>, Vec<u128>)],
    ) -> Option<(Vec<Step>, State)> {
        let mut values = self.values(path.first()?, true);
        let mut walk = self.encoder.walk(interpreter, initial, &mut values)?;
        self.walk(&mut walk, path)?;
        let (steps, state) = walk.so_far();
        Some((steps.to_vec(), state.clone()))
    }

    fn walk(&self, walk: &mut Walk<'_, '_>, path: &[(Vec<u128>, Vec<u128>)]) -> Option<()> {
        for (at, step) in path.iter().enumerate() {
            let mut values = self.values(step, at == 0);
            walk.begin_block();
            for record in &self.encoder.records {
                if values.holds(record.condition) {
                    self.encoder.follow(walk, &mut values, record)?;
                }
            }
        }
        Some(())
    }

    /// The state of the system that a state of the program is, in which it begins.
    pub fn first_state(&self, interpreter: &Interpreter<'_>, state: &State) -> Vec<u128> {
        let mut assignment = Assignment::new();
        for cell in &self.encoder.undetermined {
            let value = interpreter.cell(state, cell.object, cell.offset, cell.ty);
            if let (Some(Value::Bits(bits)), Some(variable)) =
                (value, self.system.terms.as_variable(cell.value))
            {
                assignment.set(variable, bits);
            }
        }
        let mut values = Evaluation::new(assignment);
        let first = self.first.iter();
        first
            .map(|it| values.value(&self.system.terms, *it))
            .collect()
    }

    /// The threads of the system, by their number among the values of `who runs`.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// The inputs that matter for what a thread does in a state.
    pub fn choices(&self, state: &[u128], thread: usize) -> &[VariableId] {
        let thread = ThreadIndex::from_index(thread);
        let mut slots = self.slots.iter().zip(state);
        let at = slots.find(|((slot, _), _)| *slot == Slot::At(thread));
        let number = at.map_or(0, |(_, number)| usize::try_from(*number).unwrap_or(0));
        self.offers
            .get(&(thread, number))
            .map_or(&[], Vec::as_slice)
    }

    /// What terms are worth in a state with inputs; in the first one also what cells begin with.
    fn values(&self, step: &(Vec<u128>, Vec<u128>), is_first: bool) -> UnderValues<'_> {
        let mut assignment: Assignment = self.system.assignment(&step.0);
        for (variable, value) in self.system.inputs.iter().zip(&step.1) {
            assignment.set(*variable, *value);
        }
        if is_first {
            let mut first = Evaluation::new(assignment.clone());
            let begun: Vec<(VariableId, u128)> = (self.begun.iter())
                .map(|(variable, term)| (*variable, first.value(&self.system.terms, *term)))
                .collect();
            for (variable, value) in begun {
                assignment.set(variable, value);
            }
        }
        UnderValues {
            terms: &self.system.terms,
            values: Evaluation::new(assignment),
        }
    }
}
