//! Rules on globals, their initial values, and the threads of the start.

use raddle_base::Arena;

use super::Report;
use super::expression::{Scope, constant_address};
use super::types::{Fault, check_scalar};
use crate::action::SyncInit;
use crate::expression::Expression;
use crate::part::find_path;
use crate::print::scalar_name;
use crate::program::{Global, Initial, ProgramDraft};
use crate::types::{Scalar, Type};

pub(super) fn check(draft: &ProgramDraft, report: &mut Report) {
    let count = draft.globals.len() + draft.functions.len() + 1;
    let limit = draft.model.given_objects().end as usize;
    if count > limit {
        let message = format!(
            "{} globals and functions are more than the {} that pointers of `{}` can tell apart",
            count - 1,
            limit - 1,
            draft.model.name()
        );
        report.add("V12", None, message);
    }
    for global in draft.globals.values() {
        let size = draft.size_of(&global.ty).unwrap_or(u64::MAX);
        if size >= 1 << draft.model.offset_bits() {
            let message = format!(
                "`{}` takes {size} bytes; objects of `{}` have fewer than 2^{}",
                global.name,
                draft.model.name(),
                draft.model.offset_bits()
            );
            report.add("V11", global.span, message);
        }
        for (offset, initial) in &global.initial {
            if let Err((rule, message)) = check_initial(draft, global, size, *offset, initial) {
                let message = format!("the initial value of `{}` {message}", global.name);
                report.add(rule, global.span, message);
            }
        }
    }
}

fn check_initial(
    draft: &ProgramDraft,
    global: &Global,
    size: u64,
    offset: u64,
    initial: &Initial,
) -> Result<(), Fault> {
    let scope_registers = Arena::new();
    let scope = Scope {
        draft,
        registers: &scope_registers,
        visible: 0,
    };
    let fault = |message: &str| Err(("V14", message.to_owned()));
    let bytes = match initial {
        Initial::Scalar(scalar, bits) => {
            scope.check_constant(*bits, *scalar)?;
            scalar.size(draft.model)
        }
        Initial::Any(scalar) => {
            check_scalar(*scalar)?;
            if global.is_thread_local {
                return fault(
                    "is undetermined, which a thread-local global cannot be at the start",
                );
            }
            scalar.size(draft.model)
        }
        Initial::Address(address) => {
            scope.type_of(address)?;
            match constant_address(address) {
                Some((Expression::Global(id), _)) if draft.globals[*id].is_thread_local => {
                    return fault("is the address of a thread-local global");
                }
                Some((_, offset)) if !(0..1 << draft.model.offset_bits()).contains(&offset) => {
                    return fault("is an address outside its object");
                }
                Some(_) => draft.model.pointer_bytes(),
                None => {
                    return fault("is no address of a global or function plus a constant");
                }
            }
        }
        Initial::Sync(sync) => {
            let family = sync.sync_type();
            let fits = |ty: &Type| matches!(ty, Type::Sync(other) if other.is_family_of(family));
            if find_path(draft, &global.ty, offset, None, &fits).is_none() {
                return Err(("V13", format!("at {offset} is on no {}", family.name())));
            }
            if let SyncInit::Semaphore(value) | SyncInit::Barrier(value) = sync {
                let ty = scope.type_of(value)?;
                if !matches!((value, ty), (Expression::Constant(..), Scalar::Int(_))) {
                    return fault("of a semaphore or barrier is no integer constant");
                }
            }
            family.size(draft.model)
        }
    };
    if offset.checked_add(bytes).is_none_or(|end| end > size) {
        return Err(("V13", format!("at {offset} ends beyond its {size} bytes")));
    }
    Ok(())
}

pub(super) fn check_roots(draft: &ProgramDraft, report: &mut Report) {
    if draft.roots.is_empty() {
        let main = draft
            .functions
            .values()
            .find(|it| it.name == "main" && it.parameters > 0);
        match main {
            Some(main) => report.add(
                "V32",
                main.span,
                "a `main` with parameters is not started by itself; start it with arguments, as in \
                 `start t = main(1)`",
            ),
            None => report.add(
                "V32",
                None,
                "no thread runs at the start; add a `thread`, a `start` or a function `main`",
            ),
        }
    }
    let registers = Arena::new();
    let scope = Scope {
        draft,
        registers: &registers,
        visible: 0,
    };
    for root in &draft.roots {
        let Some(function) = draft.functions.get(root.function) else {
            let message = format!(
                "thread `{}` runs the function {:?}, which does not exist",
                root.display_name(),
                root.function
            );
            report.add("V20", root.span, message);
            continue;
        };
        if root.arguments.len() != function.parameters {
            let message = format!(
                "thread `{}` gives {} arguments to `{}`, which takes {}",
                root.display_name(),
                root.arguments.len(),
                function.name,
                function.parameters
            );
            report.add("V32", root.span, message);
        }
        for (argument, parameter) in root.arguments.iter().zip(function.registers.values()) {
            let wanted = parameter.ty;
            let is_constant = matches!(argument, Expression::Constant(..));
            match scope.type_of(argument) {
                Ok(ty) if ty == wanted && is_constant => {}
                Ok(_) => {
                    let message = format!(
                        "an argument of thread `{}` is no constant of the type `{}`",
                        root.display_name(),
                        scalar_name(wanted)
                    );
                    report.add("V32", root.span, message);
                }
                Err((rule, message)) => report.add(rule, root.span, message),
            }
        }
    }
    for (id, function) in draft.functions.iter() {
        let is_main = function.name == "main" && function.parameters == 0;
        if is_main && draft.roots.iter().all(|root| root.function != id) {
            let message = "the function `main` has no parameters and is not started; rename it";
            report.add("V33", function.span, message);
        }
    }
}
