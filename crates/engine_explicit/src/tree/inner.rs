//! Inner nodes of trees: pairs of numbers, each once.

use raddle_base::saved::{Saved, Sink, Source};

use crate::levels::Levels;
use crate::pairs::{Pairs, hash_of};

use super::pair;

/// Inner nodes.
#[derive(Debug)]
pub(super) enum InnerNodes {
    /// In order of discovery.
    InOrder(Pairs),
    /// For several workers.
    Shared(Levels),
}

impl InnerNodes {
    pub(super) fn new(is_shared: bool) -> Self {
        if is_shared {
            InnerNodes::Shared(Levels::default())
        } else {
            InnerNodes::InOrder(Pairs::default())
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            InnerNodes::InOrder(pairs) => pairs.pairs.len(),
            InnerNodes::Shared(levels) => levels.len(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            InnerNodes::InOrder(pairs) => pairs.bytes(),
            InnerNodes::Shared(levels) => levels.bytes(),
        }
    }

    pub(super) fn growth(&self, more: usize) -> usize {
        match self {
            InnerNodes::InOrder(pairs) => pairs.growth(more),
            InnerNodes::Shared(levels) => levels.growth(more),
        }
    }

    pub(super) fn get(&self, number: u32) -> u64 {
        match self {
            InnerNodes::InOrder(pairs) => pairs.pairs[number as usize],
            InnerNodes::Shared(levels) => levels.get(number),
        }
    }

    pub(super) fn insert(&mut self, pair: u64) -> u32 {
        match self {
            InnerNodes::InOrder(pairs) => pairs.insert(pair).0,
            InnerNodes::Shared(levels) => levels.insert_alone(pair, hash_of(pair)).0,
        }
    }
}

/// How many inner nodes are remembered, a power of two.
const RECENT: usize = 1 << 12;

/// Inner nodes that were looked up not long ago, by their hash.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// Nothing at first.
    nodes: Vec<(u64, u32)>,
    /// How often the tree had been remade then: numbers of inner nodes were others before.
    remade: u64,
}

impl Recent {
    /// The number of an inner node, which is looked up if it is not here; `None` if that gives none.
    pub(super) fn join(
        &mut self,
        left: u32,
        right: u32,
        look_up: impl FnOnce(u64) -> Option<u32>,
    ) -> Option<u32> {
        if left == 0 && right == 0 {
            return Some(0);
        }
        let pair = pair(left, right);
        let hash = (pair ^ (pair >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        if self.nodes.is_empty() {
            self.nodes = vec![(0, 0); RECENT];
        }
        let recent = &mut self.nodes[hash as usize & (RECENT - 1)];
        if recent.0 != pair {
            *recent = (pair, look_up(pair)? + 1);
        }
        Some(recent.1)
    }

    /// Forgets all if the tree has been remade since.
    pub(super) fn forget_before(&mut self, remade: u64) {
        if self.remade != remade {
            self.nodes.fill((0, 0));
            self.remade = remade;
        }
    }
}

impl Saved for InnerNodes {
    fn save(&self, sink: &mut Sink) {
        matches!(self, InnerNodes::Shared(_)).save(sink);
        match self {
            InnerNodes::InOrder(it) => it.save(sink),
            InnerNodes::Shared(levels) => levels.save(sink),
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        Ok(if bool::load(source)? {
            InnerNodes::Shared(Levels::load(source)?)
        } else {
            InnerNodes::InOrder(Pairs::load(source)?)
        })
    }
}
