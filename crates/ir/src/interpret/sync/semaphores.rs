//! Semaphores.

use crate::action::SyncOperation;
use crate::interpret::fault::Fault;

use super::{DONE, EAGAIN, Performed, Request, Wait, refuse, take};

/// As high as a semaphore of glibc counts.
pub const SEMAPHORE_MAXIMUM: u32 = 0x7fff_ffff;

/// A post to one that is full fails, and would not commute with a wait as others do.
pub const FULL_SEMAPHORE: &str =
    "a post to a semaphore of the highest value, which gives `EOVERFLOW`,";

pub(super) fn post(value: &mut u32) -> Result<Performed, Fault> {
    if *value >= SEMAPHORE_MAXIMUM {
        return Err(Fault::Unsupported(FULL_SEMAPHORE.into()));
    }
    *value += 1;
    DONE
}

pub(super) fn wait(
    value: &mut u32,
    Request {
        operation, choice, ..
    }: Request,
) -> Performed {
    match value.checked_sub(1) {
        Some(less) => take(choice, || *value = less),
        None if operation == SyncOperation::SemaphoreTry => Performed::Done(EAGAIN),
        None => refuse(choice, Wait::anyone()),
    }
}
