//! Schedules one after the other, those with fewer preemptions first.
//!
//! # Source
//!
//! \[Musuvathi07\]: Musuvathi, Qadeer, “Iterative context bounding for systematic testing of multithreaded programs”, PLDI 2007: algorithm 1,
//! as CHESS has it.
//!
//! # Definitions
//!
//! - A *preemption* is a switch from a thread that could go on. Other switches cost nothing.
//!
//! # Invariants
//!
//! - Every schedule with at most so many preemptions comes before any with more, for fixed inputs and as long as the scheduling
//!   points stay what they are.
//!
//! # Deviations
//!
//! 1. Schedules are chosen by their beginnings, in place of a queue of states: no state is kept, and those with fewer preemptions
//!    come again with every bound.
//! 2. Who goes round in circles is preempted for nothing.
//! 3. Points are learnt on the way. A schedule that was chosen by what is no longer there goes on with the first possibility.
//!
//! # Tested by
//!
//! The test below, and `crates/engine_sample/tests/strategies.rs`.

use raddle_base::Random;

use super::{Kind, Point, Strategy};

#[derive(Clone, Copy, Debug)]
struct Decision {
    /// The how-many-th possibility.
    taken: usize,
    /// How many there were.
    count: usize,
}

#[derive(Debug)]
pub(crate) struct Systematic {
    most: u32,
    /// Of the schedules that are chosen now.
    bound: u32,
    decisions: Vec<Decision>,
    at: usize,
    preemptions: u32,
    has_begun: bool,
    /// Something was left out because of the bound.
    is_cut: bool,
}

impl Systematic {
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most,
            bound: 0,
            decisions: Vec::new(),
            at: 0,
            preemptions: 0,
            has_begun: false,
            is_cut: false,
        }
    }

    /// Goes on to the next schedule; false if there is none.
    fn advance(&mut self) -> bool {
        self.decisions.truncate(self.at);
        while let Some(last) = self.decisions.last_mut() {
            if last.taken + 1 < last.count {
                last.taken += 1;
                return true;
            }
            self.decisions.pop();
        }
        if self.bound == self.most || !self.is_cut {
            return false;
        }
        self.bound += 1;
        self.is_cut = false;
        true
    }
}

impl Strategy for Systematic {
    fn begin(&mut self, _: Random, _: u64) -> bool {
        if std::mem::replace(&mut self.has_begun, true) && !self.advance() {
            return false;
        }
        self.at = 0;
        self.preemptions = 0;
        true
    }

    fn thread_came(&mut self, _: usize, _: Kind) {}

    fn choose(&mut self, point: Point<'_>) -> usize {
        let mut ready = point.ready.to_vec();
        ready.sort_unstable();
        let current = point.current.filter(|_| !point.spins);
        if let Some(current) = current {
            ready.retain(|it| *it != current);
            if self.preemptions == self.bound {
                self.is_cut |= !ready.is_empty();
                return current;
            }
            ready.insert(0, current);
        } else if point.spins && ready.len() > 1 {
            ready.retain(|it| Some(*it) != point.current);
        }
        if ready.len() == 1 {
            return ready[0];
        }
        if self.at == self.decisions.len() {
            let count = ready.len();
            self.decisions.push(Decision { taken: 0, count });
        }
        let decision = &mut self.decisions[self.at];
        decision.count = ready.len();
        self.at += 1;
        let taken = decision.taken.min(ready.len() - 1);
        self.preemptions += u32::from(current.is_some() && taken > 0);
        ready[taken]
    }

    fn fixes_inputs(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The schedules of two threads of so many steps each.
    fn schedules(most: u32, steps: usize) -> Vec<Vec<usize>> {
        let mut strategy = Systematic::new(most);
        let mut found = Vec::new();
        while strategy.begin(Random::new(0), 0) {
            let (mut left, mut current, mut schedule) = ([steps; 2], None, Vec::new());
            let mut number = 0;
            while left != [0, 0] {
                number += 1;
                let ready: Vec<usize> = (0..2).filter(|it| left[*it] > 0).collect();
                let point = Point {
                    number,
                    current: current.filter(|it| left[*it] > 0),
                    place: None,
                    ready: &ready,
                    version: 0,
                    spins: false,
                };
                let thread = strategy.choose(point);
                left[thread] -= 1;
                current = Some(thread);
                schedule.push(thread);
            }
            found.push(schedule);
        }
        found
    }

    #[test]
    fn every_schedule_with_few_preemptions_comes_and_none_with_more() {
        let preemptions = |it: &Vec<usize>| {
            let mut left = [3; 2];
            let mut count = 0;
            for pair in it.windows(2) {
                left[pair[0]] -= 1;
                count += usize::from(pair[0] != pair[1] && left[pair[0]] > 0);
            }
            count
        };
        let all: BTreeSet<Vec<usize>> = schedules(9, 3).into_iter().collect();
        assert_eq!(all.len(), 20, "three of six places");
        let few: BTreeSet<Vec<usize>> = schedules(1, 3).into_iter().collect();
        let expected: BTreeSet<_> = all
            .iter()
            .filter(|it| preemptions(it) <= 1)
            .cloned()
            .collect();
        assert_eq!(few, expected);
        let mut known = BTreeSet::new();
        let mut new = schedules(9, 3);
        new.retain(|it| known.insert(it.clone()));
        assert!(new.is_sorted_by_key(preemptions));
    }
}
