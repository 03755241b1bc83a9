//! What has to be explored again when a guess gets weaker.

use std::collections::BTreeSet;

use raddle_base::{FastMap, saved};
use raddle_reduce::guesses::Guess;

use crate::frontier::JobId;
use crate::pairs::copied;

/// A set of guesses that transactions rested on.
pub(crate) type Reliance = u32;

/// For everything explored, the guesses that it rested on.
#[derive(Debug)]
pub(crate) struct Reliances {
    /// `None` before it was explored.
    by_job: Vec<Option<Reliance>>,
    /// The sets themselves, each once. The first is empty.
    sets: Vec<Vec<Guess>>,
    numbers: FastMap<Vec<Guess>, Reliance>,
    unions: FastMap<(Reliance, Reliance), Reliance>,
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
    pub(crate) const NOTHING: Reliance = 0;

    /// The number of a set of guesses.
    pub(crate) fn number(&mut self, relied: impl IntoIterator<Item = Guess>) -> Reliance {
        let mut relied: Vec<Guess> = relied.into_iter().collect();
        relied.sort_unstable();
        relied.dedup();
        if let Some(&known) = self.numbers.get(&relied) {
            return known;
        }
        let number = Reliance::try_from(self.sets.len()).expect("fewer sets than states");
        self.sets.push(relied.clone());
        self.numbers.insert(relied, number);
        number
    }

    /// What two sets are together, if that is known.
    pub(crate) fn known_union(&self, one: Reliance, other: Reliance) -> Option<Reliance> {
        if one == other || other == Self::NOTHING {
            Some(one)
        } else if one == Self::NOTHING {
            Some(other)
        } else {
            self.unions.get(&(one, other)).copied()
        }
    }

    pub(crate) fn union(&mut self, one: Reliance, other: Reliance) -> Reliance {
        if let Some(known) = self.known_union(one, other) {
            return known;
        }
        let both = [one, other]
            .map(|it| self.sets[it as usize].clone())
            .concat();
        let number = self.number(both);
        self.unions.insert((one, other), number);
        number
    }

    /// Notes what a job rested on. A job that rests on nothing is never explored again.
    pub(crate) fn rest(&mut self, job: JobId, relied: Reliance) {
        if relied == Self::NOTHING && self.by_job.len() <= job {
            return;
        }
        if self.by_job.len() <= job {
            self.by_job.resize(job + 1, None);
        }
        self.by_job[job] = Some(relied);
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
            if reliance.is_some_and(|it| is_touched[it as usize]) {
                *reliance = None;
                forgotten.push(job);
            }
        }
        forgotten
    }

    /// How many bytes more there will be at once if there are so many more jobs.
    pub(crate) fn growth(&self, more: usize) -> usize {
        if self.by_job.is_empty() {
            return 0;
        }
        let size = size_of::<Option<Reliance>>();
        copied(self.by_job.len(), self.by_job.capacity(), more, size) + more * size
    }

    pub(crate) fn clear(&mut self) {
        self.by_job.clear();
    }
}

saved!(struct Reliances { by_job, sets, numbers, unions });
