//! What a search has to say so far.

use std::collections::BTreeMap;

use raddle_base::{Span, saved};
use raddle_engine::{Condition, Property, Reason, Verdict, condition};
use raddle_ir::interpret::{StepPart, Stop, Violation};

use crate::setting::Setting;

use super::more_races::MoreRaces;

pub(super) struct Findings {
    /// The properties still open: not violated.
    pub(super) open: Vec<Property>,
    pub(super) verdicts: BTreeMap<Property, Verdict>,
    /// What leaves something unexplored for good.
    pub(super) cut: Option<CutShort>,
    /// What ended executions, the first of each property: what is safe is so up to there.
    pub(super) ended: Vec<Ended>,
    /// Only a few values of some choice were tried.
    pub(super) skips_values: bool,
    pub(super) observes_layout: bool,
    /// Some step was come across that starts a thread.
    pub(super) starts_threads: bool,
    pub(super) more: MoreRaces,
    /// The first step that was come across for which interleavings are not all that can happen.
    pub(super) weakness: Option<StepPart>,
    pub(super) links: LinkPolicy,
}

/// An execution that does not go on.
pub(super) struct CutShort {
    pub(super) stop: Stop,
}

saved!(struct CutShort { stop });

/// A violation that nobody goes past.
pub(super) struct Ended {
    violation: Violation,
    span: Option<Span>,
}

saved!(struct Ended { violation, span });

impl CutShort {
    pub(super) fn reason(&self) -> Reason {
        Reason::from_stop(&self.stop, None)
    }
}

/// Whether it is remembered how states were reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkPolicy {
    Kept,
    /// As long as there are few.
    OfFew,
    /// They were many, and then a violation was found.
    Missed,
}

impl Findings {
    /// An execution does not go on; the first that did not is the one to tell of.
    pub(super) fn cut_short(&mut self, stop: &Stop) {
        self.skips_values |= matches!(stop, Stop::TooManyChoices { .. });
        if self.cut.is_none() {
            let stop = stop.clone();
            self.cut = Some(CutShort { stop });
        }
    }

    pub(super) fn new(setting: &Setting<'_>, asked: &[Property]) -> Self {
        // Which way a transaction took depends on guesses, so it cannot be found again.
        let keeps_links = setting.style.grounds.is_some() || setting.engine.order.counts();
        Self {
            open: asked.to_vec(),
            verdicts: BTreeMap::new(),
            cut: None,
            ended: Vec::new(),
            skips_values: false,
            observes_layout: false,
            starts_threads: false,
            more: MoreRaces::new(setting.engine.races),
            weakness: None,
            links: if keeps_links {
                LinkPolicy::Kept
            } else {
                LinkPolicy::OfFew
            },
        }
    }

    pub(super) fn is_open(&self, property: Property) -> bool {
        self.open.contains(&property)
    }

    /// An execution ended with a violation.
    pub(super) fn ended(&mut self, violation: &Violation, span: Option<Span>) {
        let is_known = |it: &Ended| it.violation.property == violation.property;
        if !self.ended.iter().any(is_known) {
            let violation = violation.clone();
            self.ended.push(Ended { violation, span });
        }
    }

    /// Why something was left unexplored.
    pub(super) fn unexplored(&self) -> Option<Reason> {
        let cut = self.cut.as_ref().map(CutShort::reason);
        cut.or_else(|| self.first_end())
    }

    /// Why nobody knows what would come after some executions.
    pub(super) fn first_end(&self) -> Option<Reason> {
        self.conditions().first().and_then(Condition::reason)
    }

    /// What is safe rests on this.
    pub(super) fn conditions(&self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        for it in &self.ended {
            condition::add(&mut conditions, Condition::met(&it.violation, it.span));
        }
        conditions
    }

    /// Nothing more will be said of a property than this.
    pub(super) fn close(&mut self, property: Property, verdict: Verdict) {
        self.open.retain(|it| *it != property);
        self.verdicts.insert(property, verdict);
    }
}
