//! Threads that start and end, and the end of the process.

use raddle_ir::{
    Access, Action, BinaryOp, Callee, EndKind, Expression, FunctionId, IntType, Order, Scalar,
};

use crate::Random;
use crate::body::{Body, Cell, RESULT, equal};
use crate::items::{Items, small_count};

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);

/// `fn child(n) -> n`: finds its name where it was stored, changes a shared cell and ends, in one of two ways.
fn child(
    items: &mut Items,
    random: &mut Random,
    (cell, access): (&Cell, Access),
    name: Option<&Cell>,
) -> FunctionId {
    let mut body = Body::new(items.fresh_name("child"));
    let n = body.parameter("n", cell.ty);
    body.function.result = Some(cell.ty);
    if let Some(name) = name
        && random.chance(60)
    {
        let found = body.load(name);
        body.assert(equal(found, Expression::CurrentThread));
    }
    body.store_as(cell, n.clone(), access);
    let value = Some(n);
    body.act(if random.chance(50) {
        Action::Return { value }
    } else {
        Action::ExitThread { value }
    });
    items.function(body.finish())
}

pub(super) fn children(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let x = items.cell("x", small_count(random));
    let access = if random.chance(50) {
        SEQUENTIAL
    } else {
        Access::Plain
    };
    let name = (random.chance(40)).then(|| items.cell("name", Scalar::Thread));
    let start = child(items, random, (&x, access), name.as_ref());
    let parent = random.below(threads.len());
    for (at, body) in threads.iter_mut().enumerate() {
        if at != parent {
            if let Some(name) = &name
                && random.chance(25)
            {
                body.load(name);
            }
            if random.chance(50) {
                let value = body.load_as(&x, SEQUENTIAL);
                let bound = x.value(random.between(1, 2));
                body.assert(Expression::binary(BinaryOp::LessEqual, value, bound));
            }
            continue;
        }
        let handle = body.variable("child", Scalar::Thread);
        body.act(Action::Spawn {
            target: Some(handle),
            place: name.as_ref().map(Cell::as_name_place),
            callee: Callee::Direct(start),
            arguments: vec![x.value(2)],
        });
        if random.chance(40) {
            body.store_as(&x, x.value(1), access);
        }
        let thread = Expression::Register(handle);
        match random.below(10) {
            0..=3 => {
                let target = body.temporary(x.ty);
                body.act(Action::Join {
                    thread: thread.clone(),
                    target: Some(target),
                });
                let result = Expression::Register(target);
                let expected = x.value(if random.chance(85) { 2 } else { 1 });
                body.assert(equal(result, expected));
                if random.chance(10) {
                    let target = None;
                    body.act(Action::Join { thread, target });
                }
            }
            4 => {
                let target = None;
                body.act(Action::Join { thread, target });
            }
            5 => {}
            _ => {
                body.act(Action::Detach {
                    thread: thread.clone(),
                });
                if random.chance(15) {
                    let target = None;
                    body.act(Action::Join { thread, target });
                }
            }
        }
    }
}

pub(super) fn ends(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let x = items.cell("x", small_count(random));
    for (at, body) in threads.iter_mut().enumerate() {
        if at == 0 {
            body.store_as(&x, x.value(1), SEQUENTIAL);
        }
        let seen = body.load_as(&x, SEQUENTIAL);
        let is_end = equal(seen.clone(), x.value(random.between(0, 2)));
        let action = match random.below(6) {
            0 => Action::EndProcess {
                kind: EndKind::Exit(Expression::int(1, RESULT)),
            },
            1 => Action::EndProcess {
                kind: EndKind::Abort,
            },
            2 => Action::ExitThread {
                value: random.chance(50).then_some(seen),
            },
            3 => Action::Return { value: None },
            4 => Action::Unsupported {
                what: "a call of `frobnicate`".into(),
            },
            _ => Action::Emit {
                text: random
                    .pick(&["x = {}, thread {}\n", "x = {%02x}, thread {%-3d}.\n"])
                    .to_string(),
                arguments: vec![
                    seen,
                    Expression::CurrentThread.cast(Scalar::Int(IntType::unsigned(32))),
                ],
            },
        };
        body.when(is_end, |body| body.act(action));
        if random.chance(40) {
            let arguments = if random.chance(60) {
                vec![Expression::int(1, RESULT)]
            } else {
                Vec::new()
            };
            let text = if arguments.is_empty() {
                "on\n".into()
            } else {
                "on {%+03d}\n".into()
            };
            body.act(Action::Emit { text, arguments });
        }
    }
}
