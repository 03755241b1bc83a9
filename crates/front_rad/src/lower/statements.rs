//! Statements, one by one.

use raddle_base::Span;
use raddle_ir::{
    Access, Action, AllocateKind, EndKind, Expression, IntType, ReadOnly, RegisterId, SyncInit,
    SyncType,
};

use crate::message::{Reported, type_error};
use crate::syntax::{
    CompareExchange, Expr, ExprKind, InitialExpr, Name, Statement, StatementKind, SyncInitExpr,
    TypeExpr,
};

use super::body::{Body, Local, Lowered, Named};
use super::context::sync_type;
use super::initial::Leaf;
use super::operations::Target;
use super::surface::Ty;

impl<'s> Body<'_, '_, 's> {
    pub(super) fn statement(&mut self, statement: &Statement<'s>) -> Lowered<()> {
        let span = statement.span;
        self.automaton().span = span;
        match &statement.kind {
            StatementKind::Let {
                name,
                ty,
                value,
                is_temporary,
            } => self.let_statement(*name, ty.as_ref(), value.as_ref(), *is_temporary),
            StatementKind::Variable { name, ty, initial } => {
                let declared = self.variable(*name, ty, initial.as_ref());
                if declared.is_err() {
                    self.declare(name.text, Local::Broken);
                }
                declared
            }
            StatementKind::Assign { target, value } => self.assign(target, value),
            StatementKind::FirstValue { place, value } => {
                self.store_to(place, value, Access::Initial)
            }
            StatementKind::ExchangeInto {
                is_let,
                previous,
                success,
                exchange,
            } => self.exchange_into(*is_let, previous.as_ref(), success.as_ref(), exchange, span),
            StatementKind::Evaluate(expr) => {
                self.evaluate_into(expr, &Target::Nothing)?;
                Ok(())
            }
            StatementKind::If { arms, otherwise } => {
                self.if_statement(arms, otherwise.as_ref());
                Ok(())
            }
            StatementKind::While { condition, body } => {
                self.loop_statement(Some(condition), body, span)
            }
            StatementKind::Loop(body) => self.loop_statement(None, body, span),
            StatementKind::Break => self.leave_loop("break", span),
            StatementKind::Continue => self.leave_loop("continue", span),
            StatementKind::Choose(branches) => {
                self.choose(branches, span);
                Ok(())
            }
            StatementKind::Bracket { bracket, id, body } => self.bracket(bracket, *id, body),
            StatementKind::Await(condition) => {
                self.automaton().emit(Action::AtomicBegin {
                    is_as_written: false,
                });
                let condition = self.condition(condition)?;
                self.automaton().emit(Action::Assume { condition });
                self.automaton().emit(Action::AtomicEnd);
                Ok(())
            }
            StatementKind::AtomicBegin { is_as_written } => self.plain(Action::AtomicBegin {
                is_as_written: *is_as_written,
            }),
            StatementKind::AtomicEnd => self.plain(Action::AtomicEnd),
            StatementKind::UnitBegin(set) => {
                let set = self.optional_set(*set)?;
                self.plain(Action::UnitBegin { set })
            }
            StatementKind::UnitEnd(set) => {
                let set = self.optional_set(*set)?;
                self.plain(Action::UnitEnd { set })
            }
            StatementKind::Assert(condition, message) => {
                let condition = self.condition(condition)?;
                self.plain(Action::Assert {
                    condition,
                    message: message.clone(),
                })
            }
            StatementKind::Assume(condition) => {
                let condition = self.condition(condition)?;
                self.plain(Action::Assume { condition })
            }
            StatementKind::Skip => self.plain(Action::skip()),
            StatementKind::Fence(order) => self.plain(Action::Fence { order: *order }),
            StatementKind::Havoc(target) => self.havoc(target),
            StatementKind::Return(value) => self.return_statement(value.as_ref(), span),
            StatementKind::ExitThread(value) => {
                let value = match value {
                    Some(value) => {
                        let preferred = self.natural(value).or_else(|| self.result_type());
                        let (value, ty) = self.pure(value, preferred.as_ref())?;
                        self.scalar_of(&ty, span)?;
                        Some(value)
                    }
                    None => None,
                };
                self.last(Action::ExitThread { value })
            }
            StatementKind::Exit(status) => {
                let status = match status {
                    Some(status) => self.integer(status, &Ty::I32)?.0,
                    None => Expression::int(0, IntType::signed(32)),
                };
                self.last(Action::EndProcess {
                    kind: EndKind::Exit(status),
                })
            }
            StatementKind::Abort => self.last(Action::EndProcess {
                kind: EndKind::Abort,
            }),
            StatementKind::Label(label) => self.label(*label),
            StatementKind::Goto(jump) => self.goto(*jump),
            StatementKind::Init(place, sync) => self.init(place, sync.as_ref()),
            StatementKind::Destroy(place, sync) => self.destroy(place, sync.as_ref()),
            StatementKind::Detach(thread) => {
                let thread = self.value_of(thread, &Ty::Thread)?;
                self.plain(Action::Detach { thread })
            }
            StatementKind::Free(address, kind) => {
                let address = self.value_of(address, &Ty::Pointer(None))?;
                self.plain(Action::Free {
                    address,
                    kind: *kind,
                })
            }
            StatementKind::Emit(text, arguments) => {
                let mut values = Vec::new();
                for argument in arguments {
                    let natural = self.natural(argument);
                    let (value, ty) = self.pure(argument, natural.as_ref())?;
                    self.scalar_of(&ty, argument.span)?;
                    values.push(value);
                }
                self.plain(Action::Emit {
                    text: text.clone(),
                    arguments: values,
                })
            }
            StatementKind::Unsupported(what) => {
                self.plain(Action::Unsupported { what: what.clone() })
            }
        }
    }

    #[expect(
        clippy::unnecessary_wraps,
        reason = "the arms of `statement` all give a result"
    )]
    fn plain(&mut self, action: Action) -> Lowered<()> {
        self.automaton().emit(action);
        Ok(())
    }

    /// An action after which nothing of the function follows.
    #[expect(
        clippy::unnecessary_wraps,
        reason = "the arms of `statement` all give a result"
    )]
    fn last(&mut self, action: Action) -> Lowered<()> {
        let exit = self.automaton().exit;
        self.automaton().emit_to(action, exit);
        Ok(())
    }

    fn optional_set(&mut self, set: Option<Name<'s>>) -> Lowered<Option<raddle_ir::AtomicSetId>> {
        match set {
            Some(name) => {
                let found = self.context.atomic_set(name);
                self.resolved(found).map(Some)
            }
            None => Ok(None),
        }
    }

    fn result_type(&mut self) -> Option<Ty> {
        self.function().and_then(|function| function.result.clone())
    }

    pub(super) fn declare(&mut self, name: &'s str, local: Local) {
        if let Some(function) = self.function() {
            function.declare(name, local);
        }
    }

    // ---- registers and variables

    fn let_statement(
        &mut self,
        name: Name<'s>,
        ty: Option<&TypeExpr<'s>>,
        value: Option<&Expr<'s>>,
        is_temporary: bool,
    ) -> Lowered<()> {
        let declared = self.let_register(name, ty, value, is_temporary);
        let local = match &declared {
            Ok((register, ty)) => Local::Register(*register, ty.clone()),
            Err(Reported) => Local::Broken,
        };
        self.declare(name.text, local);
        declared.map(|_| ())
    }

    fn let_register(
        &mut self,
        name: Name<'s>,
        ty: Option<&TypeExpr<'s>>,
        value: Option<&Expr<'s>>,
        is_temporary: bool,
    ) -> Lowered<(RegisterId, Ty)> {
        let ty = match ty {
            Some(ty) => {
                let scalar = self.context.scalar(ty);
                Some(self.resolved(scalar)?)
            }
            None => None,
        };
        match (value, ty) {
            (Some(value), ty) if !is_temporary => {
                let received = self.evaluate_into(value, &Target::New(name, ty))?;
                received.ok_or(Reported)
            }
            (value, Some(ty)) => {
                let register = self
                    .automaton()
                    .register(name.text, &ty, is_temporary, name.span);
                if let Some(value) = value {
                    self.evaluate_into(value, &Target::Register(register, ty.clone()))?;
                }
                Ok((register, ty))
            }
            (_, None) => Err(self.report(
                type_error(
                    format!("the type of `{}` is not known", name.text),
                    name.span,
                    "has no type",
                )
                .help(format!("say it: `{}: u8`", name.text)),
            )),
        }
    }

    /// An object on the stack, and the stores of its initial value.
    fn variable(
        &mut self,
        name: Name<'s>,
        ty: &TypeExpr<'s>,
        initial: Option<&InitialExpr<'s>>,
    ) -> Lowered<()> {
        let (ty, size) = self.sized_type(ty)?;
        let word = self.context.model.unsigned_word();
        let pointer = Ty::pointer_to(ty.clone());
        let target = self
            .automaton()
            .register(name.text, &pointer, false, name.span);
        let is_list = matches!(
            initial,
            Some(InitialExpr::List(..) | InitialExpr::Fields(..))
        );
        self.automaton().emit(Action::Allocate {
            target,
            size: Expression::int(i128::from(size), word),
            ty: Some(ty.to_ir()),
            is_zeroed: is_list,
            kind: AllocateKind::Stack,
            read_only: ReadOnly::NOTHING,
        });
        if let Some(initial) = initial {
            let leaves = self.leaves(initial, &ty)?;
            for (offset, leaf) in leaves {
                let base = Expression::Register(target);
                let address = Expression::at_offset(base, offset, self.context.model);
                self.store_leaf(address, &leaf)?;
            }
        }
        self.declare(name.text, Local::Variable(target, ty));
        Ok(())
    }

    fn store_leaf(&mut self, address: Expression, leaf: &Leaf<'_, 's>) -> Lowered<()> {
        let (value, ty) = match leaf {
            Leaf::Any(ty, span) => {
                let target = self.automaton().temporary(ty, *span);
                self.automaton().emit(Action::Havoc { target });
                (Expression::Register(target), ty)
            }
            Leaf::Value(ty, value) => (self.value_of(value, ty)?, ty),
            Leaf::Sync(sync, value) => {
                let (count, _) = self.integer(value, &Ty::U32)?;
                let sync = match sync {
                    SyncType::Barrier => SyncInit::Barrier(count),
                    _ => SyncInit::Semaphore(count),
                };
                return self.plain(Action::Init {
                    object: address,
                    sync,
                });
            }
        };
        let ty = ty.scalar().expect("leaves are scalars");
        self.plain(Action::Store {
            address,
            value,
            ty,
            access: Access::Plain,
        })
    }

    /// The register that an expression names.
    fn register_named(&self, expr: &Expr<'s>) -> Option<(RegisterId, Ty)> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name)? {
                Named::Local(Local::Register(register, ty)) => Some((register, ty)),
                Named::Local(_) | Named::Global(_) | Named::Index => None,
            },
            _ => None,
        }
    }

    fn assign(&mut self, target: &Expr<'s>, value: &Expr<'s>) -> Lowered<()> {
        if let Some((register, ty)) = self.register_named(target) {
            self.evaluate_into(value, &Target::Register(register, ty))?;
            return Ok(());
        }
        self.store_to(target, value, Access::Plain)
    }

    fn store_to(&mut self, place: &Expr<'s>, value: &Expr<'s>, access: Access) -> Lowered<()> {
        let (address, ty) = self.place(place)?;
        let scalar = self.scalar_of(&ty, place.span)?;
        let value = self.value_of(value, &ty)?;
        self.plain(Action::Store {
            address,
            value,
            ty: scalar,
            access,
        })
    }

    fn havoc(&mut self, target: &Expr<'s>) -> Lowered<()> {
        if let Some((target, _)) = self.register_named(target) {
            return self.plain(Action::Havoc { target });
        }
        let (address, ty) = self.place(target)?;
        let scalar = self.scalar_of(&ty, target.span)?;
        let temporary = self.automaton().temporary(&ty, target.span);
        self.automaton().emit(Action::Havoc { target: temporary });
        self.plain(Action::Store {
            address,
            value: Expression::Register(temporary),
            ty: scalar,
            access: Access::Plain,
        })
    }

    fn exchange_into(
        &mut self,
        is_let: bool,
        previous: Option<&Expr<'s>>,
        success: Option<&Expr<'s>>,
        exchange: &CompareExchange<'s>,
        span: Span,
    ) -> Lowered<()> {
        // A target in memory is stored to afterwards.
        let target = |this: &Self, expr: Option<&Expr<'s>>| match expr {
            None => Target::Nothing,
            Some(expr) => match expr.kind {
                ExprKind::Name(text) if is_let => Target::New(
                    Name {
                        text,
                        span: expr.span,
                    },
                    None,
                ),
                _ => match this.register_named(expr) {
                    Some((register, ty)) => Target::Register(register, ty),
                    None => Target::Temporary,
                },
            },
        };
        let (previous_target, success_target) = (target(self, previous), target(self, success));
        let exchanged = self.compare_exchange(exchange, &previous_target, &success_target, span);
        let Ok((old, ok)) = exchanged else {
            for target in [&previous_target, &success_target] {
                if let Target::New(name, _) = target {
                    self.declare(name.text, Local::Broken);
                }
            }
            return Err(Reported);
        };
        for (target, expr, received) in [
            (previous_target, previous, old),
            (success_target, success, ok),
        ] {
            match (target, expr, received) {
                (Target::New(name, _), _, Some((register, ty))) => {
                    self.declare(name.text, Local::Register(register, ty));
                }
                (Target::Temporary, Some(expr), Some((register, ty))) => {
                    let (address, wanted) = self.place(expr)?;
                    let scalar = self.scalar_of(&wanted, expr.span)?;
                    self.expect_fit(&ty, &wanted, expr.span)?;
                    self.automaton().emit(Action::Store {
                        address,
                        value: Expression::Register(register),
                        ty: scalar,
                        access: Access::Plain,
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    // ---- ends

    fn return_statement(&mut self, value: Option<&Expr<'s>>, span: Span) -> Lowered<()> {
        let value = match (value, self.result_type()) {
            (Some(value), Some(wanted)) => Some(self.value_of(value, &wanted)?),
            (Some(value), None) => {
                return Err(self.report(
                    type_error(
                        "this function gives no value",
                        value.span,
                        "a value is returned here",
                    )
                    .help("declare its result, as in `fn f() -> u8`; threads end with `exit_thread e`"),
                ));
            }
            (None, Some(wanted)) => {
                let shown = self.context.describe(&wanted);
                self.automaton().go_on_at(None);
                return Err(self.report(type_error(
                    format!("this function gives a `{shown}`"),
                    span,
                    "a value is missing here",
                )));
            }
            (None, None) => None,
        };
        self.clean_up(0);
        self.last(Action::Return { value })
    }

    // ---- synchronisation objects

    fn init(&mut self, place: &Expr<'s>, sync: Option<&SyncInitExpr<'s>>) -> Lowered<()> {
        let (object, ty) = self.place(place)?;
        let (kind, argument) = self.sync_of(&ty, sync, place.span)?;
        let count = match argument {
            Some(argument) => Some(self.integer(argument, &Ty::U32)?.0),
            None => None,
        };
        let span = sync.map_or(place.span, |sync| sync.name.span);
        let sync = self.resolved(sync_init(kind, count, span))?;
        self.plain(Action::Init { object, sync })
    }

    fn destroy(&mut self, place: &Expr<'s>, sync: Option<&SyncInitExpr<'s>>) -> Lowered<()> {
        let (object, ty) = self.place(place)?;
        let (sync, _) = self.sync_of(&ty, sync, place.span)?;
        self.plain(Action::Destroy { object, sync })
    }

    /// The kind of object that is made or ended at a place.
    fn sync_of<'e>(
        &mut self,
        ty: &Ty,
        sync: Option<&'e SyncInitExpr<'s>>,
        span: Span,
    ) -> Lowered<(SyncType, Option<&'e Expr<'s>>)> {
        match (ty, sync) {
            (Ty::Sync(kind), None) => Ok((*kind, None)),
            (_, None) => {
                let shown = self.context.describe(ty);
                Err(self.report(
                    type_error(
                        format!("a `{shown}` is no synchronisation object"),
                        span,
                        format!("this is `{shown}`"),
                    )
                    .help("say what is made of it, as in `init x as mutex`"),
                ))
            }
            (_, Some(sync)) => {
                let kind = self.resolved(sync_type(sync.name))?;
                if let Ty::Sync(declared) = ty
                    && !declared.is_family_of(kind)
                {
                    let shown = self.context.describe(ty);
                    return Err(self.report(type_error(
                        format!("a `{shown}` cannot become a `{}`", kind.name()),
                        span,
                        format!("this is `{shown}`"),
                    )));
                }
                Ok((kind, sync.argument.as_deref()))
            }
        }
    }
}

/// How an object of a kind begins; semaphores and barriers need a count.
pub(super) fn sync_init(
    kind: SyncType,
    count: Option<Expression>,
    span: Span,
) -> Result<SyncInit, raddle_diag::Diagnostic> {
    Ok(match (kind, count) {
        (SyncType::Semaphore, Some(count)) => SyncInit::Semaphore(count),
        (SyncType::Barrier, Some(count)) => SyncInit::Barrier(count),
        (SyncType::Semaphore | SyncType::Barrier, None) => {
            let name = kind.name();
            return Err(type_error(
                format!("a {name} begins with a number"),
                span,
                "the number is missing",
            )
            .help(format!("write `{name}(1)`")));
        }
        (_, Some(_)) => {
            return Err(type_error(
                format!("a {} has no number", kind.name()),
                span,
                "leave out the number",
            ));
        }
        (SyncType::Mutex(mutex), None) => SyncInit::Mutex(mutex),
        (SyncType::ReadWriteLock, None) => SyncInit::ReadWriteLock,
        (SyncType::Condition, None) => SyncInit::Condition,
        (SyncType::Monitor, None) => SyncInit::Monitor,
    })
}
