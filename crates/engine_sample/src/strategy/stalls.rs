//! Threads stall at a few places of the program until others have had their turn.
//!
//! # Source
//!
//! \[Sen08\]: Sen, “Race directed random testing of concurrent programs”, PLDI 2008: threads are postponed at statements that were chosen
//! before, until others come to them or nobody else can go on.
//!
//! # Definitions
//!
//! - A *place* is a location of a function, however often threads come by. Places are few where steps are many: that a thread is
//!   stopped between two certain statements is as likely in an execution of a million steps as in one of ten.
//! - A thread *stalls* at a place that was chosen: it goes on when all who are ready stall, one at random, and then passes.
//! - Threads that began with the same function are of one *kind*. Who goes on is drawn among kinds first: of a hundred threads the
//!   one that is different comes as soon as of two.
//!
//! # Invariants
//!
//! - Somebody who does not stall runs until he waits, ends or stalls: apart from stalls nobody is preempted.
//!
//! # Deviations
//!
//! 1. The places are drawn among all scheduling points that were seen, not computed by an analysis beforehand; it is not looked
//!    whether those who meet touch the same memory, which the engine sees for itself.
//! 2. Either all threads stall at a place, each time they come by, or the first one only.
//!
//! # Tested by
//!
//! `crates/engine_sample/tests/strategies.rs`.

use std::collections::BTreeSet;

use raddle_base::Random;

use super::{Kind, Place, Point, Strategy};

/// More threads than these are not told apart by their kinds.
const MOST_COMPARED: usize = 256;

#[derive(Debug)]
pub(crate) struct Stalls {
    count: u32,
    random: Random,
    /// All places that threads came by so far.
    seen: BTreeSet<Place>,
    chosen: Vec<Place>,
    only_first: bool,
    /// Whether a new thread runs at once.
    newest_first: bool,
    kinds: Vec<Kind>,
    stalled: Vec<bool>,
    /// Who was let go on while he stood there: asked once more, he does not stall again.
    passes: Vec<bool>,
    came: Option<usize>,
}

impl Stalls {
    pub(crate) fn new(count: u32) -> Self {
        Self {
            count,
            random: Random::new(0),
            seen: BTreeSet::new(),
            chosen: Vec::new(),
            only_first: false,
            newest_first: false,
            kinds: Vec::new(),
            stalled: Vec::new(),
            passes: Vec::new(),
            came: None,
        }
    }

    /// Whether the thread that runs stalls now.
    fn stalls(&mut self, thread: usize, place: Place) -> bool {
        self.seen.insert(place);
        if std::mem::take(&mut self.passes[thread]) {
            return false;
        }
        let Some(at) = self.chosen.iter().position(|it| *it == place) else {
            return false;
        };
        if self.only_first {
            self.chosen.swap_remove(at);
        }
        true
    }

    /// One of these, each kind as likely.
    fn pick(&mut self, among: &[usize]) -> usize {
        if among.len() > MOST_COMPARED {
            return *self.random.pick(among);
        }
        let kinds: BTreeSet<Kind> = among.iter().map(|it| self.kinds[*it]).collect();
        let kinds: Vec<Kind> = kinds.into_iter().collect();
        let kind = *self.random.pick(&kinds);
        let same = among.iter().copied().filter(|it| self.kinds[*it] == kind);
        let same: Vec<usize> = same.collect();
        *self.random.pick(&same)
    }
}

impl Strategy for Stalls {
    fn begin(&mut self, random: Random, _: u64) -> bool {
        self.random = random;
        let seen: Vec<Place> = self.seen.iter().copied().collect();
        self.chosen.clear();
        if !seen.is_empty() {
            self.chosen = (0..self.count).map(|_| *self.random.pick(&seen)).collect();
        }
        self.only_first = self.random.chance(50);
        self.newest_first = self.random.chance(30);
        self.kinds.clear();
        self.stalled.clear();
        self.passes.clear();
        self.came = None;
        true
    }

    fn thread_came(&mut self, thread: usize, kind: Kind) {
        debug_assert_eq!(thread, self.kinds.len());
        self.kinds.push(kind);
        self.stalled.push(false);
        self.passes.push(false);
        self.came = Some(thread);
    }

    fn choose(&mut self, point: Point<'_>) -> usize {
        let newest = self.came.take().filter(|_| self.newest_first);
        if let (Some(current), Some(place)) = (point.current, point.place) {
            if self.stalls(current, place) {
                self.stalled[current] = true;
            } else if !point.spins && newest.is_none() {
                return current;
            }
        }
        if let Some(newest) = newest
            && point.ready.contains(&newest)
        {
            return newest;
        }
        let spins = |it: &usize| point.spins && Some(*it) == point.current;
        let goes_on = |it: &usize| !(self.stalled[*it] || spins(it));
        let others: Vec<usize> = point.ready.iter().copied().filter(goes_on).collect();
        if !others.is_empty() {
            return self.pick(&others);
        }
        let next = self.pick(point.ready);
        if std::mem::take(&mut self.stalled[next]) {
            // Asked again where it stands, it would stall once more.
            self.passes[next] = point.current == Some(next);
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;
    use raddle_ir::program::{FunctionId, LocationId};

    use super::*;

    fn place(number: usize) -> Place {
        (FunctionId::from_index(0), LocationId::from_index(number))
    }

    fn point(current: usize, at: usize, ready: &[usize]) -> Point<'_> {
        Point {
            number: 1,
            current: Some(current),
            place: Some(place(at)),
            ready,
            version: 1,
            spins: false,
        }
    }

    #[test]
    fn who_comes_to_a_chosen_place_lets_all_others_go_first() {
        let mut stalls = Stalls::new(1);
        stalls.seen.insert(place(7));
        for seed in 0..20 {
            assert!(stalls.begin(Random::new(seed), 10));
            (0..3).for_each(|it| stalls.thread_came(it, FunctionId::from_index(0)));
            stalls.came = None;
            assert_eq!(
                stalls.choose(point(0, 3, &[0, 1, 2])),
                0,
                "no place of ours"
            );
            stalls.seen.remove(&place(3));
            let next = stalls.choose(point(0, 7, &[0, 1, 2]));
            assert_ne!(next, 0);
            assert_eq!(stalls.choose(point(0, 7, &[0])), 0, "nobody else is left");
        }
    }

    #[test]
    fn a_thread_that_is_different_comes_as_often_as_all_others_together() {
        let mut stalls = Stalls::new(1);
        let mut different = 0;
        for seed in 0..200 {
            assert!(stalls.begin(Random::new(seed), 10));
            (0..50).for_each(|it| {
                stalls.thread_came(it, FunctionId::from_index(usize::from(it == 49)));
            });
            let all: Vec<usize> = (0..50).collect();
            different += usize::from(stalls.pick(&all) == 49);
        }
        assert!((70..130).contains(&different), "{different}");
    }
}
