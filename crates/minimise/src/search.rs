//! The best execution so far.

use raddle_engine::Trace;
use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, ThreadNumber};

use crate::attempt::{Attempt, AttemptTask, Bounds};
use crate::execution::{Execution, Guide};
use crate::goal::Goal;
use crate::purse::Purse;
use crate::weight::weight;
use crate::{Effort, Flaw};

pub(crate) struct Search<'w, 'p> {
    task: AttemptTask<'w, 'p>,
    purse: Purse<'w>,
    current: Execution,
    weight: u128,
    replays: usize,
    was_short: bool,
    flaw: Flaw,
}

impl<'w, 'p> Search<'w, 'p> {
    /// `None` if it is not known what the trace shows.
    pub(crate) fn new(
        interpreter: &'w Interpreter<'p>,
        trace: &Trace,
        effort: Effort,
        may_go_on: &'w dyn Fn() -> bool,
        flaw: Flaw,
    ) -> Option<Self> {
        let mut purse = Purse::new(effort, may_go_on);
        let starts = interpreter.initial_states().ok()?;
        let start = starts.get(trace.initial)?;
        let (goal, items) = Goal::of(interpreter, start, trace, &mut purse, flaw)?;
        let current = Execution {
            initial: trace.initial,
            items,
            violation: trace.violation.clone(),
        };
        Some(Self {
            weight: weight(interpreter.program(), current.initial, &current.items),
            task: AttemptTask {
                interpreter,
                starts,
                goal,
            },
            purse,
            current,
            replays: 0,
            was_short: false,
            flaw,
        })
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.task.interpreter.program()
    }

    pub(crate) fn current(&self) -> &Execution {
        &self.current
    }

    pub(crate) fn replays(&self) -> usize {
        self.replays
    }

    pub(crate) fn is_spent(&self) -> bool {
        self.purse.is_empty()
    }

    /// Begins a pass, which leaves something to those behind it.
    pub(crate) fn begin_pass(&mut self) {
        self.purse.share();
    }

    /// Whether something was not tried because it was not to be paid, since this was asked before.
    pub(crate) fn was_short(&mut self) -> bool {
        std::mem::take(&mut self.was_short)
    }

    /// Who takes the last step, if that shows the violation: then it is needed.
    pub(crate) fn last_thread(&self) -> Option<ThreadNumber> {
        let last = self.current.items.last()?;
        (self.task.goal.is_in_last_step()).then(|| last.thread())
    }

    /// Follows a guide, and goes on with what it leads to if that is better.
    pub(crate) fn attempt(&mut self, guide: &Guide) -> bool {
        if !(self.purse.may_go_on)() {
            self.purse.replays = 0;
        }
        if self.purse.is_empty() {
            self.was_short = true;
            return false;
        }
        self.purse.replays -= 1;
        self.replays += 1;
        if self.flaw == Flaw::UntriedGuides && guide.items.len() < self.current.items.len() {
            self.current.items.clone_from(&guide.items);
            return true;
        }
        let known = (self.current.items.len(), self.current.switches());
        let bounds = if self.flaw == Flaw::AnythingIsBetter {
            Bounds {
                steps: known.0 * 2,
                switches: usize::MAX,
            }
        } else {
            Bounds {
                steps: known.0,
                switches: known.1,
            }
        };
        let Some(attempt) = Attempt::new(&self.task, &mut self.purse, bounds, guide) else {
            return false;
        };
        let found = attempt.follow(guide);
        // What could not be paid to its end may be missed.
        self.was_short |= self.purse.is_empty();
        let Some(found) = found else {
            return false;
        };
        let weight = weight(self.program(), found.initial, &found.items);
        let measure = (found.items.len(), found.switches(), weight);
        let is_better =
            measure < (known.0, known.1, self.weight) || self.flaw == Flaw::AnythingIsBetter;
        if is_better {
            self.current = found;
            self.weight = weight;
        }
        is_better
    }

    /// What was found, as a trace that stands for this one.
    pub(crate) fn into_trace(self, original: &Trace) -> Trace {
        let Execution {
            initial,
            items,
            violation,
        } = self.current;
        let begins = |at: &usize| {
            *at == 0 || items[*at].begins || items[*at].thread() != items[*at - 1].thread()
        };
        let transactions = if original.transactions.is_empty() {
            Vec::new()
        } else {
            (0..items.len()).filter(begins).collect()
        };
        let steps: Vec<_> = items.iter().map(|it| (*it.step).clone()).collect();
        if (original.initial, &original.steps) == (initial, &steps) {
            return original.clone();
        }
        Trace {
            initial,
            steps,
            transactions,
            violation,
        }
    }
}
