//! Every program below `tests/` and `examples/` and in the documents: one test each.
//!
//! A run of all of them also compares the fields of all reports with the lists of fields, and what `reference` and `explicit` leave
//! unknown with how much they may.
#![expect(
    clippy::print_stderr,
    reason = "a problem of the whole run belongs to no test"
)]

use std::fs;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Failed, Trial};
use raddle_testkit::formats::{Fields, Schemas};
use raddle_testkit::header::REFERENCE;
use raddle_testkit::shares::{Programs, Shares};
use raddle_testkit::walk::{self, TestProgram};
use raddle_testkit::{binary, reductions, run};

/// Documents whose blocks marked `rad` are programs with a header.
const DOCUMENTS: [&str; 2] = ["docs/language.md", "docs/tutorial.md"];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = walk::repository_root();
    let mut programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).expect("the document is there");
        programs.extend(walk::blocks(document, &text));
    }
    let schemas = Arc::new(Schemas::read(&root).expect("the schemas are there"));
    let fields = Arc::new(Mutex::new(Fields::with_errors()));
    let shares = Arc::new(Mutex::new(Shares::default()));
    let has_compiler = run::has_compiler();
    let mut trials: Vec<Trial> = programs
        .into_iter()
        .map(|program| {
            let schemas = Arc::clone(&schemas);
            let fields = Arc::clone(&fields);
            let shares = Arc::clone(&shares);
            let is_skipped = program.needs_compiler() && !has_compiler;
            Trial::test(program.name.clone(), move || {
                let problems = problems(&program, &schemas, &fields, &shares);
                if problems.is_empty() {
                    Ok(())
                } else {
                    Err(Failed::from(problems.join("\n")))
                }
            })
            .with_ignored_flag(is_skipped)
        })
        .collect();
    trials.push(Trial::test("schemas say only what is checked", move || {
        let unchecked = schemas.unchecked();
        if unchecked.is_empty() {
            Ok(())
        } else {
            Err(Failed::from(unchecked.join("\n")))
        }
    }));
    let is_list = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    let ran_all = !is_list && conclusion.num_filtered_out == 0 && conclusion.num_failed == 0;
    if ran_all {
        let fields = fields.lock().unwrap_or_else(PoisonError::into_inner);
        let mut problems = fields.problems(&root).expect("the lists can be read");
        if conclusion.num_ignored == 0 {
            let shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
            eprintln!("{}", shares.describe());
            problems.extend(shares.problems(Programs::Written));
        }
        for problem in &problems {
            eprintln!("error: {problem}");
        }
        if !problems.is_empty() {
            return ExitCode::FAILURE;
        }
    }
    conclusion.exit_code()
}

/// Everything that is wrong with a program's answers.
fn problems(
    program: &TestProgram,
    schemas: &Schemas,
    fields: &Mutex<Fields>,
    shares: &Mutex<Shares>,
) -> Vec<String> {
    let header = match program.header() {
        Ok(header) => header,
        Err(error) => return vec![error],
    };
    let mut found = Vec::new();
    let loaded = match run::load(&program.source, &header) {
        Ok(loaded) => loaded,
        Err(problem) => return vec![problem],
    };
    found.extend(run::prints_and_reads_back(&loaded, &header).err());
    for engine in run::reporting_engines(&header) {
        match run::observe(&program.source, &header, engine) {
            Ok(observed) => {
                if engine == REFERENCE {
                    found.extend(run::differences(&header, &observed));
                    let mut own = Shares::default();
                    for property in observed.verdicts.keys() {
                        let reason = observed.reasons.get(property).map(String::as_str);
                        let is_new = header.demanded(engine, "none", *property).is_none();
                        own.add(engine, (&program.name, *property), reason, is_new);
                    }
                    let subject = (program.name.as_str(), &loaded);
                    found.extend(reductions::problems(&header, subject, &observed, &mut own));
                    let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
                    shares.extend(own);
                }
                found.extend(schemas.problems(&observed.report));
                fields
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .add(&observed.report);
            }
            Err(problem) => found.push(problem),
        }
    }
    if let Some((path, expected)) = &program.human {
        match binary::human_report(&walk::repository_root(), &program.name, &header.options) {
            Ok(said) if said == *expected => {}
            Ok(said) => found.push(format!(
                "the report is not the one in `{}`; bless it if it is right:\n{said}",
                path.display()
            )),
            Err(problem) => found.push(problem),
        }
    }
    found
}
