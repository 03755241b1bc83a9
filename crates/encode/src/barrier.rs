//! Barriers: a thread arrives in one operation and leaves in another, once the round is complete.

use std::collections::BTreeMap;

use raddle_ir::{Expression, SyncType};
use raddle_logic::TermId;

use crate::encoder::{Choice, Encoder};
use crate::names::ThreadIndex;
use crate::operation::{MISUSE, Operand};
use crate::state::Woken;
use crate::sync::{COUNT_BITS, State, THREAD_BITS};
use crate::taking::Taking;

impl Encoder<'_> {
    /// Arrives; the last of a round releases all of it.
    pub fn arrive_at_barrier(
        &mut self,
        taking: &mut Taking<'_>,
        operand: Operand,
        needed: TermId,
        mut arrived: BTreeMap<ThreadIndex, TermId>,
    ) {
        let me = taking.thread;
        let never = self.terms.truth(false);
        let is_for_nobody = self.terms.equals_constant(needed, 0);
        let is_there = *arrived.get(&me).unwrap_or(&never);
        for problem in [is_for_nobody, is_there] {
            let misused = self.terms.and(operand.condition, problem);
            let fine = self.terms.not(misused);
            self.require(taking, fine, MISUSE);
        }
        arrived.insert(me, self.terms.truth(true));
        let mut count = self.terms.constant(0, COUNT_BITS);
        for member in arrived.values() {
            let one = self.terms.resize(*member, COUNT_BITS, false);
            count = self.terms.add(count, one);
        }
        let is_complete = self.terms.less_equal_unsigned(needed, count);
        let is_released = self.terms.and(operand.condition, is_complete);
        let released: Vec<(ThreadIndex, TermId)> = arrived
            .iter()
            .map(|(thread, member)| (*thread, self.terms.and(is_released, *member)))
            .collect();
        let serial = self.choose_serial(taking, is_released, &released);
        let model = self.program.model;
        let address = operand.object.pointer(operand.offset, model);
        let barrier = self.terms.constant(address, model.pointer_bits());
        let guard = taking.local.guard;
        for (thread, is_released) in released {
            let applies = self.terms.and(guard, is_released);
            let is_serial = self.terms.equals_constant(serial, thread.in_terms());
            let before = self.link(taking.shared, thread).woken;
            let woken = Woken {
                is_released: self.terms.or(before.is_released, applies),
                condition: self.terms.if_then_else(applies, barrier, before.condition),
                is_serial: self
                    .terms
                    .if_then_else(applies, is_serial, before.is_serial),
                ..before
            };
            self.link(taking.shared, thread).woken = woken;
        }
        let waits = self.terms.not(is_complete);
        for member in arrived.values_mut() {
            *member = self.terms.and(*member, waits);
        }
        self.put_state(taking, operand, State::Barrier { needed, arrived });
    }

    /// Which of those that are released is the serial one.
    fn choose_serial(
        &mut self,
        taking: &mut Taking<'_>,
        is_released: TermId,
        released: &[(ThreadIndex, TermId)],
    ) -> TermId {
        let nobody = self.terms.constant(0, THREAD_BITS);
        if !self.asks_serial {
            // The interpreter takes the least then, by its own names.
            let round = if let Choice::Round(known) = taking.choice {
                known
            } else {
                self.rounds.push(Vec::new());
                self.rounds.len() - 1
            };
            self.rounds[round].extend(released);
            taking.choice = Choice::Round(round);
            return nobody;
        }
        let chosen = self.chosen("serial", THREAD_BITS);
        let mut cases = vec![self.terms.not(is_released)];
        for (thread, is_released) in released {
            let is_this = self.terms.equals_constant(chosen, thread.in_terms());
            cases.push(self.terms.and(*is_released, is_this));
        }
        let is_right = self.terms.any(&cases);
        self.narrow(taking, is_right);
        let shown = self.terms.if_then_else(is_released, chosen, nobody);
        taking.choice = Choice::Thread(match taking.choice {
            Choice::Thread(other) => self.terms.if_then_else(is_released, shown, other),
            Choice::Nothing | Choice::Value(_) | Choice::Round(_) => shown,
        });
        chosen
    }

    /// Leaves once it is released; the barrier need not exist any more.
    pub fn leave_barrier(&mut self, taking: &mut Taking<'_>, object: &Expression) -> TermId {
        let pointer = self.evaluate(taking, |it| it.bits(object));
        let woken = self.link(taking.shared, taking.thread).woken;
        let is_other = self.terms.differ(woken.condition, pointer);
        let is_other = self.terms.and(woken.is_released, is_other);
        let is_wrong = self.terms.or(woken.is_signalled, is_other);
        let fine = self.terms.not(is_wrong);
        self.require(taking, fine, MISUSE);
        let before = taking.local.guard;
        let waits = self.terms.not(woken.is_released);
        taking.local.guard = self.terms.and(before, waits);
        if !self.terms.is_false(taking.local.guard) {
            for operand in self.syncs(taking, object, SyncType::Barrier) {
                let State::Barrier { arrived, .. } = operand.sync(taking.shared).state else {
                    continue;
                };
                let elsewhere = self.terms.not(operand.condition);
                let is_in = arrived.get(&taking.thread).copied();
                let is_fine = match is_in {
                    Some(is_in) => self.terms.or(elsewhere, is_in),
                    None => elsewhere,
                };
                self.require(taking, is_fine, MISUSE);
            }
        }
        taking.local.guard = self.terms.and(before, woken.is_released);
        let stays = self.terms.not(taking.local.guard);
        let is_released = self.terms.and(woken.is_released, stays);
        self.link(taking.shared, taking.thread).woken.is_released = is_released;
        // PTHREAD_BARRIER_SERIAL_THREAD is -1.
        self.terms.resize(woken.is_serial, 128, true)
    }
}
