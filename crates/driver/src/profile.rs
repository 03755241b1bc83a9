//! Where the time of a run went: what engines measure.

use std::time::Duration;

use raddle_engine::{Counters, EngineId, Profile, Reduction};

use crate::plan::Decider;

/// Where the time of a whole run went.
#[derive(Clone, Debug, Default)]
pub struct ProfileReport {
    /// What it took to make a program of the sources.
    pub reading: Duration,
    /// In the order in which they ended; some were side by side.
    pub runs: Vec<RunProfile>,
}

/// Where the time of one engine went.
#[derive(Clone, Debug)]
pub struct RunProfile {
    pub engine: EngineId,
    pub reduction: Reduction,
    /// By the clock on the wall.
    pub elapsed: Duration,
    pub counters: Counters,
    /// Of engines that measure themselves.
    pub inside: Option<Profile>,
}

impl RunProfile {
    pub(crate) fn new(decider: Decider, elapsed: Duration) -> Self {
        Self {
            engine: decider.engine,
            reduction: decider.reduction,
            elapsed,
            counters: Counters::new(),
            inside: None,
        }
    }
}
