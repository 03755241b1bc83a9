//! The JSON form of reports, `docs/report.schema.json`. A change that a reader of an older version would
//! misunderstand raises [`JSON_VERSION`].

use std::collections::BTreeMap;

use raddle_base::Span;
use raddle_diag::{DiagnosticData, PlaceData};
use raddle_driver::{Outcome, PropertyReport, Report};
use raddle_engine::{Condition, Counters, Proof, Reason, UpTo, Verdict};
use raddle_witness::{SourceData, TraceData};
use serde::{Deserialize, Serialize};

use crate::Commands;
use crate::baseline::Baseline;
use crate::fingerprint::fingerprint_of;
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
    /// What the program is taken to run in, as far as it asks: verdicts are for that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
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
    /// Of how many lines the program says that their races are ignored; what is said of `race` is said but for them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored_lines: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks like that")]
fn is_zero(number: &usize) -> bool {
    *number == 0
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
    /// What it is safe under, besides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ConditionData>,
    /// Why it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ReasonData>,
    /// Why it is unsafe.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceData>,
    /// Further violations that are others to people: races at other places, or of other objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_traces: Vec<TraceData>,
    /// Of an unsafe verdict: one for each trace, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<KnownData>,
    /// The command that repeats the verdict, with the engine and the reduction that it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

/// How to know a violation again in another run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownData {
    pub message: String,
    pub fingerprint: String,
    /// Whether an earlier report has it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_known: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofReasonData {
    /// As in: `count` is guarded by `m`.
    pub message: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceData>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConditionData {
    /// As in `no-memory` or `sequentially-consistent`.
    pub code: String,
    /// As in: as long as no `memory` violation happens.
    pub message: String,
    /// What was met, or could not be excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
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
                    ignored_lines: checked.ignored_lines,
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
            assumptions: match &report.outcome {
                Outcome::Checked(checked) => checked.assumptions.clone(),
                Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::InternalError(_) => {
                    Vec::new()
                }
            },
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

    /// Says of each violation whether an earlier report has it.
    pub fn compare(&mut self, baseline: &Baseline) {
        let properties = self.properties.iter_mut();
        for violation in properties.flat_map(|it| &mut it.violations) {
            violation.is_known = Some(baseline.knows(&violation.fingerprint));
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
            Verdict::Safe(Proof::HappensBefore(_)) => Some("happens-before".to_owned()),
            Verdict::Safe(Proof::Invariant { .. }) => Some("invariant".to_owned()),
            Verdict::Safe(Proof::NothingToCheck) => Some("nothing-to-check".to_owned()),
            Verdict::Safe(Proof::OverApproximation { .. }) => Some("over-approximation".to_owned()),
            Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
        },
        procedure: match verdict {
            Verdict::Safe(Proof::OverApproximation { procedure, .. }) => {
                Some((*procedure).to_owned())
            }
            Verdict::Safe(Proof::SearchUpTo(up_to)) => Some(up_to.to_string()),
            Verdict::Safe(Proof::HappensBefore(_)) => Some(Proof::BY_HAPPENS_BEFORE.to_owned()),
            Verdict::Safe(Proof::Invariant { .. }) => Some(Proof::BY_INVARIANT.to_owned()),
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
                Proof::SearchExhausted(_)
                | Proof::SearchUpTo(_)
                | Proof::HappensBefore(_)
                | Proof::Invariant { .. }
                | Proof::NothingToCheck,
            )
            | Verdict::Unsafe(_)
            | Verdict::Unknown(_) => Vec::new(),
        },
        conditions: report
            .conditions
            .iter()
            .map(|it| condition_data(it, whole))
            .collect(),
        reason: match verdict {
            Verdict::Unknown(reason) => {
                let remedy = reason.remedy_for(report.audited.property());
                Some(reason_data(reason, words.remedy(&remedy), whole))
            }
            Verdict::Safe(_) | Verdict::Unsafe(_) => None,
        },
        trace: report.trace.clone(),
        more_traces: report.more.iter().map(|it| it.trace.clone()).collect(),
        violations: violations(report, whole),
        command: None,
    }
}

impl Baseline {
    /// From a report in JSON.
    ///
    /// # Errors
    ///
    /// Why it is none.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let report: ReportData = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let violations = report.properties.into_iter().flat_map(|it| it.violations);
        Ok(Self::new(violations.map(|it| it.fingerprint).collect()))
    }
}

fn condition_data(condition: &Condition, whole: &Report) -> ConditionData {
    let (what, span) = match condition {
        Condition::No { what, span, .. } => (Some(what.clone()), *span),
        Condition::SequentiallyConsistent => (None, None),
    };
    ConditionData {
        code: condition.code(),
        message: condition.to_string(),
        what,
        place: span
            .filter(|span| whole.sources.knows(*span))
            .map(|span| PlaceData::new(span, &whole.sources)),
    }
}

fn violations(report: &PropertyReport, whole: &Report) -> Vec<KnownData> {
    if !matches!(report.audited.verdict(), Verdict::Unsafe(_)) {
        return Vec::new();
    }
    let more = report.more.iter().map(|it| &it.note);
    let property = report.audited.property();
    let all = report.note.iter().chain(more);
    all.map(|it| &it.diagnostic)
        .map(|it| KnownData {
            message: it.message.clone(),
            fingerprint: fingerprint_of(property, it, &whole.sources),
            is_known: None,
        })
        .collect()
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
