//! Objects: cells of symbolic words over bytes that are known.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use raddle_engine::Property;
use raddle_ir::arithmetic;
use raddle_ir::interpret::Storage;
use raddle_ir::{DataModel, Scalar};
use raddle_logic::{Operation, Term, TermId, Terms};

use crate::hazard::Hazard;
use crate::sync::Sync;
use crate::values::Evaluation;
use crate::word::Word;

/// An access to more places than this is not split into cases.
const MOST_PLACES: usize = 600;

/// And to more than this not if the pointer may be anything.
const MOST_PLACES_EVERYWHERE: u64 = 200;

/// More pointers in one value than this are not told apart.
const MOST_POINTEES: usize = 200;

/// How deep terms are looked into for addresses.
const DEPTH: u32 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    size: u64,
    word: Word,
}

/// An object. Where no cell lies, it holds the bytes it was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    /// In pointers.
    pub(crate) number: u32,
    pub(crate) storage: Storage,
    pub(crate) is_live: TermId,
    pub(crate) bytes: Arc<[Option<u8>]>,
    pub(crate) cells: BTreeMap<u64, Cell>,
    /// By their offsets. Bytes below them hold nothing.
    pub(crate) syncs: BTreeMap<u64, Sync>,
}

/// All objects, by their numbers. Copies share what they have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) objects: BTreeMap<u32, Arc<Object>>,
}

/// A place that an access may go to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) condition: TermId,
    pub(crate) object: u32,
    pub(crate) offset: u64,
}

impl Object {
    pub(crate) fn new(
        number: u32,
        storage: Storage,
        is_live: TermId,
        bytes: Arc<[Option<u8>]>,
    ) -> Self {
        Self {
            number,
            storage,
            is_live,
            bytes,
            cells: BTreeMap::new(),
            syncs: BTreeMap::new(),
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn overlapping(&self, offset: u64, size: u64) -> Vec<u64> {
        self.cells
            .iter()
            .filter(|(at, cell)| **at < offset + size && offset < **at + cell.size)
            .map(|(at, _)| *at)
            .collect()
    }

    /// The word of so many bytes, of as many bits as the bytes have.
    fn read(&self, terms: &mut Terms, offset: u64, size: u64) -> Word {
        if let Some(cell) = self.cells.get(&offset).filter(|it| it.size == size) {
            return cell.word;
        }
        if self.overlapping(offset, size).is_empty() {
            return self.known(terms, offset, size);
        }
        let bytes: Vec<Word> = (offset..offset + size)
            .map(|at| self.byte(terms, at))
            .collect();
        bytes
            .into_iter()
            .reduce(|low, high| Word {
                bits: terms.concatenate(high.bits, low.bits),
                is_defined: terms.and(low.is_defined, high.is_defined),
            })
            .expect("an access has at least one byte")
    }

    /// What it was made with.
    fn known(&self, terms: &mut Terms, offset: u64, size: u64) -> Word {
        let width = bits(size);
        let bytes = &self.bytes[index(offset)..index(offset + size)];
        let value = bytes.iter().rev().try_fold(0_u128, |value, byte| {
            Some(value << 8 | u128::from((*byte)?))
        });
        match value {
            Some(value) => {
                let value = terms.constant(value, width);
                Word::defined(terms, value)
            }
            None => Word::undefined(terms, width),
        }
    }

    fn byte(&self, terms: &mut Terms, at: u64) -> Word {
        let cell = self.cells.range(..=at).next_back();
        match cell.filter(|(begin, cell)| at < **begin + cell.size) {
            Some((begin, cell)) => Word {
                bits: terms.extract(cell.word.bits, bits(at - begin), 8),
                is_defined: cell.word.is_defined,
            },
            None => self.known(terms, at, 1),
        }
    }

    /// Whether what it was made with is all set or all unset here, so that one word says it.
    fn is_uniform(&self, offset: u64, size: u64) -> bool {
        let bytes = &self.bytes[index(offset)..index(offset + size)];
        bytes.iter().all(Option::is_some) || bytes.iter().all(Option::is_none)
    }

    /// Makes sure that one cell, or none, covers just these bytes, or that all of them are cells of one byte.
    fn align(&mut self, terms: &mut Terms, offset: u64, size: u64) -> bool {
        let fits = self.cells.get(&offset).is_some_and(|it| it.size == size);
        if fits {
            return true;
        }
        let overlapping = self.overlapping(offset, size);
        if overlapping.is_empty() && self.is_uniform(offset, size) {
            return true;
        }
        let mut begin = offset;
        let mut end = offset + size;
        for at in &overlapping {
            begin = begin.min(*at);
            end = end.max(at + self.cells[at].size);
        }
        let bytes: Vec<(u64, Word)> = (begin..end).map(|at| (at, self.byte(terms, at))).collect();
        for at in overlapping {
            self.cells.remove(&at);
        }
        for (at, word) in bytes {
            self.cells.insert(at, Cell { size: 1, word });
        }
        false
    }

    /// Writes where the condition holds.
    fn write(&mut self, terms: &mut Terms, condition: TermId, offset: u64, size: u64, word: Word) {
        if terms.is_true(condition) {
            // What was there before does not matter, but what is beside it does.
            for at in self.overlapping(offset, size) {
                let inside = at >= offset && at + self.cells[&at].size <= offset + size;
                if !inside {
                    self.align(terms, at, 1);
                }
            }
            for at in self.overlapping(offset, size) {
                self.cells.remove(&at);
            }
            self.cells.insert(offset, Cell { size, word });
        } else if self.align(terms, offset, size) {
            let old = self.read(terms, offset, size);
            let word = Word::choose(terms, condition, word, old);
            self.cells.insert(offset, Cell { size, word });
        } else {
            for at in offset..offset + size {
                let old = self.byte(terms, at);
                let byte = Word {
                    bits: terms.extract(word.bits, bits(at - offset), 8),
                    is_defined: word.is_defined,
                };
                let word = Word::choose(terms, condition, byte, old);
                self.cells.insert(at, Cell { size: 1, word });
            }
        }
    }

    /// Writes to a cell, whose type may have fewer bits than its bytes.
    pub(crate) fn put(&mut self, terms: &mut Terms, offset: u64, size: u64, word: Word) {
        let word = Word {
            bits: terms.zero_extend(word.bits, bits(size)),
            ..word
        };
        let always = terms.truth(true);
        self.write(terms, always, offset, size, word);
    }

    /// The bytes hold nothing any more where the condition holds.
    pub(crate) fn forget(&mut self, terms: &mut Terms, condition: TermId, offset: u64, size: u64) {
        for at in offset..offset + size {
            let nothing = Word::undefined(terms, 8);
            self.align(terms, at, 1);
            self.write(terms, condition, at, 1, nothing);
        }
    }

    /// The words, as large as a pointer, that it may hold besides what it was made with.
    pub(crate) fn words(&self, terms: &mut Terms, model: DataModel) -> Vec<Word> {
        let size = model.pointer_bytes();
        let mut offsets: BTreeSet<u64> = BTreeSet::new();
        for (at, cell) in &self.cells {
            offsets.extend((at / size..=(at + cell.size - 1) / size).map(|it| it * size));
            offsets.extend((cell.size == size).then_some(*at));
        }
        offsets
            .into_iter()
            .filter(|at| at + size <= self.size())
            .map(|at| self.read(terms, at, size))
            .collect()
    }

    /// What it is after a choice between two of its states.
    fn merged(terms: &mut Terms, condition: TermId, then: &Object, otherwise: &Object) -> Object {
        let mut result = otherwise.clone();
        result.is_live = terms.if_then_else(condition, then.is_live, otherwise.is_live);
        let mut places: Vec<(u64, u64)> = Vec::new();
        for (at, cell) in &then.cells {
            if otherwise.cells.get(at) != Some(cell) {
                places.push((*at, cell.size));
            }
        }
        for (offset, size) in places {
            let word = then.read(terms, offset, size);
            result.write(terms, condition, offset, size, word);
        }
        // Cells only the other has: the first holds something else there.
        let rest: Vec<(u64, u64)> = result
            .cells
            .iter()
            .filter(|(at, cell)| then.cells.get(at).map(|it| it.size) != Some(cell.size))
            .map(|(at, cell)| (*at, cell.size))
            .collect();
        for (offset, size) in rest {
            let word = then.read(terms, offset, size);
            result.write(terms, condition, offset, size, word);
        }
        let offsets: BTreeSet<u64> = then
            .syncs
            .keys()
            .chain(otherwise.syncs.keys())
            .copied()
            .collect();
        for offset in offsets {
            let merged = match (then.syncs.get(&offset), otherwise.syncs.get(&offset)) {
                (Some(one), Some(other)) => Sync::merged(terms, condition, one, other),
                (Some(one), None) => one.only_if(terms, condition),
                (None, Some(other)) => {
                    let refused = terms.not(condition);
                    other.only_if(terms, refused)
                }
                (None, None) => continue,
            };
            result.syncs.insert(offset, merged);
        }
        result
    }
}

impl Memory {
    /// What memory is after a choice between two states of it.
    pub(crate) fn merge(&mut self, terms: &mut Terms, condition: TermId, then: &Memory) {
        for (number, object) in &then.objects {
            match self.objects.get(number) {
                Some(known) if Arc::ptr_eq(known, object) => {}
                Some(known) => {
                    let merged = Object::merged(terms, condition, object, known);
                    self.objects.insert(*number, Arc::new(merged));
                }
                // Nobody else has a pointer to it.
                None => {
                    let mut object = Object::clone(object);
                    object.is_live = terms.and(condition, object.is_live);
                    self.objects.insert(*number, Arc::new(object));
                }
            }
        }
    }

    pub(crate) fn object_mut(&mut self, number: u32) -> &mut Object {
        Arc::make_mut(self.objects.get_mut(&number).expect("located before"))
    }

    /// Where `size` bytes behind a pointer may lie. Elsewhere something is wrong.
    pub(crate) fn locate(
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
                let address = arithmetic::join_pointer(number, offset, model);
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

    /// All places where a pointer may point to that may be anything, if they are few. Only aligned ones, so that cells stay
    /// whole; there is no answer for others.
    fn everywhere(
        &self,
        evaluation: &mut Evaluation<'_>,
        pointer: TermId,
        size: u64,
    ) -> BTreeSet<(u32, Reach)> {
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
    pub(crate) fn load(
        &self,
        evaluation: &mut Evaluation<'_>,
        targets: &[Target],
        ty: Scalar,
    ) -> Word {
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
            evaluation.observes_layout |=
                may_be_an_address(evaluation.terms, result.bits, &self.objects, model);
        }
        result
    }

    /// Writes to the one of the targets that it is.
    pub(crate) fn store(
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
    pub(crate) fn make(&mut self, terms: &mut Terms, guard: TermId, fresh: Object) {
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
    pub(crate) fn kill(&mut self, terms: &mut Terms, condition: TermId, number: u32) {
        if self.objects.contains_key(&number) {
            let kept = terms.not(condition);
            let object = self.object_mut(number);
            object.is_live = terms.and(object.is_live, kept);
        }
    }
}

impl Memory {
    /// Ends the life of all that was allocated.
    pub(crate) fn kill_heap(&mut self, terms: &mut Terms, condition: TermId) {
        let is_heap = |it: &(&u32, &Arc<Object>)| it.1.storage == Storage::Heap;
        let numbers: Vec<u32> = self
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

/// Where in an object a pointer may point to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    At(u64),
    /// To every so many bytes from the first on.
    Anywhere {
        first: u64,
        step: u64,
    },
}

impl Reach {
    pub(crate) fn covers(self, offset: u64) -> bool {
        match self {
            Reach::At(at) => at == offset,
            Reach::Anywhere { first, step } => offset % step == first % step,
        }
    }
}

/// The objects that a pointer may point to, read off its term; `None` if it may be anything.
pub(crate) fn pointees(
    terms: &Terms,
    pointer: TermId,
    model: DataModel,
) -> Option<BTreeSet<(u32, Reach)>> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open = vec![(pointer, None)];
    while let Some((term, outer)) = open.pop() {
        if !seen.insert((term, outer)) {
            continue;
        }
        if seen.len() > 20 * MOST_POINTEES || found.len() > MOST_POINTEES {
            return None;
        }
        match terms.term(term) {
            Term::Constant(bits) => {
                let (number, offset) = arithmetic::split_pointer(bits, model);
                let reach = match outer {
                    None => Reach::At(offset),
                    Some((residue, step)) => Reach::Anywhere {
                        first: (offset % step + residue) % step,
                        step,
                    },
                };
                found.insert((number, reach));
            }
            Term::Apply(Operation::IfThenElse, arguments) => {
                open.extend([(arguments[1], outer), (arguments[2], outer)]);
            }
            // One side is a pointer, the other what is added to it.
            Term::Apply(Operation::Add, arguments) => {
                let (base, added) = match arguments {
                    [base, added] if is_address(terms, *base, model, DEPTH) => (*base, *added),
                    [added, base] if is_address(terms, *base, model, DEPTH) => (*base, *added),
                    _ => return None,
                };
                let (residue, step) = congruence(terms, added);
                let outer = match outer {
                    None => (residue, step),
                    Some((before, other)) => {
                        let step = step.min(other);
                        ((residue + before) % step, step)
                    }
                };
                open.push((base, Some(outer)));
            }
            Term::Variable(_) | Term::Apply(..) => return None,
        }
    }
    Some(found)
}

/// The objects that a word may name, if it is plain that it is made of addresses.
pub(crate) fn named(terms: &Terms, word: TermId, model: DataModel) -> BTreeSet<u32> {
    named_at_all(terms, word, model).unwrap_or_default()
}

/// The same; `None` if it may be anything.
pub(crate) fn named_at_all(terms: &Terms, word: TermId, model: DataModel) -> Option<BTreeSet<u32>> {
    let found = pointees(terms, word, model)?;
    Some(found.into_iter().map(|(number, _)| number).collect())
}

/// Whether all that the term may be are addresses of objects, or null, as far as that shows without looking deep into
/// sums.
fn is_address(terms: &Terms, term: TermId, model: DataModel, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    let mut has_address = false;
    let mut seen = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if seen.len() > 20 * MOST_POINTEES {
            return false;
        }
        let is_one = match terms.term(term) {
            Term::Constant(0) => continue,
            Term::Constant(bits) => arithmetic::split_pointer(bits, model).0 != 0,
            Term::Apply(Operation::IfThenElse, arguments) => {
                open.extend(&arguments[1..]);
                continue;
            }
            Term::Apply(Operation::Add, arguments) => arguments
                .iter()
                .any(|it| is_address(terms, *it, model, depth)),
            Term::Variable(_) | Term::Apply(..) => false,
        };
        if !is_one {
            return false;
        }
        has_address = true;
    }
    has_address
}

/// A remainder and a power of two that the term leaves it with whatever its variables are.
fn congruence(terms: &Terms, term: TermId) -> (u64, u64) {
    congruence_within(terms, term, DEPTH)
}

/// The same, looking so deep.
fn congruence_within(terms: &Terms, term: TermId, depth: u32) -> (u64, u64) {
    const MOST: u64 = 1 << 16;
    let Some(depth) = depth.checked_sub(1) else {
        return (0, 1);
    };
    let congruence = |terms: &Terms, term| congruence_within(terms, term, depth);
    let low = |bits: u128| u64::try_from(bits % u128::from(MOST)).expect("below");
    match terms.term(term) {
        Term::Constant(bits) => (low(bits), MOST),
        Term::Apply(Operation::Add, &[left, right]) => {
            let (one, other) = (congruence(terms, left), congruence(terms, right));
            let step = one.1.min(other.1);
            ((one.0 + other.0) % step, step)
        }
        Term::Apply(Operation::Multiply, &[left, right]) => {
            let factor = terms.constant_value(right).or(terms.constant_value(left));
            let zeros = factor.map_or(0, u128::trailing_zeros).min(16);
            (0, 1 << zeros)
        }
        Term::Apply(Operation::ShiftLeft, &[_, amount]) => {
            let zeros = terms.constant_value(amount).unwrap_or(0).min(16);
            (0, 1 << zeros)
        }
        Term::Apply(Operation::ZeroExtend | Operation::SignExtend, &[inner]) => {
            let (residue, step) = congruence(terms, inner);
            let width = terms.width(inner).min(16);
            let step = step.min(1 << width);
            (residue % step, step)
        }
        Term::Apply(Operation::Concatenate, &[_, tail]) => {
            let (residue, step) = congruence(terms, tail);
            let step = step.min(1 << terms.width(tail).min(16));
            (residue % step, step)
        }
        Term::Apply(Operation::IfThenElse, &[_, then, otherwise]) => {
            let (one, other) = (congruence(terms, then), congruence(terms, otherwise));
            let mut step = one.1.min(other.1);
            while one.0 % step != other.0 % step {
                step /= 2;
            }
            (one.0 % step, step)
        }
        Term::Variable(_) | Term::Apply(..) => (0, 1),
    }
}

/// Whether a word is, or may be, an address that a program computed. Numbers from nowhere are none.
fn may_be_an_address(
    terms: &Terms,
    word: TermId,
    objects: &BTreeMap<u32, Arc<Object>>,
    model: DataModel,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![word];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        match terms.term(term) {
            Term::Constant(bits) => {
                let (number, _) = arithmetic::split_pointer(bits, model);
                if number != 0 && objects.contains_key(&number) {
                    return true;
                }
            }
            Term::Apply(Operation::IfThenElse, arguments) => {
                open.extend([arguments[1], arguments[2]]);
            }
            Term::Variable(_) | Term::Apply(..) => {}
        }
        if seen.len() > 20 * MOST_POINTEES {
            return true;
        }
    }
    false
}

fn bits(bytes: u64) -> u32 {
    u32::try_from(8 * bytes).expect("a cell has few bytes")
}

fn index(at: u64) -> usize {
    usize::try_from(at).expect("objects fit memory")
}
