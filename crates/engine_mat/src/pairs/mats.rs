//! Mutually atomic transactions of two threads, also with branches.
//!
//! # Source
//!
//! MAT Def. 1 and Algorithm 1, `GenMAT`.
//!
//! # Definitions
//!
//! From a pair of places, one in each thread, a transaction of each thread runs up to the first two accesses that
//! depend on each other, as the *leader* meets them: the leader's first access that depends on anything still to come
//! in the other thread. (MAT gives one thread the higher priority: that is the leader.) Either transaction may come first; that
//! decides the order of the two accesses and of nothing else, so each class of interleavings is one sequence of decisions.
//! `TP` of the two is [`Mat::passes`].
//!
//! With branches it is not known what is still to come. The leader's transaction certainly ends at an access that
//! depends on something on *every* path of the other thread, and may end at each one before that depends on
//! something on *some* path; each has its own transactions (MAT §2.2).
//!
//! # Invariants
//!
//! - **(N1)** Of the accesses of two transactions only the last ones depend on each other, on the paths that are taken.
//! - **(N2)** The passes of all transactions of two threads are adequate (Theorem 5 of `docs/design/token-passing.md`).
//!
//! # Deviations
//!
//! 1. On straight lines this is `GenMAT` exactly. With branches MAT defines transactions for each combination of paths; here
//!    all paths are looked at together.
//! 2. MAT makes the ends of threads dependent where their order is important; here the caller says so ([`Ends`]).
//!
//! # Tested by
//!
//! `crates/engine_mat/tests/numbers.rs` (the counts of MAT) and `adequacy.rs` (N2).

use std::collections::{BTreeSet, VecDeque};

use super::Pass;
use super::system::{Access, System, Thread};

/// Accesses of one thread, executed one after the other: from `first` on some path to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transaction {
    pub thread: usize,
    pub first: usize,
    pub last: usize,
}

/// Two transactions in which only the last accesses depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mat {
    pub left: Transaction,
    pub right: Transaction,
}

impl Mat {
    /// One transaction after the other, in both orders.
    pub fn passes(&self) -> [Pass; 2] {
        let pass = |before: Transaction, after: Transaction| Pass {
            from: Access {
                thread: before.thread,
                index: before.last,
            },
            to: Access {
                thread: after.thread,
                index: after.first,
            },
        };
        [pass(self.left, self.right), pass(self.right, self.left)]
    }
}

/// Whether the ends of two threads count as dependent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Whole runs are wanted: a third thread joins both (MAT, Lemma 7).
    Dependent,
    /// Only the past of single accesses is wanted.
    Independent,
}

/// The transactions of two threads, of which `leader` is one.
///
/// Only conflicts count, not what follows one way: see [`super::kept_pairs`] for those.
pub fn mats(system: &System, left: usize, right: usize, leader: usize, ends: Ends) -> Vec<Mat> {
    let mut dependent = Dependence::of_conflicts(system, left, right);
    if ends == Ends::Dependent {
        for &from in system.threads()[left].ends() {
            for &to in system.threads()[right].ends() {
                dependent.add(from, to);
            }
        }
    }
    generate(system, &dependent, leader, usize::MAX)
        .expect("no more transactions than the largest number")
}

/// Which accesses of two threads depend on each other.
pub(super) struct Dependence {
    left: usize,
    right: usize,
    /// By the number of the access in the left thread, then in the right one.
    related: Vec<Vec<bool>>,
}

impl Dependence {
    pub(super) fn of_conflicts(system: &System, left: usize, right: usize) -> Self {
        let length = system.threads()[right].length();
        let related = (0..system.threads()[left].length())
            .map(|index| {
                let from = Access {
                    thread: left,
                    index,
                };
                (0..length)
                    .map(|index| {
                        let to = Access {
                            thread: right,
                            index,
                        };
                        system.is_conflict(from, to)
                    })
                    .collect()
            })
            .collect();
        Self {
            left,
            right,
            related,
        }
    }

    pub(super) fn add(&mut self, left: usize, right: usize) {
        self.related[left][right] = true;
    }
}

/// The loop of `GenMAT`; nothing if there are more transactions than allowed. Straight lines have at most one for each
/// pair of accesses, branches may have many more.
pub(super) fn generate(
    system: &System,
    dependent: &Dependence,
    leader: usize,
    most: usize,
) -> Option<Vec<Mat>> {
    let (left, right) = (dependent.left, dependent.right);
    let is_left_leader = leader == left;
    let (leading, other) = if is_left_leader {
        (&system.threads()[left], &system.threads()[right])
    } else {
        (&system.threads()[right], &system.threads()[left])
    };
    let related = |at_leader: usize, at_other: usize| {
        if is_left_leader {
            dependent.related[at_leader][at_other]
        } else {
            dependent.related[at_other][at_leader]
        }
    };
    let mut firsts = Firsts::new(leading, other, related);
    let certain = certain_ends(leading, other, related);

    let mut mats = Vec::new();
    let mut seen = BTreeSet::new();
    let mut queue = VecDeque::new();
    for &at_other in other.starts() {
        for &at_leader in leading.starts() {
            if seen.insert((at_leader, at_other)) {
                queue.push_back((at_leader, at_other));
            }
        }
    }
    while let Some((at_leader, at_other)) = queue.pop_front() {
        if mats.len() > most {
            return None;
        }
        for (last_leader, last_other) in
            candidates(leading, at_leader, at_other, &certain, &mut firsts)
        {
            mats.push(mat(
                (left, right),
                is_left_leader,
                (at_leader, last_leader),
                (at_other, last_other),
            ));
            let after_leader = leading.successors(last_leader);
            let after_other = other.successors(last_other);
            let both = after_other
                .iter()
                .flat_map(|&other| after_leader.iter().map(move |&leader| (leader, other)));
            let next: Vec<(usize, usize)> = both
                .chain(after_other.iter().map(|&other| (at_leader, other)))
                .chain(after_leader.iter().map(|&leader| (leader, at_other)))
                .collect();
            queue.extend(next.into_iter().filter(|&it| seen.insert(it)));
        }
    }
    Some(mats)
}

fn mat(
    (left, right): (usize, usize),
    is_left_leader: bool,
    of_leader: (usize, usize),
    of_other: (usize, usize),
) -> Mat {
    let (of_left, of_right) = if is_left_leader {
        (of_leader, of_other)
    } else {
        (of_other, of_leader)
    };
    let transaction = |thread, (first, last)| Transaction {
        thread,
        first,
        last,
    };
    Mat {
        left: transaction(left, of_left),
        right: transaction(right, of_right),
    }
}

/// The last accesses of the transactions that begin here, the leader's first.
fn candidates<R: Fn(usize, usize) -> bool>(
    leading: &Thread,
    at_leader: usize,
    at_other: usize,
    certain: &[Vec<bool>],
    firsts: &mut Firsts<'_, R>,
) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([at_leader]);
    let mut stack = vec![at_leader];
    while let Some(last) = stack.pop() {
        found.extend(
            firsts
                .of(last, at_other)
                .iter()
                .map(|&last_other| (last, last_other)),
        );
        if certain[at_other][last] {
            continue;
        }
        for &next in leading.successors(last) {
            if seen.insert(next) {
                stack.push(next);
            }
        }
    }
    found.sort_unstable();
    found
}

/// For every place of the other thread, the accesses of the leader that depend on something on every path from there.
fn certain_ends(
    leading: &Thread,
    other: &Thread,
    related: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<bool>> {
    // By access of the other thread, what is on every path from it.
    let length = other.length();
    let mut on_every_path: Vec<Vec<bool>> = vec![Vec::new(); length];
    let mut certain: Vec<Vec<bool>> = vec![Vec::new(); length];
    for index in (0..length).rev() {
        let successors = other.successors(index);
        let mut mine = vec![false; length];
        for (at, slot) in mine.iter_mut().enumerate() {
            *slot =
                !successors.is_empty() && successors.iter().all(|&next| on_every_path[next][at]);
        }
        mine[index] = true;
        certain[index] = (0..leading.length())
            .map(|access| match successors {
                [next] => certain[*next][access] || related(access, index),
                _ => (0..length).any(|it| mine[it] && related(access, it)),
            })
            .collect();
        on_every_path[index] = mine;
    }
    certain
}

/// For an access of the leader and a place of the other thread, the first accesses on the paths from there that depend
/// on it.
struct Firsts<'t, R> {
    other: &'t Thread,
    related: R,
    /// By access of the leader, computed when first asked for.
    known: Vec<Option<Vec<Vec<usize>>>>,
}

impl<'t, R: Fn(usize, usize) -> bool> Firsts<'t, R> {
    fn new(leading: &Thread, other: &'t Thread, related: R) -> Self {
        Self {
            other,
            related,
            known: vec![None; leading.length()],
        }
    }

    fn of(&mut self, at_leader: usize, at_other: usize) -> &[usize] {
        let (other, related) = (self.other, &self.related);
        let all = self.known[at_leader].get_or_insert_with(|| {
            let mut all: Vec<Vec<usize>> = vec![Vec::new(); other.length()];
            for index in (0..other.length()).rev() {
                all[index] = if related(at_leader, index) {
                    vec![index]
                } else {
                    let mut firsts: Vec<usize> = other
                        .successors(index)
                        .iter()
                        .flat_map(|&next| all[next].iter().copied())
                        .collect();
                    firsts.sort_unstable();
                    firsts.dedup();
                    firsts
                };
            }
            all
        });
        &all[at_other]
    }
}
