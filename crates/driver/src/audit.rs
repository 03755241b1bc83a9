//! Between an engine and the ledger: nothing is entered that its evidence does not show.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Budget, SourceMap};
use raddle_certify::Audited;
use raddle_engine::{
    Answer, Condition, Counters, Events, Note, Outlook, Profile, Proof, Trace, Verdict,
};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};
use raddle_minimise::Effort;
use raddle_witness::{FoundData, TraceData};

use crate::advice::advised;
use crate::conditions::Terms;
use crate::diagnostics;
use crate::ledger::Ledger;
use crate::plan::Decider;
use crate::report::{Finding, PropertyReport};

/// Audits violations when they are found, so that none is lost if the run must end early.
pub(crate) struct Auditor<'a> {
    pub(crate) program: &'a Program,
    pub(crate) sources: &'a SourceMap,
    pub(crate) semantics: &'a Semantics,
    /// Who runs.
    pub(crate) decider: Decider,
    pub(crate) ledger: &'a Ledger,
    /// Which conditions verdicts may rest on.
    pub(crate) terms: Terms,
    /// How many executions may be tried to cut the first violation of a property to its core, and all others together.
    pub(crate) minimising_replays: usize,
    pub(crate) replays_for_more: usize,
    /// For looks at all that can come after an execution.
    pub(crate) budget: &'a Budget,
    pub(crate) caller: &'a mut dyn Events,
    /// What the engine has measured.
    pub(crate) profile: Option<Profile>,
}

impl Auditor<'_> {
    /// Takes over a verdict, if it is what its evidence shows, with what it rests on if it is safe.
    pub(crate) fn audit(&mut self, property: Property, verdict: Verdict, conditions: &[Condition]) {
        let conditions = match &verdict {
            Verdict::Safe(Proof::NothingToCheck) | Verdict::Unsafe(_) | Verdict::Unknown(_) => &[],
            Verdict::Safe(
                Proof::SearchExhausted(_)
                | Proof::SearchUpTo(_)
                | Proof::HappensBefore(_)
                | Proof::Invariant { .. }
                | Proof::OverApproximation { .. },
            ) => conditions,
        };
        let (verdict, conditions) = match self.terms.refused(conditions) {
            Some(reason) => (Verdict::Unknown(reason), &[][..]),
            None => (verdict, conditions),
        };
        let (program, semantics) = (self.program, self.semantics);
        let was_decided = self.ledger.is_decided(property);
        match Audited::within(program, semantics, property, verdict.clone(), self.budget) {
            Ok(audited) => {
                let report = self.property_report(audited, conditions, None);
                self.ledger.record_verdict(report);
            }
            Err(rejected) => self.ledger.reject(rejected.to_string()),
        }
        if !was_decided && let Some(word) = self.ledger.verdict_word(property) {
            self.caller.decided(property, word);
        }
        if let Verdict::Unsafe(trace) = verdict
            && self.ledger.decided_by(property) == Some(self.decider.engine)
        {
            self.show_the_core(&trace);
        }
    }

    /// Cuts what was recorded to its core, now that it cannot be lost any more.
    fn show_the_core(&mut self, trace: &Trace) {
        if let Some(core) = self.core(trace, self.minimising_replays).smaller {
            let report = self.property_report(core.audited, &[], Some(length(trace)));
            self.ledger.record_verdict(report);
        }
    }

    /// The core of an execution, if it is smaller, audited like any other.
    fn core(&self, trace: &Trace, replays: usize) -> Cut {
        let (program, semantics) = (self.program, self.semantics);
        // It is soon done, and no other engine that has decided the rest makes it end earlier.
        let may_go_on = || self.budget.time_left().is_none_or(|it| !it.is_zero());
        let effort = Effort::of_replays(replays);
        let cut = raddle_minimise::minimise(program, semantics, trace, effort, &may_go_on);
        let mut smaller = None;
        if cut.trace != *trace {
            let property = trace.violation.property;
            let verdict = Verdict::Unsafe(cut.trace.clone());
            let audited = Audited::within(program, semantics, property, verdict, self.budget);
            debug_assert!(audited.is_ok(), "{audited:?}");
            // If there is no time left to make sure, what was found is as good.
            let audited = audited.ok();
            smaller = audited
                .filter(|it| matches!(it.verdict(), Verdict::Unsafe(_)))
                .map(|audited| Core {
                    audited,
                    trace: cut.trace,
                });
        }
        Cut {
            smaller,
            replays: cut.replays,
        }
    }

    /// Takes over all that an engine says about these properties in the end.
    fn audit_all(&mut self, verdicts: &BTreeMap<Property, Verdict>, conditions: &[Condition]) {
        for (&property, verdict) in verdicts {
            // Replayed when it was found, by this engine, or by another that agrees.
            if self.ledger.verdict_word(property) != Some(verdict.word()) {
                self.audit(property, verdict.clone(), conditions);
            }
        }
    }

    /// What is unknown whoever looks.
    fn unknown_for_good(&self, answer: &Answer) -> BTreeSet<Property> {
        let mut unknown = answer.unknown_for_good.clone();
        if answer.is_exhaustive && self.terms.refused(&answer.conditions).is_some() {
            // Whoever looks at all executions comes to those ends too.
            let safe = answer.verdicts.iter();
            let safe = safe.filter(|(_, it)| matches!(it, Verdict::Safe(_)));
            unknown.extend(safe.map(|(property, _)| *property));
        }
        unknown
    }

    fn property_report(
        &self,
        audited: Audited,
        conditions: &[Condition],
        found: Option<FoundData>,
    ) -> PropertyReport {
        let (trace, note) = match audited.verdict() {
            Verdict::Safe(_) => (None, None),
            Verdict::Unsafe(trace) => {
                let finding = self.finding(trace, found);
                (Some(finding.trace), Some(finding.note))
            }
            Verdict::Unknown(reason) => (None, diagnostics::of_reason(reason).map(Note::from)),
        };
        PropertyReport {
            audited,
            engine: self.decider.engine,
            reduction: self.decider.reduction,
            relies_on_search: self.decider.relies_on_search,
            conditions: conditions.to_vec(),
            trace,
            note,
            more: Vec::new(),
        }
    }

    /// What is told of an execution that shows a violation, and of the longer one that it is the core of: here a trace becomes
    /// what is printed.
    fn finding(&self, trace: &Trace, found: Option<FoundData>) -> Finding {
        let interpreter = raddle_stepper::definition(self.program, self.semantics.clone());
        let diagnostic = diagnostics::of_trace(self.program, self.decider, trace, found);
        Finding {
            trace: TraceData {
                found,
                ..raddle_witness::record(&interpreter, self.sources, trace)
            },
            note: advised(diagnostic, &interpreter, self.sources, trace),
        }
    }
}

/// What became of an execution that was cut to its core.
struct Cut {
    smaller: Option<Core>,
    replays: usize,
}

struct Core {
    audited: Audited,
    trace: Trace,
}

fn length(trace: &Trace) -> FoundData {
    FoundData {
        steps: trace.steps.len(),
        switches: trace.switches(),
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
        self.audit(property, Verdict::Unsafe(trace.clone()), &[]);
        if self.ledger.is_decided(property) {
            self.caller.violated(trace);
        }
    }

    fn also_violated(&mut self, trace: &Trace) {
        let property = trace.violation.property;
        let verdict = Verdict::Unsafe(trace.clone());
        let (program, semantics) = (self.program, self.semantics);
        match Audited::within(program, semantics, property, verdict, self.budget) {
            Ok(audited) if matches!(audited.verdict(), Verdict::Unsafe(_)) => {
                let cut = self.core(trace, self.replays_for_more);
                self.replays_for_more -= cut.replays;
                let finding = match &cut.smaller {
                    Some(core) => self.finding(&core.trace, Some(length(trace))),
                    None => self.finding(trace, None),
                };
                self.ledger.record_more(property, finding);
            }
            // There was no time to make sure.
            Ok(_) => {}
            Err(rejected) => self.ledger.reject(rejected.to_string()),
        }
    }

    fn outlook(&mut self, outlook: &dyn Fn() -> Outlook) {
        self.caller.outlook(outlook);
    }

    fn decided(&mut self, property: Property, word: &'static str) {
        self.caller.decided(property, word);
    }

    fn answered(&mut self, answer: &Answer) {
        self.audit_all(&answer.verdicts, &answer.conditions);
        self.ledger.give_up(&self.unknown_for_good(answer));
        if let Some(property) = answer.goes_on_with {
            self.ledger.leave_to(self.decider.engine, property);
        }
        self.ledger.record_counters(self.decider, &answer.counters);
        self.ledger.record_notes(answer.notes.clone());
        if answer.observes_layout {
            self.ledger.record_layout();
        }
    }

    fn question(&mut self, script: String) {
        self.caller.question(script);
    }

    fn profile(&mut self, profile: Profile) {
        self.profile = Some(profile);
    }
}
