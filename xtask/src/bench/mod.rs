//! Measurements that take longer than tests may.

mod cliffs;
mod clock;
mod explicit;
mod pushdown;
mod token;

/// What is measured.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Measured {
    /// What a step costs where something grows that it does not touch: arrays, threads, objects, the program
    Cliffs(cliffs::Options),
    /// Models of Spin's distribution, with the engine `explicit` and with Spin: states a second, bytes a state
    Explicit(explicit::Options),
    /// The decision procedure for atomic sets on generated processes, with 2 to 8 locks
    Pushdown(pushdown::Options),
    /// The programs of MAT Table 1, with the engines `token` and `bmc`
    Token(token::Options),
}

pub(crate) fn run(what: &Measured) -> Result<(), Vec<String>> {
    match what {
        Measured::Cliffs(options) => cliffs::run(options),
        Measured::Explicit(options) => explicit::run(options),
        Measured::Pushdown(options) => {
            pushdown::run(options);
            Ok(())
        }
        Measured::Token(options) => token::run(options),
    }
}

/// A number that is not 0.
fn positive() -> clap::builder::RangedU64ValueParser {
    clap::builder::RangedU64ValueParser::new().range(1..)
}
