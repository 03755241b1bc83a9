//! From the end of a checker to rows: what it said, or how it failed. Nothing it does loses a row.

use std::collections::BTreeMap;

use raddle_ir::interpret::Property;
use raddle_tasks::header::Truth;
use raddle_tasks::{Definition, Task};
use serde::Deserialize;

use crate::process::{End, Finished};
use crate::row::{Answer, Row};

const LONGEST_REASON: usize = 200;

/// The part of a report that is looked at.
#[derive(Debug, Deserialize)]
struct Report {
    exit_code: i32,
    properties: Vec<Said>,
    run: Option<Run>,
    diagnostics: Vec<Problem>,
    internal_error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Said {
    property: String,
    verdict: String,
    #[serde(default)]
    engine: String,
    #[serde(default)]
    reduction: String,
    standing: String,
    reason: Option<Reason>,
}

#[derive(Debug, Deserialize)]
struct Reason {
    code: String,
    message: String,
}

#[derive(Debug, Deserialize)]
struct Run {
    counters: BTreeMap<String, u64>,
}

#[derive(Debug, Deserialize)]
struct Problem {
    message: String,
}

/// What became of one question.
struct Outcome {
    answer: Answer,
    reason: String,
    certified: Option<bool>,
    answered_by: String,
}

impl Outcome {
    fn without_verdict(answer: Answer, reason: impl Into<String>) -> Self {
        Self {
            answer,
            reason: reason.into(),
            certified: None,
            answered_by: String::new(),
        }
    }
}

/// The row of a task that cannot be run.
pub(crate) fn broken(task: &Task, message: &str) -> Row {
    Row {
        program: task.name.clone(),
        property: String::new(),
        expected: None,
        answer: Answer::Error,
        reason: short(message),
        certified: None,
        seconds: 0.0,
        peak_memory_mb: None,
        states: None,
        answered_by: String::new(),
    }
}

/// One row for each property of a task whose checker could not be started.
pub(crate) fn not_started(name: &str, definition: &Definition, message: &str) -> Vec<Row> {
    let asked = definition.truth.iter();
    asked
        .map(|(property, truth)| Row {
            program: name.to_owned(),
            property: property.name().to_owned(),
            expected: Some(*truth),
            answer: Answer::Crashed,
            reason: short(message),
            certified: None,
            seconds: 0.0,
            peak_memory_mb: None,
            states: None,
            answered_by: String::new(),
        })
        .collect()
}

/// One row for each property of a task whose checker has ended.
pub(crate) fn rows(name: &str, definition: &Definition, finished: &Finished) -> Vec<Row> {
    let report = serde_json::from_slice::<Report>(&finished.stdout).ok();
    let states = report
        .as_ref()
        .and_then(|it| it.run.as_ref())
        .and_then(|it| it.counters.get("states"))
        .copied();
    let row = |property: Property, truth: Truth, outcome: Outcome| Row {
        program: name.to_owned(),
        property: property.name().to_owned(),
        expected: Some(truth),
        answer: outcome.answer,
        reason: short(&impersonal(&outcome.reason, definition)),
        certified: outcome.certified,
        seconds: finished.elapsed.as_secs_f64(),
        peak_memory_mb: finished
            .peak_memory_bytes
            .map(|bytes| bytes.div_ceil(1 << 20)),
        states,
        answered_by: short(&outcome.answered_by),
    };
    definition
        .truth
        .iter()
        .map(|(property, truth)| {
            row(
                *property,
                *truth,
                outcome(*property, report.as_ref(), finished),
            )
        })
        .collect()
}

fn outcome(property: Property, report: Option<&Report>, finished: &Finished) -> Outcome {
    let stderr = last_line(&finished.stderr);
    let crashed = |what: String| {
        let reason = if stderr.is_empty() {
            what
        } else {
            format!("{what}: {stderr}")
        };
        Outcome::without_verdict(Answer::Crashed, reason)
    };
    match finished.end {
        End::Overstayed => Outcome::without_verdict(Answer::Unknown, "time (killed)"),
        End::Overate => Outcome::without_verdict(Answer::Unknown, "memory-limit (killed)"),
        End::Stopped => Outcome::without_verdict(Answer::Unknown, "cancelled"),
        End::Signalled(_) => crashed(finished.end.to_string()),
        End::Exited(code @ (0 | 1 | 3)) => match report {
            Some(report) if implied_code(report) != code || report.exit_code != code => {
                Outcome::without_verdict(
                    Answer::Crashed,
                    format!("exit status {code} contradicts the report"),
                )
            }
            Some(report) => said(property, report),
            None => crashed(format!("exit status {code} without a report")),
        },
        End::Exited(2) => {
            let message = report.and_then(|it| it.diagnostics.first()).map_or_else(
                || {
                    if stderr.is_empty() {
                        "exit status 2".to_owned()
                    } else {
                        stderr.clone()
                    }
                },
                |it| it.message.clone(),
            );
            Outcome::without_verdict(Answer::Error, message)
        }
        End::Exited(101) => match report.and_then(|it| it.internal_error.as_ref()) {
            Some(message) => {
                Outcome::without_verdict(Answer::Crashed, format!("internal error: {message}"))
            }
            None => crashed("internal error".to_owned()),
        },
        End::Exited(code) => crashed(format!("exit status {code}")),
    }
}

/// The exit code that the verdicts of a report call for.
fn implied_code(report: &Report) -> i32 {
    let has = |word: &str| report.properties.iter().any(|it| it.verdict == word);
    match (has("unsafe"), has("unknown")) {
        (true, _) => 1,
        (false, true) => 3,
        (false, false) => 0,
    }
}

fn said(property: Property, report: &Report) -> Outcome {
    let mut all = report
        .properties
        .iter()
        .filter(|it| it.property == property.name());
    let (Some(said), None) = (all.next(), all.next()) else {
        return Outcome::without_verdict(
            Answer::Crashed,
            format!("the report has not one verdict on {property}"),
        );
    };
    let decided = |answer| Outcome {
        answer,
        reason: String::new(),
        certified: Some(said.standing == "checked"),
        answered_by: format!("{} {}", said.engine, said.reduction)
            .trim()
            .to_owned(),
    };
    match said.verdict.as_str() {
        "safe" => decided(Answer::Safe),
        "unsafe" => decided(Answer::Unsafe),
        "unknown" => Outcome::without_verdict(
            Answer::Unknown,
            said.reason.as_ref().map_or_else(String::new, |it| {
                // What exactly stands in the way is worth counting; what follows from it is not.
                match it.code.as_str() {
                    "unsupported" | "undefined" => {
                        let what = it.message.split(';').next().unwrap_or_default();
                        format!("{}: {what}", it.code)
                    }
                    code => code.to_owned(),
                }
            }),
        ),
        other => Outcome::without_verdict(
            Answer::Crashed,
            format!("the report says `{other}`, which is no verdict"),
        ),
    }
}

/// Equal reasons of different programs shall be equal, so that they can be counted.
fn impersonal(reason: &str, definition: &Definition) -> String {
    definition
        .files
        .iter()
        .fold(reason.to_owned(), |text, file| {
            text.replace(&format!("`{file}`"), "the program")
        })
}

/// One line of bearable length.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST_REASON) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn last_line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .lines()
        .rev()
        .map(str::trim)
        .find(|it| !it.is_empty())
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn finished(end: End, stdout: &str, stderr: &str) -> Finished {
        Finished {
            end,
            stdout: stdout.into(),
            stderr: stderr.into(),
            elapsed: Duration::from_millis(1500),
            peak_memory_bytes: Some((3 << 20) + 1),
        }
    }

    fn report(exit_code: i32, verdict: &str) -> String {
        format!(
            r#"{{"exit_code":{exit_code},"diagnostics":[{{"message":"no `a.c` here"}}],
                "run":{{"counters":{{"states":7}}}},
                "properties":[{{"property":"race","verdict":"{verdict}","standing":"checked",
                                "engine":"bmc","reduction":"static",
                                "reason":{{"code":"time","message":"the time limit was reached"}}}}]}}"#
        )
    }

    /// The verdict and the reason of the only row.
    fn row(finished: &Finished) -> Row {
        let definition = Definition {
            files: vec!["a.c".to_owned()],
            truth: [(Property::Race, Truth::Safe)].into(),
            ..Definition::default()
        };
        let mut rows = rows("a.yml", &definition, finished);
        assert_eq!(rows.len(), 1);
        rows.remove(0)
    }

    fn told(finished: &Finished) -> (&'static str, String) {
        let row = row(finished);
        (row.answer.word(), row.reason)
    }

    #[test]
    fn verdicts_are_taken_from_the_report() {
        let safe = row(&finished(End::Exited(0), &report(0, "safe"), ""));
        assert_eq!(safe.answer, Answer::Safe);
        assert_eq!(safe.certified, Some(true));
        assert_eq!(safe.states, Some(7));
        assert_eq!(safe.answered_by, "bmc static");
        assert_eq!(safe.peak_memory_mb, Some(4));
        assert!((safe.seconds - 1.5).abs() < 1e-9);
        let unknown = told(&finished(End::Exited(3), &report(3, "unknown"), ""));
        assert_eq!(unknown, ("unknown", "time".to_owned()));
    }

    #[test]
    fn an_exit_status_that_contradicts_the_report_is_a_crash() {
        for (status, text) in [
            (0, report(0, "unsafe")),
            (1, report(0, "safe")),
            (0, report(1, "safe")),
        ] {
            assert_eq!(
                told(&finished(End::Exited(status), &text, "")),
                (
                    "crashed",
                    format!("exit status {status} contradicts the report")
                )
            );
        }
    }

    #[test]
    fn every_other_end_has_its_word_and_its_reason() {
        for (end, stdout, stderr, verdict, reason) in [
            (End::Overstayed, "", "", "unknown", "time (killed)"),
            (End::Overate, "", "", "unknown", "memory-limit (killed)"),
            (
                End::Signalled(6),
                "",
                "\nfatal: overflow\n\n",
                "crashed",
                "signal 6 (SIGABRT): fatal: overflow",
            ),
            (
                End::Exited(0),
                "garbage",
                "",
                "crashed",
                "exit status 0 without a report",
            ),
            (
                End::Exited(2),
                &report(2, "safe"),
                "",
                "error",
                "no the program here",
            ),
            (End::Exited(2), "", "error: no\n", "error", "error: no"),
            (End::Exited(101), "", "", "crashed", "internal error"),
            (End::Exited(77), "", "", "crashed", "exit status 77"),
            (
                End::Exited(0),
                &report(0, "safe").replace("race", "leak"),
                "",
                "crashed",
                "the report has not one verdict on race",
            ),
        ] {
            assert_eq!(
                told(&finished(end, stdout, stderr)),
                (verdict, reason.to_owned())
            );
        }
    }
}
