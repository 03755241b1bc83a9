//! What the table claims of a step: its row, the conditions by name, and where a single step is better than its row.

use raddle_ir::SyncOperation;
use raddle_ir::interpret::{State, ThreadNumber};

use super::footprint::Operand;
use super::{Judge, Moves, Seen};
use crate::guesses::Guess;
use crate::keys::{HeldLock, held_locks};
use crate::movers::{Condition, Row};
use crate::omission::Omission;

impl Judge<'_> {
    /// Steps of a thread that is alone move as they like, but for what they begin or end, and for the end of a wait.
    pub(super) fn alone(&self, rows: &[Row]) -> Moves {
        rows.iter().fold(Moves::BOTH, |moves, row| match row {
            // The new thread was not there before the step, but is after it.
            Row::Spawn | Row::SpawnInto | Row::EndProcess | Row::Unsupported => {
                moves.and(self.claim(*row))
            }
            // Nobody promises that a wait ends for no reason: who waits alone waits for ever, and that must not be passed.
            Row::WaitEnd if !self.omits(Omission::LoneWaitsAreNotPassed) => {
                moves.and(self.claim(*row))
            }
            Row::Register
            | Row::Assume
            | Row::ExclusiveAccess
            | Row::SharedAccess
            | Row::AtomicAccess
            | Row::Acquire
            | Row::Release
            | Row::Attempt
            | Row::WaitBegin
            | Row::WaitEnd
            | Row::WaitEndTimed
            | Row::Signal
            | Row::SemaphorePost
            | Row::SemaphoreWait
            | Row::BarrierArrive
            | Row::BarrierLeave
            | Row::Join
            | Row::Detach
            | Row::ExitThread
            | Row::Allocate
            | Row::Recycle
            | Row::LifeChange
            | Row::FreeNamed
            | Row::Section => moves,
        })
    }

    /// How a step moves among others.
    pub(super) fn by_table(&mut self, seen: &Seen<'_>) -> Moves {
        let row = seen.row();
        let is_access = matches!(row, Row::SharedAccess | Row::AtomicAccess);
        let moves = if is_access && self.all_hold(Row::ExclusiveAccess, seen) {
            self.claim(Row::ExclusiveAccess)
        } else if is_access && self.moves_from_now_on(seen) {
            Moves::BOTH
        } else if self.all_hold(row, seen) {
            self.refined(row, seen)
        } else if row == Row::SpawnInto && self.moves_from_now_on(seen) {
            self.claim(Row::Spawn)
        } else {
            Moves::NEITHER
        };
        moves.and(self.by_the_way(row, seen))
    }

    /// What a step does to memory beside what its row is about: a return ends the life of locals.
    fn by_the_way(&mut self, row: Row, seen: &Seen<'_>) -> Moves {
        let looks_at_memory = row.claim().conditions.iter().any(|condition| {
            matches!(
                condition,
                Condition::Exclusive | Condition::LivenessProtected
            )
        });
        let mut moves = Moves::BOTH;
        if looks_at_memory || matches!(row, Row::SharedAccess | Row::AtomicAccess | Row::Section) {
            return moves;
        }
        let footprint = &seen.footprint;
        if !footprint.cells.is_empty() || !footprint.lives.is_empty() {
            let holds = self.all_hold(Row::ExclusiveAccess, seen);
            moves = moves.and(self.claim(Row::ExclusiveAccess).only_if(holds));
        }
        if !footprint.ended.is_empty() {
            let holds = self.all_hold(Row::LifeChange, seen);
            moves = moves.and(self.claim(Row::LifeChange).only_if(holds));
        }
        moves
    }

    fn claim(&self, row: Row) -> Moves {
        let (right, left) = self.table.sides(row);
        Moves { right, left }
    }

    /// What is claimed of the row while its conditions hold, and what this step is beyond that.
    fn refined(&self, row: Row, seen: &Seen<'_>) -> Moves {
        let mut moves = self.claim(row);
        match row {
            // Whether a guard blocks is judged of all steps at its location together.
            Row::Assume => moves.left = true,
            // A thread that holds the lock already takes it again without waiting (FQ §5.2).
            Row::Acquire => moves.left |= is_among(&seen.held, seen.operand()),
            // A thread that took the lock several times still holds it.
            Row::Release => {
                let held_after = held_locks(seen.after, self.thread);
                let is_last =
                    is_among(&seen.held, seen.operand()) && !is_among(&held_after, seen.operand());
                moves.right |= !is_last;
            }
            // No other thread can tell.
            Row::Attempt if seen.operand().is_some_and(|it| it.is_private) => moves = Moves::BOTH,
            Row::Register
            | Row::ExclusiveAccess
            | Row::SharedAccess
            | Row::AtomicAccess
            | Row::Attempt
            | Row::WaitBegin
            | Row::WaitEnd
            | Row::WaitEndTimed
            | Row::Signal
            | Row::SemaphorePost
            | Row::SemaphoreWait
            | Row::BarrierArrive
            | Row::BarrierLeave
            | Row::Spawn
            | Row::SpawnInto
            | Row::Join
            | Row::Detach
            | Row::ExitThread
            | Row::EndProcess
            | Row::Allocate
            | Row::Recycle
            | Row::LifeChange
            | Row::FreeNamed
            | Row::Section
            | Row::Unsupported => {}
        }
        moves
    }

    fn all_hold(&mut self, row: Row, seen: &Seen<'_>) -> bool {
        // A thread that stops waiting by itself leaves the wait set.
        let leaves_wait_set = row == Row::WaitEnd && self.changes_wait_set(seen);
        let table = *self.table;
        table
            .conditions(row)
            .chain(leaves_wait_set.then_some(Condition::OneMutex))
            .all(|condition| self.holds(condition, seen))
    }

    /// Whether a condition of the table holds of a step.
    fn holds(&mut self, condition: Condition, seen: &Seen<'_>) -> bool {
        if let Some(statics) = self.statics {
            return match condition {
                Condition::Exclusive | Condition::LivenessProtected => seen.is_exclusive,
                Condition::OneMutex if !self.changes_wait_set(seen) => true,
                Condition::NobodyTries
                | Condition::OneMutex
                | Condition::SoleJoiner
                | Condition::RoundFits => statics.satisfies(seen.first, condition),
            };
        }
        match condition {
            // The life of a synchronisation object is read by all threads that work on it.
            Condition::Exclusive | Condition::LivenessProtected => seen.is_exclusive,
            Condition::NobodyTries => {
                let lock = self.lock(seen);
                // A lock that no other thread can reach is not tried.
                self.sync_key(lock)
                    .is_none_or(|(key, offset)| self.rely(Guess::Untried(key, offset)))
            }
            Condition::OneMutex => {
                !self.changes_wait_set(seen) || self.rely_on_one_mutex(seen.operand())
            }
            Condition::SoleJoiner => self.rely_on_sole_joiners(seen.after),
            Condition::RoundFits => self
                .sync_key(seen.operand())
                .is_none_or(|(key, offset)| self.rely(Guess::Round(key, offset))),
        }
    }

    /// The lock that an operation takes or gives back: that of a wait is its second operand, unless it was woken.
    fn lock<'s>(&self, seen: &'s Seen<'_>) -> Option<&'s Operand> {
        let is_second = matches!(
            seen.operation,
            Some(SyncOperation::WaitBegin | SyncOperation::WaitEnd)
        ) && self.changes_wait_set(seen);
        seen.footprint.syncs.get(usize::from(is_second))
    }

    /// Whether all threads that looked at or changed the wait set held a common lock; takes note that the step rests on it.
    fn rely_on_one_mutex(&mut self, operand: Option<&Operand>) -> bool {
        let Some((key, offset)) = self.sync_key(operand) else {
            return true;
        };
        let guess = Guess::Waiters(key, offset);
        self.relied.insert(guess);
        // One user is not enough: a thread that waits is woken by others.
        self.guesses
            .discipline(guess)
            .and_then(crate::discipline::Discipline::protecting_locks)
            .is_some_and(|common| !common.is_empty())
    }

    /// Whether nobody else joins or detaches the threads that the step joins or detaches; takes note that the step rests on it.
    fn rely_on_sole_joiners(&mut self, after: &State) -> bool {
        let before = &self.before.state.threads;
        let touched: Vec<ThreadNumber> = before
            .iter()
            .filter(|(number, thread)| {
                after
                    .threads
                    .get(number)
                    .is_none_or(|it| it.is_detached != thread.is_detached)
            })
            .map(|(number, _)| *number)
            .collect();
        touched
            .into_iter()
            .all(|thread| self.rely(Guess::SoleJoiner(thread)))
    }
}

fn is_among(locks: &[HeldLock], operand: Option<&Operand>) -> bool {
    operand.is_some_and(|operand| {
        locks
            .iter()
            .any(|it| (it.object, it.offset) == (operand.object, operand.offset))
    })
}

/// Rows that move by what one thread has to itself; what is made and freed is not hidden from leak checks.
pub(super) fn is_local(row: Row) -> bool {
    matches!(
        row,
        Row::Register | Row::Assume | Row::SharedAccess | Row::AtomicAccess | Row::ExclusiveAccess
    )
}
