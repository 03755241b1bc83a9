//! Which parts of a state hold a name: in whose registers or memory, at any byte offset, a word lies that is the name of an object
//! or of a thread.
//!
//! Of many parts only those are gone through of which it is known that they may hold it ([`entries`](crate::entries)).

use std::sync::Arc;

use raddle_base::FastSet;

use crate::arithmetic::{join_pointer, split_pointer};
use crate::bytes::Bytes;
use crate::entries::{Held, Span};
use crate::interpret::state::{Object, ObjectNumber, State, Sync, Thread, ThreadNumber};
use crate::program::Program;
use crate::types::DataModel;

use super::{
    awaited_words, front_bytes, names_in_bytes, spawned_threads, thread_words, woken_words,
};

/// Marks of objects.
const IS_DEAD: u8 = 1;
const SYNCHRONISES: u8 = 2;

/// Which kinds of numbers are held: names of objects, and names of threads.
const OBJECTS: usize = 0;
const THREADS: usize = 1;

/// The objects that are dead and perhaps still named.
pub fn dead_objects(state: &State) -> impl Iterator<Item = (ObjectNumber, &Object)> {
    marked(state, IS_DEAD).filter(|(_, object)| !object.is_live)
}

/// The objects in which there is synchronisation.
pub fn synchronising_objects(state: &State) -> impl Iterator<Item = (ObjectNumber, &Object)> {
    marked(state, SYNCHRONISES).filter(|(_, object)| !object.syncs.is_empty())
}

fn marked(state: &State, mark: u8) -> impl Iterator<Item = (ObjectNumber, &Object)> {
    let say = |object: &Arc<Object>| {
        let dead = if object.is_live { 0 } else { IS_DEAD };
        let synchronises = if object.syncs.is_empty() {
            0
        } else {
            SYNCHRONISES
        };
        dead | synchronises
    };
    let entries = state.objects.unobserved().marked(say, mark);
    entries.map(|(number, object)| (*number, &**object))
}

/// Whether some thread holds the name of an object.
pub fn thread_names_object(program: &Program, state: &State, object: ObjectNumber) -> bool {
    let say = |thread: &Arc<Thread>| held_by_thread(program, thread);
    let threads = state.threads.unobserved();
    let mut threads = threads.holding(say, OBJECTS, object.0.into());
    threads.any(|(_, thread)| {
        let mut words = thread_words(program, thread).chain(woken_words(thread));
        words.any(|word| split_pointer(word, program.model).0 == object.0)
    })
}

/// The objects that hold the name of an object.
pub fn objects_that_name<'a>(
    program: &Program,
    state: &'a State,
    object: ObjectNumber,
) -> impl Iterator<Item = (ObjectNumber, &'a Object)> + use<'a> {
    let model = program.model;
    let say = move |it: &Arc<Object>| held_by_object(it, model);
    let objects = state.objects.unobserved();
    let entries = objects.holding(say, OBJECTS, object.0.into());
    let entries = entries.map(|(number, it)| (*number, &**it));
    entries.filter(move |(_, it)| names_object(it, object, model))
}

fn names_object(holder: &Object, object: ObjectNumber, model: DataModel) -> bool {
    let is_name = |word: u128| split_pointer(word, model).0 == object.0;
    bytes_have_pointer(&holder.bytes, object, model) || awaited_words(holder).any(is_name)
}

/// Whether a word of some bytes points to an object.
fn bytes_have_pointer(bytes: &Bytes, object: ObjectNumber, model: DataModel) -> bool {
    let size = usize::try_from(model.pointer_bytes()).expect("4 or 8");
    let is_name = |word: u128| split_pointer(word, model).0 == object.0;
    let offset_bits = model.offset_bits_of(object.0);
    let fixed = offset_bits.div_ceil(8) as usize;
    // Pointers to just below an object have other bytes of high value.
    [0, u64::MAX].into_iter().any(|offset| {
        let offset = offset & ((1 << offset_bits) - 1);
        let pointer = join_pointer(object.0, offset, model).to_le_bytes();
        let mut words = bytes.words_with(size, pointer[size - 1], &pointer[fixed..size]);
        words.any(|(_, word)| is_name(word))
    })
}

/// Whether something holds the name of a thread.
pub(crate) fn is_thread_named(program: &Program, state: &State, thread: ThreadNumber) -> bool {
    let name = u128::from(thread.0);
    let say = |it: &Arc<Thread>| held_by_thread(program, it);
    let threads = state.threads.unobserved();
    let mut in_threads = threads.holding(say, THREADS, thread.0);
    if in_threads.any(|(_, it)| {
        let mut words = thread_words(program, it).chain(woken_words(it));
        words.any(|word| word == name)
    }) {
        return true;
    }
    let model = program.model;
    let size = usize::try_from(model.pointer_bytes()).expect("4 or 8");
    let bytes = thread.0.to_le_bytes();
    let (front, rest) = (bytes[size - 1], &bytes[..size - 1]);
    let say = move |it: &Arc<Object>| held_by_object(it, model);
    let objects = state.objects.unobserved();
    let mut in_objects = objects.holding(say, THREADS, thread.0);
    in_objects.any(|(_, object)| {
        let mut words = object.bytes.words_with(size, front, rest);
        words.any(|(_, word)| word == name)
            || awaited_words(object).any(|word| word == name)
            || object
                .syncs
                .values()
                .flat_map(Sync::threads)
                .any(|it| it == thread)
    })
}

/// The names of threads, as words, that something holds.
pub(crate) fn named_threads(program: &Program, state: &State) -> FastSet<u64> {
    let spawned = spawned_threads(program.model);
    let mut named = FastSet::default();
    let mut note = |word: u128| {
        let number = u64::try_from(word).ok();
        named.extend(number.filter(|it| spawned.contains(it)));
    };
    for thread in state.threads.unobserved().values() {
        let words = thread_words(program, thread).chain(woken_words(thread));
        words.for_each(&mut note);
    }
    for object in state.objects.unobserved().values() {
        let words = names_in_bytes(&object.bytes, program.model);
        words.chain(awaited_words(object)).for_each(&mut note);
        let threads = object.syncs.values().flat_map(Sync::threads);
        threads.map(|it| u128::from(it.0)).for_each(&mut note);
    }
    named
}

fn held_by_thread(program: &Program, thread: &Thread) -> Held {
    let words = || thread_words(program, thread).chain(woken_words(thread));
    spans(program.model, words, [].into_iter())
}

fn held_by_object(object: &Object, model: DataModel) -> Held {
    if object.bytes.is_row() {
        let words = || names_in_bytes(&object.bytes, model).chain(awaited_words(object));
        spans(model, words, object.syncs.values().flat_map(Sync::threads))
    } else if object.bytes.has_any(front_bytes(model)) || !object.syncs.is_empty() {
        // To go through all of it after each change would cost more than it saves.
        [Span::EVERYTHING; 2]
    } else {
        [Span::NOTHING; 2]
    }
}

/// Between which numbers those of the made objects and spawned threads lie that some words name, and those of some threads.
fn spans<I: Iterator<Item = u128>>(
    model: DataModel,
    words: impl Fn() -> I,
    threads: impl Iterator<Item = ThreadNumber>,
) -> Held {
    let spawned = spawned_threads(model);
    let objects = words().map(|word| split_pointer(word, model).0);
    let objects = objects.filter(|number| model.is_made(*number));
    let named = words().filter_map(|word| u64::try_from(word).ok());
    let named = named.filter(|number| spawned.contains(number));
    [
        objects.map(u64::from).collect(),
        named.chain(threads.map(|it| it.0)).collect(),
    ]
}
