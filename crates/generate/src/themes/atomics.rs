//! Atomic accesses.

use raddle_ir::{Access, Action, BinaryOp, Expression, IntType, Order, RmwOperation, Scalar};

use crate::Random;
use crate::body::{Body, Cell, equal};
use crate::items::{Items, small_count};
use crate::themes::locks::FLAG;

fn some_order(random: &mut Random) -> Order {
    if random.chance(60) {
        Order::SequentiallyConsistent
    } else {
        random.pick(&Order::ALL[..5]).0
    }
}

fn some_access(random: &mut Random) -> Access {
    Access::Atomic(some_order(random))
}

pub(super) fn message(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let data = items.cell("data", small_count(random));
    let flag = items.cell("flag", FLAG);
    let is_reversed = random.chance(15);
    let sender = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        if at == sender {
            if is_reversed {
                body.store_as(&flag, flag.value(1), some_access(random));
                body.store(&data, data.value(2));
            } else {
                body.store(&data, data.value(2));
                body.store_as(&flag, flag.value(1), some_access(random));
            }
        } else {
            let seen = body.load_as(&flag, some_access(random));
            let expected = data.value(if random.chance(85) { 2 } else { 1 });
            let is_sent = equal(seen, flag.value(1));
            if random.chance(30) {
                body.assume(is_sent);
                let value = body.load(&data);
                body.assert(equal(value, expected));
            } else {
                body.when(is_sent, |body| {
                    let value = body.load(&data);
                    body.assert(equal(value, expected));
                });
            }
        }
    }
}

pub(super) fn read_modify_write(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = if random.chance(20) {
        Scalar::Int(IntType::signed(3))
    } else {
        small_count(random)
    };
    let x = items.number("x", ty, 1);
    let asserts = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        for _ in 0..random.between(1, 2) {
            let operation = random.pick(&RmwOperation::ALL).0;
            let operand = x.value(random.between(0, 3));
            modify(body, random, &x, operation, operand);
        }
        if at == asserts && random.chance(60) {
            let value = body.load_as(&x, some_access(random));
            let op = *random.pick(&[BinaryOp::NotEqual, BinaryOp::LessEqual]);
            let bound = x.value(random.between(0, 3));
            body.assert(Expression::binary(op, value, bound));
        }
    }
}

fn modify(
    body: &mut Body,
    random: &mut Random,
    cell: &Cell,
    operation: RmwOperation,
    operand: Expression,
) {
    let target = random.chance(50).then(|| body.temporary(cell.ty));
    body.act(Action::ReadModifyWrite {
        target,
        operation,
        address: cell.address.clone(),
        operand,
        ty: cell.ty,
        order: some_order(random),
    });
    if let Some(target) = target
        && random.chance(25)
    {
        let bound = cell.value(random.between(0, 3));
        let old = Expression::Register(target);
        body.assert(Expression::binary(BinaryOp::LessEqual, old, bound));
    }
}

pub(super) fn compare_exchange(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let word = items.cell("word", small_count(random));
    let x = items.cell("x", small_count(random));
    let spins = random.chance(50);
    for (at, body) in threads.iter_mut().enumerate() {
        let success = body.temporary(FLAG);
        let previous = random.chance(30).then(|| body.temporary(word.ty));
        let order = some_order(random);
        let exchange = Action::CompareExchange {
            previous,
            success: Some(success),
            address: word.address.clone(),
            expected: word.value(0),
            desired: word.value(1),
            ty: word.ty,
            order,
            failure: order.on_failure(),
        };
        let release = random.chance(85);
        let use_it = |body: &mut Body| {
            body.store(&x, x.value(at + 1));
            if release {
                body.store_as(
                    &word,
                    word.value(0),
                    Access::Atomic(Order::SequentiallyConsistent),
                );
            }
        };
        if spins {
            let attempt = |body: &mut Body| {
                body.act(exchange);
                Expression::Register(success).not()
            };
            body.repeat(attempt, |_| ());
            use_it(body);
        } else {
            body.act(exchange);
            body.when(Expression::Register(success), use_it);
            if let Some(previous) = previous {
                let bound = word.value(random.between(0, 1));
                let old = Expression::Register(previous);
                body.assert(Expression::binary(BinaryOp::LessEqual, old, bound));
            }
        }
    }
}

/// A message of relaxed accesses with fences around them, or of accesses with fences at the wrong side.
pub(super) fn fenced(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let data = items.cell("fenced", small_count(random));
    let flag = items.cell("raised", FLAG);
    let relaxed = Access::Atomic(Order::Relaxed);
    let fence = |body: &mut Body, random: &mut Random| {
        if random.chance(75) {
            let order = random.pick(&Order::ALL[..5]).0;
            body.act(Action::Fence { order });
        }
    };
    let sender = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        if at == sender {
            body.store(&data, data.value(2));
            fence(body, random);
            body.store_as(&flag, flag.value(1), relaxed);
            fence(body, random);
        } else {
            fence(body, random);
            let seen = body.load_as(&flag, relaxed);
            fence(body, random);
            body.when(equal(seen, flag.value(1)), |body| {
                let value = body.load(&data);
                body.assert(equal(value, data.value(2)));
            });
        }
    }
}
