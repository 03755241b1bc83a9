//! One run: load, choose, decide, audit.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use raddle_base::{Budget, SourceMap};
use raddle_certify::Audited;
use raddle_diag::Diagnostic;
use raddle_engine::{Counters, Events, Proof, Reason, Silent, Task, Trace, UpTo, Verdict, settled};
use raddle_engine_wpds::given::resolve::Given;
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Property, Semantics, Violation};

use crate::advice::advice;
use crate::automata::read_automata;
use crate::findings::{Findings, count};
use crate::load::load;
use crate::plan::{Decider, Part, apart, plan, plan_of_bmc, wrong_bound, wrong_engine};
use crate::portfolio::{self, Plans};
use crate::profile::{ProfileReport, RunProfile};
use crate::report::{self, Checked, Outcome, PropertyReport, Report};
use crate::runs::{Job, Ran};
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
        map: mut sources,
        mut warnings,
    } = sources;
    findings.record_sources(&sources);
    let loaded = match wrong_engine(options) {
        Some(diagnostic) => Err(vec![diagnostic]),
        None => load(&sources, options),
    };
    let outcome = match loaded {
        Ok(loaded) => {
            warnings.extend(loaded.warnings);
            findings.record_warnings(&warnings);
            let program = &loaded.program;
            let automata = match wrong_bound(options, program) {
                Some(diagnostic) => Err(vec![diagnostic]),
                None => read_automata(&options.automata, program, &mut sources),
            };
            match automata {
                Ok(automata) => {
                    findings.record_sources(&sources);
                    let asked = Asked {
                        options,
                        automata: &automata,
                        reading: begin.elapsed(),
                    };
                    let outcome = decide(program, &sources, &asked, budget, events, findings);
                    warnings = findings.warnings();
                    outcome
                }
                Err(diagnostics) => Outcome::InputError(diagnostics),
            }
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

/// What is asked of the program.
struct Asked<'a> {
    options: &'a Options,
    /// Those that the options name.
    automata: &'a [Given],
    /// What it took to get so far.
    reading: Duration,
}

fn decide(
    program: &Program,
    sources: &SourceMap,
    &Asked {
        options,
        automata,
        reading,
    }: &Asked<'_>,
    budget: &Budget,
    events: &mut dyn Events,
    findings: &Findings,
) -> Outcome {
    let properties = asked_properties(options, Some(program));
    let is_c = sources.files().any(|(_, file)| file.is_preprocessed());
    let semantics = Semantics {
        properties,
        max_threads: options.max_threads,
        // POSIX allows it.
        has_spurious_wakeups: options.has_spurious_wakeups || is_c,
        has_recycling: options.has_recycling,
        ..Semantics::default()
    };
    let task = Task {
        program,
        semantics: semantics.clone(),
        seed: options.seed,
        jobs: options.jobs.map_or_else(all_cores, NonZeroUsize::get),
    };
    let first = Decider::of_first(options, &semantics.properties);
    let mut checked = Checked {
        engine: first.engine,
        reduction: first.reduction,
        model: program.model,
        atomic_sets: options.atomic_sets,
        c: is_c.then(|| Box::new(options.c.clone())),
        semantics: semantics.clone(),
        seed: options.seed,
        counters: Counters::new(),
        other_runs: Vec::new(),
        observes_layout: false,
        properties: Vec::new(),
        profile: options.measures.then(|| ProfileReport {
            reading,
            runs: Vec::new(),
        }),
    };
    findings.begin_run(checked.clone());
    let job = Job {
        task,
        sources,
        options,
        automata,
        findings,
    };
    let is_free = options.engine == EngineChoice::Auto;
    if is_free {
        settle(&job, budget);
    }
    let open: Vec<Property> = semantics
        .properties
        .iter()
        .copied()
        .filter(|it| !findings.is_decided(*it))
        .collect();
    let parts = plan(options, &open);
    let mut runs = if is_free {
        let (pushdown, explicit) = apart(parts);
        let bmc = plan_of_bmc(options, &open);
        let plans = Plans {
            explicit,
            bmc,
            pushdown,
        };
        portfolio::run(&job, plans, budget, events)
    } else {
        job.run_all(parts, budget, events)
    };
    if is_free && needs_only_definedness(findings, &semantics.properties) {
        let part = Part {
            decider: Decider::of_units_after_search(),
            properties: vec![Property::AtomicSets],
        };
        runs.extend(job.run_all(vec![part], budget, events));
    }
    if let Some(message) = findings.rejected() {
        return Outcome::InternalError(message);
    }
    for Ran {
        decider,
        counters,
        observes_layout,
    } in runs
    {
        count(&mut checked, decider, &counters);
        checked.observes_layout |= observes_layout;
    }
    checked.properties = semantics
        .properties
        .iter()
        .filter_map(|it| findings.found(*it))
        .collect();
    forget_checkpoints(options, &checked);
    checked.profile = findings.profile();
    Outcome::Checked(checked)
}

/// What was left to go on later is of no use when everything has been done that could be.
fn forget_checkpoints(options: &Options, checked: &Checked) {
    let is_unfinished = |it: &PropertyReport| {
        matches!(
            it.audited.verdict(),
            Verdict::Unknown(Reason::OutOfTime | Reason::OutOfMemory | Reason::Cancelled)
        )
    };
    if let Some(folder) = &options.explicit.checkpoint
        && !checked.properties.iter().any(is_unfinished)
    {
        // Should it not work, the next run in this folder ends at once or begins anew.
        let _ = raddle_engine_explicit::remove_checkpoints(folder);
    }
}

/// Proves without search what can be proved so.
fn settle(job: &Job<'_>, budget: &Budget) {
    let begin = Instant::now();
    let prover = Decider::without_search();
    let mut engine = prover.engine(job.options, job.automata);
    let mut task = job.task.clone();
    task.semantics.properties.retain(|it| engine.decides(*it));
    let answer = raddle_engine::decide(engine.as_mut(), &task, budget, &mut Silent);
    job.findings
        .record_profile(RunProfile::new(prover, begin.elapsed()));
    note_safe(job, prover, budget, answer.verdicts);
    let units = Decider::of_units();
    let engine = units.engine(job.options, job.automata);
    note_safe(job, units, budget, settled(engine.as_ref(), &job.task));
}

fn note_safe(
    job: &Job<'_>,
    decider: Decider,
    budget: &Budget,
    verdicts: BTreeMap<Property, Verdict>,
) {
    let mut nobody = Silent;
    let auditor = job.auditor(decider, budget, &mut nobody);
    for (property, verdict) in verdicts {
        if matches!(verdict, Verdict::Safe(_)) {
            auditor.audit(property, verdict);
        }
    }
}

/// Whether units of work are in order unless something undefined happens, and a search that came to its end has shown
/// that nothing does: had it met anything undefined, it would have called nothing safe.
fn needs_only_definedness(findings: &Findings, properties: &[Property]) -> bool {
    let verdict = |property: Property| findings.found(property).map(|it| it.audited);
    let is_open = verdict(Property::AtomicSets).is_some_and(|it| {
        matches!(
            it.verdict(),
            Verdict::Unknown(Reason::UndefinedNotExcluded { .. })
        )
    });
    let is_searched = |property: &Property| {
        verdict(*property).is_some_and(|it| {
            matches!(
                it.verdict(),
                Verdict::Safe(
                    Proof::SearchExhausted(_) | Proof::SearchUpTo(UpTo { hashes: None, .. })
                )
            )
        })
    };
    is_open && properties.iter().any(is_searched)
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The properties to decide, sorted.
pub(crate) fn asked_properties(options: &Options, program: Option<&Program>) -> Vec<Property> {
    let mut properties = options
        .properties
        .clone()
        .unwrap_or_else(|| applicable_properties(program));
    // Who asks for sets or automata asks for what is said of them.
    if options.atomic_sets.is_some() || !options.automata.is_empty() {
        properties.push(Property::AtomicSets);
    }
    properties.sort_unstable();
    properties.dedup();
    properties
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
        Verdict::Unknown(reason) => (None, reason_diagnostic(reason, audited.property())),
    };
    PropertyReport {
        audited,
        engine: decider.engine,
        reduction: decider.reduction,
        relies_on_search: decider.relies_on_search,
        trace,
        diagnostic,
    }
}

fn violation_diagnostic(program: &Program, decider: Decider, trace: &Trace) -> Diagnostic {
    labelled(program, &trace.violation).note(format!(
        "{}, {} of thread; found by {}, trace replayed",
        counted(trace.steps.len(), "step", "steps"),
        counted(trace.switches(), "switch", "switches"),
        report::decider(decider.engine, decider.reduction),
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
fn reason_diagnostic(reason: &Reason, property: Property) -> Option<Diagnostic> {
    let span = reason.span()?;
    Some(
        Diagnostic::warning(reason.code(), reason.to_string())
            .at(span, "here")
            .help(reason.help_for(property)),
    )
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
