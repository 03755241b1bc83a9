//! Many states at a time, by several workers.
//!
//! Workers only repeat what is known ([`memo`](crate::memo)), which needs nothing but looking at what nobody changes
//! meanwhile. A state in which anything is new, or something may be violated, is left to the search itself afterwards. So
//! nobody waits for anybody but at the end of a batch:
//!
//! 1. each worker takes some states, works out where they lead, and sorts that by the shards of the store;
//! 2. each worker fills some shards, in the order of the states, whoever worked on them.
//!
//! What is stored, under which number and in which order, does not depend on who was faster.

use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_engine::{Budget, Events, Reason};
use raddle_ir::interpret::{Property, ThreadNumber};

use crate::frontier::Arrival;
use crate::measure::Phase;
use crate::memo::{EntryId, Memo, StandingId, Standings, is_deadlocked};
use crate::parts::{PartId, Parts};
use crate::reliances::{Reliance, Reliances};
use crate::store::{Link, Loaded, NodeId, Scratch, Store, Stored};
use crate::tree::Root;

use super::Search;

/// Fewer states are not worth it.
const FEWEST: usize = 64;
/// A batch is at least so large, if there are as many.
const SMALLEST: usize = 1 << 10;
/// How many states are a batch at most,
const MOST: usize = 1 << 16;
/// or if there are inner nodes: those of states that were found one after the other are in the cache, if they are few.
const MOST_WITH_INNER: usize = 1 << 12;
/// For so many inner nodes there is room for each state.
const NEW_BY_ONE: usize = 4;
/// A worker takes at least so many states at a time,
const SMALLEST_CHUNK: usize = 64;
/// and of a large batch so many times some.
const CHUNKS: usize = 8;

/// What all workers look at.
struct View<'a, 'p> {
    parts: &'a Parts<'p>,
    memo: &'a Memo,
    standings: &'a Standings,
    reliances: &'a Reliances,
    store: &'a Store,
    /// What is looked for.
    open: &'a [Property],
}

/// What came of some states.
#[derive(Default)]
struct Done {
    chunk: usize,
    /// By shard.
    reached: Vec<Vec<(Root, Link)>>,
    rests_on: Vec<(NodeId, Reliance)>,
    /// What is left to the search itself.
    left: Vec<NodeId>,
    steps: u64,
    transactions: u64,
    observes_layout: bool,
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

/// How work is shared.
pub(super) struct Batch {
    /// How many states are taken at a time.
    size: usize,
    /// One for each worker.
    tools: Vec<Tools>,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            size: SMALLEST,
            tools: Vec::new(),
        }
    }
}

impl Batch {
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn resize(&mut self, size: usize) {
        self.size = size.clamp(SMALLEST, MOST);
    }

    /// Where much is new, a state that was worked out tells what to do with the next ones, so few are taken at a time.
    fn adapt(&mut self, taken: usize, left: usize, most: usize) {
        if left * 5 > taken {
            self.size = (self.size / 2).max(SMALLEST);
        } else if left * 20 < taken {
            self.size *= 2;
        }
        self.size = self.size.min(most);
    }
}

impl Search<'_> {
    pub(super) fn can_share_work(&self) -> bool {
        self.workers > 1
            && self.recorder.is_none()
            && self.frontier.shared(self.engine.shares_at_once) >= self.fewest()
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
    pub(super) fn expand_side_by_side(
        &mut self,
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<bool, Reason> {
        let jobs = self.frontier.take(self.batch.size);
        self.store.reserve(jobs.len() * NEW_BY_ONE);
        let nodes: Vec<NodeId> = jobs.iter().map(|job| job.node).collect();
        let view = View {
            parts: &self.parts,
            memo: &self.memo,
            standings: &self.standings,
            reliances: &self.reliances,
            store: &self.store,
            open: &self.open,
        };
        self.batch.tools.resize_with(self.workers, Tools::default);
        self.meter.begin(Phase::RepeatingSideBySide);
        let mut done = view.explore(&nodes, &mut self.batch.tools);
        self.meter.begin(Phase::StoringSideBySide);
        let new = fill(&mut self.store, &done, self.workers);
        for node in new {
            self.frontier.add(node, Arrival::INITIAL, Vec::new);
        }
        self.meter.begin(Phase::Rest);
        let mut left = Vec::new();
        for done in &mut done {
            self.counts.steps += done.steps;
            self.counts.transactions += done.transactions;
            self.observes_layout |= done.observes_layout;
            for (node, relied) in done.rests_on.drain(..) {
                self.reliances.rest(node as usize, relied);
            }
            left.append(&mut done.left);
        }
        self.counts.expanded += (jobs.len() - left.len()) as u64;
        let most = if self.store.inner_nodes() == 0 {
            MOST
        } else {
            MOST_WITH_INNER
        };
        self.batch.adapt(jobs.len(), left.len(), most);
        // They are in the order of the jobs.
        let mut left = left.into_iter().peekable();
        for job in &jobs {
            if left.next_if_eq(&job.node).is_none() {
                continue;
            }
            if !self.do_job(job, budget, events)? {
                return Ok(false);
            }
            if self.is_done() {
                break;
            }
        }
        Ok(true)
    }
}

/// Fills the shards; the states that are new, shard by shard.
fn fill(store: &mut Store, done: &[Done], workers: usize) -> Vec<NodeId> {
    let count = store.shard_count();
    let mut shards: Vec<_> = store.shards_mut().into_iter().enumerate().collect();
    let share = count.div_ceil(workers);
    std::thread::scope(|scope| {
        let fillers: Vec<_> = shards
            .chunks_mut(share)
            .map(|mine| {
                scope.spawn(move || {
                    let mut new = Vec::new();
                    let mut stored = |stored, _| {
                        if let Stored::New(node) = stored {
                            new.push(node);
                        }
                    };
                    for (number, shard) in mine {
                        for done in done {
                            for roots in done.reached[*number].chunks(8) {
                                shard.insert(roots, count, &mut stored);
                            }
                        }
                    }
                    new
                })
            })
            .collect();
        let new = fillers
            .into_iter()
            .flat_map(|it| it.join().expect("no worker panics"));
        new.collect()
    })
}

impl View<'_, '_> {
    /// Explores states, as far as they are known.
    fn explore(&self, nodes: &[NodeId], tools: &mut [Tools]) -> Vec<Done> {
        let next = AtomicUsize::new(0);
        let chunks = tools.len() * CHUNKS;
        let size = nodes.len().div_ceil(chunks).max(SMALLEST_CHUNK);
        let work = |tools: &mut Tools| {
            let mut all = Vec::new();
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                let Some(mine) = nodes.chunks(size).nth(chunk) else {
                    return all;
                };
                let mut done = Done {
                    chunk,
                    reached: vec![Vec::new(); self.store.shard_count()],
                    ..Done::default()
                };
                for &node in mine {
                    if self.expand(node, tools, &mut done).is_none() {
                        done.left.push(node);
                    }
                }
                all.push(done);
            }
        };
        let mut done: Vec<Done> = std::thread::scope(|scope| {
            let mut tools = tools.iter_mut();
            let mine = tools.next();
            let others: Vec<_> = tools
                .map(|its| {
                    let work = &work;
                    scope.spawn(move || work(its))
                })
                .collect();
            let mut all = mine.map_or_else(Vec::new, &work);
            for other in others {
                all.extend(other.join().expect("no worker panics"));
            }
            all
        });
        done.sort_by_key(|it| it.chunk);
        done
    }

    /// What can happen in a state; `None` if it is not all known.
    fn expand(&self, node: NodeId, tools: &mut Tools, done: &mut Done) -> Option<()> {
        if self.store.is_initial(node) {
            return None;
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
            let number = self.memo.look_up(self.parts, vector, slot, key)?;
            let entry = self.memo.entry(number);
            relied = self.reliances.known_union(relied, entry.reliance)?;
            entries.push(number);
            standings.push((thread, entry.standing));
        }
        if self.may_be_violated(vector, entries, standings) {
            return None;
        }
        roots.clear();
        for &number in &*entries {
            for (changes, way) in &self.memo.entry(number).external {
                let root = self.store.changed_beside(loaded, changes, scratch)?;
                roots.push((root, Link::transaction(node, *way)));
            }
        }
        let shards = self.store.shard_count();
        for &(root, link) in &*roots {
            done.reached[root.shard(shards)].push((root, link));
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
        Some(())
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
                && is_deadlocked(standings, self.standings).unwrap_or(true)
            || is_open(Property::Leak) && self.parts.is_over(vector)
            || is_open(Property::Memory) && entries.iter().any(|it| self.loses_memory(*it, vector))
    }

    fn loses_memory(&self, entry: EntryId, vector: &[PartId]) -> bool {
        let visited = &self.memo.entry(entry).visited;
        self.parts.lose_memory(vector, visited)
    }
}
