//! A model of the formula as an execution of the program.

use std::collections::BTreeMap;

use raddle_base::Id;
use raddle_engine::{Property, Trace};
use raddle_ir::interpret::{
    Effect, Interpreter, Outcome, State, Step, StepPart, Stop, Successor, ThreadNumber, Violation,
};
use raddle_ir::{Action, EdgeId, FunctionId, Program};
use raddle_logic::{Evaluation, Model, TermId, Terms};

use crate::encoder::{Choice, Encoder, Record};
use crate::names::ThreadIndex;

/// What terms are worth in one execution.
pub trait Valuation {
    fn value(&mut self, term: TermId) -> u128;

    fn holds(&mut self, condition: TermId) -> bool {
        self.value(condition) == 1
    }
}

/// What they are in a model.
pub struct InModel<'a> {
    pub terms: &'a Terms,
    pub model: &'a mut Model,
}

impl Valuation for InModel<'_> {
    fn value(&mut self, term: TermId) -> u128 {
        self.model.value(self.terms, term)
    }
}

/// What they are where variables have given values.
pub struct UnderValues<'a> {
    pub terms: &'a Terms,
    pub values: Evaluation,
}

impl Valuation for UnderValues<'_> {
    fn value(&mut self, term: TermId) -> u128 {
        self.values.value(self.terms, term)
    }
}

/// The steps of an execution that are being put together.
pub struct Walk<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    /// Which of the initial states it begins in.
    initial: usize,
    state: State,
    /// The names of the threads of the unrolling.
    numbers: BTreeMap<ThreadIndex, ThreadNumber>,
    steps: Vec<Step>,
    /// Those that begin a block.
    transactions: Vec<usize>,
    /// Parts of an atomic section, and how deep it is.
    open: Vec<StepPart>,
    /// The threads that they start, in the unrolling.
    started: Vec<ThreadIndex>,
    depth: u32,
    violations: Vec<Violation>,
    has_stopped: bool,
}

impl Encoder<'_> {
    /// Begins where an execution does.
    pub fn walk<'a, 'p>(
        &self,
        interpreter: &'a Interpreter<'p>,
        initial: &[State],
        values: &mut impl Valuation,
    ) -> Option<Walk<'a, 'p>> {
        let first = self.initial_of(interpreter, initial, values)?;
        let start = &initial[first];
        Some(Walk {
            interpreter,
            initial: first,
            state: start.clone(),
            numbers: (start.threads.keys().copied().enumerate())
                .map(|(at, number)| (ThreadIndex::from_index(at), number))
                .collect(),
            steps: Vec::new(),
            transactions: Vec::new(),
            open: Vec::new(),
            started: Vec::new(),
            depth: 0,
            violations: Vec::new(),
            has_stopped: false,
        })
    }

    /// Takes the edge of a record; `None` if the interpreter does not.
    pub fn follow(
        &self,
        walk: &mut Walk<'_, '_>,
        values: &mut impl Valuation,
        record: &Record,
    ) -> Option<()> {
        let choice = self.choice(values, record, &walk.numbers);
        walk.started.extend(record.started);
        walk.take(self.program, record.thread, part(record, choice))
    }

    fn choice(
        &self,
        values: &mut impl Valuation,
        record: &Record,
        numbers: &BTreeMap<ThreadIndex, ThreadNumber>,
    ) -> Option<u128> {
        match record.choice {
            Choice::Nothing => None,
            Choice::Value(value) => Some(values.value(value)),
            Choice::Round(round) => {
                let is_in = |it: &&(ThreadIndex, TermId)| values.holds(it.1);
                let members = self.rounds[round].iter().filter(is_in);
                let names = members.filter_map(|(thread, _)| numbers.get(thread));
                names.min().map(|it| u128::from(it.0))
            }
            Choice::Thread(thread) => {
                let number = values.value(thread);
                let index = usize::try_from(number).ok()?.checked_sub(1)?;
                numbers
                    .get(&ThreadIndex::from_index(index))
                    .map(|it| u128::from(it.0))
            }
        }
    }
}

fn part(record: &Record, choice: Option<u128>) -> StepPart {
    StepPart {
        function: record.place.0,
        edge: record.place.1,
        choice,
    }
}

impl Walk<'_, '_> {
    /// What comes next begins a block.
    pub fn begin_block(&mut self) {
        self.transactions.push(self.steps.len());
    }

    /// Whether it is in the middle of an atomic section.
    pub fn is_in_section(&self) -> bool {
        self.depth > 0
    }

    /// The steps so far, and where they lead to.
    pub fn so_far(&self) -> (&[Step], &State) {
        (&self.steps, &self.state)
    }

    /// Whether it came to an end at a violation.
    pub fn has_stopped(&self) -> bool {
        self.has_stopped
    }

    /// The trace to a violation of the property: one that some step was, or one that the last state shows.
    pub fn trace(self, property: Property, is_of_state: bool) -> Option<Trace> {
        let violations = if is_of_state {
            self.interpreter.judge(&self.state)
        } else {
            self.violations
        };
        let violation = violations.into_iter().find(|it| it.property == property)?;
        Some(Trace {
            initial: self.initial,
            steps: self.steps,
            transactions: self.transactions,
            violation,
        })
    }

    /// Takes an edge, as a step of its own or as a part of an atomic section.
    fn take(&mut self, program: &Program, thread: ThreadIndex, part: StepPart) -> Option<()> {
        let action = &program.edge(part.function, part.edge).action;
        if matches!(action, Action::AtomicBegin { .. }) {
            self.depth += 1;
        } else if *action == Action::AtomicEnd {
            self.depth = self.depth.checked_sub(1)?;
        }
        let ends = matches!(
            action,
            Action::ExitThread { .. } | Action::EndProcess { .. }
        );
        self.open.push(part);
        if self.depth > 0 && !ends {
            return Some(());
        }
        self.depth = 0;
        self.step(thread)
    }

    /// The last edge, which goes wrong.
    pub fn fail(
        &mut self,
        thread: ThreadIndex,
        (function, edge): (FunctionId, EdgeId),
    ) -> Option<()> {
        self.open.push(StepPart {
            function,
            edge,
            choice: None,
        });
        let parts = self.open.clone();
        self.step(thread)
            .or_else(|| self.fail_anyhow(thread, &parts))
    }

    /// The same where something was chosen that no longer matters.
    fn fail_anyhow(&mut self, thread: ThreadIndex, parts: &[StepPart]) -> Option<()> {
        let number = *self.numbers.get(&thread)?;
        let (last, before) = parts.split_last()?;
        let is_it = |it: &Successor| {
            matches!(it.outcome, Outcome::Stopped(_))
                && it.step.parts.split_last().is_some_and(|(its, others)| {
                    others == before && (its.function, its.edge) == (last.function, last.edge)
                })
        };
        let mut successors = self.interpreter.thread_successors(&self.state, number);
        let at = successors.iter().position(is_it)?;
        self.open = successors.swap_remove(at).step.parts;
        self.step(thread)
    }

    fn step(&mut self, thread: ThreadIndex) -> Option<()> {
        let number = *self.numbers.get(&thread)?;
        let step = Step {
            thread: number,
            parts: std::mem::take(&mut self.open),
        };
        let successor = self.interpreter.take(&self.state, &step)?;
        self.steps.push(step);
        self.violations.extend(successor.violations);
        let spawned = successor.effects.iter().filter_map(|effect| {
            let Effect::Spawn { thread } = effect else {
                return None;
            };
            Some(*thread)
        });
        self.numbers.extend(self.started.drain(..).zip(spawned));
        match successor.outcome {
            Outcome::Next(next) => self.state = next,
            Outcome::Stopped(Stop::Violation(violation)) => {
                self.has_stopped = true;
                self.violations.push(violation);
            }
            // A quotient that does not fit is an overflow, and undefined as well.
            Outcome::Stopped(_) if !self.violations.is_empty() => self.has_stopped = true,
            Outcome::Stopped(_) => return None,
        }
        Some(())
    }
}
