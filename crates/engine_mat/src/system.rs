//! The nodes as accesses that depend on one another: what `pairs` needs to know.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Arena, Id};
use raddle_encode::names::ThreadIndex;

use crate::deeds::{Deed, Locking};
use crate::order::{Order, joined_by};
use crate::pairs::{Access, System, Thread};
use crate::unrolled::{Node, NodeIndex, Unrolled};

/// A node as an access.
pub(crate) fn access(node: &Node) -> Access {
    Access {
        thread: node.thread.index(),
        index: node.index,
    }
}

/// The threads with their dependent accesses.
pub(crate) fn system(unrolled: &Unrolled, order: &Order) -> System {
    system_of(unrolled, order, &Chosen::all(unrolled))
}

/// Some of the nodes, numbered anew in each thread.
pub(crate) struct Chosen {
    /// By node.
    pub(crate) accesses: Arena<NodeIndex, Option<Access>>,
}

impl Chosen {
    fn all(unrolled: &Unrolled) -> Self {
        Self {
            accesses: unrolled.nodes.values().map(|it| Some(access(it))).collect(),
        }
    }

    /// Those that touch memory and synchronisation objects: starts, joins and ends of threads are left
    /// out, as MAT §3.1 does not count them as accesses.
    pub(crate) fn plain(unrolled: &Unrolled) -> Self {
        let mut counts: BTreeMap<ThreadIndex, usize> = BTreeMap::new();
        let number = |node: &Node| {
            let is_start = |deed: &Deed| matches!(deed, Deed::Start(_));
            let is_plain = if node.effect.deeds.iter().any(is_start) {
                // The name of the new thread may be stored where another thread looks.
                is_contended(unrolled, node)
            } else {
                // The last access of a thread may end it at once.
                node.effect.deeds.iter().all(|deed| *deed == Deed::Wait)
                    || !node.effect.accesses.is_empty()
            };
            is_plain.then(|| {
                let count = counts.entry(node.thread).or_insert(0);
                *count += 1;
                Access {
                    thread: node.thread.index(),
                    index: *count - 1,
                }
            })
        };
        Self {
            accesses: unrolled.nodes.values().map(number).collect(),
        }
    }

    /// The chosen nodes before a node, through those that are not chosen; `None` stands for the beginning.
    fn before(&self, unrolled: &Unrolled, node: &Node) -> BTreeSet<Option<NodeIndex>> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut work: Vec<Option<NodeIndex>> = node.before.iter().copied().collect();
        while let Some(before) = work.pop() {
            match before {
                Some(at) if self.accesses[at].is_none() => {
                    if seen.insert(at) {
                        work.extend(&unrolled.nodes[at].before);
                    }
                }
                _ => {
                    found.insert(before);
                }
            }
        }
        found
    }
}

/// Whether another thread touches what a node does, and one of the two changes it.
fn is_contended(unrolled: &Unrolled, node: &Node) -> bool {
    let others = || {
        let nodes = unrolled.nodes.values();
        nodes.filter(|it| it.thread != node.thread)
    };
    let mut accesses = node.effect.accesses.iter();
    accesses.any(|access| {
        let mut touches = others().flat_map(|it| &it.effect.touches);
        touches.any(|it| it.conflicts_with(&access.touch))
    })
}

/// The chosen nodes, and what of them depends on what.
pub(crate) fn system_of(unrolled: &Unrolled, order: &Order, chosen: &Chosen) -> System {
    let nodes = &unrolled.nodes;
    let mut threads = Vec::new();
    for thread in (0..unrolled.threads()).map(ThreadIndex::from_index) {
        let mine = || {
            nodes
                .values()
                .zip(chosen.accesses.values())
                .filter(|it| it.0.thread == thread)
        };
        let length = mine().filter(|it| it.1.is_some()).count();
        let mut successors = vec![Vec::new(); length];
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for (node, access) in mine() {
            let before = chosen.before(unrolled, node);
            let Some(access) = access else {
                if node.is_last {
                    let last = before.iter().flatten();
                    ends.extend(
                        last.filter_map(|it| chosen.accesses[*it])
                            .map(|it| it.index),
                    );
                }
                continue;
            };
            for before in before {
                match before.and_then(|it| chosen.accesses[it]) {
                    Some(before) => successors[before.index].push(access.index),
                    None => starts.push(access.index),
                }
            }
            if node.is_last {
                ends.push(access.index);
            }
        }
        threads.push(Thread::branching(successors, starts, ends));
    }
    let mut system = System::new(threads);
    for (at, node) in nodes.iter() {
        for (other_at, other) in nodes.iter() {
            let (Some(access), Some(its)) = (chosen.accesses[at], chosen.accesses[other_at]) else {
                continue;
            };
            if node.thread == other.thread {
                continue;
            }
            if has_order(node, other) {
                system.add_order(access, its);
            } else if order.can_pass(at, other_at) && follows(node, other) {
                system.add_follower(access, its);
            }
        }
    }
    system
}

/// Whether the second comes after the first wherever both are.
fn has_order(first: &Node, second: &Node) -> bool {
    let starts =
        first.effect.deeds.contains(&Deed::Start(second.thread)) && second.before.contains(&None);
    let joins = first.effect.deeds.contains(&Deed::End) && joined_by(second) == Some(first.thread);
    starts || joins
}

/// Whether the second right after the first may be something else than the first right after the second.
fn follows(first: &Node, second: &Node) -> bool {
    if first.held.intersection(&second.held).next().is_some() {
        // Both at once they cannot be there.
        return false;
    }
    let is_end = |it: &Node| it.effect.deeds.contains(&Deed::End);
    let joins = |it: &Node, thread| it.effect.deeds.contains(&Deed::Join(thread));
    let lets_go = |it: &Node| it.effect.deeds.contains(&Deed::Detach);
    // Also a node that no thread gets past: it may still go wrong there.
    let is_join = |it: &Node| it.effect.deeds.contains(&Deed::Wait);
    if is_end(first) && joins(second, first.thread)
        || lets_go(first) && (is_end(second) || is_join(second) || lets_go(second))
        || lets_go(second) && (is_end(first) || is_join(first))
        || is_join(first) && is_join(second)
    {
        return true;
    }
    if let (Some((one, lock)), Some((other, its_lock))) =
        (first.effect.locking, second.effect.locking)
    {
        return lock == its_lock && (one, other) == (Locking::Releases, Locking::Acquires);
    }
    let touches = first.effect.touches.iter();
    touches
        .flat_map(|one| second.effect.touches.iter().map(move |other| (one, other)))
        .any(|(one, other)| one.conflicts_with(other))
}
