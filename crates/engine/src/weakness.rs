//! Programs for which "no two accesses meet under sequential consistency" is not yet "no race".

use crate::Reason;
use raddle_ir::interpret::{State, Step, StepPart};
use raddle_ir::{Action, Edge, Order, Program};

/// The first action that stands against race freedom by a search for accesses that meet, as the reason to say so.
///
/// A weaker memory order allows executions that are not interleavings. A try or timed operation that fails
/// tells a thread that another holds the lock and yet orders nothing, so two accesses may be unordered although
/// no interleaving brings them side by side.
pub(crate) fn weakness(program: &Program) -> Option<Reason> {
    program
        .functions
        .values()
        .flat_map(|function| function.edges.values())
        .find_map(of_edge)
}

/// Which of the weaknesses of a program a search comes across: what it never does costs nothing.
#[derive(Clone, Debug)]
pub struct Weaknesses<'p> {
    program: &'p Program,
    /// Somewhere in the program.
    first: Option<Reason>,
    /// A thread may be gone without a join.
    detaches: bool,
}

impl<'p> Weaknesses<'p> {
    pub fn new(program: &'p Program) -> Self {
        let mut edges = program
            .functions
            .values()
            .flat_map(|function| function.edges.values());
        Self {
            program,
            first: weakness(program),
            detaches: edges.any(|edge| matches!(edge.action, Action::Detach { .. })),
        }
    }

    /// The part of a step from a state that has a weakness, if one has.
    ///
    /// A thread that is alone has none: what others did it has joined, and what others will do comes after their start. Where
    /// a thread may have been detached nobody knows who is alone.
    pub fn of_step<'s>(&self, before: &State, step: &'s Step) -> Option<&'s StepPart> {
        self.first.as_ref()?;
        if !self.detaches && before.threads.len() == 1 {
            return None;
        }
        match &step.parts[..] {
            [part] => self.at(part).map(|_| part),
            // A section may have been gone through in other ways too.
            parts => parts.first(),
        }
    }

    /// What to say of a part that has one.
    pub fn reason(&self, part: &StepPart) -> Option<Reason> {
        self.at(part).or_else(|| self.first.clone())
    }

    fn at(&self, part: &StepPart) -> Option<Reason> {
        of_edge(self.program.edge(part.function, part.edge))
    }
}

fn of_edge(edge: &Edge) -> Option<Reason> {
    if has_weaker_order(&edge.action) {
        Some(Reason::WeakerMemoryOrder { span: edge.span })
    } else if may_fail_to_lock(&edge.action) {
        Some(Reason::TryLock { span: edge.span })
    } else {
        None
    }
}

fn has_weaker_order(action: &Action) -> bool {
    let order = action.order();
    order.is_some_and(|it| it != Order::SequentiallyConsistent)
}

fn may_fail_to_lock(action: &Action) -> bool {
    matches!(action, Action::Sync { operation, .. } if operation.is_attempt())
}
