//! gcc's builtin functions.

use raddle_base::Span;
use raddle_c_syntax::tree::{self, ExpressionKind as Syntax};
use raddle_ir::Order;

use super::convert::{Operand, constant};
use super::fold::Constant;
use super::link::External;
use super::scope::Entity;
use super::{Checked, Checker};
use crate::typed::{Arithmetic, Expression, ExpressionKind, Lvalue, LvalueKind};
use crate::types::{FloatKind, IntegerKind, Qualified, Type};

impl Checker {
    /// The meaning of a call of something that nobody declared; `None` if it is no builtin.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Option<Checked<Expression>> {
        if let Some(result) = self.atomic_builtin(name, arguments, span) {
            return Some(result);
        }
        let plain = match name {
            // gcc knows it without its prefix.
            "alloca" if self.external(name).is_none() => name,
            _ => name.strip_prefix("__builtin_")?,
        };
        Some(self.known_builtin(plain, name, arguments, span))
    }

    fn known_builtin(
        &mut self,
        plain: &str,
        name: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        let expression = |ty, kind| Ok(Expression { ty, kind, span });
        match (plain, arguments) {
            ("expect", [value, expected]) | ("expect_with_probability", [value, expected, _]) => {
                let value = self.value(value)?;
                let expected = self.value(expected)?;
                let value = self.convert(value, &Type::Integer(IntegerKind::Long));
                if constant(&expected).is_some() {
                    return Ok(value);
                }
                expression(
                    value.ty.clone(),
                    ExpressionKind::Comma(Box::new(expected), Box::new(value)),
                )
            }
            ("speculation_safe_value", [value, ..]) => self.value(value),
            ("assume_aligned", [pointer, ..]) => {
                let pointer = self.value(pointer)?;
                let ty = self.void_pointer();
                self.assign_convert(pointer, &ty, "the pointer")
            }
            ("constant_p", [value]) => {
                let is_constant = match self.operand(value)? {
                    Operand::Lvalue(Lvalue {
                        kind: LvalueKind::Object(id),
                        ..
                    }) if self.objects[id].is_string_literal => true,
                    operand => {
                        let value = self.dropped(operand);
                        match self.fold(&value) {
                            Some(Constant::Integer(_) | Constant::Float(_)) => true,
                            Some(Constant::Address(..)) | None => false,
                        }
                    }
                };
                Ok(self.int(is_constant, span))
            }
            ("object_size" | "dynamic_object_size", [pointer, kind]) => {
                self.value(pointer)?;
                let kind = self.constant_expression(kind)?;
                let ty = self.size_type();
                let size = if kind & 2 == 2 { 0 } else { -1 };
                let bits = self.bits_of(size, &ty);
                expression(ty, ExpressionKind::Integer(bits))
            }
            ("va_start" | "c23_va_start", [list, ..]) => {
                let list = self.va_list_address(list)?;
                expression(Type::Void, ExpressionKind::VaStart(Box::new(list)))
            }
            ("va_end", [list]) => {
                // Nothing ends, but the operand may do something.
                let list = self.va_list_address(list)?;
                Ok(self.convert(list, &Type::Void))
            }
            ("va_copy", [to, from]) => {
                let to = self.va_list_address(to)?;
                let from = self.va_list_address(from)?;
                expression(
                    Type::Void,
                    ExpressionKind::VaCopy(Box::new(to), Box::new(from)),
                )
            }
            ("alloca" | "alloca_with_align", [bytes, ..]) => {
                let bytes = self.value(bytes)?;
                let ty = self.size_type();
                let bytes = self.assign_convert(bytes, &ty, "the number of bytes")?;
                expression(self.void_pointer(), ExpressionKind::Alloca(Box::new(bytes)))
            }
            ("unreachable", []) => expression(Type::Void, ExpressionKind::Unreachable),
            ("ia32_pause" | "ia32_lfence" | "ia32_sfence", []) => Ok(self.void_value(span)),
            ("ia32_mfence", []) => Ok(self.fence(Order::SequentiallyConsistent, span)),
            ("trap", []) => self.library_call("abort", name, arguments, span),
            ("prefetch", _) => {
                let mut result = self.void_value(span);
                for argument in arguments.iter().rev() {
                    let argument = self.value(argument)?;
                    if constant(&argument).is_none() {
                        result = Expression {
                            ty: Type::Void,
                            kind: ExpressionKind::Comma(Box::new(argument), Box::new(result)),
                            span,
                        };
                    }
                }
                Ok(result)
            }
            ("classify_type", [value]) => {
                let value = self.value(value)?;
                let class = type_class(&value.ty);
                expression(
                    Type::Integer(IntegerKind::Int),
                    ExpressionKind::Integer(class),
                )
            }
            ("huge_val" | "inf", []) => Ok(float(f64::INFINITY, FloatKind::Double, span)),
            ("huge_valf" | "inff", []) => Ok(float(f64::INFINITY, FloatKind::Float, span)),
            ("huge_vall" | "infl", []) => Ok(float(f64::INFINITY, FloatKind::LongDouble, span)),
            ("nan" | "nans", [_]) => Ok(float(f64::NAN, FloatKind::Double, span)),
            ("nanf" | "nansf", [_]) => Ok(float(f64::NAN, FloatKind::Float, span)),
            ("nanl" | "nansl", [_]) => Ok(float(f64::NAN, FloatKind::LongDouble, span)),
            (
                "isnan" | "isnanf" | "isnanl" | "isinf" | "isinff" | "isinfl" | "isinf_sign"
                | "isfinite" | "finite" | "finitef" | "finitel" | "isnormal" | "signbit"
                | "signbitf" | "signbitl",
                [value],
            ) => self.float_predicate(plain, value, span),
            ("fpclassify", [nan, infinite, normal, subnormal, zero, value]) => {
                self.classify([nan, infinite, normal, subnormal, zero], value, span)
            }
            (
                "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater"
                | "isunordered",
                [left, right],
            ) => self.float_comparison(plain, left, right, span),
            (
                "bswap16" | "bswap32" | "bswap64" | "clz" | "clzl" | "clzll" | "ctz" | "ctzl"
                | "ctzll" | "popcount" | "popcountl" | "popcountll" | "parity" | "parityl"
                | "parityll" | "ffs" | "ffsl" | "ffsll" | "clrsb" | "clrsbl" | "clrsbll",
                [value],
            ) => self.bit_builtin(plain, name, value, arguments, span),
            ("return_address" | "frame_address" | "next_arg" | "extract_return_addr", _) => {
                let ty = self.void_pointer();
                Ok(self.unsupported(format!("`{name}`"), ty, span))
            }
            ("complex", [part, _]) => {
                let part = self.value(part)?;
                let ty = match part.ty {
                    Type::Float(FloatKind::Float) => {
                        super::attribute::unmodelled("_Complex float", 8, 4)
                    }
                    _ => super::attribute::unmodelled("_Complex double", 16, self.word_align()),
                };
                Ok(self.unsupported("a complex number", ty, span))
            }
            _ => {
                if let Some(result) = self.overflow_builtin(plain, arguments, span) {
                    return result;
                }
                if let Some(checked) = plain
                    .strip_prefix("__")
                    .and_then(|rest| rest.strip_suffix("_chk"))
                    && (checked.starts_with("mem") || checked.starts_with("st"))
                    && let Some((_, kept)) = arguments.split_last()
                {
                    return self.library_call(checked, name, kept, span);
                }
                self.library_call(plain, name, arguments, span)
            }
        }
    }

    /// A call of the function that the builtin is named after.
    pub(super) fn library_call(
        &mut self,
        plain: &str,
        name: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        let callee = |name: &str| tree::Expression {
            kind: Syntax::Identifier(super::name(name)),
            span,
        };
        for candidate in [plain, name] {
            let is_declared = matches!(
                self.lookup_in_file(candidate).map(|found| &found.entity),
                Some(Entity::Function(..))
            );
            let is_linked = matches!(self.external(candidate), Some(External::Function(_)));
            if !is_declared && !is_linked {
                continue;
            }
            if !is_declared {
                // Known from the library only: no warning, as gcc knows it, too.
                self.declare_linked(candidate, span);
            }
            if self
                .lookup(candidate)
                .is_none_or(|found| matches!(found.entity, Entity::Function(..)))
            {
                if candidate == name {
                    let found = self
                        .lookup_in_file(candidate)
                        .map(|found| found.entity.clone());
                    if let Some(entity) = found {
                        let operand = self.entity(entity, &super::name(candidate), span)?;
                        return self.call_operand(operand, Some(candidate), arguments, span);
                    }
                }
                return self.call(&callee(candidate), arguments, span);
            }
        }
        for argument in arguments {
            self.value(argument)?;
        }
        let ty = self.builtin_result(plain);
        Ok(self.unsupported(format!("`{name}`"), ty, span))
    }

    /// A call of a function of our library with values that are there already.
    pub(super) fn call_of_library(
        &mut self,
        name: &str,
        values: Vec<Expression>,
        span: Span,
    ) -> Checked<Expression> {
        let Some(External::Function(id)) = self.external(name) else {
            let ty = Type::Integer(IntegerKind::Int);
            return Ok(self.unsupported(format!("`{name}`"), ty, span));
        };
        let ty = self.functions[id].ty.clone();
        let values = self.convert_arguments(&ty, values, Some(name), span)?;
        Ok(self.direct_call(id, &ty, values, span))
    }

    fn declare_linked(&mut self, name: &str, span: Span) {
        if let Some(External::Function(id)) = self.external(name) {
            let ty = self.functions[id].ty.clone();
            self.bind_in_file(&super::name(name), Entity::Function(id, ty.into()), span);
        }
    }

    /// What builtins that nobody has return; a guess that only has to be good enough to go on.
    fn builtin_result(&self, plain: &str) -> Type {
        const REAL: &[&str] = &[
            "fabs",
            "sqrt",
            "pow",
            "sin",
            "cos",
            "tan",
            "exp",
            "exp2",
            "log",
            "log2",
            "log10",
            "floor",
            "ceil",
            "trunc",
            "round",
            "rint",
            "nearbyint",
            "fmin",
            "fmax",
            "fmod",
            "copysign",
            "ldexp",
            "fma",
            "atan",
            "atan2",
            "asin",
            "acos",
            "powi",
            "hypot",
            "cabs",
            "creal",
            "cimag",
            "carg",
            "scalbn",
        ];
        let is = |suffix: &str| {
            plain
                .strip_suffix(suffix)
                .is_some_and(|base| REAL.contains(&base))
        };
        if REAL.contains(&plain) {
            Type::Float(FloatKind::Double)
        } else if is("f") {
            Type::Float(FloatKind::Float)
        } else if is("l") {
            Type::Float(FloatKind::LongDouble)
        } else if plain == "strlen" {
            self.size_type()
        } else if [
            "mem", "str", "stp", "malloc", "calloc", "realloc", "index", "rindex", "apply",
        ]
        .iter()
        .any(|start| plain.starts_with(start))
            && !plain.contains("cmp")
        {
            self.void_pointer()
        } else {
            Type::Integer(IntegerKind::Int)
        }
    }

    /// Builtins on the bits of an integer: constants here, the rest in the library.
    fn bit_builtin(
        &mut self,
        plain: &str,
        name: &str,
        value: &tree::Expression,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        let base = plain.trim_end_matches('l');
        let longs = plain.len() - base.len();
        let (kind, result) = match plain {
            "bswap16" => (IntegerKind::UnsignedShort, IntegerKind::UnsignedShort),
            "bswap32" => (IntegerKind::UnsignedInt, IntegerKind::UnsignedInt),
            "bswap64" => {
                let kind = self.mode_kind_of_64();
                (kind, kind)
            }
            _ => match longs {
                0 => (IntegerKind::UnsignedInt, IntegerKind::Int),
                1 => (IntegerKind::UnsignedLong, IntegerKind::Int),
                _ => (IntegerKind::UnsignedLongLong, IntegerKind::Int),
            },
        };
        let checked = self.value(value)?;
        if !self.is_arithmetic(&checked.ty) {
            return self.library_call(plain, name, arguments, span);
        }
        let converted = self.convert(checked, &Type::Integer(kind));
        if let Some(Constant::Integer(bits)) = self.fold(&converted) {
            let width = u32::from(kind.bits(self.model));
            let leading = bits.leading_zeros() - (128 - width);
            let folded = match base {
                "bswap16" | "bswap32" | "bswap64" => Some(bits.swap_bytes() >> (128 - width)),
                "clz" if bits != 0 => Some(u128::from(leading)),
                "ctz" if bits != 0 => Some(u128::from(bits.trailing_zeros())),
                "popcount" => Some(u128::from(bits.count_ones())),
                "parity" => Some(u128::from(bits.count_ones() % 2)),
                "ffs" => Some(if bits == 0 {
                    0
                } else {
                    u128::from(bits.trailing_zeros()) + 1
                }),
                _ => None,
            };
            if let Some(bits) = folded {
                return Ok(Expression {
                    ty: Type::Integer(result),
                    kind: ExpressionKind::Integer(bits),
                    span,
                });
            }
        }
        // Only the library's builtin: a user's function of the plain name is another one.
        self.library_call(name, name, arguments, span)
    }

    fn mode_kind_of_64(&self) -> IntegerKind {
        match self.model {
            raddle_ir::DataModel::Ilp32 => IntegerKind::UnsignedLongLong,
            raddle_ir::DataModel::Lp64 => IntegerKind::UnsignedLong,
        }
    }

    /// `__builtin_add_overflow` and its relatives.
    fn overflow_builtin(
        &mut self,
        plain: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Option<Checked<Expression>> {
        let (base, is_predicate) = match plain.strip_suffix("_overflow_p") {
            Some(base) => (base, true),
            None => (plain.strip_suffix("_overflow")?, false),
        };
        let operation = |text: &str| match text {
            "add" => Some(Arithmetic::Add),
            "sub" => Some(Arithmetic::Subtract),
            "mul" => Some(Arithmetic::Multiply),
            _ => None,
        };
        // `saddl` and the like name their types.
        let (operator, fixed) = if let Some(operator) = operation(base) {
            (operator, None)
        } else {
            let core = base.trim_end_matches('l');
            let longs = base.len() - core.len();
            // `mul` ends in an l of its own.
            let (core, longs) = if core.ends_with("mu") {
                (format!("{core}l"), longs.checked_sub(1)?)
            } else {
                (core.to_owned(), longs)
            };
            let is_signed = core.starts_with('s');
            let operator = operation(core.get(1..)?)?;
            let kind = match (is_signed, longs) {
                (true, 0) => IntegerKind::Int,
                (true, 1) => IntegerKind::Long,
                (true, _) => IntegerKind::LongLong,
                (false, 0) => IntegerKind::UnsignedInt,
                (false, 1) => IntegerKind::UnsignedLong,
                (false, _) => IntegerKind::UnsignedLongLong,
            };
            (operator, Some(Type::Integer(kind)))
        };
        let [left, right, result] = arguments else {
            return Some(Err(
                self.error(span, format!("`__builtin_{plain}` needs three arguments"))
            ));
        };
        Some(self.overflow_arithmetic(operator, fixed, [left, right, result], is_predicate, span))
    }

    fn overflow_arithmetic(
        &mut self,
        operator: Arithmetic,
        fixed: Option<Type>,
        [left, right, result]: [&tree::Expression; 3],
        is_predicate: bool,
        span: Span,
    ) -> Checked<Expression> {
        let mut left = self.value(left)?;
        let mut right = self.value(right)?;
        let result = self.value(result)?;
        if !self.is_integer(&left.ty) || !self.is_integer(&right.ty) {
            return Err(self.error(span, "the operands must be integers"));
        }
        if let Some(fixed) = fixed {
            left = self.convert(left, &fixed);
            right = self.convert(right, &fixed);
        }
        let (result_type, place) = match (&result.ty, is_predicate) {
            (ty, true) if self.is_integer(ty) => (ty.clone(), None),
            (Type::Pointer(target), false) if self.is_integer(&target.ty) => {
                let target = Qualified::clone(target);
                let result_type = target.ty.clone();
                let place = self.pointee(result, target, span);
                (result_type, Some(Box::new(place)))
            }
            _ => {
                return Err(self.error(result.span, "the place of the result must be an integer's"));
            }
        };
        Ok(Expression {
            ty: Type::Bool,
            kind: ExpressionKind::OverflowArithmetic {
                operator,
                left: Box::new(left),
                right: Box::new(right),
                result: place,
                result_type,
            },
            span,
        })
    }
}

pub(super) fn float(value: f64, kind: FloatKind, span: Span) -> Expression {
    Expression {
        ty: Type::Float(kind),
        kind: ExpressionKind::Float(value),
        span,
    }
}

/// gcc's numbers for kinds of types.
fn type_class(ty: &Type) -> u128 {
    match ty {
        Type::Void => 0,
        Type::Bool | Type::Integer(_) | Type::Enumeration(_) => 1,
        Type::Pointer(_) | Type::Array(..) | Type::Function(_) => 5,
        Type::Float(_) => 8,
        Type::Unmodelled(_) => 9,
        Type::Record(_) => 12,
    }
}
