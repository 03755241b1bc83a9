//! Races: two threads stand before accesses to a common byte, one of them writes it, and not both are atomic.
//!
//! That is a question about two threads, and is made one about one: a thread that has the token may *claim* what it is
//! about to touch, and stays there for good. If a thread that has the token later is about to touch it too, both stand
//! before their accesses then. The token goes on from a claim as from the access, so no other passes are needed
//! (docs/design/token-passing.md).

use std::collections::BTreeMap;

use raddle_encode::names::{ObjectName, ThreadIndex};
use raddle_encode::touch::Touch;
use raddle_logic::{TermId, Terms};

use crate::unrolled::{Node, NodeIndex, Unrolled};

/// Conditions by the object, the thread and what it touches.
type ByTouch = BTreeMap<ObjectName, BTreeMap<(ThreadIndex, Touch), Vec<TermId>>>;

/// What it takes for a race.
pub(crate) struct Race {
    /// That there is one.
    pub(crate) condition: TermId,
    /// For each node, whether it meets a claim.
    meets: Vec<(NodeIndex, TermId)>,
    /// That there is at most one claim, and when.
    pub(crate) constraints: Vec<TermId>,
}

impl Race {
    /// Whether a thread is about to touch what another thread claims.
    pub(crate) fn new(terms: &mut Terms, unrolled: &Unrolled) -> Self {
        let mut claimed = ByTouch::new();
        let mut constraints = Vec::new();
        let Some(first) = unrolled.nodes.values().next() else {
            return Self {
                condition: terms.truth(false),
                meets: Vec::new(),
                constraints,
            };
        };
        let width = terms.width(first.passage.clock);
        let claimed_at = terms.fresh_variable("claimed_at", width);
        let mut seen = terms.truth(false);
        for node in unrolled.nodes.values() {
            let is_first = terms.not(seen);
            constraints.push(terms.implies(node.passage.claims, is_first));
            seen = terms.or(seen, node.passage.claims);
            let is_now = terms.equal(claimed_at, node.passage.clock);
            constraints.push(terms.implies(node.passage.claims, is_now));
            let claims = terms.and(node.passage.acts, node.passage.claims);
            collect(terms, &mut claimed, node, claims);
        }
        let claimed = merged(terms, &claimed);
        let mut meets = Vec::new();
        for (at, node) in unrolled.nodes.iter() {
            let is_later = terms.less_unsigned(claimed_at, node.passage.clock);
            let acts = terms.and(node.passage.acts, is_later);
            let mut cases = Vec::new();
            for access in &node.effect.accesses {
                let claims = claimed.get(&access.touch.object).into_iter().flatten();
                let claims: Vec<TermId> = claims
                    .filter(|it| it.0 != node.thread && it.1.races_with(&access.touch))
                    .map(|it| it.2)
                    .collect();
                let is_claimed = terms.any(&claims);
                cases.push(terms.and(access.condition, is_claimed));
            }
            let meeting = terms.any(&cases);
            let meeting = terms.and(acts, meeting);
            if !terms.is_false(meeting) {
                meets.push((at, meeting));
            }
        }
        let all: Vec<TermId> = meets.iter().map(|it| it.1).collect();
        Self {
            condition: terms.any(&all),
            meets,
            constraints,
        }
    }

    /// The nodes at which claims may be met, with the conditions.
    pub(crate) fn meets(&self) -> &[(NodeIndex, TermId)] {
        &self.meets
    }
}

fn collect(terms: &mut Terms, found: &mut ByTouch, node: &Node, condition: TermId) {
    for access in &node.effect.accesses {
        let condition = terms.and(condition, access.condition);
        if !terms.is_false(condition) {
            let of_object = found.entry(access.touch.object).or_default();
            let conditions = of_object.entry((node.thread, access.touch)).or_default();
            conditions.push(condition);
        }
    }
}

fn merged(
    terms: &mut Terms,
    found: &ByTouch,
) -> BTreeMap<ObjectName, Vec<(ThreadIndex, Touch, TermId)>> {
    let mut result = BTreeMap::new();
    for (object, touches) in found {
        let mine: Vec<(ThreadIndex, Touch, TermId)> = touches
            .iter()
            .map(|((thread, touch), it)| (*thread, *touch, terms.any(it)))
            .collect();
        result.insert(*object, mine);
    }
    result
}
