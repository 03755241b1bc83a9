//! How each state was reached, by its number.

use std::sync::atomic::{AtomicU64, Ordering};

use raddle_base::saved::{Saved, Sink, Source};

use crate::ids::{NodeId, WayId};
use crate::way::Way;

/// How a state was reached, first or with the fewest switches; enough to reach it again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin<'a> {
    Initial {
        /// Its number among the initial states.
        number: u32,
    },
    Transaction {
        from: NodeId,
        way: &'a Way,
    },
}

/// The same in few bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// [`INITIAL`] if there is none.
    pub(crate) from: NodeId,
    /// Or the number among the initial states.
    pub(crate) way: WayId,
}

/// Where an initial state comes from.
const INITIAL: NodeId = NodeId(u32::MAX);

impl Link {
    pub(crate) fn initial(number: u32) -> Self {
        Self {
            from: INITIAL,
            way: WayId(number),
        }
    }

    pub(crate) fn transaction(from: NodeId, way: WayId) -> Self {
        Self { from, way }
    }

    /// Whether the program starts there.
    pub(crate) fn is_initial(self) -> bool {
        self.from == INITIAL
    }

    pub(crate) fn to_bits(self) -> u64 {
        u64::from(self.from.0) << 32 | u64::from(self.way.0)
    }

    pub(crate) fn from_bits(bits: u64) -> Self {
        let half = |it: u64| u32::try_from(it & u64::from(u32::MAX)).expect("32 bits");
        Self {
            from: NodeId(half(bits >> 32)),
            way: WayId(half(bits)),
        }
    }
}

/// How many links are in one segment.
const SEGMENT: usize = 1 << 14;

/// Links, in segments, so that there can be more without copying them.
#[derive(Debug, Default)]
pub(crate) struct Links {
    segments: Vec<Vec<AtomicU64>>,
    /// Of so many numbers.
    count: usize,
}

impl Links {
    pub(crate) fn bytes(&self) -> usize {
        self.count * size_of::<u64>()
    }

    pub(crate) fn get(&self, node: NodeId) -> Link {
        let (segment, at) = place(node);
        Link::from_bits(self.segments[segment][at].load(Ordering::Relaxed))
    }

    pub(crate) fn set(&mut self, node: NodeId, link: Link) {
        self.reserve(node.index() + 1);
        self.set_beside(node, link);
    }

    /// Makes room for links of numbers below this.
    pub(crate) fn reserve(&mut self, numbers: usize) {
        while self.segments.len() * SEGMENT < numbers {
            let segment = (0..SEGMENT).map(|_| AtomicU64::new(0));
            self.segments.push(segment.collect());
        }
        self.count = self.count.max(numbers);
    }

    /// While others do so too, for other states; there is room.
    pub(crate) fn set_beside(&self, node: NodeId, link: Link) {
        let (segment, at) = place(node);
        self.segments[segment][at].store(link.to_bits(), Ordering::Relaxed);
    }
}

fn place(node: NodeId) -> (usize, usize) {
    (node.index() / SEGMENT, node.index() % SEGMENT)
}

impl Saved for Links {
    fn save(&self, sink: &mut Sink) {
        self.count.save(sink);
        for link in self.segments.iter().flatten().take(self.count) {
            link.load(Ordering::Relaxed).save(sink);
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let mut links = Self::default();
        links.reserve(usize::load(source)?);
        for link in links.segments.iter_mut().flatten().take(links.count) {
            *link.get_mut() = u64::load(source)?;
        }
        Ok(links)
    }
}
