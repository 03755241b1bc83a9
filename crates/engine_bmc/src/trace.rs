//! A model of the formula as an execution of the program.

use std::collections::BTreeMap;

use raddle_engine::{Property, Trace};
use raddle_ir::interpret::{
    Effect, Interpreter, Outcome, Part, State, Step, Stop, ThreadNumber, Violation,
};
use raddle_ir::{Action, Program};
use raddle_logic::Model;

use crate::hazard::{Hazard, Met};
use crate::unroll::{Choice, Record, Unrolling};

/// The steps of one thread that are being put together.
struct Walk<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    state: State,
    /// The names of the threads of the unrolling.
    numbers: BTreeMap<usize, ThreadNumber>,
    steps: Vec<Step>,
    /// Those that begin a block.
    transactions: Vec<usize>,
    /// Parts of an atomic section, and how deep it is.
    open: Vec<Part>,
    /// The threads that they start, in the unrolling.
    started: Vec<usize>,
    depth: u32,
    violations: Vec<Violation>,
    has_stopped: bool,
}

impl Unrolling<'_> {
    /// The execution that comes to a hazard in a model; `None` if the interpreter does not go the same way.
    pub(crate) fn trace(
        &self,
        interpreter: &Interpreter<'_>,
        initial: &[State],
        model: &mut Model,
        (met, property): (&Met, Property),
    ) -> Option<Trace> {
        let first = self.initial_of(interpreter, initial, model)?;
        let start = &initial[first];
        let mut walk = Walk {
            interpreter,
            state: start.clone(),
            numbers: start.threads.keys().copied().enumerate().collect(),
            steps: Vec::new(),
            transactions: Vec::new(),
            open: Vec::new(),
            started: Vec::new(),
            depth: 0,
            violations: Vec::new(),
            has_stopped: false,
        };
        let is_overflow = met.hazard == Hazard::Violation(Property::Overflow);
        let mut runner = None;
        let mut block = None;
        for (at, record) in self.records.iter().enumerate() {
            if at >= met.after && (!is_overflow || (at > met.after && walk.depth == 0)) {
                break;
            }
            if !model.holds(&self.terms, record.condition) {
                continue;
            }
            runner = Some(record.thread);
            if block.replace(record.step) != Some(record.step) {
                walk.transactions.push(walk.steps.len());
            }
            let choice = self.choice(model, record, &walk.numbers);
            walk.started.extend(record.started);
            walk.take(self.program, record.thread, part(record, choice))?;
        }
        if let Some(place) = met.place
            && !walk.has_stopped
            && !is_overflow
        {
            // The edge that goes wrong was not taken.
            let last = self.runners.last()?;
            let thread = last
                .iter()
                .position(|runs| model.holds(&self.terms, *runs))
                .or(runner)?;
            let part = Part {
                function: place.0,
                edge: place.1,
                choice: None,
            };
            if block != Some(self.runners.len() - 1) {
                walk.transactions.push(walk.steps.len());
            }
            walk.fail(thread, part)?;
        }
        let violations = match met.place {
            Some(_) => walk.violations,
            None => interpreter.judge(&walk.state),
        };
        let violation = violations.into_iter().find(|it| it.property == property)?;
        Some(Trace {
            initial: first,
            steps: walk.steps,
            transactions: walk.transactions,
            violation,
        })
    }

    fn choice(
        &self,
        model: &mut Model,
        record: &Record,
        numbers: &BTreeMap<usize, ThreadNumber>,
    ) -> Option<u128> {
        match record.choice {
            Choice::Nothing => None,
            Choice::Value(value) => Some(model.value(&self.terms, value)),
            Choice::Round(round) => {
                let is_in = |it: &&(usize, raddle_logic::TermId)| model.holds(&self.terms, it.1);
                let members = self.rounds[round].iter().filter(is_in);
                let names = members.filter_map(|(thread, _)| numbers.get(thread));
                names.min().map(|it| u128::from(it.0))
            }
            Choice::Thread(thread) => {
                let number = model.value(&self.terms, thread);
                let index = usize::try_from(number).ok()?.checked_sub(1)?;
                numbers.get(&index).map(|it| u128::from(it.0))
            }
        }
    }
}

fn part(record: &Record, choice: Option<u128>) -> Part {
    Part {
        function: record.place.0,
        edge: record.place.1,
        choice,
    }
}

impl Walk<'_, '_> {
    /// Takes an edge, as a step of its own or as a part of an atomic section.
    fn take(&mut self, program: &Program, thread: usize, part: Part) -> Option<()> {
        let action = &program.edge(part.function, part.edge).action;
        if *action == Action::AtomicBegin {
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
    fn fail(&mut self, thread: usize, part: Part) -> Option<()> {
        self.open.push(part);
        self.step(thread)
    }

    fn step(&mut self, thread: usize) -> Option<()> {
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
            Outcome::Stopped(_) => return None,
        }
        Some(())
    }
}
