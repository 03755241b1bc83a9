//! Every operation of the intermediate representation on integers, through terms, gates and the SAT solver, against the
//! interpreter's arithmetic: exhaustively at 4 and 5 bits, at random above.

mod support;

use raddle_base::Budget;
use raddle_ir::arithmetic;
use raddle_ir::{DataModel, IntType, Scalar};
use raddle_logic::{Answer, CaDiCal, Solver, TermId, Terms};
use support::Random;
use support::integers::{self, Computation};

const MODEL: DataModel = DataModel::Lp64;

/// One question and what the interpreter answers to it; nothing where the value does not matter.
type Expectation = Box<dyn Fn(u128, u128) -> Option<u128>>;

/// The operations on two inputs as outputs of one solver.
struct Bench {
    terms: Terms,
    solver: Solver,
    left: TermId,
    right: TermId,
    outputs: Vec<(String, TermId, Expectation)>,
}

impl Bench {
    /// Without outputs, on inputs of these widths.
    fn empty(left: u32, right: u32) -> Self {
        let mut terms = Terms::new();
        let left = terms.variable("left", left);
        let right = terms.variable("right", right);
        Self {
            terms,
            // Thousands of easy questions.
            solver: Solver::with(CaDiCal::without_inprocessing()),
            left,
            right,
            outputs: Vec::new(),
        }
    }

    fn new(ty: IntType, right_type: IntType) -> Self {
        let mut bench = Self::empty(u32::from(ty.bits), u32::from(right_type.bits));
        bench.add_binary(ty, right_type);
        if ty == right_type {
            bench.add_others(ty);
        }
        bench
    }

    /// Makes a term an output, with what it is expected to be.
    fn output(&mut self, name: String, term: TermId, expected: Expectation) {
        let width = self.terms.width(term);
        let output = self.terms.fresh_variable(&name, width);
        let defined = self.terms.equal(output, term);
        self.solver.assert(&self.terms, defined);
        self.outputs.push((name, output, expected));
    }

    fn add_binary(&mut self, ty: IntType, right_type: IntType) {
        for op in integers::BINARY {
            let is_shift = format!("{op:?}").starts_with("Shift");
            if ty != right_type && !is_shift {
                continue;
            }
            let Computation {
                result,
                overflows,
                faults,
            } = integers::binary(&mut self.terms, op, self.left, self.right, ty, right_type);
            let compute = move |left, right| {
                arithmetic::binary(
                    op,
                    left,
                    right,
                    Scalar::Int(ty),
                    Scalar::Int(right_type),
                    MODEL,
                )
            };
            self.output(
                format!("{op:?}"),
                result,
                Box::new(move |left, right| compute(left, right).ok().map(|it| it.bits)),
            );
            self.output(
                format!("{op:?} overflows"),
                overflows,
                Box::new(move |left, right| {
                    compute(left, right)
                        .ok()
                        .map(|it| u128::from(it.overflowed))
                }),
            );
            self.output(
                format!("{op:?} faults"),
                faults,
                Box::new(move |left, right| Some(u128::from(compute(left, right).is_err()))),
            );
        }
    }

    fn add_others(&mut self, ty: IntType) {
        let scalar = Scalar::Int(ty);
        for op in integers::UNARY {
            let computation = integers::unary(&mut self.terms, op, self.left, ty);
            self.output(
                format!("{op:?}"),
                computation.result,
                Box::new(move |left, _| Some(arithmetic::unary(op, left, scalar, MODEL).bits)),
            );
            self.output(
                format!("{op:?} overflows"),
                computation.overflows,
                Box::new(move |left, _| {
                    let computed = arithmetic::unary(op, left, scalar, MODEL);
                    Some(u128::from(computed.overflowed))
                }),
            );
        }
        for operation in integers::RMW {
            let result =
                integers::read_modify_write(&mut self.terms, operation, self.left, self.right, ty);
            self.output(
                format!("{operation:?}"),
                result,
                Box::new(move |left, right| {
                    Some(arithmetic::read_modify_write(
                        operation, left, right, scalar,
                    ))
                }),
            );
        }
        for bits in [1, 3, 4, 5, 8, 32, 64, 127, 128] {
            let to = Scalar::Int(IntType::unsigned(bits));
            let result = self.terms.resize(self.left, u32::from(bits), ty.is_signed);
            self.output(
                format!("to {bits} bits"),
                result,
                Box::new(move |left, _| {
                    Some(
                        arithmetic::cast(left, scalar, to, MODEL)
                            .expect("integers convert")
                            .bits,
                    )
                }),
            );
        }
        self.add_unsigned_overflow(ty);
    }

    /// This is not in the intermediate representation, but the same operation asks for it.
    fn add_unsigned_overflow(&mut self, ty: IntType) {
        let mask = ty.mask();
        let (left, right) = (self.left, self.right);
        let multiply = self.terms.multiply_overflows_unsigned(left, right);
        let exceeds = move |exact: Option<u128>| Some(u128::from(exact.is_none_or(|it| it > mask)));
        self.output(
            "multiply overflows".into(),
            multiply,
            Box::new(move |left, right| exceeds(left.checked_mul(right))),
        );
    }

    /// The outputs are what the interpreter says, and cannot be anything else.
    fn compare(&mut self, left: u128, right: u128) {
        let terms = &mut self.terms;
        let mut assumed = vec![
            terms.equals_constant(self.left, left),
            terms.equals_constant(self.right, right),
        ];
        let answer = self.solver.check(terms, &assumed, &Budget::unlimited());
        let Ok(Answer::Satisfiable(mut model)) = answer else {
            panic!("{left:#x}, {right:#x}: {answer:?}");
        };
        let mut different = Vec::new();
        for (name, output, expected) in &self.outputs {
            let Some(expected) = expected(left, right) else {
                continue;
            };
            assert_eq!(
                model.value(terms, *output),
                expected,
                "{name} of {left:#x} and {right:#x} at {} bits",
                terms.width(self.left)
            );
            let equal = terms.equals_constant(*output, expected);
            different.push(terms.not(equal));
        }
        assumed.push(terms.any(&different));
        let answer = self.solver.check(terms, &assumed, &Budget::unlimited());
        assert!(
            matches!(answer, Ok(Answer::Unsatisfiable(_))),
            "{left:#x}, {right:#x}: another output is possible"
        );
    }
}

fn exhaustively(ty: IntType, right_type: IntType) {
    for left in 0..=ty.mask() {
        // A new one, because every question leaves terms behind.
        let mut bench = Bench::new(ty, right_type);
        for right in 0..=right_type.mask() {
            bench.compare(left, right);
        }
    }
}

fn at_random(ty: IntType, right_type: IntType, count: usize) {
    let mut random = Random::new(u64::from(ty.bits) * 1000 + u64::from(right_type.bits));
    let mut bench = Bench::new(ty, right_type);
    for _ in 0..count {
        let left = random.bits(u32::from(ty.bits));
        let right = match random.below(4) {
            0 => random.bits(u32::from(right_type.bits)),
            // Amounts that are in range, divisors that give a quotient.
            1 => u128::from(random.next() % u64::from(ty.bits)) & right_type.mask(),
            2 => left & right_type.mask(),
            _ => {
                random.wide() >> (128 - random.below(usize::from(right_type.bits)) - 1).min(127)
                    & right_type.mask()
            }
        };
        bench.compare(left, right);
    }
}

#[test]
fn operations_agree_on_all_unsigned_numbers_of_4_and_5_bits() {
    for bits in [4, 5] {
        exhaustively(IntType::unsigned(bits), IntType::unsigned(bits));
    }
}

#[test]
fn operations_agree_on_all_signed_numbers_of_4_and_5_bits() {
    for bits in [4, 5] {
        exhaustively(IntType::signed(bits), IntType::signed(bits));
    }
}

#[test]
fn operations_agree_on_all_numbers_of_1_to_3_bits() {
    for bits in 1..=3 {
        exhaustively(IntType::unsigned(bits), IntType::unsigned(bits));
        exhaustively(IntType::signed(bits), IntType::signed(bits));
    }
}

#[test]
fn shifts_agree_for_amounts_of_other_types() {
    for (bits, amount_bits) in [(1, 4), (4, 3), (5, 2), (3, 6)] {
        for ty in [IntType::unsigned(bits), IntType::signed(bits)] {
            exhaustively(ty, IntType::unsigned(amount_bits));
            exhaustively(ty, IntType::signed(amount_bits));
        }
    }
    for (bits, amount_bits) in [(64, 32), (32, 64), (128, 5), (8, 128)] {
        for ty in [IntType::unsigned(bits), IntType::signed(bits)] {
            at_random(ty, IntType::signed(amount_bits), 20);
            at_random(ty, IntType::unsigned(amount_bits), 20);
        }
    }
}

#[test]
fn operations_agree_on_random_numbers_of_8_and_32_bits() {
    for (bits, count) in [(8, 150), (32, 40)] {
        at_random(IntType::unsigned(bits), IntType::unsigned(bits), count);
        at_random(IntType::signed(bits), IntType::signed(bits), count);
    }
}

#[test]
fn operations_agree_on_random_numbers_of_64_and_128_bits() {
    for (bits, count) in [(64, 12), (128, 6)] {
        at_random(IntType::unsigned(bits), IntType::unsigned(bits), count);
        at_random(IntType::signed(bits), IntType::signed(bits), count);
    }
}
