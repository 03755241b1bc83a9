//! Mutexes, read-write locks and semaphores: when a thread gets through, with which result, and what they are then.

use raddle_ir::interpret::{EDEADLK, EPERM, FULL_SEMAPHORE, SEMAPHORE_MAXIMUM};
use raddle_ir::{MutexKind, SyncOperation as Op, SyncType};
use raddle_logic::TermId;

use crate::encoder::Encoder;
use crate::hazard::Hazard;
use crate::operation::{MISUSE, Operand};
use crate::sync::{State, THREAD_BITS};
use crate::taking::Taking;

impl Encoder<'_> {
    /// Whether it gets through, with which result, and what the mutex is then.
    pub fn mutex_operation(
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
        if matches!(operation, Op::MutexRelease | Op::SpinRelease) {
            let less = self.terms.subtract(count, one);
            let is_last = self.terms.equals_constant(less, 0);
            let nobody = self.terms.constant(0, THREAD_BITS);
            let always = self.terms.truth(true);
            let left = self.terms.if_then_else(is_last, nobody, owner);
            if matches!(kind, MutexKind::Plain | MutexKind::Spin) {
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
            MutexKind::Plain | MutexKind::Spin => {
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
                // A thread that holds it already is told so.
                let (done, deadlock) = (self.code(0), self.code(EDEADLK));
                let code = self.terms.if_then_else(is_mine, deadlock, done);
                (self.terms.or(is_free, is_mine), code, state)
            }
        }
    }

    pub fn read_write_operation(
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
        let writes = self.terms.equal(writer, own);
        // A thread that holds it for writing already is told so, unless it only tries.
        let is_told = if matches!(operation, Op::ReadTry | Op::WriteTry) {
            self.terms.truth(false)
        } else {
            writes
        };
        let warned = self.code(EDEADLK);
        let code = self.terms.if_then_else(is_told, warned, done);
        if matches!(operation, Op::ReadAcquire | Op::ReadTry | Op::ReadTimed) {
            let more = self.terms.add(mine, one);
            let count = self.terms.if_then_else(is_told, mine, more);
            readers.insert(taking.thread, count);
            let passes = self.terms.or(is_unwritten, is_told);
            return (passes, code, State::ReadWriteLock { writer, readers });
        }
        if operation == Op::ReadWriteRelease {
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
        (self.terms.or(is_free, is_told), code, state)
    }

    pub fn semaphore_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        value: TermId,
    ) -> (TermId, TermId, State) {
        let (one, done) = (self.code(1), self.code(0));
        let always = self.terms.truth(true);
        if operation == Op::SemaphorePost {
            let is_full = self
                .terms
                .equals_constant(value, u128::from(SEMAPHORE_MAXIMUM));
            let is_full = self.terms.and(operand.condition, is_full);
            let fits = self.terms.not(is_full);
            self.require(taking, fits, Hazard::Unsupported(FULL_SEMAPHORE.to_owned()));
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
}
