//! What happened before what, as far as it can still matter: vector clocks that go with a state.
//!
//! Every thread counts the times that it told others something, and knows of every other thread how much of that it has learnt.
//! An access is remembered with its thread and that thread's count.
//!
//! [`Clocks::settle`] brings them into a normal form, so that a search over states with clocks ends: accesses that all running threads
//! know of are forgotten, and counts are replaced by their ranks among the accesses that are remembered. What is asked of
//! counts is only which of two is larger, and a thread's next count is larger than all that others know of it; so two
//! sets of clocks with one normal form tell the same accesses unordered for ever.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::Order;
use crate::effect::LockMode;
use crate::interpret::state::Head;
use crate::interpret::{MemoryAccess, ObjectNumber, State, ThreadNumber};

use super::touched::Touched;
use super::{AtomicCell, Event, SyncPlace, Unclear};

/// A thread; with a number other than 0, one that has ended and whose name was given to another since.
pub(super) type Actor = (ThreadNumber, u32);

/// How much of each thread is known. Of one that is not there: nothing.
type Clock = BTreeMap<Actor, u32>;

fn learn(clock: &mut Clock, other: &Clock) {
    for (&actor, &count) in other {
        let known = clock.entry(actor).or_default();
        *known = count.max(*known);
    }
}

fn knows(clock: &Clock, actor: Actor, count: u32) -> bool {
    count <= clock.get(&actor).copied().unwrap_or(0)
}

fn knows_all(clock: &Clock, other: &Clock) -> bool {
    other
        .iter()
        .all(|(&actor, &count)| knows(clock, actor, count))
}

/// What a thread knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Knowledge {
    now: Clock,
    /// At its last release fence.
    fenced: Clock,
    /// What it will know after an acquire fence.
    pending: Clock,
}

/// Which of the last accesses to a byte it becomes.
fn kind(access: &MemoryAccess) -> usize {
    usize::from(access.is_write) + 2 * usize::from(access.is_atomic)
}

/// Whether two kinds of accesses conflict, by their numbers.
fn conflict(first: usize, second: usize) -> bool {
    let is_write = |it: usize| it % 2 == 1;
    let is_atomic = |it: usize| it >= 2;
    (is_write(first) || is_write(second)) && !(is_atomic(first) && is_atomic(second))
}

/// An access that races with one that came earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unordered {
    pub object: ObjectNumber,
    /// The byte.
    pub offset: u64,
    /// Who touched it earlier.
    pub other: ThreadNumber,
}

/// The clocks of all threads and places.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Clocks {
    threads: BTreeMap<ThreadNumber, Knowledge>,
    /// What whoever reads an atomic cell with acquire learns; with the size of the cell.
    cells: BTreeMap<SyncPlace, (u64, Clock)>,
    /// What was told at synchronisation objects: to everybody, and by readers to writers.
    locks: BTreeMap<SyncPlace, (Clock, Clock)>,
    touched: Touched,
}

impl Clocks {
    /// Where a program starts nobody has told anybody anything.
    pub fn new(state: &State) -> Self {
        let mut clocks = Self::default();
        for &thread in state.threads.keys() {
            clocks.begin(thread, Clock::new());
        }
        clocks
    }

    fn begin(&mut self, thread: ThreadNumber, mut now: Clock) {
        now.insert((thread, 0), 1);
        let knowledge = Knowledge {
            now,
            ..Knowledge::default()
        };
        self.threads.insert(thread, knowledge);
    }

    /// Takes note of a step; the first of its accesses that races with an earlier one.
    ///
    /// # Errors
    ///
    /// If the rules do not tell what the step orders.
    pub fn step(
        &mut self,
        thread: ThreadNumber,
        events: &[Event],
    ) -> Result<Option<Unordered>, Unclear> {
        self.step_remembering(thread, events, |_| true)
    }

    /// The same, but of atomic accesses only those are remembered that the caller says: atomic accesses do not race with each
    /// other, so of bytes that are never touched plainly none need be.
    ///
    /// # Errors
    ///
    /// If the rules do not tell what the step orders.
    pub fn step_remembering(
        &mut self,
        thread: ThreadNumber,
        events: &[Event],
        remembers: impl Fn(&MemoryAccess) -> bool,
    ) -> Result<Option<Unordered>, Unclear> {
        let mut found = None;
        for event in events {
            match event {
                Event::Make(object) => self.forget_object(*object),
                Event::Remake(place) => {
                    self.locks.remove(place);
                }
                Event::Acquire { place, mode } => {
                    let (to_all, to_writers) = self.locks.get(place).cloned().unwrap_or_default();
                    let knowledge = self.of(thread);
                    learn(&mut knowledge.now, &to_all);
                    if *mode == LockMode::Exclusive {
                        learn(&mut knowledge.now, &to_writers);
                    }
                }
                Event::Join(other) => {
                    let joined = self.threads.remove(other).unwrap_or_default();
                    learn(&mut self.of(thread).now, &joined.now);
                }
                Event::Read { cell, order } => self.read(thread, *cell, *order)?,
                Event::Access(access) => {
                    let is_kept = !access.is_atomic || remembers(access);
                    let race = self.access(thread, access, is_kept);
                    found = found.or(race);
                }
                Event::Overwrite(cell) => self.forget_cells(cell.object, cell.offset, cell.size),
                Event::Write {
                    cell,
                    order,
                    continues,
                } => self.write(thread, *cell, *order, *continues)?,
                Event::Fence { order } => self.fence(thread, *order)?,
                Event::Release { place, mode } => {
                    let told = self.tell(thread);
                    let (to_all, to_writers) = self.locks.entry(*place).or_default();
                    match mode {
                        LockMode::Exclusive => learn(to_all, &told),
                        LockMode::Shared => learn(to_writers, &told),
                    }
                }
                Event::Wake(others) => {
                    let told = self.tell(thread);
                    for other in others {
                        learn(&mut self.of(*other).now, &told);
                    }
                }
                Event::Meet(members) => {
                    let mut all = Clock::new();
                    for member in members {
                        learn(&mut all, &self.tell(*member));
                    }
                    for member in members {
                        learn(&mut self.of(*member).now, &all);
                    }
                }
                Event::Spawn(child) => {
                    self.rename_past(*child);
                    let told = self.tell(thread);
                    self.begin(*child, told);
                }
            }
        }
        Ok(found)
    }

    fn of(&mut self, thread: ThreadNumber) -> &mut Knowledge {
        self.threads.entry(thread).or_default()
    }

    /// What a thread knows, itself included; what it does from now on comes after that.
    fn tell(&mut self, thread: ThreadNumber) -> Clock {
        let now = &mut self.of(thread).now;
        let told = now.clone();
        *now.entry((thread, 0)).or_default() += 1;
        told
    }

    /// Whether another cell that holds something to learn has bytes in common with a cell.
    fn is_mixed(&self, cell: AtomicCell) -> bool {
        self.cells.iter().any(|(&(object, offset), (size, _))| {
            cell.overlaps(object, offset, *size) && (offset, *size) != (cell.offset, cell.size)
        })
    }

    fn read(
        &mut self,
        thread: ThreadNumber,
        cell: AtomicCell,
        order: Order,
    ) -> Result<(), Unclear> {
        if self.is_mixed(cell) {
            return Err(Unclear::Sizes);
        }
        let acquires = order.acquires().ok_or(Unclear::Order)?;
        if let Some((_, told)) = self.cells.get(&(cell.object, cell.offset)).cloned() {
            let knowledge = self.of(thread);
            if acquires {
                learn(&mut knowledge.now, &told);
            }
            learn(&mut knowledge.pending, &told);
        }
        Ok(())
    }

    fn write(
        &mut self,
        thread: ThreadNumber,
        cell: AtomicCell,
        order: Order,
        continues: bool,
    ) -> Result<(), Unclear> {
        if continues && self.is_mixed(cell) {
            return Err(Unclear::Sizes);
        }
        let mut told = if order.releases().ok_or(Unclear::Order)? {
            self.tell(thread)
        } else {
            self.of(thread).fenced.clone()
        };
        let place = (cell.object, cell.offset);
        if continues && let Some((_, before)) = self.cells.get(&place) {
            learn(&mut told, before);
        }
        self.forget_cells(cell.object, cell.offset, cell.size);
        if !told.is_empty() {
            self.cells.insert(place, (cell.size, told));
        }
        Ok(())
    }

    fn fence(&mut self, thread: ThreadNumber, order: Order) -> Result<(), Unclear> {
        if order.acquires().ok_or(Unclear::Order)? {
            let knowledge = self.of(thread);
            let pending = std::mem::take(&mut knowledge.pending);
            learn(&mut knowledge.now, &pending);
        }
        if order.releases().ok_or(Unclear::Order)? {
            let told = self.tell(thread);
            self.of(thread).fenced = told;
        }
        Ok(())
    }

    /// The earlier access that one races with; the new one is remembered if it is to be kept.
    fn access(
        &mut self,
        thread: ThreadNumber,
        access: &MemoryAccess,
        is_kept: bool,
    ) -> Option<Unordered> {
        let now = self.of(thread).now.clone();
        let me = (thread, 0);
        let count = now.get(&me).copied().unwrap_or(0);
        let kind = kind(access);
        let mut found = None;
        for (offset, known) in self.touched.by(access) {
            for (&actor, counts) in known.iter().filter(|(actor, _)| **actor != me) {
                let races = (0..counts.len())
                    .any(|other| conflict(kind, other) && !knows(&now, actor, counts[other]));
                if races && found.is_none() {
                    found = Some(Unordered {
                        object: access.object,
                        offset,
                        other: actor.0,
                    });
                }
            }
            if is_kept {
                known.entry(me).or_default()[kind] = count;
            }
        }
        if access.is_write && !access.is_atomic {
            // Whoever reads this has nothing to learn from it.
            self.forget_cells(access.object, access.offset, access.size);
        }
        found
    }

    fn forget_cells(&mut self, object: ObjectNumber, offset: u64, size: u64) {
        self.cells.retain(|&(other, start), (length, _)| {
            let cell = AtomicCell {
                object: other,
                offset: start,
                size: *length,
            };
            !cell.overlaps(object, offset, size)
        });
    }

    fn forget_object(&mut self, object: ObjectNumber) {
        self.cells.retain(|(it, _), _| *it != object);
        self.locks.retain(|(it, _), _| *it != object);
        self.touched.retain_objects(|it| *it != object);
    }

    /// Every clock there is.
    fn clocks_mut(&mut self) -> impl Iterator<Item = &mut Clock> {
        let threads = self
            .threads
            .values_mut()
            .flat_map(|it| [&mut it.now, &mut it.fenced, &mut it.pending]);
        let cells = self.cells.values_mut().map(|(_, clock)| clock);
        let locks = self.locks.values_mut().flat_map(|(all, some)| [all, some]);
        threads.chain(cells).chain(locks)
    }

    /// A new thread gets the name of one that has ended: that one is called otherwise from now on.
    fn rename_past(&mut self, thread: ThreadNumber) {
        let of_name = |(name, _): &Actor| *name == thread;
        let mut used: BTreeSet<u32> = BTreeSet::new();
        let counts = self.touched.pasts().flat_map(BTreeMap::keys);
        used.extend(counts.filter(|it| of_name(it)).map(|(_, number)| *number));
        self.clocks_mut().for_each(|clock| {
            used.extend(
                clock
                    .keys()
                    .filter(|it| of_name(it))
                    .map(|(_, number)| *number),
            );
        });
        if !used.contains(&0) {
            return;
        }
        let free = (1..=u32::MAX).find(|it| !used.contains(it));
        let free = free.expect("not all numbers are used");
        for clock in self.clocks_mut() {
            if let Some(count) = clock.remove(&(thread, 0)) {
                clock.insert((thread, free), count);
            }
        }
        for known in self.touched.pasts_mut() {
            if let Some(counts) = known.remove(&(thread, 0)) {
                known.insert((thread, free), counts);
            }
        }
    }

    /// Forgets what can make no difference in a state and all that comes after it.
    pub fn settle(&mut self, state: &State) {
        self.threads
            .retain(|thread, _| state.threads.contains_key(thread));
        let is_there = |object: &ObjectNumber| {
            let known = state.objects.head(*object);
            known.is_some_and(Head::is_live)
        };
        self.cells.retain(|(object, _), _| is_there(object));
        self.locks.retain(|(object, _), _| is_there(object));
        self.touched.retain_objects(is_there);
        let runs = |thread: &ThreadNumber| {
            let known = state.threads.get(thread);
            known.is_some_and(|it| !it.frames.is_empty())
        };
        let running: Vec<(ThreadNumber, Clock)> = self
            .threads
            .iter()
            .filter(|(thread, _)| runs(thread))
            .map(|(thread, knowledge)| (*thread, knowledge.now.clone()))
            .collect();
        self.forget_known_accesses(&running);
        let is_known = |clock: &Clock| running.iter().all(|(_, now)| knows_all(now, clock));
        self.cells.retain(|_, (_, told)| !is_known(told));
        self.locks
            .retain(|_, (all, some)| !(is_known(all) && is_known(some)));
        for knowledge in self.threads.values_mut() {
            if is_known(&knowledge.fenced) {
                knowledge.fenced.clear();
            }
            if knows_all(&knowledge.now, &knowledge.pending) {
                knowledge.pending.clear();
            }
        }
        self.rank();
        self.touched.settle();
    }

    /// Forgets accesses that every running thread comes after, and so whatever will be started.
    fn forget_known_accesses(&mut self, running: &[(ThreadNumber, Clock)]) {
        for known in self.touched.pasts_mut() {
            for (&actor, counts) in &mut *known {
                for count in counts {
                    let is_known = running
                        .iter()
                        .filter(|(thread, _)| actor != (*thread, 0))
                        .all(|(_, now)| knows(now, actor, *count));
                    if is_known {
                        *count = 0;
                    }
                }
            }
            known.retain(|_, counts| *counts != [0; 4]);
        }
    }

    /// Replaces counts by their ranks among those of accesses that are remembered.
    fn rank(&mut self) {
        let mut remembered: BTreeMap<Actor, BTreeSet<u32>> = BTreeMap::new();
        for (&actor, counts) in self.touched.pasts().flatten() {
            let counts = counts.iter().filter(|it| **it > 0);
            remembered.entry(actor).or_default().extend(counts);
        }
        // The count of a thread that is there is above all that others know of it.
        let current: BTreeMap<Actor, u32> = self
            .threads
            .iter()
            .filter_map(|(&thread, it)| Some(((thread, 0), *it.now.get(&(thread, 0))?)))
            .collect();
        let rank = |actor: &Actor, count: u32| -> u32 {
            let below = |limit: u32| {
                let counts = remembered.get(actor);
                counts.map_or(0, |it| it.range(..limit).count())
            };
            let rank = match current.get(actor) {
                Some(&now) if count >= now => below(now) + 1,
                Some(_) | None => below(count.saturating_add(1)),
            };
            u32::try_from(rank).unwrap_or(u32::MAX)
        };
        let ranked = |clock: &mut Clock| {
            for (actor, count) in &mut *clock {
                *count = rank(actor, *count);
            }
            clock.retain(|_, count| *count > 0);
        };
        for known in self.touched.pasts_mut() {
            for (actor, counts) in known {
                for count in counts.iter_mut().filter(|it| **it > 0) {
                    *count = rank(actor, *count);
                }
            }
        }
        self.clocks_mut().for_each(ranked);
        self.cells.retain(|_, (_, told)| !told.is_empty());
        self.locks
            .retain(|_, (all, some)| !(all.is_empty() && some.is_empty()));
    }
}
