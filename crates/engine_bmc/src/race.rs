//! Races: two threads stand before accesses to a common byte, one of them writes it, and not both are atomic.

use std::collections::BTreeMap;

use raddle_engine::Property;
use raddle_logic::TermId;

use crate::memory::Target;
use crate::unroll::Unrolling;
use crate::values::Evaluation;

/// How an access touches bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touch {
    pub(crate) object: u32,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    pub(crate) is_write: bool,
    pub(crate) is_atomic: bool,
}

/// An access that a thread stands before, where the condition holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) thread: usize,
    pub(crate) touch: Touch,
    pub(crate) condition: TermId,
}

impl Touch {
    fn races_with(&self, other: &Touch) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
            && (self.is_write || other.is_write)
            && !(self.is_atomic && other.is_atomic)
    }
}

impl Evaluation<'_> {
    /// Notes that so many bytes behind each of the targets are touched, where the condition holds.
    pub(crate) fn touch(
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

impl Unrolling<'_> {
    /// Notes what a thread stands before.
    pub(crate) fn note_accesses(&mut self, thread: usize, touched: Vec<(Touch, TermId)>) {
        if !self.looks.has(Property::Race) || !self.looks.is_first {
            return;
        }
        for (mut touch, condition) in touched {
            touch.is_atomic |= self.looks.is_section;
            self.looks.accesses.push(Access {
                thread,
                touch,
                condition,
            });
        }
    }

    /// Whether two threads stand before accesses that race.
    pub(crate) fn race(&mut self) -> TermId {
        let mut before: BTreeMap<u32, BTreeMap<(usize, Touch), Vec<TermId>>> = BTreeMap::new();
        for access in std::mem::take(&mut self.looks.accesses) {
            let of_object = before.entry(access.touch.object).or_default();
            let conditions = of_object.entry((access.thread, access.touch)).or_default();
            conditions.push(access.condition);
        }
        let mut races = Vec::new();
        for accesses in before.values() {
            let merged: Vec<(usize, Touch, TermId)> = accesses
                .iter()
                .map(|((thread, touch), it)| (*thread, *touch, self.terms.any(it)))
                .collect();
            for (at, (thread, touch, condition)) in merged.iter().enumerate() {
                for (other_thread, other, other_condition) in &merged[at + 1..] {
                    if thread != other_thread && touch.races_with(other) {
                        races.push(self.terms.and(*condition, *other_condition));
                    }
                }
            }
        }
        self.terms.any(&races)
    }
}
