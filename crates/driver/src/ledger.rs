//! The ledger of a run: it alone holds the report under way, and makes the report of a run that has ended as of one that
//! had to be cut short.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use raddle_base::{Budget, SourceMap};
use raddle_certify::Audited;
use raddle_engine::{Condition, Counters, EngineId, Note, RaceKey, Reason, Reduction, Verdict};
use raddle_ir::interpret::{Property, Semantics};

use crate::Options;
use crate::conditions::{Interleaving, settle};
use crate::load::{DEFAULT_MODEL, Loaded};
use crate::merge::{contradiction, says_more};
use crate::plan::Decider;
use crate::profile::{ProfileReport, RunProfile};
use crate::properties::asked_properties;
use crate::report::{Checked, Finding, Outcome, PropertyReport, Report, RunReport};

/// Shared by the thread that checks and the one that waits for it. Holds audited verdicts only.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: Arc<Mutex<Entries>>,
}

#[derive(Debug, Default)]
struct Entries {
    sources: SourceMap,
    warnings: Vec<Note>,
    /// What becomes of a run that has no program.
    refused: Option<Outcome>,
    /// Once the program has been read; without its properties and counters.
    run: Option<Checked>,
    /// What the program does not promise that executions are, besides what is proved of it.
    interleaving: Interleaving,
    /// In the order in which runs were planned, whoever comes first.
    counted: Vec<Counted>,
    /// Safe or unsafe: what runs that have ended say; of those that go on, violations.
    decided: BTreeMap<Property, PropertyReport>,
    /// The best reason that an engine which gave up has given.
    given_up: BTreeMap<Property, PropertyReport>,
    /// Violations beside the first of a property.
    more: BTreeMap<Property, Vec<Finding>>,
    /// Undecided, and no engine that is still to come to its end will say more.
    hopeless: BTreeSet<Property>,
    /// About what only one engine can say more.
    left_to: BTreeMap<Property, EngineId>,
    /// Runs that go on side by side.
    running: Vec<Running>,
    rejected: Option<String>,
    /// All that was here is in a report.
    is_closed: bool,
}

/// What an engine has counted, once it has.
#[derive(Debug)]
struct Counted {
    engine: EngineId,
    reduction: Reduction,
    counters: Option<Counters>,
}

/// A run that need not go on once others have decided all that it could.
#[derive(Debug)]
struct Running {
    engine: EngineId,
    properties: Vec<Property>,
    budget: Budget,
}

/// How a run has ended.
#[derive(Clone, Copy, Debug)]
enum Ending<'a> {
    /// Every engine has said what it had to say.
    Finished,
    /// Something could not be waited for.
    Cut(&'a Reason),
}

impl Ledger {
    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn record_sources(&self, sources: &SourceMap) {
        self.entries().sources = sources.clone();
    }

    /// What readers and compilers warn of.
    pub(crate) fn record_warnings(&self, warnings: Vec<Note>) {
        self.entries().warnings.extend(warnings);
    }

    /// What an engine warns of.
    pub(crate) fn record_notes(&self, notes: Vec<Note>) {
        let mut entries = self.entries();
        let is_deadlock = entries
            .decided
            .get(&Property::Deadlock)
            .is_some_and(|it| matches!(it.audited.verdict(), Verdict::Unsafe(_)));
        for note in notes {
            // Who sees the deadlock needs no warning of it, and nobody needs one twice.
            let said = |it: &Note| (it.diagnostic.code, it.diagnostic.message.clone());
            let mut others = entries.warnings.iter();
            let is_known = others.any(|it| said(it) == said(&note));
            let is_said = is_deadlock && note.diagnostic.code == "lock-order";
            if !is_known && !is_said {
                entries.warnings.push(note);
            }
        }
    }

    /// No engine runs, and this becomes of it.
    pub(crate) fn refuse(&self, outcome: Outcome) {
        self.entries().refused = Some(outcome);
    }

    /// The program has been read, and engines may run.
    pub(crate) fn begin_run(
        &self,
        options: &Options,
        loaded: &Loaded,
        semantics: &Semantics,
        reading: Duration,
    ) {
        let profile = options.measures.then(|| ProfileReport {
            reading,
            runs: Vec::new(),
        });
        self.entries().interleaving = Interleaving::of(&loaded.program);
        self.entries().run = Some(Checked {
            model: loaded.program.model,
            ignored_lines: loaded.program.unraced.len(),
            c: loaded.is_c.then(|| Box::new(options.c.clone())),
            assumptions: loaded.assumptions.clone(),
            profile,
            ..begun(options, semantics.clone())
        });
    }

    /// What a run has counted so far.
    pub(crate) fn record_counters(&self, decider: Decider, counters: &Counters) {
        let mut entries = self.entries();
        let counted = entries.counted_by(decider);
        counted.counters = Some(counters.clone());
    }

    /// Some result depends on how objects are numbered.
    pub(crate) fn record_layout(&self) {
        if let Some(run) = &mut self.entries().run {
            run.observes_layout = true;
        }
    }

    /// Where the time of a run went that has ended; kept if the report is to tell.
    pub(crate) fn record_profile(&self, run: RunProfile) {
        let mut entries = self.entries();
        if let Some(profile) = entries.run.as_mut().and_then(|it| it.profile.as_mut()) {
            profile.runs.push(run);
        }
    }

    /// Who has found it safe or unsafe.
    pub(crate) fn decided_by(&self, property: Property) -> Option<EngineId> {
        Some(self.entries().decided.get(&property)?.engine)
    }

    pub(crate) fn is_decided(&self, property: Property) -> bool {
        self.entries().decided.contains_key(&property)
    }

    /// Whether an engine may still say more of it than is known.
    pub(crate) fn is_open(&self, engine: EngineId, property: Property) -> bool {
        self.entries().is_open(engine, property)
    }

    /// Nobody but this engine can say more about a property: whoever looks for nothing else ends.
    pub(crate) fn leave_to(&self, engine: EngineId, property: Property) {
        let mut entries = self.entries();
        entries.left_to.insert(property, engine);
        entries.stop_the_needless(None);
    }

    /// Of these properties a search has said why they are unknown, and no other search would say more: whoever looks for
    /// nothing else ends.
    pub(crate) fn give_up(&self, properties: &BTreeSet<Property>) {
        let mut entries = self.entries();
        entries.hopeless.extend(properties);
        entries.stop_the_needless(None);
    }

    /// Whether this is so of what is known of a property: that it is decided, or else the best reason why not.
    pub(crate) fn is_known_to(&self, property: Property, be: impl Fn(&Verdict) -> bool) -> bool {
        let entries = self.entries();
        let decided = entries.decided.get(&property);
        let known = decided.or_else(|| entries.given_up.get(&property));
        known.is_some_and(|it| be(it.audited.verdict()))
    }

    /// Whether this is so of a verdict that rests on no condition.
    pub(crate) fn is_without_conditions(
        &self,
        property: Property,
        be: impl Fn(&Verdict) -> bool,
    ) -> bool {
        let entries = self.entries();
        let decided = entries.decided.get(&property);
        decided.is_some_and(|it| it.conditions.is_empty() && be(it.audited.verdict()))
    }

    /// What the verdicts on these properties rest on, if all of them are safe.
    pub(crate) fn proved_under(&self, properties: &[Property]) -> Option<Vec<Condition>> {
        let entries = self.entries();
        let decided = properties.iter().map(|it| entries.decided.get(it).cloned());
        let mut reports: Vec<PropertyReport> = decided.collect::<Option<_>>()?;
        settle(&mut reports, entries.interleaving);
        let is_safe = |it: &PropertyReport| matches!(it.audited.verdict(), Verdict::Safe(_));
        let conditions = reports.iter().flat_map(|it| it.conditions.clone());
        (reports.iter().all(is_safe)).then(|| conditions.collect())
    }

    /// The word of what is decided.
    pub(crate) fn verdict_word(&self, property: Property) -> Option<&'static str> {
        let entries = self.entries();
        Some(entries.decided.get(&property)?.audited.verdict().word())
    }

    /// Why no verdict follows, if there is such a reason.
    pub(crate) fn rejected(&self) -> Option<String> {
        self.entries().rejected.clone()
    }

    /// No verdict follows, for this reason; ends all runs.
    pub(crate) fn reject(&self, message: String) {
        let mut entries = self.entries();
        entries.rejected.get_or_insert(message);
        // Nothing that they could find would be believed.
        for running in &entries.running {
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
        let mut entries = self.entries();
        entries.running.push(Running {
            engine,
            properties,
            budget,
        });
        entries.stop_the_needless(None);
    }

    /// Takes note of a run that is to come: reports list runs in this order.
    pub(crate) fn announce(&self, decider: Decider) {
        self.entries().counted_by(decider);
    }

    /// What an engine says of a property, audited. The first that decides it is the one who is named.
    pub(crate) fn record_verdict(&self, report: PropertyReport) {
        let property = report.audited.property();
        let mut entries = self.entries();
        if let Verdict::Unknown(reason) = report.audited.verdict() {
            let is_c = entries.run.as_ref().is_some_and(|it| it.c.is_some());
            let report = if is_c {
                PropertyReport {
                    audited: Audited::unknown(property, reason.clone().in_c()),
                    ..report
                }
            } else {
                report
            };
            match entries.given_up.get(&property) {
                Some(other) if !says_more(&report, other) => {}
                Some(_) | None => {
                    entries.given_up.insert(property, report);
                }
            }
            return;
        }
        let engine = report.engine;
        let other = entries.decided.get(&property);
        if let Some(message) = other.and_then(|it| contradiction(it, &report)) {
            drop(entries);
            self.reject(message);
            return;
        }
        // The same engine may have found a better trace.
        if other.is_none_or(|it| it.engine == engine) {
            entries.decided.insert(property, report);
        }
        entries.stop_the_needless(Some(engine));
    }

    /// One more violation of a property, replayed.
    pub(crate) fn record_more(&self, property: Property, finding: Finding) {
        let mut entries = self.entries();
        entries.more.entry(property).or_default().push(finding);
    }

    /// The report of a run that has come to its end.
    pub(crate) fn finished(&self, options: &Options, elapsed: Duration) -> Report {
        let taken = self.entries().take();
        taken.report(options, Ending::Finished, elapsed)
    }

    /// The report of a run that gave no answer in time: what was not decided by then is unknown.
    pub fn unfinished(&self, options: &Options, reason: &Reason, elapsed: Duration) -> Report {
        let taken = self.entries().take();
        taken.report(options, Ending::Cut(reason), elapsed)
    }

    /// The same, unless the run has come to its end meanwhile: then its own report is on the way.
    pub fn unfinished_yet(
        &self,
        options: &Options,
        reason: &Reason,
        elapsed: Duration,
    ) -> Option<Report> {
        let mut entries = self.entries();
        if entries.is_closed {
            return None;
        }
        let taken = entries.take();
        drop(entries);
        Some(taken.report(options, Ending::Cut(reason), elapsed))
    }
}

impl Entries {
    /// Takes all entries out, because traces are too large to copy for somebody in a hurry.
    fn take(&mut self) -> Self {
        let closed = Self {
            is_closed: true,
            ..Self::default()
        };
        std::mem::replace(self, closed)
    }

    fn report(self, options: &Options, ending: Ending<'_>, elapsed: Duration) -> Report {
        let mut entries = self;
        let outcome = if let Some(message) = entries.rejected.take() {
            Outcome::InternalError(message)
        } else if let Some(outcome) = entries.refused.take() {
            outcome
        } else {
            Outcome::Checked(entries.checked(options, ending))
        };
        Report {
            sources: entries.sources,
            warnings: entries.warnings,
            outcome,
            elapsed,
        }
    }

    fn counted_by(&mut self, decider: Decider) -> &mut Counted {
        let (engine, reduction) = (decider.engine, decider.reduction);
        let known = self
            .counted
            .iter()
            .position(|it| (it.engine, it.reduction) == (engine, reduction));
        let index = known.unwrap_or(self.counted.len());
        if known.is_none() {
            self.counted.push(Counted {
                engine,
                reduction,
                counters: None,
            });
        }
        &mut self.counted[index]
    }

    /// Whether an engine can say something about a property that is not known.
    fn is_open(&self, engine: EngineId, property: Property) -> bool {
        !self.decided.contains_key(&property)
            && !self.hopeless.contains(&property)
            && self.left_to.get(&property).is_none_or(|it| *it == engine)
    }

    /// Cancels the runs that have nothing left to decide; not that of the engine that has just decided.
    fn stop_the_needless(&self, engine: Option<EngineId>) {
        for running in &self.running {
            let mut properties = running.properties.iter();
            if Some(running.engine) != engine
                && properties.all(|it| !self.is_open(running.engine, *it))
            {
                running.budget.cancel();
            }
        }
    }

    /// Takes the verdicts out.
    fn checked(&mut self, options: &Options, ending: Ending<'_>) -> Checked {
        let mut checked = self.run.take().unwrap_or_else(|| {
            let properties = asked_properties(options, None);
            begun(options, options.semantics(properties))
        });
        for counted in std::mem::take(&mut self.counted) {
            let Some(counters) = counted.counters else {
                continue;
            };
            if (counted.engine, counted.reduction) == (checked.engine, checked.reduction) {
                checked.counters = counters;
            } else {
                checked.other_runs.push(RunReport {
                    engine: counted.engine,
                    reduction: counted.reduction,
                    counters,
                });
            }
        }
        let properties = checked.semantics.properties.iter();
        checked.properties = properties
            .map(|it| self.property(*it, options, ending))
            .collect();
        settle(&mut checked.properties, self.interleaving);
        checked
    }

    fn property(
        &mut self,
        property: Property,
        options: &Options,
        ending: Ending<'_>,
    ) -> PropertyReport {
        if let Some(mut decided) = self.decided.remove(&property) {
            if let Verdict::Unsafe(_) = decided.audited.verdict() {
                decided.more = self.more.remove(&property).unwrap_or_default();
                // Another engine may have been the first to find one of them.
                let first = decided.note.as_ref().map(race_key);
                let is_other = |it: &Finding| Some(race_key(&it.note)) != first;
                decided.more.retain(is_other);
            }
            return decided;
        }
        let given_up = self.given_up.remove(&property);
        match (given_up, ending) {
            (Some(given_up), Ending::Finished) => given_up,
            (Some(given_up), Ending::Cut(reason)) => {
                let late = undecided(property, options, reason);
                if says_more(&late, &given_up) {
                    late
                } else {
                    given_up
                }
            }
            (None, Ending::Cut(reason)) => undecided(property, options, reason),
            // Somebody else has closed the ledger before, and there is no report left to make.
            (None, Ending::Finished) => undecided(property, options, &Reason::Cancelled),
        }
    }
}

fn race_key(Note { diagnostic, .. }: &Note) -> RaceKey {
    let places = diagnostic.labels.iter().map(|it| it.span);
    RaceKey::new(&diagnostic.message, places)
}

/// A property that nobody has said anything about.
fn undecided(property: Property, options: &Options, reason: &Reason) -> PropertyReport {
    let decider = Decider::of(options, property);
    PropertyReport {
        audited: Audited::unknown(property, reason.clone()),
        engine: decider.engine,
        reduction: decider.reduction,
        relies_on_search: false,
        conditions: Vec::new(),
        trace: None,
        note: None,
        more: Vec::new(),
    }
}

/// The report before anything is known but what was asked.
fn begun(options: &Options, semantics: Semantics) -> Checked {
    let decider = Decider::of_first(options, &semantics.properties);
    Checked {
        engine: decider.engine,
        reduction: decider.reduction,
        model: options.data_model.unwrap_or(DEFAULT_MODEL),
        atomic_sets: options.atomic_sets,
        c: None,
        assumptions: Vec::new(),
        semantics,
        seed: options.seed,
        counters: Counters::new(),
        other_runs: Vec::new(),
        observes_layout: false,
        ignored_lines: 0,
        properties: Vec::new(),
        profile: None,
    }
}

#[cfg(test)]
mod tests;
