//! Semaphores.

use crate::action::SyncOperation;
use crate::interpret::fault::Fault;

use super::{DONE, EAGAIN, Performed, Request, Wait, refuse, take};

pub(super) fn post(value: &mut u32) -> Result<Performed, Fault> {
    match value.checked_add(1) {
        Some(more) => {
            *value = more;
            DONE
        }
        None => Err(Fault::Unsupported(
            "a semaphore that counts beyond 32 bits".into(),
        )),
    }
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
