//! Steps that wait and wake.

use raddle_ir::{Access, Action, Expression, SyncOperation as Op, SyncType};

use super::{MARK, MUTEX, Player, SEQUENTIAL, init, play, play_once};
use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;

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

/// What is done to somebody who waits or wakes, once that is known.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    EndCondition,
    EndMutex,
    MakeConditionAnew,
    MakeMutexAnew,
    TryMutex,
    Look,
    Signal,
}

impl Deed {
    const ALL: [Deed; 7] = [
        Deed::EndCondition,
        Deed::EndMutex,
        Deed::MakeConditionAnew,
        Deed::MakeMutexAnew,
        Deed::TryMutex,
        Deed::Look,
        Deed::Signal,
    ];

    fn act(self, body: &mut Body, (condition, mutex, plain): (&Expression, &Expression, &Cell)) {
        let end = |body: &mut Body, object: &Expression, sync| {
            let object = object.clone();
            body.act(Action::Destroy { object, sync });
        };
        let make_anew = |body: &mut Body, object: &Expression, sync| {
            body.act(Action::AtomicBegin {
                is_as_written: false,
            });
            end(body, object, sync);
            let (object, sync) = (object.clone(), init(sync));
            body.act(Action::Init { object, sync });
            body.act(Action::AtomicEnd);
        };
        match self {
            Deed::EndCondition => end(body, condition, SyncType::Condition),
            Deed::EndMutex => end(body, mutex, MUTEX),
            Deed::MakeConditionAnew => make_anew(body, condition, SyncType::Condition),
            Deed::MakeMutexAnew => make_anew(body, mutex, MUTEX),
            Deed::TryMutex => {
                let result = body.ask(Op::MutexTry, mutex);
                let is_taken = equal(result, Expression::int(0, RESULT));
                body.when(is_taken, |body| body.sync(Op::MutexRelease, mutex));
            }
            Deed::Look => {
                body.sync(Op::MutexAcquire, mutex);
                let seen = body.variable("found", plain.ty);
                body.load_to(seen, plain, Access::Plain);
                body.sync(Op::MutexRelease, mutex);
            }
            Deed::Signal => body.sync(Op::Signal, condition),
        }
    }
}

/// One thread leaves a mark under the mutex and waits, or wakes; others do something to it once they have seen the mark.
pub(in crate::themes) fn handshakes(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let condition = items.sync("c", SyncType::Condition);
    let mutex = items.sync("m", MUTEX);
    let plain = items.cell("plain", MARK);
    let waits = random.chance(70);
    let end = *random.pick(&[Op::WaitEnd, Op::WaitEndTimed]);
    // Under the mutex the mark says that the other thread waits.
    let looks_inside = random.chance(50);
    let wakes = random.chance(70);
    let deed = *random.pick(&Deed::ALL);
    let is_assumed = random.chance(40);
    play_once(items, random, threads, |player, at| {
        if at == 0 {
            player.body.sync(Op::MutexAcquire, &mutex);
            player.leave_mark();
            if waits {
                player.body.wait(Op::WaitBegin, &condition, &mutex);
                player.body.wait(end, &condition, &mutex);
                player.body.store(&plain, plain.value(1));
            } else {
                player.body.sync(Op::Signal, &condition);
            }
            player.body.sync(Op::MutexRelease, &mutex);
            return;
        }
        let mark = player.mark;
        let seen = if looks_inside {
            player.body.sync(Op::MutexAcquire, &mutex);
            let seen = player.load(mark, SEQUENTIAL);
            if wakes {
                player.body.sync(Op::Signal, &condition);
            }
            player.body.sync(Op::MutexRelease, &mutex);
            seen
        } else {
            player.load(mark, SEQUENTIAL)
        };
        let is_marked = differs(seen, mark.value(0));
        let act = |body: &mut Body| deed.act(body, (&condition, &mutex, &plain));
        if is_assumed {
            player.body.assume(is_marked);
            act(player.body);
        } else {
            player.body.when(is_marked, act);
        }
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
