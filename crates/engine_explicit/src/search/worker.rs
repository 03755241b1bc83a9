//! What one worker does in a round: repeat what is known, as deep as it goes.
//!
//! Nothing that others look at is changed, but the store, to which several can add.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use raddle_ir::interpret::{Property, ThreadNumber};

use crate::ids::{EntryId, NodeId, PartId, RelianceId, StandingId};
use crate::links::Link;
use crate::reliances::Reliances;
use crate::store::{Loaded, Scratch, Stored};
use crate::tree::{Root, Shares};

use super::knowledge::Knowledge;

/// So many states each worker explores at most, before the search looks at the clock and at memory.
pub(super) const MOST: usize = 1 << 12;
/// When so many states are left, because something is new, it is time to work that out: others may need it too.
const MOST_LEFT: usize = 8;
/// How many states a worker explores together.
const TOGETHER: usize = 4;
/// How often a worker looks whether another has nothing left to do.
const BETWEEN_LOOKS: usize = 16;
/// How often a worker that has none looks whether there is something on the table, before it sleeps between two looks,
const LOOKS: usize = 1_000;
/// and for how long.
const NAP: Duration = Duration::from_micros(20);

/// What all workers look at: what the search knows, which it lends to them.
pub(super) struct View<'p> {
    pub(super) knowledge: Knowledge<'p>,
    /// What is looked for.
    pub(super) open: Vec<Property>,
    /// Whether races are, though one was found.
    pub(super) seeks_more_races: bool,
    pub(super) table: Table,
}

/// Where workers leave states for workers that have none.
#[derive(Default)]
pub(super) struct Table {
    workers: usize,
    /// How many of them have none. Changes only with the pile in hand.
    idle: AtomicUsize,
    pile: Mutex<Vec<NodeId>>,
    /// Some worker has explored as many states as it may in a round.
    is_over: AtomicBool,
}

impl Table {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            workers,
            ..Self::default()
        }
    }

    /// The states that no worker has taken.
    pub(super) fn into_pile(self) -> Vec<NodeId> {
        self.pile.into_inner().expect("no worker panics with it")
    }

    /// Moves the older half of a worker's states to the pile, if another worker has none.
    fn give(&self, waiting: &mut Vec<NodeId>) {
        if self.idle.load(Ordering::Relaxed) == 0 || waiting.len() < 2 {
            return;
        }
        let mut pile = self.pile.lock().expect("no worker panics with it");
        if pile.is_empty() {
            pile.extend(waiting.drain(..waiting.len() / 2));
        }
    }

    /// Waits for states on the pile and takes them; nothing if no worker has any, or the round is over.
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
                // Perhaps the worker that has states waits for the processor.
                std::thread::sleep(NAP);
            }
        }
        Vec::new()
    }
}

/// Ends the round if a worker panics, so that no other worker waits for it.
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
    pub(super) waiting: Vec<NodeId>,
    pub(super) rests_on: Vec<(NodeId, RelianceId)>,
    /// What is left to the search itself.
    pub(super) left: Vec<NodeId>,
    /// The same, because a transaction is not known.
    pub(super) unknown: Vec<NodeId>,
    pub(super) expanded: usize,
    pub(super) steps: u64,
    pub(super) transactions: u64,
    pub(super) observes_layout: bool,
    /// To the store.
    pub(super) added: Shares,
}

/// Why a worker leaves a state to the search itself.
#[derive(Clone, Copy)]
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
    nodes: Vec<NodeId>,
    prepared: Vec<Prepared>,
    roots: Vec<(Root, Link)>,
}

/// A state of which it is known where it leads to, and what came of that.
struct Prepared {
    node: NodeId,
    /// Where its roots end.
    end: usize,
    relied: RelianceId,
    steps: u64,
    transactions: u64,
    observes_layout: bool,
}

impl Done {
    /// A state was explored.
    fn note(&mut self, prepared: &Prepared) {
        self.steps += prepared.steps;
        self.transactions += prepared.transactions;
        self.observes_layout |= prepared.observes_layout;
        if prepared.relied != Reliances::NOTHING {
            self.rests_on.push((prepared.node, prepared.relied));
        }
    }

    /// A state is left to the search itself.
    fn leave(&mut self, node: NodeId, why: Why) {
        match why {
            Why::Unknown => self.unknown.push(node),
            Why::Other => self.left.push(node),
        }
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
        let shares = self.knowledge.store.shares(self.table.workers);
        tools.scratch.begin(shares);
        let mut since_look = 0;
        loop {
            if done.waiting.is_empty() {
                done.waiting = self.table.take();
                if done.waiting.is_empty() {
                    break;
                }
            }
            let from = done.waiting.len().saturating_sub(TOGETHER);
            let mut nodes = std::mem::take(&mut tools.nodes);
            nodes.clear();
            nodes.extend(done.waiting.drain(from..));
            self.explore(&nodes, tools, &mut done);
            done.expanded += nodes.len();
            since_look += nodes.len();
            tools.nodes = nodes;
            if since_look >= BETWEEN_LOOKS {
                since_look = 0;
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

    /// Explores some states. What they lead to is looked for in the store together, so that memory is waited for together.
    fn explore(&self, nodes: &[NodeId], tools: &mut Tools, done: &mut Done) {
        tools.roots.clear();
        tools.prepared.clear();
        for &node in nodes {
            let first = tools.roots.len();
            match self.prepare(node, tools) {
                Ok(prepared) => tools.prepared.push(prepared),
                Err(why) => {
                    tools.roots.truncate(first);
                    done.leave(node, why);
                }
            }
        }
        self.knowledge.store.look_ahead(&tools.roots);
        let mut first = 0;
        for prepared in &tools.prepared {
            let roots = &tools.roots[first..prepared.end];
            first = prepared.end;
            let is_stored = roots.iter().all(|&(root, link)| {
                let stored = self
                    .knowledge
                    .store
                    .insert_beside(root, link, &mut tools.scratch);
                if let Some(Stored::New(node)) = stored {
                    done.waiting.push(node);
                }
                stored.is_some()
            });
            if is_stored {
                done.note(prepared);
            } else {
                done.leave(prepared.node, Why::Other);
            }
        }
    }

    /// Where a state leads to, behind the roots of others, or why that is left to the search itself.
    fn prepare(&self, node: NodeId, tools: &mut Tools) -> Result<Prepared, Why> {
        if self.knowledge.store.is_initial(node) {
            return Err(Why::Other);
        }
        let Tools {
            loaded,
            scratch,
            key,
            entries,
            standings,
            roots,
            ..
        } = tools;
        self.knowledge.store.load(node, loaded);
        let vector = loaded.vector();
        entries.clear();
        standings.clear();
        let mut prepared = Prepared {
            node,
            end: 0,
            relied: Reliances::NOTHING,
            steps: 0,
            transactions: 0,
            observes_layout: false,
        };
        for &(thread, slot) in self.knowledge.parts.threads(vector) {
            if !self.knowledge.parts.is_running(slot, vector[slot.index()]) {
                continue;
            }
            let known = self
                .knowledge
                .memo
                .look_up(&self.knowledge.parts, vector, slot, key);
            let number = known.ok_or(Why::Unknown)?;
            let entry = self.knowledge.memo.entry(number);
            let relied = self
                .knowledge
                .reliances
                .known_union(prepared.relied, entry.reliance);
            prepared.relied = relied.ok_or(Why::Other)?;
            prepared.steps += entry.steps;
            prepared.transactions += u64::from(entry.has_steps);
            prepared.observes_layout |= entry.observes_layout;
            entries.push(number);
            standings.push((thread, entry.standing));
        }
        if self.may_be_violated(vector, entries, standings) {
            return Err(Why::Other);
        }
        for &number in &*entries {
            for (changes, way) in &self.knowledge.memo.entry(number).external {
                let root = self
                    .knowledge
                    .store
                    .changed_beside(loaded, changes, scratch);
                let root = root.ok_or(Why::Other)?;
                roots.push((root, Link::transaction(node, *way)));
            }
        }
        prepared.end = roots.len();
        Ok(prepared)
    }

    /// Whether a state, or the way from it, may show a violation that is looked for.
    fn may_be_violated(
        &self,
        vector: &[PartId],
        entries: &[EntryId],
        standings: &[(ThreadNumber, StandingId)],
    ) -> bool {
        let is_open = |property| self.open.contains(&property);
        let known = &self.knowledge;
        let races = || known.standings.known_races(standings).unwrap_or(true);
        let races = if self.seeks_more_races {
            known.has_untold_race(vector, standings)
        } else {
            is_open(Property::Race) && races()
        };
        known.may_be_violated(&self.open, races, vector, standings)
            || is_open(Property::Memory) && entries.iter().any(|it| known.loses_memory(*it, vector))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::*;

    #[test]
    fn nobody_waits_for_a_worker_that_panics() {
        let table = Table::new(2);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _alarm = Alarm(&table);
            resume_unwind(Box::new(()));
        }));
        assert!(panicked.is_err());
        assert_eq!(table.take(), []);
    }

    #[test]
    fn what_one_leaves_another_takes() {
        let table = Table::new(2);
        let mut waiting = [1, 2, 3, 4].map(NodeId).to_vec();
        table.give(&mut waiting);
        assert_eq!(waiting, [1, 2, 3, 4].map(NodeId), "nobody has none");
        std::thread::scope(|scope| {
            let other = scope.spawn(|| table.take());
            while waiting.len() == 4 {
                table.give(&mut waiting);
            }
            assert_eq!(other.join().expect("no panic"), [1, 2].map(NodeId));
        });
        assert_eq!(waiting, [3, 4].map(NodeId));
    }
}
