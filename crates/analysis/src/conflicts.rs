//! Which bytes of which objects each action touches, and which two touch a common one.

use raddle_ir::{Access as Kind, Action, Deed, EdgeId};

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

impl Access {
    /// Whether the two touch a common byte and one of them writes it.
    pub fn conflicts_with(&self, other: &Access) -> bool {
        self.object == other.object
            && (self.is_write || other.is_write)
            && self.offset.may_overlap(self.size, other.offset, other.size)
    }
}

/// Everything that some action may touch. A byte somewhere stands for a whole object.
pub fn accesses(points_to: &PointsTo<'_>) -> Vec<Access> {
    let model = points_to.program.model;
    let mut found = Vec::new();
    for (instance, edge, action) in points_to.actions() {
        let is_first = matches!(
            action,
            Action::Store {
                access: Kind::Initial,
                ..
            }
        );
        for touch in action.operands(model) {
            let values = points_to.values(instance, touch.address);
            for (object, offset) in values.addresses() {
                // Who tries to write there stops, and has touched nothing.
                if touch.is_write && !is_first && points_to.is_read_only(object) {
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
