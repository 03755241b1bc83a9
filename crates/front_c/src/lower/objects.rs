//! What lies in memory from the start, and types as the program shows them.

use std::collections::BTreeMap;

use raddle_ir::{
    BinaryOp, DataModel, Expression, Field, Global, GlobalId, Initial, IntType, ReadOnly, Scalar,
    StructId, StructType, Type as IrType,
};

use crate::Assumption;
use crate::typed::{AddressBase, ConstantValue, InitialPiece, LabelId, Object, ObjectId};
use crate::types::{BitField, FloatKind, Length, RecordId, Type};

use super::Lowering;
use super::scalars;

/// The variable that points to the environment.
const ENVIRONMENT: &str = "environ";

/// What the program is called.
const PROGRAM: &str = "program";

/// Whether an object is the `environ` of our library.
pub(super) fn is_environment(object: &Object) -> bool {
    object.is_library && object.name == ENVIRONMENT
}

const BYTE: Scalar = Scalar::Int(IntType::unsigned(8));

/// Integers of 128 bits lie in memory as two of these.
const HALF: Scalar = Scalar::Int(IntType::unsigned(64));

fn is_wide(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int(int) if int.bits == 128)
}

/// An array of bytes.
pub(super) fn bytes_type(size: u64) -> IrType {
    IrType::Array(Box::new(IrType::Scalar(BYTE)), size)
}

/// What `&&label` is: a small number, no object's address.
pub(super) fn label_value(label: LabelId) -> u128 {
    raddle_base::Id::index(label) as u128 + 1
}

impl Lowering<'_> {
    /// The global that is this object.
    pub(super) fn object(&mut self, source: ObjectId) -> GlobalId {
        let source = self.resolved_object(source);
        if let Some(known) = self.objects[source] {
            return known;
        }
        let object = &self.module.objects[source];
        let name = self.unique_name(&object.name);
        let ty = self.object_type(object);
        // The number is taken first: an object may hold its own address.
        let global = self.draft.globals.push(Global {
            name,
            ty,
            initial: Vec::new(),
            is_thread_local: object.is_thread_local,
            read_only: self.read_only_object(object),
            is_opaque: self.is_opaque(source),
            span: object.span,
        });
        self.objects[source] = Some(global);
        self.draft.globals[global].initial = self.initial(object);
        global
    }

    /// What `argv` of `main` points to: the name of a program, these words, and a null pointer.
    pub(super) fn argument_vector(&mut self, words: &[String]) -> GlobalId {
        let texts = [PROGRAM]
            .into_iter()
            .chain(words.iter().map(String::as_str));
        let strings: Vec<GlobalId> = texts
            .enumerate()
            .map(|(index, text)| self.string(&format!("argv[{index}]"), text))
            .collect();
        self.pointers("argv", &strings)
    }

    /// What `environ` and `envp` of `main` point to: the variables of the environment, and a null pointer.
    pub(super) fn environment(&mut self) -> GlobalId {
        if let Some(known) = self.environment {
            return known;
        }
        let words = &self.options.surroundings.environment;
        let assumption = Assumption::Environment(words.clone());
        self.assumptions.insert(assumption);
        let strings: Vec<GlobalId> = (words.iter().enumerate())
            .map(|(index, text)| self.string(&format!("envp[{index}]"), text))
            .collect();
        let vector = self.pointers("envp", &strings);
        self.environment = Some(vector);
        vector
    }

    /// Bytes that the program may change, with a zero behind them.
    fn string(&mut self, name: &str, text: &str) -> GlobalId {
        let name = self.unique_name(name);
        self.draft.globals.push(Global {
            name,
            ty: bytes_type(text.len() as u64 + 1),
            initial: (0..)
                .zip(text.as_bytes())
                .map(|(at, byte)| (at, Initial::Scalar(BYTE, u128::from(*byte))))
                .collect(),
            is_thread_local: false,
            read_only: ReadOnly::NOTHING,
            is_opaque: false,
            span: None,
        })
    }

    /// Pointers to objects, with a null pointer behind them.
    fn pointers(&mut self, name: &str, to: &[GlobalId]) -> GlobalId {
        let name = self.unique_name(name);
        let word = self.model().pointer_bytes();
        let pointer = IrType::Scalar(Scalar::Pointer);
        self.draft.globals.push(Global {
            name,
            ty: IrType::Array(Box::new(pointer), to.len() as u64 + 1),
            initial: (0..)
                .zip(to)
                .map(|(index, &it)| (index * word, Initial::Address(Expression::Global(it))))
                .collect(),
            is_thread_local: false,
            read_only: ReadOnly::NOTHING,
            is_opaque: false,
            span: None,
        })
    }

    fn object_type(&mut self, object: &Object) -> IrType {
        let ty = self.ir_type(&object.ty.ty);
        if self.draft.size_of(&ty) == Some(object.size) {
            ty
        } else {
            // A flexible array lies behind the record.
            bytes_type(object.size)
        }
    }

    /// The type as reports show it: same size, fields with their names.
    pub(super) fn ir_type(&mut self, ty: &Type) -> IrType {
        match ty {
            Type::Array(element, Length::Constant(length)) => {
                IrType::Array(Box::new(self.ir_type(&element.ty)), *length)
            }
            Type::Record(record) => match self.module.records[*record].sync {
                Some(sync) => IrType::Sync(sync),
                None => IrType::Struct(self.struct_type(*record)),
            },
            Type::Float(FloatKind::LongDouble)
            | Type::Unmodelled(_)
            | Type::Void
            | Type::Function(_)
            | Type::Array(_, Length::Unspecified | Length::Variable(_)) => {
                bytes_type(self.size(ty))
            }
            Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_) => match self.scalar(ty).expect("these types are scalars") {
                scalar if is_wide(scalar) => IrType::Array(Box::new(IrType::Scalar(HALF)), 2),
                scalar => IrType::Scalar(scalar),
            },
        }
    }

    fn struct_type(&mut self, record: RecordId) -> StructId {
        if let Some(known) = self.structs.get(&record) {
            return *known;
        }
        let source = &self.module.records[record];
        let word = if source.is_union { "union" } else { "struct" };
        let tag = source.tag.as_deref().unwrap_or("{…}");
        let name = self.unique_name(&format!("{word} {tag}"));
        let mut fields: Vec<Field> = Vec::new();
        for (index, field) in source.fields.iter().enumerate() {
            let (ty, offset) = match field.bits {
                Some(bits) => {
                    let (first, last) = bytes_of(bits);
                    (bytes_type(last - first + 1), first)
                }
                None => (self.ir_type(&field.ty.ty), field.offset),
            };
            let end = offset + self.draft.size_of(&ty).unwrap_or(0);
            if end > source.size || (source.is_union && offset != 0) {
                continue;
            }
            let name = match &field.name {
                Some(name) if fields.iter().all(|it| it.name != **name) => name.to_string(),
                Some(_) | None => format!("{{{index}}}"),
            };
            fields.push(Field { name, ty, offset });
        }
        let id = self.draft.structs.push(StructType {
            name,
            fields,
            size: source.size,
            align: source.align.max(1),
            is_union: source.is_union,
        });
        self.structs.insert(record, id);
        id
    }

    /// The first values of an object; bytes that several bit-fields share are put together.
    fn initial(&mut self, object: &Object) -> Vec<(u64, Initial)> {
        if is_environment(object) {
            let environment = Expression::Global(self.environment());
            return vec![(0, Initial::Address(environment))];
        }
        let locks = self.locks(&object.ty.ty);
        let mut initial = Vec::new();
        let mut shared: BTreeMap<u64, u8> = BTreeMap::new();
        for piece in &object.initial {
            if locks.around(piece.offset).is_some() {
                initial.extend(locks.static_initial(piece));
                continue;
            }
            match piece.bits {
                Some(bits) => add_bits(&mut shared, piece, bits),
                None => self.add_value(&mut initial, piece.offset, &piece.value),
            }
        }
        initial.extend(
            shared
                .into_iter()
                .filter(|(_, byte)| *byte != 0)
                .map(|(offset, byte)| (offset, Initial::Scalar(BYTE, u128::from(byte)))),
        );
        initial.sort_by_key(|(offset, _)| *offset);
        initial
    }

    fn add_value(&mut self, initial: &mut Vec<(u64, Initial)>, offset: u64, value: &ConstantValue) {
        let model = self.model();
        match value {
            ConstantValue::Bits(0, _) => {}
            ConstantValue::Bits(bits, Type::Float(FloatKind::LongDouble)) => {
                for (at, byte) in (offset..).zip(extended_precision(*bits)) {
                    initial.push((at, Initial::Scalar(BYTE, u128::from(byte))));
                }
            }
            ConstantValue::Bits(bits, ty) => {
                if let Some(scalar) = scalars::scalar(self.module, ty) {
                    let bits = bits & scalar.mask(model);
                    if is_wide(scalar) {
                        initial.push((offset, Initial::Scalar(HALF, bits & HALF.mask(model))));
                        initial.push((offset + 8, Initial::Scalar(HALF, bits >> 64)));
                    } else {
                        initial.push((offset, Initial::Scalar(scalar, bits)));
                    }
                }
            }
            ConstantValue::Bytes(bytes) => initial.extend(
                (offset..)
                    .zip(bytes)
                    .filter(|(_, byte)| **byte != 0)
                    .map(|(at, byte)| (at, Initial::Scalar(BYTE, u128::from(*byte)))),
            ),
            ConstantValue::Address(AddressBase::Label(_, label), plus, _) => {
                let bits = label_value(*label).wrapping_add_signed(i128::from(*plus));
                let scalar = Scalar::Pointer;
                initial.push((offset, Initial::Scalar(scalar, bits & scalar.mask(model))));
            }
            ConstantValue::Address(base, plus, _) => {
                let base = match base {
                    AddressBase::Object(object) => {
                        let object = self.resolved_object(*object);
                        let source = &self.module.objects[object];
                        if !source.is_defined && !source.is_null {
                            if self.is_opaque(object) {
                                self.miss_object(object, source.span);
                            } else {
                                self.named_by_initials.insert(object);
                            }
                        }
                        self.object_address(object)
                    }
                    AddressBase::Function(function) => self.function_address(*function),
                    AddressBase::Label(..) => unreachable!("matched before"),
                };
                if base == Expression::null() {
                    let scalar = Scalar::Pointer;
                    let bits = i128::from(*plus).cast_unsigned() & scalar.mask(model);
                    initial.push((offset, Initial::Scalar(scalar, bits)));
                    return;
                }
                initial.push((offset, Initial::Address(displaced(base, *plus, model))));
            }
        }
    }
}

/// An address so many bytes on.
pub(super) fn displaced(base: Expression, bytes: i64, model: DataModel) -> Expression {
    match u64::try_from(bytes) {
        Ok(bytes) => Expression::at_offset(base, bytes, model),
        Err(_) => Expression::binary(
            BinaryOp::Offset,
            base,
            Expression::int(i128::from(bytes), model.signed_word()),
        ),
    }
}

/// The first and last byte that a bit-field touches.
pub(super) fn bytes_of(bits: BitField) -> (u64, u64) {
    let last = bits.first + u64::from(bits.width) - 1;
    (bits.first / 8, last / 8)
}

fn add_bits(shared: &mut BTreeMap<u64, u8>, piece: &InitialPiece, bits: BitField) {
    let ConstantValue::Bits(value, _) = piece.value else {
        return;
    };
    for bit in 0..u64::from(bits.width) {
        if value >> bit & 1 == 1 {
            let place = bits.first + bit;
            *shared.entry(piece.offset + place / 8).or_default() |= 1 << (place % 8);
        }
    }
}

/// A `double` in the ten bytes of x87's extended precision.
fn extended_precision(bits: u128) -> [u8; 10] {
    let bits = u64::try_from(bits & u128::from(u64::MAX)).expect("masked");
    let (sign, exponent) = (bits >> 63, bits >> 52 & 0x7ff);
    let fraction = bits & ((1 << 52) - 1);
    let (exponent, mantissa) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, fraction) => {
            let shift = fraction.leading_zeros();
            (16383 - 1022 - 52 + 63 - u64::from(shift), fraction << shift)
        }
        (0x7ff, fraction) => (0x7fff, 1 << 63 | fraction << 11),
        (exponent, fraction) => (exponent + 16383 - 1023, 1 << 63 | fraction << 11),
    };
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&mantissa.to_le_bytes());
    let top = u16::try_from(sign << 15 | exponent).expect("15 bits and a sign");
    bytes[8..].copy_from_slice(&top.to_le_bytes());
    bytes
}

/// The scalars that make up a type, with their places, for copying it.
pub(super) fn chunks(lowering: &Lowering<'_>, ty: &Type) -> BTreeMap<u64, Scalar> {
    let mut found = BTreeMap::new();
    add_chunks(lowering, ty, 0, &mut found);
    found
}

/// More parts than this are copied by a loop.
pub(super) const MOST_CHUNKS: u64 = 24;

fn add_chunks(lowering: &Lowering<'_>, ty: &Type, offset: u64, found: &mut BTreeMap<u64, Scalar>) {
    let add_bytes = |size: u64, found: &mut BTreeMap<u64, Scalar>| {
        for at in offset..offset + size {
            found.insert(at, BYTE);
        }
    };
    match ty {
        Type::Array(element, Length::Constant(length)) => {
            let size = lowering.size(&element.ty);
            for index in 0..*length {
                add_chunks(lowering, &element.ty, offset + index * size, found);
            }
        }
        Type::Record(record) => {
            let record = &lowering.module.records[*record];
            if record.is_union {
                // Byte by byte: those that the member in use does not have may be undefined.
                add_bytes(record.size, found);
                return;
            }
            for field in &record.fields {
                match field.bits {
                    Some(bits) => {
                        let (first, last) = bytes_of(bits);
                        for at in first..=last {
                            found.insert(offset + at, BYTE);
                        }
                    }
                    None => add_chunks(lowering, &field.ty.ty, offset + field.offset, found),
                }
            }
        }
        Type::Float(FloatKind::LongDouble) | Type::Unmodelled(_) => {
            add_bytes(lowering.size(ty), found);
        }
        Type::Bool
        | Type::Integer(_)
        | Type::Enumeration(_)
        | Type::Float(_)
        | Type::Pointer(_) => {
            if let Some(scalar) = lowering.scalar(ty) {
                if is_wide(scalar) {
                    found.insert(offset, HALF);
                    found.insert(offset + 8, HALF);
                } else {
                    found.insert(offset, scalar);
                }
            }
        }
        Type::Void
        | Type::Function(_)
        | Type::Array(_, Length::Unspecified | Length::Variable(_)) => {}
    }
}
