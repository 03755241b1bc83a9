//! Sizes, alignments and the places of fields, as gcc has them on i386 and x86-64.

use raddle_base::Span;
use raddle_ir::DataModel;

use super::{Checked, Checker};
use crate::check::scope::Specified;
use crate::typed::{Arithmetic, Expression, ExpressionKind, Lvalue, LvalueKind};
use crate::types::{BitField, Field, FloatKind, IntegerKind, Length, Qualified, RecordId, Type};

/// A field before its place is known.
pub(super) struct FieldDraft {
    pub(super) name: Option<raddle_c_syntax::tree::Name>,
    pub(super) ty: Qualified,
    /// Of a bit-field.
    pub(super) width: Option<u32>,
    /// What a typedef gave its type.
    pub(super) type_align: Option<u64>,
    /// What was asked for it.
    pub(super) aligned: Option<u64>,
    pub(super) is_packed: bool,
    pub(super) span: Span,
}

pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    pub(super) size: u64,
    pub(super) align: u64,
}

impl Checker {
    /// In bytes; `None` of incomplete types and of arrays of variable length. As in GNU C, `void` and functions have 1.
    pub(super) fn size_of(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Void | Type::Bool | Type::Function(_) => Some(1),
            Type::Integer(kind) => Some(u64::from(kind.bits(self.model)) / 8),
            Type::Enumeration(id) => {
                let enumeration = &self.enumerations[*id];
                Some(u64::from(enumeration.kind.bits(self.model)) / 8)
            }
            Type::Float(FloatKind::Float) => Some(4),
            Type::Float(FloatKind::Double) => Some(8),
            Type::Float(FloatKind::LongDouble) => match self.model {
                DataModel::Ilp32 => Some(12),
                DataModel::Lp64 => Some(16),
            },
            Type::Pointer(_) => Some(self.model.pointer_bytes()),
            Type::Array(element, Length::Constant(count)) => {
                self.size_of(&element.ty)?.checked_mul(*count)
            }
            Type::Array(_, Length::Unspecified | Length::Variable(_)) => None,
            Type::Record(id) => {
                let record = &self.records[*id];
                record.is_complete.then_some(record.size)
            }
            Type::Unmodelled(unmodelled) => Some(unmodelled.size),
        }
    }

    /// Of an element, field or variable; on i386 eight bytes are aligned to four.
    pub(super) fn align_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(FloatKind::Float | FloatKind::Double) => {
                let size = self.size_of(ty).expect("scalars have a size");
                match self.model {
                    DataModel::Ilp32 => size.min(4),
                    DataModel::Lp64 => size,
                }
            }
            Type::Float(FloatKind::LongDouble) => match self.model {
                DataModel::Ilp32 => 4,
                DataModel::Lp64 => 16,
            },
            Type::Pointer(_) => self.model.pointer_bytes(),
            Type::Array(element, _) => self.align_of_qualified(element),
            Type::Record(id) => self.records[*id].align.max(1),
            Type::Unmodelled(unmodelled) => unmodelled.align,
        }
    }

    /// Atomic objects are aligned to their size.
    pub(super) fn align_of_qualified(&self, ty: &Qualified) -> u64 {
        let align = self.align_of(&ty.ty);
        if ty.is_atomic
            && !matches!(ty.ty, Type::Array(..))
            && let Some(size @ (1 | 2 | 4 | 8 | 16)) = self.size_of(&ty.ty)
        {
            return align.max(size);
        }
        align
    }

    pub(super) fn align_of_specified(&self, specified: &Specified) -> u64 {
        specified
            .align
            .unwrap_or_else(|| self.align_of_qualified(&specified.ty))
            .max(specified.requested.unwrap_or(1))
    }

    /// On i386, gcc likes scalars of eight bytes better at multiples of eight, though it asks only for four.
    pub(super) fn preferred_align(&self, specified: &Specified) -> u64 {
        let align = self.align_of_specified(specified);
        let is_scalar = matches!(
            innermost(&specified.ty.ty),
            Type::Integer(_) | Type::Enumeration(_) | Type::Float(_)
        );
        let is_plain = specified.align.is_none() && specified.requested.is_none();
        match self.size_of(innermost(&specified.ty.ty)) {
            Some(8) if is_scalar && is_plain => align.max(8),
            Some(_) | None => align,
        }
    }

    /// Of `double` in a struct.
    pub(super) fn word_align(&self) -> u64 {
        self.model.pointer_bytes()
    }

    pub(super) fn is_complete(&self, ty: &Type) -> bool {
        match ty {
            Type::Void | Type::Function(_) => false,
            Type::Array(element, length) => {
                !matches!(length, Length::Unspecified) && self.is_complete(&element.ty)
            }
            Type::Record(id) => self.records[*id].is_complete,
            Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Unmodelled(_) => true,
        }
    }

    /// Whether the size is only known when the program runs.
    #[expect(
        clippy::unused_self,
        reason = "reads like the other questions about types and values"
    )]
    pub(super) fn is_variable(&self, ty: &Type) -> bool {
        let mut ty = ty;
        while let Type::Array(element, length) = ty {
            if let Length::Variable(_) = length {
                return true;
            }
            ty = &element.ty;
        }
        false
    }

    pub(super) fn size_type(&self) -> Type {
        Type::Integer(match self.model {
            DataModel::Ilp32 => IntegerKind::UnsignedInt,
            DataModel::Lp64 => IntegerKind::UnsignedLong,
        })
    }

    pub(super) fn difference_type(&self) -> Type {
        Type::Integer(match self.model {
            DataModel::Ilp32 => IntegerKind::Int,
            DataModel::Lp64 => IntegerKind::Long,
        })
    }

    /// The size as a `size_t`, computed if the type is of variable length.
    pub(super) fn size_expression(&mut self, ty: &Type, span: Span) -> Checked<Expression> {
        let size_type = self.size_type();
        if let Some(size) = self.size_of(ty) {
            return Ok(Expression {
                ty: size_type,
                kind: ExpressionKind::Integer(u128::from(size)),
                span,
            });
        }
        match ty {
            Type::Array(element, Length::Variable(length)) => {
                let element = self.size_expression(&element.ty, span)?;
                let length = Expression {
                    ty: size_type.clone(),
                    kind: ExpressionKind::Load(Box::new(Lvalue {
                        ty: size_type.clone().into(),
                        kind: LvalueKind::Local(*length),
                        span,
                    })),
                    span,
                };
                Ok(Expression {
                    ty: size_type,
                    kind: ExpressionKind::Arithmetic(
                        Arithmetic::Multiply,
                        Box::new(length),
                        Box::new(element),
                    ),
                    span,
                })
            }
            Type::Array(element, Length::Constant(count)) if self.is_variable(&element.ty) => {
                let element = self.size_expression(&element.ty, span)?;
                let count = Expression {
                    ty: size_type.clone(),
                    kind: ExpressionKind::Integer(u128::from(*count)),
                    span,
                };
                Ok(Expression {
                    ty: size_type,
                    kind: ExpressionKind::Arithmetic(
                        Arithmetic::Multiply,
                        Box::new(count),
                        Box::new(element),
                    ),
                    span,
                })
            }
            _ => {
                let text = self.show(ty);
                Err(self.error(span, format!("the type `{text}` is incomplete")))
            }
        }
    }

    /// Where the fields of a record lie.
    pub(super) fn lay_out(
        &mut self,
        drafts: Vec<FieldDraft>,
        is_union: bool,
        is_packed: bool,
        aligned: Option<u64>,
        member_limit: Option<u64>,
    ) -> Checked<Layout> {
        let mut cursor = LayoutCursor::default();
        let mut fields: Vec<Field> = Vec::new();
        // The bit-fields of one memory location begin here among the fields.
        let mut run = 0;
        let mut align_without_atomics = aligned.unwrap_or(1);
        for draft in drafts {
            let packed = is_packed || draft.is_packed;
            if is_union {
                cursor.bits = 0;
            }
            let Some(size) = self.field_size(&draft.ty.ty) else {
                return Err(self.error(draft.span, "the size of this field is not supported"));
            };
            let own = self.align_of_qualified(&draft.ty);
            let unit = draft.type_align.unwrap_or(own);
            let requested = draft.aligned.unwrap_or(1);
            let unlimited = requested.max(if packed { 1 } else { unit });
            let align = match member_limit {
                // As in gcc, a bit-field forgets that it is packed where members are limited.
                Some(limit) if draft.width.is_some() => requested.max(unit).min(limit),
                Some(limit) => unlimited.min(limit),
                None => unlimited,
            };
            if own == self.align_of(innermost(&draft.ty.ty)) || draft.type_align.is_some() {
                align_without_atomics = align_without_atomics.max(align);
            }
            let placed = match draft.width {
                Some(width) => {
                    let aligned = draft.aligned.map(|it| it.min(member_limit.unwrap_or(it)));
                    let may_straddle = packed || member_limit.is_some();
                    let bits = cursor.bit_field(width, size, unit, may_straddle, aligned);
                    if draft.name.is_some() && width > 0 {
                        cursor.align = cursor.align.max(align);
                    }
                    if width == 0 || is_union {
                        run = fields.len();
                    }
                    bits.map(|first| {
                        let last = (first + u64::from(width)).saturating_sub(1);
                        let location = (first / 8, last / 8);
                        let bits = BitField {
                            first,
                            width,
                            location,
                        };
                        (0, Some(bits))
                    })
                }
                None => cursor.plain(size, align).map(|offset| (offset, None)),
            };
            let Some((offset, bits)) = placed else {
                return Err(self.error(draft.span, "the struct is too large"));
            };
            cursor.end = cursor.end.max(cursor.bits);
            let is_kept = match draft.width {
                Some(width) => width > 0 && draft.name.is_some(),
                None => true,
            };
            if is_kept {
                fields.push(Field {
                    name: draft.name,
                    ty: draft.ty,
                    offset,
                    bits,
                });
                match bits {
                    Some(_) => share_location(&mut fields[run..]),
                    None => run = fields.len(),
                }
            }
        }
        let mut align = cursor.align.max(aligned.unwrap_or(1));
        let size = cursor.end.div_ceil(8).next_multiple_of(align);
        if size == 8 && align == 8 && self.model == DataModel::Ilp32 && align_without_atomics <= 4 {
            // i386: what fits two registers is not aligned for the sake of an atomic object in it.
            align = 4;
        }
        Ok(Layout {
            fields,
            size,
            align,
        })
    }

    /// Flexible arrays have no size.
    fn field_size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Array(_, Length::Unspecified) => Some(0),
            _ => self.size_of(ty),
        }
    }

    /// The record's fields, those of anonymous members included, by the path to them.
    pub(super) fn find_field(&self, record: RecordId, name: &str) -> Option<Vec<usize>> {
        for (index, field) in self.records[record].fields.iter().enumerate() {
            if field.name.as_deref() == Some(name) {
                return Some(vec![index]);
            }
            if field.name.is_none()
                && let Type::Record(inner) = field.ty.ty
                && let Some(mut path) = self.find_field(inner, name)
            {
                path.insert(0, index);
                return Some(path);
            }
        }
        None
    }
}

/// Bit-fields that stand side by side are one memory location.
fn share_location(run: &mut [Field]) {
    let locations = || run.iter().filter_map(|field| Some(field.bits?.location));
    let first = locations().map(|(first, _)| first).min();
    let last = locations().map(|(_, last)| last).max();
    if let (Some(first), Some(last)) = (first, last) {
        for bits in run.iter_mut().filter_map(|field| field.bits.as_mut()) {
            bits.location = (first, last);
        }
    }
}

/// What an array is made of in the end.
fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(element, _) => innermost(&element.ty),
        _ => ty,
    }
}

/// How far a record is filled.
struct LayoutCursor {
    bits: u64,
    end: u64,
    align: u64,
}

impl Default for LayoutCursor {
    fn default() -> Self {
        Self {
            bits: 0,
            end: 0,
            align: 1,
        }
    }
}

/// Keeps sums far from overflow.
const LARGEST_BITS: u64 = 1 << 60;

impl LayoutCursor {
    fn plain(&mut self, size: u64, align: u64) -> Option<u64> {
        self.align = self.align.max(align);
        let offset = self.bits.div_ceil(8).next_multiple_of(align);
        self.bits = offset.checked_add(size)?.checked_mul(8)?;
        (self.bits < LARGEST_BITS).then_some(offset)
    }

    /// A bit-field does not cross more units of its type's alignment than its type does.
    fn bit_field(
        &mut self,
        width: u32,
        size: u64,
        unit: u64,
        is_packed: bool,
        aligned: Option<u64>,
    ) -> Option<u64> {
        let width = u64::from(width);
        let unit_bits = unit * 8;
        if width == 0 {
            self.bits = self.bits.next_multiple_of(unit_bits);
            return Some(self.bits);
        }
        if let Some(aligned) = aligned {
            self.bits = self.bits.next_multiple_of(aligned * 8);
        }
        if !is_packed {
            let spanned = (self.bits % unit_bits + width).div_ceil(unit_bits);
            if spanned > (size * 8) / unit_bits {
                self.bits = self.bits.next_multiple_of(unit_bits);
            }
        }
        let first = self.bits;
        self.bits += width;
        (self.bits < LARGEST_BITS).then_some(first)
    }
}
