//! Condition variables: waiting, signals, and going on with the mutex again.

use std::collections::BTreeMap;

use raddle_ir::interpret::ETIMEDOUT;
use raddle_ir::{Expression, MutexKind, SyncOperation as Op, SyncType};
use raddle_logic::TermId;

use crate::encoder::{Choice, Encoder};
use crate::names::ThreadIndex;
use crate::operation::{MISUSE, Operand};
use crate::state::Woken;
use crate::sync::{State, THREAD_BITS};
use crate::taking::Taking;
use crate::touch::Atomicity;

/// Whether each thread waits at a condition variable, and with which mutex.
type Waiting = BTreeMap<ThreadIndex, (TermId, TermId)>;

impl Encoder<'_> {
    /// Signal, broadcast, and the beginning of a wait.
    pub fn condition_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        mut waiting: Waiting,
        mutexes: Option<&(TermId, Vec<Operand>)>,
    ) {
        if operation == Op::WaitBegin {
            let (pointer, mutexes) = mutexes.expect("validated: a wait names its mutex");
            self.begin_wait(taking, operand, waiting, *pointer, mutexes);
            return;
        }
        let here = self.terms.and(taking.local.guard, operand.condition);
        let model = self.program.model;
        let address = operand.object.pointer(operand.offset, model);
        let condition = self.terms.constant(address, model.pointer_bits());
        let waiters: Vec<ThreadIndex> = waiting.keys().copied().collect();
        let chosen = self.chosen("waiter", THREAD_BITS);
        let mut is_chosen = Vec::new();
        let mut woken = Vec::new();
        for &waiter in &waiters {
            let (waits, mutex) = waiting[&waiter];
            let wakes = if operation == Op::Broadcast {
                waits
            } else {
                let is_this = self.terms.equals_constant(chosen, waiter.in_terms());
                self.terms.and(waits, is_this)
            };
            is_chosen.push(wakes);
            woken.push((waiter, wakes, mutex));
            let kept = self.terms.not(wakes);
            waiting.insert(waiter, (self.terms.and(waits, kept), mutex));
        }
        let left: Vec<TermId> = waiting.values().map(|it| it.0).collect();
        if operation == Op::Signal {
            // Some thread is woken if some thread waits.
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
        mut waiting: Waiting,
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
    pub fn end_wait(
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
            let gives_up = self.chosen("gives_up", 1);
            self.note_choice(taking, gives_up, 2);
            gives_up
        } else {
            self.terms.truth(false)
        };
        // Not signalled: it is still in the wait set, and leaves it only by giving up or for no reason at all.
        let before = taking.local.guard;
        let waits = self.terms.and(before, unsignalled);
        let mut leaving = Vec::new();
        let mut leaves = waits;
        if !self.terms.is_false(waits) {
            taking.local.guard = waits;
            leaving = self.leave_unsignalled(taking, (object, mutex), pointer, gives_up);
            leaves = taking.local.guard;
        }
        // Signalled: the thread can give up now only if no other waiter missed the signal that went to it.
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
        self.touch_syncs(taking, &touched, Atomicity::Atomic);
        for operand in mutexes {
            let state = State::Mutex {
                owner: own,
                count: self.code(1),
            };
            self.put_state(taking, operand, state);
        }
        let goes = taking.local.guard;
        let left = self.terms.and(goes, unsignalled);
        self.leave_wait_sets(taking, leaving, left, pointer);
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

    /// A thread that was not signalled leaves its wait set, where it may; the condition variables, and those that wait at them.
    fn leave_unsignalled(
        &mut self,
        taking: &mut Taking<'_>,
        (object, mutex): (&Expression, &Expression),
        pointer: TermId,
        gives_up: TermId,
    ) -> Vec<(Operand, Waiting)> {
        let mut leaving = Vec::new();
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
        // A waiting thread fails, too, if its mutex is gone.
        self.syncs(taking, mutex, SyncType::Mutex(MutexKind::Plain));
        let may_leave = if self.semantics.has_spurious_wakeups {
            self.terms.truth(true)
        } else {
            gives_up
        };
        self.narrow(taking, may_leave);
        leaving
    }

    /// The thread waits no more at these condition variables where the condition holds.
    fn leave_wait_sets(
        &mut self,
        taking: &mut Taking<'_>,
        leaving: Vec<(Operand, Waiting)>,
        left: TermId,
        pointer: TermId,
    ) {
        for (operand, mut waiting) in leaving {
            let never = self.terms.truth(false);
            waiting.insert(taking.thread, (never, pointer));
            let operand = Operand {
                condition: self.terms.and(operand.condition, left),
                ..operand
            };
            self.put_state(taking, operand, State::Condition { waiting });
        }
    }
}
