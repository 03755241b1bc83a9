//! Atomic sections and units of work.

use raddle_ir::program::Member;
use raddle_ir::{
    Action, AtomicSet, AtomicSetId, BinaryOp, Expression, MutexKind, SyncOperation, SyncType,
};

use crate::Random;
use crate::body::{Body, Cell, equal};
use crate::items::{Items, small_count};
use crate::themes::locks::FLAG;

pub(super) fn atomic_section(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let x = items.cell("x", small_count(random));
    let turn = items.cell("turn", FLAG);
    let awaits = random.chance(50);
    let forgets = random.chance(20).then(|| random.below(threads.len()));
    let expected = random.between(1, 3);
    for (at, body) in threads.iter_mut().enumerate() {
        let is_atomic = forgets != Some(at);
        if is_atomic {
            body.act(Action::AtomicBegin {
                is_as_written: false,
            });
        }
        if awaits {
            let now = body.load(&turn);
            body.assume(equal(now, turn.value(at % 2)));
            body.store(&turn, turn.value(1 - at % 2));
        }
        let old = body.load(&x);
        body.store(
            &x,
            Expression::binary(BinaryOp::AddWrapping, old, x.value(1)),
        );
        if is_atomic {
            body.act(Action::AtomicEnd);
        }
        if at == 0 && random.chance(50) {
            body.act(Action::AtomicBegin {
                is_as_written: false,
            });
            let value = body.load(&x);
            let bound = x.value(expected);
            body.assert(Expression::binary(BinaryOp::LessEqual, value, bound));
            body.act(Action::AtomicEnd);
        }
    }
}

pub(super) fn units(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let low = items.cell("low", ty);
    let high = items.cell("high", ty);
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let member = |cell: &Cell| Member {
        global: cell.global(),
        offset: 0,
        size: 1,
    };
    let name = items.fresh_name("Range");
    let set: AtomicSetId = items.draft.atomic_sets.push(AtomicSet {
        name,
        members: vec![member(&low), member(&high)],
        span: None,
    });
    let set = random.chance(50).then_some(set);
    let splits = random.chance(35);
    for (at, body) in threads.iter_mut().enumerate() {
        body.act(Action::UnitBegin { set });
        body.sync(SyncOperation::MutexAcquire, &m);
        if at == 0 {
            body.store(&low, low.value(1));
            if splits {
                // The unit is cut in two.
                body.sync(SyncOperation::MutexRelease, &m);
                body.sync(SyncOperation::MutexAcquire, &m);
            }
            body.store(&high, high.value(1));
        } else {
            let first = body.load(&low);
            let second = body.load(&high);
            if random.chance(50) {
                body.assert(equal(first, second));
            }
        }
        body.sync(SyncOperation::MutexRelease, &m);
        body.act(Action::UnitEnd { set });
    }
}
