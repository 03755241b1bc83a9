//! Lock histories (AS §6): what of a stretch of one process decides whether it can be interleaved with stretches of
//! others, for locks that are well nested and not reentrant.
//!
//! # Source
//!
//! AS §6 with Fig. 3 (`post_η`, in ASCII `post_eta`) and Def. 4 (`Compat`); AS §9 for more than two processes.
//!
//! # Definitions
//!
//! The parts of a lock history are those of AS: the release history `RH` is `release`, the use set `U` is `used`, the
//! acquisition history `AH` is `acquisition`, the held-throughout set `HT` is `throughout`. `R` and `A` are those locks whose history is not empty (AS Remark 4).
//!
//! Histories are *compatible* if all of these hold (AS Def. 4, with its numbers):
//!
//! - **(Compat 1)** no lock is held by two of them at the beginning;
//! - **(Compat 2)** nor at the end;
//! - **(Compat 3)** their acquisition histories do not order the locks in a circle;
//! - **(Compat 4)** nor do their release histories;
//! - **(Compat 5)** none takes a lock that another holds throughout.
//!
//! # Invariants
//!
//! - **(K1)** `release[l]` and `acquisition[l]` contain `l`, or are empty.
//! - **(K2)** A lock that is held throughout is in no other part.
//!
//! # Deviations
//!
//! 1. For two processes AS forbids circles of two locks, for `N` those of up to `N` (§9); here a circle may be of any length, which is the
//!    same: see [`are_compatible`].
//!
//! # Tested by
//!
//! `crates/engine_wpds/tests/histories.rs`: Example 3 of AS, and compatibility against all interleavings of random stretches.

use raddle_base::Id;

use crate::system::{Label, LockId};

/// A set of locks, by bits.
pub type Locks = u32;

/// As many locks as fit into [`Locks`]; processes with more forget some of them.
pub const MOST_LOCKS: usize = 32;

/// The lock history of a stretch (AS Fig. 3). The release set and the acquisition set are those locks whose history
/// is not empty (AS Remark 4).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockHistory {
    /// For each lock that was held at the beginning and then released: itself and what was released or used before.
    pub release: Vec<Locks>,
    /// Taken and given back.
    pub used: Locks,
    /// For each lock that was taken and is held at the end: itself and what was taken since.
    pub acquisition: Vec<Locks>,
    /// Held from the beginning to the end.
    pub throughout: Locks,
}

fn bit(lock: LockId) -> Locks {
    1 << lock.index()
}

fn non_empty(histories: &[Locks]) -> Locks {
    histories
        .iter()
        .enumerate()
        .filter(|(_, history)| **history != 0)
        .fold(0, |set, (lock, _)| set | 1 << lock)
}

impl LockHistory {
    /// Of a stretch without steps.
    pub fn new(locks: usize, held: Locks) -> Self {
        Self {
            release: vec![0; locks],
            used: 0,
            acquisition: vec![0; locks],
            throughout: held,
        }
    }

    /// Of the stretch that goes on with one more step: `post_η` (`post_eta`) of AS Fig. 3.
    pub fn step(&mut self, label: Label) {
        match label {
            Label::Acquire(lock) => {
                for history in &mut self.acquisition {
                    if *history != 0 {
                        *history |= bit(lock);
                    }
                }
                self.acquisition[lock.index()] = bit(lock);
            }
            Label::Release(lock) if self.acquisition[lock.index()] != 0 => {
                self.used |= bit(lock);
                self.acquisition[lock.index()] = 0;
            }
            Label::Release(lock) => {
                self.release[lock.index()] = bit(lock) | self.used | self.released();
                self.throughout &= !bit(lock);
            }
            Label::Silent | Label::Begin | Label::End | Label::Access(_) | Label::Event(_) => {}
        }
    }

    /// Of the stretch without steps that begins where this one ends: `ptrans` of AS §7.1.
    pub fn next_phase(&self) -> Self {
        Self::new(self.release.len(), self.held_at_the_end())
    }

    /// Held at the beginning and released.
    pub fn released(&self) -> Locks {
        non_empty(&self.release)
    }

    /// Taken and not given back.
    pub fn acquired(&self) -> Locks {
        non_empty(&self.acquisition)
    }

    pub fn held_at_the_beginning(&self) -> Locks {
        self.released() | self.throughout
    }

    pub fn held_at_the_end(&self) -> Locks {
        self.acquired() | self.throughout
    }
}

/// Whether stretches of different processes with these histories can be interleaved: `Compat` of AS Def. 4 and §9.
///
/// For more than two, a cycle may go through any number of processes. A lock that is held at the end was last taken
/// by its holder after everybody else's uses of it. So `m` in the acquisition history of `l` says that the last
/// taking of `l` comes before the last taking of `m`, and the histories of all must not order the locks in a circle.
/// Releases are the same backwards.
pub fn are_compatible(histories: &[&LockHistory]) -> bool {
    let pairwise = histories.iter().enumerate().all(|(index, first)| {
        histories[index + 1..].iter().all(|second| {
            // Compat 1.
            first.held_at_the_beginning() & second.held_at_the_beginning() == 0
                // Compat 2.
                && first.held_at_the_end() & second.held_at_the_end() == 0
                // Compat 5.
                && (first.acquired() | first.used) & second.throughout == 0
                && (second.acquired() | second.used) & first.throughout == 0
        })
    });
    // Compat 3 and Compat 4.
    pairwise
        && !has_circle(histories, |it| &it.acquisition)
        && !has_circle(histories, |it| &it.release)
}

fn has_circle(histories: &[&LockHistory], part: impl Fn(&LockHistory) -> &[Locks]) -> bool {
    let locks = histories.first().map_or(0, |it| part(it).len());
    let mut after: Vec<Locks> = vec![0; locks];
    for history in histories {
        for (lock, others) in part(history).iter().enumerate() {
            after[lock] |= others & !(1 << lock);
        }
    }
    // Locks without successors are taken away until none is left, or a circle.
    let mut left: Locks = non_empty(&after);
    loop {
        let ends = (0..locks)
            .filter(|&lock| left & 1 << lock != 0 && after[lock] & left == 0)
            .fold(0, |set, lock| set | 1 << lock);
        if ends == 0 {
            return left != 0;
        }
        left &= !ends;
    }
}
