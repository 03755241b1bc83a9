//! Functions, recursion and function pointers.

use raddle_ir::{
    Action, BinaryOp, Callee, Expression, FunctionId, Initial, IntType, MutexKind, Scalar,
    SyncOperation, SyncType,
};

use crate::Random;
use crate::body::{Body, Cell, constant, equal};
use crate::items::{Items, small_count};

/// `fn add(n) -> old`: adds to a shared cell and gives what was there.
fn adder(items: &mut Items, random: &mut Random, cell: &Cell, is_locked: bool) -> FunctionId {
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let mut body = Body::new(items.fresh_name("add"));
    let amount = body.parameter("n", cell.ty);
    body.function.result = Some(cell.ty);
    if is_locked {
        body.sync(SyncOperation::MutexAcquire, &m);
    }
    let kept = body.variable("old", cell.ty);
    let old = body.load_to(kept, cell, raddle_ir::Access::Plain);
    let op = *random.pick(&[BinaryOp::AddWrapping, BinaryOp::SubtractWrapping]);
    body.store(cell, Expression::binary(op, old.clone(), amount));
    if is_locked {
        body.sync(SyncOperation::MutexRelease, &m);
    }
    body.act(Action::Return { value: Some(old) });
    items.function(body.finish())
}

pub(super) fn calls(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let x = items.cell("x", small_count(random));
    let is_locked = random.chance(75);
    let add = adder(items, random, &x, is_locked);
    for (at, body) in threads.iter_mut().enumerate() {
        let amount = x.value(random.between(1, 2));
        if random.chance(50) {
            body.call(add, vec![amount], None);
        } else if let Some(old) = body.call(add, vec![amount], Some(x.ty)) {
            let bound = x.value(random.between(at, 3));
            body.assert(Expression::binary(BinaryOp::LessEqual, old, bound));
        }
    }
}

pub(super) fn recursion(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = Scalar::Int(IntType::unsigned(2));
    let x = items.cell("x", small_count(random));
    let mut body = Body::new(items.fresh_name("down"));
    let n = body.parameter("n", ty);
    body.function.result = Some(ty);
    let id = items.function(body.function.clone());
    let touches = random.chance(30);
    let more = Expression::binary(BinaryOp::Greater, n.clone(), constant(0, ty));
    body.when(more, |body| {
        let less = Expression::binary(BinaryOp::Subtract, n, constant(1, ty));
        let below = body.call(id, vec![less], Some(ty));
        if touches {
            body.store(&x, x.value(1));
        }
        let value = below.map(|it| Expression::binary(BinaryOp::AddWrapping, it, constant(1, ty)));
        body.act(Action::Return { value });
    });
    body.act(Action::Return {
        value: Some(constant(0, ty)),
    });
    items.draft.functions[id] = body.finish();
    for body in threads.iter_mut() {
        let depth = random.between(1, 2);
        if let Some(result) = body.call(id, vec![constant(depth, ty)], Some(ty)) {
            let expected = if random.chance(85) { depth } else { depth + 1 };
            body.assert(equal(result, constant(expected, ty)));
        }
    }
}

pub(super) fn function_pointer(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let x = items.cell("x", small_count(random));
    let is_locked = random.chance(75);
    let add = adder(items, random, &x, is_locked);
    let pointer = items.cell("callback", Scalar::Pointer);
    if random.chance(85) {
        let address = Initial::Address(Expression::Function(add));
        items.set_initial(&pointer, address);
    }
    let spawns = random.chance(50);
    for (at, body) in threads.iter_mut().enumerate() {
        let address = body.load(&pointer);
        let arguments = vec![x.value(at + 1)];
        if spawns && at == 0 {
            let handle = body.variable("child", Scalar::Thread);
            body.act(Action::Spawn {
                target: Some(handle),
                place: None,
                callee: Callee::Indirect(address),
                arguments,
            });
            body.act(Action::Join {
                thread: Expression::Register(handle),
                target: None,
            });
            continue;
        }
        let target = body.temporary(x.ty);
        body.act(Action::Call {
            target: Some(target),
            callee: Callee::Indirect(address),
            arguments,
        });
        if random.chance(50) {
            let bound = x.value(random.between(0, 3));
            let old = Expression::Register(target);
            body.assert(Expression::binary(BinaryOp::LessEqual, old, bound));
        }
    }
}
