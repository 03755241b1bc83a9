//! What instructions leave in the flags, and conditions on them.

use super::machine::Machine;
use super::{Known, Stop};
use crate::typed::{Arithmetic, Comparison, Expression, ExpressionKind, LocalId};
use crate::types::{IntegerKind, Type};

/// What the last instruction that sets flags has left.
#[derive(Clone, Debug)]
pub(super) struct Flags {
    pub(super) bytes: u64,
    pub(super) result: Outcome,
    pub(super) carry: Carry,
}

#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// As if the second were taken from the first.
    Compared(LocalId, LocalId),
    /// A number that did not overflow as a signed one.
    Number(LocalId),
    /// A number that may have: only whether it is zero or negative is known.
    Wrapped(LocalId),
    /// Nothing of what it says of a result is known.
    Nothing,
}

#[derive(Clone, Debug)]
pub(super) enum Carry {
    /// As if the second were taken from the first.
    Compared,
    Clear,
    /// Set if this is not zero.
    Local(LocalId),
    Unknown,
}

impl Machine<'_> {
    /// Whether a condition holds, as an `int`; the name is that in `sete` or `=@cce`.
    pub(super) fn condition(&mut self, name: &str) -> Known<Expression> {
        let found = match name {
            "z" | "e" => self.zero(),
            "nz" | "ne" => self.zero().map(|it| self.not(it)),
            "c" | "b" | "nae" => self.carry(),
            "nc" | "nb" | "ae" => self.carry().map(|it| self.not(it)),
            "be" | "na" => self.either(Self::carry, Self::zero),
            "a" | "nbe" => self.either(Self::carry, Self::zero).map(|it| self.not(it)),
            "s" => self.sign(),
            "ns" => self.sign().map(|it| self.not(it)),
            "l" | "nge" => self.less(),
            "ge" | "nl" => self.less().map(|it| self.not(it)),
            "le" | "ng" => self.either(Self::less, Self::zero),
            "g" | "nle" => self.either(Self::less, Self::zero).map(|it| self.not(it)),
            _ => None,
        };
        found.ok_or_else(|| Stop::Unknown(format!("the condition `{name}`")))
    }

    fn zero(&self) -> Option<Expression> {
        let flags = self.flags.as_ref()?;
        match flags.result {
            Outcome::Compared(left, right) => {
                Some(self.compare(Comparison::Equal, self.get(left), self.get(right)))
            }
            Outcome::Number(result) | Outcome::Wrapped(result) => {
                let zero = self.number(0, flags.bytes).ok()?;
                Some(self.compare(Comparison::Equal, self.get(result), zero))
            }
            Outcome::Nothing => None,
        }
    }

    fn carry(&self) -> Option<Expression> {
        let flags = self.flags.as_ref()?;
        match (&flags.carry, &flags.result) {
            (Carry::Compared, Outcome::Compared(left, right)) => {
                Some(self.compare(Comparison::Less, self.get(*left), self.get(*right)))
            }
            (Carry::Clear, _) => Some(self.checker.int(false, self.span)),
            (Carry::Local(local), _) => {
                let value = self.get(*local);
                let zero = self.checker.int(false, self.span);
                let zero = self.checker.convert(zero, &value.ty);
                Some(self.compare(Comparison::NotEqual, value, zero))
            }
            (Carry::Compared | Carry::Unknown, _) => None,
        }
    }

    fn sign(&self) -> Option<Expression> {
        let flags = self.flags.as_ref()?;
        let result = match flags.result {
            Outcome::Compared(left, right) => {
                let (left, right) = (self.get(left), self.get(right));
                self.compute(Arithmetic::Subtract, left, right, flags.bytes)
                    .ok()?
            }
            Outcome::Number(result) | Outcome::Wrapped(result) => self.get(result),
            Outcome::Nothing => return None,
        };
        self.is_negative(result, flags.bytes)
    }

    fn less(&self) -> Option<Expression> {
        let flags = self.flags.as_ref()?;
        match flags.result {
            Outcome::Compared(left, right) => {
                let ty = self.signed(flags.bytes).ok()?;
                let left = self.checker.convert(self.get(left), &ty);
                let right = self.checker.convert(self.get(right), &ty);
                Some(self.compare(Comparison::Less, left, right))
            }
            Outcome::Number(_) => self.sign(),
            Outcome::Wrapped(_) | Outcome::Nothing => None,
        }
    }

    fn is_negative(&self, value: Expression, bytes: u64) -> Option<Expression> {
        let ty = self.signed(bytes).ok()?;
        let value = self.checker.convert(value, &ty);
        let zero = self.checker.int(false, self.span);
        let zero = self.checker.convert(zero, &ty);
        Some(self.compare(Comparison::Less, value, zero))
    }

    fn either(
        &self,
        left: fn(&Self) -> Option<Expression>,
        right: fn(&Self) -> Option<Expression>,
    ) -> Option<Expression> {
        let kind = ExpressionKind::LogicalOr(Box::new(left(self)?), Box::new(right(self)?));
        Some(self.truth(kind))
    }

    fn not(&self, condition: Expression) -> Expression {
        self.truth(ExpressionKind::LogicalNot(Box::new(condition)))
    }

    pub(super) fn compare(
        &self,
        comparison: Comparison,
        left: Expression,
        right: Expression,
    ) -> Expression {
        self.truth(ExpressionKind::Compare(
            comparison,
            Box::new(left),
            Box::new(right),
        ))
    }

    fn truth(&self, kind: ExpressionKind) -> Expression {
        Expression {
            ty: Type::Integer(IntegerKind::Int),
            kind,
            span: self.span,
        }
    }
}
