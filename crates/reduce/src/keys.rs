//! What guesses are about: names of cells and locks that do not depend on the order in which things were made.

use raddle_base::saved;
use raddle_ir::interpret::numbering::holders::synchronising_objects;
use raddle_ir::interpret::{Object, ObjectNumber, Origin, State, Storage, Sync, ThreadNumber};
use raddle_ir::watch::Look;
use raddle_ir::{EdgeId, FunctionId, GlobalId};

/// The edge that makes an object.
pub type Site = (FunctionId, EdgeId);

/// All objects that are declared or made at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKey {
    Global(GlobalId),
    Made(Site),
}

impl ObjectKey {
    pub fn of(object: &Object) -> Self {
        match object.origin {
            Origin::Global(global) => ObjectKey::Global(global),
            Origin::Edge(function, edge) => ObjectKey::Made((function, edge)),
        }
    }
}

/// A lock as seen from a cell that it protects.
///
/// Two threads that hold the same lock key for the same cell, one of them exclusively, hold the same lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LockKey {
    /// At this offset of a global.
    Global(GlobalId, u64),
    /// At this offset of the object in which the cell lies: the path `o->m`.
    Relative(u64),
    /// At this offset of the only object that is made at this place ([`Guess::OnlyOne`](crate::guesses::Guess)).
    Made(Site, u64),
}

/// A lock that a thread holds now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeldLock {
    pub object: ObjectNumber,
    pub offset: u64,
    /// Not only for reading.
    pub is_exclusive: bool,
}

/// The locks that a thread holds. They count as a part of the thread, so what else is gone through is not noted.
pub fn held_locks(state: &State, thread: ThreadNumber) -> Vec<HeldLock> {
    state.watch().look(Look::Thread(thread));
    let mut held = Vec::new();
    for (object, content) in synchronising_objects(state) {
        for (&offset, sync) in &content.syncs {
            if let Some(is_exclusive) = is_held(sync, thread) {
                held.push(HeldLock {
                    object,
                    offset,
                    is_exclusive,
                });
            }
        }
    }
    held
}

/// Whether the thread holds the lock, and if so, whether exclusively.
pub(crate) fn is_held(sync: &Sync, thread: ThreadNumber) -> Option<bool> {
    match sync {
        Sync::Mutex { owner, .. } | Sync::Monitor { owner, .. } => {
            (*owner == Some(thread)).then_some(true)
        }
        Sync::ReadWriteLock { writer, readers } => {
            if *writer == Some(thread) {
                Some(true)
            } else {
                readers.contains_key(&thread).then_some(false)
            }
        }
        Sync::Condition { .. } | Sync::Semaphore { .. } | Sync::Barrier { .. } => None,
    }
}

/// Whether the lock is named by its global: copies of thread-locals are not.
pub fn global_lock(object: &Object) -> Option<GlobalId> {
    match (object.storage, &object.origin) {
        (Storage::Global, Origin::Global(global)) => Some(*global),
        _ => None,
    }
}

saved!(
    enum ObjectKey {
        Global(global),
        Made(site),
    }
);
saved!(
    enum LockKey {
        Global(global, offset),
        Relative(offset),
        Made(site, offset),
    }
);
saved!(struct HeldLock { object, offset, is_exclusive });
