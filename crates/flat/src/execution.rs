//! Paths of the system as executions of the program.

use raddle_base::Id;
use raddle_encode::hazard::Hazard;
use raddle_encode::trace::{UnderValues, Valuation};
use raddle_engine::{Property, Trace};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{Assignment, Evaluation, TargetId, VariableId};

use crate::Flat;
use crate::pass::What;

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
        for (at, step) in before.iter().enumerate() {
            let mut values = self.values(step, at == 0);
            walk.begin_block();
            for record in &self.encoder.records {
                if values.holds(record.condition) {
                    self.encoder.follow(&mut walk, &mut values, record)?;
                }
            }
        }
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
