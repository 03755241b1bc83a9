//! What has to be explored again when a guess gets weaker.

use std::collections::BTreeSet;

use raddle_base::{FastMap, FastSet};
use raddle_reduce::guesses::Guess;

use crate::frontier::JobId;

/// A set of guesses that transactions rested on.
type Reliance = u32;

/// For everything explored, the guesses that it rested on.
#[derive(Debug, Default)]
pub(crate) struct Reliances {
    /// `None` before it was explored.
    by_job: Vec<Option<Reliance>>,
    /// The sets themselves, each once.
    sets: Vec<Vec<Guess>>,
    numbers: FastMap<Vec<Guess>, Reliance>,
}

impl Reliances {
    /// Notes what a job rested on.
    pub(crate) fn rest(&mut self, job: JobId, relied: FastSet<Guess>) {
        let mut relied: Vec<Guess> = relied.into_iter().collect();
        relied.sort_unstable();
        let number = if let Some(&known) = self.numbers.get(&relied) {
            known
        } else {
            let number = u32::try_from(self.sets.len()).expect("fewer sets than states");
            self.sets.push(relied.clone());
            self.numbers.insert(relied, number);
            number
        };
        if self.by_job.len() <= job {
            self.by_job.resize(job + 1, None);
        }
        self.by_job[job] = Some(number);
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

    pub(crate) fn clear(&mut self) {
        self.by_job.clear();
    }
}
