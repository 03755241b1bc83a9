//! The best execution so far, and what may still be spent.
//!
//! The weight of a choice of a value is how far it is from zero, a positive number before the negative one of the same size; that of
//! an initial state its number. Other choices (who is woken, where memory lies) weigh nothing.

use raddle_engine::Trace;
use raddle_ir::interpret::{Interpreter, State, StepPart};
use raddle_ir::{Action, Program};

use crate::attempt::Attempt;
use crate::execution::{Execution, Guide, Item};
use crate::goal::Goal;
use crate::{Effort, Flaw};

/// What may still be spent.
pub(crate) struct Purse<'w> {
    replays: usize,
    steps: usize,
    may_go_on: &'w dyn Fn() -> bool,
}

impl Purse<'_> {
    /// Spends so many steps, if they are there.
    pub(crate) fn pay(&mut self, steps: usize) -> Option<()> {
        let left = self.steps.checked_sub(steps);
        self.steps = left.unwrap_or(0);
        left.map(|_| ())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.replays == 0 || self.steps == 0
    }
}

/// What does not change while attempts are made.
pub(crate) struct World<'w, 'p> {
    pub(crate) interpreter: &'w Interpreter<'p>,
    pub(crate) starts: Vec<State>,
    pub(crate) goal: Goal,
}

/// No attempt goes beyond these.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) steps: usize,
    pub(crate) switches: usize,
}

pub(crate) struct Search<'w, 'p> {
    world: World<'w, 'p>,
    purse: Purse<'w>,
    current: Execution,
    weight: u128,
    replays: usize,
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
        let mut purse = Purse {
            replays: effort.replays,
            steps: effort.steps,
            may_go_on,
        };
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
            world: World {
                interpreter,
                starts,
                goal,
            },
            purse,
            current,
            replays: 0,
            flaw,
        })
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.world.interpreter.program()
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

    /// Follows a guide, and goes on with what it leads to if that is better.
    pub(crate) fn attempt(&mut self, guide: &Guide) -> bool {
        if self.purse.is_empty() {
            return false;
        }
        if !(self.purse.may_go_on)() {
            self.purse.replays = 0;
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
        let Some(attempt) = Attempt::new(&self.world, &mut self.purse, bounds, guide) else {
            return false;
        };
        let Some(found) = attempt.follow(guide) else {
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

/// How far the choices of an execution are from none.
fn weight(program: &Program, initial: usize, items: &[Item]) -> u128 {
    let parts = items.iter().flat_map(|it| &it.step.parts);
    let values = parts.filter_map(|it| value(program, it));
    let sum = values.fold(0_u128, |sum, value| sum.saturating_add(value.weight()));
    sum.saturating_add(initial as u128)
}

/// A value that was chosen, and the greatest that could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) bits: u128,
    pub(crate) greatest: u128,
}

impl Value {
    /// 0 for zero, then 1, −1, 2, −2, …
    pub(crate) fn weight(self) -> u128 {
        let negative = self.greatest - self.bits;
        if self.bits == 0 {
            0
        } else if self.bits <= negative {
            (self.bits - 1).saturating_mul(2) + 1
        } else {
            negative.saturating_mul(2).saturating_add(2)
        }
    }
}

/// The value that was chosen on an edge that lets one be chosen.
pub(crate) fn value(program: &Program, part: &StepPart) -> Option<Value> {
    let Action::Havoc { target } = program.edge(part.function, part.edge).action else {
        return None;
    };
    let ty = program.functions[part.function].registers[target].ty;
    Some(Value {
        bits: part.choice?,
        greatest: ty.mask(program.model),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_weighs_least_then_one_then_minus_one() {
        let weights = [0, 1, 255, 2, 254, 127, 128].map(|bits| {
            let greatest = 255;
            Value { bits, greatest }.weight()
        });
        assert_eq!(weights, [0, 1, 2, 3, 4, 253, 256]);
    }
}
