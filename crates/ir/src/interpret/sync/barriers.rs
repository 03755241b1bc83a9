//! Barriers: a thread arrives in one operation and leaves in another, once the round is complete.

use std::collections::BTreeSet;

use crate::interpret::fault::Fault;
use crate::interpret::state::{ObjectNumber, State, Sync, ThreadNumber, Woken};

use super::{DONE, Performed, Request, Wait, cell, chosen_thread, wake};

/// Arrives; the last of a round releases all of it.
pub(super) fn arrive(
    state: &mut State,
    thread: ThreadNumber,
    place: (ObjectNumber, u64),
    Request {
        pointer, choice, ..
    }: Request,
) -> Result<Performed, Fault> {
    let Sync::Barrier { needed, arrived } = cell(state, place) else {
        unreachable!("found as a barrier")
    };
    if *needed == 0 {
        return Err(Fault::LockMisuse(
            "a thread arrives at a barrier that was made for nobody".into(),
        ));
    }
    if !arrived.insert(thread) {
        return Err(Fault::LockMisuse(
            "a thread arrives at a barrier that it has not left".into(),
        ));
    }
    if arrived.len() as u64 >= u64::from(*needed) {
        let serial = chosen_thread(choice);
        for member in std::mem::take(arrived) {
            wake(
                state,
                member,
                Woken::Released {
                    barrier: pointer,
                    is_serial: Some(member) == serial,
                },
            );
        }
    }
    DONE
}

/// Waits for the rest of the round.
pub(super) fn leave(
    arrived: &BTreeSet<ThreadNumber>,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    if arrived.contains(&thread) {
        Ok(Performed::Blocked(Wait::anyone()))
    } else {
        Err(Fault::LockMisuse(
            "a thread leaves a barrier at which it did not arrive".into(),
        ))
    }
}

/// Leaves the barrier that has released the thread.
pub(super) fn leave_released(
    barrier: u128,
    is_serial: bool,
    request: Request,
) -> Result<Performed, Fault> {
    if barrier != request.pointer {
        return Err(Fault::LockMisuse(
            "a thread leaves another barrier than it arrived at".into(),
        ));
    }
    // PTHREAD_BARRIER_SERIAL_THREAD is -1.
    Ok(Performed::Done(if is_serial { u128::MAX } else { 0 }))
}
