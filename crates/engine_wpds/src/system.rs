//! Processes as labelled pushdown systems.
//!
//! # Source
//!
//! AS Def. 1 (pushdown systems) and Def. 2 (multi-PDS).
//!
//! # Definitions
//!
//! A process has control states, stack symbols and rules; each rule carries what the other processes or an observer
//! can notice of it. [`Rule`]s with brackets of a *reentrant* lock or of a unit of work push on the way in and pop on
//! the way out, so that [`crate::reentrant`] can keep the outermost ones only.
//!
//! # Invariants
//!
//! - **(R1)** The locks of a [`Process`] are not reentrant and well nested, and its units do not lie in one another.
//!
//! # Deviations
//!
//! 1. A control state tells what a process holds, and whether it is in a unit of work or in an atomic section, in which nobody else takes
//!    a step. AS has no atomic sections.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`.

use raddle_base::{Arena, define_id};

define_id!(
    /// A control state of a process.
    ControlId, "p"
);
define_id!(
    /// A stack symbol of a process.
    SymbolId, "y"
);
define_id!(
    /// A rule of a process.
    RuleId, "rule"
);
define_id!(
    /// A lock of all processes.
    LockId, "lock"
);
define_id!(
    /// A memory location of the atomic set in question.
    CellId, "cell"
);

define_id!(
    /// Something else that an automaton may ask for, such as a call of a function.
    EventId, "event"
);

/// What a rule lets others notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    Silent,
    /// Takes a lock that is free, or waits.
    Acquire(LockId),
    Release(LockId),
    /// Begins a unit of work.
    Begin,
    /// Ends a unit of work.
    End,
    Access(Access),
    Event(EventId),
}

/// An access to a member of the atomic set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    pub cell: CellId,
    pub kind: AccessKind,
    /// The processes that may be alive meanwhile, by bits.
    pub beside: Others,
}

/// A set of processes, by bits. Of those beyond the last bit nothing is known, so they may always be alive.
pub type Others = u64;

/// Whether the process may be alive.
pub fn is_beside(others: Others, process: usize) -> bool {
    process >= 64 || others & 1 << process != 0
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    Read,
    Write,
    /// Both in one step.
    Update,
}

impl AccessKind {
    /// Whether the access is one of this kind, among others.
    pub fn is(self, kind: AccessKind) -> bool {
        self == kind || self == AccessKind::Update
    }
}

/// What becomes of the topmost stack symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Push {
    Pop,
    Step(SymbolId),
    /// The first is on top.
    Two(SymbolId, SymbolId),
}

/// `<from, top> --label--> <to, push>`
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    pub from: ControlId,
    pub top: SymbolId,
    pub label: Label,
    pub to: ControlId,
    pub push: Push,
}

/// What is known of a process in a control state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Control {
    /// Nobody else takes a step.
    pub is_atomic: bool,
    /// Inside a unit of work.
    pub is_in_unit: bool,
    /// In the order in which they were taken.
    pub held: Vec<LockId>,
}

/// A process of those that share locks (AS Def. 2), whose own locks and units are not reentrant and whose locks are well nested.
#[derive(Clone, Debug)]
pub struct Process {
    pub name: String,
    pub controls: Arena<ControlId, Control>,
    /// How many stack symbols there are.
    pub symbols: usize,
    pub rules: Arena<RuleId, Rule>,
    pub start: (ControlId, SymbolId),
}
