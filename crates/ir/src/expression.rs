//! Pure expressions over the registers of the running frame.

use raddle_base::Arena;

use crate::program::{FunctionId, GlobalId, Register, RegisterId};
use crate::types::{DataModel, IntType, Scalar};

/// A pure expression: it reads registers of the running frame, never memory.
///
/// Evaluating it can still go wrong (division by zero, use of an undefined value, pointer arithmetic that
/// leaves the object part); [`crate::arithmetic`] says how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// Bits of a scalar; integers in two's complement, floats as IEEE 754 bits, the null pointer as 0.
    Constant(u128, Scalar),
    Register(RegisterId),
    /// The address of a global; of this thread's copy if the global is thread-local.
    Global(GlobalId),
    /// The address of a function.
    Function(FunctionId),
    /// The name of the running thread.
    CurrentThread,
    Unary(UnaryOp, Box<Expression>),
    Binary(BinaryOp, Box<Expression>, Box<Expression>),
    /// Converts as C does: integers are cut or extended by the sign of their own type.
    Cast(Scalar, Box<Expression>),
    /// `if condition { then } else { otherwise }`; only the chosen branch is evaluated.
    Select(Box<Expression>, Box<Expression>, Box<Expression>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `-a` of integers as in C: overflows on the least signed number. Of floats: flips the sign.
    Negate,
    /// `-%a`: wraps silently.
    NegateWrapping,
    /// Flips every bit; on `u1` this is logical not.
    Not,
    /// `?a`: the operand, or 0 where it is undefined. For the bits beside a bit-field, which are read with it.
    Settle,
    /// `?=a`: 1 if the operand was ever set, else 0, in its type. Where values that nobody set count as any value.
    IsSet,
}

/// Both operands have one type, except for shifts (any two integers) and `Offset` (pointer and integer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// `+ - *` as in C: on signed integers an overflow wraps and violates `overflow`. Also on floats.
    Add,
    Subtract,
    Multiply,
    /// `+% -% *%`: wrap silently.
    AddWrapping,
    SubtractWrapping,
    MultiplyWrapping,
    /// Toward zero; by zero is undefined for integers. Also on floats.
    Divide,
    /// Has the sign of the dividend; by zero is undefined.
    Remainder,
    And,
    Or,
    Xor,
    /// `<<` as in C: an amount outside `0..bits` is undefined; lost bits of a signed value violate `overflow`.
    ShiftLeft,
    /// `>>`: arithmetic on signed, logical on unsigned; an amount outside `0..bits` is undefined.
    ShiftRight,
    /// `<<%`, `>>%`: the amount counts modulo the width.
    ShiftLeftWrapping,
    ShiftRightWrapping,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Pointer plus a number of bytes; leaving the object part violates `memory`.
    Offset,
    /// Bytes between two pointers into one object; undefined for two objects.
    Distance,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
        )
    }
}

impl Expression {
    pub fn int(value: i128, ty: IntType) -> Expression {
        Expression::Constant(value.cast_unsigned() & ty.mask(), Scalar::Int(ty))
    }

    pub fn bool(value: bool) -> Expression {
        Expression::Constant(u128::from(value), Scalar::BOOL)
    }

    pub fn null() -> Expression {
        Expression::Constant(0, Scalar::Pointer)
    }

    #[expect(
        clippy::should_implement_trait,
        reason = "logical not of a condition, not bit flipping of any type"
    )]
    pub fn not(self) -> Expression {
        Expression::Unary(UnaryOp::Not, Box::new(self))
    }

    pub fn binary(op: BinaryOp, left: Expression, right: Expression) -> Expression {
        Expression::Binary(op, Box::new(left), Box::new(right))
    }

    pub fn cast(self, to: Scalar) -> Expression {
        Expression::Cast(to, Box::new(self))
    }

    /// The global and the constant offset of an address, if it is that of a global plus constants.
    pub fn constant_place(&self) -> Option<(GlobalId, u64)> {
        if let Expression::Global(global) = self {
            return Some((*global, 0));
        }
        let Expression::Binary(BinaryOp::Offset, base, offset) = self else {
            return None;
        };
        let Expression::Constant(bits, _) = &**offset else {
            return None;
        };
        let (global, before) = base.constant_place()?;
        Some((global, before.checked_add(u64::try_from(*bits).ok()?)?))
    }

    /// The address `offset` bytes after `base`, in the normal form that the printer shows as a path:
    /// no offset of zero, constant offsets added up.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "one shape is looked for; all others stay as they are"
    )]
    pub fn at_offset(base: Expression, offset: u64, model: DataModel) -> Expression {
        let word = model.signed_word();
        let before = match &base {
            Expression::Binary(BinaryOp::Offset, _, amount) => match **amount {
                Expression::Constant(bits, Scalar::Int(ty)) if ty == word => {
                    let unused = 128 - u32::from(word.bits);
                    Some((bits << unused).cast_signed() >> unused)
                }
                _ => None,
            },
            _ => None,
        };
        let (base, before) = match (base, before) {
            (Expression::Binary(_, inner, _), Some(before)) => (*inner, before),
            (base, _) => (base, 0),
        };
        let total = before + i128::from(offset);
        if total == 0 {
            base
        } else {
            Expression::binary(BinaryOp::Offset, base, Expression::int(total, word))
        }
    }

    /// The type, for an expression that the validator accepts over these registers.
    pub fn scalar(&self, registers: &Arena<RegisterId, Register>, model: DataModel) -> Scalar {
        match self {
            Expression::Constant(_, ty) | Expression::Cast(ty, _) => *ty,
            Expression::Register(register) => registers[*register].ty,
            Expression::Global(_) | Expression::Function(_) => Scalar::Pointer,
            Expression::CurrentThread => Scalar::Thread,
            Expression::Unary(_, operand) => operand.scalar(registers, model),
            Expression::Binary(BinaryOp::Distance, _, _) => Scalar::Int(model.signed_word()),
            Expression::Binary(op, _, _) if op.is_comparison() => Scalar::BOOL,
            Expression::Binary(_, left, _) => left.scalar(registers, model),
            Expression::Select(_, then, _) => then.scalar(registers, model),
        }
    }

    /// Whether the expression or a part of it is meant.
    pub fn any(&self, is_meant: impl Fn(&Expression) -> bool) -> bool {
        // Expressions may nest deeper than the stack.
        let mut unread = vec![self];
        while let Some(expression) = unread.pop() {
            if is_meant(expression) {
                return true;
            }
            match expression {
                Expression::Constant(..)
                | Expression::Register(_)
                | Expression::Global(_)
                | Expression::Function(_)
                | Expression::CurrentThread => {}
                Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                    unread.push(operand);
                }
                Expression::Binary(_, left, right) => unread.extend([&**left, &**right]),
                Expression::Select(condition, then, otherwise) => {
                    unread.extend([&**condition, &**then, &**otherwise]);
                }
            }
        }
        false
    }

    /// Calls `visit` on every register read, in order of evaluation.
    pub fn for_each_register(&self, visit: &mut impl FnMut(RegisterId)) {
        match self {
            Expression::Register(register) => visit(*register),
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => {}
            Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                operand.for_each_register(visit);
            }
            Expression::Binary(_, left, right) => {
                left.for_each_register(visit);
                right.for_each_register(visit);
            }
            Expression::Select(condition, then, otherwise) => {
                condition.for_each_register(visit);
                then.for_each_register(visit);
                otherwise.for_each_register(visit);
            }
        }
    }
}
