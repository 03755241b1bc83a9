//! `cargo xtask bless`: makes the headers, rendered reports and records say what the tool says now, shows in the documents what it
//! prints, and lists new fields of what it writes for machines.

use std::fs;
use std::io;
use std::path::Path;

use raddle_testkit::counters::Pins;
use raddle_testkit::decided::{self, Record};
use raddle_testkit::formats::Fields;
use raddle_testkit::header::REFERENCE;
use raddle_testkit::printed::Printed;
use raddle_testkit::walk::{self, TestProgram};
use raddle_testkit::{binary, bless, console, printed, run};

/// Rewrites every program and document whose name contains the filter.
///
/// # Errors
///
/// What cannot be blessed, each with its reason.
pub(crate) fn run(filter: &str) -> Result<(), Vec<String>> {
    let root = walk::repository_root();
    let programs = walk::programs(&root).map_err(|error| vec![error.to_string()])?;
    let mut problems = Vec::new();
    let (mut seen, mut changed) = (0, 0);
    let mut fields = Fields::with_errors();
    let failed = |error: io::Error| vec![error.to_string()];
    let mut record = Record::read(&root).map_err(failed)?;
    let mut pins = Pins::read(&root).map_err(failed)?;
    record.retain(|name| programs.iter().any(|it| it.name == name));
    for (at, program) in programs.iter().enumerate() {
        if !program.name.contains(filter) {
            continue;
        }
        seen += 1;
        match bless_one((at, program), &mut fields, &mut record) {
            Ok(0) => {}
            Ok(files) => {
                changed += files;
                println!("{}", program.name);
            }
            Err(problem) => problems.push(format!("{}: {problem}", program.name)),
        }
    }
    for program in programs.iter().filter(|it| it.name.contains(filter)) {
        if let Err(problem) = pins.bless(program) {
            problems.push(format!("{}: {problem}", program.name));
        }
    }
    match pins.write(&root) {
        Ok(is_rewritten) => changed += usize::from(is_rewritten),
        Err(error) => problems.push(error.to_string()),
    }
    match record.write(&root) {
        Ok(files) => changed += files,
        Err(error) => problems.push(error.to_string()),
    }
    let documents = console::documents(&root).map_err(|error| vec![error.to_string()])?;
    for (name, text) in documents.iter().filter(|(name, _)| name.contains(filter)) {
        seen += 1;
        match bless_document(&root, name, text) {
            Ok(false) => {}
            Ok(true) => {
                changed += 1;
                println!("{name}");
            }
            Err(problem) => problems.push(format!("{name}: {problem}")),
        }
    }
    if seen == 0 {
        problems.push(format!("no program or document has `{filter}` in its name"));
    }
    let mut lists = fields.lists().to_vec();
    match printed::all(&root) {
        Ok(printed) => lists.extend(printed.iter().map(Printed::fields)),
        Err(problem) => problems.push(problem),
    }
    for list in &lists {
        match list.bless(&root) {
            Ok(None) => {}
            Ok(Some(path)) => {
                changed += 1;
                println!("{}", path.display());
            }
            Err(error) => problems.push(error.to_string()),
        }
    }
    println!("{seen} programs and documents, {changed} files rewritten");
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Whether the document was rewritten.
fn bless_document(root: &Path, name: &str, text: &str) -> Result<bool, String> {
    let runner = console::Runner::new(root, text)?;
    let now = console::rewritten(text, |command| runner.output_of(command))?;
    if now != text {
        fs::write(root.join(name), &now).map_err(|error| error.to_string())?;
    }
    Ok(now != text)
}

/// How many files were rewritten.
fn bless_one(
    (at, program): (usize, &TestProgram),
    fields: &mut Fields,
    record: &mut Record,
) -> Result<usize, String> {
    let header = program.header()?;
    let mut source = program.source.clone();
    for engine in run::reporting_engines(&header) {
        let observed = run::observe(&source, &header, engine)?;
        fields.add(&observed.report);
        if engine == REFERENCE {
            source = bless::blessed(&source, &header, &observed)?;
            source = bless::recounted(&source, &header, &observed)?;
        }
    }
    if let Some((_, _, all)) = decided::said(program, at)? {
        source = bless::demands(&source, &header, &all)?;
        record.bless(&program.name, &all);
    }
    let mut rewritten = 0;
    if source != program.source
        && let Some(path) = &program.path
    {
        fs::write(path, source).map_err(|error| error.to_string())?;
        rewritten += 1;
    }
    if let Some((path, before)) = &program.human {
        let root = walk::repository_root();
        let report = binary::human_report(&root, &program.name, &header.options)?;
        if report != *before {
            fs::write(path, report).map_err(|error| error.to_string())?;
            rewritten += 1;
        }
    }
    Ok(rewritten)
}
