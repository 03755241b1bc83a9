//! What a computation looks at in states: whoever knows that can tell when it would do the same again.
//!
//! States tell by themselves what is looked at ([`watch`](raddle_ir::watch)), so nobody who reads one can forget to.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use raddle_ir::interpret::{ObjectNumber, ThreadNumber};
use raddle_ir::watch::{Look, LookKind, Observer, Watch};

/// Everything that was looked at or written, named as in the state in which the computation began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    pub threads: BTreeSet<ThreadNumber>,
    /// With all their bytes.
    pub objects: BTreeSet<ObjectNumber>,
    /// Whether they are there and live, how large they are, what synchronisation they hold: all but their bytes.
    pub heads: BTreeSet<ObjectNumber>,
    /// Some of their bytes, from and to.
    pub cells: BTreeSet<(ObjectNumber, u64, u64)>,
    /// Which objects there are with numbers from the first to before the second.
    pub presences: BTreeSet<(ObjectNumber, ObjectNumber)>,
    /// Whether something points to these objects, or is perhaps a pointer.
    pub object_names: BTreeSet<ObjectNumber>,
    /// Whether a value that may still be compared points to these objects.
    pub address_names: BTreeSet<ObjectNumber>,
    /// Whether something holds the name of these threads.
    pub thread_names: BTreeSet<ThreadNumber>,
    /// All of it.
    pub is_everything: bool,
}

/// Takes notes of what is looked at in the states that it watches.
#[derive(Clone, Debug, Default)]
pub struct Notes(Arc<Log>);

#[derive(Debug, Default)]
struct Log {
    reads: Mutex<Reads>,
    /// For tests.
    forgets: Option<LookKind>,
}

impl Notes {
    /// For tests: such that take no notes of one kind of look.
    pub fn forgetting(kind: Option<LookKind>) -> Self {
        Self(Arc::new(Log {
            reads: Mutex::default(),
            forgets: kind,
        }))
    }

    /// To be given to a state: whatever is looked at in it, and in states that are made of it, is noted here.
    pub fn watch(&self) -> Watch {
        let log: Arc<Log> = Arc::clone(&self.0);
        Watch::by(log)
    }

    /// What was noted since this was asked last.
    pub fn take(&self) -> Reads {
        std::mem::take(&mut *self.0.reads())
    }
}

impl Log {
    fn reads(&self) -> MutexGuard<'_, Reads> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Log {
    fn look(&self, look: Look) {
        if self.forgets == Some(look.kind()) {
            return;
        }
        let mut reads = self.reads();
        match look {
            Look::Thread(thread) => {
                reads.threads.insert(thread);
            }
            Look::Object(object) => {
                reads.objects.insert(object);
            }
            Look::Head(object) => {
                reads.heads.insert(object);
            }
            Look::Cells(object, from, to) => {
                reads.cells.insert((object, from, to));
            }
            Look::Presence(first, end) => {
                reads.presences.insert((first, end));
            }
            Look::ObjectName(object) => {
                reads.object_names.insert(object);
            }
            Look::AddressName(object) => {
                reads.address_names.insert(object);
            }
            Look::ThreadName(thread) => {
                reads.thread_names.insert(thread);
            }
            Look::Everything => reads.is_everything = true,
        }
    }
}
