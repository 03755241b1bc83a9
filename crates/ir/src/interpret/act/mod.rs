//! What each action does to a state.
//!
//! Here is the table of all actions; those that need more than a few lines are in `memory`, `sync_objects` and
//! `threads`.

mod memory;
mod sync_objects;
mod threads;

use crate::action::Action;
use crate::program::{AtomicSetId, Edge};

use super::Effect;
use super::fault::Fault;
use super::frame::finish_frames;
use super::run::Run;
use super::state::Value;
use super::sync::Wait;

/// How far an action got. Where it is not done, the state is as it was, except after a failure.
pub(crate) enum Progress {
    Done,
    Blocked(Wait),
    NotAChoice,
    Failed(Failure),
}

/// Why the execution ends with an action.
pub(crate) enum Failure {
    /// An assertion fails; its message.
    Assertion(Option<String>),
    ThreadLimit,
    Fault(Fault),
}

impl Run<'_> {
    /// Performs the action and moves the thread to where its edge leads.
    pub(crate) fn perform(&mut self) -> Progress {
        self.act()
            .unwrap_or_else(|fault| Progress::Failed(Failure::Fault(fault)))
    }

    fn act(&mut self) -> Result<Progress, Fault> {
        let program = self.interpreter.program;
        let Edge { action, to, .. } = program.edge(self.function, self.edge);
        let mut result = (Value::Undefined, None);
        let mut progress = Progress::Done;
        match action {
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => progress = self.work(action)?,
            Action::Sync {
                operation,
                object,
                mutex,
                result,
            } => progress = self.synchronize(*operation, object, mutex.as_ref(), *result)?,
            Action::Call {
                target,
                callee,
                arguments,
            } => {
                self.call(*target, callee, arguments, *to)?;
                return Ok(Progress::Done);
            }
            Action::Return { value } => result = self.result(value.as_ref())?,
            Action::Spawn {
                target,
                place,
                callee,
                arguments,
            } => progress = self.spawn(*target, place.as_ref(), callee, arguments)?,
            Action::Join { thread, target } => progress = self.join(thread, *target)?,
            Action::Detach { thread } => self.detach(thread)?,
            Action::ExitThread { value } => {
                self.exit_thread(value.as_ref())?;
                return Ok(Progress::Done);
            }
            Action::EndProcess { kind } => {
                self.end_process(kind)?;
                return Ok(Progress::Done);
            }
            Action::AtomicBegin { .. } => self.thread_mut().atomic_depth += 1,
            Action::AtomicEnd => self.end_section()?,
            Action::UnitBegin { set } => {
                self.thread_mut().units.push(*set);
                self.effects.push(Effect::UnitBegin { set: *set });
            }
            Action::UnitEnd { set } => self.end_unit(*set)?,
        }
        if !matches!(progress, Progress::Done) {
            return Ok(progress);
        }
        let interpreter = self.interpreter;
        let frame = self.frame_mut();
        frame.location = *to;
        interpreter.clear_dead(frame);
        finish_frames(interpreter, self.state, self.thread, result);
        Ok(Progress::Done)
    }

    /// Actions on registers and memory.
    fn work(&mut self, action: &Action) -> Result<Progress, Fault> {
        match action {
            Action::Assign { target, value } => {
                let value = self.value(value)?;
                self.set(*target, value);
            }
            Action::Havoc { target } => self.set_number(Some(*target), self.choice.unwrap_or(0)),
            Action::Assume { condition } if self.bits(condition)? == 0 => {
                return Ok(Progress::Blocked(Wait::Assume));
            }
            Action::Assert { condition, message } if self.bits(condition)? == 0 => {
                return Ok(Progress::Failed(Failure::Assertion(message.clone())));
            }
            Action::Assume { .. } | Action::Assert { .. } => {}
            Action::Load {
                target,
                address,
                ty,
                access,
            } => self.load(*target, address, *ty, *access)?,
            Action::Store {
                address,
                value,
                ty,
                access,
            } => self.store(address, value, *ty, *access)?,
            Action::ReadModifyWrite {
                target,
                operation,
                address,
                operand,
                ty,
                order: _,
            } => self.read_modify_write(*target, *operation, address, operand, *ty)?,
            Action::CompareExchange {
                previous,
                success,
                address,
                expected,
                desired,
                ty,
                order: _,
                failure: _,
            } => self.compare_exchange((*previous, *success), address, expected, desired, *ty)?,
            Action::Allocate {
                target,
                size,
                ty,
                is_zeroed,
                kind,
                read_only: _,
            } => self.allocate(*target, size, ty.as_ref(), *is_zeroed, *kind)?,
            Action::Size { target, address } => self.measure(*target, address)?,
            Action::Free { address, kind } => self.free_at(address, *kind)?,
            Action::Init { object, sync } => self.init(object, sync)?,
            Action::Destroy { object, sync } => self.destroy(object, *sync)?,
            Action::Emit { text, arguments } => {
                let bytes = self.format(text, arguments)?;
                self.effects.push(Effect::Emit { bytes });
            }
            // Threads are interleaved: every access is seen by all at once.
            Action::Fence { .. } => {}
            Action::Unsupported { what } => return Err(Fault::Unsupported(what.clone())),
            Action::Sync { .. }
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
            | Action::UnitEnd { .. } => unreachable!("works on more than registers and memory"),
        }
        Ok(Progress::Done)
    }

    fn end_section(&mut self) -> Result<(), Fault> {
        let thread = self.thread_mut();
        thread.atomic_depth = thread.atomic_depth.checked_sub(1).ok_or_else(|| {
            Fault::Unsupported("the end of an atomic section that never began".into())
        })?;
        Ok(())
    }

    fn end_unit(&mut self, set: Option<AtomicSetId>) -> Result<(), Fault> {
        if self.thread_mut().units.pop() != Some(set) {
            return Err(Fault::Unsupported(
                "the end of a unit of work that is not the innermost".into(),
            ));
        }
        self.effects.push(Effect::UnitEnd { set });
        Ok(())
    }
}
