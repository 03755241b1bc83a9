//! What a process took: by the clock, and of the processors.

use std::fs;
use std::io;
use std::process::{Command, Output};
use std::time::Instant;

/// Ticks a second of the times that Linux tells, on every machine.
const TICKS: f64 = 100.0;

/// Seconds that something took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    /// By the clock on the wall.
    pub(crate) wall: f64,
    /// Of all processors together: other work on the machine counts little. By the clock where nobody tells.
    pub(crate) processor: f64,
}

impl Taken {
    /// The median of each, of at least one.
    pub(crate) fn median(all: &[Taken]) -> Taken {
        let middle = |of: fn(&Taken) -> f64| {
            let mut sorted: Vec<f64> = all.iter().map(of).collect();
            sorted.sort_by(f64::total_cmp);
            sorted[sorted.len() / 2]
        };
        Taken {
            wall: middle(|it| it.wall),
            processor: middle(|it| it.processor),
        }
    }
}

/// Runs a process to its end; no other child may end meanwhile.
///
/// # Errors
///
/// If it cannot be run.
pub(crate) fn timed(command: &mut Command) -> io::Result<(Output, Taken)> {
    let before = children_seconds();
    let start = Instant::now();
    let output = command.output()?;
    let wall = start.elapsed().as_secs_f64();
    let used = children_seconds().zip(before).map(|(now, then)| now - then);
    let taken = Taken {
        wall,
        processor: used.filter(|it| *it > 0.0).unwrap_or(wall),
    };
    Ok((output, taken))
}

/// What the children of this process that have ended took of the processors.
fn children_seconds() -> Option<f64> {
    children_of(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The same, from what Linux says of a process: `cutime` and `cstime`, the 16th and 17th word of `proc(5)`.
fn children_of(stat: &str) -> Option<f64> {
    // The second word is a name in brackets, which may have spaces and brackets.
    let (_, behind) = stat.rsplit_once(')')?;
    let mut words = behind.split_whitespace().skip(13);
    let user: f64 = words.next()?.parse().ok()?;
    let system: f64 = words.next()?.parse().ok()?;
    Some((user + system) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_children_stand_behind_a_name_with_brackets() {
        let stat = "1 (a) b) c) S 4 5 6 7 8 9 10 11 12 13 14 15 150 25 18";
        assert_eq!(children_of(stat), Some(1.75));
    }

    #[test]
    fn medians_are_of_each_clock() {
        let taken = |wall, processor| Taken { wall, processor };
        let all = [taken(9.0, 1.0), taken(2.0, 3.0), taken(1.0, 2.0)];
        assert_eq!(Taken::median(&all), taken(2.0, 2.0));
    }
}
