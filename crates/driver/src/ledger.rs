//! What a run has found so far, for a caller that cannot wait for its end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use raddle_base::{Budget, SourceMap};
use raddle_certify::Audited;
use raddle_diag::Diagnostic;
use raddle_engine::{Counters, EngineId, Events, Outlook, Profile, Reason, Trace, Verdict};
use raddle_ir::Program;
use raddle_ir::interpret::{Property, Semantics};

use crate::Options;
use crate::check::{asked_properties, property_report};
use crate::load::DEFAULT_MODEL;
use crate::merge::{contradiction, says_more};
use crate::plan::Decider;
use crate::profile::{ProfileReport, RunProfile};
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
    /// Safe or unsafe: what runs that have ended say; of those that go on, violations.
    decided: BTreeMap<Property, PropertyReport>,
    /// The best reason that an engine which gave up has given.
    given_up: BTreeMap<Property, PropertyReport>,
    /// Runs that go on side by side.
    running: Vec<Running>,
    rejected: Option<String>,
}

/// A run that need not go on once others have decided all that it could.
#[derive(Debug)]
struct Running {
    engine: EngineId,
    properties: Vec<Property>,
    budget: Budget,
}

impl Findings {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn record_sources(&self, sources: &SourceMap) {
        self.known().sources = sources.clone();
    }

    pub(crate) fn record_warnings(&self, warnings: &[Diagnostic]) {
        self.known().warnings = warnings.to_vec();
    }

    pub(crate) fn warnings(&self) -> Vec<Diagnostic> {
        self.known().warnings.clone()
    }

    /// What an engine warns of.
    pub(crate) fn record_notes(&self, notes: Vec<Diagnostic>) {
        let mut known = self.known();
        let is_deadlock = known
            .decided
            .get(&Property::Deadlock)
            .is_some_and(|it| matches!(it.audited.verdict(), Verdict::Unsafe(_)));
        for note in notes {
            // Who sees the deadlock needs no warning of it, and nobody needs one twice.
            let mut others = known.warnings.iter();
            let is_known = others.any(|it| it.code == note.code && it.message == note.message);
            let is_said = is_deadlock && note.code == "lock-order";
            if !is_known && !is_said {
                known.warnings.push(note);
            }
        }
    }

    /// Takes note of the report as it is before any engine runs.
    pub(crate) fn begin_run(&self, run: Checked) {
        self.known().run = Some(run);
    }

    /// What a run has counted so far.
    pub(crate) fn record_counters(&self, decider: Decider, counters: &Counters) {
        if let Some(run) = &mut self.known().run {
            count(run, decider, counters);
        }
    }

    /// Where the time of a run went that has ended; kept if the report is to tell.
    pub(crate) fn record_profile(&self, run: RunProfile) {
        let mut known = self.known();
        if let Some(profile) = known.run.as_mut().and_then(|it| it.profile.as_mut()) {
            profile.runs.push(run);
        }
    }

    pub(crate) fn profile(&self) -> Option<ProfileReport> {
        self.known().run.as_ref()?.profile.clone()
    }

    /// What is known of a property: decided, or else the best reason for not being so.
    pub(crate) fn found(&self, property: Property) -> Option<PropertyReport> {
        let known = self.known();
        let found = known.decided.get(&property);
        found.or_else(|| known.given_up.get(&property)).cloned()
    }

    /// Who has found it safe or unsafe.
    pub(crate) fn decided_by(&self, property: Property) -> Option<EngineId> {
        Some(self.known().decided.get(&property)?.engine)
    }

    pub(crate) fn is_decided(&self, property: Property) -> bool {
        self.known().decided.contains_key(&property)
    }

    /// The word of what is decided.
    pub(crate) fn verdict_word(&self, property: Property) -> Option<&'static str> {
        Some(
            self.known()
                .decided
                .get(&property)?
                .audited
                .verdict()
                .word(),
        )
    }

    /// Why no verdict follows, if there is such a reason.
    pub(crate) fn rejected(&self) -> Option<String> {
        self.known().rejected.clone()
    }

    /// No verdict follows, for this reason; ends all runs.
    pub(crate) fn reject(&self, message: String) {
        let mut known = self.known();
        known.rejected.get_or_insert(message);
        // Nothing that they could find would be believed.
        for running in &known.running {
            running.budget.cancel();
        }
    }

    /// Takes note that an engine runs, so that its run ends as soon as others have decided all these properties.
    pub(crate) fn register_engine(
        &self,
        engine: EngineId,
        properties: Vec<Property>,
        budget: Budget,
    ) {
        let mut known = self.known();
        known.running.push(Running {
            engine,
            properties,
            budget,
        });
        known.stop_the_needless(None);
    }

    /// What an engine says of a property, audited. The first that decides it is the one who is named.
    pub(crate) fn record_verdict(&self, report: PropertyReport) {
        let property = report.audited.property();
        let mut known = self.known();
        if let Verdict::Unknown(_) = report.audited.verdict() {
            match known.given_up.get(&property) {
                Some(other) if !says_more(&report, other) => {}
                Some(_) | None => {
                    known.given_up.insert(property, report);
                }
            }
            return;
        }
        let engine = report.engine;
        let other = known.decided.get(&property);
        if let Some(message) = other.and_then(|it| contradiction(it, &report)) {
            drop(known);
            self.reject(message);
            return;
        }
        // The same engine may have found a better trace.
        if other.is_none_or(|it| it.engine == engine) {
            known.decided.insert(property, report);
        }
        known.stop_the_needless(Some(engine));
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
                        let late = PropertyReport {
                            audited: Audited::unknown(property, reason.clone()),
                            engine: decider.engine,
                            reduction: decider.reduction,
                            relies_on_search: false,
                            trace: None,
                            diagnostic: None,
                        };
                        match known.given_up.remove(&property) {
                            Some(given_up) if !says_more(&late, &given_up) => given_up,
                            Some(_) | None => late,
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

impl Known {
    /// Cancels the runs that have nothing left to decide; not that of the engine that has just decided.
    fn stop_the_needless(&self, engine: Option<EngineId>) {
        for running in &self.running {
            let mut properties = running.properties.iter();
            if Some(running.engine) != engine && properties.all(|it| self.decided.contains_key(it))
            {
                running.budget.cancel();
            }
        }
    }
}

/// Puts the counters of a run where they belong.
pub(crate) fn count(checked: &mut Checked, decider: Decider, counters: &Counters) {
    let is_his =
        |engine: EngineId, reduction| (engine, reduction) == (decider.engine, decider.reduction);
    if is_his(checked.engine, checked.reduction) {
        checked.counters.clone_from(counters);
        return;
    }
    let others = &mut checked.other_runs;
    match others.iter_mut().find(|it| is_his(it.engine, it.reduction)) {
        Some(run) => run.counters.clone_from(counters),
        None => others.push(RunReport {
            engine: decider.engine,
            reduction: decider.reduction,
            counters: counters.clone(),
        }),
    }
}

fn not_yet_read(options: &Options) -> Checked {
    let properties = asked_properties(options, None);
    let decider = Decider::of_first(options, &properties);
    Checked {
        engine: decider.engine,
        reduction: decider.reduction,
        model: options.data_model.unwrap_or(DEFAULT_MODEL),
        atomic_sets: options.atomic_sets,
        c: None,
        semantics: Semantics {
            properties,
            max_threads: options.max_threads,
            has_spurious_wakeups: options.has_spurious_wakeups,
            has_recycling: options.has_recycling,
            ..Semantics::default()
        },
        seed: options.seed,
        counters: Counters::new(),
        other_runs: Vec::new(),
        observes_layout: false,
        properties: Vec::new(),
        profile: None,
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
            Ok(audited) => self.findings.record_verdict(property_report(
                self.program,
                self.sources,
                self.semantics,
                self.decider,
                audited,
            )),
            Err(rejected) => self.findings.reject(rejected.to_string()),
        }
    }

    /// Takes over all that an engine says about these properties in the end.
    pub(crate) fn audit_all(&self, verdicts: BTreeMap<Property, Verdict>) {
        for (property, verdict) in verdicts {
            // Replayed when it was found, by this engine, or by another that agrees.
            if self.findings.verdict_word(property) != Some(verdict.word()) {
                self.audit(property, verdict);
            }
        }
    }
}

impl Events for Auditor<'_> {
    fn progress(&mut self, counters: &Counters) {
        self.findings.record_counters(self.decider, counters);
        self.caller.progress(counters);
    }

    fn violated(&mut self, trace: &Trace) {
        let property = trace.violation.property;
        let first = self.findings.decided_by(property);
        if first.is_some_and(|it| it != self.decider.engine)
            && self.findings.verdict_word(property) == Some("unsafe")
        {
            return;
        }
        self.audit(property, Verdict::Unsafe(trace.clone()));
        if self.findings.is_decided(property) {
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

#[cfg(test)]
mod tests {
    use raddle_engine::{Proof, Reduction};

    use super::*;
    use crate::{Outcome, check};

    const RACE: &str = "var x: u8\nthread t[2] { x = 1 }\n";

    fn sources() -> SourceMap {
        let mut sources = SourceMap::new();
        sources.add("program.rad", RACE);
        sources
    }

    /// Unsafe, by `explicit`.
    fn violation() -> PropertyReport {
        let options = Options {
            properties: Some(vec![Property::Race]),
            ..Options::default()
        };
        let budget = Budget::unlimited();
        let report = check(sources(), &options, &budget, &mut raddle_engine::Silent);
        let Outcome::Checked(mut checked) = report.outcome else {
            panic!("it is a program");
        };
        checked.properties.remove(0)
    }

    /// Safe, by `bmc`.
    fn proof() -> PropertyReport {
        let program = crate::load(&sources(), &Options::default())
            .expect("it is a program")
            .program;
        let verdict = Verdict::Safe(Proof::SearchExhausted(Reduction::Local));
        let semantics = Semantics::default();
        let audited = Audited::new(&program, &semantics, Property::Race, verdict);
        PropertyReport {
            audited: audited.expect("a search leaves no evidence"),
            engine: EngineId::Bmc,
            reduction: Reduction::Local,
            relies_on_search: false,
            trace: None,
            diagnostic: None,
        }
    }

    #[test]
    fn safe_and_unsafe_is_an_internal_error_that_ends_all_runs() {
        for is_proof_first in [false, true] {
            let findings = Findings::default();
            let budget = Budget::unlimited();
            findings.register_engine(EngineId::Explicit, vec![Property::Leak], budget.clone());
            let mut reports = [violation(), proof()];
            if is_proof_first {
                reports.reverse();
            }
            for report in reports {
                assert_eq!(findings.rejected(), None);
                findings.record_verdict(report);
            }
            let message = findings.rejected().expect("they contradict each other");
            for part in [
                "safe by `bmc` with reduction `local`",
                "unsafe by `explicit` with reduction `optimistic`",
            ] {
                assert!(message.contains(part), "{message}");
            }
            assert!(budget.check_time().is_err(), "nothing would be believed");
        }
    }

    #[test]
    fn a_run_ends_when_others_have_decided_all_that_it_could() {
        let findings = Findings::default();
        let (own, other, third) = (
            Budget::unlimited(),
            Budget::unlimited(),
            Budget::unlimited(),
        );
        findings.register_engine(EngineId::Explicit, vec![Property::Race], own.clone());
        findings.register_engine(EngineId::Bmc, vec![Property::Race], other.clone());
        let more = vec![Property::Race, Property::Leak];
        findings.register_engine(EngineId::Reference, more, third.clone());
        findings.record_verdict(violation());
        assert!(own.check_time().is_ok(), "it knows itself when to end");
        assert!(other.check_time().is_err());
        assert!(third.check_time().is_ok(), "something is open for it");
    }

    #[test]
    fn the_first_who_decides_is_named_and_no_unknown_takes_it_back() {
        let findings = Findings::default();
        findings.record_verdict(violation());
        let unknown = |engine| PropertyReport {
            audited: Audited::unknown(Property::Race, Reason::OutOfTime),
            engine,
            ..proof()
        };
        findings.record_verdict(PropertyReport {
            engine: EngineId::Bmc,
            ..violation()
        });
        findings.record_verdict(unknown(EngineId::Explicit));
        findings.record_verdict(unknown(EngineId::Bmc));
        let found = findings.found(Property::Race).expect("it is decided");
        assert_eq!(
            (found.engine, found.audited.verdict().word()),
            (EngineId::Explicit, "unsafe")
        );
    }
}
