//! What transactions of a thread led to, to be used again wherever they would do the same.
//!
//! A transaction does the same from two configurations if all parts are the same that it looked at, and it looks at few:
//! those of its own thread, and the memory and synchronisation that it touches. So after a while next to nothing has to be
//! worked out any more: what a search does then is compare and write numbers. (`LTSmin` caches steps in this way by what they
//! read; here no action has to say what that is, because states take notes, see [`reads`](raddle_ir::interpret::reads).)
//!
//! # Invariants
//!
//! - **(M1)** The slots of a shape are all that was looked at or changed. So two configurations with the same parts in them
//!   are changed in the same way.
//! - **(M2)** Names of objects and threads that were asked for are answered by those slots, or by some other, which the
//!   transaction does not change: that one bit is part of the key.
//! - **(M3)** Guesses are as they were when an entry was made. A search that weakens a guess forgets all entries.

use raddle_base::FastMap;
use raddle_ir::interpret::reads::Reads;
use raddle_ir::interpret::{MemoryAccess, ObjectNumber, Standing, ThreadNumber, Wait};

use crate::parts::{PartId, Parts, Slot};

pub(crate) type EntryId = u32;

/// Changes of a vector, sorted.
pub(crate) type Changes = Box<[(Slot, PartId)]>;

/// What the transactions of a thread look at, besides the thread itself.
#[derive(Debug, PartialEq, Eq)]
struct Shape {
    slots: Box<[Slot]>,
    objects: Box<[ObjectNumber]>,
    addresses: Box<[ObjectNumber]>,
    threads: Box<[ThreadNumber]>,
}

/// What the transactions of one thread from some configurations come to.
#[derive(Debug)]
pub(crate) struct Entry {
    key: Box<[u32]>,
    hash: u64,
    pub(crate) steps: u64,
    /// Where they lead, one after the other, and on which way ([`WayId`](crate::store::WayId)).
    pub(crate) external: Box<[(Changes, u32)]>,
    /// States on the way in which memory may have been lost.
    pub(crate) visited: Box<[Changes]>,
    pub(crate) observes_layout: bool,
    pub(crate) has_steps: bool,
    /// What it rests on ([`Reliances`](crate::reliances::Reliances)).
    pub(crate) reliance: u32,
    pub(crate) standing: StandingId,
}

/// The number of a standing.
pub(crate) type StandingId = u32;

/// The standings of threads in states (what a thread is about to access, and what it waits for), each stored once under a number; and
/// for pairs of them that were asked about, whether two threads with these standings race.
#[derive(Debug, Default)]
pub(crate) struct Standings {
    numbers: FastMap<Standing, StandingId>,
    known: Vec<Standing>,
    races: FastMap<(StandingId, StandingId), bool>,
}

impl Standings {
    pub(crate) fn number(&mut self, standing: Standing) -> StandingId {
        if let Some(&known) = self.numbers.get(&standing) {
            return known;
        }
        let number = StandingId::try_from(self.known.len()).expect("fewer than 2^32");
        self.known.push(standing.clone());
        self.numbers.insert(standing, number);
        number
    }

    pub(crate) fn get(&self, number: StandingId) -> &Standing {
        &self.known[number as usize]
    }

    /// Whether some thread was seen to wait for any other one to act.
    pub(crate) fn has_wait_for_anyone(&self) -> bool {
        let needs_anyone =
            |it: &Wait| matches!(it, Wait::Others { needs_anyone, .. } if *needs_anyone);
        let mut waits = self.known.iter().filter_map(|it| it.waits.as_ref());
        waits.any(|it| it.iter().any(needs_anyone))
    }

    /// Whether a thread was seen where it may spin.
    pub(crate) fn has_spinner(&self) -> bool {
        self.known.iter().any(|it| it.may_spin)
    }

    /// Whether two threads with these standings race, if that was asked before.
    fn known_race(&self, one: StandingId, other: StandingId) -> Option<bool> {
        let has_accesses = |it: StandingId| !self.get(it).accesses.is_empty();
        if !has_accesses(one) || !has_accesses(other) {
            return Some(false);
        }
        self.races.get(&(one, other)).copied()
    }

    /// Whether two of these threads race, if it is known of all of them.
    pub(crate) fn known_races(&self, threads: &[(ThreadNumber, StandingId)]) -> Option<bool> {
        let mut all = pairs(threads);
        let first = all.find_map(|(one, other)| match self.known_race(one, other) {
            Some(false) => None,
            known => Some(known),
        });
        first.unwrap_or(Some(false))
    }

    /// Whether two of these threads race.
    pub(crate) fn races(&mut self, threads: &[(ThreadNumber, StandingId)]) -> bool {
        pairs(threads).any(|(one, other)| self.race(one, other))
    }

    /// Whether two threads with these standings race.
    fn race(&mut self, one: StandingId, other: StandingId) -> bool {
        let standings = &self.known;
        let accesses = |it: StandingId| -> &[MemoryAccess] { &standings[it as usize].accesses };
        let (mine, theirs) = (accesses(one), accesses(other));
        if mine.is_empty() || theirs.is_empty() {
            return false;
        }
        *self.races.entry((one, other)).or_insert_with(|| {
            mine.iter()
                .any(|it| theirs.iter().any(|them| it.races_with(them)))
        })
    }
}

/// Any two of some threads, as they stand.
fn pairs(threads: &[(ThreadNumber, StandingId)]) -> impl Iterator<Item = (StandingId, StandingId)> {
    let ones = threads.iter().enumerate();
    ones.flat_map(|(at, one)| threads[at + 1..].iter().map(|it| (one.1, it.1)))
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
    index: Vec<EntryId>,
    numbers: usize,
    forgotten: u64,
    key: Vec<u32>,
    pub(crate) hits: u64,
}

impl Memo {
    pub(crate) fn entry(&self, entry: EntryId) -> &Entry {
        &self.entries[entry as usize]
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
        let thread = vector[slot as usize];
        let shapes = self.by_thread.get(slot as usize)?.get(thread as usize)?;
        for &shape in shapes {
            key.clear();
            write_key(parts, vector, &self.shapes[shape as usize], key);
            let hash = hash_of(shape, key);
            let mut at = place(hash, self.index.len());
            while let Some(entry) = self.index[at].checked_sub(1) {
                let known = &self.entries[entry as usize];
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
        let thread = vector[slot as usize];
        let mut slots = new.slots;
        let external = new.external.iter().map(|(it, _)| it);
        for changes in external.chain(&new.visited) {
            slots.extend(changes.iter().map(|(slot, _)| *slot));
        }
        slots.sort_unstable();
        slots.dedup();
        let reads = &new.reads;
        let asks_names = !reads.object_names.is_empty()
            || !reads.address_names.is_empty()
            || !reads.thread_names.is_empty();
        if asks_names {
            parts.complete(&mut slots, vector);
        }
        let shape = Shape {
            slots: slots.into(),
            objects: new.reads.object_names.into_iter().collect(),
            addresses: new.reads.address_names.into_iter().collect(),
            threads: new.reads.thread_names.into_iter().collect(),
        };
        let size = shape.slots.len()
            + new.external.iter().map(|(it, _)| it.len()).sum::<usize>()
            + new.visited.iter().map(|it| it.len()).sum::<usize>()
            + size_of::<Entry>() / size_of::<u32>();
        if self.numbers + size > MOST_NUMBERS {
            self.forget();
        }
        self.numbers += size;
        if self.by_thread.len() <= slot as usize {
            self.by_thread.resize(slot as usize + 1, Vec::new());
        }
        let by_part = &mut self.by_thread[slot as usize];
        if by_part.len() <= thread as usize {
            by_part.resize(thread as usize + 1, Vec::new());
        }
        let known = &mut by_part[thread as usize];
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
        self.index[at] = EntryId::try_from(entry).expect("fewer than 2^32 entries") + 1;
    }
}

/// What the transactions of a thread came to.
pub(crate) struct New {
    pub(crate) reads: Reads,
    /// All that was looked at or changed.
    pub(crate) slots: Vec<Slot>,
    pub(crate) steps: u64,
    pub(crate) external: Vec<(Changes, u32)>,
    pub(crate) visited: Vec<Changes>,
    pub(crate) observes_layout: bool,
    pub(crate) has_steps: bool,
    pub(crate) reliance: u32,
    pub(crate) standing: StandingId,
}

fn write_key(parts: &Parts<'_>, vector: &[PartId], shape: &Shape, key: &mut Vec<u32>) {
    let part = |slot: &Slot| vector.get(*slot as usize).copied().unwrap_or(0);
    key.extend(shape.slots.iter().map(part));
    for &object in &shape.objects {
        key.push(parts.object_is_named(vector, &shape.slots, object).into());
    }
    for &address in &shape.addresses {
        key.push(parts.address_is_named(vector, &shape.slots, address).into());
    }
    for &thread in &shape.threads {
        key.push(parts.thread_is_named(vector, &shape.slots, thread).into());
    }
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
    (0..)
        .zip(after.iter().copied())
        .filter(|(slot, part)| before.get(*slot as usize).copied().unwrap_or(0) != *part)
        .collect()
}

/// Whether some of the threads, all that have not ended, wait for each other for ever; `None` if there are too many to tell
/// fast. See [`Interpreter::judge`](raddle_ir::interpret::Interpreter::judge), which says the same with more words.
pub(crate) fn is_deadlocked(
    running: &[(ThreadNumber, StandingId)],
    standings: &Standings,
) -> Option<bool> {
    let waits = |at: usize| standings.get(running[at].1).waits.as_deref();
    let mut stuck = 0_u64;
    for at in 0..running.len() {
        if waits(at).is_some_and(|it| it.iter().any(|it| *it != Wait::Assume)) {
            stuck |= 1_u64.checked_shl(u32::try_from(at).ok()?)?;
        }
    }
    if running.len() > 64 {
        return (stuck == 0).then_some(false);
    }
    while stuck != 0 {
        let never_acts = |thread: &ThreadNumber| {
            let known = running.iter().position(|(it, _)| it == thread);
            known.is_none_or(|at| stuck >> at & 1 == 1)
        };
        let is_for_ever = |wait: &Wait| match wait {
            Wait::Assume => true,
            Wait::Others {
                holders,
                needs_anyone,
            } => {
                holders.iter().any(never_acts)
                    || *needs_anyone && running.iter().all(|(it, _)| never_acts(it))
            }
        };
        let still = (0..running.len())
            .filter(|at| stuck >> at & 1 == 1)
            .filter(|at| waits(*at).is_some_and(|it| it.iter().all(is_for_ever)))
            .fold(0, |mask, at| mask | 1 << at);
        if still == stuck {
            break;
        }
        stuck = still;
    }
    Some(stuck != 0)
}
