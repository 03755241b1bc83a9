//! What a comparison found, as data; `docs/comparison.schema.json` is its JSON form. A change that a reader of an
//! older version would misunderstand raises [`VERSION`].

use std::collections::BTreeMap;

use serde::Serialize;

pub(super) const VERSION: u32 = 1;

#[derive(Clone, Debug, Serialize)]
pub(super) struct Comparison {
    pub(super) version: u32,
    /// `safe`, `unsafe`, `unknown`, or `contradiction` or `internal-error`, and then nothing follows.
    pub(super) summary: String,
    pub(super) exit_code: u8,
    /// The properties that some run says something about, in the order of reports.
    pub(super) properties: Vec<Combined>,
    pub(super) runs: Vec<Run>,
    /// The place of the best run in `runs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) best: Option<usize>,
}

/// What all runs together say about a property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Combined {
    pub(super) property: String,
    /// `safe`, `unsafe`, `unknown` or `contradiction`.
    pub(super) verdict: String,
}

/// One engine with one reduction.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Run {
    pub(super) engine: String,
    pub(super) reduction: String,
    /// As in a report of `check`, or `crashed`.
    pub(super) summary: String,
    /// One for each property.
    pub(super) verdicts: BTreeMap<String, Verdict>,
    pub(super) counters: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peak_memory_bytes: Option<u64>,
    /// Seconds, as a multiple of the best run's; absent if it decides less than the best one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio: Option<f64>,
    /// Why there is no report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<String>,
    /// The command that repeats the run.
    pub(super) command: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Verdict {
    pub(super) verdict: String,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
}

impl Run {
    pub(super) fn name(&self) -> String {
        format!("`{}` with reduction `{}`", self.engine, self.reduction)
    }

    pub(super) fn says(&self, property: &str) -> Option<&str> {
        self.verdicts.get(property).map(|it| it.verdict.as_str())
    }

    /// How many properties it decides.
    pub(super) fn decided(&self) -> usize {
        self.verdicts
            .values()
            .filter(|it| it.verdict != "unknown")
            .count()
    }
}

impl Comparison {
    pub(super) fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("keys are text and all values are JSON");
        text.push('\n');
        text
    }
}
