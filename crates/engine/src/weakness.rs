//! Programs for which "no two accesses meet under sequential consistency" is not yet "no race".

use crate::Reason;
use raddle_ir::{Action, Order, Program};

/// The first action that stands against race freedom by this search, as the reason to say so.
///
/// A weaker memory order allows executions that are not interleavings. A try or timed operation that fails
/// tells a thread that another holds the lock and yet orders nothing, so two accesses may be unordered although
/// no interleaving brings them side by side.
pub(crate) fn weakness(program: &Program) -> Option<Reason> {
    program
        .functions
        .values()
        .flat_map(|function| function.edges.values())
        .find_map(|edge| {
            if has_weaker_order(&edge.action) {
                Some(Reason::WeakerMemoryOrder { span: edge.span })
            } else if may_fail_to_lock(&edge.action) {
                Some(Reason::TryLock { span: edge.span })
            } else {
                None
            }
        })
}

fn has_weaker_order(action: &Action) -> bool {
    let order = action.order();
    order.is_some_and(|it| it != Order::SequentiallyConsistent)
}

fn may_fail_to_lock(action: &Action) -> bool {
    matches!(action, Action::Sync { operation, .. } if operation.is_attempt())
}
