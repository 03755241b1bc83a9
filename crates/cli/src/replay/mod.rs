//! `raddle replay`: a recorded trace, step by step.
//!
//! - `view`: what is said of a step and of the threads around it;
//! - `print`: the whole trace at once;
//! - `command` and `session`: forwards and backwards, as the user says.

mod command;
mod print;
mod session;
mod view;

use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use raddle::{Diagnostic, SourceMap, TraceFile};
use raddle_driver::{Replay, read_source, trace_error};

use crate::arguments::{LanguageName, PropertyName, Terminal};
use crate::run::{bad_usage, in_worker};
use crate::{human, internal, output};

use session::Session;

#[derive(Args, Clone, Debug)]
#[command(after_help = concat!(
    "Without `--print`, commands are read from standard input, one a line:\n",
    include_str!("help.txt"),
    "
Exit status:
    0  the violation recurs
    1  it does not
    2  wrong input or usage
  101  internal error

Examples:
  raddle check --trace trace.json bank.rad
  raddle replay trace.json
  raddle replay --print --property race trace.json
  raddle replay trace.json old/bank.rad",
))]
pub(crate) struct ReplayArguments {
    /// File that `raddle check --trace` wrote
    pub(crate) trace: PathBuf,
    /// Files of the program, in their order [default: those that the trace names, seen from the current folder]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the whole trace instead of asking for commands
    #[arg(long)]
    pub(crate) print: bool,
    /// Which of the traces in the file [default: the first]
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) property: Option<PropertyName>,
    /// Language of the files [default: by the ending of their names]
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<LanguageName>,
}

pub(crate) fn replay(arguments: &ReplayArguments, terminal: Terminal) -> u8 {
    let file = match read_trace(&arguments.trace) {
        Ok(file) => file,
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    let sources = match read_sources(&arguments.files, &file) {
        Ok(sources) => sources,
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    let language = arguments.language.map(LanguageName::language);
    let property = arguments.property.map(PropertyName::property);
    let answer = {
        let sources = sources.clone();
        in_worker(move || raddle_driver::replay(&sources, language, &file, property))
    };
    match answer.recv() {
        Ok(Ok(replay)) => {
            show(&replay, &sources, arguments, terminal);
            u8::from(replay.outcome.is_err())
        }
        Ok(Err(diagnostics)) => {
            let all: Vec<&Diagnostic> = diagnostics.iter().collect();
            let colour = output::stderr_colour(terminal);
            output::to_stderr(&human::input_errors(&all, &sources, colour));
            2
        }
        Err(_) => {
            internal::complain(None);
            internal::EXIT_CODE
        }
    }
}

fn show(replay: &Replay, sources: &SourceMap, arguments: &ReplayArguments, terminal: Terminal) {
    if !replay.others.is_empty() && arguments.property.is_none() && !terminal.quiet {
        output::to_stderr(&format!(
            "note: this is the trace about `{}`; `--property` picks another: {}\n",
            replay.property,
            replay.others.join(", ")
        ));
    }
    let colour = output::stdout_colour(terminal);
    if arguments.print {
        output::to_stdout(&print::whole(replay, sources, colour));
        return;
    }
    let is_terminal = io::stdin().is_terminal();
    let mut session = Session::new(replay, sources, colour);
    output::to_stdout(&session.welcome());
    let mut input = io::stdin().lock();
    loop {
        if is_terminal {
            output::to_stdout(&session.prompt());
        }
        let Some(line) = next_line(&mut input) else {
            if is_terminal {
                output::to_stdout("\n");
            }
            return;
        };
        let Some(text) = session.answer(&line) else {
            return;
        };
        let mut stdout = io::stdout().lock();
        if stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
            .is_err()
        {
            // Nobody reads any more.
            return;
        }
    }
}

/// The next line of input, `None` at its end.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match input.read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

fn read_trace(path: &Path) -> Result<TraceFile, Diagnostic> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| {
        Diagnostic::error("input", format!("cannot read the trace `{name}`"))
            .note(error.to_string())
            .help("record one with `raddle check --trace FILE PROGRAM`")
    })?;
    TraceFile::from_json(&text).map_err(|error| {
        let mut diagnostic = trace_error(&error);
        diagnostic.message = format!("`{name}`: {}", diagnostic.message);
        diagnostic
    })
}

fn read_sources(files: &[PathBuf], trace: &TraceFile) -> Result<SourceMap, Diagnostic> {
    let recorded: Vec<PathBuf>;
    let (paths, are_given) = if files.is_empty() {
        recorded = trace
            .sources
            .iter()
            .map(|it| it.name.clone().into())
            .collect();
        (recorded.as_slice(), false)
    } else {
        (files, true)
    };
    let mut sources = SourceMap::new();
    for path in paths {
        match read_source(path) {
            Ok(text) => sources.add(path.display().to_string(), text),
            Err(diagnostic) if are_given => return Err(diagnostic),
            Err(mut diagnostic) => {
                diagnostic.helps = vec![
                    "the trace names this file, seen from the folder where it was recorded; \
                     go there, or name the file after the trace"
                        .to_owned(),
                ];
                return Err(diagnostic);
            }
        };
    }
    Ok(sources)
}
