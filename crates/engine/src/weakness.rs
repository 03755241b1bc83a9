//! Programs for which "no two accesses meet under sequential consistency" is not yet "no race".

use crate::Reason;
use raddle_ir::{Access, Action, Order, Program, SyncOperation};

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
    let order = match action {
        Action::Load {
            access: Access::Atomic(order),
            ..
        }
        | Action::Store {
            access: Access::Atomic(order),
            ..
        }
        | Action::ReadModifyWrite { order, .. }
        | Action::CompareExchange { order, .. } => *order,
        Action::Load {
            access: Access::Plain,
            ..
        }
        | Action::Store {
            access: Access::Plain,
            ..
        }
        | Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Allocate { .. }
        | Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Sync { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::Spawn { .. }
        | Action::Join { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => return false,
    };
    order != Order::SequentiallyConsistent
}

fn may_fail_to_lock(action: &Action) -> bool {
    let Action::Sync { operation, .. } = action else {
        return false;
    };
    match operation {
        SyncOperation::MutexTry
        | SyncOperation::SpinTry
        | SyncOperation::MutexTimed
        | SyncOperation::ReadTry
        | SyncOperation::ReadTimed
        | SyncOperation::WriteTry
        | SyncOperation::WriteTimed
        | SyncOperation::SemaphoreTry
        | SyncOperation::SemaphoreTimed
        | SyncOperation::SemaphoreValue => true,
        SyncOperation::MutexAcquire
        | SyncOperation::MutexRelease
        | SyncOperation::SpinAcquire
        | SyncOperation::SpinRelease
        | SyncOperation::ReadAcquire
        | SyncOperation::WriteAcquire
        | SyncOperation::ReadWriteRelease
        | SyncOperation::WaitBegin
        | SyncOperation::WaitEnd
        | SyncOperation::WaitEndTimed
        | SyncOperation::Signal
        | SyncOperation::Broadcast
        | SyncOperation::SemaphorePost
        | SyncOperation::SemaphoreWait
        | SyncOperation::BarrierArrive
        | SyncOperation::BarrierLeave
        | SyncOperation::MonitorEnter
        | SyncOperation::MonitorExit
        | SyncOperation::MonitorWaitBegin
        | SyncOperation::MonitorWaitEnd
        | SyncOperation::MonitorNotify
        | SyncOperation::MonitorNotifyAll => false,
    }
}
