//! What edges touch and choose, noted while they are taken for engines that ask what threads stand before.

use raddle_logic::TermId;

use crate::encoder::Encoder;
use crate::memory::Target;
use crate::values::Evaluation;

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

/// What an engine asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted {
    pub accesses: bool,
    pub choices: bool,
}

/// What is noted, if it is wanted, and of which edges.
#[derive(Debug, Default)]
pub struct Notes {
    pub wanted: Wanted,
    /// The edge that is taken belongs to the first step of a thread, and to an atomic section.
    pub is_first: bool,
    pub is_section: bool,
    /// What all threads stand before.
    pub accesses: Vec<Access>,
    /// What the running thread chose for its first step: a variable, and how many values it has.
    pub choices: Vec<(TermId, usize)>,
}

impl Notes {
    /// The first step of a thread chooses one of so many values.
    pub fn note_choice(&mut self, variable: TermId, values: usize) {
        if self.is_first && self.wanted.choices && values <= MOST_CHOICES {
            self.choices.push((variable, values));
        }
    }
}

impl Evaluation<'_> {
    /// Notes that so many bytes behind each of the targets are touched, where the condition holds.
    pub fn touch(
        &mut self,
        targets: &[Target],
        size: u64,
        condition: TermId,
        (is_write, is_atomic): (bool, bool),
    ) {
        let guard = self.terms.and(self.guard, condition);
        for target in targets {
            let condition = self.terms.and(guard, target.condition);
            if !self.terms.is_false(condition) {
                let touch = Touch {
                    object: target.object,
                    offset: target.offset,
                    size,
                    is_write,
                    is_atomic,
                };
                self.touched.push((touch, condition));
            }
        }
    }
}

impl Encoder<'_> {
    /// Notes what a thread stands before.
    pub(crate) fn note_accesses(&mut self, thread: usize, touched: Vec<(Touch, TermId)>) {
        if !self.notes.wanted.accesses || !self.notes.is_first {
            return;
        }
        for (mut touch, condition) in touched {
            touch.is_atomic |= self.notes.is_section;
            self.notes.accesses.push(Access {
                thread,
                touch,
                condition,
            });
        }
    }
}
