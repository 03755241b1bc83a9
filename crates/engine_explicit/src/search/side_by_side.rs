//! Many states at a time, by several workers.
//!
//! Workers only repeat what is known ([`memo`](crate::memo)). For that they need to look at what no worker changes
//! meanwhile, and a store that several can fill. Each worker goes deep by itself, from some of the states that wait; a worker that has
//! nothing left gets the older half of what another worker has. A state in which anything is new, or something may be violated, is left to the
//! search itself afterwards, when one of them has explored as many as it may, or some are left.
//!
//! Which states there are does not depend on which worker is faster; in which order they are found does.

use std::sync::Arc;

use raddle_engine::{Budget, Events, Reason};

use crate::frontier::{Arrival, Job};
use crate::measure::Phase;
use crate::parts::Parts;
use crate::store::{NodeId, Store};

use super::Search;
use super::crew::Crew;
use super::worker::{MOST, Table, View};

/// Fewer states are not worth it.
const FEWEST: usize = 4;
/// With how many states each of them begins.
const DEALT: usize = 1 << 5;
/// For so many new states and inner nodes there is room for each state.
const NEW_BY_ONE: usize = 4;
/// And for so many when the search itself explores one.
const ROOM_FOR_ONE: usize = 1 << 8;

impl<'p> Search<'p> {
    pub(super) fn can_share_work(&self) -> bool {
        self.workers > 1
            && self.recorder.is_none()
            && self.frontier.shared(self.engine.shares_at_once) >= self.fewest()
    }

    /// How many new states and inner nodes there may be in a round.
    pub(super) fn room_for_a_round(&self) -> usize {
        MOST * self.workers * NEW_BY_ONE
    }

    /// How many states are worth it.
    fn fewest(&self) -> usize {
        if self.engine.shares_at_once {
            1
        } else {
            FEWEST
        }
    }

    /// Explores many states; whether the search can go on.
    pub(super) fn expand_side_by_side<'scope>(
        &mut self,
        crew: &mut Crew<'scope, '_, 'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason>
    where
        'p: 'scope,
    {
        let dealt = self.frontier.take(DEALT * self.workers);
        let mut hands = vec![Vec::new(); self.workers];
        for (at, job) in dealt.iter().rev().enumerate() {
            hands[at % self.workers].push(job.node);
        }
        self.store.reserve(self.room_for_a_round());
        self.meter.begin(Phase::RepeatingSideBySide);
        let view = Arc::new(self.lend());
        let done = crew.explore(&view, hands);
        let unclaimed = self.take_back(view);
        self.meter.begin(Phase::Rest);
        for node in unclaimed {
            self.frontier.add(node, Arrival::INITIAL, Vec::new);
        }
        let (mut left, mut unknown) = (Vec::new(), Vec::new());
        self.expanded_by.resize(self.workers, 0);
        for (done, expanded_by) in done.into_iter().zip(&mut self.expanded_by) {
            let explored = done.expanded - done.left.len() - done.unknown.len();
            *expanded_by += explored as u64;
            self.counts.expanded += explored as u64;
            self.store.settle(&done.added);
            self.counts.steps += done.steps;
            self.counts.transactions += done.transactions;
            self.observes_layout |= done.observes_layout;
            for (node, relied) in done.rests_on {
                self.reliances.rest(node as usize, relied);
            }
            for node in done.waiting {
                self.frontier.add(node, Arrival::INITIAL, Vec::new);
            }
            left.extend(done.left);
            unknown.extend(done.unknown);
        }
        let mut unknown = unknown.into_iter();
        let mut left = left.into_iter();
        let goes_on = self.work_out_left(&mut left, &mut unknown, budget, events);
        // Whatever comes of it, nothing that waits is lost.
        for node in left.chain(unknown) {
            self.frontier.add(node, Arrival::INITIAL, Vec::new);
        }
        goes_on
    }

    /// Explores what is left to the search itself, as far as there is room; whether the search can go on.
    fn work_out_left(
        &mut self,
        left: &mut impl Iterator<Item = NodeId>,
        unknown: &mut impl Iterator<Item = NodeId>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        let known = self.memo.len();
        // Where the store would have to grow, the caller first looks how much memory there is, between two rounds.
        while !self.is_done() && self.store.growth(ROOM_FOR_ONE) == 0 {
            let node = if let Some(node) = left.next() {
                node
            } else if let Some(node) = unknown.next() {
                // What was learned from one state may be all that was missing for the next; then the workers can do that one.
                if self.memo.len() != known && self.knows_all_of(node) {
                    self.frontier.add(node, Arrival::INITIAL, Vec::new);
                    continue;
                }
                node
            } else {
                break;
            };
            if !self.do_job(&Job::everybody(node), budget, events)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether all transactions from a state are known.
    fn knows_all_of(&mut self, node: NodeId) -> bool {
        let mut loaded = std::mem::take(&mut self.loaded);
        self.store.load(node, &mut loaded);
        let vector = loaded.vector();
        let mut running = self.parts.threads(vector).iter();
        let is_known = running.all(|&(_, slot)| {
            !self.parts.is_running(slot, vector[slot as usize])
                || self.memo.find(&self.parts, vector, slot).is_some()
        });
        self.loaded = loaded;
        is_known
    }

    /// Gives away what is known, for workers to look at.
    fn lend(&mut self) -> View<'p> {
        View {
            parts: std::mem::replace(
                &mut self.parts,
                Parts::new(self.program, self.interpreter.recycling()),
            ),
            memo: std::mem::take(&mut self.memo),
            standings: std::mem::take(&mut self.standings),
            reliances: std::mem::take(&mut self.reliances),
            store: std::mem::replace(&mut self.store, Store::new(false)),
            open: self.open.clone(),
            table: Table::new(self.workers),
        }
    }

    /// Takes it back, with the states that no worker took from the table.
    fn take_back(&mut self, view: Arc<View<'p>>) -> Vec<NodeId> {
        let view = Arc::into_inner(view).expect("workers are done with it");
        self.parts = view.parts;
        self.memo = view.memo;
        self.standings = view.standings;
        self.reliances = view.reliances;
        self.store = view.store;
        view.table.into_pile()
    }
}
