//! C's types as gcc has them on i386 and x86-64: kinds of integers and floats, records with the places of their fields.

use std::rc::Rc;

use raddle_base::{Span, define_id};
use raddle_c_syntax::tree::Name;
use raddle_ir::{DataModel, IntType, SyncType};

define_id!(
    /// A local variable or parameter of a function, or a hidden one that the checker made: the length of an array may be one.
    LocalId, "local"
);
define_id!(
    /// A struct or union type.
    RecordId, "record"
);
define_id!(
    /// An enumeration.
    EnumerationId, "enum"
);

/// A type with what was said of how it may be used.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Qualified {
    pub ty: Type,
    pub is_const: bool,
    pub is_volatile: bool,
    /// Of an array: that of its elements.
    pub is_atomic: bool,
}

impl From<Type> for Qualified {
    fn from(ty: Type) -> Self {
        Self {
            ty,
            is_const: false,
            is_volatile: false,
            is_atomic: false,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Bool,
    Integer(IntegerKind),
    /// Counts as the integer kind that its table entry names.
    Enumeration(EnumerationId),
    Float(FloatKind),
    Pointer(Rc<Qualified>),
    Array(Rc<Qualified>, Length),
    Function(Rc<FunctionType>),
    Record(RecordId),
    /// Has a size and may be copied; everything else about it is unsupported.
    Unmodelled(Unmodelled),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntegerKind {
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
}

impl IntegerKind {
    pub fn is_signed(self) -> bool {
        matches!(
            self,
            IntegerKind::Char
                | IntegerKind::SignedChar
                | IntegerKind::Short
                | IntegerKind::Int
                | IntegerKind::Long
                | IntegerKind::LongLong
                | IntegerKind::Int128
        )
    }

    pub fn bits(self, model: DataModel) -> u8 {
        match self {
            IntegerKind::Char | IntegerKind::SignedChar | IntegerKind::UnsignedChar => 8,
            IntegerKind::Short | IntegerKind::UnsignedShort => 16,
            IntegerKind::Int | IntegerKind::UnsignedInt => 32,
            IntegerKind::Long | IntegerKind::UnsignedLong => match model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            IntegerKind::LongLong | IntegerKind::UnsignedLongLong => 64,
            IntegerKind::Int128 | IntegerKind::UnsignedInt128 => 128,
        }
    }

    pub fn int_type(self, model: DataModel) -> IntType {
        IntType {
            bits: self.bits(model),
            is_signed: self.is_signed(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    Float,
    Double,
    /// Has its place in memory; arithmetic on it is unsupported.
    LongDouble,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// `[]`
    Unspecified,
    Constant(u64),
    /// The number of elements is in a hidden local of type `size_t`, set where the array's type was met.
    Variable(LocalId),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    pub result: Type,
    /// Arrays and functions have become pointers.
    pub parameters: Vec<Qualified>,
    pub is_variadic: bool,
    /// Whether the parameters were said; without, a call promotes its arguments.
    pub has_prototype: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unmodelled {
    /// As in `_Complex double`.
    pub name: &'static str,
    pub size: u64,
    pub align: u64,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub tag: Option<Name>,
    pub is_union: bool,
    /// Empty until the type is complete. Anonymous structs and unions are fields without a name.
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
    pub is_complete: bool,
    /// A synchronisation object of the C library, such as `pthread_mutex_t`; its fields are nobody's business.
    pub sync: Option<SyncType>,
    /// Why its members are not modelled: using one makes the verdict unknown.
    pub unsupported: Option<String>,
    pub span: Option<Span>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub name: Option<Name>,
    pub ty: Qualified,
    /// In bytes; of a bit-field, 0.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// Where a bit-field lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// From the beginning of the record that declares it, least significant bit of the first byte first.
    pub first: u64,
    /// At least 1: fields without width only push the next one on.
    pub width: u32,
    /// The first and last byte of the memory location that it shares with the bit-fields beside it: up to the next
    /// other field, or the next one without width. Accesses to one of them are accesses to all.
    pub location: (u64, u64),
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub tag: Option<Name>,
    pub is_complete: bool,
    /// What it counts as: `unsigned int` unless a value is negative or larger.
    pub kind: IntegerKind,
}
