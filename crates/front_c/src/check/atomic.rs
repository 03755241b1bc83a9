//! gcc's builtins for atomic accesses, which are functions for any type that their first argument points to.

use raddle_base::Span;
use raddle_c_syntax::tree;
use raddle_ir::{Order, RmwOperation};

use super::convert::{Operand, constant};
use super::fill::has_effects;
use super::fold::Constant;
use super::{Checked, Checker};
use crate::typed::{
    AtomicAccess, AtomicOperation, Comparison, Expression, ExpressionKind, Lvalue, LvalueKind,
    Statement, StatementKind,
};
use crate::types::{IntegerKind, Qualified, Type};

/// What a read-modify-write can compute.
const MODIFICATIONS: &[(&str, RmwOperation)] = &[
    ("add", RmwOperation::Add),
    ("sub", RmwOperation::Subtract),
    ("and", RmwOperation::And),
    ("or", RmwOperation::Or),
    ("xor", RmwOperation::Xor),
    ("nand", RmwOperation::Nand),
    ("min", RmwOperation::Min),
    ("max", RmwOperation::Max),
];

/// Of `__sync_…`, besides `fetch_and_…` and `…_and_fetch`.
const SYNC: &[&str] = &[
    "synchronize",
    "lock_release",
    "lock_test_and_set",
    "bool_compare_and_swap",
    "val_compare_and_swap",
];

/// Of `__atomic_…`, besides `fetch_…` and `…_fetch`.
const ATOMIC: &[&str] = &[
    "thread_fence",
    "signal_fence",
    "is_lock_free",
    "always_lock_free",
    "test_and_set",
    "clear",
    "load",
    "load_n",
    "store",
    "store_n",
    "exchange",
    "exchange_n",
    "compare_exchange",
    "compare_exchange_n",
];

/// Of clang's `__c11_atomic_…`, besides `fetch_…`.
const C11: &[&str] = &[
    "thread_fence",
    "signal_fence",
    "is_lock_free",
    "init",
    "load",
    "store",
    "exchange",
    "compare_exchange_strong",
    "compare_exchange_weak",
];

/// The builtins that are modelled.
pub(crate) fn names() -> Vec<String> {
    let mut names = Vec::new();
    for (prefix, operations) in [
        ("__sync_", SYNC),
        ("__atomic_", ATOMIC),
        ("__c11_atomic_", C11),
    ] {
        names.extend(operations.iter().map(|it| format!("{prefix}{it}")));
    }
    for (name, operation) in MODIFICATIONS {
        names.push(format!("__atomic_fetch_{name}"));
        names.push(format!("__atomic_{name}_fetch"));
        names.push(format!("__c11_atomic_fetch_{name}"));
        // Those of gcc that are older than the rest.
        if !matches!(operation, RmwOperation::Min | RmwOperation::Max) {
            names.push(format!("__sync_fetch_and_{name}"));
            names.push(format!("__sync_{name}_and_fetch"));
        }
    }
    names
}

/// A call of a builtin, with its arguments as values.
struct AtomicCall<'n> {
    name: &'n str,
    values: Vec<Expression>,
    span: Span,
}

impl Checker {
    /// `None` if this is none of them.
    pub(super) fn atomic_builtin(
        &mut self,
        name: &str,
        arguments: &[tree::Expression],
        span: Span,
    ) -> Option<Checked<Expression>> {
        let is_sync = name.starts_with("__sync_");
        let is_c11 = name.starts_with("__c11_atomic_");
        let prefix = ["__sync_", "__atomic_", "__c11_atomic_"]
            .into_iter()
            .find(|prefix| name.starts_with(prefix))?;
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match self.value(argument) {
                Ok(value) => values.push(value),
                Err(poisoned) => return Some(Err(poisoned)),
            }
        }
        let call = AtomicCall { name, values, span };
        // Their names may say how large the scalar is.
        let general = ["_1", "_2", "_4", "_8", "_16"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(name);
        if !names().iter().any(|known| known == general) {
            let result = call.values.first().map_or(Type::Void, pointed_to);
            return Some(Ok(self.unsupported(format!("`{name}`"), result, span)));
        }
        let operation = &general[prefix.len()..];
        Some(if is_sync {
            self.sync_operation(operation, &call)
        } else {
            // clang's take values where gcc's have a form for values and one for pointers.
            let takes_values = is_c11 || general.len() < name.len();
            self.atomic_operation(operation, takes_values, &call)
        })
    }

    fn wrong_count(&mut self, call: &AtomicCall<'_>) -> super::Poisoned {
        let message = format!("wrong number of arguments for `{}`", call.name);
        self.error(call.span, message)
    }

    /// The type of what the first argument points to.
    fn cell(&mut self, call: &AtomicCall<'_>) -> Checked<Type> {
        if let Some(Type::Pointer(target)) = call.values.first().map(|first| &first.ty) {
            Ok(target.ty.clone())
        } else {
            let message = format!("`{}` needs a pointer first", call.name);
            Err(self.error(call.span, message))
        }
    }

    /// One access to a scalar, or to a struct or union that is complete.
    fn access(
        &mut self,
        call: &AtomicCall<'_>,
        cell: &Type,
        order: Order,
        operation: AtomicOperation,
        result: Type,
    ) -> Expression {
        let is_whole = matches!(cell, Type::Record(_)) && self.is_complete(cell);
        let is_computed = match operation {
            AtomicOperation::Load
            | AtomicOperation::Store(_)
            | AtomicOperation::Exchange(_)
            | AtomicOperation::Fence
            | AtomicOperation::CompareExchange { .. } => false,
            AtomicOperation::Fetch { .. } | AtomicOperation::CompareAndSwap { .. } => true,
        };
        let is_meant = self.is_scalar(cell) || (is_whole && !is_computed);
        let Some(pointer) = call.values.first().filter(|_| is_meant) else {
            return self.unsupported(format!("`{}`", call.name), result, call.span);
        };
        Expression {
            ty: result,
            kind: ExpressionKind::Atomic(Box::new(AtomicAccess {
                pointer: pointer.clone(),
                cell: cell.clone(),
                order,
                operation,
            })),
            span: call.span,
        }
    }

    /// `__sync_*`: full barriers, but for the two of locks.
    fn sync_operation(&mut self, operation: &str, call: &AtomicCall<'_>) -> Checked<Expression> {
        let full = Order::SequentiallyConsistent;
        if operation == "synchronize" {
            return Ok(self.fence(full, call.span));
        }
        let cell = self.cell(call)?;
        match (operation, call.values.len()) {
            ("lock_release", _) => {
                let zero = self.int(false, call.span);
                let zero = self.convert(zero, &cell);
                let store = AtomicOperation::Store(zero);
                Ok(self.access(call, &cell, Order::Release, store, Type::Void))
            }
            ("lock_test_and_set", 2..) => {
                let value = self.atomic_value(call, 1, &cell)?;
                let exchange = AtomicOperation::Exchange(value);
                Ok(self.access(call, &cell, Order::Acquire, exchange, cell.clone()))
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", 3..) => {
                let expected = self.atomic_value(call, 1, &cell)?;
                let desired = self.atomic_value(call, 2, &cell)?;
                let gives_old = operation == "val_compare_and_swap";
                let result = if gives_old { cell.clone() } else { Type::Bool };
                let swap = AtomicOperation::CompareAndSwap {
                    expected,
                    desired,
                    gives_old,
                };
                Ok(self.access(call, &cell, full, swap, result))
            }
            (_, 2..) => {
                let (modification, gives_new) = match operation.strip_prefix("fetch_and_") {
                    Some(modification) => (modification, false),
                    None => (operation.strip_suffix("_and_fetch").unwrap_or(""), true),
                };
                self.fetch(modification, gives_new, full, &cell, call)
            }
            _ => Err(self.wrong_count(call)),
        }
    }

    /// `__atomic_*` and clang's `__c11_atomic_*`.
    fn atomic_operation(
        &mut self,
        operation: &str,
        takes_values: bool,
        call: &AtomicCall<'_>,
    ) -> Checked<Expression> {
        match operation {
            "thread_fence" => {
                return Ok(self.fence(order(call, 0), call.span));
            }
            "signal_fence" => return Ok(self.void_value(call.span)),
            "is_lock_free" | "always_lock_free" => return Ok(self.lock_free(operation, call)),
            _ => {}
        }
        let cell = self.cell(call)?;
        let by_value = takes_values || operation.ends_with("_n");
        let operation = operation.strip_suffix("_n").unwrap_or(operation);
        let last = call.values.len().saturating_sub(1);
        match (operation, call.values.len()) {
            ("test_and_set", 1..) => Ok(self.test_and_set(call)),
            ("clear", 1..) => {
                let byte = Type::Integer(IntegerKind::UnsignedChar);
                let zero = self.int(false, call.span);
                let zero = self.convert(zero, &byte);
                let order = order(call, last);
                Ok(self.access(call, &byte, order, AtomicOperation::Store(zero), Type::Void))
            }
            ("init", 2) => {
                let value = self.atomic_value(call, 1, &cell)?;
                Ok(self.init(call, &cell, value))
            }
            ("load", 2..) => {
                let order = order(call, last);
                let load = self.access(call, &cell, order, AtomicOperation::Load, cell.clone());
                if by_value {
                    return Ok(load);
                }
                self.store_through(call, 1, load)
            }
            ("store", 3) => {
                let value = self.given(call, 1, &cell, by_value)?;
                let order = order(call, last);
                let store = AtomicOperation::Store(value);
                Ok(self.access(call, &cell, order, store, Type::Void))
            }
            ("exchange", 3..) => {
                let value = self.given(call, 1, &cell, by_value)?;
                let order = order(call, last);
                let exchange = AtomicOperation::Exchange(value);
                let old = self.access(call, &cell, order, exchange, cell.clone());
                if by_value {
                    return Ok(old);
                }
                self.store_through(call, 2, old)
            }
            ("compare_exchange", 6) | ("compare_exchange_strong" | "compare_exchange_weak", 5) => {
                let desired = self.given(call, 2, &cell, by_value)?;
                let (order, failure) = (order(call, last - 1), order(call, last));
                let expected = self.expected(call, &cell)?;
                // gcc's says so in an argument, which need not be constant.
                let is_weak = match operation {
                    "compare_exchange" => !matches!(
                        call.values.get(3).and_then(constant),
                        Some(Constant::Integer(0))
                    ),
                    _ => operation == "compare_exchange_weak",
                };
                let exchange = AtomicOperation::CompareExchange {
                    expected,
                    desired,
                    failure,
                    is_weak,
                };
                Ok(self.access(call, &cell, order, exchange, Type::Bool))
            }
            (_, 3) => {
                let (modification, gives_new) = match operation.strip_prefix("fetch_") {
                    Some(modification) => (modification, false),
                    None => (operation.strip_suffix("_fetch").unwrap_or(""), true),
                };
                let order = order(call, last);
                self.fetch(modification, gives_new, order, &cell, call)
            }
            _ => Err(self.wrong_count(call)),
        }
    }

    fn fetch(
        &mut self,
        modification: &str,
        gives_new: bool,
        order: Order,
        cell: &Type,
        call: &AtomicCall<'_>,
    ) -> Checked<Expression> {
        let Some((_, operation)) = MODIFICATIONS.iter().find(|(name, _)| *name == modification)
        else {
            return Ok(self.unsupported(format!("`{}`", call.name), cell.clone(), call.span));
        };
        let operand = match cell {
            Type::Pointer(_) => self.atomic_value(call, 1, &self.difference_type())?,
            _ => self.atomic_value(call, 1, cell)?,
        };
        let fetch = AtomicOperation::Fetch {
            operation: *operation,
            operand,
            gives_new,
        };
        Ok(self.access(call, cell, order, fetch, cell.clone()))
    }

    /// The argument as a value of the type.
    fn atomic_value(
        &mut self,
        call: &AtomicCall<'_>,
        index: usize,
        ty: &Type,
    ) -> Checked<Expression> {
        let value = call.values[index].clone();
        match (ty, &value.ty) {
            (Type::Record(_), _) | (_, Type::Record(_)) => {
                let what = format!("argument {} of `{}`", index + 1, call.name);
                self.assign_convert(value, ty, &what)
            }
            _ => Ok(self.convert(value, ty)),
        }
    }

    /// The argument, or what it points to.
    fn given(
        &mut self,
        call: &AtomicCall<'_>,
        index: usize,
        cell: &Type,
        by_value: bool,
    ) -> Checked<Expression> {
        if by_value {
            return self.atomic_value(call, index, cell);
        }
        let pointer = call.values[index].clone();
        let span = pointer.span;
        if let Some(place) = self.as_cell(call, &pointer, cell)? {
            return Ok(Expression {
                ty: cell.clone(),
                kind: ExpressionKind::Load(Box::new(place)),
                span,
            });
        }
        let Type::Pointer(target) = &pointer.ty else {
            let text = self.show(&pointer.ty);
            return Err(self.error(span, format!("`*` needs a pointer, this is `{text}`")));
        };
        let target = Qualified::clone(target);
        // The builtin looks there once all arguments are evaluated.
        let others = call.values.iter().enumerate();
        let has_effects = others
            .into_iter()
            .any(|(at, it)| at != index && has_effects(it));
        let place = if has_effects {
            Lvalue {
                ty: target,
                kind: LvalueKind::Dereference(Box::new(pointer)),
                span,
            }
        } else {
            self.pointee(pointer, target, span)
        };
        let value = self.rvalue(Operand::Lvalue(place))?;
        Ok(self.convert(value, cell))
    }

    /// What the second argument of a compare-and-exchange points to, taken for what the first one points to.
    fn expected(&mut self, call: &AtomicCall<'_>, cell: &Type) -> Checked<Box<Lvalue>> {
        let pointer = call.values[1].clone();
        let span = pointer.span;
        let Type::Pointer(target) = &pointer.ty else {
            let message = format!("an argument of `{}` is no pointer", call.name);
            return Err(self.error(span, message));
        };
        let target = Qualified {
            ty: cell.clone(),
            ..Qualified::clone(target)
        };
        Ok(Box::new(self.pointee(pointer, target, span)))
    }

    /// What an argument points to, taken for what the first one points to: gcc asks only that they are of one size.
    /// Scalars are converted to one another instead.
    fn as_cell(
        &mut self,
        call: &AtomicCall<'_>,
        pointer: &Expression,
        cell: &Type,
    ) -> Checked<Option<Lvalue>> {
        let Type::Pointer(target) = &pointer.ty else {
            let message = format!("an argument of `{}` is no pointer", call.name);
            return Err(self.error(pointer.span, message));
        };
        if self.is_scalar(&target.ty) && self.is_scalar(cell) {
            return Ok(None);
        }
        if self.size_of(&target.ty) != self.size_of(cell) {
            let message = format!("an argument of `{}` has another size", call.name);
            return Err(self.error(pointer.span, message));
        }
        let ty = Qualified {
            ty: cell.clone(),
            ..Qualified::clone(target)
        };
        Ok(Some(Lvalue {
            ty,
            kind: LvalueKind::Dereference(Box::new(pointer.clone())),
            span: pointer.span,
        }))
    }

    fn store_through(
        &mut self,
        call: &AtomicCall<'_>,
        index: usize,
        value: Expression,
    ) -> Checked<Expression> {
        let pointer = call.values[index].clone();
        let Type::Pointer(target) = &pointer.ty else {
            let message = format!("argument {} of `{}` is no pointer", index + 1, call.name);
            return Err(self.error(pointer.span, message));
        };
        let target = target.ty.clone();
        let (place, value) = if let Some(place) = self.as_cell(call, &pointer, &value.ty)? {
            (place, value)
        } else {
            let place = self.pointee(pointer, Qualified::from(target.clone()), call.span);
            (place, self.convert(value, &target))
        };
        let assign = Expression {
            ty: place.ty.ty.clone(),
            kind: ExpressionKind::Assign(Box::new(place), Box::new(value)),
            span: call.span,
        };
        let is_local = matches!(&assign.kind, ExpressionKind::Assign(place, _)
            if matches!(place.kind, LvalueKind::Local(_)));
        let assign = self.convert(assign, &Type::Void);
        if !is_local {
            return Ok(assign);
        }
        // The builtin stores as a called function does: between evaluations of other operands, not beside them.
        let store = Statement {
            kind: StatementKind::Expression(assign),
            span: call.span,
        };
        Ok(Expression {
            ty: Type::Void,
            kind: ExpressionKind::Statements(vec![store], None),
            span: call.span,
        })
    }

    /// The first value of an atomic object is stored as a plain one: an access at the same time is a race (C17 7.17.2.2).
    fn init(&mut self, call: &AtomicCall<'_>, cell: &Type, value: Expression) -> Expression {
        let pointer = call.values[0].clone();
        let place = Lvalue {
            ty: Qualified::from(cell.clone()),
            span: pointer.span,
            kind: LvalueKind::Dereference(Box::new(pointer)),
        };
        let assign = Expression {
            ty: cell.clone(),
            kind: ExpressionKind::Assign(Box::new(place), Box::new(value)),
            span: call.span,
        };
        self.convert(assign, &Type::Void)
    }

    fn test_and_set(&mut self, call: &AtomicCall<'_>) -> Expression {
        let byte = Type::Integer(IntegerKind::UnsignedChar);
        let span = call.span;
        let one = self.int(true, span);
        let one = self.convert(one, &byte);
        let order = order(call, call.values.len().saturating_sub(1));
        let old = self.access(
            call,
            &byte,
            order,
            AtomicOperation::Exchange(one),
            byte.clone(),
        );
        let zero = self.int(false, span);
        let zero = self.convert(zero, &byte);
        let was_set = Expression {
            ty: Type::Integer(IntegerKind::Int),
            kind: ExpressionKind::Compare(Comparison::NotEqual, Box::new(old), Box::new(zero)),
            span,
        };
        self.convert(was_set, &Type::Bool)
    }

    /// Scalars need no lock on the machines that we read for; of larger objects the library decides when it runs.
    fn lock_free(&mut self, operation: &str, call: &AtomicCall<'_>) -> Expression {
        let size = call.values.first().and_then(constant);
        let answer = match size {
            Some(Constant::Integer(1 | 2 | 4 | 8)) => true,
            Some(Constant::Integer(_)) if operation == "always_lock_free" => false,
            _ => return self.unsupported(format!("`{}`", call.name), Type::Bool, call.span),
        };
        let answer = self.int(answer, call.span);
        self.convert(answer, &Type::Bool)
    }

    pub(super) fn fence(&mut self, order: Order, span: Span) -> Expression {
        Expression {
            ty: Type::Void,
            kind: ExpressionKind::Atomic(Box::new(AtomicAccess {
                pointer: self.int(false, span),
                cell: Type::Void,
                order,
                operation: AtomicOperation::Fence,
            })),
            span,
        }
    }
}

/// What the value points to, or its own type.
fn pointed_to(value: &Expression) -> Type {
    match &value.ty {
        Type::Pointer(target) => target.ty.clone(),
        other => other.clone(),
    }
}

/// The order that an argument names, if that is known before the program runs.
fn order(call: &AtomicCall<'_>, index: usize) -> Order {
    match call.values.get(index).and_then(constant) {
        Some(Constant::Integer(0)) => Order::Relaxed,
        Some(Constant::Integer(1 | 2)) => Order::Acquire,
        Some(Constant::Integer(3)) => Order::Release,
        Some(Constant::Integer(4)) => Order::AcquireRelease,
        Some(Constant::Integer(5)) => Order::SequentiallyConsistent,
        _ => Order::Unknown,
    }
}
