//! How many transactions a call takes: the longest way through the steps that were seen.
//!
//! A transaction is counted where it commits, which is in one place of it, wherever it began. A way is a walk over the
//! locations of one function, each with the phase in which it was passed: a step that commits in one phase and not in the
//! other is counted right. While a callee runs, the caller waits; what the callee takes is added to the call.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::interpret::Frame;
use raddle_ir::{FunctionId, LocationId};

use crate::phase::Phase;

/// Where a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    At(LocationId, Phase),
    /// A callee runs, which comes back here.
    Waits(LocationId),
    Done,
}

/// A step of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Move {
    from: Point,
    to: Point,
    commits: bool,
    callee: Option<FunctionId>,
}

/// The steps of all calls, by function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    moves: BTreeMap<FunctionId, BTreeSet<Move>>,
}

impl Ways {
    /// A thread went from one stack of frames to another.
    pub(crate) fn step(&mut self, before: &[Frame], after: &[Frame], phases: (Phase, Phase)) {
        let Some(top) = before.last() else {
            return;
        };
        let commits = phases.0 != Phase::AfterCommit && phases.1 == Phase::AfterCommit;
        let from = Point::At(top.location, phases.0);
        let same = after
            .get(before.len() - 1)
            .filter(|it| it.function == top.function);
        match same {
            Some(frame) if after.len() == before.len() => {
                let to = Point::At(frame.location, phases.1);
                self.add(top.function, from, to, commits, None);
            }
            Some(frame) => {
                let callee = after[before.len()].function;
                let to = Point::Waits(frame.location);
                self.add(top.function, from, to, commits, Some(callee));
            }
            None => {
                self.add(top.function, from, Point::Done, commits, None);
                if let Some(caller) = after.last() {
                    let back = Point::At(caller.location, phases.1);
                    let waits = Point::Waits(caller.location);
                    self.add(caller.function, waits, back, false, None);
                }
            }
        }
    }

    /// A transaction ended where the thread stands.
    pub(crate) fn end(&mut self, frames: &[Frame], phase: Phase) {
        if let Some(top) = frames.last() {
            let from = Point::At(top.location, phase);
            let to = Point::At(top.location, Phase::Start);
            self.add(top.function, from, to, false, None);
        }
    }

    fn add(
        &mut self,
        function: FunctionId,
        from: Point,
        to: Point,
        commits: bool,
        callee: Option<FunctionId>,
    ) {
        self.moves.entry(function).or_default().insert(Move {
            from,
            to,
            commits,
            callee,
        });
    }

    /// The most transactions that commit in a call of each function and of those it calls; `None` is without bound.
    pub(crate) fn transactions(&self) -> BTreeMap<FunctionId, Option<u64>> {
        let mut totals: BTreeMap<FunctionId, Option<u64>> =
            self.moves.keys().map(|it| (*it, Some(0))).collect();
        // A chain of calls is as long as there are functions; what still grows then is recursive.
        for round in 0..=self.moves.len() {
            let mut changed = false;
            for (function, moves) in &self.moves {
                let total = longest(moves, &totals);
                if totals[function] != total {
                    let grows_for_ever = round == self.moves.len();
                    totals.insert(*function, total.filter(|_| !grows_for_ever));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        totals
    }
}

/// The heaviest walk; `None` if walks can be as heavy as one likes.
fn longest(moves: &BTreeSet<Move>, totals: &BTreeMap<FunctionId, Option<u64>>) -> Option<u64> {
    let mut weighted = Vec::new();
    for it in moves {
        let of_callee = match it.callee {
            Some(callee) => totals.get(&callee).copied().unwrap_or(Some(0))?,
            None => 0,
        };
        weighted.push((it.from, it.to, of_callee + u64::from(it.commits)));
    }
    let bound: u64 = weighted.iter().map(|it| it.2).sum();
    let mut best: BTreeMap<Point, u64> = BTreeMap::new();
    loop {
        let mut changed = false;
        for (from, to, weight) in &weighted {
            let reached = best.get(from).copied().unwrap_or(0) + weight;
            if reached > bound {
                // Heavier than all steps together: some are taken again and again.
                return None;
            }
            let known = best.entry(*to).or_insert(0);
            if reached > *known {
                *known = reached;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    Some(best.values().copied().max().unwrap_or(0))
}
