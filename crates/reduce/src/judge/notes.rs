//! What a step shows about guesses: which cells its thread accesses under which locks, and what it tries, waits for, arrives at and joins.

use std::collections::BTreeSet;

use raddle_ir::SyncOperation;
use raddle_ir::interpret::{
    Blocked, Effect, MemoryAccess, ObjectNumber, State, Successor, Sync, ThreadNumber,
};

use super::footprint::{Footprint, Operand};
use super::{Grounds, Judge, Seen};
use crate::guesses::Guess;
use crate::history::{heap_site, is_mortal};
use crate::keys::{HeldLock, LockKey, ObjectKey, global_lock, held_locks};
use crate::movers::Row;
use crate::omission::Omission;

impl Judge<'_> {
    /// Takes note of accesses that lead nowhere as yet. A thread that writes there opens the way, or makes it fail, so
    /// they count although no step makes them.
    pub fn note(&mut self, blocked: &Blocked) {
        if self.statics.is_some() || blocked.is_empty() {
            return;
        }
        if !self.omits(Omission::BlockedAccessesAreNoted) {
            self.note_accesses(&blocked.accesses);
        }
        if !self.omits(Omission::WaitingIsNoted) {
            self.note_looks(&blocked.objects);
            self.note_joiner(&blocked.joined);
        }
    }

    /// Takes note that the thread waits for others, or tries to.
    fn note_joiner(&mut self, joined: &[ThreadNumber]) {
        for &joined in joined {
            self.guesses
                .record_user(Guess::SoleJoiner(joined), self.thread, 1);
        }
    }

    /// Takes note that the thread looks whether objects live and are what they should be.
    fn note_looks(&mut self, objects: &[(ObjectNumber, u64)]) {
        if objects.is_empty() || self.rely_on_being_alone() {
            return;
        }
        let state = &self.before.state;
        let mut footprint = Footprint::default();
        for &(object, offset) in objects {
            let Some(content) = state.objects.get(&object) else {
                continue;
            };
            footprint.lives.insert(object);
            if offset < content.bytes.len() as u64 {
                footprint.read(object, offset, 1);
            }
        }
        self.keep_shared(&mut footprint);
        let held = held_locks(state, self.thread);
        self.access(&footprint, &held, state);
    }

    fn note_accesses(&mut self, accesses: &[MemoryAccess]) {
        if accesses.is_empty() || self.rely_on_being_alone() {
            return;
        }
        let before = &self.before.state;
        let mut footprint = Footprint::of_accesses(accesses, before);
        self.keep_shared(&mut footprint);
        let held = held_locks(before, self.thread);
        self.access(&footprint, &held, before);
        for operand in &footprint.syncs {
            // Which operation it was does not show.
            if let Some((key, offset)) = self.sync_key(Some(operand)) {
                self.refute(Guess::Untried(key, offset));
                self.refute(Guess::Round(key, offset));
                self.note_waiters(Some(operand), &held);
            }
        }
    }

    /// A step that fails has looked at what it fails on: that it lives, and that it is what it should be. What a section
    /// looked at before a failed assertion decides whether it fails.
    pub(super) fn note_stop(&mut self, successor: &Successor) {
        if self.statics.is_some() || self.omits(Omission::FailuresAreNoted) {
            return;
        }
        self.note_accesses(&successor.accesses);
        // What fails inside a section is told with what is blocked.
        if let [part] = &successor.step.parts[..] {
            let tried = (self.interpreter).tried(&self.before.state, self.thread, part);
            self.note_accesses(&tried.accesses);
            self.note_joiner(&tried.joined);
        }
    }

    /// Threads that went, and by whose doing.
    pub(super) fn note_threads(&mut self, rows: &[Row], after: &State) {
        if after.has_ended {
            return;
        }
        let gone: Vec<ThreadNumber> = self
            .before
            .state
            .threads
            .keys()
            .copied()
            .filter(|it| !after.threads.contains_key(it))
            .collect();
        for &thread in &gone {
            if !rows.contains(&Row::Join) || thread == self.thread {
                self.refute(Guess::Alone);
            } else {
                self.guesses
                    .record_user(Guess::SoleJoiner(thread), self.thread, 1);
            }
        }
        if rows.contains(&Row::Detach) {
            let before = &self.before.state.threads;
            let detached = before.iter().filter(|(number, thread)| {
                !thread.is_detached && after.threads.get(number).is_none_or(|it| it.is_detached)
            });
            for (&number, _) in detached {
                self.guesses
                    .record_user(Guess::SoleJoiner(number), self.thread, 1);
            }
        }
    }

    /// Places that make a second object, or that two threads come by: what others have made does not show if they are in
    /// the middle of transactions.
    pub(super) fn note_sites(&mut self, successor: &Successor, after: &State) {
        for effect in &successor.effects {
            if let Effect::Allocate { object, .. } = effect
                && let Some(site) = after.objects.get(object).and_then(|it| heap_site(it))
            {
                let guess = Guess::OnlyOne(site);
                let users = self.guesses.record_user_and_count(guess, self.thread);
                if users > 1 || self.before.made.contains(&site) {
                    self.refute(guess);
                }
            }
        }
    }

    /// Locks that a step writes over, or makes something else out of a part of: a thread that holds one loses it.
    pub(super) fn note_lost_locks(&mut self, successor: &Successor, rows: &[Row]) {
        let model = self.interpreter.program().model;
        for effect in &successor.effects {
            let (object, offset, size, kept) = match effect {
                Effect::Write {
                    object, offset, ty, ..
                } => (object, *offset, ty.size(model), None),
                // Of a lock that is held, to make it anew in its place is a misuse, and so is to destroy it.
                Effect::Synchronize {
                    object,
                    offset,
                    size,
                    ..
                } if rows.contains(&Row::LifeChange) => (object, *offset, *size, Some(*offset)),
                Effect::Synchronize { .. }
                | Effect::Read { .. }
                | Effect::Measure { .. }
                | Effect::Free { .. }
                | Effect::Allocate { .. }
                | Effect::Spawn { .. }
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => continue,
            };
            let Some(content) = self.before.state.objects.get(object) else {
                continue;
            };
            let key = ObjectKey::of(content);
            let lost: Vec<u64> = content
                .syncs
                .iter()
                .filter(|(at, sync)| {
                    let its_size = sync.sync_type().size(model);
                    **at < offset + size && offset < **at + its_size && kept != Some(**at)
                })
                .map(|(at, _)| *at)
                .collect();
            for at in lost {
                self.refute(Guess::Lasting(key, at));
            }
        }
    }

    /// Records the accesses of a step and says whether all of them move.
    pub(super) fn access(
        &mut self,
        footprint: &Footprint,
        held: &[HeldLock],
        after: &State,
    ) -> bool {
        let mut all = true;
        let watches = !self.omits(Omission::InvariantsAreWatched);
        for cell in &footprint.cells {
            if watches && self.watched.covers(cell.object, cell.offset, cell.size) {
                all = false;
            }
            if let Some(holds) = self.predicates.covers(
                self.interpreter,
                (&self.before.state, after),
                (cell.object, cell.offset, cell.size),
                self.thread,
                self.guesses,
                self.relied,
            ) {
                all &= holds;
                continue;
            }
            let Some(content) = self.before.state.objects.get(&cell.object) else {
                continue;
            };
            let key = ObjectKey::of(content);
            let locks = self.lock_keys(held, cell.object, cell.is_write);
            for offset in cell.offset..cell.offset + cell.size {
                all &= self.cell(Guess::Byte(key, offset), cell.is_write, &locks);
            }
        }
        if self.omits(Omission::LifeIsACell) {
            return all;
        }
        for (objects, is_write) in [(&footprint.lives, false), (&footprint.ended, true)] {
            for object in objects {
                let Some(content) = self.before.state.objects.get(object) else {
                    continue;
                };
                if is_mortal(content) {
                    let key = ObjectKey::of(content);
                    let locks = self.lock_keys(held, *object, is_write);
                    all &= self.cell(Guess::Life(key), is_write, &locks);
                }
            }
        }
        all
    }

    /// Records an access to a cell and says whether it moves.
    fn cell(&mut self, guess: Guess, is_write: bool, locks: &BTreeSet<LockKey>) -> bool {
        self.guesses.record(guess, self.thread, is_write, locks);
        self.relied.insert(guess);
        let thread = self.thread;
        self.guesses
            .discipline(guess)
            .is_some_and(|it| match self.grounds {
                Grounds::Local => it.moves_without_locks(thread, is_write),
                Grounds::Synchronisation => it.moves(thread, is_write, locks),
            })
    }

    /// The names of held locks as seen from an object; for a write, of those that are held exclusively.
    fn lock_keys(
        &mut self,
        held: &[HeldLock],
        object: ObjectNumber,
        is_write: bool,
    ) -> BTreeSet<LockKey> {
        let asks_for_all = is_write && !self.omits(Omission::WritersHoldExclusively);
        let mut keys = BTreeSet::new();
        for lock in held.iter().filter(|it| it.is_exclusive || !asks_for_all) {
            let Some(content) = self.before.state.objects.get(&lock.object) else {
                continue;
            };
            if !self.rely(Guess::Lasting(ObjectKey::of(content), lock.offset)) {
                continue;
            }
            if lock.object == object {
                keys.insert(LockKey::Relative(lock.offset));
            }
            if let Some(global) = global_lock(content) {
                keys.insert(LockKey::Global(global, lock.offset));
            }
            if let Some(site) = heap_site(content)
                && self.rely(Guess::OnlyOne(site))
            {
                keys.insert(LockKey::Made(site, lock.offset));
            }
        }
        keys
    }

    /// What its operations show.
    pub(super) fn note_operations(&mut self, seen: &Seen<'_>) {
        if seen.row() == Row::Section {
            if !self.omits(Omission::SectionsAreNoted) {
                self.note_section(seen);
            }
            return;
        }
        match seen.row() {
            Row::Attempt => {
                if let Some((key, offset)) = self.sync_key(seen.operand()) {
                    self.refute(Guess::Untried(key, offset));
                }
            }
            Row::WaitBegin | Row::WaitEnd | Row::WaitEndTimed | Row::Signal => {
                if self.changes_wait_set(seen) {
                    let held = self.locks_around(seen);
                    self.note_waiters(seen.operand(), &held);
                }
            }
            Row::BarrierArrive => self.note_arrival(seen.operand()),
            Row::Register
            | Row::Assume
            | Row::ExclusiveAccess
            | Row::SharedAccess
            | Row::AtomicAccess
            | Row::Acquire
            | Row::Release
            | Row::SemaphorePost
            | Row::SemaphoreWait
            | Row::BarrierLeave
            | Row::Spawn
            | Row::SpawnInto
            | Row::Join
            | Row::Detach
            | Row::ExitThread
            | Row::EndProcess
            | Row::Allocate
            | Row::Recycle
            | Row::FreeNamed
            | Row::LifeChange
            | Row::Section
            | Row::Unsupported => {}
        }
    }

    /// Inside a section: what its operations show, at the least.
    fn note_section(&mut self, seen: &Seen<'_>) {
        let rows = seen.rows;
        for operand in &seen.footprint.syncs {
            let Some((key, offset)) = self.sync_key(Some(operand)) else {
                continue;
            };
            if rows.contains(&Row::Attempt) || rows.contains(&Row::WaitEndTimed) {
                self.refute(Guess::Untried(key, offset));
            }
            let waits = [Row::WaitBegin, Row::WaitEnd, Row::WaitEndTimed, Row::Signal];
            if waits.iter().any(|row| rows.contains(row)) {
                self.note_waiters(Some(operand), &seen.held);
            }
            if rows.contains(&Row::BarrierArrive) {
                self.refute(Guess::Round(key, offset));
            }
        }
    }

    /// Whether the operation looks at or changes the wait set of a condition variable. A thread that was woken is in it no more; the
    /// wait set of a monitor belongs to the thread that holds the monitor.
    pub(super) fn changes_wait_set(&self, seen: &Seen<'_>) -> bool {
        match seen.operation {
            Some(SyncOperation::WaitBegin | SyncOperation::Signal | SyncOperation::Broadcast) => {
                true
            }
            Some(SyncOperation::WaitEnd | SyncOperation::WaitEndTimed) => {
                self.before.state.threads[&self.thread].woken.is_none()
            }
            Some(_) | None => false,
        }
    }

    /// The locks under which it does. A thread that stops waiting by itself has its mutex only afterwards.
    fn locks_around(&self, seen: &Seen<'_>) -> Vec<HeldLock> {
        if matches!(seen.row(), Row::WaitEnd | Row::WaitEndTimed) {
            held_locks(seen.after, self.thread)
        } else {
            seen.held.clone()
        }
    }

    /// Records a change of a wait set under these locks.
    fn note_waiters(&mut self, operand: Option<&Operand>, held: &[HeldLock]) {
        if let (Some((key, offset)), Some(operand)) = (self.sync_key(operand), operand) {
            let locks = self.lock_keys(held, operand.object, true);
            let guess = Guess::Waiters(key, offset);
            self.guesses.record(guess, self.thread, true, &locks);
        }
    }

    /// Records a user of a barrier.
    fn note_arrival(&mut self, operand: Option<&Operand>) {
        let (Some((key, offset)), Some(operand)) = (self.sync_key(operand), operand) else {
            return;
        };
        let needed = match self.before.state.objects[&operand.object]
            .syncs
            .get(&offset)
        {
            Some(Sync::Barrier { needed, .. }) => usize::try_from(*needed).unwrap_or(usize::MAX),
            _ => 0,
        };
        self.guesses
            .record_user(Guess::Round(key, offset), self.thread, needed);
    }
}
