//! The options of `cargo xtask fuzz`.

use std::io;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use raddle_testkit::fuzz::{Check, Fuzzer};
use raddle_testkit::walk;

use crate::arguments::cores;

#[derive(Clone, Debug, PartialEq, clap::Args)]
pub(crate) struct Options {
    /// The first seed. A seed makes the same cases every time
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Stop after N seeds; each makes up to 78 cases
    #[arg(long = "cases", value_name = "N")]
    pub(crate) seeds: Option<u64>,
    /// How long; 5 unless `--cases` is given
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Processes at a time; one for each core by default
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true)]
    pub(crate) jobs: usize,
    /// Only one of the checks
    #[arg(long, value_parser = checks())]
    pub(crate) check: Option<Check>,
    #[command(flatten)]
    pub(crate) planting: Planting,
}

/// The names of checks.
fn checks() -> impl clap::builder::TypedValueParser<Value = Check> {
    PossibleValuesParser::new(Check::ALL.map(Check::name))
        .try_map(|name| Check::from_name(&name).ok_or("there is no such check"))
}

/// Where bugs are planted.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub(crate) struct Planting {
    /// With `--check planted`: where to plant, instead of our own programs; a folder, list or file as for raddle bench, and
    /// again for more. Each seed takes another of the tasks
    #[arg(long, value_name = "PATH", requires = "check")]
    pub(crate) tasks: Vec<String>,
    /// How long each engine may look for what is planted; 0.3 by default
    #[arg(long = "seconds", value_name = "N", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
}

impl Planting {
    /// A fuzzer that plants there.
    ///
    /// # Errors
    ///
    /// If the programs cannot be read.
    pub(crate) fn fuzzer(&self) -> io::Result<Fuzzer> {
        let mut fuzzer = Fuzzer::new(&walk::repository_root())?;
        if !self.tasks.is_empty() {
            fuzzer = fuzzer.plant_in(&self.tasks)?;
        }
        Ok(match self.time {
            Some(time) => fuzzer.planted_time(time),
            None => fuzzer,
        })
    }

    /// For another process: the time in milliseconds, then the tasks.
    pub(crate) fn words(&self) -> Vec<String> {
        let time = self
            .time
            .map_or_else(|| "default".to_owned(), |time| time.as_millis().to_string());
        [&[time], &self.tasks[..]].concat()
    }

    pub(crate) fn of_words(words: &[String]) -> Option<Self> {
        let (time, tasks) = words.split_first()?;
        let time = match time.as_str() {
            "default" => None,
            milliseconds => Some(Duration::from_millis(milliseconds.parse().ok()?)),
        };
        Some(Self {
            tasks: tasks.to_vec(),
            time,
        })
    }
}

const DEFAULT_TIME: Duration = Duration::from_mins(5);

impl Options {
    /// How long to go on; `None`: until all seeds are done.
    pub(crate) fn time(&self) -> Option<Duration> {
        let until_told = || self.seeds.is_none().then_some(DEFAULT_TIME);
        self.minutes.or_else(until_told)
    }
}

/// So many minutes, which need not be a whole number.
pub(crate) fn minutes(text: &str) -> Result<Duration, String> {
    duration(text, 60.0)
}

fn seconds(text: &str) -> Result<Duration, String> {
    duration(text, 1.0)
}

/// So many of a unit that has so many seconds.
fn duration(text: &str, unit: f64) -> Result<Duration, String> {
    let count: f64 = text.parse().map_err(|_| "this is no number".to_owned())?;
    Duration::try_from_secs_f64(count * unit).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        options: Options,
    }

    fn read(words: &[&str]) -> Options {
        let line = ["fuzz"].iter().chain(words);
        Alone::try_parse_from(line).expect("it is right").options
    }

    #[test]
    fn bugs_are_planted_where_one_says() {
        let words = "--check planted --tasks a --tasks b --seconds 0.5";
        let words: Vec<&str> = words.split(' ').collect();
        let planting = read(&words).planting;
        assert_eq!(planting.tasks, ["a", "b"]);
        assert_eq!(planting.time, Some(Duration::from_millis(500)));
        for planting in [planting, Planting::default()] {
            assert_eq!(Planting::of_words(&planting.words()), Some(planting));
        }
    }

    #[test]
    fn without_a_number_of_cases_time_ends_the_run() {
        let options = read(&["--seed", "7", "--jobs", "2"]);
        assert_eq!((options.seed, options.jobs), (7, 2));
        assert_eq!((options.seeds, options.time()), (None, Some(DEFAULT_TIME)));
        let options = read(&["--cases", "3"]);
        assert_eq!((options.seeds, options.time()), (Some(3), None));
        let options = read(&["--minutes", "0.5"]);
        assert_eq!(options.time(), Some(Duration::from_secs(30)));
    }
}
