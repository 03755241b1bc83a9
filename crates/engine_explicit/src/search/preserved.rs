//! Which properties a search with a reduction can decide.

use raddle_engine::Reduction;
use raddle_ir::interpret::Property;
use raddle_ir::{Action, AllocateKind, Program};

use crate::style::Style;

/// Whether the search sees a violation of the property if there is one.
pub(super) fn is_preserved(
    reduction: Reduction,
    property: Property,
    program: &Program,
    can_watch: bool,
) -> bool {
    if !reduction.is_sound_for(property) {
        return false;
    }
    let has_right_movers = Style::of(reduction).has_right_movers;
    match property {
        // Memory may be lost only while two threads are both in the middle of transactions that they never finish.
        Property::Memory => !has_right_movers || !uses_heap(program),
        Property::Invariant => reduction == Reduction::None || can_watch,
        Property::Assert
        | Property::Overflow
        | Property::LockMisuse
        | Property::Race
        | Property::Deadlock
        | Property::Leak
        | Property::AtomicSets => true,
    }
}

pub(super) fn uses_heap(program: &Program) -> bool {
    program.functions.values().any(|function| {
        function.edges.values().any(|edge| {
            matches!(
                edge.action,
                Action::Allocate {
                    kind: AllocateKind::Heap,
                    ..
                }
            )
        })
    })
}
