//! Steps that begin and end threads, and the process.

use raddle_ir::{
    Access, Action, Callee, EndKind, Expression, IntType, Scalar, SyncOperation as Op,
};

use super::{MARK, MUTEX, Player, SEQUENTIAL, play};
use crate::Random;
use crate::body::{Body, RESULT, differs, equal};
use crate::items::Items;

pub(in crate::themes) fn joins(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let cell = items.cell("worker", Scalar::Thread);
    let done = items.cell("done", MARK);
    let lock = items.sync("l", MUTEX);
    let mut work = Body::new(items.fresh_name("work"));
    if random.chance(50) {
        work.store_as(&done, done.value(1), SEQUENTIAL);
    } else {
        // It never ends.
        work.assume(Expression::bool(false));
    }
    let start = items.function(work.finish());
    let worker = threads[0].variable("worker", Scalar::Thread);
    let is_one_step = random.chance(35);
    threads[0].act(Action::Spawn {
        target: Some(worker),
        place: is_one_step.then(|| cell.as_name_place()),
        callee: Callee::Direct(start),
        arguments: Vec::new(),
    });
    if !is_one_step {
        threads[0].store_as(&cell, Expression::Register(worker), SEQUENTIAL);
    }
    let nobody = cell.value(0);
    play(items, random, threads, |player, _| {
        let thread = player.body.load_as(&cell, SEQUENTIAL);
        let is_there = differs(thread.clone(), nobody.clone());
        let action = if player.random.chance(55) {
            let target = None;
            Action::Join { thread, target }
        } else {
            Action::Detach { thread }
        };
        if player.random.chance(25) {
            player.once_marked(|body| body.act(action));
        } else {
            player.body.assume(is_there);
            if player.random.chance(40) {
                // The transaction begins anew.
                player.body.sync(Op::MutexAcquire, &lock);
            }
            act_somehow(player, action);
        }
        player.pause();
        if player.random.chance(30) {
            player.load(&done, SEQUENTIAL);
        }
    });
}

/// As a step, or in a section that may never be taken; perhaps nothing comes after it.
fn act_somehow(player: &mut Player<'_>, action: Action) {
    if player.random.chance(30) {
        player.body.act(Action::AtomicBegin {
            is_as_written: false,
        });
        player.body.act(action);
        if player.random.chance(70) {
            player.get_stuck();
        }
        player.body.act(Action::AtomicEnd);
    } else {
        player.body.act(action);
        if player.random.chance(40) {
            player.get_stuck();
        }
    }
}

/// All but the first thread go without being joined, so that it is alone in the end.
pub(in crate::themes) fn alone(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let plain = items.cell("plain", MARK);
    for body in &mut threads[1..] {
        body.act(Action::Detach {
            thread: Expression::CurrentThread,
        });
    }
    play(items, random, threads, |player, at| {
        if at == 0 {
            let seen = player.body.variable("seen", MARK);
            player.once_marked(|body| {
                body.load_to(seen, &plain, Access::Plain);
            });
            return;
        }
        if player.random.chance(70) {
            player.leave_mark();
        }
        for _ in 0..player.random.between(1, 2) {
            let value = plain.value(player.random.between(1, 2));
            player.body.store(&plain, value);
        }
    });
}

pub(in crate::themes) fn ends(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
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
