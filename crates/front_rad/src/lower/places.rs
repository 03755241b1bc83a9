//! Places in memory: addresses of variables, fields, elements, and arithmetic on pointers.

use raddle_base::Span;
use raddle_ir::formula::Elements;
use raddle_ir::{BinaryOp, Expression, GlobalId, IntType, UnaryOp};

use crate::message::{Reported, limit_error, name_error, nearest, type_error};
use crate::syntax::{Expr, ExprKind, Name};

use super::body::{Body, Local, Lowered, Named, Sink};
use super::context::Meaning;
use super::surface::Ty;

impl<'s> Body<'_, '_, 's> {
    /// The address of a place, and what lies there.
    pub(super) fn place(&mut self, expr: &Expr<'s>) -> Lowered<(Expression, Ty)> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Named::Local(Local::Variable(register, ty))) => {
                    Ok((Expression::Register(register), ty))
                }
                Some(Named::Local(Local::Broken)) => Err(Reported),
                Some(Named::Local(Local::Register(..))) => Err(self.report(
                    type_error(
                        format!("`{name}` is a register, which has no address"),
                        span,
                        "not a place in memory",
                    )
                    .help(format!("declare it with `var {name}: …` instead of `let`")),
                )),
                Some(Named::Global(Meaning::Global(global))) => {
                    let ty = self.context.global_type(global).clone();
                    Ok((Expression::Global(global), ty))
                }
                Some(Named::Global(_) | Named::Index) => Err(self.not_a_place(span)),
                None => Err(self.unknown_name(name, span)),
            },
            ExprKind::Field(base, field) => self.field_place(base, *field),
            ExprKind::Index(base, index) => self.element_place(base, index, span),
            ExprKind::Dereference(pointer) => {
                let (value, ty) = self.pure(pointer, None)?;
                match ty {
                    Ty::Pointer(Some(pointee)) => Ok((value, *pointee)),
                    Ty::Pointer(None) => Err(self.report(
                        type_error(
                            "what this `ptr` points to is not known",
                            pointer.span,
                            "this is `ptr`",
                        )
                        .help("say it with a cast, as in `*(p as *u8)`"),
                    )),
                    other => {
                        let shown = self.context.describe(&other);
                        Err(self.report(type_error(
                            format!("expected a pointer, found `{shown}`"),
                            pointer.span,
                            format!("this is `{shown}`"),
                        )))
                    }
                }
            }
            _ => Err(self.not_a_place(span)),
        }
    }

    fn not_a_place(&mut self, span: Span) -> Reported {
        self.report(type_error(
            "expected a place in memory",
            span,
            "expected something like `x`, `s.f`, `a[i]` or `*p`",
        ))
    }

    fn field_place(&mut self, base: &Expr<'s>, field: Name<'s>) -> Lowered<(Expression, Ty)> {
        let (address, ty) = match self.natural(base) {
            Some(Ty::Pointer(Some(pointee))) => {
                let (value, _) = self.pure(base, None)?;
                (value, *pointee)
            }
            Some(Ty::Pointer(None)) => {
                return Err(self.report(
                    type_error(
                        "what this `ptr` points to is not known",
                        base.span,
                        "this is `ptr`",
                    )
                    .help("declare it as a pointer to a struct, as in `p: *Node`, or cast it"),
                ));
            }
            _ => self.place(base)?,
        };
        let Ty::Struct(id) = ty else {
            let shown = self.context.describe(&ty);
            return Err(self.report(type_error(
                format!("a `{shown}` has no fields"),
                base.span,
                format!("this is `{shown}`"),
            )));
        };
        if let Some((found, ty)) = self.context.field(id, field.text) {
            let (offset, ty) = (found.offset, ty.clone());
            let address = Expression::at_offset(address, offset, self.context.model);
            return Ok((address, ty));
        }
        let declared = &self.context.structs[id];
        let diagnostic = name_error(
            format!("`{}` has no field `{}`", declared.name, field.text),
            field.span,
            "unknown field",
        );
        let names = declared.fields.iter().map(|field| field.name.as_str());
        let diagnostic = if let Some(near) = nearest(field.text, names.clone()) {
            diagnostic.help(format!("did you mean `{near}`?"))
        } else {
            let list: Vec<&str> = names.take(10).collect();
            diagnostic.note(format!("its fields are {}", list.join(", ")))
        };
        Err(self.report(diagnostic))
    }

    fn element_place(
        &mut self,
        base: &Expr<'s>,
        index: &Expr<'s>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        let (address, element, length) = match self.natural(base) {
            Some(Ty::Pointer(Some(pointee))) => {
                let (value, _) = self.pure(base, None)?;
                (value, *pointee, None)
            }
            _ => match self.place(base)? {
                (address, Ty::Array(element, length)) => (address, *element, Some(length)),
                (_, other) => {
                    let shown = self.context.describe(&other);
                    return Err(self.report(
                        type_error(
                            format!("a `{shown}` has no elements"),
                            base.span,
                            format!("this is `{shown}`"),
                        )
                        .help("only arrays and typed pointers are indexed"),
                    ));
                }
            },
        };
        let stride = self.stride(&element, span)?;
        if let (Some(length), Some(variable)) = (length, self.family_variable(index)) {
            return self.family_place(address, element, stride, length, variable, span);
        }
        let address = if let Some(number) = constant_index(index) {
            let offset = number
                .checked_mul(stride)
                .filter(|it| i64::try_from(*it).is_ok());
            let Some(offset) = offset else {
                return Err(self.too_far(index.span));
            };
            Expression::at_offset(address, offset, self.context.model)
        } else {
            let amount = self.scaled(index, stride, false)?;
            Expression::binary(BinaryOp::Offset, address, amount)
        };
        Ok((address, element))
    }

    fn too_far(&mut self, span: Span) -> Reported {
        self.report(limit_error(
            "this index is too large",
            span,
            "the address does not fit a pointer",
        ))
    }

    /// The name of an index variable, where one may be introduced.
    fn family_variable(&self, index: &Expr<'s>) -> Option<&'s str> {
        match (&self.sink, &index.kind) {
            (Sink::Constant(constant), ExprKind::Name(name)) if constant.accepts_family => {
                Some(name)
            }
            _ => None,
        }
    }

    fn family_place(
        &mut self,
        address: Expression,
        element: Ty,
        stride: u64,
        count: u64,
        variable: &str,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        let Sink::Constant(constant) = &mut self.sink else {
            return Err(self.not_a_place(span));
        };
        if constant.family.is_some() {
            return Err(self.report(
                type_error(
                    "there are two index variables",
                    span,
                    "only one is possible",
                )
                .help("write a number for one of them, and one `exclusive` for each number"),
            ));
        }
        constant.family = Some(Elements {
            variable: variable.to_owned(),
            count,
            stride,
        });
        Ok((address, element))
    }

    /// Bytes from one element to the next.
    fn stride(&mut self, element: &Ty, span: Span) -> Lowered<u64> {
        match self.context.size_of(element) {
            Some(size) => Ok(size),
            None => Err(self.report(limit_error(
                "this type is too large",
                span,
                "takes 2^63 bytes or more",
            ))),
        }
    }

    /// A number of elements as a number of bytes.
    fn scaled(&mut self, count: &Expr<'s>, stride: u64, is_negated: bool) -> Lowered<Expression> {
        let word = self.context.model.signed_word();
        if let Some((number, is_negative)) = constant_count(count) {
            let bytes = i128::from(number) * i128::from(stride);
            let bytes = if is_negative == is_negated {
                bytes
            } else {
                -bytes
            };
            if bytes > word.max().cast_signed() || bytes < word.min() {
                return Err(self.too_far(count.span));
            }
            return Ok(Expression::int(bytes, word));
        }
        let (value, int) = self.integer(count, &Ty::Int(word))?;
        // Exact: an index far outside must not wrap around and come back into the object.
        let fits =
            u32::from(int.bits) + (u64::BITS - stride.leading_zeros()) < u32::from(word.bits);
        if !fits && stride == 1 && !is_negated {
            return Ok(value);
        }
        if int.bits > 64 {
            return Err(self.report(type_error(
                "an index has at most 64 bits",
                count.span,
                "has more",
            )));
        }
        let wide = if fits { word } else { IntType::signed(128) };
        let mut amount = if int == wide {
            value
        } else {
            value.cast(raddle_ir::Scalar::Int(wide))
        };
        if stride != 1 {
            let stride = Expression::int(i128::from(stride), wide);
            amount = Expression::binary(BinaryOp::Multiply, amount, stride);
        }
        if is_negated {
            amount = Expression::Unary(UnaryOp::Negate, Box::new(amount));
        }
        Ok(amount)
    }

    /// `p + n` and `p - n`: in elements of what `p` points to, in bytes for `ptr`.
    pub(super) fn pointer_plus(
        &mut self,
        pointer: &Expr<'s>,
        count: &Expr<'s>,
        is_negated: bool,
    ) -> Lowered<(Expression, Ty)> {
        let (base, ty) = self.pure(pointer, None)?;
        let stride = match &ty {
            Ty::Pointer(Some(pointee)) => self.stride(pointee, pointer.span)?,
            _ => 1,
        };
        let amount = self.scaled(count, stride, is_negated)?;
        Ok((Expression::binary(BinaryOp::Offset, base, amount), ty))
    }

    /// `p - q`: in elements, or in bytes for `ptr`.
    pub(super) fn pointer_difference(
        &mut self,
        left: &Expr<'s>,
        right: &Expr<'s>,
        span: Span,
    ) -> Lowered<(Expression, Ty)> {
        let (left_value, left_type) = self.pure(left, None)?;
        let (right_value, right_type) = self.pure(right, None)?;
        self.expect_fit(&right_type, &left_type, right.span)?;
        let word = self.context.model.signed_word();
        let mut value = Expression::binary(BinaryOp::Distance, left_value, right_value);
        if let (Ty::Pointer(Some(pointee)), Ty::Pointer(Some(_))) = (&left_type, &right_type) {
            let stride = self.stride(pointee, span)?;
            if stride == 0 {
                return Err(self.report(type_error(
                    "elements of no bytes cannot be counted",
                    span,
                    "the pointers point to something of size 0",
                )));
            }
            if stride != 1 {
                let stride = Expression::int(i128::from(stride), word);
                value = Expression::binary(BinaryOp::Divide, value, stride);
            }
        }
        Ok((value, Ty::Int(word)))
    }

    /// `&place` or `&f`.
    pub(super) fn address_of(&mut self, place: &Expr<'s>) -> Lowered<(Expression, Ty)> {
        if let ExprKind::Name(name) = place.kind
            && let Some(Named::Global(Meaning::Function(function))) = self.lookup(name)
        {
            return Ok((Expression::Function(function), Ty::Pointer(None)));
        }
        let (address, ty) = self.place(place)?;
        Ok((address, Ty::pointer_to(ty)))
    }

    /// A place known before the program runs, as global and offset.
    pub(super) fn constant_place(
        &mut self,
        expr: &Expr<'s>,
    ) -> Lowered<(GlobalId, u64, Expression, Ty)> {
        let (address, ty) = self.place(expr)?;
        let found = match &address {
            Expression::Global(global) => Some((*global, 0)),
            Expression::Binary(BinaryOp::Offset, base, amount) => match (&**base, &**amount) {
                (Expression::Global(global), Expression::Constant(bits, _)) => {
                    u64::try_from(*bits).ok().map(|offset| (*global, offset))
                }
                _ => None,
            },
            _ => None,
        };
        match found {
            Some((global, offset)) => Ok((global, offset, address, ty)),
            None => Err(self.report(
                type_error(
                    "this place is not known before the program runs",
                    expr.span,
                    "expected a part of a variable",
                )
                .help("name a variable, a field or an element with a number, as in `x`, `s.f` or `a[3]`"),
            )),
        }
    }
}

/// An index written as a plain number.
fn constant_index(index: &Expr<'_>) -> Option<u64> {
    match constant_count(index) {
        Some((number, false)) => Some(number),
        _ => None,
    }
}

/// A number and whether it is negative.
fn constant_count(count: &Expr<'_>) -> Option<(u64, bool)> {
    match &count.kind {
        ExprKind::Integer {
            value,
            is_negative,
            suffix: None,
            ..
        } => Some((u64::try_from(*value).ok()?, *is_negative)),
        ExprKind::Integer {
            value,
            is_negative,
            suffix: Some(crate::literal::Suffix::Int(int)),
            ..
        } if fits(*value, *is_negative, *int) => Some((u64::try_from(*value).ok()?, *is_negative)),
        _ => None,
    }
}

fn fits(value: u128, is_negative: bool, int: IntType) -> bool {
    if is_negative {
        value <= int.min().unsigned_abs()
    } else {
        value <= int.max()
    }
}
