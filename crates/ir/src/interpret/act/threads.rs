//! Actions that start and end the work of a thread: calls, threads, the whole process.

use std::sync::Arc;

use crate::action::{Callee, EndKind, NamePlace};
use crate::expression::Expression;
use crate::interpret::fault::Fault;
use crate::interpret::frame::{end_thread, finish_frames};
use crate::interpret::memory;
use crate::interpret::run::Run;
use crate::interpret::state::{Object, Storage, ThreadNumber, Value};
use crate::interpret::sync::Wait;
use crate::interpret::{Effect, Ending};
use crate::numbering;
use crate::program::{FunctionId, LocationId, RegisterId};
use crate::types::Scalar;

use super::{Failure, Progress};

/// Deeper recursion is a limit of the model.
const MAX_FRAMES: usize = 1024;

impl Run<'_> {
    /// Begins a function; the caller stands where the edge leads until it returns.
    pub(super) fn call(
        &mut self,
        target: Option<RegisterId>,
        callee: &Callee,
        arguments: &[Expression],
        to: LocationId,
    ) -> Result<(), Fault> {
        let callee = self.callee(callee, arguments, target)?;
        let arguments = self.values(arguments)?;
        if self.state.threads[&self.thread].frames.len() >= MAX_FRAMES {
            return Err(Fault::Unsupported(format!(
                "recursion deeper than {MAX_FRAMES} calls"
            )));
        }
        let frame = self.interpreter.new_frame(callee, arguments, target);
        let interpreter = self.interpreter;
        let caller = self.frame_mut();
        caller.location = to;
        interpreter.clear_dead(caller);
        self.thread_mut().frames.push(frame);
        finish_frames(
            interpreter,
            self.state,
            self.thread,
            (Value::Undefined, None),
        );
        Ok(())
    }

    pub(super) fn spawn(
        &mut self,
        target: Option<RegisterId>,
        place: Option<&NamePlace>,
        callee: &Callee,
        arguments: &[Expression],
    ) -> Result<Progress, Fault> {
        let program = self.interpreter.program;
        let callee = self.callee(callee, arguments, None)?;
        let arguments = self.values(arguments)?;
        let place = match place {
            Some(NamePlace { address, ty }) => Some((self.locate_to_write(address, *ty)?, *ty)),
            None => None,
        };
        if self.state.threads.len() >= self.interpreter.semantics.max_threads {
            return Ok(Progress::Failed(Failure::ThreadLimit));
        }
        let (child, number) = numbering::fresh_child(program, self.state, self.thread)
            .ok_or_else(|| Fault::Unsupported("threads nested too deeply to be numbered".into()))?;
        self.set_number(target, u128::from(number.0));
        if let Some(((object, offset), ty)) = place {
            let name = Value::Bits(u128::from(number.0));
            self.write(object, offset, ty, name, false);
        }
        let creator = Some(self.thread);
        self.interpreter
            .add_thread(self.state, number, callee, creator, child, arguments)
            .map_err(Fault::Unsupported)?;
        self.effects.push(Effect::Spawn { thread: number });
        Ok(Progress::Done)
    }

    pub(super) fn join(
        &mut self,
        thread: &Expression,
        target: Option<RegisterId>,
    ) -> Result<Progress, Fault> {
        let program = self.interpreter.program;
        let number = self.joinable(thread)?;
        let joined = &self.state.threads[&number];
        if !joined.frames.is_empty() {
            return Ok(Progress::Blocked(Wait::each(vec![number])));
        }
        let (value, ty) = (joined.result, joined.result_type);
        self.state.threads.remove(&number);
        if let Some(target) = target {
            let wanted = program.functions[self.function].registers[target].ty;
            if ty.is_some_and(|ty| ty != wanted) {
                return Err(Fault::Undefined(
                    "the result of a thread is joined as another type".into(),
                ));
            }
            self.set(target, value);
        }
        Ok(Progress::Done)
    }

    pub(super) fn detach(&mut self, thread: &Expression) -> Result<(), Fault> {
        let number = self.joinable(thread)?;
        let detached = Arc::make_mut(self.state.threads.get_mut(&number).expect("exists"));
        detached.is_detached = true;
        if detached.frames.is_empty() {
            self.state.threads.remove(&number);
        }
        Ok(())
    }

    /// Ends the thread with all its frames and units of work.
    pub(super) fn exit_thread(&mut self, value: Option<&Expression>) -> Result<(), Fault> {
        let result = self.result(value)?;
        for set in std::mem::take(&mut self.thread_mut().units)
            .into_iter()
            .rev()
        {
            self.effects.push(Effect::UnitEnd { set });
        }
        let frames = std::mem::take(&mut self.thread_mut().frames);
        for object in frames.into_iter().flat_map(|frame| frame.stack_objects) {
            memory::kill(self.state, object);
        }
        end_thread(self.state, self.thread, result);
        Ok(())
    }

    /// What a function or a thread gives back, with its type.
    pub(super) fn result(
        &mut self,
        value: Option<&Expression>,
    ) -> Result<(Value, Option<Scalar>), Fault> {
        let Some(value) = value else {
            return Ok((Value::Undefined, None));
        };
        let program = self.interpreter.program;
        let ty = value.scalar(&program.functions[self.function].registers, program.model);
        Ok((self.value(value)?, Some(ty)))
    }

    pub(super) fn end_process(&mut self, kind: &EndKind) -> Result<(), Fault> {
        let ending = match kind {
            EndKind::Exit(status) => Ending::Exit(self.number(status)?),
            EndKind::Abort => Ending::Abort,
        };
        self.effects.push(Effect::End { ending });
        self.state.has_ended = true;
        self.state.threads.clear();
        if *kind == EndKind::Abort {
            // Who aborts is not asked for what it did not free.
            let is_kept = |object: &Object| object.storage != Storage::Heap;
            self.state.objects.retain(|_, object| is_kept(object));
        }
        Ok(())
    }

    /// The function that is called; through a pointer, it must take these arguments and give this result.
    fn callee(
        &mut self,
        callee: &Callee,
        arguments: &[Expression],
        target: Option<RegisterId>,
    ) -> Result<FunctionId, Fault> {
        let address = match callee {
            Callee::Direct(function) => return Ok(*function),
            Callee::Indirect(address) => address,
        };
        let program = self.interpreter.program;
        let pointer = self.bits(address)?;
        if pointer == 0 {
            return Err(Fault::Memory("a null pointer is called".into()));
        }
        let Some(id) = numbering::function_at(program, pointer) else {
            return Err(Fault::Memory(
                "a pointer is called that is no function".into(),
            ));
        };
        let registers = &program.functions[self.function].registers;
        let function = &program.functions[id];
        let takes = function
            .parameter_ids()
            .map(|it| function.registers[it].ty)
            .eq(arguments
                .iter()
                .map(|it| it.scalar(registers, program.model)));
        let gives = target.is_none_or(|target| function.result == Some(registers[target].ty));
        if takes && gives {
            Ok(id)
        } else {
            Err(Fault::Undefined(format!(
                "`{}` is called through a pointer with other types than its own",
                function.name
            )))
        }
    }

    /// A thread that may be joined or detached.
    fn joinable(&mut self, thread: &Expression) -> Result<ThreadNumber, Fault> {
        let Value::Bits(name) = self.value(thread)? else {
            return Err(Fault::LockMisuse(
                "a thread is joined or detached whose name was never set".into(),
            ));
        };
        let number = ThreadNumber(u64::try_from(name).unwrap_or(u64::MAX));
        match self.state.threads.get(&number) {
            None => Err(Fault::LockMisuse(
                "a thread is joined or detached that does not exist or was joined before".into(),
            )),
            Some(thread) if thread.is_detached => Err(Fault::LockMisuse(
                "a thread is joined or detached that was detached before".into(),
            )),
            Some(_) => Ok(number),
        }
    }
}
