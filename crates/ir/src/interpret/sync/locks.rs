//! Mutexes and read-write locks.

use std::collections::BTreeMap;

use crate::action::SyncOperation;
use crate::interpret::fault::Fault;
use crate::interpret::state::{ObjectNumber, State, Sync, ThreadNumber};
use crate::types::{MutexKind, SyncType};

use super::{
    DONE, EBUSY, EDEADLK, EPERM, Performed, Request, Wait, cell, family_name, refuse, take,
};

pub(super) fn acquire_mutex(
    kind: MutexKind,
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    thread: ThreadNumber,
    Request {
        operation, choice, ..
    }: Request,
) -> Performed {
    let is_attempt = matches!(operation, SyncOperation::MutexTry | SyncOperation::SpinTry);
    match *owner {
        None => take(choice, || {
            *owner = Some(thread);
            *count = 1;
        }),
        Some(holder) if holder == thread && kind == MutexKind::Recursive => {
            take(choice, || *count += 1)
        }
        Some(_) if is_attempt => Performed::Done(EBUSY),
        Some(holder) if holder == thread && kind == MutexKind::ErrorChecking => {
            warn_of_itself(choice)
        }
        Some(holder) => refuse(choice, Wait::each(vec![holder])),
    }
}

/// Tells a thread that it would wait for itself; it does not come to give up (choice 1) then.
fn warn_of_itself(choice: Option<u128>) -> Performed {
    match choice {
        Some(1) => Performed::NotAChoice,
        Some(_) | None => Performed::Done(EDEADLK),
    }
}

pub(super) fn release_mutex(
    kind: MutexKind,
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    if *owner != Some(thread) {
        return match kind {
            MutexKind::Plain | MutexKind::Spin => {
                let lock = family_name(SyncType::Mutex(kind));
                Err(Fault::LockMisuse(match owner {
                    Some(_) => format!("a {lock} is released that another thread holds"),
                    None => format!("a {lock} is released that nobody holds"),
                }))
            }
            MutexKind::Recursive | MutexKind::ErrorChecking => Ok(Performed::Done(EPERM)),
        };
    }
    *count -= 1;
    if *count == 0 {
        *owner = None;
    }
    DONE
}

/// Who holds the mutex at a place.
pub(super) fn mutex_owner(state: &mut State, place: (ObjectNumber, u64)) -> Option<ThreadNumber> {
    match cell(state, place) {
        Sync::Mutex { owner, .. } => *owner,
        Sync::ReadWriteLock { .. }
        | Sync::Condition { .. }
        | Sync::Semaphore { .. }
        | Sync::Barrier { .. }
        | Sync::Monitor { .. } => unreachable!("found as a mutex"),
    }
}

/// Gives the mutex at a place, which nobody holds, to a thread.
pub(super) fn give_mutex(state: &mut State, place: (ObjectNumber, u64), thread: ThreadNumber) {
    if let Sync::Mutex { owner, count, .. } = cell(state, place) {
        (*owner, *count) = (Some(thread), 1);
    }
}

pub(super) fn acquire_to_read(
    writer: Option<ThreadNumber>,
    readers: &mut BTreeMap<ThreadNumber, u32>,
    thread: ThreadNumber,
    Request {
        operation, choice, ..
    }: Request,
) -> Performed {
    match writer {
        None => take(choice, || *readers.entry(thread).or_insert(0) += 1),
        Some(_) if operation == SyncOperation::ReadTry => Performed::Done(EBUSY),
        Some(holder) if holder == thread => warn_of_itself(choice),
        Some(holder) => refuse(choice, Wait::each(vec![holder])),
    }
}

pub(super) fn acquire_to_write(
    writer: &mut Option<ThreadNumber>,
    readers: &BTreeMap<ThreadNumber, u32>,
    thread: ThreadNumber,
    Request {
        operation, choice, ..
    }: Request,
) -> Performed {
    let holders: Vec<ThreadNumber> = writer.iter().chain(readers.keys()).copied().collect();
    if holders.is_empty() {
        take(choice, || *writer = Some(thread))
    } else if operation == SyncOperation::WriteTry {
        Performed::Done(EBUSY)
    } else if *writer == Some(thread) {
        warn_of_itself(choice)
    } else {
        refuse(choice, Wait::each(holders))
    }
}

pub(super) fn release_read_write(
    writer: &mut Option<ThreadNumber>,
    readers: &mut BTreeMap<ThreadNumber, u32>,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    if *writer == Some(thread) {
        *writer = None;
        return DONE;
    }
    let Some(count) = readers.get_mut(&thread) else {
        return Err(Fault::LockMisuse(
            "a read-write lock is released by a thread that does not hold it".into(),
        ));
    };
    *count -= 1;
    if *count == 0 {
        readers.remove(&thread);
    }
    DONE
}
