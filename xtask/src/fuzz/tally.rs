//! What was run and what was found.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::Duration;

use raddle_testkit::fuzz::{Case, Check, found};

#[derive(Debug, Default)]
pub(super) struct Tally {
    counts: BTreeMap<Check, Count>,
    seeds: u64,
    last_seed: Option<u64>,
    /// By signature.
    pub(super) failures: BTreeMap<String, Failure>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cases: u64,
    deep: u64,
}

#[derive(Debug)]
pub(super) struct Failure {
    problem: String,
    /// Where the test is.
    file: Option<String>,
    count: u64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} times", self.problem, self.count)?;
        match &self.file {
            Some(file) => write!(f, "; see `{file}`"),
            None => Ok(()),
        }
    }
}

impl Tally {
    /// Takes in what a worker says about its current case.
    pub(super) fn hear(&mut self, line: &str, current: Option<Case>) {
        let Some(case) = current else {
            return;
        };
        let count = self.counts.entry(case.check).or_default();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "case" => {
                count.cases += 1;
                if (case.check, case.index) == (Check::Engines, 0) {
                    self.seeds += 1;
                    self.last_seed = self.last_seed.max(Some(case.seed));
                }
            }
            "deep" => count.deep += 1,
            "found" => {
                let (file, problem) = rest.split_once(' ').unwrap_or((rest, ""));
                self.fail(problem, Some(file.to_owned()));
            }
            "again" => self.fail(rest, None),
            _ => {}
        }
    }

    pub(super) fn is_new(&self, problem: &str) -> bool {
        !self.failures.contains_key(&found::signature(problem))
    }

    pub(super) fn fail(&mut self, problem: &str, file: Option<String>) {
        let failure = self
            .failures
            .entry(found::signature(problem))
            .or_insert_with(|| Failure {
                problem: problem.to_owned(),
                file: None,
                count: 0,
            });
        failure.count += 1;
        failure.file = failure.file.take().or(file);
    }

    fn cases(&self) -> u64 {
        self.counts.values().map(|it| it.cases).sum()
    }

    fn failed(&self) -> u64 {
        self.failures.values().map(|it| it.count).sum()
    }

    pub(super) fn progress(&self, elapsed: Duration) -> String {
        let counts: Vec<String> = self
            .counts
            .iter()
            .map(|(check, count)| format!("{} {}", check.name(), count.cases))
            .collect();
        format!(
            "{:5} s  {:6.0} cases/s  seed {}  {}  failures {}",
            elapsed.as_secs(),
            per_second(self.cases(), elapsed),
            self.last_seed.unwrap_or(0),
            counts.join("  "),
            self.failed(),
        )
    }

    pub(super) fn summary(&self, elapsed: Duration) -> String {
        let mut text = String::new();
        for (check, count) in &self.counts {
            let share = 100 * count.deep / count.cases.max(1);
            let _ = writeln!(
                text,
                "{:10} {:>10} cases, {share} % {}",
                check.name(),
                count.cases,
                check.deep()
            );
        }
        let _ = writeln!(
            text,
            "{} cases of {} seeds in {} s ({:.0} a second), {} failures of {} kinds",
            self.cases(),
            self.seeds,
            elapsed.as_secs(),
            per_second(self.cases(), elapsed),
            self.failed(),
            self.failures.len(),
        );
        text
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people")]
fn per_second(count: u64, elapsed: Duration) -> f64 {
    count as f64 / elapsed.as_secs_f64().max(0.001)
}
