//! A recorded trace on the program it was recorded from: does the violation recur, and how does it come about.

use raddle_base::SourceMap;
use raddle_certify::Mismatch;
use raddle_diag::{Diagnostic, LabelData};
use raddle_engine::{Note, Remedy, Trace};
use raddle_ir::interpret::Property;
use raddle_ir::{DataModel, Program};
use raddle_witness::{Bracket, Moment, ReadError, TraceFile};

use crate::load::load;
use crate::{COptions, DefaultSets, Options};

const RECORD_AGAIN: Remedy = Remedy::RecordTrace("the trace again");

/// What a replay showed.
#[derive(Clone, Debug)]
#[must_use]
pub struct Replay {
    pub property: Property,
    /// The start and the moment after each step, as far as the trace is an execution.
    pub moments: Vec<Moment>,
    /// How many steps the trace has.
    pub steps: usize,
    /// The violation that the trace claims, with its places.
    pub violation: Diagnostic,
    /// Why it does not recur.
    pub outcome: Result<(), Mismatch>,
    /// The properties that the other traces of the file are about.
    pub others: Vec<String>,
}

impl Replay {
    /// Whether some transaction has several steps.
    pub fn has_brackets(&self) -> bool {
        self.moments.iter().any(|it| it.bracket != Bracket::None)
    }

    pub fn switches(&self) -> usize {
        self.moments.iter().filter(|it| it.is_switch).count()
    }
}

/// How the program of a trace is to be read.
///
/// The compiler is not said, and its other arguments are not taken over: a file must not be able to run what it likes.
///
/// # Errors
///
/// If the trace names something that does not exist.
pub fn replay_options(file: &TraceFile) -> Result<Options, Box<Note>> {
    let semantics = (file.options.to_semantics()).map_err(|it| Box::new(trace_error(&it)))?;
    Ok(Options {
        // What was asked for decides what values that nobody set are.
        properties: Some(semantics.properties),
        data_model: Some(data_model(&file.options.data_model)?),
        atomic_sets: default_sets(file.options.atomic_sets.as_deref())?,
        c: file
            .options
            .c
            .as_ref()
            .map(COptions::from_data)
            .unwrap_or_default(),
        ..Options::default()
    })
}

/// Replays the trace about `property`, or the first one, on sources read with the options of [`replay_options`].
///
/// # Errors
///
/// If the trace does not belong to the sources, or these make no program.
pub fn replay(
    sources: &SourceMap,
    options: &Options,
    file: &TraceFile,
    property: Option<Property>,
) -> Result<Replay, Vec<Note>> {
    same_sources(sources, file).map_err(|it| vec![*it])?;
    let program = match load(sources, options) {
        Ok(loaded) => loaded.program,
        Err(notes) => return Err(notes),
    };
    let data = match property {
        None => file.traces.first(),
        Some(property) => file.traces.iter().find(|it| it.property == property.name()),
    }
    .ok_or_else(|| vec![no_trace(file, property)])?;
    let unreadable = |error: ReadError| vec![trace_error(&error)];
    let semantics = file.options.to_semantics().map_err(unreadable)?;
    let trace = data.to_trace(&program).map_err(unreadable)?;
    let outcome = raddle_certify::replay(&program, &semantics, &trace);
    let interpreter = raddle_stepper::definition(&program, semantics);
    Ok(Replay {
        property: trace.violation.property,
        moments: raddle_witness::timeline(&interpreter, sources, &trace),
        steps: trace.steps.len(),
        violation: violation(&program, &trace, data.violation.place.as_ref()),
        outcome,
        others: file
            .traces
            .iter()
            .filter(|it| *it != data)
            .map(|it| it.property.clone())
            .collect(),
    })
}

/// What is wrong with a trace file, with a remedy.
pub fn trace_error(error: &ReadError) -> Note {
    let diagnostic = Diagnostic::error("trace", error.to_string());
    match error {
        ReadError::NotJson(cause) => Note::new(
            diagnostic.note(cause.to_string()),
            Remedy::RecordTrace("a trace"),
        ),
        ReadError::OtherVersion { .. } => Note::new(diagnostic, RECORD_AGAIN),
        ReadError::OtherSource { .. } => Note::new(
            diagnostic.help("undo the change, or name the unchanged file after the trace"),
            RECORD_AGAIN,
        ),
        ReadError::UnknownFunction { .. }
        | ReadError::UnknownEdge { .. }
        | ReadError::UnknownProperty { .. }
        | ReadError::BadChoice { .. }
        | ReadError::TooManyChoices { .. } => Note::new(
            diagnostic.note("the trace was edited, or recorded by another version of raddle"),
            RECORD_AGAIN,
        ),
    }
}

fn same_sources(sources: &SourceMap, file: &TraceFile) -> Result<(), Box<Note>> {
    let given = sources.files().count();
    let recorded = file.sources.len();
    if given != recorded {
        let names: Vec<&str> = file.sources.iter().map(|it| it.name.as_str()).collect();
        let diagnostic = Diagnostic::error(
            "trace",
            format!("the trace is about a program of {recorded} files, but {given} are given"),
        )
        .help(format!("name in this order: {}", names.join(" ")));
        return Err(Box::new(diagnostic.into()));
    }
    file.check_sources(sources)
        .map_err(|it| Box::new(trace_error(&it)))
}

fn data_model(name: &str) -> Result<DataModel, Box<Note>> {
    [DataModel::Ilp32, DataModel::Lp64]
        .into_iter()
        .find(|it| it.name() == name)
        .ok_or_else(|| {
            let message = format!("there is no data model `{name}`");
            Box::new(Note::new(Diagnostic::error("trace", message), RECORD_AGAIN))
        })
}

fn default_sets(name: Option<&str>) -> Result<Option<DefaultSets>, Box<Note>> {
    let Some(name) = name else { return Ok(None) };
    DefaultSets::from_name(name).map(Some).ok_or_else(|| {
        let message = format!("there are no default sets `{name}`");
        Box::new(Note::new(Diagnostic::error("trace", message), RECORD_AGAIN))
    })
}

fn no_trace(file: &TraceFile, property: Option<Property>) -> Note {
    let names: Vec<String> = file
        .traces
        .iter()
        .map(|it| format!("`{}`", it.property))
        .collect();
    match property {
        Some(property) if !names.is_empty() => {
            Diagnostic::error("trace", format!("the file has no trace about `{property}`"))
                .help(format!("it has one about each of: {}", names.join(", ")))
                .into()
        }
        Some(_) | None => Note::new(
            Diagnostic::error("trace", "the file has no trace"),
            Remedy::RecordTrace("one"),
        ),
    }
}

fn violation(program: &Program, trace: &Trace, place: Option<&LabelData>) -> Diagnostic {
    let diagnostic = crate::diagnostics::labelled(program, &trace.violation);
    match place {
        // The file tells lines and columns, not bytes.
        Some(label) => diagnostic.note(format!(
            "{}:{}:{}: {}",
            label.place.file, label.place.line, label.place.column, label.text
        )),
        None => diagnostic,
    }
}
