//! gcc's builtins that ask something about floating-point numbers.

use raddle_base::Span;
use raddle_c_syntax::tree;

use super::builtin::float;
use super::convert::constant;
use super::fold::Constant;
use super::{Checked, Checker};
use crate::typed::{
    Arithmetic, Comparison, Expression, ExpressionKind, Lvalue, LvalueKind, Statement,
    StatementKind,
};
use crate::types::{FloatKind, IntegerKind, Qualified, Type};

impl Checker {
    /// Evaluates the value once, into a hidden local.
    fn with_temporary(
        &mut self,
        value: Expression,
        body: impl FnOnce(&mut Self, &Lvalue) -> Expression,
    ) -> Expression {
        let span = value.span;
        let ty = value.ty.clone();
        let local = self.hidden_local(ty.clone().into(), span);
        let place = Lvalue {
            ty: ty.into(),
            kind: LvalueKind::Local(local),
            span,
        };
        let result = body(self, &place);
        Expression {
            ty: result.ty.clone(),
            kind: ExpressionKind::Statements(
                vec![Statement {
                    kind: StatementKind::Declare(local, Some(Self::single(value))),
                    span,
                }],
                Some(Box::new(result)),
            ),
            span,
        }
    }

    fn real_value(&mut self, value: &tree::Expression) -> Checked<Expression> {
        let value = self.value(value)?;
        match value.ty {
            Type::Float(_) => Ok(value),
            _ if self.is_integer(&value.ty) => {
                Ok(self.convert(value, &Type::Float(FloatKind::Double)))
            }
            _ => {
                let text = self.show(&value.ty);
                Err(self.error(
                    value.span,
                    format!("a floating-point number is needed here, this is `{text}`"),
                ))
            }
        }
    }

    pub(super) fn float_predicate(
        &mut self,
        plain: &str,
        value: &tree::Expression,
        span: Span,
    ) -> Checked<Expression> {
        let value = self.real_value(value)?;
        let Type::Float(kind) = value.ty else {
            return Err(self.error(span, "a floating-point number is needed here"));
        };
        if let Some(Constant::Float(number)) = constant(&value) {
            let holds = match plain.trim_end_matches(['f', 'l']) {
                "isnan" => number.is_nan(),
                "isin" | "isinf" => number.is_infinite(),
                "isfinite" | "finite" => number.is_finite(),
                "isinf_sign" if number == f64::NEG_INFINITY => {
                    return Ok(Expression {
                        ty: Type::Integer(IntegerKind::Int),
                        kind: ExpressionKind::Integer(0xffff_ffff),
                        span,
                    });
                }
                "isinf_sign" => number.is_infinite(),
                "isnorma" => match kind {
                    FloatKind::Float => {
                        number.abs() >= f64::from(f32::MIN_POSITIVE) && number.is_finite()
                    }
                    FloatKind::Double | FloatKind::LongDouble => number.is_normal(),
                },
                _ => number.is_sign_negative(),
            };
            return Ok(self.int(holds, span));
        }
        let plain = plain.to_owned();
        Ok(self.with_temporary(value, |checker, place| {
            checker.predicate_of(&plain, place, kind, span)
        }))
    }

    fn predicate_of(
        &mut self,
        plain: &str,
        place: &Lvalue,
        kind: FloatKind,
        span: Span,
    ) -> Expression {
        let compare = |comparison, left, right| compare(comparison, left, right, span);
        let number = |value| float(value, kind, span);
        let (least, greatest) = match kind {
            FloatKind::Float => (f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)),
            FloatKind::Double | FloatKind::LongDouble => (f64::MIN_POSITIVE, f64::MAX),
        };
        let infinite =
            |sign: f64| compare(Comparison::Equal, load(place), number(sign * f64::INFINITY));
        let within = || {
            both(
                compare(Comparison::GreaterEqual, load(place), number(-greatest)),
                compare(Comparison::LessEqual, load(place), number(greatest)),
            )
        };
        match plain {
            "isnan" | "isnanf" | "isnanl" => {
                compare(Comparison::NotEqual, load(place), load(place))
            }
            "isinf" | "isinff" | "isinfl" => either(infinite(1.0), infinite(-1.0)),
            "isinf_sign" => Expression {
                ty: Type::Integer(IntegerKind::Int),
                kind: ExpressionKind::Arithmetic(
                    Arithmetic::Subtract,
                    Box::new(infinite(1.0)),
                    Box::new(infinite(-1.0)),
                ),
                span,
            },
            "isfinite" | "finite" | "finitef" | "finitel" => within(),
            "isnormal" => both(
                within(),
                either(
                    compare(Comparison::GreaterEqual, load(place), number(least)),
                    compare(Comparison::LessEqual, load(place), number(-least)),
                ),
            ),
            _ => self.sign_bit(place, kind, span),
        }
    }

    /// Looks at the number as bits in memory.
    fn sign_bit(&mut self, place: &Lvalue, kind: FloatKind, span: Span) -> Expression {
        let (bits, shift) = match kind {
            FloatKind::Float => (IntegerKind::UnsignedInt, 31),
            FloatKind::Double => (IntegerKind::UnsignedLongLong, 63),
            FloatKind::LongDouble => {
                let int = Type::Integer(IntegerKind::Int);
                return self.unsupported("the sign of a `long double`", int, span);
            }
        };
        let bits = Type::Integer(bits);
        let pointer = Type::Pointer(Qualified::from(bits.clone()).into());
        let own = Type::Pointer(place.ty.clone().into());
        let address = self.address_of(place.clone(), own);
        let address = self.convert(address, &pointer);
        let word = Expression {
            ty: bits.clone(),
            kind: ExpressionKind::Load(Box::new(Lvalue {
                ty: bits.clone().into(),
                kind: LvalueKind::Dereference(Box::new(address)),
                span,
            })),
            span,
        };
        let amount = Expression {
            ty: Type::Integer(IntegerKind::Int),
            kind: ExpressionKind::Integer(shift),
            span,
        };
        let top = self.arithmetic(Arithmetic::ShiftRight, word, amount, bits, span);
        self.convert(top, &Type::Integer(IntegerKind::Int))
    }

    pub(super) fn classify(
        &mut self,
        [nan, infinite, normal, subnormal, zero]: [&tree::Expression; 5],
        value: &tree::Expression,
        span: Span,
    ) -> Checked<Expression> {
        let value = self.real_value(value)?;
        let Type::Float(kind) = value.ty else {
            return Err(self.error(span, "a floating-point number is needed here"));
        };
        let mut classes = Vec::new();
        for class in [nan, infinite, normal, subnormal, zero] {
            let class = self.value(class)?;
            let class = self.convert(class, &Type::Integer(IntegerKind::Int));
            classes.push(class);
        }
        Ok(self.with_temporary(value, |checker, place| {
            let choose =
                |condition: Expression, then: Expression, otherwise: Expression| Expression {
                    ty: Type::Integer(IntegerKind::Int),
                    kind: ExpressionKind::Conditional(
                        Box::new(condition),
                        Box::new(then),
                        Box::new(otherwise),
                    ),
                    span,
                };
            let is_zero = compare(Comparison::Equal, load(place), float(0.0, kind, span), span);
            let is_nan = checker.predicate_of("isnan", place, kind, span);
            let is_infinite = checker.predicate_of("isinf", place, kind, span);
            let is_normal = checker.predicate_of("isnormal", place, kind, span);
            let [nan, infinite, normal, subnormal, zero] = &classes[..] else {
                return checker.int(false, span);
            };
            let rest = choose(is_zero, zero.clone(), subnormal.clone());
            let rest = choose(is_normal, normal.clone(), rest);
            let rest = choose(is_infinite, infinite.clone(), rest);
            choose(is_nan, nan.clone(), rest)
        }))
    }

    pub(super) fn float_comparison(
        &mut self,
        plain: &str,
        left: &tree::Expression,
        right: &tree::Expression,
        span: Span,
    ) -> Checked<Expression> {
        let left = self.real_value(left);
        let right = self.real_value(right);
        let (left, right, _) = self.balance(left?, right?);
        let simple = match plain {
            "isgreater" => Some(Comparison::Greater),
            "isgreaterequal" => Some(Comparison::GreaterEqual),
            "isless" => Some(Comparison::Less),
            "islessequal" => Some(Comparison::LessEqual),
            _ => None,
        };
        if let Some(comparison) = simple {
            return self.comparison(comparison, left, right, span);
        }
        let is_unordered = plain == "isunordered";
        Ok(self.with_temporary(left, |checker, left| {
            checker.with_temporary(right, |_, right| {
                let compare = |comparison, left, right| compare(comparison, left, right, span);
                if is_unordered {
                    either(
                        compare(Comparison::NotEqual, load(left), load(left)),
                        compare(Comparison::NotEqual, load(right), load(right)),
                    )
                } else {
                    either(
                        compare(Comparison::Less, load(left), load(right)),
                        compare(Comparison::Greater, load(left), load(right)),
                    )
                }
            })
        }))
    }
}

fn load(place: &Lvalue) -> Expression {
    Expression {
        ty: place.ty.ty.clone(),
        kind: ExpressionKind::Load(Box::new(place.clone())),
        span: place.span,
    }
}

fn compare(comparison: Comparison, left: Expression, right: Expression, span: Span) -> Expression {
    Expression {
        ty: Type::Integer(IntegerKind::Int),
        kind: ExpressionKind::Compare(comparison, Box::new(left), Box::new(right)),
        span,
    }
}

fn both(left: Expression, right: Expression) -> Expression {
    Expression {
        ty: Type::Integer(IntegerKind::Int),
        span: left.span,
        kind: ExpressionKind::LogicalAnd(Box::new(left), Box::new(right)),
    }
}

fn either(left: Expression, right: Expression) -> Expression {
    Expression {
        ty: Type::Integer(IntegerKind::Int),
        span: left.span,
        kind: ExpressionKind::LogicalOr(Box::new(left), Box::new(right)),
    }
}
