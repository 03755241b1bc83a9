//! Rules on expressions.

use raddle_base::Arena;

use super::MAX_DEPTH;
use super::types::{Fault, check_scalar};
use crate::expression::{BinaryOp, Expression, UnaryOp};
use crate::print::scalar_name;
use crate::program::{ProgramDraft, Register, RegisterId};
use crate::types::Scalar;

/// What an expression may name.
pub(super) struct Scope<'d> {
    pub(super) draft: &'d ProgramDraft,
    pub(super) registers: &'d Arena<RegisterId, Register>,
    /// How many of the registers are visible.
    pub(super) visible: usize,
}

impl Scope<'_> {
    /// The type of an expression, or why it has none.
    pub(super) fn type_of(&self, expression: &Expression) -> Result<Scalar, Fault> {
        if depth(expression, &|_| 1) > MAX_DEPTH {
            return Err((
                "V19",
                format!("an expression nests more than {MAX_DEPTH} deep; split it"),
            ));
        }
        self.typed(expression)
    }

    pub(super) fn register(&self, register: RegisterId) -> Result<Scalar, Fault> {
        if raddle_base::Id::index(register) < self.visible {
            Ok(self.registers[register].ty)
        } else {
            Err(("V20", format!("the register {register:?} does not exist")))
        }
    }

    fn typed(&self, expression: &Expression) -> Result<Scalar, Fault> {
        match expression {
            Expression::Constant(bits, ty) => {
                self.check_constant(*bits, *ty)?;
                Ok(*ty)
            }
            Expression::Register(register) => self.register(*register),
            Expression::Global(global) if self.draft.globals.contains(*global) => {
                Ok(Scalar::Pointer)
            }
            Expression::Global(global) => {
                Err(("V20", format!("the global {global:?} does not exist")))
            }
            Expression::Function(function) if self.draft.functions.contains(*function) => {
                Ok(Scalar::Pointer)
            }
            Expression::Function(function) => {
                Err(("V20", format!("the function {function:?} does not exist")))
            }
            Expression::CurrentThread => Ok(Scalar::Thread),
            Expression::Unary(op, operand) => self.unary(*op, operand),
            Expression::Binary(op, left, right) => self.binary(*op, left, right),
            Expression::Cast(to, operand) => {
                check_scalar(*to).map_err(|(rule, end)| (rule, format!("a type {end}")))?;
                let from = self.typed(operand)?;
                if is_cast(from, *to) {
                    Ok(*to)
                } else {
                    Err(ill_typed(format!(
                        "there is no cast from `{}` to `{}`; go through an integer",
                        scalar_name(from),
                        scalar_name(*to)
                    )))
                }
            }
            Expression::Select(condition, then, otherwise) => {
                let condition = self.typed(condition)?;
                let (then, otherwise) = (self.typed(then)?, self.typed(otherwise)?);
                if condition != Scalar::BOOL {
                    return Err(ill_typed(format!(
                        "the condition of a choice is `{}`, not `u1`; compare it with something",
                        scalar_name(condition)
                    )));
                }
                if then != otherwise {
                    return Err(differ("the branches of a choice", then, otherwise));
                }
                Ok(then)
            }
        }
    }

    /// A constant has a type and no bits beyond it.
    pub(super) fn check_constant(&self, bits: u128, ty: Scalar) -> Result<(), Fault> {
        check_scalar(ty).map_err(|(rule, end)| (rule, format!("the type of a constant {end}")))?;
        if bits & !ty.mask(self.draft.model) == 0 {
            Ok(())
        } else {
            Err((
                "V21",
                format!(
                    "the constant {bits:#x} has bits beyond its type `{}`",
                    scalar_name(ty)
                ),
            ))
        }
    }

    fn unary(&self, op: UnaryOp, operand: &Expression) -> Result<Scalar, Fault> {
        let ty = self.typed(operand)?;
        let fits = match op {
            UnaryOp::Negate => matches!(ty, Scalar::Int(_) | Scalar::Float(_)),
            UnaryOp::NegateWrapping | UnaryOp::Not | UnaryOp::Settle | UnaryOp::IsSet => {
                matches!(ty, Scalar::Int(_))
            }
        };
        if fits {
            Ok(ty)
        } else {
            Err(ill_typed(format!(
                "`{}` does not apply to `{}`",
                crate::print::unary_symbol(op),
                scalar_name(ty)
            )))
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expression, right: &Expression) -> Result<Scalar, Fault> {
        let (left, right) = (self.typed(left)?, self.typed(right)?);
        let is_int = |ty| matches!(ty, Scalar::Int(_));
        let are_one = left == right;
        let (fits, result) = match op {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => (
                are_one && matches!(left, Scalar::Int(_) | Scalar::Float(_)),
                left,
            ),
            BinaryOp::AddWrapping
            | BinaryOp::SubtractWrapping
            | BinaryOp::MultiplyWrapping
            | BinaryOp::Remainder
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => (are_one && is_int(left), left),
            BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::ShiftLeftWrapping
            | BinaryOp::ShiftRightWrapping => (is_int(left) && is_int(right), left),
            BinaryOp::Equal | BinaryOp::NotEqual => (are_one, Scalar::BOOL),
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                (are_one && left != Scalar::Thread, Scalar::BOOL)
            }
            BinaryOp::Offset => (left == Scalar::Pointer && is_int(right), Scalar::Pointer),
            BinaryOp::Distance => (
                are_one && left == Scalar::Pointer,
                Scalar::Int(self.draft.model.signed_word()),
            ),
        };
        if fits {
            Ok(result)
        } else {
            Err(ill_typed(format!(
                "`{}` does not apply to `{}` and `{}`; cast one of them",
                crate::print::binary_symbol(op),
                scalar_name(left),
                scalar_name(right)
            )))
        }
    }
}

fn ill_typed(message: String) -> Fault {
    ("V22", message)
}

fn differ(what: &str, left: Scalar, right: Scalar) -> Fault {
    ill_typed(format!(
        "{what} have the types `{}` and `{}`; cast one of them",
        scalar_name(left),
        scalar_name(right)
    ))
}

fn is_cast(from: Scalar, to: Scalar) -> bool {
    match (from, to) {
        (Scalar::Int(_), _) | (_, Scalar::Int(_)) | (Scalar::Float(_), Scalar::Float(_)) => true,
        (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread, _) => from == to,
    }
}

/// How deep an expression nests, given the depth of what registers stand for. Walks with a stack of its own.
pub(super) fn depth(expression: &Expression, of_register: &dyn Fn(RegisterId) -> usize) -> usize {
    let mut deepest = 0;
    let mut stack = vec![(expression, 1_usize)];
    while let Some((expression, above)) = stack.pop() {
        deepest = deepest.max(above);
        match expression {
            Expression::Register(register) => {
                deepest = deepest.max(above - 1 + of_register(*register));
            }
            Expression::Constant(..)
            | Expression::Global(_)
            | Expression::Function(_)
            | Expression::CurrentThread => {}
            Expression::Unary(_, operand) | Expression::Cast(_, operand) => {
                stack.push((operand, above + 1));
            }
            Expression::Binary(_, left, right) => {
                stack.extend([(&**left, above + 1), (&**right, above + 1)]);
            }
            Expression::Select(condition, then, otherwise) => {
                stack.extend([condition, then, otherwise].map(|it| (&**it, above + 1)));
            }
        }
    }
    deepest
}

/// The global or function, and the offset, of an address that is known before the program runs.
pub(super) fn constant_address(expression: &Expression) -> Option<(&Expression, i128)> {
    match expression {
        Expression::Global(_) | Expression::Function(_) => Some((expression, 0)),
        Expression::Binary(BinaryOp::Offset, base, amount) => match (&**base, &**amount) {
            (
                Expression::Global(_) | Expression::Function(_),
                Expression::Constant(bits, Scalar::Int(int)),
            ) if (1..=128).contains(&int.bits) => {
                let unused = 128 - u32::from(int.bits);
                let value = if int.is_signed {
                    (bits << unused).cast_signed() >> unused
                } else {
                    i128::try_from(*bits).ok()?
                };
                Some((base, value))
            }
            (
                Expression::Constant(..)
                | Expression::Register(_)
                | Expression::Global(_)
                | Expression::Function(_)
                | Expression::CurrentThread
                | Expression::Unary(..)
                | Expression::Binary(..)
                | Expression::Cast(..)
                | Expression::Select(..),
                _,
            ) => None,
        },
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Binary(..)
        | Expression::Cast(..)
        | Expression::Select(..) => None,
    }
}
