//! The attributes that change what a declaration means. All others are advice to optimisers and linters.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, AttributeArgument, ExpressionKind, Name};

use super::Checker;
use crate::types::{FloatKind, IntegerKind, Qualified, Type, Unmodelled};

/// What the attributes of one declaration say together.
#[derive(Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "attributes are there or not, independently"
)]
pub(super) struct Attributes {
    pub(super) is_packed: bool,
    pub(super) is_transparent_union: bool,
    pub(super) is_noreturn: bool,
    pub(super) is_constructor: bool,
    pub(super) is_destructor: bool,
    pub(super) is_weak: bool,
    pub(super) aligned: Option<u64>,
    /// The most that `#pragma pack` lets members be aligned to.
    pub(super) member_limit: Option<u64>,
    pub(super) alias: Option<Name>,
    /// The function to be called when the variable's life ends.
    pub(super) cleanup: Option<(Name, Span)>,
    mode: Option<Name>,
    vector_bytes: Option<u64>,
}

/// What `aligned` without a number means on x86.
const LARGEST_ALIGN: u64 = 16;

impl Checker {
    pub(super) fn attributes(&mut self, lists: &[&[tree::Attribute]]) -> Attributes {
        let mut result = Attributes::default();
        for attribute in lists.iter().copied().flatten() {
            let argument = attribute.arguments.first();
            match &*attribute.name {
                "packed" => result.is_packed = true,
                "transparent_union" => result.is_transparent_union = true,
                "noreturn" => result.is_noreturn = true,
                "constructor" => result.is_constructor = true,
                "destructor" => result.is_destructor = true,
                "weak" | "gnu_inline" => result.is_weak = true,
                "aligned" => {
                    let align = match argument {
                        None => Some(LARGEST_ALIGN),
                        Some(AttributeArgument::Expression(value)) => {
                            self.attribute_number(value).filter(|n| n.is_power_of_two())
                        }
                        Some(AttributeArgument::Type(ty)) => self
                            .type_name(ty)
                            .ok()
                            .map(|specified| self.align_of_specified(&specified)),
                    };
                    result.aligned = result.aligned.max(align);
                }
                "pragma_pack" => {
                    if let Some(AttributeArgument::Expression(value)) = argument {
                        let limit = self.attribute_number(value);
                        result.member_limit = limit.filter(|n| n.is_power_of_two());
                    }
                }
                "alias" => {
                    if let Some(AttributeArgument::Expression(tree::Expression {
                        kind: ExpressionKind::String(text),
                        ..
                    })) = argument
                    {
                        result.alias = Some(literal_text(text));
                    }
                }
                "cleanup" => {
                    if let Some((function, span)) = argument.and_then(word) {
                        result.cleanup = Some((function, span));
                    }
                }
                "annotate" => {
                    if let Some(AttributeArgument::Expression(tree::Expression {
                        kind: ExpressionKind::String(text),
                        ..
                    })) = argument
                    {
                        self.note_annotation(&literal_text(text), attribute.span);
                    }
                }
                "mode" => result.mode = argument.and_then(word).map(|(mode, _)| mode),
                "vector_size" => {
                    if let Some(AttributeArgument::Expression(value)) = argument {
                        result.vector_bytes = self.attribute_number(value);
                    }
                }
                _ => {}
            }
        }
        result
    }

    /// Attributes may be looked at more than once.
    fn note_annotation(&mut self, text: &str, span: Span) {
        let Some(text) = text.strip_prefix("raddle:") else {
            return;
        };
        if !self.annotations.iter().any(|it| it.span == span) {
            self.annotations.push(tree::Annotation {
                text: text.to_owned(),
                is_trailing: false,
                span,
            });
        }
    }

    fn attribute_number(&mut self, value: &tree::Expression) -> Option<u64> {
        let bits = self.constant_expression(value).ok()?;
        u64::try_from(bits).ok()
    }

    /// The type with the attributes that make it another one.
    pub(super) fn attributed(&mut self, mut ty: Qualified, attributes: &Attributes) -> Qualified {
        if let Some(mode) = &attributes.mode {
            ty.ty = self.with_mode(ty.ty, mode);
        }
        if let Some(size) = attributes.vector_bytes
            && size.is_power_of_two()
        {
            ty.ty = Type::Unmodelled(Unmodelled {
                name: "a vector type",
                size,
                align: size,
            });
        }
        ty
    }

    fn with_mode(&self, ty: Type, mode: &str) -> Type {
        let mode = mode.trim_matches('_');
        let is_signed = match &ty {
            Type::Bool => false,
            Type::Integer(kind) => kind.is_signed(),
            Type::Enumeration(id) => self.enumerations[*id].kind.is_signed(),
            Type::Void
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Array(..)
            | Type::Function(_)
            | Type::Record(_)
            | Type::Unmodelled(_) => true,
        };
        let integer = |signed, unsigned| Type::Integer(if is_signed { signed } else { unsigned });
        match mode {
            "QI" | "byte" => integer(IntegerKind::SignedChar, IntegerKind::UnsignedChar),
            "HI" => integer(IntegerKind::Short, IntegerKind::UnsignedShort),
            "SI" => integer(IntegerKind::Int, IntegerKind::UnsignedInt),
            "DI" => match self.model {
                raddle_ir::DataModel::Ilp32 => {
                    integer(IntegerKind::LongLong, IntegerKind::UnsignedLongLong)
                }
                raddle_ir::DataModel::Lp64 => integer(IntegerKind::Long, IntegerKind::UnsignedLong),
            },
            "TI" => integer(IntegerKind::Int128, IntegerKind::UnsignedInt128),
            "word" | "pointer" | "unwind_word" => {
                integer(IntegerKind::Long, IntegerKind::UnsignedLong)
            }
            "SF" => Type::Float(FloatKind::Float),
            "DF" => Type::Float(FloatKind::Double),
            "XF" => Type::Float(FloatKind::LongDouble),
            "SC" => unmodelled("_Complex float", 8, 4),
            "DC" => unmodelled("_Complex double", 16, self.word_align()),
            "TF" => unmodelled("_Float128", 16, 16),
            _ => ty,
        }
    }
}

pub(super) fn unmodelled(name: &'static str, size: u64, align: u64) -> Type {
    Type::Unmodelled(Unmodelled { name, size, align })
}

/// The text of a literal of bytes.
pub(super) fn literal_text(literal: &tree::StringLiteral) -> Name {
    let bytes: Vec<u8> = literal
        .units
        .iter()
        .map(|unit| u8::try_from(*unit).unwrap_or(b'?'))
        .collect();
    Name::from(&*String::from_utf8_lossy(&bytes))
}

/// An argument that is a name.
fn word(argument: &AttributeArgument) -> Option<(Name, Span)> {
    match argument {
        AttributeArgument::Expression(tree::Expression {
            kind: ExpressionKind::Identifier(name),
            span,
        }) => Some((name.clone(), *span)),
        AttributeArgument::Expression(_) | AttributeArgument::Type(_) => None,
    }
}
