//! The options of `cargo xtask fuzz`.

use std::io;
use std::time::Duration;

use raddle_testkit::fuzz::{Check, Fuzzer};
use raddle_testkit::walk;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// The first seed.
    pub(crate) seed: u64,
    /// Seeds to go through; `None`: until the time is over.
    pub(crate) seeds: Option<u64>,
    /// `None`: until all seeds are done.
    pub(crate) time: Option<Duration>,
    pub(crate) jobs: u64,
    /// `None`: all.
    pub(crate) check: Option<Check>,
    pub(crate) planting: Planting,
}

/// Where bugs are planted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Planting {
    /// Folders, lists and files; none: the programs of the repository.
    pub(crate) tasks: Vec<String>,
    /// How long an engine may look for what is planted; `None`: as the fuzzer likes.
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

    pub(crate) fn of_words(words: &[&str]) -> Option<Self> {
        let (time, tasks) = words.split_first()?;
        let time = match *time {
            "default" => None,
            milliseconds => Some(Duration::from_millis(milliseconds.parse().ok()?)),
        };
        Some(Self {
            tasks: tasks.iter().map(|it| (*it).to_owned()).collect(),
            time,
        })
    }
}

const DEFAULT_TIME: Duration = Duration::from_mins(5);

impl Options {
    /// # Errors
    ///
    /// The word that is not understood.
    pub(crate) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options = Self {
            seed: 1,
            seeds: None,
            time: None,
            jobs: std::thread::available_parallelism()
                .map_or(1, |it| u64::try_from(it.get()).unwrap_or(1)),
            check: None,
            planting: Planting::default(),
        };
        let mut words = words.iter();
        while let Some(flag) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| format!("`{flag}` wants a value"))?;
            let wrong = || format!("`{value}` is no number for `{flag}`");
            let number = || value.parse::<u64>().map_err(|_| wrong());
            let no_check = || {
                let names = Check::ALL.map(Check::name).join(", ");
                format!("`{value}` is no check; there are {names}")
            };
            match *flag {
                "--seed" => options.seed = number()?,
                "--cases" => options.seeds = Some(number()?),
                "--check" => options.check = Some(Check::from_name(value).ok_or_else(no_check)?),
                "--jobs" => options.jobs = number()?.max(1),
                "--minutes" => options.time = Some(duration(value, 60.0).ok_or_else(wrong)?),
                "--tasks" => options.planting.tasks.push((*value).to_owned()),
                "--seconds" => {
                    options.planting.time = Some(duration(value, 1.0).ok_or_else(wrong)?);
                }
                _ => {
                    return Err(format!(
                        "`{flag}` is no option of fuzz; there are --minutes, --seed, --cases, --check, --jobs, --tasks, --seconds"
                    ));
                }
            }
        }
        if !options.planting.tasks.is_empty() && options.check != Some(Check::Planted) {
            return Err("`--tasks` is for `--check planted`".to_owned());
        }
        if options.seeds.is_none() {
            options.time.get_or_insert(DEFAULT_TIME);
        }
        Ok(options)
    }
}

/// So many of a unit that has so many seconds.
fn duration(value: &str, unit: f64) -> Option<Duration> {
    let count: f64 = value.parse().ok()?;
    Duration::try_from_secs_f64(count * unit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bugs_are_planted_where_one_says() {
        let words = [
            "--check",
            "planted",
            "--tasks",
            "a",
            "--tasks",
            "b c",
            "--seconds",
            "0.5",
        ];
        let planting = Options::parse(&words).expect("it is right").planting;
        assert_eq!(planting.tasks, ["a", "b c"]);
        assert_eq!(planting.time, Some(Duration::from_millis(500)));
        for planting in [planting, Planting::default()] {
            let words = planting.words();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            assert_eq!(Planting::of_words(&words), Some(planting));
        }
        assert!(Options::parse(&["--tasks", "a"]).is_err());
    }

    #[test]
    fn without_a_number_of_cases_time_ends_the_run() {
        let options = Options::parse(&["--seed", "7", "--jobs", "2"]).expect("it is right");
        assert_eq!((options.seed, options.jobs), (7, 2));
        assert_eq!((options.seeds, options.time), (None, Some(DEFAULT_TIME)));
        let options = Options::parse(&["--cases", "3"]).expect("it is right");
        assert_eq!((options.seeds, options.time), (Some(3), None));
        let options = Options::parse(&["--minutes", "0.5"]).expect("it is right");
        assert_eq!(options.time, Some(Duration::from_secs(30)));
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for words in [["--seed", "x"], ["--minutes", "-1"], ["--sead", "1"]] {
            assert!(Options::parse(&words).is_err(), "{words:?}");
        }
        assert!(Options::parse(&["--seed"]).is_err());
    }
}
