//! What has to be explored again when a guess gets weaker.

use std::collections::BTreeSet;

use raddle_base::{FastMap, saved};
use raddle_reduce::guesses::Guess;

use crate::ids::{JobId, RelianceId};
use crate::pairs::copied;

/// For everything explored, the guesses that it rested on.
#[derive(Debug)]
pub(crate) struct Reliances {
    /// `None` before it was explored.
    by_job: Vec<Option<RelianceId>>,
    /// The sets themselves, each once. The first is empty.
    sets: Vec<Vec<Guess>>,
    numbers: FastMap<Vec<Guess>, RelianceId>,
    unions: FastMap<(RelianceId, RelianceId), RelianceId>,
}

impl Default for Reliances {
    fn default() -> Self {
        Self {
            by_job: Vec::new(),
            sets: vec![Vec::new()],
            numbers: FastMap::from_iter([(Vec::new(), Self::NOTHING)]),
            unions: FastMap::default(),
        }
    }
}

impl Reliances {
    pub(crate) const NOTHING: RelianceId = RelianceId(0);

    /// The number of a set of guesses.
    pub(crate) fn number(&mut self, relied: impl IntoIterator<Item = Guess>) -> RelianceId {
        let mut relied: Vec<Guess> = relied.into_iter().collect();
        relied.sort_unstable();
        relied.dedup();
        if let Some(&known) = self.numbers.get(&relied) {
            return known;
        }
        let number = RelianceId::at(self.sets.len());
        self.sets.push(relied.clone());
        self.numbers.insert(relied, number);
        number
    }

    /// What two sets are together, if that is known.
    pub(crate) fn known_union(&self, one: RelianceId, other: RelianceId) -> Option<RelianceId> {
        if one == other || other == Self::NOTHING {
            Some(one)
        } else if one == Self::NOTHING {
            Some(other)
        } else {
            self.unions.get(&(one, other)).copied()
        }
    }

    pub(crate) fn union(&mut self, one: RelianceId, other: RelianceId) -> RelianceId {
        if let Some(known) = self.known_union(one, other) {
            return known;
        }
        let both = [one, other]
            .map(|it| self.sets[it.index()].clone())
            .concat();
        let number = self.number(both);
        self.unions.insert((one, other), number);
        number
    }

    /// Notes what a job rested on. A job that rests on nothing is never explored again.
    pub(crate) fn note(&mut self, job: JobId, relied: RelianceId) {
        if relied == Self::NOTHING && self.by_job.len() <= job.0 {
            return;
        }
        if self.by_job.len() <= job.0 {
            self.by_job.resize(job.0 + 1, None);
        }
        self.by_job[job.0] = Some(relied);
    }

    /// The jobs that rested on one of these guesses, which rest on nothing any more.
    pub(crate) fn forget(&mut self, changes: &BTreeSet<Guess>) -> Vec<JobId> {
        let is_touched: Vec<bool> = self
            .sets
            .iter()
            .map(|set| set.iter().any(|guess| changes.contains(guess)))
            .collect();
        let mut forgotten = Vec::new();
        for (job, reliance) in self.by_job.iter_mut().enumerate() {
            if reliance.is_some_and(|it| is_touched[it.index()]) {
                *reliance = None;
                forgotten.push(JobId(job));
            }
        }
        forgotten
    }

    /// How many bytes more there will be at once if there are so many more jobs.
    pub(crate) fn growth(&self, more: usize) -> usize {
        if self.by_job.is_empty() {
            return 0;
        }
        let size = size_of::<Option<RelianceId>>();
        copied(self.by_job.len(), self.by_job.capacity(), more, size) + more * size
    }

    pub(crate) fn clear(&mut self) {
        self.by_job.clear();
    }
}

saved!(struct Reliances { by_job, sets, numbers, unions });
