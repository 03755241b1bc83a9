//! What follows `cargo xtask c COMMAND`.

use std::path::PathBuf;

use crate::arguments::cores;

/// Which programs.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Programs {
    /// Our own programs, in tests/c/meaning
    Meaning {
        /// Only those whose name contains it
        #[arg(default_value = "")]
        filter: String,
        #[command(flatten)]
        options: Options,
    },
    /// The programs below a folder, such as gcc's c-torture/execute or c-testsuite
    Torture {
        folder: PathBuf,
        /// Only those whose name contains it
        #[arg(default_value = "")]
        filter: String,
        #[command(flatten)]
        options: Options,
    },
    /// Random programs of csmith, of which those count that end in 10 ms when compiled
    Csmith {
        #[command(flatten)]
        random: Random,
        #[command(flatten)]
        options: Options,
    },
    /// Random programs without threads that use much of the language
    Sequential {
        #[command(flatten)]
        random: Random,
        #[command(flatten)]
        options: Options,
    },
    /// Random structs and unions: sizes, alignments, offsets, bytes of bit-fields
    Layouts {
        #[command(flatten)]
        random: Random,
        #[command(flatten)]
        options: Options,
    },
    /// Changed programs on the front end: no panic, no hang
    Mutants {
        #[command(flatten)]
        random: Random,
    },
}

/// Which of the programs that a seed makes.
#[derive(Debug, clap::Args)]
pub(crate) struct Random {
    /// How many; 1000 of csmith, 200 layouts or sequential ones, 10000 mutants
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<u64>,
    /// The first seed
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl Random {
    pub(crate) fn seeds(&self, count: u64) -> std::ops::Range<u64> {
        self.seed..self.seed.saturating_add(self.count.unwrap_or(count))
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Threads at a time; one for each core by default
    #[arg(long, value_name = "N", default_value_t = cores(), hide_default_value = true)]
    pub(crate) jobs: usize,
    /// How long we may take for one program
    #[arg(long = "seconds", value_name = "N", default_value_t = 20)]
    pub(crate) our_seconds: u64,
    /// How long a compiled program may take
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    pub(crate) their_milliseconds: u64,
    /// How many programs are named for each reason
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub(crate) names: usize,
}
