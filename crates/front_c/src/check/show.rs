//! Types as messages name them.

use super::Checker;
use crate::types::{FloatKind, FunctionType, IntegerKind, Length, Qualified, Type};

impl Checker {
    /// As C writes it, without backticks.
    pub(super) fn show(&self, ty: &Type) -> String {
        self.declare_text(ty, "")
    }

    pub(super) fn show_qualified(&self, ty: &Qualified) -> String {
        format!("{}{}", qualifiers(ty), self.show(&ty.ty))
    }

    /// The type with a declarator inside it.
    fn declare_text(&self, ty: &Type, inner: &str) -> String {
        let spaced = |base: String| {
            if inner.is_empty() {
                base
            } else {
                format!("{base} {inner}")
            }
        };
        match ty {
            Type::Void => spaced("void".into()),
            Type::Bool => spaced("_Bool".into()),
            Type::Integer(kind) => spaced(integer_name(*kind).into()),
            Type::Float(FloatKind::Float) => spaced("float".into()),
            Type::Float(FloatKind::Double) => spaced("double".into()),
            Type::Float(FloatKind::LongDouble) => spaced("long double".into()),
            Type::Enumeration(id) => {
                let tag = self.enumerations[*id].tag.as_deref();
                spaced(format!("enum {}", tag.unwrap_or("<anonymous>")))
            }
            Type::Record(id) => {
                let record = &self.records[*id];
                let word = if record.is_union { "union" } else { "struct" };
                let tag = record.tag.as_deref().unwrap_or("<anonymous>");
                spaced(format!("{word} {tag}"))
            }
            Type::Unmodelled(unmodelled) => spaced(unmodelled.name.into()),
            Type::Pointer(target) => {
                let pointer = match &target.ty {
                    Type::Array(..) | Type::Function(_) => format!("(*{inner})"),
                    Type::Void
                    | Type::Bool
                    | Type::Integer(_)
                    | Type::Enumeration(_)
                    | Type::Float(_)
                    | Type::Pointer(_)
                    | Type::Record(_)
                    | Type::Unmodelled(_) => format!("*{inner}"),
                };
                format!(
                    "{}{}",
                    qualifiers(target),
                    self.declare_text(&target.ty, &pointer)
                )
            }
            Type::Array(element, length) => {
                let length = match length {
                    Length::Unspecified => String::new(),
                    Length::Constant(count) => count.to_string(),
                    Length::Variable(_) => "*".into(),
                };
                let text = self.declare_text(&element.ty, &format!("{inner}[{length}]"));
                format!("{}{text}", qualifiers(element))
            }
            Type::Function(function) => {
                let parameters = self.parameter_text(function);
                self.declare_text(&function.result, &format!("{inner}({parameters})"))
            }
        }
    }

    fn parameter_text(&self, function: &FunctionType) -> String {
        if !function.has_prototype {
            return String::new();
        }
        let mut parts: Vec<String> = function
            .parameters
            .iter()
            .map(|parameter| self.show_qualified(parameter))
            .collect();
        if function.is_variadic {
            parts.push("...".into());
        }
        if parts.is_empty() {
            "void".into()
        } else {
            parts.join(", ")
        }
    }
}

fn qualifiers(ty: &Qualified) -> String {
    let mut text = String::new();
    if ty.is_const {
        text.push_str("const ");
    }
    if ty.is_volatile {
        text.push_str("volatile ");
    }
    if ty.is_atomic {
        text.push_str("_Atomic ");
    }
    text
}

fn integer_name(kind: IntegerKind) -> &'static str {
    match kind {
        IntegerKind::Char => "char",
        IntegerKind::SignedChar => "signed char",
        IntegerKind::UnsignedChar => "unsigned char",
        IntegerKind::Short => "short",
        IntegerKind::UnsignedShort => "unsigned short",
        IntegerKind::Int => "int",
        IntegerKind::UnsignedInt => "unsigned int",
        IntegerKind::Long => "long",
        IntegerKind::UnsignedLong => "unsigned long",
        IntegerKind::LongLong => "long long",
        IntegerKind::UnsignedLongLong => "unsigned long long",
        IntegerKind::Int128 => "__int128",
        IntegerKind::UnsignedInt128 => "unsigned __int128",
    }
}
