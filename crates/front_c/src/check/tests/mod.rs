//! Small programs through the parser and the checker.

mod diagnostics;
mod initials;
mod linking;
mod meaning;

use raddle_base::{FileId, Id};
use raddle_diag::{Diagnostic, Severity};
use raddle_ir::DataModel;

use super::{CheckedUnit, check};
use crate::typed::{Function, Module, Object};

/// Checks a library (if any) and units of a user.
fn check_units(library: &[&str], units: &[&str], model: DataModel) -> (Module, Vec<Diagnostic>) {
    let parsed: Vec<_> = library
        .iter()
        .chain(units)
        .enumerate()
        .map(|(index, text)| {
            let parsed = raddle_c_syntax::parse(FileId::from_index(index), text.as_bytes());
            assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
            parsed.unit
        })
        .collect();
    let units: Vec<CheckedUnit<'_>> = parsed
        .iter()
        .enumerate()
        .map(|(index, unit)| CheckedUnit {
            unit,
            is_library: index < library.len(),
            ignores_openmp: false,
        })
        .collect();
    check(&units, model)
}

/// The module of a text without errors.
fn accepted(text: &str, model: DataModel) -> Module {
    let (module, diagnostics) = check_units(&[], &[text], model);
    let errors: Vec<_> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    module
}

fn object<'m>(module: &'m Module, name: &str) -> &'m Object {
    module
        .objects
        .values()
        .find(|object| object.name == name)
        .expect("there is such an object")
}

fn function<'m>(module: &'m Module, name: &str) -> &'m Function {
    module
        .functions
        .values()
        .find(|function| function.name == name)
        .expect("there is such a function")
}
