//! Literals and casts.

use raddle_base::Span;
use raddle_ir::{Expression, FloatType, IntType, Scalar};

use crate::message::{Reported, type_error};
use crate::syntax::{Expr, ExprKind, TypeExpr};

use super::body::{Body, Lowered, Named};
use super::surface::Ty;

impl<'s> Body<'_, '_, 's> {
    pub(super) fn integer_literal(
        &mut self,
        value: u128,
        is_negative: bool,
        is_bits: bool,
        has_bits_suffix: bool,
        ty: &Ty,
        span: Span,
    ) -> Lowered<Expression> {
        let int = match ty {
            Ty::Int(int) => *int,
            Ty::Float(float) if !has_bits_suffix => {
                let digits = value.to_string();
                return Ok(float_constant(&digits, is_negative, *float));
            }
            Ty::Float(_) | Ty::Pointer(_) | Ty::Thread => {
                let scalar = ty.scalar().expect("these are scalars");
                if is_negative || value > scalar.mask(self.context.model) {
                    return Err(self.out_of_range(ty, span));
                }
                return Ok(Expression::Constant(value, scalar));
            }
            Ty::Sync(_) | Ty::Array(..) | Ty::Struct(_) => return Err(self.out_of_range(ty, span)),
        };
        let fits = if is_negative {
            value <= int.min().unsigned_abs()
        } else if is_bits {
            value <= int.mask()
        } else {
            value <= int.max()
        };
        if !fits {
            return Err(self.out_of_range(ty, span));
        }
        let bits = if is_negative {
            value.wrapping_neg() & int.mask()
        } else {
            value
        };
        Ok(Expression::Constant(bits, Scalar::Int(int)))
    }

    pub(super) fn out_of_range(&mut self, ty: &Ty, span: Span) -> Reported {
        let shown = self.context.describe(ty);
        let diagnostic = type_error(
            format!("this number does not fit `{shown}`"),
            span,
            format!("expected `{shown}`"),
        );
        let diagnostic = match ty {
            Ty::Int(int) => diagnostic
                .note(format!(
                    "`{shown}` ranges from {} to {}",
                    (*int).min(),
                    (*int).max()
                ))
                .help("choose a larger type, or write the type behind the number, as in `300i64`"),
            _ => diagnostic,
        };
        self.report(diagnostic)
    }

    pub(super) fn float_literal(
        digits: &str,
        is_negative: bool,
        suffix: Option<FloatType>,
        expected: Option<&Ty>,
    ) -> (Expression, Ty) {
        let float = suffix.unwrap_or(match expected {
            Some(Ty::Float(float)) => *float,
            _ => FloatType::F64,
        });
        (float_constant(digits, is_negative, float), Ty::Float(float))
    }

    pub(super) fn cast(
        &mut self,
        operand: &Expr<'s>,
        ty: &TypeExpr<'s>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        let scalar_type = self.context.scalar(ty);
        let to = self.resolved(scalar_type)?;
        // What has no type of its own takes the target's, so that `tid as u8` is one cast.
        let is_adapted = match &operand.kind {
            ExprKind::ThreadIndex => matches!(to, Ty::Int(_) | Ty::Thread),
            ExprKind::Name(name) => {
                matches!(self.lookup(name), Some(Named::Index)) && matches!(to, Ty::Int(_))
            }
            _ => false,
        };
        if is_adapted {
            return self.pure(operand, Some(&to));
        }
        let preferred = match &operand.kind {
            ExprKind::Integer {
                value,
                is_negative,
                suffix: None,
                ..
            } => match &to {
                Ty::Int(int) if !is_negative && *value <= (*int).max() => Some(to.clone()),
                _ if *value > IntType::signed(32).max() => Some(Ty::Int(IntType::signed(128))),
                _ => None,
            },
            _ => None,
        };
        let (value, from) = self.pure(operand, preferred.as_ref())?;
        let is_fine = match (&from, &to) {
            (Ty::Int(_), _) | (_, Ty::Int(_)) => true,
            (Ty::Float(_), Ty::Float(_)) => true,
            (Ty::Pointer(_), Ty::Pointer(_)) => true,
            (from, to) => from == to,
        };
        if !is_fine {
            let (from, to) = (self.context.describe(&from), self.context.describe(&to));
            return Err(self.report(
                type_error(
                    format!("`{from}` cannot be converted to `{to}`"),
                    span,
                    "no such conversion",
                )
                .help("go through an integer, as in `(e as u64) as ptr`"),
            ));
        }
        // Between pointers only the reader's view changes.
        if matches!((&from, &to), (Ty::Pointer(_), Ty::Pointer(Some(_)))) {
            return Ok((value, to));
        }
        let scalar = to.scalar().expect("`context.scalar` gives scalars");
        Ok((value.cast(scalar), to))
    }
}

fn float_constant(digits: &str, is_negative: bool, float: FloatType) -> Expression {
    // The lexer lets only digits, one point and an exponent through, which always parse.
    let bits = match float {
        FloatType::F32 => {
            let value: f32 = digits.replace('_', "").parse().unwrap_or(0.0);
            u128::from(if is_negative { -value } else { value }.to_bits())
        }
        FloatType::F64 => {
            let value: f64 = digits.replace('_', "").parse().unwrap_or(0.0);
            u128::from(if is_negative { -value } else { value }.to_bits())
        }
    };
    Expression::Constant(bits, Scalar::Float(float))
}
