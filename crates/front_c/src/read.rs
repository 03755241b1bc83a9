//! From text to program: parse, check, lower, validate.

use raddle_base::{FileId, Id};
use raddle_c_syntax::tree::{Annotation, Item};
use raddle_c_syntax::{Parsed, parse};
use raddle_diag::{Diagnostic, Severity};
use raddle_ir::validate;

use crate::check::{CheckedUnit, check};
use crate::entry::{Beginning, tests};
use crate::library::TEXTS;
use crate::lower::{Annotated, NO_MAIN, lower};
use crate::{Options, Reading, Warning, stubs};

/// Trees of expressions may be as deep as a sum has terms, and passes over them recurse.
const STACK_BYTES: usize = 1 << 30;

/// Reads the preprocessed units of a program and links them.
///
/// # Errors
///
/// What is wrong with them.
pub fn read(units: &[(FileId, &[u8])], options: &Options) -> Result<Reading, Vec<Diagnostic>> {
    on_large_stack(|| read_here(units, options))
}

/// Runs something that recurses deeply. The memory is only taken as far as it is used.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .expect("a thread can be started");
        match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn read_here(units: &[(FileId, &[u8])], options: &Options) -> Result<Reading, Vec<Diagnostic>> {
    // Our own text has no file that a user could look at.
    let nowhere = FileId::from_index(u32::MAX as usize - 1);
    let library: Vec<Parsed> = TEXTS
        .iter()
        .map(|(_, text)| parse(nowhere, text.as_bytes()))
        .collect();
    let programs: Vec<Parsed> = units
        .iter()
        .map(|(file, text)| parse(*file, text))
        .collect();
    if let Beginning::Test(test) = &options.beginning {
        is_test_alone(test, &programs)?;
    }
    let mut diagnostics: Vec<Diagnostic> = library
        .iter()
        .chain(&programs)
        .flat_map(|parsed| parsed.diagnostics.iter().cloned())
        .collect();
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let checked: Vec<CheckedUnit<'_>> = library
        .iter()
        .map(|parsed| (parsed, true))
        .chain(programs.iter().map(|parsed| (parsed, false)))
        .map(|(parsed, is_library)| CheckedUnit {
            unit: &parsed.unit,
            is_library,
            ignores_openmp: options.ignores_openmp,
        })
        .collect();
    let (mut module, found) = check(&checked, options.model);
    module.volatile_is_atomic = options.volatile_is_atomic;
    diagnostics.extend(found);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let annotations: Vec<&Annotation> = programs
        .iter()
        .flat_map(|parsed| &parsed.unit.annotations)
        .chain(&module.annotations)
        .collect();
    let annotated = Annotated {
        annotations,
        units: programs
            .iter()
            .zip(units)
            .map(|(parsed, (file, _))| (*file, &parsed.unit))
            .collect(),
    };
    let lowered = lower(&module, &annotated, options).map_err(|mut wrong| {
        let has_tests = programs.iter().any(|it| !tests(&it.unit).is_empty());
        if let [one] = wrong.as_mut_slice()
            && options.beginning == Beginning::Main
            && has_tests
            && one.message == NO_MAIN
        {
            one.helps =
                vec!["it has tests of `raddle.h`: `raddle test` decides each of them".to_owned()];
        }
        wrong
    })?;
    let mut warnings: Vec<Warning> = diagnostics.into_iter().map(Warning::from).collect();
    warnings.extend(lowered.warnings);
    let stubs = stubs::text(&module, &lowered.missing);
    let program = validate(lowered.draft).map_err(|invalid| {
        invalid
            .into_iter()
            .map(|invalid| {
                let diagnostic = Diagnostic::error(
                    "c",
                    format!("{} (rule {} of programs)", invalid.message, invalid.rule),
                );
                match invalid.span {
                    Some(span) => diagnostic.at(span, "here"),
                    None => diagnostic,
                }
            })
            .collect::<Vec<_>>()
    })?;
    Ok(Reading {
        program,
        warnings,
        assumptions: lowered.assumptions.into_iter().collect(),
        stubs,
    })
}

/// Whether the units have the test, and no other beginning.
fn is_test_alone(name: &str, units: &[Parsed]) -> Result<(), Vec<Diagnostic>> {
    let all = units.iter().flat_map(|it| tests(&it.unit));
    let named: Vec<_> = all.filter(|it| it.name == name).collect();
    if named.is_empty() {
        return Err(vec![
            Diagnostic::error("test", format!("the program has no test `{name}`"))
                .help(format!("`RADDLE_TEST({name})` of `raddle.h` begins one")),
        ]);
    }
    if let [_, second, ..] = named.as_slice() {
        return Err(vec![
            Diagnostic::error("test", format!("there is more than one test `{name}`"))
                .at(second.span, "here is another one")
                .help("all files make up one program: name one of them otherwise"),
        ]);
    }
    let is_main = |item: &Item| match item {
        Item::Function(function) => (function.declarator.name.as_ref())
            .filter(|it| &*it.name == "main")
            .map(|it| it.span),
        Item::Declaration(_) | Item::StaticAssert(_) | Item::Asm(_) => None,
    };
    match units.iter().flat_map(|it| &it.unit.items).find_map(is_main) {
        Some(span) => Err(vec![
            Diagnostic::error("test", "the program has tests and a `main` of its own")
                .at(span, "a test begins with no other function than itself")
                .help("leave out the file with `main`, or move `main` into a file of its own"),
        ]),
        None => Ok(()),
    }
}

fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
}
