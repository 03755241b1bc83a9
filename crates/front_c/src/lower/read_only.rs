//! What C forbids to write to, whatever the pointer: objects that are defined `const`, and members that are declared so
//! (C11 6.7.3p6). Memory on the heap has no declared type.

use raddle_ir::{Access, ReadOnly};

use crate::typed::Object;
use crate::types::{Length, Qualified, Type};

use super::Lowering;
use super::body::FunctionLowering;

/// Of an array with more elements than this, members are not told apart.
const MOST_ELEMENTS: u64 = 4096;

impl Lowering<'_> {
    /// The bytes of something with static storage. Of what others define, somebody gives it its value.
    pub(super) fn read_only_object(&self, object: &Object) -> ReadOnly {
        if !object.is_defined {
            ReadOnly::NOTHING
        } else if object.is_string_literal || object.ty.is_const {
            ReadOnly::all(object.size)
        } else {
            self.read_only(&object.ty)
        }
    }

    /// The bytes of a local. Locks are left out: one is made by a call, which is no initialiser.
    pub(super) fn read_only(&self, ty: &Qualified) -> ReadOnly {
        let mut parts = Vec::new();
        self.add_parts(&ty.ty, ty.is_const, 0, &mut parts);
        ReadOnly::of(parts)
    }

    fn has_locks(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.has_locks(&element.ty),
            Type::Record(record) => {
                let record = &self.module.records[*record];
                record.sync.is_some() || record.fields.iter().any(|it| self.has_locks(&it.ty.ty))
            }
            Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Unmodelled(_) => false,
        }
    }

    fn add_parts(&self, ty: &Type, is_const: bool, offset: u64, parts: &mut Vec<(u64, u64)>) {
        match ty {
            Type::Array(element, Length::Constant(length)) => {
                let is_const = is_const || element.is_const;
                let size = self.size(&element.ty);
                let mut first = Vec::new();
                self.add_parts(&element.ty, is_const, 0, &mut first);
                if first == [(0, size)] {
                    parts.push((offset, size * length));
                } else if *length <= MOST_ELEMENTS {
                    for index in 0..*length {
                        let begin = offset + index * size;
                        parts.extend(first.iter().map(|(at, size)| (begin + at, *size)));
                    }
                }
            }
            Type::Record(record) => {
                let size = self.size(ty);
                let record = &self.module.records[*record];
                if record.sync.is_some() {
                    return;
                }
                let is_whole = is_const && !self.has_locks(ty);
                if is_whole {
                    parts.push((offset, size));
                    return;
                }
                // Members of a union may be written by other names, and bit-fields share their bytes with others.
                let members = record.fields.iter().filter(|_| !record.is_union);
                for field in members.filter(|it| it.bits.is_none()) {
                    let is_const = is_const || field.ty.is_const;
                    self.add_parts(&field.ty.ty, is_const, offset + field.offset, parts);
                }
            }
            Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Unmodelled(_) => {
                if is_const {
                    parts.push((offset, self.size(ty)));
                }
            }
            Type::Void
            | Type::Function(_)
            | Type::Array(_, Length::Unspecified | Length::Variable(_)) => {}
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// What is stored meanwhile are first values, if that makes a difference.
    pub(super) fn storing_first<T>(
        &mut self,
        is_first: bool,
        what: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let how = if is_first {
            Access::Initial
        } else {
            Access::Plain
        };
        let before = std::mem::replace(&mut self.plain_store, how);
        let result = what(self);
        self.plain_store = before;
        result
    }
}
