//! What one thread hands to another with the token, piece by piece.
//!
//! MAT §2.1 calls them the localised shared variables.

use raddle_encode::Word;
use raddle_encode::encoder::Encoder;
use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::object::bits;
use raddle_encode::state::{Link, Shared};
use raddle_encode::sync::{COUNT_BITS, State, Sync, THREAD_BITS};
use raddle_logic::{TermId, Terms};

/// A piece of what is shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// Whether the process has ended.
    ProcessEnd,
    /// Whether an object is there.
    Live(ObjectName),
    /// Some bytes of an object.
    Cell {
        object: ObjectName,
        offset: u64,
        size: u64,
    },
    /// A synchronisation object at an offset of an object.
    Sync(ObjectName, u64, SyncPart),
    /// What others see of a thread.
    Link(ThreadIndex, Trait),
}

/// A part of a synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SyncPart {
    Exists,
    /// Which thread holds a mutex, or a read-write lock for writing.
    Owner,
    /// How often a mutex is held, the value of a semaphore, or how many a barrier waits for.
    Count,
    /// How often a thread holds a read-write lock for reading.
    Reads(ThreadIndex),
    /// Whether a thread waits for a condition, or has arrived at a barrier.
    Waits(ThreadIndex),
    /// With which mutex.
    WaitsWith(ThreadIndex),
}

/// A part of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trait {
    Exists,
    Ended,
    Detached,
    Result,
    Signalled,
    SignalledBy,
    SignalledWith,
    MayTimeOut,
    Released,
    Serial,
}

impl Trait {
    const ALL: [Trait; 10] = [
        Trait::Exists,
        Trait::Ended,
        Trait::Detached,
        Trait::Result,
        Trait::Signalled,
        Trait::SignalledBy,
        Trait::SignalledWith,
        Trait::MayTimeOut,
        Trait::Released,
        Trait::Serial,
    ];
}

/// The slots of a synchronisation object; none of kinds that are not handed over.
pub(crate) fn slots_of_sync(
    object: ObjectName,
    offset: u64,
    sync: &Sync,
    threads: &[ThreadIndex],
) -> Vec<Slot> {
    let mut parts = vec![SyncPart::Exists];
    match &sync.state {
        State::Mutex { .. } => parts.extend([SyncPart::Owner, SyncPart::Count]),
        State::Semaphore { .. } => parts.push(SyncPart::Count),
        State::ReadWriteLock { .. } => {
            parts.push(SyncPart::Owner);
            parts.extend(threads.iter().copied().map(SyncPart::Reads));
        }
        State::Condition { .. } => {
            let of_thread = |it| [SyncPart::Waits(it), SyncPart::WaitsWith(it)];
            parts.extend(threads.iter().copied().flat_map(of_thread));
        }
        State::Barrier { .. } => {
            parts.push(SyncPart::Count);
            parts.extend(threads.iter().copied().map(SyncPart::Waits));
        }
        State::Monitor(_) | State::Other => {}
    }
    let slot = |part| Slot::Sync(object, offset, part);
    parts.into_iter().map(slot).collect()
}

/// The slots of a thread; of its result only if it has one.
pub(crate) fn slots_of_link(thread: ThreadIndex) -> impl Iterator<Item = Slot> {
    Trait::ALL
        .into_iter()
        .map(move |part| Slot::Link(thread, part))
}

impl Slot {
    /// What a state holds there; `None` if there is no such place in it.
    pub(crate) fn read(self, encoder: &mut Encoder<'_>, shared: &Shared) -> Option<Word> {
        let pointer_bits = encoder.program.model.pointer_bits();
        let terms = &mut encoder.terms;
        let bits = match self {
            Slot::ProcessEnd => shared.has_ended,
            Slot::Live(object) => shared.memory.objects.get(&object)?.is_live,
            Slot::Cell {
                object,
                offset,
                size,
            } => {
                let found = shared.memory.objects.get(&object)?;
                return Some(found.read(terms, offset, size));
            }
            Slot::Sync(object, offset, part) => {
                let found = shared.memory.objects.get(&object)?.syncs.get(&offset)?;
                read_sync(terms, found, part, pointer_bits)?
            }
            Slot::Link(thread, part) => {
                let link = shared.links.get(thread)?;
                match part {
                    Trait::Exists => link.exists,
                    Trait::Ended => link.has_ended,
                    Trait::Detached => link.is_detached,
                    Trait::Result => return link.result.map(|it| it.1),
                    Trait::Signalled => link.woken.is_signalled,
                    Trait::SignalledBy => link.woken.condition,
                    Trait::SignalledWith => link.woken.mutex,
                    Trait::MayTimeOut => link.woken.may_time_out,
                    Trait::Released => link.woken.is_released,
                    Trait::Serial => link.woken.is_serial,
                }
            }
        };
        Some(Word::defined(terms, bits))
    }

    /// Puts something there; the place is in the state.
    pub(crate) fn write(self, encoder: &mut Encoder<'_>, shared: &mut Shared, word: Word) {
        let terms = &mut encoder.terms;
        match self {
            Slot::ProcessEnd => shared.has_ended = word.bits,
            Slot::Live(object) => shared.memory.object_mut(object).is_live = word.bits,
            Slot::Cell {
                object,
                offset,
                size,
            } => {
                let always = terms.truth(true);
                let object = shared.memory.object_mut(object);
                object.write(terms, always, offset, size, word);
            }
            Slot::Sync(object, offset, part) => {
                let object = shared.memory.object_mut(object);
                if let Some(sync) = object.syncs.get_mut(&offset) {
                    write_sync(sync, part, word.bits);
                }
            }
            Slot::Link(thread, part) => {
                let link: &mut Link = encoder.link(shared, thread);
                match part {
                    Trait::Exists => link.exists = word.bits,
                    Trait::Ended => link.has_ended = word.bits,
                    Trait::Detached => link.is_detached = word.bits,
                    Trait::Result => {
                        if let Some((_, result)) = &mut link.result {
                            *result = word;
                        }
                    }
                    Trait::Signalled => link.woken.is_signalled = word.bits,
                    Trait::SignalledBy => link.woken.condition = word.bits,
                    Trait::SignalledWith => link.woken.mutex = word.bits,
                    Trait::MayTimeOut => link.woken.may_time_out = word.bits,
                    Trait::Released => link.woken.is_released = word.bits,
                    Trait::Serial => link.woken.is_serial = word.bits,
                }
            }
        }
    }

    /// What is there in states that do not know the place: nothing was made or set there yet.
    pub(crate) fn nothing(self, terms: &mut Terms, width: u32) -> Word {
        match self {
            Slot::Cell { .. } | Slot::Link(_, Trait::Result) => Word::undefined(terms, width),
            Slot::ProcessEnd | Slot::Live(_) | Slot::Sync(..) | Slot::Link(..) => {
                let zero = terms.constant(0, width);
                Word::defined(terms, zero)
            }
        }
    }

    /// How many bits it has, if its kind says it.
    pub(crate) fn width(self) -> Option<u32> {
        match self {
            Slot::Cell { size, .. } => Some(bits(size)),
            Slot::ProcessEnd | Slot::Live(_) | Slot::Sync(..) | Slot::Link(..) => None,
        }
    }
}

fn read_sync(terms: &mut Terms, sync: &Sync, part: SyncPart, pointer_bits: u32) -> Option<TermId> {
    let found = match (part, &sync.state) {
        (SyncPart::Exists, _) => sync.exists,
        (SyncPart::Owner, State::Mutex { owner, .. }) => *owner,
        (SyncPart::Owner, State::ReadWriteLock { writer, .. }) => *writer,
        (SyncPart::Count, State::Mutex { count, .. }) => *count,
        (SyncPart::Count, State::Semaphore { value }) => *value,
        (SyncPart::Count, State::Barrier { needed, .. }) => *needed,
        (SyncPart::Waits(thread), State::Barrier { arrived, .. }) => match arrived.get(&thread) {
            Some(has_arrived) => *has_arrived,
            None => terms.truth(false),
        },
        (SyncPart::Reads(thread), State::ReadWriteLock { readers, .. }) => {
            match readers.get(&thread) {
                Some(count) => *count,
                None => terms.constant(0, COUNT_BITS),
            }
        }
        (SyncPart::Waits(thread), State::Condition { waiting }) => match waiting.get(&thread) {
            Some((waits, _)) => *waits,
            None => terms.truth(false),
        },
        (SyncPart::WaitsWith(thread), State::Condition { waiting }) => match waiting.get(&thread) {
            Some((_, mutex)) => *mutex,
            None => terms.constant(0, pointer_bits),
        },
        (SyncPart::Owner, _) => terms.constant(0, THREAD_BITS),
        (SyncPart::Count | SyncPart::Reads(_) | SyncPart::Waits(_) | SyncPart::WaitsWith(_), _) => {
            return None;
        }
    };
    Some(found)
}

fn write_sync(sync: &mut Sync, part: SyncPart, value: TermId) {
    match (part, &mut sync.state) {
        (SyncPart::Exists, _) => sync.exists = value,
        (SyncPart::Owner, State::Mutex { owner, .. }) => *owner = value,
        (SyncPart::Owner, State::ReadWriteLock { writer, .. }) => *writer = value,
        (SyncPart::Count, State::Mutex { count, .. }) => *count = value,
        (SyncPart::Count, State::Semaphore { value: count }) => *count = value,
        (SyncPart::Count, State::Barrier { needed, .. }) => *needed = value,
        (SyncPart::Waits(thread), State::Barrier { arrived, .. }) => {
            arrived.insert(thread, value);
        }
        (SyncPart::Reads(thread), State::ReadWriteLock { readers, .. }) => {
            readers.insert(thread, value);
        }
        (SyncPart::Waits(thread), State::Condition { waiting }) => {
            if let Some(entry) = waiting.get_mut(&thread) {
                entry.0 = value;
            }
        }
        (SyncPart::WaitsWith(thread), State::Condition { waiting }) => {
            if let Some(entry) = waiting.get_mut(&thread) {
                entry.1 = value;
            }
        }
        // The object is of another kind, and no operation gets at it as this one.
        (
            SyncPart::Owner
            | SyncPart::Count
            | SyncPart::Reads(_)
            | SyncPart::Waits(_)
            | SyncPart::WaitsWith(_),
            _,
        ) => {}
    }
}
