//! Where values lie: reading and writing registers, memory and bit-fields.

use raddle_base::Span;
use raddle_ir::{
    Access, Action, BinaryOp, Expression, IntType, Order, RegisterId, Scalar, UnaryOp,
};

use crate::Assumption;
use crate::typed::{Lvalue, LvalueKind, ObjectId};
use crate::types::{BitField, Type};

use super::body::{FunctionLowering, Storage, Value};
use super::locks::PREFERS_WRITERS;
use super::objects::bytes_of;

/// A place whose address is known.
#[derive(Clone, Debug)]
pub(super) enum Spot {
    Register(RegisterId),
    Memory(Value),
    /// A bit-field of the record at an address.
    Bits {
        record: Value,
        field: BitField,
    },
}

impl FunctionLowering<'_, '_> {
    /// Evaluates what the place depends on.
    pub(super) fn spot(&mut self, place: &Lvalue) -> Spot {
        match &place.kind {
            LvalueKind::Local(local) => match self.storage(*local) {
                Storage::Register(register) => Spot::Register(register),
                Storage::Memory(address) => Spot::Memory(Expression::Register(address).into()),
            },
            LvalueKind::Object(object) => {
                let object = &self.lowering.resolved_object(*object);
                let source = &self.lowering.module.objects[*object];
                if source.is_null {
                    return Spot::Memory(Expression::null().into());
                }
                if let Some(what) = &source.unsupported {
                    let what = format!("the use of `{}`, which has {what},", source.name);
                    self.unsupported(what, place.span);
                }
                if self.lowering.prefers_writers(*object) {
                    self.unsupported(PREFERS_WRITERS, place.span);
                }
                if !source.is_defined {
                    self.use_unknown_object(*object, Some(place.span));
                }
                Spot::Memory(Expression::Global(self.lowering.object(*object)).into())
            }
            LvalueKind::Dereference(pointer) => Spot::Memory(self.value(pointer)),
            LvalueKind::Field(record, offset, bits) => {
                // The program knows every union, for pointers that are read as numbers.
                if matches!(record.ty.ty, Type::Record(it) if self.lowering.module.records[it].is_union)
                {
                    self.lowering.ir_type(&record.ty.ty);
                }
                let address = self.address(record);
                match bits {
                    Some(field) => Spot::Bits {
                        record: address,
                        field: *field,
                    },
                    None => Spot::Memory(self.displaced(address, *offset, place.span)),
                }
            }
            LvalueKind::CompoundLiteral(local, initial) => {
                self.initialize(*local, Some(initial), place.span);
                match self.storage(*local) {
                    Storage::Register(register) => Spot::Register(register),
                    Storage::Memory(address) => Spot::Memory(Expression::Register(address).into()),
                }
            }
            LvalueKind::Value(record, local) => {
                let from = self.record(record);
                let Storage::Memory(address) = self.storage(*local) else {
                    unreachable!("records live in memory")
                };
                let to: Value = Expression::Register(address).into();
                let is_first = self.has_first_values(*local);
                self.storing_first(is_first, |this| {
                    this.copy(to.clone(), from, &place.ty.ty, place.span);
                });
                Spot::Memory(to)
            }
        }
    }

    /// Something that nobody defines is used: what it holds is not known.
    pub(super) fn use_unknown_object(&mut self, object: ObjectId, span: Option<Span>) {
        let span_of_user = span.filter(|_| self.has_places);
        self.lowering.miss_object(object, span_of_user);
        let name = &self.lowering.module.objects[object].name;
        self.unsupported(format!("a use of `{name}`, which no file defines,"), span);
    }

    /// The address of a place that lies in memory.
    pub(super) fn address(&mut self, place: &Lvalue) -> Value {
        match self.spot(place) {
            Spot::Memory(address) => address,
            Spot::Register(_) | Spot::Bits { .. } => {
                // The checker marks locals whose address is taken; bit-fields have none.
                self.unsupported("the address of something that has none", place.span);
                Expression::null().into()
            }
        }
    }

    /// Plain, unless the place is `_Atomic`, or is volatile and the user takes that for the same.
    fn access(&mut self, place: &Lvalue, span: Span) -> Access {
        let lowering = &mut *self.lowering;
        let is_word = lowering.size(&place.ty.ty) <= lowering.model().pointer_bytes();
        let is_taken_as_atomic =
            place.ty.is_volatile && is_word && lowering.module.volatile_is_atomic;
        if is_taken_as_atomic {
            lowering.assumptions.insert(Assumption::Volatile);
        } else if place.ty.is_volatile && is_word {
            lowering.draft.volatile.push(span);
        }
        if place.ty.is_atomic || is_taken_as_atomic {
            Access::Atomic(Order::SequentiallyConsistent)
        } else {
            Access::Plain
        }
    }

    /// What a scalar place holds.
    pub(super) fn load(&mut self, spot: &Spot, place: &Lvalue, span: Span) -> Value {
        let Some(scalar) = self.lowering.scalar(&place.ty.ty) else {
            self.unsupported("a value of a type that is not modelled", span);
            return Expression::int(0, IntType::signed(32)).into();
        };
        if is_long_double(&place.ty.ty) {
            return self.long_double(span);
        }
        match spot {
            Spot::Register(register) => Expression::Register(*register).into(),
            Spot::Memory(address) => {
                let access = self.access(place, span);
                self.load_scalar(address.clone(), scalar, access, span)
            }
            Spot::Bits { record, field } => {
                self.touch_neighbours(record, *field, false, span);
                self.load_bits(record.clone(), *field, scalar, span)
            }
        }
    }

    /// Puts a value, already of the place's type, into a scalar place. Gives what the place holds then, if that is
    /// wanted, else anything.
    pub(super) fn store(
        &mut self,
        spot: &Spot,
        place: &Lvalue,
        value: Value,
        is_wanted: bool,
        span: Span,
    ) -> Value {
        match spot {
            Spot::Register(register) => {
                self.assign(*register, value, span);
                Expression::Register(*register).into()
            }
            Spot::Memory(_) if is_long_double(&place.ty.ty) => self.long_double(span),
            Spot::Memory(address) => {
                // It is stored and perhaps used again: computed once.
                let value = if is_wanted && value.depth > 2 {
                    self.in_temporary(value, span)
                } else {
                    value
                };
                let ty = self.scalar_of(&value);
                let access = self.access(place, span);
                self.store_scalar(address.clone(), value.clone(), ty, access, span);
                value
            }
            Spot::Bits { record, field } => {
                let value = self.in_temporary(value, span);
                self.touch_neighbours(record, *field, true, span);
                self.store_bits(record.clone(), *field, &value, span);
                if is_wanted {
                    self.cut_to_width(value, *field, span)
                } else {
                    value
                }
            }
        }
    }

    /// A place that is used more than once: its address is computed once.
    pub(super) fn steady_spot(&mut self, place: &Lvalue, span: Span) -> Spot {
        match self.spot(place) {
            Spot::Memory(address) => Spot::Memory(self.in_temporary(address, span)),
            spot @ (Spot::Register(_) | Spot::Bits { .. }) => spot,
        }
    }

    /// What lies where an argument of a builtin points, read by no access of the program's own.
    pub(super) fn load_plainly(&mut self, spot: &Spot, ty: Scalar, span: Span) -> Value {
        match spot {
            Spot::Register(register) => Expression::Register(*register).into(),
            Spot::Memory(address) => self.load_scalar(address.clone(), ty, Access::Plain, span),
            Spot::Bits { .. } => unreachable!("a bit-field has no address"),
        }
    }

    /// As [`Self::load_plainly`], the other way.
    pub(super) fn store_plainly(&mut self, spot: &Spot, value: Value, ty: Scalar, span: Span) {
        match spot {
            Spot::Register(register) => self.assign(*register, value, span),
            Spot::Memory(address) => {
                self.store_scalar(address.clone(), value, ty, Access::Plain, span);
            }
            Spot::Bits { .. } => unreachable!("a bit-field has no address"),
        }
    }

    pub(super) fn load_scalar(
        &mut self,
        address: Value,
        ty: Scalar,
        access: Access,
        span: Span,
    ) -> Value {
        if let Some(halves) = halves(ty, access) {
            return self.load_halves(address, ty, halves, span);
        }
        let target = self.temporary(ty);
        self.then(
            Action::Load {
                target,
                address: address.expression,
                ty,
                access,
            },
            span,
        );
        Expression::Register(target).into()
    }

    /// Two accesses of 64 bits, between which others may act.
    fn load_halves(&mut self, address: Value, ty: Scalar, half: Scalar, span: Span) -> Value {
        let address = self.in_temporary(address, span);
        let low = self.load_scalar(address.clone(), half, Access::Plain, span);
        let behind = self.displaced(address, 8, span);
        let high = self.load_scalar(behind, half, Access::Plain, span);
        let wide = Scalar::Int(IntType::unsigned(128));
        let low = self.convert(low, wide, false);
        let high = self.convert(high, wide, false);
        let high = self.shifted(BinaryOp::ShiftLeftWrapping, high, 64, span);
        let both = self.binary(BinaryOp::Or, high, low, span);
        let whole = self.convert(both, ty, false);
        self.in_temporary(whole, span)
    }

    pub(super) fn store_scalar(
        &mut self,
        address: Value,
        value: Value,
        ty: Scalar,
        access: Access,
        span: Span,
    ) {
        if let Some(half) = halves(ty, access) {
            let address = self.in_temporary(address, span);
            let value = self.in_temporary(value, span);
            let low = self.convert(value.clone(), half, false);
            self.store_scalar(address.clone(), low, half, Access::Plain, span);
            let high = self.shifted(BinaryOp::ShiftRight, value, 64, span);
            let high = self.convert(high, half, false);
            let behind = self.displaced(address, 8, span);
            self.store_scalar(behind, high, half, Access::Plain, span);
            return;
        }
        let access = match self.plain_store {
            Access::Initial => Access::Initial,
            Access::Plain | Access::Atomic(_) => access,
        };
        self.then(
            Action::Store {
                address: address.expression,
                value: value.expression,
                ty,
                access,
            },
            span,
        );
    }

    /// The value of a bit-field: its bytes as one number, shifted so that the field's sign is the number's.
    fn load_bits(&mut self, record: Value, field: BitField, scalar: Scalar, span: Span) -> Value {
        let record = self.in_temporary(record, span);
        let (first, last) = bytes_of(field);
        let bits = u8::try_from((last - first + 1) * 8).map_or(128, |bits| bits.min(128));
        let whole = Scalar::Int(IntType::unsigned(bits));
        let mut all: Option<Value> = None;
        for (at, bytes) in words(first, last) {
            let address = self.displaced(record.clone(), at, span);
            let loaded = self.load_scalar(address, word(bytes), Access::Plain, span);
            let wide = self.convert(loaded, whole, false);
            let raised = self.shifted(BinaryOp::ShiftLeftWrapping, wide, (at - first) * 8, span);
            all = Some(match all {
                None => raised,
                Some(before) => self.binary(BinaryOp::Or, before, raised, span),
            });
        }
        let all = all.expect("a field has bytes");
        let is_signed = matches!(scalar, Scalar::Int(int) if int.is_signed);
        let unused = u64::from(bits) - u64::from(field.width);
        let below = field.first - first * 8;
        let raised = self.shifted(BinaryOp::ShiftLeftWrapping, all, unused - below, span);
        let raised = self.convert(raised, Scalar::Int(IntType { bits, is_signed }), false);
        let value = self.shifted(BinaryOp::ShiftRight, raised, unused, span);
        self.convert(value, scalar, false)
    }

    /// Other bytes of the memory location are read, and written as they are: whoever uses them at the same time races.
    fn touch_neighbours(&mut self, record: &Value, field: BitField, writes: bool, span: Span) {
        let (first, last) = bytes_of(field);
        let (start, end) = field.location;
        // Byte by byte: what holds nothing stays so, and leaves the others alone.
        for at in (start..=end).filter(|at| !(first..=last).contains(at)) {
            let address = self.displaced(record.clone(), at, span);
            let same = self.load_scalar(address.clone(), word(1), Access::Plain, span);
            if writes {
                self.store_scalar(address, same, word(1), Access::Plain, span);
            }
        }
    }

    /// Bytes that the field fills are written; of those that it shares, the other bits are kept.
    fn store_bits(&mut self, record: Value, field: BitField, value: &Value, span: Span) {
        let record = self.in_temporary(record, span);
        let end = field.first + u64::from(field.width);
        let (first, last) = bytes_of(field);
        let (mut from, mut to) = (first, last + 1);
        if !field.first.is_multiple_of(8) || end < (first + 1) * 8 {
            self.store_shared_byte(&record, field, first, value, span);
            from += 1;
        }
        if !end.is_multiple_of(8) && last > first {
            self.store_shared_byte(&record, field, last, value, span);
            to -= 1;
        }
        if from < to {
            for (at, bytes) in words(from, to - 1) {
                let address = self.displaced(record.clone(), at, span);
                let part = self.shifted(
                    BinaryOp::ShiftRight,
                    value.clone(),
                    at * 8 - field.first,
                    span,
                );
                let part = self.convert(part, word(bytes), false);
                self.store_scalar(address, part, word(bytes), Access::Plain, span);
            }
        }
    }

    fn store_shared_byte(
        &mut self,
        record: &Value,
        field: BitField,
        at: u64,
        value: &Value,
        span: Span,
    ) {
        let byte = word(1);
        let address = self.displaced(record.clone(), at, span);
        let old = self.load_scalar(address.clone(), byte, Access::Plain, span);
        // The neighbours may hold nothing yet.
        let old = self.unary(UnaryOp::Settle, old, span);
        let part = if at * 8 >= field.first {
            let part = self.shifted(
                BinaryOp::ShiftRight,
                value.clone(),
                at * 8 - field.first,
                span,
            );
            self.convert(part, byte, false)
        } else {
            let part = self.convert(value.clone(), byte, false);
            self.shifted(
                BinaryOp::ShiftLeftWrapping,
                part,
                field.first - at * 8,
                span,
            )
        };
        let begin = field.first.max(at * 8) - at * 8;
        let end = (field.first + u64::from(field.width)).min(at * 8 + 8) - at * 8;
        let mask = (begin..end).fold(0_u8, |mask, bit| mask | 1 << bit);
        let constant = |mask: u8| -> Value { Expression::Constant(u128::from(mask), byte).into() };
        let kept = self.binary(BinaryOp::And, old, constant(!mask), span);
        let new = self.binary(BinaryOp::And, part, constant(mask), span);
        let both = self.binary(BinaryOp::Or, kept, new, span);
        self.store_scalar(address, both, byte, Access::Plain, span);
    }

    fn shifted(&mut self, op: BinaryOp, value: Value, amount: u64, span: Span) -> Value {
        if amount == 0 {
            return value;
        }
        let amount = Expression::Constant(u128::from(amount), word(1));
        self.binary(op, value, amount.into(), span)
    }

    /// The value that a bit-field holds after this one was stored.
    fn cut_to_width(&mut self, value: Value, field: BitField, span: Span) -> Value {
        let Scalar::Int(int) = self.scalar_of(&value) else {
            return value;
        };
        let unused = u32::from(int.bits).saturating_sub(field.width);
        if unused == 0 {
            return value;
        }
        let unused = u64::from(unused);
        let raised = self.shifted(BinaryOp::ShiftLeftWrapping, value, unused, span);
        self.shifted(BinaryOp::ShiftRight, raised, unused, span)
    }

    /// Says that `long double` is not computed with.
    pub(super) fn long_double(&mut self, span: Span) -> Value {
        self.unsupported("arithmetic on `long double`", span);
        Expression::Constant(0, Scalar::Float(raddle_ir::FloatType::F64)).into()
    }
}

/// What a plain access to an integer of 128 bits is made of twice: no processor promises more.
fn halves(ty: Scalar, access: Access) -> Option<Scalar> {
    match (ty, access) {
        (Scalar::Int(int), Access::Plain) if int.bits == 128 => Some(word(8)),
        _ => None,
    }
}

/// An unsigned integer of so many bytes.
fn word(bytes: u64) -> Scalar {
    let bits = u8::try_from(bytes * 8).expect("at most 8 bytes");
    Scalar::Int(IntType::unsigned(bits))
}

/// Bytes `first` to `last` as aligned words, each as large as possible: where and how many bytes.
fn words(first: u64, last: u64) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    let mut at = first;
    while at <= last {
        let bytes = [8, 4, 2, 1]
            .into_iter()
            .find(|bytes| at.is_multiple_of(*bytes) && at + bytes <= last + 1)
            .expect("a single byte always fits");
        found.push((at, bytes));
        at += bytes;
    }
    found
}

pub(super) fn is_long_double(ty: &Type) -> bool {
    matches!(ty, Type::Float(crate::types::FloatKind::LongDouble))
}
