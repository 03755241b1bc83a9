//! Any text beside a program is read as its trace file and replayed, or refused.

use raddle::{Budget, EngineChoice, EngineId, Options, Property, Silent, SourceMap, TraceFile};
use raddle_certify::replay;
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;

use super::Looked;
use crate::oracle::enumerate;

/// The traces of larger programs take too long to find.
const MAX_STATES: usize = 3_000;

const NAME: &str = "program.rad";

fn sources(text: &str) -> SourceMap {
    let mut sources = SourceMap::new();
    sources.add(NAME, text);
    sources
}

/// The trace file of a program, if it is small and violates anything.
pub(super) fn trace_of(text: &str) -> Option<String> {
    let program = raddle_driver::load(&sources(text), &Options::default())
        .ok()?
        .program;
    enumerate(&program, &Semantics::default(), MAX_STATES)?;
    let options = Options {
        properties: Some(Property::ALL.to_vec()),
        // It comes to an end; others may go on for ever where it has no answer.
        engine: EngineChoice::One(EngineId::Explicit),
        timeout: None,
        ..Options::default()
    };
    let budget = Budget::unlimited();
    let report = raddle_driver::check(sources(text), &options, &budget, &mut Silent);
    Some(report.trace_file()?.to_json())
}

pub(super) fn look(program_text: &str, bytes: &[u8]) -> Looked {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Looked::fine(false);
    };
    let sources = sources(program_text);
    let Ok(raddle_driver::Loaded { program, .. }) =
        raddle_driver::load(&sources, &Options::default())
    else {
        return Looked::wrong("the program beside the trace is refused");
    };
    let Ok(file) = TraceFile::from_json(text) else {
        return Looked::fine(false);
    };
    // What is read must be written as it was read.
    if TraceFile::from_json(&file.to_json()).ok().as_ref() != Some(&file) {
        return Looked::wrong("what is written reads as another trace file");
    }
    if let Ok(options) = raddle_driver::replay_options(&file) {
        let _ = raddle_driver::replay(&sources, &options, &file, None);
    }
    let _ = file.check_sources(&sources);
    match file.options.to_semantics() {
        Ok(semantics) => Looked::fine(all_replay(&program, &sources, &semantics, &file)),
        Err(_) => Looked::fine(false),
    }
}

/// Follows every trace as far as it goes; whether all go to their end.
fn all_replay(
    program: &Program,
    sources: &SourceMap,
    semantics: &Semantics,
    file: &TraceFile,
) -> bool {
    let interpreter = raddle_stepper::definition(program, semantics.clone());
    let mut all = true;
    for data in &file.traces {
        let Ok(trace) = data.to_trace(program) else {
            all = false;
            continue;
        };
        all &= replay(program, semantics, &trace).is_ok();
        let _ = raddle_witness::record(&interpreter, sources, &trace);
    }
    all
}
