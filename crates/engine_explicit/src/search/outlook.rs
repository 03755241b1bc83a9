//! What a search tells about itself: how far it has come, and where its time went.

use raddle_engine::{Events, Outlook, Profile};

use super::Search;

impl Search<'_> {
    /// Tells how far the search has come.
    pub(super) fn tell(&mut self, events: &mut dyn Events) {
        let waiting = self.frontier.len() as u64;
        self.estimate.note(self.counts.expanded, waiting);
        events.outlook(&|| Outlook {
            states: self.store.len() as u64,
            depth: self.frontier.ahead().and_then(|it| self.store.depth(it)),
            waiting,
            percent_done: self.estimate.percent_done(),
        });
        events.progress(&self.counters());
    }

    /// Where the time went, if the user asked for a profile.
    pub(super) fn profile(&mut self) -> Option<Profile> {
        let mut profile = self.meter.profile(self.program)?;
        let repeated = self.counts.transactions - self.counts.worked_out;
        profile.amounts = vec![
            ("states_expanded", self.counts.expanded),
            ("transactions_repeated", repeated),
            ("transactions_worked_out", self.counts.worked_out),
            ("transactions_known", self.memo.len() as u64),
            ("times_all_was_forgotten", self.memo.forgotten()),
            ("parts", self.parts.counts().sum::<usize>() as u64),
            ("inner_nodes", self.store.inner_nodes() as u64),
        ];
        let workers = self.expanded_by.iter();
        profile
            .amounts
            .extend(workers.map(|it| ("states_expanded_by_a_worker", *it)));
        profile.memory = self.store.sizes();
        let transactions = self.memo.bytes() as u64;
        profile.memory.push(("known_transactions", transactions));
        Some(profile)
    }
}
