//! Where the time of a run went. Clocks differ from run to run, so nothing of this is a counter.

use std::time::Duration;

use raddle_base::Span;

/// What a run that was asked to measure itself tells at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// One after the other: no time is in two of them.
    pub phases: Vec<Phase>,
    /// What belongs together over several phases, as in exploring again.
    pub across: Vec<Phase>,
    /// What was counted besides the counters, by name.
    pub amounts: Vec<(&'static str, u64)>,
    /// Bytes of the largest structures, by name.
    pub memory: Vec<(&'static str, u64)>,
    /// Where the program kept the engine busy, in no particular order.
    pub places: Vec<ProfilePlace>,
}

/// One kind of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// As in: storing states.
    pub name: &'static str,
    pub time: Duration,
    /// How often it was begun.
    pub times: u64,
}

/// An edge of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfilePlace {
    /// The function that it belongs to.
    pub function: String,
    pub span: Option<Span>,
    /// How many steps over it were worked out.
    pub steps: u64,
}
