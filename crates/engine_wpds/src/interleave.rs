//! From one path of each party to one interleaving that respects the locks.
//!
//! # Source
//!
//! AS Thm. 1, the decomposition theorem, made constructive.
//!
//! # Definitions
//!
//! How far each party has come in a phase decides who holds which lock, so an interleaving is a path through the *grid* of how far they
//! have come, phase by phase.
//!
//! # Invariants
//!
//! - **(U1)** Compatible lock histories promise that there is such a path.
//!
//! # Deviations
//!
//! 1. AS proves that there is an interleaving and does not make it.
//!
//! # Tested by
//!
//! `crates/testkit/tests/pushdown.rs`: every witness is run by [`execution`](crate::execution).

use std::collections::BTreeSet;

use raddle_base::Id;

use crate::phases::PhaseAutomaton;
use crate::system::{Label, Process, RuleId};

/// What one party does in each phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path {
    pub phases: Vec<PathPhase>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathPhase {
    pub rules: Vec<RuleId>,
    /// The rule that ends the phase, if it is this party's.
    pub last: Option<RuleId>,
}

/// A step of an interleaving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub party: usize,
    pub rule: RuleId,
    /// It leads to the next phase.
    pub is_transition: bool,
}

/// One interleaving of the paths; `None` if there is none, which compatible histories exclude unless atomic sections
/// wait for locks.
pub fn interleave(processes: &[&Process], locks: usize, paths: &[Path]) -> Option<Vec<Turn>> {
    let mut owners: Vec<Option<usize>> = vec![None; locks];
    let mut turns = Vec::new();
    let phases = paths.iter().map(|it| it.phases.len()).max().unwrap_or(0);
    for phase in 0..phases {
        let stretches: Vec<&PathPhase> = paths.iter().map(|path| &path.phases[phase]).collect();
        let order = through_the_grid(processes, &owners, &stretches)?;
        let mut done = vec![0; paths.len()];
        for party in order {
            let rule = stretches[party].rules[done[party]];
            done[party] += 1;
            own(&mut owners, processes[party].rules[rule].label, party);
            turns.push(Turn {
                party,
                rule,
                is_transition: false,
            });
        }
        for (party, stretch) in stretches.iter().enumerate() {
            turns.extend(stretch.last.map(|rule| Turn {
                party,
                rule,
                is_transition: true,
            }));
        }
    }
    Some(turns)
}

fn own(owners: &mut [Option<usize>], label: Label, party: usize) {
    match label {
        Label::Acquire(lock) => owners[lock.index()] = Some(party),
        Label::Release(lock) => owners[lock.index()] = None,
        Label::Silent | Label::Begin | Label::End | Label::Access(_) | Label::Event(_) => {}
    }
}

/// Who goes on, step by step, until all have done their part of the phase; depth first, staying with one party as
/// long as possible.
fn through_the_grid(
    processes: &[&Process],
    owners: &[Option<usize>],
    stretches: &[&PathPhase],
) -> Option<Vec<usize>> {
    struct Node {
        done: Vec<usize>,
        owners: Vec<Option<usize>>,
        /// The party that brought us here.
        by: Option<usize>,
        /// Parties that were not tried yet, the next one last.
        left: Vec<usize>,
    }
    let parties = stretches.len();
    let candidates = |done: &[usize], owners: &[Option<usize>], by: Option<usize>| {
        let is_inside = |party: usize| {
            let before = done[party]
                .checked_sub(1)
                .map(|it| stretches[party].rules[it]);
            before.is_some_and(|rule| {
                let process = processes[party];
                process.controls[process.rules[rule].to].is_atomic
            })
        };
        let may_go = |party: usize| {
            let Some(rule) = stretches[party].rules.get(done[party]) else {
                return false;
            };
            let is_free = match processes[party].rules[*rule].label {
                Label::Acquire(lock) => owners[lock.index()].is_none(),
                Label::Silent
                | Label::Release(_)
                | Label::Begin
                | Label::End
                | Label::Access(_)
                | Label::Event(_) => true,
            };
            is_free && (0..parties).all(|other| other == party || !is_inside(other))
        };
        let mut left: Vec<usize> = (0..parties).rev().filter(|it| may_go(*it)).collect();
        if let Some(at) = left.iter().position(|it| Some(*it) == by) {
            let same = left.remove(at);
            left.push(same);
        }
        left
    };
    let start = vec![0; parties];
    let mut seen = BTreeSet::from([start.clone()]);
    let mut stack = vec![Node {
        left: candidates(&start, owners, None),
        done: start,
        owners: owners.to_vec(),
        by: None,
    }];
    while let Some(node) = stack.last_mut() {
        if node
            .done
            .iter()
            .zip(stretches)
            .all(|(done, stretch)| *done == stretch.rules.len())
        {
            return Some(stack.iter().filter_map(|it| it.by).collect());
        }
        let Some(party) = node.left.pop() else {
            stack.pop();
            continue;
        };
        let mut done = node.done.clone();
        let rule = stretches[party].rules[done[party]];
        done[party] += 1;
        if !seen.insert(done.clone()) {
            continue;
        }
        let mut owners = node.owners.clone();
        own(&mut owners, processes[party].rules[rule].label, party);
        stack.push(Node {
            left: candidates(&done, &owners, Some(party)),
            done,
            owners,
            by: Some(party),
        });
    }
    None
}

/// Whether the turns are an execution of the processes that the automaton accepts: every rule applies, nothing is
/// done in a phase that is refused there, and the transitions are those of the automaton.
pub fn accepts(
    processes: &[&Process],
    locks: usize,
    automaton: &PhaseAutomaton,
    turns: &[Turn],
) -> bool {
    let mut configuration = crate::execution::Configuration::initial(processes, locks);
    let mut phase = 0;
    for turn in turns {
        let process = processes[turn.party];
        let control = &process.controls[configuration.controls[turn.party]];
        let label = process.rules[turn.rule].label;
        let Some(now) = automaton.phases.get(phase) else {
            return false;
        };
        if turn.is_transition {
            if now.party != turn.party || !now.letter.matches(label, control) {
                return false;
            }
            phase += 1;
        } else if now
            .refused
            .iter()
            .any(|(party, letter)| *party == turn.party && letter.matches(label, control))
        {
            return false;
        }
        if configuration
            .apply(processes, turn.party, turn.rule)
            .is_err()
        {
            return false;
        }
    }
    phase == automaton.phases.len()
}
