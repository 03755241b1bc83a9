//! What a state of a program is made of, piece by piece.

use std::sync::Arc;

use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::object::Object;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Link, Shared};
use raddle_encode::sync::{Monitor, State, Sync};
use raddle_encode::word::Word;
use raddle_ir::{EdgeId, FunctionId, MutexKind, RegisterId, SyncType};
use raddle_logic::TermId;
use raddle_reduce::dynamic::At;

/// The calls that a frame is in, the outermost first.
pub(crate) type Calls = Arc<[(FunctionId, EdgeId)]>;

/// One piece of a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Slot {
    /// The process has ended.
    Ended,
    /// Where a thread is: 0 before it starts and after it has ended, else the number of its place.
    At(ThreadIndex),
    Register(ThreadIndex, Calls, FunctionId, RegisterId, ValuePart),
    /// Whether an object is live.
    Live(ObjectName),
    /// Bytes of an object: where, and how many.
    Cell(ObjectName, u64, u64, ValuePart),
    /// A synchronisation object.
    Sync(ObjectName, u64, Field),
    Link(ThreadIndex, LinkField),
    /// Memory of so many bytes was freed.
    Freed(u64),
}

/// A part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ValuePart {
    Bits,
    /// Whether it was ever set.
    IsSet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Field {
    Exists,
    Owner,
    Count,
    /// How often a mutex is held that nobody can hold twice: as often as it has an owner.
    HeldOnce,
    Writer,
    Readers(ThreadIndex),
    Waits(ThreadIndex),
    WaitsWith(ThreadIndex),
    Value,
    Needed,
    Arrived(ThreadIndex),
    WaitsAtMonitor(ThreadIndex),
    CountOfWaiting(ThreadIndex),
    Notified(ThreadIndex),
    CountOfNotified(ThreadIndex),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LinkField {
    Exists,
    HasEnded,
    IsDetached,
    Result(ValuePart),
    IsSignalled,
    IsReleased,
    Condition,
    Mutex,
    MayTimeOut,
    IsSerial,
}

/// The calls that each frame of a place is in, and where it stands.
pub(crate) fn frames(place: &UnrolledPoint) -> Vec<(Calls, FunctionId, At)> {
    let mut calls: Vec<(FunctionId, EdgeId)> = Vec::new();
    place
        .frames()
        .map(|(function, at)| {
            let frame = (Calls::from(calls.as_slice()), function, at);
            if let At::Call(edge) = at {
                calls.push((function, edge));
            }
            frame
        })
        .collect()
}

/// Gives every piece of what threads share another term.
pub(crate) fn change(shared: &mut Shared, to: &mut impl FnMut(Slot, TermId) -> TermId) {
    shared.has_ended = to(Slot::Ended, shared.has_ended);
    for (room, freed) in &mut shared.memory.freed {
        *freed = to(Slot::Freed(*room), *freed);
    }
    for (name, object) in &mut shared.memory.objects {
        change_object(*name, Arc::make_mut(object), to);
    }
    let threads: Vec<ThreadIndex> = shared.links.ids().collect();
    for thread in threads {
        change_link(thread, &mut shared.links[thread], to);
    }
}

fn change_object(
    name: ObjectName,
    object: &mut Object,
    to: &mut impl FnMut(Slot, TermId) -> TermId,
) {
    object.is_live = to(Slot::Live(name), object.is_live);
    for (offset, cell) in &mut object.cells {
        let slot = |part| Slot::Cell(name, *offset, cell.size, part);
        let (bits, is_set) = (slot(ValuePart::Bits), slot(ValuePart::IsSet));
        change_word(&mut cell.word, (bits, is_set), to);
    }
    for (offset, sync) in &mut object.syncs {
        change_sync((name, *offset), sync, to);
    }
}

fn change_word(
    word: &mut Word,
    (bits, is_set): (Slot, Slot),
    to: &mut impl FnMut(Slot, TermId) -> TermId,
) {
    word.bits = to(bits, word.bits);
    word.is_defined = to(is_set, word.is_defined);
}

fn change_sync(
    (name, offset): (ObjectName, u64),
    sync: &mut Sync,
    to: &mut impl FnMut(Slot, TermId) -> TermId,
) {
    let mut field = |field: Field, term: &mut TermId| {
        *term = to(Slot::Sync(name, offset, field), *term);
    };
    field(Field::Exists, &mut sync.exists);
    let is_held_once = matches!(sync.ty, SyncType::Mutex(MutexKind::Plain | MutexKind::Spin));
    match &mut sync.state {
        State::Mutex { owner, count } => {
            field(Field::Owner, owner);
            let counted = if is_held_once {
                Field::HeldOnce
            } else {
                Field::Count
            };
            field(counted, count);
        }
        State::ReadWriteLock { writer, readers } => {
            field(Field::Writer, writer);
            for (thread, count) in readers {
                field(Field::Readers(*thread), count);
            }
        }
        State::Condition { waiting } => {
            for (thread, (waits, mutex)) in waiting {
                field(Field::Waits(*thread), waits);
                field(Field::WaitsWith(*thread), mutex);
            }
        }
        State::Semaphore { value } => field(Field::Value, value),
        State::Barrier { needed, arrived } => {
            field(Field::Needed, needed);
            for (thread, has_arrived) in arrived {
                field(Field::Arrived(*thread), has_arrived);
            }
        }
        State::Monitor(monitor) => change_monitor(monitor, &mut field),
        State::Other => {}
    }
}

fn change_monitor(monitor: &mut Monitor, field: &mut impl FnMut(Field, &mut TermId)) {
    field(Field::Owner, &mut monitor.owner);
    field(Field::Count, &mut monitor.count);
    for (thread, (waits, count)) in &mut monitor.waiting {
        field(Field::WaitsAtMonitor(*thread), waits);
        field(Field::CountOfWaiting(*thread), count);
    }
    for (thread, (is_notified, count)) in &mut monitor.notified {
        field(Field::Notified(*thread), is_notified);
        field(Field::CountOfNotified(*thread), count);
    }
}

fn change_link(thread: ThreadIndex, link: &mut Link, to: &mut impl FnMut(Slot, TermId) -> TermId) {
    let mut field = |field: LinkField, term: &mut TermId| {
        *term = to(Slot::Link(thread, field), *term);
    };
    field(LinkField::Exists, &mut link.exists);
    field(LinkField::HasEnded, &mut link.has_ended);
    field(LinkField::IsDetached, &mut link.is_detached);
    if let Some((_, word)) = &mut link.result {
        field(LinkField::Result(ValuePart::Bits), &mut word.bits);
        field(LinkField::Result(ValuePart::IsSet), &mut word.is_defined);
    }
    field(LinkField::IsSignalled, &mut link.woken.is_signalled);
    field(LinkField::IsReleased, &mut link.woken.is_released);
    field(LinkField::Condition, &mut link.woken.condition);
    field(LinkField::Mutex, &mut link.woken.mutex);
    field(LinkField::MayTimeOut, &mut link.woken.may_time_out);
    field(LinkField::IsSerial, &mut link.woken.is_serial);
}
