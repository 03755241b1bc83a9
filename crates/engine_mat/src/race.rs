//! Races: two threads stand before accesses to a common byte, one of them writes it, and not both are atomic.
//!
//! What a thread stands before is judged for any values that others may leave in what is shared, so this may be too much.
//! The interpreter says in the end whether it is a race.

use std::collections::BTreeMap;

use raddle_encode::touch::Touch;
use raddle_logic::{TermId, Terms};

use crate::threads::Unrolled;

/// Whether two threads stand before accesses that race.
pub(crate) fn race(terms: &mut Terms, unrolled: &Unrolled) -> TermId {
    let mut before: BTreeMap<u32, BTreeMap<(usize, Touch), Vec<TermId>>> = BTreeMap::new();
    for node in &unrolled.nodes {
        for access in &node.about_to {
            let condition = terms.and(node.stands, access.condition);
            if !terms.is_false(condition) {
                let of_object = before.entry(access.touch.object).or_default();
                let conditions = of_object.entry((node.thread, access.touch)).or_default();
                conditions.push(condition);
            }
        }
    }
    let mut races = Vec::new();
    for accesses in before.values() {
        let merged: Vec<(usize, Touch, TermId)> = accesses
            .iter()
            .map(|((thread, touch), it)| (*thread, *touch, terms.any(it)))
            .collect();
        for (at, (thread, touch, condition)) in merged.iter().enumerate() {
            for (other_thread, other, other_condition) in &merged[at + 1..] {
                if thread != other_thread && touch.races_with(other) {
                    races.push(terms.and(*condition, *other_condition));
                }
            }
        }
    }
    terms.any(&races)
}
