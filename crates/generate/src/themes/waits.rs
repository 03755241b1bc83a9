//! Condition variables, semaphores, barriers and monitors.

use raddle_ir::{BinaryOp, Expression, MutexKind, SyncOperation, SyncType};

use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::{Items, small_count};
use crate::themes::locks::FLAG;

pub(super) fn condition(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let c = items.sync("c", SyncType::Condition);
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let ready = items.cell("ready", FLAG);
    let is_timed = random.chance(40);
    let (loops, holds) = (random.chance(75), random.chance(92));
    let waiter = random.below(threads.len());
    let wake = *random.pick(&[SyncOperation::Signal, SyncOperation::Broadcast]);
    let forgets_to_wake = random.chance(12);
    let end = if is_timed {
        SyncOperation::WaitEndTimed
    } else {
        SyncOperation::WaitEnd
    };
    let wait = |body: &mut Body| {
        body.wait(SyncOperation::WaitBegin, &c, &m);
        body.wait(end, &c, &m);
    };
    let is_missing = |body: &mut Body| equal(body.load(&ready), ready.value(0));
    for (at, body) in threads.iter_mut().enumerate() {
        if holds {
            body.sync(SyncOperation::MutexAcquire, &m);
        }
        if at == waiter {
            if loops {
                body.repeat(is_missing, wait);
            } else {
                let condition = is_missing(body);
                body.when(condition, wait);
                let now = body.load(&ready);
                body.assert(equal(now, ready.value(1)));
            }
        } else {
            body.store(&ready, ready.value(1));
            if !forgets_to_wake {
                body.sync(wake, &c);
            }
        }
        if holds {
            body.sync(SyncOperation::MutexRelease, &m);
        }
    }
}

pub(super) fn semaphore(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let first = random.between(0, 2);
    let s = items.counted("s", SyncType::Semaphore, first);
    let x = items.cell("x", small_count(random));
    let asks_value = random.chance(35);
    for (at, body) in threads.iter_mut().enumerate() {
        let posts_first = at == 0 && first == 0;
        if posts_first || random.chance(10) {
            body.store(&x, x.value(at + 1));
            body.sync(SyncOperation::SemaphorePost, &s);
            continue;
        }
        let operations = [
            SyncOperation::SemaphoreWait,
            SyncOperation::SemaphoreWait,
            SyncOperation::SemaphoreTry,
            SyncOperation::SemaphoreTimed,
        ];
        let result = body.ask(*random.pick(&operations), &s);
        let is_taken = equal(result, Expression::int(0, RESULT));
        let posts = random.chance(85);
        body.when(is_taken, |body| {
            let old = body.load(&x);
            let one = x.value(1);
            body.store(&x, Expression::binary(BinaryOp::AddWrapping, old, one));
            if posts {
                body.sync(SyncOperation::SemaphorePost, &s);
            }
        });
        if asks_value {
            let value = body.ask(SyncOperation::SemaphoreValue, &s);
            let bound = Expression::int(i128::from(random.chance(80)), RESULT);
            body.assert(Expression::binary(BinaryOp::LessEqual, value, bound));
        }
    }
}

pub(super) fn barrier(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let needed = if random.chance(15) {
        threads.len() + 1
    } else {
        threads.len()
    };
    let b = items.counted("b", SyncType::Barrier, needed);
    let ty = small_count(random);
    let cells: Vec<Cell> = threads.iter().map(|_| items.cell("slot", ty)).collect();
    let early = random.chance(25).then(|| random.below(threads.len()));
    let count = threads.len();
    for (at, body) in threads.iter_mut().enumerate() {
        let other = &cells[(at + 1) % count];
        body.store(&cells[at], cells[at].value(at + 1));
        if early == Some(at) {
            let value = body.load(other);
            body.assert(differs(value, other.value(0)));
        }
        body.sync(SyncOperation::BarrierArrive, &b);
        if random.chance(40) {
            let serial = body.ask(SyncOperation::BarrierLeave, &b);
            let zero = Expression::int(0, RESULT);
            body.when(differs(serial, zero), |body| {
                body.store(&cells[at], cells[at].value(3));
            });
        } else {
            body.sync(SyncOperation::BarrierLeave, &b);
            let value = body.load(other);
            body.assert(differs(value, other.value(0)));
        }
    }
}

pub(super) fn monitor(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let o = items.sync("o", SyncType::Monitor);
    let full = items.cell("full", FLAG);
    let waiter = random.below(threads.len());
    let wake = *random.pick(&[
        SyncOperation::MonitorNotify,
        SyncOperation::MonitorNotifyAll,
    ]);
    let enters_twice = random.chance(20);
    let wait = |body: &mut Body| {
        body.sync(SyncOperation::MonitorWaitBegin, &o);
        body.sync(SyncOperation::MonitorWaitEnd, &o);
    };
    for (at, body) in threads.iter_mut().enumerate() {
        let is_inside = !random.chance(5);
        if is_inside {
            body.sync(SyncOperation::MonitorEnter, &o);
        }
        if at == waiter {
            if enters_twice {
                body.sync(SyncOperation::MonitorEnter, &o);
            }
            let is_empty = |body: &mut Body| equal(body.load(&full), full.value(0));
            if random.chance(75) {
                body.repeat(is_empty, wait);
            } else {
                let condition = is_empty(body);
                body.when(condition, wait);
            }
            if enters_twice {
                body.sync(SyncOperation::MonitorExit, &o);
            }
        } else {
            body.store(&full, full.value(1));
            if !random.chance(12) {
                body.sync(wake, &o);
            }
        }
        if is_inside {
            body.sync(SyncOperation::MonitorExit, &o);
        }
    }
}
