//! Reports and traces of random programs: every trace replays from its file, every report keeps to its schema.
//!
//! `RADDLE_SEED` and `RADDLE_CASES` widen or repeat the run.

use raddle::{Options, Outcome, SourceMap, TraceFile};
use raddle_certify::replay;
use raddle_generate::{Profile, generate, shrink};
use raddle_ir::Program;
use raddle_ir::interpret::Property;
use raddle_testkit::formats::Schemas;
use raddle_testkit::header::{Expected, Header};
use raddle_testkit::seeds::number_from;
use raddle_testkit::{run, walk};

/// Asks for all properties, also those that need asking.
fn header() -> Header {
    let options = Property::ALL
        .iter()
        .flat_map(|it| ["--property".to_owned(), it.to_string()])
        .collect();
    Header {
        options,
        ..Header::default()
    }
}

/// What is wrong with the report on a program, or with its traces.
fn check(program: &Program, header: &Header, schemas: &Schemas) -> Result<(), String> {
    let text = raddle_driver::program_text(program);
    let observed = run::observe(&text, header, "reference")?;
    let problems = schemas.problems(&observed.report);
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let Outcome::Checked(checked) = &observed.report.outcome else {
        return Err("no verdicts".into());
    };
    let is_unsafe = |said: &&Expected| **said == Expected::Unsafe;
    let violated = observed.verdicts.values().filter(is_unsafe).count();
    let traces = match observed.report.trace_file() {
        Some(file) => {
            TraceFile::from_json(&file.to_json())
                .map_err(|error| error.to_string())?
                .traces
        }
        None => Vec::new(),
    };
    if traces.len() != violated {
        return Err(format!("{} traces of {violated} violations", traces.len()));
    }
    let options: Options = run::options_of(header, "reference")?;
    let mut sources = SourceMap::new();
    sources.add("program.rad", text.as_str());
    let again = raddle_driver::load(&sources, &options)
        .map_err(|_| "cannot be read again")?
        .program;
    for data in &traces {
        let trace = data.to_trace(&again).map_err(|error| error.to_string())?;
        replay(&again, &checked.semantics, &trace).map_err(|error| error.to_string())?;
    }
    Ok(())
}

#[test]
fn every_trace_replays_from_its_file_and_reports_keep_to_their_schemas() {
    let header = header();
    let schemas = Schemas::read(&walk::repository_root()).expect("the schemas are there");
    let first = number_from("RADDLE_SEED", 1);
    for seed in first..first + number_from("RADDLE_CASES", 300) {
        let program = generate(seed, &Profile::default());
        let Err(problem) = check(&program, &header, &schemas) else {
            continue;
        };
        let small = shrink(&program, |it| check(it, &header, &schemas).is_err());
        let shrunk = check(&small, &header, &schemas).err().unwrap_or_default();
        panic!(
            "seed {seed}: {problem}\n\nshrunk: {shrunk}\n\n{}",
            raddle_driver::program_text(&small)
        );
    }
}
