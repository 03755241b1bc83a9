//! What a run has found so far, for a caller that cannot wait for its end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use raddle_base::SourceMap;
use raddle_certify::{Audited, Rejected};
use raddle_diag::Diagnostic;
use raddle_engine::{Counters, Events, Reason, Trace, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use crate::Options;
use crate::check::{applicable_properties, property_report};
use crate::load::DEFAULT_MODEL;
use crate::plan::Decider;
use crate::report::{Checked, Outcome, PropertyReport, Report, RunReport};

/// Shared by the thread that checks and the one that waits for it. Holds audited verdicts only.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    sources: SourceMap,
    warnings: Vec<Diagnostic>,
    /// Once the program has been read; without its properties.
    run: Option<Checked>,
    /// What runs that have ended say; of the one that goes on, violations.
    decided: BTreeMap<Property, PropertyReport>,
    rejected: Option<String>,
}

impl Findings {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn has_sources(&self, sources: &SourceMap) {
        self.known().sources = sources.clone();
    }

    pub(crate) fn has_warnings(&self, warnings: &[Diagnostic]) {
        self.known().warnings = warnings.to_vec();
    }

    pub(crate) fn has_run(&self, run: Checked) {
        self.known().run = Some(run);
    }

    /// What a run has counted so far.
    pub(crate) fn has_counted(&self, decider: Decider, counters: &Counters) {
        if let Some(run) = &mut self.known().run {
            count(run, decider, counters);
        }
    }

    /// What is known of a property before the run has ended.
    pub(crate) fn decided(&self, property: Property) -> Option<PropertyReport> {
        self.known().decided.get(&property).cloned()
    }

    pub(crate) fn is_decided(&self, property: Property) -> bool {
        self.known().decided.contains_key(&property)
    }

    pub(crate) fn has_decided(&self, report: PropertyReport) {
        let property = report.audited.property();
        self.known().decided.insert(property, report);
    }

    /// A run that gave no answer in time: what was not decided by then is unknown.
    ///
    /// Takes what is known out, because traces are too large to copy for somebody in a hurry.
    pub fn unfinished(&self, options: &Options, reason: &Reason, elapsed: Duration) -> Report {
        let mut known = std::mem::take(&mut *self.known());
        let outcome = if let Some(message) = known.rejected {
            Outcome::InternalError(message)
        } else {
            let mut checked = known.run.unwrap_or_else(|| not_yet_read(options));
            checked.properties = checked
                .semantics
                .properties
                .iter()
                .map(|&property| {
                    known.decided.remove(&property).unwrap_or_else(|| {
                        let decider = Decider::of(options, property);
                        PropertyReport {
                            audited: Audited::unknown(property, reason.clone()),
                            engine: decider.name(),
                            reduction: decider.reduction,
                            trace: None,
                            diagnostic: None,
                        }
                    })
                })
                .collect();
            Outcome::Checked(checked)
        };
        Report {
            sources: known.sources,
            warnings: known.warnings,
            outcome,
            elapsed,
        }
    }
}

/// Puts the counters of a run where they belong.
pub(crate) fn count(checked: &mut Checked, decider: Decider, counters: &Counters) {
    let is_his =
        |engine: &str, reduction| (engine, reduction) == (decider.name(), decider.reduction);
    if is_his(checked.engine, checked.reduction) {
        checked.counters.clone_from(counters);
        return;
    }
    let others = &mut checked.other_runs;
    match others.iter_mut().find(|it| is_his(it.engine, it.reduction)) {
        Some(run) => run.counters.clone_from(counters),
        None => others.push(RunReport {
            engine: decider.name(),
            reduction: decider.reduction,
            counters: counters.clone(),
        }),
    }
}

fn not_yet_read(options: &Options) -> Checked {
    let properties = options
        .properties
        .clone()
        .unwrap_or_else(|| applicable_properties(None));
    let decider = Decider::of_first(options, &properties);
    Checked {
        engine: decider.name(),
        reduction: decider.reduction,
        model: options.data_model.unwrap_or(DEFAULT_MODEL),
        c: None,
        semantics: Semantics {
            properties,
            max_threads: options.max_threads,
            has_spurious_wakeups: options.has_spurious_wakeups,
            ..Semantics::default()
        },
        seed: options.seed,
        counters: Counters::new(),
        other_runs: Vec::new(),
        observes_layout: false,
        properties: Vec::new(),
    }
}

/// Audits violations when they are found, so that none is lost if the run must end early.
pub(crate) struct Auditor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a SourceMap,
    pub(crate) semantics: &'a Semantics,
    /// Who runs.
    pub(crate) decider: Decider,
    pub(crate) findings: &'a Findings,
    pub(crate) caller: &'a mut dyn Events,
}

impl Auditor<'_> {
    pub(crate) fn audit(
        &self,
        property: Property,
        verdict: Verdict,
    ) -> Result<PropertyReport, Rejected> {
        self.audit_for(self.decider, property, verdict)
    }

    /// The same for a verdict of another engine than the one that runs.
    pub(crate) fn audit_for(
        &self,
        decider: Decider,
        property: Property,
        verdict: Verdict,
    ) -> Result<PropertyReport, Rejected> {
        let audited = Audited::new(self.program, self.semantics, property, verdict)?;
        Ok(property_report(
            self.program,
            self.sources,
            self.semantics,
            decider,
            audited,
        ))
    }
}

impl Events for Auditor<'_> {
    fn progress(&mut self, counters: &Counters) {
        self.findings.has_counted(self.decider, counters);
        self.caller.progress(counters);
    }

    fn violated(&mut self, trace: &Trace) {
        let property = trace.violation.property;
        match self.audit(property, Verdict::Unsafe(trace.clone())) {
            Ok(report) => {
                self.findings.has_decided(report);
                self.caller.violated(trace);
            }
            Err(rejected) => self.findings.known().rejected = Some(rejected.to_string()),
        }
    }
}
