//! What a search has to say so far.

use std::collections::BTreeMap;

use raddle_base::{Span, saved};
use raddle_engine::{Property, Reason, Verdict};
use raddle_ir::interpret::Stop;

use crate::Order;
use crate::setting::Setting;

pub(super) struct Findings {
    /// The properties still open: not violated.
    pub(super) open: Vec<Property>,
    pub(super) verdicts: BTreeMap<Property, Verdict>,
    /// What leaves something unexplored for good.
    pub(super) cut: Option<CutShort>,
    pub(super) observes_layout: bool,
    pub(super) links: LinkPolicy,
}

/// An execution that does not go on.
pub(super) struct CutShort {
    pub(super) stop: Stop,
    /// Where, if it violates something.
    pub(super) span: Option<Span>,
}

saved!(struct CutShort { stop, span });

impl CutShort {
    pub(super) fn reason(&self) -> Reason {
        Reason::from_stop(&self.stop, self.span)
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
    pub(super) fn new(setting: &Setting<'_>, asked: &[Property]) -> Self {
        // Which way a transaction took depends on guesses, so it cannot be found again.
        let keeps_links =
            setting.style.grounds.is_some() || setting.engine.order == Order::FewestSwitches;
        Self {
            open: asked.to_vec(),
            verdicts: BTreeMap::new(),
            cut: None,
            observes_layout: false,
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

    /// Nothing more will be said of a property than this.
    pub(super) fn close(&mut self, property: Property, verdict: Verdict) {
        self.open.retain(|it| *it != property);
        self.verdicts.insert(property, verdict);
    }
}
