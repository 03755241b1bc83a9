//! The JSON form of reports, `docs/report.schema.json`. A change that a reader of an older version would
//! misunderstand raises [`JSON_VERSION`].

use std::collections::BTreeMap;

use raddle_base::Span;
use raddle_diag::{DiagnosticData, PlaceData};
use raddle_driver::{Outcome, PropertyReport, Report};
use raddle_engine::{Counters, Proof, Reason, UpTo, Verdict};
use raddle_witness::{SourceData, TraceData};
use serde::{Deserialize, Serialize};

use crate::Commands;
use crate::profile::ProfileData;
use crate::words::{Words, diagnostics};

pub const JSON_VERSION: u32 = 1;

/// Whether times and memory are part of a report; without them equal runs give equal reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    Shown,
    Hidden,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportData {
    pub version: u32,
    pub tool: ToolData,
    /// `safe`, `unsafe`, `unknown`, `input-error` or `internal-error`.
    pub summary: String,
    pub exit_code: u8,
    pub sources: Vec<SourceData>,
    /// Empty unless there are verdicts.
    pub properties: Vec<PropertyData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunData>,
    /// What is wrong with the input, or the violations found, with places.
    pub diagnostics: Vec<DiagnosticData>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_error: Option<String>,
    /// The command that repeats the run.
    pub command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The most resident memory that the process has had, where the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory_bytes: Option<u64>,
    /// Where the time went, if somebody asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<ProfileData>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolData {
    pub name: String,
    pub version: String,
}

/// How the verdicts came about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunData {
    pub engine: String,
    pub reduction: String,
    pub data_model: String,
    pub max_threads: usize,
    pub has_spurious_wakeups: bool,
    /// Whether new memory may lie where freed memory lay that somebody still points to.
    #[serde(default)]
    pub has_recycling: bool,
    pub seed: u64,
    pub counters: BTreeMap<String, u64>,
    /// Runs for properties that the first one could not decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_runs: Vec<OtherRunData>,
    /// Some result depends on how objects are numbered, which no real machine promises.
    pub observes_layout: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherRunData {
    pub engine: String,
    pub reduction: String,
    pub counters: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PropertyData {
    pub property: String,
    /// `safe`, `unsafe` or `unknown`.
    pub verdict: String,
    pub engine: String,
    #[serde(default)]
    pub reduction: String,
    /// `checked` or `trusted`.
    pub standing: String,
    /// Why it is safe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
    /// What the proof rests on, if it is not a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub procedure: Option<String>,
    /// Why it is safe, for each thing that the property speaks about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<ProofReasonData>,
    /// Why it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonData>,
    /// Why it is unsafe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceData>,
    /// The command that repeats the verdict, with the engine and the reduction that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofReasonData {
    /// As in: `count` is guarded by `m`.
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonData {
    pub code: String,
    pub message: String,
    pub help: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
    /// An execution that only an abstraction of the program is known to have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<AbstractStepData>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbstractStepData {
    pub process: String,
    /// As in: acquire `m`.
    pub text: String,
    /// `marked`, `lock`, `unit` or `other`.
    pub role: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
}

impl ReportData {
    pub fn new(report: &Report, mut commands: Commands, timing: Timing, words: &dyn Words) -> Self {
        let (properties, run) = match &report.outcome {
            Outcome::Checked(checked) => (
                checked
                    .properties
                    .iter()
                    .map(|it| PropertyData {
                        command: commands.of_property.remove(&it.audited.property()),
                        ..property_data(it, report, words)
                    })
                    .collect(),
                Some(RunData {
                    engine: checked.engine.name().to_owned(),
                    reduction: checked.reduction.to_string(),
                    data_model: checked.model.name().to_owned(),
                    max_threads: checked.semantics.max_threads,
                    has_spurious_wakeups: checked.semantics.has_spurious_wakeups,
                    has_recycling: checked.semantics.has_recycling,
                    seed: checked.seed,
                    counters: counters_data(&checked.counters),
                    other_runs: checked
                        .other_runs
                        .iter()
                        .map(|it| OtherRunData {
                            engine: it.engine.name().to_owned(),
                            reduction: it.reduction.to_string(),
                            counters: counters_data(&it.counters),
                        })
                        .collect(),
                    observes_layout: checked.observes_layout,
                }),
            ),
            Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::InternalError(_) => {
                (Vec::new(), None)
            }
        };
        let summary = report.summary();
        Self {
            version: JSON_VERSION,
            tool: ToolData {
                name: "raddle".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            summary: summary.word().to_owned(),
            exit_code: summary.exit_code(),
            sources: SourceData::all(&report.sources),
            properties,
            run,
            diagnostics: diagnostics(report, words)
                .iter()
                .map(|it| DiagnosticData::new(it, &report.sources))
                .collect(),
            internal_error: match &report.outcome {
                Outcome::InternalError(message) => Some(message.clone()),
                Outcome::Checked(_) | Outcome::InputError(_) | Outcome::Misuse(_) => None,
            },
            command: commands.whole,
            seconds: match timing {
                Timing::Shown => Some(report.elapsed.as_secs_f64()),
                Timing::Hidden => None,
            },
            peak_memory_bytes: match timing {
                Timing::Shown => raddle_base::peak_resident_bytes(),
                Timing::Hidden => None,
            },
            profile: match (&report.outcome, timing) {
                (Outcome::Checked(checked), Timing::Shown) => checked
                    .profile
                    .as_ref()
                    .map(|it| ProfileData::new(it, &report.sources)),
                (_, Timing::Hidden)
                | (
                    Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::InternalError(_),
                    Timing::Shown,
                ) => None,
            },
        }
    }

    /// Pretty-printed, with a line end after it.
    pub fn to_json(&self) -> String {
        let mut text =
            serde_json::to_string_pretty(self).expect("keys are text and all values are JSON");
        text.push('\n');
        text
    }
}

fn counters_data(counters: &Counters) -> BTreeMap<String, u64> {
    counters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect()
}

fn property_data(report: &PropertyReport, whole: &Report, words: &dyn Words) -> PropertyData {
    let verdict = report.audited.verdict();
    PropertyData {
        property: report.audited.property().to_string(),
        verdict: verdict.word().to_owned(),
        engine: report.engine.name().to_owned(),
        reduction: report.reduction.to_string(),
        standing: report.audited.standing().word().to_owned(),
        proof: match verdict {
            Verdict::Safe(Proof::SearchExhausted(_)) => Some("search-exhausted".to_owned()),
            Verdict::Safe(Proof::SearchUpTo(UpTo { hashes: None, .. })) => {
                Some("search-exhausted-up-to-names".to_owned())
            }
            Verdict::Safe(Proof::SearchUpTo(UpTo {
                hashes: Some(_), ..
            })) => Some("search-exhausted-by-hashes".to_owned()),
            Verdict::Safe(Proof::NothingToCheck) => Some("nothing-to-check".to_owned()),
            Verdict::Safe(Proof::OverApproximation { .. }) => Some("over-approximation".to_owned()),
            Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
        },
        procedure: match verdict {
            Verdict::Safe(Proof::OverApproximation { procedure, .. }) => {
                Some((*procedure).to_owned())
            }
            Verdict::Safe(Proof::SearchUpTo(up_to)) => Some(up_to.to_string()),
            Verdict::Safe(Proof::SearchExhausted(_) | Proof::NothingToCheck)
            | Verdict::Unsafe(_)
            | Verdict::Unknown(_) => None,
        },
        reasons: match verdict {
            Verdict::Safe(Proof::OverApproximation { reasons, .. }) => reasons
                .iter()
                .map(|reason| ProofReasonData {
                    message: reason.text.clone(),
                    place: reason
                        .span
                        .filter(|span| whole.sources.knows(*span))
                        .map(|span| PlaceData::new(span, &whole.sources)),
                })
                .collect(),
            Verdict::Safe(
                Proof::SearchExhausted(_) | Proof::SearchUpTo(_) | Proof::NothingToCheck,
            )
            | Verdict::Unsafe(_)
            | Verdict::Unknown(_) => Vec::new(),
        },
        reason: match verdict {
            Verdict::Unknown(reason) => {
                let remedy = reason.remedy_for(report.audited.property());
                Some(reason_data(reason, words.remedy(&remedy), whole))
            }
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        },
        trace: report.trace.clone(),
        command: None,
    }
}

fn reason_data(reason: &Reason, help: String, whole: &Report) -> ReasonData {
    let place = |span: Option<Span>| {
        span.filter(|span| whole.sources.knows(*span))
            .map(|span| PlaceData::new(span, &whole.sources))
    };
    ReasonData {
        code: reason.code().to_owned(),
        message: reason.to_string(),
        help,
        place: place(reason.span()),
        steps: reason
            .abstract_steps()
            .iter()
            .map(|step| AbstractStepData {
                process: step.process.clone(),
                text: step.text.clone(),
                role: step.role.word().to_owned(),
                place: place(step.span),
            })
            .collect(),
    }
}
