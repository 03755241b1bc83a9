//! Operations on synchronisation objects, as terms.

use raddle_engine::Property;
use raddle_ir::interpret::{EAGAIN, EBUSY, ETIMEDOUT};
use raddle_ir::{Expression, MutexKind, SyncOperation as Op, SyncType};
use raddle_logic::TermId;

use crate::encoder::{Choice, Encoder};
use crate::hazard::Hazard;
use crate::memory::Target;
use crate::names::{ObjectName, ThreadIndex};
use crate::state::Shared;
use crate::sync::{COUNT_BITS, State, Sync, THREAD_BITS};
use crate::taking::Taking;
use crate::touch::{Atomicity, Mode};

/// An object that an operation may be about.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub condition: TermId,
    pub object: ObjectName,
    pub offset: u64,
}

impl Operand {
    pub fn sync(&self, shared: &Shared) -> Sync {
        shared.memory.objects[&self.object].syncs[&self.offset].clone()
    }

    pub fn put(&self, shared: &mut Shared, sync: Sync) {
        let object = shared.memory.object_mut(self.object);
        object.syncs.insert(self.offset, sync);
    }

    fn target(&self) -> Target {
        Target {
            condition: self.condition,
            object: self.object,
            offset: self.offset,
        }
    }

    fn set(&self, shared: &mut Shared, state: State) {
        let sync = self.sync(shared);
        self.put(shared, Sync { state, ..sync });
    }
}

/// What becomes of a thread whose operation is refused: it waits, unless the operation is a try or has a limit of time.
struct Refusal {
    is_timed: bool,
    is_try: bool,
    /// The result, if it does not wait.
    code: u128,
}

impl Refusal {
    fn of(operation: Op) -> Self {
        let is_timed = matches!(
            operation,
            Op::MutexTimed | Op::ReadTimed | Op::WriteTimed | Op::SemaphoreTimed
        );
        let is_try = matches!(
            operation,
            Op::MutexTry | Op::SpinTry | Op::ReadTry | Op::WriteTry | Op::SemaphoreTry
        );
        let code = if is_timed {
            ETIMEDOUT
        } else if operation == Op::SemaphoreTry {
            EAGAIN
        } else {
            EBUSY
        };
        Self {
            is_timed,
            is_try,
            code,
        }
    }
}

pub const MISUSE: Hazard = Hazard::Violation(Property::LockMisuse);

impl Encoder<'_> {
    /// The objects of a family behind a pointer; elsewhere something is wrong.
    pub fn syncs(
        &mut self,
        taking: &mut Taking<'_>,
        object: &Expression,
        family: SyncType,
    ) -> Vec<Operand> {
        let memory = taking.shared.memory.clone();
        let targets = self.evaluate(taking, |it| {
            let pointer = it.bits(object);
            memory.locate_to_write(it, pointer, 1)
        });
        let mut found = Vec::new();
        let mut conditions = Vec::new();
        let mut not_modelled = Vec::new();
        for target in targets {
            let known = memory.objects[&target.object].syncs.get(&target.offset);
            let Some(sync) = known.filter(|it| it.ty.is_family_of(family)) else {
                continue;
            };
            let condition = self.terms.and(target.condition, sync.exists);
            if self.terms.is_false(condition) {
                continue;
            }
            conditions.push(condition);
            if sync.state == State::Other {
                not_modelled.push(condition);
                continue;
            }
            found.push(Operand {
                condition,
                object: target.object,
                offset: target.offset,
            });
        }
        let is_one = self.terms.any(&conditions);
        self.require(taking, is_one, MISUSE);
        let is_other = self.terms.any(&not_modelled);
        let is_modelled = self.terms.not(is_other);
        let what = "a synchronisation object that this engine does not model".to_owned();
        self.require(taking, is_modelled, Hazard::Unsupported(what));
        found
    }

    /// An operation touches the synchronisation objects that it works on.
    pub fn touch_syncs(
        &mut self,
        taking: &mut Taking<'_>,
        operands: &[Operand],
        atomicity: Atomicity,
    ) {
        let model = self.program.model;
        for operand in operands {
            let size = operand.sync(taking.shared).size(model);
            self.evaluate(taking, |it| {
                let always = it.terms.truth(true);
                it.touch(&[operand.target()], size, always, (Mode::Write, atomicity));
            });
        }
    }

    pub fn thread_term(&mut self, thread: ThreadIndex) -> TermId {
        self.terms.constant(thread.in_terms(), THREAD_BITS)
    }

    pub fn code(&mut self, code: u128) -> TermId {
        self.terms.constant(code, COUNT_BITS)
    }

    /// Performs an operation; its result.
    pub fn synchronize(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        object: &Expression,
        mutex: Option<&Expression>,
    ) -> TermId {
        let family = operation.family();
        match operation {
            Op::WaitEnd | Op::WaitEndTimed => {
                let mutex = mutex.expect("validated: a wait names its mutex");
                self.end_wait(taking, operation, object, mutex)
            }
            Op::BarrierLeave => self.leave_barrier(taking, object),
            Op::MutexAcquire
            | Op::MutexTry
            | Op::MutexTimed
            | Op::MutexRelease
            | Op::ReadAcquire
            | Op::ReadTry
            | Op::ReadTimed
            | Op::WriteAcquire
            | Op::WriteTry
            | Op::WriteTimed
            | Op::ReadWriteRelease
            | Op::WaitBegin
            | Op::Signal
            | Op::Broadcast
            | Op::SemaphorePost
            | Op::SemaphoreWait
            | Op::SemaphoreTry
            | Op::SemaphoreTimed
            | Op::SemaphoreValue
            | Op::BarrierArrive
            | Op::MonitorEnter
            | Op::MonitorExit
            | Op::MonitorWaitBegin
            | Op::MonitorWaitEnd
            | Op::MonitorNotify
            | Op::MonitorNotifyAll
            | Op::SpinAcquire
            | Op::SpinTry
            | Op::SpinRelease => self.operate(taking, (operation, family), object, mutex),
        }
    }

    /// Performs an operation of a thread that does not wait.
    fn operate(
        &mut self,
        taking: &mut Taking<'_>,
        (operation, family): (Op, SyncType),
        object: &Expression,
        mutex: Option<&Expression>,
    ) -> TermId {
        let woken = self.link(taking.shared, taking.thread).woken;
        let is_woken = self.terms.or(woken.is_signalled, woken.is_released);
        let is_awake = self.terms.not(is_woken);
        self.require(taking, is_awake, MISUSE);
        let operands = self.syncs(taking, object, family);
        let mutexes = mutex.map(|it| {
            let family = SyncType::Mutex(MutexKind::Plain);
            let pointer = self.evaluate(taking, |evaluation| evaluation.bits(it));
            (pointer, self.syncs(taking, it, family))
        });
        let of_mutex = mutexes.iter().flat_map(|(_, operands)| operands);
        let touched: Vec<Operand> = operands.iter().chain(of_mutex).copied().collect();
        // Where it is refused, it blocks or gives up.
        let mut free = Vec::new();
        let mut result = self.code(0);
        let mut gives_up = self.terms.truth(false);
        let mut changes: Vec<(Operand, State)> = Vec::new();
        for operand in operands {
            let sync = operand.sync(taking.shared);
            let attempted = self.attempt(taking, operation, (operand, sync), mutexes.as_ref());
            let Some((is_free, code, state)) = attempted else {
                continue;
            };
            // What is refused keeps its state.
            let Refusal {
                is_timed,
                is_try,
                code: refusal,
            } = Refusal::of(operation);
            let refusal = self.code(refusal);
            let code = self.terms.if_then_else(is_free, code, refusal);
            let kept = self.terms.not(is_free);
            if is_timed {
                let waits_in_vain = self.terms.and(operand.condition, kept);
                gives_up = self.terms.or(gives_up, waits_in_vain);
            }
            let passes = if is_timed || is_try {
                operand.condition
            } else {
                self.terms.and(operand.condition, is_free)
            };
            free.push(passes);
            result = self.terms.if_then_else(operand.condition, code, result);
            let applied = Operand {
                condition: self.terms.and(operand.condition, is_free),
                ..operand
            };
            changes.push((applied, state));
        }
        if matches!(family, SyncType::Condition | SyncType::Barrier) {
            self.touch_syncs(taking, &touched, Atomicity::Atomic);
            return result;
        }
        if Refusal::of(operation).is_timed {
            taking.choice = Choice::Value(gives_up);
        }
        let passes = self.terms.any(&free);
        self.narrow(taking, passes);
        self.touch_syncs(taking, &touched, Atomicity::Atomic);
        for (operand, state) in changes {
            self.put_state(taking, operand, state);
        }
        result
    }

    /// What an operation comes to on one object: whether it gets through, with which result, and what the object is then; `None`
    /// for those that never refuse and were done at once.
    fn attempt(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        (operand, sync): (Operand, Sync),
        mutexes: Option<&(TermId, Vec<Operand>)>,
    ) -> Option<(TermId, TermId, State)> {
        match sync.state {
            State::Mutex { owner, count } => {
                Some(self.mutex_operation(taking, operation, operand, sync.ty, (owner, count)))
            }
            State::ReadWriteLock { .. } => {
                Some(self.read_write_operation(taking, operation, operand, sync.state))
            }
            State::Semaphore { value } => {
                Some(self.semaphore_operation(taking, operation, operand, value))
            }
            State::Condition { waiting } => {
                self.condition_operation(taking, operation, operand, waiting, mutexes);
                None
            }
            State::Barrier { needed, arrived } => {
                self.arrive_at_barrier(taking, operand, needed, arrived);
                None
            }
            State::Monitor(monitor) => {
                Some(self.monitor_operation(taking, operation, operand, monitor))
            }
            State::Other => None,
        }
    }

    /// Changes the state of an object where the operation is about it.
    pub fn put_state(&mut self, taking: &mut Taking<'_>, operand: Operand, state: State) {
        let condition = self.terms.and(taking.local.guard, operand.condition);
        if self.terms.is_false(condition) {
            return;
        }
        let known = operand.sync(taking.shared);
        let new = Sync {
            state,
            ..known.clone()
        };
        let merged = Sync::merged(&mut self.terms, condition, &new, &known);
        operand.set(taking.shared, merged.state);
    }
}
