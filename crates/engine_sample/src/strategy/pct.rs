//! Probabilistic concurrency testing: priorities at random, and a few places where one falls.
//!
//! # Source
//!
//! \[Burckhardt10\]: Burckhardt, Kothari, Musuvathi, Nagarakatte, “A randomized scheduler with probabilistic guarantees of finding bugs”, ASPLOS
//! 2010: the algorithm of section 2.3, the guarantee of theorem 9.
//!
//! # Definitions
//!
//! - *n* threads, *k* steps, *d* the *depth* of a bug: how many orders between two steps it takes to meet it.
//! - Each thread has a *priority*. The first ones lie above *d*, in a random order; the thread that is ready and has the highest
//!   one goes on. At each of *d − 1* *change points*, which are steps at random, the thread that would go on gets the
//!   priority *i* of the change point instead.
//!
//! # Invariants
//!
//! - One schedule meets a bug of depth *d* with a chance of at least 1/(n·k^(d−1)), for fixed inputs.
//! - Priorities differ, so who goes on does not depend on the order in which threads are listed.
//!
//! # Deviations
//!
//! 1. *k* counts scheduling points, not steps: nothing can be lost between two of them. It is measured in executions before, so
//!    the guarantee is an estimate.
//! 2. A thread that goes round in circles falls below all others. The paper has programs yield for themselves.
//! 3. Threads that come get a priority at random when they come.
//!
//! # Tested by
//!
//! The tests below, and `crates/engine_sample/tests/strategies.rs`.

use raddle_base::Random;

use super::{Kind, Point, Strategy};

#[derive(Debug)]
pub(crate) struct Pct {
    depth: u32,
    random: Random,
    /// Of each thread. High ones are positive.
    priorities: Vec<i64>,
    /// The numbers of points, ascending.
    changes: Vec<u64>,
    /// How many of them have passed.
    passed: usize,
    /// The next priority below all others.
    lowest: i64,
    /// Who went on last, and what was known of who is ready.
    top: Option<(usize, u64)>,
}

impl Pct {
    pub(crate) fn new(depth: u32) -> Self {
        Self {
            depth,
            random: Random::new(0),
            priorities: Vec::new(),
            changes: Vec::new(),
            passed: 0,
            lowest: 0,
            top: None,
        }
    }

    fn highest(&mut self, point: Point<'_>) -> usize {
        if let Some((thread, version)) = self.top
            && version == point.version
        {
            return thread;
        }
        let ready = point.ready.iter().copied();
        let thread = ready
            .max_by_key(|it| self.priorities[*it])
            .expect("somebody is ready");
        self.top = Some((thread, point.version));
        thread
    }

    fn lower(&mut self, thread: usize) {
        self.lowest -= 1;
        self.priorities[thread] = self.lowest;
        self.top = None;
    }
}

impl Strategy for Pct {
    fn begin(&mut self, random: Random, points: u64) -> bool {
        self.random = random;
        self.priorities.clear();
        self.lowest = 0;
        self.passed = 0;
        self.top = None;
        let most = usize::try_from(points.max(1)).unwrap_or(usize::MAX);
        self.changes = (1..self.depth)
            .map(|_| 1 + self.random.below(most) as u64)
            .collect();
        self.changes.sort_unstable();
        true
    }

    fn thread_came(&mut self, thread: usize, _: Kind) {
        debug_assert_eq!(thread, self.priorities.len());
        // Two are equal with a chance that does not matter; then the later one counts.
        let priority = self.random.next_number() >> 2;
        self.priorities.push(1 + priority.cast_signed());
        self.top = None;
    }

    fn choose(&mut self, point: Point<'_>) -> usize {
        if let Some(current) = point.current.filter(|_| point.spins) {
            self.lower(current);
        }
        while self
            .changes
            .get(self.passed)
            .is_some_and(|it| *it <= point.number)
        {
            self.passed += 1;
            let thread = self.highest(point);
            self.lower(thread);
        }
        self.highest(point)
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;
    use raddle_ir::program::FunctionId;

    use super::*;

    fn point(number: u64, ready: &[usize]) -> Point<'_> {
        Point {
            number,
            current: None,
            place: None,
            ready,
            version: 1,
            spins: false,
        }
    }

    #[test]
    fn the_same_thread_goes_on_until_a_change_point_and_all_come_first_equally_often() {
        let mut pct = Pct::new(2);
        let mut first = [0; 3];
        for seed in 0..300 {
            assert!(pct.begin(Random::new(seed), 10));
            (0..3).for_each(|it| pct.thread_came(it, FunctionId::from_index(0)));
            let chosen: Vec<usize> = (1..=10)
                .map(|it| pct.choose(point(it, &[0, 1, 2])))
                .collect();
            let switches = chosen.windows(2).filter(|it| it[0] != it[1]).count();
            assert!(switches <= 1, "{chosen:?}");
            first[chosen[0]] += 1;
        }
        assert!(first.iter().all(|it| (60..140).contains(it)), "{first:?}");
    }

    #[test]
    fn who_spins_falls_below_all_others() {
        let mut pct = Pct::new(1);
        assert!(pct.begin(Random::new(7), 10));
        (0..2).for_each(|it| pct.thread_came(it, FunctionId::from_index(0)));
        let ready = [0, 1];
        let first = pct.choose(point(1, &ready));
        let spinning = Point {
            current: Some(first),
            spins: true,
            ..point(2, &ready)
        };
        assert_eq!(pct.choose(spinning), 1 - first);
        assert_eq!(pct.choose(point(3, &ready)), 1 - first);
    }
}
