//! Monitors, as Java has them: a lock that its owner can take again, with one wait set.

use std::collections::BTreeMap;

use crate::interpret::fault::Fault;
use crate::interpret::state::ThreadNumber;

use super::{DONE, Performed, Request, Wait, chosen_thread, take};

/// Threads that wait or were notified, each with the count it will take up again.
type Counts = BTreeMap<ThreadNumber, u32>;

pub(super) fn enter(
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    thread: ThreadNumber,
    Request { choice, .. }: Request,
) -> Performed {
    match *owner {
        None => take(choice, || {
            *owner = Some(thread);
            *count = 1;
        }),
        Some(holder) if holder == thread => take(choice, || *count += 1),
        Some(holder) => Performed::Blocked(Wait::each(vec![holder])),
    }
}

pub(super) fn exit(
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    owned(*owner, thread)?;
    *count -= 1;
    if *count == 0 {
        *owner = None;
    }
    DONE
}

pub(super) fn begin_wait(
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    waiting: &mut Counts,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    owned(*owner, thread)?;
    waiting.insert(thread, *count);
    (*owner, *count) = (None, 0);
    DONE
}

pub(super) fn end_wait(
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    waiting: &mut Counts,
    notified: &mut Counts,
    thread: ThreadNumber,
    Request {
        has_spurious_wakeups,
        ..
    }: Request,
) -> Result<Performed, Fault> {
    let is_waiting = waiting.contains_key(&thread);
    if !is_waiting && !notified.contains_key(&thread) {
        return Err(Fault::LockMisuse("a wait ends that never began".into()));
    }
    let needs_anyone = is_waiting && !has_spurious_wakeups;
    if needs_anyone || owner.is_some() {
        return Ok(Performed::Blocked(Wait::Others {
            holders: owner.iter().copied().collect(),
            needs_anyone,
        }));
    }
    let saved = notified.remove(&thread).or_else(|| waiting.remove(&thread));
    (*owner, *count) = (Some(thread), saved.expect("it waits or was notified"));
    DONE
}

/// Notifies the chosen thread, if any waits.
pub(super) fn notify(
    owner: Option<ThreadNumber>,
    waiting: &mut Counts,
    notified: &mut Counts,
    thread: ThreadNumber,
    Request { choice, .. }: Request,
) -> Result<Performed, Fault> {
    owned(owner, thread)?;
    if let Some(chosen) = chosen_thread(choice) {
        match waiting.remove_entry(&chosen) {
            Some((chosen, count)) => notified.insert(chosen, count),
            None => return Ok(Performed::NotAChoice),
        };
    }
    DONE
}

pub(super) fn notify_all(
    owner: Option<ThreadNumber>,
    waiting: &mut Counts,
    notified: &mut Counts,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    owned(owner, thread)?;
    notified.append(waiting);
    DONE
}

fn owned(owner: Option<ThreadNumber>, thread: ThreadNumber) -> Result<(), Fault> {
    if owner == Some(thread) {
        Ok(())
    } else {
        Err(Fault::LockMisuse(
            "a monitor is used by a thread that does not own it".into(),
        ))
    }
}
