//! What the program is taken to run in.
//!
//! A program asks its surroundings for arguments, the time, the number of processors. What nobody can know is taken
//! to be something; every verdict then holds for that, and the report says so. Only what a program asks for is an
//! assumption of it.

use std::fmt;

/// What a program is told if it asks; what is `None` may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surroundings {
    /// What `main` is given behind the name of the program. If they are known, so are the environment and the number of the
    /// process.
    pub arguments: Option<Vec<String>>,
    /// The environment, if it is known: `NAME=VALUE`, in this order.
    pub environment: Vec<String>,
    pub processors: Option<u32>,
    /// How often clocks leap ahead; between two leaps they stand still.
    pub leaps: Option<u32>,
}

impl Surroundings {
    /// Nothing is known.
    pub const ANYTHING: Self = Self {
        arguments: None,
        environment: Vec::new(),
        processors: None,
        leaps: None,
    };
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            arguments: Some(Vec::new()),
            environment: Vec::new(),
            processors: Some(2),
            leaps: Some(2),
        }
    }
}

/// Something that is taken for granted of what a program runs in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assumption {
    /// Those behind the name of the program.
    Arguments(Vec<String>),
    /// Its variables, as `NAME=VALUE`.
    Environment(Vec<String>),
    Processors(u32),
    /// A clock that the program looks at stands still, but for so many leaps.
    Leaps(u32),
    /// Accesses to volatile objects of a word at most are atomic and sequentially consistent.
    Volatile,
    /// What the text of our library says, as in: no network.
    Other(String),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::Arguments(none) if none.is_empty() => f.write_str("no arguments"),
            Assumption::Arguments(words) => {
                f.write_str(counted(words.len(), "the argument", "the arguments"))?;
                words.iter().try_for_each(|word| write!(f, " `{word}`"))
            }
            Assumption::Environment(none) if none.is_empty() => f.write_str("an empty environment"),
            Assumption::Environment(words) => {
                f.write_str("an environment with nothing but")?;
                words.iter().try_for_each(|word| write!(f, " `{word}`"))
            }
            Assumption::Volatile => f.write_str("`volatile` words that are atomic"),
            Assumption::Processors(1) => f.write_str("one processor"),
            Assumption::Processors(2) => f.write_str("two processors"),
            Assumption::Processors(number) => write!(f, "{number} processors"),
            Assumption::Leaps(0) => f.write_str("a clock that stands still"),
            Assumption::Leaps(most) => {
                let times = match most {
                    1 => "once".to_owned(),
                    2 => "twice".to_owned(),
                    more => format!("{more} times"),
                };
                write!(
                    f,
                    "a clock that stands still but for leaps of some days, {times} at most"
                )
            }
            Assumption::Other(text) => f.write_str(text),
        }
    }
}

fn counted(number: usize, one: &'static str, more: &'static str) -> &'static str {
    if number == 1 { one } else { more }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assumptions_are_told_as_in_for() {
        let words = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect();
        for (assumption, told) in [
            (Assumption::Arguments(Vec::new()), "no arguments"),
            (Assumption::Arguments(words(&["-n"])), "the argument `-n`"),
            (
                Assumption::Arguments(words(&["-n", "4"])),
                "the arguments `-n` `4`",
            ),
            (Assumption::Environment(Vec::new()), "an empty environment"),
            (
                Assumption::Environment(words(&["THREADS=4"])),
                "an environment with nothing but `THREADS=4`",
            ),
            (Assumption::Processors(2), "two processors"),
            (
                Assumption::Leaps(2),
                "a clock that stands still but for leaps of some days, twice at most",
            ),
        ] {
            assert_eq!(assumption.to_string(), told);
        }
    }
}
