//! The words, as large as a pointer, that parts of a state hold, at any byte offset: each may be the name of an object or of a thread.

use std::sync::LazyLock;

use crate::arithmetic::{BYTES_BELOW, join_pointer};
use crate::bytes::{Bytes, Occurring};
use crate::interpret::state::{Object, State, Sync, Thread, Value, Woken};
use crate::program::Program;
use crate::types::{DataModel, Scalar};

use super::spawned_threads;

/// The mutexes that those who wait on condition variables in an object will take again, as pointers.
pub fn awaited_words(object: &Object) -> impl Iterator<Item = u128> + '_ {
    object.syncs.values().flat_map(|sync| {
        let waiting = match sync {
            Sync::Condition { waiting } => waiting.values().copied().collect(),
            Sync::Mutex { .. }
            | Sync::ReadWriteLock { .. }
            | Sync::Semaphore { .. }
            | Sync::Barrier { .. }
            | Sync::Monitor { .. } => Vec::new(),
        };
        waiting.into_iter()
    })
}

/// What a thread waited for and has not gone on from yet, as pointers.
pub fn woken_words(thread: &Thread) -> impl Iterator<Item = u128> + use<> {
    let words = match thread.woken {
        Some(Woken::Signalled {
            condition, mutex, ..
        }) => vec![condition, mutex],
        Some(Woken::Released { barrier, .. }) => vec![barrier],
        None => Vec::new(),
    };
    words.into_iter()
}

/// The words, as large as a pointer, in all registers and thread results.
pub(crate) fn register_words<'a>(
    program: &'a Program,
    state: &'a State,
) -> impl Iterator<Item = u128> + 'a {
    let threads = state.threads.unobserved().values();
    threads.flat_map(|thread| thread_words(program, thread))
}

/// The words, as large as a pointer, in the registers and the result of a thread.
pub fn thread_words<'a>(
    program: &'a Program,
    thread: &'a Thread,
) -> impl Iterator<Item = u128> + 'a {
    let result = thread.result_type.map(|ty| (thread.result, ty));
    let registers = thread.frames.iter().flat_map(|frame| {
        let types = program.functions[frame.function].registers.values();
        frame.registers.iter().copied().zip(types.map(|it| it.ty))
    });
    result
        .into_iter()
        .chain(registers)
        .flat_map(|(value, ty)| value_words(program, value, ty))
}

/// The words, as large as a pointer, in a value of some type. Floats hold no names.
pub fn value_words(program: &Program, value: Value, ty: Scalar) -> Vec<u128> {
    let Value::Bits(bits) = value else {
        return Vec::new();
    };
    if matches!(ty, Scalar::Float(_)) {
        return Vec::new();
    }
    let size = ty.size(program.model).max(program.model.pointer_bytes());
    let bytes = bits.to_le_bytes().map(Some);
    let end = bytes.len().min(usize::try_from(size).expect("at most 16"));
    words_of(&bytes[..end], program.model).collect()
}

/// The values of the words, as large as a pointer, at every byte offset.
pub fn words_of(bytes: &[Option<u8>], model: DataModel) -> impl Iterator<Item = u128> + '_ {
    let size = usize::try_from(model.pointer_bytes()).expect("4 or 8");
    bytes.windows(size).filter_map(|window| {
        window
            .iter()
            .rev()
            .try_fold(0_u128, |word, byte| Some(word << 8 | u128::from((*byte)?)))
    })
}

/// The bytes of highest value that the name of a made object or of a spawned thread may have.
pub fn front_bytes(model: DataModel) -> &'static Occurring {
    static ILP32: LazyLock<Occurring> = LazyLock::new(|| worked_out(DataModel::Ilp32));
    static LP64: LazyLock<Occurring> = LazyLock::new(|| worked_out(DataModel::Lp64));
    fn worked_out(model: DataModel) -> Occurring {
        let shift = 8 * (model.pointer_bytes() - 1);
        let front = |word: u128| (word >> shift).to_le_bytes()[0];
        let made = model.made_objects();
        // A pointer to just below an object is less than one to its first byte.
        let first = join_pointer(made.start, 0, model) - u128::from(BYTES_BELOW);
        let last = join_pointer(made.end - 1, 0, model);
        let spawned = spawned_threads(model);
        let (first_thread, last_thread) = (spawned.start, spawned.end - 1);
        (front(first)..=front(last))
            .chain(front(first_thread.into())..=front(last_thread.into()))
            .collect()
    }
    match model {
        DataModel::Ilp32 => &ILP32,
        DataModel::Lp64 => &LP64,
    }
}

/// Of the words of an object, as large as a pointer and at every byte offset, all that may name something that was made or
/// spawned.
pub fn names_in_bytes(bytes: &Bytes, model: DataModel) -> impl Iterator<Item = u128> + use<'_> {
    let size = usize::try_from(model.pointer_bytes()).expect("4 or 8");
    let words = bytes.words_ending_in(size, front_bytes(model));
    words.map(|(_, word)| word)
}
