//! One run: load, choose, decide, audit.

use std::num::NonZeroUsize;
use std::time::Instant;

use raddle_base::{Budget, SourceMap};
use raddle_certify::{Audited, Rejected};
use raddle_diag::Diagnostic;
use raddle_engine::{Counters, Engine, Events, Reason, Reduction, Silent, Task, Trace, Verdict};
use raddle_engine_reference::ReferenceEngine;
use raddle_engine_static::{StaticEngine, Undefined};
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Property, Semantics, Violation};

use crate::advice::advice;
use crate::findings::{Auditor, Findings};
use crate::load::load;
use crate::report::{Checked, Outcome, PropertyReport, Report};
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
    let outcome = match load(&sources, options) {
        Ok(loaded) => {
            warnings.extend(loaded.warnings);
            findings.has_warnings(&warnings);
            decide(&loaded.program, &sources, options, budget, events, findings)
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
    let mut engine = choose(options);
    let mut checked = Checked {
        engine: engine.name(),
        reduction: engine.reduction(),
        model: program.model,
        c: is_c.then(|| Box::new(options.c.clone())),
        semantics: semantics.clone(),
        seed: options.seed,
        counters: Counters::new(),
        observes_layout: false,
        properties: Vec::new(),
    };
    findings.has_run(checked.clone());
    let mut auditor = Auditor {
        program,
        sources,
        semantics: &semantics,
        engine: engine.name(),
        findings,
        caller: events,
    };
    if options.engine == EngineChoice::Auto {
        match settle(static_engine(options), &task, budget, &mut auditor) {
            Ok(settled) => task.semantics.properties.retain(|it| !settled.contains(it)),
            Err(rejected) => return Outcome::InternalError(rejected.to_string()),
        }
    }
    let mut answer = engine.decide(&task, budget, &mut auditor);
    for &property in &semantics.properties {
        if let Some(report) = findings.decided(property) {
            checked.properties.push(report);
            continue;
        }
        let verdict = answer
            .verdicts
            .remove(&property)
            .unwrap_or(Verdict::Unknown(Reason::NotDecidedByEngine));
        match auditor.audit(property, verdict) {
            Ok(report) => checked.properties.push(report),
            Err(rejected) => return Outcome::InternalError(rejected.to_string()),
        }
    }
    checked.counters = answer.counters;
    checked.observes_layout = answer.observes_layout;
    Outcome::Checked(checked)
}

/// Proves without search what can be proved so; the properties that are settled then.
fn settle(
    mut engine: StaticEngine,
    task: &Task<'_>,
    budget: &Budget,
    auditor: &mut Auditor<'_>,
) -> Result<Vec<Property>, Rejected> {
    let answer = engine.decide(task, budget, &mut Silent);
    let mut settled = Vec::new();
    for (property, verdict) in answer.verdicts {
        if matches!(verdict, Verdict::Safe(_)) {
            let report = auditor.audit_for(engine.name(), property, verdict)?;
            auditor.findings.has_decided(report);
            settled.push(property);
        }
    }
    Ok(settled)
}

fn static_engine(options: &Options) -> StaticEngine {
    StaticEngine {
        undefined: if options.assume_defined {
            Undefined::Assumed
        } else {
            Undefined::Excluded
        },
    }
}

fn choose(options: &Options) -> Box<dyn Engine> {
    match options.engine {
        EngineChoice::Auto | EngineChoice::Reference => Box::new(ReferenceEngine),
        EngineChoice::Static => Box::new(static_engine(options)),
    }
}

/// Every engine with every reduction it has, each once: for comparing them.
pub fn engines() -> Vec<Box<dyn Engine>> {
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for engine in EngineChoice::ALL {
        for reduction in Reduction::ALL {
            let chosen = choose(&Options {
                engine,
                reduction: Some(reduction),
                ..Options::default()
            });
            let is_new = engines
                .iter()
                .all(|it| (it.name(), it.reduction()) != (chosen.name(), chosen.reduction()));
            if is_new {
                engines.push(chosen);
            }
        }
    }
    engines
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
    engine: &'static str,
    audited: Audited,
) -> PropertyReport {
    let (trace, diagnostic) = match audited.verdict() {
        Verdict::Safe(_) => (None, None),
        Verdict::Unsafe(trace) => {
            let interpreter = Interpreter::new(program, semantics.clone());
            let data = raddle_witness::record(&interpreter, sources, trace);
            let mut diagnostic = violation_diagnostic(program, engine, trace);
            diagnostic.helps = advice(&interpreter, sources, trace);
            (Some(data), Some(diagnostic))
        }
        Verdict::Unknown(reason) => (None, reason_diagnostic(reason)),
    };
    PropertyReport {
        audited,
        engine,
        trace,
        diagnostic,
    }
}

fn violation_diagnostic(program: &Program, engine: &str, trace: &Trace) -> Diagnostic {
    labelled(program, &trace.violation).note(format!(
        "{}, {} of thread; found by `{engine}`, trace replayed",
        counted(trace.steps.len(), "step", "steps"),
        counted(trace.switches(), "switch", "switches"),
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
