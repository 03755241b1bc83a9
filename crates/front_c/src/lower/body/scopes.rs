//! How the lives of locals begin and end with their blocks, whichever way execution goes.

use std::rc::Rc;

use raddle_base::Span;
use raddle_ir::{Action, AllocateKind, Expression, LocationId, ReadOnly, RegisterId, Scalar};

use crate::typed::{self, LabelId, LocalId, Statement};
use crate::types::Type;

use super::{FunctionLowering, Storage, Value};

/// Where `break` and `continue` lead.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower) struct Exit {
    pub(in crate::lower) location: LocationId,
    /// How many locals are still alive there.
    alive: usize,
}

impl FunctionLowering<'_, '_> {
    /// A block.
    pub(in crate::lower) fn block(&mut self, statements: &[Statement], span: Span) {
        let owned = self.lifetimes.of_block(statements, None);
        self.in_scope(owned, Some(span), |this| this.statements(statements));
    }

    /// What is owned lives from here to the end of what is done.
    pub(in crate::lower) fn in_scope<T>(
        &mut self,
        owned: Vec<LocalId>,
        span: Option<Span>,
        what: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let alive = self.alive.len();
        for local in owned {
            self.begin_local(local, span);
            self.alive.push(local);
        }
        let result = what(self);
        self.end_locals(alive, span.map(last_of));
        self.alive.truncate(alive);
        result
    }

    /// Evaluates a full expression for its value.
    pub(in crate::lower) fn full_value(&mut self, expression: &typed::Expression) -> Value {
        let owned = self.lifetimes.of_expression(expression);
        if owned.is_empty() {
            return self.value(expression);
        }
        let span = expression.span;
        self.in_scope(owned, Some(span), |this| {
            let value = this.value(expression);
            this.in_temporary(value, span)
        })
    }

    /// Goes on at one of two locations, by a full expression.
    pub(in crate::lower) fn branch_on_full(
        &mut self,
        condition: &typed::Expression,
        yes: LocationId,
        no: LocationId,
    ) {
        let owned = self.lifetimes.of_expression(condition);
        if owned.is_empty() {
            self.branch_on(condition, yes, no);
            return;
        }
        let span = condition.span;
        let holds = self.in_scope(owned, Some(span), |this| {
            let holds = this.condition(condition);
            this.in_temporary(holds, span)
        });
        self.branch(holds, yes, no, span);
    }

    /// An exit to a location outside of all blocks that are not begun yet.
    pub(in crate::lower) fn exit_to(&self, location: LocationId) -> Exit {
        Exit {
            location,
            alive: self.alive.len(),
        }
    }

    pub(in crate::lower) fn leave_by(&mut self, exit: Exit, span: Span) {
        self.end_locals(exit.alive, Some(span));
        self.jump(exit.location, Some(span));
    }

    /// Leaves the blocks that a label is not in, and enters those that it is in.
    pub(in crate::lower) fn go_to_label(&mut self, label: LabelId, to: LocationId, span: Span) {
        let target = self.lifetimes.at_label(label).to_vec();
        let in_common = self
            .alive
            .iter()
            .zip(&target)
            .take_while(|(here, there)| here == there)
            .count();
        self.end_locals(in_common, Some(span));
        self.enter(&target[in_common..], to, Some(span));
    }

    /// Enters blocks in the middle.
    pub(in crate::lower) fn enter(
        &mut self,
        locals: &[LocalId],
        to: LocationId,
        span: Option<Span>,
    ) {
        for &local in locals {
            self.begin_local(local, span);
        }
        self.connect(Action::skip(), to, span);
    }

    /// Ends all lives but the first so many, without leaving the blocks.
    pub(in crate::lower) fn end_locals(&mut self, kept: usize, span: Option<Span>) {
        for at in (kept..self.alive.len()).rev() {
            self.end_local(self.alive[at], span);
        }
    }

    fn begin_local(&mut self, local: LocalId, span: Option<Span>) {
        let source = self.source;
        let ty = &source.locals[local].ty;
        // Stands for a call that is due when the block ends, also for who jumps into it.
        if matches!(ty.ty, Type::Void) {
            return;
        }
        match self.storage(local) {
            Storage::Memory(target) if self.lifetimes.is_made(local) => {
                let span = source.locals[local].span.or(span);
                let read_only = self.lowering.read_only(ty);
                self.make_object(target, &ty.ty, read_only, span);
            }
            Storage::Register(register) if self.lifetimes.is_skipped(local) && self.may_repeat => {
                self.set_undefined(register, span);
            }
            // An array of variable length begins with its declaration.
            Storage::Memory(_) | Storage::Register(_) => {}
        }
    }

    fn end_local(&mut self, local: LocalId, span: Option<Span>) {
        if let Some(call) = self.cleanups.get(&local) {
            let call = Rc::clone(call);
            self.effect(&call);
            return;
        }
        match self.storage(local) {
            Storage::Memory(address) => self.end_object(address, span),
            Storage::Register(register) if self.lifetimes.is_forgotten(local) => {
                self.set_undefined(register, span);
            }
            Storage::Register(_) => {}
        }
    }

    pub(in crate::lower) fn make_object(
        &mut self,
        target: RegisterId,
        ty: &Type,
        read_only: ReadOnly,
        span: Option<Span>,
    ) {
        let shown = self.shown_type(ty);
        let size = u128::from(self.lowering.size(ty));
        let word = Scalar::Int(self.lowering.model().unsigned_word());
        let size = Expression::Constant(size, word);
        self.grow_stack(size.clone().into(), span);
        self.then(
            Action::Allocate {
                target,
                size,
                ty: shown,
                is_zeroed: false,
                kind: AllocateKind::Stack,
                read_only,
            },
            span,
        );
    }

    pub(in crate::lower) fn end_object(&mut self, address: RegisterId, span: Option<Span>) {
        self.shrink_stack(address, span);
        self.then(
            Action::Free {
                address: Expression::Register(address),
                kind: AllocateKind::Stack,
            },
            span,
        );
    }

    fn set_undefined(&mut self, register: RegisterId, span: Option<Span>) {
        let scalar = self.function.registers[register].ty;
        let nothing = self.undefined(scalar).into();
        self.assign(register, nothing, span);
    }
}

/// Where something ends: its last character, as `}`.
fn last_of(span: Span) -> Span {
    Span {
        start: span.end.saturating_sub(1).max(span.start),
        ..span
    }
}
