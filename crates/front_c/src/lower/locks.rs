//! Synchronisation objects that lie in objects of the program, and what initialisers make of them.
//!
//! A static object begins with its locks made, as zeros do it with glibc. A local has none before its initialiser, or
//! a call, makes them.

use std::collections::BTreeMap;

use raddle_base::Span;
use raddle_ir::{
    Access, Action, DataModel, Expression, Initial, IntType, MutexKind, Scalar, SyncInit, SyncType,
};

use crate::parts;
use crate::typed::{
    self, ConstantValue, ExpressionKind, InitialPiece, LocalId, LocalPiece, LvalueKind, ObjectId,
    PieceValue,
};
use crate::types::Type;

use super::Lowering;
use super::body::{FunctionLowering, Value};
use super::objects::{MOST_CHUNKS, chunks};

/// Readers of such a lock wait behind writers that wait.
pub(super) const PREFERS_WRITERS: &str = "a read-write lock that prefers writers";

/// Where synchronisation objects lie in an object, by their first byte.
pub(super) struct Locks {
    cells: BTreeMap<u64, SyncType>,
    model: DataModel,
}

impl Locks {
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The one that a byte belongs to.
    pub(super) fn around(&self, offset: u64) -> Option<(u64, SyncType)> {
        let (at, sync) = self.cells.range(..=offset).next_back()?;
        (offset < at + sync.size(self.model)).then_some((*at, *sync))
    }

    /// What a word of a static initialiser makes of the mutex around it: the word that holds its kind, if it is not
    /// the usual one.
    fn kind(&self, offset: u64, word: u128) -> Option<(u64, MutexKind)> {
        // glibc's `__kind`.
        let place = match self.model {
            DataModel::Lp64 => 16,
            DataModel::Ilp32 => 12,
        };
        let (at, sync) = self.around(offset)?;
        let is_kind = matches!(sync, SyncType::Mutex(_)) && offset - at == place;
        match word {
            1 if is_kind => Some((at, MutexKind::Recursive)),
            2 if is_kind => Some((at, MutexKind::ErrorChecking)),
            _ => None,
        }
    }

    /// Whether a word of an initialiser lies in a read-write lock and is not that of the usual kind.
    fn prefers_writers(&self, offset: u64, word: u128) -> bool {
        word != 0 && matches!(self.around(offset), Some((_, SyncType::ReadWriteLock)))
    }

    /// What the part of a static initialiser that lies in a lock says about it.
    pub(super) fn static_initial(&self, piece: &InitialPiece) -> Option<(u64, Initial)> {
        let ConstantValue::Bits(word, _) = &piece.value else {
            return None;
        };
        let (at, kind) = self.kind(piece.offset, *word)?;
        Some((at, Initial::Sync(SyncInit::Mutex(kind))))
    }
}

impl Lowering<'_> {
    /// Whether a read-write lock in a static object makes readers wait behind writers that wait.
    pub(super) fn prefers_writers(&mut self, object: ObjectId) -> bool {
        let source = &self.module.objects[object];
        if source.initial.is_empty() {
            return false;
        }
        let locks = self.locks(&source.ty.ty);
        source.initial.iter().any(|piece| match &piece.value {
            ConstantValue::Bits(word, _) => locks.prefers_writers(piece.offset, *word),
            ConstantValue::Bytes(_) | ConstantValue::Address(..) => false,
        })
    }

    pub(super) fn locks(&mut self, ty: &Type) -> Locks {
        let model = self.model();
        let shown = self.ir_type(ty);
        Locks {
            cells: shown
                .sync_cells(&self.draft.structs, model)
                .into_iter()
                .collect(),
            model,
        }
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Makes the locks in a local that has an initialiser, and clears the rest if the initialiser does.
    pub(super) fn initialize_locks(
        &mut self,
        address: &Value,
        ty: &Type,
        locks: &Locks,
        initial: &typed::Initial,
        span: Span,
    ) {
        if initial.is_zeroed {
            self.clear_around(address, ty, locks, span);
        }
        let mut kinds: BTreeMap<u64, MutexKind> = BTreeMap::new();
        for piece in &initial.pieces {
            if let Some(word) = constant_of(piece) {
                kinds.extend(locks.kind(piece.offset, word));
                if locks.prefers_writers(piece.offset, word) {
                    self.unsupported(PREFERS_WRITERS, span);
                }
            }
        }
        for (offset, sync) in &locks.cells {
            let object = self.displaced(address.clone(), *offset, span);
            let sync = match kinds.get(offset) {
                Some(kind) => SyncInit::Mutex(*kind),
                None => usual(*sync),
            };
            // A barrier has no initial value: it is none before a call makes it.
            if matches!(sync, SyncInit::Barrier(_)) {
                continue;
            }
            self.then(
                Action::Init {
                    object: object.expression,
                    sync,
                },
                span,
            );
        }
    }

    /// Writes zeros to what is no lock.
    fn clear_around(&mut self, address: &Value, ty: &Type, locks: &Locks, span: Span) {
        if self.lowering.size(ty) > 16 * MOST_CHUNKS {
            // The locks are made afterwards.
            self.clear(address, ty, span);
            return;
        }
        for (offset, scalar) in chunks(self.lowering, ty) {
            if locks.around(offset).is_none() {
                let target = self.displaced(address.clone(), offset, span);
                let zero = Expression::Constant(0, scalar).into();
                self.store_scalar(target, zero, scalar, Access::Plain, span);
            }
        }
    }

    /// Assigns locks that are as their initialiser made them, and makes them anew: those of a compound literal, of a constant,
    /// and of a local that keeps its first value. Of anything else, locks cannot be copied.
    pub(super) fn assign_locks(
        &mut self,
        to: &Value,
        is_first: bool,
        value: &typed::Expression,
        span: Span,
    ) -> bool {
        let mut inner = value;
        while let ExpressionKind::Cast(operand) = &inner.kind {
            inner = operand;
        }
        let ExpressionKind::Load(place) = &inner.kind else {
            return false;
        };
        if self.lowering.locks(&place.ty.ty).is_empty() {
            return false;
        }
        let made;
        let initial = match &place.kind {
            LvalueKind::CompoundLiteral(_, initial) => initial,
            LvalueKind::Local(local) => match self.kept_locks(*local) {
                Some(initial) => initial,
                None => return false,
            },
            LvalueKind::Object(object) => match self.lowering.constant_locks(*object, span) {
                Some(initial) => {
                    made = initial;
                    &made
                }
                None => return false,
            },
            LvalueKind::Dereference(_) | LvalueKind::Field(..) | LvalueKind::Value(..) => {
                return false;
            }
        };
        self.initialize_memory(to, (&place.ty, is_first), initial, span);
        true
    }

    /// The constant first value of a local that keeps it. A label might be a way around the declaration.
    fn kept_locks(&self, local: LocalId) -> Option<&'m typed::Initial> {
        if !self.source.labels.is_empty() {
            return None;
        }
        let initial = parts::kept_initial(&self.source.statements, local)?;
        let is_constant = |it: &LocalPiece| constant_of(it).is_some();
        initial.pieces.iter().all(is_constant).then_some(initial)
    }
}

impl Lowering<'_> {
    /// The value of an object that nobody may write to, if all of it is numbers.
    fn constant_locks(&self, object: ObjectId, span: Span) -> Option<typed::Initial> {
        let source = &self.module.objects[object];
        if !source.ty.is_const || !source.is_defined {
            return None;
        }
        let pieces = source.initial.iter().map(|piece| match &piece.value {
            ConstantValue::Bits(word, ty) => Some(LocalPiece {
                offset: piece.offset,
                bits: piece.bits,
                value: PieceValue::Expression(typed::Expression {
                    kind: ExpressionKind::Integer(*word),
                    ty: ty.clone(),
                    span,
                }),
            }),
            ConstantValue::Bytes(_) | ConstantValue::Address(..) => None,
        });
        Some(typed::Initial {
            is_zeroed: true,
            pieces: pieces.collect::<Option<_>>()?,
        })
    }
}

fn constant_of(piece: &LocalPiece) -> Option<u128> {
    let PieceValue::Expression(value) = &piece.value else {
        return None;
    };
    let mut value = value;
    while let ExpressionKind::Cast(operand) = &value.kind {
        value = operand;
    }
    match &value.kind {
        ExpressionKind::Integer(word) => Some(*word),
        _ => None,
    }
}

/// A synchronisation object as zeros make it.
fn usual(sync: SyncType) -> SyncInit {
    let zero = || Expression::Constant(0, Scalar::Int(IntType::unsigned(32)));
    match sync {
        SyncType::Mutex(kind) => SyncInit::Mutex(kind),
        SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
        SyncType::Condition => SyncInit::Condition,
        SyncType::Semaphore => SyncInit::Semaphore(zero()),
        SyncType::Barrier => SyncInit::Barrier(zero()),
        SyncType::Monitor => SyncInit::Monitor,
    }
}
