//! Numbers that a lock protects, nearly always, and assertions about what threads leave in them.

use raddle_ir::{
    Action, BinaryOp, Callee, Expression, FunctionId, IntType, MutexKind, Scalar, SyncOperation,
    SyncType,
};

use crate::Random;
use crate::body::{Body, Cell, equal};
use crate::items::Items;

/// What keeps others out.
#[derive(Clone)]
enum Guard {
    Mutex(Expression),
    ReadWrite(Expression),
    Section,
    Nothing,
}

struct KeptThings {
    numbers: [Cell; 3],
    guards: [Guard; 4],
    /// Which guard threads usually take.
    usual: usize,
}

impl KeptThings {
    fn new(items: &mut Items, random: &mut Random) -> Self {
        let ty = Scalar::Int(if random.chance(50) {
            IntType::unsigned(8)
        } else {
            IntType::signed(8)
        });
        let kind = if random.chance(30) {
            MutexKind::Recursive
        } else {
            MutexKind::Plain
        };
        Self {
            numbers: ["x", "y", "z"].map(|it| items.number(it, ty, usize::from(random.chance(20)))),
            guards: [
                Guard::Mutex(items.sync("m", SyncType::Mutex(kind))),
                Guard::ReadWrite(items.sync("r", SyncType::ReadWriteLock)),
                Guard::Section,
                Guard::Nothing,
            ],
            usual: random.below(3),
        }
    }

    fn number(&self, random: &mut Random) -> &Cell {
        &self.numbers[*random.pick(&[0, 0, 0, 1, 1, 2])]
    }
}

pub(super) fn kept(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let things = KeptThings::new(items, random);
    let worker = (random.chance(50)).then(|| {
        let mut body = Body::new(items.fresh_name("worker"));
        stay(&things, random, &mut body);
        items.function(body.finish())
    });
    let parent = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        if random.chance(30) {
            deed(&things, random, body);
        }
        match worker {
            Some(worker) if at == parent => start(worker, random, body),
            Some(_) | None => stay(&things, random, body),
        }
        for _ in 0..random.below(3) {
            stay(&things, random, body);
        }
    }
}

/// Starts a worker and perhaps waits for it, or starts two in a loop.
fn start(worker: FunctionId, random: &mut Random, body: &mut Body) {
    let spawn = |target| Action::Spawn {
        target,
        place: None,
        callee: Callee::Direct(worker),
        arguments: Vec::new(),
    };
    if random.chance(50) {
        let handle = body.variable("worker", Scalar::Thread);
        body.act(spawn(Some(handle)));
        if random.chance(60) {
            body.act(Action::Join {
                thread: Expression::Register(handle),
                target: None,
            });
        }
        return;
    }
    let ty = IntType::unsigned(8);
    let count = body.variable("n", Scalar::Int(ty));
    body.act(Action::Assign {
        target: count,
        value: Expression::int(0, ty),
    });
    let seen = Expression::Register(count);
    let more = Expression::binary(BinaryOp::Less, seen.clone(), Expression::int(2, ty));
    let test = |body: &mut Body| {
        body.act(Action::skip());
        more
    };
    body.repeat(test, |body| {
        body.act(spawn(None));
        let value = Expression::binary(BinaryOp::AddWrapping, seen, Expression::int(1, ty));
        body.act(Action::Assign {
            target: count,
            value,
        });
    });
}

/// Keeps others out for a while, nearly always.
fn stay(things: &KeptThings, random: &mut Random, body: &mut Body) {
    let guard = if random.chance(85) {
        &things.guards[things.usual]
    } else {
        &things.guards[random.below(4)]
    };
    let only_reads = random.chance(20);
    match guard {
        Guard::Mutex(place) => body.sync(SyncOperation::MutexAcquire, place),
        Guard::ReadWrite(place) if only_reads => body.sync(SyncOperation::ReadAcquire, place),
        Guard::ReadWrite(place) => body.sync(SyncOperation::WriteAcquire, place),
        Guard::Section => body.act(Action::AtomicBegin {
            is_as_written: false,
        }),
        Guard::Nothing => {}
    }
    for _ in 0..random.between(1, 2) {
        deed(things, random, body);
    }
    match guard {
        Guard::Mutex(place) => body.sync(SyncOperation::MutexRelease, place),
        Guard::ReadWrite(place) => body.sync(SyncOperation::ReadWriteRelease, place),
        Guard::Section => body.act(Action::AtomicEnd),
        Guard::Nothing => {}
    }
}

/// Changes a number or two, or says what is true of them.
fn deed(things: &KeptThings, random: &mut Random, body: &mut Body) {
    let (one, other) = (things.number(random), things.number(random));
    let bound = one.value(random.between(0, 3));
    let more = |it: Expression| Expression::binary(BinaryOp::AddWrapping, it, one.value(1));
    match random.below(11) {
        0 | 9 | 10 => body.store(one, bound),
        1 => {
            let seen = body.load(one);
            let may = Expression::binary(BinaryOp::Less, seen.clone(), bound);
            body.when(may, |body| body.store(one, more(seen)));
        }
        2 => {
            let seen = body.load(one);
            body.store(other, seen);
        }
        3 => {
            let seen = body.load(one);
            body.store(other, more(seen));
        }
        4 => {
            for cell in [one, other] {
                let seen = body.load(cell);
                body.store(cell, more(seen));
            }
        }
        5 | 6 => {
            let seen = body.load(one);
            body.assert(Expression::binary(BinaryOp::LessEqual, seen, bound));
        }
        7 => {
            let (seen, beside) = (body.load(one), body.load(other));
            body.assert(equal(seen, beside));
        }
        _ => {
            let (seen, beside) = (body.load(one), body.load(other));
            let op = *random.pick(&[BinaryOp::LessEqual, BinaryOp::Less]);
            body.assert(Expression::binary(op, seen, beside));
        }
    }
}
