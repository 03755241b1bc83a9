//! Unrolled threads and what of one depends on what of another.

use std::collections::BTreeSet;

/// An access of a thread, both by their numbers in the [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    pub thread: usize,
    pub index: usize,
}

/// The accesses of one thread without loops.
///
/// **Invariant**: accesses are numbered in a topological order, so every successor has a greater number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    successors: Vec<Vec<usize>>,
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Thread {
    /// One access after the other.
    pub fn line(length: usize) -> Self {
        let successors = (0..length)
            .map(|index| {
                (index + 1 < length)
                    .then_some(index + 1)
                    .into_iter()
                    .collect()
            })
            .collect();
        let starts = (length > 0).then_some(0).into_iter().collect();
        let ends = length.checked_sub(1).into_iter().collect();
        Self::branching(successors, starts, ends)
    }

    /// With branches and joins: which accesses may come next after each, which may be the first and which the last.
    /// An access that nothing follows is a last one, whether `ends` says so or not.
    pub fn branching(
        mut successors: Vec<Vec<usize>>,
        mut starts: Vec<usize>,
        mut ends: Vec<usize>,
    ) -> Self {
        for (index, next) in successors.iter_mut().enumerate() {
            next.sort_unstable();
            next.dedup();
            debug_assert!(next.first().is_none_or(|&first| first > index));
            if next.is_empty() {
                ends.push(index);
            }
        }
        let length = successors.len();
        debug_assert!(successors.iter().flatten().all(|&next| next < length));
        starts.sort_unstable();
        starts.dedup();
        ends.sort_unstable();
        ends.dedup();
        Self {
            successors,
            starts,
            ends,
        }
    }

    /// How many accesses there are.
    pub fn length(&self) -> usize {
        self.successors.len()
    }

    pub fn successors(&self, index: usize) -> &[usize] {
        &self.successors[index]
    }

    pub fn starts(&self) -> &[usize] {
        &self.starts
    }

    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Whether there is one way only.
    pub(crate) fn is_line(&self) -> bool {
        self.starts.len() <= 1 && self.successors.iter().all(|next| next.len() <= 1)
    }

    /// For every access, those that may be executed after it, itself included.
    pub(crate) fn reachable(&self) -> Vec<Vec<bool>> {
        let length = self.length();
        let mut reachable = vec![vec![false; length]; length];
        for index in (0..length).rev() {
            let mut mine = vec![false; length];
            mine[index] = true;
            for &next in &self.successors[index] {
                for (slot, &also) in mine.iter_mut().zip(&reachable[next]) {
                    *slot |= also;
                }
            }
            reachable[index] = mine;
        }
        reachable
    }

    /// For every access, those from which it is reached in one step.
    pub(crate) fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut predecessors = vec![Vec::new(); self.length()];
        for (index, next) in self.successors.iter().enumerate() {
            for &to in next {
                predecessors[to].push(index);
            }
        }
        predecessors
    }
}

/// Threads, and which accesses of different threads depend on one another.
///
/// `b` *follows* `a` unless the following is certain: where `b` is executed right after `a`, executing `b` right before
/// `a` is possible too, and both orders lead to the same state. Accesses that can never be executed one right after
/// the other need not follow each other, whatever they touch: two accesses of one cell under a common lock, or one
/// before the other's thread starts.
///
/// Accesses of one cell, one of them a write, follow each other both ways ([`System::add_conflict`]). A lock that is
/// taken follows the unlock before, and not the other way round ([`System::add_follower`]); two locks never follow each
/// other, because the second one waits. The first access of a thread follows what starts the thread, a join follows
/// the end of the thread joined ([`System::add_order`]).
#[derive(Clone, Debug, Default)]
pub struct System {
    threads: Vec<Thread>,
    followers: Vec<Vec<BTreeSet<Access>>>,
    orders: BTreeSet<(Access, Access)>,
}

impl System {
    pub fn new(threads: Vec<Thread>) -> Self {
        let followers = threads
            .iter()
            .map(|thread| vec![BTreeSet::new(); thread.length()])
            .collect();
        Self {
            threads,
            followers,
            orders: BTreeSet::new(),
        }
    }

    /// The two cannot be exchanged, and either may come right before the other.
    pub fn add_conflict(&mut self, left: Access, right: Access) {
        self.add_follower(left, right);
        self.add_follower(right, left);
    }

    /// `second` right after `first` cannot be exchanged with it.
    pub fn add_follower(&mut self, first: Access, second: Access) {
        if first.thread != second.thread {
            self.followers[first.thread][first.index].insert(second);
        }
    }

    /// As [`System::add_follower`], where `second` is never executed before one of the accesses that were given as
    /// its first: starting a thread and its first accesses, the last accesses of a thread and joining it. Threads with
    /// nothing but an order between them are no reason to pass the token to and fro, so they are told apart.
    pub fn add_order(&mut self, first: Access, second: Access) {
        if first.thread != second.thread {
            self.orders.insert((first, second));
        }
    }

    pub fn threads(&self) -> &[Thread] {
        &self.threads
    }

    /// Every access, thread by thread.
    pub fn accesses(&self) -> impl Iterator<Item = Access> + '_ {
        self.threads
            .iter()
            .enumerate()
            .flat_map(|(thread, it)| (0..it.length()).map(move |index| Access { thread, index }))
    }

    /// What follows an access, without what only has its order.
    pub fn followers(&self, access: Access) -> &BTreeSet<Access> {
        &self.followers[access.thread][access.index]
    }

    pub fn orders(&self) -> &BTreeSet<(Access, Access)> {
        &self.orders
    }

    pub fn is_follower(&self, first: Access, second: Access) -> bool {
        self.followers(first).contains(&second)
    }

    /// Whether the two follow each other both ways.
    pub fn is_conflict(&self, left: Access, right: Access) -> bool {
        self.is_follower(left, right) && self.is_follower(right, left)
    }
}
