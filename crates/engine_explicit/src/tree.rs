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
use crate::signatures::Signatures;

/// The number of a stored vector; in order of discovery, if there is one shard.
pub(crate) type VectorId = u32;

/// How many pairs a bucket of the index holds.
const ROOM: usize = 12;

/// A line of the cache: numbers of pairs, with eight bits of their hashes, so that hardly ever a pair is looked at in vain.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    numbers: [u32; ROOM],
    /// 0 where nothing is; those come last.
    tags: [u8; ROOM],
}

impl Bucket {
    const EMPTY: Self = Self {
        numbers: [0; ROOM],
        tags: [0; ROOM],
    };
}

/// Pairs of numbers, each once, numbered in order of discovery.
#[derive(Debug, Default)]
struct Pairs {
    pairs: Vec<u64>,
    buckets: Vec<Bucket>,
}

/// Larger pieces of memory grow where they are, by the system; glibc moves smaller ones.
const LARGEST_COPIED: usize = 32 << 20;

/// How many bytes of a vector have to be copied if so many elements come in.
pub(crate) fn copied(length: usize, capacity: usize, more: usize, size: usize) -> usize {
    let bytes = length * size;
    let is_copied = length + more > capacity && bytes <= LARGEST_COPIED;
    if is_copied { bytes } else { 0 }
}

/// How full the index may get, in percent.
const FULL: usize = 85;

impl Pairs {
    /// The number of a pair, and whether it is new.
    fn insert(&mut self, pair: u64) -> (u32, bool) {
        if self.pairs.len() * 100 >= self.buckets.len() * ROOM * FULL {
            self.grow();
        }
        let (mut at, tag) = self.place(pair);
        loop {
            let bucket = &self.buckets[at];
            for (known, number) in bucket.tags.iter().zip(bucket.numbers) {
                if *known == tag && self.pairs[number as usize] == pair {
                    return (number, false);
                }
            }
            if bucket.tags[ROOM - 1] == 0 {
                break;
            }
            at = self.after(at);
        }
        let number = u32::try_from(self.pairs.len()).expect("memory ends before 2^32 pairs");
        self.pairs.push(pair);
        put(&mut self.buckets[at], tag, number);
        (number, true)
    }

    /// In which bucket to look for a pair first, and under which tag.
    fn place(&self, pair: u64) -> (usize, u8) {
        let mixed = (pair ^ (pair >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let scaled = (u128::from(mixed) * self.buckets.len() as u128) >> 64;
        let [.., tag] = (mixed >> 4).to_be_bytes();
        let at = usize::try_from(scaled).expect("below the number of buckets");
        (at, tag.max(1))
    }

    /// Looks where a pair will be looked for, so that several of these looks wait for memory together.
    fn look_ahead(&self, pair: u64) -> u8 {
        if self.buckets.is_empty() {
            return 0;
        }
        self.buckets[self.place(pair).0].tags[0]
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() {
            0
        } else {
            at + 1
        }
    }

    fn larger(&self) -> usize {
        (self.buckets.len() + self.buckets.len() / 2).max(8)
    }

    /// Makes room by a half, so that the index is never far from full.
    fn grow(&mut self) {
        self.fill(self.larger());
    }

    /// How many bytes more there will be at once if so many pairs come in.
    fn growth(&self, more: usize) -> usize {
        let is_full = (self.pairs.len() + more) * 100 >= self.buckets.len() * ROOM * FULL;
        let sizes = [self.larger(), self.buckets.len()].map(|it| it * size_of::<Bucket>());
        let index = match sizes {
            _ if !is_full => 0,
            // What was given back is too small to be used.
            [larger, _] if larger <= LARGEST_COPIED => larger,
            [larger, before] => larger - before,
        };
        let pairs = &self.pairs;
        index + copied(pairs.len(), pairs.capacity(), more, size_of::<u64>())
    }

    /// Makes an index of this size, or none.
    fn fill(&mut self, size: usize) {
        self.buckets = Vec::new();
        if size == 0 {
            return;
        }
        self.buckets.resize(size, Bucket::EMPTY);
        for number in 0..self.pairs.len() {
            let (mut at, tag) = self.place(self.pairs[number]);
            while self.buckets[at].tags[ROOM - 1] != 0 {
                at = self.after(at);
            }
            let number = u32::try_from(number).expect("counted before");
            put(&mut self.buckets[at], tag, number);
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.pairs) + size_of_val(&*self.buckets)
    }
}

/// Puts the number of a pair into a bucket with room.
fn put(bucket: &mut Bucket, tag: u8, number: u32) {
    let at = bucket.tags.iter().position(|it| *it == 0);
    let at = at.expect("the bucket has room");
    bucket.tags[at] = tag;
    bucket.numbers[at] = number;
}

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

impl Root {
    /// To which of so many shards it belongs.
    pub(crate) fn shard(self, shards: usize) -> usize {
        let high = self.weight >> 32;
        usize::try_from((high * shards as u64) >> 32).expect("below the number of shards")
    }
}

/// One part of all roots, which one worker can fill while others fill others.
#[derive(Debug, Default)]
pub(crate) struct Shard {
    roots: Pairs,
    kept: Kept,
}

impl Shard {
    /// Stores vectors, given by their roots; for each its number in this shard, and whether it is new.
    pub(crate) fn insert(
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

impl Shard {
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
    /// For so many shards, which are several if there are several workers.
    fn new(shards: usize) -> Self {
        if shards > 1 {
            Inner::Shared(Levels::default())
        } else {
            Inner::InOrder(Pairs::default())
        }
    }

    /// Nothing of the same kind.
    fn emptied(&self) -> Self {
        match self {
            Inner::InOrder(_) => Inner::InOrder(Pairs::default()),
            Inner::Shared(_) => Inner::Shared(Levels::default()),
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
                levels.insert(pair).expect("there is room for one")
            }
        }
    }
}

/// Inner nodes that were looked up not long ago, by their hash.
#[derive(Debug)]
pub(crate) struct Recent(Vec<(u64, u32)>);

impl Default for Recent {
    fn default() -> Self {
        Self(vec![(0, 0); RECENT])
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
        let recent = &mut self.0[hash as usize & (RECENT - 1)];
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
    /// One, or several for several workers.
    shards: Vec<Shard>,
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
    pub(crate) fn new(shards: usize) -> Self {
        Self {
            width: 2,
            inner: Inner::new(shards),
            recent: Recent::default(),
            shards: (0..shards).map(|_| Shard::default()).collect(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(Shard::len).sum()
    }

    /// Forgets all but hashes of vectors from now on; there is one shard and nothing in it.
    pub(crate) fn keep_hashes(&mut self) {
        debug_assert!(self.len() == 0 && self.shards.len() == 1);
        self.shards[0].kept = Kept::Hashes(Box::default());
    }

    /// Nobody will load the vector any more.
    pub(crate) fn release(&mut self, vector: VectorId) {
        if let Kept::Hashes(hashes) = &mut self.shards[0].kept {
            hashes.free.push(vector);
        }
    }

    /// If only hashes are kept: one in two to this power is the chance that a vector was taken for another one.
    pub(crate) fn power(&self) -> Option<u32> {
        match &self.shards.first()?.kept {
            Kept::Whole => None,
            Kept::Hashes(hashes) => Some(hashes.known.power()),
        }
    }

    /// Makes other vectors of all that can be loaded, under the same numbers. Of what takes most memory there are never two.
    pub(crate) fn remake(&mut self, width: usize, mut other: impl FnMut(&[u32]) -> Vec<u32>) {
        let mut made = Self {
            inner: self.inner.emptied(),
            ..Self::new(0)
        };
        made.widen(width);
        let mut shards = std::mem::take(&mut self.shards);
        let mut grown = Grown::default();
        for shard in &mut shards {
            let size = shard.roots.buckets.len();
            shard.roots.buckets = Vec::new();
            for root in &mut shard.roots.pairs {
                self.load_root(*root, &mut grown);
                *root = made.root_of(&other(grown.leaves()), 0).pair;
            }
            shard.roots.fill(size);
        }
        made.shards = shards;
        *self = made;
    }

    /// How many bytes more there will be at once if so many vectors come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        let roots = self.shards.iter().map(|shard| match &shard.kept {
            Kept::Whole => shard.roots.growth(more),
            Kept::Hashes(hashes) => hashes.known.growth(more),
        });
        roots.sum::<usize>() + self.inner.growth(more)
    }

    pub(crate) fn shards(&self) -> usize {
        self.shards.len()
    }

    pub(crate) fn shards_mut(&mut self) -> &mut [Shard] {
        &mut self.shards
    }

    /// The number of a vector that is the so-manieth of a shard.
    pub(crate) fn number(shards: usize, shard: usize, local: u32) -> VectorId {
        let number = local as usize * shards + shard;
        VectorId::try_from(number).expect("memory ends before 2^32 vectors")
    }

    /// The shard of a vector, and its number there.
    pub(crate) fn place_of(&self, vector: VectorId) -> (usize, usize) {
        let shards = self.shards.len();
        (vector as usize % shards, vector as usize / shards)
    }

    /// How much memory the vectors take.
    pub(crate) fn bytes(&self) -> usize {
        self.inner.bytes() + self.root_bytes()
    }

    pub(crate) fn root_bytes(&self) -> usize {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// How many inner nodes there are.
    pub(crate) fn inner_nodes(&self) -> usize {
        self.inner.len()
    }

    /// Makes room for vectors of this length.
    pub(crate) fn widen(&mut self, length: usize) {
        while self.width < length {
            for shard in 0..self.shards.len() {
                let mut roots = std::mem::take(&mut self.shards[shard].roots);
                for root in &mut roots.pairs {
                    let (left, right) = split(*root);
                    *root = pair(self.join(left, right), 0);
                }
                roots.fill(roots.buckets.len());
                self.shards[shard].roots = roots;
            }
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
        let (shard, local) = self.place_of(vector);
        self.load_root(self.shards[shard].roots.pairs[local], into);
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
        let mut has_room = true;
        let pair = climb(grown, changes, undo, |left, right| {
            let joined = recent.join(left, right, |pair| levels.insert(pair));
            has_room &= joined.is_some();
            joined.unwrap_or(0)
        });
        has_room.then_some(Root { pair, weight })
    }

    /// Makes room for what workers find side by side.
    pub(crate) fn reserve(&mut self, more: usize) {
        if let Inner::Shared(levels) = &mut self.inner {
            levels.reserve(more);
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
        let shards = self.shards.len();
        let shard = root.shard(shards);
        let mut stored = (0, false);
        self.shards[shard].insert([root].into_iter(), |local, is_new| stored = (local, is_new));
        (Self::number(shards, shard, stored.0), stored.1)
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

impl Saved for Pairs {
    fn save(&self, sink: &mut Sink) {
        self.pairs.save(sink);
        self.buckets.len().save(sink);
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let mut pairs = Self {
            pairs: Vec::load(source)?,
            buckets: Vec::new(),
        };
        // Where they lie in the index follows from what they are.
        pairs.fill(usize::load(source)?);
        Ok(pairs)
    }
}

raddle_base::saved!(struct Hashes { known, free });

impl Saved for Shard {
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
        matches!(self.inner, Inner::Shared(_)).save(sink);
        self.width.save(sink);
        match &self.inner {
            Inner::InOrder(pairs) => pairs.save(sink),
            Inner::Shared(levels) => levels.save(sink),
        }
        self.shards.save(sink);
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
            shards: Vec::load(source)?,
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
        let mut tree = Tree::new(1);
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
        let mut tree = Tree::new(2);
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
    fn a_change_leads_to_the_same_vector_as_all_of_it() {
        let mut tree = Tree::new(1);
        let (first, _) = tree.insert(&[1, 2, 3, 4, 5], 0);
        let mut grown = Grown::default();
        tree.load(first, &mut grown);
        let changes = [(0, 9), (3, 0), (4, 7)];
        let root = tree.changed(&mut grown, &changes, 0, &mut Vec::new());
        let mut stored = Vec::new();
        tree.shards[0].insert([root, root].into_iter(), |local, is_new| {
            stored.push((local, is_new));
        });
        assert_eq!(stored, [(1, true), (1, false)]);
        assert_eq!(tree.insert(&[9, 2, 3, 0, 7], 0), (1, false));
        assert_eq!(grown.leaves()[..5], [1, 2, 3, 4, 5], "as before");
    }
}
