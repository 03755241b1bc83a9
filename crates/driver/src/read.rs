//! From files to the sources of a program; C goes through the preprocessor.

use std::time::Duration;

use raddle_base::{Budget, Exhausted, SourceMap};
use raddle_diag::Diagnostic;
use raddle_engine::Note;

use crate::load::{DEFAULT_MODEL, decode, read_file, without_zeros};
use crate::preprocess::{Failure, Unprocessed, preprocess};
use crate::project::{LINKED, read_linked, read_project};
use crate::sources::{Input, Sources, add_originals};
use crate::{Language, Ledger, Options, Outcome, Report};

/// Why there are no sources.
#[derive(Clone, Debug)]
pub enum Unread {
    /// What is wrong, with the files that the places lie in.
    Wrong(Vec<Note>, SourceMap),
    /// The budget was spent before all was read.
    Stopped(Exhausted),
}

impl Unread {
    /// What a run comes to that ends here.
    pub fn report(self, options: &Options, elapsed: Duration) -> Report {
        match self {
            Unread::Wrong(notes, sources) => {
                let outcome = Outcome::InputError(notes);
                Report::refused(sources, Vec::new(), outcome, elapsed)
            }
            Unread::Stopped(exhausted) => {
                Ledger::default().unfinished(options, &exhausted.into(), elapsed)
            }
        }
    }
}

/// Reads all parts of a program.
///
/// # Errors
///
/// What is wrong with them.
pub fn read(inputs: &[Input], options: &Options, budget: &Budget) -> Result<Sources, Box<Unread>> {
    let mut sources = Sources::default();
    let mut problems = Vec::new();
    if let Some(project) = &options.c.project {
        match read_project(project, inputs, options, budget, &mut sources) {
            Ok(()) => return Ok(sources),
            Err(Failure::Wrong(found)) => {
                return Err(Box::new(Unread::Wrong(found, sources.map)));
            }
            Err(Failure::Stopped(exhausted)) => return Err(Box::new(Unread::Stopped(exhausted))),
        }
    }
    for input in inputs {
        match read_one(input, options, budget, &mut sources) {
            Ok(()) => {}
            Err(Failure::Wrong(found)) => problems.extend(found),
            Err(Failure::Stopped(exhausted)) => return Err(Box::new(Unread::Stopped(exhausted))),
        }
    }
    if problems.is_empty() {
        Ok(sources)
    } else {
        Err(Box::new(Unread::Wrong(problems, sources.map)))
    }
}

fn read_one(
    input: &Input,
    options: &Options,
    budget: &Budget,
    sources: &mut Sources,
) -> Result<(), Failure> {
    let name = input.name();
    if options.language.is_none() && name.ends_with(LINKED) {
        return read_linked(&name, &bytes_of(input)?, options, sources);
    }
    let language = options.language.or_else(|| Language::of_file(&name));
    match language {
        // What is of an unknown language is refused when all is read.
        Some(Language::Rad) | None => {
            let text = decode(&name, bytes_of(input)?)?;
            sources.map.add(name, text);
        }
        Some(Language::PreprocessedC) => {
            let bytes = without_zeros(&name, bytes_of(input)?)?;
            let file = sources.map.add_preprocessed(name, bytes);
            add_originals(file, &mut sources.map);
        }
        Some(Language::C) => {
            let bytes = without_zeros(&name, bytes_of(input)?)?;
            let model = options.data_model.unwrap_or(DEFAULT_MODEL);
            let unprocessed = match input {
                Input::File(path) => Unprocessed::File(path),
                Input::Typed(bytes) => Unprocessed::Typed(bytes),
            };
            if sources.map.original(&name).is_none() {
                sources.map.add_original(name.clone(), bytes);
            }
            let (text, warnings) = preprocess(
                unprocessed,
                &name,
                model,
                &options.c,
                budget,
                &mut sources.map,
            )?;
            sources.warnings.extend(warnings);
            let file = sources.map.add_preprocessed(name, text);
            add_originals(file, &mut sources.map);
        }
    }
    Ok(())
}

fn bytes_of(input: &Input) -> Result<Vec<u8>, Diagnostic> {
    match input {
        Input::File(path) => read_file(path),
        Input::Typed(bytes) => Ok(bytes.clone()),
    }
}
