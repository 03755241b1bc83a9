//! Which nodes can hand the token to which: no thread gets it before it is started.

use std::collections::BTreeSet;

use raddle_base::Arena;
use raddle_encode::names::ThreadIndex;

use crate::deeds::Deed;
use crate::unrolled::{Node, NodeIndex, Unrolled};

/// What comes after what in all executions.
pub(crate) struct Order {
    /// For each node, the nodes of its thread from which it can be reached, itself among them.
    after: Arena<NodeIndex, Vec<NodeIndex>>,
    /// For each thread, its ancestors with the nodes that lead to it.
    ancestors: Arena<ThreadIndex, Vec<(ThreadIndex, NodeIndex)>>,
    threads: Arena<NodeIndex, ThreadIndex>,
    /// For each node, the threads that were joined before it.
    joined: Arena<NodeIndex, BTreeSet<ThreadIndex>>,
}

impl Order {
    pub(crate) fn new(unrolled: &Unrolled) -> Self {
        let nodes = &unrolled.nodes;
        let mut after: Arena<NodeIndex, Vec<NodeIndex>> = Arena::new();
        for (at, node) in nodes.iter() {
            let mut mine = vec![at];
            for before in node.before.iter().flatten() {
                mine.extend(&after[*before]);
            }
            mine.sort_unstable();
            mine.dedup();
            after.push(mine);
        }
        let mut ancestors: Arena<ThreadIndex, Vec<(ThreadIndex, NodeIndex)>> =
            (0..unrolled.threads()).map(|_| Vec::new()).collect();
        // A thread that starts another has the smaller number.
        for (thread, by) in &unrolled.starts {
            if let Some(by) = by {
                let parent = nodes[*by].thread;
                let mut mine = ancestors[parent].clone();
                mine.push((parent, *by));
                ancestors[*thread] = mine;
            }
        }
        let mut joined: Arena<NodeIndex, BTreeSet<ThreadIndex>> = Arena::new();
        for node in nodes.values() {
            let before = joined_before(unrolled, node, &joined);
            joined.push(before);
        }
        Self {
            after,
            ancestors,
            joined,
            threads: nodes.values().map(|it| it.thread).collect(),
        }
    }

    /// Whether a node can be reached from another of its thread, or is the same.
    pub(crate) fn leads(&self, from: NodeIndex, to: NodeIndex) -> bool {
        self.after[to].binary_search(&from).is_ok()
    }

    /// Whether the token can go from after the one to before the other.
    pub(crate) fn can_pass(&self, from: NodeIndex, to: NodeIndex) -> bool {
        let (giver, taker) = (self.threads[from], self.threads[to]);
        if giver == taker || self.joined[from].contains(&taker) || self.joined[to].contains(&giver)
        {
            return false;
        }
        for (thread, node) in &self.ancestors[taker] {
            // The taker is there only after this.
            if *thread == giver && !self.leads(*node, from) {
                return false;
            }
        }
        for (thread, node) in &self.ancestors[giver] {
            // The giver is there only after this.
            if *thread == taker && (*node == to || !self.leads(*node, to)) {
                return false;
            }
        }
        true
    }
}

/// The threads that were joined on all ways to a node.
fn joined_before(
    unrolled: &Unrolled,
    node: &Node,
    known: &Arena<NodeIndex, BTreeSet<ThreadIndex>>,
) -> BTreeSet<ThreadIndex> {
    let mut common: Option<BTreeSet<ThreadIndex>> = None;
    for before in &node.before {
        // Nodes come after those before them, and threads after the nodes that start them.
        let before = before.or_else(|| unrolled.starts.get(&node.thread).copied().flatten());
        let mine = match before {
            Some(before) => {
                let mut mine = known[before].clone();
                mine.extend(joined_by(&unrolled.nodes[before]));
                mine
            }
            None => BTreeSet::new(),
        };
        common = Some(match common {
            None => mine,
            Some(common) => common.intersection(&mine).copied().collect(),
        });
    }
    common.unwrap_or_default()
}

/// The thread that a node certainly joins.
pub(crate) fn joined_by(node: &Node) -> Option<ThreadIndex> {
    let mut joined = node.effect.deeds.iter().filter_map(|it| match it {
        Deed::Join(thread) => Some(*thread),
        Deed::Start(_) | Deed::Wait | Deed::Detach | Deed::End | Deed::EndProcess => None,
    });
    let first = joined.next();
    first.filter(|_| joined.next().is_none() && !node.effect.joins_perhaps)
}
