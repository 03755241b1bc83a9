//! Specifiers, declarators, attributes and initializers as text.

use raddle_base::Span;

use super::Dumper;
use crate::tree::{
    Alignment, ArrayLength, Attribute, AttributeArgument, BasicType, Declarator, DeclaratorPart,
    Designator, EnumSpecifier, FieldDeclarator, Initializer, InitializerList, Member, Parameters,
    Qualifiers, Specifiers, Storage, StructSpecifier, TypeName, TypeSpecifier,
};

impl Dumper<'_> {
    pub(super) fn specifiers(&mut self, specifiers: &Specifiers) {
        let mut words = vec!["specifiers"];
        words.extend(specifiers.storage.map(storage));
        let flags = [
            (specifiers.is_thread_local, "thread-local"),
            (specifiers.is_inline, "inline"),
            (specifiers.is_noreturn, "noreturn"),
        ];
        words.extend(flags.iter().filter(|it| it.0).map(|it| it.1));
        let qualifiers = qualifiers(specifiers.qualifiers);
        words.extend(qualifiers);
        let ty = match &specifiers.ty {
            TypeSpecifier::Missing => "(no type)",
            TypeSpecifier::Basic(basic) => basic_type(*basic),
            TypeSpecifier::Named(name) => &format!("`{}`", name.name),
            TypeSpecifier::Auto => "auto type",
            TypeSpecifier::VaList => "va_list",
            TypeSpecifier::TypeofExpression(_) | TypeSpecifier::TypeofType(_) => "typeof",
            TypeSpecifier::Atomic(_) => "atomic type",
            TypeSpecifier::Struct(specifier) if specifier.is_union => "union",
            TypeSpecifier::Struct(_) => "struct",
            TypeSpecifier::Enum(_) => "enum",
        };
        let words = words.join(" ");
        self.line(&format!("{words} {ty}"), specifiers.span);
        self.below(|it| {
            match &specifiers.ty {
                TypeSpecifier::Struct(specifier) => it.struct_specifier(specifier),
                TypeSpecifier::Enum(specifier) => it.enum_specifier(specifier),
                TypeSpecifier::TypeofExpression(expression) => it.expression(expression),
                TypeSpecifier::TypeofType(ty) | TypeSpecifier::Atomic(ty) => it.type_name(ty),
                TypeSpecifier::Missing
                | TypeSpecifier::Basic(_)
                | TypeSpecifier::Named(_)
                | TypeSpecifier::Auto
                | TypeSpecifier::VaList => {}
            }
            for alignment in &specifiers.alignments {
                it.bare_line("alignas");
                it.below(|it| match alignment {
                    Alignment::Type(ty) => it.type_name(ty),
                    Alignment::Expression(expression) => it.expression(expression),
                });
            }
            it.attributes(&specifiers.attributes);
        });
    }

    fn struct_specifier(&mut self, specifier: &StructSpecifier) {
        let word = if specifier.is_union {
            "union"
        } else {
            "struct"
        };
        let node = match (&specifier.tag, &specifier.members) {
            (Some(tag), Some(_)) => format!("{word} `{}` defined", tag.name),
            (Some(tag), None) => format!("{word} `{}`", tag.name),
            (None, _) => format!("{word} without a name"),
        };
        self.line(&node, specifier.span);
        self.below(|it| {
            for member in specifier.members.iter().flatten() {
                match member {
                    Member::Fields(fields) => {
                        it.line("members", fields.span);
                        it.below(|it| {
                            it.specifiers(&fields.specifiers);
                            for field in &fields.declarators {
                                it.field(field);
                            }
                        });
                    }
                    Member::StaticAssert(assertion) => it.static_assert(assertion),
                }
            }
            it.attributes(&specifier.attributes);
        });
    }

    fn field(&mut self, field: &FieldDeclarator) {
        self.declarator_within(&field.declarator, field.span);
        self.below(|it| {
            if let Some(width) = &field.width {
                it.bare_line("width");
                it.below(|it| it.expression(width));
            }
            it.attributes(&field.attributes);
        });
    }

    fn enum_specifier(&mut self, specifier: &EnumSpecifier) {
        let node = match (&specifier.tag, &specifier.enumerators) {
            (Some(tag), Some(_)) => format!("enum `{}` defined", tag.name),
            (Some(tag), None) => format!("enum `{}`", tag.name),
            (None, _) => "enum without a name".to_owned(),
        };
        self.line(&node, specifier.span);
        self.below(|it| {
            for enumerator in specifier.enumerators.iter().flatten() {
                let name = &enumerator.name;
                it.line(&format!("enumerator `{}`", name.name), name.span);
                it.below(|it| {
                    if let Some(value) = &enumerator.value {
                        it.expression(value);
                    }
                    it.attributes(&enumerator.attributes);
                });
            }
            it.attributes(&specifier.attributes);
        });
    }

    pub(super) fn declarator(&mut self, declarator: &Declarator) {
        self.declarator_within(declarator, declarator.span);
    }

    /// A declarator to which more is added below; `span` is the place of all.
    pub(super) fn declarator_within(&mut self, declarator: &Declarator, span: Span) {
        let node = match &declarator.name {
            Some(name) => format!("declarator `{}`", name.name),
            None => "declarator without a name".to_owned(),
        };
        self.line(&node, span);
        self.below(|it| {
            for part in &declarator.parts {
                it.declarator_part(part);
            }
            it.attributes(&declarator.attributes);
        });
    }

    fn declarator_part(&mut self, part: &DeclaratorPart) {
        match part {
            DeclaratorPart::Pointer(pointer) => {
                let mut words = vec!["pointer"];
                words.extend(qualifiers(*pointer));
                self.bare_line(&words.join(" "));
            }
            DeclaratorPart::Array(array) => {
                let mut words = vec!["array"];
                if array.is_static {
                    words.push("static");
                }
                words.extend(qualifiers(array.qualifiers));
                match array.length {
                    ArrayLength::Unspecified => words.push("of any length"),
                    ArrayLength::Star => words.push("*"),
                    ArrayLength::Expression(_) => {}
                }
                self.line(&words.join(" "), array.span);
                if let ArrayLength::Expression(length) = &array.length {
                    self.below(|it| it.expression(length));
                }
            }
            DeclaratorPart::Function(Parameters::Identifiers(names)) => {
                self.bare_line("function without types");
                self.below(|it| {
                    for name in names {
                        it.line(&format!("`{}`", name.name), name.span);
                    }
                });
            }
            DeclaratorPart::Function(Parameters::Prototype {
                parameters,
                is_variadic,
            }) => {
                self.bare_line(if *is_variadic {
                    "function variadic"
                } else {
                    "function"
                });
                self.below(|it| {
                    for parameter in parameters {
                        it.line("parameter", parameter.span);
                        it.below(|it| {
                            it.specifiers(&parameter.specifiers);
                            it.declarator(&parameter.declarator);
                            it.attributes(&parameter.attributes);
                        });
                    }
                });
            }
        }
    }

    pub(super) fn type_name(&mut self, ty: &TypeName) {
        self.line("type", ty.span);
        self.below(|it| {
            it.specifiers(&ty.specifiers);
            let declarator = &ty.declarator;
            if !declarator.parts.is_empty() || !declarator.attributes.is_empty() {
                it.declarator(declarator);
            }
        });
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            self.line(&format!("attribute `{}`", attribute.name), attribute.span);
            self.below(|it| {
                for argument in &attribute.arguments {
                    match argument {
                        AttributeArgument::Expression(expression) => it.expression(expression),
                        AttributeArgument::Type(ty) => it.type_name(ty),
                    }
                }
            });
        }
    }

    pub(super) fn initializer(&mut self, initializer: &Initializer) {
        match initializer {
            Initializer::Expression(expression) => self.expression(expression),
            Initializer::List(list) => self.initializer_list(list),
        }
    }

    pub(super) fn initializer_list(&mut self, list: &InitializerList) {
        self.line("list", list.span);
        self.below(|it| {
            for element in &list.elements {
                if element.designators.is_empty() {
                    it.initializer(&element.value);
                    continue;
                }
                it.line("designated", element.span);
                it.below(|it| {
                    it.designators(&element.designators);
                    it.initializer(&element.value);
                });
            }
        });
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) {
        for designator in designators {
            match designator {
                Designator::Member(name) => {
                    self.line(&format!("member `{}`", name.name), name.span);
                }
                Designator::Index(index) => {
                    self.bare_line("index");
                    self.below(|it| it.expression(index));
                }
                Designator::Range(first, last) => {
                    self.bare_line("range");
                    self.below(|it| {
                        it.expression(first);
                        it.expression(last);
                    });
                }
            }
        }
    }
}

fn storage(storage: Storage) -> &'static str {
    match storage {
        Storage::Typedef => "typedef",
        Storage::Extern => "extern",
        Storage::Static => "static",
        Storage::Auto => "auto",
        Storage::Register => "register",
    }
}

fn qualifiers(qualifiers: Qualifiers) -> impl Iterator<Item = &'static str> {
    [
        (qualifiers.is_const, "const"),
        (qualifiers.is_volatile, "volatile"),
        (qualifiers.is_restrict, "restrict"),
        (qualifiers.is_atomic, "atomic"),
    ]
    .into_iter()
    .filter(|it| it.0)
    .map(|it| it.1)
}

fn basic_type(basic: BasicType) -> &'static str {
    match basic {
        BasicType::Void => "void",
        BasicType::Bool => "bool",
        BasicType::Char => "char",
        BasicType::SignedChar => "signed char",
        BasicType::UnsignedChar => "unsigned char",
        BasicType::Short => "short",
        BasicType::UnsignedShort => "unsigned short",
        BasicType::Int => "int",
        BasicType::UnsignedInt => "unsigned int",
        BasicType::Long => "long",
        BasicType::UnsignedLong => "unsigned long",
        BasicType::LongLong => "long long",
        BasicType::UnsignedLongLong => "unsigned long long",
        BasicType::Int128 => "int128",
        BasicType::UnsignedInt128 => "unsigned int128",
        BasicType::Float => "float",
        BasicType::Double => "double",
        BasicType::LongDouble => "long double",
        BasicType::Float16 => "float16",
        BasicType::Float128 => "float128",
        BasicType::ComplexFloat => "complex float",
        BasicType::ComplexDouble => "complex double",
        BasicType::ComplexLongDouble => "complex long double",
        BasicType::ComplexInteger => "complex integer",
        BasicType::Decimal => "decimal",
    }
}
