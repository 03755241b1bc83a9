//! The states inside a transaction: which of them are the same, which ways lead to them, and where these go round in
//! circles.

use std::sync::Arc;

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
    /// Threads spawned in this transaction that have not run yet.
    pub(super) fresh: Vec<ThreadNumber>,
    /// The one before and which of its successors; none where another thread takes over.
    pub(super) parent: Option<(usize, Option<u32>)>,
    /// The last edge of the step that led here first, if a step did.
    pub(super) last: Option<(FunctionId, EdgeId)>,
    pub(super) next: Vec<usize>,
    pub(super) is_external: bool,
}

impl Transaction<'_> {
    /// The number of an inner state, new or known.
    pub(super) fn reach(&mut self, inner: Inner) -> usize {
        let number = self.inner.len();
        if self.has_branched {
            let known = self.look_up(&inner, number);
            if known != number {
                return known;
            }
        }
        self.inner.push(inner);
        number
    }

    /// The number of the inner state, which is new unless it is known under another.
    fn look_up(&mut self, inner: &Inner, number: usize) -> usize {
        let is_handed_over = matches!(inner.parent, Some((_, None)));
        let state = &inner.configuration.state;
        if !is_handed_over && !self.setting.interpreter.ways_meet(state, inner.runner) {
            return number;
        }
        let start = self
            .inner
            .first()
            .map_or(state, |it| &it.configuration.state);
        let known = self.known.entry(state.hash_of_changes(start)).or_default();
        let is_same = |it: &Inner| {
            (it.phase, it.runner, &it.fresh) == (inner.phase, inner.runner, &inner.fresh)
                && it.configuration == inner.configuration
        };
        if let Some(&same) = known.iter().find(|it| is_same(&self.inner[**it])) {
            return same;
        }
        known.push(number);
        number
    }

    /// Nothing meets on a single way, unless it goes round in circles; from here on states are looked up.
    pub(super) fn note_branch(&mut self, at: usize) {
        if self.has_branched || self.inner.len() <= at + 1 && at < LONG_WAY {
            return;
        }
        self.has_branched = true;
        for number in 0..self.inner.len() {
            self.look_up(&self.inner[number].clone(), number);
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
