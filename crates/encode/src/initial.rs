//! Programs that start in several states: these differ in the values of cells that nothing determines.

use std::collections::BTreeSet;

use raddle_ir::Initial;
use raddle_ir::interpret::{Interpreter, State, Value};
use raddle_logic::TermId;
use raddle_reduce::watched::object_of;

use crate::encoder::{Encoder, Undetermined};
use crate::names::ObjectName;
use crate::state::Shared;
use crate::trace::Valuation;
use crate::word::Word;

/// More values of one cell than this are not listed.
const MOST_VALUES: usize = 1_000;

impl Encoder<'_> {
    /// Begins with any of the states; `None` if they are too many. Gives what the values have to fulfil.
    pub fn begin_anywhere(
        &mut self,
        shared: &mut Shared,
        interpreter: &Interpreter<'_>,
        states: &[State],
    ) -> Option<TermId> {
        let program = self.program;
        let mut conditions = Vec::new();
        for (id, global) in program.globals.iter().filter(|(_, it)| !it.is_thread_local) {
            for (offset, initial) in &global.initial {
                let Initial::Any(ty) = *initial else {
                    continue;
                };
                let object = object_of(id);
                let width = self.width(ty);
                let value = self.terms.fresh_variable("initial", width);
                let mut values = BTreeSet::new();
                for state in states {
                    let Some(Value::Bits(bits)) = interpreter.cell(state, object, *offset, ty)
                    else {
                        return None;
                    };
                    values.insert(bits);
                }
                let are_all = width < 64 && values.len() as u128 == 1 << width;
                if !are_all {
                    if values.len() > MOST_VALUES {
                        return None;
                    }
                    let cases: Vec<TermId> = values
                        .into_iter()
                        .map(|it| self.terms.equals_constant(value, it))
                        .collect();
                    conditions.push(self.terms.any(&cases));
                }
                let word = Word::defined(&mut self.terms, value);
                let size = ty.size(program.model);
                let object_mut = shared.memory.object_mut(ObjectName::of_first(object));
                object_mut.put(&mut self.terms, *offset, size, word);
                self.undetermined.push(Undetermined {
                    object,
                    offset: *offset,
                    ty,
                    value,
                });
            }
        }
        Some(self.terms.all(&conditions))
    }

    /// Which of the states an execution begins with.
    pub fn initial_of(
        &self,
        interpreter: &Interpreter<'_>,
        states: &[State],
        values: &mut impl Valuation,
    ) -> Option<usize> {
        let mut wanted = Vec::new();
        for cell in &self.undetermined {
            wanted.push((cell, Value::Bits(values.value(cell.value))));
        }
        states.iter().position(|state| {
            wanted.iter().all(|(cell, value)| {
                interpreter.cell(state, cell.object, cell.offset, cell.ty) == Some(*value)
            })
        })
    }
}
