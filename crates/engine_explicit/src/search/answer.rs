//! What a search answers when it is over, or was interrupted.

use raddle_diag::Diagnostic;
use raddle_engine::{Answer, Bound, Counters, EndlessWait, Note, Proof, Reason, UpTo, Verdict};
use raddle_ir::Action;
use raddle_ir::interpret::Property;

use crate::broken_predicates;
use crate::survey::Survey;

use super::Search;
use super::checkpoint::Saver;

impl Search<'_> {
    pub(super) fn answer(mut self, interrupted: Option<&Reason>) -> Answer {
        let counters = self.counters();
        let is_exhaustive = interrupted.is_none() && self.misses_nothing();
        for property in std::mem::take(&mut self.findings.open) {
            let verdict = match (interrupted, &self.findings.cut) {
                (Some(reason), _) => Verdict::Unknown(self.interrupted(property, reason)),
                (None, Some(cut)) => Verdict::Unknown(cut.reason()),
                (None, None) => Verdict::Safe(self.proof()),
            };
            self.findings.verdicts.insert(property, verdict);
        }
        let observes_layout = self.findings.observes_layout;
        let conditions = self.findings.conditions();
        let mut notes = self.notes();
        let is_whole = interrupted.is_none() && !self.has_given_up_races();
        notes.extend(self.findings.more.note(is_whole));
        notes.extend(self.without_exchanges());
        notes.extend(self.unknown_endless_waits().map(Note::from));
        let is_safe = |it: &Verdict| matches!(it, Verdict::Safe(_));
        if is_exhaustive && self.findings.verdicts.values().any(is_safe) {
            notes.extend(self.one_thread().map(Note::from));
        }
        let of_saver = self.progress.saver.iter().flat_map(Saver::notes);
        notes.extend(of_saver.map(Note::from));
        notes.extend(
            interrupted
                .map(|it| self.progress.shortest.warnings(it))
                .unwrap_or_default(),
        );
        drop_in_background(self.knowledge.store);
        Answer {
            verdicts: self.findings.verdicts,
            counters,
            conditions,
            observes_layout,
            notes,
            is_exhaustive,
            ..Answer::default()
        }
    }

    /// Why it is not known whether an open property is violated. That it is not by executions with few preemptions is said only
    /// where nothing else may be left out.
    fn interrupted(&self, property: Property, reason: &Reason) -> Reason {
        let Some(examined) = self.progress.shortest.examined(reason) else {
            return reason.clone();
        };
        if let Some(cut) = &self.findings.cut {
            return cut.reason();
        }
        if let Some(end) = self.findings.first_end() {
            return end;
        }
        if property == Property::Race {
            return self.weakness().unwrap_or(examined);
        }
        if property == Property::Deadlock
            && self.may_be_endless()
            && let Reason::BoundReached(Bound::Preemptions { most, .. }) = examined
        {
            let preemptions = most;
            return Reason::PossibleEndlessWait(EndlessWait::NotLookedFor { preemptions });
        }
        examined
    }

    /// Whether a search that comes to its end has seen all that can happen until executions end or are cut short.
    fn misses_nothing(&self) -> bool {
        !self.findings.skips_values && self.knowledge.store.power().is_none()
    }

    /// Why interleavings are not all that can happen, if something was come across for which they are not.
    pub(super) fn weakness(&self) -> Option<Reason> {
        let part = self.findings.weakness.as_ref()?;
        self.setting.weaknesses.reason(part)
    }

    /// Who finds a program safe that starts threads somewhere may want to know that none of them ever runs.
    fn one_thread(&self) -> Option<Diagnostic> {
        const MESSAGE: &str = "no second thread is ever started in the executions examined";
        let program = self.setting.program;
        let mut edges = program.functions.values().flat_map(|it| it.edges.values());
        let start = edges.find(|it| matches!(it.action, Action::Spawn { .. }))?;
        if self.findings.starts_threads || program.roots.len() > 1 {
            return None;
        }
        let diagnostic = Diagnostic::warning("one-thread", MESSAGE);
        let diagnostic = match start.span {
            Some(span) => diagnostic.at(span, "never reached"),
            None => diagnostic,
        };
        Some(diagnostic.note(
            "arguments, the environment or the sizes of the program may keep it from starting threads",
        ))
    }

    fn proof(&self) -> Proof {
        let reduction = self.setting.engine.reduction;
        let names = self.beliefs.exchanges.is_some();
        let hashes = self.knowledge.store.power();
        if !names && hashes.is_none() {
            return Proof::SearchExhausted(reduction);
        }
        Proof::SearchUpTo(UpTo {
            reduction,
            names,
            hashes,
        })
    }

    /// What is worth knowing though no verdict depends on it.
    fn notes(&self) -> Vec<Note> {
        let mut notes = broken_predicates::warnings(
            self.setting.program,
            &self.beliefs.predicates,
            self.setting.engine.reduction,
        );
        // Where no step is judged, no guess was made about where objects are made.
        let guesses = self.setting.style.grounds.map(|_| &self.beliefs.guesses);
        let orders = self.beliefs.orders.warnings(self.setting.program, guesses);
        notes.extend(orders.into_iter().map(Note::from));
        notes
    }

    pub(super) fn into_survey(mut self, interrupted: Option<Reason>) -> Survey {
        let counters = self.counters();
        let recorder = self.beliefs.recorder.take().unwrap_or_default();
        drop_in_background(self.knowledge.store);
        Survey {
            transactions: recorder.ways.transactions(),
            steps: recorder.steps,
            threads: recorder.threads,
            guesses: self.beliefs.guesses,
            unfinished: interrupted.or_else(|| self.findings.unexplored()),
            counters,
        }
    }

    pub(super) fn counters(&self) -> Counters {
        let mut counters = Counters::from([
            (
                "states",
                u64::try_from(self.knowledge.store.len()).unwrap_or(u64::MAX),
            ),
            ("transitions", self.progress.counts.steps),
            ("store_bytes", self.knowledge.store.bytes() as u64),
            ("transactions", self.progress.counts.transactions),
            ("refinements", self.progress.counts.again),
        ]);
        if !self.setting.program.exclusives.is_empty() {
            let given_up =
                u64::try_from(self.beliefs.predicates.faults().len()).unwrap_or(u64::MAX);
            counters.insert("predicates_given_up", given_up);
        }
        counters
    }
}

/// Giving back the memory of millions of states takes seconds, which a run with a time limit does not have.
pub(super) fn drop_in_background(garbage: impl Send + 'static) {
    std::thread::spawn(move || drop(garbage));
}
