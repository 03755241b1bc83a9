//! Addresses that come back: blocks are made, freed and compared, with pointers to what is gone.
//!
//! One slot holds a block. Each thread sees it at some time, may empty the slot, free what was there, make something new,
//! put it in, and look whether an address, as a pointer or as a number, is one that it has seen.

use raddle_ir::{
    Access, Action, AllocateKind, BinaryOp, Expression, IntType, Order, ReadOnly, Scalar,
};

use crate::Random;
use crate::body::{Body, Cell, differs, equal};
use crate::items::Items;

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);
const COUNT: Scalar = Scalar::Int(IntType::unsigned(2));

/// What all threads work on.
struct Shared {
    slot: Cell,
    /// How often something was done that others may look at.
    mark: Cell,
    word: Scalar,
}

pub(super) fn recycling(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let shared = Shared {
        slot: items.cell("slot", Scalar::Pointer),
        mark: items.cell("mark", COUNT),
        word: Scalar::Int(items.draft.model.unsigned_word()),
    };
    let first = make(&shared, random, &mut threads[0]);
    threads[0].store_as(&shared.slot, first, SEQUENTIAL);
    let steps = if threads.len() == 2 { 4 } else { 3 };
    for body in threads.iter_mut() {
        let seen = body.variable("seen", Scalar::Pointer);
        let mut known = body.load_to(seen, &shared.slot, SEQUENTIAL);
        for _ in 0..random.between(2, steps) {
            known = step(&shared, random, body, known);
        }
    }
}

/// Blocks of two sizes, of which the larger does not fit into the smaller.
fn make(shared: &Shared, random: &mut Random, body: &mut Body) -> Expression {
    let size = *random.pick(&[4, 4, 4, 60]);
    let target = body.variable("made", Scalar::Pointer);
    body.act(Action::Allocate {
        target,
        size: Expression::Constant(size, shared.word),
        ty: None,
        is_zeroed: true,
        kind: AllocateKind::Heap,
        read_only: ReadOnly::NOTHING,
    });
    Expression::Register(target)
}

/// Something that may be done with a pointer; the one that is known after it.
fn step(shared: &Shared, random: &mut Random, body: &mut Body, known: Expression) -> Expression {
    let is_there = differs(known.clone(), Expression::null());
    match random.below(10) {
        // Takes it out of the slot and frees it, if it is still there.
        0..=2 => {
            let success = body.variable("taken", Scalar::BOOL);
            let (slot, is_quiet) = (&shared.slot, random.chance(50));
            body.when(is_there, |body| {
                body.act(Action::CompareExchange {
                    previous: None,
                    success: Some(success),
                    address: slot.address.clone(),
                    expected: known.clone(),
                    desired: Expression::null(),
                    ty: Scalar::Pointer,
                    order: Order::SequentiallyConsistent,
                    failure: Order::SequentiallyConsistent,
                });
                body.when(Expression::Register(success), |body| {
                    body.act(Action::Free {
                        address: known.clone(),
                        kind: AllocateKind::Heap,
                    });
                    if !is_quiet {
                        body.store_as(&shared.mark, shared.mark.value(1), SEQUENTIAL);
                    }
                });
            });
            known
        }
        // Frees it, whoever points to it.
        3 => {
            body.act(Action::Free {
                address: known.clone(),
                kind: AllocateKind::Heap,
            });
            known
        }
        // Makes another and puts it in.
        4..=6 => {
            let made = make(shared, random, body);
            if random.chance(40) {
                compare(shared, random, body, &known, &made);
            }
            body.store_as(&shared.slot, made.clone(), SEQUENTIAL);
            if random.chance(40) { made } else { known }
        }
        // Looks whether it has changed.
        7 | 8 => {
            let now = body.load_as(&shared.slot, SEQUENTIAL);
            compare(shared, random, body, &known, &now);
            known
        }
        // Follows a number.
        _ => {
            let number = body.assign(shared.word, known.cast(shared.word));
            body.assign(Scalar::Pointer, number.cast(Scalar::Pointer))
        }
    }
}

/// Lets the assertion hold or not by whether two addresses are the same, perhaps only where others left a mark.
fn compare(
    shared: &Shared,
    random: &mut Random,
    body: &mut Body,
    known: &Expression,
    now: &Expression,
) {
    let number = |it: &Expression| it.clone().cast(shared.word);
    let is_same = match random.below(10) {
        0 | 1 => equal(number(known), number(now)),
        // A number is an address: what is left of one without the other is nothing.
        2 | 3 => {
            let op = BinaryOp::SubtractWrapping;
            let difference = Expression::binary(op, number(known), number(now));
            equal(difference, Expression::Constant(0, shared.word))
        }
        _ => equal(known.clone(), now.clone()),
    };
    let is_there = differs(known.clone(), Expression::null());
    let is_meant = random.chance(60);
    let after_mark = random.chance(50);
    body.when(is_there, |body| {
        let look = |body: &mut Body| {
            body.assert(if is_meant {
                is_same.clone().not()
            } else {
                is_same.clone()
            });
        };
        if after_mark {
            let mark = body.load_as(&shared.mark, SEQUENTIAL);
            body.when(equal(mark, shared.mark.value(1)), |body| look(body));
        } else {
            look(body);
        }
    });
}
