//! Vectors of numbers, each once, in a few bytes: the tree compression of \[Laarman11\].
//!
//! # Source
//!
//! \[Laarman11\]: recursive state compression in a tree of pairs.
//!
//! # Definitions
//!
//! A vector is the leaves of a binary tree. Every inner node is a pair of numbers that is stored once and has a number
//! itself; vectors that have parts in common share the nodes above them. A vector that is stored is the pair at its root.
//!
//! # Invariants
//!
//! - **(V1)** The pair of two zeros is zero, so vectors are as if they went on with zeros for ever, and trees may grow.
//! - **(V2)** A vector keeps its number.
//!
//! # Deviations
//!
//! 1. The paper's vectors have one length; here they may grow (V1).
//! 2. The paper's table has one size, given beforehand; here it grows by levels ([`levels`](crate::levels)).
//!
//! # Tested by
//!
//! The tests below; `crates/testkit/tests/workers.rs` for several workers at a time.

mod inner;
mod roots;

use raddle_base::saved::{Saved, Sink, Source};

use crate::levels::Share;
use crate::pairs::hash_of;

use inner::{InnerNodes, Recent};
pub(crate) use roots::Root;
use roots::Roots;

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

/// What one worker may add.
#[derive(Debug, Default)]
pub(crate) struct Shares {
    inner: Share,
    roots: Share,
}

/// What one worker needs beside others.
#[derive(Debug, Default)]
pub(crate) struct TreeTools {
    undo: Vec<(u32, u32)>,
    recent: Recent,
    pub(crate) shares: Shares,
}

/// A set of vectors.
#[derive(Debug)]
pub(crate) struct Tree {
    /// How many leaves there are, a power of two.
    width: usize,
    inner: InnerNodes,
    recent: Recent,
    roots: Roots,
    /// How often all vectors were made anew.
    remade: u64,
}

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
            inner: InnerNodes::new(is_shared),
            recent: Recent::default(),
            roots: Roots::new(is_shared),
            remade: 0,
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.roots, Roots::Shared(_))
    }

    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    /// What numbers of vectors are below.
    pub(crate) fn numbers(&self) -> usize {
        self.roots.numbers()
    }

    /// Whether a vector has this number.
    pub(crate) fn holds(&self, vector: VectorId) -> bool {
        // With several workers there are numbers that are not given to a vector yet.
        !self.is_shared() || self.roots.get(vector) != 0
    }

    /// Forgets all but hashes of vectors from now on; one worker is at it, and has not begun.
    pub(crate) fn keep_hashes(&mut self) {
        self.roots.keep_hashes();
    }

    /// The vector will not be loaded any more.
    pub(crate) fn release(&mut self, vector: VectorId) {
        self.roots.release(vector);
    }

    /// If only hashes are kept: one in two to this power is the chance that a vector was taken for another one.
    pub(crate) fn power(&self) -> Option<u32> {
        self.roots.power()
    }

    /// Makes other vectors of all that can be loaded, under the same numbers. Of what takes most memory there are never two.
    pub(crate) fn remake(&mut self, width: usize, mut other: impl FnMut(&[u32], &mut [u32])) {
        let mut made = Self::new(self.is_shared());
        made.widen(width);
        let nothing = Roots::new(false);
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
        self.roots.growth(more) + self.inner.growth(more)
    }

    /// Takes little more memory at a time from now on; whether that is another way than before.
    pub(crate) fn grow_slowly(&mut self) -> bool {
        match (&mut self.inner, &mut self.roots) {
            (InnerNodes::Shared(inner), Roots::Shared(roots)) => {
                inner.grow_slowly() | roots.grow_slowly()
            }
            _ => false,
        }
    }

    /// How many more numbers there will be at once then, with several workers.
    pub(crate) fn growth_of_numbers(&self, more: usize) -> usize {
        self.roots.growth_of_numbers(more)
    }

    /// How much memory the vectors take.
    pub(crate) fn bytes(&self) -> usize {
        self.inner.bytes() + self.root_bytes()
    }

    pub(crate) fn root_bytes(&self) -> usize {
        self.roots.bytes()
    }

    /// How many inner nodes there are.
    pub(crate) fn inner_nodes(&self) -> usize {
        self.inner.len()
    }

    /// For vectors of which length there is room.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Makes room for vectors of this length.
    pub(crate) fn widen(&mut self, length: usize) {
        while self.width < length {
            let nothing = Roots::new(false);
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
        self.load_root(self.roots.get(vector), into);
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
        tools: &mut TreeTools,
    ) -> Option<Root> {
        let TreeTools {
            undo,
            recent,
            shares,
        } = tools;
        let InnerNodes::Shared(levels) = &self.inner else {
            return None;
        };
        recent.forget_before(self.remade);
        let mut has_room = true;
        let pair = climb(grown, changes, undo, |left, right| {
            let joined = recent.join(left, right, |pair| {
                Some(levels.insert(pair, hash_of(pair), &mut shares.inner)?.0)
            });
            has_room &= joined.is_some();
            joined.unwrap_or(0)
        });
        has_room.then_some(Root { pair, weight })
    }

    /// Looks where vectors will be stored, so that several of these looks wait for memory together.
    pub(crate) fn look_ahead(&self, roots: impl Iterator<Item = Root>) {
        self.roots.look_ahead(roots);
    }

    /// Stores a vector while others do so too: its number, and whether it is new; `None` if it is and there is no room.
    pub(crate) fn insert_beside(
        &self,
        root: Root,
        shares: &mut Shares,
    ) -> Option<(VectorId, bool)> {
        self.roots.insert_beside(root, &mut shares.roots)
    }

    /// What each of so many workers may add.
    pub(crate) fn shares(&self, workers: usize) -> Shares {
        match (&self.inner, &self.roots) {
            (InnerNodes::Shared(inner), Roots::Shared(roots)) => Shares {
                inner: inner.share(workers),
                roots: roots.share(workers),
            },
            _ => Shares::default(),
        }
    }

    /// A worker is done.
    pub(crate) fn settle(&mut self, shares: &Shares) {
        if let (InnerNodes::Shared(inner), Roots::Shared(roots)) =
            (&mut self.inner, &mut self.roots)
        {
            inner.settle(&shares.inner);
            roots.settle(&shares.roots);
        }
    }

    /// Makes room for what workers find side by side.
    pub(crate) fn reserve(&mut self, more: usize) {
        if let (InnerNodes::Shared(inner), Roots::Shared(roots)) =
            (&mut self.inner, &mut self.roots)
        {
            inner.reserve(more);
            roots.reserve(more);
        }
    }

    /// Stores vectors, given by their roots; for each its number, and whether it is new.
    pub(crate) fn insert_roots(
        &mut self,
        roots: impl Iterator<Item = Root> + Clone,
        stored: impl FnMut(VectorId, bool),
    ) {
        self.roots.insert(roots, stored);
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

impl Saved for Tree {
    fn save(&self, sink: &mut Sink) {
        self.width.save(sink);
        self.inner.save(sink);
        self.roots.save(sink);
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        Ok(Self {
            width: usize::load(source)?,
            inner: InnerNodes::load(source)?,
            recent: Recent::default(),
            roots: Roots::load(source)?,
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
        let mut tools = TreeTools {
            shares: tree.shares(1),
            ..TreeTools::default()
        };
        let beside = tree.changed_beside(&mut grown, &changes, 0, &mut tools);
        let root = tree.changed(&mut grown, &changes, 0, &mut Vec::new());
        assert_eq!(beside.map(|it| it.pair), Some(root.pair));
        assert_eq!(grown.leaves()[..5], [1, 2, 3, 4, 5], "as before");
    }

    #[test]
    fn a_worker_does_not_remember_inner_nodes_of_a_tree_that_was_remade() {
        let mut tree = Tree::new(true);
        let (first, _) = tree.insert(&[1, 2, 3, 4, 5], 0);
        let mut tools = TreeTools::default();
        let mut change = |tree: &mut Tree| {
            tree.reserve(10);
            tools.shares = tree.shares(1);
            let mut grown = Grown::default();
            tree.load(first, &mut grown);
            let root = tree.changed_beside(&mut grown, &[(0, 9)], 1 << 60, &mut tools);
            root.expect("there is room")
        };
        // It looks up a node that is not stored.
        change(&mut tree);
        tree.remake(8, |before, after| {
            after[..before.len()].copy_from_slice(before);
        });
        let root = change(&mut tree);
        let mut shares = tree.shares(1);
        let inserted = tree.insert_beside(root, &mut shares);
        let (changed, _) = inserted.expect("there is room");
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
