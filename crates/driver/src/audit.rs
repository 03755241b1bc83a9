//! Between an engine and the ledger: nothing is entered that its evidence does not show.

use std::collections::BTreeMap;

use raddle_base::{Budget, SourceMap};
use raddle_certify::Audited;
use raddle_engine::{Counters, Events, Outlook, Profile, Trace, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use crate::advice::advice;
use crate::diagnostics;
use crate::ledger::Ledger;
use crate::plan::Decider;
use crate::report::PropertyReport;

/// Audits violations when they are found, so that none is lost if the run must end early.
pub(crate) struct Auditor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a SourceMap,
    pub(crate) semantics: &'a Semantics,
    /// Who runs.
    pub(crate) decider: Decider,
    pub(crate) ledger: &'a Ledger,
    /// For looks at all that can come after an execution.
    pub(crate) budget: &'a Budget,
    pub(crate) caller: &'a mut dyn Events,
    /// What the engine has measured.
    pub(crate) profile: Option<Profile>,
}

impl Auditor<'_> {
    /// Takes over a verdict, if it is what its evidence shows.
    pub(crate) fn audit(&self, property: Property, verdict: Verdict) {
        let (program, semantics) = (self.program, self.semantics);
        match Audited::within(program, semantics, property, verdict, self.budget) {
            Ok(audited) => self.ledger.record_verdict(self.property_report(audited)),
            Err(rejected) => self.ledger.reject(rejected.to_string()),
        }
    }

    /// Takes over all that an engine says about these properties in the end.
    pub(crate) fn audit_all(&self, verdicts: BTreeMap<Property, Verdict>) {
        for (property, verdict) in verdicts {
            // Replayed when it was found, by this engine, or by another that agrees.
            if self.ledger.verdict_word(property) != Some(verdict.word()) {
                self.audit(property, verdict);
            }
        }
    }

    fn property_report(&self, audited: Audited) -> PropertyReport {
        let (trace, diagnostic) = match audited.verdict() {
            Verdict::Safe(_) => (None, None),
            Verdict::Unsafe(trace) => {
                let interpreter = raddle_stepper::definition(self.program, self.semantics.clone());
                let data = raddle_witness::record(&interpreter, self.sources, trace);
                let mut diagnostic = diagnostics::of_trace(self.program, self.decider, trace);
                diagnostic.helps = advice(&interpreter, self.sources, trace);
                (Some(data), Some(diagnostic))
            }
            Verdict::Unknown(reason) => (None, diagnostics::of_reason(reason)),
        };
        PropertyReport {
            audited,
            engine: self.decider.engine,
            reduction: self.decider.reduction,
            relies_on_search: self.decider.relies_on_search,
            trace,
            diagnostic,
        }
    }
}

impl Events for Auditor<'_> {
    fn progress(&mut self, counters: &Counters) {
        self.ledger.record_counters(self.decider, counters);
        self.caller.progress(counters);
    }

    fn violated(&mut self, trace: &Trace) {
        let property = trace.violation.property;
        let first = self.ledger.decided_by(property);
        if first.is_some_and(|it| it != self.decider.engine)
            && self.ledger.verdict_word(property) == Some("unsafe")
        {
            return;
        }
        self.audit(property, Verdict::Unsafe(trace.clone()));
        if self.ledger.is_decided(property) {
            self.caller.violated(trace);
        }
    }

    fn outlook(&mut self, outlook: &dyn Fn() -> Outlook) {
        self.caller.outlook(outlook);
    }

    fn question(&mut self, script: String) {
        self.caller.question(script);
    }

    fn profile(&mut self, profile: Profile) {
        self.profile = Some(profile);
    }
}
