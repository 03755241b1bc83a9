//! Structs, arrays, unions and computed addresses.

use raddle_ir::{
    BinaryOp, Expression, Initial, IntType, MutexKind, Scalar, SyncOperation, SyncType, Type,
};

use crate::Random;
use crate::body::{Body, Cell, equal};
use crate::items::{Items, small_count};

pub(super) fn places(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let word = Scalar::Int(IntType::unsigned(16));
    let byte = Scalar::Int(IntType::unsigned(8));
    let halves = Type::Array(Box::new(Type::Scalar(byte)), 2);
    let both = items.composite(
        "Both",
        vec![("word", Type::Scalar(word)), ("halves", halves)],
        true,
    );
    let plain = SyncType::Mutex(MutexKind::Plain);
    let node = items.composite(
        "Node",
        vec![
            ("count", Type::Scalar(ty)),
            ("guard", Type::Sync(plain)),
            ("both", Type::Struct(both)),
            ("next", Type::Scalar(Scalar::Pointer)),
        ],
        false,
    );
    let pair = Type::Array(Box::new(Type::Struct(node)), 2);
    let stride = items.size_of(&Type::Struct(node));
    let nodes = items.global("nodes", pair);
    let base = Expression::Global(nodes);
    let second = Expression::at_offset(base.clone(), stride, items.draft.model);
    let next = items.draft.structs[node].fields[3].offset;
    let link = (next, Initial::Address(second.clone()));
    items.draft.globals[nodes].initial.push(link);
    let guard = items.field(base.clone(), node, 1);
    let is_locked = random.chance(75);
    let cell = |address, ty| Cell { address, ty };
    for (at, body) in threads.iter_mut().enumerate() {
        if is_locked {
            body.sync(SyncOperation::MutexAcquire, &guard);
        }
        match random.below(4) {
            0 => {
                let count = cell(items.field(second.clone(), node, 0), ty);
                body.store(&count, count.value(at + 1));
            }
            1 => {
                let pointer = cell(items.field(base.clone(), node, 3), Scalar::Pointer);
                let node_address = body.load(&pointer);
                let count = cell(items.field(node_address, node, 0), ty);
                let value = body.load(&count);
                let expected = count.value(random.below(3));
                let op = *random.pick(&[BinaryOp::LessEqual, BinaryOp::NotEqual]);
                body.assert(Expression::binary(op, value, expected));
            }
            2 => {
                let whole = items.field(base.clone(), node, 2);
                let half = cell(
                    Expression::at_offset(whole.clone(), 1, items.draft.model),
                    byte,
                );
                body.store(&half, half.value(at + 1));
                let value = body.load(&cell(whole, word));
                let bound = Expression::int(0x100, IntType::unsigned(16));
                body.assert(Expression::binary(BinaryOp::LessEqual, value, bound));
            }
            _ => {
                let apart = Expression::binary(BinaryOp::Distance, second.clone(), base.clone());
                let expected = Expression::int(stride.into(), items.draft.model.signed_word());
                body.assert(equal(apart, expected));
                let count = cell(items.field(base.clone(), node, 0), ty);
                let old = body.load(&count);
                let one = count.value(1);
                body.store(&count, Expression::binary(BinaryOp::AddWrapping, old, one));
            }
        }
        if is_locked {
            body.sync(SyncOperation::MutexRelease, &guard);
        }
    }
}

pub(super) fn index(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let length = random.between(2, 3);
    let row = Type::Array(
        Box::new(Type::Scalar(ty)),
        u64::try_from(length).expect("a small length"),
    );
    let array = items.global("row", row);
    if random.chance(60) {
        for at in 0..length {
            let offset = u64::try_from(at).expect("a small length");
            let value = Initial::Scalar(ty, u128::from(offset));
            items.draft.globals[array].initial.push((offset, value));
        }
    }
    let word = items.draft.model.signed_word();
    let at_most = if random.chance(30) {
        length
    } else {
        length - 1
    };
    for (at, body) in threads.iter_mut().enumerate() {
        let chosen = body.havoc(Scalar::Int(IntType::unsigned(2)));
        let bound = Expression::int(
            i128::try_from(at_most).expect("a small length"),
            IntType::unsigned(2),
        );
        body.assume(Expression::binary(
            BinaryOp::LessEqual,
            chosen.clone(),
            bound,
        ));
        let offset = chosen.cast(Scalar::Int(word));
        let address = Expression::binary(BinaryOp::Offset, Expression::Global(array), offset);
        let cell = Cell { address, ty };
        if at == 0 || random.chance(30) {
            body.store(&cell, cell.value(at));
        } else {
            let value = body.load(&cell);
            let most = cell.value(random.between(1, 3));
            body.assert(Expression::binary(BinaryOp::LessEqual, value, most));
        }
    }
}
