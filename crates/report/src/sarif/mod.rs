//! Reports as SARIF 2.1.0, the form that code scanning services and editors read.
//!
//! - Rules are the properties.
//! - An unsafe property is a result of level `error`, with its interleaving as a code flow.
//! - An unknown property is a result of kind `open`, which the standard has for provers that cannot decide; its level
//!   must then be `none`.
//! - A safe property is no result, because services show every result as a problem. All verdicts stand in the
//!   property bag of the invocation.
//! - Wrong input and internal errors are notifications, and the invocation is not successful.

mod flow;
mod log;
mod place;

use std::collections::BTreeMap;

use raddle_base::SourceMap;
use raddle_diag::{Diagnostic, DiagnosticData, PlaceData};
use raddle_driver::{Outcome, PropertyReport, Report};
use raddle_engine::{AbstractRole, AbstractStep, Verdict};
use raddle_ir::interpret::Property;

pub use log::Log;

use crate::Commands;
use crate::baseline::Baseline;
use crate::explanation::explanation;
use crate::fingerprint::fingerprint_of;
use crate::json::Timing;
use crate::words::{Words, all_worded, warnings, worded};
use log::{
    Artifact, Configuration, Descriptor, DescriptorReference, Invocation, InvocationBag, Location,
    Notification, ResultBag, RuleBag, Run, SarifResult, Text, Tool, ToolComponent,
};
use place::{artifact, location, message, whole_file};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The version of how fingerprints are made.
const FINGERPRINT: &str = "violation/v1";

impl Log {
    /// Says of each violation whether an earlier report has it.
    pub fn compare(&mut self, baseline: &Baseline) {
        for result in self.runs.iter_mut().flat_map(|it| &mut it.results) {
            let fingerprint = result.partial_fingerprints.get(FINGERPRINT);
            result.baseline_state = fingerprint.map(|it| {
                if baseline.knows(it) {
                    "unchanged"
                } else {
                    "new"
                }
            });
        }
    }

    /// `names` are what the user calls the files: after a hard time-out they may not have been read.
    pub fn new(
        report: &Report,
        names: &[String],
        mut commands: Commands,
        timing: Timing,
        words: &dyn Words,
    ) -> Self {
        let fallback = whole_file(&report.sources, names);
        let mut notes = Notes::default();
        let mut results = Vec::new();
        let mut bag = InvocationBag {
            engine: None,
            reduction: None,
            verdicts: BTreeMap::new(),
            assumptions: Vec::new(),
            seconds: match timing {
                Timing::Shown => Some(report.elapsed.as_secs_f64()),
                Timing::Hidden => None,
            },
        };
        let mut note = |diagnostic: &Diagnostic| {
            let data = DiagnosticData::new(diagnostic, &report.sources);
            notes.add(diagnostic.code, &data);
        };
        warnings(report, words).iter().for_each(&mut note);
        match &report.outcome {
            Outcome::Checked(checked) => {
                bag.engine = Some(checked.engine.name());
                bag.reduction = Some(checked.reduction.to_string());
                bag.assumptions.clone_from(&checked.assumptions);
                for property in &checked.properties {
                    let verdict = property.audited.verdict().word();
                    bag.verdicts
                        .insert(property.audited.property().name(), verdict);
                    let command = commands.of_property.remove(&property.audited.property());
                    for one in one_by_one(property) {
                        let command = command.clone();
                        results.extend(result(&one, command, &report.sources, &fallback, words));
                    }
                }
            }
            Outcome::InputError(notes) => all_worded(notes, words).iter().for_each(note),
            Outcome::Misuse(misuse) => note(&words.misuse(misuse)),
            Outcome::InternalError(text) => notes.add_internal(text),
        }
        let summary = report.summary();
        Self {
            schema: SCHEMA,
            version: "2.1.0",
            runs: vec![Run {
                tool: Tool {
                    driver: ToolComponent {
                        name: "raddle",
                        version: env!("CARGO_PKG_VERSION"),
                        semantic_version: env!("CARGO_PKG_VERSION"),
                        rules: Property::ALL.into_iter().map(rule).collect(),
                        notifications: notes.descriptors,
                    },
                },
                invocations: vec![Invocation {
                    command_line: commands.whole,
                    exit_code: summary.exit_code(),
                    exit_code_description: summary.word(),
                    execution_successful: matches!(report.outcome, Outcome::Checked(_)),
                    tool_execution_notifications: notes.notifications,
                    properties: bag,
                }],
                artifacts: report
                    .sources
                    .files()
                    .map(|(_, file)| Artifact {
                        location: artifact(&file.name),
                        roles: vec!["analysisTarget"],
                    })
                    .collect(),
                column_kind: "unicodeCodePoints",
                results,
            }],
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

/// A property once for each violation.
fn one_by_one(report: &PropertyReport) -> Vec<PropertyReport> {
    let first = PropertyReport {
        more: Vec::new(),
        ..report.clone()
    };
    let more = report.more.iter().map(|it| PropertyReport {
        trace: Some(it.trace.clone()),
        note: Some(it.note.clone()),
        ..first.clone()
    });
    let more: Vec<PropertyReport> = more.collect();
    std::iter::once(first).chain(more).collect()
}

/// Unsafe and unknown properties.
fn result(
    report: &PropertyReport,
    command: Option<String>,
    sources: &SourceMap,
    fallback: &PlaceData,
    words: &dyn Words,
) -> Option<SarifResult> {
    let property = report.audited.property();
    let diagnostic = report
        .note
        .as_ref()
        .map(|it| DiagnosticData::new(&worded(it, words), sources));
    let (kind, level, text, reason) = match report.audited.verdict() {
        Verdict::Safe(_) => return None,
        Verdict::Unsafe(trace) => {
            let text = diagnostic
                .as_ref()
                .map_or_else(|| trace.violation.message.clone(), whole_text);
            ("fail", "error", text, None)
        }
        Verdict::Unknown(reason) => {
            let help = words.remedy(&reason.remedy_for(property));
            let mut text = format!("{property} is unknown: {reason}");
            for step in reason.abstract_steps() {
                if step.role != AbstractRole::Other {
                    text.push_str(&abstract_line(step, sources));
                }
            }
            text = format!("{text}\nhelp: {help}");
            ("open", "none", text, Some(reason.code()))
        }
    };
    let (locations, related_locations) = places(diagnostic.as_ref(), fallback);
    Some(SarifResult {
        rule_id: property.name(),
        rule_index: index_of(property),
        kind,
        level,
        message: message(&text),
        locations,
        related_locations,
        code_flows: report
            .trace
            .as_ref()
            .and_then(|it| flow::code_flow(it, fallback))
            .into_iter()
            .collect(),
        partial_fingerprints: match (report.audited.verdict(), &report.note) {
            (Verdict::Unsafe(_), Some(it)) => BTreeMap::from([(
                FINGERPRINT,
                fingerprint_of(property, &it.diagnostic, sources),
            )]),
            (Verdict::Unsafe(_) | Verdict::Safe(_) | Verdict::Unknown(_), _) => BTreeMap::new(),
        },
        baseline_state: None,
        properties: ResultBag {
            engine: report.engine.name(),
            reduction: report.reduction.name(),
            standing: report.audited.standing().word(),
            reason,
            command,
        },
    })
}

/// A step that only an abstraction of the program is known to have.
fn abstract_line(step: &AbstractStep, sources: &SourceMap) -> String {
    let place = step.span.filter(|it| sources.knows(*it)).map(|span| {
        let place = PlaceData::new(span, sources);
        format!("{}:{}: ", place.file, place.line)
    });
    format!(
        "\n{}{}: {}",
        place.unwrap_or_default(),
        step.process,
        step.text
    )
}

/// The primary place, and the others.
fn places(
    diagnostic: Option<&DiagnosticData>,
    fallback: &PlaceData,
) -> (Vec<Location>, Vec<Location>) {
    let labels = diagnostic.map_or(&[][..], |it| &it.labels);
    let Some((primary, others)) = labels.split_first() else {
        return (vec![location(fallback, None)], vec![]);
    };
    let one = |place: &PlaceData, text: &str| location(place, Some(text));
    let related = others.iter().enumerate().map(|(index, label)| Location {
        id: Some(index + 1),
        ..one(&label.place, &label.text)
    });
    (vec![one(&primary.place, &primary.text)], related.collect())
}

/// What is wrong, who takes part, and what to do.
fn whole_text(diagnostic: &DiagnosticData) -> String {
    let mut lines = vec![diagnostic.message.clone()];
    lines.extend(
        diagnostic
            .labels
            .iter()
            .filter(|label| !label.text.is_empty())
            .map(|label| format!("{}:{}: {}", label.place.file, label.place.line, label.text)),
    );
    lines.extend(diagnostic.notes.iter().map(|it| format!("note: {it}")));
    lines.extend(diagnostic.helps.iter().map(|it| format!("help: {it}")));
    lines.join("\n")
}

fn index_of(property: Property) -> usize {
    Property::ALL
        .iter()
        .position(|it| *it == property)
        .expect("ALL names every property")
}

fn rule(property: Property) -> Descriptor {
    Descriptor {
        properties: Some(RuleBag {
            // Every violation was replayed before it was reported.
            precision: "very-high",
            tags: vec!["correctness", "concurrency"],
        }),
        ..descriptor(property.name())
    }
}

fn descriptor(word: &'static str) -> Descriptor {
    let whole = explanation(word).unwrap_or(word);
    let paragraph = whole.split("\n\n").next().unwrap_or(whole);
    // Without the kind of the word, as in: property `race`:
    let meaning = paragraph
        .split_once(": ")
        .map_or(paragraph, |(_, after)| after)
        .replace('\n', " ");
    let first = meaning.split(". ").next().unwrap_or(&meaning);
    let plain = |text: &str| Text {
        text: text.trim_end_matches('.').to_owned(),
        markdown: None,
    };
    Descriptor {
        id: word,
        short_description: plain(first),
        full_description: plain(&meaning),
        help: Text {
            text: whole.to_owned(),
            // Examples are indented, so the text is Markdown as it is.
            markdown: Some(whole.to_owned()),
        },
        default_configuration: Configuration { level: "error" },
        properties: None,
    }
}

/// Notifications, and what their codes mean.
#[derive(Default)]
struct Notes {
    descriptors: Vec<Descriptor>,
    notifications: Vec<Notification>,
}

impl Notes {
    fn add(&mut self, code: &'static str, data: &DiagnosticData) {
        let locations = data
            .labels
            .iter()
            .map(|label| location(&label.place, Some(&label.text)))
            .collect();
        let level = match data.severity.as_str() {
            "warning" => "warning",
            _ => "error",
        };
        self.push(code, level, &whole_text(data), locations);
    }

    fn add_internal(&mut self, text: &str) {
        let text = format!("internal error, no verdict follows\nnote: {text}");
        self.push("internal", "error", &text, Vec::new());
    }

    fn push(
        &mut self,
        code: &'static str,
        level: &'static str,
        text: &str,
        locations: Vec<Location>,
    ) {
        let known = self.descriptors.iter().position(|it| it.id == code);
        let index = known.unwrap_or_else(|| {
            self.descriptors.push(descriptor(code));
            self.descriptors.len() - 1
        });
        self.notifications.push(Notification {
            descriptor: DescriptorReference { id: code, index },
            level,
            message: message(text),
            locations,
        });
    }
}
