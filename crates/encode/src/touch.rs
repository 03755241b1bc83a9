//! What edges touch and choose, for engines that ask what threads stand before.

use raddle_logic::TermId;

/// More ways on than this are not told apart one by one.
const MOST_CHOICES: usize = 8;

/// How an access touches bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Touch {
    pub object: u32,
    pub offset: u64,
    pub size: u64,
    pub is_write: bool,
    pub is_atomic: bool,
}

/// An access that a thread stands before, where the condition holds.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub thread: usize,
    pub touch: Touch,
    pub condition: TermId,
}

impl Touch {
    pub fn overlaps(&self, other: &Touch) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
    }

    pub fn races_with(&self, other: &Touch) -> bool {
        self.overlaps(other)
            && (self.is_write || other.is_write)
            && !(self.is_atomic && other.is_atomic)
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
        Touch {
            is_atomic: touch.is_atomic || self == Standing::Section,
            ..touch
        }
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
