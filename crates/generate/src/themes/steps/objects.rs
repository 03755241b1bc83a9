//! Steps on locks, semaphores and barriers.

use raddle_ir::{Access, MutexKind, SyncOperation as Op, SyncType};

use super::{MARK, MUTEX, play};
use crate::Random;
use crate::body::Body;
use crate::items::Items;

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

/// What a program with a semaphore is about.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Anything,
    /// The last thread keeps the semaphore, which the others only use.
    Kept {
        is_posted: bool,
    },
    /// The first thread uses it, the others probe it.
    Probed,
    /// The first thread posts it, the others wait.
    HandedOver,
}

pub(in crate::themes) fn semaphores(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = SyncType::Semaphore;
    let first = random.below(2);
    let semaphore = items.counted("s", sync, first);
    let last = threads.len() - 1;
    let is_posted = random.chance(50);
    let purpose = *random.pick(&[
        Use::Anything,
        Use::Kept { is_posted },
        Use::Probed,
        Use::HandedOver,
    ]);
    play(items, random, threads, |player, at| {
        let kind = match purpose {
            Use::Kept { .. } if at == last => 7,
            Use::Kept { is_posted: false } => 8,
            Use::Kept { is_posted: true } => player.random.below(6),
            Use::Probed if at > 0 => 6,
            Use::Probed => player.random.below(6),
            Use::HandedOver if at == 0 => 3,
            Use::HandedOver => 0,
            Use::Anything => player.random.below(8),
        };
        match kind {
            0..=2 => player.sync(Op::SemaphoreWait, &semaphore),
            3..=5 => player.sync(Op::SemaphorePost, &semaphore),
            6 => {
                let attempt = *player.random.pick(&[
                    Op::SemaphoreTry,
                    Op::SemaphoreValue,
                    Op::SemaphoreTimed,
                ]);
                player.try_to(attempt, &semaphore, None);
            }
            8 => {
                // One after the other, so that nothing but the keeper comes between.
                player.body.sync(Op::SemaphoreWait, &semaphore);
                player.sync(Op::SemaphoreWait, &semaphore);
            }
            _ => player.change_life(sync, &semaphore),
        }
    });
}

pub(in crate::themes) fn barriers(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = SyncType::Barrier;
    let needed = random.between(1, 2);
    let barrier = items.counted("b", sync, needed);
    // Else it is about who meets whom.
    let is_kept = threads.len() == 2 || random.chance(30);
    play(items, random, threads, |player, _| {
        if is_kept && player.random.chance(20) {
            player.change_life(sync, &barrier);
            return;
        }
        player.body.sync(Op::BarrierArrive, &barrier);
        if is_kept {
            player.pause();
        }
        player.try_to(Op::BarrierLeave, &barrier, None);
    });
}
