//! The states inside a transaction: which of them are the same, which ways lead to them, and where these go round in
//! circles.

use std::sync::Arc;

use raddle_ir::entries::{Entries, Key};
use raddle_ir::interpret::ThreadNumber;
use raddle_ir::{EdgeId, FunctionId};
use raddle_reduce::history::Configuration;
use raddle_reduce::omission::Omission;

use crate::cycles::{Cut, cuts};

use super::{Phase, Transaction, Way};

/// A way of so many states may be a circle.
const LONG_WAY: usize = 50;

/// A state inside a transaction.
#[derive(Clone)]
pub(super) struct Inner {
    pub(super) configuration: Arc<Configuration>,
    pub(super) phase: Phase,
    /// The thread that goes on from here.
    pub(super) runner: ThreadNumber,
    /// Threads spawned in this transaction that have not run yet, in their order.
    pub(super) fresh: Entries<Turn, ThreadNumber>,
    /// The one before and which of its successors; none where another thread takes over.
    pub(super) parent: Option<(usize, Option<u32>)>,
    /// The last edge of the step that led here first, if a step did.
    pub(super) last: Option<(FunctionId, EdgeId)>,
    pub(super) next: Vec<usize>,
    pub(super) is_external: bool,
    /// By how much a hash of the state differs from that of the first, if anybody asked.
    pub(super) hash: Option<u64>,
}

/// Which thread comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Turn(pub(super) u32);

impl Turn {
    /// The turn after those that are there; turns are taken in order, so these are in a row.
    pub(super) fn after(others: &Entries<Turn, ThreadNumber>) -> Self {
        let first = others.first_key_value().map_or(0, |(turn, _)| turn.0);
        let len = u32::try_from(others.len()).expect("fewer than 2^32 threads");
        Self(first + len)
    }
}

impl Key for Turn {
    fn number(self) -> u64 {
        self.0.into()
    }
}

impl Transaction<'_> {
    /// The number of an inner state, new or known.
    pub(super) fn reach(&mut self, mut inner: Inner) -> usize {
        let number = self.inner.len();
        if self.has_branched {
            let known = self.look_up(&mut inner, number);
            if known != number {
                return known;
            }
        }
        self.inner.push(inner);
        number
    }

    /// The number of the inner state, which is new unless it is known under another.
    fn look_up(&mut self, inner: &mut Inner, number: usize) -> usize {
        let is_handed_over = matches!(inner.parent, Some((_, None)));
        let state = &inner.configuration.state;
        if !is_handed_over && !self.setting.interpreter.ways_meet(state, inner.runner) {
            return number;
        }
        let hash = self.hash_of(inner);
        inner.hash = Some(hash);
        let known = self.known.entry(hash).or_default();
        let is_same = |it: &Inner| {
            (it.phase, it.runner) == (inner.phase, inner.runner)
                && it.fresh.values().eq(inner.fresh.values())
                && it.configuration == inner.configuration
        };
        if let Some(&same) = known.iter().find(|it| is_same(&self.inner[**it])) {
            return same;
        }
        known.push(number);
        number
    }

    /// The hash of an inner state, from the closest one before it of which it is known.
    fn hash_of(&self, inner: &Inner) -> u64 {
        let mut before = inner.parent;
        while let Some((at, _)) = before {
            let known = &self.inner[at];
            if let Some(hash) = known.hash {
                let state = &inner.configuration.state;
                return hash.wrapping_add(state.change_of_hash(&known.configuration.state));
            }
            before = known.parent;
        }
        0
    }

    /// Nothing meets on a single way, unless it goes round in circles; from here on states are looked up.
    pub(super) fn note_branch(&mut self, at: usize) {
        if self.has_branched || self.inner.len() <= at + 1 && at < LONG_WAY {
            return;
        }
        self.has_branched = true;
        for number in 0..self.inner.len() {
            let mut inner = self.inner[number].clone();
            self.look_up(&mut inner, number);
            self.inner[number].hash = inner.hash;
        }
    }

    /// Ends the transaction wherever it would otherwise pass states for ever (T3).
    pub(super) fn cut_cycles(&mut self) {
        if self.setting.style.grounds.is_none() || self.setting.omits(Omission::CyclesAreCut) {
            return;
        }
        let is_passed = |inner: &Inner| {
            inner.phase == Phase::AfterCommit && !inner.is_external && !inner.next.is_empty()
        };
        let graph: Vec<Vec<usize>> = self
            .inner
            .iter()
            .map(|inner| {
                if is_passed(inner) {
                    inner.next.clone()
                } else {
                    Vec::new()
                }
            })
            .collect();
        let cut = if self.setting.style.cuts_all_cycles {
            Cut::Every
        } else {
            self.setting.engine.cut
        };
        for at in cuts(&graph, cut) {
            self.inner[at].is_external = true;
        }
    }

    /// The way to an inner state.
    pub(super) fn way_to(&self, at: usize) -> Way {
        let mut way: Vec<(ThreadNumber, Vec<u32>)> = Vec::new();
        let mut inner = &self.inner[at];
        while let Some((before, choice)) = inner.parent {
            inner = &self.inner[before];
            if let Some(choice) = choice {
                match way.last_mut() {
                    Some((thread, choices)) if *thread == inner.runner => choices.push(choice),
                    _ => way.push((inner.runner, vec![choice])),
                }
            }
        }
        let in_order = |(thread, choices): (ThreadNumber, Vec<u32>)| {
            (thread, choices.into_iter().rev().collect())
        };
        Way(way.into_iter().rev().map(in_order).collect())
    }
}
