//! The bytes of an object. A write costs the same in few and in many, and so does a copy.
//!
//! Few cells are a row. Many are a tree of rows, and copies share what they have in common. Each node knows a hash of all
//! below it, and which bytes occur there. So nothing that did not change is hashed or compared again, and whoever looks for
//! names does not look where none can be.

mod tree;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use raddle_base::saved::{Saved, Sink, Source};

use tree::{Node, ROW, WordBytes, are_same, compare, height_for, room};

/// A byte, or nothing defined.
pub type Cell = Option<u8>;

/// So many cells are one row.
const LONGEST_ROW: usize = 4 * ROW;

/// The cells of an object.
#[derive(Clone)]
pub struct Bytes(Shape);

#[derive(Clone)]
enum Shape {
    Row(Vec<Cell>),
    Tree {
        len: usize,
        height: u32,
        root: Arc<Node>,
    },
}

/// Which bytes occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occurring([u64; 4]);

impl Occurring {
    fn among(cells: &[Cell]) -> Self {
        cells.iter().flatten().copied().collect()
    }

    fn of_all(all: impl Iterator<Item = Occurring>) -> Self {
        let union =
            |one: Self, other: Self| Self(std::array::from_fn(|at| one.0[at] | other.0[at]));
        all.fold(Self::default(), union)
    }

    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    fn has_all(&self, other: &Self) -> bool {
        let pairs = self.0.iter().zip(other.0);
        pairs.into_iter().all(|(one, other)| other & !one == 0)
    }

    fn meets(&self, other: &Self) -> bool {
        self.0
            .iter()
            .zip(other.0)
            .any(|(one, other)| one & other != 0)
    }
}

impl FromIterator<u8> for Occurring {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut occurring = Self::default();
        for byte in bytes {
            occurring.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
        occurring
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self(Shape::Row(Vec::new()))
    }
}

impl Bytes {
    /// So many cells that are all the same.
    pub fn filled(cell: Cell, len: usize) -> Self {
        if len <= LONGEST_ROW {
            return Self(Shape::Row(vec![cell; len]));
        }
        let height = height_for(len);
        Self(Shape::Tree {
            len,
            height,
            root: Arc::new(Node::filled(cell, len, height)),
        })
    }

    pub fn len(&self) -> usize {
        match &self.0 {
            Shape::Row(cells) => cells.len(),
            Shape::Tree { len, .. } => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some of the cells, which are there.
    pub fn get(&self, range: Range<usize>) -> Cow<'_, [Cell]> {
        match &self.0 {
            Shape::Row(cells) => Cow::Borrowed(&cells[range]),
            Shape::Tree { height, root, .. } => {
                let (row, at) = root.row_with(*height, range.start);
                match row.get(at..at + range.len()) {
                    Some(cells) => Cow::Borrowed(cells),
                    None => self.iter(range).collect(),
                }
            }
        }
    }

    /// The cells of a range, which are there, one by one.
    pub fn iter(&self, range: Range<usize>) -> impl Iterator<Item = Cell> + '_ {
        let mut at = range.start;
        let mut row: &[Cell] = &[];
        std::iter::from_fn(move || {
            if at >= range.end {
                return None;
            }
            if row.is_empty() {
                row = match &self.0 {
                    Shape::Row(cells) => &cells[at..],
                    Shape::Tree { height, root, .. } => {
                        let (row, at) = root.row_with(*height, at);
                        &row[at..]
                    }
                };
            }
            let (first, rest) = row.split_first()?;
            row = rest;
            at += 1;
            Some(*first)
        })
    }

    /// All cells, one by one.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.iter(0..self.len())
    }

    /// Gives the cells of a range, which are there, what a function says of each.
    fn set(&mut self, range: Range<usize>, mut value: impl FnMut(usize) -> Cell) {
        match &mut self.0 {
            Shape::Row(cells) => {
                for at in range {
                    cells[at] = value(at);
                }
            }
            Shape::Tree { len, height, root } => {
                assert!(range.end <= *len, "the cells are there");
                if !range.is_empty() {
                    Arc::make_mut(root).set(*height, range, &mut value, 0);
                }
            }
        }
    }

    /// Writes cells one after the other.
    pub fn write(&mut self, first: usize, cells: &[Cell]) {
        self.set(first..first + cells.len(), |at| cells[at - first]);
    }

    pub fn fill(&mut self, range: Range<usize>, cell: Cell) {
        self.set(range, |_| cell);
    }

    /// Whether a range holds the same in both.
    pub fn agrees(&self, other: &Self, range: Range<usize>) -> bool {
        let cut = |it: &Self| range.start.min(it.len())..range.end.min(it.len());
        let (mine, theirs) = (cut(self), cut(other));
        mine == theirs && (self == other || self.iter(mine).eq(other.iter(theirs)))
    }

    /// Where the words lie, of so many cells and at any offset, that end with one of some bytes, and their values.
    /// Bytes of low value come first.
    pub fn words_ending_in<'a>(
        &'a self,
        size: usize,
        ends: &'a Occurring,
    ) -> impl Iterator<Item = (usize, u128)> + use<'a> {
        let (row, found): (&'a [Cell], Vec<usize>) = match &self.0 {
            Shape::Row(cells) => (cells, Vec::new()),
            Shape::Tree { height, root, .. } => {
                let mut found = Vec::new();
                root.find(*height, ends, 0, &mut found);
                (&[], found)
            }
        };
        let in_row = row
            .windows(size)
            .enumerate()
            .filter_map(move |(at, window)| {
                let last = (*window.last()?)?;
                ends.has(last)
                    .then(|| word(window))
                    .flatten()
                    .map(|it| (at, it))
            });
        let in_tree = found.into_iter().filter_map(move |last| {
            let first = (last + 1).checked_sub(size)?;
            Some((first, word(&self.get(first..last + 1))?))
        });
        in_row.chain(in_tree)
    }

    /// Where the words lie, of so many cells and at any offset, that end with a byte, and their values. Words that do not hold
    /// some other bytes may be left out.
    pub fn words_with<'a>(
        &'a self,
        size: usize,
        last: u8,
        others: &[u8],
    ) -> impl Iterator<Item = (usize, u128)> + use<'a> {
        let (row, found): (&'a [Cell], Vec<usize>) = match &self.0 {
            Shape::Row(cells) => (cells, Vec::new()),
            Shape::Tree { height, root, .. } => {
                let mut found = Vec::new();
                let word = WordBytes {
                    last,
                    all: others.iter().copied().chain([last]).collect(),
                };
                root.find_word(*height, &word, &Occurring::default(), 0, &mut found);
                (&[], found)
            }
        };
        let in_row = row.windows(size).enumerate().filter_map(move |(at, it)| {
            let is_meant = *it.last()? == Some(last);
            let value = is_meant.then(|| word(it)).flatten()?;
            Some((at, value))
        });
        let in_tree = found.into_iter().filter_map(move |last| {
            let first = (last + 1).checked_sub(size)?;
            Some((first, word(&self.get(first..last + 1))?))
        });
        in_row.chain(in_tree)
    }

    /// Whether it is so short that nothing is known of parts of it.
    pub fn is_row(&self) -> bool {
        matches!(self.0, Shape::Row(_))
    }

    /// Whether some byte is one of these.
    pub fn has_any(&self, of: &Occurring) -> bool {
        match &self.0 {
            Shape::Row(cells) => Occurring::among(cells).meets(of),
            Shape::Tree { root, .. } => root.occurring.meets(of),
        }
    }
}

/// The value of some cells; none if one is undefined.
fn word(cells: &[Cell]) -> Option<u128> {
    let cells = cells.iter().rev();
    cells
        .into_iter()
        .try_fold(0_u128, |word, cell| Some(word << 8 | u128::from((*cell)?)))
}

/// Bytes in pieces of one length, the last of which may be shorter. Pieces of a tree share its nodes if their length says so.
impl Bytes {
    /// A length of pieces, at least this, in which cutting does not copy much.
    pub fn length_of_pieces(least: usize) -> usize {
        if least <= ROW {
            least
        } else {
            least.next_power_of_two()
        }
    }

    /// One of the pieces.
    pub fn piece(&self, at: usize, length: usize) -> Self {
        let first = at * length;
        let len = length.min(self.len() - first);
        if len == self.len() {
            return self.clone();
        }
        let Shape::Tree { height, root, .. } = &self.0 else {
            return self.iter(first..first + len).collect();
        };
        let Some((below, each)) = shared_level(length).filter(|_| len > LONGEST_ROW) else {
            return self.iter(first..first + len).collect();
        };
        let nodes = (first..first + len).step_by(each);
        let nodes = nodes.map(|at| Arc::clone(root.beginning_at(*height, below, at)));
        Self::of_nodes(nodes.collect(), below, len)
    }

    /// Whether a piece of both, which are of one length, is plainly the same because they share it.
    pub fn shares_piece(&self, other: &Self, at: usize, length: usize) -> bool {
        let (Shape::Tree { height, root, .. }, Shape::Tree { root: theirs, .. }) =
            (&self.0, &other.0)
        else {
            return false;
        };
        if Arc::ptr_eq(root, theirs) {
            return true;
        }
        let (first, end) = (at * length, self.len().min((at + 1) * length));
        let below = shared_level(length).map_or(0, |(below, _)| below);
        let each = room(below);
        (first / each..end.div_ceil(each)).all(|node| {
            let node_of = |it: &Arc<Node>| {
                std::ptr::from_ref(&**it.beginning_at(*height, below, node * each))
            };
            std::ptr::eq(node_of(root), node_of(theirs))
        })
    }

    /// What was cut into pieces of such a length.
    pub fn joined(pieces: &[&Bytes], length: usize) -> Self {
        if let [only] = pieces {
            return (*only).clone();
        }
        let len = pieces.iter().map(|it| it.len()).sum();
        let Some((below, _)) = shared_level(length).filter(|_| len > LONGEST_ROW) else {
            return pieces.iter().flat_map(|it| it.cells()).collect();
        };
        let mut nodes = Vec::new();
        for piece in pieces {
            let (root, height) = match &piece.0 {
                Shape::Tree { height, root, .. } => (Arc::clone(root), *height),
                Shape::Row(cells) => Node::over(cells.chunks(ROW).map(row).collect(), 0),
            };
            if height >= below {
                root.at_height(height, below, &mut nodes);
            } else {
                let lift = |node, _| Arc::new(Node::above(vec![node]));
                nodes.push((height..below).fold(root, lift));
            }
        }
        Self::of_nodes(nodes, below, len)
    }

    fn of_nodes(nodes: Vec<Arc<Node>>, height: u32, len: usize) -> Self {
        let (mut root, mut height) = Node::over(nodes, height);
        // The last piece may be so short that it needs no node so high.
        while height > height_for(len) {
            let tree::Below::Nodes(nodes) = &root.below else {
                break;
            };
            root = Arc::clone(&nodes[0]);
            height -= 1;
        }
        Self(Shape::Tree { len, height, root })
    }
}

/// The height of the largest nodes that such a piece is made of, and their size, if it is made of whole ones above rows.
fn shared_level(length: usize) -> Option<(u32, usize)> {
    if length <= LONGEST_ROW || !length.is_power_of_two() {
        return None;
    }
    let height = height_for(length + 1) - 1;
    Some((height, room(height)))
}

fn row(cells: &[Cell]) -> Arc<Node> {
    let mut row = [None; ROW];
    row[..cells.len()].copy_from_slice(cells);
    Arc::new(Node::row(row))
}

impl From<Vec<Cell>> for Bytes {
    fn from(cells: Vec<Cell>) -> Self {
        if cells.len() <= LONGEST_ROW {
            return Self(Shape::Row(cells));
        }
        let (root, height) = Node::over(cells.chunks(ROW).map(row).collect(), 0);
        let len = cells.len();
        Self(Shape::Tree { len, height, root })
    }
}

impl FromIterator<Cell> for Bytes {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        cells.into_iter().collect::<Vec<_>>().into()
    }
}

impl PartialEq for Bytes {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Shape::Row(one), Shape::Row(other)) => one == other,
            (
                Shape::Tree { len, root, .. },
                Shape::Tree {
                    len: other_len,
                    root: other,
                    ..
                },
            ) => len == other_len && are_same(root, other),
            (Shape::Row(_), Shape::Tree { .. }) | (Shape::Tree { .. }, Shape::Row(_)) => false,
        }
    }
}

impl Eq for Bytes {}

impl PartialOrd for Bytes {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bytes {
    /// As sequences of cells are ordered.
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Shape::Row(one), Shape::Row(other)) => one.cmp(other),
            (
                Shape::Tree { root, .. },
                Shape::Tree {
                    root: other_root, ..
                },
            ) if self.len() == other.len() => compare(root, other_root),
            (Shape::Row(_) | Shape::Tree { .. }, Shape::Row(_) | Shape::Tree { .. }) => {
                self.cells().cmp(other.cells())
            }
        }
    }
}

impl Hash for Bytes {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_usize(self.len());
        match &self.0 {
            // Searches hash objects all the time, so bytes go eight at a time.
            Shape::Row(cells) => {
                for chunk in cells.chunks(8) {
                    let word = chunk
                        .iter()
                        .fold(0, |word, byte| word << 8 | u64::from(byte.unwrap_or(0xa5)));
                    hasher.write_u64(word);
                }
            }
            Shape::Tree { root, .. } => hasher.write_u64(root.hash),
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cells()).finish()
    }
}

/// Saved as the cells are, one by one.
impl Saved for Bytes {
    fn save(&self, sink: &mut Sink) {
        self.len().save(sink);
        for cell in self.cells() {
            cell.save(sink);
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        Vec::load(source).map(|cells: Vec<Cell>| cells.into())
    }
}

#[cfg(test)]
mod tests;
