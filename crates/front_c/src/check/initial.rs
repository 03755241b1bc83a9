//! Initialisers: lists with and without all their braces, designators and strings become leaves at offsets.

use raddle_c_syntax::tree::{
    self, Encoding, ExpressionKind as Syntax, Initializer, InitializerList, StringLiteral,
};

use super::fill::{Braces, Cursor};
use super::leaf::{LEAF_LIMIT, Leaf, Sink};
use super::{Checked, Checker};
use crate::typed::{Expression, Initial, LocalPiece, PieceValue};
use crate::types::{BitField, IntegerKind, Length, Qualified, Type};

impl Checker {
    /// The initial value of a local, and its type with the length that the initialiser gives it.
    pub(super) fn local_initial(
        &mut self,
        ty: &Qualified,
        initializer: &Initializer,
    ) -> Checked<(Initial, Qualified)> {
        let mut sink = Sink::default();
        let completed = self.initialise(&ty.ty, (0, None), initializer, &mut sink)?;
        let is_zeroed =
            matches!(initializer, Initializer::List(_)) || matches!(completed, Type::Array(..));
        Ok((into_initial(sink, is_zeroed), with_type(ty, completed)))
    }

    /// That of a compound literal.
    pub(super) fn list_initial(
        &mut self,
        ty: &Qualified,
        list: &InitializerList,
    ) -> Checked<(Initial, Qualified)> {
        let mut sink = Sink::default();
        let completed = self.initialise_list(&ty.ty, (0, None), list, &mut sink)?;
        Ok((into_initial(sink, true), with_type(ty, completed)))
    }

    /// Returns the type, with its length if that was open.
    pub(super) fn initialise(
        &mut self,
        ty: &Type,
        at: (u64, Option<BitField>),
        initializer: &Initializer,
        sink: &mut Sink,
    ) -> Checked<Type> {
        let expression = match initializer {
            Initializer::List(list) => return self.initialise_list(ty, at, list, sink),
            Initializer::Expression(expression) => expression,
        };
        if let Type::Array(element, length) = ty {
            if let Some(literal) = self.string_for(&element.ty, expression) {
                let count = self.put_string(element, *length, literal, at.0, sink);
                return Ok(Type::Array(element.clone(), Length::Constant(count)));
            }
            if let Syntax::CompoundLiteral(_, list) = &expression.kind {
                return self.initialise_list(ty, at, list, sink);
            }
            return Err(self.error(
                expression.span,
                "an array is initialised by a list in braces or a string",
            ));
        }
        if sink.is_static
            && let Syntax::CompoundLiteral(name, list) = &expression.kind
            && matches!(ty, Type::Record(_))
            && self.type_name(name)?.ty.ty == *ty
        {
            return self.initialise_list(ty, at, list, sink);
        }
        let value = self.value(expression)?;
        self.put_value(ty, at, value, sink)?;
        Ok(ty.clone())
    }

    pub(super) fn initialise_list(
        &mut self,
        ty: &Type,
        at: (u64, Option<BitField>),
        list: &InitializerList,
        sink: &mut Sink,
    ) -> Checked<Type> {
        let mut cursor = Cursor::new(&list.elements);
        match ty {
            Type::Array(element, length) => {
                if let [only] = &list.elements[..]
                    && only.designators.is_empty()
                    && let Initializer::Expression(expression) = &only.value
                    && let Some(literal) = self.string_for(&element.ty, expression)
                {
                    let count = self.put_string(element, *length, literal, at.0, sink);
                    return Ok(Type::Array(element.clone(), Length::Constant(count)));
                }
                let count = match length {
                    Length::Constant(count) => Some(*count),
                    Length::Unspecified => None,
                    Length::Variable(_) => {
                        return Err(self.error(
                            list.span,
                            "an array of variable length cannot be initialised",
                        ));
                    }
                };
                let reached =
                    self.fill_array(element, count, at.0, &mut cursor, sink, 0, Braces::Written)?;
                Ok(Type::Array(
                    element.clone(),
                    Length::Constant(count.unwrap_or(reached)),
                ))
            }
            Type::Record(id) => {
                if !self.records[*id].is_complete {
                    let text = self.show(ty);
                    let message = format!("the incomplete type `{text}` is initialised");
                    return Err(self.error(list.span, message));
                }
                self.fill_record(*id, at.0, &mut cursor, sink, 0, Braces::Written)?;
                Ok(ty.clone())
            }
            Type::Unmodelled(unmodelled) if list.elements.len() > 1 => {
                let value = self.unsupported(
                    format!("a list for `{}`", unmodelled.name),
                    ty.clone(),
                    list.span,
                );
                self.put_value(ty, at, value, sink)?;
                Ok(ty.clone())
            }
            Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Unmodelled(_) => {
                let Some(first) = list.elements.first() else {
                    return Ok(ty.clone());
                };
                if !first.designators.is_empty() {
                    return Err(self.error(first.span, "there is nothing to designate in a scalar"));
                }
                if let Some(second) = list.elements.get(1) {
                    self.warn(second.span, "there are more initial values than places");
                }
                self.initialise(ty, at, &first.value, sink)
            }
        }
    }

    pub(super) fn put_value(
        &mut self,
        ty: &Type,
        (offset, bits): (u64, Option<BitField>),
        value: Expression,
        sink: &mut Sink,
    ) -> Checked<()> {
        let span = value.span;
        let value = self.assign_convert(value, ty, "the initial value")?;
        let (start, end) = if let Some(bits) = bits {
            let start = offset * 8 + bits.first;
            (start, start + u64::from(bits.width))
        } else {
            let size = self.size_of(ty).unwrap_or(0);
            (offset * 8, (offset + size) * 8)
        };
        if sink.leaves.len() >= LEAF_LIMIT {
            return Err(self.unsupported_error(span, "the initialiser has too many values"));
        }
        sink.add(Leaf {
            offset,
            bits,
            ty: ty.clone(),
            value: PieceValue::Expression(value),
            span,
            start,
            end,
        });
        Ok(())
    }

    /// The literal, if it can initialise an array of such elements.
    pub(super) fn string_for<'t>(
        &self,
        element: &Type,
        expression: &'t tree::Expression,
    ) -> Option<&'t StringLiteral> {
        let Syntax::String(literal) = &expression.kind else {
            return None;
        };
        let Type::Integer(kind) = element else {
            return None;
        };
        let is_character = matches!(
            kind,
            IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar
        );
        let fits = match literal.encoding {
            Encoding::Bytes => is_character,
            Encoding::Wide | Encoding::Utf16 | Encoding::Utf32 => {
                let unit = self.string_element(literal.encoding);
                kind.bits(self.model) == unit.bits(self.model)
            }
        };
        fits.then_some(literal)
    }

    /// Returns the number of elements of the array.
    pub(super) fn put_string(
        &mut self,
        element: &Qualified,
        length: Length,
        literal: &StringLiteral,
        offset: u64,
        sink: &mut Sink,
    ) -> u64 {
        let mut bytes = self.string_bytes(literal);
        let size = self.size_of(&element.ty).unwrap_or(1).max(1);
        let count = match length {
            Length::Constant(count) => count,
            Length::Unspecified | Length::Variable(_) => {
                u64::try_from(bytes.len()).unwrap_or(u64::MAX) / size
            }
        };
        let limit = usize::try_from(count.saturating_mul(size)).unwrap_or(usize::MAX);
        if bytes.len() > limit {
            // Without its zero it may still fit; else gcc warns and cuts.
            if bytes.len() - limit > usize::try_from(size).unwrap_or(1) {
                self.warn(literal.span, "the string is longer than the array");
            }
            bytes.truncate(limit);
        }
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        sink.add(Leaf {
            offset,
            bits: None,
            ty: element.ty.clone(),
            value: PieceValue::Bytes(bytes),
            span: literal.span,
            start: offset * 8,
            end: (offset + length) * 8,
        });
        count
    }
}

fn into_initial(sink: Sink, is_zeroed: bool) -> Initial {
    let pieces = sink
        .leaves
        .into_iter()
        .map(|leaf| LocalPiece {
            offset: leaf.offset,
            bits: leaf.bits,
            value: leaf.value,
        })
        .collect();
    Initial { is_zeroed, pieces }
}

pub(super) fn with_type(qualified: &Qualified, ty: Type) -> Qualified {
    Qualified {
        ty,
        ..qualified.clone()
    }
}
