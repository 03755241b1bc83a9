//! The side conditions of dynamic movers by name, so that tests can leave one out and look whether that is noticed.

/// A side condition that is left out. No search that a user starts leaves any out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clause {
    /// Threads that another thread will start count.
    ThreadsToCome,
    /// What the callers of a running function will do counts.
    Callers,
    /// No thread writes the cells that an address will be read from.
    RootsStay,
    /// The compare-and-exchange is of just the bytes of the access.
    SameBytes,
    /// The bytes do not hold what it expects.
    NotExpected,
    /// The access that is to move writes nothing.
    WritesNothing,
    /// The thread holds the lock.
    LockHeld,
    /// No thread makes the lock anew, ends it or overwrites it.
    LockLives,
}

impl Clause {
    pub const ALL: [Clause; 8] = [
        Clause::ThreadsToCome,
        Clause::Callers,
        Clause::RootsStay,
        Clause::SameBytes,
        Clause::NotExpected,
        Clause::WritesNothing,
        Clause::LockHeld,
        Clause::LockLives,
    ];
}
