//! Addresses that come back: a new block of heap memory may lie where a freed one lay.
//!
//! An object keeps its own number for one life, so whoever follows a pointer of an earlier life follows a dangling one.
//! What comes back is the *address*: [`Places`] says which lives share one. Where addresses can be told apart, in
//! comparisons, compare-and-exchange and wherever a pointer becomes a number, the number of the address stands for all
//! lives there; a number that becomes a pointer points to the life that lasts.
//!
//! An address may come back only while a value that may still be compared names it; else nobody could tell it from a new
//! one. [`demand`] says which values these are, among those that [`taint`] says may be addresses at all.

mod demand;
mod parts;
mod taint;

use std::collections::BTreeSet;

use raddle_base::Id;

use crate::action::{Action, AllocateKind};
use crate::arithmetic::{moved_to, split_pointer};
use crate::expression::Expression;
use crate::program::{EdgeId, FunctionId, Program};
use crate::types::{DataModel, Scalar};

use crate::bytes::Bytes;
use crate::interpret::state::{Object, ObjectNumber, State, Thread};
use crate::numbering::{names_in_bytes, value_words};
use crate::places::Places;
use crate::watch::Look;

use demand::Demand;
use parts::{Parts, Views};
use taint::Taint;

/// What a program can do with addresses that come back.
#[derive(Clone, Debug, Default)]
pub struct Recycling {
    is_possible: bool,
    demand: Demand,
    parts: Parts,
    /// Pointers become numbers somewhere, so an address must stay the same number while an object lies there.
    shows_numbers: bool,
    /// An address that is read as a number would be compared, but that it is read so is not known in advance.
    is_surprised_by_numbers: bool,
}

impl Recycling {
    pub fn new(program: &Program, is_wanted: bool) -> Self {
        if !is_wanted || !makes_and_frees(program) {
            return Self::default();
        }
        let views = Views::of(program);
        let parts = Parts::of(program, views);
        let taint = Taint::new(program, views.as_numbers);
        let demand = Demand::new(program, &taint, &parts);
        let word = Scalar::Int(program.model.signed_word());
        let expects_numbers = taint.in_memory(word, program);
        let is_surprised_by_numbers = !expects_numbers && {
            let merged = Taint::new(program, true);
            Demand::new(program, &merged, &parts).is_any
        };
        // Parts and what is mixed show how objects are numbered, as numbers do.
        let shows_numbers = shows_numbers(program) || views.as_numbers || parts.is_any();
        Self {
            is_possible: demand.is_any,
            shows_numbers: demand.is_any && shows_numbers,
            is_surprised_by_numbers,
            demand,
            parts,
        }
    }

    /// Whether a new object may lie where a freed one lay, as far as is known in advance.
    pub fn is_possible(&self) -> bool {
        self.is_possible
    }

    /// Whether it was not foreseen that an address is read as a number, and somebody may compare it.
    pub fn is_surprised_by_numbers(&self) -> bool {
        self.is_surprised_by_numbers
    }

    /// Whether a load reads a part of an address, whoever lives there.
    pub(crate) fn reads_part(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.is_possible && self.parts.contains(function, edge)
    }

    /// Whether an address may come back of which no word is left: it was mixed into a number.
    pub(crate) fn keeps_address(&self, state: &State, number: ObjectNumber) -> bool {
        self.demand.hides && state.places.has(number)
    }

    /// The words, as large as a pointer, of a thread that may still be compared.
    pub(crate) fn words_of_thread(&self, program: &Program, thread: &Thread) -> Vec<u128> {
        let mut words = Vec::new();
        if !self.is_possible {
            return words;
        }
        if let Some(ty) = thread.result_type.filter(|_| self.demand.ended) {
            words.extend(value_words(program, thread.result, ty));
        }
        for frame in &thread.frames {
            let registers = program.functions[frame.function].registers.iter();
            for (register, known) in registers {
                if self
                    .demand
                    .is_live(frame.function, frame.location, register)
                {
                    let value = frame.registers[register.index()];
                    words.extend(value_words(program, value, known.ty));
                }
            }
        }
        words
    }

    /// The same of an object.
    pub(crate) fn words_of_object<'a>(
        &self,
        program: &Program,
        object: &'a Object,
    ) -> impl Iterator<Item = u128> + use<'a> {
        self.words_of_bytes(program, &object.bytes)
    }

    /// The same of bytes of an object.
    pub(crate) fn words_of_bytes<'a>(
        &self,
        program: &Program,
        bytes: &'a Bytes,
    ) -> impl Iterator<Item = u128> + use<'a> {
        let memory = self.demand.memory;
        let counts = self.is_possible && (memory.pointers || memory.numbers);
        let bytes = counts.then_some(bytes).into_iter();
        let model = program.model;
        bytes.flat_map(move |it| names_in_bytes(it, model))
    }

    /// Of some objects, those whose addresses a value names that may still be compared. Only the answers are noted.
    fn compared_among(
        &self,
        program: &Program,
        state: &State,
        asked: &[ObjectNumber],
    ) -> BTreeSet<ObjectNumber> {
        for number in asked {
            state.watch().look(Look::AddressName(*number));
        }
        let threads = state.threads.unobserved().values();
        let objects = state.objects.unobserved().values();
        let in_threads = threads.flat_map(|it| self.words_of_thread(program, it));
        let in_memory = objects.flat_map(|it| self.words_of_object(program, it));
        in_threads
            .chain(in_memory)
            .map(|word| ObjectNumber(split_pointer(word, program.model).0))
            .filter(|number| asked.contains(number))
            .collect()
    }

    /// Forgets who shares an address where nobody can tell any more. So a state in which an address came back unnoticed is
    /// the same as one in which it did not.
    pub(crate) fn tidy(&self, program: &Program, state: &mut State) {
        if state.places.is_empty() {
            return;
        }
        let objects = state.objects.unobserved();
        let is_live = |number: ObjectNumber| objects.get(&number).is_some_and(|it| it.is_live);
        let dead: Vec<ObjectNumber> = state
            .places
            .numbers()
            .filter(|number| !is_live(*number))
            .collect();
        let compared = self.compared_among(program, state, &dead);
        let mut places = state.places.clone();
        let known = &state.places;
        places.retain(|number| {
            is_live(number)
                || compared.contains(&number)
                || self.demand.hides && known.is_first(number)
        });
        if !self.shows_numbers {
            places.settle(is_live);
        }
        if places != state.places {
            state.places = places;
        }
    }
}

/// Whether memory on the heap is made and freed.
fn makes_and_frees(program: &Program) -> bool {
    let any = |is_meant: fn(&Action) -> bool| {
        let functions = program.functions.values();
        let mut edges = functions.flat_map(|it| it.edges.values());
        edges.any(|edge| is_meant(&edge.action))
    };
    any(|it| {
        matches!(
            it,
            Action::Free {
                kind: AllocateKind::Heap,
                ..
            }
        )
    }) && any(|it| {
        matches!(
            it,
            Action::Allocate {
                kind: AllocateKind::Heap,
                ..
            }
        )
    })
}

/// Whether pointers become numbers somewhere in the code.
fn shows_numbers(program: &Program) -> bool {
    program.functions.values().any(|function| {
        let is_shown = |it: &Expression| match it {
            Expression::Cast(Scalar::Int(_), operand) => {
                operand.scalar(&function.registers, program.model) == Scalar::Pointer
            }
            Expression::Cast(Scalar::Pointer | Scalar::Float(_) | Scalar::Thread, _)
            | Expression::Constant(..)
            | Expression::Register(_)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread
            | Expression::Unary(..)
            | Expression::Binary(..)
            | Expression::Select(..) => false,
        };
        let edges = function.edges.values();
        edges
            .flat_map(|it| it.action.expressions())
            .any(|it| it.any(is_shown))
    })
}

/// How many bytes the allocator gives to a request: as glibc's does, in steps of 16 less its own word. A later request for
/// up to so many may get the same block.
pub fn room(size: u64, model: DataModel) -> u64 {
    let own = model.pointer_bytes();
    let least = 4 * own;
    (size + own).next_multiple_of(16).max(least) - own
}

/// The value of a cell or register as it is compared: every life at an address has the number of the address.
pub(crate) fn compared(places: &Places, bits: u128, ty: Scalar, model: DataModel) -> u128 {
    let width = model.pointer_bits();
    let is_wide = match ty {
        Scalar::Pointer => true,
        Scalar::Int(int) => u32::from(int.bits) >= width,
        Scalar::Float(_) | Scalar::Thread => false,
    };
    if !is_wide || places.is_empty() {
        return bits;
    }
    let mask = u128::MAX >> (128 - width);
    (0..128 / width).fold(0, |sum, word| {
        let address = places.address(bits >> (word * width) & mask, model);
        sum | address << (word * width)
    })
}

/// The pointer that a number becomes: to the life that lasts, if there is one at this address.
pub(crate) fn followed(state: &State, bits: u128, model: DataModel) -> u128 {
    if state.places.is_empty() {
        return bits;
    }
    let (number, _) = split_pointer(bits, model);
    state
        .places
        .living(ObjectNumber(number), state)
        .and_then(|living| moved_to(bits, living.0, model))
        .unwrap_or(bits)
}
