//! The decision procedure with sets of least stretches as weights.
//!
//! # Source
//!
//! AS Algorithm 2, with other weights; the order of [`stretch`](crate::stretch) is ours.
//!
//! # Definitions
//!
//! A weight is an *antichain* of stretches: of all tuples only those that no other one makes superfluous.
//!
//! # Invariants
//!
//! - **(Y1)** Antichains keep the laws of weights (AS Def. 5).
//!
//! # Deviations
//!
//! 1. AS keeps all tuples, as decision diagrams. To keep the least ones is enough, because compatibility is monotone.
//!
//! # Tested by
//!
//! `crates/engine_wpds/tests/stretches.rs` (Y1); `crates/testkit/tests/pushdown.rs` against Algorithm 1 and all interleavings.

use std::collections::BTreeMap;

use raddle_base::{Budget, Exhausted};
use raddle_wpds::Semiring;

use crate::phases::{PhaseAutomaton, Side};
use crate::product::{Indexed, Tuple, are_all_compatible};
use crate::sided::{Failure, Procedure, Sided, Weighed, has_run};
use crate::stretch::Stretch;
use crate::system::Process;

/// Sets of stretches, of which none is below another.
#[derive(Clone, Debug)]
pub struct Antichains {
    /// More stretches than this are too many for one set.
    pub most: usize,
    pub budget: Budget,
}

/// In order, none below another.
pub type Antichain = Vec<Stretch>;

/// Why a set was not worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AntichainError {
    TooMany,
    Budget(Exhausted),
}

impl From<AntichainError> for Failure {
    fn from(error: AntichainError) -> Self {
        match error {
            AntichainError::TooMany => Failure::TooManyStretches,
            AntichainError::Budget(exhausted) => Failure::Exhausted(exhausted),
        }
    }
}

impl Antichains {
    fn least(&self, all: Vec<Stretch>) -> Result<Antichain, AntichainError> {
        self.budget.check_time().map_err(AntichainError::Budget)?;
        let least = Stretch::least(all);
        if least.len() > self.most {
            return Err(AntichainError::TooMany);
        }
        Ok(least)
    }
}

impl Semiring for Antichains {
    type Weight = Antichain;
    type Error = AntichainError;

    fn zero(&self) -> Antichain {
        Vec::new()
    }

    fn one(&self) -> Antichain {
        vec![Stretch::silent()]
    }

    fn combine(&self, left: &Antichain, right: &Antichain) -> Result<Antichain, AntichainError> {
        if left.is_empty() || left == right {
            return Ok(right.clone());
        }
        if right.is_empty() {
            return Ok(left.clone());
        }
        self.least(left.iter().chain(right).cloned().collect())
    }

    fn extend(&self, first: &Antichain, second: &Antichain) -> Result<Antichain, AntichainError> {
        if let [only] = second.as_slice()
            && *only == Stretch::silent()
        {
            return Ok(first.clone());
        }
        let pairs = first
            .iter()
            .flat_map(|before| second.iter().map(move |after| before.then(after)));
        self.least(pairs.collect())
    }

    fn news(&self, known: &Antichain, weight: &Antichain) -> Result<Antichain, AntichainError> {
        let is_new = |it: &&Stretch| !known.iter().any(|other| other.is_below(it));
        Ok(weight.iter().filter(is_new).cloned().collect())
    }
}

/// Decides automata over processes that share locks.
pub struct Minimal<'p> {
    processes: Vec<Indexed<'p>>,
    locks: usize,
    antichains: Antichains,
    sides: BTreeMap<(usize, Side), Vec<Tuple>>,
    /// How many `post*` were computed.
    pub saturations: u64,
    /// The most tuples of one side.
    pub largest: usize,
}

impl<'p> Minimal<'p> {
    pub fn new(processes: &[&'p Process], locks: usize, most: usize, budget: &Budget) -> Self {
        Self {
            processes: processes.iter().map(|it| Indexed::new(it)).collect(),
            locks,
            antichains: Antichains {
                most,
                budget: budget.clone(),
            },
            sides: BTreeMap::new(),
            saturations: 0,
            largest: 0,
        }
    }

    /// One tuple of each further party that is compatible with those chosen.
    fn choose<'t>(
        &self,
        sides: &[&'t [Tuple]],
        chosen: &mut Vec<&'t Tuple>,
    ) -> Result<bool, Failure> {
        let Some((side, rest)) = sides.split_first() else {
            return Ok(true);
        };
        self.antichains
            .budget
            .check_time()
            .map_err(Failure::Exhausted)?;
        for tuple in *side {
            chosen.push(tuple);
            if are_all_compatible(chosen) && self.choose(rest, chosen)? {
                return Ok(true);
            }
            chosen.pop();
        }
        Ok(false)
    }

    /// The least tuples of all runs of a process on one side of an automaton.
    fn side(&mut self, key: &(usize, Side)) -> Result<&[Tuple], Failure> {
        if !self.sides.contains_key(key) {
            let (process, side) = key;
            let found = if has_run(&self.processes[*process], side)? {
                self.saturate(*process, side)?
            } else {
                Vec::new()
            };
            self.sides.insert(key.clone(), found);
        }
        Ok(&self.sides[key])
    }

    fn saturate(&mut self, process: usize, side: &Side) -> Result<Vec<Tuple>, Failure> {
        self.saturations += 1;
        let antichains = &self.antichains;
        let sided = Sided::new(&self.processes[process], side, |weighed| {
            vec![match weighed {
                Weighed::Rule(label) => Stretch::of_label(label),
                Weighed::NextPhase => Stretch::next_phase(),
                Weighed::Last => Stretch::silent(),
            }]
        })?;
        let reached = sided.reached(antichains, &antichains.one())?;
        let sums = reached.automaton.sums(antichains)?;
        let least = sums.of_control(antichains, sided.last)?;
        self.largest = self.largest.max(least.len());
        Ok(least.iter().map(|it| it.tuple(self.locks)).collect())
    }
}

impl Procedure for Minimal<'_> {
    fn decide(
        &mut self,
        automaton: &PhaseAutomaton,
        parties: &[usize],
    ) -> Result<Option<Vec<Tuple>>, Failure> {
        let mut keys = Vec::new();
        for (party, process) in parties.iter().enumerate() {
            let key = (*process, automaton.side(party));
            if self.side(&key)?.is_empty() {
                return Ok(None);
            }
            keys.push(key);
        }
        let sides: Vec<&[Tuple]> = keys.iter().map(|it| self.sides[it].as_slice()).collect();
        let mut chosen = Vec::new();
        self.choose(&sides, &mut chosen)
            .map(|found| found.then(|| chosen.into_iter().cloned().collect()))
    }
}
