//! Which parts of what is shared several threads deal with, and which values they can have.
//!
//! Threads are unrolled again and again until nothing new is found: what a thread receives decides which ways it can go
//! and what it touches there. What only one thread touches, or no thread writes, needs no handing over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_encode::Word;
use raddle_encode::encoder::Encoder;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::object::Object;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::Shared;
use raddle_encode::sync::{State, Sync};
use raddle_encode::touch::{Atomicity, Mode, Touch};
use raddle_ir::{MutexKind, Scalar, SyncType};
use raddle_logic::{Operation, Term, TermId, Terms};

use crate::deeds::Lock;
use crate::slots::{Slot, SyncPart, slots_of_link, slots_of_sync};
use crate::unrolled::Unrolled;

/// More values than this are not listed.
const MOST_VALUES: usize = 64;

/// How far terms are looked into for the values they can have.
const MOST_TERMS: usize = 4_000;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Values {
    /// One of these.
    Few(BTreeSet<u128>),
    Any,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct SlotShape {
    width: u32,
    values: Values,
    may_be_undefined: bool,
}

/// Bytes of an object, as ranges from a first to behind the last.
type Ranges = BTreeSet<(u64, u64)>;

/// What was found out so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Which thread touches which bytes while others are there, from the first to behind the last, and whether it writes them.
    touched: BTreeMap<ObjectName, BTreeSet<(ThreadIndex, u64, u64, bool)>>,
    /// Bytes that one thread writes and another touches.
    contended: BTreeMap<ObjectName, Ranges>,
    /// Contended objects, as they are made, but without life.
    objects: BTreeMap<ObjectName, Object>,
    /// The synchronisation objects in them.
    syncs: BTreeMap<Lock, Sync>,
    /// Those that are not only locked and unlocked: made anew, destroyed or written over while several threads run.
    fragile: BTreeSet<Lock>,
    /// The types of the results of threads; `None` if they differ.
    results: BTreeMap<ThreadIndex, Option<Scalar>>,
    slots: BTreeMap<Slot, SlotShape>,
    /// Where threads need the token.
    nodes: BTreeSet<(ThreadIndex, UnrolledPoint)>,
    /// All threads.
    threads: Vec<ThreadIndex>,
    pub(crate) clock_bits: u32,
    /// Reads of what several threads read and no other one writes are nodes too, though no pass is needed there.
    pub(crate) has_quiet_nodes: bool,
}

impl Shape {
    pub(crate) fn is_node(&self, thread: ThreadIndex, place: &UnrolledPoint) -> bool {
        self.nodes.contains(&(thread, place.clone()))
    }

    /// How many pieces are handed over.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is one kind of lock at a place, the plain one.
    pub(crate) fn is_plain_mutex(&self, lock: Lock) -> bool {
        let plain = SyncType::Mutex(MutexKind::Plain);
        let sync = self.syncs.get(&lock);
        sync.is_some_and(|it| it.ty == plain && matches!(it.state, State::Mutex { .. }))
    }

    /// Whether a lock that a thread holds is certainly held until that thread releases it.
    pub(crate) fn stays_held(&self, lock: Lock) -> bool {
        !self.fragile.contains(&lock)
    }

    /// Whether another thread touches the same bytes, and one of the two writes them.
    fn is_contended(&self, thread: ThreadIndex, touch: &Touch) -> bool {
        let (begin, end) = (touch.offset, touch.offset + touch.size);
        let others = self.touched.get(&touch.object).into_iter().flatten();
        let mut others = others.filter(|it| it.0 != thread && it.1 < end && begin < it.2);
        others.any(|it| it.3 || touch.writes())
    }

    /// Whether a read is of bytes that another thread touches, and of which the reader is not the only writer.
    fn is_read_by_several(&self, thread: ThreadIndex, touch: &Touch) -> bool {
        let (begin, end) = (touch.offset, touch.offset + touch.size);
        let touches = self.touched.get(&touch.object).into_iter().flatten();
        let mut of_bytes = touches.filter(|it| it.1 < end && begin < it.2);
        let is_own = of_bytes.clone().any(|it| it.0 == thread && it.3);
        !is_own && of_bytes.any(|it| it.0 != thread)
    }

    /// Whether no other thread changes a slot: what a thread knows of it is true whatever others do.
    fn is_own(&self, thread: ThreadIndex, slot: Slot) -> bool {
        let Slot::Cell {
            object,
            offset,
            size,
        } = slot
        else {
            return false;
        };
        let touches = self.touched.get(&object).into_iter().flatten();
        let mut writes = touches.filter(|it| it.3 && it.1 < offset + size && offset < it.2);
        writes.all(|it| it.0 == thread)
    }

    /// Takes in what an unrolling shows.
    pub(crate) fn learn(&mut self, encoder: &mut Encoder<'_>, unrolled: &Unrolled) {
        self.threads = encoder.instances.ids().collect();
        self.learn_contention(unrolled);
        for (thread, place, touch) in &unrolled.touches {
            if self.is_contended(*thread, touch)
                || self.has_quiet_nodes && self.is_read_by_several(*thread, touch)
            {
                self.nodes.insert((*thread, place.clone()));
            }
        }
        self.nodes.extend(unrolled.needing.iter().cloned());
        let states: Vec<&Shared> = unrolled
            .nodes
            .values()
            .map(|it| &it.passage.shared)
            .collect();
        self.learn_objects(encoder, &states);
        self.learn_fragility(encoder, unrolled);
        self.learn_results(&states);
        self.learn_slots(encoder, &states);
        let count = unrolled.nodes.len() + 1;
        self.clock_bits = self.clock_bits.max(usize::BITS - count.leading_zeros());
    }

    /// Bytes that one thread writes and another touches.
    fn learn_contention(&mut self, unrolled: &Unrolled) {
        for (thread, _, touch) in &unrolled.touches {
            let end = touch.offset + touch.size;
            let of_object = self.touched.entry(touch.object).or_default();
            of_object.insert((*thread, touch.offset, end, touch.writes()));
        }
        for (object, touches) in &self.touched {
            let touches: Vec<_> = touches.iter().collect();
            for (at, (thread, begin, end, writes)) in touches.iter().enumerate() {
                for (other, its_begin, its_end, its_writes) in &touches[at + 1..] {
                    let (first, last) = (*begin.max(its_begin), *end.min(its_end));
                    if thread != other && (*writes || *its_writes) && first < last {
                        let ranges = self.contended.entry(*object).or_default();
                        if !covers(ranges, first, last) {
                            ranges.insert((first, last));
                        }
                    }
                }
            }
        }
    }

    fn learn_objects(&mut self, encoder: &mut Encoder<'_>, states: &[&Shared]) {
        let never = encoder.terms.truth(false);
        let model = encoder.program.model;
        for (number, ranges) in &self.contended {
            for object in states.iter().filter_map(|it| it.memory.objects.get(number)) {
                self.objects.entry(*number).or_insert_with(|| Object {
                    is_live: never,
                    cells: BTreeMap::new(),
                    syncs: BTreeMap::new(),
                    ..Object::clone(object)
                });
                for (offset, sync) in &object.syncs {
                    if !overlaps(ranges, *offset, offset + sync.size(model)) {
                        continue;
                    }
                    let known = self
                        .syncs
                        .entry((*number, *offset))
                        .or_insert_with(|| Sync {
                            exists: never,
                            ..sync.clone()
                        });
                    if known.ty != sync.ty || sync.state == State::Other {
                        known.state = State::Other;
                    }
                }
            }
        }
    }

    fn learn_fragility(&mut self, encoder: &Encoder<'_>, unrolled: &Unrolled) {
        let model = encoder.program.model;
        for ((object, offset), sync) in &self.syncs {
            let operation = Touch {
                object: *object,
                offset: *offset,
                size: sync.size(model),
                mode: Mode::Write,
                atomicity: Atomicity::Atomic,
            };
            let changes = |it: &Touch| it.writes() && *it != operation && it.overlaps(&operation);
            if unrolled.touches.iter().any(|it| changes(&it.2)) {
                self.fragile.insert((*object, *offset));
            }
        }
    }

    fn learn_results(&mut self, states: &[&Shared]) {
        for state in states {
            for (thread, link) in state.links.iter() {
                if let Some((ty, _)) = link.result {
                    let known = self.results.entry(thread).or_insert(Some(ty));
                    if *known != Some(ty) || link.has_mixed_results {
                        *known = None;
                    }
                }
            }
        }
    }

    fn learn_slots(&mut self, encoder: &mut Encoder<'_>, states: &[&Shared]) {
        let mut slots: BTreeSet<Slot> = BTreeSet::from([Slot::ProcessEnd]);
        for &thread in &self.threads {
            let has_result = matches!(self.results.get(&thread), Some(Some(_)));
            let of_link = slots_of_link(thread);
            slots.extend(
                of_link.filter(|it| {
                    *it != Slot::Link(thread, crate::slots::Trait::Result) || has_result
                }),
            );
        }
        for number in self.objects.keys() {
            slots.insert(Slot::Live(*number));
            for (offset, size) in self.cells(*number, states) {
                slots.insert(Slot::Cell {
                    object: *number,
                    offset,
                    size,
                });
            }
        }
        for ((object, offset), sync) in &self.syncs {
            slots.extend(slots_of_sync(*object, *offset, sync, &self.threads));
        }
        self.slots.retain(|slot, _| slots.contains(slot));
        for slot in slots {
            let words: Vec<Option<Word>> = states.iter().map(|it| slot.read(encoder, it)).collect();
            let terms = &mut encoder.terms;
            let found = words.iter().flatten().next();
            let width = slot.width().or(found.map(|it| terms.width(it.bits)));
            // No thread has come to the place yet.
            let Some(width) = width else {
                continue;
            };
            let nothing = slot.nothing(terms, width);
            let shape = self.slots.entry(slot).or_insert_with(|| SlotShape {
                width,
                values: Values::Few(BTreeSet::new()),
                may_be_undefined: false,
            });
            let mut seen: BTreeSet<(TermId, TermId)> = BTreeSet::new();
            for word in words {
                let word = word.unwrap_or(nothing);
                if seen.insert((word.bits, word.is_defined)) {
                    shape.may_be_undefined |= !terms.is_true(word.is_defined);
                    shape.admit(terms, word.bits);
                }
            }
        }
    }

    /// The cells of an object that are handed over: whole ones, or bytes where threads see them differently.
    fn cells(&self, object: ObjectName, states: &[&Shared]) -> BTreeSet<(u64, u64)> {
        let ranges = &self.contended[&object];
        let mut extents: BTreeSet<(u64, u64)> = BTreeSet::new();
        for slot in self.slots.keys() {
            if let Slot::Cell {
                object: its,
                offset,
                size,
            } = slot
                && *its == object
            {
                extents.insert((*offset, offset + size));
            }
        }
        let found = states
            .iter()
            .filter_map(|it| it.memory.objects.get(&object));
        for (offset, cell) in found.flat_map(|it| &it.cells) {
            if overlaps(ranges, *offset, offset + cell.size) {
                extents.insert((*offset, offset + cell.size));
            }
        }
        let mut cells = BTreeSet::new();
        let mut group: Vec<(u64, u64)> = Vec::new();
        let mut flush = |group: &mut Vec<(u64, u64)>| {
            if let [(begin, end)] = group.as_slice() {
                cells.insert((*begin, end - begin));
            } else if let Some((begin, _)) = group.first() {
                let end = group.iter().map(|it| it.1).max().unwrap_or(*begin);
                cells.extend((*begin..end).map(|at| (at, 1)));
            }
            group.clear();
        };
        for (begin, end) in extents {
            if group.iter().all(|it| it.1 <= begin) {
                flush(&mut group);
            }
            group.push((begin, end));
        }
        flush(&mut group);
        cells
    }

    /// Values that any thread may receive, one for each slot.
    pub(crate) fn fresh(&self, terms: &mut Terms) -> Vec<Word> {
        self.slots.values().map(|it| it.fresh(terms)).collect()
    }

    /// Makes sure that all slots are in a state.
    pub(crate) fn prepare(&self, encoder: &mut Encoder<'_>, shared: &mut Shared) {
        for (number, object) in &self.objects {
            let known = shared.memory.objects.entry(*number);
            known.or_insert_with(|| Arc::new(object.clone()));
        }
        for ((object, offset), sync) in &self.syncs {
            let object = shared.memory.object_mut(*object);
            let known = object.syncs.entry(*offset).or_insert_with(|| sync.clone());
            let is_other = sync.state == State::Other || known.ty != sync.ty;
            if is_other || is_never_handed_over(&known.state) {
                known.state = State::Other;
            }
            if let State::Condition { waiting } = &mut known.state {
                let never = encoder.terms.truth(false);
                let bits = encoder.program.model.pointer_bits();
                let null = encoder.terms.constant(0, bits);
                for &thread in &self.threads {
                    waiting.entry(thread).or_insert((never, null));
                }
            }
        }
        for &thread in &self.threads {
            let width = |ty: Scalar| ty.bits(encoder.program.model);
            let result = self.results.get(&thread).copied();
            let unset = match result {
                Some(Some(ty)) => {
                    let width = width(ty);
                    Some((ty, Word::undefined(&mut encoder.terms, width)))
                }
                Some(None) | None => None,
            };
            let link = encoder.link(shared, thread);
            link.has_mixed_results |= result == Some(None);
            link.result = link.result.or(unset);
        }
    }

    /// What a state holds, slot by slot.
    pub(crate) fn values(&self, encoder: &mut Encoder<'_>, shared: &Shared) -> Vec<Word> {
        let slots = self.slots.iter();
        slots
            .map(|(slot, shape)| match slot.read(encoder, shared) {
                Some(word) => word,
                None => slot.nothing(&mut encoder.terms, shape.width),
            })
            .collect()
    }

    /// Receives: where the condition holds, the state is what came. Locks that the thread holds stay so.
    pub(crate) fn receive(
        &self,
        encoder: &mut Encoder<'_>,
        shared: &mut Shared,
        (received, is_certain): (TermId, bool),
        came: &mut [Word],
        (thread, held): (ThreadIndex, &BTreeSet<Lock>),
    ) {
        self.prepare(encoder, shared);
        for ((slot, shape), word) in self.slots.iter().zip(came) {
            let before = slot.read(encoder, shared);
            let before = match before {
                Some(before) => before,
                None => slot.nothing(&mut encoder.terms, shape.width),
            };
            let is_held = match slot {
                Slot::Sync(
                    object,
                    offset,
                    SyncPart::Owner | SyncPart::Count | SyncPart::Exists,
                ) => held.contains(&(*object, *offset)),
                Slot::ProcessEnd
                | Slot::Live(_)
                | Slot::Cell { .. }
                | Slot::Sync(..)
                | Slot::Link(..) => false,
            };
            if is_held || self.is_own(thread, *slot) {
                *word = before;
                continue;
            }
            let after = if is_certain {
                *word
            } else {
                Word::choose(&mut encoder.terms, received, *word, before)
            };
            if after != before {
                slot.write(encoder, shared, after);
            }
        }
    }

    /// Simplifies what changed by a condition that holds from now on.
    pub(crate) fn assume(
        &self,
        encoder: &mut Encoder<'_>,
        shared: &mut Shared,
        before: &[Word],
        condition: TermId,
    ) {
        if encoder.terms.is_true(condition) {
            return;
        }
        for (slot, before) in self.slots.keys().zip(before) {
            let Some(word) = slot.read(encoder, shared) else {
                continue;
            };
            if word != *before {
                let simpler = word.given(&mut encoder.terms, condition);
                if simpler != word {
                    slot.write(encoder, shared, simpler);
                }
            }
        }
    }

    /// Whether what is handed over is certainly what is received. Numbers that are no more than numbers here, but names
    /// where they come from, are not.
    pub(crate) fn hides_a_name(&self, encoder: &mut Encoder<'_>, values: &[Word]) -> bool {
        let shapes = self.slots.values().zip(values);
        let mut open = shapes.filter(|(shape, _)| shape.values == Values::Any);
        open.any(|(_, word)| encoder.names.kinds(&encoder.terms, word.bits).is_name)
    }

    /// For each slot, whether no other thread changes it.
    pub(crate) fn owned(&self, thread: ThreadIndex) -> Vec<bool> {
        let slots = self.slots.keys();
        slots.map(|it| self.is_own(thread, *it)).collect()
    }

    /// What has to be the same if the values are what came.
    pub(crate) fn pairs(
        &self,
        terms: &mut Terms,
        (came, owned): (&[Word], &[bool]),
        values: &[Word],
    ) -> Vec<(TermId, TermId)> {
        let mut all = Vec::new();
        let shapes = self.slots.values().zip(owned);
        for ((came, value), (shape, is_own)) in came.iter().zip(values).zip(shapes) {
            if *is_own {
                continue;
            }
            if shape.may_be_undefined {
                all.push((came.is_defined, value.is_defined));
                // Bits that mean nothing may be any.
                let bits = terms.if_then_else(value.is_defined, value.bits, came.bits);
                all.push((came.bits, bits));
            } else {
                all.push((came.bits, value.bits));
            }
        }
        all
    }
}

fn is_never_handed_over(state: &State) -> bool {
    match state {
        State::Monitor(_) | State::Other => true,
        State::Mutex { .. }
        | State::Barrier { .. }
        | State::ReadWriteLock { .. }
        | State::Condition { .. }
        | State::Semaphore { .. } => false,
    }
}

impl SlotShape {
    fn admit(&mut self, terms: &Terms, term: TermId) {
        let Values::Few(values) = &mut self.values else {
            return;
        };
        let is_fine = leaves(terms, term, values) && values.len() <= MOST_VALUES;
        let are_both = self.width == 1 && values.len() == 2;
        if !is_fine || are_both {
            self.values = Values::Any;
        }
    }

    fn fresh(&self, terms: &mut Terms) -> Word {
        let bits = match &self.values {
            Values::Any => terms.fresh_variable("received", self.width),
            Values::Few(values) => {
                let mut values = values.iter().enumerate();
                let count = values.len();
                let (_, first) = values.next().unwrap_or((0, &0));
                let mut chosen = terms.constant(*first, self.width);
                if count > 1 {
                    let width = usize::BITS - (count - 1).leading_zeros();
                    let which = terms.fresh_variable("received", width);
                    for (index, value) in values {
                        let is_this = terms.equals_constant(which, index as u128);
                        let value = terms.constant(*value, self.width);
                        chosen = terms.if_then_else(is_this, value, chosen);
                    }
                }
                chosen
            }
        };
        let is_defined = if self.may_be_undefined {
            terms.fresh_variable("is_set", 1)
        } else {
            terms.truth(true)
        };
        Word { bits, is_defined }
    }
}

/// Collects the constants that a choice is between; whether there is nothing else.
fn leaves(terms: &Terms, term: TermId, found: &mut BTreeSet<u128>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > MOST_TERMS {
            return false;
        }
        match terms.term(term) {
            Term::Constant(bits) => {
                found.insert(bits);
            }
            Term::Apply(Operation::IfThenElse, arguments) => open.extend(&arguments[1..]),
            Term::Variable(_) | Term::Apply(..) => return false,
        }
    }
    true
}

fn overlaps(ranges: &Ranges, begin: u64, end: u64) -> bool {
    ranges.iter().any(|it| it.0 < end && begin < it.1)
}

fn covers(ranges: &Ranges, begin: u64, end: u64) -> bool {
    ranges.iter().any(|it| it.0 <= begin && end <= it.1)
}
