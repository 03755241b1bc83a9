//! Surface types: those of the IR, with what pointers point to.

use raddle_ir::{DataModel, FloatType, IntType, Scalar, StructId, SyncType, Type};

use crate::literal;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Int(IntType),
    Float(FloatType),
    /// `ptr`, or `*T` with `T`.
    Pointer(Option<Box<Ty>>),
    Thread,
    Sync(SyncType),
    Array(Box<Ty>, u64),
    Struct(StructId),
}

impl Ty {
    pub(super) const BOOL: Ty = Ty::Int(IntType::BOOL);
    pub(super) const I32: Ty = Ty::Int(IntType::signed(32));
    pub(super) const U32: Ty = Ty::Int(IntType::unsigned(32));

    pub(super) fn pointer_to(pointee: Ty) -> Ty {
        Ty::Pointer(Some(Box::new(pointee)))
    }

    pub(super) fn signed_word(model: DataModel) -> Ty {
        Ty::Int(model.signed_word())
    }

    pub(super) fn unsigned_word(model: DataModel) -> Ty {
        Ty::Int(model.unsigned_word())
    }

    /// The type of a word of the language, as in `u8` or `mutex`; no struct.
    pub(super) fn of_word(word: &str, model: DataModel) -> Option<Ty> {
        Some(match word {
            "bool" => Ty::BOOL,
            "usize" => Ty::unsigned_word(model),
            "isize" => Ty::signed_word(model),
            "f32" => Ty::Float(FloatType::F32),
            "f64" => Ty::Float(FloatType::F64),
            "ptr" => Ty::Pointer(None),
            "thread" => Ty::Thread,
            _ => match literal::int_type(word) {
                Some(int) => Ty::Int(int),
                None => Ty::Sync(sync_of_word(word)?),
            },
        })
    }

    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Int(int) => Some(Scalar::Int(*int)),
            Ty::Float(float) => Some(Scalar::Float(*float)),
            Ty::Pointer(_) => Some(Scalar::Pointer),
            Ty::Thread => Some(Scalar::Thread),
            Ty::Sync(_) | Ty::Array(..) | Ty::Struct(_) => None,
        }
    }

    pub(super) fn to_ir(&self) -> Type {
        match self {
            Ty::Int(int) => Type::int(*int),
            Ty::Float(float) => Type::Scalar(Scalar::Float(*float)),
            Ty::Pointer(_) => Type::Scalar(Scalar::Pointer),
            Ty::Thread => Type::Scalar(Scalar::Thread),
            Ty::Sync(sync) => Type::Sync(*sync),
            Ty::Array(element, length) => Type::Array(Box::new(element.to_ir()), *length),
            Ty::Struct(id) => Type::Struct(*id),
        }
    }

    /// A value of this type may stand where `wanted` is wanted: `ptr` and `*T` fit one another.
    pub(super) fn fits(&self, wanted: &Ty) -> bool {
        match (self, wanted) {
            (Ty::Pointer(None), Ty::Pointer(_)) | (Ty::Pointer(_), Ty::Pointer(None)) => true,
            _ => self == wanted,
        }
    }
}

pub(super) fn sync_of_word(word: &str) -> Option<SyncType> {
    SyncType::ALL.into_iter().find(|sync| sync.name() == word)
}
