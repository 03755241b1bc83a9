//! Expressions as text.

use std::fmt::Write;

use super::Dumper;
use crate::tree::{
    BinaryOperator, Encoding, Expression, ExpressionKind, FloatLiteral, FloatSuffix,
    IntegerLiteral, StringLiteral, UnaryOperator,
};

impl Dumper<'_> {
    pub(super) fn expression(&mut self, expression: &Expression) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Integer(literal) => self.line(&integer(*literal), span),
            ExpressionKind::Float(literal) => self.line(&float(literal), span),
            ExpressionKind::Character(literal) => self.line(
                &format!("character {}{}", prefix(literal.encoding), literal.value),
                span,
            ),
            ExpressionKind::String(literal) => self.line(&string(literal), span),
            ExpressionKind::Identifier(name) => self.line(&format!("`{name}`"), span),
            ExpressionKind::Unary(operator, operand) => {
                self.line(&format!("unary {}", unary(*operator)), span);
                self.below(|it| it.expression(operand));
            }
            ExpressionKind::Increment {
                operand,
                is_decrement,
                is_prefix,
            } => {
                let place = if *is_prefix { "prefix" } else { "postfix" };
                let mark = if *is_decrement { "--" } else { "++" };
                self.line(&format!("{place} {mark}"), span);
                self.below(|it| it.expression(operand));
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.pair(
                    &format!("binary {}", binary(*operator)),
                    expression,
                    left,
                    right,
                );
            }
            ExpressionKind::Assign(None, left, right) => {
                self.pair("assign", expression, left, right);
            }
            ExpressionKind::Assign(Some(operator), left, right) => {
                let node = format!("assign {}", binary(*operator));
                self.pair(&node, expression, left, right);
            }
            ExpressionKind::Conditional(condition, middle, otherwise) => {
                self.line("conditional", span);
                self.below(|it| {
                    it.expression(condition);
                    match middle {
                        Some(middle) => it.expression(middle),
                        None => it.bare_line("the condition itself"),
                    }
                    it.expression(otherwise);
                });
            }
            ExpressionKind::Comma(left, right) => self.pair("comma", expression, left, right),
            ExpressionKind::Cast(ty, operand) => {
                self.line("cast", span);
                self.below(|it| {
                    it.type_name(ty);
                    it.expression(operand);
                });
            }
            ExpressionKind::CompoundLiteral(ty, list) => {
                self.line("compound literal", span);
                self.below(|it| {
                    it.type_name(ty);
                    it.initializer_list(list);
                });
            }
            ExpressionKind::Call(function, arguments) => {
                self.line("call", span);
                self.below(|it| {
                    it.expression(function);
                    for argument in arguments {
                        it.expression(argument);
                    }
                });
            }
            ExpressionKind::Index(left, right) => self.pair("index", expression, left, right),
            ExpressionKind::Member {
                operand,
                member,
                is_arrow,
            } => {
                let mark = if *is_arrow { "->" } else { "." };
                self.line(&format!("member {mark}`{}`", member.name), span);
                self.below(|it| it.expression(operand));
            }
            ExpressionKind::SizeofExpression(operand) => self.single("sizeof", expression, operand),
            ExpressionKind::SizeofType(ty) => {
                self.line("sizeof", span);
                self.below(|it| it.type_name(ty));
            }
            ExpressionKind::AlignofExpression(operand) => {
                self.single("alignof", expression, operand);
            }
            ExpressionKind::AlignofType(ty) => {
                self.line("alignof", span);
                self.below(|it| it.type_name(ty));
            }
            ExpressionKind::PreferredAlignofType(ty) => {
                self.line("preferred alignof", span);
                self.below(|it| it.type_name(ty));
            }
            ExpressionKind::Generic(control, associations) => {
                self.line("generic", span);
                self.below(|it| {
                    it.expression(control);
                    for association in associations {
                        it.bare_line("association");
                        it.below(|it| {
                            match &association.ty {
                                Some(ty) => it.type_name(ty),
                                None => it.bare_line("default"),
                            }
                            it.expression(&association.value);
                        });
                    }
                });
            }
            ExpressionKind::Statement(block) => {
                self.line("statement expression", span);
                self.below(|it| it.block(block));
            }
            ExpressionKind::LabelAddress(label) => {
                self.line(&format!("address of label `{}`", label.name), span);
            }
            ExpressionKind::VaArg(list, ty) => {
                self.line("va_arg", span);
                self.below(|it| {
                    it.expression(list);
                    it.type_name(ty);
                });
            }
            ExpressionKind::Offsetof(ty, designators) => {
                self.line("offsetof", span);
                self.below(|it| {
                    it.type_name(ty);
                    it.designators(designators);
                });
            }
            ExpressionKind::TypesCompatible(left, right) => {
                self.line("types compatible", span);
                self.below(|it| {
                    it.type_name(left);
                    it.type_name(right);
                });
            }
            ExpressionKind::Choose(condition, left, right) => {
                self.line("choose", span);
                self.below(|it| {
                    it.expression(condition);
                    it.expression(left);
                    it.expression(right);
                });
            }
            ExpressionKind::Real(operand) => self.single("real part", expression, operand),
            ExpressionKind::Imaginary(operand) => {
                self.single("imaginary part", expression, operand);
            }
        }
    }

    fn single(&mut self, node: &str, whole: &Expression, operand: &Expression) {
        self.line(node, whole.span);
        self.below(|it| it.expression(operand));
    }

    fn pair(&mut self, node: &str, whole: &Expression, left: &Expression, right: &Expression) {
        self.line(node, whole.span);
        self.below(|it| {
            it.expression(left);
            it.expression(right);
        });
    }
}

fn integer(literal: IntegerLiteral) -> String {
    let base = if literal.is_decimal {
        ""
    } else {
        " not decimal"
    };
    let unsigned = if literal.is_unsigned { " unsigned" } else { "" };
    let longs = " long".repeat(usize::from(literal.longs));
    let imaginary = imaginary(literal.is_imaginary);
    format!(
        "integer {}{base}{unsigned}{longs}{imaginary}",
        literal.value
    )
}

fn float(literal: &FloatLiteral) -> String {
    let suffix = match literal.suffix {
        FloatSuffix::None => "",
        FloatSuffix::Float => " float",
        FloatSuffix::LongDouble => " long double",
        FloatSuffix::Other => " of another type",
    };
    let imaginary = imaginary(literal.is_imaginary);
    format!("number {}{suffix}{imaginary}", literal.text)
}

fn imaginary(is_imaginary: bool) -> &'static str {
    if is_imaginary { " imaginary" } else { "" }
}

/// The literal with escapes for all that is not ASCII.
pub(super) fn string(literal: &StringLiteral) -> String {
    let mut text = format!("string {}\"", prefix(literal.encoding));
    for &unit in &literal.units {
        match u8::try_from(unit) {
            Ok(byte) => text.extend(byte.escape_ascii().map(char::from)),
            Err(_) => {
                let _ = write!(text, "\\x{unit:x}");
            }
        }
    }
    text.push('"');
    text
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Bytes => "",
        Encoding::Wide => "L",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
    }
}

fn unary(operator: UnaryOperator) -> &'static str {
    match operator {
        UnaryOperator::Plus => "+",
        UnaryOperator::Minus => "-",
        UnaryOperator::BitNot => "~",
        UnaryOperator::LogicalNot => "!",
        UnaryOperator::AddressOf => "&",
        UnaryOperator::Dereference => "*",
    }
}

fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Multiply => "*",
        BinaryOperator::Divide => "/",
        BinaryOperator::Remainder => "%",
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::ShiftRight => ">>",
        BinaryOperator::Less => "<",
        BinaryOperator::Greater => ">",
        BinaryOperator::LessEqual => "<=",
        BinaryOperator::GreaterEqual => ">=",
        BinaryOperator::Equal => "==",
        BinaryOperator::NotEqual => "!=",
        BinaryOperator::BitAnd => "&",
        BinaryOperator::BitXor => "^",
        BinaryOperator::BitOr => "|",
        BinaryOperator::LogicalAnd => "&&",
        BinaryOperator::LogicalOr => "||",
    }
}
