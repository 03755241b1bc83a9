//! Rules on actions.

use super::expression::Scope;
use super::types::{Fault, check_scalar, check_type};
use crate::action::{Access, Action, AllocateKind, Callee, EndKind};
use crate::action::{NamePlace, RmwOperation, SyncInit};
use crate::arithmetic::is_word;
use crate::emit::{self, Piece};
use crate::expression::Expression;
use crate::print::scalar_name;
use crate::program::{AtomicSetId, Function, RegisterId};
use crate::read_only::ReadOnly;
use crate::types::Scalar;

/// The first rule that an action of `function` breaks.
pub(super) fn check(scope: &Scope, function: &Function, action: &Action) -> Result<(), Fault> {
    match action {
        Action::Assign { target, value } => {
            let ty = scope.register(*target)?;
            expect(scope, value, ty, "V24", "the assigned value")
        }
        Action::Havoc { target } => scope.register(*target).map(|_| ()),
        Action::Assume { condition } | Action::Assert { condition, .. } => {
            expect(scope, condition, Scalar::BOOL, "V23", "the condition")
        }
        Action::Load {
            target,
            address,
            ty,
            access,
        } => {
            if *access == Access::Initial {
                return Err(("V24", "a load is no first value".into()));
            }
            check_access(scope, address, *ty)?;
            expect_register(scope, *target, *ty, "V24", "the target of a load")
        }
        Action::Store {
            address,
            value,
            ty,
            access: _,
        } => {
            check_access(scope, address, *ty)?;
            expect(scope, value, *ty, "V24", "the stored value")
        }
        Action::ReadModifyWrite {
            target,
            operation,
            address,
            operand,
            ty,
            order: _,
        } => {
            check_access(scope, address, *ty)?;
            expect(scope, operand, *ty, "V24", "the operand")?;
            if let Some(target) = target {
                expect_register(scope, *target, *ty, "V24", "the target of the old value")?;
            }
            if *operation == RmwOperation::Exchange || matches!(ty, Scalar::Int(_)) {
                Ok(())
            } else {
                Err((
                    "V24",
                    format!(
                        "an arithmetic read-modify-write of `{}`; only integers have one",
                        scalar_name(*ty)
                    ),
                ))
            }
        }
        Action::CompareExchange {
            previous,
            success,
            address,
            expected,
            desired,
            ty,
            order: _,
            failure: _,
        } => {
            check_access(scope, address, *ty)?;
            expect(scope, expected, *ty, "V24", "the expected value")?;
            expect(scope, desired, *ty, "V24", "the desired value")?;
            if let Some(previous) = previous {
                expect_register(scope, *previous, *ty, "V24", "the target of the old value")?;
            }
            if let Some(success) = success {
                expect_register(scope, *success, Scalar::BOOL, "V25", "the success")?;
                if previous == &Some(*success) {
                    let message = "a compare-exchange gives its two results to one register";
                    return Err(("V25", message.into()));
                }
            }
            Ok(())
        }
        Action::Allocate {
            target,
            size,
            ty,
            is_zeroed: _,
            kind,
            read_only,
        } => {
            check_read_only(size, *kind, read_only)?;
            expect_register(scope, *target, Scalar::Pointer, "V24", "the new object")?;
            expect_int(scope, size, "V24", "the size of an allocation")?;
            match ty {
                Some(ty) => check_type(scope.draft, ty)
                    .map_err(|(rule, end)| (rule, format!("the type of an allocation {end}"))),
                None => Ok(()),
            }
        }
        Action::Size { target, address } => {
            let word = Scalar::Int(scope.draft.model.unsigned_word());
            expect_register(scope, *target, word, "V24", "the size of an object")?;
            let what = "the object whose size is asked";
            expect(scope, address, Scalar::Pointer, "V24", what)
        }
        Action::Free { address, kind: _ } => {
            expect(scope, address, Scalar::Pointer, "V24", "what is freed")
        }
        Action::Init { object, sync } => {
            expect_object(scope, object)?;
            match sync {
                SyncInit::Semaphore(value) | SyncInit::Barrier(value) => {
                    expect_int(scope, value, "V26", "the count")
                }
                SyncInit::Mutex(_)
                | SyncInit::ReadWriteLock
                | SyncInit::Condition
                | SyncInit::Monitor => Ok(()),
            }
        }
        Action::Destroy { object, sync: _ } => expect_object(scope, object),
        Action::Sync {
            operation,
            object,
            mutex,
            result,
        } => {
            expect_object(scope, object)?;
            if let Some(mutex) = mutex {
                expect_object(scope, mutex)?;
            }
            if mutex.is_some() != operation.takes_mutex() {
                let word = if mutex.is_some() {
                    "takes no"
                } else {
                    "takes a"
                };
                return Err(("V26", format!("`{}` {word} mutex", operation.name())));
            }
            match result.map(|register| scope.register(register)) {
                None | Some(Ok(Scalar::Int(_))) => Ok(()),
                Some(Ok(other)) => Err((
                    "V26",
                    format!(
                        "`{}` gives an integer, not `{}`",
                        operation.name(),
                        scalar_name(other)
                    ),
                )),
                Some(Err(fault)) => Err(fault),
            }
        }
        Action::Call {
            target,
            callee,
            arguments,
        } => {
            let result = check_call(scope, callee, arguments)?;
            let Some(target) = target else {
                return Ok(());
            };
            let ty = scope.register(*target)?;
            match result {
                CallResult::AnyType => Ok(()),
                CallResult::Known(Some(result)) if result == ty => Ok(()),
                CallResult::Known(Some(result)) => Err((
                    "V27",
                    format!(
                        "a call gives `{}`, its target is `{}`",
                        scalar_name(result),
                        scalar_name(ty)
                    ),
                )),
                CallResult::Known(None) => Err((
                    "V27",
                    "a call of a function without result has a target".into(),
                )),
            }
        }
        Action::Return { value } => match (value, function.result) {
            (None, None) => Ok(()),
            (Some(value), Some(ty)) => expect(scope, value, ty, "V29", "the returned value"),
            (Some(_), None) => Err((
                "V29",
                "a value is returned from a function without result".into(),
            )),
            (None, Some(ty)) => Err((
                "V29",
                format!(
                    "a return without value; the function gives `{}`",
                    scalar_name(ty)
                ),
            )),
        },
        Action::Spawn {
            target,
            place,
            callee,
            arguments,
        } => {
            check_call(scope, callee, arguments)?;
            if let Some(NamePlace { address, ty }) = place {
                check_access(scope, address, *ty)?;
                let is_name = *ty == Scalar::Thread || is_word(*ty, scope.draft.model);
                if !is_name {
                    let name = scalar_name(*ty);
                    return Err(("V27", format!("the new thread is stored as `{name}`")));
                }
            }
            match target {
                Some(target) => {
                    expect_register(scope, *target, Scalar::Thread, "V27", "the new thread")
                }
                None => Ok(()),
            }
        }
        Action::Join { thread, target } => {
            expect(scope, thread, Scalar::Thread, "V28", "what is joined")?;
            match target {
                Some(target) => scope.register(*target).map(|_| ()),
                None => Ok(()),
            }
        }
        Action::Detach { thread } => {
            expect(scope, thread, Scalar::Thread, "V28", "what is detached")
        }
        Action::ExitThread { value } => match value {
            Some(value) => scope.type_of(value).map(|_| ()),
            None => Ok(()),
        },
        Action::EndProcess { kind } => match kind {
            EndKind::Exit(status) => expect_int(scope, status, "V30", "the status"),
            EndKind::Abort => Ok(()),
        },
        Action::UnitBegin { set } | Action::UnitEnd { set } => check_set(scope, *set),
        Action::Emit { text, arguments } => check_emit(scope, text, arguments),
        Action::Fence { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::Unsupported { .. } => Ok(()),
    }
}

/// As many arguments as holes, each of a type that its conversion can print.
fn check_emit(scope: &Scope, text: &str, arguments: &[Expression]) -> Result<(), Fault> {
    let pieces = emit::pieces(text).map_err(|message| ("V31", message))?;
    let holes: Vec<&Piece> = pieces
        .iter()
        .filter(|piece| !matches!(piece, Piece::Text(_)))
        .collect();
    if holes.len() != arguments.len() {
        return Err((
            "V31",
            format!(
                "a text with {} hole{} (`{{}}` or `{{%d}}`) is given {} arguments",
                holes.len(),
                if holes.len() == 1 { "" } else { "s" },
                arguments.len()
            ),
        ));
    }
    for (piece, argument) in holes.into_iter().zip(arguments) {
        let ty = scope.type_of(argument)?;
        if let Piece::Converted(conversion) = piece
            && !conversion.kind.fits(ty)
        {
            let (wanted, ty) = (conversion.kind.argument_word(), scalar_name(ty));
            let message = format!("a conversion that prints {wanted} is given `{ty}`; cast it");
            return Err(("V31", message));
        }
    }
    Ok(())
}

enum CallResult {
    Known(Option<Scalar>),
    /// Through a pointer: the interpreter compares the types.
    AnyType,
}

fn check_call(
    scope: &Scope,
    callee: &Callee,
    arguments: &[Expression],
) -> Result<CallResult, Fault> {
    let mut types = Vec::new();
    for argument in arguments {
        types.push(scope.type_of(argument)?);
    }
    let callee = match callee {
        Callee::Direct(callee) => *callee,
        Callee::Indirect(address) => {
            expect(scope, address, Scalar::Pointer, "V27", "what is called")?;
            return Ok(CallResult::AnyType);
        }
    };
    let Some(function) = scope.draft.functions.get(callee) else {
        return Err(("V20", format!("the function {callee:?} does not exist")));
    };
    let parameters = function.registers.values().take(function.parameters);
    let wanted: Vec<Scalar> = parameters.map(|register| register.ty).collect();
    if types == wanted {
        return Ok(CallResult::Known(function.result));
    }
    let list = |types: &[Scalar]| -> String {
        let names: Vec<String> = types.iter().map(|&ty| scalar_name(ty)).collect();
        names.join(", ")
    };
    Err((
        "V27",
        format!(
            "`{}` takes ({}) and is given ({})",
            function.name,
            list(&wanted),
            list(&types)
        ),
    ))
}

fn check_set(scope: &Scope, set: Option<AtomicSetId>) -> Result<(), Fault> {
    match set {
        Some(set) if !scope.draft.atomic_sets.contains(set) => {
            Err(("V20", format!("the atomic set {set:?} does not exist")))
        }
        Some(_) | None => Ok(()),
    }
}

fn check_access(scope: &Scope, address: &Expression, ty: Scalar) -> Result<(), Fault> {
    check_scalar(ty).map_err(|(rule, end)| (rule, format!("the type of an access {end}")))?;
    expect(scope, address, Scalar::Pointer, "V24", "the address")
}

fn expect_object(scope: &Scope, object: &Expression) -> Result<(), Fault> {
    let what = "the place of a synchronisation object";
    expect(scope, object, Scalar::Pointer, "V24", what)
}

fn expect(
    scope: &Scope,
    expression: &Expression,
    wanted: Scalar,
    rule: &'static str,
    what: &str,
) -> Result<(), Fault> {
    is_of_type(scope.type_of(expression)?, wanted, rule, what)
}

fn expect_register(
    scope: &Scope,
    register: RegisterId,
    wanted: Scalar,
    rule: &'static str,
    what: &str,
) -> Result<(), Fault> {
    is_of_type(scope.register(register)?, wanted, rule, what)
}

fn is_of_type(ty: Scalar, wanted: Scalar, rule: &'static str, what: &str) -> Result<(), Fault> {
    if ty == wanted {
        Ok(())
    } else {
        let (ty, wanted) = (scalar_name(ty), scalar_name(wanted));
        Err((rule, format!("{what} is `{ty}`, not `{wanted}`; cast it")))
    }
}

fn expect_int(
    scope: &Scope,
    expression: &Expression,
    rule: &'static str,
    what: &str,
) -> Result<(), Fault> {
    match scope.type_of(expression)? {
        Scalar::Int(_) => Ok(()),
        other @ (Scalar::Float(_) | Scalar::Pointer | Scalar::Thread) => Err((
            rule,
            format!(
                "{what} is `{}`, not an integer; cast it",
                scalar_name(other)
            ),
        )),
    }
}

/// What is read-only lies inside of an object whose size is known. Memory on the heap has no type that could say so.
fn check_read_only(
    size: &Expression,
    kind: AllocateKind,
    read_only: &ReadOnly,
) -> Result<(), Fault> {
    if read_only.is_nothing() {
        return Ok(());
    }
    let is_inside = matches!(
        size,
        Expression::Constant(size, _) if u128::from(read_only.end()) <= *size
    );
    match kind {
        AllocateKind::Heap => Err(("V24", "memory on the heap is never read-only".into())),
        AllocateKind::Stack if is_inside => Ok(()),
        AllocateKind::Stack => Err(("V24", "a read-only part lies beyond its object".into())),
    }
}
