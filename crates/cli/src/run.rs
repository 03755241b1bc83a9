//! Runs the work on a thread with a large stack, and keeps the promises about time and signals from outside.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use raddle::{
    Budget, Checked, Diagnostic, Events, Flags, Ledger, Options, Outcome, ProfileData, Reason,
    Report, ReportData, STACK_BYTES, SourceMap, Summary, Timing,
};
use raddle_driver::{
    Note, Program, STDIN_NAME, Sources, Unread, ValidOptions, flat_text, load, program_text,
    syntax_text,
};
use raddle_report::{Baseline, Words, all_worded, diagnostics, profile_tables, sarif, warnings};
use serde::{Deserialize, Serialize};

use crate::arguments::{Check, Format, Input, Terminal};
use crate::cache::{self, Cache};
use crate::detail::Detail;
use crate::output::Written;
use crate::progress::{self, LastQuestion, Progress};
use crate::{files, human, internal, output, repeat, signals};

/// How often the waiting thread looks at the clock and at signals.
const TICK: Duration = Duration::from_millis(20);
/// How much longer than its budget a worker may take before the run ends without it.
const GRACE: Duration = Duration::from_millis(300);

pub(crate) fn check(arguments: &Check, terminal: Terminal) -> u8 {
    let input = &arguments.question.input;
    let writable = files::are_writable(arguments, &input.files);
    let shown = shows_profile(arguments, terminal);
    if let Err(diagnostic) = consistent(input).and(shown).and(writable) {
        return bad_usage(&diagnostic, terminal);
    }
    let baseline = match arguments.baseline.as_deref().map(read_baseline) {
        None => None,
        Some(Ok(baseline)) => Some(baseline),
        Some(Err(diagnostic)) => return bad_usage(&diagnostic, terminal),
    };
    // Before anything is read.
    let options = match ValidOptions::new(arguments.options()) {
        Ok(options) => options,
        Err(misuse) => return bad_usage(&Flags.misuse(&misuse), terminal),
    };
    let Asked { place, sources } = match asked_before(arguments, &options, terminal) {
        Ok(asked) => asked,
        Err(code) => return code,
    };
    let cancelled = signals::cancel_flag();
    let wants_progress = !terminal.quiet && arguments.format == Format::Human;
    let question = LastQuestion::default();
    let report = {
        let question = question.clone();
        let input = arguments.question.input.clone();
        let reader = options.clone();
        watched(
            &options,
            &cancelled,
            move || Progress::new(wants_progress, question),
            move |budget| match sources {
                Some(sources) => Ok(sources),
                None => read_all(&input, None, &reader, budget),
            },
        )
    };
    progress::clear(wants_progress);
    let Some(place) = place.filter(|_| cache::is_decided(&report)) else {
        return publish(arguments, &report, baseline.as_ref(), &question, terminal);
    };
    output::begin_record();
    let code = publish(arguments, &report, baseline.as_ref(), &question, terminal);
    let answer = Answer {
        code,
        written: output::end_record(),
        trace: report.trace_file().map(|it| it.to_json()),
    };
    if !output::is_lost() && code == exit_code(&report, baseline.as_ref()) {
        place.keep(&answer);
    }
    code
}

/// A question that may have been asked before.
#[derive(Default)]
struct Asked {
    /// Where its answer is to be kept.
    place: Option<cache::AnswerPlace>,
    sources: Option<Sources>,
}

/// What a run has said.
#[derive(Serialize, Deserialize)]
struct Answer {
    code: u8,
    written: Written,
    trace: Option<String>,
}

/// Reads the program and looks for an answer, if there is a folder for them.
///
/// # Errors
///
/// The exit code, if the answer is there or the folder is not.
fn asked_before(
    arguments: &Check,
    options: &ValidOptions,
    terminal: Terminal,
) -> Result<Asked, u8> {
    let Some(folder) = &arguments.cache else {
        return Ok(Asked::default());
    };
    let cache = Cache::new(folder).map_err(|it| bad_usage(&it, terminal))?;
    let input = &arguments.question.input;
    // Standard input can be read only once, and what cannot be read is told by who checks it.
    if input.files.iter().any(|it| is_stdin(it)) {
        return Ok(Asked::default());
    }
    let budget =
        (options.timeout).map_or_else(Budget::unlimited, |it| Budget::unlimited().with_timeout(it));
    let reader = (input.clone(), options.clone());
    let read = in_worker(move || read_all(&reader.0, None, &reader.1, &budget));
    let Ok(Ok(sources)) = read.recv() else {
        return Ok(Asked::default());
    };
    let mut files = arguments.automata.clone();
    files.extend(arguments.baseline.clone());
    let place = cache.place(&sources.map, arguments, &files, terminal);
    match place.as_ref().and_then(cache::AnswerPlace::find::<Answer>) {
        Some(answer) => Err(given_again(arguments, &answer, terminal)),
        None => Ok(Asked {
            place,
            sources: Some(sources),
        }),
    }
}

/// Says again what was said; the exit code.
fn given_again(arguments: &Check, answer: &Answer, terminal: Terminal) -> u8 {
    if let Err(diagnostic) = files::write_trace(arguments, answer.trace.clone()) {
        return bad_usage(&diagnostic, terminal);
    }
    output::to_stderr(&answer.written.stderr);
    if !terminal.quiet {
        output::to_stderr(REUSED);
    }
    output::to_stdout(&answer.written.stdout);
    answer.code
}

/// What is said where an answer is given again.
pub(crate) const REUSED: &str =
    "note: nothing has changed since an earlier run, whose answer this is\n";

/// Reads a program and checks it within the limits of the options, however the worker keeps to them.
pub(crate) fn watched<E: Events>(
    options: &ValidOptions,
    cancelled: &Arc<AtomicBool>,
    events: impl FnOnce() -> E + Send + 'static,
    read: impl FnOnce(&Budget) -> Result<Sources, Box<Unread>> + Send + 'static,
) -> Report {
    let begin = Instant::now();
    let mut budget = Budget::unlimited().with_cancel_flag(Arc::clone(cancelled));
    if let Some(timeout) = options.timeout {
        budget = budget.with_timeout(timeout);
    }
    if let Some(bytes) = options.memory_limit {
        budget = budget.with_memory_limit(bytes);
    }
    let ledger = Ledger::default();
    let answer = {
        let ledger = ledger.clone();
        let options = options.clone();
        in_worker(move || match read(&budget) {
            Ok(sources) => {
                raddle_driver::check_watched(sources, &options, &budget, &mut events(), &ledger)
            }
            Err(unread) => unread.report(&options, begin.elapsed()),
        })
    };
    wait(&answer, &ledger, options, begin, cancelled)
}

/// What an earlier run has told.
fn read_baseline(path: &Path) -> Result<Baseline, Diagnostic> {
    let wrong = |why: &str| {
        let message = format!("`{}` is no report of an earlier run: {why}", path.display());
        Diagnostic::error("usage", message)
            .help("make one with `raddle check --format json FILE > report.json`")
    };
    let bytes = raddle_driver::read_file(path)?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is not text"))?;
    Baseline::from_json(&text).map_err(|error| wrong(&error))
}

/// What becomes of a run, if only some of what it found is new.
fn exit_code(report: &Report, baseline: Option<&Baseline>) -> u8 {
    let summary = report.summary();
    let (Summary::Unsafe, Some(baseline), Outcome::Checked(checked)) =
        (summary, baseline, &report.outcome)
    else {
        return summary.exit_code();
    };
    let is_unknown = |it: &raddle::Verdict| matches!(it, raddle::Verdict::Unknown(_));
    let summary = if baseline.novelty(report).new > 0 {
        Summary::Unsafe
    } else if checked.count(is_unknown) > 0 {
        Summary::Unknown
    } else {
        Summary::Safe
    };
    summary.exit_code()
}

pub(crate) fn dump_ir(input: &Input, terminal: Terminal) -> u8 {
    dump(with_program(input, None, terminal, |program, _| {
        program_text(&program)
    }))
}

pub(crate) fn dump_flat(input: &Input, terminal: Terminal) -> u8 {
    dump(with_sources(input, None, terminal, |sources, options| {
        let flat = load(&sources.map, options).and_then(|loaded| {
            flat_text(&loaded.program).map_err(|reason| {
                let message = format!("the program cannot be made a transition system: {reason}");
                vec![Diagnostic::error("unsupported", message).into()]
            })
        });
        flat.map_err(|notes| (notes, sources.map))
    }))
}

/// A file with a stub for everything that is missing, as text.
///
/// # Errors
///
/// The exit code, after what is wrong has been said.
pub(crate) fn stubs_text(input: &Input, terminal: Terminal) -> Result<String, u8> {
    with_sources(input, None, terminal, |sources, options| {
        match load(&sources.map, options) {
            Ok(loaded) if loaded.is_c => Ok(loaded.stubs),
            Ok(_) => {
                let diagnostic = Diagnostic::error("language", "only programs in C have stubs")
                    .help("a model in `.rad` defines everything that it uses");
                Err((vec![diagnostic.into()], sources.map))
            }
            Err(diagnostics) => Err((diagnostics, sources.map)),
        }
    })
}

pub(crate) fn dump_ast(input: &Input, terminal: Terminal) -> u8 {
    dump(with_sources(
        input,
        None,
        terminal,
        |sources, _| match syntax_text(&sources.map) {
            Ok(text) => Ok(text),
            Err(diagnostics) => Err((diagnostics, sources.map)),
        },
    ))
}

fn dump(text: Result<String, u8>) -> u8 {
    match text {
        Ok(text) => {
            output::to_stdout(&text);
            0
        }
        Err(code) => code,
    }
}

/// Reads the program and does something with it.
///
/// # Errors
///
/// The exit code, after what is wrong has been said.
pub(crate) fn with_program<T: Send + 'static>(
    input: &Input,
    typed: Option<Vec<u8>>,
    terminal: Terminal,
    work: impl FnOnce(Program, SourceMap) -> T + Send + 'static,
) -> Result<T, u8> {
    with_sources(input, typed, terminal, |sources, options| {
        match load(&sources.map, options) {
            Ok(loaded) => Ok(work(loaded.program, sources.map)),
            Err(notes) => Err((notes, sources.map)),
        }
    })
}

/// What is wrong, and where it lies.
pub(crate) type Wrong = (Vec<Note>, SourceMap);

/// Reads the files and does something with them; `typed` is standard input, if it was read before.
pub(crate) fn with_sources<T: Send + 'static>(
    input: &Input,
    typed: Option<Vec<u8>>,
    terminal: Terminal,
    work: impl FnOnce(Sources, &Options) -> Result<T, Wrong> + Send + 'static,
) -> Result<T, u8> {
    consistent(input).map_err(|diagnostic| bad_usage(&diagnostic, terminal))?;
    let options = input.options();
    let owned = input.clone();
    let answer = in_worker(
        move || match read_all(&owned, typed, &options, &Budget::unlimited()) {
            Ok(sources) => work(sources, &options),
            Err(unread) => Err(match *unread {
                Unread::Wrong(notes, sources) => (notes, sources),
                Unread::Stopped(_) => (Vec::new(), SourceMap::new()),
            }),
        },
    );
    match answer.recv() {
        Ok(Ok(result)) => Ok(result),
        Ok(Err((notes, sources))) => {
            let colour = output::stderr_colour(terminal);
            let all = all_worded(&notes, &Flags);
            let all: Vec<&Diagnostic> = all.iter().collect();
            output::to_stderr(&human::input_errors(&all, &sources, colour));
            Err(2)
        }
        Err(_) => {
            internal::complain(None);
            Err(internal::EXIT_CODE)
        }
    }
}

/// A thread with a large stack; its answer comes through the channel, or never if it panics.
pub(crate) fn in_worker<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Receiver<T> {
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            internal::fail_if_asked("worker");
            // Nobody waits any more if the run has ended without us.
            let _ = sender.send(work());
        })
        .expect("the system gives a thread its stack lazily");
    receiver
}

/// The worker's report; if it does not keep to its budget, one of what it has found until now.
fn wait(
    answer: &Receiver<Report>,
    ledger: &Ledger,
    options: &Options,
    begin: Instant,
    cancelled: &AtomicBool,
) -> Report {
    let mut cancelled_since: Option<Instant> = None;
    loop {
        match answer.recv_timeout(TICK) {
            Ok(report) => return report,
            Err(RecvTimeoutError::Disconnected) => {
                return Report {
                    sources: SourceMap::new(),
                    warnings: Vec::new(),
                    outcome: Outcome::InternalError(internal::panic_message()),
                    elapsed: begin.elapsed(),
                };
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        let is_late = options
            .timeout
            .is_some_and(|timeout| begin.elapsed() > timeout.saturating_add(GRACE));
        if cancelled.load(Ordering::Relaxed) {
            cancelled_since.get_or_insert_with(Instant::now);
        }
        let reason = if cancelled_since.is_some_and(|since| since.elapsed() > GRACE) {
            Reason::Cancelled
        } else if is_late {
            Reason::OutOfTime
        } else {
            continue;
        };
        if let Some(report) = ledger.unfinished_yet(options, &reason, begin.elapsed()) {
            return report;
        }
    }
}

/// Prints the report and writes the files that were asked for; the exit code.
fn publish(
    arguments: &Check,
    report: &Report,
    baseline: Option<&Baseline>,
    question: &LastQuestion,
    terminal: Terminal,
) -> u8 {
    // Before the report, which tells the exit code.
    let unwritten = files::write(arguments, report, question).err();
    let code = match unwritten {
        Some(_) => 2,
        None => exit_code(report, baseline),
    };
    let commands = repeat::commands(arguments, report);
    let timing = if arguments.no_timing {
        Timing::Hidden
    } else {
        Timing::Shown
    };
    match arguments.format {
        Format::Human => {}
        Format::Json => {
            let mut data = ReportData::new(report, commands.clone(), timing, &Flags);
            data.exit_code = code;
            if let Some(baseline) = baseline {
                data.compare(baseline);
            }
            output::to_stdout(&data.to_json());
        }
        Format::Sarif => {
            let mut log = sarif::Log::new(
                report,
                &names(&arguments.question.input),
                commands.clone(),
                timing,
                &Flags,
            );
            for invocation in log.runs.iter_mut().flat_map(|run| &mut run.invocations) {
                invocation.exit_code = code;
            }
            if let Some(baseline) = baseline {
                log.compare(baseline);
            }
            output::to_stdout(&log.to_json());
        }
    }
    match &report.outcome {
        Outcome::InternalError(message) => internal::complain(Some((message, &commands.whole))),
        Outcome::InputError(_) | Outcome::Misuse(_) if arguments.format == Format::Human => {
            let colour = output::stderr_colour(terminal);
            let all = diagnostics(report, &Flags);
            let all: Vec<&Diagnostic> = all.iter().collect();
            output::to_stderr(&human::input_errors(&all, &report.sources, colour));
        }
        Outcome::Checked(checked) if arguments.format == Format::Human => {
            let warnings = warnings(report, &Flags);
            if !terminal.quiet && !warnings.is_empty() {
                let colour = output::stderr_colour(terminal);
                let all: Vec<&Diagnostic> = warnings.iter().collect();
                output::to_stderr(&human::input_errors(&all, &report.sources, colour));
            }
            let style = human::Style {
                colour: output::stdout_colour(terminal),
                timing,
                detail: Detail::of(terminal),
                offers_trace: arguments.trace.is_none(),
            };
            output::to_stdout(&match baseline {
                None => human::report(report, checked, &commands, None, style),
                Some(baseline) => {
                    let news = news(report, checked, baseline);
                    human::report(report, &news, &commands, Some(baseline), style)
                }
            });
            if let Some(profile) = &checked.profile {
                let data = ProfileData::new(profile, &report.sources);
                output::to_stdout(&profile_tables(&data, report.elapsed));
            }
        }
        Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::Checked(_) => {}
    }
    if let Some(diagnostic) = unwritten {
        bad_usage(&diagnostic, terminal);
    }
    code
}

/// The verdicts, with what is new of their evidence.
fn news(report: &Report, checked: &Checked, baseline: &Baseline) -> Checked {
    let mut news = checked.clone();
    for property in &mut news.properties {
        *property = baseline.news_of(property, &report.sources).0;
    }
    news
}

pub(crate) fn bad_usage(diagnostic: &Diagnostic, terminal: Terminal) -> u8 {
    let colour = output::stderr_colour(terminal);
    output::to_stderr(&human::input_errors(
        &[diagnostic],
        &SourceMap::new(),
        colour,
    ));
    2
}

/// Whether there is room for a profile, if one is asked for.
fn shows_profile(arguments: &Check, terminal: Terminal) -> Result<(), Diagnostic> {
    let (option, help) = if arguments.format == Format::Sarif {
        (
            "--format sarif",
            "use `--format json`, or leave out `--profile`",
        )
    } else if terminal.quiet && arguments.format == Format::Human {
        ("--quiet", "leave out one of them")
    } else {
        return Ok(());
    };
    if !arguments.profile {
        return Ok(());
    }
    let message = format!("`{option}` has no room for what `--profile` tells");
    Err(Diagnostic::error("usage", message).help(help))
}

/// What clap cannot check.
pub(crate) fn consistent(input: &Input) -> Result<(), Diagnostic> {
    let stdins = input.files.iter().filter(|file| is_stdin(file)).count();
    if stdins > 1 {
        return Err(Diagnostic::error("usage", "`-` is given more than once")
            .help("standard input can be read only once; name the other files"));
    }
    if stdins == 1 && input.language.is_none() {
        return Err(
            Diagnostic::error("usage", "the language of standard input is unknown")
                .help("say `--language rad`, `--language c` or `--language i`"),
        );
    }
    for (index, file) in input.files.iter().enumerate() {
        if input.files[..index].contains(file) {
            return Err(Diagnostic::error(
                "usage",
                format!("`{}` is given more than once", file.display()),
            )
            .help("all files together make up one program; name each once"));
        }
    }
    Ok(())
}

/// What reports call the files.
fn names(input: &Input) -> Vec<String> {
    let name = |path: &PathBuf| {
        if is_stdin(path) {
            STDIN_NAME.to_owned()
        } else {
            path.display().to_string()
        }
    };
    input.files.iter().map(name).collect()
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads the files; `typed` is standard input, if it was read before.
pub(crate) fn read_all(
    input: &Input,
    typed_before: Option<Vec<u8>>,
    options: &Options,
    budget: &Budget,
) -> Result<Sources, Box<Unread>> {
    let typed = match typed_before {
        Some(bytes) => bytes,
        None => match typed(input) {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(diagnostic) => {
                return Err(Box::new(Unread::Wrong(
                    vec![diagnostic.into()],
                    SourceMap::new(),
                )));
            }
        },
    };
    let inputs: Vec<raddle_driver::Input> = input
        .files
        .iter()
        .map(|path| {
            if is_stdin(path) {
                raddle_driver::Input::Typed(typed.clone())
            } else {
                raddle_driver::Input::File(path.clone())
            }
        })
        .collect();
    raddle_driver::read(&inputs, options, budget)
}

/// Standard input, if it is part of the program.
pub(crate) fn typed(input: &Input) -> Result<Option<Vec<u8>>, Diagnostic> {
    if !input.files.iter().any(|it| is_stdin(it)) {
        return Ok(None);
    }
    raddle_driver::read_bytes(std::io::stdin().lock())
        .map(Some)
        .map_err(|error| {
            Diagnostic::error("input", format!("cannot read standard input: {error}"))
                .help("name a file instead of `-`")
        })
}
