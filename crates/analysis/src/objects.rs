//! What makes the objects that the analyses tell apart.

use raddle_ir::{AllocateKind, EdgeId, GlobalId};

use crate::call_graph::{InstanceId, ThreadId};

/// All objects that one global or one allocation makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    Global(GlobalId),
    /// The copies of one abstract thread.
    ThreadLocal(GlobalId, ThreadId),
    Allocated(AllocateKind, InstanceId, EdgeId),
}
