//! `raddle test`: every test of a program, each with its own verdict.

mod junit;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::{Args, Parser, ValueEnum};
use raddle::{
    Budget, Checked, Diagnostic, Flags, Outcome, Report, Silent, SourceMap, Summary, Test, Timing,
    Verdict, Words,
};
use raddle_diag::{Colour, DiagnosticData};
use raddle_driver::{Sources, ValidOptions, tests_of};
use serde::{Deserialize, Serialize};

use crate::arguments::{Check, QuestionArguments, Terminal};
use crate::cache::{self, Cache};
use crate::detail::Detail;
use crate::{human, internal, output, repeat, run, signals};

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
A test is `RADDLE_TEST(name) { … }` of `raddle.h`, which is found without `-I`; `raddle header`
prints it. All files make up one program, which must not have a `main`. Each test is decided
for all interleavings and inputs, and is

  safe     every property is proved, and every assertion and thread of the test is reached
  unsafe   some property is violated; the report below says how
  unknown  some property is undecided, none is violated
  vacuous  all is proved, but an assertion or a thread of the test is never reached, or no
           execution comes to its end: the proof says less than it seems

Exit status:
    0  every test is safe
    1  some test is unsafe
    2  wrong input or usage, or no test
    3  some test is unknown or vacuous, none is unsafe
  101  internal error in some test

Examples:
  raddle test test_queue.c queue.c
  raddle test --filter push --timeout 300 test_queue.c queue.c -I include
  raddle test -p build test_queue.c -I include
  raddle test --jobs 4 --cache .raddle-cache --format junit test_queue.c queue.c > results.xml")]
pub(crate) struct TestArguments {
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    /// Only tests whose names, as in `file::name`, have this part; may be repeated
    #[arg(long = "filter", value_name = "PART")]
    filters: Vec<String>,
    /// Print the names of the tests
    #[arg(long)]
    list: bool,
    /// Tests at a time; they share the memory
    #[arg(long, value_name = "N", default_value = "1")]
    jobs: NonZeroUsize,
    /// Form of the results
    #[arg(long, default_value = "human")]
    format: TestFormat,
    /// Leave times out, so that equal runs print equal results
    #[arg(long)]
    no_timing: bool,
    /// Keep results in this folder, and give them again where nothing has changed
    ///
    /// A result belongs to the files after the preprocessor, to all options and to one build of raddle; one with an unknown
    /// verdict is not kept. How many are given again is said on standard error.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// A line for each test, and reports on those that are not safe
    Human,
    /// XML for servers of continuous integration
    Junit,
}

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Word {
    Safe,
    Vacuous,
    Unknown,
    Unsafe,
    InputError,
    InternalError,
}

impl Word {
    const fn text(self) -> &'static str {
        match self {
            Word::Safe => "safe",
            Word::Vacuous => "vacuous",
            Word::Unknown => "unknown",
            Word::Unsafe => "unsafe",
            Word::InputError => "input-error",
            Word::InternalError => "internal-error",
        }
    }

    fn exit_code(self) -> u8 {
        match self {
            Word::Safe => Summary::Safe.exit_code(),
            Word::Vacuous | Word::Unknown => Summary::Unknown.exit_code(),
            Word::Unsafe => Summary::Unsafe.exit_code(),
            Word::InputError => Summary::InputError.exit_code(),
            Word::InternalError => Summary::InternalError.exit_code(),
        }
    }
}

/// A test that was decided, or not.
#[derive(Serialize, Deserialize)]
struct Ended {
    /// The file without its folder and ending.
    suite: String,
    name: String,
    file: String,
    line: u32,
    word: Word,
    /// In a few words; empty if there is nothing to say.
    why: String,
    /// The report, as `raddle check` prints it.
    details: String,
    /// What readers warn of, which is the same for many tests.
    warnings: Vec<String>,
    seconds: Option<f64>,
    /// By an earlier run.
    #[serde(skip)]
    is_reused: bool,
}

impl Ended {
    fn id(&self) -> String {
        format!("{}::{}", self.suite, self.name)
    }
}

/// A test, and what it is called.
#[derive(Clone)]
struct Named {
    test: Test,
    suite: String,
    file: String,
    line: u32,
}

impl Named {
    fn new(test: Test, sources: &SourceMap) -> Self {
        let here = Diagnostic::warning("test", "here").at(test.span, "here");
        let place = DiagnosticData::new(&here, sources).labels.pop();
        let (file, line) = place.map_or_else(Default::default, |it| (it.place.file, it.place.line));
        let stem = Path::new(&file).file_stem().unwrap_or_default();
        Self {
            suite: stem.to_string_lossy().into_owned(),
            test,
            file,
            line,
        }
    }

    fn id(&self) -> String {
        format!("{}::{}", self.suite, self.test.name)
    }
}

pub(crate) fn test(arguments: &TestArguments, terminal: Terminal) -> u8 {
    let begin = Instant::now();
    let cache = match arguments.cache.as_deref().map(Cache::new).transpose() {
        Ok(cache) => cache,
        Err(diagnostic) => return run::bad_usage(&diagnostic, terminal),
    };
    let mut input = arguments.question.input.clone();
    input.begins_at_tests = true;
    let read = run::with_sources(&input, None, terminal, |sources, _| Ok(sources));
    let sources = match read {
        Ok(sources) => sources,
        Err(code) => return code,
    };
    let all: Vec<Named> = (tests_of(&sources.map).into_iter())
        .map(|it| Named::new(it, &sources.map))
        .collect();
    if let Err(diagnostic) = are_distinct(&all) {
        return run::bad_usage(&diagnostic, terminal);
    }
    let is_meant = |it: &Named| {
        let filters = &arguments.filters;
        filters.is_empty() || filters.iter().any(|part| it.id().contains(part.as_str()))
    };
    let (meant, others): (Vec<Named>, Vec<Named>) = all.into_iter().partition(is_meant);
    if arguments.list {
        let names: String = meant.iter().map(|it| it.id() + "\n").collect();
        output::to_stdout(&names);
        return 0;
    }
    let is_human = arguments.format == TestFormat::Human;
    if is_human && !terminal.quiet {
        let noun = if meant.len() == 1 { "test" } else { "tests" };
        output::to_stdout(&format!("running {} {noun}\n", meant.len()));
    }
    let tell = |ended: &Ended| {
        if is_human {
            output::to_stdout(&line(ended, output::stdout_colour(terminal)));
        }
    };
    let ended = decide_all(arguments, &meant, &sources, cache.as_ref(), terminal, tell);
    let reused = ended.iter().filter(|it| it.is_reused).count();
    if reused > 0 && !terminal.quiet {
        let of = ended.len();
        output::to_stderr(&format!(
            "note: {reused} of {of} results are those of an earlier run, since which nothing has changed\n"
        ));
    }
    let worst = ended.iter().map(|it| it.word).max().unwrap_or(Word::Safe);
    match arguments.format {
        TestFormat::Junit => output::to_stdout(&junit::xml(&ended)),
        TestFormat::Human => {
            if !terminal.quiet {
                output::to_stderr(&warnings(&ended));
                output::to_stdout(&details(&ended));
            }
            let seconds = (!arguments.no_timing).then(|| begin.elapsed().as_secs_f64());
            output::to_stdout(&summary(&ended, worst, others.len(), seconds));
        }
    }
    worst.exit_code()
}

/// Whether there are tests, with names that tell them apart.
fn are_distinct(tests: &[Named]) -> Result<(), Diagnostic> {
    if tests.is_empty() {
        return Err(Diagnostic::error("test", "the files have no test")
            .help("write one: `#include <raddle.h>`, then `RADDLE_TEST(name) { … }`")
            .help("`raddle check` decides a program with a `main`"));
    }
    let mut known: BTreeMap<&str, &Named> = BTreeMap::new();
    for one in tests {
        if let Some(first) = known.insert(&one.test.name, one) {
            let message = format!("there are two tests `{}`", one.test.name);
            return Err(Diagnostic::error("test", message)
                .note(format!("{}:{}", first.file, first.line))
                .note(format!("{}:{}", one.file, one.line))
                .help("all files make up one program: name one of them otherwise"));
        }
    }
    Ok(())
}

/// Decides them, some at a time, and tells each in turn.
fn decide_all(
    arguments: &TestArguments,
    tests: &[Named],
    sources: &Sources,
    cache: Option<&Cache>,
    terminal: Terminal,
    tell: impl Fn(&Ended),
) -> Vec<Ended> {
    let cancelled = signals::cancel_flag();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.get().min(tests.len()) {
            let (sender, next, cancelled) = (sender.clone(), &next, &cancelled);
            scope.spawn(move || {
                while let Some((number, test)) = {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    tests.get(number).map(|it| (number, it))
                } {
                    let ended =
                        decide(arguments, test, sources.clone(), cancelled, cache, terminal);
                    // Nobody waits any more if the run has ended without us.
                    let _ = sender.send((number, ended));
                }
            });
        }
        drop(sender);
        let mut waiting: BTreeMap<usize, Ended> = BTreeMap::new();
        let mut told = Vec::new();
        for (number, ended) in receiver {
            waiting.insert(number, ended);
            while let Some(ended) = waiting.remove(&told.len()) {
                tell(&ended);
                told.push(ended);
            }
        }
        told
    })
}

fn decide(
    arguments: &TestArguments,
    test: &Named,
    sources: Sources,
    cancelled: &Arc<AtomicBool>,
    cache: Option<&Cache>,
    terminal: Terminal,
) -> Ended {
    let check = as_check(arguments, &test.test.name);
    let place = cache.and_then(|it| {
        // The form is that of the details.
        let asked = (&check, arguments.format, arguments.no_timing);
        it.place(&sources.map, &asked, &[], terminal)
    });
    if let Some(ended) = place.as_ref().and_then(cache::AnswerPlace::find::<Ended>) {
        return Ended {
            is_reused: true,
            ..ended
        };
    }
    let begin = Instant::now();
    let report = match ValidOptions::new(check.options()) {
        Ok(options) => run::watched(&options, cancelled, || Silent, |_: &Budget| Ok(sources)),
        Err(misuse) => Report {
            sources: SourceMap::new(),
            warnings: Vec::new(),
            outcome: Outcome::Misuse(misuse),
            elapsed: Duration::ZERO,
        },
    };
    let seconds = (!arguments.no_timing).then(|| begin.elapsed().as_secs_f64());
    let (word, why) = judged(&report);
    let colour = match arguments.format {
        TestFormat::Human => output::stdout_colour(terminal),
        TestFormat::Junit => Colour::Plain,
    };
    let timing = if arguments.no_timing {
        Timing::Hidden
    } else {
        Timing::Shown
    };
    let style = human::Style {
        colour,
        timing,
        detail: match Detail::of(terminal) {
            Detail::Verbose => Detail::Verbose,
            Detail::Quiet | Detail::Normal => Detail::Normal,
        },
        offers_trace: false,
    };
    let rendered = |it: &Diagnostic| raddle_diag::render(it, &report.sources, colour);
    let (vacuous, others): (Vec<Diagnostic>, Vec<Diagnostic>) =
        (raddle_report::warnings(&report, &Flags).into_iter()).partition(is_vacuous);
    let details = match &report.outcome {
        Outcome::Checked(_) if word == Word::Safe => String::new(),
        Outcome::Checked(checked) => {
            let mut text: String = vacuous.iter().map(|it| rendered(it) + "\n\n").collect();
            let commands = repeat::commands(&check, &report);
            text += &human::report(&report, checked, &commands, None, style);
            text
        }
        Outcome::InputError(_) => {
            let all = raddle_report::diagnostics(&report, &Flags);
            let all: Vec<&Diagnostic> = all.iter().collect();
            human::input_errors(&all, &report.sources, colour)
        }
        Outcome::Misuse(misuse) => rendered(&Flags.misuse(misuse)) + "\n",
        Outcome::InternalError(message) => {
            internal::complain(Some((message, &repeat::commands(&check, &report).whole)));
            format!("internal error: {message}\n")
        }
    };
    let ended = Ended {
        suite: test.suite.clone(),
        name: test.test.name.clone(),
        file: test.file.clone(),
        line: test.line,
        word,
        why,
        details,
        warnings: others.iter().map(rendered).collect(),
        seconds,
        is_reused: false,
    };
    if let Some(place) = place.filter(|_| cache::is_decided(&report)) {
        place.keep(&ended);
    }
    ended
}

/// The options of `raddle check`, to be parsed for their defaults.
#[derive(Parser)]
struct Alone {
    #[command(flatten)]
    check: Check,
}

/// The check of one test, with the defaults of `raddle check`.
fn as_check(arguments: &TestArguments, name: &str) -> Check {
    let mut check = Alone::parse_from(["check", "-"]).check;
    check.question = arguments.question.clone();
    check.question.input.c.test = Some(name.to_owned());
    check
}

fn is_vacuous(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == "vacuous"
}

/// What became of it, and why in a few words.
fn judged(report: &Report) -> (Word, String) {
    match (&report.outcome, report.summary()) {
        (Outcome::InternalError(message), _) => (Word::InternalError, message.clone()),
        (Outcome::Checked(_), Summary::Safe) => {
            let warnings = raddle_report::warnings(report, &Flags);
            match warnings.into_iter().find(is_vacuous) {
                None => (Word::Safe, String::new()),
                Some(warning) => {
                    let message = warning.message.clone();
                    let place = place(&warning, report);
                    (Word::Vacuous, format!("{message}{place}"))
                }
            }
        }
        (Outcome::Checked(checked), Summary::Unsafe) => (Word::Unsafe, violated(checked, report)),
        (Outcome::Checked(checked), _) => {
            let reasons = checked.properties.iter().find_map(|it| {
                if let Verdict::Unknown(reason) = it.audited.verdict() {
                    Some(format!("{}: {reason}", it.audited.property()))
                } else {
                    None
                }
            });
            (Word::Unknown, reasons.unwrap_or_default())
        }
        (Outcome::InputError(notes), _) => {
            let first = notes.first().map(|it| it.diagnostic.message.clone());
            (Word::InputError, first.unwrap_or_default())
        }
        (Outcome::Misuse(misuse), _) => (Word::InputError, Flags.misuse(misuse).message),
    }
}

/// As in: race at a.c:4.
fn violated(checked: &Checked, report: &Report) -> String {
    let violated = checked.properties.iter().filter_map(|it| {
        let note = it.note.as_ref()?;
        matches!(it.audited.verdict(), Verdict::Unsafe(_)).then(|| {
            let place = place(&note.diagnostic, report);
            format!("{}{place}", it.audited.property())
        })
    });
    violated.collect::<Vec<_>>().join(", ")
}

/// As in: at a.c:4; nothing if there is no place.
fn place(diagnostic: &Diagnostic, report: &Report) -> String {
    let data = DiagnosticData::new(diagnostic, &report.sources);
    data.labels.first().map_or_else(String::new, |it| {
        format!(" at {}:{}", it.place.file, it.place.line)
    })
}

fn line(ended: &Ended, colour: Colour) -> String {
    let word = colour.painted(ended.word.text(), colour_of(ended.word));
    let why = if ended.why.is_empty() {
        String::new()
    } else {
        format!(" ({})", ended.why)
    };
    format!("test {} ... {word}{why}\n", ended.id())
}

fn colour_of(word: Word) -> &'static str {
    match word {
        Word::Safe => "\x1b[1;32m",
        Word::Vacuous | Word::Unknown => "\x1b[1;33m",
        Word::Unsafe | Word::InputError | Word::InternalError => "\x1b[1;31m",
    }
}

/// What readers and engines warn of, each once.
fn warnings(ended: &[Ended]) -> String {
    let mut all: Vec<&String> = Vec::new();
    for warning in ended.iter().flat_map(|it| &it.warnings) {
        if !all.contains(&warning) {
            all.push(warning);
        }
    }
    all.iter().fold(String::new(), |mut text, it| {
        let _ = writeln!(text, "{it}\n");
        text
    })
}

/// The reports on those that are not safe.
fn details(ended: &[Ended]) -> String {
    let mut text = String::new();
    for one in ended.iter().filter(|it| it.word != Word::Safe) {
        let _ = write!(text, "\n---- {} ----\n\n{}", one.id(), one.details);
    }
    text
}

fn summary(ended: &[Ended], worst: Word, left_out: usize, seconds: Option<f64>) -> String {
    let count = |word: Word| ended.iter().filter(|it| it.word == word).count();
    let mut text = format!("\ntest result: {}.", worst.text());
    for (index, word) in [Word::Safe, Word::Unsafe, Word::Unknown, Word::Vacuous]
        .into_iter()
        .enumerate()
    {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma} {} {}", count(word), word.text());
    }
    let wrong = count(Word::InputError) + count(Word::InternalError);
    if wrong > 0 {
        let _ = write!(text, ", {wrong} not run");
    }
    let _ = write!(text, "; {left_out} filtered out");
    if let Some(seconds) = seconds {
        let _ = write!(text, "; finished in {seconds:.2} s");
    }
    text.push('\n');
    text
}
