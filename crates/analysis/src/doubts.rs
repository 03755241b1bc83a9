//! What could not be excluded of the actions of a program, by the property that it would violate.

use raddle_base::Span;
use raddle_ir::interpret::Property;

pub use crate::registers::Invariant;

/// Something that an action may do, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub of: Doubted,
    /// As in: a pointer may be null.
    pub what: &'static str,
    pub span: Option<Span>,
}

/// What an action may do that is doubtful.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubted {
    Violates(Property),
    /// Reaches something that is not supported: nobody knows what it would do.
    Unsupported,
}

impl Doubt {
    /// Whether an execution may end here.
    pub(crate) fn ends_executions(&self) -> bool {
        match self.of {
            Doubted::Violates(property) => property.ends_executions(),
            Doubted::Unsupported => true,
        }
    }
}

/// All doubts of a program, in the order of its actions.
#[derive(Clone, Debug, Default)]
pub struct Doubts {
    found: Vec<Doubt>,
    /// What threads leave to one another, on which the rest may rest.
    pub invariants: Vec<Invariant>,
    /// Some action may follow a pointer that was never set.
    pub(crate) follow_unset: bool,
    /// Where the action stands that is looked at.
    span: Option<Span>,
}

impl Doubts {
    /// The next action that is looked at stands here.
    pub(crate) fn stand_at(&mut self, span: Option<Span>) {
        self.span = span;
    }

    pub(crate) fn ensure(&mut self, is_fine: bool, property: Property, what: &'static str) {
        if !is_fine {
            self.add(Doubted::Violates(property), what);
        }
    }

    pub(crate) fn add(&mut self, of: Doubted, what: &'static str) {
        let span = self.span;
        self.found.push(Doubt { of, what, span });
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Doubt> {
        self.found.iter()
    }

    /// The first doubt that the program keeps to a property; none if it certainly does.
    pub fn of(&self, property: Property) -> Option<&Doubt> {
        let mut all = self.found.iter();
        all.find(|it| it.of == Doubted::Violates(property))
    }

    /// The first thing that may be reached and is not supported.
    pub fn unsupported(&self) -> Option<&Doubt> {
        self.found.iter().find(|it| it.of == Doubted::Unsupported)
    }

    pub(crate) fn reach_unsupported(&self) -> bool {
        self.unsupported().is_some()
    }
}
