//! What type the words before the declarators mean: basic types, structs, unions, enumerations, typedefs, `typeof`.

use raddle_c_syntax::tree::{
    Alignment, BasicType, ExpressionKind as Syntax, Member, Qualifiers, Specifiers,
    StructSpecifier, TypeName, TypeSpecifier,
};
use raddle_diag::Diagnostic;
use raddle_ir::{DataModel, MutexKind, SyncType};

use super::attribute::unmodelled;
use super::layout::FieldDraft;
use super::scope::{Entity, Specified, Tag};
use super::{Checked, Checker};
use crate::check::convert::Operand;
use crate::types::{FloatKind, IntegerKind, Length, Qualified, Record, RecordId, Type};

impl Checker {
    /// `is_alone`: no declarator follows, so that `struct s;` declares a new tag.
    pub(super) fn specified(
        &mut self,
        specifiers: &Specifiers,
        is_alone: bool,
    ) -> Checked<Specified> {
        let span = specifiers.span;
        let plain = |ty: Type| Specified::from(Qualified::from(ty));
        let mut specified = match &specifiers.ty {
            TypeSpecifier::Missing => plain(Type::Integer(IntegerKind::Int)),
            TypeSpecifier::Basic(basic) => plain(self.basic(*basic)),
            TypeSpecifier::Struct(record) => {
                plain(Type::Record(self.record_specifier(record, is_alone)?))
            }
            TypeSpecifier::Enum(enumeration) => plain(Type::Enumeration(
                self.enum_specifier(enumeration, is_alone)?,
            )),
            TypeSpecifier::Named(identifier) => {
                match self.lookup(&identifier.name).map(|found| &found.entity) {
                    Some(Entity::Typedef(specified)) => {
                        let specified = specified.clone();
                        match self.level_of(&identifier.name) {
                            Some(level) => Specified {
                                ty: self.own_lengths(level, specified.ty, identifier.span),
                                ..specified
                            },
                            None => specified,
                        }
                    }
                    Some(Entity::Poisoned) => return Err(super::Poisoned),
                    Some(_) => {
                        let message = format!("`{}` is not a type", identifier.name);
                        return Err(self.error(identifier.span, message));
                    }
                    None => {
                        let message = format!("unknown type `{}`", identifier.name);
                        return Err(self.error(identifier.span, message));
                    }
                }
            }
            TypeSpecifier::TypeofExpression(expression) => {
                if let Syntax::Identifier(name) = &expression.kind
                    && let Some(Entity::Parameter(ty)) = self.lookup(name).map(|d| &d.entity)
                {
                    Specified::from(ty.clone())
                } else {
                    let operand = self.operand(expression)?;
                    Specified::from(operand_type(&operand))
                }
            }
            TypeSpecifier::TypeofType(ty) => self.type_name(ty)?,
            TypeSpecifier::Atomic(ty) => {
                let mut specified = self.type_name(ty)?;
                specified.ty.is_atomic = true;
                specified
            }
            TypeSpecifier::Auto => {
                return Err(self.error(span, "`__auto_type` needs one plain initialised variable"));
            }
            TypeSpecifier::VaList => plain(self.va_list_type()),
        };
        qualify(&mut specified.ty, specifiers.qualifiers);
        for alignment in &specifiers.alignments {
            let align = match alignment {
                Alignment::Type(ty) => {
                    let specified = self.type_name(ty)?;
                    self.align_of_specified(&specified)
                }
                Alignment::Expression(value) => {
                    u64::try_from(self.constant_expression(value)?).unwrap_or(0)
                }
            };
            if align.is_power_of_two() {
                specified.requested = specified.requested.max(Some(align));
            } else if align != 0 {
                return Err(self.error(span, "the alignment is not a power of two"));
            }
        }
        Ok(specified)
    }

    pub(super) fn type_name(&mut self, name: &TypeName) -> Checked<Specified> {
        let specified = self.specified(&name.specifiers, false)?;
        let attributes =
            self.attributes(&[&name.specifiers.attributes, &name.declarator.attributes]);
        self.declared_type(specified, &name.declarator, &attributes)
    }

    fn basic(&self, basic: BasicType) -> Type {
        let wide = matches!(self.model, DataModel::Lp64);
        match basic {
            BasicType::Void => Type::Void,
            BasicType::Bool => Type::Bool,
            BasicType::Char => Type::Integer(IntegerKind::Char),
            BasicType::SignedChar => Type::Integer(IntegerKind::SignedChar),
            BasicType::UnsignedChar => Type::Integer(IntegerKind::UnsignedChar),
            BasicType::Short => Type::Integer(IntegerKind::Short),
            BasicType::UnsignedShort => Type::Integer(IntegerKind::UnsignedShort),
            BasicType::Int => Type::Integer(IntegerKind::Int),
            BasicType::UnsignedInt => Type::Integer(IntegerKind::UnsignedInt),
            BasicType::Long => Type::Integer(IntegerKind::Long),
            BasicType::UnsignedLong => Type::Integer(IntegerKind::UnsignedLong),
            BasicType::LongLong => Type::Integer(IntegerKind::LongLong),
            BasicType::UnsignedLongLong => Type::Integer(IntegerKind::UnsignedLongLong),
            BasicType::Int128 => Type::Integer(IntegerKind::Int128),
            BasicType::UnsignedInt128 => Type::Integer(IntegerKind::UnsignedInt128),
            BasicType::Float => Type::Float(FloatKind::Float),
            BasicType::Double => Type::Float(FloatKind::Double),
            BasicType::LongDouble => Type::Float(FloatKind::LongDouble),
            BasicType::Float16 => unmodelled("_Float16", 2, 2),
            BasicType::Float128 => unmodelled("_Float128", 16, 16),
            BasicType::ComplexFloat => unmodelled("_Complex float", 8, 4),
            BasicType::ComplexDouble => unmodelled("_Complex double", 16, if wide { 8 } else { 4 }),
            BasicType::ComplexLongDouble => {
                if wide {
                    unmodelled("_Complex long double", 32, 16)
                } else {
                    unmodelled("_Complex long double", 24, 4)
                }
            }
            BasicType::ComplexInteger => unmodelled("_Complex int", 8, 4),
            BasicType::Decimal => unmodelled("_Decimal64", 8, 8),
        }
    }

    /// An array of one struct on x86-64, a pointer on i386.
    pub(super) fn va_list_type(&mut self) -> Type {
        match self.model {
            DataModel::Ilp32 => {
                Type::Pointer(Qualified::from(Type::Integer(IntegerKind::Char)).into())
            }
            DataModel::Lp64 => {
                let id = if let Some(id) = self.va_list_record {
                    id
                } else {
                    let id = self.make_va_list_record();
                    self.va_list_record = Some(id);
                    id
                };
                let record = Qualified::from(Type::Record(id));
                Type::Array(record.into(), Length::Constant(1))
            }
        }
    }

    fn make_va_list_record(&mut self) -> RecordId {
        let unsigned = Qualified::from(Type::Integer(IntegerKind::UnsignedInt));
        let pointer = Qualified::from(Type::Pointer(Qualified::from(Type::Void).into()));
        let field = |name: &str, ty: &Qualified, offset| crate::types::Field {
            name: Some(super::name(name)),
            ty: ty.clone(),
            offset,
            bits: None,
        };
        self.records.push(Record {
            tag: Some(super::name("__va_list_tag")),
            is_union: false,
            fields: vec![
                field("gp_offset", &unsigned, 0),
                field("fp_offset", &unsigned, 4),
                field("overflow_arg_area", &pointer, 8),
                field("reg_save_area", &pointer, 16),
            ],
            size: 24,
            align: 8,
            is_complete: true,
            sync: None,
            unsupported: None,
            span: None,
        })
    }

    fn record_specifier(
        &mut self,
        specifier: &StructSpecifier,
        is_alone: bool,
    ) -> Checked<RecordId> {
        let existing = match &specifier.tag {
            None => None,
            Some(tag) => {
                let found = if specifier.members.is_some() || is_alone {
                    self.lookup_tag_here(&tag.name)
                } else {
                    self.lookup_tag(&tag.name)
                };
                match found {
                    Some(Tag::Record(id)) if self.records[id].is_union == specifier.is_union => {
                        Some(id)
                    }
                    Some(Tag::Record(_) | Tag::Enumeration(_)) => {
                        let message = format!("`{}` is the tag of another kind of type", tag.name);
                        return Err(self.error(tag.span, message));
                    }
                    None => None,
                }
            }
        };
        let id = existing.unwrap_or_else(|| {
            let id = self.records.push(Record {
                tag: specifier.tag.as_ref().map(|tag| tag.name.clone()),
                is_union: specifier.is_union,
                fields: Vec::new(),
                size: 0,
                align: 1,
                is_complete: false,
                sync: None,
                unsupported: None,
                span: Some(specifier.span),
            });
            if let Some(tag) = &specifier.tag {
                self.bind_tag(&tag.name, Tag::Record(id));
            }
            id
        });
        if let Some(members) = &specifier.members {
            if self.records[id].is_complete {
                let first = self.records[id].span;
                let text = self.show(&Type::Record(id));
                let message = format!("`{text}` is defined twice");
                return Err(self.redeclared(message, specifier.span, first));
            }
            let drafts = self.members(members);
            let attributes = self.attributes(&[&specifier.attributes]);
            if attributes.is_transparent_union {
                self.transparent_unions.insert(id);
            }
            self.no_duplicate_members(id, &drafts);
            if let Some(span) = attributes.ms_struct
                && (self.model == DataModel::Ilp32 || drafts.iter().any(|it| it.width.is_some()))
            {
                return Err(self.report(
                    Diagnostic::error("c-unsupported", "the layout of an `ms_struct` is not known")
                        .at(span, "not supported")
                        .help("check the program without this attribute, or without bit-fields on `lp64`"),
                ));
            }
            let is_big_endian = attributes.is_big_endian || self.is_big_endian_at(specifier.span);
            let unsupported = match attributes.unsupported {
                Some((what, _)) => Some(what),
                None => is_big_endian.then(|| "the big-endian order of bytes".to_owned()),
            };
            let layout = self.lay_out(
                drafts,
                specifier.is_union,
                attributes.is_packed,
                attributes.aligned,
                attributes.member_limit,
            )?;
            let record = &mut self.records[id];
            record.unsupported = unsupported;
            record.fields = layout.fields;
            record.size = layout.size;
            record.align = layout.align;
            record.is_complete = true;
            record.span = Some(specifier.span);
        }
        Ok(id)
    }

    fn members(&mut self, members: &[Member]) -> Vec<FieldDraft> {
        let mut drafts = Vec::new();
        for member in members {
            let declaration = match member {
                Member::Fields(declaration) => declaration,
                Member::StaticAssert(assertion) => {
                    self.static_assert(assertion);
                    continue;
                }
            };
            let is_alone = declaration.declarators.is_empty();
            let Ok(base) = self.specified(&declaration.specifiers, is_alone) else {
                continue;
            };
            if is_alone {
                // An anonymous member; a tag alone declares nothing.
                let is_anonymous = match &declaration.specifiers.ty {
                    TypeSpecifier::Struct(inner) => inner.tag.is_none(),
                    _ => true,
                };
                if is_anonymous && matches!(base.ty.ty, Type::Record(_)) {
                    let attributes = self.attributes(&[&declaration.specifiers.attributes]);
                    drafts.push(FieldDraft {
                        name: None,
                        ty: base.ty,
                        width: None,
                        type_align: base.align,
                        aligned: base.requested.max(attributes.aligned),
                        is_packed: attributes.is_packed,
                        span: declaration.span,
                    });
                }
                continue;
            }
            for field in &declaration.declarators {
                let attributes = self.attributes(&[
                    &declaration.specifiers.attributes,
                    &field.declarator.attributes,
                    &field.attributes,
                ]);
                let Ok(specified) = self.no_unsupported_attribute(&attributes).and_then(|()| {
                    self.declared_type(base.clone(), &field.declarator, &attributes)
                }) else {
                    continue;
                };
                let name = field.declarator.name.as_ref().map(|name| name.name.clone());
                let width = match &field.width {
                    None => None,
                    Some(width) => match self.bit_width(width, &specified.ty.ty, name.is_some()) {
                        Ok(width) => Some(width),
                        Err(_) => continue,
                    },
                };
                let is_flexible = matches!(specified.ty.ty, Type::Array(_, Length::Unspecified));
                if !is_flexible && !self.is_complete(&specified.ty.ty)
                    || self.is_variable(&specified.ty.ty)
                {
                    if self.is_variable(&specified.ty.ty) {
                        self.unsupported_error(field.span, "a field is of variable size");
                        continue;
                    }
                    let text = self.show(&specified.ty.ty);
                    let what = name.as_deref().unwrap_or("unnamed");
                    let message = if matches!(specified.ty.ty, Type::Function(_)) {
                        format!("the field `{what}` is declared as a function")
                    } else {
                        format!("the field `{what}` has the incomplete type `{text}`")
                    };
                    self.error(field.span, message);
                    continue;
                }
                drafts.push(FieldDraft {
                    name,
                    ty: specified.ty,
                    width,
                    type_align: specified.align,
                    aligned: specified.requested,
                    is_packed: attributes.is_packed,
                    span: field.span,
                });
            }
        }
        drafts
    }

    fn bit_width(
        &mut self,
        width: &raddle_c_syntax::tree::Expression,
        ty: &Type,
        is_named: bool,
    ) -> Checked<u32> {
        let bits = self.constant_expression(width)?;
        let limit = match ty {
            Type::Bool => 1,
            Type::Integer(_) | Type::Enumeration(_) => {
                self.size_of(ty).expect("integers have a size") * 8
            }
            Type::Void
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Array(..)
            | Type::Function(_)
            | Type::Record(_)
            | Type::Unmodelled(_) => {
                return Err(self.error(width.span, "a bit-field must be of an integer type"));
            }
        };
        match u32::try_from(bits) {
            Ok(0) if is_named => Err(self.error(width.span, "a named bit-field has no width")),
            Ok(width) if u64::from(width) <= limit => Ok(width),
            Ok(_) | Err(_) if bits < 0 => {
                Err(self.error(width.span, "the width of a bit-field is negative"))
            }
            Ok(_) | Err(_) => Err(self.error(width.span, "the bit-field is wider than its type")),
        }
    }

    fn no_duplicate_members(&mut self, record: RecordId, drafts: &[FieldDraft]) {
        let mut seen = std::collections::HashMap::new();
        let mut twice = Vec::new();
        for draft in drafts {
            if let Some(name) = &draft.name
                && let Some(first) = seen.insert(name.clone(), draft.span)
            {
                twice.push((name.clone(), draft.span, first));
            }
        }
        for (name, span, first) in twice {
            let text = self.show(&Type::Record(record));
            self.report(
                Diagnostic::error("c", format!("`{text}` has two members `{name}`"))
                    .at(span, "")
                    .at(first, "the first one"),
            );
        }
    }

    /// glibc's types for synchronisation are objects of their own kind, if zeros may be one.
    pub(super) fn note_sync_typedef(&mut self, name: &str, ty: &Type) {
        let sync = match name {
            "pthread_mutex_t" | "mtx_t" => SyncType::Mutex(MutexKind::Plain),
            "pthread_rwlock_t" => SyncType::ReadWriteLock,
            "pthread_cond_t" | "cnd_t" => SyncType::Condition,
            "pthread_barrier_t" => SyncType::Barrier,
            _ => return,
        };
        let Type::Record(id) = ty else { return };
        let record = &mut self.records[*id];
        if record.is_complete && record.size == sync.size(self.model) {
            record.sync = Some(sync);
        }
    }
}

pub(super) fn qualify(ty: &mut Qualified, qualifiers: Qualifiers) {
    ty.is_volatile |= qualifiers.is_volatile;
    ty.is_atomic |= qualifiers.is_atomic;
    ty.is_const |= qualifiers.is_const;
    // An array is as const as its elements.
    if (qualifiers.is_const || qualifiers.is_volatile || qualifiers.is_atomic)
        && let Type::Array(element, length) = &ty.ty
    {
        let mut element = Qualified::clone(element);
        qualify(&mut element, qualifiers);
        ty.ty = Type::Array(element.into(), *length);
    }
}

/// The type of an operand as `typeof` and `sizeof` see it: arrays and functions are what they are.
pub(super) fn operand_type(operand: &Operand) -> Qualified {
    match operand {
        Operand::Lvalue(place) => place.ty.clone(),
        Operand::Value(value) => value.ty.clone().into(),
        Operand::Function(pointer) => match &pointer.ty {
            Type::Pointer(target) => Qualified::clone(target),
            other => other.clone().into(),
        },
    }
}
