//! What was run and what was found.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::Duration;

use raddle_testkit::fuzz::planted::Kind;
use raddle_testkit::fuzz::{Case, Check, found};
use raddle_testkit::oracle::MAX_UNEXPLAINED_PERCENT;

#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The one check that is run; `None`: all are.
    asked: Option<Check>,
    counts: BTreeMap<Check, Count>,
    /// By the index of what is planted.
    planted: BTreeMap<u32, PlantedCount>,
    seeds: u64,
    last_seed: Option<u64>,
    /// By signature.
    pub(super) failures: BTreeMap<String, Failure>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cases: u64,
    deep: u64,
    unexplained: u64,
}

/// So few cases say nothing about a share.
const ENOUGH_FOR_A_SHARE: u64 = 100;
/// What is said of programs with one kind of bug.
#[derive(Clone, Copy, Debug, Default)]
struct PlantedCount {
    cases: u64,
    found: u64,
    unknown: u64,
    failed: u64,
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
    pub(super) fn new(asked: Option<Check>) -> Self {
        Self {
            asked,
            ..Self::default()
        }
    }

    /// Takes in what a worker says about its current case.
    pub(super) fn hear(&mut self, line: &str, current: Option<Case>) {
        let Some(case) = current else {
            return;
        };
        let count = self.counts.entry(case.check).or_default();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if case.check == Check::Planted && matches!(word, "found" | "again") {
            self.planted.entry(case.index).or_default().failed += 1;
        }
        match word {
            "case" => {
                count.cases += 1;
                if case.check == Check::Planted {
                    self.planted.entry(case.index).or_default().cases += 1;
                }
                if (case.check, case.index) == (self.asked.unwrap_or(Check::Engines), 0) {
                    self.seeds += 1;
                    self.last_seed = self.last_seed.max(Some(case.seed));
                }
            }
            "deep" => count.deep += 1,
            "unexplained" => count.unexplained += 1,
            "verdict" => {
                let planted = self.planted.entry(case.index).or_default();
                match rest {
                    "unsafe" => planted.found += 1,
                    _ => planted.unknown += 1,
                }
            }
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

    /// A failure if reductions leave too much unknown.
    pub(super) fn close(&mut self) {
        let count = self.counts.get(&Check::Engines).copied();
        let Count {
            cases, unexplained, ..
        } = count.unwrap_or_default();
        let limit = MAX_UNEXPLAINED_PERCENT as u64;
        if cases >= ENOUGH_FOR_A_SHARE && 100 * unexplained > limit * cases {
            self.fail(
                &format!("a reduction leaves something unknown for no reason in sight in {unexplained} of {cases} programs"),
                None,
            );
        }
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
            if count.unexplained > 0 {
                let _ = writeln!(
                    text,
                    "           {:>10} with something unknown for no reason in sight",
                    count.unexplained
                );
            }
        }
        for (index, planted) in &self.planted {
            let kind = usize::try_from(*index).map_or(None, |it| Kind::ALL.get(it));
            let Some(kind) = kind else {
                continue;
            };
            let said = planted.found + planted.unknown + planted.failed;
            let _ = writeln!(
                text,
                "  planted {:9} {} unsafe, {} unknown, {} wrong, {} without a fit place",
                kind.property().name(),
                planted.found,
                planted.unknown,
                planted.failed,
                planted.cases.saturating_sub(said),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_unknowns_that_nothing_explains_are_a_failure() {
        let mut tally = Tally::default();
        for seed in 0..ENOUGH_FOR_A_SHARE {
            let case = Case {
                check: Check::Engines,
                seed,
                index: 0,
            };
            tally.hear(&format!("case {case}"), Some(case));
            if seed < 5 {
                tally.hear("unexplained", Some(case));
            }
        }
        tally.close();
        assert!(tally.failures.is_empty());
        let case = Case {
            check: Check::Engines,
            seed: 0,
            index: 0,
        };
        tally.hear("unexplained", Some(case));
        tally.close();
        assert_eq!(tally.failures.len(), 1);
    }
}
