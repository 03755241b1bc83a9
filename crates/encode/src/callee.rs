//! Calls through pointers: one case for each function that the pointer may be, and one for all that is none.

use raddle_base::{Arena, Id};
use raddle_engine::Property;
use raddle_ir::arithmetic::{join_pointer, split_pointer};
use raddle_ir::{Action, Callee, EdgeId, Expression, FunctionId, RegisterId, Scalar};
use raddle_logic::TermId;

use crate::encoder::Encoder;
use crate::hazard::Hazard;
use crate::memory::Memory;
use crate::names::{ObjectName, ThreadIndex};
use crate::place::UnrolledPoint;
use crate::pointees;
use crate::state::{Local, Shared};
use crate::taking::{Taking, Way, Ways};
use crate::touch::Standing;

impl Encoder<'_> {
    /// The edges that leave a place, each with the condition under which it is tried; those that call one of several
    /// functions once for each, with its address, and once for none of them.
    pub fn ways(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        local: &Local,
        standing: Standing,
    ) -> Ways {
        let (tried, chosen) = self.choices(place, local.guard, standing);
        let mut ways = Vec::new();
        for (edge, guard) in tried {
            let way = |guard, callee| Way {
                edge,
                guard,
                callee,
            };
            let Some(pointer) = self.called_pointer(thread, place, edge, local) else {
                ways.push(way(guard, None));
                continue;
            };
            let mut rest = guard;
            for address in self.candidates(place, edge, pointer) {
                let is_this = self.terms.equals_constant(pointer, address);
                ways.push(way(self.terms.and(rest, is_this), Some(address)));
                let is_other = self.terms.not(is_this);
                rest = self.terms.and(rest, is_other);
            }
            ways.push(way(rest, None));
        }
        Ways { ways, chosen }
    }

    /// The pointer that an edge calls, if there is one and it is not known.
    fn called_pointer(
        &mut self,
        thread: ThreadIndex,
        place: &UnrolledPoint,
        edge: EdgeId,
        local: &Local,
    ) -> Option<TermId> {
        let action = &self.program.edge(place.top().function, edge).action;
        let (Action::Call {
            callee: Callee::Indirect(address),
            ..
        }
        | Action::Spawn {
            callee: Callee::Indirect(address),
            ..
        }) = action
        else {
            return None;
        };
        // Expressions do not look at it.
        let mut shared = Shared {
            memory: Memory::default(),
            links: Arena::new(),
            has_ended: self.terms.truth(false),
        };
        let mut taking = Taking::aside(thread, &mut shared, (place, edge), local.clone());
        // What goes wrong here is met when the edge is taken.
        let pointer = self.evaluate(&mut taking, |it| it.bits(address));
        let is_known = self.terms.constant_value(pointer).is_some();
        (!is_known).then_some(pointer)
    }

    /// The addresses of functions that may be called there.
    fn candidates(&self, place: &UnrolledPoint, edge: EdgeId, pointer: TermId) -> Vec<u128> {
        let program = self.program;
        let action = &program.edge(place.top().function, edge).action;
        let (arguments, target) = if let Action::Call {
            arguments, target, ..
        } = action
        {
            (arguments.as_slice(), *target)
        } else if let Action::Spawn { arguments, .. } = action {
            (arguments.as_slice(), None)
        } else {
            return Vec::new();
        };
        let named = pointees::named_at_all(&self.terms, pointer, program.model);
        let ids = program.functions.ids();
        let functions = ids.filter(|id| self.is_callable(place, *id, arguments, target));
        functions
            .map(|id| self.address_of(id))
            .filter(|address| {
                let (number, _) = ObjectName::split(*address, program.model);
                named.as_ref().is_none_or(|it| it.contains(&number))
            })
            .collect()
    }

    fn address_of(&self, function: FunctionId) -> u128 {
        let number = self.program.globals.len() + function.index() + 1;
        let number = u32::try_from(number).expect("validated: numbers fit");
        join_pointer(number, 0, self.program.model)
    }

    /// Whether a function takes these arguments and gives this result.
    fn is_callable(
        &self,
        place: &UnrolledPoint,
        callee: FunctionId,
        arguments: &[Expression],
        target: Option<RegisterId>,
    ) -> bool {
        let program = self.program;
        let registers = &program.functions[place.top().function].registers;
        let function = &program.functions[callee];
        let takes = function.parameter_ids().map(|it| function.registers[it].ty);
        let given = arguments.iter();
        let given = given.map(|it| -> Scalar { it.scalar(registers, program.model) });
        takes.eq(given) && target.is_none_or(|target| function.result == Some(registers[target].ty))
    }

    /// The function that is called; `None` where it is none that can be.
    pub fn callee(
        &mut self,
        taking: &mut Taking<'_>,
        callee: &Callee,
        arguments: &[Expression],
        target: Option<RegisterId>,
    ) -> Option<FunctionId> {
        let address = match callee {
            Callee::Direct(function) => return Some(*function),
            Callee::Indirect(address) => address,
        };
        let program = self.program;
        let pointer = self.evaluate(taking, |it| it.bits(address));
        let known = self.terms.constant_value(pointer);
        let never = self.terms.truth(false);
        let Some(known) = known.or(taking.callee) else {
            // None of those that can be called: a function of other types, or no function.
            for id in program.functions.ids() {
                let is_this = self.terms.equals_constant(pointer, self.address_of(id));
                let is_other = self.terms.not(is_this);
                self.require(taking, is_other, OTHER_TYPES);
            }
            self.require(taking, never, Hazard::Violation(Property::Memory));
            return None;
        };
        let (number, offset) = split_pointer(known, program.model);
        let found = (number as usize)
            .checked_sub(program.globals.len() + 1)
            .and_then(|index| program.functions.ids().nth(index))
            .filter(|_| offset == 0);
        let Some(found) = found else {
            self.require(taking, never, Hazard::Violation(Property::Memory));
            return None;
        };
        if self.is_callable(taking.place, found, arguments, target) {
            return Some(found);
        }
        self.require(taking, never, OTHER_TYPES);
        None
    }
}

/// A call through a pointer with other types than the function's.
const OTHER_TYPES: Hazard = Hazard::Violation(Property::Undefined);
