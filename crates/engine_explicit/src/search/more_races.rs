//! Races beyond the first: the search goes on after it, because it ends nothing.
//!
//! A race is told once for each pair of places and each object ([`RaceKey`]). Once nothing else is open, the search goes on for
//! them as long as it took until then, or for so many states if that is more, unless it is asked to look at all.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use raddle_base::saved::{Saved, Sink, Source};
use raddle_diag::Diagnostic;
use raddle_engine::{Events, Note, Property, RaceKey, Remedy, Trace};
use raddle_ir::interpret::Violation;

use crate::Races;

use super::Search;
use super::sightings::Sighting;

/// So many states are explored at least when all that is left is to look for more races.
const FEWEST_EXPANDED: u64 = 2_000;

pub(super) struct MoreRaces {
    races: Races,
    known: BTreeSet<RaceKey>,
    /// All but the first.
    traces: Vec<Trace>,
    /// How many states are explored at most, once nothing else is open.
    until: OnceCell<u64>,
    /// Some may have been seen, but it is not known how they come about.
    misses_some: bool,
}

impl MoreRaces {
    pub(super) fn new(races: Races) -> Self {
        Self {
            races,
            known: BTreeSet::new(),
            traces: Vec::new(),
            until: OnceCell::new(),
            misses_some: false,
        }
    }

    /// The first is known, and others are wanted.
    pub(super) fn are_sought(&self) -> bool {
        !self.known.is_empty() && self.known.len() < self.races.most && !self.misses_some
    }

    /// The same, of a search in which nothing else is open and that has explored so many states.
    pub(super) fn are_worth_it(&self, expanded: u64) -> bool {
        let most = || expanded.saturating_add(expanded.max(FEWEST_EXPANDED));
        self.are_sought() && (self.races.is_patient || expanded < *self.until.get_or_init(most))
    }

    /// It has explored so many states, and that was enough.
    fn are_given_up(&self, expanded: u64) -> bool {
        self.until.get().is_some_and(|most| expanded >= *most)
    }

    /// Takes note of the first.
    pub(super) fn note_first(&mut self, key: RaceKey) {
        self.known.insert(key);
    }

    /// What people should know of a search that ended like this.
    pub(super) fn note(&self, is_whole: bool) -> Option<Note> {
        let is_asked = !self.known.is_empty() && self.races.most > 1;
        (is_asked && !(is_whole && self.are_sought())).then(|| {
            let message = "there may be more races than those that are told";
            Note::new(
                Diagnostic::warning("more-races", message),
                Remedy::MoreRaces,
            )
        })
    }

    pub(super) fn save(&self, sink: &mut Sink) {
        self.known.save(sink);
        self.traces.save(sink);
        self.misses_some.save(sink);
    }

    pub(super) fn load(races: Races, source: &mut Source) -> std::io::Result<Self> {
        Ok(Self {
            known: Saved::load(source)?,
            traces: Saved::load(source)?,
            misses_some: Saved::load(source)?,
            ..Self::new(races)
        })
    }

    /// What another run has found is told again.
    pub(super) fn tell(&self, events: &mut dyn Events) {
        self.traces.iter().for_each(|it| events.also_violated(it));
    }
}

impl Search<'_> {
    /// Whether to go on though nothing is open.
    pub(super) fn seeks_more_races(&self) -> bool {
        let expanded = self.progress.counts.expanded;
        self.findings.more.are_worth_it(expanded)
    }

    pub(super) fn has_given_up_races(&self) -> bool {
        let expanded = self.progress.counts.expanded;
        self.findings.more.are_given_up(expanded)
    }

    /// A race, and not the first one.
    pub(super) fn another_race(
        &mut self,
        race: &Violation,
        place: &Sighting,
        events: &mut dyn Events,
    ) {
        debug_assert_eq!(race.property, Property::Race);
        let key = RaceKey::of(self.setting.program, race);
        if !self.findings.more.are_sought() || self.findings.more.known.contains(&key) {
            return;
        }
        let trace = if self.knowledge.store.has_links() {
            self.trace_to(place, race)
        } else {
            None
        };
        let more = &mut self.findings.more;
        match trace {
            Some(trace) => {
                events.also_violated(&trace);
                more.known.insert(key);
                more.traces.push(trace);
            }
            // A search that begins anew for their sake would take as long again.
            None => more.misses_some = true,
        }
    }
}
