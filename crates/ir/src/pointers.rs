//! Which objects a thread or an object can lead to: whatever looks like a pointer counts as one.

use crate::arithmetic::split_pointer;
use crate::program::Program;
use crate::types::Scalar;

use crate::bytes::Bytes;
use crate::interpret::state::{Object, ObjectNumber, State, Sync, Thread, ThreadNumber, Value};
use crate::numbering::{
    awaited_words, front_bytes, names_in_bytes, spawned_threads, thread_words, woken_words,
    words_of,
};
use crate::recycling::Recycling;

/// The made objects that the bytes of an object name.
pub fn from_object<'a>(
    program: &'a Program,
    object: &'a Object,
) -> impl Iterator<Item = ObjectNumber> + 'a {
    names_in_bytes(&object.bytes, program.model)
        .map(|word| ObjectNumber(split_pointer(word, program.model).0))
}

/// The objects that words of an object name of which some byte is among these.
pub fn from_cells(
    program: &Program,
    state: &State,
    object: ObjectNumber,
    offset: u64,
    size: u64,
) -> Vec<ObjectNumber> {
    let Some(head) = state.objects.head(object) else {
        return Vec::new();
    };
    let word = program.model.pointer_bytes();
    let start = offset.saturating_sub(word - 1).min(head.size());
    let end = offset.saturating_add(size + word - 1).min(head.size());
    let index = |at: u64| usize::try_from(at).expect("objects fit memory");
    let bytes = state.objects.cells(object, index(start)..index(end));
    words_of(&bytes, program.model)
        .map(|word| ObjectNumber(split_pointer(word, program.model).0))
        .collect()
}

/// Made objects and spawned threads that something may name, each once, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Names {
    pub objects: Vec<ObjectNumber>,
    /// Those that are named by values that may still be compared.
    pub addresses: Vec<ObjectNumber>,
    pub threads: Vec<ThreadNumber>,
}

impl Names {
    fn of_words(program: &Program, words: impl Iterator<Item = u128>) -> Self {
        let spawned = spawned_threads(program.model);
        let mut names = Self::default();
        for word in words {
            let (object, _) = split_pointer(word, program.model);
            if program.model.is_made(object) {
                names.objects.push(ObjectNumber(object));
            }
            if let Ok(thread) = u64::try_from(word)
                && spawned.contains(&thread)
            {
                names.threads.push(ThreadNumber(thread));
            }
        }
        names.sorted()
    }

    /// Whether there are any.
    pub fn is_something(&self) -> bool {
        !(self.objects.is_empty() && self.addresses.is_empty() && self.threads.is_empty())
    }

    fn sorted(mut self) -> Self {
        self.objects.sort_unstable();
        self.objects.dedup();
        self.addresses.sort_unstable();
        self.addresses.dedup();
        self.threads.sort_unstable();
        self.threads.dedup();
        self
    }

    /// In the registers and the result of a thread.
    pub fn in_thread(program: &Program, recycling: &Recycling, thread: &Thread) -> Self {
        let words = thread_words(program, thread).chain(woken_words(thread));
        let compared = recycling.words_of_thread(program, thread).into_iter();
        Self {
            addresses: Self::of_words(program, compared).objects,
            ..Self::of_words(program, words)
        }
    }

    /// In bytes of an object.
    pub fn in_bytes(program: &Program, recycling: &Recycling, bytes: &Bytes) -> Self {
        let compared = recycling.words_of_bytes(program, bytes);
        Self {
            addresses: Self::of_words(program, compared).objects,
            ..Self::of_words(program, names_in_bytes(bytes, program.model))
        }
    }

    /// In the bytes and the synchronisation of an object.
    pub fn in_object(program: &Program, recycling: &Recycling, object: &Object) -> Self {
        let words = names_in_bytes(&object.bytes, program.model).chain(awaited_words(object));
        let mut names = Self::of_words(program, words);
        let compared = recycling.words_of_object(program, object);
        names.addresses = Self::of_words(program, compared).objects;
        let syncs = object.syncs.values();
        names.threads.extend(syncs.flat_map(Sync::threads));
        names.sorted()
    }

    /// Whether a word that ends in these bytes may be the name of something.
    pub fn may_end_in(program: &Program, bytes: &Bytes) -> bool {
        bytes.has_any(front_bytes(program.model))
    }
}

/// The objects that the registers and the result of a thread name.
pub fn from_thread(program: &Program, thread: &Thread) -> Vec<ObjectNumber> {
    let mut named = Vec::new();
    for frame in &thread.frames {
        let types = program.functions[frame.function].registers.values();
        for (value, register) in frame.registers.iter().zip(types) {
            named.extend(from_value(program, *value, register.ty));
        }
    }
    if let Some(ty) = thread.result_type {
        named.extend(from_value(program, thread.result, ty));
    }
    named
}

fn from_value(program: &Program, value: Value, ty: Scalar) -> Vec<ObjectNumber> {
    let (Value::Bits(bits), Scalar::Int(_) | Scalar::Pointer) = (value, ty) else {
        return Vec::new();
    };
    let bytes = bits.to_le_bytes().map(Some);
    let size = ty.size(program.model).max(program.model.pointer_bytes());
    let end = bytes.len().min(usize::try_from(size).expect("at most 16"));
    words_of(&bytes[..end], program.model)
        .map(|word| ObjectNumber(split_pointer(word, program.model).0))
        .collect()
}
