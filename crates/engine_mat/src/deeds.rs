//! What steps do to threads and locks, as far as others see it, and what becomes of a step.

use std::collections::BTreeSet;

use raddle_encode::hazard::Met;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_encode::touch::{Access, Touch};
use raddle_logic::TermId;

/// A mutex at its place.
pub(crate) type Lock = (ObjectName, u64);

/// What a node does to a mutex, if that is all it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locking {
    Acquires,
    Releases,
}

/// What a step does to threads and locks, as far as others see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Deed {
    Start(ThreadIndex),
    /// Waits for some thread, and goes on after one.
    Wait,
    Join(ThreadIndex),
    Detach,
    /// The thread ends.
    End,
    /// The process ends.
    EndProcess,
}

/// One way that a step goes. Guards are relative to coming to the place.
pub(crate) struct Way {
    pub(crate) guard: TermId,
    /// `None` if the thread or the process has ended.
    pub(crate) next: Option<(UnrolledPoint, Local)>,
    pub(crate) shared: Shared,
    /// Threads that begin, and with what.
    pub(crate) begun: Vec<(ThreadIndex, Local, Shared)>,
    pub(crate) starts: bool,
    pub(crate) acquired: BTreeSet<Lock>,
    pub(crate) released: BTreeSet<Lock>,
}

/// What a step comes to.
#[derive(Default)]
pub(crate) struct Stepped {
    pub(crate) ways: Vec<Way>,
    /// Bytes that it touches, also by making objects and ending their lives.
    pub(crate) touches: BTreeSet<Touch>,
    /// Those of them that count for races.
    pub(crate) accesses: Vec<Access>,
    pub(crate) deeds: BTreeSet<Deed>,
    /// What goes wrong.
    pub(crate) met: Vec<Met>,
}
