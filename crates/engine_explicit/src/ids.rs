//! Numbers by which things are known. Each has a type of its own, so that two cannot be confused; all are small, since there are millions.

use raddle_base::saved::{Saved, Sink, Source};

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) struct $name(pub(crate) u32);

        impl $name {
            /// For something that is kept at this place of a vector.
            pub(crate) fn at(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 of them"))
            }

            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl Saved for $name {
            fn save(&self, sink: &mut Sink) {
                self.0.save(sink);
            }

            fn load(source: &mut Source) -> std::io::Result<Self> {
                Ok(Self(u32::load(source)?))
            }
        }
    };
}

number!(
    /// A stored state.
    NodeId
);
number!(
    /// A way, each of which is kept once.
    WayId
);
number!(
    /// A standing, each of which is kept once.
    StandingId
);
number!(
    /// What is known of the transactions of a thread.
    EntryId
);
number!(
    /// A set of guesses that transactions rested on.
    RelianceId
);
number!(
    /// The place of a part in vectors.
    Slot
);
number!(
    /// A part among those of its slot, from 1; 0 where there is none.
    PartId
);

impl PartId {
    /// Where there is no part.
    pub(crate) const NONE: Self = Self(0);
}

/// Something to explore: a state, or a thread of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct JobId(pub(crate) usize);

impl JobId {
    /// All that can happen in a state, where switches are not counted.
    pub(crate) fn whole(node: NodeId) -> Self {
        Self(node.index())
    }
}

/// The parts of a vector, each with its slot.
pub(crate) fn by_slot(vector: &[PartId]) -> impl Iterator<Item = (Slot, PartId)> + '_ {
    (0..).map(Slot).zip(vector.iter().copied())
}

/// Changes of a vector, sorted.
pub(crate) type Changes = Box<[(Slot, PartId)]>;
