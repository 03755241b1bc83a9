//! Literals: the types and values of numbers and characters, the objects of strings.

use raddle_base::Span;
use raddle_c_syntax::tree::{
    CharacterLiteral, Encoding, FloatLiteral, FloatSuffix, IntegerLiteral, StringLiteral,
};
use raddle_ir::DataModel;

use super::Checker;
use super::attribute::unmodelled;
use super::number::{parse_double, parse_float};
use crate::typed::{ConstantValue, Expression, ExpressionKind, InitialPiece, Lvalue, LvalueKind};
use crate::types::{FloatKind, IntegerKind, Length, Qualified, Type};

impl Checker {
    pub(super) fn integer_literal(&mut self, literal: IntegerLiteral, span: Span) -> Expression {
        use IntegerKind::{Int, Long, LongLong, UnsignedInt, UnsignedLong, UnsignedLongLong};
        let all = [
            Int,
            UnsignedInt,
            Long,
            UnsignedLong,
            LongLong,
            UnsignedLongLong,
        ];
        let least_rank = match literal.longs {
            0 => 0,
            1 => 2,
            _ => 4,
        };
        let kind = all[least_rank..]
            .iter()
            .copied()
            .filter(|kind| {
                if literal.is_unsigned {
                    !kind.is_signed()
                } else {
                    kind.is_signed() || !literal.is_decimal
                }
            })
            .find(|kind| literal.value <= kind.int_type(self.model).max())
            .unwrap_or(if literal.is_unsigned {
                IntegerKind::UnsignedLongLong
            } else if self.model == DataModel::Lp64 && literal.value <= i128::MAX.cast_unsigned() {
                IntegerKind::Int128
            } else {
                IntegerKind::UnsignedLongLong
            });
        let ty = Type::Integer(kind);
        if literal.is_imaginary {
            return Expression {
                ty: unmodelled("_Complex int", 8, 4),
                kind: ExpressionKind::Unsupported("an imaginary number".into()),
                span,
            };
        }
        let mask = kind.int_type(self.model).mask();
        Expression {
            ty,
            kind: ExpressionKind::Integer(literal.value & mask),
            span,
        }
    }

    pub(super) fn float_literal(&mut self, literal: &FloatLiteral, span: Span) -> Expression {
        let (kind, value) = match literal.suffix {
            FloatSuffix::None => (FloatKind::Double, parse_double(&literal.text)),
            FloatSuffix::Float => (FloatKind::Float, parse_float(&literal.text)),
            FloatSuffix::LongDouble => (FloatKind::LongDouble, parse_double(&literal.text)),
            FloatSuffix::Other => {
                return Expression {
                    ty: unmodelled("_Float128", 16, 16),
                    kind: ExpressionKind::Unsupported(
                        "a floating-point literal of an extended type".into(),
                    ),
                    span,
                };
            }
        };
        if literal.is_imaginary {
            let ty = match kind {
                FloatKind::Float => unmodelled("_Complex float", 8, 4),
                FloatKind::Double => unmodelled("_Complex double", 16, self.word_align()),
                FloatKind::LongDouble => {
                    let size = self.size_of(&Type::Float(kind)).unwrap_or(16);
                    let align = self.align_of(&Type::Float(kind));
                    unmodelled("_Complex long double", 2 * size, align)
                }
            };
            return Expression {
                ty,
                kind: ExpressionKind::Unsupported("an imaginary number".into()),
                span,
            };
        }
        Expression {
            ty: Type::Float(kind),
            kind: ExpressionKind::Float(value),
            span,
        }
    }

    pub(super) fn character_literal(&self, literal: CharacterLiteral, span: Span) -> Expression {
        let kind = match literal.encoding {
            Encoding::Bytes => IntegerKind::Int,
            Encoding::Wide => self.wide_kind(),
            Encoding::Utf16 => IntegerKind::UnsignedShort,
            Encoding::Utf32 => IntegerKind::UnsignedInt,
        };
        let ty = Type::Integer(kind);
        Expression {
            kind: ExpressionKind::Integer(self.bits_of(i128::from(literal.value), &ty)),
            ty,
            span,
        }
    }

    /// `wchar_t`
    fn wide_kind(&self) -> IntegerKind {
        match self.model {
            DataModel::Ilp32 => IntegerKind::Long,
            DataModel::Lp64 => IntegerKind::Int,
        }
    }

    pub(super) fn string_element(&self, encoding: Encoding) -> IntegerKind {
        match encoding {
            Encoding::Bytes => IntegerKind::Char,
            Encoding::Wide => self.wide_kind(),
            Encoding::Utf16 => IntegerKind::UnsignedShort,
            Encoding::Utf32 => IntegerKind::UnsignedInt,
        }
    }

    /// The bytes of a literal, with the zero at the end.
    pub(super) fn string_bytes(&self, literal: &StringLiteral) -> Vec<u8> {
        let size = usize::from(self.string_element(literal.encoding).bits(self.model)) / 8;
        let mut bytes = Vec::with_capacity((literal.units.len() + 1) * size);
        for unit in literal.units.iter().chain(std::iter::once(&0)) {
            bytes.extend(&unit.to_le_bytes()[..size]);
        }
        bytes
    }

    pub(super) fn string_place(&mut self, literal: &StringLiteral, span: Span) -> Lvalue {
        let bytes = self.string_bytes(literal);
        let element = Type::Integer(self.string_element(literal.encoding));
        self.string_object(bytes, element, span)
    }

    pub(super) fn string_object(&mut self, bytes: Vec<u8>, element: Type, span: Span) -> Lvalue {
        let size = self.size_of(&element).unwrap_or(1);
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX) / size.max(1);
        let ty = Qualified::from(Type::Array(
            Qualified::from(element).into(),
            Length::Constant(length),
        ));
        let key = (size, bytes);
        let id = if let Some(id) = self.strings.get(&key) {
            *id
        } else {
            let id = self.new_object(format!("string.{}", self.literals), ty.clone(), span);
            self.literals += 1;
            self.facts_of_object(id).is_static = true;
            let object = &mut self.objects[id];
            object.is_defined = true;
            object.is_string_literal = true;
            object.initial = vec![InitialPiece {
                offset: 0,
                bits: None,
                value: ConstantValue::Bytes(key.1.clone()),
            }];
            self.strings.insert(key, id);
            id
        };
        Lvalue {
            ty,
            kind: LvalueKind::Object(id),
            span,
        }
    }
}
