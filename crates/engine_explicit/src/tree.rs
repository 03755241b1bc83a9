//! Vectors of numbers, each once, in a few bytes: the tree compression of Laarman, van de Pol and Weber (2011).
//!
//! A vector is the leaves of a binary tree. Every inner node is a pair of numbers that is stored once and has a number
//! itself; vectors that have parts in common share the nodes above them. A vector that is stored is the pair at its root.
//!
//! # Invariants
//!
//! - **(V1)** The pair of two zeros is zero, so vectors are as if they went on with zeros for ever, and trees may grow.
//! - **(V2)** A vector keeps its number.

use raddle_base::saved::{Saved, Sink, Source};

use crate::levels::Levels;
use crate::pairs::{Pairs, hash_of};
use crate::signatures::Signatures;

/// The number of a stored vector; in order of discovery, if there is one worker.
pub(crate) type VectorId = u32;

fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

fn split(pair: u64) -> (u32, u32) {
    let low = pair & u64::from(u32::MAX);
    let half = |it: u64| u32::try_from(it).expect("32 bits");
    (half(pair >> 32), half(low))
}

/// What a vector is stored as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root {
    pair: u64,
    /// A hash of its parts, by whoever stores it; 0 where nobody asks.
    weight: u64,
}

/// What is kept of vectors.
#[derive(Debug, Default)]
enum Kept {
    /// All of them.
    #[default]
    Whole,
    /// Hashes, and those for a while that somebody will load.
    Hashes(Box<Hashes>),
}

#[derive(Debug, Default)]
struct Hashes {
    known: Signatures,
    /// Numbers of vectors that nobody will load any more.
    free: Vec<VectorId>,
}

/// The roots of one worker.
#[derive(Debug, Default)]
struct InOrder {
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

/// Inner nodes.
#[derive(Debug)]
enum Inner {
    /// In order of discovery.
    InOrder(Pairs),
    /// For several workers.
    Shared(Levels),
}

impl Inner {
    fn new(is_shared: bool) -> Self {
        if is_shared {
            Inner::Shared(Levels::default())
        } else {
            Inner::InOrder(Pairs::default())
        }
    }

    fn len(&self) -> usize {
        match self {
            Inner::InOrder(pairs) => pairs.pairs.len(),
            Inner::Shared(levels) => levels.len(),
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Inner::InOrder(pairs) => pairs.bytes(),
            Inner::Shared(levels) => levels.bytes(),
        }
    }

    fn growth(&self, more: usize) -> usize {
        match self {
            Inner::InOrder(pairs) => pairs.growth(more),
            Inner::Shared(levels) => levels.growth(more),
        }
    }

    fn get(&self, number: u32) -> u64 {
        match self {
            Inner::InOrder(pairs) => pairs.pairs[number as usize],
            Inner::Shared(levels) => levels.get(number),
        }
    }

    fn insert(&mut self, pair: u64) -> u32 {
        match self {
            Inner::InOrder(pairs) => pairs.insert(pair).0,
            Inner::Shared(levels) => {
                levels.reserve(1);
                let inserted = levels.insert(pair, hash_of(pair));
                inserted.expect("there is room for one").0
            }
        }
    }
}

impl Roots {
    /// Makes another root of each, under the same number.
    fn replace_all(&mut self, other: impl FnMut(u64) -> u64) {
        match self {
            Roots::InOrder(it) => {
                it.roots.replace_all(other);
            }
            Roots::Shared(levels) => levels.replace_all(other),
        }
    }
}

/// All roots.
#[derive(Debug)]
enum Roots {
    /// Numbered in order of discovery.
    InOrder(InOrder),
    /// For several workers, by their weights.
    Shared(Levels),
}

/// Inner nodes that were looked up not long ago, by their hash.
#[derive(Debug)]
pub(crate) struct Recent {
    nodes: Vec<(u64, u32)>,
    /// How often the tree had been remade then: numbers of inner nodes were others before.
    remade: u64,
}

impl Default for Recent {
    fn default() -> Self {
        Self {
            nodes: vec![(0, 0); RECENT],
            remade: 0,
        }
    }
}

impl Recent {
    /// The number of an inner node, which is looked up if it is not here; `None` if that gives none.
    fn join(
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
        let recent = &mut self.nodes[hash as usize & (RECENT - 1)];
        if recent.0 != pair {
            *recent = (pair, look_up(pair)? + 1);
        }
        Some(recent.1)
    }
}

/// A set of vectors.
#[derive(Debug)]
pub(crate) struct Tree {
    /// How many leaves there are, a power of two.
    width: usize,
    inner: Inner,
    recent: Recent,
    roots: Roots,
    /// How often all vectors were made anew.
    remade: u64,
}

/// How many inner nodes are remembered, a power of two.
const RECENT: usize = 1 << 12;

/// A vector with the numbers of the nodes above it: node 1 is the root, and the children of `n` are `2n` and `2n + 1`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grown {
    nodes: Vec<u32>,
}

impl Grown {
    /// The vector, with zeros behind it.
    pub(crate) fn leaves(&self) -> &[u32] {
        &self.nodes[self.nodes.len() / 2..]
    }
}

impl Tree {
    /// For several workers, or for one.
    pub(crate) fn new(is_shared: bool) -> Self {
        Self {
            width: 2,
            inner: Inner::new(is_shared),
            recent: Recent::default(),
            roots: if is_shared {
                Roots::Shared(Levels::default())
            } else {
                Roots::InOrder(InOrder::default())
            },
            remade: 0,
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.roots, Roots::Shared(_))
    }

    pub(crate) fn len(&self) -> usize {
        match &self.roots {
            Roots::InOrder(it) => it.len(),
            Roots::Shared(levels) => levels.len(),
        }
    }

    /// What numbers of vectors are below.
    pub(crate) fn numbers(&self) -> usize {
        match &self.roots {
            Roots::InOrder(it) => it.roots.pairs.len(),
            Roots::Shared(levels) => levels.numbers(),
        }
    }

    /// Forgets all but hashes of vectors from now on; one worker is at it, and has not begun.
    pub(crate) fn keep_hashes(&mut self) {
        if let Roots::InOrder(it) = &mut self.roots {
            it.kept = Kept::Hashes(Box::default());
        }
    }

    /// Nobody will load the vector any more.
    pub(crate) fn release(&mut self, vector: VectorId) {
        if let Roots::InOrder(InOrder {
            kept: Kept::Hashes(hashes),
            ..
        }) = &mut self.roots
        {
            hashes.free.push(vector);
        }
    }

    /// If only hashes are kept: one in two to this power is the chance that a vector was taken for another one.
    pub(crate) fn power(&self) -> Option<u32> {
        match &self.roots {
            Roots::InOrder(InOrder {
                kept: Kept::Hashes(hashes),
                ..
            }) => Some(hashes.known.power()),
            Roots::InOrder(_) | Roots::Shared(_) => None,
        }
    }

    /// Makes other vectors of all that can be loaded, under the same numbers. Of what takes most memory there are never two.
    pub(crate) fn remake(&mut self, width: usize, mut other: impl FnMut(&[u32], &mut [u32])) {
        let mut made = Self::new(self.is_shared());
        made.widen(width);
        let nothing = Roots::InOrder(InOrder::default());
        let mut roots = std::mem::replace(&mut self.roots, nothing);
        let mut before = Grown::default();
        let mut nodes = vec![0; 2 * made.width];
        roots.replace_all(|root| {
            self.load_root(root, &mut before);
            let (inner, leaves) = nodes.split_at_mut(made.width);
            other(before.leaves(), leaves);
            inner.fill(0);
            for at in (2..made.width).rev() {
                nodes[at] = made.join(nodes[2 * at], nodes[2 * at + 1]);
            }
            pair(nodes[2], nodes[3])
        });
        made.roots = roots;
        made.remade = self.remade + 1;
        *self = made;
    }

    /// How many bytes more there will be at once if so many vectors come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        let roots = match &self.roots {
            Roots::InOrder(it) => match &it.kept {
                Kept::Whole => it.roots.growth(more),
                Kept::Hashes(hashes) => hashes.known.growth(more),
            },
            Roots::Shared(levels) => levels.growth(more),
        };
        roots + self.inner.growth(more)
    }

    /// How much memory the vectors take.
    pub(crate) fn bytes(&self) -> usize {
        self.inner.bytes() + self.root_bytes()
    }

    pub(crate) fn root_bytes(&self) -> usize {
        match &self.roots {
            Roots::InOrder(it) => it.bytes(),
            Roots::Shared(levels) => levels.bytes(),
        }
    }

    /// How many inner nodes there are.
    pub(crate) fn inner_nodes(&self) -> usize {
        self.inner.len()
    }

    /// Makes room for vectors of this length.
    pub(crate) fn widen(&mut self, length: usize) {
        while self.width < length {
            let nothing = Roots::InOrder(InOrder::default());
            let mut roots = std::mem::replace(&mut self.roots, nothing);
            roots.replace_all(|root| {
                let (left, right) = split(root);
                pair(self.join(left, right), 0)
            });
            self.roots = roots;
            self.width *= 2;
        }
    }

    /// The number of an inner node.
    fn join(&mut self, left: u32, right: u32) -> u32 {
        let inner = &mut self.inner;
        let joined = self
            .recent
            .join(left, right, |pair| Some(inner.insert(pair)));
        joined.expect("there is always a number")
    }

    /// A stored vector.
    pub(crate) fn load(&self, vector: VectorId, into: &mut Grown) {
        let root = match &self.roots {
            Roots::InOrder(it) => it.roots.pairs[vector as usize],
            Roots::Shared(levels) => levels.get(vector),
        };
        self.load_root(root, into);
    }

    fn load_root(&self, root: u64, into: &mut Grown) {
        let nodes = &mut into.nodes;
        nodes.clear();
        nodes.resize(2 * self.width, 0);
        (nodes[2], nodes[3]) = split(root);
        for at in 2..self.width {
            if let Some(inner) = nodes[at].checked_sub(1) {
                (nodes[2 * at], nodes[2 * at + 1]) = split(self.inner.get(inner));
            }
        }
    }

    /// The root of a vector that is made from another by changing some leaves. `grown` is as before afterwards.
    pub(crate) fn changed(
        &mut self,
        grown: &mut Grown,
        changes: &[(u32, u32)],
        weight: u64,
        undo: &mut Vec<(u32, u32)>,
    ) -> Root {
        let pair = climb(grown, changes, undo, |left, right| self.join(left, right));
        Root { pair, weight }
    }

    /// The same while others do so too; `None` if there is no room for what is new.
    pub(crate) fn changed_beside(
        &self,
        grown: &mut Grown,
        changes: &[(u32, u32)],
        weight: u64,
        (undo, recent): &mut (Vec<(u32, u32)>, Recent),
    ) -> Option<Root> {
        let Inner::Shared(levels) = &self.inner else {
            return None;
        };
        if recent.remade != self.remade {
            recent.nodes.fill((0, 0));
            recent.remade = self.remade;
        }
        let mut has_room = true;
        let pair = climb(grown, changes, undo, |left, right| {
            let joined = recent.join(left, right, |pair| {
                Some(levels.insert(pair, hash_of(pair))?.0)
            });
            has_room &= joined.is_some();
            joined.unwrap_or(0)
        });
        has_room.then_some(Root { pair, weight })
    }

    /// Looks where vectors will be stored, so that several of these looks wait for memory together.
    pub(crate) fn look_ahead(&self, roots: impl Iterator<Item = Root>) {
        if let Roots::Shared(levels) = &self.roots {
            let ahead = roots.map(|it| levels.look_ahead(it.weight));
            std::hint::black_box(ahead.fold(0, |all, it| all ^ it));
        }
    }

    /// Stores a vector while others do so too: its number, and whether it is new; `None` if it is and there is no room.
    pub(crate) fn insert_beside(&self, root: Root) -> Option<(VectorId, bool)> {
        match &self.roots {
            Roots::InOrder(_) => None,
            Roots::Shared(levels) => levels.insert(root.pair, root.weight),
        }
    }

    /// Makes room for what workers find side by side.
    pub(crate) fn reserve(&mut self, more: usize) {
        if let (Inner::Shared(inner), Roots::Shared(roots)) = (&mut self.inner, &mut self.roots) {
            inner.reserve(more);
            roots.reserve(more);
        }
    }

    /// Stores vectors, given by their roots; for each its number, and whether it is new.
    pub(crate) fn insert_roots(
        &mut self,
        roots: impl Iterator<Item = Root> + Clone,
        mut stored: impl FnMut(VectorId, bool),
    ) {
        match &mut self.roots {
            Roots::InOrder(it) => it.insert(roots, stored),
            Roots::Shared(levels) => {
                for root in roots {
                    levels.reserve(1);
                    let inserted = levels.insert(root.pair, root.weight);
                    let (number, is_new) = inserted.expect("there is room for one");
                    stored(number, is_new);
                }
            }
        }
    }

    fn root_of(&mut self, vector: &[u32], weight: u64) -> Root {
        self.widen(vector.len());
        let mut grown = Grown {
            nodes: vec![0; 2 * self.width],
        };
        let changes: Vec<(u32, u32)> = (0..).zip(vector.iter().copied()).collect();
        self.changed(&mut grown, &changes, weight, &mut Vec::new())
    }

    /// Stores a vector of this weight.
    pub(crate) fn insert(&mut self, vector: &[u32], weight: u64) -> (VectorId, bool) {
        let root = self.root_of(vector, weight);
        let mut stored = (0, false);
        self.insert_roots([root].into_iter(), |number, is_new| {
            stored = (number, is_new);
        });
        stored
    }
}

/// The pair at the root of a tree of which some leaves change. The tree is as before afterwards.
fn climb(
    grown: &mut Grown,
    changes: &[(u32, u32)],
    undo: &mut Vec<(u32, u32)>,
    mut join: impl FnMut(u32, u32) -> u32,
) -> u64 {
    let nodes = &mut grown.nodes;
    undo.clear();
    let leaves = u32::try_from(nodes.len() / 2).expect("vectors are short");
    for &(slot, value) in changes {
        let at = leaves + slot;
        undo.push((at, nodes[at as usize]));
        nodes[at as usize] = value;
    }
    // The nodes above, a level at a time, each once.
    let mut level = 0;
    loop {
        let end = undo.len();
        let mut last = 0;
        for known in level..end {
            let parent = undo[known].0 / 2;
            // Neighbours come one after the other, where changes are sorted.
            if parent <= 1 || parent == last {
                continue;
            }
            last = parent;
            let at = parent as usize;
            undo.push((parent, nodes[at]));
            nodes[at] = join(nodes[2 * at], nodes[2 * at + 1]);
        }
        if undo.len() == end {
            break;
        }
        level = end;
    }
    let root = pair(nodes[2], nodes[3]);
    for &(at, before) in undo.iter().rev() {
        nodes[at as usize] = before;
    }
    root
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

impl Saved for Tree {
    fn save(&self, sink: &mut Sink) {
        self.is_shared().save(sink);
        self.width.save(sink);
        match &self.inner {
            Inner::InOrder(pairs) => pairs.save(sink),
            Inner::Shared(levels) => levels.save(sink),
        }
        match &self.roots {
            Roots::InOrder(it) => it.save(sink),
            Roots::Shared(levels) => levels.save(sink),
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let is_shared = bool::load(source)?;
        Ok(Self {
            width: usize::load(source)?,
            inner: if is_shared {
                Inner::Shared(Levels::load(source)?)
            } else {
                Inner::InOrder(Pairs::load(source)?)
            },
            recent: Recent::default(),
            roots: if is_shared {
                Roots::Shared(Levels::load(source)?)
            } else {
                Roots::InOrder(InOrder::load(source)?)
            },
            remade: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(tree: &Tree, vector: VectorId) -> Vec<u32> {
        let mut grown = Grown::default();
        tree.load(vector, &mut grown);
        let mut leaves = grown.leaves().to_vec();
        while leaves.last() == Some(&0) {
            leaves.pop();
        }
        leaves
    }

    #[test]
    fn vectors_are_stored_once_and_come_back() {
        let mut tree = Tree::new(false);
        let vectors: Vec<Vec<u32>> = (0..200_u32)
            .map(|seed| (0..=seed % 7).map(|at| seed * at % 13 + 1).collect())
            .collect();
        let mut known: Vec<Vec<u32>> = Vec::new();
        for vector in vectors.iter().chain(&vectors) {
            let is_known = known.contains(vector);
            let (number, is_new) = tree.insert(vector, 0);
            assert_eq!(is_new, !is_known);
            if is_new {
                assert_eq!(number as usize, known.len());
                known.push(vector.clone());
            }
            assert_eq!(leaves(&tree, number), *vector);
        }
        for (number, vector) in (0..).zip(&known) {
            assert_eq!(leaves(&tree, number), *vector, "also after it got wider");
        }
    }

    #[test]
    fn a_change_beside_others_leads_to_the_same_vector() {
        let mut tree = Tree::new(true);
        let (first, _) = tree.insert(&[1, 2, 3, 4, 5], 0);
        let mut grown = Grown::default();
        tree.load(first, &mut grown);
        let changes = [(0, 9), (3, 0), (4, 7)];
        let mut scratch = (Vec::new(), Recent::default());
        let beside = tree.changed_beside(&mut grown, &changes, 0, &mut scratch);
        let root = tree.changed(&mut grown, &changes, 0, &mut Vec::new());
        assert_eq!(beside.map(|it| it.pair), Some(root.pair));
        assert_eq!(grown.leaves()[..5], [1, 2, 3, 4, 5], "as before");
    }

    #[test]
    fn a_worker_does_not_remember_inner_nodes_of_a_tree_that_was_remade() {
        let mut tree = Tree::new(true);
        let (first, _) = tree.insert(&[1, 2, 3, 4, 5], 0);
        let mut scratch = (Vec::new(), Recent::default());
        let mut change = |tree: &mut Tree| {
            tree.reserve(10);
            let mut grown = Grown::default();
            tree.load(first, &mut grown);
            let root = tree.changed_beside(&mut grown, &[(0, 9)], 1 << 60, &mut scratch);
            root.expect("there is room")
        };
        // It looks up a node that nobody stores.
        change(&mut tree);
        tree.remake(8, |before, after| {
            after[..before.len()].copy_from_slice(before);
        });
        let root = change(&mut tree);
        let (changed, _) = tree.insert_beside(root).expect("there is room");
        assert_eq!(leaves(&tree, changed), [9, 2, 3, 4, 5]);
    }

    #[test]
    fn a_change_leads_to_the_same_vector_as_all_of_it() {
        let mut tree = Tree::new(false);
        let (first, _) = tree.insert(&[1, 2, 3, 4, 5], 0);
        let mut grown = Grown::default();
        tree.load(first, &mut grown);
        let changes = [(0, 9), (3, 0), (4, 7)];
        let root = tree.changed(&mut grown, &changes, 0, &mut Vec::new());
        let mut stored = Vec::new();
        tree.insert_roots([root, root].into_iter(), |number, is_new| {
            stored.push((number, is_new));
        });
        assert_eq!(stored, [(1, true), (1, false)]);
        assert_eq!(tree.insert(&[9, 2, 3, 0, 7], 0), (1, false));
        assert_eq!(grown.leaves()[..5], [1, 2, 3, 4, 5], "as before");
    }
}
