//! The phase of a transaction: FQ's `p`.

/// Where a transaction is with respect to its commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    Start,
    BeforeCommit,
    AfterCommit,
}
