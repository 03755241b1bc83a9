//! What a search knows of states: which there are, of what parts, and what transactions from them come to.
//!
//! Several workers look at it together; the search lends it to them.

use raddle_engine::Property;
use raddle_ir::interpret::{State, ThreadNumber};

use crate::ExplicitEngine;
use crate::ids::{EntryId, NodeId, PartId, StandingId};
use crate::memo::Memo;
use crate::parts::Parts;
use crate::reliances::Reliances;
use crate::setting::Setting;
use crate::standings::{Spot, Standings, is_deadlocked};
use crate::store::{Loaded, Store};

pub(super) struct Knowledge<'p> {
    pub(super) parts: Parts<'p>,
    pub(super) memo: Memo,
    pub(super) standings: Standings,
    pub(super) store: Store,
    /// On which guesses rests what was explored.
    pub(super) reliances: Reliances,
}

impl<'p> Knowledge<'p> {
    /// Nothing is known yet.
    pub(super) fn new(setting: &Setting<'p>) -> Self {
        let store = empty_store(&setting.engine, setting.workers);
        Self::with_store(setting, store)
    }

    /// What a search has while it lends what it knows to others.
    pub(super) fn lent(setting: &Setting<'p>) -> Self {
        Self::with_store(setting, Store::new(false))
    }

    fn with_store(setting: &Setting<'p>, store: Store) -> Self {
        Self {
            parts: Parts::new(setting.program, setting.interpreter.recycling()),
            memo: Memo::default(),
            standings: Standings::default(),
            store,
            reliances: Reliances::default(),
        }
    }

    /// Forgets all states and what became of them; their parts are still numbered.
    pub(super) fn forget_states(&mut self, setting: &Setting<'_>) {
        self.memo.forget();
        self.store = empty_store(&setting.engine, setting.workers);
        self.reliances.clear();
    }

    /// The state that is stored under a number.
    pub(super) fn state_of(&mut self, node: NodeId) -> State {
        let mut loaded = Loaded::default();
        self.store.load(node, &mut loaded);
        self.parts.decode(loaded.vector()).state
    }

    /// The threads of a state.
    pub(super) fn threads_of(&self, node: NodeId) -> Vec<ThreadNumber> {
        let mut loaded = Loaded::default();
        self.store.load(node, &mut loaded);
        let threads = self.parts.threads(loaded.vector());
        threads.iter().map(|(thread, _)| *thread).collect()
    }

    /// Whether a state with these parts, in which threads stand like that, may itself show a violation of an open property. Whether
    /// two of them race is the caller's to say.
    pub(super) fn may_be_violated(
        &self,
        open: &[Property],
        races: bool,
        vector: &[PartId],
        standings: &[(ThreadNumber, StandingId)],
    ) -> bool {
        let is_open = |property| open.contains(&property);
        races
            || is_open(Property::Deadlock)
                && is_deadlocked(standings, &self.standings).unwrap_or(true)
            || is_open(Property::Leak) && self.parts.is_over(vector)
    }

    /// How threads of a state stand, and where.
    fn spotted(
        &self,
        vector: &[PartId],
        standings: &[(ThreadNumber, StandingId)],
    ) -> Vec<(StandingId, Spot)> {
        let slots = self.parts.threads(vector);
        let spot = |thread: ThreadNumber| {
            let (_, slot) = slots.iter().find(|(it, _)| *it == thread)?;
            Some(self.parts.spot(*slot, vector[slot.index()]))
        };
        standings
            .iter()
            .filter_map(|(thread, standing)| Some((*standing, spot(*thread)?)))
            .collect()
    }

    /// Whether two threads of a state may race in a way that was not told.
    pub(super) fn has_untold_race(
        &self,
        vector: &[PartId],
        standings: &[(ThreadNumber, StandingId)],
    ) -> bool {
        // Most states have none, and then nobody asks where threads are.
        self.standings.known_races(standings) != Some(false)
            && self
                .standings
                .has_untold_race(&self.spotted(vector, standings))
    }

    /// All races of a state are told.
    pub(super) fn note_told_races(
        &mut self,
        vector: &[PartId],
        standings: &[(ThreadNumber, StandingId)],
    ) {
        let spotted = self.spotted(vector, standings);
        self.standings.note_told(&spotted);
    }

    /// Whether memory is lost on the way of transactions that are known.
    pub(super) fn loses_memory(&self, entry: EntryId, vector: &[PartId]) -> bool {
        let visited = &self.memo.entry(entry).visited;
        self.parts.lose_memory(vector, visited)
    }
}

fn empty_store(engine: &ExplicitEngine, workers: usize) -> Store {
    if engine.hash_compact {
        Store::of_hashes()
    } else if engine.shares_at_once {
        Store::new(workers > 1).never_packs_anew()
    } else {
        Store::new(workers > 1)
    }
}
