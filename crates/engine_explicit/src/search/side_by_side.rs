//! Many states at a time, by several workers.
//!
//! Workers only repeat what is known ([`memo`](crate::memo)). For that they need to look at what no worker changes
//! meanwhile, and a store that several can fill. Each worker goes deep by itself, from some of the states that wait; a worker that has
//! nothing left gets the older half of what another worker has. A state in which anything is new, or something may be violated, is left to the
//! search itself afterwards, when one of them has explored as many as it may, or some are left.
//!
//! Which states there are does not depend on which worker is faster; in which order they are found does.

use std::sync::Arc;
use std::thread::Scope;

use raddle_engine::{Budget, Events, Reason};

use crate::frontier::{Arrival, Job};
use crate::ids::{JobId, NodeId};
use crate::measure::Activity;

use super::crew::Crew;
use super::knowledge::Knowledge;
use super::worker::{MOST, Table, View};
use super::{Explorer, OneByOne, Search};

/// Fewer states are not worth it.
const FEWEST: usize = 4;
/// With how many states each of them begins.
const DEALT: usize = 1 << 5;
/// For so many new states and inner nodes there is room for each state.
const NEW_BY_ONE: usize = 4;
/// And for so many when the search itself explores one.
const ROOM_FOR_ONE: usize = 1 << 8;

/// Explores with a crew where enough states wait, else one by one.
pub(super) struct SideBySide<'scope, 'env, 'p> {
    crew: Crew<'scope, 'env, 'p>,
}

impl<'scope, 'env, 'p: 'scope> SideBySide<'scope, 'env, 'p> {
    pub(super) fn new(scope: &'scope Scope<'scope, 'env>) -> Self {
        let crew = Crew::new(scope);
        Self { crew }
    }
}

impl<'scope, 'p: 'scope> Explorer<'p> for SideBySide<'scope, '_, 'p> {
    fn explore_more(
        &mut self,
        search: &mut Search<'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        if !search.can_share_work() {
            return OneByOne.explore_more(search, budget, events);
        }
        if search.is_done() {
            return Ok(false);
        }
        if search.is_time_to_look() {
            search.progress.note_look();
            search.look_around(budget, events)?;
        }
        budget.check_time()?;
        search.expand_side_by_side(&mut self.crew, budget, events)
    }
}

impl<'p> Search<'p> {
    fn can_share_work(&self) -> bool {
        let engine = &self.setting.engine;
        let fewest = if engine.shares_at_once { 1 } else { FEWEST };
        let waiting = self.progress.frontier.shared(engine.shares_at_once);
        self.beliefs.recorder.is_none() && waiting >= fewest
    }

    /// How many new states and inner nodes there may be in a round.
    pub(super) fn room_for_a_round(&self) -> usize {
        MOST * self.setting.workers * NEW_BY_ONE
    }

    /// Whether several workers have not looked at the memory for long, or are about to take more of it at once.
    fn is_time_to_look(&self) -> bool {
        self.setting.engine.shares_at_once
            || self.progress.is_look_long_ago()
            || self.knowledge.store.growth(self.room_for_a_round()) > 0
    }

    /// Explores many states; whether the search can go on.
    fn expand_side_by_side<'scope>(
        &mut self,
        crew: &mut Crew<'scope, '_, 'p>,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason>
    where
        'p: 'scope,
    {
        let dealt = self.progress.frontier.take(DEALT * self.setting.workers);
        let mut hands = vec![Vec::new(); self.setting.workers];
        for (at, job) in dealt.iter().rev().enumerate() {
            hands[at % self.setting.workers].push(job.node);
        }
        self.knowledge.store.reserve(self.room_for_a_round());
        self.progress.meter.begin(Activity::RepeatingSideBySide);
        let view = Arc::new(self.lend());
        let done = crew.explore(&view, hands);
        let unclaimed = self.take_back(view);
        self.progress.meter.begin(Activity::Rest);
        for node in unclaimed {
            self.progress.frontier.add(node, Arrival::INITIAL, Vec::new);
        }
        let (mut left, mut unknown) = (Vec::new(), Vec::new());
        self.progress.expanded_by.resize(self.setting.workers, 0);
        for (done, expanded_by) in done.into_iter().zip(&mut self.progress.expanded_by) {
            let explored = done.expanded - done.left.len() - done.unknown.len();
            *expanded_by += explored as u64;
            self.progress.counts.expanded += explored as u64;
            self.knowledge.store.settle(&done.added);
            self.progress.counts.steps += done.steps;
            self.progress.counts.transactions += done.transactions;
            self.findings.observes_layout |= done.observes_layout;
            for (node, relied) in done.rests_on {
                self.knowledge.reliances.note(JobId::whole(node), relied);
            }
            for node in done.waiting {
                self.progress.frontier.add(node, Arrival::INITIAL, Vec::new);
            }
            left.extend(done.left);
            unknown.extend(done.unknown);
        }
        let mut unknown = unknown.into_iter();
        let mut left = left.into_iter();
        let goes_on = self.work_out_left(&mut left, &mut unknown, budget, events);
        // Whatever comes of it, nothing that waits is lost.
        for node in left.chain(unknown) {
            self.progress.frontier.add(node, Arrival::INITIAL, Vec::new);
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
        let known = self.knowledge.memo.len();
        // Where the store would have to grow, the caller first looks how much memory there is, between two rounds.
        while !self.is_done() && self.knowledge.store.growth(ROOM_FOR_ONE) == 0 {
            let node = if let Some(node) = left.next() {
                node
            } else if let Some(node) = unknown.next() {
                // What was learned from one state may be all that was missing for the next; then the workers can do that one.
                if self.knowledge.memo.len() != known && self.knows_all_of(node) {
                    self.progress.frontier.add(node, Arrival::INITIAL, Vec::new);
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
        let mut loaded = std::mem::take(&mut self.buffers.loaded);
        self.knowledge.store.load(node, &mut loaded);
        let vector = loaded.vector();
        let mut running = self.knowledge.parts.threads(vector).iter();
        let is_known = running.all(|&(_, slot)| {
            !self.knowledge.parts.is_running(slot, vector[slot.index()])
                || self
                    .knowledge
                    .memo
                    .find(&self.knowledge.parts, vector, slot)
                    .is_some()
        });
        self.buffers.loaded = loaded;
        is_known
    }

    /// Gives away what is known, for workers to look at.
    fn lend(&mut self) -> View<'p> {
        let nothing = Knowledge::lent(&self.setting);
        View {
            knowledge: std::mem::replace(&mut self.knowledge, nothing),
            open: self.findings.open.clone(),
            seeks_more_races: self.findings.more.are_sought(),
            table: Table::new(self.setting.workers),
        }
    }

    /// Takes it back, with the states that no worker took from the table.
    fn take_back(&mut self, view: Arc<View<'p>>) -> Vec<NodeId> {
        let view = Arc::into_inner(view).expect("workers are done with it");
        self.knowledge = view.knowledge;
        view.table.into_pile()
    }
}
