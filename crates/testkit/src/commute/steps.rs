//! Steps from a state, and states up to the numbers of heap objects.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use raddle_ir::interpret::places::BlockPlace;
use raddle_ir::interpret::{
    Interpreter, ObjectNumber, Outcome, State, Storage, ThreadNumber, Value,
};
use raddle_ir::{EdgeId, FunctionId, Program};

use super::universe::T;

/// What a step comes to. The process has ended in one way only: what was left in memory then is nobody's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StepEnd {
    State(Arc<State>),
    Failed,
    ProcessEnded,
}

pub(super) type Steps = Vec<((ThreadNumber, FunctionId, EdgeId), StepEnd)>;

/// Takes steps and keeps each state once: most steps lead to states that others lead to.
pub(super) struct Stepper<'a> {
    interpreter: Interpreter<'a>,
    known: HashSet<Arc<State>>,
}

impl<'a> Stepper<'a> {
    pub(super) fn new(interpreter: Interpreter<'a>) -> Self {
        Self {
            interpreter,
            known: HashSet::new(),
        }
    }

    pub(super) fn steps(&mut self, state: &State, threads: &[ThreadNumber]) -> Steps {
        let mut found = Vec::new();
        for thread in threads {
            for successor in self.interpreter.thread_successors(state, *thread) {
                let part = &successor.step.parts[0];
                let end = match successor.outcome {
                    Outcome::Next(state) if state.has_ended => StepEnd::ProcessEnded,
                    Outcome::Next(state) => StepEnd::State(self.kept(&state)),
                    Outcome::Stopped(_) => StepEnd::Failed,
                };
                found.push(((successor.step.thread, part.function, part.edge), end));
            }
        }
        found
    }

    fn kept(&mut self, state: &State) -> Arc<State> {
        let state = renamed(self.interpreter.program(), state);
        if let Some(known) = self.known.get(&state) {
            return Arc::clone(known);
        }
        let state = Arc::new(state);
        self.known.insert(Arc::clone(&state));
        state
    }
}

pub(super) fn others(state: &State) -> Vec<ThreadNumber> {
    state
        .threads
        .keys()
        .copied()
        .filter(|it| *it != T)
        .collect()
}

/// Heap objects renumbered by first occurrence in registers, so that states are equal up to renaming.
/// No cell of the universe holds a pointer.
pub(super) fn renamed(program: &Program, state: &State) -> State {
    let bits = program.model.offset_bits();
    let mut names: BTreeMap<ObjectNumber, ObjectNumber> = BTreeMap::new();
    let is_heap = |number: ObjectNumber| {
        state
            .objects
            .get(&number)
            .is_some_and(|object| object.storage == Storage::Heap)
    };
    let mut rename = |number: ObjectNumber| {
        let next = u32::try_from(names.len()).expect("there are few objects");
        *names
            .entry(number)
            .or_insert(ObjectNumber(1 << 23 | 1 << 10 | next))
    };
    let mut copy = state.clone();
    for thread in copy.threads.values_mut() {
        for frame in &mut Arc::make_mut(thread).frames {
            for register in &mut frame.registers {
                if let Value::Bits(value) = register {
                    let number =
                        ObjectNumber(u32::try_from(*value >> bits & 0xff_ffff).expect("24 bits"));
                    if is_heap(number) {
                        *value = u128::from(rename(number).0) << bits;
                    }
                }
            }
        }
    }
    copy.objects = state
        .objects
        .iter()
        .map(|(number, object)| {
            let number = if is_heap(*number) {
                rename(*number)
            } else {
                *number
            };
            (number, object.clone())
        })
        .collect();
    copy.places = state
        .places
        .renamed(|it| names.get(&it).copied().unwrap_or(it));
    // No pointer of the universe becomes a number, so an address is named after the first life there, as ever.
    let first_life = |home: ObjectNumber| copy.places.lives_at(home).min().unwrap_or(home);
    copy.places = copy
        .places
        .iter()
        .map(|(number, place)| {
            let home = first_life(place.home);
            (number, BlockPlace { home, ..place })
        })
        .collect();
    copy
}
