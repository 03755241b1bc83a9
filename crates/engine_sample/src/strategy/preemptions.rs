//! Threads run until they wait or end, but for a few places at random.

use raddle_base::Random;

use super::{Kind, Point, Strategy};

/// So many preemptions, at points that are drawn when an execution begins.
#[derive(Debug)]
pub(crate) struct Preemptions {
    count: u32,
    random: Random,
    points: Vec<u64>,
    /// Whether a new thread runs at once.
    newest_first: bool,
    /// The last one that came and has not run yet.
    came: Option<usize>,
    used: usize,
}

impl Preemptions {
    pub(crate) fn new(count: u32) -> Self {
        Self {
            count,
            random: Random::new(0),
            points: Vec::new(),
            newest_first: false,
            came: None,
            used: 0,
        }
    }
}

impl Strategy for Preemptions {
    fn begin(&mut self, random: Random, points: u64) -> bool {
        self.random = random;
        let most = usize::try_from(points.max(1)).unwrap_or(usize::MAX);
        self.points = (0..self.count)
            .map(|_| 1 + self.random.below(most) as u64)
            .collect();
        self.points.sort_unstable();
        self.newest_first = self.random.chance(50);
        self.came = None;
        self.used = 0;
        true
    }

    fn thread_came(&mut self, thread: usize, _: Kind) {
        self.came = Some(thread);
    }

    fn choose(&mut self, point: Point<'_>) -> usize {
        let is_due = self
            .points
            .get(self.used)
            .is_some_and(|it| *it <= point.number);
        self.used += usize::from(is_due);
        if let Some(newest) = self.came.take()
            && self.newest_first
            && point.ready.contains(&newest)
        {
            return newest;
        }
        match point.current {
            Some(current) if !is_due && !point.spins => current,
            current => {
                let others: Vec<usize> = point
                    .ready
                    .iter()
                    .copied()
                    .filter(|it| Some(*it) != current)
                    .collect();
                if others.is_empty() {
                    point.ready[0]
                } else {
                    *self.random.pick(&others)
                }
            }
        }
    }
}
