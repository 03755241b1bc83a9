//! `raddle compare`: every engine with every reduction on one program, side by side.
//!
//! - `child`: one check in a process of its own;
//! - `combine`: what the runs say together, and whether they contradict each other;
//! - `data` and `table`: for machines and for people.

mod child;
mod combine;
mod data;
mod table;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use raddle::{Diagnostic, EngineChoice, ReportData, SourceMap};

use crate::arguments::{Input, PropertyName, Terminal, seconds};
use crate::human::Detail;
use crate::repeat::{quoted, value_name};
use crate::run::{STDIN_NAME, bad_usage, with_program};
use crate::{output, signals};

use child::{End, Finished};
use combine::{CRASHED, combine};
use data::{Comparison, Run, Verdict};

/// How much longer than its time-out a run may take before it is killed.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Each engine with each reduction runs in a process of its own, one after the other.
The best run decides the most properties and is the fastest of those.
`ratio` is the time of a run divided by that of the best; `work` is a counter of the engine, `-v` prints all.

Exit status:
    0  every property is safe by some run
    1  some property is unsafe
    2  wrong input or usage
    3  some property is unknown to all runs, none is unsafe
  101  two runs contradict each other (safe and unsafe), or one failed: no verdict follows

Examples:
  raddle compare counter.rad
  raddle compare --property race --timeout 10 --format json counter.rad")]
pub(crate) struct CompareArguments {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Property to decide; may be repeated [default: all that apply except `leak` and `overflow`]
    #[arg(long = "property", value_name = "PROPERTY")]
    pub(crate) properties: Vec<PropertyName>,
    /// Stop each run after this many seconds; 0 is never
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) timeout: Duration,
    /// Stop each run at this many megabytes of resident memory; 0 is never [default: half the machine's]
    #[arg(long, value_name = "MB")]
    pub(crate) memory: Option<u64>,
    /// Form of the report
    #[arg(long, default_value = "human")]
    pub(crate) format: CompareFormat,
    /// Leave times and memory out of the report, so that equal runs print equal reports
    #[arg(long)]
    pub(crate) no_timing: bool,
    /// For tests: run this program too, as if it were another engine
    #[arg(long = "checker", value_name = "PATH", hide = true)]
    pub(crate) checkers: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CompareFormat {
    Human,
    Json,
}

/// What to run.
struct Candidate {
    program: PathBuf,
    engine: String,
    reduction: String,
    arguments: Vec<OsString>,
}

pub(crate) fn compare(arguments: &CompareArguments, terminal: Terminal) -> u8 {
    // A program that cannot be read is said to be so once, not by every run.
    let input = match with_program(&arguments.input, terminal, |_, sources| typed_in(&sources)) {
        Ok(input) => input,
        Err(code) => return code,
    };
    let candidates = match candidates(arguments) {
        Ok(candidates) => candidates,
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    let cancelled = signals::cancel_flag();
    let limit = (!arguments.timeout.is_zero()).then(|| arguments.timeout.saturating_add(GRACE));
    let mut runs = Vec::new();
    for candidate in candidates {
        match run(&candidate, &input, limit, &cancelled) {
            Ok(Some(run)) => runs.push(run),
            // What is known so far is still worth showing.
            Ok(None) => break,
            Err(diagnostic) => return bad_usage(&diagnostic, terminal),
        }
    }
    if arguments.no_timing {
        for run in &mut runs {
            (run.seconds, run.peak_memory_bytes) = (None, None);
        }
    }
    publish(&combine(runs), arguments, terminal)
}

fn publish(comparison: &Comparison, arguments: &CompareArguments, terminal: Terminal) -> u8 {
    match arguments.format {
        CompareFormat::Json => output::to_stdout(&comparison.to_json()),
        CompareFormat::Human => output::to_stdout(&table::table(
            comparison,
            table::Style {
                detail: Detail::of(terminal),
                shows_timing: !arguments.no_timing,
                colour: output::stdout_colour(terminal),
            },
        )),
    }
    for message in table::contradictions(comparison) {
        let diagnostic = Diagnostic::error("contradiction", message)
            .help("this is a defect of raddle; please report it with the program and this command");
        bad_usage(&diagnostic, terminal);
    }
    comparison.exit_code
}

fn candidates(arguments: &CompareArguments) -> Result<Vec<Candidate>, Diagnostic> {
    let own = std::env::current_exe().map_err(|error| {
        Diagnostic::error("usage", "cannot find the program `raddle` to run it again")
            .note(error.to_string())
            .help("run it from where it is installed")
    })?;
    let mut candidates: Vec<Candidate> = EngineChoice::combinations()
        .into_iter()
        .map(|(engine, reduction)| Candidate {
            program: own.clone(),
            engine: engine.name().to_owned(),
            reduction: reduction.name().to_owned(),
            arguments: check_arguments(arguments, engine.name(), reduction.name()),
        })
        .collect();
    for checker in &arguments.checkers {
        candidates.push(Candidate {
            program: checker.clone(),
            engine: checker
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            reduction: "none".to_owned(),
            arguments: check_arguments(arguments, "reference", "none"),
        });
    }
    Ok(candidates)
}

fn check_arguments(arguments: &CompareArguments, engine: &str, reduction: &str) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec!["check".into()];
    let mut flag = |name: &str, value: &str| {
        words.push(name.into());
        words.push(value.into());
    };
    flag("--format", "json");
    flag("--engine", engine);
    flag("--reduction", reduction);
    for property in &arguments.properties {
        flag("--property", &value_name(property));
    }
    flag("--timeout", &arguments.timeout.as_secs_f64().to_string());
    if let Some(memory) = arguments.memory {
        flag("--memory", &memory.to_string());
    }
    if let Some(model) = &arguments.input.data_model {
        flag("--data-model", &value_name(model));
    }
    if let Some(language) = &arguments.input.language {
        flag("--language", &value_name(language));
    }
    words.push("--".into());
    words.extend(arguments.input.files.iter().map(|it| it.clone().into()));
    words
}

/// Runs a candidate; `None` if the user wants no more.
fn run(
    candidate: &Candidate,
    input: &[u8],
    limit: Option<Duration>,
    cancelled: &AtomicBool,
) -> Result<Option<Run>, Diagnostic> {
    let finished = child::run(
        &candidate.program,
        &candidate.arguments,
        input,
        limit,
        cancelled,
    )
    .map_err(|error| {
        Diagnostic::error(
            "usage",
            format!("cannot run `{}`", candidate.program.display()),
        )
        .note(error.to_string())
        .help("check that it exists and may be run")
    })?;
    let Finished {
        end,
        stdout,
        stderr,
    } = finished;
    let report: Option<ReportData> = serde_json::from_slice(&stdout).ok();
    let status = match end {
        End::Exited(status) => status,
        End::Late => {
            let problem = "killed because it did not end in time";
            return Ok(Some(failed(candidate, CRASHED, problem.to_owned())));
        }
        End::Cancelled => return Ok(None),
    };
    let words = String::from_utf8_lossy(&stderr);
    let said = words.lines().next().unwrap_or("it said nothing");
    Ok(Some(match report {
        None => failed(
            candidate,
            CRASHED,
            format!("ended without a report ({status}): {said}"),
        ),
        // The program was read before, so it cannot be wrong.
        Some(report) if report.summary == "input-error" => {
            failed(candidate, CRASHED, "refuses the program".to_owned())
        }
        Some(report) => reported(candidate, report),
    }))
}

fn reported(candidate: &Candidate, report: ReportData) -> Run {
    Run {
        verdicts: report
            .properties
            .into_iter()
            .map(|it| {
                let verdict = Verdict {
                    verdict: it.verdict,
                    reason: it
                        .reason
                        .map(|reason| format!("{} [{}]", reason.message, reason.code)),
                };
                (it.property, verdict)
            })
            .collect(),
        counters: report.run.map(|it| it.counters).unwrap_or_default(),
        seconds: report.seconds,
        peak_memory_bytes: report.peak_memory_bytes,
        problem: report.internal_error,
        ..failed(candidate, &report.summary, String::new())
    }
}

/// A run without a report.
fn failed(candidate: &Candidate, summary: &str, problem: String) -> Run {
    Run {
        engine: candidate.engine.clone(),
        reduction: candidate.reduction.clone(),
        summary: summary.to_owned(),
        verdicts: BTreeMap::new(),
        counters: BTreeMap::new(),
        seconds: None,
        peak_memory_bytes: None,
        ratio: None,
        problem: Some(problem),
        command: command(candidate),
    }
}

fn command(candidate: &Candidate) -> String {
    let words: Vec<String> = candidate
        .arguments
        .iter()
        .map(|word| quoted(Path::new(word)))
        .collect();
    format!("raddle {}", words.join(" "))
}

/// The program on standard input, if it came from there; each run reads it anew.
fn typed_in(sources: &SourceMap) -> Vec<u8> {
    sources
        .files()
        .find(|(_, file)| file.name == STDIN_NAME)
        .map_or_else(Vec::new, |(_, file)| file.text.clone().into_bytes())
}
