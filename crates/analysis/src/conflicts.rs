//! Which bytes of which objects each action touches, and which two touch a common one.

use raddle_ir::{
    Access as Kind, Action, DataModel, EdgeId, Expression, MutexKind, SyncOperation, SyncType,
};

use crate::call_graph::{InstanceId, ThreadId};
use crate::points_to::PointsTo;
use crate::value::{ObjectId, Offset};

/// What an action may do to some bytes of some object.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub instance: InstanceId,
    pub edge: EdgeId,
    pub thread: ThreadId,
    pub object: ObjectId,
    pub offset: Offset,
    pub size: u64,
    pub is_write: bool,
    /// As the program says; inside an atomic section every access is atomic.
    pub is_atomic: bool,
    pub deed: Deed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Reads or writes a cell.
    Data,
    /// Works on a synchronisation object.
    Synchronize,
    /// Makes a synchronisation object.
    Init,
    /// Ends a synchronisation object, or the whole object, or asks for its size.
    Whole,
}

impl Access {
    /// Whether the two touch a common byte and one of them writes it.
    pub fn conflicts_with(&self, other: &Access) -> bool {
        self.object == other.object
            && (self.is_write || other.is_write)
            && self.offset.may_overlap(self.size, other.offset, other.size)
    }
}

/// What one operand of an action does to memory, before anything is known about where that is.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'a> {
    pub address: &'a Expression,
    /// In bytes; `None` for a whole object, wherever in it the address is.
    pub extent: Option<u64>,
    pub is_write: bool,
    pub is_atomic: bool,
    pub deed: Deed,
}

/// What an action touches. Waits touch two synchronisation objects, every other action at most one place.
pub fn touches(action: &Action, model: DataModel) -> Vec<Touch<'_>> {
    let touch = |address, extent, (is_write, is_atomic, deed)| Touch {
        address,
        extent,
        is_write,
        is_atomic,
        deed,
    };
    match action {
        Action::Load {
            address,
            ty,
            access,
            ..
        } => {
            let how = (false, *access != Kind::Plain, Deed::Data);
            vec![touch(address, Some(ty.size(model)), how)]
        }
        Action::Store {
            address,
            ty,
            access,
            ..
        } => {
            let how = (true, *access != Kind::Plain, Deed::Data);
            vec![touch(address, Some(ty.size(model)), how)]
        }
        Action::ReadModifyWrite { address, ty, .. }
        | Action::CompareExchange { address, ty, .. } => {
            let how = (true, true, Deed::Data);
            vec![touch(address, Some(ty.size(model)), how)]
        }
        Action::Size { address, .. } => vec![touch(address, None, (false, false, Deed::Whole))],
        Action::Free { address, .. } => vec![touch(address, None, (true, false, Deed::Whole))],
        Action::Init { object, sync } => {
            let size = sync.sync_type().size(model);
            vec![touch(object, Some(size), (true, false, Deed::Init))]
        }
        Action::Destroy { object, sync } => {
            let how = (true, false, Deed::Whole);
            vec![touch(object, Some(sync.size(model)), how)]
        }
        Action::Sync {
            operation,
            object,
            mutex,
            ..
        } => {
            let how = (true, true, Deed::Synchronize);
            let mut found = vec![touch(object, Some(family(*operation).size(model)), how)];
            if let Some(mutex) = mutex {
                let size = SyncType::Mutex(MutexKind::Plain).size(model);
                found.push(touch(mutex, Some(size), how));
            }
            found
        }
        Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Allocate { .. }
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
        | Action::Unsupported { .. } => Vec::new(),
    }
}

/// Everything that some action may touch. A byte somewhere stands for a whole object.
pub fn accesses(points_to: &PointsTo<'_>) -> Vec<Access> {
    let model = points_to.program.model;
    let mut found = Vec::new();
    for (instance, edge, action) in points_to.actions() {
        for touch in touches(action, model) {
            let values = points_to.values(instance, touch.address);
            for (object, offset) in values.addresses() {
                // Who tries to write there stops, and has touched nothing.
                if touch.is_write && points_to.is_read_only(object) {
                    continue;
                }
                found.push(Access {
                    instance,
                    edge,
                    thread: points_to.graph.instances[instance].thread,
                    object,
                    offset: if touch.extent.is_some() {
                        offset
                    } else {
                        Offset::ANY
                    },
                    size: touch.extent.unwrap_or(1),
                    is_write: touch.is_write,
                    is_atomic: touch.is_atomic,
                    deed: touch.deed,
                });
            }
        }
    }
    found
}

/// The family of objects that an operation works on.
pub(crate) fn family(operation: SyncOperation) -> SyncType {
    SyncOperation::ALL
        .into_iter()
        .find(|(it, _, _)| *it == operation)
        .map(|(_, _, family)| family)
        .expect("ALL lists every operation")
}
