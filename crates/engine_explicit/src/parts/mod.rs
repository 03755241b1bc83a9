//! Configurations as vectors of numbers: each thread, object and piece of an object is a *part*, stored once.
//!
//! A *slot* is the place of a part in vectors. Slots are given out as threads and objects are seen for the first time; 0 says
//! that there is no such part.
//!
//! - What counts as known to every step that looks at a state ([`reads`](raddle_stepper::reads)) is the part in the first slot, the *world*.
//! - A thread comes with the locks that it holds, which are its own doing.
//! - An object is one part; a larger one without synchronisation is a head and several chunks of its bytes, so that threads
//!   that work on different elements of an array have nothing to do with each other.

mod naming;
mod pool;
mod saving;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use raddle_base::{FastMap, fast_hasher};
use raddle_ir::interpret::numbering::holders::dead_objects;
use raddle_ir::interpret::places::Places;
use raddle_ir::interpret::pointers::Names;
use raddle_ir::interpret::{
    Bytes, Cell, Object, ObjectNumber, Recycling, State, Storage, Thread, ThreadNumber,
};
use raddle_ir::{FunctionId, Program};
use raddle_reduce::history::Configuration;
use raddle_reduce::keys::{HeldLock, Site, held_locks};
use raddle_stepper::reads::Reads;

use crate::ids::{Changes, PartId, Slot, by_slot};
use crate::standings::Spot;

use naming::{bytes_of_a_name, names_of_chunk, names_of_head, names_of_thread};
use pool::Pool;

/// The slot of the world.
pub(crate) const WORLD: Slot = Slot(0);

/// Objects of more bytes are cut up.
const LARGEST_WHOLE: usize = 8;
/// Into chunks of so many bytes,
const CHUNK: usize = 4;
/// or larger ones, if there would be more than this.
const MOST_CHUNKS: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    World,
    Thread(ThreadNumber),
    Head(ObjectNumber),
    Chunk(ObjectNumber, u32),
}

/// What there is, and what has been.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct WorldPart {
    threads: Vec<ThreadNumber>,
    has_ended: bool,
    dead: Vec<ObjectNumber>,
    places: Places,
    made: BTreeSet<Site>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ThreadPart {
    thread: Arc<Thread>,
    held: Vec<HeldLock>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct HeadPart {
    /// Without its bytes, if it is cut up.
    object: Arc<Object>,
    /// How many bytes it has.
    size: usize,
    is_cut: bool,
    /// Whom it is private to.
    owner: Option<ThreadNumber>,
}

impl HeadPart {
    fn chunk_size(&self) -> usize {
        chunk_size(self.size)
    }

    fn is_live_heap(&self) -> bool {
        self.object.is_live && self.object.storage == Storage::Heap
    }
}

type ChunkPart = Bytes;

/// What a chunk may name.
#[derive(Debug)]
struct ChunkNames {
    /// Within itself.
    inside: Names,
    /// Names may end among its first bytes that begin in chunks before it.
    may_begin_before: bool,
}

fn chunk_size(size: usize) -> usize {
    Bytes::length_of_pieces(size.div_ceil(MOST_CHUNKS).next_multiple_of(CHUNK))
}

fn put(vector: &mut Vec<PartId>, slot: Slot, part: PartId) {
    let slot = slot.index();
    if vector.len() <= slot {
        vector.resize(slot + 1, PartId::NONE);
    }
    vector[slot] = part;
}

/// The slots of the threads of a world.
type ThreadSlots = Box<[(ThreadNumber, Slot)]>;

/// All parts of all configurations that were seen.
#[derive(Debug)]
pub(crate) struct Parts<'p> {
    program: &'p Program,
    recycling: Arc<Recycling>,
    slots: Vec<Kind>,
    by_kind: FastMap<Kind, Slot>,
    worlds: Pool<WorldPart, ThreadSlots>,
    /// By slot, and so are those below; where the slot is another's, nothing is in them.
    threads: Vec<Pool<ThreadPart, Names>>,
    heads: Vec<Pool<HeadPart, Names>>,
    chunks: Vec<Pool<ChunkPart, ChunkNames>>,
    /// The last object that was put together for a slot, and of what.
    whole: FastMap<Slot, (Vec<PartId>, Arc<Object>)>,
}

impl<'p> Parts<'p> {
    pub(crate) fn new(program: &'p Program, recycling: &Arc<Recycling>) -> Self {
        Self {
            program,
            recycling: Arc::clone(recycling),
            slots: vec![Kind::World],
            by_kind: FastMap::from_iter([(Kind::World, WORLD)]),
            worlds: Pool::default(),
            threads: vec![Pool::default()],
            heads: vec![Pool::default()],
            chunks: vec![Pool::default()],
            whole: FastMap::default(),
        }
    }

    /// Whether two threads began with the same function.
    pub(crate) fn has_alike_threads(&self) -> bool {
        let parts = self.threads.iter().filter_map(|it| it.parts.first());
        let functions: Vec<FunctionId> = parts.map(|(it, _)| it.thread.function).collect();
        let mut each = functions.clone();
        each.sort_unstable();
        each.dedup();
        each.len() < functions.len()
    }

    /// How many parts each slot has.
    pub(crate) fn counts(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.slots.len()).map(|slot| match self.slots[slot] {
            Kind::World => self.worlds.parts.len(),
            Kind::Thread(_) => self.threads[slot].parts.len(),
            Kind::Head(_) => self.heads[slot].parts.len(),
            Kind::Chunk(..) => self.chunks[slot].parts.len(),
        })
    }

    /// All slots, those close together that are likely to belong together: the third of five threads is in the middle of all
    /// objects, because threads that do the same often work on one object each, in their order.
    /// Those of which there has been one part come last.
    pub(crate) fn order(&self) -> Vec<Slot> {
        let slots = (0..).map(Slot).zip(self.counts());
        let (different, same): (Vec<_>, Vec<_>) = slots.partition(|(_, count)| *count > 1);
        let is_thread = |slot: Slot| matches!(self.slots[slot.index()], Kind::Thread(_));
        let (threads, objects): (Vec<Slot>, Vec<Slot>) = different
            .into_iter()
            .map(|(slot, _)| slot)
            .partition(|slot| is_thread(*slot));
        // How far a slot is among those of its kind, in fractions with the same denominator.
        let ranked = |slots: Vec<Slot>, others: usize| {
            let rank = move |at: usize| (2 * at + 1) * others.max(1);
            slots
                .into_iter()
                .enumerate()
                .map(move |(at, slot)| (rank(at), slot))
        };
        let (many, few) = (objects.len(), threads.len());
        let mut ranked: Vec<(usize, Slot)> =
            ranked(objects, few).chain(ranked(threads, many)).collect();
        ranked.sort_unstable();
        let ranked = ranked.into_iter().map(|(_, slot)| slot);
        ranked
            .chain(same.into_iter().map(|(slot, _)| slot))
            .collect()
    }

    fn slot(&mut self, kind: Kind) -> Slot {
        if let Some(&known) = self.by_kind.get(&kind) {
            return known;
        }
        let slot = Slot::at(self.slots.len());
        self.slots.push(kind);
        self.threads.push(Pool::default());
        self.heads.push(Pool::default());
        self.chunks.push(Pool::default());
        self.by_kind.insert(kind, slot);
        slot
    }

    fn thread_part(&self, slot: Slot, part: PartId) -> &(ThreadPart, Names) {
        self.threads[slot.index()].get(part)
    }

    fn head_part(&self, slot: Slot, part: PartId) -> &(HeadPart, Names) {
        self.heads[slot.index()].get(part)
    }

    fn chunk_part(&self, slot: Slot, part: PartId) -> &(ChunkPart, ChunkNames) {
        self.chunks[slot.index()].get(part)
    }

    /// The threads of a configuration, if the process has not ended.
    pub(crate) fn threads(&self, vector: &[PartId]) -> &[(ThreadNumber, Slot)] {
        let (world, slots) = self.worlds.get(vector[WORLD.index()]);
        if world.has_ended { &[] } else { slots }
    }

    /// No thread will take a step any more, because the process or every thread has ended.
    pub(crate) fn is_over(&self, vector: &[PartId]) -> bool {
        let threads = self.threads(vector);
        !threads
            .iter()
            .any(|(_, slot)| self.is_running(*slot, vector[slot.index()]))
    }

    /// Whether the thread that is this part has not ended.
    pub(crate) fn is_running(&self, slot: Slot, thread: PartId) -> bool {
        !self.thread_part(slot, thread).0.thread.frames.is_empty()
    }

    /// Where the thread that is this part stands, with all calls that it is in.
    pub(crate) fn spot(&self, slot: Slot, thread: PartId) -> Spot {
        let mut hasher = fast_hasher();
        for frame in &self.thread_part(slot, thread).0.thread.frames {
            (frame.function, frame.location).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// The vector of a configuration. What it shares with another one is taken from there.
    pub(crate) fn encode(
        &mut self,
        configuration: &Configuration,
        from: Option<(&Configuration, &[PartId])>,
    ) -> Vec<PartId> {
        let state = &configuration.state;
        let mut vector = vec![PartId::NONE; self.slots.len()];
        let world = WorldPart {
            threads: state.threads.unobserved().keys().copied().collect(),
            has_ended: state.has_ended,
            dead: dead_objects(state).map(|(number, _)| number).collect(),
            places: state.places.clone(),
            made: configuration.made.clone(),
        };
        let slots: ThreadSlots = world
            .threads
            .iter()
            .map(|thread| (*thread, self.slot(Kind::Thread(*thread))))
            .collect();
        let (program, recycling) = (self.program, Arc::clone(&self.recycling));
        for (number, slot) in &slots {
            let part = ThreadPart {
                thread: Arc::clone(&state.threads.unobserved()[number]),
                held: held_locks(state, *number),
            };
            let names = |it: &ThreadPart| names_of_thread(program, &recycling, it);
            let part = self.threads[slot.index()].number(part, names);
            put(&mut vector, *slot, part);
        }
        let world = self.worlds.number(world, |_| slots);
        put(&mut vector, WORLD, world);
        let Some((before, known)) = from else {
            for (number, object) in state.objects.unobserved() {
                self.encode_object(configuration, *number, object, None, &mut vector);
            }
            return vector;
        };
        // What is the same as before has the same parts.
        let objects = state.objects.unobserved();
        let mut changed: BTreeSet<ObjectNumber> = BTreeSet::new();
        objects.differences(before.state.objects.unobserved(), |number, _, _| {
            changed.insert(*number);
        });
        let (private, was) = (&configuration.private, &before.private);
        private
            .unobserved()
            .differences(was.unobserved(), |number, _, _| {
                changed.insert(*number);
            });
        for (slot, part) in known.iter().enumerate() {
            if matches!(self.slots[slot], Kind::Head(_) | Kind::Chunk(..)) {
                vector[slot] = *part;
            }
        }
        for number in changed {
            if let Some(&head) = self.by_kind.get(&Kind::Head(number))
                && head.index() < known.len()
            {
                for slot in self.chunk_slots(head, known).into_iter().chain([head]) {
                    vector[slot.index()] = PartId::NONE;
                }
            }
            if let Some(object) = objects.get(&number) {
                self.encode_object(configuration, number, object, from, &mut vector);
            }
        }
        vector
    }

    /// Writes the parts of an object into a vector. Chunks that it shares with what it was before are those from there.
    fn encode_object(
        &mut self,
        configuration: &Configuration,
        number: ObjectNumber,
        object: &Arc<Object>,
        from: Option<(&Configuration, &[PartId])>,
        vector: &mut Vec<PartId>,
    ) {
        let (program, recycling) = (self.program, Arc::clone(&self.recycling));
        let owner = configuration.private.unobserved().get(&number).copied();
        let head_slot = self.slot(Kind::Head(number));
        let size = object.bytes.len();
        let is_cut = size > LARGEST_WHOLE && object.syncs.is_empty();
        let part = HeadPart {
            object: if is_cut {
                Arc::new(Object {
                    bytes: Bytes::default(),
                    storage: object.storage,
                    is_live: object.is_live,
                    syncs: BTreeMap::new(),
                    origin: object.origin.clone(),
                })
            } else {
                Arc::clone(object)
            },
            size,
            is_cut,
            owner,
        };
        let names = |it: &HeadPart| names_of_head(program, &recycling, it);
        let part = self.heads[head_slot.index()].number(part, names);
        put(vector, head_slot, part);
        if !is_cut {
            return;
        }
        let was = from.and_then(|(before, vector)| {
            let was = before.state.objects.unobserved().get(&number)?;
            let is_cut = was.bytes.len() == size && was.syncs.is_empty();
            is_cut.then_some((&was.bytes, vector))
        });
        let length = chunk_size(size);
        for at in 0..size.div_ceil(length) {
            let chunk = u32::try_from(at).expect("few chunks");
            let slot = self.slot(Kind::Chunk(number, chunk));
            let known = was.filter(|(was, _)| was.shares_piece(&object.bytes, at, length));
            let part = if let Some((_, vector)) = known {
                vector[slot.index()]
            } else {
                let piece = object.bytes.piece(at, length);
                let names = |it: &ChunkPart| names_of_chunk(program, &recycling, it);
                self.chunks[slot.index()].number(piece, names)
            };
            put(vector, slot, part);
        }
    }

    /// The slots of the chunks of an object, of which this is the slot of the head.
    fn chunk_slots(&self, head_slot: Slot, vector: &[PartId]) -> Vec<Slot> {
        self.chunk_slots_between(head_slot, vector, 0, usize::MAX)
    }

    /// The slots of the chunks with some bytes of an object.
    fn chunk_slots_between(
        &self,
        head_slot: Slot,
        vector: &[PartId],
        from: usize,
        to: usize,
    ) -> Vec<Slot> {
        let (Kind::Head(number), head) = (self.slots[head_slot.index()], vector[head_slot.index()])
        else {
            return Vec::new();
        };
        if head == PartId::NONE {
            return Vec::new();
        }
        let head = &self.head_part(head_slot, head).0;
        let to = to.min(head.size);
        if !head.is_cut || from >= to {
            return Vec::new();
        }
        let size = head.chunk_size();
        (from / size..to.div_ceil(size))
            .map(|at| u32::try_from(at).expect("few chunks"))
            .map(|at| self.by_kind[&Kind::Chunk(number, at)])
            .collect()
    }

    /// The configuration of a vector.
    pub(crate) fn decode(&mut self, vector: &[PartId]) -> Configuration {
        let (world, slots) = self.worlds.get(vector[WORLD.index()]).clone();
        let threads = slots.iter().map(|(number, slot)| {
            let part = &self.thread_part(*slot, vector[slot.index()]).0;
            (*number, Arc::clone(&part.thread))
        });
        let threads = threads.collect();
        let mut objects: BTreeMap<ObjectNumber, Arc<Object>> = BTreeMap::new();
        let mut private = BTreeMap::new();
        for slot in 0..self.slots.len().min(vector.len()) {
            let (Kind::Head(number), head) = (self.slots[slot], vector[slot]) else {
                continue;
            };
            if head == PartId::NONE {
                continue;
            }
            let slot = Slot::at(slot);
            let owner = self.head_part(slot, head).0.owner;
            private.extend(owner.map(|owner| (number, owner)));
            objects.insert(number, self.whole(slot, vector));
        }
        Configuration {
            state: State {
                threads,
                objects: objects.into_iter().collect(),
                places: world.places,
                has_ended: world.has_ended,
            },
            private: private.into_iter().collect(),
            made: world.made,
        }
    }

    /// An object put together.
    fn whole(&mut self, head_slot: Slot, vector: &[PartId]) -> Arc<Object> {
        let head = vector[head_slot.index()];
        let part = self.head_part(head_slot, head).0.clone();
        if !part.is_cut {
            return part.object;
        }
        let chunks = self.chunk_slots(head_slot, vector);
        let made_of: Vec<PartId> = std::iter::once(head)
            .chain(chunks.iter().map(|slot| vector[slot.index()]))
            .collect();
        if let Some((known, object)) = self.whole.get(&head_slot)
            && *known == made_of
        {
            return Arc::clone(object);
        }
        let object = Arc::new(Object {
            bytes: self.bytes_of(&chunks, vector, part.chunk_size()),
            ..(*part.object).clone()
        });
        self.whole.insert(head_slot, (made_of, Arc::clone(&object)));
        object
    }

    fn bytes_of(&self, chunks: &[Slot], vector: &[PartId], length: usize) -> Bytes {
        let pieces = chunks.iter();
        let pieces: Vec<&Bytes> = pieces
            .map(|slot| &self.chunk_part(*slot, vector[slot.index()]).0)
            .collect();
        Bytes::joined(&pieces, length)
    }

    /// The slots that a computation has looked at, sorted, each once; `None` if it is everything. `vector` is where it began.
    pub(crate) fn slots_of(&mut self, reads: &Reads, vector: &[PartId]) -> Option<Vec<Slot>> {
        if reads.is_everything {
            return None;
        }
        let mut slots = vec![WORLD];
        for thread in &reads.threads {
            slots.push(self.slot(Kind::Thread(*thread)));
        }
        for object in &reads.heads {
            slots.push(self.slot(Kind::Head(*object)));
        }
        let is_there = |slot: Slot| slot.index() < vector.len();
        for object in &reads.objects {
            let head = self.slot(Kind::Head(*object));
            slots.push(head);
            if is_there(head) {
                slots.extend(self.chunk_slots(head, vector));
            }
        }
        for &(object, from, to) in &reads.cells {
            let head = self.slot(Kind::Head(object));
            slots.push(head);
            if is_there(head) {
                let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
                slots.extend(self.chunk_slots_between(head, vector, index(from), index(to)));
            }
        }
        slots.sort_unstable();
        slots.dedup();
        Some(slots)
    }

    /// Adds all chunks of objects of which some are among these slots: names may lie across two of them.
    pub(crate) fn complete(&self, slots: &mut Vec<Slot>, vector: &[PartId]) {
        for slot in slots.clone() {
            let (Kind::Chunk(number, _) | Kind::Head(number)) = self.slots[slot.index()] else {
                continue;
            };
            let head = self.by_kind[&Kind::Head(number)];
            slots.push(head);
            if head.index() < vector.len() {
                slots.extend(self.chunk_slots(head, vector));
            }
        }
        slots.sort_unstable();
        slots.dedup();
    }

    /// Writes for each of some names, which are sorted, whether a part outside of these slots, which are so too, may hold it.
    pub(crate) fn write_named_outside(
        &self,
        vector: &[PartId],
        slots: &[Slot],
        asked: &Names,
        key: &mut Vec<u32>,
    ) {
        let first = key.len();
        let (objects, addresses) = (asked.objects.len(), asked.addresses.len());
        key.resize(first + objects + addresses + asked.threads.len(), 0);
        let answers = &mut key[first..];
        let mut note = |names: &Names| {
            mark_common(&asked.objects, &names.objects, answers);
            mark_common(&asked.addresses, &names.addresses, &mut answers[objects..]);
            let answers = &mut answers[objects + addresses..];
            mark_common(&asked.threads, &names.threads, answers);
        };
        let mut slots = slots.iter().peekable();
        for (slot, part) in by_slot(vector) {
            while slots.next_if(|it| **it < slot).is_some() {}
            if part == PartId::NONE || slots.peek() == Some(&&slot) {
                continue;
            }
            match self.slots[slot.index()] {
                Kind::Thread(_) => note(&self.thread_part(slot, part).1),
                Kind::Head(_) => note(&self.head_part(slot, part).1),
                Kind::Chunk(number, at) => {
                    let chunk = &self.chunk_part(slot, part).1;
                    note(&chunk.inside);
                    if chunk.may_begin_before {
                        note(&self.names_into(number, at, vector));
                    }
                }
                Kind::World => {}
            }
        }
    }

    /// Writes which objects there are of those with numbers in a range: how many bounds there are between numbers of objects and
    /// others, and the bounds.
    pub(crate) fn write_presence(
        &self,
        vector: &[PartId],
        first: ObjectNumber,
        end: ObjectNumber,
        key: &mut Vec<u32>,
    ) {
        let at = key.len();
        key.push(0);
        let mut was_there = false;
        for number in first.0..end.0 {
            let slot = self.by_kind.get(&Kind::Head(ObjectNumber(number)));
            let part = slot.and_then(|slot| vector.get(slot.index()));
            let is_there = part.is_some_and(|part| *part != PartId::NONE);
            if is_there != was_there {
                key.push(number);
                was_there = is_there;
            }
        }
        key[at] = u32::try_from(key.len() - at).expect("few bounds");
    }

    /// What the bytes of an object that is cut up may name.
    fn names_in_chunks(&self, number: ObjectNumber, vector: &[PartId]) -> Vec<ObjectNumber> {
        let head_slot = self.by_kind[&Kind::Head(number)];
        let mut named = Vec::new();
        for (at, slot) in (0..).zip(self.chunk_slots(head_slot, vector)) {
            let chunk = &self.chunk_part(slot, vector[slot.index()]).1;
            named.extend(&chunk.inside.objects);
            if chunk.may_begin_before {
                named.extend(self.names_into(number, at, vector).objects);
            }
        }
        named
    }

    /// What words may name that end in a chunk of an object and begin before it.
    fn names_into(&self, number: ObjectNumber, at: u32, vector: &[PartId]) -> Names {
        let chunk = |at: u32| {
            let slot = self.by_kind[&Kind::Chunk(number, at)];
            &self.chunk_part(slot, vector[slot.index()]).0
        };
        let others = bytes_of_a_name(self.program) - 1;
        let mut before: Vec<Cell> = Vec::new();
        for at in (0..at).rev() {
            let bytes = chunk(at);
            let missing = (others - before.len()).min(bytes.len());
            let mut cells: Vec<Cell> = bytes.iter(bytes.len() - missing..bytes.len()).collect();
            cells.append(&mut before);
            before = cells;
            if before.len() == others {
                break;
            }
        }
        let bytes = chunk(at);
        before.extend(bytes.iter(0..others.min(bytes.len())));
        Names::in_bytes(self.program, &self.recycling, &before.into())
    }

    /// Whether some memory is lost in one of several states that are made from one by changes.
    pub(crate) fn lose_memory(&self, vector: &[PartId], visited: &[Changes]) -> bool {
        if visited.is_empty() {
            return false;
        }
        let mut vector = vector.to_vec();
        visited.iter().any(|changes| {
            let before: Vec<PartId> = changes
                .iter()
                .map(|(slot, part)| std::mem::replace(&mut vector[slot.index()], *part))
                .collect();
            let is_lost = self.has_lost_memory(&vector);
            for ((slot, _), part) in changes.iter().zip(before) {
                vector[slot.index()] = part;
            }
            is_lost
        })
    }

    /// Whether some memory on the heap cannot be reached any more.
    fn has_lost_memory(&self, vector: &[PartId]) -> bool {
        let mut unvisited: FastMap<ObjectNumber, Slot> = FastMap::default();
        let mut named: Vec<ObjectNumber> = Vec::new();
        if self.worlds.get(vector[WORLD.index()]).0.has_ended {
            return false;
        }
        for (slot, part) in by_slot(vector) {
            if part == PartId::NONE {
                continue;
            }
            match self.slots[slot.index()] {
                Kind::World => {}
                Kind::Thread(_) => named.extend(&self.thread_part(slot, part).1.objects),
                Kind::Head(number) => {
                    let (head, names) = self.head_part(slot, part);
                    if head.is_live_heap() {
                        unvisited.insert(number, slot);
                    } else {
                        named.extend(&names.objects);
                    }
                }
                Kind::Chunk(number, at) => {
                    let head_slot = self.by_kind[&Kind::Head(number)];
                    let (head, _) = self.head_part(head_slot, vector[head_slot.index()]);
                    if !head.is_live_heap() {
                        let chunk = &self.chunk_part(slot, part).1;
                        named.extend(&chunk.inside.objects);
                        if chunk.may_begin_before {
                            named.extend(self.names_into(number, at, vector).objects);
                        }
                    }
                }
            }
        }
        let places = &self.worlds.get(vector[WORLD.index()]).0.places;
        while let Some(number) = named.pop() {
            // A word that names an earlier life may be a number, and a number leads to the object that lives there now.
            if !places.is_empty() {
                let shares = |it: &&ObjectNumber| **it != number && places.share(**it, number);
                named.extend(unvisited.keys().find(shares));
            }
            let Some(slot) = unvisited.remove(&number) else {
                continue;
            };
            let (head, names) = self.head_part(slot, vector[slot.index()]);
            if head.is_cut {
                named.extend(self.names_in_chunks(number, vector));
            } else {
                named.extend(&names.objects);
            }
        }
        !unvisited.is_empty()
    }
}

/// Marks those of some names, which are sorted, that are among others, which are so too.
fn mark_common<T: Ord>(asked: &[T], names: &[T], answers: &mut [u32]) {
    if asked.len() < names.len() {
        for (name, answer) in asked.iter().zip(answers) {
            if names.binary_search(name).is_ok() {
                *answer = 1;
            }
        }
    } else {
        for name in names {
            if let Ok(at) = asked.binary_search(name) {
                answers[at] = 1;
            }
        }
    }
}
