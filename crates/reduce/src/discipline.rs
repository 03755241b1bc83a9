//! How threads keep their accesses to one cell apart (SC's synchronization discipline): the protecting locks of FQ §5, inferred as in FQ §6 and SC §9.
//!
//! # Source
//!
//! FQ §5 and §5.1 for what protects a cell, FQ §6 (rule ACCESS) and the lockset algorithm of SC §9 for how it is found out.
//!
//! # Definitions
//!
//! - **(S1)** The locks that protect a cell, FQ's `M_z`: those that were held at every access to it so far; by threads that wrote it,
//!   exclusively. Before the first access that is all locks.
//! - **(S2)** The cell's only user, FQ's `M_z ∈ Tid`: the one thread that has accessed it so far.
//! - **(S3)** A write moves if (S1) is not empty, or its thread is the only user. A read moves if its thread is the only user, if nobody
//!   has written the cell, or if its thread holds a lock that all who wrote held exclusively.
//!
//! Accesses by a thread to memory of its own, or while it is alone, say nothing and are not recorded.
//!
//! # Invariants
//!
//! - **(S4)** A discipline only gets weaker: locks leave (S1), users are added.
//! - **(S5)** `record` tells its caller whenever an access that moved before may not move any more.
//!
//! # Deviations
//!
//! 1. FQ has one set of locks for each variable. Reads and writes are told apart here, so that readers need no lock that protects
//!    them from one another, and read-write locks count.
//! 2. FQ's `M_z` has to be held as a whole; here one lock in common is enough, since a lock that is not held at every access has left
//!    the set already.
//!
//! # Tested by
//!
//! `crates/testkit/tests/inference.rs`, and `figures.rs` there for what is taken for protected; the omission
//! `WritersHoldExclusively` of `cargo xtask mutants`.

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
