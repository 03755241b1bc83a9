//! Passes between any number of threads, where accesses may also follow each other one way only.
//!
//! Read an execution's past of an access backwards, and stay in a thread as long as nothing that is still to be placed
//! follows its next access. So a pass from `a` to `b` is needed only if
//!
//! - something that follows `a` comes later, at or after `b` if it is in the thread of `b`; and
//! - `b` is where its thread starts, or something follows the access `p` before `b`, and from there one comes to `a`
//!   by going down threads and from accesses to what follows them, without the thread of `b`.

use std::collections::BTreeMap;

use super::system::{Access, System};
use super::{Pass, Reason};

/// Some threads of a system, with what follows what inside of them.
pub(super) struct Part {
    pub(super) threads: Vec<usize>,
    pub(super) followers: BTreeMap<Access, Vec<Access>>,
    /// Where the threads start that a thread of the part starts, with the accesses that do.
    pub(super) started_by: BTreeMap<Access, Vec<Access>>,
}

impl Part {
    fn followers(&self, access: Access) -> &[Access] {
        self.followers.get(&access).map_or(&[], Vec::as_slice)
    }
}

pub(super) fn switches(system: &System, part: &Part) -> BTreeMap<Pass, Reason> {
    let mut passes = BTreeMap::new();
    for &thread in &part.threads {
        let it = &system.threads()[thread];
        let reachable = it.reachable();
        let predecessors = it.predecessors();
        for index in 0..it.length() {
            let to = Access { thread, index };
            for (from, since) in senders(system, part, to, &predecessors[index]) {
                let follower = part
                    .followers(from)
                    .iter()
                    .find(|later| later.thread != thread || reachable[index][later.index]);
                if let Some(&follower) = follower {
                    passes
                        .entry(Pass { from, to })
                        .or_insert(Reason::Switch { follower, since });
                }
            }
        }
    }
    passes
}

/// From where the token may come to `to`, with the access before `to` that something follows.
fn senders(
    system: &System,
    part: &Part,
    to: Access,
    predecessors: &[usize],
) -> BTreeMap<Access, Option<Access>> {
    let thread = to.thread;
    let mut senders = BTreeMap::new();
    if system.threads()[thread].starts().contains(&to.index) {
        if let Some(starters) = part.started_by.get(&to) {
            let all = below(system, part, thread, starters);
            senders.extend(all.into_iter().map(|from| (from, None)));
        } else {
            let all = system
                .accesses()
                .filter(|it| it.thread != thread && part.threads.contains(&it.thread));
            senders.extend(all.map(|from| (from, None)));
        }
    }
    for &index in predecessors {
        let before = Access { thread, index };
        for from in below(system, part, thread, part.followers(before)) {
            senders.entry(from).or_insert(Some(before));
        }
    }
    senders
}

/// What is reached from some accesses by going down threads and to what follows, without one thread.
fn below(system: &System, part: &Part, without: usize, from: &[Access]) -> Vec<Access> {
    let mut seen: BTreeMap<usize, Vec<bool>> = part
        .threads
        .iter()
        .filter(|&&thread| thread != without)
        .map(|&thread| (thread, vec![false; system.threads()[thread].length()]))
        .collect();
    let mut stack = Vec::new();
    let mut found = Vec::new();
    let mut visit = |access: Access, stack: &mut Vec<Access>| {
        if let Some(seen) = seen.get_mut(&access.thread)
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
        found.push(access);
        for &index in system.threads()[access.thread].successors(access.index) {
            visit(
                Access {
                    thread: access.thread,
                    index,
                },
                &mut stack,
            );
        }
        for &next in part.followers(access) {
            visit(next, &mut stack);
        }
    }
    found
}
