//! How the life of a local begins: its first value, or its memory.

use raddle_base::Span;
use raddle_ir::{Access, Action, BinaryOp, Expression, IntType, Scalar};

use crate::typed::{self, Initial, LocalId, LocalPiece, PieceValue};
use crate::types::{Qualified, Type};

use super::body::{FunctionLowering, Storage, Value};
use super::objects::{MOST_CHUNKS, chunks};
use super::places::Spot;

/// Up to so many bytes become undefined by as many stores.
pub(super) const LARGEST_TO_FORGET: u64 = 8 * MOST_CHUNKS;

impl FunctionLowering<'_, '_> {
    /// The life of a local begins.
    pub(super) fn initialize(&mut self, local: LocalId, initial: Option<&Initial>, span: Span) {
        let source = self.source;
        let ty = &source.locals[local].ty;
        match (self.storage(local), initial) {
            (Storage::Register(register), Some(initial)) => {
                let scalar = self.function.registers[register].ty;
                let value = initial.pieces.last().and_then(|piece| match &piece.value {
                    PieceValue::Expression(value) => Some(value),
                    PieceValue::Bytes(_) => None,
                });
                let value = match value {
                    Some(value) => self.value(value),
                    None => Expression::Constant(0, scalar).into(),
                };
                self.assign(register, value, span);
            }
            (Storage::Register(register), None) => {
                if self.may_repeat {
                    let scalar = self.function.registers[register].ty;
                    let nothing = self.undefined(scalar).into();
                    self.assign(register, nothing, span);
                }
            }
            (Storage::Memory(address), Some(initial)) => {
                let is_first = self.has_first_values(local);
                let address = Expression::Register(address).into();
                self.initialize_memory(&address, (ty, is_first), initial, span);
            }
            (Storage::Memory(address), None) => {
                // What is large is made anew with its block. If the declaration is met again without leaving the block, it keeps
                // its old values: to look at them is undefined in C, and they are what a machine would show.
                let is_new = self.lifetimes.is_made(local) && source.labels.is_empty();
                let may_repeat = self.may_repeat && !is_new;
                if may_repeat && self.lowering.size(&ty.ty) <= LARGEST_TO_FORGET {
                    let is_first = self.has_first_values(local);
                    self.storing_first(is_first, |this| {
                        this.forget(Expression::Register(address).into(), &ty.ty, span);
                    });
                }
            }
        }
    }

    /// What lies in memory becomes undefined, except locks.
    pub(super) fn forget(&mut self, address: Value, ty: &Type, span: Span) {
        let locks = self.lowering.locks(ty);
        let size = self.lowering.size(ty);
        if size > LARGEST_TO_FORGET && locks.is_empty() {
            let byte = Scalar::Int(IntType::unsigned(8));
            let nothing: Value = self.undefined(byte).into();
            self.for_each_byte(size, span, |this, offset| {
                let target = this.binary(BinaryOp::Offset, address, offset, span);
                this.store_scalar(target, nothing, byte, Access::Plain, span);
            });
            return;
        }
        for (offset, scalar) in chunks(self.lowering, ty) {
            if locks.around(offset).is_none() {
                let target = self.displaced(address.clone(), offset, span);
                let nothing = self.undefined(scalar).into();
                self.store_scalar(target, nothing, scalar, Access::Plain, span);
            }
        }
    }

    pub(super) fn initialize_memory(
        &mut self,
        address: &Value,
        (ty, is_first): (&Qualified, bool),
        initial: &Initial,
        span: Span,
    ) {
        let values = initial.pieces.iter().filter_map(|it| match &it.value {
            PieceValue::Expression(value) => Some(value),
            PieceValue::Bytes(_) => None,
        });
        self.note_open_order(&values.collect::<Vec<_>>(), span);
        let locks = self.lowering.locks(&ty.ty);
        if !locks.is_empty() {
            self.storing_first(is_first, |this| {
                this.initialize_locks(address, &ty.ty, &locks, initial, span);
            });
        } else if initial.is_zeroed {
            self.storing_first(is_first, |this| this.clear(address, &ty.ty, span));
        }
        for piece in &initial.pieces {
            // Words of a lock's initialiser; a lock as a whole would be a copy.
            let is_word = match &piece.value {
                PieceValue::Expression(value) => self.lowering.scalar(&value.ty).is_some(),
                PieceValue::Bytes(_) => true,
            };
            if !is_word || locks.around(piece.offset).is_none() {
                self.initialize_piece(address, (ty, is_first), piece, span);
            }
        }
    }

    fn initialize_piece(
        &mut self,
        address: &Value,
        (ty, is_first): (&Qualified, bool),
        piece: &LocalPiece,
        span: Span,
    ) {
        match &piece.value {
            PieceValue::Bytes(bytes) => {
                let byte = Scalar::Int(IntType::unsigned(8));
                for (at, value) in (piece.offset..).zip(bytes) {
                    let target = self.displaced(address.clone(), at, span);
                    let value = Expression::Constant(u128::from(*value), byte);
                    self.storing_first(is_first, |this| {
                        this.store_scalar(target, value.into(), byte, Access::Plain, span);
                    });
                }
            }
            PieceValue::Expression(value) => {
                let target = self.displaced(address.clone(), piece.offset, span);
                if self.lowering.scalar(&value.ty).is_none() {
                    if !self.assign_locks(&target, is_first, value, span) {
                        self.record_to(target, is_first, value);
                    }
                    return;
                }
                let value_type = Qualified {
                    ty: value.ty.clone(),
                    ..ty.clone()
                };
                let place = typed::Lvalue {
                    ty: value_type,
                    // Only its type matters to a store.
                    kind: typed::LvalueKind::Dereference(Box::new(value.clone())),
                    span,
                };
                let value = self.value(value);
                let spot = match piece.bits {
                    Some(field) => Spot::Bits {
                        record: target,
                        field,
                    },
                    None => Spot::Memory(target),
                };
                self.storing_first(is_first, |this| {
                    this.store(&spot, &place, value, false, span);
                });
            }
        }
    }

    /// Whether stores of first values to a local have to be told from others.
    pub(super) fn has_first_values(&self, local: LocalId) -> bool {
        !self
            .lowering
            .read_only(&self.source.locals[local].ty)
            .is_nothing()
    }

    /// An array of variable length comes to be.
    pub(super) fn allocate(&mut self, local: LocalId, bytes: &typed::Expression, span: Span) {
        let size = self.value(bytes);
        let size = self.in_temporary(size, span);
        self.grow_stack(size.clone(), Some(span));
        let Storage::Memory(target) = self.storage(local) else {
            self.unsupported("an array of variable length in a register", span);
            return;
        };
        self.then(
            Action::Allocate {
                target,
                size: size.expression,
                ty: None,
                is_zeroed: false,
                kind: raddle_ir::AllocateKind::Stack,
                read_only: raddle_ir::ReadOnly::NOTHING,
            },
            span,
        );
    }
}
