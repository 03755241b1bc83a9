//! Condition variables: a wait begins in one operation, which gives the mutex away, and ends in another, which takes
//! it back.

use std::collections::BTreeMap;

use crate::interpret::fault::Fault;
use crate::interpret::state::{ObjectNumber, State, Sync, ThreadNumber, Woken};
use crate::program::Program;
use crate::types::{MutexKind, SyncType};

use super::locks::{give_mutex, mutex_owner};
use super::{DONE, ETIMEDOUT, Performed, Request, Wait, cell, chosen_thread, find, wake};

const OTHER_MUTEX: &str = "a condition variable is waited on with different mutexes";

/// The wait set of a condition variable that was found: each thread with its mutex.
fn waiting(state: &mut State, place: (ObjectNumber, u64)) -> &mut BTreeMap<ThreadNumber, u128> {
    let Sync::Condition { waiting } = cell(state, place) else {
        unreachable!("found as a condition variable")
    };
    waiting
}

pub(super) fn begin_wait(
    state: &mut State,
    thread: ThreadNumber,
    condition: (ObjectNumber, u64),
    mutex_place: Option<(ObjectNumber, u64)>,
    request: Request,
) -> Result<Performed, Fault> {
    let mutex = request.mutex.expect("validated: a wait names its mutex");
    let mutex_place = mutex_place.expect("validated: a wait names its mutex");
    let Sync::Mutex { owner, count, .. } = cell(state, mutex_place) else {
        unreachable!("found as a mutex")
    };
    if *owner != Some(thread) {
        return Err(Fault::LockMisuse(
            "a thread waits on a condition variable without holding its mutex".into(),
        ));
    }
    if *count != 1 {
        return Err(Fault::LockMisuse(
            "a thread waits on a condition variable while it holds its mutex more than once".into(),
        ));
    }
    (*owner, *count) = (None, 0);
    let waiting = waiting(state, condition);
    if waiting.values().any(|other| *other != mutex) {
        return Err(Fault::LockMisuse(OTHER_MUTEX.into()));
    }
    waiting.insert(thread, mutex);
    DONE
}

/// Ends a wait without a signal: the thread gives up, or goes on for no reason at all where that is asked for.
pub(super) fn end_wait(
    state: &mut State,
    thread: ThreadNumber,
    condition: (ObjectNumber, u64),
    mutex_place: Option<(ObjectNumber, u64)>,
    request: Request,
) -> Result<Performed, Fault> {
    let Some(its_mutex) = waiting(state, condition).get(&thread).copied() else {
        return Err(Fault::LockMisuse("a wait ends that never began".into()));
    };
    if request.mutex != Some(its_mutex) {
        return Err(Fault::LockMisuse(OTHER_MUTEX.into()));
    }
    let gives_up = request.choice == Some(1);
    let may_go_on = gives_up || request.has_spurious_wakeups;
    let mutex_place = mutex_place.expect("validated: a wait names its mutex");
    let holder = mutex_owner(state, mutex_place);
    if !may_go_on || holder.is_some() {
        return Ok(Performed::Blocked(Wait::Others {
            holders: holder.into_iter().collect(),
            needs_anyone: !may_go_on,
        }));
    }
    waiting(state, condition).remove(&thread);
    give_mutex(state, mutex_place, thread);
    Ok(Performed::Done(if gives_up { ETIMEDOUT } else { 0 }))
}

/// Wakes the chosen thread, if any waits.
pub(super) fn signal(
    state: &mut State,
    condition: (ObjectNumber, u64),
    request: Request,
) -> Result<Performed, Fault> {
    if let Some(chosen) = chosen_thread(request.choice) {
        let waiting = waiting(state, condition);
        let Some(mutex) = waiting.remove(&chosen) else {
            return Ok(Performed::NotAChoice);
        };
        let may_time_out = waiting.is_empty();
        wake(
            state,
            chosen,
            Woken::Signalled {
                condition: request.pointer,
                mutex,
                may_time_out,
            },
        );
    }
    DONE
}

/// Wakes every thread that waits.
pub(super) fn broadcast(
    state: &mut State,
    condition: (ObjectNumber, u64),
    request: Request,
) -> Result<Performed, Fault> {
    for (chosen, mutex) in std::mem::take(waiting(state, condition)) {
        wake(
            state,
            chosen,
            Woken::Signalled {
                condition: request.pointer,
                mutex,
                may_time_out: true,
            },
        );
    }
    DONE
}

/// Ends the wait of a thread that was signalled: it takes its mutex back as soon as that is free. The condition
/// variable need not exist any more.
pub(super) fn end_signalled_wait(
    program: &Program,
    state: &mut State,
    thread: ThreadNumber,
    (condition, mutex): (u128, u128),
    may_time_out: bool,
    request: Request,
) -> Result<Performed, Fault> {
    if condition != request.pointer || Some(mutex) != request.mutex {
        return Err(Fault::LockMisuse(OTHER_MUTEX.into()));
    }
    let gives_up = request.choice == Some(1);
    if gives_up && !may_time_out {
        return Ok(Performed::NotAChoice);
    }
    let place = find(program, state, mutex, SyncType::Mutex(MutexKind::Plain))?;
    if let Some(holder) = mutex_owner(state, place) {
        return Ok(Performed::Blocked(Wait::each(vec![holder])));
    }
    give_mutex(state, place, thread);
    Ok(Performed::Done(if gives_up { ETIMEDOUT } else { 0 }))
}
