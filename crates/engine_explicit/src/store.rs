//! The states between transactions, and how they were reached.

use raddle_base::saved::{Saved, Sink, Source};
use raddle_base::{FastMap, FastSet};
use raddle_ir::interpret::ThreadNumber;

use crate::ids::{Changes, NodeId, PartId, Slot, WayId};
use crate::links::{Link, Links, Origin};
use crate::packing::Packing;
use crate::parts::Parts;
use crate::tree::{self, Grown, Root, Shares, Tree};
use crate::way::Way;

/// How many links are followed at most to tell a depth.
const DEEPEST: u64 = 1 << 16;

/// With several workers, at most so many states are packed anew when there is no room for more parts; tests set another number.
const FEW: usize = 1 << 13;

/// With one worker, as many parts are packed anew, all times together, as there are now, so many times over.
const MOST_PASSES: usize = 4;

/// So many parts are packed anew in any case.
const FEW_PARTS: usize = 1 << 20;

/// What became of a state that was to be stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored {
    New(NodeId),
    Known(NodeId),
}

/// All states that were stored.
#[derive(Debug)]
pub(crate) struct Store {
    /// Of states that were explored.
    keeps_hashes: bool,
    /// So few states of several workers are packed anew when there is no room for more parts.
    few: usize,
    packing: Packing,
    /// How many parts were packed anew, all times together.
    repacked_parts: usize,
    tree: Tree,
    /// How states were reached, unless that was given up to save memory.
    links: Option<Links>,
    initial: FastSet<NodeId>,
    /// Where switches are counted: other ways with as many, by the thread that ran last.
    by_last: FastMap<NodeId, Vec<(ThreadNumber, Link)>>,
    ways: Vec<Way>,
    numbers: FastMap<Way, WayId>,
    /// Kept for their memory.
    packed: Vec<(u32, u32)>,
    undo: Vec<(u32, u32)>,
}

/// A stored state: its tree and its vector.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    grown: Grown,
    vector: Vec<PartId>,
    weight: u64,
}

impl Loaded {
    pub(crate) fn vector(&self) -> &[PartId] {
        &self.vector
    }
}

/// The hash of a state is a sum over its parts, which changes with them, and not with how they are packed.
fn weight(slot: Slot, part: PartId) -> u64 {
    let pair = u64::from(slot.0) << 32 | u64::from(part.0);
    // The mixing function of the generator of [Steele14]: sums of weights collide no more often than random ones.
    let mixed = pair.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

impl Store {
    /// For one worker, which keeps only hashes of states that were explored.
    pub(crate) fn of_hashes() -> Self {
        let mut store = Self::new(false);
        store.tree.keep_hashes();
        store.links = None;
        store.keeps_hashes = true;
        store
    }

    /// If it is so: one in two to this power is the chance that a state was missed.
    pub(crate) fn power(&self) -> Option<u32> {
        self.tree.power()
    }

    /// Makes room for more parts without packing anything anew, if possible, however little there is.
    pub(crate) fn never_packs_anew(mut self) -> Self {
        self.few = 0;
        self
    }

    /// The state was explored.
    pub(crate) fn release(&mut self, node: NodeId) {
        if self.keeps_hashes {
            self.tree.release(node.0);
            self.initial.remove(&node);
        }
    }

    /// For several workers, or for one.
    pub(crate) fn new(is_shared: bool) -> Self {
        Self {
            keeps_hashes: false,
            few: FEW,
            packing: Packing::default(),
            repacked_parts: 0,
            tree: Tree::new(is_shared),
            links: Some(Links::default()),
            initial: FastSet::default(),
            by_last: FastMap::default(),
            ways: Vec::new(),
            numbers: FastMap::default(),
            packed: Vec::new(),
            undo: Vec::new(),
        }
    }

    /// Whether vectors are stored with their weights: several workers go by them, and so does hash compaction.
    fn has_weights(&self) -> bool {
        self.tree.is_shared() || self.keeps_hashes
    }

    /// The weight of a vector; 0 where weights are not stored.
    fn weight_of(&self, vector: &[PartId]) -> u64 {
        if !self.has_weights() {
            return 0;
        }
        let parts = (0..).zip(vector).filter(|(_, part)| **part != PartId::NONE);
        parts.fold(0, |sum, (slot, part)| {
            sum.wrapping_add(weight(Slot(slot), *part))
        })
    }

    /// The weight of a state that is made from another by some changes.
    fn weight_after(&self, loaded: &Loaded, changes: &Changes) -> u64 {
        if !self.has_weights() {
            return 0;
        }
        let of_part = |slot: Slot, part: PartId| {
            if part == PartId::NONE {
                0
            } else {
                weight(slot, part)
            }
        };
        changes.iter().fold(loaded.weight, |sum, &(slot, part)| {
            sum.wrapping_sub(of_part(slot, loaded.vector[slot.index()]))
                .wrapping_add(of_part(slot, part))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.tree.len()
    }

    /// What numbers of states are below.
    pub(crate) fn numbers(&self) -> usize {
        self.tree.numbers()
    }

    /// Whether a state has this number.
    pub(crate) fn holds(&self, node: NodeId) -> bool {
        self.tree.holds(node.0)
    }

    /// How much memory the states take.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes() + self.link_bytes()
    }

    fn link_bytes(&self) -> usize {
        self.links.as_ref().map_or(0, Links::bytes)
    }

    /// The same by structure.
    pub(crate) fn sizes(&self) -> Vec<(&'static str, u64)> {
        let (tree, roots) = (self.tree.bytes(), self.tree.root_bytes());
        vec![
            ("states", roots as u64),
            ("inner_nodes", (tree - roots) as u64),
            ("links", self.link_bytes() as u64),
        ]
    }

    pub(crate) fn inner_nodes(&self) -> usize {
        self.tree.inner_nodes()
    }

    /// Makes room for all parts.
    pub(crate) fn make_room(&mut self, parts: &Parts<'_>) {
        if self.packing.has_room(parts.counts()) {
            self.packing.extend(parts.counts());
            self.tree.widen(self.packing.leaves());
            return;
        }
        let slots = parts.counts().count();
        let parts_now = self.len().saturating_mul(slots);
        if self.tree.is_shared() && self.len() >= self.few {
            // Not as dense, but no worker has to wait.
            let mut packing = self.packing.clone();
            packing.extend(parts.counts());
            if packing.leaves() <= self.tree.width() {
                self.packing = packing;
                return;
            }
        } else if !self.tree.is_shared() {
            // Where there are ever more slots and states, the work would else be that of both times the number of slots.
            let most = parts_now.saturating_mul(MOST_PASSES).max(FEW_PARTS);
            if self.repacked_parts.saturating_add(parts_now) > most {
                self.packing.extend(parts.counts());
                self.tree.widen(self.packing.leaves());
                return;
            }
        }
        self.repacked_parts = self.repacked_parts.saturating_add(parts_now);
        let packing = Packing::new(&parts.counts().collect::<Vec<_>>(), &parts.order());
        let before = std::mem::replace(&mut self.packing, packing);
        let mut vector = Vec::new();
        self.tree.remake(self.packing.leaves(), |leaves, others| {
            before.unpack(leaves, &mut vector);
            others.fill(0);
            self.packing.pack_into(&vector, others);
        });
    }

    /// How many bytes more there will be at once if so many states come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        let has_links = self.links.is_some() && self.tree.is_shared();
        let links = if has_links {
            // Of one worker they grow a little at a time.
            self.tree.growth_of_numbers(more) * size_of::<Link>()
        } else {
            0
        };
        self.tree.growth(more) + links
    }

    /// Takes little more memory at a time from now on; whether that is another way than before.
    pub(crate) fn grow_slowly(&mut self) -> bool {
        self.tree.grow_slowly()
    }

    /// How many more numbers of states there may be then.
    pub(crate) fn growth_of_numbers(&self, more: usize) -> usize {
        if self.tree.is_shared() {
            self.tree.growth_of_numbers(more)
        } else {
            more
        }
    }

    pub(crate) fn load(&self, node: NodeId, into: &mut Loaded) {
        self.tree.load(node.0, &mut into.grown);
        let leaves = into.grown.leaves();
        self.packing.unpack(leaves, &mut into.vector);
        into.weight = self.weight_of(&into.vector);
    }

    /// Forgets how states were reached.
    pub(crate) fn drop_links(&mut self) {
        self.links = None;
    }

    /// Whether it is known how states were reached.
    pub(crate) fn has_links(&self) -> bool {
        self.links.is_some()
    }

    fn link(&self, node: NodeId) -> Link {
        let links = self.links.as_ref();
        links
            .expect("links are followed only while they are kept")
            .get(node)
    }

    pub(crate) fn is_initial(&self, node: NodeId) -> bool {
        self.initial.contains(&node)
    }

    /// How a state was reached; if possible, so that this thread ran last.
    pub(crate) fn origin(&self, node: NodeId, last: Option<ThreadNumber>) -> Origin<'_> {
        let others = self.by_last.get(&node).map_or(&[][..], Vec::as_slice);
        let link = others
            .iter()
            .find(|(thread, _)| Some(*thread) == last)
            .map_or_else(|| self.link(node), |(_, link)| *link);
        if link.is_initial() {
            return Origin::Initial { number: link.way.0 };
        }
        Origin::Transaction {
            from: link.from,
            way: &self.ways[link.way.index()],
        }
    }

    /// How many transactions lead to a state; `None` if that is not remembered, or takes too long to find out.
    pub(crate) fn depth(&self, node: NodeId) -> Option<u64> {
        self.links.as_ref()?;
        let mut link = self.link(node);
        for depth in 0..=DEEPEST {
            if link.is_initial() {
                return Some(depth);
            }
            link = self.link(link.from);
        }
        None
    }

    pub(crate) fn number_of_way(&mut self, way: Way) -> WayId {
        if let Some(&known) = self.numbers.get(&way) {
            return known;
        }
        let number = WayId::at(self.ways.len());
        self.ways.push(way.clone());
        self.numbers.insert(way, number);
        number
    }

    /// Stores a state for which there is room, unless it is there already.
    pub(crate) fn insert(&mut self, vector: &[PartId], link: Link) -> Stored {
        let weight = self.weight_of(vector);
        let (node, is_new) = self.tree.insert(&self.packing.pack(vector), weight);
        let node = NodeId(node);
        if is_new {
            if let Some(links) = &mut self.links {
                links.set(node, link);
            }
            if link.is_initial() {
                self.initial.insert(node);
            }
            Stored::New(node)
        } else {
            Stored::Known(node)
        }
    }

    /// What a state is stored as that is made from another by some changes.
    pub(crate) fn changed(&mut self, loaded: &mut Loaded, changes: &Changes) -> Root {
        let weight = self.weight_after(loaded, changes);
        let grown = &mut loaded.grown;
        let packed = &mut self.packed;
        self.packing.pack_changes(grown.leaves(), changes, packed);
        self.tree.changed(grown, packed, weight, &mut self.undo)
    }

    /// The same while others do so too; `None` if there is no room for what is new.
    pub(crate) fn changed_beside(
        &self,
        loaded: &mut Loaded,
        changes: &Changes,
        scratch: &mut Scratch,
    ) -> Option<Root> {
        let weight = self.weight_after(loaded, changes);
        let grown = &mut loaded.grown;
        let packed = &mut scratch.packed;
        self.packing.pack_changes(grown.leaves(), changes, packed);
        let tree = &self.tree;
        tree.changed_beside(grown, packed, weight, &mut scratch.tree)
    }

    /// Makes room for what workers find side by side.
    pub(crate) fn reserve(&mut self, more: usize) {
        self.tree.reserve(more);
        if let Some(links) = &mut self.links {
            links.reserve(self.tree.numbers());
        }
    }

    /// What each of so many workers may add.
    pub(crate) fn shares(&self, workers: usize) -> Shares {
        self.tree.shares(workers)
    }

    /// A worker is done.
    pub(crate) fn settle(&mut self, shares: &Shares) {
        self.tree.settle(shares);
    }

    /// Stores states, unless they are there already.
    pub(crate) fn insert_roots(
        &mut self,
        roots: &[(Root, Link)],
        mut stored: impl FnMut(Stored, Link),
    ) {
        let mut links = roots.iter().map(|(_, link)| *link);
        let roots = roots.iter().map(|(root, _)| *root);
        let known = &mut self.links;
        self.tree.insert_roots(roots, |node, is_new| {
            let link = links.next().expect("one for each root");
            let node = NodeId(node);
            if is_new {
                if let Some(known) = known {
                    known.set(node, link);
                }
                stored(Stored::New(node), link);
            } else {
                stored(Stored::Known(node), link);
            }
        });
    }

    /// Looks where states will be stored.
    pub(crate) fn look_ahead(&self, roots: &[(Root, Link)]) {
        self.tree.look_ahead(roots.iter().map(|(root, _)| *root));
    }

    /// Stores a state while others do so too; `None` if there is no room.
    pub(crate) fn insert_beside(
        &self,
        root: Root,
        link: Link,
        scratch: &mut Scratch,
    ) -> Option<Stored> {
        let shares = &mut scratch.tree.shares;
        let (node, is_new) = self.tree.insert_beside(root, shares)?;
        let node = NodeId(node);
        if !is_new {
            return Some(Stored::Known(node));
        }
        if let Some(links) = &self.links {
            links.set_beside(node, link);
        }
        Some(Stored::New(node))
    }

    /// A way with fewer switches was found.
    pub(crate) fn set_origin(&mut self, node: NodeId, link: Link) {
        if let Some(links) = &mut self.links {
            links.set(node, link);
        }
        self.by_last.remove(&node);
    }

    /// A way was found on which this thread runs last.
    pub(crate) fn add_origin(&mut self, node: NodeId, last: ThreadNumber, link: Link) {
        self.by_last.entry(node).or_default().push((last, link));
    }
}

/// What a worker keeps for its memory.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    packed: Vec<(u32, u32)>,
    tree: tree::TreeTools,
}

impl Scratch {
    /// A round begins.
    pub(crate) fn begin(&mut self, shares: Shares) {
        self.tree.shares = shares;
    }

    /// What the worker has added.
    pub(crate) fn end(&mut self) -> Shares {
        std::mem::take(&mut self.tree.shares)
    }
}

/// Where switches are not counted.
impl Saved for Store {
    fn save(&self, sink: &mut Sink) {
        self.keeps_hashes.save(sink);
        self.few.save(sink);
        self.packing.save(sink);
        self.tree.save(sink);
        self.links.save(sink);
        self.initial.save(sink);
        self.ways.save(sink);
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let mut store = Self {
            keeps_hashes: bool::load(source)?,
            few: usize::load(source)?,
            packing: Packing::load(source)?,
            tree: Saved::load(source)?,
            links: Saved::load(source)?,
            initial: Saved::load(source)?,
            ways: Saved::load(source)?,
            ..Self::new(false)
        };
        store.numbers = (0..)
            .zip(&store.ways)
            .map(|(number, way)| (way.clone(), WayId(number)))
            .collect();
        Ok(store)
    }
}
