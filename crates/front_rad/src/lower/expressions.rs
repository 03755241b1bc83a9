//! Pure expressions: types are inferred from the inside out, literals take theirs from what stands around.

use raddle_base::Span;
use raddle_ir::{Atom, BinaryOp, Expression, IntType, Scalar, UnaryOp, arithmetic};

use crate::message::type_error;
use crate::syntax::{Expr, ExprKind, Logic, UnarySign};

use super::body::{Body, Local, Lowered, Named, Sink};
use super::context::Meaning;
use super::surface::Ty;

impl<'s> Body<'_, '_, 's> {
    /// Lowers an expression of a known type.
    pub(super) fn value_of(&mut self, expr: &Expr<'s>, wanted: &Ty) -> Lowered<Expression> {
        let (value, ty) = self.pure(expr, Some(wanted))?;
        self.expect_fit(&ty, wanted, expr.span)?;
        Ok(value)
    }

    pub(super) fn condition(&mut self, expr: &Expr<'s>) -> Lowered<Expression> {
        self.value_of(expr, &Ty::BOOL)
    }

    /// Lowers an expression of an integer type; literals get `preferred`.
    pub(super) fn integer(
        &mut self,
        expr: &Expr<'s>,
        preferred: &Ty,
    ) -> Lowered<(Expression, IntType)> {
        match self.pure(expr, Some(preferred))? {
            (value, Ty::Int(int)) => Ok((value, int)),
            (_, other) => {
                let shown = self.context.describe(&other);
                Err(self.report(type_error(
                    format!("expected an integer, found `{shown}`"),
                    expr.span,
                    format!("this is `{shown}`"),
                )))
            }
        }
    }

    /// Lowers an expression: effects become edges, what is left is pure.
    pub(super) fn pure(
        &mut self,
        expr: &Expr<'s>,
        expected: Option<&Ty>,
    ) -> Lowered<(Expression, Ty)> {
        let span = expr.span;
        self.check_subject(expr)?;
        match &expr.kind {
            ExprKind::Integer {
                value,
                is_negative,
                is_bits,
                suffix,
            } => {
                let ty = match (suffix, expected) {
                    (Some(suffix), _) => self.suffix_type(*suffix),
                    (None, Some(ty @ (Ty::Int(_) | Ty::Float(_)))) => ty.clone(),
                    (None, _) => Ty::I32,
                };
                let is_float_bits = *is_bits && suffix.is_some();
                let constant =
                    self.integer_literal(*value, *is_negative, *is_bits, is_float_bits, &ty, span)?;
                Ok((constant, ty))
            }
            ExprKind::Float {
                digits,
                is_negative,
                suffix,
            } => Ok(Self::float_literal(digits, *is_negative, *suffix, expected)),
            ExprKind::Bool(value) => Ok((Expression::bool(*value), Ty::BOOL)),
            ExprKind::Null => {
                let ty = match expected {
                    Some(ty @ Ty::Pointer(_)) => ty.clone(),
                    _ => Ty::Pointer(None),
                };
                Ok((Expression::null(), ty))
            }
            ExprKind::CurrentThread => Ok((Expression::CurrentThread, Ty::Thread)),
            ExprKind::ThreadIndex => Ok(match expected {
                Some(Ty::Thread) => (Expression::CurrentThread, Ty::Thread),
                Some(Ty::Int(int)) => (self.thread_index(*int), Ty::Int(*int)),
                _ => (self.thread_index(IntType::unsigned(32)), Ty::U32),
            }),
            ExprKind::Name(name) => self.name_value(name, expr, expected),
            ExprKind::AddressOf(place) => self.address_of(place),
            ExprKind::Unary(op, sign, operand) => self.unary(*op, *sign, operand, expected, span),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expected, span),
            ExprKind::Logic(logic, left, right) => self.logic(*logic, left, right, span),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional([condition, then, otherwise], expected, span)
            }
            ExprKind::Cast(operand, ty) => self.cast(operand, ty, span),
            ExprKind::SizeOf(ty) => {
                let sized = self.context.sized(ty);
                let ty = self.resolved(sized)?;
                let size = self.context.size_of(&ty).expect("a sized type has a size");
                let word = self.context.model.unsigned_word();
                Ok((Expression::int(i128::from(size), word), Ty::Int(word)))
            }
            ExprKind::Owner(_) | ExprKind::At { .. } => self.state_atom(expr),
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Dereference(_) => {
                let (address, ty) = self.place(expr)?;
                let value = self.read_cell(address, &ty, span)?;
                Ok((value, ty))
            }
            ExprKind::Call(..)
            | ExprKind::ObjectSize(_)
            | ExprKind::AtomicLoad(..)
            | ExprKind::AtomicStore(..)
            | ExprKind::ReadModifyWrite(..)
            | ExprKind::CompareExchange(_)
            | ExprKind::Any(_)
            | ExprKind::Allocate(_)
            | ExprKind::Spawn(..)
            | ExprKind::Join(_)
            | ExprKind::Sync(..) => self.operation_value(expr, expected),
        }
    }

    fn name_value(
        &mut self,
        name: &'s str,
        expr: &Expr<'s>,
        expected: Option<&Ty>,
    ) -> Lowered<(Expression, Ty)> {
        let span = expr.span;
        match self.lookup(name) {
            Some(Named::Local(Local::Register(register, ty))) => {
                Ok((Expression::Register(register), ty))
            }
            Some(Named::Local(Local::Broken)) => Err(crate::message::Reported),
            Some(Named::Local(Local::Variable(..)) | Named::Global(Meaning::Global(_))) => {
                let (address, ty) = self.place(expr)?;
                let value = self.read_cell(address, &ty, span)?;
                Ok((value, ty))
            }
            Some(Named::Index) => {
                let int = match expected {
                    Some(Ty::Int(int)) => *int,
                    _ => self.context.model.unsigned_word(),
                };
                let ty = Ty::Int(int);
                let value = self.atom(Atom::Index(int), &ty, span)?;
                Ok((value, ty))
            }
            Some(Named::Global(meaning)) => {
                let help = match meaning {
                    Meaning::Function(_) => {
                        format!("call it, `{name}(…)`, or take its address, `&{name}`")
                    }
                    _ => "name a variable".to_owned(),
                };
                Err(self.report(
                    type_error(
                        format!("`{name}` is {}, not a value", meaning.kind()),
                        span,
                        "expected a value",
                    )
                    .help(help),
                ))
            }
            None => Err(self.unknown_name(name, span)),
        }
    }

    fn unary(
        &mut self,
        op: UnaryOp,
        sign: UnarySign,
        operand: &Expr<'s>,
        expected: Option<&Ty>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        if sign == UnarySign::Exclamation {
            let ty = self.natural(operand);
            if let Some(Ty::Int(int)) = ty
                && int != IntType::BOOL
            {
                let shown = self.context.describe(&Ty::Int(int));
                return Err(self.report(
                    type_error(
                        format!("`!` wants a condition, found `{shown}`"),
                        span,
                        "not a condition",
                    )
                    .help("compare with zero, as in `x == 0`, or flip its bits with `~`"),
                ));
            }
            let value = self.condition(operand)?;
            return Ok((value.not(), Ty::BOOL));
        }
        let (value, ty) = self.pure(operand, expected)?;
        let is_fine = match ty {
            Ty::Int(_) => true,
            Ty::Float(_) => op == UnaryOp::Negate,
            _ => false,
        };
        if !is_fine {
            let shown = self.context.describe(&ty);
            return Err(self.report(type_error(
                format!("this operator does not work on `{shown}`"),
                span,
                "wants a number",
            )));
        }
        Ok((Expression::Unary(op, Box::new(value)), ty))
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr<'s>,
        right: &Expr<'s>,
        expected: Option<&Ty>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        let model = self.context.model;
        let natural_left = self.natural(left);
        let natural_right = self.natural(right);
        let pointers = (
            matches!(natural_left, Some(Ty::Pointer(_))),
            matches!(natural_right, Some(Ty::Pointer(_))),
        );
        match (op, pointers) {
            (BinaryOp::Offset, _) => {
                let base = self.value_of(left, &Ty::Pointer(None))?;
                let (amount, _) = self.integer(right, &Ty::signed_word(model))?;
                return Ok((Expression::binary(op, base, amount), Ty::Pointer(None)));
            }
            (BinaryOp::Distance, _) => {
                let left = self.value_of(left, &Ty::Pointer(None))?;
                let right = self.value_of(right, &Ty::Pointer(None))?;
                return Ok((Expression::binary(op, left, right), Ty::signed_word(model)));
            }
            (BinaryOp::Add, (true, false)) => return self.pointer_plus(left, right, false),
            (BinaryOp::Subtract, (true, false)) => return self.pointer_plus(left, right, true),
            (BinaryOp::Subtract, (true, true)) => {
                return self.pointer_difference(left, right, span);
            }
            _ => {}
        }
        let is_shift = matches!(
            op,
            BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::ShiftLeftWrapping
                | BinaryOp::ShiftRightWrapping
        );
        let natural = if is_shift {
            natural_left
        } else {
            natural_left.or(natural_right)
        };
        let from_outside = match expected {
            Some(ty @ (Ty::Int(_) | Ty::Float(_))) if !op.is_comparison() => Some(ty.clone()),
            _ => None,
        };
        let operand = natural.or(from_outside).unwrap_or_else(|| {
            if is_shift {
                self.default_type(left)
            } else {
                self.common_default(left, right)
            }
        });
        let (left_value, left_type) = self.pure(left, Some(&operand))?;
        let (right_value, right_type) = if is_shift {
            let (value, int) = self.integer(right, &Ty::I32)?;
            (value, Ty::Int(int))
        } else {
            self.pure(right, Some(&operand))?
        };
        self.check_operands(
            op,
            is_shift,
            (&left_type, left.span),
            (&right_type, right.span),
            span,
        )?;
        let ty = if op.is_comparison() {
            Ty::BOOL
        } else {
            left_type
        };
        Ok((Expression::binary(op, left_value, right_value), ty))
    }

    fn check_operands(
        &mut self,
        op: BinaryOp,
        is_shift: bool,
        (left, left_span): (&Ty, Span),
        (right, right_span): (&Ty, Span),
        span: Span,
    ) -> Lowered<()> {
        let is_int = matches!(left, Ty::Int(_));
        let is_number = matches!(left, Ty::Int(_) | Ty::Float(_));
        let is_fine = match op {
            BinaryOp::Equal | BinaryOp::NotEqual => true,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                *left != Ty::Thread
            }
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide => is_number,
            _ => is_int,
        };
        if !is_fine {
            let shown = self.context.describe(left);
            let diagnostic = type_error(
                format!("this operator does not work on `{shown}`"),
                span,
                if is_number {
                    "wants integers"
                } else {
                    "wants numbers"
                },
            );
            return Err(self.report(diagnostic));
        }
        if is_shift || left.fits(right) {
            return Ok(());
        }
        let (left, right) = (self.context.describe(left), self.context.describe(right));
        Err(self.report(
            type_error(
                format!("the operands have different types, `{left}` and `{right}`"),
                left_span,
                format!("this is `{left}`"),
            )
            .at(right_span, format!("this is `{right}`"))
            .help(format!("convert one of them: `(…) as {left}`")),
        ))
    }

    fn logic(
        &mut self,
        logic: Logic,
        left: &Expr<'s>,
        right: &Expr<'s>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        if matches!(self.sink, Sink::Function(_)) && self.has_effect(right) {
            let result = self.automaton().temporary(&Ty::BOOL, span);
            self.short_circuit(logic, left, right, result)?;
            return Ok((Expression::Register(result), Ty::BOOL));
        }
        let left = Box::new(self.condition(left)?);
        let right = Box::new(self.condition(right)?);
        let value = match logic {
            Logic::And => Expression::Select(left, right, Box::new(Expression::bool(false))),
            Logic::Or => Expression::Select(left, Box::new(Expression::bool(true)), right),
        };
        Ok((value, Ty::BOOL))
    }

    fn conditional(
        &mut self,
        [condition, then, otherwise]: [&Expr<'s>; 3],
        expected: Option<&Ty>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        let ty = self
            .natural(then)
            .or_else(|| self.natural(otherwise))
            .or_else(|| expected.cloned())
            .unwrap_or_else(|| self.default_type(then));
        let is_control = matches!(self.sink, Sink::Function(_))
            && (self.has_effect(then) || self.has_effect(otherwise));
        if is_control {
            self.scalar_of(&ty, span)?;
            let value = self.branching_value(condition, then, otherwise, &ty, span)?;
            return Ok((value, ty));
        }
        let condition = self.condition(condition)?;
        let (then_value, then_type) = self.pure(then, Some(&ty))?;
        let otherwise = self.value_of(otherwise, &then_type)?;
        let value = Expression::Select(
            Box::new(condition),
            Box::new(then_value),
            Box::new(otherwise),
        );
        Ok((value, then_type))
    }

    /// Whether an expression may speak of the running thread.
    fn check_subject(&mut self, expr: &Expr<'s>) -> Lowered<()> {
        let names_thread = matches!(
            expr.kind,
            ExprKind::ThreadIndex | ExprKind::CurrentThread | ExprKind::At { .. }
        );
        let place = match &self.sink {
            Sink::Formula(formula) if formula.what == "invariant" => "an invariant",
            Sink::Constant(_) => "a constant",
            Sink::Formula(_) | Sink::Function(_) => return Ok(()),
        };
        if !names_thread {
            return Ok(());
        }
        Err(self.report(
            type_error(
                format!("no thread runs where {place} is judged"),
                expr.span,
                "names the running thread",
            )
            .help("name variables and owners of locks only"),
        ))
    }

    /// The number of the running thread, not its name, which a cast to a whole word would give.
    fn thread_index(&self, int: IntType) -> Expression {
        let model = self.context.model;
        let number = if arithmetic::is_word(Scalar::Int(int), model) {
            Expression::CurrentThread.cast(Scalar::Int(IntType::unsigned(128)))
        } else {
            Expression::CurrentThread
        };
        number.cast(Scalar::Int(int))
    }

    /// `owner(m)` and `at f.label`.
    fn state_atom(&mut self, expr: &Expr<'s>) -> Lowered<(Expression, Ty)> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Owner(lock) => {
                let (address, ty) = self.place(lock)?;
                let is_lock = matches!(
                    ty,
                    Ty::Sync(
                        raddle_ir::SyncType::Mutex(_)
                            | raddle_ir::SyncType::ReadWriteLock
                            | raddle_ir::SyncType::Monitor
                    )
                );
                if !is_lock {
                    let shown = self.context.describe(&ty);
                    return Err(self.report(type_error(
                        format!("a `{shown}` has no owner"),
                        lock.span,
                        "expected a mutex, a read-write lock or a monitor",
                    )));
                }
                let value = self.atom(Atom::Owner { lock: address }, &Ty::Thread, span)?;
                Ok((value, Ty::Thread))
            }
            ExprKind::At { function, label } => {
                let atom = self.program_point(*function, *label, span)?;
                let value = self.atom(atom, &Ty::BOOL, span)?;
                Ok((value, Ty::BOOL))
            }
            _ => Err(self.not_here("this", span)),
        }
    }
}
