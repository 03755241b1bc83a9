//! A state of the interpreter, as conditions of movers ask about it.

use std::rc::Rc;

use raddle_base::Id;
use raddle_ir::arithmetic::split_pointer;
use raddle_ir::interpret::{Interpreter, ObjectNumber, State, Thread, ThreadNumber, Value};
use raddle_ir::{Expression, FunctionId, RegisterId, Scalar};

use super::{At, Other, Surroundings};
use crate::keys::is_held;

/// A frame of a thread, with what it holds.
#[derive(Clone, Debug)]
pub struct FrameView {
    thread: ThreadNumber,
    function: FunctionId,
    registers: Rc<[Value]>,
}

/// A state before a step of a thread.
pub struct Present<'a> {
    pub interpreter: &'a Interpreter<'a>,
    pub state: &'a State,
    pub thread: ThreadNumber,
}

impl Present<'_> {
    /// The frame that the thread runs.
    pub fn running(&self) -> Option<FrameView> {
        let thread = self.state.threads.get(&self.thread)?;
        let frames = frames(self.thread, thread);
        frames.into_iter().next_back().map(|(view, _, _)| view)
    }
}

/// The frames of a thread. What a caller waits for is not known yet.
fn frames(number: ThreadNumber, thread: &Thread) -> Vec<(FrameView, FunctionId, At)> {
    let awaited = thread.frames.iter().skip(1).map(|it| it.target);
    thread
        .frames
        .iter()
        .zip(awaited.chain([None]))
        .map(|(frame, awaited)| {
            let mut registers = frame.registers.clone();
            if let Some(register) = awaited {
                registers[register.index()] = Value::Undefined;
            }
            let view = FrameView {
                thread: number,
                function: frame.function,
                registers: registers.into(),
            };
            (view, frame.function, At::Location(frame.location))
        })
        .collect()
}

impl Surroundings for Present<'_> {
    type Truth = bool;
    type Word = u128;
    type Frame = FrameView;

    fn truth(&mut self, value: bool) -> bool {
        value
    }

    fn and(&mut self, one: bool, other: bool) -> bool {
        one && other
    }

    fn or(&mut self, one: bool, other: bool) -> bool {
        one || other
    }

    fn not(&mut self, truth: bool) -> bool {
        !truth
    }

    fn is_true(&self, truth: bool) -> bool {
        truth
    }

    fn is_false(&self, truth: bool) -> bool {
        !truth
    }

    fn given(&mut self, truth: bool, _: bool) -> bool {
        truth
    }

    fn constant(&mut self, bits: u128, _: Scalar) -> u128 {
        bits
    }

    fn evaluate(
        &mut self,
        frame: &FrameView,
        expression: &Expression,
        filled: &[(RegisterId, u128)],
    ) -> Option<(u128, bool)> {
        let mut registers = Rc::clone(&frame.registers);
        for (register, bits) in filled {
            Rc::make_mut(&mut registers)[register.index()] = Value::Bits(*bits);
        }
        let bits = self.interpreter.evaluated(
            self.state,
            frame.thread,
            frame.function,
            &registers,
            expression,
        )?;
        Some((bits, true))
    }

    fn load(&mut self, address: u128, ty: Scalar) -> Option<(u128, bool)> {
        let (object, offset) = split_pointer(address, self.interpreter.program().model);
        match self
            .interpreter
            .cell(self.state, ObjectNumber(object), offset, ty)?
        {
            Value::Bits(bits) => Some((bits, true)),
            Value::Undefined => None,
        }
    }

    fn are_apart(
        &mut self,
        (one, size): (u128, Option<u64>),
        (other, other_size): (u128, Option<u64>),
    ) -> bool {
        let model = self.interpreter.program().model;
        let (object, offset) = split_pointer(one, model);
        let (another, start) = split_pointer(other, model);
        object != another
            || match (size, other_size) {
                (Some(size), Some(other_size)) => {
                    offset.saturating_add(size) <= start
                        || start.saturating_add(other_size) <= offset
                }
                _ => false,
            }
    }

    fn differs(&mut self, address: u128, ty: Scalar, value: u128) -> bool {
        self.load(address, ty)
            .is_some_and(|(held, _)| held != value)
    }

    fn holds(&mut self, lock: u128) -> bool {
        let (object, offset) = split_pointer(lock, self.interpreter.program().model);
        self.state
            .objects
            .get(&ObjectNumber(object))
            .filter(|it| it.is_live)
            .and_then(|it| it.syncs.get(&offset))
            .and_then(|it| is_held(it, self.thread))
            .unwrap_or(false)
    }

    fn others(&mut self) -> Rc<[Other<bool, FrameView>]> {
        self.state
            .threads
            .iter()
            .filter(|(number, thread)| **number != self.thread && !thread.frames.is_empty())
            .map(|(number, thread)| Other {
                is_there: true,
                function: thread.function,
                frames: frames(*number, thread),
            })
            .collect()
    }
}
