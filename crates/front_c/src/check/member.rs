//! Ways to places: members, elements, `*`, `&`, `offsetof`.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, Designator, Identifier, TypeName};
use raddle_diag::Diagnostic;

use super::convert::Operand;
use super::scope::most_similar;
use super::{Checked, Checker};
use crate::typed::{Arithmetic, Expression, ExpressionKind, Lvalue, LvalueKind};
use crate::types::{IntegerKind, Length, Qualified, RecordId, Type};

impl Checker {
    pub(super) fn member(
        &mut self,
        operand: &tree::Expression,
        member: &Identifier,
        is_arrow: bool,
        span: Span,
    ) -> Checked<Operand> {
        let operand = self.operand(operand)?;
        let place = if is_arrow {
            let pointer = self.rvalue(operand)?;
            self.pointed_record(pointer, member)?
        } else {
            match operand {
                Operand::Lvalue(place) => place,
                Operand::Value(value) if matches!(value.ty, Type::Record(_)) => {
                    self.place_of_value(value)
                }
                Operand::Value(value) | Operand::Function(value) => {
                    return Err(self.no_record(&value.ty.clone(), member, false));
                }
            }
        };
        let Type::Record(record) = place.ty.ty else {
            return Err(self.no_record(&place.ty.ty.clone(), member, is_arrow));
        };
        let path = self.field_path(record, member)?;
        Ok(Operand::Lvalue(self.place_on_path(place, &path, span)))
    }

    fn pointed_record(&mut self, pointer: Expression, member: &Identifier) -> Checked<Lvalue> {
        match &pointer.ty {
            Type::Pointer(target) if matches!(target.ty, Type::Record(_)) => Ok(Lvalue {
                ty: Qualified::clone(target),
                span: pointer.span,
                kind: LvalueKind::Dereference(Box::new(pointer)),
            }),
            ty => {
                let ty = ty.clone();
                Err(self.no_record(&ty, member, true))
            }
        }
    }

    fn no_record(&mut self, ty: &Type, member: &Identifier, is_arrow: bool) -> super::Poisoned {
        let text = self.show(ty);
        let name = &member.name;
        let mut diagnostic = Diagnostic::error(
            "c",
            format!("`{text}` has no members, so that there is no `{name}` in it"),
        )
        .at(member.span, "");
        match ty {
            Type::Pointer(target) if !is_arrow && matches!(target.ty, Type::Record(_)) => {
                diagnostic = diagnostic.help("it is a pointer: write `->`");
            }
            Type::Record(_) if is_arrow => {
                diagnostic = diagnostic.help("it is no pointer: write `.`");
            }
            _ => {}
        }
        self.report(diagnostic)
    }

    pub(super) fn field_path(
        &mut self,
        record: RecordId,
        member: &Identifier,
    ) -> Checked<Vec<usize>> {
        if let Some(path) = self.find_field(record, &member.name) {
            return Ok(path);
        }
        let text = self.show(&Type::Record(record));
        if !self.records[record].is_complete {
            return Err(self.error(member.span, format!("`{text}` is an incomplete type")));
        }
        let names: Vec<String> = self.records[record]
            .fields
            .iter()
            .filter_map(|field| field.name.as_ref().map(ToString::to_string))
            .collect();
        let mut diagnostic =
            Diagnostic::error("c", format!("`{text}` has no member `{}`", member.name))
                .at(member.span, "");
        if let Some(similar) = most_similar(&member.name, names.iter().map(String::as_str)) {
            diagnostic = diagnostic.help(format!("did you mean `{similar}`?"));
        }
        Err(self.report(diagnostic))
    }

    /// Descends by the indices of fields.
    pub(super) fn place_on_path(&self, place: Lvalue, path: &[usize], span: Span) -> Lvalue {
        let mut place = place;
        for index in path {
            let Type::Record(record) = place.ty.ty else {
                return place;
            };
            if let Some(what) = &self.records[record].unsupported {
                let what = format!("a member of a struct with {what}");
                let pointer = Type::Pointer(place.ty.clone().into());
                place.kind =
                    LvalueKind::Dereference(Box::new(self.unsupported(what, pointer, span)));
            }
            let field = &self.records[record].fields[*index];
            let mut ty = field.ty.clone();
            // What is constant is so in all its parts.
            super::specify::qualify(
                &mut ty,
                tree::Qualifiers {
                    is_const: place.ty.is_const,
                    is_volatile: place.ty.is_volatile,
                    is_restrict: false,
                    is_atomic: false,
                },
            );
            place = Lvalue {
                ty,
                kind: LvalueKind::Field(Box::new(place), field.offset, field.bits),
                span,
            };
        }
        place
    }

    /// `a[i]`, which is `*(a + i)`.
    pub(super) fn index(
        &mut self,
        left: &tree::Expression,
        right: &tree::Expression,
        span: Span,
    ) -> Checked<Operand> {
        let left = self.value(left);
        let right = self.value(right);
        let (left, right) = (left?, right?);
        let (pointer, index) = match (&left.ty, &right.ty) {
            (Type::Pointer(_), ty) if self.is_integer(ty) => (left, right),
            (ty, Type::Pointer(_)) if self.is_integer(ty) => (right, left),
            (Type::Unmodelled(vector), ty) if self.is_integer(ty) => {
                let int = Qualified::from(Type::Integer(IntegerKind::Int));
                let pointer = Type::Pointer(int.clone().into());
                let what = format!("an element of `{}`", vector.name);
                return Ok(Operand::Lvalue(Lvalue {
                    ty: int,
                    kind: LvalueKind::Dereference(Box::new(self.unsupported(what, pointer, span))),
                    span,
                }));
            }
            (Type::Pointer(_), other) | (other, _) => {
                let text = self.show(other);
                let message = format!("this is indexed, but it is `{text}`");
                let message = if matches!(left.ty, Type::Pointer(_)) {
                    format!("an index must be an integer, this is `{text}`")
                } else {
                    message
                };
                return Err(self.error(span, message));
            }
        };
        let sum = self.pointer_add(pointer, index, false, span)?;
        self.dereferenced(sum, span)
    }

    pub(super) fn dereferenced(&mut self, pointer: Expression, span: Span) -> Checked<Operand> {
        let Type::Pointer(target) = &pointer.ty else {
            let text = self.show(&pointer.ty);
            return Err(self.error(span, format!("`*` needs a pointer, this is `{text}`")));
        };
        if let Type::Function(_) = target.ty {
            return Ok(Operand::Function(pointer));
        }
        Ok(Operand::Lvalue(Lvalue {
            ty: Qualified::clone(target),
            kind: LvalueKind::Dereference(Box::new(pointer)),
            span,
        }))
    }

    /// What a builtin finds where an argument points: of `&local` the local itself, which then has no need of an address.
    /// What is `const` keeps it, because a write to it must be seen.
    pub(super) fn pointee(&mut self, pointer: Expression, target: Qualified, span: Span) -> Lvalue {
        let mut inner = &pointer;
        while let ExpressionKind::Cast(operand) = &inner.kind
            && matches!(operand.ty, Type::Pointer(_))
        {
            inner = operand;
        }
        let local = match &inner.kind {
            ExpressionKind::AddressOf(place) => match place.kind {
                LvalueKind::Local(local)
                    if self.is_scalar(&target.ty)
                        && place.ty.ty == target.ty
                        && !self.function.locals[local].ty.is_const =>
                {
                    Some(local)
                }
                _ => None,
            },
            _ => None,
        };
        Lvalue {
            ty: target,
            kind: match local {
                Some(local) => LvalueKind::Local(local),
                None => LvalueKind::Dereference(Box::new(pointer)),
            },
            span,
        }
    }

    /// `&operand`
    pub(super) fn address(&mut self, operand: Operand, span: Span) -> Checked<Expression> {
        match operand {
            Operand::Function(mut pointer) => {
                pointer.span = span;
                Ok(pointer)
            }
            Operand::Lvalue(mut place) => {
                if let LvalueKind::Field(_, _, Some(_)) = place.kind {
                    return Err(self.error(span, "a bit-field has no address"));
                }
                place.span = span;
                let ty = Type::Pointer(place.ty.clone().into());
                Ok(self.address_of(place, ty))
            }
            Operand::Value(value) => {
                if let Type::Record(_) = value.ty {
                    // gcc refuses; a statement expression or a cast may have hidden the place.
                    let place = self.place_of_value(value);
                    if let LvalueKind::Value(..) = place.kind {
                        return Err(self.error(span, "`&` needs something that lies in memory"));
                    }
                    let ty = Type::Pointer(place.ty.clone().into());
                    return Ok(self.address_of(place, ty));
                }
                Err(self.error(span, "`&` needs something that lies in memory"))
            }
        }
    }

    /// `pointer ± index`
    pub(super) fn pointer_add(
        &mut self,
        pointer: Expression,
        index: Expression,
        is_subtract: bool,
        span: Span,
    ) -> Checked<Expression> {
        let Type::Pointer(target) = &pointer.ty else {
            return Err(self.error(span, "a pointer is needed here"));
        };
        let target = target.ty.clone();
        let size = self.element_size(&target, span)?;
        let index = self.promote(index);
        Ok(Expression {
            ty: pointer.ty.clone(),
            kind: ExpressionKind::PointerAdd {
                pointer: Box::new(pointer),
                index: Box::new(index),
                size: Box::new(size),
                is_subtract,
            },
            span,
        })
    }

    /// How far pointers of this type step.
    pub(super) fn element_size(&mut self, ty: &Type, span: Span) -> Checked<Expression> {
        if let Type::Array(_, Length::Unspecified) | Type::Record(_) = ty
            && self.size_of(ty).is_none()
        {
            let text = self.show(ty);
            let message = format!("arithmetic on a pointer to the incomplete type `{text}`");
            return Err(self.error(span, message));
        }
        self.size_expression(ty, span)
    }

    /// `__builtin_offsetof(type, a.b[i])`
    pub(super) fn offsetof(
        &mut self,
        ty: &TypeName,
        designators: &[Designator],
        span: Span,
    ) -> Checked<Expression> {
        let specified = self.type_name(ty)?;
        self.pending.clear();
        let size_type = self.size_type();
        let mut ty = specified.ty.ty;
        let mut constant = 0_u64;
        let mut sum: Option<Expression> = None;
        for designator in designators {
            match designator {
                Designator::Member(member) => {
                    let Type::Record(record) = ty else {
                        return Err(self.no_record(&ty, member, false));
                    };
                    let mut record = record;
                    ty = Type::Record(record);
                    for index in self.field_path(record, member)? {
                        let field = &self.records[record].fields[index];
                        if field.bits.is_some() {
                            return Err(self.error(member.span, "a bit-field has no offset"));
                        }
                        constant = constant.saturating_add(field.offset);
                        ty = field.ty.ty.clone();
                        if let Type::Record(inner) = ty {
                            record = inner;
                        }
                    }
                }
                Designator::Index(index) | Designator::Range(index, _) => {
                    let Type::Array(element, _) = &ty else {
                        return Err(
                            self.error(span, "`offsetof` indexes something that is no array")
                        );
                    };
                    let element = element.ty.clone();
                    let size = self.size_expression(&element, span)?;
                    let index = self.value(index)?;
                    if !self.is_integer(&index.ty) {
                        return Err(self.error(span, "an index must be an integer"));
                    }
                    let index = self.convert(index, &size_type);
                    let bytes =
                        self.arithmetic(Arithmetic::Multiply, index, size, size_type.clone(), span);
                    sum = Some(match sum {
                        None => bytes,
                        Some(sum) => {
                            self.arithmetic(Arithmetic::Add, sum, bytes, size_type.clone(), span)
                        }
                    });
                    ty = element;
                }
            }
        }
        let constant = Expression {
            ty: size_type.clone(),
            kind: ExpressionKind::Integer(u128::from(constant)),
            span,
        };
        Ok(match sum {
            None => constant,
            Some(sum) => self.arithmetic(Arithmetic::Add, constant, sum, size_type, span),
        })
    }
}
