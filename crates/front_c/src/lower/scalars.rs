//! What fits a register, and how values are converted.

use raddle_ir::{BinaryOp, DataModel, Expression, FloatType, IntType, Scalar};

use crate::typed::Module;
use crate::types::{FloatKind, Type};

/// `_Bool` in a register and in memory: a byte that holds 0 or 1.
pub(super) const BOOL: Scalar = Scalar::Int(IntType::unsigned(8));

/// `int`
pub(super) const INT: Scalar = Scalar::Int(IntType::signed(32));

/// What a register holds of a type; `None` for records, arrays and what is not modelled.
///
/// Of `long double` it is a `double` that nobody looks at: whatever yields one is unsupported.
pub(super) fn scalar(module: &Module, ty: &Type) -> Option<Scalar> {
    Some(match ty {
        Type::Bool => BOOL,
        Type::Integer(kind) => Scalar::Int(kind.int_type(module.model)),
        Type::Enumeration(id) => Scalar::Int(module.enumerations[*id].kind.int_type(module.model)),
        Type::Float(FloatKind::Float) => Scalar::Float(FloatType::F32),
        Type::Float(FloatKind::Double | FloatKind::LongDouble) => Scalar::Float(FloatType::F64),
        Type::Pointer(_) => Scalar::Pointer,
        Type::Void
        | Type::Array(..)
        | Type::Function(_)
        | Type::Record(_)
        | Type::Unmodelled(_) => return None,
    })
}

/// The value zero of a type.
pub(super) fn zero(scalar: Scalar) -> Expression {
    Expression::Constant(0, scalar)
}

/// The bits of a float, rounded to its type.
pub(super) fn float(value: f64, scalar: Scalar) -> Expression {
    let bits = match scalar {
        Scalar::Float(FloatType::F32) => {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the value was rounded to the type before"
            )]
            let narrow = value as f32;
            u128::from(narrow.to_bits())
        }
        Scalar::Float(FloatType::F64) | Scalar::Int(_) | Scalar::Pointer | Scalar::Thread => {
            u128::from(value.to_bits())
        }
    };
    Expression::Constant(bits, scalar)
}

/// Whether a scalar counts as true, as a `u1`.
pub(super) fn is_nonzero(value: Expression, scalar: Scalar) -> Expression {
    if let Expression::Constant(bits, Scalar::Int(_) | Scalar::Pointer) = value {
        return Expression::bool(bits != 0);
    }
    // What was a condition before it became a number is that condition.
    if let Expression::Cast(_, inner) = &value
        && is_condition(inner)
    {
        return (**inner).clone();
    }
    Expression::binary(BinaryOp::NotEqual, value, zero(scalar))
}

fn is_condition(value: &Expression) -> bool {
    match value {
        Expression::Binary(op, _, _) => op.is_comparison(),
        Expression::Unary(raddle_ir::UnaryOp::Not, inner) => is_condition(inner),
        Expression::Select(_, then, _) => is_condition(then),
        Expression::Constant(_, scalar) => *scalar == Scalar::BOOL,
        Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread
        | Expression::Unary(..)
        | Expression::Cast(..) => false,
    }
}

/// Converts between scalars; to `_Bool`, by comparing with zero.
pub(super) fn convert(
    value: Expression,
    from: Scalar,
    to: Scalar,
    to_bool: bool,
    model: DataModel,
) -> Expression {
    if to_bool {
        return is_nonzero(value, from).cast(BOOL);
    }
    if from == to {
        return value;
    }
    if let (Expression::Constant(bits, Scalar::Int(int)), Scalar::Int(_) | Scalar::Pointer) =
        (&value, to)
    {
        let extended = raddle_ir::arithmetic::signed_value(*bits, *int).cast_unsigned();
        return Expression::Constant(extended & to.mask(model), to);
    }
    match (from, to) {
        // By way of an integer as large, since casts keep to one step.
        (Scalar::Pointer, Scalar::Float(_)) | (Scalar::Float(_), Scalar::Pointer) => {
            value.cast(Scalar::Int(model.unsigned_word())).cast(to)
        }
        _ => value.cast(to),
    }
}
