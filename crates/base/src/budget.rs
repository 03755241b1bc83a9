//! What a run may spend.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::turns::Turn;

/// Time, memory and the user's patience. Engines poll it at least once per solver call or thousand states.
#[derive(Clone, Debug)]
#[must_use]
pub struct Budget {
    deadline: Option<Instant>,
    /// Resident memory of the process, in bytes.
    memory_limit: Option<u64>,
    /// Of one solver.
    cancelled: Arc<AtomicBool>,
    /// The flags of the budgets that this one is a part of.
    outer: Vec<Arc<AtomicBool>>,
    /// Of threads that work one at a time.
    turn: Option<Turn>,
    /// How many looks at the budget are left, of this one and its parts together; each look counts for all of them.
    looks: Vec<Arc<AtomicU64>>,
}

/// Which part of the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Time,
    Memory,
    Cancelled,
}

impl Budget {
    pub fn unlimited() -> Self {
        Self {
            deadline: None,
            memory_limit: None,
            cancelled: Arc::new(AtomicBool::new(false)),
            outer: Vec::new(),
            turn: None,
            looks: Vec::new(),
        }
    }

    /// A part of this budget: it has the same clock and the same limit of memory, ends with this one, and can be
    /// cancelled alone.
    pub fn part(&self) -> Self {
        let mut part = self.clone();
        part.outer.push(Arc::clone(&self.cancelled));
        part.cancelled = Arc::new(AtomicBool::new(false));
        part
    }

    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.deadline = Instant::now().checked_add(timeout);
        self
    }

    /// Counts looks at the budget in place of the time. An engine looks at fixed points of its work: for each edge that it
    /// encodes, some thousand gates, ten rounds of the SAT solver. So a run on one thread ends at the same point on
    /// every machine, which a clock does not promise. What is spent counts as time. A part of a budget with a number of its own
    /// ends with whichever is spent first.
    pub fn with_looks(mut self, looks: u64) -> Self {
        self.looks.push(Arc::new(AtomicU64::new(looks)));
        self
    }

    pub fn with_memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// Uses a flag that somebody else, such as a signal handler, sets.
    pub fn with_cancel_flag(mut self, cancelled: Arc<AtomicBool>) -> Self {
        self.cancelled = cancelled;
        self
    }

    /// Whoever looks at the clock waits until it is his turn.
    pub fn with_turn(mut self, turn: Turn) -> Self {
        self.turn = Some(turn);
        self
    }

    /// How much time is left; `None` if there is no limit.
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_limit
    }

    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Cheap: the clock and a flag. Call it often.
    pub fn check_time(&self) -> Result<(), Exhausted> {
        if let Some(turn) = &self.turn {
            turn.wait(|| self.look_at_clock().is_err());
        }
        self.look_at_clock()?;
        self.count_look()
    }

    fn count_look(&self) -> Result<(), Exhausted> {
        let order = Ordering::Relaxed;
        for looks in &self.looks {
            let counted = looks.fetch_update(order, order, |it| it.checked_sub(1));
            counted.map_err(|_| Exhausted::Time)?;
        }
        Ok(())
    }

    fn look_at_clock(&self) -> Result<(), Exhausted> {
        let mut flags = self.outer.iter().chain([&self.cancelled]);
        if flags.any(|it| it.load(Ordering::Relaxed)) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Exhausted::Time),
            Some(_) | None => Ok(()),
        }
    }

    /// Reads the resident memory too, which costs a system call.
    pub fn check(&self) -> Result<(), Exhausted> {
        self.check_time()?;
        self.check_memory(0)
    }

    /// Whether there is memory for so many bytes more.
    pub fn check_memory(&self, more: u64) -> Result<(), Exhausted> {
        match (self.memory_limit, resident_bytes()) {
            (Some(limit), Some(used)) if used.saturating_add(more) > limit => {
                Err(Exhausted::Memory)
            }
            _ => Ok(()),
        }
    }
}

/// Resident memory of this process, where the system tells.
pub fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = status.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(u64::try_from(rustix::param::page_size()).ok()?)
}

/// The most resident memory that this process has had, where the system tells.
pub fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spent_budget_says_which_part() {
        assert_eq!(Budget::unlimited().check(), Ok(()));
        let late = Budget::unlimited().with_timeout(Duration::ZERO);
        assert_eq!(late.check_time(), Err(Exhausted::Time));
        let small = Budget::unlimited().with_memory_limit(1);
        if resident_bytes().is_some() {
            assert_eq!(small.check(), Err(Exhausted::Memory));
        }
        let stopped = Budget::unlimited();
        stopped.cancel();
        assert_eq!(stopped.check(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn looks_are_counted_together_with_those_of_parts() {
        let whole = Budget::unlimited().with_looks(3);
        let part = whole.part();
        assert_eq!(whole.check_time(), Ok(()));
        assert_eq!(part.check(), Ok(()));
        assert_eq!(whole.clone().check_time(), Ok(()));
        assert_eq!(part.check_time(), Err(Exhausted::Time));
        assert_eq!(whole.check(), Err(Exhausted::Time));
    }

    #[test]
    fn resident_memory_is_told_in_bytes_of_any_page_size() {
        let (Some(resident), Some(peak)) = (resident_bytes(), peak_resident_bytes()) else {
            return;
        };
        // The kernel tells the first in pages, the second in kilobytes. Both lag behind what threads have touched by a
        // few pages, never by the half that a wrong size of pages would make.
        assert!(resident <= peak + peak / 2, "{resident} of {peak}");
        assert!(resident >= 64 << 10, "{resident}");
    }

    #[test]
    fn a_part_is_cancelled_alone_and_ends_with_the_whole() {
        let whole = Budget::unlimited();
        let (one, other) = (whole.part(), whole.part());
        one.cancel();
        assert_eq!(one.check_time(), Err(Exhausted::Cancelled));
        assert_eq!(other.check_time(), Ok(()));
        let inner = other.part();
        whole.cancel();
        assert_eq!(other.check_time(), Err(Exhausted::Cancelled));
        assert_eq!(inner.check_time(), Err(Exhausted::Cancelled));
    }
}
