//! What a search tells about itself: how far it has come, and where its time went.

use raddle_engine::{Events, Outlook, Profile};

use super::Search;

impl Search<'_> {
    /// Tells how far the search has come.
    pub(super) fn tell(&mut self, events: &mut dyn Events) {
        let waiting = self.progress.frontier.len() as u64;
        self.progress
            .estimate
            .note(self.progress.counts.expanded, waiting);
        events.outlook(&|| Outlook {
            states: self.knowledge.store.len() as u64,
            depth: self
                .progress
                .frontier
                .ahead()
                .and_then(|it| self.knowledge.store.depth(it)),
            waiting,
            percent_done: self.progress.estimate.percent_done(),
        });
        events.progress(&self.counters());
    }

    /// Where the time went, if the user asked for a profile.
    pub(super) fn profile(&mut self) -> Option<Profile> {
        let mut profile = self.progress.meter.profile(self.setting.program)?;
        let repeated = self.progress.counts.transactions - self.progress.counts.worked_out;
        profile.amounts = vec![
            ("states_expanded", self.progress.counts.expanded),
            ("transactions_repeated", repeated),
            ("transactions_worked_out", self.progress.counts.worked_out),
            ("transactions_known", self.knowledge.memo.len() as u64),
            ("times_all_was_forgotten", self.knowledge.memo.forgotten()),
            ("parts", self.knowledge.parts.counts().sum::<usize>() as u64),
            ("inner_nodes", self.knowledge.store.inner_nodes() as u64),
        ];
        let workers = self.progress.expanded_by.iter();
        profile
            .amounts
            .extend(workers.map(|it| ("states_expanded_by_a_worker", *it)));
        profile.memory = self.knowledge.store.sizes();
        let transactions = self.knowledge.memo.bytes() as u64;
        profile.memory.push(("known_transactions", transactions));
        Some(profile)
    }
}
