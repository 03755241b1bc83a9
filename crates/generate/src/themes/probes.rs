//! Threads that do nothing wrong, and one that looks in an atomic section, at one moment of theirs, at what they work on.
//!
//! Whatever moves past that moment shows: the probe fails in few executions or in none.

use raddle_ir::{
    Access, Action, Expression, IntType, MutexKind, Order, Scalar, SyncInit, SyncOperation,
    SyncType,
};

use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);
const MARK: Scalar = Scalar::Int(IntType::unsigned(2));
const MUTEX: SyncType = SyncType::Mutex(MutexKind::Plain);

struct Probed {
    sync: SyncType,
    object: Expression,
    /// Of a condition variable.
    mutex: Expression,
}

pub(super) fn probes(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let mark = items.cell("mark", MARK);
    let sync = *random.pick(&[
        MUTEX,
        SyncType::ReadWriteLock,
        SyncType::Condition,
        SyncType::Condition,
        SyncType::Semaphore,
        SyncType::Barrier,
        SyncType::Monitor,
    ]);
    let object = match sync {
        SyncType::Semaphore => items.counted("s", sync, 1),
        SyncType::Barrier => items.counted("b", sync, 1),
        SyncType::Mutex(_) | SyncType::ReadWriteLock | SyncType::Condition | SyncType::Monitor => {
            items.sync("o", sync)
        }
    };
    let subject = Probed {
        sync,
        object,
        mutex: items.sync("m", MUTEX),
    };
    let prober = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        if at == prober {
            probe(random, body, &subject, &mark);
        } else {
            work(random, body, &subject, &mark);
        }
    }
}

/// Goes through the operations, with marks in between.
fn work(random: &mut Random, body: &mut Body, subject: &Probed, mark: &Cell) {
    use SyncOperation as Op;
    let write = *random.pick(&[Op::ReadAcquire, Op::WriteAcquire]);
    let wake = *random.pick(&[Op::Signal, Op::Broadcast]);
    let (takes, wakes) = (random.chance(70), random.chance(30));
    let operations: Vec<Op> = match subject.sync {
        SyncType::Mutex(_) => vec![Op::MutexAcquire, Op::MutexRelease],
        SyncType::ReadWriteLock => vec![write, Op::ReadWriteRelease],
        SyncType::Semaphore if takes => vec![Op::SemaphoreWait, Op::SemaphorePost],
        SyncType::Semaphore => vec![Op::SemaphorePost],
        SyncType::Barrier => vec![Op::BarrierArrive, Op::BarrierLeave],
        SyncType::Monitor => vec![Op::MonitorEnter, Op::MonitorNotify, Op::MonitorExit],
        SyncType::Condition if wakes => vec![Op::MutexAcquire, wake, Op::MutexRelease],
        SyncType::Condition => vec![
            Op::MutexAcquire,
            Op::WaitBegin,
            *random.pick(&[Op::WaitEndTimed, Op::WaitEnd]),
            Op::MutexRelease,
        ],
    };
    let mut next = 1;
    for operation in operations {
        if random.chance(30) && next < 4 {
            body.store_as(mark, mark.value(next), SEQUENTIAL);
            next += 1;
        }
        match operation {
            Op::WaitBegin | Op::WaitEnd | Op::WaitEndTimed => {
                body.wait(operation, &subject.object, &subject.mutex);
            }
            Op::MutexAcquire | Op::MutexRelease if subject.sync == SyncType::Condition => {
                body.sync(operation, &subject.mutex);
            }
            _ => body.sync(operation, &subject.object),
        }
        if random.chance(60) && next < 4 {
            body.store_as(mark, mark.value(next), SEQUENTIAL);
            next += 1;
        }
    }
}

/// Looks, if a mark says that it is time.
fn probe(random: &mut Random, body: &mut Body, subject: &Probed, mark: &Cell) {
    body.act(Action::AtomicBegin {
        is_as_written: false,
    });
    let seen = body.load_as(mark, SEQUENTIAL);
    let time = mark.value(random.below(3));
    body.when(equal(seen, time), |body| {
        if random.chance(50) {
            look(random, body, subject);
        } else if random.chance(70) || subject.sync != SyncType::Condition {
            renew(body, subject.sync, &subject.object);
        } else {
            renew(body, MUTEX, &subject.mutex);
        }
    });
    body.act(Action::AtomicEnd);
}

/// By trying. What changes the wait set changes what happens to those who wait.
fn look(random: &mut Random, body: &mut Body, subject: &Probed) {
    use SyncOperation as Op;
    let (object, attempt, undo) = match subject.sync {
        SyncType::Mutex(_) => (&subject.object, Op::MutexTry, Op::MutexRelease),
        SyncType::ReadWriteLock => (
            &subject.object,
            *random.pick(&[Op::ReadTry, Op::WriteTry]),
            Op::ReadWriteRelease,
        ),
        SyncType::Semaphore => (&subject.object, Op::SemaphoreTry, Op::SemaphorePost),
        SyncType::Condition if random.chance(50) => {
            (&subject.mutex, Op::MutexTry, Op::MutexRelease)
        }
        SyncType::Condition => return body.sync(Op::Broadcast, &subject.object),
        SyncType::Barrier | SyncType::Monitor => {
            return renew(body, subject.sync, &subject.object);
        }
    };
    let result = body.ask(attempt, object);
    let zero = Expression::int(0, RESULT);
    let is_taken = equal(result.clone(), zero.clone());
    if random.chance(50) {
        body.assert(is_taken.clone());
    } else {
        body.assert(differs(result, zero));
    }
    body.when(is_taken, |body| body.sync(undo, object));
}

/// Ends it and makes it again, which goes wrong while somebody uses it.
fn renew(body: &mut Body, sync: SyncType, object: &Expression) {
    let one = Expression::int(1, IntType::unsigned(32));
    let init = match sync {
        SyncType::Mutex(kind) => SyncInit::Mutex(kind),
        SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
        SyncType::Condition => SyncInit::Condition,
        SyncType::Semaphore => SyncInit::Semaphore(one),
        SyncType::Barrier => SyncInit::Barrier(one),
        SyncType::Monitor => SyncInit::Monitor,
    };
    body.act(Action::Destroy {
        object: object.clone(),
        sync,
    });
    body.act(Action::Init {
        object: object.clone(),
        sync: init,
    });
}
