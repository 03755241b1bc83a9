//! Words and symbols of the text form.

use std::borrow::Cow;
use std::fmt::Write;

use crate::expression::{BinaryOp, UnaryOp};
use crate::program::ProgramDraft;
use crate::types::{FloatType, Scalar, Type};
use crate::words::is_plain_name;

/// As in `u8`, `f64`, `ptr`.
pub fn scalar_name(scalar: Scalar) -> String {
    match scalar {
        Scalar::Int(int) => format!("{}{}", if int.is_signed { 'i' } else { 'u' }, int.bits),
        Scalar::Float(FloatType::F32) => "f32".into(),
        Scalar::Float(FloatType::F64) => "f64".into(),
        Scalar::Pointer => "ptr".into(),
        Scalar::Thread => "thread".into(),
    }
}

pub(crate) fn unary_symbol(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::NegateWrapping => "-%",
        UnaryOp::Not => "~",
        UnaryOp::Settle => "?",
        UnaryOp::IsSet => "?=",
    }
}

/// The operator between two operands, or the function of two arguments.
pub(crate) fn binary_symbol(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::AddWrapping => "+%",
        BinaryOp::SubtractWrapping => "-%",
        BinaryOp::MultiplyWrapping => "*%",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::ShiftLeftWrapping => "<<%",
        BinaryOp::ShiftRightWrapping => ">>%",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Offset => "offset",
        BinaryOp::Distance => "distance",
    }
}

/// A name as it stands in the text: in backticks if it is no identifier or a keyword.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    if is_plain_name(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(format!("`{name}`"))
    }
}

/// A text between quotes, with escapes.
pub(crate) fn string_literal(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            '\\' => literal.push_str("\\\\"),
            '"' => literal.push_str("\\\""),
            c if c.is_control() => {
                let _ = write!(literal, "\\u{{{:x}}}", u32::from(c));
            }
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

pub(crate) fn type_name(draft: &ProgramDraft, ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar_name(*scalar),
        Type::Sync(sync) => sync.name().into(),
        Type::Array(element, length) => format!("[{}; {length}]", type_name(draft, element)),
        Type::Struct(id) => quoted(&draft.structs[*id].name).into_owned(),
    }
}
