//! Single operations on one thing, with a mark that threads leave and look for in between.
//!
//! Whether two operations can be swapped shows in what a thread finds when it comes between them: it sees the mark that
//! came before one of them and not yet what that one does, or the other way round. Nothing is asserted here; who wants to
//! know denies what was seen.

use raddle_ir::{
    Access, Action, Callee, EndKind, Expression, IntType, MutexKind, Order, Scalar, SyncInit,
    SyncOperation as Op, SyncType,
};

use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;
use crate::random::Random;

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

    /// Ends the object, and perhaps makes it again.
    fn change_life(&mut self, sync: SyncType, object: &Expression) {
        let is_made_again = self.random.chance(50);
        let is_one_step = self.random.chance(40);
        let object = object.clone();
        self.once_marked(|body| {
            if is_one_step {
                body.act(Action::AtomicBegin);
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
        });
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

/// Each thread does something with marks before and after.
fn play(
    items: &mut Items,
    random: &mut Random,
    threads: &mut [Body],
    mut act: impl FnMut(&mut Player<'_>, usize),
) {
    let mark = items.cell("mark", MARK);
    let rounds = if threads.len() == 2 { 2 } else { 1 };
    for (at, body) in threads.iter_mut().enumerate() {
        for _ in 0..random.between(1, rounds) {
            let mut player = Player {
                random,
                body,
                mark: &mark,
            };
            player.pause();
            act(&mut player, at);
        }
        // Where one can still see what was seen.
        body.act(Action::skip());
    }
}

pub(super) fn locks(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = *random.pick(&[
        MUTEX,
        SyncType::Mutex(MutexKind::Recursive),
        SyncType::ReadWriteLock,
    ]);
    let lock = items.sync("l", sync);
    let plain = items.cell("plain", MARK);
    play(items, random, threads, |player, _| {
        let is_mutex = sync != SyncType::ReadWriteLock;
        let (take, give, attempt) = match player.random.below(2) {
            _ if is_mutex => (Op::MutexAcquire, Op::MutexRelease, Op::MutexTry),
            0 => (Op::ReadAcquire, Op::ReadWriteRelease, Op::ReadTry),
            _ => (Op::WriteAcquire, Op::ReadWriteRelease, Op::WriteTry),
        };
        match player.random.below(8) {
            0..=3 => {
                player.sync(take, &lock);
                if player.random.chance(40) {
                    let seen = player.body.variable("held", MARK);
                    player.body.load_to(seen, &plain, Access::Plain);
                }
                if player.random.chance(40) {
                    player.body.store(&plain, plain.value(1));
                }
                player.sync(give, &lock);
            }
            4 | 5 => player.try_to(attempt, &lock, Some(give)),
            6 => player.sync(take, &lock),
            _ => player.change_life(sync, &lock),
        }
    });
}

pub(super) fn conditions(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let condition = items.sync("c", SyncType::Condition);
    let mutexes = [items.sync("m", MUTEX), items.sync("n", MUTEX)];
    let is_careful = random.chance(50);
    play(items, random, threads, |player, at| {
        let mutex = &mutexes[usize::from(!is_careful && player.random.chance(20))];
        let kind = if at == 0 { 0 } else { player.random.below(9) };
        match kind {
            0..=2 => {
                let end = *player.random.pick(&[Op::WaitEnd, Op::WaitEndTimed]);
                player.sync(Op::MutexAcquire, mutex);
                player.body.wait(Op::WaitBegin, &condition, mutex);
                player.body.wait(end, &condition, mutex);
                player.pause();
                player.sync(Op::MutexRelease, mutex);
            }
            3..=5 => {
                let wake = *player.random.pick(&[Op::Signal, Op::Broadcast]);
                let holds = is_careful || player.random.chance(50);
                if holds {
                    player.sync(Op::MutexAcquire, mutex);
                }
                player.sync(wake, &condition);
                if holds {
                    player.sync(Op::MutexRelease, mutex);
                }
            }
            6 | 7 => {
                let result = player.body.ask(Op::MutexTry, mutex);
                player.pause();
                let wakes = player.random.chance(50);
                let is_taken = equal(result, Expression::int(0, RESULT));
                player.body.when(is_taken, |body| {
                    if wakes {
                        body.sync(Op::Signal, &condition);
                    }
                    body.sync(Op::MutexRelease, mutex);
                });
            }
            _ if player.random.chance(60) => player.change_life(SyncType::Condition, &condition),
            _ => player.change_life(MUTEX, mutex),
        }
    });
}

pub(super) fn semaphores(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = SyncType::Semaphore;
    let first = random.below(2);
    let semaphore = items.counted("s", sync, first);
    let is_tried = random.chance(50);
    play(items, random, threads, |player, _| {
        match player.random.below(8) {
            0..=2 => player.sync(Op::SemaphoreWait, &semaphore),
            3..=5 => player.sync(Op::SemaphorePost, &semaphore),
            6 if is_tried => {
                let attempt = *player.random.pick(&[
                    Op::SemaphoreTry,
                    Op::SemaphoreValue,
                    Op::SemaphoreTimed,
                ]);
                player.try_to(attempt, &semaphore, None);
            }
            6 => {
                player.sync(Op::SemaphoreWait, &semaphore);
                player.sync(Op::SemaphorePost, &semaphore);
            }
            _ => player.change_life(sync, &semaphore),
        }
    });
}

pub(super) fn barriers(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = SyncType::Barrier;
    let needed = random.between(1, 2);
    let barrier = items.counted("b", sync, needed);
    play(items, random, threads, |player, _| {
        if player.random.chance(20) {
            player.change_life(sync, &barrier);
            return;
        }
        player.sync(Op::BarrierArrive, &barrier);
        player.try_to(Op::BarrierLeave, &barrier, None);
    });
}

pub(super) fn monitors(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let monitor = items.sync("o", SyncType::Monitor);
    play(items, random, threads, |player, _| {
        let kind = player.random.below(8);
        if kind == 7 {
            player.change_life(SyncType::Monitor, &monitor);
            return;
        }
        player.sync(Op::MonitorEnter, &monitor);
        match kind {
            0..=2 => {
                player.body.sync(Op::MonitorWaitBegin, &monitor);
                player.sync(Op::MonitorWaitEnd, &monitor);
            }
            3..=5 => {
                let wake = *player
                    .random
                    .pick(&[Op::MonitorNotify, Op::MonitorNotifyAll]);
                player.sync(wake, &monitor);
            }
            _ => {}
        }
        player.sync(Op::MonitorExit, &monitor);
    });
}

pub(super) fn threads(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let cell = items.cell("worker", Scalar::Thread);
    let done = items.cell("done", MARK);
    let mut work = Body::new(items.fresh_name("work"));
    work.store_as(&done, done.value(1), SEQUENTIAL);
    let start = items.function(work.finish());
    let worker = threads[0].variable("worker", Scalar::Thread);
    threads[0].act(Action::Spawn {
        target: Some(worker),
        callee: Callee::Direct(start),
        arguments: Vec::new(),
    });
    threads[0].store_as(&cell, Expression::Register(worker), SEQUENTIAL);
    let nobody = cell.value(0);
    play(items, random, threads, |player, _| {
        let thread = player.body.load_as(&cell, SEQUENTIAL);
        let is_there = differs(thread.clone(), nobody.clone());
        let is_join = player.random.chance(65);
        let is_guarded = player.random.chance(50);
        let act = |body: &mut Body| {
            body.act(if is_join {
                let target = None;
                Action::Join { thread, target }
            } else {
                Action::Detach { thread }
            });
        };
        if is_guarded {
            player.once_marked(act);
        } else {
            player.body.assume(is_there);
            act(player.body);
        }
        player.pause();
        if player.random.chance(40) {
            let seen = player.body.variable("done", MARK);
            player.body.load_to(seen, &done, SEQUENTIAL);
        }
    });
}

pub(super) fn ends(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    play(items, random, threads, |player, _| {
        let action = match player.random.below(5) {
            0 | 1 => Action::EndProcess {
                kind: EndKind::Exit(Expression::int(1, RESULT)),
            },
            2 => Action::ExitThread { value: None },
            3 => Action::Unsupported {
                what: "a call of `frobnicate`".into(),
            },
            _ => Action::Return { value: None },
        };
        if player.random.chance(50) {
            player.once_marked(|body| body.act(action));
        } else {
            let one = Expression::int(1, IntType::unsigned(1));
            let chosen = player.body.havoc(Scalar::Int(IntType::unsigned(1)));
            player
                .body
                .when(equal(chosen, one), |body| body.act(action));
        }
        player.pause();
    });
}
