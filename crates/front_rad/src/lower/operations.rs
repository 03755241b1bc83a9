//! Operations: what makes one edge and may give a value.

use raddle_base::Span;
use raddle_ir::arithmetic::is_word;
use raddle_ir::{
    Access, Action, Callee as IrCallee, Expression, NamePlace, RegisterId, RmwOperation, Scalar,
};

use crate::message::{Reported, nearest, type_error};
use crate::syntax::{Callee, CompareExchange, Expr, ExprKind, Name};

use super::body::{Body, Local, Lowered, Named};
use super::context::Meaning;
use super::surface::Ty;

/// Where the value of an operation goes.
#[derive(Clone, Debug)]
pub(super) enum Target<'s> {
    Nothing,
    /// A register of the middle of an expression, made for it.
    Temporary,
    Register(RegisterId, Ty),
    /// A register that a `let` declares; without a type it takes that of the value.
    New(Name<'s>, Option<Ty>),
}

impl<'s> Body<'_, '_, 's> {
    /// Evaluates a value into a target, in one edge if the value is one operation or pure.
    pub(super) fn evaluate_into(
        &mut self,
        expr: &Expr<'s>,
        target: &Target<'s>,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        if self.is_operation(expr) {
            let expected = match target {
                Target::Register(_, ty) | Target::New(_, Some(ty)) => Some(ty.clone()),
                Target::Nothing | Target::Temporary | Target::New(_, None) => None,
            };
            return self.operation(expr, expected.as_ref(), target);
        }
        if let ExprKind::Logic(logic, left, right) = &expr.kind
            && self.has_effect(right)
        {
            // Whatever it reads is read before the target is written.
            let received = self.receive(target, &Ty::BOOL, expr.span)?;
            if let Some((register, _)) = received {
                self.short_circuit(*logic, left, right, register)?;
            }
            return Ok(received);
        }
        let expected = match target {
            Target::Register(_, ty) | Target::New(_, Some(ty)) => Some(ty.clone()),
            Target::Nothing | Target::Temporary | Target::New(_, None) => self.natural(expr),
        };
        let (value, ty) = self.pure(expr, expected.as_ref())?;
        let received = self.receive(target, &ty, expr.span)?;
        if let Some((target, _)) = received {
            self.automaton().emit(Action::Assign { target, value });
        }
        Ok(received)
    }

    /// A value inside an expression.
    pub(super) fn operation_value(
        &mut self,
        expr: &Expr<'s>,
        expected: Option<&Ty>,
    ) -> Lowered<(Expression, Ty)> {
        match self.operation(expr, expected, &Target::Temporary)? {
            Some((register, ty)) => Ok((Expression::Register(register), ty)),
            None => Err(self.report(type_error(
                "this gives no value",
                expr.span,
                "expected a value",
            ))),
        }
    }

    /// Whether the whole of an expression is one operation, so that its target is written by it.
    fn is_operation(&self, expr: &Expr<'s>) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => matches!(
                self.lookup(name),
                Some(Named::Local(Local::Variable(..)) | Named::Global(Meaning::Global(_)))
            ),
            ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Dereference(_)
            | ExprKind::Call(..)
            | ExprKind::ObjectSize(_)
            | ExprKind::AtomicLoad(..)
            | ExprKind::AtomicStore(..)
            | ExprKind::ReadModifyWrite(..)
            | ExprKind::CompareExchange(_)
            | ExprKind::Any(_)
            | ExprKind::Allocate(_)
            | ExprKind::Spawn(..)
            | ExprKind::Join(_)
            | ExprKind::Sync(..) => true,
            _ => false,
        }
    }

    /// The register for a value of type `ty`.
    pub(super) fn receive(
        &mut self,
        target: &Target<'s>,
        ty: &Ty,
        span: Span,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        Ok(match target {
            Target::Nothing => None,
            Target::Temporary => {
                self.scalar_of(ty, span)?;
                Some((self.automaton().temporary(ty, span), ty.clone()))
            }
            Target::Register(register, wanted) => {
                self.expect_fit(ty, wanted, span)?;
                Some((*register, wanted.clone()))
            }
            Target::New(name, wanted) => {
                let ty = if let Some(wanted) = wanted {
                    self.expect_fit(ty, wanted, span)?;
                    wanted
                } else {
                    self.scalar_of(ty, span)?;
                    ty
                };
                let register = self.automaton().register(name.text, ty, false, name.span);
                Some((register, ty.clone()))
            }
        })
    }

    /// The register for a value whose type the target decides.
    pub(super) fn receive_any(
        &mut self,
        target: &Target<'s>,
        expected: Option<&Ty>,
        span: Span,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        let ty = match (target, expected) {
            (Target::Nothing, _) => return Ok(None),
            (Target::Register(_, ty) | Target::New(_, Some(ty)), _) => ty.clone(),
            (Target::Temporary, Some(ty)) => ty.clone(),
            (Target::Temporary | Target::New(_, None), _) => {
                return Err(self.report(
                    type_error("the type of this value is not known", span, "of any type")
                        .help("say it, as in `let r: u8 = …`"),
                ));
            }
        };
        self.receive(target, &ty, span)
    }

    /// The register for an error number: any integer, `i32` if nothing is said.
    pub(super) fn receive_integer(
        &mut self,
        target: &Target<'s>,
        expected: Option<&Ty>,
        span: Span,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        let ty = match (target, expected) {
            (Target::Register(_, ty @ Ty::Int(_)) | Target::New(_, Some(ty @ Ty::Int(_))), _) => {
                ty.clone()
            }
            (Target::Temporary, Some(ty @ Ty::Int(_))) => ty.clone(),
            _ => Ty::I32,
        };
        self.receive(target, &ty, span)
    }

    /// Where the name of a new thread is stored.
    fn name_place(&mut self, place: &Expr<'s>) -> Lowered<NamePlace> {
        let (address, ty) = self.place(place)?;
        let scalar = self.scalar_of(&ty, place.span)?;
        if scalar != Scalar::Thread && !is_word(scalar, self.context.model) {
            let shown = self.context.describe(&ty);
            return Err(self.report(
                type_error(
                    format!("the name of a thread is no `{shown}`"),
                    place.span,
                    "expected a place of type `thread`",
                )
                .help("declare it as in `var t: thread`"),
            ));
        }
        let ty = scalar;
        Ok(NamePlace { address, ty })
    }

    fn operation(
        &mut self,
        expr: &Expr<'s>,
        expected: Option<&Ty>,
        target: &Target<'s>,
    ) -> Lowered<Option<(RegisterId, Ty)>> {
        let span = expr.span;
        if self.function().is_none() {
            return Err(self.not_here("this", span));
        }
        match &expr.kind {
            ExprKind::Call(callee, arguments) => {
                let (callee, arguments, result) = self.call(callee, arguments)?;
                let received = match (target, result) {
                    (Target::Nothing, _) => None,
                    (_, CallResult::Known(Some(ty))) => self.receive(target, &ty, span)?,
                    (_, CallResult::Known(None)) => {
                        return Err(self.report(
                            type_error("this function gives no value", span, "expected a value")
                                .help("declare its result, as in `fn f() -> u8`"),
                        ));
                    }
                    (_, CallResult::Any) => self.receive_any(target, expected, span)?,
                };
                self.automaton().emit(Action::Call {
                    target: register_of(received.as_ref()),
                    callee,
                    arguments,
                });
                Ok(received)
            }
            ExprKind::Spawn(callee, arguments, place) => {
                let (callee, arguments, _) = self.call(callee, arguments)?;
                let place = match place {
                    Some(place) => Some(self.name_place(place)?),
                    None => None,
                };
                let received = self.receive(target, &Ty::Thread, span)?;
                self.automaton().emit(Action::Spawn {
                    target: register_of(received.as_ref()),
                    place,
                    callee,
                    arguments,
                });
                Ok(received)
            }
            ExprKind::Join(thread) => {
                let thread = self.value_of(thread, &Ty::Thread)?;
                let received = self.receive_any(target, expected, span)?;
                self.automaton().emit(Action::Join {
                    thread,
                    target: register_of(received.as_ref()),
                });
                Ok(received)
            }
            ExprKind::Any(ty) => {
                let scalar = self.context.scalar(ty);
                let ty = self.resolved(scalar)?;
                let received = self.receive(target, &ty, span)?;
                if let Some((target, _)) = received {
                    self.automaton().emit(Action::Havoc { target });
                }
                Ok(received)
            }
            ExprKind::Allocate(allocate) => self.allocate(allocate, target, span),
            ExprKind::ObjectSize(address) => {
                let address = self.value_of(address, &Ty::Pointer(None))?;
                let ty = Ty::unsigned_word(self.context.model);
                // A size always has a target.
                let received = match target {
                    Target::Nothing => self.receive(&Target::Temporary, &ty, span)?,
                    _ => self.receive(target, &ty, span)?,
                };
                if let Some((target, _)) = received {
                    self.automaton().emit(Action::Size { target, address });
                }
                Ok(received)
            }
            ExprKind::AtomicLoad(place, order) => {
                let (address, ty) = self.place(place)?;
                let scalar = self.scalar_of(&ty, place.span)?;
                // A load always has a target.
                let received = match target {
                    Target::Nothing => self.receive(&Target::Temporary, &ty, span)?,
                    _ => self.receive(target, &ty, span)?,
                };
                if let Some((target, _)) = received {
                    self.automaton().emit(Action::Load {
                        target,
                        address,
                        ty: scalar,
                        access: Access::Atomic(*order),
                    });
                }
                Ok(received)
            }
            ExprKind::AtomicStore(place, value, order) => {
                if !matches!(target, Target::Nothing) {
                    return Err(self.report(type_error(
                        "`atomic_store` gives no value",
                        span,
                        "expected a value",
                    )));
                }
                let (address, ty) = self.place(place)?;
                let scalar = self.scalar_of(&ty, place.span)?;
                let value = self.value_of(value, &ty)?;
                self.automaton().emit(Action::Store {
                    address,
                    value,
                    ty: scalar,
                    access: Access::Atomic(*order),
                });
                Ok(None)
            }
            ExprKind::ReadModifyWrite(operation, place, operand, order) => {
                let (address, ty) = self.place(place)?;
                let scalar = self.scalar_of(&ty, place.span)?;
                if *operation != RmwOperation::Exchange && !matches!(ty, Ty::Int(_)) {
                    let shown = self.context.describe(&ty);
                    return Err(self.report(
                        type_error(
                            format!("this operation does not work on `{shown}`"),
                            place.span,
                            "expected a place that holds an integer",
                        )
                        .help("`exchange` and `compare_exchange` work on every type"),
                    ));
                }
                let operand = self.value_of(operand, &ty)?;
                let received = self.receive(target, &ty, span)?;
                self.automaton().emit(Action::ReadModifyWrite {
                    target: register_of(received.as_ref()),
                    operation: *operation,
                    address,
                    operand,
                    ty: scalar,
                    order: *order,
                });
                Ok(received)
            }
            ExprKind::CompareExchange(exchange) => {
                let (_, success) =
                    self.compare_exchange(exchange, &Target::Nothing, target, span)?;
                Ok(success)
            }
            ExprKind::Sync(word, object, mutex) => {
                self.sync(*word, object, mutex.as_deref(), expected, target, span)
            }
            _ => {
                let (address, ty) = self.place(expr)?;
                let scalar = self.scalar_of(&ty, span)?;
                let received = self.receive(target, &ty, span)?;
                if let Some((target, _)) = received {
                    self.automaton().emit(Action::Load {
                        target,
                        address,
                        ty: scalar,
                        access: Access::Plain,
                    });
                }
                Ok(received)
            }
        }
    }

    #[expect(
        clippy::type_complexity,
        reason = "two optional registers with their types"
    )]
    pub(super) fn compare_exchange(
        &mut self,
        exchange: &CompareExchange<'s>,
        previous: &Target<'s>,
        success: &Target<'s>,
        span: Span,
    ) -> Lowered<(Option<(RegisterId, Ty)>, Option<(RegisterId, Ty)>)> {
        let (address, ty) = self.place(&exchange.place)?;
        let scalar = self.scalar_of(&ty, exchange.place.span)?;
        let expected = self.value_of(&exchange.expected, &ty)?;
        let desired = self.value_of(&exchange.desired, &ty)?;
        let previous = self.receive(previous, &ty, span)?;
        let success = self.receive(success, &Ty::BOOL, span)?;
        self.automaton().emit(Action::CompareExchange {
            previous: register_of(previous.as_ref()),
            success: register_of(success.as_ref()),
            address,
            expected,
            desired,
            ty: scalar,
            order: exchange.order,
            failure: exchange.failure,
        });
        Ok((previous, success))
    }

    // ---- calls

    fn call(
        &mut self,
        callee: &Callee<'s>,
        arguments: &[Expr<'s>],
    ) -> Lowered<(IrCallee, Vec<Expression>, CallResult)> {
        match callee {
            Callee::Pointer(pointer) => {
                let address = self.value_of(pointer, &Ty::Pointer(None))?;
                let mut values = Vec::new();
                for argument in arguments {
                    let expected = self.natural(argument);
                    let (value, _) = self.pure(argument, expected.as_ref())?;
                    values.push(value);
                }
                Ok((IrCallee::Indirect(address), values, CallResult::Any))
            }
            Callee::Named(name) => {
                let (function, values) = self.direct_call(*name, arguments)?;
                let result = self.context.function(function).result.clone();
                Ok((
                    IrCallee::Direct(function),
                    values,
                    CallResult::Known(result),
                ))
            }
        }
    }

    /// Also for the arguments of threads that run from the start.
    pub(super) fn direct_call(
        &mut self,
        name: Name<'s>,
        arguments: &[Expr<'s>],
    ) -> Lowered<(raddle_ir::FunctionId, Vec<Expression>)> {
        let function = self.function_named(name)?;
        let signature = self.context.function(function);
        if signature.parameters.len() != arguments.len() {
            let span = arguments
                .first()
                .zip(arguments.last())
                .map_or(name.span, |(first, last)| first.span.to(last.span));
            let message = format!(
                "`{}` takes {} and is given {}",
                name.text,
                count_of(signature.parameters.len(), "argument"),
                arguments.len()
            );
            let declared = signature.item.span;
            return Err(self.report(
                type_error(message, span, "wrong number of arguments")
                    .at(declared, "declared here"),
            ));
        }
        let mut values = Vec::new();
        for (argument, wanted) in arguments.iter().zip(&signature.parameters) {
            values.push(self.value_of(argument, wanted)?);
        }
        Ok((function, values))
    }

    fn function_named(&mut self, name: Name<'s>) -> Lowered<raddle_ir::FunctionId> {
        match self.lookup(name.text) {
            Some(Named::Global(Meaning::Function(function))) => Ok(function),
            Some(Named::Local(Local::Broken)) => Err(Reported),
            Some(Named::Local(_) | Named::Global(Meaning::Global(_))) => Err(self.report(
                type_error(
                    format!("`{}` is no function", name.text),
                    name.span,
                    "a variable",
                )
                .help(format!(
                    "call through a pointer with `call {}(…)`",
                    name.text
                )),
            )),
            Some(Named::Global(_) | Named::Index) => Err(self.report(type_error(
                format!("`{}` is no function", name.text),
                name.span,
                "expected a function",
            ))),
            None => {
                let functions = self
                    .context
                    .functions
                    .iter()
                    .map(|signature| signature.item.name.text);
                let diagnostic = crate::message::name_error(
                    format!("there is no function `{}`", name.text),
                    name.span,
                    "unknown name",
                );
                let diagnostic = match nearest(name.text, functions) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => diagnostic.help(format!("declare it: `fn {}() {{ … }}`", name.text)),
                };
                Err(self.report(diagnostic))
            }
        }
    }
}

/// What is known of the result of a call.
enum CallResult {
    Known(Option<Ty>),
    /// Through a pointer.
    Any,
}

pub(super) fn register_of(received: Option<&(RegisterId, Ty)>) -> Option<RegisterId> {
    received.map(|(register, _)| *register)
}

fn count_of(count: usize, what: &str) -> String {
    if count == 1 {
        format!("1 {what}")
    } else {
        format!("{count} {what}s")
    }
}
