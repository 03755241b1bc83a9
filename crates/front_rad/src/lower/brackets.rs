//! Blocks that clean up behind them, on every way out: `lock`, `atomic`, `unit`.

use raddle_base::Span;
use raddle_ir::{Action, Expression, MutexKind, SyncOperation, SyncType};

use crate::message::type_error;
use crate::syntax::{Block, Bracket, BracketId, Expr, ExprKind, LockMode, StatementKind};

use super::body::{Body, Lowered};
use super::labels::inner_blocks;
use super::surface::Ty;

/// What is done on every way out of a block.
pub(super) struct Cleanup {
    /// `None` for the body of a `unit fn`.
    pub(super) bracket: Option<BracketId>,
    pub(super) action: Action,
}

impl<'s> Body<'_, '_, 's> {
    /// Does what is due on the way out, innermost first, until `keep` cleanups are left.
    pub(super) fn clean_up(&mut self, keep: usize) {
        let sink = self.sink();
        for at in (keep..sink.cleanups.len()).rev() {
            let action = sink.cleanups[at].action.clone();
            sink.automaton.emit(action);
        }
    }

    pub(super) fn bracket(
        &mut self,
        bracket: &Bracket<'s>,
        id: BracketId,
        body: &Block<'s>,
    ) -> Lowered<()> {
        let (begin, end) = match bracket {
            Bracket::Atomic => (
                Action::AtomicBegin {
                    is_as_written: false,
                },
                Action::AtomicEnd,
            ),
            Bracket::Unit(set) => {
                let set = match set {
                    Some(name) => {
                        let found = self.context.atomic_set(*name);
                        Some(self.resolved(found)?)
                    }
                    None => None,
                };
                (Action::UnitBegin { set }, Action::UnitEnd { set })
            }
            Bracket::Lock(mode, place) => self.lock_actions(*mode, place, body)?,
        };
        self.automaton().emit(begin);
        self.sink().cleanups.push(Cleanup {
            bracket: Some(id),
            action: end.clone(),
        });
        self.block(body);
        self.sink().cleanups.pop();
        let automaton = self.automaton();
        if automaton.is_reachable_here() {
            automaton.span = body.end;
            automaton.emit(end);
        }
        Ok(())
    }

    fn lock_actions(
        &mut self,
        mode: LockMode,
        place: &Expr<'s>,
        body: &Block<'s>,
    ) -> Lowered<(Action, Action)> {
        let (address, ty) = self.place(place)?;
        let (begin, end) = match (&ty, mode) {
            (Ty::Sync(SyncType::Mutex(MutexKind::Spin)), LockMode::Plain) => {
                (SyncOperation::SpinAcquire, SyncOperation::SpinRelease)
            }
            (Ty::Sync(SyncType::Mutex(_)), LockMode::Plain) => {
                (SyncOperation::MutexAcquire, SyncOperation::MutexRelease)
            }
            (Ty::Sync(SyncType::Monitor), LockMode::Plain) => {
                (SyncOperation::MonitorEnter, SyncOperation::MonitorExit)
            }
            (Ty::Sync(SyncType::ReadWriteLock), LockMode::Read) => {
                (SyncOperation::ReadAcquire, SyncOperation::ReadWriteRelease)
            }
            (Ty::Sync(SyncType::ReadWriteLock), LockMode::Write) => {
                (SyncOperation::WriteAcquire, SyncOperation::ReadWriteRelease)
            }
            _ => {
                let shown = self.context.describe(&ty);
                let diagnostic = type_error(
                    format!("a `{shown}` cannot be locked this way"),
                    place.span,
                    format!("this is `{shown}`"),
                );
                return Err(self.report(match ty {
                    Ty::Sync(SyncType::ReadWriteLock) => {
                        diagnostic.help("write `lock read l { … }` or `lock write l { … }`")
                    }
                    Ty::Pointer(_) => diagnostic.help("follow the pointer, as in `lock *p { … }`"),
                    _ => diagnostic.help("`lock` works on mutexes, read-write locks and monitors"),
                }));
            }
        };
        let address = self.steady(address, place.span, body);
        let action = |operation| Action::Sync {
            operation,
            object: address.clone(),
            mutex: None,
            result: None,
        };
        Ok((action(begin), action(end)))
    }

    /// An address that the block does not change by assigning to a register it depends on.
    fn steady(&mut self, address: Expression, span: Span, body: &Block<'s>) -> Expression {
        let automaton = self.automaton();
        let mut is_changed = false;
        address.for_each_register(&mut |register| {
            is_changed |= !automaton.is_temporary(register)
                && assigns(body, automaton.register_name(register));
        });
        if !is_changed {
            return address;
        }
        let target = automaton.temporary(&Ty::Pointer(None), span);
        automaton.emit(Action::Assign {
            target,
            value: address,
        });
        Expression::Register(target)
    }
}

/// Whether some statement of a block may assign to a register of this name.
fn assigns(block: &Block<'_>, name: &str) -> bool {
    let is_it = |target: &Expr<'_>| matches!(target.kind, ExprKind::Name(it) if it == name);
    block.statements.iter().any(|statement| {
        let is_assigned = match &statement.kind {
            StatementKind::Assign { target, .. } | StatementKind::Havoc(target) => is_it(target),
            StatementKind::ExchangeInto {
                previous, success, ..
            } => [previous, success].into_iter().flatten().any(is_it),
            _ => false,
        };
        let mut is_inside = false;
        inner_blocks(statement, &mut |inner| is_inside |= assigns(inner, name));
        is_assigned || is_inside
    })
}
