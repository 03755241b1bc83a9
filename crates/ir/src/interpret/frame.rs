//! Frames: how they begin and how they end, the last one together with its thread.

use std::sync::Arc;

use raddle_base::Id;

use crate::program::{FunctionId, RegisterId};
use crate::types::Scalar;

use super::Interpreter;
use super::memory;
use super::state::{Frame, State, ThreadNumber, Value};

impl Interpreter<'_> {
    pub(super) fn new_frame(
        &self,
        function: FunctionId,
        arguments: Vec<Value>,
        target: Option<RegisterId>,
    ) -> Frame {
        let callee = &self.program.functions[function];
        let mut registers = arguments;
        registers.resize(callee.registers.len(), Value::Undefined);
        let mut frame = Frame {
            function,
            location: callee.entry,
            registers,
            stack_objects: Vec::new(),
            target,
        };
        self.clear_dead(&mut frame);
        frame
    }

    pub(super) fn clear_dead(&self, frame: &mut Frame) {
        for register in self
            .program
            .dead_temporaries(frame.function, frame.location)
        {
            frame.registers[register.index()] = Value::Undefined;
        }
    }
}

/// Ends every frame of a thread that stands at the exit of its function; the last one ends the thread.
pub(super) fn finish_frames(
    interpreter: &Interpreter<'_>,
    state: &mut State,
    number: ThreadNumber,
    mut result: (Value, Option<Scalar>),
) {
    let program = interpreter.program;
    loop {
        let thread = Arc::make_mut(state.threads.get_mut(&number).expect("runs"));
        let Some(frame) = thread
            .frames
            .pop_if(|frame| frame.location == program.functions[frame.function].exit)
        else {
            return;
        };
        let caller = thread.frames.last_mut();
        let has_ended = caller.is_none();
        if let (Some(caller), Some(target)) = (caller, frame.target) {
            caller.registers[target.index()] = result.0;
        }
        if let Some(caller) = thread.frames.last_mut() {
            interpreter.clear_dead(caller);
        }
        for object in frame.stack_objects {
            memory::kill(state, object);
        }
        if has_ended {
            end_thread(state, number, result);
            return;
        }
        result = (Value::Undefined, None);
    }
}

/// The thread has no frames any more: its copies of thread-locals end, and the name too if nobody will join it.
pub(super) fn end_thread(state: &mut State, number: ThreadNumber, result: (Value, Option<Scalar>)) {
    let thread = Arc::make_mut(state.threads.get_mut(&number).expect("ran"));
    (thread.result, thread.result_type) = result;
    thread.woken = None;
    thread.units.clear();
    thread.atomic_depth = 0;
    let is_detached = thread.is_detached;
    for object in std::mem::take(&mut thread.locals) {
        memory::kill(state, object);
    }
    if is_detached {
        state.threads.remove(&number);
    }
}
