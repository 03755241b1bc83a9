//! Calls: how arguments and results travel.
//!
//! A record is passed as the address of a copy, and returned into memory of the caller whose address is the first
//! argument. Arguments that have no parameter lie one after the other in memory of the caller; the callee gets the
//! address of the first as its last argument, and `va_arg` walks on from there.

use raddle_base::Span;
use raddle_ir as ir;
use raddle_ir::{Access, Action, Expression, ReadOnly, RegisterId, Scalar};

use crate::typed::{self, Callee, FunctionId};
use crate::types::{FunctionType, Type};

use super::body::{FunctionLowering, Value, is_memory};

/// Whom a call calls.
enum Target {
    Direct(FunctionId, ir::FunctionId),
    Indirect(Value),
}

impl FunctionLowering<'_, '_> {
    /// Calls a function. `buffer` is memory for a record that it returns; gives a scalar result, if one is wanted.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        arguments: &[typed::Expression],
        buffer: Option<Value>,
        result_type: &Type,
        is_wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let pointer = match callee {
            Callee::Direct(_) => None,
            Callee::Indirect(pointer, _) => Some(&**pointer),
        };
        if let Some(value) = self.set_jump(callee, arguments, span) {
            return Some(value);
        }
        let operands: Vec<&typed::Expression> = pointer.into_iter().chain(arguments).collect();
        self.in_open_order(&operands, span);
        match callee {
            Callee::Direct(function) => {
                let function = &self.lowering.resolved_function(*function);
                if let Some(done) =
                    self.call_known(*function, arguments, result_type, is_wanted, span)
                {
                    return done.0;
                }
                let module = self.lowering.module;
                let source = &module.functions[*function];
                if source.is_null {
                    let ty = source.ty.clone();
                    let target = Target::Indirect(Expression::null().into());
                    return self.call_function(
                        target,
                        &ty,
                        arguments,
                        buffer,
                        result_type,
                        is_wanted,
                        span,
                    );
                }
                if source.body.is_none() && source.unsupported.is_none()
                    || self.lowering.returns_anything(*function)
                {
                    return self.call_undefined(*function, arguments, result_type, span);
                }
                let ty = source.ty.clone();
                let target = Target::Direct(*function, self.lowering.function(*function));
                self.call_function(target, &ty, arguments, buffer, result_type, is_wanted, span)
            }
            Callee::Indirect(pointer, ty) => {
                let pointer = self.value(pointer);
                let target = Target::Indirect(pointer);
                self.call_function(target, ty, arguments, buffer, result_type, is_wanted, span)
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "all of them make up a call")]
    fn call_function(
        &mut self,
        target: Target,
        ty: &FunctionType,
        arguments: &[typed::Expression],
        buffer: Option<Value>,
        result_type: &Type,
        is_wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let mut passed = Vec::new();
        if is_memory(&ty.result) {
            let buffer = buffer.unwrap_or_else(|| {
                Expression::Register(self.stack_object("value", &ty.result)).into()
            });
            passed.push(buffer.expression);
        }
        let is_direct = matches!(target, Target::Direct(..));
        let called = match target {
            Target::Direct(function, _) => Some(function),
            Target::Indirect(_) => None,
        };
        let mut copies = Vec::new();
        // Who calls through a pointer without a prototype passes what is there.
        let expected = if ty.has_prototype || is_direct {
            ty.parameters.len()
        } else {
            arguments.len()
        };
        for (index, argument) in arguments.iter().take(expected).enumerate() {
            let parameter = ty
                .parameters
                .get(index)
                .map(|parameter| parameter.ty.clone());
            let wanted = parameter
                .as_ref()
                .and_then(|parameter| self.lowering.passed_as(ty, parameter));
            let is_bool = ty.has_prototype && matches!(parameter, Some(Type::Bool));
            let value = if is_memory(&argument.ty) {
                let copy = self.copied_argument(&target, index, argument, &mut copies, span);
                match wanted {
                    // Not what the function takes: as undefined as C leaves it.
                    Some(scalar) if scalar != Scalar::Pointer => self.undefined(scalar).into(),
                    Some(_) | None => copy,
                }
            } else {
                self.argument(argument, parameter.is_some(), wanted, is_bool)
            };
            passed.push(value.expression);
        }
        for parameter in ty.parameters.iter().skip(arguments.len()) {
            let scalar = self.lowering.passed_as(ty, &parameter.ty);
            passed.push(self.undefined(scalar.unwrap_or(Scalar::Pointer)));
        }
        let more = arguments.get(expected..).unwrap_or(&[]);
        if ty.is_variadic {
            passed.push(self.more_arguments(more, span).expression);
        } else {
            for argument in more {
                self.effect(argument);
            }
        }
        let callee = match target {
            Target::Direct(_, function) => ir::Callee::Direct(function),
            Target::Indirect(pointer) => ir::Callee::Indirect(pointer.expression),
        };
        let result = self.lowering.scalar(&ty.result);
        let target = result.filter(|_| is_wanted).map(|it| self.temporary(it));
        self.then(
            Action::Call {
                target,
                callee,
                arguments: passed,
            },
            span,
        );
        for copy in copies {
            self.end_object(copy, Some(span));
        }
        self.look_for_jump(called, span);
        let wanted = self.lowering.scalar(result_type).filter(|_| is_wanted)?;
        match target {
            Some(target) => {
                let value = Expression::Register(target).into();
                Some(self.convert(value, wanted, matches!(result_type, Type::Bool)))
            }
            None => Some(self.undefined(wanted).into()),
        }
    }

    /// The address of a copy of a record. If the function may keep the address, the copy ends with the call, as the
    /// parameter does that it is.
    fn copied_argument(
        &mut self,
        target: &Target,
        index: usize,
        argument: &typed::Expression,
        copies: &mut Vec<RegisterId>,
        span: Span,
    ) -> Value {
        let from = self.record(argument);
        let outlives_call = match target {
            Target::Direct(function, _) => {
                let lowering = &*self.lowering;
                let module = lowering.module;
                lowering.fates.outlives_call(module, *function, index)
            }
            Target::Indirect(_) => true,
        };
        let register = if outlives_call {
            let register = self.temporary_named("argument");
            self.make_object(register, &argument.ty, ReadOnly::NOTHING, Some(span));
            copies.push(register);
            register
        } else {
            self.stack_object("argument", &argument.ty)
        };
        let copy: Value = Expression::Register(register).into();
        self.copy(copy.clone(), from, &argument.ty, span);
        copy
    }

    /// One argument, as the parameter wants it.
    fn argument(
        &mut self,
        argument: &typed::Expression,
        has_parameter: bool,
        wanted: Option<Scalar>,
        is_bool: bool,
    ) -> Value {
        let value = self.value(argument);
        match wanted {
            Some(scalar) => self.convert(value, scalar, is_bool),
            None if has_parameter => self.undefined(Scalar::Pointer).into(),
            None => value,
        }
    }

    /// Puts arguments that have no parameter into memory; gives the address of the first.
    fn more_arguments(&mut self, arguments: &[typed::Expression], span: Span) -> Value {
        let size: u64 = arguments.iter().map(|it| self.slot(&it.ty)).sum();
        if size == 0 {
            for argument in arguments {
                self.effect(argument);
            }
            return Expression::null().into();
        }
        let first: Value = Expression::Register(self.stack_bytes("arguments", size)).into();
        let mut offset = 0;
        for argument in arguments {
            let target = self.displaced(first.clone(), offset, span);
            if is_memory(&argument.ty) {
                self.record_to(target, false, argument);
            } else if self.lowering.scalar(&argument.ty).is_some() {
                let value = self.value(argument);
                let scalar = self.scalar_of(&value);
                self.store_scalar(target, value, scalar, Access::Plain, span);
            } else {
                self.effect(argument);
            }
            offset += self.slot(&argument.ty);
        }
        first
    }

    /// How many bytes an argument without a parameter takes.
    fn slot(&self, ty: &Type) -> u64 {
        let word = self.lowering.model().pointer_bytes();
        self.lowering.size(ty).next_multiple_of(word)
    }

    /// Where the next argument lies; the list is moved on. `list` is the address of its first word.
    pub(super) fn next_argument(
        &mut self,
        list: &typed::Expression,
        ty: &Type,
        span: Span,
    ) -> Value {
        let list = self.value(list);
        let list = self.in_temporary(list, span);
        let here = self.load_scalar(list.clone(), Scalar::Pointer, Access::Plain, span);
        let next = self.displaced(here.clone(), self.slot(ty), span);
        self.store_scalar(list, next, Scalar::Pointer, Access::Plain, span);
        here
    }

    /// A function that nobody defines.
    fn call_undefined(
        &mut self,
        function: FunctionId,
        arguments: &[typed::Expression],
        result_type: &Type,
        span: Span,
    ) -> Option<Value> {
        let module = self.lowering.module;
        let source = &module.functions[function];
        let span_of_user = Some(span).filter(|_| self.has_places);
        self.lowering.miss_function(function, span_of_user);
        for argument in arguments {
            self.effect(argument);
        }
        let scalar = self.lowering.scalar(result_type);
        if !self.lowering.returns_anything(function) || is_memory(result_type) {
            let what = format!("a call of `{}`, which is not defined,", source.name);
            self.unsupported(what, span);
            return scalar.map(|scalar| Expression::Constant(0, scalar).into());
        }
        scalar.map(|scalar| self.anything(scalar, matches!(result_type, Type::Bool), span))
    }

    /// Any value of a type.
    pub(super) fn anything(&mut self, scalar: Scalar, is_bool: bool, span: Span) -> Value {
        let drawn = if is_bool { Scalar::BOOL } else { scalar };
        let target = self.temporary(drawn);
        self.then(Action::Havoc { target }, span);
        self.convert(Expression::Register(target).into(), scalar, false)
    }
}
