//! Who looks at states. Tables of states tell their observer by themselves what is looked at, so nobody who reads a state can
//! forget to; an observer goes with the state to all states that are made of it.
//!
//! Which threads there are, whether the process has ended, which objects are dead and which share an address counts as known:
//! nobody is told.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::interpret::state::{ObjectNumber, ThreadNumber};

/// A part of a state that is looked at or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Thread(ThreadNumber),
    /// With all its bytes.
    Object(ObjectNumber),
    /// Whether an object is there and lives, how large it is, what synchronisation it holds: all but its bytes.
    Head(ObjectNumber),
    /// Some bytes of an object, from and to.
    Cells(ObjectNumber, u64, u64),
    /// Which objects are there of those with these numbers, from and to.
    Presence(ObjectNumber, ObjectNumber),
    /// Whether something points to this object, or is perhaps a pointer.
    ObjectName(ObjectNumber),
    /// Whether a value that may still be compared points to this object.
    AddressName(ObjectNumber),
    /// Whether something holds the name of this thread.
    ThreadName(ThreadNumber),
    Everything,
}

/// What kind of look it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookKind {
    Thread,
    Object,
    Head,
    Cells,
    Presence,
    ObjectName,
    AddressName,
    ThreadName,
    Everything,
}

impl LookKind {
    pub const ALL: [Self; 9] = [
        Self::Thread,
        Self::Object,
        Self::Head,
        Self::Cells,
        Self::Presence,
        Self::ObjectName,
        Self::AddressName,
        Self::ThreadName,
        Self::Everything,
    ];
}

impl Look {
    pub fn kind(self) -> LookKind {
        match self {
            Self::Thread(_) => LookKind::Thread,
            Self::Object(_) => LookKind::Object,
            Self::Head(_) => LookKind::Head,
            Self::Cells(..) => LookKind::Cells,
            Self::Presence(..) => LookKind::Presence,
            Self::ObjectName(_) => LookKind::ObjectName,
            Self::AddressName(_) => LookKind::AddressName,
            Self::ThreadName(_) => LookKind::ThreadName,
            Self::Everything => LookKind::Everything,
        }
    }

    pub(crate) fn cells(object: ObjectNumber, bytes: &Range<usize>) -> Self {
        Self::Cells(object, bytes.start as u64, bytes.end as u64)
    }
}

/// Is told what is looked at.
pub trait Observer: Send + Sync {
    fn look(&self, look: Look);
}

/// Whether somebody observes a state. It is no part of what the state is: two states are the same whoever looks at them.
#[derive(Clone, Default)]
pub struct Watch(Option<Arc<dyn Observer>>);

impl Watch {
    pub fn by(observer: Arc<dyn Observer>) -> Self {
        Self(Some(observer))
    }

    #[inline]
    pub fn look(&self, look: Look) {
        if let Some(observer) = &self.0 {
            observer.look(look);
        }
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Watch").field(&self.0.is_some()).finish()
    }
}

impl PartialEq for Watch {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Watch {}

impl PartialOrd for Watch {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Watch {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl Hash for Watch {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
