//! Trees of cells that share what they have in common.
//!
//! Rows of cells are the leaves, all at one depth, and every node but the last of its level has as many below it as it can. So
//! the shape of a tree follows from how many cells it has, and two trees of one shape can be compared node by node.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use super::{Cell, Occurring};

/// How many cells a row has.
pub(super) const ROW: usize = 64;
/// How many nodes there are below one.
pub(super) const FAN: usize = 16;

/// A node with all that is below it. In the last row, cells beyond the end are undefined.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The sum of the hashes below, each mixed with its place: a change is a subtraction and an addition.
    pub(super) hash: u64,
    pub(super) occurring: Occurring,
    pub(super) below: Below,
}

#[derive(Clone, Debug)]
pub(super) enum Below {
    Row([Cell; ROW]),
    Nodes(Vec<Arc<Node>>),
}

/// The bytes of a word that is looked for.
pub(super) struct WordBytes {
    pub(super) last: u8,
    pub(super) all: Occurring,
}

/// How many cells a node of some height has at most. Rows have height 0.
pub(super) fn room(height: u32) -> usize {
    ROW * FAN.pow(height)
}

/// The height of the lowest node with room for so many cells.
pub(super) fn height_for(len: usize) -> u32 {
    let mut height = 0;
    while room(height) < len {
        height += 1;
    }
    height
}

fn mix(word: u64) -> u64 {
    // The end of SplitMix64: every bit of the word counts for every bit of the result.
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The share of a hash in that of the node above.
fn share(hash: u64, place: usize) -> u64 {
    mix(hash ^ (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// A hash of a row, or of part of one.
pub(super) fn hash_of_row(cells: &[Cell]) -> u64 {
    cells.chunks(8).fold(0, |hash: u64, chunk| {
        let word = chunk.iter().fold(0_u64, |word, cell| {
            word << 8 | u64::from(cell.unwrap_or(0xa5))
        });
        mix(hash.rotate_left(5) ^ word)
    })
}

impl Node {
    pub(super) fn row(cells: [Cell; ROW]) -> Self {
        Self {
            hash: hash_of_row(&cells),
            occurring: Occurring::among(&cells),
            below: Below::Row(cells),
        }
    }

    pub(super) fn above(nodes: Vec<Arc<Node>>) -> Self {
        let shares = nodes.iter().enumerate().map(|(at, it)| share(it.hash, at));
        Self {
            hash: shares.fold(0, u64::wrapping_add),
            occurring: Occurring::of_all(nodes.iter().map(|it| it.occurring)),
            below: Below::Nodes(nodes),
        }
    }

    /// So many cells that are all the same.
    pub(super) fn filled(cell: Cell, len: usize, height: u32) -> Self {
        if height == 0 {
            let mut row = [None; ROW];
            row[..len].fill(cell);
            return Self::row(row);
        }
        let each = room(height - 1);
        let mut nodes = Vec::with_capacity(len.div_ceil(each));
        if len >= each {
            let full = Arc::new(Self::filled(cell, each, height - 1));
            nodes.resize(len / each, full);
        }
        if !len.is_multiple_of(each) {
            nodes.push(Arc::new(Self::filled(cell, len % each, height - 1)));
        }
        Self::above(nodes)
    }

    /// Nodes of some height one below the other, under as few as there can be.
    pub(super) fn over(mut nodes: Vec<Arc<Node>>, mut height: u32) -> (Arc<Node>, u32) {
        while nodes.len() > 1 {
            let groups = nodes.chunks(FAN);
            nodes = groups
                .map(|it| Arc::new(Self::above(it.to_vec())))
                .collect();
            height += 1;
        }
        let root = nodes.pop().expect("a tree has nodes");
        (root, height)
    }

    /// The row with a cell, and which of its cells that is.
    pub(super) fn row_with(&self, height: u32, at: usize) -> (&[Cell; ROW], usize) {
        let (mut node, mut height, mut at) = (self, height, at);
        loop {
            match &node.below {
                Below::Row(cells) => return (cells, at),
                Below::Nodes(nodes) => {
                    height -= 1;
                    node = &nodes[at / room(height)];
                    at %= room(height);
                }
            }
        }
    }

    /// Gives cells their values.
    pub(super) fn set(
        &mut self,
        height: u32,
        range: Range<usize>,
        value: &mut impl FnMut(usize) -> Cell,
        first: usize,
    ) {
        match &mut self.below {
            Below::Row(cells) => {
                for at in range {
                    cells[at] = value(first + at);
                }
                self.hash = hash_of_row(cells);
                self.occurring = Occurring::among(cells);
            }
            Below::Nodes(nodes) => {
                let each = room(height - 1);
                let touched = range.start / each..range.end.div_ceil(each);
                for (at, node) in nodes[touched.clone()].iter_mut().enumerate() {
                    let at = touched.start + at;
                    let from = range.start.max(at * each) - at * each;
                    let to = range.end.min((at + 1) * each) - at * each;
                    let before = share(node.hash, at);
                    let node = Arc::make_mut(node);
                    node.set(height - 1, from..to, value, first + at * each);
                    let change = share(node.hash, at).wrapping_sub(before);
                    self.hash = self.hash.wrapping_add(change);
                }
                self.occurring = Occurring::of_all(nodes.iter().map(|it| it.occurring));
            }
        }
    }

    /// Where cells with one of some bytes are.
    pub(super) fn find(
        &self,
        height: u32,
        among: &Occurring,
        first: usize,
        found: &mut Vec<usize>,
    ) {
        if !self.occurring.meets(among) {
            return;
        }
        match &self.below {
            Below::Row(cells) => {
                let is_meant = |cell: &Cell| cell.is_some_and(|it| among.has(it));
                let places = (first..).zip(cells).filter(|(_, cell)| is_meant(cell));
                found.extend(places.map(|(at, _)| at));
            }
            Below::Nodes(nodes) => {
                for (at, node) in nodes.iter().enumerate() {
                    node.find(height - 1, among, first + at * room(height - 1), found);
                }
            }
        }
    }

    /// Where cells are with which a word may end, of no more cells than a row has. `before` are bytes of the row before the
    /// first, and perhaps others.
    pub(super) fn find_word(
        &self,
        height: u32,
        word: &WordBytes,
        before: &Occurring,
        first: usize,
        found: &mut Vec<usize>,
    ) {
        let near = Occurring::of_all([*before, self.occurring].into_iter());
        if !self.occurring.has(word.last) || !near.has_all(&word.all) {
            return;
        }
        match &self.below {
            Below::Row(cells) => {
                let places = (first..).zip(cells);
                let places = places.filter(|(_, cell)| **cell == Some(word.last));
                found.extend(places.map(|(at, _)| at));
            }
            Below::Nodes(nodes) => {
                let mut before = before;
                for (at, node) in nodes.iter().enumerate() {
                    let first = first + at * room(height - 1);
                    node.find_word(height - 1, word, before, first, found);
                    before = &node.occurring;
                }
            }
        }
    }

    /// The nodes of some height, in order.
    pub(super) fn at_height(self: &Arc<Self>, mine: u32, height: u32, found: &mut Vec<Arc<Node>>) {
        match &self.below {
            Below::Nodes(nodes) if mine > height => {
                for node in nodes {
                    node.at_height(mine - 1, height, found);
                }
            }
            Below::Nodes(_) | Below::Row(_) => found.push(Arc::clone(self)),
        }
    }

    /// The node of some height that begins with a cell.
    pub(super) fn beginning_at(self: &Arc<Self>, mine: u32, height: u32, at: usize) -> &Arc<Node> {
        let (mut node, mut mine, mut at) = (self, mine, at);
        while let Below::Nodes(nodes) = &node.below
            && mine > height
        {
            mine -= 1;
            node = &nodes[at / room(mine)];
            at %= room(mine);
        }
        node
    }
}

/// Trees of one shape compared cell by cell, what they share aside.
pub(super) fn compare(one: &Arc<Node>, other: &Arc<Node>) -> Ordering {
    if Arc::ptr_eq(one, other) {
        return Ordering::Equal;
    }
    match (&one.below, &other.below) {
        (Below::Row(one), Below::Row(other)) => one.cmp(other),
        (Below::Nodes(one), Below::Nodes(other)) => {
            let pairs = one.iter().zip(other);
            pairs
                .map(|(one, other)| compare(one, other))
                .find(|it| it.is_ne())
                .unwrap_or(Ordering::Equal)
        }
        (Below::Row(_), Below::Nodes(_)) | (Below::Nodes(_), Below::Row(_)) => {
            unreachable!("trees with as many cells have one shape")
        }
    }
}

/// Whether trees of one shape have the same cells.
pub(super) fn are_same(one: &Arc<Node>, other: &Arc<Node>) -> bool {
    Arc::ptr_eq(one, other)
        || one.hash == other.hash
            && match (&one.below, &other.below) {
                (Below::Row(one), Below::Row(other)) => one == other,
                (Below::Nodes(one), Below::Nodes(other)) => {
                    one.len() == other.len()
                        && one
                            .iter()
                            .zip(other)
                            .all(|(one, other)| are_same(one, other))
                }
                (Below::Row(_), Below::Nodes(_)) | (Below::Nodes(_), Below::Row(_)) => false,
            }
}
