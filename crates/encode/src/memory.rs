//! All objects, and the accesses to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_engine::Property;
use raddle_ir::Scalar;
use raddle_ir::interpret::Storage;
use raddle_logic::{TermId, Terms};

use crate::hazard::Hazard;
use crate::names::ObjectName;
use crate::object::{Object, bits, index};
use crate::pointees::{Reach, may_be_an_address, pointees};
use crate::touch::{Atomicity, Mode, Touch};
use crate::values::Evaluation;
use crate::word::Word;

/// An access to more places than this is not split into cases.
const MOST_PLACES: usize = 600;

/// And to more than this not if the pointer may be anything.
const MOST_PLACES_EVERYWHERE: u64 = 200;

/// All objects, by their numbers. Copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub objects: BTreeMap<ObjectName, Arc<Object>>,
    /// By how many bytes they have room for: whether heap memory was freed where new memory may lie now.
    pub freed: BTreeMap<u64, TermId>,
}

/// A place that an access may go to.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub condition: TermId,
    pub object: ObjectName,
    pub offset: u64,
}

impl Memory {
    /// What memory is after a choice between two states of it.
    pub fn merge(&mut self, terms: &mut Terms, condition: TermId, then: &Memory) {
        let never = terms.truth(false);
        let rooms: BTreeSet<u64> = self
            .freed
            .keys()
            .chain(then.freed.keys())
            .copied()
            .collect();
        for room in rooms {
            let of = |memory: &Memory| memory.freed.get(&room).copied().unwrap_or(never);
            let merged = terms.if_then_else(condition, of(then), of(self));
            self.freed.insert(room, merged);
        }
        for (number, object) in &then.objects {
            match self.objects.get(number) {
                Some(known) if Arc::ptr_eq(known, object) => {}
                Some(known) => {
                    let merged = Object::merged(terms, condition, object, known);
                    self.objects.insert(*number, Arc::new(merged));
                }
                // No other thread has a pointer to it.
                None => {
                    let mut object = Object::clone(object);
                    object.is_live = terms.and(condition, object.is_live);
                    self.objects.insert(*number, Arc::new(object));
                }
            }
        }
    }

    pub fn object_mut(&mut self, number: ObjectName) -> &mut Object {
        Arc::make_mut(self.objects.get_mut(&number).expect("located before"))
    }

    /// Where `size` bytes behind a pointer may lie. Elsewhere something is wrong.
    pub fn locate(
        &self,
        evaluation: &mut Evaluation<'_>,
        pointer: TermId,
        size: u64,
    ) -> Vec<Target> {
        let model = evaluation.program.model;
        let pointees = match pointees(evaluation.terms, pointer, model) {
            Some(pointees) => pointees,
            None => self.everywhere(evaluation, pointer, size),
        };
        let mut targets = Vec::new();
        let mut is_there = Vec::new();
        for (number, offset) in pointees {
            let Some(object) = self.objects.get(&number) else {
                continue;
            };
            let Some(last) = object.size().checked_sub(size) else {
                continue;
            };
            let offsets: Vec<u64> = match offset {
                Reach::At(offset) if offset <= last => vec![offset],
                Reach::At(_) => Vec::new(),
                Reach::Anywhere { first, step } => (first..=last)
                    .step_by(index(step))
                    .take(MOST_PLACES + 1)
                    .collect(),
            };
            if targets.len() + offsets.len() > MOST_PLACES {
                evaluation.give_up("an access to one of very many places");
                return Vec::new();
            }
            for offset in offsets {
                let address = number.pointer(offset, model);
                let is_here = evaluation.terms.equals_constant(pointer, address);
                let condition = evaluation.terms.and(is_here, object.is_live);
                if !evaluation.terms.is_false(condition) {
                    is_there.push(condition);
                    targets.push(Target {
                        condition,
                        object: number,
                        offset,
                    });
                }
            }
        }
        let is_somewhere = evaluation.terms.any(&is_there);
        evaluation.require(is_somewhere, || Hazard::Violation(Property::Memory));
        targets
    }

    /// Where `size` bytes behind a pointer may lie that are to be written.
    pub fn locate_to_write(
        &self,
        evaluation: &mut Evaluation<'_>,
        pointer: TermId,
        size: u64,
    ) -> Vec<Target> {
        let mut targets = self.locate(evaluation, pointer, size);
        let found = targets.len();
        targets.retain(|it| !self.objects[&it.object].read_only.touches(it.offset, size));
        if targets.len() < found {
            let conditions: Vec<TermId> = targets.iter().map(|it| it.condition).collect();
            let is_writable = evaluation.terms.any(&conditions);
            evaluation.require(is_writable, || Hazard::Violation(Property::Memory));
        }
        targets
    }

    /// All places where a pointer may point to that may be anything, if they are few. Only aligned ones, so that cells stay
    /// whole; there is no answer for others.
    fn everywhere(
        &self,
        evaluation: &mut Evaluation<'_>,
        pointer: TermId,
        size: u64,
    ) -> BTreeSet<(ObjectName, Reach)> {
        let step = size.max(1);
        let is_live = |it: &&Arc<Object>| !evaluation.terms.is_false(it.is_live);
        let live: Vec<&Arc<Object>> = self.objects.values().filter(is_live).collect();
        let places: u64 = live.iter().map(|it| it.size() / step + 1).sum();
        if places > MOST_PLACES_EVERYWHERE || !step.is_power_of_two() {
            evaluation.give_up("a pointer that may point anywhere");
            return BTreeSet::new();
        }
        if step > 1 {
            let low = evaluation.terms.extract(pointer, 0, step.ilog2());
            let is_aligned = evaluation.terms.equals_constant(low, 0);
            let what = "a pointer that may point anywhere".to_owned();
            evaluation.require(is_aligned, || Hazard::Unsupported(what));
        }
        let reach = Reach::Anywhere { first: 0, step };
        live.into_iter().map(|it| (it.number, reach)).collect()
    }

    /// What the targets hold; one of them is the one.
    pub fn load(&self, evaluation: &mut Evaluation<'_>, targets: &[Target], ty: Scalar) -> Word {
        let model = evaluation.program.model;
        let (size, width) = (ty.size(model), ty.bits(model));
        let mut result: Option<Word> = None;
        for target in targets {
            let object = &self.objects[&target.object];
            for at in object.overlapping(target.offset, size) {
                let cell = object.cells[&at];
                if at != target.offset || cell.size != size {
                    // Bytes of a name are no name.
                    evaluation.doubt_if_name(cell.word.bits);
                }
            }
            let terms = &mut *evaluation.terms;
            let mut word = object.read(terms, target.offset, size);
            for (at, sync) in &object.syncs {
                if *at < target.offset + size && target.offset < at + sync.size(model) {
                    let is_gone = terms.not(sync.exists);
                    word.is_defined = terms.and(word.is_defined, is_gone);
                }
            }
            word.bits = terms.extract(word.bits, 0, width);
            let word = word.given(terms, target.condition);
            result = Some(match result {
                None => word,
                Some(others) => Word::choose(terms, target.condition, word, others),
            });
        }
        let result = match result {
            Some(result) => result,
            None => Word::undefined(evaluation.terms, width),
        };
        if let Scalar::Int(int) = ty
            && u32::from(int.bits) >= model.pointer_bits()
        {
            let is_address = may_be_an_address(evaluation.terms, result.bits, &self.objects, model);
            evaluation.observes_layout |= is_address;
            if is_address && evaluation.doubts_numbers && self.may_be_on_heap(evaluation, result) {
                evaluation.give_up("an address that is read as a number, and may come back");
            }
        }
        result
    }

    /// Whether a word may be the address of something that was allocated.
    fn may_be_on_heap(&self, evaluation: &Evaluation<'_>, word: Word) -> bool {
        let heap: BTreeMap<ObjectName, Arc<Object>> = self
            .objects
            .iter()
            .filter(|(_, it)| it.storage == Storage::Heap)
            .map(|(number, it)| (*number, Arc::clone(it)))
            .collect();
        let model = evaluation.program.model;
        may_be_an_address(evaluation.terms, word.bits, &heap, model)
    }

    /// Writes to the one of the targets that it is.
    pub fn store(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        targets: &[Target],
        ty: Scalar,
        word: Word,
    ) {
        let model = evaluation.program.model;
        let size = ty.size(model);
        let guard = evaluation.guard;
        let terms = &mut *evaluation.terms;
        let wide = Word {
            bits: terms.zero_extend(word.bits, bits(size)),
            is_defined: word.is_defined,
        };
        for target in targets {
            let condition = terms.and(guard, target.condition);
            if terms.is_false(condition) {
                continue;
            }
            let object = self.object_mut(target.object);
            object.write(terms, condition, target.offset, size, wide);
            let overwritten: Vec<u64> = object
                .syncs
                .iter()
                .filter(|(at, sync)| {
                    **at < target.offset + size && target.offset < **at + sync.size(model)
                })
                .map(|(at, _)| *at)
                .collect();
            let kept = terms.not(condition);
            for at in overwritten {
                let sync = object.syncs[&at].only_if(terms, kept);
                object.syncs.insert(at, sync);
            }
        }
    }

    /// Makes an object anew where the guard holds.
    pub fn make(&mut self, terms: &mut Terms, guard: TermId, fresh: Object) {
        let number = fresh.number;
        let made = if let Some(known) = self.objects.get(&number) {
            Object::merged(terms, guard, &fresh, known)
        } else {
            Object {
                is_live: terms.and(guard, fresh.is_live),
                ..fresh
            }
        };
        self.objects.insert(number, Arc::new(made));
    }

    /// Ends the life of an object where the condition holds.
    pub fn kill(&mut self, terms: &mut Terms, condition: TermId, number: ObjectName) {
        if self.objects.contains_key(&number) {
            let kept = terms.not(condition);
            let object = self.object_mut(number);
            object.is_live = terms.and(object.is_live, kept);
        }
    }
}

impl Memory {
    /// Heap memory with this much room was freed where the condition holds.
    pub fn note_freed(&mut self, terms: &mut Terms, condition: TermId, room: u64) {
        let never = terms.truth(false);
        let before = self.freed.get(&room).copied().unwrap_or(never);
        self.freed.insert(room, terms.or(before, condition));
    }

    /// Whether memory was freed into which so many bytes fit.
    pub fn has_freed(&self, terms: &mut Terms, size: u64) -> TermId {
        let freed: Vec<TermId> = self.freed.range(size..).map(|(_, it)| *it).collect();
        terms.any(&freed)
    }

    /// Ends the life of all that was allocated.
    pub fn kill_heap(&mut self, terms: &mut Terms, condition: TermId) {
        let is_heap = |it: &(&ObjectName, &Arc<Object>)| it.1.storage == Storage::Heap;
        let numbers: Vec<ObjectName> = self
            .objects
            .iter()
            .filter(is_heap)
            .map(|it| *it.0)
            .collect();
        for number in numbers {
            self.kill(terms, condition, number);
        }
    }
}

impl Evaluation<'_> {
    /// Notes that so many bytes behind each of the targets are touched, where the condition holds.
    pub fn touch(
        &mut self,
        targets: &[Target],
        size: u64,
        condition: TermId,
        (mode, atomicity): (Mode, Atomicity),
    ) {
        let guard = self.terms.and(self.guard, condition);
        for target in targets {
            let condition = self.terms.and(guard, target.condition);
            if !self.terms.is_false(condition) {
                let touch = Touch {
                    object: target.object,
                    offset: target.offset,
                    size,
                    mode,
                    atomicity,
                };
                self.touched.push((touch, condition));
            }
        }
    }
}
