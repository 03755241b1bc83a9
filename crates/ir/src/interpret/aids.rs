//! What may be lent to the definition from outside. It needs neither of the two, and without them it is complete: whatever is
//! lent has to prove itself against it.

use std::fmt;
use std::sync::Arc;

use crate::program::{EdgeId, FunctionId, GlobalId};
use crate::types::Scalar;

use super::state::{State, ThreadNumber};
use super::{Effect, Interpreter, StepPart};

/// Values to try where a choice has more than [`Semantics::max_choices`](super::Semantics::max_choices), or wherever values are known
/// that stand for all.
pub trait WideChoices: fmt::Debug + Send + Sync {
    /// Values that stand for all of a havoc: no property tells an execution with another value from one with one of these.
    fn of_havoc(&self, function: FunctionId, edge: EdgeId) -> Option<&[u128]>;

    /// The same for a cell that may start with any value.
    fn of_initial(&self, global: GlobalId, offset: u64) -> Option<&[u128]>;

    /// Values of a havoc that stand for nothing but themselves, where none are known that stand for all.
    fn samples(&self, function: FunctionId, ty: Scalar) -> Vec<u128>;

    /// Whether it was too much work to find out which values stand for all.
    fn are_unknown(&self) -> bool;

    /// Whether those that stand for all are tried even where all could be.
    fn are_preferred(&self) -> bool;
}

/// Ways to come to the same steps with less work.
pub trait Shortcuts: fmt::Debug + Send + Sync {
    /// The only way through an atomic section whose begin was taken, if that is plain to see.
    fn only_way(
        &self,
        interpreter: &Interpreter<'_>,
        begun: State,
        thread: ThreadNumber,
    ) -> Option<OnlyWay>;

    /// Whether the thread may have come to a state on several ways. Every circle of states of one thread has one like that.
    fn ways_meet(&self, state: &State, thread: ThreadNumber) -> bool;
}

/// The only way through an atomic section.
#[derive(Debug)]
pub struct OnlyWay {
    /// Without the begin of the section.
    pub parts: Vec<StepPart>,
    /// Accesses among them are atomic.
    pub effects: Vec<Effect>,
    pub state: State,
    /// Some branch was not taken because of what was read before.
    pub has_looked: bool,
}

impl Interpreter<'_> {
    /// The definition, which tries these values of wide choices.
    #[must_use]
    pub fn trying(mut self, wide: Arc<dyn WideChoices>) -> Self {
        self.wide = Some(wide);
        self
    }

    /// The definition, which takes these shortcuts.
    #[must_use]
    pub fn taking(mut self, shortcuts: Arc<dyn Shortcuts>) -> Self {
        self.shortcuts = Some(shortcuts);
        self
    }

    /// Whether the thread may have come to a state on several ways, as far as is known.
    pub fn ways_meet(&self, state: &State, thread: ThreadNumber) -> bool {
        let shortcuts = self.shortcuts.as_ref();
        shortcuts.is_none_or(|it| it.ways_meet(state, thread))
    }

    pub(super) fn wide_choices_are_unknown(&self) -> bool {
        self.wide.as_ref().is_some_and(|it| it.are_unknown())
    }
}
