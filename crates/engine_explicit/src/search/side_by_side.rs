//! Many states at a time, by several workers.
//!
//! Workers only repeat what is known ([`memo`](crate::memo)), which needs nothing but looking at what nobody changes
//! meanwhile, and a store that several can fill. Each goes deep by itself, from some of the states that wait, and who has
//! nothing left gets some of what others have. A state in which anything is new, or something may be violated, is left to the
//! search itself afterwards, when one of them has explored as many as it may, or some are left.
//!
//! Which states there are does not depend on who is faster; in which order they are found does.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use raddle_engine::{Budget, Events, Reason};
use raddle_ir::interpret::{Property, ThreadNumber};

use crate::frontier::{Arrival, Job};
use crate::measure::Phase;
use crate::memo::{EntryId, Memo, StandingId, Standings, is_deadlocked};
use crate::parts::{PartId, Parts};
use crate::reliances::{Reliance, Reliances};
use crate::store::{Link, Loaded, NodeId, Scratch, Store, Stored};
use crate::tree::{Root, Shares};

use super::Search;
use super::crew::Crew;

/// Fewer states are not worth it.
const FEWEST: usize = 4;
/// So many states each worker explores at most, before the search looks at the clock and at memory.
const MOST: usize = 1 << 12;
/// With how many states each of them begins.
const DEALT: usize = 1 << 5;
/// For so many new states and inner nodes there is room for each state.
const NEW_BY_ONE: usize = 4;
/// And for so many when the search itself explores one.
const ROOM_FOR_ONE: usize = 1 << 8;
/// When so many states are left, because something is new, it is time to work that out: others may need it too.
const MOST_LEFT: usize = 8;
/// How often a worker looks whether another has nothing left to do.
const BETWEEN_LOOKS: usize = 16;

/// How often a worker that has none looks whether there is something on the table, before it sleeps between two looks,
const LOOKS: usize = 1_000;
/// and for how long.
const NAP: Duration = Duration::from_micros(20);

/// What all workers look at: what the search knows, which it lends to them.
pub(super) struct View<'p> {
    parts: Parts<'p>,
    memo: Memo,
    standings: Standings,
    reliances: Reliances,
    store: Store,
    /// What is looked for.
    open: Vec<Property>,
    table: Table,
}

/// Where workers leave states for those who have none.
#[derive(Default)]
struct Table {
    workers: usize,
    /// How many of them have none. Changes only with the pile in hand.
    idle: AtomicUsize,
    pile: Mutex<Vec<NodeId>>,
    /// Somebody has explored as many as it may.
    is_over: AtomicBool,
}

impl Table {
    /// Leaves half of what somebody has, the oldest, if somebody else has none.
    fn give(&self, waiting: &mut Vec<NodeId>) {
        if self.idle.load(Ordering::Relaxed) == 0 || waiting.len() < 2 {
            return;
        }
        let mut pile = self.pile.lock().expect("no worker panics with it");
        if pile.is_empty() {
            pile.extend(waiting.drain(..waiting.len() / 2));
        }
    }

    /// Something to go on with, as soon as there is something; nothing if nobody has anything, or it is over.
    fn take(&self) -> Vec<NodeId> {
        let mut is_counted = false;
        for looks in 0.. {
            let mut pile = self.pile.lock().expect("no worker panics with it");
            if !pile.is_empty() || self.is_over.load(Ordering::Relaxed) {
                if is_counted {
                    self.idle.fetch_sub(1, Ordering::Relaxed);
                }
                return std::mem::take(&mut pile);
            }
            if !is_counted {
                self.idle.fetch_add(1, Ordering::Relaxed);
                is_counted = true;
            }
            if self.idle.load(Ordering::Relaxed) == self.workers {
                return Vec::new();
            }
            drop(pile);
            if looks < LOOKS {
                std::hint::spin_loop();
            } else {
                // Perhaps whoever has some waits for the processor.
                std::thread::sleep(NAP);
            }
        }
        Vec::new()
    }
}

/// Nobody waits for a worker that panics.
struct Alarm<'a>(&'a Table);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.is_over.store(true, Ordering::Relaxed);
        }
    }
}

/// What came of some states.
#[derive(Default)]
pub(super) struct Done {
    /// What waits.
    waiting: Vec<NodeId>,
    rests_on: Vec<(NodeId, Reliance)>,
    /// What is left to the search itself.
    left: Vec<NodeId>,
    /// The same, because a transaction is not known.
    unknown: Vec<NodeId>,
    expanded: usize,
    steps: u64,
    transactions: u64,
    observes_layout: bool,
    /// To the store.
    added: Shares,
}

/// Why a worker leaves a state to the search itself.
enum Why {
    /// A transaction is not known.
    Unknown,
    /// Something may be violated, or there is no room.
    Other,
}

/// What a worker keeps for its memory; no line of the cache belongs to two of them.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Tools {
    loaded: Loaded,
    scratch: Scratch,
    key: Vec<u32>,
    entries: Vec<EntryId>,
    standings: Vec<(ThreadNumber, StandingId)>,
    roots: Vec<(Root, Link)>,
}

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
        // Who takes more memory looks how much there is before, between rounds.
        while !self.is_done() && self.store.growth(ROOM_FOR_ONE) == 0 {
            let node = if let Some(node) = left.next() {
                node
            } else if let Some(node) = unknown.next() {
                // What one of them has taught may be all that the next was left for, and then it is for everybody again.
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
            parts: std::mem::replace(&mut self.parts, Parts::new(self.program)),
            memo: std::mem::take(&mut self.memo),
            standings: std::mem::take(&mut self.standings),
            reliances: std::mem::take(&mut self.reliances),
            store: std::mem::replace(&mut self.store, Store::new(false)),
            open: self.open.clone(),
            table: Table {
                workers: self.workers,
                ..Table::default()
            },
        }
    }

    /// Takes it back, with the states that nobody took from the table.
    fn take_back(&mut self, view: Arc<View<'p>>) -> Vec<NodeId> {
        let view = Arc::into_inner(view).expect("workers are done with it");
        self.parts = view.parts;
        self.memo = view.memo;
        self.standings = view.standings;
        self.reliances = view.reliances;
        self.store = view.store;
        let unclaimed = view.table.pile.into_inner();
        unclaimed.expect("no worker panics with it")
    }
}

impl View<'_> {
    /// One worker's part.
    pub(super) fn go_deep(&self, hand: Vec<NodeId>, tools: &mut Tools) -> Done {
        let mut done = Done {
            waiting: hand,
            ..Done::default()
        };
        let _alarm = Alarm(&self.table);
        let shares = self.store.shares(self.table.workers);
        tools.scratch.begin(shares);
        loop {
            let Some(node) = done.waiting.pop() else {
                done.waiting = self.table.take();
                if done.waiting.is_empty() {
                    break;
                }
                continue;
            };
            done.expanded += 1;
            match self.expand(node, tools, &mut done) {
                Ok(()) => {}
                Err(Why::Unknown) => done.unknown.push(node),
                Err(Why::Other) => done.left.push(node),
            }
            if done.expanded.is_multiple_of(BETWEEN_LOOKS) {
                self.table.give(&mut done.waiting);
                if done.expanded >= MOST || done.left.len() + done.unknown.len() >= MOST_LEFT {
                    self.table.is_over.store(true, Ordering::Relaxed);
                }
                if self.table.is_over.load(Ordering::Relaxed) {
                    break;
                }
            }
        }
        done.added = tools.scratch.end();
        done
    }

    /// What can happen in a state, or why that is left to the search itself.
    fn expand(&self, node: NodeId, tools: &mut Tools, done: &mut Done) -> Result<(), Why> {
        if self.store.is_initial(node) {
            return Err(Why::Other);
        }
        let Tools {
            loaded,
            scratch,
            key,
            entries,
            standings,
            roots,
        } = tools;
        self.store.load(node, loaded);
        let vector = loaded.vector();
        entries.clear();
        standings.clear();
        let mut relied = Reliances::NOTHING;
        for &(thread, slot) in self.parts.threads(vector) {
            if !self.parts.is_running(slot, vector[slot as usize]) {
                continue;
            }
            let known = self.memo.look_up(&self.parts, vector, slot, key);
            let number = known.ok_or(Why::Unknown)?;
            let entry = self.memo.entry(number);
            let both = self.reliances.known_union(relied, entry.reliance);
            relied = both.ok_or(Why::Other)?;
            entries.push(number);
            standings.push((thread, entry.standing));
        }
        if self.may_be_violated(vector, entries, standings) {
            return Err(Why::Other);
        }
        roots.clear();
        for &number in &*entries {
            for (changes, way) in &self.memo.entry(number).external {
                let root = self.store.changed_beside(loaded, changes, scratch);
                let root = root.ok_or(Why::Other)?;
                roots.push((root, Link::transaction(node, *way)));
            }
        }
        self.store.look_ahead(roots);
        for &(root, link) in &*roots {
            let stored = self.store.insert_beside(root, link, scratch);
            if let Stored::New(node) = stored.ok_or(Why::Other)? {
                done.waiting.push(node);
            }
        }
        for &number in &*entries {
            let entry = self.memo.entry(number);
            done.steps += entry.steps;
            done.transactions += u64::from(entry.has_steps);
            done.observes_layout |= entry.observes_layout;
        }
        if relied != Reliances::NOTHING {
            done.rests_on.push((node, relied));
        }
        Ok(())
    }

    /// Whether a state, or the way from it, may show a violation that is looked for.
    fn may_be_violated(
        &self,
        vector: &[PartId],
        entries: &[EntryId],
        standings: &[(ThreadNumber, StandingId)],
    ) -> bool {
        let race = |one: StandingId, other| self.standings.known_race(one, other).unwrap_or(true);
        let pairs = || {
            let ones = standings.iter().enumerate();
            ones.flat_map(|(at, one)| standings[at + 1..].iter().map(|it| (one.1, it.1)))
        };
        let is_open = |property| self.open.contains(&property);
        is_open(Property::Race) && pairs().any(|(one, other)| race(one, other))
            || is_open(Property::Deadlock)
                && is_deadlocked(standings, &self.standings).unwrap_or(true)
            || is_open(Property::Leak) && self.parts.is_over(vector)
            || is_open(Property::Memory) && entries.iter().any(|it| self.loses_memory(*it, vector))
    }

    fn loses_memory(&self, entry: EntryId, vector: &[PartId]) -> bool {
        let visited = &self.memo.entry(entry).visited;
        self.parts.lose_memory(vector, visited)
    }
}
