//! Steps on synchronisation objects.

use raddle_ir::{Access, Expression, MutexKind, SyncOperation as Op, SyncType};

use super::{MARK, MUTEX, Player, play};
use crate::body::{Body, Cell, RESULT, equal};
use crate::items::Items;
use crate::random::Random;

pub(in crate::themes) fn locks(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
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
                    player.load(&plain, Access::Plain);
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

pub(in crate::themes) fn conditions(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let condition = items.sync("c", SyncType::Condition);
    let mutexes = [items.sync("m", MUTEX), items.sync("n", MUTEX)];
    let plain = items.cell("plain", MARK);
    let is_careful = random.chance(60);
    // The last thread may keep the condition variable, which the others only use.
    let keeper = random.chance(30).then_some(threads.len() - 1);
    let is_tried = random.chance(40);
    let first = if random.chance(60) { 0 } else { 3 };
    play(items, random, threads, |player, at| {
        let mutex = &mutexes[usize::from(!is_careful && player.random.chance(20))];
        let kind = match keeper {
            Some(keeper) if keeper == at => 8,
            Some(_) if at > 0 => player.random.below(6),
            None if at > 0 => player.random.below(9),
            Some(_) | None => first,
        };
        match kind {
            0..=2 => {
                let end = *player
                    .random
                    .pick(&[Op::WaitEnd, Op::WaitEnd, Op::WaitEndTimed]);
                player.sync(Op::MutexAcquire, mutex);
                player.body.wait(Op::WaitBegin, &condition, mutex);
                if player.random.chance(20) {
                    player.pause();
                }
                player.body.wait(end, &condition, mutex);
                change(player, &plain);
                player.sync(Op::MutexRelease, mutex);
            }
            3..=5 => {
                let wake = *player.random.pick(&[Op::Signal, Op::Broadcast]);
                let holds = is_careful || player.random.chance(50);
                if holds {
                    player.sync(Op::MutexAcquire, mutex);
                }
                if player.random.chance(80) {
                    player.sync(wake, &condition);
                }
                if holds {
                    change(player, &plain);
                    player.sync(Op::MutexRelease, mutex);
                }
            }
            6 | 7 if is_tried => {
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
            6 | 7 => {
                player.sync(Op::MutexAcquire, mutex);
                change(player, &plain);
                player.sync(Op::MutexRelease, mutex);
            }
            _ if player.random.chance(60) => player.change_life(SyncType::Condition, &condition),
            _ => player.change_life(MUTEX, mutex),
        }
    });
}

/// Leaves something, or looks at it, while a lock is held.
fn change(player: &mut Player<'_>, plain: &Cell) {
    match player.random.below(3) {
        0 => player.body.store(plain, plain.value(1)),
        1 => {
            player.load(plain, Access::Plain);
        }
        _ => {}
    }
}

pub(in crate::themes) fn semaphores(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = SyncType::Semaphore;
    let first = random.below(2);
    let semaphore = items.counted("s", sync, first);
    let is_tried = random.chance(50);
    // The last thread may keep the semaphore, which the others only use.
    let keeper = random.chance(30).then_some(threads.len() - 1);
    let is_posted = random.chance(60);
    play(items, random, threads, |player, at| {
        let kind = match keeper {
            Some(keeper) if keeper == at => 7,
            Some(_) if !is_posted => 0,
            Some(_) => player.random.below(6),
            None => player.random.below(8),
        };
        match kind {
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

pub(in crate::themes) fn barriers(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
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

pub(in crate::themes) fn monitors(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
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
