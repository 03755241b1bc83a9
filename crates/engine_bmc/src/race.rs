//! Races: two threads stand before accesses to a common byte, one of them writes it, and not both are atomic.

use std::collections::BTreeMap;

use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::touch::Touch;
use raddle_logic::TermId;

use crate::unroll::Unrolling;

impl Unrolling<'_> {
    /// Whether two threads stand before accesses that race.
    pub(crate) fn race(&mut self) -> TermId {
        let mut before: BTreeMap<ObjectName, BTreeMap<(ThreadIndex, Touch), Vec<TermId>>> =
            BTreeMap::new();
        for access in std::mem::take(&mut self.looks.accesses) {
            let of_object = before.entry(access.touch.object).or_default();
            let conditions = of_object.entry((access.thread, access.touch)).or_default();
            conditions.push(access.condition);
        }
        let mut races = Vec::new();
        for accesses in before.values() {
            let merged: Vec<(ThreadIndex, Touch, TermId)> = accesses
                .iter()
                .map(|((thread, touch), it)| (*thread, *touch, self.encoder.terms.any(it)))
                .collect();
            for (at, (thread, touch, condition)) in merged.iter().enumerate() {
                for (other_thread, other, other_condition) in &merged[at + 1..] {
                    if thread != other_thread && touch.races_with(other) {
                        races.push(self.encoder.terms.and(*condition, *other_condition));
                    }
                }
            }
        }
        self.encoder.terms.any(&races)
    }
}
