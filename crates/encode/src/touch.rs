//! What edges touch and choose, for engines that ask what threads stand before.

use raddle_logic::TermId;

use crate::names::{ObjectName, ThreadIndex};

/// More ways on than this are not told apart one by one.
const MOST_CHOICES: usize = 8;

/// Whether an access changes the bytes that it touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Read,
    Write,
}

/// Whether an access may meet another that is atomic as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Atomicity {
    Plain,
    Atomic,
}

impl From<raddle_ir::Access> for Atomicity {
    fn from(access: raddle_ir::Access) -> Self {
        if access.is_atomic() {
            Atomicity::Atomic
        } else {
            Atomicity::Plain
        }
    }
}

/// How an access touches bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    pub object: ObjectName,
    pub offset: u64,
    pub size: u64,
    pub mode: Mode,
    pub atomicity: Atomicity,
}

/// An access that a thread stands before, where the condition holds.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub thread: ThreadIndex,
    pub touch: Touch,
    pub condition: TermId,
}

impl Touch {
    pub fn overlaps(&self, other: &Touch) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }

    pub fn writes(&self) -> bool {
        self.mode == Mode::Write
    }

    /// Whether they touch a common byte, which one of them changes.
    pub fn conflicts_with(&self, other: &Touch) -> bool {
        self.overlaps(other) && (self.writes() || other.writes())
    }

    pub fn races_with(&self, other: &Touch) -> bool {
        let is_atomic = |it: &Touch| it.atomicity == Atomicity::Atomic;
        self.conflicts_with(other) && !(is_atomic(self) && is_atomic(other))
    }
}

/// Where an edge stands in the step of its thread, which says what of it is noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is what the thread stands before.
    First,
    /// It belongs to an atomic section that the thread stands before: nobody comes between.
    Section,
    /// Something of the same step comes before it.
    Later,
}

impl Standing {
    pub fn is_first(self) -> bool {
        match self {
            Standing::First | Standing::Section => true,
            Standing::Later => false,
        }
    }

    /// How others see an access there.
    pub(crate) fn seen(self, touch: Touch) -> Touch {
        let atomicity = match self {
            Standing::Section => Atomicity::Atomic,
            Standing::First | Standing::Later => touch.atomicity,
        };
        Touch { atomicity, ..touch }
    }
}

/// A variable that was chosen, and how many values it has.
#[derive(Clone, Copy, Debug)]
pub struct Chosen {
    pub variable: TermId,
    pub values: usize,
}

/// What an engine asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub accesses: bool,
    pub choices: bool,
}

impl Wanted {
    /// The choice of one of so many values, if it is wanted.
    pub(crate) fn choice(
        self,
        standing: Standing,
        variable: TermId,
        values: usize,
    ) -> Option<Chosen> {
        let is_noted = self.choices && standing.is_first() && values <= MOST_CHOICES;
        is_noted.then_some(Chosen { variable, values })
    }
}
