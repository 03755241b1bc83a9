//! The steps of an execution, in little room.

use raddle_base::FastMap;
use raddle_engine::Trace;
use raddle_ir::interpret::{Step, StepPart, ThreadNumber};
use raddle_ir::program::{EdgeId, FunctionId};

#[derive(Debug, Default)]
pub(crate) struct Record {
    /// Which of the initial states.
    pub(crate) initial: usize,
    steps: Vec<(ThreadNumber, FunctionId, EdgeId)>,
    /// Of the steps that have one.
    choices: FastMap<usize, u128>,
    /// The parts of those that have several.
    sections: FastMap<usize, Vec<StepPart>>,
}

impl Record {
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
        self.choices.clear();
        self.sections.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn push(&mut self, thread: ThreadNumber, parts: &[StepPart]) {
        let index = self.steps.len();
        let first = &parts[0];
        self.steps.push((thread, first.function, first.edge));
        if parts.len() > 1 {
            self.sections.insert(index, parts.to_vec());
        } else if let Some(choice) = first.choice {
            self.choices.insert(index, choice);
        }
    }

    pub(crate) fn thread(&self, index: usize) -> ThreadNumber {
        self.steps[index].0
    }

    pub(crate) fn step(&self, index: usize) -> Step {
        let (thread, function, edge) = self.steps[index];
        let parts = self.sections.get(&index).cloned();
        Step {
            thread,
            parts: parts.unwrap_or_else(|| {
                vec![StepPart {
                    function,
                    edge,
                    choice: self.choices.get(&index).copied(),
                }]
            }),
        }
    }
}

/// A trace of these steps.
pub(crate) fn trace(
    initial: usize,
    steps: Vec<Step>,
    violation: raddle_ir::interpret::Violation,
) -> Trace {
    Trace {
        initial,
        steps,
        transactions: Vec::new(),
        violation,
    }
}
