//! When two types are compatible in the sense of C.

use super::Checker;
use crate::types::{FunctionType, Length, Qualified, Type};

impl Checker {
    pub(super) fn are_compatible(&self, left: &Qualified, right: &Qualified) -> bool {
        // Qualifiers of arrays are those of their elements.
        let is_array = matches!(left.ty, Type::Array(..));
        (is_array
            || (left.is_const == right.is_const
                && left.is_volatile == right.is_volatile
                && left.is_atomic == right.is_atomic))
            && self.are_types_compatible(&left.ty, &right.ty)
    }

    pub(super) fn are_types_compatible(&self, left: &Type, right: &Type) -> bool {
        if left == right {
            return true;
        }
        match (left, right) {
            (Type::Pointer(left), Type::Pointer(right)) => self.are_compatible(left, right),
            (Type::Array(left, left_length), Type::Array(right, right_length)) => {
                let are_lengths = match (left_length, right_length) {
                    (Length::Constant(left), Length::Constant(right)) => left == right,
                    (Length::Unspecified | Length::Variable(_), _)
                    | (_, Length::Unspecified | Length::Variable(_)) => true,
                };
                are_lengths && self.are_compatible(left, right)
            }
            (Type::Function(left), Type::Function(right)) => {
                self.are_functions_compatible(left, right)
            }
            (Type::Enumeration(id), Type::Integer(kind))
            | (Type::Integer(kind), Type::Enumeration(id)) => self.enumerations[*id].kind == *kind,
            _ => false,
        }
    }

    pub(super) fn are_functions_compatible(
        &self,
        left: &FunctionType,
        right: &FunctionType,
    ) -> bool {
        if !self.are_types_compatible(&left.result, &right.result) {
            return false;
        }
        match (left.has_prototype, right.has_prototype) {
            (true, true) => {
                left.is_variadic == right.is_variadic
                    && left.parameters.len() == right.parameters.len()
                    && left
                        .parameters
                        .iter()
                        .zip(&right.parameters)
                        .all(|(left, right)| self.are_types_compatible(&left.ty, &right.ty))
            }
            // gcc lets a definition in the old style differ from what was said before only in count; so do we.
            (true, false) => is_old_style_compatible(left, right),
            (false, true) => is_old_style_compatible(right, left),
            (false, false) => true,
        }
    }
}

fn is_old_style_compatible(prototype: &FunctionType, old: &FunctionType) -> bool {
    old.parameters.is_empty() || old.parameters.len() == prototype.parameters.len()
}
