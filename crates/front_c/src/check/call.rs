//! Calls: conversion of arguments, functions nobody declared, variable arguments.

use std::rc::Rc;

use raddle_base::Span;
use raddle_c_syntax::tree::{self, ExpressionKind as Syntax, TypeName};
use raddle_diag::Diagnostic;
use raddle_ir::DataModel;

use super::convert::Operand;
use super::fold::Constant;
use super::scope::Entity;
use super::{Checked, Checker};
use crate::typed::{Callee, Expression, ExpressionKind, FunctionId};
use crate::types::{FloatKind, FunctionType, Qualified, Type};

/// Functions whose last argument is the number of a signal that they send.
const SENDERS: [&str; 3] = ["raise", "kill", "pthread_kill"];

impl Checker {
    pub(super) fn call(
        &mut self,
        callee: &tree::Expression,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        if let Syntax::Identifier(name) = &callee.kind {
            if let Some(result) = self.cleanup_push(name, arguments, span) {
                return result;
            }
            if let Some(result) = self.system_call(name, arguments, span) {
                return result;
            }
            if let Some(Entity::NestedFunction(nested)) =
                self.lookup(name).map(|found| found.entity.clone())
            {
                return self.nested_call(&nested, name, arguments, span);
            }
            let is_known = self.lookup(name).is_some_and(|found| match found.entity {
                // Declared by headers, but nobody could define it.
                Entity::Function(id, _) if **name == *"alloca" => self.functions[id].body.is_some(),
                _ => true,
            });
            if (!is_known || name.starts_with("__builtin_") || name.starts_with("__sync_"))
                && let Some(result) = self.builtin(name, arguments, span)
            {
                return result;
            }
            if !is_known {
                let entity = self.declare_implicitly(name, callee.span);
                let operand = self.entity(entity, name, callee.span)?;
                return self.call_operand(operand, Some(name), arguments, span);
            }
            let operand = self.operand(callee);
            let name = name.clone();
            return match operand {
                Ok(operand) => self.call_operand(operand, Some(&name), arguments, span),
                Err(poisoned) => {
                    self.check_arguments(arguments);
                    Err(poisoned)
                }
            };
        }
        if let Syntax::Generic(control, associations) = &callee.kind {
            // What is chosen may be the name of a builtin, which is nothing but called.
            let chosen = self.generic(control, associations, callee.span)?;
            return self.call(chosen, arguments, span);
        }
        let operand = self.operand(callee)?;
        self.call_operand(operand, None, arguments, span)
    }

    /// Finds what is wrong with arguments of a call that is wrong itself.
    fn check_arguments(&mut self, arguments: &[tree::Expression]) {
        for argument in arguments {
            // Reported there, if at all.
            let _ = self.value(argument);
        }
    }

    pub(super) fn call_operand(
        &mut self,
        operand: Operand,
        name: Option<&str>,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Checked<Expression> {
        let pointer = self.rvalue(operand)?;
        let function = match &pointer.ty {
            Type::Pointer(target) => match &target.ty {
                Type::Function(function) => Some(Rc::clone(function)),
                _ => None,
            },
            _ => None,
        };
        let Some(function) = function else {
            let text = self.show(&pointer.ty);
            let what = name.map_or("this".to_owned(), |name| format!("`{name}`"));
            self.check_arguments(arguments);
            return Err(self.error(
                pointer.span,
                format!("{what} is called, but it is no function: its type is `{text}`"),
            ));
        };
        let mut values = Vec::with_capacity(arguments.len());
        let mut outcome = Ok(());
        for argument in arguments {
            match self.value(argument) {
                Ok(value) => values.push(value),
                Err(poisoned) => outcome = Err(poisoned),
            }
        }
        outcome?;
        let values = self.convert_arguments(&function, values, name, span)?;
        if !self.is_complete(&function.result) && function.result != Type::Void {
            let text = self.show(&function.result);
            return Err(self.error(
                span,
                format!("the called function returns the incomplete type `{text}`"),
            ));
        }
        match pointer.kind {
            ExpressionKind::FunctionAddress(id) => {
                Ok(self.direct_call(id, &function, values, span))
            }
            ExpressionKind::Unsupported(what) => {
                Ok(self.unsupported(what, function.result.clone(), span))
            }
            _ => Ok(Expression {
                ty: function.result.clone(),
                kind: ExpressionKind::Call(
                    Callee::Indirect(Box::new(pointer), FunctionType::clone(&function)),
                    values,
                ),
                span,
            }),
        }
    }

    pub(super) fn convert_arguments(
        &mut self,
        function: &FunctionType,
        values: Vec<Expression>,
        name: Option<&str>,
        span: Span,
    ) -> Checked<Vec<Expression>> {
        let count = values.len();
        let expected = function.parameters.len();
        if function.has_prototype
            && (count < expected || (count > expected && !function.is_variadic))
        {
            let what = name.map_or("the function".to_owned(), |name| format!("`{name}`"));
            let how = if count < expected { "few" } else { "many" };
            let at_least = if function.is_variadic {
                "at least "
            } else {
                ""
            };
            let mut diagnostic = Diagnostic::error("c", format!("too {how} arguments for {what}"))
                .at(
                    span,
                    format!("{at_least}{expected} are needed, {count} are given"),
                );
            if let Some(name) = name
                && let Some(declared) = self.lookup(name)
            {
                diagnostic = diagnostic.at(declared.span, "declared here");
            }
            return Err(self.report(diagnostic));
        }
        let mut converted = Vec::with_capacity(count);
        let mut outcome = Ok(());
        for (index, value) in values.into_iter().enumerate() {
            let parameter = function
                .parameters
                .get(index)
                .filter(|_| function.has_prototype)
                .map(|parameter| parameter.ty.clone());
            let value = match parameter {
                Some(ty) => {
                    let what = match name {
                        Some(name) => format!("argument {} of `{name}`", index + 1),
                        None => format!("argument {}", index + 1),
                    };
                    self.assign_convert(value, &ty, &what)
                }
                None if value.ty == Type::Void => {
                    Err(self.error(value.span, "an argument is of type `void`"))
                }
                None => Ok(self.promote_argument(value)),
            };
            match value {
                Ok(value) => converted.push(value),
                Err(poisoned) => outcome = Err(poisoned),
            }
        }
        outcome.map(|()| converted)
    }

    /// Takes note of a signal that the program sends.
    fn note_sent_signal(&mut self, id: FunctionId, values: &[Expression]) {
        if self.is_library || !SENDERS.contains(&&*self.functions[id].name) {
            return;
        }
        let bit = match values.last().and_then(|it| self.fold(it)) {
            Some(Constant::Integer(0)) => Some(0),
            Some(Constant::Integer(number @ 1..=64)) => Some(1 << (number - 1)),
            Some(_) | None => None,
        };
        self.sent_signals = self.sent_signals.zip(bit).map(|(all, bit)| all | bit);
    }

    /// A call of a known function. What was declared may differ from what is defined: the definition counts.
    pub(super) fn direct_call(
        &mut self,
        id: FunctionId,
        declared: &FunctionType,
        values: Vec<Expression>,
        span: Span,
    ) -> Expression {
        self.note_sent_signal(id, &values);
        let is_defined = self.facts_of_function(id).definition.is_some();
        let defined = &self.functions[id].ty;
        if !is_defined || *defined == *declared {
            return Expression {
                ty: declared.result.clone(),
                kind: ExpressionKind::Call(Callee::Direct(id), values),
                span,
            };
        }
        let defined = defined.clone();
        let fits = defined.parameters.len() == values.len()
            || (defined.parameters.len() < values.len() && defined.is_variadic);
        let can_convert = |from: &Type, to: &Type| {
            from == to
                || (self.is_scalar(from)
                    && self.is_scalar(to)
                    && !matches!(
                        (from, to),
                        (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_))
                    ))
                || matches!((from, to), (Type::Record(a), Type::Record(b))
                    if self.records[*a].size == self.records[*b].size)
                || matches!((from, to), (Type::Unmodelled(a), Type::Unmodelled(b)) if a == b)
        };
        let are_arguments = fits
            && values
                .iter()
                .zip(&defined.parameters)
                .all(|(value, parameter)| can_convert(&value.ty, &parameter.ty));
        let is_result =
            declared.result == Type::Void || can_convert(&defined.result, &declared.result);
        if !are_arguments || !is_result {
            let what = format!(
                "a call of `{}` that does not fit its definition",
                self.functions[id].name
            );
            return self.unsupported(what, declared.result.clone(), span);
        }
        let values = values
            .into_iter()
            .enumerate()
            .map(|(index, value)| match defined.parameters.get(index) {
                Some(parameter) => self.as_type(value, &parameter.ty),
                None => value,
            })
            .collect();
        let result = Expression {
            ty: defined.result.clone(),
            kind: ExpressionKind::Call(Callee::Direct(id), values),
            span,
        };
        self.as_type(result, &declared.result)
    }

    /// Records of the same size are taken for one another.
    fn as_type(&self, value: Expression, ty: &Type) -> Expression {
        match (&value.ty, ty) {
            (Type::Record(_), Type::Record(_)) => Expression {
                ty: ty.clone(),
                ..value
            },
            _ => self.convert(value, ty),
        }
    }

    /// The address of the first word of a `va_list`.
    pub(super) fn va_list_address(&mut self, list: &tree::Expression) -> Checked<Expression> {
        let operand = self.operand(list)?;
        let span = operand.span();
        match self.model {
            DataModel::Lp64 => {
                let value = self.rvalue(operand)?;
                if matches!(value.ty, Type::Pointer(_)) {
                    return Ok(value);
                }
            }
            DataModel::Ilp32 => {
                if let Operand::Lvalue(place) = operand
                    && matches!(place.ty.ty, Type::Pointer(_))
                {
                    let ty = Type::Pointer(place.ty.clone().into());
                    return Ok(self.address_of(place, ty));
                }
            }
        }
        Err(self.error(span, "a `va_list` is needed here"))
    }

    pub(super) fn va_arg(
        &mut self,
        list: &tree::Expression,
        ty: &TypeName,
        span: Span,
    ) -> Checked<Expression> {
        let list = self.va_list_address(list);
        let ty = self.type_name(ty)?.ty.ty;
        self.pending.clear();
        let list = list?;
        let ty = match ty {
            Type::Array(element, _) => Type::Pointer(element),
            Type::Function(function) => {
                Type::Pointer(Qualified::from(Type::Function(function)).into())
            }
            ty => ty,
        };
        if !self.is_complete(&ty) {
            let text = self.show(&ty);
            return Err(self.error(span, format!("the type `{text}` is incomplete")));
        }
        let is_narrow = self.is_integer(&ty) && self.size_of(&ty).is_some_and(|size| size < 4);
        if is_narrow || ty == Type::Float(FloatKind::Float) {
            let text = self.show(&ty);
            return Ok(self.unsupported(
                format!("an argument taken as `{text}`, which is never passed"),
                ty,
                span,
            ));
        }
        Ok(Expression {
            ty,
            kind: ExpressionKind::VaArg(Box::new(list)),
            span,
        })
    }
}
