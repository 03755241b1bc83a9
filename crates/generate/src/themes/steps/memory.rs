//! Steps on memory.

use raddle_ir::{
    Access, Action, AllocateKind, BinaryOp, Expression, Scalar, SyncInit, SyncOperation as Op,
    SyncType, Type,
};

use super::{MARK, MUTEX, Player, SEQUENTIAL, play};
use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;
use crate::themes::memory::{allocate, free};

const PLAIN: Access = Access::Plain;

impl Player<'_> {
    fn some_value(&mut self, cell: &Cell) -> Expression {
        cell.value(self.random.between(1, 2))
    }

    fn store(&mut self, cell: &Cell, access: Access) {
        let value = self.some_value(cell);
        self.body.store_as(cell, value, access);
    }

    fn section(&mut self, inside: impl FnOnce(&mut Self)) {
        self.body.act(Action::AtomicBegin {
            is_as_written: false,
        });
        inside(self);
        self.body.act(Action::AtomicEnd);
    }
}

/// Loads and stores of two cells, with guards over what was seen; perhaps a loop that never ends.
pub(in crate::themes) fn cells(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let cells = [items.cell("x", MARK), items.cell("y", MARK)];
    let is_guarded = random.chance(40);
    let stays = random.chance(20).then(|| random.below(threads.len()));
    play(items, random, threads, |player, at| {
        for _ in 0..player.random.between(1, 2) {
            let cell = player.random.pick(&cells).clone();
            let access = *player.random.pick(&[PLAIN, SEQUENTIAL]);
            if player.random.chance(50) {
                player.store(&cell, access);
                continue;
            }
            let seen = player.load(&cell, access);
            if is_guarded && player.random.chance(50) {
                let expected = player.some_value(&cell);
                player.body.assume(equal(seen, expected));
            }
        }
        if stays == Some(at) {
            let endless = |body: &mut Body| {
                body.act(Action::skip());
                Expression::bool(true)
            };
            player.body.repeat(endless, |_| ());
        }
    });
}

/// Atomic sections that look and wait, change something, or try a lock.
pub(in crate::themes) fn sections(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let cell = items.cell("x", MARK);
    let lock = items.sync("l", MUTEX);
    let is_about_locks = random.chance(40);
    play(items, random, threads, |player, at| {
        // The first thread has no sections.
        let kind = if at == 0 {
            player.random.below(3)
        } else {
            player.random.between(2, 5)
        };
        match kind {
            _ if is_about_locks && kind < 3 => {
                player.sync(Op::MutexAcquire, &lock);
                player.sync(Op::MutexRelease, &lock);
            }
            _ if is_about_locks => {
                player.body.act(Action::AtomicBegin {
                    is_as_written: false,
                });
                let result = player.body.ask(Op::MutexTry, &lock);
                player.body.act(Action::AtomicEnd);
                let is_taken = equal(result, Expression::int(0, RESULT));
                player
                    .body
                    .when(is_taken, |body| body.sync(Op::MutexRelease, &lock));
            }
            0 | 1 => {
                player.store(&cell, PLAIN);
                player.body.store(&cell, cell.value(0));
            }
            2 => player.store(&cell, PLAIN),
            3 | 4 => player.section(|player| {
                let seen = player.load(&cell, PLAIN);
                let expected = player.some_value(&cell);
                player.body.assume(equal(seen, expected));
            }),
            _ => player.section(|player| {
                player.load(&cell, PLAIN);
                player.store(&cell, PLAIN);
            }),
        }
    });
}

/// A thread whose assertion fails, and something else that is wrong and can only be seen just before.
pub(in crate::themes) fn failures(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let cell = items.cell("x", MARK);
    let lock = items.sync("l", MUTEX);
    let fails_in_section = random.chance(50);
    play(items, random, threads, |player, at| {
        match (at == 0, fails_in_section) {
            (true, true) => {
                player.section(|player| {
                    let seen = player.load(&cell, PLAIN);
                    player.body.assert(equal(seen, cell.value(1)));
                });
                player.body.sync(Op::MutexRelease, &lock);
            }
            (false, true) => {
                player.body.store(&cell, cell.value(1));
                player.body.store(&cell, cell.value(0));
            }
            (true, false) => {
                player.leave_mark();
                player.body.assert(Expression::bool(false));
            }
            (false, false) => player.once_marked(|body| body.sync(Op::MutexRelease, &lock)),
        }
    });
}

/// An object that is shown to others and hidden again, changed and freed.
pub(in crate::themes) fn heap(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let shared = items.cell("shared", Scalar::Pointer);
    let word = items.draft.model.unsigned_word();
    let number = items.cell("number", Scalar::Int(word));
    // As a number that does not look like a pointer.
    let is_computed = random.chance(35);
    let mask = Expression::Constant(0xff << (word.bits - 8), Scalar::Int(word));
    let hidden = |it: Expression| Expression::binary(BinaryOp::Xor, it, mask.clone());
    let (hides, frees) = (random.chance(60), random.chance(50));
    let object = allocate_mark(items, &mut threads[0]);
    let mut is_done = false;
    play(items, random, threads, |player, at| {
        if at > 0 {
            look_behind(player, is_computed, (&shared, &number), hidden);
            return;
        }
        if std::mem::replace(&mut is_done, true) {
            return;
        }
        if player.random.chance(40) {
            player.store(&object, PLAIN);
        }
        if is_computed {
            let address = object.address.clone().cast(Scalar::Int(word));
            player.body.store_as(&number, hidden(address), SEQUENTIAL);
        } else {
            let address = object.address.clone();
            player.body.store_as(&shared, address, SEQUENTIAL);
        }
        if player.random.chance(20) {
            player.pause();
        }
        if hides && !is_computed {
            player
                .body
                .store_as(&shared, Expression::null(), SEQUENTIAL);
        }
        for _ in 0..player.random.below(3) {
            player.store(&object, PLAIN);
        }
        if frees {
            player.body.act(free(object.address.clone()));
        }
    });
}

fn allocate_mark(items: &Items, body: &mut Body) -> Cell {
    let kind = AllocateKind::Heap;
    let object = allocate(items, body, Type::Scalar(MARK), true, kind);
    Cell {
        address: Expression::Register(object),
        ty: MARK,
    }
}

/// Follows what was shown, if something was.
fn look_behind(
    player: &mut Player<'_>,
    is_computed: bool,
    (shared, number): (&Cell, &Cell),
    hidden: impl Fn(Expression) -> Expression,
) {
    let (is_there, address) = if is_computed {
        let given = player.load(number, SEQUENTIAL);
        let is_there = differs(given.clone(), number.value(0));
        (is_there, hidden(given).cast(Scalar::Pointer))
    } else {
        let given = player.load(shared, SEQUENTIAL);
        (differs(given.clone(), Expression::null()), given)
    };
    let seen = player.body.variable("seen", MARK);
    let writes = player.random.chance(20);
    player.body.when(is_there, |body| {
        let cell = Cell { address, ty: MARK };
        if writes {
            body.store(&cell, cell.value(1));
        } else {
            body.load_to(seen, &cell, PLAIN);
        }
    });
}

/// Each thread takes a lock that it made itself, at one place, to work on one cell.
pub(in crate::themes) fn own_locks(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let cell = items.cell("x", MARK);
    let mut make = Body::new(items.fresh_name("make"));
    make.function.result = Some(Scalar::Pointer);
    let kind = AllocateKind::Heap;
    let made = allocate(items, &mut make, Type::Sync(MUTEX), true, kind);
    let lock = Expression::Register(made);
    let SyncType::Mutex(mutex) = MUTEX else {
        unreachable!("it is a mutex")
    };
    make.act(Action::Init {
        object: lock.clone(),
        sync: SyncInit::Mutex(mutex),
    });
    make.act(Action::Return { value: Some(lock) });
    let make = items.function(make.finish());
    play(items, random, threads, |player, _| {
        let lock = player
            .body
            .call(make, Vec::new(), Some(Scalar::Pointer))
            .expect("it gives a lock");
        player.body.sync(Op::MutexAcquire, &lock);
        for _ in 0..player.random.between(1, 2) {
            if player.random.chance(60) {
                player.store(&cell, PLAIN);
            } else {
                player.load(&cell, PLAIN);
            }
        }
        player.body.sync(Op::MutexRelease, &lock);
    });
}
