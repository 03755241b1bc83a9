//! Monitors, as Java has them: a lock that its owner can take again, with one wait set.

use std::collections::BTreeMap;

use raddle_ir::SyncOperation as Op;
use raddle_logic::TermId;

use crate::encoder::{Choice, Encoder};
use crate::names::ThreadIndex;
use crate::operation::{MISUSE, Operand};
use crate::sync::{Monitor, State, THREAD_BITS};
use crate::taking::Taking;

impl Encoder<'_> {
    /// Whether it gets through, with which result, and what the monitor is then.
    pub fn monitor_operation(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        mut monitor: Monitor,
    ) -> (TermId, TermId, State) {
        let me = taking.thread;
        let (done, one) = (self.code(0), self.code(1));
        let own = self.thread_term(me);
        let nobody = self.terms.constant(0, THREAD_BITS);
        let always = self.terms.truth(true);
        let never = self.terms.truth(false);
        let is_free = self.terms.equals_constant(monitor.owner, 0);
        let is_mine = self.terms.equal(monitor.owner, own);
        if operation == Op::MonitorEnter {
            let more = self.terms.add(monitor.count, one);
            monitor.count = self.terms.if_then_else(is_mine, more, one);
            monitor.owner = own;
            let passes = self.terms.or(is_free, is_mine);
            return (passes, done, State::Monitor(monitor));
        }
        if operation == Op::MonitorWaitEnd {
            let absent = (never, done);
            let (waits, count) = *monitor.waiting.get(&me).unwrap_or(&absent);
            let (is_notified, its_count) = *monitor.notified.get(&me).unwrap_or(&absent);
            let began = self.terms.or(waits, is_notified);
            self.require_here(taking, operand, began);
            let may_go = if self.semantics.has_spurious_wakeups {
                is_free
            } else {
                let is_called = self.terms.not(waits);
                self.terms.and(is_called, is_free)
            };
            monitor.owner = own;
            monitor.count = self.terms.if_then_else(is_notified, its_count, count);
            // A thread that began to wait again after it was notified still waits.
            let still = self.terms.and(waits, is_notified);
            monitor.waiting.insert(me, (still, count));
            monitor.notified.insert(me, (never, its_count));
            return (may_go, done, State::Monitor(monitor));
        }
        self.require_here(taking, operand, is_mine);
        if operation == Op::MonitorExit {
            monitor.count = self.terms.subtract(monitor.count, one);
            let is_last = self.terms.equals_constant(monitor.count, 0);
            monitor.owner = self.terms.if_then_else(is_last, nobody, own);
        } else if operation == Op::MonitorWaitBegin {
            monitor.waiting.insert(me, (always, monitor.count));
            (monitor.owner, monitor.count) = (nobody, done);
        } else {
            self.notify(taking, operation, operand, &mut monitor);
        }
        (always, done, State::Monitor(monitor))
    }

    fn require_here(&mut self, taking: &mut Taking<'_>, operand: Operand, is_fine: TermId) {
        let elsewhere = self.terms.not(operand.condition);
        let is_fine = self.terms.or(elsewhere, is_fine);
        self.require(taking, is_fine, MISUSE);
    }

    /// Notifies the chosen thread, if any waits, or all.
    fn notify(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        operand: Operand,
        monitor: &mut Monitor,
    ) {
        let chosen = self.chosen("waiter", THREAD_BITS);
        let before: BTreeMap<ThreadIndex, (TermId, TermId)> = monitor.waiting.clone();
        let mut somebody = Vec::new();
        for (thread, (waits, count)) in before {
            let is_called = if operation == Op::MonitorNotifyAll {
                waits
            } else {
                let is_this = self.terms.equals_constant(chosen, thread.in_terms());
                self.terms.and(waits, is_this)
            };
            somebody.push(is_called);
            let kept = self.terms.not(is_called);
            let still = self.terms.and(waits, kept);
            monitor.waiting.insert(thread, (still, count));
            let known = monitor.notified.get(&thread).copied();
            let entry = match known {
                Some((was_called, its_count)) => (
                    self.terms.or(was_called, is_called),
                    self.terms.if_then_else(is_called, count, its_count),
                ),
                None => (is_called, count),
            };
            monitor.notified.insert(thread, entry);
        }
        if operation == Op::MonitorNotifyAll {
            return;
        }
        // Some thread is woken if some thread waits.
        let somebody = self.terms.any(&somebody);
        let left: Vec<TermId> = monitor.waiting.values().map(|it| it.0).collect();
        let others = self.terms.any(&left);
        let nobody_waits = self.terms.not(others);
        let elsewhere = self.terms.not(operand.condition);
        let is_right = self.terms.any(&[elsewhere, somebody, nobody_waits]);
        self.narrow(taking, is_right);
        let none = self.terms.constant(0, THREAD_BITS);
        let shown = self.terms.if_then_else(somebody, chosen, none);
        taking.choice = Choice::Thread(match taking.choice {
            Choice::Thread(other) => self.terms.if_then_else(operand.condition, shown, other),
            Choice::Nothing | Choice::Value(_) | Choice::Round(_) => shown,
        });
    }
}
