//! Operations on synchronisation objects, as POSIX and Java define them.
//!
//! Here is what all of them share and the table of all operations; what each does is in `locks` (mutexes and
//! read-write locks), `conditions`, `semaphores`, `barriers` and `monitors`.

mod barriers;
mod conditions;
mod locks;
mod monitors;
mod semaphores;

pub use semaphores::{FULL_SEMAPHORE, SEMAPHORE_MAXIMUM};

use std::sync::Arc;

use crate::action::SyncOperation;
use crate::program::Program;
use crate::types::{MutexKind, SyncType};

use super::fault::Fault;
use super::memory::{locate, locate_to_write};
use super::state::{ObjectNumber, State, Sync, ThreadNumber, Woken};

/// Error numbers of Linux.
pub const EPERM: u128 = 1;
pub const EAGAIN: u128 = 11;
pub const EBUSY: u128 = 16;
pub const EDEADLK: u128 = 35;
pub const ETIMEDOUT: u128 = 110;

/// What a thread that cannot go on waits for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wait {
    /// For nothing: its assume does not hold, and never will.
    Assume,
    /// For others to do something: it can go on only after each of the holders has acted, and, if `needs_anyone`,
    /// somebody has.
    Others {
        holders: Vec<ThreadNumber>,
        needs_anyone: bool,
    },
}

impl Wait {
    /// For every one of these threads to do something.
    pub(crate) fn each(holders: Vec<ThreadNumber>) -> Wait {
        Wait::Others {
            holders,
            needs_anyone: false,
        }
    }

    /// For anybody to do something.
    pub(crate) fn anyone() -> Wait {
        Wait::Others {
            holders: Vec::new(),
            needs_anyone: true,
        }
    }
}

/// What came of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Performed {
    /// Done, with 0, an error number or a value.
    Done(u128),
    Blocked(Wait),
    /// The choice cannot be made in this state.
    NotAChoice,
}

const DONE: Result<Performed, Fault> = Ok(Performed::Done(0));

/// The synchronisation object of a family behind a pointer.
pub(super) fn find(
    program: &Program,
    state: &State,
    pointer: u128,
    family: SyncType,
) -> Result<(ObjectNumber, u64), Fault> {
    let (object, offset) = locate_to_write(program, state, pointer, 1)?;
    let word = family_name(family);
    match state.objects[&object].syncs.get(&offset) {
        None => Err(Fault::LockMisuse(format!(
            "a {word} is used that is not initialised or was destroyed"
        ))),
        Some(sync) if !sync.sync_type().is_family_of(family) => Err(Fault::LockMisuse(format!(
            "a {} is used as a {word}",
            family_name(sync.sync_type())
        ))),
        Some(_) => Ok((object, offset)),
    }
}

pub(super) fn family_name(sync: SyncType) -> &'static str {
    match sync {
        SyncType::Mutex(MutexKind::Spin) => "spin lock",
        SyncType::Mutex(_) => "mutex",
        SyncType::ReadWriteLock => "read-write lock",
        SyncType::Condition => "condition variable",
        SyncType::Semaphore => "semaphore",
        SyncType::Barrier => "barrier",
        SyncType::Monitor => "monitor",
    }
}

/// The choices that an operation has in this state; one without a number if there is nothing to choose.
pub(super) fn choices(
    program: &Program,
    state: &State,
    thread: ThreadNumber,
    operation: SyncOperation,
    pointer: u128,
    asks_serial: bool,
) -> Vec<Option<u128>> {
    let object = || {
        let (object, offset) = locate(program, state, pointer, 1).ok()?;
        state.objects[&object].syncs.get(&offset)
    };
    let numbers = |threads: &mut dyn Iterator<Item = &ThreadNumber>| -> Vec<u128> {
        threads.map(|it| u128::from(it.0)).collect()
    };
    let waiters: Vec<u128> = match (operation, object()) {
        (SyncOperation::Signal, Some(Sync::Condition { waiting })) => numbers(&mut waiting.keys()),
        (SyncOperation::MonitorNotify, Some(Sync::Monitor { waiting, .. })) => {
            numbers(&mut waiting.keys())
        }
        (SyncOperation::BarrierArrive, Some(Sync::Barrier { needed, arrived }))
            if arrived.len() as u64 + 1 >= u64::from(*needed) =>
        {
            let mut members = arrived.clone();
            members.insert(thread);
            // The least stands for all of them where nobody asks who it is.
            let asked = if asks_serial { members.len() } else { 1 };
            numbers(&mut members.iter().take(asked))
        }
        (
            SyncOperation::MutexTimed
            | SyncOperation::ReadTimed
            | SyncOperation::WriteTimed
            | SyncOperation::SemaphoreTimed
            | SyncOperation::WaitEndTimed,
            _,
        ) => vec![0, 1],
        _ => Vec::new(),
    };
    if waiters.is_empty() {
        vec![None]
    } else {
        waiters.into_iter().map(Some).collect()
    }
}

/// An operation with its operands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub(super) operation: SyncOperation,
    pub(super) pointer: u128,
    pub(super) mutex: Option<u128>,
    pub(super) choice: Option<u128>,
    pub(super) has_spurious_wakeups: bool,
}

/// Performs an operation for a thread.
pub(super) fn perform(
    program: &Program,
    state: &mut State,
    thread: ThreadNumber,
    request: Request,
) -> Result<Performed, Fault> {
    let operation = request.operation;
    let family = operation.family();
    let woken = state.threads[&thread].woken;
    match (operation, woken) {
        (SyncOperation::WaitEnd | SyncOperation::WaitEndTimed, Some(Woken::Signalled { .. }))
        | (SyncOperation::BarrierLeave, Some(Woken::Released { .. })) => {
            return go_on(program, state, thread, request);
        }
        (_, Some(_)) => {
            return Err(Fault::LockMisuse(
                "a thread works on a synchronisation object inside a wait".into(),
            ));
        }
        (_, None) => {}
    }
    let place = find(program, state, request.pointer, family)?;
    let mutex_place = match request.mutex {
        Some(mutex) => Some(find(
            program,
            state,
            mutex,
            SyncType::Mutex(MutexKind::Plain),
        )?),
        None => None,
    };
    match (operation, cell(state, place)) {
        (_, lock @ (Sync::Mutex { .. } | Sync::ReadWriteLock { .. })) => {
            on_lock(lock, thread, request)
        }
        (_, monitor @ Sync::Monitor { .. }) => on_monitor(monitor, thread, request),
        (SyncOperation::WaitBegin, Sync::Condition { .. }) => {
            conditions::begin_wait(state, thread, place, mutex_place, request)
        }
        (SyncOperation::WaitEnd | SyncOperation::WaitEndTimed, Sync::Condition { .. }) => {
            conditions::end_wait(state, thread, place, mutex_place, request)
        }
        (SyncOperation::Signal, Sync::Condition { .. }) => {
            conditions::signal(state, place, request)
        }
        (SyncOperation::Broadcast, Sync::Condition { .. }) => {
            conditions::broadcast(state, place, request)
        }
        (SyncOperation::SemaphorePost, Sync::Semaphore { value }) => semaphores::post(value),
        (
            SyncOperation::SemaphoreWait
            | SyncOperation::SemaphoreTry
            | SyncOperation::SemaphoreTimed,
            Sync::Semaphore { value },
        ) => Ok(semaphores::wait(value, request)),
        (SyncOperation::SemaphoreValue, Sync::Semaphore { value }) => {
            Ok(Performed::Done(u128::from(*value)))
        }
        (SyncOperation::BarrierArrive, Sync::Barrier { .. }) => {
            barriers::arrive(state, thread, place, request)
        }
        (SyncOperation::BarrierLeave, Sync::Barrier { arrived, .. }) => {
            barriers::leave(arrived, thread)
        }
        (operation, _) => unreachable!("found as the family of {operation:?}"),
    }
}

/// An operation on a mutex or a read-write lock.
fn on_lock(lock: &mut Sync, thread: ThreadNumber, request: Request) -> Result<Performed, Fault> {
    match (request.operation, lock) {
        (
            SyncOperation::MutexAcquire
            | SyncOperation::MutexTry
            | SyncOperation::MutexTimed
            | SyncOperation::SpinAcquire
            | SyncOperation::SpinTry,
            Sync::Mutex { kind, owner, count },
        ) => Ok(locks::acquire_mutex(*kind, owner, count, thread, request)),
        (
            SyncOperation::MutexRelease | SyncOperation::SpinRelease,
            Sync::Mutex { kind, owner, count },
        ) => locks::release_mutex(*kind, owner, count, thread),
        (
            SyncOperation::ReadAcquire | SyncOperation::ReadTry | SyncOperation::ReadTimed,
            Sync::ReadWriteLock { writer, readers },
        ) => Ok(locks::acquire_to_read(*writer, readers, thread, request)),
        (
            SyncOperation::WriteAcquire | SyncOperation::WriteTry | SyncOperation::WriteTimed,
            Sync::ReadWriteLock { writer, readers },
        ) => Ok(locks::acquire_to_write(writer, readers, thread, request)),
        (SyncOperation::ReadWriteRelease, Sync::ReadWriteLock { writer, readers }) => {
            locks::release_read_write(writer, readers, thread)
        }
        (operation, _) => unreachable!("found as the family of {operation:?}"),
    }
}

/// An operation on a monitor.
fn on_monitor(
    monitor: &mut Sync,
    thread: ThreadNumber,
    request: Request,
) -> Result<Performed, Fault> {
    match (request.operation, monitor) {
        (SyncOperation::MonitorEnter, Sync::Monitor { owner, count, .. }) => {
            Ok(monitors::enter(owner, count, thread, request))
        }
        (SyncOperation::MonitorExit, Sync::Monitor { owner, count, .. }) => {
            monitors::exit(owner, count, thread)
        }
        (
            SyncOperation::MonitorWaitBegin,
            Sync::Monitor {
                owner,
                count,
                waiting,
                ..
            },
        ) => monitors::begin_wait(owner, count, waiting, thread),
        (
            SyncOperation::MonitorWaitEnd,
            Sync::Monitor {
                owner,
                count,
                waiting,
                notified,
            },
        ) => monitors::end_wait(owner, count, waiting, notified, thread, request),
        (
            SyncOperation::MonitorNotify,
            Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            },
        ) => monitors::notify(*owner, waiting, notified, thread, request),
        (
            SyncOperation::MonitorNotifyAll,
            Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            },
        ) => monitors::notify_all(*owner, waiting, notified, thread),
        (operation, _) => unreachable!("found as the family of {operation:?}"),
    }
}

/// Goes on after what the thread waited for has come. The object it waited on need not exist any more.
fn go_on(
    program: &Program,
    state: &mut State,
    thread: ThreadNumber,
    request: Request,
) -> Result<Performed, Fault> {
    let performed = match state.threads[&thread].woken.expect("asked before") {
        Woken::Released { barrier, is_serial } => {
            barriers::leave_released(barrier, is_serial, request)?
        }
        Woken::Signalled {
            condition,
            mutex,
            may_time_out,
        } => {
            let awaited = (condition, mutex);
            conditions::end_signalled_wait(program, state, thread, awaited, may_time_out, request)?
        }
    };
    if let Performed::Done(_) = performed {
        Arc::make_mut(state.threads.get_mut(&thread).expect("runs")).woken = None;
    }
    Ok(performed)
}

fn wake(state: &mut State, thread: ThreadNumber, woken: Woken) {
    if let Some(thread) = state.threads.get_mut(&thread) {
        Arc::make_mut(thread).woken = Some(woken);
    }
}

/// The state of a synchronisation object that was found.
fn cell(state: &mut State, (object, offset): (ObjectNumber, u64)) -> &mut Sync {
    Arc::make_mut(state.objects.get_mut(&object).expect("found before"))
        .syncs
        .get_mut(&offset)
        .expect("found before")
}

fn chosen_thread(choice: Option<u128>) -> Option<ThreadNumber> {
    choice.map(|it| ThreadNumber(u64::try_from(it).unwrap_or(u64::MAX)))
}

/// Takes what is free; giving up (choice 1) is no choice then.
fn take(choice: Option<u128>, apply: impl FnOnce()) -> Performed {
    if choice == Some(1) {
        return Performed::NotAChoice;
    }
    apply();
    Performed::Done(0)
}

/// Blocks on what is not free, or gives up (choice 1).
fn refuse(choice: Option<u128>, wait: Wait) -> Performed {
    match choice {
        Some(1) => Performed::Done(ETIMEDOUT),
        Some(_) | None => Performed::Blocked(wait),
    }
}

/// Why a synchronisation object may not be destroyed now.
pub(super) fn in_use(sync: &Sync) -> Option<&'static str> {
    match sync {
        Sync::Mutex { owner: None, .. } => None,
        Sync::Mutex {
            kind: MutexKind::Spin,
            ..
        } => Some("a spin lock is destroyed while it is held"),
        Sync::Mutex { .. } => Some("a mutex is destroyed while it is held"),
        Sync::ReadWriteLock { writer, readers } => (writer.is_some() || !readers.is_empty())
            .then_some("a read-write lock is destroyed while it is held"),
        Sync::Condition { waiting } => (!waiting.is_empty())
            .then_some("a condition variable is destroyed while threads wait on it"),
        Sync::Semaphore { .. } => None,
        Sync::Barrier { arrived, .. } => {
            (!arrived.is_empty()).then_some("a barrier is destroyed while threads wait at it")
        }
        Sync::Monitor { owner, .. } => owner.map(|_| "a monitor is destroyed while it is held"),
    }
}
