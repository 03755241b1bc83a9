//! Where a value that nobody has set would have been: the second place of a violation of `uninitialized`.

use raddle_base::{Id, Span};

use crate::action::Action;
use crate::interpret::evaluate::Evaluator;
use crate::interpret::fault::Unset;
use crate::interpret::memory;
use crate::interpret::{Interpreter, ObjectNumber, Origin, State, Storage, ThreadNumber, Value};
use crate::program::{FunctionId, RegisterId};

impl Interpreter<'_> {
    /// The declaration or the allocation, if it is known, and what is said of it.
    pub(crate) fn place_of_unset(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        unset: Unset,
    ) -> Option<(Span, String)> {
        match unset {
            Unset::Cell(object) => self.place_of_object(state, object),
            Unset::Register(register) => {
                let known = &self.program.functions[function].registers[register];
                if known.is_temporary || known.span.is_none() {
                    let object = self.loaded_from(state, thread, function, register)?;
                    return self.place_of_object(state, object);
                }
                let text = format!("`{}` is declared here", known.name);
                known.span.map(|span| (span, text))
            }
            Unset::Somewhere => None,
        }
    }

    fn place_of_object(&self, state: &State, number: ObjectNumber) -> Option<(Span, String)> {
        let object = state.objects.get(&number)?;
        let (span, text) = match object.origin {
            Origin::Edge(function, edge) => {
                let text = match object.storage {
                    Storage::Heap => "allocated here",
                    Storage::Stack | Storage::Global | Storage::ThreadLocal => "declared here",
                };
                (self.program.edge(function, edge).span, text.to_owned())
            }
            Origin::Global(global) => {
                let global = &self.program.globals[global];
                (global.span, format!("`{}` is declared here", global.name))
            }
        };
        span.map(|span| (span, text))
    }

    /// The object that a value in the middle of an expression was loaded from, if that can still be told: one load
    /// sets it, and what it loads is still not set.
    fn loaded_from(
        &self,
        state: &State,
        thread: ThreadNumber,
        function: FunctionId,
        register: RegisterId,
    ) -> Option<ObjectNumber> {
        let frame = state.threads.get(&thread)?.frames.last()?;
        if frame.function != function {
            return None;
        }
        let known = &self.program.functions[function];
        let mut loads = known.edges.iter().filter_map(|(_, edge)| {
            let Action::Load {
                target,
                address,
                ty,
                ..
            } = &edge.action
            else {
                return None;
            };
            (*target == register).then_some((address, *ty))
        });
        let (address, ty) = loads.next()?;
        if loads.next().is_some() || register.index() >= frame.registers.len() {
            return None;
        }
        let mut evaluator = Evaluator {
            program: self.program,
            state,
            thread: Some(thread),
            types: &known.registers,
            values: &frame.registers,
            overflowed: false,
            observes_layout: false,
        };
        let pointer = evaluator.bits(address).ok()?;
        let size = ty.size(self.program.model);
        let (object, offset) = memory::locate(self.program, state, pointer, size).ok()?;
        let value = memory::read(self.program, state, object, offset, ty);
        (value == Value::Undefined).then_some(object)
    }
}
