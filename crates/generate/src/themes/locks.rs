//! Mutexes and read-write locks.

use raddle_ir::interpret::{EDEADLK, EPERM};
use raddle_ir::{BinaryOp, Expression, IntType, MutexKind, Scalar, SyncOperation, SyncType};

use crate::Random;
use crate::body::{Body, RESULT, equal};
use crate::items::{Items, small_count, small_int};
use crate::themes::values::changed;

/// A mutex or a spin lock, and how it is taken and given back.
struct SomeLock {
    place: Expression,
    acquire: SyncOperation,
    attempts: [SyncOperation; 2],
    release: SyncOperation,
}

impl SomeLock {
    fn new(items: &mut Items, base: &str, kind: MutexKind) -> Self {
        let is_spin = kind == MutexKind::Spin;
        let (acquire, attempts, release) = if is_spin {
            let attempt = SyncOperation::SpinTry;
            let (acquire, release) = (SyncOperation::SpinAcquire, SyncOperation::SpinRelease);
            (acquire, [attempt; 2], release)
        } else {
            let attempts = [SyncOperation::MutexTry, SyncOperation::MutexTimed];
            let (acquire, release) = (SyncOperation::MutexAcquire, SyncOperation::MutexRelease);
            (acquire, attempts, release)
        };
        Self {
            place: items.sync(base, SyncType::Mutex(kind)),
            acquire,
            attempts,
            release,
        }
    }

    fn of_any_kind(items: &mut Items, random: &mut Random, base: &str) -> Self {
        let kinds = [
            MutexKind::Plain,
            MutexKind::Plain,
            MutexKind::Recursive,
            MutexKind::ErrorChecking,
            MutexKind::Spin,
        ];
        Self::new(items, base, *random.pick(&kinds))
    }
}

pub(super) fn counter(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_int(random);
    let first = random.below(2);
    let x = items.number("x", ty, first);
    let m = SomeLock::of_any_kind(items, random, "m");
    let forgets = random.chance(18).then(|| random.below(threads.len()));
    let asserts = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        let is_protected = forgets != Some(at);
        if is_protected {
            body.sync(m.acquire, &m.place);
        }
        let old = body.load(&x);
        body.store(&x, changed(random, old, ty));
        if at == asserts && random.chance(50) {
            let now = body.load(&x);
            let op = *random.pick(&[BinaryOp::NotEqual, BinaryOp::LessEqual]);
            let bound = x.value(random.between(1, 3));
            body.assert(Expression::binary(op, now, bound));
        }
        if is_protected && !random.chance(4) {
            body.sync(m.release, &m.place);
        }
    }
}

pub(super) fn order(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let a = SomeLock::of_any_kind(items, random, "a");
    let b = SomeLock::of_any_kind(items, random, "b");
    let x = items.cell("x", small_count(random));
    let is_wrong = random.chance(65);
    for (at, body) in threads.iter_mut().enumerate() {
        let (first, second) = if is_wrong && at % 2 == 1 {
            (&b, &a)
        } else {
            (&a, &b)
        };
        body.sync(first.acquire, &first.place);
        body.sync(second.acquire, &second.place);
        if random.chance(60) {
            body.store(&x, x.value(at + 1));
        }
        let (third, fourth) = if random.chance(50) {
            (first, second)
        } else {
            (second, first)
        };
        body.sync(third.release, &third.place);
        body.sync(fourth.release, &fourth.place);
    }
}

pub(super) fn reentry(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let is_checked = random.chance(50);
    let kind = if is_checked {
        MutexKind::ErrorChecking
    } else {
        MutexKind::Recursive
    };
    let r = items.sync("r", SyncType::Mutex(kind));
    let x = items.cell("x", small_count(random));
    for (at, body) in threads.iter_mut().enumerate() {
        let result = |number: u128| Expression::Constant(number, Scalar::Int(RESULT));
        if is_checked && random.chance(20) {
            let refused = body.ask(SyncOperation::MutexRelease, &r);
            body.assert(equal(refused, result(EPERM)));
        }
        body.sync(SyncOperation::MutexAcquire, &r);
        let again = body.ask(SyncOperation::MutexAcquire, &r);
        let is_wrong = random.chance(15);
        let expected = if is_checked == is_wrong { 0 } else { EDEADLK };
        body.assert(equal(again, result(expected)));
        body.store(&x, x.value(at));
        body.sync(SyncOperation::MutexRelease, &r);
        if !is_checked && !random.chance(15) {
            body.sync(SyncOperation::MutexRelease, &r);
        }
    }
}

pub(super) fn try_lock(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    try_one(items, random, threads, MutexKind::Plain);
    if random.chance(70) {
        try_one(items, random, threads, MutexKind::Spin);
    }
}

fn try_one(items: &mut Items, random: &mut Random, threads: &mut [Body], kind: MutexKind) {
    let m = SomeLock::new(items, "m", kind);
    let x = items.cell("x", small_count(random));
    for (at, body) in threads.iter_mut().enumerate() {
        let operations = [m.attempts[0], m.attempts[1], m.acquire];
        let operation = *random.pick(&operations);
        let use_it = |body: &mut Body| {
            body.store(&x, x.value(at + 1));
            body.sync(m.release, &m.place);
        };
        if random.chance(10) {
            // Whether it was taken is not looked at.
            body.sync(operation, &m.place);
            use_it(body);
        } else {
            let result = body.ask(operation, &m.place);
            let is_taken = equal(result, Expression::int(0, RESULT));
            body.when(is_taken, use_it);
        }
    }
}

pub(super) fn readers_writers(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let l = items.sync("l", SyncType::ReadWriteLock);
    let x = items.cell("x", small_count(random));
    let writer = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        let is_writer = at == writer || random.chance(25);
        let operations = if is_writer {
            [
                SyncOperation::WriteAcquire,
                SyncOperation::WriteTry,
                SyncOperation::WriteTimed,
            ]
        } else {
            [
                SyncOperation::ReadAcquire,
                SyncOperation::ReadTry,
                SyncOperation::ReadTimed,
            ]
        };
        let operation = *random.pick(&operations);
        let result = body.ask(operation, &l);
        let is_taken = equal(result, Expression::int(0, RESULT));
        // A reader that writes is a mistake.
        let writes = is_writer || random.chance(10);
        let expected = random.between(1, 3);
        body.when(is_taken, |body| {
            let old = body.load(&x);
            if writes {
                let one = x.value(1);
                body.store(&x, Expression::binary(BinaryOp::AddWrapping, old, one));
            } else {
                body.assert(Expression::binary(
                    BinaryOp::LessEqual,
                    old,
                    x.value(expected),
                ));
            }
            body.sync(SyncOperation::ReadWriteRelease, &l);
        });
    }
}

/// The type of a flag.
pub(super) const FLAG: Scalar = Scalar::Int(IntType::BOOL);
