//! How far a search has come, for whoever waits for it.

/// Where a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    pub states: u64,
    /// How many transactions lead from an initial state to the one that comes next, on the way that is remembered.
    pub depth: Option<u64>,
    /// What is still to be explored of what was found.
    pub waiting: u64,
    /// An estimate; `None` if nobody can tell.
    pub percent_done: Option<u8>,
}
