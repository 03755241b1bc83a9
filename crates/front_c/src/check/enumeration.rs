//! Enumerations: their constants, and the integer types that hold them.

use raddle_c_syntax::tree::EnumSpecifier;

use super::scope::{Entity, Tag};
use super::{Checked, Checker};
use crate::types::{Enumeration, EnumerationId, IntegerKind, Type};

impl Checker {
    pub(super) fn enum_specifier(
        &mut self,
        specifier: &EnumSpecifier,
        is_alone: bool,
    ) -> Checked<EnumerationId> {
        let existing = match &specifier.tag {
            None => None,
            Some(tag) => {
                let found = if specifier.enumerators.is_some() || is_alone {
                    self.lookup_tag_here(&tag.name)
                } else {
                    self.lookup_tag(&tag.name)
                };
                match found {
                    Some(Tag::Enumeration(id)) => Some(id),
                    Some(Tag::Record(_)) => {
                        let message = format!("`{}` is the tag of another kind of type", tag.name);
                        return Err(self.error(tag.span, message));
                    }
                    None => None,
                }
            }
        };
        let id = existing.unwrap_or_else(|| {
            let id = self.enumerations.push(Enumeration {
                tag: specifier.tag.as_ref().map(|tag| tag.name.clone()),
                is_complete: false,
                kind: IntegerKind::UnsignedInt,
            });
            if let Some(tag) = &specifier.tag {
                self.bind_tag(&tag.name, Tag::Enumeration(id));
            }
            id
        });
        if specifier.enumerators.is_some() {
            if self.enumerations[id].is_complete {
                let text = self.show(&Type::Enumeration(id));
                return Err(self.error(specifier.span, format!("`{text}` is defined twice")));
            }
            self.enumerators(id, specifier);
        }
        Ok(id)
    }

    fn enumerators(&mut self, id: EnumerationId, specifier: &EnumSpecifier) {
        let mut next: i128 = 0;
        let (mut least, mut greatest) = (0_i128, 0_i128);
        let mut names = Vec::new();
        for enumerator in specifier.enumerators.iter().flatten() {
            if let Some(value) = &enumerator.value
                && let Ok(value) = self.constant_expression(value)
            {
                next = value;
            }
            least = least.min(next);
            greatest = greatest.max(next);
            // Inside its enumeration, a constant has the type that holds it.
            let kind = self.smallest_kind(next.min(0), next.max(0), false);
            let kind = if self.fits(next, IntegerKind::Int) {
                IntegerKind::Int
            } else {
                kind
            };
            let name = &enumerator.name;
            if let Some(first) = self.lookup_here(&name.name).map(|first| first.span) {
                let message = format!("`{}` is declared twice", name.name);
                self.redeclared(message, name.span, Some(first));
            }
            let bits = self.bits_of(next, &Type::Integer(kind));
            self.bind(
                &name.name,
                Entity::Enumerator(bits, Type::Integer(kind)),
                name.span,
            );
            names.push((name.clone(), next));
            next = next.wrapping_add(1);
        }
        let attributes = self.attributes(&[&specifier.attributes]);
        // What is wrong was reported.
        let _ = self.no_unsupported_attribute(&attributes);
        let kind = self.smallest_kind(least, greatest, attributes.is_packed);
        let enumeration = &mut self.enumerations[id];
        enumeration.kind = kind;
        enumeration.is_complete = true;
        // If one constant needs more than an `int`, all of them have the type of the enumeration.
        if !(self.fits(least, IntegerKind::Int) && self.fits(greatest, IntegerKind::Int)) {
            let ty = Type::Integer(kind);
            for (name, value) in names {
                let bits = self.bits_of(value, &ty);
                self.bind(&name.name, Entity::Enumerator(bits, ty.clone()), name.span);
            }
        }
    }

    fn smallest_kind(&self, least: i128, greatest: i128, is_packed: bool) -> IntegerKind {
        let mut kinds = Vec::new();
        if is_packed {
            kinds.extend([
                IntegerKind::UnsignedChar,
                IntegerKind::SignedChar,
                IntegerKind::UnsignedShort,
                IntegerKind::Short,
            ]);
        }
        kinds.extend([
            IntegerKind::UnsignedInt,
            IntegerKind::Int,
            IntegerKind::UnsignedLong,
            IntegerKind::Long,
            IntegerKind::UnsignedLongLong,
            IntegerKind::LongLong,
        ]);
        kinds
            .into_iter()
            .find(|kind| self.fits(least, *kind) && self.fits(greatest, *kind))
            .unwrap_or(IntegerKind::LongLong)
    }

    pub(super) fn fits(&self, value: i128, kind: IntegerKind) -> bool {
        let int = kind.int_type(self.model);
        value >= int.min() && (value < 0 || value.unsigned_abs() <= int.max())
    }
}
