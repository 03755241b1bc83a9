//! One run: load, choose, decide, audit.

use std::num::NonZeroUsize;
use std::time::Instant;

use raddle_base::{Budget, SourceMap};
use raddle_certify::{Audited, Rejected};
use raddle_diag::Diagnostic;
use raddle_engine::{Counters, Engine, Events, Reason, Silent, Task, Trace, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Property, Semantics, Violation};

use crate::advice::advice;
use crate::findings::{Auditor, Findings, count};
use crate::load::load;
use crate::plan::{Decider, plan, static_engine, wrong_engine};
use crate::report::{self, Checked, Outcome, PropertyReport, Report};
use crate::{EngineChoice, Options, Sources};

/// Decides the properties of the program that the sources make up together.
///
/// The budget is the caller's: `options.timeout` and `options.memory_limit` tell what it was, for reports.
pub fn check(
    sources: impl Into<Sources>,
    options: &Options,
    budget: &Budget,
    events: &mut dyn Events,
) -> Report {
    check_watched(
        sources.into(),
        options,
        budget,
        events,
        &Findings::default(),
    )
}

/// The same for a caller that may have to end the run early: what is certain is in `findings` from the moment it
/// is found.
pub fn check_watched(
    sources: Sources,
    options: &Options,
    budget: &Budget,
    events: &mut dyn Events,
    findings: &Findings,
) -> Report {
    let begin = Instant::now();
    let Sources {
        map: sources,
        mut warnings,
    } = sources;
    findings.has_sources(&sources);
    let loaded = match wrong_engine(options) {
        Some(diagnostic) => Err(vec![diagnostic]),
        None => load(&sources, options),
    };
    let outcome = match loaded {
        Ok(loaded) => {
            warnings.extend(loaded.warnings);
            findings.has_warnings(&warnings);
            let program = &loaded.program;
            let mut notes = Notes {
                known: &mut warnings,
                findings,
            };
            decide(
                program, &sources, options, budget, events, findings, &mut notes,
            )
        }
        Err(diagnostics) => Outcome::InputError(diagnostics),
    };
    Report {
        sources,
        warnings,
        outcome,
        elapsed: begin.elapsed(),
    }
}

fn decide(
    program: &Program,
    sources: &SourceMap,
    options: &Options,
    budget: &Budget,
    events: &mut dyn Events,
    findings: &Findings,
    notes: &mut Notes<'_>,
) -> Outcome {
    let mut properties = options
        .properties
        .clone()
        .unwrap_or_else(|| applicable_properties(Some(program)));
    properties.sort_unstable();
    properties.dedup();
    let is_c = sources.files().any(|(_, file)| file.is_preprocessed());
    let semantics = Semantics {
        properties,
        max_threads: options.max_threads,
        // POSIX allows it.
        has_spurious_wakeups: options.has_spurious_wakeups || is_c,
        ..Semantics::default()
    };
    let mut task = Task {
        program,
        semantics: semantics.clone(),
        seed: options.seed,
        jobs: options.jobs.map_or_else(all_cores, NonZeroUsize::get),
    };
    let first = Decider::of_first(options, &semantics.properties);
    let mut checked = Checked {
        engine: first.name(),
        reduction: first.reduction,
        model: program.model,
        c: is_c.then(|| Box::new(options.c.clone())),
        semantics: semantics.clone(),
        seed: options.seed,
        counters: Counters::new(),
        other_runs: Vec::new(),
        observes_layout: false,
        properties: Vec::new(),
    };
    findings.has_run(checked.clone());
    let mut auditor = Auditor {
        program,
        sources,
        semantics: &semantics,
        decider: first,
        findings,
        caller: events,
    };
    if options.engine == EngineChoice::Auto
        && let Err(rejected) = settle(options, &task, budget, &mut auditor)
    {
        return Outcome::InternalError(rejected.to_string());
    }
    let open: Vec<Property> = semantics
        .properties
        .iter()
        .copied()
        .filter(|it| !findings.is_decided(*it))
        .collect();
    for part in plan(options, &open) {
        auditor.decider = part.decider;
        task.semantics.properties.clone_from(&part.properties);
        let mut engine = part.decider.engine(options);
        let mut answer = engine.decide(&task, budget, &mut auditor);
        for property in part.properties {
            if findings.is_decided(property) {
                continue;
            }
            let verdict = answer
                .verdicts
                .remove(&property)
                .unwrap_or(Verdict::Unknown(Reason::NotDecidedByEngine));
            match auditor.audit(property, verdict) {
                // What has been decided is not lost if a later run must end early.
                Ok(report) => findings.has_decided(report),
                Err(rejected) => return Outcome::InternalError(rejected.to_string()),
            }
        }
        count(&mut checked, part.decider, &answer.counters);
        findings.has_counted(part.decider, &answer.counters);
        checked.observes_layout |= answer.observes_layout;
        notes.add(answer.notes);
    }
    checked.properties = semantics
        .properties
        .iter()
        .filter_map(|it| findings.decided(*it))
        .collect();
    Outcome::Checked(checked)
}

/// The warnings of a run.
struct Notes<'a> {
    known: &'a mut Vec<Diagnostic>,
    findings: &'a Findings,
}

impl Notes<'_> {
    /// Takes over what an engine warns of.
    fn add(&mut self, notes: Vec<Diagnostic>) {
        let is_deadlock = self
            .findings
            .decided(Property::Deadlock)
            .is_some_and(|it| matches!(it.audited.verdict(), Verdict::Unsafe(_)));
        for note in notes {
            // Who sees the deadlock needs no warning of it, and nobody needs one twice.
            let is_known = self
                .known
                .iter()
                .any(|it| it.code == note.code && it.message == note.message);
            let is_said = is_deadlock && note.code == "lock-order";
            if !is_known && !is_said {
                self.known.push(note);
            }
        }
        self.findings.has_warnings(self.known);
    }
}

/// Proves without search what can be proved so.
fn settle(
    options: &Options,
    task: &Task<'_>,
    budget: &Budget,
    auditor: &mut Auditor<'_>,
) -> Result<(), Rejected> {
    let mut engine = static_engine(options);
    let answer = engine.decide(task, budget, &mut Silent);
    for (property, verdict) in answer.verdicts {
        if matches!(verdict, Verdict::Safe(_)) {
            let report = auditor.audit_for(Decider::without_search(), property, verdict)?;
            auditor.findings.has_decided(report);
        }
    }
    Ok(())
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The properties checked by default: all but `leak` and `overflow`, which many correct programs violate, and
/// those that the program says nothing about.
pub fn applicable_properties(program: Option<&Program>) -> Vec<Property> {
    Property::ALL
        .into_iter()
        .filter(|property| match property {
            Property::Assert
            | Property::Race
            | Property::Deadlock
            | Property::Memory
            | Property::LockMisuse => true,
            Property::Leak | Property::Overflow => false,
            Property::Invariant => program.is_some_and(|it| !it.invariants.is_empty()),
            Property::AtomicSets => program.is_some_and(|it| !it.atomic_sets.is_empty()),
        })
        .collect()
}

pub(crate) fn property_report(
    program: &Program,
    sources: &SourceMap,
    semantics: &Semantics,
    decider: Decider,
    audited: Audited,
) -> PropertyReport {
    let (trace, diagnostic) = match audited.verdict() {
        Verdict::Safe(_) => (None, None),
        Verdict::Unsafe(trace) => {
            let interpreter = Interpreter::new(program, semantics.clone());
            let data = raddle_witness::record(&interpreter, sources, trace);
            let mut diagnostic = violation_diagnostic(program, decider, trace);
            diagnostic.helps = advice(&interpreter, sources, trace);
            (Some(data), Some(diagnostic))
        }
        Verdict::Unknown(reason) => (None, reason_diagnostic(reason)),
    };
    PropertyReport {
        audited,
        engine: decider.name(),
        reduction: decider.reduction,
        trace,
        diagnostic,
    }
}

fn violation_diagnostic(program: &Program, decider: Decider, trace: &Trace) -> Diagnostic {
    labelled(program, &trace.violation).note(format!(
        "{}, {} of thread; found by {}, trace replayed",
        counted(trace.steps.len(), "step", "steps"),
        counted(trace.switches(), "switch", "switches"),
        report::decider(decider.name(), decider.reduction),
    ))
}

/// The violation with its participants at their places.
pub(crate) fn labelled(program: &Program, violation: &Violation) -> Diagnostic {
    let mut diagnostic = Diagnostic::error(violation.property.name(), violation.message.clone());
    for label in &violation.labels {
        diagnostic = match program.edge(label.function, label.edge).span {
            Some(span) => diagnostic.at(span, label.text.clone()),
            None => diagnostic.note(format!(
                "in `{}`: {}",
                program.functions[label.function].name, label.text
            )),
        };
    }
    if let Some((span, text)) = &violation.span {
        diagnostic = diagnostic.at(*span, text.clone());
    }
    diagnostic
}

/// Only reasons that lie at some place need one; the others are said in the summary.
fn reason_diagnostic(reason: &Reason) -> Option<Diagnostic> {
    let span = reason.span()?;
    Some(
        Diagnostic::warning(reason.code(), reason.to_string())
            .at(span, "here")
            .help(reason.help()),
    )
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
