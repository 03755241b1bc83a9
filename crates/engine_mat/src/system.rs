//! The nodes as accesses that depend on one another: what `pairs` needs to know.

use raddle_encode::touch::Touch;

use crate::order::{Order, joined_by};
use crate::pairs::{Access, System, Thread};
use crate::step::Deed;
use crate::unrolled::{Locking, Node, Unrolled};

/// A node as an access.
pub(crate) fn access(node: &Node) -> Access {
    Access {
        thread: node.thread,
        index: node.index,
    }
}

/// The threads with their dependent accesses.
pub(crate) fn system(unrolled: &Unrolled, order: &Order) -> System {
    let nodes = &unrolled.nodes;
    let count = unrolled.starts.keys().max().map_or(0, |it| it + 1);
    let mut threads = Vec::new();
    for thread in 0..count {
        let mine: Vec<&Node> = nodes.iter().filter(|it| it.thread == thread).collect();
        let mut successors = vec![Vec::new(); mine.len()];
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for node in &mine {
            for before in &node.before {
                match before {
                    Some(before) => successors[nodes[*before].index].push(node.index),
                    None => starts.push(node.index),
                }
            }
            if node.is_last {
                ends.push(node.index);
            }
        }
        threads.push(Thread::branching(successors, starts, ends));
    }
    let mut system = System::new(threads);
    for (at, node) in nodes.iter().enumerate() {
        for (other_at, other) in nodes.iter().enumerate() {
            if node.thread == other.thread {
                continue;
            }
            if has_order(node, other) {
                system.add_order(access(node), access(other));
            } else if order.can_pass(at, other_at) && follows(node, other) {
                system.add_follower(access(node), access(other));
            }
        }
    }
    system
}

/// Whether the second comes after the first wherever both are.
fn has_order(first: &Node, second: &Node) -> bool {
    let starts = first.deeds.contains(&Deed::Start(second.thread)) && second.before.contains(&None);
    let joins = first.deeds.contains(&Deed::End) && joined_by(second) == Some(first.thread);
    starts || joins
}

/// Whether the second right after the first may be something else than the first right after the second.
fn follows(first: &Node, second: &Node) -> bool {
    if first.held.intersection(&second.held).next().is_some() {
        // Both at once they cannot be there.
        return false;
    }
    let is_end = |it: &Node| it.deeds.contains(&Deed::End);
    let joins = |it: &Node, thread| it.deeds.contains(&Deed::Join(thread));
    let lets_go = |it: &Node| it.deeds.contains(&Deed::Detach);
    // Also one that nobody gets past: it may still go wrong.
    let is_join = |it: &Node| it.deeds.contains(&Deed::Wait);
    if is_end(first) && joins(second, first.thread)
        || lets_go(first) && (is_end(second) || is_join(second) || lets_go(second))
        || lets_go(second) && (is_end(first) || is_join(first))
        || is_join(first) && is_join(second)
    {
        return true;
    }
    if let (Some((one, lock)), Some((other, its_lock))) = (first.locking, second.locking) {
        return lock == its_lock && (one, other) == (Locking::Releases, Locking::Acquires);
    }
    let touches = first.touches.iter();
    touches
        .flat_map(|one| second.touches.iter().map(move |other| (one, other)))
        .any(|(one, other)| depend(one, other))
}

fn depend(one: &Touch, other: &Touch) -> bool {
    one.overlaps(other) && (one.is_write || other.is_write)
}
