//! What transactions of a thread led to, to be used again wherever they would do the same.
//!
//! A transaction does the same from two configurations if all parts are the same that it looked at, and it looks at few:
//! those of its own thread, and the memory and synchronisation that it touches. So after a while next to nothing has to be
//! worked out any more: what a search does then is compare and write numbers. (`LTSmin` caches steps in this way by what they
//! read; here no action has to say what that is, because states take notes, see [`reads`](raddle_stepper::reads).)
//!
//! # Invariants
//!
//! - **(M1)** The slots of a shape are all that was looked at or changed. So two configurations with the same parts in them
//!   are changed in the same way.
//! - **(M2)** Names of objects and threads that were asked for are answered by those slots, or by some other, which the
//!   transaction does not change: that one bit is part of the key.
//! - **(M3)** Of ranges of numbers that were asked for, it is part of the key which are those of objects.
//! - **(M4)** Guesses are as they were when an entry was made. A search that weakens a guess forgets all entries.

use std::collections::BTreeSet;

use raddle_ir::interpret::ObjectNumber;
use raddle_ir::interpret::pointers::Names;
use raddle_stepper::reads::Reads;

use crate::ids::{Changes, EntryId, PartId, RelianceId, Slot, StandingId, WayId, by_slot};
use crate::parts::Parts;

/// What the transactions of a thread look at, besides the thread itself.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    slots: Box<[Slot]>,
    /// Names of which it was asked whether something holds them.
    asked: Names,
    presences: Presences,
}

/// Ranges of numbers of which it was asked which are those of objects, from and to.
type Presences = Box<[(ObjectNumber, ObjectNumber)]>;

/// What the transactions of one thread from some configurations come to.
#[derive(Debug)]
pub(crate) struct Entry {
    key: Box<[u32]>,
    hash: u64,
    pub(crate) steps: u64,
    /// Where they lead, one after the other, and on which way.
    pub(crate) external: Box<[(Changes, WayId)]>,
    /// States on the way in which memory may have been lost.
    pub(crate) visited: Box<[Changes]>,
    pub(crate) observes_layout: bool,
    pub(crate) has_steps: bool,
    /// What it rests on ([`Reliances`](crate::reliances::Reliances)).
    pub(crate) reliance: RelianceId,
    pub(crate) standing: StandingId,
}

/// How many numbers entries may hold together before all are forgotten.
const MOST_NUMBERS: usize = 1 << 24;

/// What is known of transactions.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    shapes: Vec<Shape>,
    /// Of each thread, by slot and part: which shapes its transactions have.
    by_thread: Vec<Vec<Vec<u32>>>,
    entries: Vec<Entry>,
    /// Numbers of entries plus one, by hash; 0 where nothing is.
    index: Vec<u32>,
    numbers: usize,
    forgotten: u64,
    key: Vec<u32>,
    pub(crate) hits: u64,
}

impl Memo {
    pub(crate) fn entry(&self, entry: EntryId) -> &Entry {
        &self.entries[entry.index()]
    }

    /// How many transactions are known.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// How much memory they take, by and large.
    pub(crate) fn bytes(&self) -> usize {
        self.numbers * size_of::<u32>() + size_of_val(&*self.index)
    }

    /// How often everything was forgotten.
    pub(crate) fn forgotten(&self) -> u64 {
        self.forgotten
    }

    pub(crate) fn forget(&mut self) {
        self.forgotten += 1;
        self.shapes.clear();
        self.by_thread.clear();
        self.entries.clear();
        self.index.clear();
        self.numbers = 0;
    }

    /// What is known of a thread, by its slot, in a configuration.
    pub(crate) fn find(
        &mut self,
        parts: &Parts<'_>,
        vector: &[PartId],
        slot: Slot,
    ) -> Option<EntryId> {
        let mut key = std::mem::take(&mut self.key);
        let found = self.look_up(parts, vector, slot, &mut key);
        self.key = key;
        self.hits += u64::from(found.is_some());
        found
    }

    /// The same, with a buffer for the key.
    pub(crate) fn look_up(
        &self,
        parts: &Parts<'_>,
        vector: &[PartId],
        slot: Slot,
        key: &mut Vec<u32>,
    ) -> Option<EntryId> {
        let thread = vector[slot.index()];
        let shapes = self.by_thread.get(slot.index())?.get(thread.index())?;
        for &shape in shapes {
            key.clear();
            write_key(parts, vector, &self.shapes[shape as usize], key);
            let hash = hash_of(shape, key);
            let mut at = place(hash, self.index.len());
            while let Some(entry) = self.index[at].checked_sub(1) {
                let entry = EntryId(entry);
                let known = &self.entries[entry.index()];
                if known.hash == hash && *known.key == **key {
                    return Some(entry);
                }
                at = (at + 1) & (self.index.len() - 1);
            }
        }
        None
    }

    /// Takes note of what the transactions of a thread came to.
    pub(crate) fn add(&mut self, parts: &Parts<'_>, vector: &[PartId], slot: Slot, new: New) {
        let thread = vector[slot.index()];
        let mut slots = new.slots;
        let external = new.external.iter().map(|(it, _)| it);
        for changes in external.chain(&new.visited) {
            slots.extend(changes.iter().map(|(slot, _)| *slot));
        }
        slots.sort_unstable();
        slots.dedup();
        let reads = &new.reads;
        let asked = Names {
            objects: reads.object_names.iter().copied().collect(),
            addresses: reads.address_names.iter().copied().collect(),
            threads: reads.thread_names.iter().copied().collect(),
        };
        if asked.is_something() {
            parts.complete(&mut slots, vector);
        }
        let shape = Shape {
            slots: slots.into(),
            asked,
            presences: without_overlaps(&reads.presences),
        };
        let size = shape.slots.len()
            + new.external.iter().map(|(it, _)| it.len()).sum::<usize>()
            + new.visited.iter().map(|it| it.len()).sum::<usize>()
            + size_of::<Entry>() / size_of::<u32>();
        if self.numbers + size > MOST_NUMBERS {
            self.forget();
        }
        self.numbers += size;
        if self.by_thread.len() <= slot.index() {
            self.by_thread.resize(slot.index() + 1, Vec::new());
        }
        let by_part = &mut self.by_thread[slot.index()];
        if by_part.len() <= thread.index() {
            by_part.resize(thread.index() + 1, Vec::new());
        }
        let known = &mut by_part[thread.index()];
        let shapes = &mut self.shapes;
        let shape = if let Some(&same) = known.iter().find(|it| shapes[**it as usize] == shape) {
            same
        } else {
            shapes.push(shape);
            let number = u32::try_from(shapes.len() - 1).expect("fewer than 2^32 shapes");
            known.push(number);
            number
        };
        let mut key = Vec::new();
        write_key(parts, vector, &self.shapes[shape as usize], &mut key);
        let hash = hash_of(shape, &key);
        self.entries.push(Entry {
            key: key.into(),
            hash,
            steps: new.steps,
            external: new.external.into(),
            visited: new.visited.into(),
            observes_layout: new.observes_layout,
            has_steps: new.has_steps,
            reliance: new.reliance,
            standing: new.standing,
        });
        if self.entries.len() * 2 > self.index.len() {
            self.index = vec![0; (self.index.len() * 2).max(1 << 10)];
            for entry in 0..self.entries.len() {
                self.put(entry);
            }
        } else {
            self.put(self.entries.len() - 1);
        }
    }

    fn put(&mut self, entry: usize) {
        let mut at = place(self.entries[entry].hash, self.index.len());
        while self.index[at] != 0 {
            at = (at + 1) & (self.index.len() - 1);
        }
        self.index[at] = EntryId::at(entry).0 + 1;
    }
}

/// What the transactions of a thread came to.
pub(crate) struct New {
    pub(crate) reads: Reads,
    /// All that was looked at or changed.
    pub(crate) slots: Vec<Slot>,
    pub(crate) steps: u64,
    pub(crate) external: Vec<(Changes, WayId)>,
    pub(crate) visited: Vec<Changes>,
    pub(crate) observes_layout: bool,
    pub(crate) has_steps: bool,
    pub(crate) reliance: RelianceId,
    pub(crate) standing: StandingId,
}

fn write_key(parts: &Parts<'_>, vector: &[PartId], shape: &Shape, key: &mut Vec<u32>) {
    let part = |slot: &Slot| vector.get(slot.index()).map_or(0, |it| it.0);
    key.extend(shape.slots.iter().map(part));
    if shape.asked.is_something() {
        parts.write_named_outside(vector, &shape.slots, &shape.asked, key);
    }
    for &(first, end) in &shape.presences {
        parts.write_presence(vector, first, end, key);
    }
}

/// The same ranges of numbers, of which several that meet are one.
fn without_overlaps(ranges: &BTreeSet<(ObjectNumber, ObjectNumber)>) -> Presences {
    let mut joined: Vec<(ObjectNumber, ObjectNumber)> = Vec::new();
    for &(first, end) in ranges {
        match joined.last_mut() {
            Some(last) if first <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((first, end)),
        }
    }
    joined.into()
}

fn hash_of(shape: u32, key: &[u32]) -> u64 {
    let mut hash = u64::from(shape);
    for &number in key {
        hash = (hash.rotate_left(23) ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash ^ (hash >> 32)
}

fn place(hash: u64, size: usize) -> usize {
    let mask = size as u64 - 1;
    usize::try_from(hash & mask).expect("below the size of the index")
}

/// The changes that make one vector of another.
pub(crate) fn changes(before: &[PartId], after: &[PartId]) -> Changes {
    by_slot(after)
        .filter(|(slot, part)| before.get(slot.index()).copied().unwrap_or_default() != *part)
        .collect()
}
