//! What operations on values compute.

use raddle_ir::{
    Access, BinaryOp, Expression, FloatType, Initial, IntType, MutexKind, Order, Scalar,
    SyncOperation, SyncType, UnaryOp,
};

use crate::Random;
use crate::body::{Body, constant, differs};
use crate::items::{Items, small_count, small_int};

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);

/// A value that is computed from an old one, of integer type.
pub(super) fn changed(random: &mut Random, old: Expression, ty: Scalar) -> Expression {
    let operations = [
        BinaryOp::Add,
        BinaryOp::AddWrapping,
        BinaryOp::AddWrapping,
        BinaryOp::SubtractWrapping,
        BinaryOp::MultiplyWrapping,
        BinaryOp::Xor,
        BinaryOp::Or,
    ];
    let by = constant(random.between(1, 3), ty);
    Expression::binary(*random.pick(&operations), old, by)
}

/// Every operation of two integers that gives one.
const INTEGER_OPERATIONS: [BinaryOp; 15] = [
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Multiply,
    BinaryOp::AddWrapping,
    BinaryOp::SubtractWrapping,
    BinaryOp::MultiplyWrapping,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::ShiftLeftWrapping,
    BinaryOp::ShiftRightWrapping,
];

const COMPARISONS: [BinaryOp; 6] = [
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
];

/// An expression of an integer type over some values of that type.
fn expression(random: &mut Random, values: &[Expression], ty: Scalar, depth: usize) -> Expression {
    if depth == 0 || random.chance(15) {
        return if random.chance(70) {
            random.pick(values).clone()
        } else {
            constant(random.below(4), ty)
        };
    }
    let left = expression(random, values, ty, depth - 1);
    match random.below(10) {
        0 => {
            let operations = [UnaryOp::Negate, UnaryOp::NegateWrapping, UnaryOp::Not];
            Expression::Unary(*random.pick(&operations), Box::new(left))
        }
        3 => {
            let operations = [UnaryOp::Settle, UnaryOp::IsSet];
            Expression::Unary(*random.pick(&operations), Box::new(left))
        }
        1 => {
            let wide = Scalar::Int(IntType {
                bits: *random.pick(&[4, 8, 32]),
                is_signed: random.chance(50),
            });
            left.cast(wide).cast(ty)
        }
        2 => {
            let right = expression(random, values, ty, depth - 1);
            let condition = condition(random, left.clone(), right.clone());
            Expression::Select(Box::new(condition), Box::new(left), Box::new(right))
        }
        _ => {
            let right = expression(random, values, ty, depth - 1);
            Expression::binary(*random.pick(&INTEGER_OPERATIONS), left, right)
        }
    }
}

fn condition(random: &mut Random, left: Expression, right: Expression) -> Expression {
    let comparison = Expression::binary(*random.pick(&COMPARISONS), left, right);
    match random.below(6) {
        0 => comparison.not(),
        1 => {
            let no = Box::new(Expression::bool(false));
            let same = Box::new(comparison.clone());
            Expression::Select(Box::new(comparison), same, no)
        }
        2 => {
            let yes = Box::new(Expression::bool(true));
            let same = Box::new(comparison.clone());
            Expression::Select(Box::new(comparison), yes, same)
        }
        _ => comparison,
    }
}

pub(super) fn arithmetic(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = if random.chance(60) {
        Scalar::Int(IntType::signed(3))
    } else {
        small_int(random)
    };
    let x = items.number("x", ty, 1);
    let y = items.number("y", ty, 2);
    for body in threads.iter_mut() {
        let values = [body.load_as(&x, SEQUENTIAL), body.load_as(&y, SEQUENTIAL)];
        let value = expression(random, &values, ty, 2);
        let value = body.assign(ty, value);
        if random.chance(50) {
            body.store_as(&x, value.clone(), SEQUENTIAL);
        }
        if random.chance(40) {
            let most = constant(3, ty);
            let holds = if random.chance(50) {
                condition(random, value, most)
            } else {
                differs(value, constant(random.below(4), ty))
            };
            body.assert(holds);
        }
    }
}

/// A number near the end of its type, which some look at before they add to it.
pub(super) fn bounds(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let int = IntType::signed(*random.pick(&[3, 4, 8]));
    let ty = Scalar::Int(int);
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let n = items.cell("n", ty);
    let most = int.max();
    let room = 1 + random.below(2) as u128;
    items.set_initial(&n, Initial::Scalar(ty, most - room));
    for body in threads.iter_mut() {
        body.sync(SyncOperation::MutexAcquire, &m);
        let old = body.load(&n);
        let more = constant(random.between(1, 2), ty);
        let sum = Expression::binary(BinaryOp::Add, old.clone(), more);
        if random.chance(45) {
            let bound = Expression::Constant(most - 1, ty);
            body.when(Expression::binary(BinaryOp::Less, old, bound), |body| {
                body.store(&n, sum);
            });
        } else {
            body.store(&n, sum);
        }
        body.sync(SyncOperation::MutexRelease, &m);
    }
}

pub(super) fn floats(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let float = *random.pick(&[FloatType::F32, FloatType::F64]);
    let ty = Scalar::Float(float);
    let f = items.number("f", ty, random.below(4));
    for body in threads.iter_mut() {
        let old = body.load_as(&f, SEQUENTIAL);
        let by = constant(random.between(0, 5), ty);
        let value = match random.below(6) {
            0 => Expression::Unary(UnaryOp::Negate, Box::new(old)),
            1 => old.cast(Scalar::Int(IntType::signed(8))).cast(ty),
            2 => {
                let other = match float {
                    FloatType::F32 => FloatType::F64,
                    FloatType::F64 => FloatType::F32,
                };
                old.cast(Scalar::Float(other)).cast(ty)
            }
            3 => Expression::binary(BinaryOp::Divide, old, by),
            4 => Expression::binary(BinaryOp::Subtract, old, by),
            _ => Expression::binary(BinaryOp::Add, old, by),
        };
        body.store_as(&f, value, SEQUENTIAL);
        if random.chance(30) {
            let now = body.load_as(&f, SEQUENTIAL);
            let op = *random.pick(&COMPARISONS);
            let bound = constant(random.between(1, 6), ty);
            body.assert(Expression::binary(op, now, bound));
        }
    }
}

pub(super) fn wide(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let int = IntType {
        bits: *random.pick(&[65, 100, 128]),
        is_signed: random.chance(50),
    };
    let ty = Scalar::Int(int);
    let w = items.cell("w", ty);
    items.set_initial(&w, Initial::Scalar(ty, int.max()));
    for body in threads.iter_mut() {
        let old = body.load_as(&w, SEQUENTIAL);
        let value = if random.chance(50) {
            changed(random, old, ty)
        } else {
            Expression::binary(BinaryOp::ShiftRight, old, constant(1, ty))
        };
        let value = body.assign(ty, value);
        body.store_as(&w, value.clone(), SEQUENTIAL);
        let bound = Expression::Constant(int.max() >> 1, ty);
        let op = *random.pick(&[BinaryOp::NotEqual, BinaryOp::LessEqual, BinaryOp::Greater]);
        if random.chance(30) {
            body.assert(Expression::binary(op, value, bound));
        }
    }
}

pub(super) fn nondeterminism(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let x = items.cell("x", ty);
    if random.chance(60) {
        items.set_initial(&x, Initial::Any(ty));
    }
    for body in threads.iter_mut() {
        let any = body.havoc(Scalar::Int(IntType::unsigned(2)));
        if random.chance(50) {
            let small = constant(random.between(0, 2), Scalar::Int(IntType::unsigned(2)));
            body.assume(Expression::binary(BinaryOp::LessEqual, any.clone(), small));
        }
        if random.chance(40) {
            let (one, two) = (x.value(1), x.value(2));
            body.choose(
                |body| body.store_as(&x, one, SEQUENTIAL),
                |body| body.store_as(&x, two, SEQUENTIAL),
            );
        } else {
            body.store_as(&x, any.cast(ty), SEQUENTIAL);
        }
        if random.chance(30) {
            let now = body.load_as(&x, SEQUENTIAL);
            body.assert(differs(now, x.value(3)));
        }
    }
}
