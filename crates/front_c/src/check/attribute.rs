//! The attributes that change what a declaration means; `gnu::attributes` says what becomes of all others.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, AttributeArgument, ExpressionKind, Name};
use raddle_diag::Diagnostic;

use super::{Checked, Checker};
use crate::gnu::{self, Fate, options};
use crate::typed::NO_PRIORITY;
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
    /// The priority of a function that runs before `main`, and of one that runs at the end.
    pub(super) constructor: Option<u16>,
    pub(super) destructor: Option<u16>,
    pub(super) section: Option<Name>,
    /// A definition that gives way to another one.
    pub(super) is_weak: bool,
    /// `weak`: if nobody defines it, its address is null.
    pub(super) is_weak_symbol: bool,
    /// Its arguments without a parameter are found in another way.
    pub(super) has_ms_convention: bool,
    pub(super) is_big_endian: bool,
    pub(super) ms_struct: Option<Span>,
    /// Parameters that are promised not to be null, from 1; none named means all pointers.
    pub(super) nonnull: Option<Vec<usize>>,
    /// What is not modelled, and where it stands.
    pub(super) unsupported: Option<(String, Span)>,
    pub(super) aligned: Option<u64>,
    /// The most that `#pragma pack` lets members be aligned to.
    pub(super) member_limit: Option<u64>,
    pub(super) alias: Option<Name>,
    /// `weakref`: the alias is of a name that need not be defined.
    pub(super) is_weak_reference: bool,
    /// The function to be called when the variable's life ends.
    pub(super) cleanup: Option<(Name, Span)>,
    mode: Option<(Name, Span)>,
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
                "weak" => {
                    result.is_weak = true;
                    result.is_weak_symbol = true;
                }
                "gnu_inline" => result.is_weak = true,
                "ms_abi" => result.has_ms_convention = true,
                "ms_struct" => result.ms_struct = Some(attribute.span),
                "gcc_struct" => result.ms_struct = None,
                "scalar_storage_order" => {
                    result.is_big_endian = argument.and_then(text).as_deref() == Some("big-endian");
                }
                "nonnull" => {
                    let named = result.nonnull.get_or_insert_default();
                    for argument in &attribute.arguments {
                        if let AttributeArgument::Expression(value) = argument
                            && let Some(number) = self.attribute_number(value)
                        {
                            named.extend(usize::try_from(number));
                        }
                    }
                }
                "optimize" | "target" => {
                    let is_target = &*attribute.name == "target";
                    for argument in attribute.arguments.iter().filter_map(text) {
                        if let Some(why) = refused_option(&argument, is_target) {
                            result.unsupported = Some((why, attribute.span));
                        }
                    }
                }
                "constructor" => result.constructor = Some(self.priority(argument)),
                "destructor" => result.destructor = Some(self.priority(argument)),
                "section" => result.section = argument.and_then(text),
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
                "alias" => result.alias = argument.and_then(text),
                "weakref" => {
                    result.is_weak_reference = true;
                    result.alias = argument.and_then(text).or(result.alias);
                }
                "cleanup" => {
                    if let Some((function, span)) = argument.and_then(word) {
                        result.cleanup = Some((function, span));
                    }
                }
                "annotate" => {
                    if let Some(text) = argument.and_then(text) {
                        self.note_annotation(&text, attribute.span);
                    }
                }
                "mode" => result.mode = argument.and_then(word),
                "vector_size" => {
                    if let Some(AttributeArgument::Expression(value)) = argument {
                        result.vector_bytes = self.attribute_number(value);
                    }
                }
                name => match gnu::attributes::fate(name) {
                    Some(Fate::Understood | Fate::Harmless | Fate::Promise) => {}
                    Some(Fate::Unsupported) => {
                        let what = format!("the attribute `{name}`");
                        result.unsupported = Some((what, attribute.span));
                    }
                    None => {
                        let what = format!("the attribute `{name}`, which is not known");
                        result.unsupported = Some((what, attribute.span));
                    }
                },
            }
        }
        result
    }

    /// Attributes that nobody has heard of, wherever they stand: each name once.
    pub(super) fn warn_of_attributes(&mut self, names: &[tree::Identifier]) {
        for name in names {
            if gnu::attributes::fate(&name.name).is_none()
                && self.unknown_attributes.insert(name.name.clone())
            {
                let message = format!("the attribute `{}` is not known", name.name);
                self.diagnostics.push(
                    Diagnostic::warning("c", message).at(name.span, "may change what this means"),
                );
            }
        }
    }

    /// What declares a type or a member cannot be reached, and so is an error.
    pub(super) fn no_unsupported_attribute(&mut self, attributes: &Attributes) -> Checked<()> {
        match &attributes.unsupported {
            None => Ok(()),
            Some((what, span)) => Err(self.report(
                Diagnostic::error("c-unsupported", format!("{what} is not supported here"))
                    .at(*span, "may change what the type means")
                    .help("check the program without it"),
            )),
        }
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

    /// When a constructor or destructor runs: without a number, the former last and the latter first.
    fn priority(&mut self, argument: Option<&AttributeArgument>) -> u16 {
        match argument {
            Some(AttributeArgument::Expression(value)) => self
                .attribute_number(value)
                .and_then(|number| u16::try_from(number).ok())
                .unwrap_or(NO_PRIORITY),
            Some(AttributeArgument::Type(_)) | None => NO_PRIORITY,
        }
    }

    fn attribute_number(&mut self, value: &tree::Expression) -> Option<u64> {
        let bits = self.constant_expression(value).ok()?;
        u64::try_from(bits).ok()
    }

    /// The type with the attributes that make it another one.
    pub(super) fn attributed(&mut self, mut ty: Qualified, attributes: &Attributes) -> Qualified {
        if let Some((mode, span)) = &attributes.mode {
            ty.ty = self.with_mode(ty.ty, mode, *span);
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

    fn with_mode(&mut self, ty: Type, mode: &str, span: Span) -> Type {
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
            _ => {
                self.unsupported_error(span, format!("the mode `{mode}` is not supported"));
                ty
            }
        }
    }
}

/// Why options in `optimize("…")` or `target("…")` are not supported, if one changes the language.
pub(super) fn refused_option(words: &str, is_target: bool) -> Option<String> {
    words.split(',').map(str::trim).find_map(|word| {
        let is_level = word.strip_prefix('O').unwrap_or(word);
        let option = match (is_target, word.starts_with('-')) {
            (_, true) => word.to_owned(),
            (true, false) => format!("-m{word}"),
            (false, false) if is_level.bytes().all(|byte| byte.is_ascii_digit()) => return None,
            (false, false) if word.starts_with('O') => format!("-{word}"),
            (false, false) => format!("-f{word}"),
        };
        // Clones of a function for a processor are told apart by the whole of it.
        if word == "default" {
            return None;
        }
        let why = options::refusal(&option)?;
        Some(format!("code with the option `{option}` ({why})"))
    })
}

/// An argument that is a literal.
fn text(argument: &AttributeArgument) -> Option<Name> {
    match argument {
        AttributeArgument::Expression(tree::Expression {
            kind: ExpressionKind::String(text),
            ..
        }) => Some(literal_text(text)),
        AttributeArgument::Expression(_) | AttributeArgument::Type(_) => None,
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
