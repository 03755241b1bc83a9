//! Operations on synchronisation objects, as terms.

use raddle_engine::Property;
use raddle_ir::interpret::{EAGAIN, EBUSY, EDEADLK, EPERM, ETIMEDOUT};
use raddle_ir::{Expression, MutexKind, SyncOperation as Op, SyncType};
use raddle_logic::TermId;

use crate::action::Taking;
use crate::hazard::Hazard;
use crate::memory::Target;
use crate::state::{Shared, Woken};
use crate::sync::{COUNT_BITS, State, Sync, THREAD_BITS};
use crate::unroll::{Choice, Unrolling};

/// An object that an operation may be about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    pub(crate) condition: TermId,
    pub(crate) object: u32,
    pub(crate) offset: u64,
}

impl Operand {
    pub(crate) fn sync(&self, shared: &Shared) -> Sync {
        shared.memory.objects[&self.object].syncs[&self.offset].clone()
    }

    pub(crate) fn put(&self, shared: &mut Shared, sync: Sync) {
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

/// Mutexes of all kinds are one family.
fn is_family(ty: SyncType, family: SyncType) -> bool {
    match (ty, family) {
        (SyncType::Mutex(_), SyncType::Mutex(_)) => true,
        _ => ty == family,
    }
}

pub(crate) const MISUSE: Hazard = Hazard::Violation(Property::LockMisuse);

impl Unrolling<'_> {
    /// The objects of a family behind a pointer; elsewhere something is wrong.
    pub(crate) fn syncs(
        &mut self,
        taking: &mut Taking<'_>,
        object: &Expression,
        family: SyncType,
    ) -> Vec<Operand> {
        let memory = taking.shared.memory.clone();
        let targets = self.evaluate(taking, |it| {
            let pointer = it.bits(object);
            memory.locate(it, pointer, 1)
        });
        let mut found = Vec::new();
        let mut conditions = Vec::new();
        let mut not_modelled = Vec::new();
        for target in targets {
            let known = memory.objects[&target.object].syncs.get(&target.offset);
            let Some(sync) = known.filter(|it| is_family(it.ty, family)) else {
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

    /// Whoever works on synchronisation objects touches them.
    pub(crate) fn touch_syncs(
        &mut self,
        taking: &mut Taking<'_>,
        operands: &[Operand],
        is_atomic: bool,
    ) {
        let model = self.program.model;
        for operand in operands {
            let size = operand.sync(taking.shared).size(model);
            self.evaluate(taking, |it| {
                let always = it.terms.truth(true);
                it.touch(&[operand.target()], size, always, (true, is_atomic));
            });
        }
    }

    pub(crate) fn thread_term(&mut self, thread: usize) -> TermId {
        self.terms.constant(thread as u128 + 1, THREAD_BITS)
    }

    pub(crate) fn code(&mut self, code: u128) -> TermId {
        self.terms.constant(code, COUNT_BITS)
    }

    /// Performs an operation; its result.
    pub(crate) fn synchronize(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        object: &Expression,
        mutex: Option<&Expression>,
    ) -> TermId {
        let (_, _, family) = Op::ALL
            .into_iter()
            .find(|(it, _, _)| *it == operation)
            .expect("ALL lists every operation");
        match operation {
            Op::WaitEnd | Op::WaitEndTimed => {
                let mutex = mutex.expect("validated: a wait names its mutex");
                return self.end_wait(taking, operation, object, mutex);
            }
            Op::BarrierLeave => return self.leave_barrier(taking, object),
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
            | Op::MonitorNotifyAll => {}
        }
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
            let (is_free, code, state) = match sync.state.clone() {
                State::Mutex { owner, count } => {
                    self.mutex_operation(taking, operation, operand, sync.ty, (owner, count))
                }
                State::ReadWriteLock { .. } => {
                    self.read_write_operation(taking, operation, operand, sync.state)
                }
                State::Semaphore { value } => {
                    self.semaphore_operation(taking, operation, operand, value)
                }
                State::Condition { waiting } => {
                    self.condition_operation(taking, operation, operand, waiting, mutexes.as_ref());
                    continue;
                }
                State::Barrier { needed, arrived } => {
                    self.arrive_at_barrier(taking, operand, needed, arrived);
                    continue;
                }
                State::Monitor(monitor) => {
                    self.monitor_operation(taking, operation, operand, monitor)
                }
                State::Other => continue,
            };
            // What is refused keeps its state.
            let is_timed = matches!(
                operation,
                Op::MutexTimed | Op::ReadTimed | Op::WriteTimed | Op::SemaphoreTimed
            );
            let is_try = matches!(
                operation,
                Op::MutexTry | Op::ReadTry | Op::WriteTry | Op::SemaphoreTry
            );
            let refusal = if is_timed {
                ETIMEDOUT
            } else if operation == Op::SemaphoreTry {
                EAGAIN
            } else {
                EBUSY
            };
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
            self.touch_syncs(taking, &touched, true);
            return result;
        }
        if matches!(
            operation,
            Op::MutexTimed | Op::ReadTimed | Op::WriteTimed | Op::SemaphoreTimed
        ) {
            taking.choice = Choice::Value(gives_up);
        }
        let passes = self.terms.any(&free);
        self.narrow(taking, passes);
        self.touch_syncs(taking, &touched, true);
        for (operand, state) in changes {
            self.put_state(taking, operand, state);
        }
        result
    }

    /// Changes the state of an object where the operation is about it.
    pub(crate) fn put_state(&mut self, taking: &mut Taking<'_>, operand: Operand, state: State) {
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

    /// Whether it gets through, with which result, and what the mutex is then.
    fn mutex_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        ty: SyncType,
        (owner, count): (TermId, TermId),
    ) -> (TermId, TermId, State) {
        let SyncType::Mutex(kind) = ty else {
            unreachable!("found as a mutex")
        };
        let own = self.thread_term(taking.thread);
        let is_free = self.terms.equals_constant(owner, 0);
        let is_mine = self.terms.equal(owner, own);
        let one = self.code(1);
        if operation == Op::MutexRelease {
            let less = self.terms.subtract(count, one);
            let is_last = self.terms.equals_constant(less, 0);
            let nobody = self.terms.constant(0, THREAD_BITS);
            let always = self.terms.truth(true);
            let left = self.terms.if_then_else(is_last, nobody, owner);
            if kind == MutexKind::Plain {
                let misused = self.terms.not(is_mine);
                let misused = self.terms.and(operand.condition, misused);
                let fine = self.terms.not(misused);
                self.require(taking, fine, MISUSE);
                let state = State::Mutex {
                    owner: left,
                    count: less,
                };
                return (always, self.code(0), state);
            }
            let (refused, done) = (self.code(EPERM), self.code(0));
            let code = self.terms.if_then_else(is_mine, done, refused);
            let state = State::Mutex {
                owner: self.terms.if_then_else(is_mine, left, owner),
                count: self.terms.if_then_else(is_mine, less, count),
            };
            return (always, code, state);
        }
        let more = self.terms.add(count, one);
        match kind {
            MutexKind::Plain => {
                let state = State::Mutex {
                    owner: own,
                    count: one,
                };
                (is_free, self.code(0), state)
            }
            MutexKind::Recursive => {
                let state = State::Mutex {
                    owner: own,
                    count: self.terms.if_then_else(is_free, one, more),
                };
                (self.terms.or(is_free, is_mine), self.code(0), state)
            }
            MutexKind::ErrorChecking => {
                let state = State::Mutex {
                    owner: own,
                    count: one,
                };
                if operation == Op::MutexTry {
                    return (is_free, self.code(0), state);
                }
                // Whoever holds it already is told so.
                let (done, deadlock) = (self.code(0), self.code(EDEADLK));
                let code = self.terms.if_then_else(is_mine, deadlock, done);
                (self.terms.or(is_free, is_mine), code, state)
            }
        }
    }

    fn read_write_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        state: State,
    ) -> (TermId, TermId, State) {
        let State::ReadWriteLock {
            writer,
            mut readers,
        } = state
        else {
            unreachable!("found as a read-write lock")
        };
        let (one, done) = (self.code(1), self.code(0));
        let own = self.thread_term(taking.thread);
        let nobody = self.terms.constant(0, THREAD_BITS);
        let mine = *readers.get(&taking.thread).unwrap_or(&done);
        let is_unwritten = self.terms.equals_constant(writer, 0);
        if matches!(operation, Op::ReadAcquire | Op::ReadTry | Op::ReadTimed) {
            readers.insert(taking.thread, self.terms.add(mine, one));
            return (is_unwritten, done, State::ReadWriteLock { writer, readers });
        }
        if operation == Op::ReadWriteRelease {
            let writes = self.terms.equal(writer, own);
            let is_no_reader = self.terms.equals_constant(mine, 0);
            let reads = self.terms.not(is_no_reader);
            let holds = self.terms.or(writes, reads);
            let misused = self.terms.not(holds);
            let misused = self.terms.and(operand.condition, misused);
            let fine = self.terms.not(misused);
            self.require(taking, fine, MISUSE);
            let less = self.terms.subtract(mine, one);
            let left = self.terms.if_then_else(writes, mine, less);
            readers.insert(taking.thread, left);
            let writer = self.terms.if_then_else(writes, nobody, writer);
            let always = self.terms.truth(true);
            return (always, done, State::ReadWriteLock { writer, readers });
        }
        let mut free = vec![is_unwritten];
        for count in readers.values() {
            free.push(self.terms.equals_constant(*count, 0));
        }
        let is_free = self.terms.all(&free);
        let state = State::ReadWriteLock {
            writer: own,
            readers,
        };
        (is_free, done, state)
    }

    fn semaphore_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        value: TermId,
    ) -> (TermId, TermId, State) {
        let (one, done) = (self.code(1), self.code(0));
        let always = self.terms.truth(true);
        if operation == Op::SemaphorePost {
            let is_full = self.terms.equals_constant(value, u128::from(u32::MAX));
            let is_full = self.terms.and(operand.condition, is_full);
            let fits = self.terms.not(is_full);
            let what = "a semaphore that counts beyond 32 bits".to_owned();
            self.require(taking, fits, Hazard::Unsupported(what));
            let value = self.terms.add(value, one);
            return (always, done, State::Semaphore { value });
        }
        if operation == Op::SemaphoreValue {
            return (always, value, State::Semaphore { value });
        }
        let is_empty = self.terms.equals_constant(value, 0);
        let is_free = self.terms.not(is_empty);
        let value = self.terms.subtract(value, one);
        (is_free, done, State::Semaphore { value })
    }

    /// Signal, broadcast, and the beginning of a wait.
    fn condition_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        mut waiting: std::collections::BTreeMap<usize, (TermId, TermId)>,
        mutexes: Option<&(TermId, Vec<Operand>)>,
    ) {
        if operation == Op::WaitBegin {
            let (pointer, mutexes) = mutexes.expect("validated: a wait names its mutex");
            self.begin_wait(taking, operand, waiting, *pointer, mutexes);
            return;
        }
        let here = self.terms.and(taking.local.guard, operand.condition);
        let model = self.program.model;
        let address = raddle_ir::arithmetic::join_pointer(operand.object, operand.offset, model);
        let condition = self.terms.constant(address, model.pointer_bits());
        let waiters: Vec<usize> = waiting.keys().copied().collect();
        let chosen = self.terms.fresh_variable("waiter", THREAD_BITS);
        let mut is_chosen = Vec::new();
        let mut woken = Vec::new();
        for &waiter in &waiters {
            let (waits, mutex) = waiting[&waiter];
            let wakes = if operation == Op::Broadcast {
                waits
            } else {
                let is_this = self.terms.equals_constant(chosen, waiter as u128 + 1);
                self.terms.and(waits, is_this)
            };
            is_chosen.push(wakes);
            woken.push((waiter, wakes, mutex));
            let kept = self.terms.not(wakes);
            waiting.insert(waiter, (self.terms.and(waits, kept), mutex));
        }
        let left: Vec<TermId> = waiting.values().map(|it| it.0).collect();
        if operation == Op::Signal {
            // Somebody is woken if somebody waits.
            let somebody = self.terms.any(&is_chosen);
            let others = self.terms.any(&left);
            let nobody = self.terms.not(others);
            let is_right = self.terms.or(somebody, nobody);
            let elsewhere = self.terms.not(operand.condition);
            let is_right = self.terms.or(elsewhere, is_right);
            self.narrow(taking, is_right);
            let none = self.terms.constant(0, THREAD_BITS);
            let shown = self.terms.if_then_else(somebody, chosen, none);
            taking.choice = Choice::Thread(match taking.choice {
                Choice::Thread(other) => self.terms.if_then_else(operand.condition, shown, other),
                Choice::Nothing | Choice::Value(_) | Choice::Round(_) => shown,
            });
        }
        let others_wait = self.terms.any(&left);
        let may_time_out = if operation == Op::Broadcast {
            self.terms.truth(true)
        } else {
            self.terms.not(others_wait)
        };
        for (waiter, wakes, mutex) in woken {
            let applies = self.terms.and(here, wakes);
            let mut link = self.link(taking.shared, waiter).clone();
            let before = link.woken;
            link.woken = Woken {
                is_released: before.is_released,
                is_serial: before.is_serial,
                is_signalled: self.terms.or(before.is_signalled, applies),
                condition: self
                    .terms
                    .if_then_else(applies, condition, before.condition),
                mutex: self.terms.if_then_else(applies, mutex, before.mutex),
                may_time_out: self
                    .terms
                    .if_then_else(applies, may_time_out, before.may_time_out),
            };
            *self.link(taking.shared, waiter) = link;
        }
        self.put_state(taking, operand, State::Condition { waiting });
    }

    fn begin_wait(
        &mut self,
        taking: &mut Taking<'_>,
        operand: Operand,
        mut waiting: std::collections::BTreeMap<usize, (TermId, TermId)>,
        pointer: TermId,
        mutexes: &[Operand],
    ) {
        let own = self.thread_term(taking.thread);
        for mutex in mutexes {
            let State::Mutex { owner, count } = mutex.sync(taking.shared).state else {
                continue;
            };
            let is_mine = self.terms.equal(owner, own);
            let is_once = self.terms.equals_constant(count, 1);
            let is_fine = self.terms.and(is_mine, is_once);
            let elsewhere = self.terms.not(mutex.condition);
            let is_fine = self.terms.or(elsewhere, is_fine);
            self.require(taking, is_fine, MISUSE);
        }
        for (waits, other) in waiting.values().copied().collect::<Vec<_>>() {
            let differs = self.terms.differ(other, pointer);
            let misused = self.terms.all(&[operand.condition, waits, differs]);
            let fine = self.terms.not(misused);
            self.require(taking, fine, MISUSE);
        }
        for mutex in mutexes {
            let state = State::Mutex {
                owner: self.terms.constant(0, THREAD_BITS),
                count: self.code(0),
            };
            let mutex = Operand {
                condition: self.terms.and(mutex.condition, operand.condition),
                ..*mutex
            };
            self.put_state(taking, mutex, state);
        }
        let always = self.terms.truth(true);
        waiting.insert(taking.thread, (always, pointer));
        self.put_state(taking, operand, State::Condition { waiting });
    }

    /// Goes on when it was signalled, or for no reason, or gives up; with the mutex again.
    fn end_wait(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        object: &Expression,
        mutex: &Expression,
    ) -> TermId {
        let family = SyncType::Mutex(MutexKind::Plain);
        let (condition, pointer) = self.evaluate(taking, |it| (it.bits(object), it.bits(mutex)));
        let woken = self.link(taking.shared, taking.thread).woken;
        let is_same_condition = self.terms.equal(woken.condition, condition);
        let is_same_mutex = self.terms.equal(woken.mutex, pointer);
        let is_same = self.terms.and(is_same_condition, is_same_mutex);
        let unsignalled = self.terms.not(woken.is_signalled);
        let is_fine = self.terms.or(unsignalled, is_same);
        self.require(taking, is_fine, MISUSE);
        let unreleased = self.terms.not(woken.is_released);
        self.require(taking, unreleased, MISUSE);
        let is_timed = operation == Op::WaitEndTimed;
        let gives_up = if is_timed {
            let gives_up = self.terms.fresh_variable("gives_up", 1);
            self.looks.note_choice(gives_up, 2);
            gives_up
        } else {
            self.terms.truth(false)
        };
        // Not signalled: it is still in the wait set, and leaves it only by giving up or for no reason at all.
        let before = taking.local.guard;
        let waits = self.terms.and(before, unsignalled);
        let mut leaving = Vec::new();
        if !self.terms.is_false(waits) {
            taking.local.guard = waits;
            for operand in self.syncs(taking, object, SyncType::Condition) {
                let State::Condition { waiting } = operand.sync(taking.shared).state else {
                    continue;
                };
                let never = self.terms.truth(false);
                let (is_in, its_mutex) = waiting
                    .get(&taking.thread)
                    .copied()
                    .unwrap_or((never, pointer));
                let is_same = self.terms.equal(its_mutex, pointer);
                let is_fine = self.terms.and(is_in, is_same);
                let elsewhere = self.terms.not(operand.condition);
                let is_fine = self.terms.or(elsewhere, is_fine);
                self.require(taking, is_fine, MISUSE);
                leaving.push((operand, waiting));
            }
            // Whoever waits fails, too, if its mutex is gone.
            self.syncs(taking, mutex, family);
            let may_leave = if self.semantics.has_spurious_wakeups {
                self.terms.truth(true)
            } else {
                gives_up
            };
            self.narrow(taking, may_leave);
        }
        let leaves = if self.terms.is_false(waits) {
            waits
        } else {
            taking.local.guard
        };
        // Signalled: who gives up now can do so only if nobody missed the signal for it.
        let signalled = self.terms.and(before, woken.is_signalled);
        let signalled = self.terms.and(signalled, is_same);
        let stays = self.terms.not(gives_up);
        let may_go = self.terms.or(stays, woken.may_time_out);
        let signalled = self.terms.and(signalled, may_go);
        taking.local.guard = self.terms.or(leaves, signalled);
        // The mutex must be free.
        let own = self.thread_term(taking.thread);
        let mutexes = self.syncs(taking, mutex, family);
        let mut free = Vec::new();
        for operand in &mutexes {
            if let State::Mutex { owner, .. } = operand.sync(taking.shared).state {
                let is_free = self.terms.equals_constant(owner, 0);
                free.push(self.terms.and(operand.condition, is_free));
            }
        }
        let is_free = self.terms.any(&free);
        self.narrow(taking, is_free);
        let mut touched = mutexes.clone();
        for (operand, _) in &leaving {
            touched.push(Operand {
                condition: self.terms.and(operand.condition, unsignalled),
                ..*operand
            });
        }
        self.touch_syncs(taking, &touched, true);
        for operand in mutexes {
            let state = State::Mutex {
                owner: own,
                count: self.code(1),
            };
            self.put_state(taking, operand, state);
        }
        let goes = taking.local.guard;
        let left = self.terms.and(goes, unsignalled);
        for (operand, mut waiting) in leaving {
            let never = self.terms.truth(false);
            waiting.insert(taking.thread, (never, pointer));
            let operand = Operand {
                condition: self.terms.and(operand.condition, left),
                ..operand
            };
            self.put_state(taking, operand, State::Condition { waiting });
        }
        let mut link = self.link(taking.shared, taking.thread).clone();
        let kept = self.terms.not(goes);
        link.woken.is_signalled = self.terms.and(link.woken.is_signalled, kept);
        *self.link(taking.shared, taking.thread) = link;
        if is_timed {
            taking.choice = Choice::Value(gives_up);
        }
        let (done, late) = (self.code(0), self.code(ETIMEDOUT));
        self.terms.if_then_else(gives_up, late, done)
    }
}
