//! Accesses that nothing orders in one execution, by vector clocks. What is found here is a suspicion: whoever tells it makes two
//! threads meet first (`confirm`).
//!
//! # Source
//!
//! \[Flanagan09\]: Flanagan, Freund, “`FastTrack`: efficient and precise dynamic race detection”, PLDI 2009: epochs in place of clocks for accesses.
//!
//! # Definitions
//!
//! - The *clock* of a thread says for each *slot* how much of what was done there is known. It ticks when it tells others.
//! - A thread has a slot while it runs. Whoever starts a thread and knows all that was done in the slot of one that has ended
//!   gives it to the new one: so a program that starts and joins thousands needs few.
//! - An access with its *epoch*, the slot and what its own clock said, comes before a thread that knows so much of that slot.
//!
//! # Invariants
//!
//! - Nothing here is a verdict. Orders that are not there, and races that are not, cost a bug that another schedule finds, or an
//!   attempt to confirm it.
//! - What one access costs does not grow with threads or memory; what telling costs grows with the threads that are known.
//!
//! # Deviations
//!
//! 1. Every atomic access and every section tells and learns, whatever its order: races that need a weak order are left to engines
//!    that follow the rules of C11.
//! 2. Of each granule of eight bytes the last few accesses are kept, one of each thread and kind.
//! 3. Of threads for which none of [`MOST_SLOTS`] slots is left, nothing is looked at.
//!
//! # Tested by
//!
//! `crates/engine_sample/tests/random_programs.rs`.

use raddle_base::FastMap;
use raddle_ir::interpret::{MemoryAccess, ObjectNumber};
use raddle_ir::program::{EdgeId, FunctionId};

/// Clocks of more threads cost more than they find.
const MOST_SLOTS: usize = 256;
/// So many accesses are kept of a granule.
const MOST_ACCESSES: usize = 12;
const GRANULE: u64 = 8;
/// Larger accesses count for the object as a whole.
const MOST_GRANULES: u64 = 4;

type Clock = Vec<u32>;

/// What is told at: a synchronisation object, or a cell.
pub(crate) type Cell = (ObjectNumber, u64);

/// An access of some step.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) thread: usize,
    pub(crate) step: usize,
    pub(crate) function: FunctionId,
    pub(crate) edge: EdgeId,
    slot: usize,
    time: u32,
    access: MemoryAccess,
}

/// Another access to the same bytes, one of both writing.
#[derive(Clone, Debug)]
pub(crate) struct Conflict {
    pub(crate) earlier: Made,
    /// Nothing orders them, and they are not both atomic.
    pub(crate) is_race: bool,
}

#[derive(Debug, Default)]
struct Shadow {
    /// By granules.
    parts: FastMap<u64, Vec<Made>>,
    /// Of the whole object.
    whole: Vec<Made>,
}

/// What a thread knows.
#[derive(Debug)]
struct ThreadClock {
    slot: usize,
    clock: Clock,
}

impl ThreadClock {
    fn now(&self) -> u32 {
        self.clock[self.slot]
    }
}

#[derive(Debug, Default)]
pub(crate) struct Orders {
    /// Of the threads that have a slot.
    clocks: Vec<Option<ThreadClock>>,
    slots: usize,
    /// Of threads that have ended, and what their clocks said of them in the end.
    free: Vec<(usize, u32)>,
    told: FastMap<Cell, Clock>,
    shadows: FastMap<ObjectNumber, Shadow>,
}

impl Orders {
    pub(crate) fn clear(&mut self) {
        self.clocks.clear();
        self.slots = 0;
        self.free.clear();
        self.told.clear();
        self.shadows.clear();
    }

    /// A thread came, started by another one or there from the beginning.
    pub(crate) fn came(&mut self, thread: usize, starter: Option<usize>) {
        debug_assert_eq!(thread, self.clocks.len());
        let known = self.begun_by(starter);
        self.clocks.push(known);
        if let Some(starter) = starter {
            self.tick(starter);
        }
    }

    /// What a new thread knows; `None` if nobody follows whoever started it, or there is no slot.
    fn begun_by(&mut self, starter: Option<usize>) -> Option<ThreadClock> {
        let mut clock = match starter {
            None => Clock::new(),
            Some(starter) => self.clocks[starter].as_ref()?.clock.clone(),
        };
        let (slot, time) = self.slot_for(&clock)?;
        clock.resize(clock.len().max(slot + 1), 0);
        clock[slot] = time;
        Some(ThreadClock { slot, clock })
    }

    /// A slot in which nothing was done that whoever has this clock does not know, and its first time.
    fn slot_for(&mut self, clock: &Clock) -> Option<(usize, u32)> {
        let is_known =
            |(slot, last): &(usize, u32)| clock.get(*slot).is_some_and(|known| known >= last);
        if let Some(at) = self.free.iter().position(is_known) {
            let (slot, last) = self.free.swap_remove(at);
            return Some((slot, last + 1));
        }
        (self.slots < MOST_SLOTS).then(|| {
            self.slots += 1;
            (self.slots - 1, 1)
        })
    }

    /// A thread has ended; whoever joins it may still ask what it knew.
    pub(crate) fn ended(&mut self, thread: usize) {
        if let Some(known) = &self.clocks[thread] {
            self.free.push((known.slot, known.now()));
        }
    }

    fn tick(&mut self, thread: usize) {
        if let Some(known) = &mut self.clocks[thread] {
            known.clock[known.slot] += 1;
        }
    }

    /// All that an ended thread did is known to another one. It is joined once.
    pub(crate) fn joins(&mut self, thread: usize, joined: usize) {
        let known = self.clocks[joined].take();
        if let (Some(mine), Some(theirs)) = (&mut self.clocks[thread], &known) {
            learn(&mut mine.clock, &theirs.clock);
        }
    }

    pub(crate) fn learns(&mut self, thread: usize, cell: Cell) {
        if let (Some(mine), Some(told)) = (&mut self.clocks[thread], self.told.get(&cell)) {
            learn(&mut mine.clock, told);
        }
    }

    pub(crate) fn tells(&mut self, thread: usize, cell: Cell) {
        if let Some(mine) = &self.clocks[thread] {
            let told = self.told.entry(cell).or_default();
            learn(told, &mine.clock);
            self.tick(thread);
        }
    }

    /// An object is new.
    pub(crate) fn made(&mut self, object: ObjectNumber) {
        self.shadows.remove(&object);
    }

    /// An access is made. Of those that it conflicts with, each is told.
    pub(crate) fn accessed(
        &mut self,
        (thread, step): (usize, usize),
        (function, edge): (FunctionId, EdgeId),
        access: &MemoryAccess,
        conflict: &mut dyn FnMut(Conflict),
    ) {
        let Some(known) = self.clocks[thread].as_ref().filter(|_| access.size > 0) else {
            return;
        };
        let clock = &known.clock;
        let now = Made {
            thread,
            step,
            function,
            edge,
            slot: known.slot,
            time: known.now(),
            access: access.clone(),
        };
        let mut look = |among: &[Made]| {
            for earlier in among {
                let (was, is) = (&earlier.access, access);
                let meets = was.offset < is.offset + is.size && is.offset < was.offset + was.size;
                if earlier.thread != thread && meets && (was.is_write || is.is_write) {
                    let known = clock.get(earlier.slot).copied().unwrap_or(0);
                    let is_race = known < earlier.time && !(was.is_atomic && is.is_atomic);
                    conflict(Conflict {
                        earlier: earlier.clone(),
                        is_race,
                    });
                }
            }
        };
        let shadow = self.shadows.entry(access.object).or_default();
        look(&shadow.whole);
        let first = access.offset / GRANULE;
        let last = (access.offset + access.size - 1) / GRANULE;
        if last - first >= MOST_GRANULES {
            let mut parts: Vec<_> = shadow.parts.iter().collect();
            parts.sort_unstable_by_key(|(granule, _)| **granule);
            for (_, among) in parts {
                look(among);
            }
            keep(&mut shadow.whole, now);
            return;
        }
        for granule in first..=last {
            let among = shadow.parts.entry(granule).or_default();
            look(among);
            keep(among, now.clone());
        }
    }
}

fn learn(clock: &mut Clock, told: &Clock) {
    if clock.len() < told.len() {
        clock.resize(told.len(), 0);
    }
    for (mine, theirs) in clock.iter_mut().zip(told) {
        *mine = (*mine).max(*theirs);
    }
}

/// In place of the last access of the same kind, or of the oldest one.
fn keep(among: &mut Vec<Made>, now: Made) {
    let same = |it: &Made| it.thread == now.thread && it.access == now.access;
    if let Some(place) = among.iter().position(same) {
        among[place] = now;
    } else {
        if among.len() >= MOST_ACCESSES {
            among.remove(0);
        }
        among.push(now);
    }
}
