//! Runs that show how a configuration is reached.
//!
//! Every transition of `post*` remembers how it first came about. A path of the automaton is unfolded from its end to
//! the start: its first transition is replaced by what it came from, and the rule that did it is noted.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use raddle_base::Id;

use crate::automaton::{StateId, TransitionId, state_of};
use crate::post_star::{Cause, PostStar};
use crate::pushdown::{Configuration, ControlId, RuleId, SymbolId};

/// Rules that lead from one configuration to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub start: Configuration,
    pub rules: Vec<RuleId>,
    pub end: Configuration,
}

/// There is a run, but it may be longer than was allowed: runs can be exponentially longer than systems are large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTooLong {
    /// As far as it is known.
    pub length: u64,
}

impl<W: Clone> PostStar<W> {
    /// A shortest run to a configuration with this control state, regardless of weights; `None` if there is none.
    pub fn run_to_control(
        &self,
        control: ControlId,
        longest: usize,
    ) -> Option<Result<Run, RunTooLong>> {
        let (length, path) = self.cheapest_path(control)?;
        if usize::try_from(length).map_or(true, |length| length > longest) {
            return Some(Err(RunTooLong { length }));
        }
        Some(Ok(self.unfold(control, path)))
    }

    /// The path from a control state to a final state with the shortest run, by Dijkstra's algorithm.
    fn cheapest_path(&self, control: ControlId) -> Option<(u64, Vec<TransitionId>)> {
        let states = self.automaton.state_count();
        let mut best: Vec<Option<u64>> = vec![None; states];
        let mut came_by: Vec<Option<TransitionId>> = vec![None; states];
        let mut queue = BinaryHeap::new();
        let start = state_of(control);
        best[start.index()] = Some(0);
        queue.push(Reverse((0, start)));
        while let Some(Reverse((length, state))) = queue.pop() {
            if best[state.index()] != Some(length) {
                continue;
            }
            if self.automaton.is_final(state) {
                return Some((length, self.path_to(state, &came_by)));
            }
            for id in self.automaton.leaving(state) {
                let to = self.automaton.transitions()[*id].to;
                let longer = length.saturating_add(self.origins[id.index()].length);
                if best[to.index()].is_none_or(|known| longer < known) {
                    best[to.index()] = Some(longer);
                    came_by[to.index()] = Some(*id);
                    queue.push(Reverse((longer, to)));
                }
            }
        }
        None
    }

    fn path_to(&self, mut state: StateId, came_by: &[Option<TransitionId>]) -> Vec<TransitionId> {
        let mut path = Vec::new();
        while let Some(id) = came_by[state.index()] {
            path.push(id);
            state = self.automaton.transitions()[id].from;
        }
        path.reverse();
        path
    }

    fn unfold(&self, control: ControlId, path: Vec<TransitionId>) -> Run {
        let end = Configuration {
            control,
            stack: self.labels(path.iter()),
        };
        // Top of the stack last.
        let mut path: Vec<TransitionId> = path.into_iter().rev().collect();
        let mut rules = Vec::new();
        let mut start = control;
        while let Some(top) = path.pop() {
            match self.origins[top.index()].cause {
                Cause::Start => {
                    path.push(top);
                    break;
                }
                Cause::Rule(rule, read) => {
                    rules.push(rule);
                    path.push(read);
                }
                Cause::Pushed => {
                    let below = path.pop().expect("states between are not final");
                    let Cause::Rule(rule, read) = self.origins[below.index()].cause else {
                        unreachable!("what leaves a state between was pushed by a rule");
                    };
                    rules.push(rule);
                    path.push(read);
                }
                Cause::Popped(silent, below) => {
                    path.push(below);
                    path.push(silent);
                }
            }
        }
        if let Some(top) = path.last() {
            let from = self.automaton.transitions()[*top].from;
            start = ControlId::from_index(from.index());
        }
        rules.reverse();
        Run {
            start: Configuration {
                control: start,
                stack: self.labels(path.iter().rev()),
            },
            rules,
            end,
        }
    }

    fn labels<'a>(&self, path: impl Iterator<Item = &'a TransitionId>) -> Vec<SymbolId> {
        path.filter_map(|id| self.automaton.transitions()[*id].label)
            .collect()
    }
}

impl fmt::Display for RunTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the run has about {} steps", self.length)
    }
}

impl std::error::Error for RunTooLong {}
