//! What a reduction takes for granted until an execution shows otherwise.
//!
//! # Source
//!
//! FQ §6 (protecting locks shrink while the search goes on), SC §8 and §9 (guess, check in the reduced system, revise).
//! The guesses beside locks are the side conditions of the [table of movers](crate::movers).
//!
//! # Definitions
//!
//! A *guess* is one statement about all executions, with a name ([`Guess`]). It *holds* until it is *refuted*; the discipline of a cell
//! is not refuted but gets *weaker*. A transaction *relies* on the guesses that were asked for in it.
//!
//! # Invariants
//!
//! - **(G1)** Guesses only get weaker, and there are finitely many, so that a search with them ends.
//! - **(G2)** Whether a step breaks a guess follows from what its own thread holds and owns. So a step that breaks a guess
//!   in some execution breaks it in an execution of the reduced system too: neither moving steps of others away nor
//!   finishing their transactions changes it.
//!
//! # Deviations
//!
//! 1. SC starts again after each revision. Here only what relied on the guess is explored again, as in FQ §6; SC's way can be asked for
//!    (`Inference::Restart` of the explicit engine), and the two are compared.
//! 2. FQ and SC guess about variables and locks. Here everything that the table of movers asks for is a guess: who tries a lock, who
//!    joins a thread, who uses a barrier, how many objects a place makes, and that nobody invents pointers.
//!
//! # Tested by
//!
//! `crates/testkit/tests/inference.rs`; the omissions `WeakenedIsExploredAgain`, `AloneByJoins`, `PointersAreNotInvented` and
//! `OneObjectOfASite` of `cargo xtask mutants`.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{FastMap, saved};
use raddle_ir::interpret::ThreadNumber;

use crate::discipline::Discipline;
use crate::keys::{LockKey, ObjectKey, Site};
use crate::symmetry::Mates;

/// Something that is taken for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Guess {
    /// Accesses to this byte follow a discipline; operations on a synchronisation object read its bytes.
    Byte(ObjectKey, u64),
    /// So do those who end the life of an object (writes) and those who rely on it (reads): its liveness is a cell.
    Life(ObjectKey),
    /// So do those who look at or change the wait set of a condition variable.
    Waiters(ObjectKey, u64),
    /// Nobody tries the lock, waits for it with a time limit or reads its value.
    Untried(ObjectKey, u64),
    /// Nobody writes over the lock, so that only who holds it gives it up.
    Lasting(ObjectKey, u64),
    /// No more threads use the barrier than its round needs.
    Round(ObjectKey, u64),
    /// Nobody else joins or detaches the thread.
    SoleJoiner(ThreadNumber),
    /// The place makes at most one object.
    OnlyOne(Site),
    /// Threads go only by being joined, so that to be alone is a thread's own doing.
    Alone,
    /// Pointers come from where they were put: nobody computes or invents one.
    Hidden,
    /// The user's predicate of this number is one.
    Predicate(usize),
}

/// All that is taken for granted now.
#[derive(Clone, Debug, Default)]
pub struct Guesses {
    /// Of [`Guess::Byte`], [`Guess::Life`] and [`Guess::Waiters`].
    disciplines: FastMap<Guess, Discipline>,
    /// Of all others: those that do not hold.
    broken: BTreeSet<Guess>,
    /// Who uses a barrier; who joins or detaches a thread.
    users: BTreeMap<Guess, BTreeSet<ThreadNumber>>,
    /// What got weaker since somebody last asked.
    changed: BTreeSet<Guess>,
    /// Threads that are exchanged: what one of them does, any of them may do.
    mates: Mates,
}

impl Guesses {
    /// Where these threads are exchanged.
    pub fn among(mates: Mates) -> Self {
        Self {
            mates,
            ..Self::default()
        }
    }

    /// A thread with those that it is exchanged with.
    fn all_of(&self, thread: ThreadNumber) -> Vec<ThreadNumber> {
        let mates = self.mates.get(&thread);
        mates.map_or_else(|| vec![thread], |it| it.iter().copied().collect())
    }

    /// The same of each thread that the one that a guess is about may be.
    fn all_about(&self, guess: Guess) -> Vec<Guess> {
        match guess {
            Guess::SoleJoiner(thread) => {
                let threads = self.all_of(thread).into_iter();
                threads.map(Guess::SoleJoiner).collect()
            }
            Guess::Byte(..)
            | Guess::Life(_)
            | Guess::Waiters(..)
            | Guess::Untried(..)
            | Guess::Lasting(..)
            | Guess::Round(..)
            | Guess::OnlyOne(_)
            | Guess::Alone
            | Guess::Hidden
            | Guess::Predicate(_) => vec![guess],
        }
    }

    pub fn holds(&self, guess: Guess) -> bool {
        !self.broken.contains(&guess)
    }

    /// What all accesses to a cell have in common, if there was one.
    pub fn discipline(&self, guess: Guess) -> Option<&Discipline> {
        self.disciplines.get(&guess)
    }

    /// All cells that were accessed by a thread that did not have them to itself anyway.
    pub fn disciplines(&self) -> BTreeMap<Guess, &Discipline> {
        self.disciplines
            .iter()
            .map(|(key, it)| (*key, it))
            .collect()
    }

    /// What does not hold.
    pub fn broken(&self) -> impl Iterator<Item = Guess> + '_ {
        self.broken.iter().copied()
    }

    /// Whether something got weaker since the last call of [`Guesses::take_changes`].
    pub fn have_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// What got weaker since the last call.
    pub fn take_changes(&mut self) -> BTreeSet<Guess> {
        std::mem::take(&mut self.changed)
    }

    /// Takes note of an access to a cell.
    pub fn record(
        &mut self,
        guess: Guess,
        thread: ThreadNumber,
        is_write: bool,
        held: &BTreeSet<LockKey>,
    ) {
        for thread in self.all_of(thread) {
            let discipline = self.disciplines.entry(guess).or_default();
            if discipline.record(thread, is_write, held) {
                self.changed.insert(guess);
            }
        }
    }

    /// Takes note that a thread uses what at most `allowed` threads may use.
    pub fn record_user(&mut self, guess: Guess, thread: ThreadNumber, allowed: usize) {
        let threads = self.all_of(thread);
        for guess in self.all_about(guess) {
            let users = self.users.entry(guess).or_default();
            users.extend(&threads);
            if users.len() > allowed {
                self.refute(guess);
            }
        }
    }

    /// Takes note that a thread uses something; how many threads use it now.
    pub fn record_user_and_count(&mut self, guess: Guess, thread: ThreadNumber) -> usize {
        let threads = self.all_of(thread);
        let users = self.users.entry(guess).or_default();
        users.extend(&threads);
        users.len()
    }

    /// The guess was wrong.
    pub fn refute(&mut self, guess: Guess) {
        if !self.broken.insert(guess) {
            return;
        }
        self.changed.insert(guess);
        let is_meant = |lock: &LockKey| match guess {
            // Locks made there do not have one name any more.
            Guess::OnlyOne(site) => matches!(lock, LockKey::Made(made, _) if *made == site),
            // Neither is it one under any of its names.
            Guess::Lasting(_, offset) => match lock {
                LockKey::Relative(at) | LockKey::Global(_, at) | LockKey::Made(_, at) => {
                    *at == offset
                }
            },
            Guess::Byte(..)
            | Guess::Life(_)
            | Guess::Waiters(..)
            | Guess::Untried(..)
            | Guess::Round(..)
            | Guess::SoleJoiner(_)
            | Guess::Alone
            | Guess::Hidden
            | Guess::Predicate(_) => false,
        };
        let less = self
            .disciplines
            .iter_mut()
            .filter_map(|(cell, it)| it.forget(is_meant).then_some(*cell));
        self.changed.extend(less);
    }
}

saved!(
    enum Guess {
        Byte(object, offset),
        Life(object),
        Waiters(object, offset),
        Untried(object, offset),
        Lasting(object, offset),
        Round(object, offset),
        SoleJoiner(thread),
        OnlyOne(site),
        Alone,
        Hidden,
        Predicate(number),
    }
);
saved!(struct Guesses { disciplines, broken, users, changed, mates });
