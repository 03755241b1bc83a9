//! Who goes on at a scheduling point: one module for each way to choose.

mod pct;
mod pos;
mod preemptions;
mod stalls;
mod systematic;
mod walk;

use std::fmt;

use raddle_base::Random;
use raddle_ir::interpret::ObjectNumber;
use raddle_ir::program::{FunctionId, LocationId};

/// Threads that began with the same function are of one kind.
pub(crate) type Kind = FunctionId;
pub(crate) type Place = (FunctionId, LocationId);

/// A way to choose schedules, as options name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StrategyName {
    /// All of them in turn.
    #[default]
    Auto,
    /// Any thread, each as likely.
    Random,
    /// Priorities that change at so many places less one.
    Pct(u32),
    /// Priorities of steps instead of threads.
    Pos,
    /// So many switches where nobody waits, at random.
    Preemptions(u32),
    /// Threads stop at so many places of the program until others have had their turn.
    Stalls(u32),
    /// The preemptions, one after the other, with all smaller numbers before.
    Systematic(u32),
}

impl StrategyName {
    /// Those with numbers as people would write them first.
    pub const EXAMPLES: [StrategyName; 7] = [
        StrategyName::Auto,
        StrategyName::Random,
        StrategyName::Pct(3),
        StrategyName::Pos,
        StrategyName::Preemptions(2),
        StrategyName::Stalls(1),
        StrategyName::Systematic(2),
    ];

    /// The inverse of its text; a number may be left out.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number.parse().ok()?)),
            None => (text, None),
        };
        match (name, number) {
            ("auto", None) => Some(Self::Auto),
            ("random", None) => Some(Self::Random),
            ("pos", None) => Some(Self::Pos),
            ("pct", number) => {
                Some(Self::Pct(number.unwrap_or(3))).filter(|it| *it != Self::Pct(0))
            }
            ("preemptions", number) => Some(Self::Preemptions(number.unwrap_or(2))),
            ("stalls", number) => Some(Self::Stalls(number.unwrap_or(1))),
            ("systematic", number) => Some(Self::Systematic(number.unwrap_or(2))),
            _ => None,
        }
    }

    pub(crate) fn strategy(self) -> Box<dyn Strategy> {
        match self {
            Self::Auto | Self::Random => Box::new(walk::Walk::default()),
            Self::Pct(depth) => Box::new(pct::Pct::new(depth)),
            Self::Pos => Box::new(pos::Pos::default()),
            Self::Preemptions(count) => Box::new(preemptions::Preemptions::new(count)),
            Self::Stalls(count) => Box::new(stalls::Stalls::new(count)),
            Self::Systematic(bound) => Box::new(systematic::Systematic::new(bound)),
        }
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Random => f.write_str("random"),
            Self::Pct(depth) => write!(f, "pct:{depth}"),
            Self::Pos => f.write_str("pos"),
            Self::Preemptions(count) => write!(f, "preemptions:{count}"),
            Self::Stalls(count) => write!(f, "stalls:{count}"),
            Self::Systematic(bound) => write!(f, "systematic:{bound}"),
        }
    }
}

/// A place in an execution where several threads may go on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point<'a> {
    /// From 1 in each execution.
    pub(crate) number: u64,
    /// Who ran up to here, if he can go on.
    pub(crate) current: Option<usize>,
    /// Where he stands.
    pub(crate) place: Option<Place>,
    /// Who can go on, as far as is known: at least one.
    pub(crate) ready: &'a [usize],
    /// Changes whenever that changes.
    pub(crate) version: u64,
    /// The current thread goes round in circles: nobody else went on for long.
    pub(crate) spins: bool,
}

/// Chooses schedules, one execution after the other.
pub(crate) trait Strategy {
    /// An execution begins that may have so many points, as far as is known; false if there is none left to choose.
    fn begin(&mut self, random: Random, points: u64) -> bool;

    /// A thread came, with the next number.
    fn thread_came(&mut self, thread: usize, kind: Kind);

    /// Who goes on: one of those who are ready.
    fn choose(&mut self, point: Point<'_>) -> usize;

    /// A thread took a step that others can notice, at these objects; only of interest to those who look at steps.
    fn stepped(&mut self, _thread: usize, _objects: &mut dyn Iterator<Item = ObjectNumber>) {}

    /// A thread stands before something that touches these objects.
    fn stands(&mut self, _thread: usize, _object: Option<ObjectNumber>) {}

    /// Whether it wants to know what threads stand before.
    fn looks_at_steps(&self) -> bool {
        false
    }

    /// Whether executions are to differ in schedules only.
    fn fixes_inputs(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_understood_as_they_are_written() {
        for strategy in StrategyName::EXAMPLES {
            assert_eq!(StrategyName::parse(&strategy.to_string()), Some(strategy));
        }
        assert_eq!(StrategyName::parse("pct"), Some(StrategyName::Pct(3)));
        for wrong in ["", "pct:0", "pct:x", "random:1", "dfs"] {
            assert_eq!(StrategyName::parse(wrong), None, "{wrong}");
        }
    }
}
