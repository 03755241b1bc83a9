//! `raddle compare`: every engine with every reduction on one program, side by side.
//!
//! - `combine`: what the runs say together, and whether they contradict each other;
//! - `data` and `table`: for machines and for people.

mod combine;
mod data;
mod table;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use clap::Args;
use raddle::{Diagnostic, ReportData};
use raddle_bench::process::{self, End, Finished, Limits};

use crate::arguments::{QuestionArguments, Terminal, value_name};
use crate::detail::Detail;
use crate::repeat::quoted;
use crate::run::{bad_usage, typed, with_program};
use crate::{output, signals};

use combine::{CRASHED, combine};
use data::{Comparison, Run, Verdict};

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
    pub(crate) question: QuestionArguments,
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
    // Each run reads standard input anew.
    let input = match typed(&arguments.question.input) {
        Ok(input) => input.unwrap_or_default(),
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    // A program that cannot be read is said to be so once, not by every run.
    if let Err(code) = with_program(
        &arguments.question.input,
        Some(input.clone()),
        terminal,
        |_, _| (),
    ) {
        return code;
    }
    let candidates = match candidates(arguments) {
        Ok(candidates) => candidates,
        Err(diagnostic) => return bad_usage(&diagnostic, terminal),
    };
    let cancelled = signals::cancel_flag();
    let limits = Limits {
        timeout: (!arguments.question.timeout.is_zero()).then_some(arguments.question.timeout),
        // Each run keeps to its own.
        memory_bytes: None,
    };
    let mut runs = Vec::new();
    for candidate in candidates {
        match run(&candidate, &input, limits, &cancelled) {
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
            table::TableStyle {
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
    let own = process::own_binary()?;
    let mut candidates: Vec<Candidate> = raddle_driver::combinations()
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
    for property in &arguments.question.properties {
        flag("--property", &value_name(property));
    }
    flag(
        "--timeout",
        &arguments.question.timeout.as_secs_f64().to_string(),
    );
    if let Some(memory) = arguments.question.memory {
        flag("--memory", &memory.to_string());
    }
    words.extend(arguments.question.input.words());
    words
}

/// Runs a candidate; `None` if the user wants no more.
fn run(
    candidate: &Candidate,
    input: &[u8],
    limits: Limits,
    cancelled: &AtomicBool,
) -> Result<Option<Run>, Diagnostic> {
    let mut command = Command::new(&candidate.program);
    command.arg0("raddle").args(&candidate.arguments);
    let finished = process::run(&mut command, input, limits, cancelled).map_err(|error| {
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
        ..
    } = finished;
    match end {
        End::Exited(_) | End::Signalled(_) => {}
        End::Overstayed | End::Overate => {
            return Ok(Some(failed(candidate, CRASHED, end.to_string())));
        }
        End::Stopped => return Ok(None),
    }
    let report: Option<ReportData> = serde_json::from_slice(&stdout).ok();
    let words = String::from_utf8_lossy(&stderr);
    let said = words.lines().next().unwrap_or("it said nothing");
    Ok(Some(match report {
        None => failed(
            candidate,
            CRASHED,
            format!("ended without a report ({end}): {said}"),
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
        .map(|word| quoted(word))
        .collect();
    format!("raddle {}", words.join(" "))
}
