//! The mover table against the interpreter: every row, against every action of other threads, failing, trying,
//! destroying and freeing ones included, in all small states of the objects involved.
//!
//! The definitions M1 to M3 of [`raddle_reduce::movers`] are written out below. A flag of the table must be true exactly
//! if no counterexample exists while the row's conditions hold.

mod conditions;
mod mutants;
mod states;
mod steps;
mod universe;

use raddle_ir::interpret::{State, ThreadNumber};
use raddle_ir::{EdgeId, FunctionId};
use raddle_reduce::movers::{Claim, Condition, Row};

pub use mutants::{Change, CommuteMutant, mutants};
pub use universe::Universe;

use conditions::{is_allowed, is_consistent, is_situation};
use steps::{StepEnd, Stepper, Steps, others, renamed};
use universe::{T, UNIVERSE};

/// What keeps actions from being right or left movers.
#[derive(Clone, Debug, Default)]
pub struct RefutedRow {
    pub right: Counterexamples,
    pub left: Counterexamples,
}

/// What speaks against one side.
#[derive(Clone, Debug, Default)]
pub struct Counterexamples {
    pub count: usize,
    pub first: Option<String>,
    /// Pairs of steps that were looked at.
    pub compared: usize,
}

impl Counterexamples {
    fn note(&mut self, why: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(why);
    }

    fn add(&mut self, other: Counterexamples, tell: impl FnOnce(String) -> String) {
        self.count += other.count;
        self.compared += other.compared;
        if self.first.is_none() {
            self.first = other.first.map(tell);
        }
    }
}

/// Judges rows of the table.
pub struct Checker<'a> {
    universe: &'a Universe,
    states: Vec<State>,
    /// Per state: steps of `t`, steps of the others, and what follows each that ends in a state.
    explored: Vec<Explored>,
}

struct Explored {
    first: Steps,
    other: Steps,
    other_after_first: Vec<Steps>,
    first_after_other: Vec<Steps>,
}

impl<'a> Checker<'a> {
    pub fn new(universe: &'a Universe) -> Self {
        let mut stepper = Stepper::new(universe.interpreter());
        let states: Vec<State> = universe
            .states()
            .iter()
            .map(|state| renamed(&universe.program, state))
            .collect();
        let explored = states
            .iter()
            .map(|state| {
                let first = stepper.steps(state, &[T]);
                let other = stepper.steps(state, &others(state));
                let mut follow = |before: &Steps, is_other: bool| {
                    before
                        .iter()
                        .map(|(_, end)| match end {
                            StepEnd::State(next) if is_other => stepper.steps(next, &others(next)),
                            StepEnd::State(next) => stepper.steps(next, &[T]),
                            StepEnd::Failed | StepEnd::ProcessEnded => Vec::new(),
                        })
                        .collect()
                };
                Explored {
                    other_after_first: follow(&first, true),
                    first_after_other: follow(&other, false),
                    first,
                    other,
                }
            })
            .collect();
        Self {
            universe,
            states,
            explored,
        }
    }

    /// Looks for counterexamples to M1, M2 and M3 for one entry under some conditions.
    fn refute(&self, index: usize, conditions: &[Condition]) -> RefutedRow {
        let edge = self.universe.edges[index];
        let entry = &UNIVERSE[index];
        let mut refuted = RefutedRow::default();
        for (state, explored) in self.states.iter().zip(&self.explored) {
            let action = &self.universe.program.edge(self.universe.actor, edge).action;
            if !is_consistent(self.universe, state, T, action)
                || !is_situation(self.universe, conditions, entry, state)
            {
                continue;
            }
            let own = |steps: &Steps| -> Vec<StepEnd> {
                steps
                    .iter()
                    .filter(|((_, _, it), _)| *it == edge)
                    .map(|(_, end)| end.clone())
                    .collect()
            };
            let allowed =
                |state: &State, who| is_allowed(self.universe, conditions, entry, state, who);
            let now = own(&explored.first);
            if now.is_empty() {
                refuted.left.note(|| "it can block".into());
            }
            // M1: first t, then another.
            for ((_, end), after) in explored
                .first
                .iter()
                .zip(&explored.other_after_first)
                .filter(|(((_, _, it), _), _)| *it == edge)
            {
                let middle = match end {
                    StepEnd::State(middle) => middle,
                    StepEnd::Failed => continue,
                    StepEnd::ProcessEnded => {
                        refuted.right.note(|| "it ends the process".into());
                        continue;
                    }
                };
                for (who, last) in after {
                    if !allowed(middle, *who) {
                        continue;
                    }
                    refuted.right.compared += 1;
                    let is_matched =
                        explored
                            .other
                            .iter()
                            .enumerate()
                            .any(|(at, (it, other_end))| {
                                it == who
                                    && match last {
                                        StepEnd::Failed | StepEnd::ProcessEnded => {
                                            other_end == last
                                        }
                                        StepEnd::State(_) => {
                                            own(&explored.first_after_other[at]).contains(last)
                                        }
                                    }
                            });
                    if !is_matched {
                        refuted.right.note(|| self.describe(*who));
                    }
                }
            }
            // M2: first another, then t.
            for (at, (who, end)) in explored.other.iter().enumerate() {
                if !allowed(state, *who) {
                    continue;
                }
                refuted.left.compared += 1;
                let afters: Vec<&Steps> = explored
                    .first
                    .iter()
                    .zip(&explored.other_after_first)
                    .filter(|(((_, _, it), end), _)| *it == edge && *end != StepEnd::Failed)
                    .map(|(_, after)| after)
                    .collect();
                let reaches = |after: &&Steps, last: &StepEnd| {
                    after.iter().any(|(it, end)| it == who && end == last)
                };
                if !matches!(end, StepEnd::State(_)) {
                    if !afters.iter().all(|after| reaches(after, end)) {
                        refuted
                            .left
                            .note(|| format!("{} no longer fails", self.describe(*who)));
                    }
                    continue;
                }
                for last in own(&explored.first_after_other[at]) {
                    let is_matched = match last {
                        StepEnd::Failed | StepEnd::ProcessEnded => now.contains(&last),
                        StepEnd::State(_) => afters.iter().any(|after| reaches(after, &last)),
                    };
                    if !is_matched {
                        refuted.left.note(|| self.describe(*who));
                    }
                }
            }
        }
        refuted
    }

    fn describe(&self, (thread, function, edge): (ThreadNumber, FunctionId, EdgeId)) -> String {
        let name = self.universe.program.functions[function].name.clone();
        match self.universe.entry_of(function, edge) {
            Some(entry) => format!("`{}` of thread {}", entry.text, thread.0),
            None => format!("{edge:?} of `{name}`, thread {}", thread.0),
        }
    }

    /// The rows that are judged.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        self.universe.rows_with_actions()
    }

    /// What is true of a row under some conditions: right and left, with the counterexamples.
    pub fn truth(&self, row: Row, conditions: &[Condition]) -> RefutedRow {
        let mut all = RefutedRow::default();
        for (index, entry) in UNIVERSE.iter().enumerate() {
            if self.universe.rows(index).contains(&row) {
                let one = self.refute(index, conditions);
                let tell = |what: String| format!("`{}`: {what}", entry.text);
                all.right.add(one.right, tell);
                all.left.add(one.left, tell);
            }
        }
        all
    }

    /// Where a claim and the truth differ.
    pub fn disagreements(&self, row: Row, claim: Claim) -> Vec<String> {
        let truth = self.truth(row, claim.conditions);
        let mut found = Vec::new();
        for (side, claimed, counterexample) in [
            ("right", claim.is_right, &truth.right),
            ("left", claim.is_left, &truth.left),
        ] {
            match (claimed, &counterexample.first) {
                (true, Some(why)) => found.push(format!("{row:?} is no {side} mover: {why}")),
                (false, None) => found.push(format!("{row:?} is a {side} mover, but not claimed")),
                (true, None) | (false, Some(_)) => {}
            }
        }
        found
    }
}
