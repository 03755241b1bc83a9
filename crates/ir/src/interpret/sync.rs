//! Operations on synchronisation objects, as POSIX and Java define them.

use std::sync::Arc;

use crate::action::SyncOperation;
use crate::program::Program;
use crate::types::{MutexKind, SyncType};

use super::fault::Fault;
use super::memory::locate;
use super::state::{ObjectNumber, State, Sync, ThreadNumber, Woken};

/// Error numbers of Linux.
pub const EPERM: u128 = 1;
pub const EAGAIN: u128 = 11;
pub const EBUSY: u128 = 16;
pub const EDEADLK: u128 = 35;
pub const ETIMEDOUT: u128 = 110;

/// What a thread that cannot go on waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wait {
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
    pub(super) fn each(holders: Vec<ThreadNumber>) -> Wait {
        Wait::Others {
            holders,
            needs_anyone: false,
        }
    }

    /// For anybody to do something.
    pub(super) fn anyone() -> Wait {
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
    let (object, offset) = locate(program, state, pointer, 1)?;
    let word = family_name(family);
    match state.objects[&object].syncs.get(&offset) {
        None => Err(Fault::LockMisuse(format!(
            "a {word} is used that is not initialised or was destroyed"
        ))),
        Some(sync) if family_name(sync.sync_type()) != word => Err(Fault::LockMisuse(format!(
            "a {} is used as a {word}",
            family_name(sync.sync_type())
        ))),
        Some(_) => Ok((object, offset)),
    }
}

pub(super) fn family_name(sync: SyncType) -> &'static str {
    match sync {
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
    let Request {
        operation,
        pointer,
        mutex,
        choice,
        has_spurious_wakeups,
    } = request;
    let (_, _, family) = SyncOperation::ALL
        .into_iter()
        .find(|(it, _, _)| *it == operation)
        .expect("ALL lists every operation");
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
    let (object, offset) = find(program, state, pointer, family)?;
    let mutex_place = match mutex {
        Some(mutex) => Some(find(
            program,
            state,
            mutex,
            SyncType::Mutex(MutexKind::Plain),
        )?),
        None => None,
    };
    let sync = cell(state, (object, offset));
    match (operation, sync) {
        (
            SyncOperation::MutexAcquire | SyncOperation::MutexTry | SyncOperation::MutexTimed,
            Sync::Mutex { kind, owner, count },
        ) => Ok(match *owner {
            None => take(choice, || {
                *owner = Some(thread);
                *count = 1;
            }),
            Some(holder) if holder == thread && *kind == MutexKind::Recursive => {
                take(choice, || *count += 1)
            }
            Some(_) if operation == SyncOperation::MutexTry => Performed::Done(EBUSY),
            Some(holder) if holder == thread && *kind == MutexKind::ErrorChecking => match choice {
                Some(1) => Performed::NotAChoice,
                Some(_) | None => Performed::Done(EDEADLK),
            },
            Some(holder) => refuse(choice, Wait::each(vec![holder])),
        }),
        (SyncOperation::MutexRelease, Sync::Mutex { kind, owner, count }) => {
            release_mutex(*kind, owner, count, thread)
        }
        (
            SyncOperation::ReadAcquire | SyncOperation::ReadTry | SyncOperation::ReadTimed,
            Sync::ReadWriteLock { writer, readers },
        ) => Ok(match *writer {
            None => take(choice, || *readers.entry(thread).or_insert(0) += 1),
            Some(_) if operation == SyncOperation::ReadTry => Performed::Done(EBUSY),
            Some(holder) => refuse(choice, Wait::each(vec![holder])),
        }),
        (
            SyncOperation::WriteAcquire | SyncOperation::WriteTry | SyncOperation::WriteTimed,
            Sync::ReadWriteLock { writer, readers },
        ) => {
            let holders: Vec<ThreadNumber> = writer.iter().chain(readers.keys()).copied().collect();
            Ok(if holders.is_empty() {
                take(choice, || *writer = Some(thread))
            } else if operation == SyncOperation::WriteTry {
                Performed::Done(EBUSY)
            } else {
                refuse(choice, Wait::each(holders))
            })
        }
        (SyncOperation::ReadWriteRelease, Sync::ReadWriteLock { writer, readers }) => {
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
        (SyncOperation::WaitBegin, Sync::Condition { .. }) => {
            begin_wait(state, thread, (object, offset), mutex, mutex_place)
        }
        (SyncOperation::WaitEnd | SyncOperation::WaitEndTimed, Sync::Condition { waiting }) => {
            let Some(its_mutex) = waiting.get(&thread).copied() else {
                return Err(Fault::LockMisuse("a wait ends that never began".into()));
            };
            if mutex != Some(its_mutex) {
                return Err(Fault::LockMisuse(OTHER_MUTEX.into()));
            }
            // Not signalled: it goes on if it gives up, or for no reason at all where that is asked for.
            let gives_up = choice == Some(1);
            let may_go_on = gives_up || has_spurious_wakeups;
            let mutex_place = mutex_place.expect("validated: a wait names its mutex");
            let holder = mutex_owner(state, mutex_place);
            if !may_go_on || holder.is_some() {
                return Ok(Performed::Blocked(Wait::Others {
                    holders: holder.into_iter().collect(),
                    needs_anyone: !may_go_on,
                }));
            }
            let Sync::Condition { waiting } = cell(state, (object, offset)) else {
                unreachable!("found as a condition variable")
            };
            waiting.remove(&thread);
            give_mutex(state, mutex_place, thread);
            Ok(Performed::Done(if gives_up { ETIMEDOUT } else { 0 }))
        }
        (SyncOperation::Signal, Sync::Condition { waiting }) => {
            if let Some(chosen) = chosen_thread(choice) {
                let Some(mutex) = waiting.remove(&chosen) else {
                    return Ok(Performed::NotAChoice);
                };
                let may_time_out = waiting.is_empty();
                wake(
                    state,
                    chosen,
                    Woken::Signalled {
                        condition: pointer,
                        mutex,
                        may_time_out,
                    },
                );
            }
            DONE
        }
        (SyncOperation::Broadcast, Sync::Condition { waiting }) => {
            for (chosen, mutex) in std::mem::take(waiting) {
                wake(
                    state,
                    chosen,
                    Woken::Signalled {
                        condition: pointer,
                        mutex,
                        may_time_out: true,
                    },
                );
            }
            DONE
        }
        (SyncOperation::SemaphorePost, Sync::Semaphore { value }) => match value.checked_add(1) {
            Some(more) => {
                *value = more;
                DONE
            }
            None => Err(Fault::Unsupported(
                "a semaphore that counts beyond 32 bits".into(),
            )),
        },
        (
            SyncOperation::SemaphoreWait
            | SyncOperation::SemaphoreTry
            | SyncOperation::SemaphoreTimed,
            Sync::Semaphore { value },
        ) => Ok(match value.checked_sub(1) {
            Some(less) => take(choice, || *value = less),
            None if operation == SyncOperation::SemaphoreTry => Performed::Done(EAGAIN),
            None => refuse(choice, Wait::anyone()),
        }),
        (SyncOperation::SemaphoreValue, Sync::Semaphore { value }) => {
            Ok(Performed::Done(u128::from(*value)))
        }
        (SyncOperation::BarrierArrive, Sync::Barrier { needed: 0, .. }) => Err(Fault::LockMisuse(
            "a thread arrives at a barrier that was made for nobody".into(),
        )),
        (SyncOperation::BarrierArrive, Sync::Barrier { needed, arrived }) => {
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
        (SyncOperation::BarrierLeave, Sync::Barrier { arrived, .. }) => {
            if arrived.contains(&thread) {
                Ok(Performed::Blocked(Wait::anyone()))
            } else {
                Err(Fault::LockMisuse(
                    "a thread leaves a barrier at which it did not arrive".into(),
                ))
            }
        }
        (SyncOperation::MonitorEnter, Sync::Monitor { owner, count, .. }) => Ok(match *owner {
            None => take(choice, || {
                *owner = Some(thread);
                *count = 1;
            }),
            Some(holder) if holder == thread => take(choice, || *count += 1),
            Some(holder) => Performed::Blocked(Wait::each(vec![holder])),
        }),
        (SyncOperation::MonitorExit, Sync::Monitor { owner, count, .. }) => {
            owned(*owner, thread)?;
            *count -= 1;
            if *count == 0 {
                *owner = None;
            }
            DONE
        }
        (
            SyncOperation::MonitorWaitBegin,
            Sync::Monitor {
                owner,
                count,
                waiting,
                ..
            },
        ) => {
            owned(*owner, thread)?;
            waiting.insert(thread, *count);
            (*owner, *count) = (None, 0);
            DONE
        }
        (
            SyncOperation::MonitorWaitEnd,
            Sync::Monitor {
                owner,
                count,
                waiting,
                notified,
            },
        ) => {
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
        (
            SyncOperation::MonitorNotify,
            Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            },
        ) => {
            owned(*owner, thread)?;
            if let Some(chosen) = chosen_thread(choice) {
                match waiting.remove_entry(&chosen) {
                    Some((chosen, count)) => notified.insert(chosen, count),
                    None => return Ok(Performed::NotAChoice),
                };
            }
            DONE
        }
        (
            SyncOperation::MonitorNotifyAll,
            Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            },
        ) => {
            owned(*owner, thread)?;
            notified.append(waiting);
            DONE
        }
        (operation, _) => unreachable!("found as the family of {operation:?}"),
    }
}

const OTHER_MUTEX: &str = "a condition variable is waited on with different mutexes";

/// Goes on after what the thread waited for has come. The object it waited on need not exist any more.
fn go_on(
    program: &Program,
    state: &mut State,
    thread: ThreadNumber,
    request: Request,
) -> Result<Performed, Fault> {
    let woken = state.threads[&thread].woken.expect("asked before");
    let code = match woken {
        Woken::Released { barrier, .. } if barrier != request.pointer => {
            return Err(Fault::LockMisuse(
                "a thread leaves another barrier than it arrived at".into(),
            ));
        }
        // PTHREAD_BARRIER_SERIAL_THREAD is -1.
        Woken::Released { is_serial, .. } => {
            if is_serial {
                u128::MAX
            } else {
                0
            }
        }
        Woken::Signalled {
            condition, mutex, ..
        } if condition != request.pointer || Some(mutex) != request.mutex => {
            return Err(Fault::LockMisuse(OTHER_MUTEX.into()));
        }
        Woken::Signalled {
            may_time_out: false,
            ..
        } if request.choice == Some(1) => {
            return Ok(Performed::NotAChoice);
        }
        Woken::Signalled { mutex, .. } => {
            let place = find(program, state, mutex, SyncType::Mutex(MutexKind::Plain))?;
            if let Some(holder) = mutex_owner(state, place) {
                return Ok(Performed::Blocked(Wait::each(vec![holder])));
            }
            give_mutex(state, place, thread);
            if request.choice == Some(1) {
                ETIMEDOUT
            } else {
                0
            }
        }
    };
    Arc::make_mut(state.threads.get_mut(&thread).expect("runs")).woken = None;
    Ok(Performed::Done(code))
}

fn wake(state: &mut State, thread: ThreadNumber, woken: Woken) {
    if let Some(thread) = state.threads.get_mut(&thread) {
        Arc::make_mut(thread).woken = Some(woken);
    }
}

fn mutex_owner(state: &mut State, place: (ObjectNumber, u64)) -> Option<ThreadNumber> {
    match cell(state, place) {
        Sync::Mutex { owner, .. } => *owner,
        Sync::ReadWriteLock { .. }
        | Sync::Condition { .. }
        | Sync::Semaphore { .. }
        | Sync::Barrier { .. }
        | Sync::Monitor { .. } => unreachable!("found as a mutex"),
    }
}

fn give_mutex(state: &mut State, place: (ObjectNumber, u64), thread: ThreadNumber) {
    if let Sync::Mutex { owner, count, .. } = cell(state, place) {
        (*owner, *count) = (Some(thread), 1);
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

fn release_mutex(
    kind: MutexKind,
    owner: &mut Option<ThreadNumber>,
    count: &mut u32,
    thread: ThreadNumber,
) -> Result<Performed, Fault> {
    if *owner != Some(thread) {
        return match kind {
            MutexKind::Plain => Err(Fault::LockMisuse(match owner {
                Some(_) => "a mutex is released that another thread holds".into(),
                None => "a mutex is released that nobody holds".into(),
            })),
            MutexKind::Recursive | MutexKind::ErrorChecking => Ok(Performed::Done(EPERM)),
        };
    }
    *count -= 1;
    if *count == 0 {
        *owner = None;
    }
    DONE
}

fn begin_wait(
    state: &mut State,
    thread: ThreadNumber,
    condition: (ObjectNumber, u64),
    mutex: Option<u128>,
    mutex_place: Option<(ObjectNumber, u64)>,
) -> Result<Performed, Fault> {
    let mutex = mutex.expect("validated: a wait names its mutex");
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
    let Sync::Condition { waiting } = cell(state, condition) else {
        unreachable!("found as a condition variable")
    };
    if waiting.values().any(|other| *other != mutex) {
        return Err(Fault::LockMisuse(OTHER_MUTEX.into()));
    }
    waiting.insert(thread, mutex);
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

/// Why a synchronisation object may not be destroyed now.
pub(super) fn in_use(sync: &Sync) -> Option<&'static str> {
    match sync {
        Sync::Mutex { owner, .. } => owner.map(|_| "a mutex is destroyed while it is held"),
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
