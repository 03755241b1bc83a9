//! Vectors that are stored, as the pairs at their roots.

use raddle_base::saved::{Saved, Sink, Source};

use crate::levels::{Levels, Share};
use crate::pairs::Pairs;
use crate::signatures::Signatures;

use super::VectorId;

/// What a vector is stored as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pub(super) pair: u64,
    /// A hash of its parts, computed by the store; 0 where hashes are not used.
    pub(super) weight: u64,
}

/// All roots.
#[derive(Debug)]
pub(super) enum Roots {
    /// Numbered in order of discovery.
    InOrder(InOrder),
    /// For several workers, by their weights.
    Shared(Levels),
}

impl Roots {
    pub(super) fn new(is_shared: bool) -> Self {
        if is_shared {
            Roots::Shared(Levels::default())
        } else {
            Roots::InOrder(InOrder::default())
        }
    }

    /// How many vectors there are.
    pub(super) fn len(&self) -> usize {
        match self {
            Roots::InOrder(it) => it.len(),
            Roots::Shared(levels) => levels.len(),
        }
    }

    /// What numbers of vectors are below.
    pub(super) fn numbers(&self) -> usize {
        match self {
            Roots::InOrder(it) => it.roots.pairs.len(),
            Roots::Shared(levels) => levels.numbers(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Roots::InOrder(it) => it.bytes(),
            Roots::Shared(levels) => levels.bytes(),
        }
    }

    /// How many bytes more there will be at once if so many vectors come in.
    pub(super) fn growth(&self, more: usize) -> usize {
        match self {
            Roots::InOrder(it) => match &it.kept {
                Kept::Whole => it.roots.growth(more),
                Kept::Hashes(hashes) => hashes.known.growth(more),
            },
            Roots::Shared(levels) => levels.growth(more),
        }
    }

    /// How many more numbers there will be at once then, with several workers.
    pub(super) fn growth_of_numbers(&self, more: usize) -> usize {
        match self {
            Roots::InOrder(_) => 0,
            Roots::Shared(levels) => levels.growth_of_numbers(more),
        }
    }

    pub(super) fn get(&self, vector: VectorId) -> u64 {
        match self {
            Roots::InOrder(it) => it.roots.pairs[vector as usize],
            Roots::Shared(levels) => levels.get(vector),
        }
    }

    /// Makes another root of each, under the same number.
    pub(super) fn replace_all(&mut self, other: impl FnMut(u64) -> u64) {
        match self {
            Roots::InOrder(it) => {
                it.roots.replace_all(other);
            }
            Roots::Shared(levels) => levels.replace_all(other),
        }
    }

    /// Stores vectors, given by their roots; for each its number, and whether it is new.
    pub(super) fn insert(
        &mut self,
        roots: impl Iterator<Item = Root> + Clone,
        mut stored: impl FnMut(VectorId, bool),
    ) {
        match self {
            Roots::InOrder(it) => it.insert(roots, stored),
            Roots::Shared(levels) => {
                for root in roots {
                    let (number, is_new) = levels.insert_alone(root.pair, root.weight);
                    stored(number, is_new);
                }
            }
        }
    }

    /// Looks where vectors will be stored, so that several of these looks wait for memory together.
    pub(super) fn look_ahead(&self, roots: impl Iterator<Item = Root>) {
        if let Roots::Shared(levels) = self {
            let ahead = roots.map(|it| levels.look_ahead(it.weight));
            std::hint::black_box(ahead.fold(0, |all, it| all ^ it));
        }
    }

    /// Stores a vector while others do so too: its number, and whether it is new; `None` if it is and there is no room.
    pub(super) fn insert_beside(&self, root: Root, share: &mut Share) -> Option<(VectorId, bool)> {
        match self {
            Roots::InOrder(_) => None,
            Roots::Shared(levels) => levels.insert(root.pair, root.weight, share),
        }
    }

    /// Forgets all but hashes of vectors from now on; one worker is at it, and has not begun.
    pub(super) fn keep_hashes(&mut self) {
        if let Roots::InOrder(it) = self {
            it.kept = Kept::Hashes(Box::default());
        }
    }

    /// The vector will not be loaded any more.
    pub(super) fn release(&mut self, vector: VectorId) {
        if let Roots::InOrder(InOrder {
            kept: Kept::Hashes(hashes),
            ..
        }) = self
        {
            hashes.free.push(vector);
        }
    }

    /// If only hashes are kept: one in two to this power is the chance that a vector was taken for another one.
    pub(super) fn power(&self) -> Option<u32> {
        match self {
            Roots::InOrder(InOrder {
                kept: Kept::Hashes(hashes),
                ..
            }) => Some(hashes.known.power()),
            Roots::InOrder(_) | Roots::Shared(_) => None,
        }
    }
}

/// What is kept of vectors.
#[derive(Debug, Default)]
enum Kept {
    /// All of them.
    #[default]
    Whole,
    /// Hashes; and whole vectors as long as they are still to be loaded.
    Hashes(Box<Hashes>),
}

#[derive(Debug, Default)]
struct Hashes {
    known: Signatures,
    /// Numbers of vectors that will not be loaded any more.
    free: Vec<VectorId>,
}

/// The roots of one worker.
#[derive(Debug, Default)]
pub(super) struct InOrder {
    roots: Pairs,
    kept: Kept,
}

impl InOrder {
    /// Stores vectors, given by their roots; for each its number, and whether it is new.
    fn insert(
        &mut self,
        roots: impl Iterator<Item = Root> + Clone,
        mut stored: impl FnMut(u32, bool),
    ) {
        if let Kept::Hashes(hashes) = &mut self.kept {
            for root in roots {
                let (local, is_new) = hashes.insert(root, &mut self.roots.pairs);
                stored(local, is_new);
            }
            return;
        }
        let ahead = roots.clone().map(|it| self.roots.look_ahead(it.pair));
        std::hint::black_box(ahead.fold(0, |all, it| all ^ it));
        for root in roots {
            let (local, is_new) = self.roots.insert(root.pair);
            stored(local, is_new);
        }
    }
}

impl Hashes {
    /// Stores a vector until it is released; its number means nothing if it is not new.
    fn insert(&mut self, root: Root, roots: &mut Vec<u64>) -> (u32, bool) {
        // Weights are sums, of which the bits in front decide.
        let mixed = (root.weight ^ (root.weight >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if !self.known.insert(mixed ^ (mixed >> 29)) {
            return (0, false);
        }
        let local = self.free.pop().unwrap_or_else(|| {
            roots.push(0);
            u32::try_from(roots.len() - 1).expect("memory ends before 2^32 pairs")
        });
        roots[local as usize] = root.pair;
        (local, true)
    }
}

impl InOrder {
    fn len(&self) -> usize {
        match &self.kept {
            Kept::Whole => self.roots.pairs.len(),
            Kept::Hashes(hashes) => hashes.known.len(),
        }
    }

    fn bytes(&self) -> usize {
        self.roots.bytes()
            + match &self.kept {
                Kept::Whole => 0,
                Kept::Hashes(hashes) => hashes.known.bytes() + size_of_val(&*hashes.free),
            }
    }
}

raddle_base::saved!(struct Hashes { known, free });

impl Saved for InOrder {
    fn save(&self, sink: &mut Sink) {
        self.roots.save(sink);
        let hashes = match &self.kept {
            Kept::Whole => None,
            Kept::Hashes(hashes) => Some(hashes),
        };
        hashes.is_some().save(sink);
        if let Some(hashes) = hashes {
            hashes.save(sink);
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let roots = Pairs::load(source)?;
        let has_hashes = bool::load(source)?;
        let hashes = has_hashes.then(|| Hashes::load(source)).transpose()?;
        let kept = hashes.map_or(Kept::Whole, |it| Kept::Hashes(Box::new(it)));
        Ok(Self { roots, kept })
    }
}

impl Saved for Roots {
    fn save(&self, sink: &mut Sink) {
        matches!(self, Roots::Shared(_)).save(sink);
        match self {
            Roots::InOrder(it) => it.save(sink),
            Roots::Shared(levels) => levels.save(sink),
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        Ok(if bool::load(source)? {
            Roots::Shared(Levels::load(source)?)
        } else {
            Roots::InOrder(InOrder::load(source)?)
        })
    }
}
