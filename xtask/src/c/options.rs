//! What follows `cargo xtask c COMMAND`.

use std::num::NonZeroUsize;

pub(crate) struct Options {
    /// What is no option: a folder, a filter.
    pub(crate) arguments: Vec<String>,
    pub(crate) count: Option<u64>,
    pub(crate) seed: u64,
    pub(crate) jobs: usize,
    /// How long we may take for one program.
    pub(crate) our_seconds: u64,
    /// How long a compiled program may take.
    pub(crate) their_milliseconds: u64,
    /// How many programs are named for each reason.
    pub(crate) names: usize,
}

impl Options {
    pub(crate) fn read(words: &[&str]) -> Result<Self, Vec<String>> {
        let jobs = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let mut options = Options {
            arguments: Vec::new(),
            count: None,
            seed: 1,
            jobs,
            our_seconds: 20,
            their_milliseconds: 5_000,
            names: 4,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                options.arguments.push((*word).to_owned());
                continue;
            }
            let number: u64 = words
                .next()
                .and_then(|it| it.parse().ok())
                .ok_or_else(|| vec![format!("`{word}` needs a number")])?;
            let small = usize::try_from(number).unwrap_or(usize::MAX);
            match *word {
                "--count" => options.count = Some(number),
                "--seed" => options.seed = number,
                "--jobs" => options.jobs = small.max(1),
                "--seconds" => options.our_seconds = number,
                "--names" => options.names = small,
                _ => return Err(vec![format!("`{word}` is not understood")]),
            }
        }
        Ok(options)
    }

    pub(crate) fn filter(&self) -> &str {
        self.arguments.first().map_or("", String::as_str)
    }
}
