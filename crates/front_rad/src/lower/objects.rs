//! Operations on objects: allocation and synchronisation.

use raddle_base::Span;
use raddle_ir::{
    Action, AllocateKind, Expression, IntType, MutexKind, ReadOnly, RegisterId, Scalar,
    SyncOperation, SyncType, Type,
};

use crate::message::{limit_error, type_error};
use crate::syntax::{Allocate, Allocated, Const, Expr, ExprKind, SyncWord, TypeExpr};

use super::body::{Body, Lowered};
use super::operations::{Target, register_of};
use super::surface::Ty;

impl<'s> Body<'_, '_, 's> {
    pub(super) fn allocate(
        &mut self,
        allocate: &Allocate<'s>,
        target: &Target<'s>,
        span: Span,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        let word = self.context.model.unsigned_word();
        let constant = |size: u64| Expression::int(i128::from(size), word);
        let (size, ty, pointer): (Expression, Option<Type>, Ty) = match &allocate.what {
            Allocated::One(ty) => {
                let (ty, size) = self.sized_type(ty)?;
                (constant(size), Some(ty.to_ir()), Ty::pointer_to(ty))
            }
            Allocated::Many(ty, count) => {
                let (element, stride) = self.sized_type(ty)?;
                let number = match &count.kind {
                    ExprKind::Integer {
                        value,
                        is_negative: false,
                        ..
                    } => u64::try_from(*value).ok(),
                    _ => None,
                };
                if let Some(number) = number {
                    let array = Ty::Array(Box::new(element.clone()), number);
                    let Some(size) = self.context.size_of(&array) else {
                        return Err(self.report(limit_error(
                            "this is too large for an object",
                            count.span,
                            "too many elements",
                        )));
                    };
                    (constant(size), Some(array.to_ir()), Ty::pointer_to(element))
                } else {
                    let (value, int) = self.integer(count, &Ty::Int(word))?;
                    // Exact: a count far too large must not wrap around to a small one.
                    let size = if stride == 1 {
                        value
                    } else {
                        let fits = u32::from(int.bits) + (u64::BITS - stride.leading_zeros())
                            < u32::from(word.bits);
                        let wide = if fits { word } else { IntType::unsigned(128) };
                        if int.bits > 64 {
                            return Err(self.report(type_error(
                                "a number of elements has at most 64 bits",
                                count.span,
                                "has more",
                            )));
                        }
                        Expression::binary(
                            raddle_ir::BinaryOp::Multiply,
                            value.cast(Scalar::Int(wide)),
                            Expression::int(i128::from(stride), wide),
                        )
                    };
                    (size, None, Ty::pointer_to(element))
                }
            }
            Allocated::Bytes(size, ty) => {
                let (size, _) = self.integer(size, &Ty::Int(word))?;
                match ty {
                    Some(ty) => {
                        let (ty, _) = self.sized_type(ty)?;
                        (size, Some(ty.to_ir()), Ty::pointer_to(ty))
                    }
                    None => (size, None, Ty::Pointer(None)),
                }
            }
        };
        let read_only = match &size {
            Expression::Constant(size, _) => {
                let size = u64::try_from(*size).unwrap_or(u64::MAX);
                allocate.read_only.of(size)
            }
            _ if allocate.read_only == Const::Nothing => ReadOnly::NOTHING,
            _ => {
                return Err(self.report(type_error(
                    "what is read-only has a size that is known",
                    span,
                    "has a size that is computed",
                )));
            }
        };
        // An allocation always has a target.
        let received = match target {
            Target::Nothing => self.receive(&Target::Temporary, &pointer, span)?,
            _ => self.receive(target, &pointer, span)?,
        };
        if let Some((target, _)) = received {
            self.automaton().emit(Action::Allocate {
                target,
                size,
                ty,
                is_zeroed: allocate.is_zeroed,
                kind: if allocate.is_on_stack {
                    AllocateKind::Stack
                } else {
                    AllocateKind::Heap
                },
                read_only,
            });
        }
        Ok(received)
    }

    /// A type that objects can have, and their size.
    pub(super) fn sized_type(&mut self, ty: &TypeExpr<'s>) -> Lowered<(Ty, u64)> {
        let sized = self.context.sized(ty);
        let ty = self.resolved(sized)?;
        let size = self.context.size_of(&ty).expect("a sized type has a size");
        Ok((ty, size))
    }

    // ---- synchronisation

    pub(super) fn sync(
        &mut self,
        word: SyncWord,
        object: &Expr<'s>,
        mutex: Option<&Expr<'s>>,
        expected: Option<&Ty>,
        target: &Target<'s>,
        span: Span,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        let object = self.sync_place(word.first(), object)?;
        let mutex = match mutex {
            Some(mutex) => Some(self.sync_place(SyncOperation::MutexAcquire, mutex)?),
            None => None,
        };
        let received = self.receive_integer(target, expected, span)?;
        let result = register_of(received.as_ref());
        let action = |operation, mutex: &Option<Expression>, result| Action::Sync {
            operation,
            object: object.clone(),
            mutex: mutex.clone(),
            result,
        };
        match word {
            SyncWord::One(operation) => {
                let action = action(operation, &mutex, result);
                self.automaton().emit(action);
            }
            SyncWord::Two(begin, end) => {
                let (begin, end) = (action(begin, &mutex, None), action(end, &mutex, result));
                self.automaton().emit(begin);
                self.automaton().emit(end);
            }
        }
        Ok(received)
    }

    /// The address of an object of the family that an operation works on.
    pub(super) fn sync_place(
        &mut self,
        operation: SyncOperation,
        place: &Expr<'s>,
    ) -> Lowered<Expression> {
        let (word, family) = (operation.name(), operation.family());
        let (address, ty) = self.place(place)?;
        if let Ty::Sync(sync) = ty
            && sync.is_family_of(family)
        {
            return Ok(address);
        }
        let shown = self.context.describe(&ty);
        let diagnostic = type_error(
            format!("`{word}` wants a {}, found `{shown}`", family.name()),
            place.span,
            format!("this is `{shown}`"),
        );
        let diagnostic = match (ty, operation) {
            (Ty::Sync(SyncType::ReadWriteLock), SyncOperation::MutexAcquire) => {
                diagnostic.help("use `acquire_read` or `acquire_write`")
            }
            (Ty::Sync(SyncType::ReadWriteLock), SyncOperation::MutexRelease) => {
                diagnostic.help("use `release_rw`")
            }
            (Ty::Sync(SyncType::Mutex(MutexKind::Spin)), SyncOperation::MutexAcquire) => {
                diagnostic.help("use `acquire_spin`")
            }
            (Ty::Sync(SyncType::Mutex(MutexKind::Spin)), SyncOperation::MutexRelease) => {
                diagnostic.help("use `release_spin`")
            }
            (Ty::Sync(SyncType::Monitor), SyncOperation::MutexAcquire) => {
                diagnostic.help("use `enter`")
            }
            (Ty::Sync(SyncType::Monitor), SyncOperation::MutexRelease) => {
                diagnostic.help("use `exit_monitor`")
            }
            (Ty::Pointer(_), _) => diagnostic.help("follow the pointer, as in `acquire *p`"),
            _ => diagnostic,
        };
        Err(self.report(diagnostic))
    }
}
