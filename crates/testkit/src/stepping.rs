//! Compares the fast stepper with the definition, state by state.

use std::collections::BTreeSet;
use std::sync::Arc;

use raddle_ir::Program;
use raddle_ir::interpret::aids::{OnlyWay, Shortcuts};
use raddle_ir::interpret::{
    Interpreter, Outcome, Semantics, State, Successor, ThreadNumber, ThreadOptions,
};

use crate::explore::explore_from;

/// What may be wrong with the stepper, on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SteppingFlaw {
    None,
    /// A section with one way through forgets its last effect.
    ForgetsAnEffect,
    /// It does not tell that a branch was not taken because of what was read.
    LooksAway,
    /// It tells its last part twice.
    RepeatsAPart,
    /// Ways never meet, so circles inside of sections have no end.
    NothingMeets,
}

/// The shortcuts of the stepper with a flaw.
#[derive(Debug)]
struct Flawed {
    shortcuts: Arc<dyn Shortcuts>,
    flaw: SteppingFlaw,
}

impl Shortcuts for Flawed {
    fn only_way(
        &self,
        interpreter: &Interpreter<'_>,
        begun: State,
        thread: ThreadNumber,
    ) -> Option<OnlyWay> {
        let mut way = self.shortcuts.only_way(interpreter, begun, thread)?;
        match self.flaw {
            SteppingFlaw::ForgetsAnEffect => {
                way.effects.pop();
            }
            SteppingFlaw::LooksAway => way.has_looked = false,
            SteppingFlaw::RepeatsAPart => way.parts.extend(way.parts.last().cloned()),
            SteppingFlaw::None | SteppingFlaw::NothingMeets => {}
        }
        Some(way)
    }

    fn ways_meet(&self, state: &State, thread: ThreadNumber) -> bool {
        self.flaw != SteppingFlaw::NothingMeets && self.shortcuts.ways_meet(state, thread)
    }
}

/// Where the stepper and the definition part on the first so many states of a program; at most one difference a program.
pub fn differences(program: &Program, limit: usize, flaw: SteppingFlaw) -> Option<String> {
    let semantics = Semantics::default;
    let definition = raddle_stepper::definition(program, semantics());
    let stepper = raddle_stepper::definition(program, semantics()).taking(Arc::new(Flawed {
        shortcuts: raddle_stepper::shortcuts(program),
        flaw,
    }));
    let alone = Interpreter::new(program, semantics());
    let initial = match (definition.initial_states(), stepper.initial_states()) {
        (Ok(one), Ok(other)) if one == other => one,
        (Err(one), Err(other)) if one == other => return None,
        (one, other) => return Some(format!("they start in\n{one:?}\nand in\n{other:?}")),
    };
    let mut found = None;
    explore_from(&definition, initial, limit, |_, state, successors| {
        if found.is_none() {
            found = difference(&[&definition, &stepper, &alone], state, successors);
        }
    });
    found
}

fn difference(
    [definition, stepper, alone]: &[&Interpreter<'_>; 3],
    state: &State,
    successors: &[Successor],
) -> Option<String> {
    let quick = stepper.successors(state);
    let judged = definition.judge_with(state, successors);
    if judged != stepper.judge_with(state, &quick) {
        return Some(format!("not judged as {judged:?}"));
    }
    for successor in &quick {
        let Some(taken) = alone.take(state, &successor.step) else {
            let is_limit = matches!(successor.outcome, Outcome::Stopped(_));
            if is_limit {
                continue;
            }
            return Some(format!("cannot be taken: {:?}", successor.step));
        };
        if !is_same(&taken, successor) {
            return Some(format!("{taken:?}\nis in the stepper\n{successor:?}"));
        }
    }
    let mut threads = state.threads.keys();
    threads.find_map(|thread| {
        let slow = definition.thread_options(state, *thread);
        let quick = stepper.thread_options(state, *thread);
        difference_of_options(&slow, &quick)
    })
}

fn difference_of_options(slow: &ThreadOptions, quick: &ThreadOptions) -> Option<String> {
    if slow.waits_for_others != quick.waits_for_others {
        return Some(format!("waits for others: {}", slow.waits_for_others));
    }
    for successor in &slow.successors {
        let is_there = |it: &Successor| {
            it.step == successor.step
                && is_same(it, successor)
                && set(&it.accesses) == set(&successor.accesses)
        };
        if !quick.successors.iter().any(is_there) {
            return Some(format!("the stepper has not got\n{successor:?}"));
        }
    }
    for successor in &quick.successors {
        let is_there = |it: &Successor| {
            are_same_outcomes(&it.outcome, &successor.outcome)
                && it.violations.is_empty() == successor.violations.is_empty()
        };
        if !slow.successors.iter().any(is_there) {
            return Some(format!("only the stepper has\n{successor:?}"));
        }
    }
    let (one, other) = (&slow.blocked, &quick.blocked);
    let told = |it| {
        let mut successors = quick.successors.iter();
        other.accesses.contains(it) || successors.any(|successor| successor.accesses.contains(it))
    };
    let is_known = set(&other.accesses).is_subset(&set(&one.accesses));
    let is_same =
        set(&one.objects) == set(&other.objects) && set(&one.joined) == set(&other.joined);
    let is_told = is_known && one.accesses.iter().all(told);
    (!is_same || !is_told).then(|| format!("blocked:\n{one:?}\nis in the stepper\n{other:?}"))
}

fn set<T: Ord>(all: &[T]) -> BTreeSet<&T> {
    all.iter().collect()
}

fn is_same(one: &Successor, other: &Successor) -> bool {
    one.effects == other.effects
        && one.violations == other.violations
        && are_same_outcomes(&one.outcome, &other.outcome)
}

fn are_same_outcomes(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Next(one), Outcome::Next(other)) => one == other,
        (Outcome::Stopped(one), Outcome::Stopped(other)) => one == other,
        (Outcome::Next(_), Outcome::Stopped(_)) | (Outcome::Stopped(_), Outcome::Next(_)) => false,
    }
}
