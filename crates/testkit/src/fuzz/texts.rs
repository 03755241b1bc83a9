//! Any bytes are read as a program or refused with a place.

use raddle::{Options, SourceMap};
use raddle_diag::{Colour, render};
use raddle_engine::Note;
use raddle_ir::Program;
use raddle_ir::interpret::Semantics;

use super::Looked;
use crate::explore::explore_from;

/// More diagnostics than this are a flood.
const MOST_DIAGNOSTICS: usize = 20;

/// What is a program is run for this many states.
const STATES: usize = 24;

/// Programs with more bytes in globals are not run: every state holds them.
const MAX_GLOBAL_BYTES: u64 = 1 << 16;

pub(super) fn look(bytes: &[u8]) -> Looked {
    let Ok(text) = raddle_driver::decode("fuzzed.rad", bytes.to_vec()) else {
        return Looked::fine(false);
    };
    let _ = raddle_tasks::header::parse(&text);
    let program = match read(&text) {
        Ok(Some(program)) => program,
        Ok(None) => return Looked::fine(false),
        Err(problem) => return Looked::wrong(problem),
    };
    look_at_program(&program)
}

/// The same for C after the preprocessor.
pub(super) fn look_at_c(bytes: &[u8]) -> Looked {
    let mut sources = SourceMap::new();
    sources.add_preprocessed("fuzzed.i", bytes);
    match outcome(&sources) {
        Ok(Some(program)) => look_at_program(&program),
        Ok(None) => Looked::fine(false),
        Err(problem) => Looked::wrong(problem),
    }
}

fn look_at_program(program: &Program) -> Looked {
    let printed = raddle_driver::program_text(program);
    match read(&printed) {
        Ok(Some(again)) if again.is_same_as(program) => {}
        Ok(Some(_)) => return Looked::wrong("what is printed reads as another program"),
        Ok(None) => return Looked::wrong("what is printed is refused"),
        Err(problem) => return Looked::wrong(problem),
    }
    run_a_little(program);
    Looked::fine(true)
}

/// The program, or `None` if the text is refused.
fn read(text: &str) -> Result<Option<Program>, &'static str> {
    let mut sources = SourceMap::new();
    sources.add("fuzzed.rad", text);
    outcome(&sources)
}

fn outcome(sources: &SourceMap) -> Result<Option<Program>, &'static str> {
    let notes = match raddle_driver::load(sources, &Options::default()) {
        Ok(loaded) => return Ok(Some(loaded.program)),
        Err(notes) => notes,
    };
    if notes.is_empty() {
        return Err("refused without a word");
    }
    if notes.len() > MOST_DIAGNOSTICS {
        return Err("refused with a flood of diagnostics");
    }
    for Note { diagnostic, .. } in notes {
        // A program in C may lack something that lies nowhere, such as `main`.
        let is_c = sources.files().any(|(_, file)| file.is_preprocessed());
        if (diagnostic.labels.is_empty() && !is_c) || diagnostic.message.is_empty() {
            return Err("refused without a place or a message");
        }
        let _ = render(&diagnostic, sources, Colour::Plain);
    }
    Ok(None)
}

/// Whatever the program does, the interpreter has an answer.
fn run_a_little(program: &Program) {
    let sizes = program.globals.values().map(|it| program.size_of(&it.ty));
    let bytes = sizes.fold(0_u64, |sum, size| {
        sum.saturating_add(size.unwrap_or(u64::MAX))
    });
    if bytes > MAX_GLOBAL_BYTES {
        return;
    }
    let semantics = Semantics {
        max_choices: 8,
        ..Semantics::default()
    };
    let interpreter = raddle_stepper::definition(program, semantics);
    let Ok(mut initial) = interpreter.initial_states() else {
        return;
    };
    initial.truncate(4);
    explore_from(
        &interpreter,
        initial,
        STATES,
        |interpreter, state, successors| {
            interpreter.judge_with(state, successors);
        },
    );
}
