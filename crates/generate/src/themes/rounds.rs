//! A thread that goes round for ever, beside others that wait for something that it may do, or never does, or that spin until
//! then; at times it spins with them.

use raddle_ir::{
    Access, Action, EndKind, Expression, MutexKind, Order, RmwOperation, SyncOperation, SyncType,
};

use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;
use crate::themes::locks::FLAG;

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);

/// In how many ways is waited, and which of them is the first without blocking.
const KINDS: usize = 8;
const FIRST_SPIN: usize = 5;
/// Which of them is to wait for a signal.
const CONDITION: usize = 1;

/// What is waited for.
struct Things {
    semaphore: Expression,
    condition: Expression,
    mutex: Expression,
    barrier: Expression,
    flag: Cell,
}

pub(super) fn rounds(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let things = Things::new(items, random);
    // Most threads wait for the same.
    let usual = random.below(KINDS);
    let last = threads.len() - 1;
    for (at, body) in threads.iter_mut().enumerate() {
        if at < last || last == 0 {
            let kind = if random.chance(75) {
                usual
            } else {
                random.below(KINDS)
            };
            wait(&things, kind, random, body);
        }
        if at == last && random.chance(30) {
            let kind = FIRST_SPIN + random.below(KINDS - FIRST_SPIN);
            wait(&things, kind, random, body);
        } else if at == last {
            let deeds: Vec<usize> = (0..random.between(1, 2))
                .map(|_| random.below(10))
                .collect();
            let may_leave = random.chance(20);
            let test = |body: &mut Body| {
                if may_leave {
                    let again = body.havoc(FLAG);
                    return equal(again, things.flag.value(1));
                }
                body.act(Action::skip());
                equal(things.flag.value(0), things.flag.value(0))
            };
            body.repeat(test, |body| {
                for deed in deeds {
                    act(&things, deed, usual, body);
                }
            });
        }
    }
}

/// A thread waits for a signal that others may have given, or that nobody gives.
pub(crate) fn wait_in_the_end(items: &mut Items, random: &mut Random, body: &mut Body) {
    let things = Things::new(items, random);
    wait(&things, CONDITION, random, body);
}

impl Things {
    fn new(items: &mut Items, random: &mut Random) -> Self {
        Self {
            semaphore: items.counted("s", SyncType::Semaphore, usize::from(random.chance(20))),
            condition: items.sync("c", SyncType::Condition),
            mutex: items.sync("m", SyncType::Mutex(MutexKind::Plain)),
            barrier: items.counted("b", SyncType::Barrier, 2),
            flag: items.cell("flag", FLAG),
        }
    }
}

fn wait(things: &Things, kind: usize, random: &mut Random, body: &mut Body) {
    let flag = &things.flag;
    match kind {
        0 => body.sync(SyncOperation::SemaphoreWait, &things.semaphore),
        CONDITION => {
            let ends = [
                SyncOperation::WaitEnd,
                SyncOperation::WaitEnd,
                SyncOperation::WaitEndTimed,
            ];
            let end = *random.pick(&ends);
            body.sync(SyncOperation::MutexAcquire, &things.mutex);
            body.repeat(
                |body| equal(body.load_as(flag, SEQUENTIAL), flag.value(0)),
                |body| {
                    body.wait(SyncOperation::WaitBegin, &things.condition, &things.mutex);
                    body.wait(end, &things.condition, &things.mutex);
                },
            );
            body.sync(SyncOperation::MutexRelease, &things.mutex);
        }
        2 => {
            body.sync(SyncOperation::BarrierArrive, &things.barrier);
            body.sync(SyncOperation::BarrierLeave, &things.barrier);
        }
        3 => {
            body.act(Action::AtomicBegin {
                is_as_written: false,
            });
            let seen = body.load_as(flag, SEQUENTIAL);
            body.assume(equal(seen, flag.value(1)));
            body.act(Action::AtomicEnd);
        }
        4 => {
            body.sync(SyncOperation::SemaphoreWait, &things.semaphore);
            if random.chance(50) {
                body.sync(SyncOperation::SemaphorePost, &things.semaphore);
            }
        }
        _ => spin(things, kind, random, body),
    }
}

/// Goes round until something has come.
fn spin(things: &Things, kind: usize, random: &mut Random, body: &mut Body) {
    let flag = &things.flag;
    let idle = random.below(4);
    let inside = |body: &mut Body| match idle {
        0 => body.sync(SyncOperation::Broadcast, &things.condition),
        1 => body.act(Action::skip()),
        // It is what it was.
        2 => body.act(Action::ReadModifyWrite {
            target: None,
            operation: RmwOperation::Exchange,
            address: flag.address.clone(),
            operand: flag.value(0),
            ty: flag.ty,
            order: Order::SequentiallyConsistent,
        }),
        _ => {}
    };
    match kind {
        FIRST_SPIN => {
            body.repeat(
                |body| equal(body.load_as(flag, SEQUENTIAL), flag.value(0)),
                inside,
            );
            if random.chance(50) {
                body.sync(SyncOperation::SemaphorePost, &things.semaphore);
            }
        }
        6 => {
            let failed = |body: &mut Body| {
                let result = body.ask(SyncOperation::MutexTry, &things.mutex);
                differs(result, Expression::int(0, RESULT))
            };
            body.repeat(failed, inside);
            if random.chance(60) {
                body.sync(SyncOperation::MutexRelease, &things.mutex);
            }
        }
        _ => {
            let is_none = |body: &mut Body| {
                let value = body.ask(SyncOperation::SemaphoreValue, &things.semaphore);
                equal(value, Expression::int(0, RESULT))
            };
            body.repeat(is_none, inside);
            if random.chance(50) {
                body.store_as(flag, flag.value(1), SEQUENTIAL);
            }
        }
    }
}

/// One thing that is done in each round.
fn act(things: &Things, deed: usize, usual: usize, body: &mut Body) {
    let flag = &things.flag;
    match deed {
        0 | 1 => {
            body.sync(SyncOperation::MutexAcquire, &things.mutex);
            body.sync(SyncOperation::MutexRelease, &things.mutex);
        }
        2 => {
            let value = body.ask(SyncOperation::SemaphoreValue, &things.semaphore);
            let is_none = equal(value, Expression::int(0, RESULT));
            body.when(is_none, |body| {
                body.sync(SyncOperation::SemaphorePost, &things.semaphore);
            });
        }
        3 => {
            body.store_as(flag, flag.value(1), SEQUENTIAL);
            body.sync(SyncOperation::Broadcast, &things.condition);
        }
        4 => {
            body.store_as(flag, flag.value(1), SEQUENTIAL);
            body.store_as(flag, flag.value(0), SEQUENTIAL);
        }
        5 => body.sync(SyncOperation::Signal, &things.condition),
        6 => {
            let ends = body.havoc(FLAG);
            body.when(equal(ends, flag.value(1)), |body| {
                body.act(Action::EndProcess {
                    kind: EndKind::Exit(Expression::int(0, RESULT)),
                });
            });
        }
        7 => {
            let seen = body.load_as(flag, SEQUENTIAL);
            body.assume(equal(seen, flag.value(usual % 2)));
        }
        8 => {
            let result = body.ask(SyncOperation::SemaphoreTimed, &things.semaphore);
            let has_got = equal(result, Expression::int(0, RESULT));
            body.when(has_got, |body| {
                body.store_as(flag, flag.value(1), SEQUENTIAL);
            });
        }
        _ => body.act(Action::skip()),
    }
}
