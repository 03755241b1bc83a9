//! How many of the executions were different, and how many more there may be.
//!
//! Two executions count as one if the steps that touch what threads share come in the same order up to independent ones: the same
//! threads take the same steps after the same others.
//!
//! # Source
//!
//! \[Good53\]: Good, “The population frequencies of species and the estimation of population parameters”, Biometrika 1953: of *n* sights, the
//! chance that the next one is of a species not seen before is about the share of species seen once.
//!
//! # Definitions
//!
//! - The *mark* of a step is a hash of its edge, of the mark of the step of the same thread before it, and of the marks of those
//!   steps on the same cell that it comes after: of a read the last write, of a write that and the reads since.
//! - The *signature* of an execution is the sum of the marks.
//!
//! # Invariants
//!
//! - Executions that differ in the order of independent steps only have one signature. Others have the same one by chance.
//!
//! # Deviations
//!
//! 1. At most [`MOST_KEPT`] signatures are kept; executions with others count as new.
//!
//! # Tested by
//!
//! The test below.

use std::hash::{Hash, Hasher};

use raddle_base::{FastMap, fast_hasher};

use crate::orders::Cell;

const MOST_KEPT: usize = 1 << 20;

#[derive(Debug, Default)]
pub(crate) struct Signature {
    threads: Vec<u64>,
    /// The mark of the last write, and the sum of the reads since.
    cells: FastMap<Cell, (u64, u64)>,
    sum: u64,
}

impl Signature {
    pub(crate) fn clear(&mut self) {
        self.threads.clear();
        self.cells.clear();
        self.sum = 0;
    }

    /// A thread takes a step at a cell, or makes a choice.
    pub(crate) fn add(&mut self, thread: usize, what: impl Hash, cell: Option<(Cell, bool)>) {
        if self.threads.len() <= thread {
            self.threads.resize(thread + 1, 0);
        }
        let mut hasher = fast_hasher();
        (thread, self.threads[thread]).hash(&mut hasher);
        what.hash(&mut hasher);
        if let Some((cell, is_write)) = cell {
            let (write, reads) = self.cells.entry(cell).or_default();
            write.hash(&mut hasher);
            if is_write {
                reads.hash(&mut hasher);
                (*write, *reads) = (hasher.finish(), 0);
            } else {
                *reads = reads.wrapping_add(hasher.finish());
            }
        }
        let mark = hasher.finish();
        self.threads[thread] = mark;
        self.sum = self.sum.wrapping_add(mark);
    }

    pub(crate) fn value(&self) -> u64 {
        self.sum
    }
}

/// What was seen how often.
#[derive(Debug, Default)]
pub(crate) struct Sights {
    times: FastMap<u64, u32>,
    pub(crate) all: u64,
    pub(crate) distinct: u64,
    pub(crate) once: u64,
    /// How many in a row brought nothing new.
    pub(crate) stale: u64,
}

impl Sights {
    pub(crate) fn add(&mut self, signature: u64) {
        self.all += 1;
        let is_known = self.times.contains_key(&signature);
        if !is_known && self.times.len() >= MOST_KEPT {
            self.distinct += 1;
            self.once += 1;
            self.stale = 0;
            return;
        }
        let times = self.times.entry(signature).or_default();
        *times = times.saturating_add(1);
        match *times {
            1 => {
                self.distinct += 1;
                self.once += 1;
                self.stale = 0;
            }
            2 => {
                self.once -= 1;
                self.stale += 1;
            }
            _ => self.stale += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use raddle_ir::interpret::ObjectNumber;

    use super::*;

    /// Of steps: the thread, the cell, and whether it is written.
    fn signature(steps: &[(usize, u64, bool)]) -> u64 {
        let mut signature = Signature::default();
        for &(thread, cell, is_write) in steps {
            signature.add(thread, 1, Some(((ObjectNumber(1), cell), is_write)));
        }
        signature.value()
    }

    #[test]
    fn only_the_order_of_dependent_steps_counts() {
        let (a, b, read) = ((0, 1, true), (1, 1, true), (1, 1, false));
        assert_ne!(signature(&[a, b]), signature(&[b, a]));
        assert_ne!(signature(&[a, read]), signature(&[read, a]));
        let elsewhere = (1, 2, true);
        assert_eq!(signature(&[a, elsewhere]), signature(&[elsewhere, a]));
        let reads = [(0, 1, false), (1, 1, false), (2, 1, true)];
        let swapped = [reads[1], reads[0], reads[2]];
        assert_eq!(signature(&reads), signature(&swapped));
    }

    #[test]
    fn what_was_seen_once_tells_how_much_is_new() {
        let mut sights = Sights::default();
        for signature in [1, 2, 1, 3, 1] {
            sights.add(signature);
        }
        assert_eq!((sights.all, sights.distinct, sights.once), (5, 3, 2));
        assert_eq!(sights.stale, 1);
    }
}
