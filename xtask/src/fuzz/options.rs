//! The options of `cargo xtask fuzz`.

use std::time::Duration;

use raddle_testkit::fuzz::Check;

#[derive(Clone, Copy, Debug, PartialEq)]
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
        };
        let mut words = words.iter();
        while let Some(flag) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| format!("`{flag}` wants a number"))?;
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
                "--minutes" => {
                    let minutes: f64 = value.parse().map_err(|_| wrong())?;
                    let time = Duration::try_from_secs_f64(minutes * 60.0);
                    options.time = Some(time.map_err(|_| wrong())?);
                }
                _ => {
                    return Err(format!(
                        "`{flag}` is no option of fuzz; there are --minutes, --seed, --cases, --check, --jobs"
                    ));
                }
            }
        }
        if options.seeds.is_none() {
            options.time.get_or_insert(DEFAULT_TIME);
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
