//! Types of expressions without lowering them: what they are by themselves, and whether they have effects.

use raddle_ir::{BinaryOp, FloatType, IntType};

use crate::literal::Suffix;
use crate::syntax::{Callee, Expr, ExprKind};

use super::body::{Body, Local, Named};
use super::context::Meaning;
use super::surface::Ty;

impl<'s> Body<'_, '_, 's> {
    /// The type an expression has by itself; `None` if it takes any that fits, or is wrong.
    pub(super) fn natural(&self, expr: &Expr<'s>) -> Option<Ty> {
        let model = self.context.model;
        match &expr.kind {
            ExprKind::Integer { suffix, .. } => suffix.map(|suffix| self.suffix_type(suffix)),
            ExprKind::Float { suffix, .. } => suffix.map(Ty::Float),
            ExprKind::Null | ExprKind::ThreadIndex | ExprKind::Join(_) | ExprKind::Sync(..) => None,
            ExprKind::CurrentThread | ExprKind::Owner(_) | ExprKind::Spawn(..) => Some(Ty::Thread),
            ExprKind::Bool(_)
            | ExprKind::Logic(..)
            | ExprKind::CompareExchange(_)
            | ExprKind::At { .. } => Some(Ty::BOOL),
            ExprKind::Name(name) => match self.lookup(name)? {
                Named::Local(Local::Register(_, ty) | Local::Variable(_, ty)) => Some(ty),
                Named::Global(Meaning::Global(global)) => {
                    Some(self.context.global_type(global).clone())
                }
                Named::Local(Local::Broken) | Named::Global(_) | Named::Index => None,
            },
            ExprKind::Field(base, field) => {
                let id = match self.natural(base)? {
                    Ty::Struct(id) => id,
                    Ty::Pointer(Some(pointee)) => match *pointee {
                        Ty::Struct(id) => id,
                        _ => return None,
                    },
                    _ => return None,
                };
                self.context.field(id, field.text).map(|(_, ty)| ty.clone())
            }
            ExprKind::Index(base, _) => match self.natural(base)? {
                Ty::Array(element, _) => Some(*element),
                Ty::Pointer(Some(pointee)) => Some(*pointee),
                _ => None,
            },
            ExprKind::Dereference(pointer) => match self.natural(pointer)? {
                Ty::Pointer(Some(pointee)) => Some(*pointee),
                _ => None,
            },
            ExprKind::AddressOf(place) => Some(Ty::Pointer(self.natural(place).map(Box::new))),
            ExprKind::Unary(_, _, operand) => self.natural(operand),
            ExprKind::Binary(op, left, right) => match op {
                _ if op.is_comparison() => Some(Ty::BOOL),
                BinaryOp::Distance => Some(Ty::signed_word(model)),
                BinaryOp::Offset => Some(Ty::Pointer(None)),
                BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::ShiftLeftWrapping
                | BinaryOp::ShiftRightWrapping => self.natural(left),
                BinaryOp::Subtract => match (self.natural(left), self.natural(right)) {
                    (Some(Ty::Pointer(_)), Some(Ty::Pointer(_))) => Some(Ty::signed_word(model)),
                    (left, right) => left.or(right),
                },
                BinaryOp::Add => match (self.natural(left), self.natural(right)) {
                    (_, Some(pointer @ Ty::Pointer(_))) => Some(pointer),
                    (left, right) => left.or(right),
                },
                _ => self.natural(left).or_else(|| self.natural(right)),
            },
            ExprKind::Conditional(_, then, otherwise) => {
                self.natural(then).or_else(|| self.natural(otherwise))
            }
            ExprKind::Cast(_, ty) | ExprKind::Any(ty) => self.context.resolve(ty).ok(),
            ExprKind::SizeOf(_) | ExprKind::ObjectSize(_) => Some(Ty::unsigned_word(model)),
            ExprKind::Call(Callee::Named(name), _) => match self.context.meaning(name.text)? {
                Meaning::Function(function) => self.context.function(function).result.clone(),
                _ => None,
            },
            ExprKind::Call(Callee::Pointer(_), _) | ExprKind::AtomicStore(..) => None,
            ExprKind::AtomicLoad(place, _) | ExprKind::ReadModifyWrite(_, place, _, _) => {
                self.natural(place)
            }
            ExprKind::Allocate(_) => Some(Ty::Pointer(None)),
        }
    }

    pub(super) fn suffix_type(&self, suffix: Suffix) -> Ty {
        match suffix {
            Suffix::Int(int) => Ty::Int(int),
            Suffix::Word { is_signed: true } => Ty::signed_word(self.context.model),
            Suffix::Word { is_signed: false } => Ty::unsigned_word(self.context.model),
            Suffix::Float(float) => Ty::Float(float),
            Suffix::Pointer => Ty::Pointer(None),
            Suffix::Thread => Ty::Thread,
        }
    }

    /// The type of an expression that has none by itself, where nothing is expected.
    pub(super) fn default_type(&self, expr: &Expr<'s>) -> Ty {
        match &expr.kind {
            ExprKind::ThreadIndex => Ty::U32,
            ExprKind::Null => Ty::Pointer(None),
            ExprKind::Float { .. } => Ty::Float(FloatType::F64),
            ExprKind::Name(name) if matches!(self.lookup(name), Some(Named::Index)) => {
                Ty::unsigned_word(self.context.model)
            }
            ExprKind::Unary(_, _, operand) => self.default_type(operand),
            ExprKind::Binary(_, left, right) | ExprKind::Conditional(_, left, right) => {
                self.common_default(left, right)
            }
            _ => Ty::I32,
        }
    }

    /// The default of two operands: a literal yields to `tid`, `tid` to everything else.
    pub(super) fn common_default(&self, left: &Expr<'s>, right: &Expr<'s>) -> Ty {
        let rank = |ty: &Ty| match ty {
            Ty::Int(int) if *int == IntType::signed(32) => 0,
            Ty::Int(int) if *int == IntType::unsigned(32) => 1,
            _ => 2,
        };
        let (left, right) = (self.default_type(left), self.default_type(right));
        if rank(&right) > rank(&left) {
            right
        } else {
            left
        }
    }

    /// Whether lowering an expression in a function makes edges.
    pub(super) fn has_effect(&self, expr: &Expr<'s>) -> bool {
        match &expr.kind {
            ExprKind::Integer { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Null
            | ExprKind::ThreadIndex
            | ExprKind::CurrentThread
            | ExprKind::SizeOf(_) => false,
            ExprKind::Name(name) => {
                !matches!(self.lookup(name), Some(Named::Local(Local::Register(..))))
            }
            ExprKind::AddressOf(place) => self.address_has_effect(place),
            ExprKind::Unary(_, _, operand) | ExprKind::Cast(operand, _) => self.has_effect(operand),
            ExprKind::Binary(_, left, right) | ExprKind::Logic(_, left, right) => {
                self.has_effect(left) || self.has_effect(right)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.has_effect(condition) || self.has_effect(then) || self.has_effect(otherwise)
            }
            _ => true,
        }
    }

    fn address_has_effect(&self, place: &Expr<'s>) -> bool {
        let base_has_effect = |base: &Expr<'s>| match self.natural(base) {
            Some(Ty::Pointer(_)) => self.has_effect(base),
            _ => self.address_has_effect(base),
        };
        match &place.kind {
            ExprKind::Name(_) => false,
            ExprKind::Field(base, _) => base_has_effect(base),
            ExprKind::Index(base, index) => base_has_effect(base) || self.has_effect(index),
            ExprKind::Dereference(pointer) => self.has_effect(pointer),
            _ => true,
        }
    }
}
