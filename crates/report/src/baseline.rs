//! What an earlier run has told already: violations are known again by their fingerprints.

use std::collections::BTreeSet;

use raddle_base::SourceMap;
use raddle_driver::{Outcome, PropertyReport, Report};
use raddle_engine::Verdict;

use crate::fingerprint::fingerprint_of;

/// The violations of an earlier report.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    known: BTreeSet<String>,
}

/// How many violations a run has found, of those that are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Novelty {
    pub known: usize,
    pub new: usize,
}

impl Baseline {
    pub(crate) fn new(known: BTreeSet<String>) -> Self {
        Self { known }
    }

    pub fn knows(&self, fingerprint: &str) -> bool {
        self.known.contains(fingerprint)
    }

    /// Of a property, what is new: the report without the violations that are known, and how many there are of both.
    pub fn news_of(
        &self,
        report: &PropertyReport,
        sources: &SourceMap,
    ) -> (PropertyReport, Novelty) {
        let mut report = report.clone();
        let property = report.audited.property();
        let (Verdict::Unsafe(_), Some(trace), Some(note)) =
            (report.audited.verdict(), &report.trace, &report.note)
        else {
            return (report, Novelty::default());
        };
        let first = raddle_driver::Finding {
            trace: trace.clone(),
            note: note.clone(),
        };
        let all = std::iter::once(first).chain(std::mem::take(&mut report.more));
        let (known, new): (Vec<_>, Vec<_>) =
            all.partition(|it| self.knows(&fingerprint_of(property, &it.note.diagnostic, sources)));
        let novelty = Novelty {
            known: known.len(),
            new: new.len(),
        };
        let mut new = new.into_iter();
        (report.trace, report.note) = match new.next() {
            Some(first) => (Some(first.trace), Some(first.note)),
            None => (None, None),
        };
        report.more = new.collect();
        (report, novelty)
    }

    /// How many violations of a run are known and how many are new.
    pub fn novelty(&self, report: &Report) -> Novelty {
        let Outcome::Checked(checked) = &report.outcome else {
            return Novelty::default();
        };
        let mut all = Novelty::default();
        for property in &checked.properties {
            let (_, novelty) = self.news_of(property, &report.sources);
            all.known += novelty.known;
            all.new += novelty.new;
        }
        all
    }
}
