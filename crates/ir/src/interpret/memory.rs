//! Objects: bytes, liveness and accesses.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::action::SyncInit;
use crate::arithmetic::split_pointer;
use crate::program::Program;
use crate::types::{Scalar, SyncType, Type};

use super::fault::{Fault, opaque_use};
use super::state::{Head, Object, ObjectNumber, Origin, State, Storage, Sync, Value};
use crate::bytes::{Bytes, Cell};
use crate::numbering::{self, holders};

/// Where `size` bytes behind a pointer lie.
pub(crate) fn locate(
    program: &Program,
    state: &State,
    pointer: u128,
    size: u64,
) -> Result<(ObjectNumber, u64), Fault> {
    let (number, offset) = split_pointer(pointer, program.model);
    let number = ObjectNumber(number);
    if number.0 == 0 {
        return Err(Fault::Memory("a null pointer is dereferenced".into()));
    }
    let Some(object) = state.objects.head(number) else {
        let what = if (number.0 as usize) <= program.globals.len() + program.functions.len() {
            "a function is accessed as memory"
        } else {
            "a pointer to no object is dereferenced"
        };
        return Err(Fault::Memory(what.into()));
    };
    if let Some(global) = object.origin().opaque(program) {
        return Err(Fault::Unsupported(opaque_use(&global.name)));
    }
    if !object.is_live() {
        let what = match object.storage() {
            Storage::Heap => "memory is accessed after it was freed",
            Storage::Stack => "a local is accessed after its block was left",
            Storage::ThreadLocal => "a thread-local variable is accessed after its thread ended",
            Storage::Global => unreachable!("globals live as long as the process"),
        };
        return Err(Fault::Memory(what.into()));
    }
    if offset
        .checked_add(size)
        .is_none_or(|end| end > object.size())
    {
        return Err(Fault::Memory(format!(
            "{size} byte{} at offset {offset} of an object of {} are accessed",
            if size == 1 { "" } else { "s" },
            object.size()
        )));
    }
    Ok((number, offset))
}

/// Where `size` bytes behind a pointer lie, to be written.
pub(crate) fn locate_to_write(
    program: &Program,
    state: &State,
    pointer: u128,
    size: u64,
) -> Result<(ObjectNumber, u64), Fault> {
    let found = locate(program, state, pointer, size)?;
    ensure_writable(program, state, found, size)?;
    Ok(found)
}

/// Nobody may write to what is read-only, whatever its pointer promises.
pub(crate) fn ensure_writable(
    program: &Program,
    state: &State,
    (number, offset): (ObjectNumber, u64),
    size: u64,
) -> Result<(), Fault> {
    match state.objects.head(number).map(Head::origin) {
        Some(origin) if origin.read_only(program).touches(offset, size) => Err(Fault::Memory(
            "something is written that is read-only".into(),
        )),
        Some(_) | None => Ok(()),
    }
}

fn range(offset: u64, size: u64) -> std::ops::Range<usize> {
    let index = |at: u64| usize::try_from(at).expect("objects fit memory");
    index(offset)..index(offset + size)
}

/// The value of a cell that was located: undefined if one of its bytes is, or belongs to a synchronisation object.
pub(crate) fn read(
    program: &Program,
    state: &State,
    number: ObjectNumber,
    offset: u64,
    ty: Scalar,
) -> Value {
    let size = ty.size(program.model);
    if overlaps_sync(program, state, number, offset, size) {
        return Value::Undefined;
    }
    state
        .objects
        .cells(number, range(offset, size))
        .iter()
        .rev()
        .try_fold(0_u128, |bits, byte| Some(bits << 8 | u128::from((*byte)?)))
        .map_or(Value::Undefined, |bits| {
            Value::Bits(bits & ty.mask(program.model))
        })
}

/// Writes a cell that was located. A synchronisation object that it overwrites is no more.
pub(crate) fn write(
    program: &Program,
    state: &mut State,
    number: ObjectNumber,
    offset: u64,
    ty: Scalar,
    value: Value,
) {
    let size = ty.size(program.model);
    if overlaps_sync(program, state, number, offset, size) {
        let object = Arc::make_mut(state.objects.get_mut(&number).expect("located before"));
        let overwritten: Vec<u64> =
            overlapping_sync(program, &object.syncs, offset, size).collect();
        for at in overwritten {
            object.syncs.remove(&at);
        }
    }
    let cells: [Cell; 16] = match value {
        Value::Bits(bits) => bits.to_le_bytes().map(Some),
        Value::Undefined => [None; 16],
    };
    let range = range(offset, size);
    let cells = &cells[..range.len()];
    state.objects.write_cells(number, range.start, cells);
}

fn overlaps_sync(
    program: &Program,
    state: &State,
    number: ObjectNumber,
    offset: u64,
    size: u64,
) -> bool {
    state.objects.head(number).is_some_and(|object| {
        overlapping_sync(program, object.syncs(), offset, size)
            .next()
            .is_some()
    })
}

fn overlapping_sync(
    program: &Program,
    syncs: &BTreeMap<u64, Sync>,
    offset: u64,
    size: u64,
) -> impl Iterator<Item = u64> {
    syncs
        .iter()
        .filter(move |(at, sync)| {
            **at < offset + size && offset < **at + sync.sync_type().size(program.model)
        })
        .map(|(at, _)| *at)
}

/// A new object with the synchronisation objects of its type.
pub(crate) fn new_object(
    program: &Program,
    storage: Storage,
    origin: Origin,
    size: u64,
    ty: Option<&Type>,
    byte: Option<u8>,
) -> Object {
    let syncs: BTreeMap<u64, Sync> = ty.map_or_else(BTreeMap::new, |ty| {
        ty.sync_cells(&program.structs, program.model)
            .into_iter()
            .map(|(offset, sync)| (offset, plain_sync(sync)))
            .collect()
    });
    let mut bytes = Bytes::filled(byte, range(0, size).end);
    for (offset, sync) in &syncs {
        bytes.fill(range(*offset, sync.sync_type().size(program.model)), None);
    }
    Object {
        storage,
        is_live: true,
        bytes,
        syncs,
        origin,
    }
}

/// A synchronisation object as a declaration without more words makes it.
fn plain_sync(sync: SyncType) -> Sync {
    match sync {
        SyncType::Mutex(kind) => made_sync(&SyncInit::Mutex(kind), 0),
        SyncType::ReadWriteLock => made_sync(&SyncInit::ReadWriteLock, 0),
        SyncType::Condition => made_sync(&SyncInit::Condition, 0),
        SyncType::Semaphore => Sync::Semaphore { value: 0 },
        SyncType::Barrier => new_barrier(0),
        SyncType::Monitor => made_sync(&SyncInit::Monitor, 0),
    }
}

/// A synchronisation object as `init` makes it; `number` is the first value or the size of the round.
pub(crate) fn made_sync(init: &SyncInit, number: u32) -> Sync {
    match init {
        SyncInit::Mutex(kind) => Sync::Mutex {
            kind: *kind,
            owner: None,
            count: 0,
        },
        SyncInit::ReadWriteLock => Sync::ReadWriteLock {
            writer: None,
            readers: BTreeMap::new(),
        },
        SyncInit::Condition => Sync::Condition {
            waiting: BTreeMap::new(),
        },
        SyncInit::Semaphore(_) => Sync::Semaphore { value: number },
        SyncInit::Barrier(_) => new_barrier(number),
        SyncInit::Monitor => Sync::Monitor {
            owner: None,
            count: 0,
            waiting: BTreeMap::new(),
            notified: BTreeMap::new(),
        },
    }
}

fn new_barrier(needed: u32) -> Sync {
    Sync::Barrier {
        needed,
        arrived: std::collections::BTreeSet::new(),
    }
}

/// Puts a synchronisation object at a place that was located; the bytes there hold nothing any more.
pub(crate) fn put_sync(program: &Program, object: &mut Object, offset: u64, sync: Sync) {
    let size = sync.sync_type().size(program.model);
    let overwritten: Vec<u64> = overlapping_sync(program, &object.syncs, offset, size).collect();
    for at in overwritten {
        object.syncs.remove(&at);
    }
    object.bytes.fill(range(offset, size), None);
    object.syncs.insert(offset, sync);
}

/// Larger objects are a limit of the model.
pub(crate) const MAX_OBJECT_BYTES: u64 = 1 << 26;

/// Ends the life of an object. It stays as a name until nothing points to it.
pub(crate) fn kill(state: &mut State, number: ObjectNumber) {
    let object = Arc::make_mut(state.objects.get_mut(&number).expect("lives"));
    object.is_live = false;
    object.bytes = Bytes::default();
    object.syncs = BTreeMap::new();
}

/// Forgets dead objects that nothing points to any more.
pub(crate) fn forget_dead(
    program: &Program,
    state: &mut State,
    is_kept: impl Fn(&State, ObjectNumber) -> bool,
) {
    // Which objects are dead counts as known.
    let dead: Vec<ObjectNumber> = holders::dead_objects(state)
        .map(|(number, _)| number)
        .filter(|number| !is_kept(state, *number))
        .collect();
    for number in dead {
        if !numbering::is_named(program, state, number) {
            state.objects.remove(&number);
        }
    }
}

/// The live heap objects that cannot be reached from a register, a thread's result or an object that is not on the heap.
///
/// This goes through the whole state and is not noted: it is a question about the state, not a part of a step.
pub(crate) fn lost_objects(program: &Program, state: &State) -> Vec<ObjectNumber> {
    let is_heap = |object: &Object| object.is_live && object.storage == Storage::Heap;
    if !state
        .objects
        .unobserved()
        .values()
        .any(|object| is_heap(object))
    {
        return Vec::new();
    }
    let mut unvisited: BTreeMap<ObjectNumber, &Object> = state
        .objects
        .unobserved()
        .iter()
        .filter(|(_, object)| is_heap(object))
        .map(|(number, object)| (*number, &**object))
        .collect();
    let mut words: Vec<u128> = numbering::register_words(program, state).collect();
    for thread in state.threads.unobserved().values() {
        words.extend(numbering::woken_words(thread));
    }
    for object in state
        .objects
        .unobserved()
        .values()
        .filter(|object| !is_heap(object))
    {
        words.extend(numbering::names_in_bytes(&object.bytes, program.model));
        words.extend(numbering::awaited_words(object));
    }
    while let Some(word) = words.pop() {
        let number = ObjectNumber(split_pointer(word, program.model).0);
        // A word that names an earlier life may be a number, and a number leads to whoever lives there now.
        let living = state.places.living(number, state);
        for object in std::iter::once(number)
            .chain(living)
            .filter_map(|it| unvisited.remove(&it))
            .collect::<Vec<_>>()
        {
            words.extend(numbering::names_in_bytes(&object.bytes, program.model));
            words.extend(numbering::awaited_words(object));
        }
    }
    unvisited.into_keys().collect()
}
