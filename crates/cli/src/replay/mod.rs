//! `raddle replay`: a recorded trace, step by step.
//!
//! - `view`: what is said of a step and of the threads around it;
//! - `print`: the whole trace at once;
//! - `command` and `session`: forwards and backwards, as the user says.

mod command;
mod print;
mod session;
mod view;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use raddle::{Budget, Diagnostic, Flags, Options, ProjectOptions, SourceMap, TraceFile};
use raddle_driver::{Input, Replay, Unread, decode, read_bytes, replay_options, trace_error};
use raddle_report::{all_worded, worded};

use crate::arguments::{LanguageName, PropertyName, Terminal, compiler};
use crate::repeat::quoted;
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
    /// Build whose `compile_commands.json` says how the program is compiled, if the trace was recorded with one
    #[arg(short = 'p', long = "project", value_name = "BUILD")]
    pub(crate) project: Option<PathBuf>,
    /// File of the build that the program begins in
    #[arg(long, value_name = "FILE", requires = "project")]
    pub(crate) main: Option<String>,
    /// Print the whole trace instead of asking for commands
    #[arg(long)]
    pub(crate) print: bool,
    /// Which of the traces in the file [default: the first]
    #[arg(long, value_name = "PROPERTY")]
    pub(crate) property: Option<PropertyName>,
    /// Language of the files [default: by the ending of their names]
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<LanguageName>,
    /// Other options for the C compiler, if the trace was recorded with some
    #[arg(last = true, value_name = "COMPILER OPTIONS")]
    pub(crate) rest: Vec<String>,
}

pub(crate) fn replay(arguments: &ReplayArguments, terminal: Terminal) -> u8 {
    let file = match read_trace(&arguments.trace) {
        Ok(file) => file,
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    let options = match options(arguments, &file) {
        Ok(options) => options,
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    let property = arguments.property.map(PropertyName::property);
    let files = arguments.files.clone();
    let answer = in_worker(move || {
        let sources = match read_sources(&files, &file, &options) {
            Ok(sources) => sources,
            Err((diagnostics, sources)) => return (Err(diagnostics), sources),
        };
        let replay = raddle_driver::replay(&sources, &options, &file, property);
        let replay = replay.map_err(|notes| all_worded(&notes, &Flags));
        (replay, sources)
    });
    match answer.recv() {
        Ok((Ok(replay), sources)) => {
            show(&replay, &sources, arguments, terminal);
            u8::from(replay.outcome.is_err())
        }
        Ok((Err(diagnostics), sources)) => {
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
    let bytes = fs::File::open(path).and_then(read_bytes).map_err(|error| {
        Diagnostic::error("input", format!("cannot read the trace `{name}`"))
            .note(error.to_string())
            .help("record one with `raddle check --trace FILE PROGRAM`")
    })?;
    let text = decode(&name.to_string(), bytes)?;
    TraceFile::from_json(&text).map_err(|error| {
        let mut diagnostic = worded(&trace_error(&error), &Flags);
        diagnostic.message = format!("`{name}`: {}", diagnostic.message);
        diagnostic
    })
}

/// How the program is to be read.
fn options(arguments: &ReplayArguments, file: &TraceFile) -> Result<Options, Diagnostic> {
    let mut options = replay_options(file).map_err(|it| worded(&it, &Flags))?;
    options.language = arguments.language.map(LanguageName::language);
    options.c.compiler = compiler();
    options.c.rest.clone_from(&arguments.rest);
    options.c.project = arguments.project.clone().map(|path| ProjectOptions {
        path,
        main: arguments.main.clone(),
        begins_at_tests: false,
    });
    let project = file.options.c.as_ref().and_then(|it| it.project.as_ref());
    if let Some(project) = project.filter(|_| arguments.project.is_none()) {
        let main = project
            .main
            .as_ref()
            .map(|it| format!(" --main {}", quoted(OsStr::new(it))));
        return Err(Diagnostic::error("trace", "the trace was recorded of a build")
            .note("its list of commands is not taken from the file, because it can name any program as a compiler")
            .help(format!(
                "if you trust it, say so: raddle replay TRACE -p {}{}, with the files that were named behind TRACE",
                quoted(OsStr::new(&project.path)),
                main.unwrap_or_default()
            )));
    }
    let recorded = file.options.c.as_ref().map_or(&[][..], |it| &it.rest);
    if arguments.rest.is_empty() && !recorded.is_empty() {
        let words: Vec<String> = recorded.iter().map(|it| quoted(OsStr::new(it))).collect();
        return Err(Diagnostic::error(
            "trace",
            "the trace was recorded with other options for the C compiler",
        )
        .note("they are not taken from the file, because a compiler can be told to run programs")
        .help(format!(
            "if you trust them, say so: raddle replay TRACE -- {}",
            words.join(" ")
        )));
    }
    Ok(options)
}

fn read_sources(
    files: &[PathBuf],
    trace: &TraceFile,
    options: &Options,
) -> Result<SourceMap, (Vec<Diagnostic>, SourceMap)> {
    let are_given = !files.is_empty() || options.c.project.is_some();
    let inputs: Vec<Input> = if are_given {
        files.iter().cloned().map(Input::File).collect()
    } else {
        let names = trace.sources.iter().map(|it| it.name.clone());
        names.map(|name| Input::File(name.into())).collect()
    };
    match raddle_driver::read(&inputs, options, &Budget::unlimited()) {
        Ok(sources) => Ok(sources.map),
        Err(unread) => Err(match *unread {
            Unread::Wrong(notes, sources) => {
                let mut diagnostics = all_worded(&notes, &Flags);
                let unnamed = diagnostics.iter_mut().filter(|it| it.code == "input");
                for diagnostic in unnamed.filter(|_| !are_given) {
                    diagnostic.helps = vec![
                        "the trace names this file, seen from the folder where it was recorded; \
                         go there, or name the file after the trace"
                            .to_owned(),
                    ];
                }
                (diagnostics, sources)
            }
            Unread::Stopped(_) => (Vec::new(), SourceMap::new()),
        }),
    }
}
