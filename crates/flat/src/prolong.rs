//! Steps that go on over what nobody else can see (`Reduction::Local`).
//!
//! # Definitions
//!
//! - A place is *passed* if every edge that leaves it only touches registers, cannot go wrong, and one of them can be taken whatever
//!   the registers hold. Heads of loops are not passed, so steps are finite.
//!
//! # Invariants
//!
//! - **(L1)** Whoever stands at a place that is passed can go on at once without anybody noticing: other threads neither see nor
//!   change what the edges touch. So every violation that is not missed without these blocks is found with them.
//!
//! # Tested by
//!
//! `crates/flat/tests/local.rs` compares what is violated with the enumeration of all executions.

use std::collections::BTreeMap;

use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared};
use raddle_encode::taking::{Request, Way};
use raddle_encode::touch::Standing;
use raddle_engine::Reduction;
use raddle_ir::{Action, Callee};

use crate::build::Builder;
use crate::step::{Branch, Standpoint, is_recursive};

impl Builder<'_> {
    /// The step goes on as long as nobody else can tell.
    pub(crate) fn prolong(&mut self, from: &Standpoint, branch: &mut Branch) {
        if self.limits.reduction == Reduction::None {
            return;
        }
        let mut pending: BTreeMap<UnrolledPoint, Local> = branch.exits.drain(..).collect();
        while let Some((place, local)) = pending.pop_first() {
            let Some(nexts) = self.passed(from, &branch.shared, (&place, &local)) else {
                branch.exits.push((place, local));
                continue;
            };
            for (place, local) in nexts {
                if let Some(known) = pending.get_mut(&place) {
                    known.join(&mut self.encoder.terms, &local);
                } else {
                    pending.insert(place, local);
                }
            }
        }
    }

    /// Where the edges lead that leave a place, if it is passed.
    fn passed(
        &mut self,
        from: &Standpoint,
        shared: &Shared,
        (place, local): (&UnrolledPoint, &Local),
    ) -> Option<Vec<(UnrolledPoint, Local)>> {
        let program = self.encoder.program;
        let spot = place.top();
        let edges = program.outgoing(spot.function, spot.location);
        let is_quiet = |edge| is_quiet(&program.edge(spot.function, edge).action);
        if self.encoder.places.is_head(place)
            || is_recursive(place)
            || edges.is_empty()
            || !edges.iter().all(|edge| is_quiet(*edge))
        {
            return None;
        }
        let (records, inputs) = (self.encoder.records.len(), self.encoder.inputs);
        let decides = self.encoder.is_either_or(spot.function, edges);
        let ways = self
            .encoder
            .ways(from.thread, place, local, Standing::Later);
        let nexts = self.all_through(from, shared, (place, local), (&ways.ways, decides));
        if nexts.is_none() {
            self.encoder.records.truncate(records);
            self.encoder.inputs = inputs;
        }
        nexts
    }

    /// Where all ways lead, if none can go wrong and one of them can always be gone.
    fn all_through(
        &mut self,
        from: &Standpoint,
        shared: &Shared,
        (place, local): (&UnrolledPoint, &Local),
        (ways, decides): (&[Way], bool),
    ) -> Option<Vec<(UnrolledPoint, Local)>> {
        let mut nexts = Vec::new();
        for way in ways {
            let request = Request {
                step: 0,
                thread: from.thread,
                place,
                way: *way,
                local,
                standing: Standing::Later,
            };
            let mut untouched = shared.clone();
            let taken = self.encoder.take(request, &mut untouched);
            if !taken.met.is_empty() {
                return None;
            }
            let Some(advanced) = taken.advanced else {
                // A branch that is never gone is the other's.
                if decides {
                    continue;
                }
                return None;
            };
            if !decides && advanced.guard != way.guard {
                return None;
            }
            let (next, after) = advanced.next?;
            // Frames that end take their objects with them, which others may see.
            let ended = local.frames.get(after.frames.len()..).unwrap_or(&[]);
            if is_recursive(&next) || ended.iter().any(|it| !it.stack_objects.is_empty()) {
                return None;
            }
            nexts.push((next, after));
        }
        (!nexts.is_empty()).then_some(nexts)
    }
}

/// Whether an action only touches registers.
fn is_quiet(action: &Action) -> bool {
    match action {
        Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Return { .. }
        | Action::Fence { .. }
        | Action::Emit { .. }
        | Action::Call {
            callee: Callee::Direct(_),
            ..
        } => true,
        Action::Call {
            callee: Callee::Indirect(_),
            ..
        }
        | Action::Assert { .. }
        | Action::Load { .. }
        | Action::Store { .. }
        | Action::ReadModifyWrite { .. }
        | Action::CompareExchange { .. }
        | Action::Allocate { .. }
        | Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Sync { .. }
        | Action::Spawn { .. }
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::AtomicBegin { .. }
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Unsupported { .. } => false,
    }
}
