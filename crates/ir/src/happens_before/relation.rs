//! The definition: what happens before what in a whole execution, as a relation between its steps, closed step by step.

use std::collections::{BTreeMap, BTreeSet};

use crate::effect::LockMode;
use crate::interpret::{MemoryAccess, ThreadNumber};

use super::{AtomicCell, Event, Unclear};

/// Two accesses of an execution that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The numbers of their steps.
    pub steps: (usize, usize),
    pub accesses: (MemoryAccess, MemoryAccess),
}

/// The first step of an execution that races with an earlier one, and the last such one. Steps are given by their threads and what
/// they have to do with order.
///
/// # Errors
///
/// If the rules do not tell.
pub fn first_conflict(steps: &[(ThreadNumber, Vec<Event>)]) -> Result<Option<Conflict>, Unclear> {
    let execution = Execution::new(steps);
    let mut before: Vec<BTreeSet<usize>> = Vec::new();
    for at in 0..steps.len() {
        let mut all = BTreeSet::new();
        for source in execution.directly_before(at)? {
            all.insert(source);
            all.extend(&before[source]);
        }
        if let Some(conflict) = execution.conflict(at, &all) {
            return Ok(Some(conflict));
        }
        before.push(all);
    }
    Ok(None)
}

struct Execution<'a> {
    steps: &'a [(ThreadNumber, Vec<Event>)],
    /// Who takes each step: names of threads are used again.
    actors: Vec<usize>,
    /// The step at which each actor was started, if it was.
    starts: BTreeMap<usize, usize>,
    /// Of each step the actors that it wakes, meets with or joins.
    partners: Vec<Vec<usize>>,
}

impl<'a> Execution<'a> {
    fn new(steps: &'a [(ThreadNumber, Vec<Event>)]) -> Self {
        let mut names: BTreeMap<ThreadNumber, usize> = BTreeMap::new();
        let mut count = 0;
        let mut execution = Self {
            steps,
            actors: Vec::new(),
            starts: BTreeMap::new(),
            partners: Vec::new(),
        };
        for (at, (thread, events)) in steps.iter().enumerate() {
            let mut actor = |thread: &ThreadNumber| {
                *names.entry(*thread).or_insert_with(|| {
                    count += 1;
                    count - 1
                })
            };
            execution.actors.push(actor(thread));
            let mut partners = Vec::new();
            for event in events {
                match event {
                    Event::Wake(threads) | Event::Meet(threads) => {
                        partners.extend(threads.iter().map(&mut actor));
                    }
                    Event::Join(other) => partners.push(actor(other)),
                    Event::Make(_)
                    | Event::Remake(_)
                    | Event::Acquire { .. }
                    | Event::Read { .. }
                    | Event::Access(_)
                    | Event::Overwrite(_)
                    | Event::Write { .. }
                    | Event::Fence { .. }
                    | Event::Release { .. }
                    | Event::Spawn(_) => {}
                }
            }
            execution.partners.push(partners);
            for event in events {
                if let Event::Spawn(child) = event {
                    names.insert(*child, count);
                    execution.starts.insert(count, at);
                    count += 1;
                }
            }
        }
        execution
    }

    fn events(&self, at: usize) -> &'a [Event] {
        &self.steps[at].1
    }

    fn last_step_of(&self, actor: usize, before: usize) -> Option<usize> {
        (0..before).rev().find(|it| self.actors[*it] == actor)
    }

    /// Earlier steps from which one link leads to a step.
    fn directly_before(&self, at: usize) -> Result<Vec<usize>, Unclear> {
        let actor = self.actors[at];
        let mut sources: Vec<usize> = self.last_step_of(actor, at).into_iter().collect();
        sources.extend(self.starts.get(&actor).filter(|it| **it < at));
        for earlier in 0..at {
            let tells = self
                .events(earlier)
                .iter()
                .any(|it| matches!(it, Event::Wake(_) | Event::Meet(_)));
            if tells && self.partners[earlier].contains(&actor) {
                sources.push(earlier);
            }
        }
        for event in self.events(at) {
            match event {
                Event::Join(_) | Event::Meet(_) => {
                    let partners = self.partners[at].iter();
                    sources.extend(partners.filter_map(|it| self.last_step_of(*it, at)));
                }
                Event::Acquire { place, mode } => {
                    for earlier in (0..at).rev() {
                        if self.remakes(earlier, *place) {
                            break;
                        }
                        let tells = self.events(earlier).iter().any(|it| {
                            matches!(it, Event::Release { place: other, mode: told }
                                if other == place
                                    && (*mode, *told) != (LockMode::Shared, LockMode::Shared))
                        });
                        if tells {
                            sources.push(earlier);
                        }
                    }
                }
                Event::Read { cell, order } if order.acquires().ok_or(Unclear::Order)? => {
                    sources.extend(self.told_to_reader(at, *cell)?);
                }
                Event::Fence { order } if order.acquires().ok_or(Unclear::Order)? => {
                    for read in (0..at).filter(|it| self.actors[*it] == actor) {
                        for event in self.events(read) {
                            if let Event::Read { cell, .. } = event {
                                sources.extend(self.told_to_reader(read, *cell)?);
                            }
                        }
                    }
                }
                Event::Make(_)
                | Event::Remake(_)
                | Event::Read { .. }
                | Event::Access(_)
                | Event::Overwrite(_)
                | Event::Write { .. }
                | Event::Fence { .. }
                | Event::Release { .. }
                | Event::Wake(_)
                | Event::Spawn(_) => {}
            }
        }
        Ok(sources)
    }

    fn remakes(&self, at: usize, place: super::SyncPlace) -> bool {
        self.events(at).iter().any(|event| match event {
            Event::Make(object) => *object == place.0,
            Event::Remake(other) => *other == place,
            Event::Acquire { .. }
            | Event::Join(_)
            | Event::Read { .. }
            | Event::Access(_)
            | Event::Overwrite(_)
            | Event::Write { .. }
            | Event::Fence { .. }
            | Event::Release { .. }
            | Event::Wake(_)
            | Event::Meet(_)
            | Event::Spawn(_) => false,
        })
    }

    /// The releases whose sequences a read takes its value from, and fences before writes of those sequences.
    fn told_to_reader(&self, read: usize, cell: AtomicCell) -> Result<Vec<usize>, Unclear> {
        let mut sources = Vec::new();
        for earlier in (0..read).rev() {
            let Some(write) = self.write_of(earlier, cell) else {
                continue;
            };
            let WriteTo::Atomic {
                cell: written,
                releases,
                continues,
            } = write?
            else {
                break;
            };
            if (written.offset, written.size) != (cell.offset, cell.size) {
                return Err(Unclear::Sizes);
            }
            if releases {
                sources.push(earlier);
            }
            let writer = self.actors[earlier];
            let is_release_fence = |at: usize| {
                self.actors[at] == writer
                    && self.events(at).iter().any(
                        |it| matches!(it, Event::Fence { order } if order.releases() == Some(true)),
                    )
            };
            sources.extend((0..earlier).filter(|it| is_release_fence(*it)));
            if !continues {
                break;
            }
        }
        Ok(sources)
    }

    /// Whether a step writes to bytes of a cell, and how.
    fn write_of(&self, at: usize, cell: AtomicCell) -> Option<Result<WriteTo, Unclear>> {
        let mut found = None;
        for event in self.events(at) {
            match event {
                Event::Make(object) if *object == cell.object => found = Some(Ok(WriteTo::Plain)),
                Event::Overwrite(written)
                    if cell.overlaps(written.object, written.offset, written.size) =>
                {
                    found = Some(Ok(WriteTo::Plain));
                }
                Event::Access(access)
                    if access.is_write
                        && !access.is_atomic
                        && cell.overlaps(access.object, access.offset, access.size) =>
                {
                    found = Some(Ok(WriteTo::Plain));
                }
                Event::Write {
                    cell: written,
                    order,
                    continues,
                } if cell.overlaps(written.object, written.offset, written.size) => {
                    found = Some(order.releases().ok_or(Unclear::Order).map(|releases| {
                        WriteTo::Atomic {
                            cell: *written,
                            releases,
                            continues: *continues,
                        }
                    }));
                }
                Event::Make(_)
                | Event::Remake(_)
                | Event::Acquire { .. }
                | Event::Join(_)
                | Event::Read { .. }
                | Event::Access(_)
                | Event::Overwrite(_)
                | Event::Write { .. }
                | Event::Fence { .. }
                | Event::Release { .. }
                | Event::Wake(_)
                | Event::Meet(_)
                | Event::Spawn(_) => {}
            }
        }
        found
    }

    /// The last earlier access that one of this step races with, given what happens before it.
    fn conflict(&self, at: usize, before: &BTreeSet<usize>) -> Option<Conflict> {
        let others = (0..at).rev();
        let mut unordered =
            others.filter(|it| self.actors[*it] != self.actors[at] && !before.contains(it));
        unordered.find_map(|earlier| {
            self.live_accesses(earlier, at).find_map(|first| {
                let mut mine = self.accesses(at);
                let second = mine.find(|second| first.races_with(second))?;
                Some(Conflict {
                    steps: (earlier, at),
                    accesses: (first.clone(), second.clone()),
                })
            })
        })
    }

    fn accesses(&self, at: usize) -> impl Iterator<Item = &'a MemoryAccess> + use<'a> {
        self.events(at).iter().filter_map(|event| match event {
            Event::Access(access) => Some(access),
            Event::Make(_)
            | Event::Remake(_)
            | Event::Acquire { .. }
            | Event::Join(_)
            | Event::Read { .. }
            | Event::Overwrite(_)
            | Event::Write { .. }
            | Event::Fence { .. }
            | Event::Release { .. }
            | Event::Wake(_)
            | Event::Meet(_)
            | Event::Spawn(_) => None,
        })
    }

    /// The accesses of a step to objects whose names were not given to others until a later step.
    fn live_accesses(&self, earlier: usize, at: usize) -> impl Iterator<Item = &'a MemoryAccess> {
        let made: BTreeSet<_> = (earlier + 1..=at)
            .flat_map(|it| self.events(it))
            .filter_map(|event| {
                if let Event::Make(object) = event {
                    Some(*object)
                } else {
                    None
                }
            })
            .collect();
        self.accesses(earlier)
            .filter(move |access| !made.contains(&access.object))
    }
}

enum WriteTo {
    Plain,
    Atomic {
        cell: AtomicCell,
        releases: bool,
        continues: bool,
    },
}
