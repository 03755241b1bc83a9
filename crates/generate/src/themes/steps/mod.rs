//! Single operations on one thing, with a mark that threads leave and look for in between.
//!
//! Whether two operations can be swapped shows in what a thread finds when it comes between them: it sees the mark that
//! came before one of them and not yet what that one does, or the other way round. Nothing is asserted here; who wants to
//! know denies what was seen.

pub(super) mod memory;
pub(super) mod objects;
pub(super) mod threads;
pub(super) mod waits;

use raddle_ir::{
    Access, Action, Expression, IntType, MutexKind, Order, Scalar, SyncInit, SyncOperation as Op,
    SyncType,
};

use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);
const MARK: Scalar = Scalar::Int(IntType::unsigned(2));
const MUTEX: SyncType = SyncType::Mutex(MutexKind::Plain);

/// One thread as it is written.
struct Player<'a> {
    random: &'a mut Random,
    body: &'a mut Body,
    mark: &'a Cell,
}

impl Player<'_> {
    /// Perhaps leaves a mark, perhaps looks for one.
    fn pause(&mut self) {
        match self.random.below(5) {
            0 | 1 => self.leave_mark(),
            2 | 3 => self.look(),
            _ => {}
        }
    }

    fn leave_mark(&mut self) {
        let value = self.mark.value(self.random.between(1, 2));
        self.body.store_as(self.mark, value, SEQUENTIAL);
    }

    fn look(&mut self) {
        let seen = self.body.variable("seen", MARK);
        self.body.load_to(seen, self.mark, SEQUENTIAL);
    }

    /// Does something only if another thread has left a mark.
    fn once_marked(&mut self, then: impl FnOnce(&mut Body)) {
        let seen = self.body.load_as(self.mark, SEQUENTIAL);
        let marked = differs(seen, self.mark.value(0));
        self.body.when(marked, then);
    }

    fn sync(&mut self, operation: Op, object: &Expression) {
        self.body.sync(operation, object);
        self.pause();
    }

    /// Tries, and undoes it if it worked.
    fn try_to(&mut self, attempt: Op, object: &Expression, undo: Option<Op>) {
        let result = self.body.ask(attempt, object);
        self.pause();
        if let Some(undo) = undo {
            let is_taken = equal(result, Expression::int(0, RESULT));
            self.body.when(is_taken, |body| body.sync(undo, object));
        }
    }

    fn load(&mut self, cell: &Cell, access: Access) -> Expression {
        let seen = self.body.variable("seen", cell.ty);
        self.body.load_to(seen, cell, access)
    }

    /// Comes to an end that is none: nothing that it does after this can happen.
    fn get_stuck(&mut self) {
        self.body.assume(Expression::bool(false));
    }

    /// Ends the object, and perhaps makes it again; perhaps only if another thread has left a mark.
    fn change_life(&mut self, sync: SyncType, object: &Expression) {
        let is_made_again = self.random.chance(60);
        let is_one_step = self.random.chance(40);
        let object = object.clone();
        let act = |body: &mut Body| {
            if is_one_step {
                body.act(Action::AtomicBegin {
                    is_as_written: false,
                });
            }
            body.act(Action::Destroy {
                object: object.clone(),
                sync,
            });
            if is_made_again {
                let sync = init(sync);
                body.act(Action::Init { object, sync });
            }
            if is_one_step {
                body.act(Action::AtomicEnd);
            }
        };
        if self.random.chance(60) {
            self.once_marked(act);
        } else {
            act(self.body);
        }
    }
}

/// An object of its kind as it is made again.
fn init(sync: SyncType) -> SyncInit {
    let one = Expression::int(1, IntType::unsigned(32));
    match sync {
        SyncType::Mutex(kind) => SyncInit::Mutex(kind),
        SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
        SyncType::Condition => SyncInit::Condition,
        SyncType::Semaphore => SyncInit::Semaphore(one),
        SyncType::Barrier => SyncInit::Barrier(one),
        SyncType::Monitor => SyncInit::Monitor,
    }
}

/// Each thread does something, perhaps twice, with marks before.
fn play(
    items: &mut Items,
    random: &mut Random,
    threads: &mut [Body],
    mut act: impl FnMut(&mut Player<'_>, usize),
) {
    let rounds = if threads.len() == 2 { 2 } else { 1 };
    play_once(items, random, threads, |player, at| {
        for _ in 0..player.random.between(1, rounds) {
            player.pause();
            act(player, at);
        }
    });
}

/// Each thread does something.
fn play_once(
    items: &mut Items,
    random: &mut Random,
    threads: &mut [Body],
    mut act: impl FnMut(&mut Player<'_>, usize),
) {
    let mark = items.cell("mark", MARK);
    for (at, body) in threads.iter_mut().enumerate() {
        let mut player = Player {
            random,
            body,
            mark: &mark,
        };
        act(&mut player, at);
        // Where one can still see what was seen.
        body.act(Action::skip());
    }
}
