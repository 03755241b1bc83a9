//! How threads keep their accesses to one cell apart: the protecting sets of FQ §5, inferred as in FQ §6 and SC §9.
//!
//! Reads and writes are told apart. A write moves if some lock was held, exclusively, by all who wrote and, in some way, by
//! all who read. A read moves if nobody writes, or if it holds a lock that all who wrote held exclusively. Accesses by
//! a thread to memory of its own, or while it is alone, say nothing and are not recorded.

use std::collections::BTreeSet;

use raddle_base::saved;
use raddle_ir::interpret::ThreadNumber;

use crate::keys::LockKey;

/// Locks that were held at all of some accesses; `None` before the first one, when it is all locks.
type Common = Option<BTreeSet<LockKey>>;

/// What all accesses to a cell so far have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discipline {
    writes: Common,
    reads: Common,
    user: User,
}

/// Who accesses a cell (FQ §5.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum User {
    #[default]
    Nobody,
    One(ThreadNumber),
    Several,
}

impl Discipline {
    /// Takes note of an access under these locks; whether something that moved before may not move any more.
    pub fn record(
        &mut self,
        thread: ThreadNumber,
        is_write: bool,
        held: &BTreeSet<LockKey>,
    ) -> bool {
        let user = match self.user {
            User::Nobody => User::One(thread),
            User::One(known) if known == thread => self.user,
            User::One(_) | User::Several => User::Several,
        };
        let common = if is_write { &self.writes } else { &self.reads };
        let has_less = common.as_ref().is_none_or(|known| !known.is_subset(held));
        if !has_less && user == self.user {
            return false;
        }
        let before = self.clone();
        let common = if is_write {
            &mut self.writes
        } else {
            &mut self.reads
        };
        match common {
            None => *common = Some(held.clone()),
            Some(known) => known.retain(|lock| held.contains(lock)),
        }
        self.user = user;
        let was_used = before.user != User::Nobody;
        let is_shared_now = self.user == User::Several && before.user != User::Several;
        was_used
            && (is_shared_now
                || before.writes != self.writes
                || before.protects_writes() && !self.protects_writes())
    }

    /// Forgets a lock that turned out to be several; whether that changed something.
    pub fn forget(&mut self, is_meant: impl Fn(&LockKey) -> bool) -> bool {
        let mut changed = false;
        for common in [&mut self.writes, &mut self.reads].into_iter().flatten() {
            let before = common.len();
            common.retain(|lock| !is_meant(lock));
            changed |= common.len() != before;
        }
        changed
    }

    fn protects_writes(&self) -> bool {
        self.protecting_locks()
            .is_none_or(|locks| !locks.is_empty())
    }

    /// The locks that protect the cell, or `None` if nobody has accessed it.
    pub fn protecting_locks(&self) -> Common {
        match (&self.writes, &self.reads) {
            (None, common) | (common, None) => common.clone(),
            (Some(writes), Some(reads)) => Some(writes.intersection(reads).copied().collect()),
        }
    }

    pub fn is_written(&self) -> bool {
        self.writes.is_some()
    }

    /// The only thread that accesses the cell.
    pub fn only_user(&self) -> Option<ThreadNumber> {
        match self.user {
            User::One(thread) => Some(thread),
            User::Nobody | User::Several => None,
        }
    }

    /// Whether an access under these locks commutes with what others do to the cell. It has been recorded.
    pub fn moves(&self, thread: ThreadNumber, is_write: bool, held: &BTreeSet<LockKey>) -> bool {
        if self.user == User::One(thread) {
            return true;
        }
        if is_write {
            return self.protects_writes();
        }
        self.writes
            .as_ref()
            .is_none_or(|writes| writes.iter().any(|lock| held.contains(lock)))
    }

    /// The same without locks: the cell has one user, or nobody writes it.
    pub fn moves_without_locks(&self, thread: ThreadNumber, is_write: bool) -> bool {
        self.user == User::One(thread) || !is_write && self.writes.is_none()
    }
}

saved!(
    enum User {
        Nobody,
        One(thread),
        Several,
    }
);
saved!(struct Discipline { writes, reads, user });
