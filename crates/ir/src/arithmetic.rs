//! What the operations on values compute: two's complement integers of 1 to 128 bits, IEEE 754 floats, pointers.
//!
//! Every operation takes and returns bits that are masked to the width of their type.

use crate::action::RmwOperation;
use crate::expression::{BinaryOp, UnaryOp};
use crate::types::{DataModel, FloatType, IntType, Scalar};

/// The result of an operation that is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    pub bits: u128,
    /// A signed result did not fit and was wrapped, in an operation that asks to hear of it.
    pub overflowed: bool,
    /// The result depends on how objects are numbered.
    pub observes_layout: bool,
}

/// Why an operation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithmeticFault {
    DivisionByZero,
    /// The least number divided by -1: besides being undefined, it violates `overflow`.
    QuotientOutOfRange,
    ShiftOutOfRange,
    FloatOutOfRange,
    /// Pointer arithmetic left the bits that hold the offset. The only one that violates a property: `memory`.
    PointerLeavesObject,
    DistanceOfTwoObjects,
}

impl ArithmeticFault {
    pub fn message(self) -> &'static str {
        match self {
            ArithmeticFault::DivisionByZero => "division by zero",
            ArithmeticFault::QuotientOutOfRange => {
                "division of the least number by -1, whose quotient does not fit"
            }
            ArithmeticFault::ShiftOutOfRange => {
                "shift by a negative amount or by at least the width"
            }
            ArithmeticFault::FloatOutOfRange => {
                "conversion of a float to an integer that cannot hold it"
            }
            ArithmeticFault::PointerLeavesObject => "pointer arithmetic leaves its object",
            ArithmeticFault::DistanceOfTwoObjects => "difference of pointers into two objects",
        }
    }
}

/// The number that the bits of an integer stand for. Unsigned numbers above `i128::MAX` come out negative.
pub fn signed_value(bits: u128, ty: IntType) -> i128 {
    let unused = 128 - u32::from(ty.bits);
    if ty.is_signed {
        (bits << unused).cast_signed() >> unused
    } else {
        bits.cast_signed()
    }
}

fn defined(bits: u128) -> Computed {
    Computed {
        bits,
        overflowed: false,
        observes_layout: false,
    }
}

/// Wraps an exact result, or one that left 128 bits already, to its type.
fn wrap(exact: i128, left_128_bits: bool, ty: IntType) -> Computed {
    let bits = exact.cast_unsigned() & ty.mask();
    Computed {
        bits,
        overflowed: ty.is_signed && (left_128_bits || signed_value(bits, ty) != exact),
        observes_layout: false,
    }
}

fn silently(computed: Computed) -> Computed {
    Computed {
        overflowed: false,
        ..computed
    }
}

/// Addresses below an object that a pointer may hold, though not follow: programs go from a part of a structure to a whole
/// that is not there, and come back. No object is so large that these are addresses in the one before it.
pub const BYTES_BELOW: u64 = 4096;

/// The number of the object and the offset of a pointer. Offsets below the object come out as the highest ones.
pub fn split_pointer(bits: u128, model: DataModel) -> (u32, u64) {
    let addresses = u128::MAX >> (128 - model.pointer_bits());
    let moved = bits.wrapping_add(u128::from(BYTES_BELOW)) & addresses;
    let number = |shift: u32| u32::try_from(moved >> shift).expect("at most 24 bits of number");
    let split = |object: u32, shift: u32| {
        let offset = bits & ((1 << shift) - 1);
        let offset = u64::try_from(offset).expect("a pointer has at most 40 offset bits");
        (object, offset)
    };
    if model == DataModel::Ilp32 {
        let small = number(DataModel::SMALL_OFFSET_BITS);
        if model.small_objects().contains(&small) {
            return split(small, DataModel::SMALL_OFFSET_BITS);
        }
    }
    split(number(model.offset_bits()), model.offset_bits())
}

/// The pointer with these parts. Addresses are numbers in a row: one below an object is less than its first.
pub fn join_pointer(object: u32, offset: u64, model: DataModel) -> u128 {
    let shift = model.offset_bits_of(object);
    let addresses = u128::MAX >> (128 - model.pointer_bits());
    let first = u128::from(object) << shift;
    let below = u128::from(lies_below(offset, shift)) << shift;
    (first + u128::from(offset)).wrapping_sub(below) & addresses
}

/// The greatest object of which pointers have so many bits of offset: one after its end is an address, too.
pub fn largest_object(offset_bits: u32) -> u64 {
    (1 << offset_bits) - 1 - BYTES_BELOW
}

fn lies_below(offset: u64, offset_bits: u32) -> bool {
    offset >= (1 << offset_bits) - BYTES_BELOW
}

/// The offset as a number that is negative below the object.
fn signed_offset(offset: u64, offset_bits: u32) -> i128 {
    let space = 1_i128 << offset_bits;
    i128::from(offset)
        - if lies_below(offset, offset_bits) {
            space
        } else {
            0
        }
}

/// The pointer that is as far from the first byte of another object, if there is one: pointers to small objects have fewer offsets.
pub fn moved_to(bits: u128, other: u32, model: DataModel) -> Option<u128> {
    let (object, offset) = split_pointer(bits, model);
    let offset = signed_offset(offset, model.offset_bits_of(object));
    let (space, below) = (
        1_i128 << model.offset_bits_of(other),
        i128::from(BYTES_BELOW),
    );
    if !(-below..space - below).contains(&offset) {
        return None;
    }
    let offset = u64::try_from(offset.rem_euclid(space)).ok()?;
    Some(join_pointer(other, offset, model))
}

/// The place in an object that a pointer points to, unless it lies below.
pub fn place_of(bits: u128, model: DataModel) -> Option<(u32, u64)> {
    let (object, offset) = split_pointer(bits, model);
    (!lies_below(offset, model.offset_bits_of(object))).then_some((object, offset))
}

pub fn unary(op: UnaryOp, bits: u128, ty: Scalar, model: DataModel) -> Computed {
    match (op, ty) {
        (UnaryOp::Negate, Scalar::Int(int)) => {
            let (exact, overflow) = signed_value(bits, int).overflowing_neg();
            wrap(exact, overflow, int)
        }
        (UnaryOp::NegateWrapping, Scalar::Int(int)) => {
            silently(wrap(signed_value(bits, int).wrapping_neg(), false, int))
        }
        (UnaryOp::Negate | UnaryOp::NegateWrapping, _) => defined(bits ^ 1 << (ty.bits(model) - 1)),
        (UnaryOp::Settle, _) => defined(bits),
        (UnaryOp::IsSet, _) => defined(1),
        (UnaryOp::Not, _) => defined(!bits & ty.mask(model)),
    }
}

/// `left op right`, both of type `ty`; `right_type` differs for shifts and offsets.
pub fn binary(
    op: BinaryOp,
    left: u128,
    right: u128,
    ty: Scalar,
    right_type: Scalar,
    model: DataModel,
) -> Result<Computed, ArithmeticFault> {
    match ty {
        Scalar::Int(int) => integer(op, left, right, int, right_type),
        Scalar::Float(FloatType::F32) => float(
            op,
            f64::from(f32_of(left)),
            f64::from(f32_of(right)),
            |value| u128::from(canonical_f32(narrow(value))),
        ),
        Scalar::Float(FloatType::F64) => float(op, f64_of(left), f64_of(right), |value| {
            u128::from(canonical_f64(value))
        }),
        Scalar::Pointer => pointer(op, left, right, right_type, model),
        Scalar::Thread => Ok(compare(op, left.cmp(&right))),
    }
}

fn integer(
    op: BinaryOp,
    left: u128,
    right: u128,
    int: IntType,
    right_type: Scalar,
) -> Result<Computed, ArithmeticFault> {
    let (a, b) = (signed_value(left, int), signed_value(right, int));
    Ok(match op {
        BinaryOp::Add => {
            let (exact, overflow) = a.overflowing_add(b);
            wrap(exact, overflow, int)
        }
        BinaryOp::Subtract => {
            let (exact, overflow) = a.overflowing_sub(b);
            wrap(exact, overflow, int)
        }
        BinaryOp::Multiply => {
            let (exact, overflow) = a.overflowing_mul(b);
            wrap(exact, overflow, int)
        }
        BinaryOp::AddWrapping => silently(wrap(a.wrapping_add(b), false, int)),
        BinaryOp::SubtractWrapping => silently(wrap(a.wrapping_sub(b), false, int)),
        BinaryOp::MultiplyWrapping => silently(wrap(a.wrapping_mul(b), false, int)),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(ArithmeticFault::DivisionByZero);
        }
        // C leaves the remainder undefined too, and processors trap on both.
        BinaryOp::Divide | BinaryOp::Remainder if int.is_signed && a == int.min() && b == -1 => {
            return Err(ArithmeticFault::QuotientOutOfRange);
        }
        BinaryOp::Divide if int.is_signed => wrap(a.wrapping_div(b), false, int),
        BinaryOp::Remainder if int.is_signed => wrap(a.wrapping_rem(b), false, int),
        BinaryOp::Divide => defined(left / right),
        BinaryOp::Remainder => defined(left % right),
        BinaryOp::And => defined(left & right),
        BinaryOp::Or => defined(left | right),
        BinaryOp::Xor => defined(left ^ right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
            let amount = shift_amount(right, right_type)
                .filter(|&amount| amount < u32::from(int.bits))
                .ok_or(ArithmeticFault::ShiftOutOfRange)?;
            shift(op == BinaryOp::ShiftLeft, left, amount, int)
        }
        BinaryOp::ShiftLeftWrapping | BinaryOp::ShiftRightWrapping => {
            let amount = u32::try_from(right % u128::from(int.bits)).expect("below 128");
            silently(shift(op == BinaryOp::ShiftLeftWrapping, left, amount, int))
        }
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => compare(
            op,
            if int.is_signed {
                a.cmp(&b)
            } else {
                left.cmp(&right)
            },
        ),
        BinaryOp::Offset | BinaryOp::Distance => unreachable!("validated: only on pointers"),
    })
}

/// The amount of a shift, if it is a small natural number.
fn shift_amount(bits: u128, ty: Scalar) -> Option<u32> {
    let Scalar::Int(int) = ty else {
        unreachable!("validated: shifts count by integers")
    };
    if int.is_signed && signed_value(bits, int) < 0 {
        return None;
    }
    u32::try_from(bits).ok()
}

fn shift(is_left: bool, bits: u128, amount: u32, int: IntType) -> Computed {
    let value = signed_value(bits, int);
    if is_left {
        let result = bits << amount & int.mask();
        let comes_back = signed_value(result, int) >> amount == value;
        Computed {
            overflowed: int.is_signed && (value < 0 || !comes_back),
            ..defined(result)
        }
    } else if int.is_signed {
        defined((value >> amount).cast_unsigned() & int.mask())
    } else {
        defined(bits >> amount)
    }
}

fn compare(op: BinaryOp, ordering: std::cmp::Ordering) -> Computed {
    defined(u128::from(match op {
        BinaryOp::Equal => ordering.is_eq(),
        BinaryOp::NotEqual => ordering.is_ne(),
        BinaryOp::Less => ordering.is_lt(),
        BinaryOp::LessEqual => ordering.is_le(),
        BinaryOp::Greater => ordering.is_gt(),
        BinaryOp::GreaterEqual => ordering.is_ge(),
        BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::Multiply
        | BinaryOp::AddWrapping
        | BinaryOp::SubtractWrapping
        | BinaryOp::MultiplyWrapping
        | BinaryOp::Divide
        | BinaryOp::Remainder
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Offset
        | BinaryOp::Distance => unreachable!("validated: only comparisons get here"),
    }))
}

fn pointer(
    op: BinaryOp,
    left: u128,
    right: u128,
    right_type: Scalar,
    model: DataModel,
) -> Result<Computed, ArithmeticFault> {
    let (left_object, left_offset) = split_pointer(left, model);
    let left_offset = signed_offset(left_offset, model.offset_bits_of(left_object));
    if op == BinaryOp::Offset {
        let Scalar::Int(int) = right_type else {
            unreachable!("validated: pointers are offset by integers")
        };
        let amount = signed_value(right, int);
        if !int.is_signed && amount < 0 {
            return Err(ArithmeticFault::PointerLeavesObject);
        }
        let space = 1_i128 << model.offset_bits_of(left_object);
        let below = i128::from(BYTES_BELOW);
        return left_offset
            .checked_add(amount)
            .filter(|offset| (-below..space - below).contains(offset))
            .and_then(|offset| u64::try_from(offset.rem_euclid(space)).ok())
            .map(|offset| defined(join_pointer(left_object, offset, model)))
            .ok_or(ArithmeticFault::PointerLeavesObject);
    }
    let (right_object, right_offset) = split_pointer(right, model);
    let right_offset = signed_offset(right_offset, model.offset_bits_of(right_object));
    if op == BinaryOp::Distance {
        if left_object != right_object {
            return Err(ArithmeticFault::DistanceOfTwoObjects);
        }
        let distance = left_offset - right_offset;
        return Ok(silently(wrap(distance, false, model.signed_word())));
    }
    let is_equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
    Ok(Computed {
        observes_layout: !is_equality && left_object != right_object,
        ..compare(
            op,
            (left_object, left_offset).cmp(&(right_object, right_offset)),
        )
    })
}

#[expect(clippy::float_cmp, reason = "the comparison meant is the exact one")]
fn float(
    op: BinaryOp,
    left: f64,
    right: f64,
    bits: impl Fn(f64) -> u128,
) -> Result<Computed, ArithmeticFault> {
    // Single precision computed in double and rounded once is exact for these operations.
    let condition = |holds: bool| Ok(defined(u128::from(holds)));
    match op {
        BinaryOp::Add | BinaryOp::AddWrapping => Ok(defined(bits(left + right))),
        BinaryOp::Subtract | BinaryOp::SubtractWrapping => Ok(defined(bits(left - right))),
        BinaryOp::Multiply | BinaryOp::MultiplyWrapping => Ok(defined(bits(left * right))),
        BinaryOp::Divide => Ok(defined(bits(left / right))),
        BinaryOp::Remainder => Ok(defined(bits(left % right))),
        BinaryOp::Equal => condition(left == right),
        BinaryOp::NotEqual => condition(left != right),
        BinaryOp::Less => condition(left < right),
        BinaryOp::LessEqual => condition(left <= right),
        BinaryOp::Greater => condition(left > right),
        BinaryOp::GreaterEqual => condition(left >= right),
        BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight
        | BinaryOp::ShiftLeftWrapping
        | BinaryOp::ShiftRightWrapping
        | BinaryOp::Offset
        | BinaryOp::Distance => unreachable!("validated: not on floats"),
    }
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(u32::try_from(bits).expect("masked to 32 bits"))
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(u64::try_from(bits).expect("masked to 64 bits"))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounds to nearest, which is the conversion meant"
)]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// One bit pattern for all results that are not a number, so that equal runs give equal states.
fn canonical_f32(value: f32) -> u32 {
    if value.is_nan() {
        0x7fc0_0000
    } else {
        value.to_bits()
    }
}

fn canonical_f64(value: f64) -> u64 {
    if value.is_nan() {
        0x7ff8_0000_0000_0000
    } else {
        value.to_bits()
    }
}

/// Converts as C does.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "integers round to the nearest float; floats were checked to fit the integer"
)]
pub fn cast(
    bits: u128,
    from: Scalar,
    to: Scalar,
    model: DataModel,
) -> Result<Computed, ArithmeticFault> {
    let mask = to.mask(model);
    Ok(match (from, to) {
        (Scalar::Int(int), Scalar::Float(float)) => {
            let value = signed_value(bits, int);
            let is_unsigned = !int.is_signed;
            defined(match float {
                FloatType::F32 if is_unsigned => u128::from((bits as f32).to_bits()),
                FloatType::F32 => u128::from((value as f32).to_bits()),
                FloatType::F64 if is_unsigned => u128::from((bits as f64).to_bits()),
                FloatType::F64 => u128::from((value as f64).to_bits()),
            })
        }
        (Scalar::Float(float), Scalar::Int(int)) => {
            let value = match float {
                FloatType::F32 => f64::from(f32_of(bits)),
                FloatType::F64 => f64_of(bits),
            }
            .trunc();
            let magnitude = 2_f64.powi(i32::from(int.bits) - i32::from(int.is_signed));
            let least = if int.is_signed { -magnitude } else { 0.0 };
            if !(value >= least && value < magnitude) {
                return Err(ArithmeticFault::FloatOutOfRange);
            }
            defined(if value < 0.0 {
                (value as i128).cast_unsigned() & mask
            } else {
                value as u128
            })
        }
        (Scalar::Float(FloatType::F32), Scalar::Float(FloatType::F64)) => {
            defined(u128::from(canonical_f64(f64::from(f32_of(bits)))))
        }
        (Scalar::Float(FloatType::F64), Scalar::Float(FloatType::F32)) => {
            defined(u128::from(canonical_f32(narrow(f64_of(bits)))))
        }
        (from, Scalar::Thread) if is_word(from, model) => defined(named_thread(bits, model)),
        (Scalar::Int(int), _) => {
            let bits = signed_value(bits, int).cast_unsigned() & mask;
            let (object, _) = split_pointer(bits, model);
            Computed {
                // Whoever makes up a pointer to something knows where it lies; the last number is that of small
                // negative ones, which mean nothing.
                observes_layout: to == Scalar::Pointer
                    && model.is_made(object)
                    && object + 1 != model.made_objects().end,
                ..defined(bits)
            }
        }
        (Scalar::Pointer, Scalar::Int(_)) => Computed {
            // Which number an object got shows only where there is an object.
            observes_layout: bits >> model.offset_bits() != 0,
            ..defined(bits & mask)
        },
        (Scalar::Thread, to) if is_word(to, model) && bits == 0 => defined(model.main_thread()),
        (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread, _) => defined(bits & mask),
    })
}

/// Whether names of threads are written as such words, among which 0 is nobody.
pub fn is_word(ty: Scalar, model: DataModel) -> bool {
    ty == Scalar::Int(model.unsigned_word())
}

/// The thread that a word names.
fn named_thread(word: u128, model: DataModel) -> u128 {
    if word == model.main_thread() {
        0
    } else if word == 0 {
        model.null_thread()
    } else {
        word
    }
}

/// The new value of a cell under an atomic read-modify-write.
pub fn read_modify_write(operation: RmwOperation, old: u128, operand: u128, ty: Scalar) -> u128 {
    let Scalar::Int(int) = ty else {
        return operand;
    };
    let is_less = |a: u128, b: u128| {
        if int.is_signed {
            signed_value(a, int) < signed_value(b, int)
        } else {
            a < b
        }
    };
    let wide = match operation {
        RmwOperation::Exchange => operand,
        RmwOperation::Add => old.wrapping_add(operand),
        RmwOperation::Subtract => old.wrapping_sub(operand),
        RmwOperation::And => old & operand,
        RmwOperation::Or => old | operand,
        RmwOperation::Xor => old ^ operand,
        RmwOperation::Nand => !(old & operand),
        RmwOperation::Min if is_less(operand, old) => operand,
        RmwOperation::Max if is_less(old, operand) => operand,
        RmwOperation::Min | RmwOperation::Max => old,
    };
    wide & int.mask()
}

#[cfg(test)]
mod tests;
