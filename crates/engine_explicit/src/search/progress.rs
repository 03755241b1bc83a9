//! How far a search has come: what waits to be explored, counts, times.

use std::time::{Duration, Instant};

use raddle_engine::Looks;

use crate::Order;
use crate::estimate::Estimate;
use crate::frontier::Frontier;
use crate::measure::Meter;
use crate::shortest::Shortest;

use super::checkpoint::Saver;

/// Several workers look at the memory no more often: a round of theirs may be shorter than such a look takes.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

pub(super) struct Progress {
    pub(super) frontier: Frontier,
    pub(super) shortest: Shortest,
    /// When to look for who waits for ever in what was explored so far.
    pub(super) looks: Looks,
    /// When several workers last looked at the memory.
    looked: Instant,
    pub(super) counts: Counts,
    /// How many states each worker has explored beside others.
    pub(super) expanded_by: Vec<u64>,
    pub(super) estimate: Estimate,
    pub(super) meter: Meter,
    /// If it is to go on later.
    pub(super) saver: Option<Saver>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) steps: u64,
    pub(super) transactions: u64,
    /// Of these.
    pub(super) worked_out: u64,
    pub(super) expanded: u64,
    pub(super) again: u64,
}

impl Progress {
    pub(super) fn new(order: Order, saver: Option<Saver>, meter: Meter) -> Self {
        Self {
            frontier: Frontier::new(order),
            shortest: Shortest::new(order),
            looks: Looks::default(),
            looked: Instant::now(),
            counts: Counts::default(),
            expanded_by: Vec::new(),
            estimate: Estimate::default(),
            meter,
            saver,
        }
    }

    /// Whether several workers have not looked around for long.
    pub(super) fn is_look_long_ago(&self) -> bool {
        self.looked.elapsed() > BETWEEN_LOOKS
    }

    /// Several workers look around now.
    pub(super) fn note_look(&mut self) {
        self.looked = Instant::now();
    }
}
