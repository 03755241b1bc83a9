//! Passes between any number of threads, where accesses may also follow each other one way only.
//!
//! Read the past of an access backwards, and stay in a thread as long as nothing that is still to be placed follows
//! its next access; then go on in the thread with the highest *rank* that can go on. So a pass from `a` to `b` is
//! needed only if
//!
//! - something in the thread of `b` follows `a`, at or after `b`; or something in a third thread does, and the thread
//!   of `b` has a higher rank than that of `a`; and
//! - `b` is where its thread starts, or something follows the access `p` before `b`, and going from there down threads
//!   and from accesses to what follows them, never through the thread of `b`, one comes to `a`, or to a thread with a
//!   lower rank than that of `a`.
//!
//! If two threads may come to stand before a conflict, `a` may also be where one of them stands, and the thread of `b`
//! has the higher rank. `docs/design/token-passing.md` has the proof. Any ranks are right; those with the fewest passes are taken.

use std::collections::{BTreeMap, BTreeSet};

use super::system::{Access, System};
use super::{Pass, Reason};

/// With more threads than this the ranks are as the threads are numbered.
const MOST_THREADS_TO_RANK: usize = 4;

/// Some threads of a system, with what follows what inside of them.
pub(super) struct SomeThreads {
    pub(super) threads: Vec<usize>,
    pub(super) followers: BTreeMap<Access, Vec<Access>>,
    /// Where the threads start that a thread of the part starts, with the accesses that do.
    pub(super) started_by: BTreeMap<Access, Vec<Access>>,
    /// Where a thread may come to stand, with nothing later that follows.
    pub(super) stands: BTreeSet<Access>,
}

impl SomeThreads {
    fn followers(&self, access: Access) -> &[Access] {
        self.followers.get(&access).map_or(&[], Vec::as_slice)
    }
}

/// The passes with the ranks that need the fewest.
pub(super) fn switches(system: &System, part: &SomeThreads) -> BTreeMap<Pass, Reason> {
    let entries = entries(system, part);
    let orders = if part.threads.len() <= MOST_THREADS_TO_RANK {
        permutations(&part.threads)
    } else {
        vec![part.threads.clone()]
    };
    let ranks = orders.iter().map(|order| {
        let mut ranks = vec![0; system.threads().len()];
        for (rank, &thread) in order.iter().enumerate() {
            ranks[thread] = rank;
        }
        ranks
    });
    ranks
        .min_by_key(|ranks| with_ranks(part, &entries, ranks).count())
        .map(|ranks| with_ranks(part, &entries, &ranks).collect())
        .unwrap_or_default()
}

/// A place to which the token may come, and why it had gone before.
struct Entry {
    to: Access,
    /// The accesses of its thread that may come after it, itself included.
    later: Vec<bool>,
    ways: Vec<SwitchPath>,
}

struct SwitchPath {
    since: Option<Access>,
    /// By thread and access, where one comes from what was in the way; nothing if nothing was.
    reached: Option<Reached>,
}

struct Reached {
    accesses: BTreeMap<usize, Vec<bool>>,
    threads: Vec<usize>,
}

impl SwitchPath {
    fn allows(&self, from: Access, ranks: &[usize]) -> bool {
        self.reached.as_ref().is_none_or(|reached| {
            reached.accesses[&from.thread][from.index]
                || reached
                    .threads
                    .iter()
                    .any(|&thread| ranks[thread] < ranks[from.thread])
        })
    }
}

fn with_ranks<'a>(
    part: &'a SomeThreads,
    entries: &'a [Entry],
    ranks: &'a [usize],
) -> impl Iterator<Item = (Pass, Reason)> + 'a {
    part.followers.iter().flat_map(move |(&from, followers)| {
        entries.iter().filter_map(move |entry| {
            let to = entry.to;
            let is_ranked = ranks[to.thread] > ranks[from.thread];
            let may_come_later = |later: &&Access| {
                if later.thread == to.thread {
                    entry.later[later.index]
                } else {
                    is_ranked
                }
            };
            if to.thread == from.thread {
                return None;
            }
            let follower = followers.iter().find(may_come_later);
            if follower.is_none() && !(is_ranked && part.stands.contains(&from)) {
                return None;
            }
            let way = entry.ways.iter().find(|way| way.allows(from, ranks))?;
            let since = way.since;
            let reason = follower.map_or(Reason::Standing, |&follower| Reason::Switch {
                follower,
                since,
            });
            Some((Pass { from, to }, reason))
        })
    })
}

fn entries(system: &System, part: &SomeThreads) -> Vec<Entry> {
    let mut entries = Vec::new();
    for &thread in &part.threads {
        let it = &system.threads()[thread];
        let reachable = it.reachable();
        let predecessors = it.predecessors();
        for (index, later) in reachable.into_iter().enumerate() {
            let to = Access { thread, index };
            let mut ways = Vec::new();
            if it.starts().contains(&index) {
                let starters = part.started_by.get(&to);
                ways.push(SwitchPath {
                    since: None,
                    reached: starters.map(|it| below(system, part, thread, it)),
                });
            }
            for &index in &predecessors[index] {
                let before = Access { thread, index };
                let followers = part.followers(before);
                if !followers.is_empty() {
                    ways.push(SwitchPath {
                        since: Some(before),
                        reached: Some(below(system, part, thread, followers)),
                    });
                }
            }
            if !ways.is_empty() {
                entries.push(Entry { to, later, ways });
            }
        }
    }
    entries
}

/// What is reached from some accesses by going down threads and to what follows, without one thread.
fn below(system: &System, part: &SomeThreads, without: usize, from: &[Access]) -> Reached {
    let mut accesses: BTreeMap<usize, Vec<bool>> = part
        .threads
        .iter()
        .filter(|&&thread| thread != without)
        .map(|&thread| (thread, vec![false; system.threads()[thread].length()]))
        .collect();
    let mut stack = Vec::new();
    let mut visit = |access: Access, stack: &mut Vec<Access>| {
        if let Some(seen) = accesses.get_mut(&access.thread)
            && !seen[access.index]
        {
            seen[access.index] = true;
            stack.push(access);
        }
    };
    for &access in from {
        visit(access, &mut stack);
    }
    while let Some(access) = stack.pop() {
        let thread = access.thread;
        for &index in system.threads()[thread].successors(access.index) {
            visit(Access { thread, index }, &mut stack);
        }
        for &next in part.followers(access) {
            visit(next, &mut stack);
        }
    }
    let threads = accesses
        .iter()
        .filter(|(_, seen)| seen.contains(&true))
        .map(|(&thread, _)| thread)
        .collect();
    Reached { accesses, threads }
}

fn permutations(threads: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in threads {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                threads
                    .iter()
                    .filter(|&thread| !order.contains(thread))
                    .map(|&thread| order.iter().copied().chain([thread]).collect())
                    .collect::<Vec<Vec<usize>>>()
            })
            .collect();
    }
    all
}
