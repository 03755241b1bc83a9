//! Threads that have nothing but an order between them fall apart into components, and the token goes from component
//! to component only where the order asks for it.

use std::collections::{BTreeMap, BTreeSet};

use super::mats::{Dependence, Mat, generate};
use super::switches::{SomeThreads, switches};
use super::system::{Access, System, Thread};
use super::{PairQuestion, Pairs, Pass, Reason};

/// The components of a system, and the orders that go from one to another.
pub(super) struct Components<'s> {
    system: &'s System,
    /// By thread, the number of its component.
    of_thread: Vec<usize>,
    /// By component, its threads.
    members: Vec<Vec<usize>>,
    /// Orders between components, by the access that comes first.
    leaving: BTreeMap<Access, Vec<Access>>,
    reachable: Vec<Vec<Vec<bool>>>,
    predecessors: Vec<Vec<Vec<usize>>>,
}

impl<'s> Components<'s> {
    pub(super) fn of(system: &'s System) -> Self {
        let mut of_thread: Vec<usize> = (0..system.threads().len()).collect();
        for access in system.accesses() {
            for follower in system.followers(access) {
                let (from, to) = (of_thread[access.thread], of_thread[follower.thread]);
                if from != to {
                    let (least, other) = (from.min(to), from.max(to));
                    for component in of_thread.iter_mut().filter(|it| **it == other) {
                        *component = least;
                    }
                }
            }
        }
        let names: BTreeSet<usize> = of_thread.iter().copied().collect();
        let members = names
            .iter()
            .map(|&name| {
                (0..of_thread.len())
                    .filter(|&thread| of_thread[thread] == name)
                    .collect()
            })
            .collect();
        let of_thread: Vec<usize> = of_thread
            .iter()
            .map(|name| names.range(..name).count())
            .collect();
        let threads = system.threads();
        let mut leaving: BTreeMap<Access, Vec<Access>> = BTreeMap::new();
        for &(first, second) in system.orders() {
            if of_thread[first.thread] != of_thread[second.thread] {
                leaving.entry(first).or_default().push(second);
            }
        }
        Self {
            system,
            of_thread,
            members,
            leaving,
            reachable: threads.iter().map(Thread::reachable).collect(),
            predecessors: threads.iter().map(Thread::predecessors).collect(),
        }
    }

    /// An adequate set of passes for the whole system.
    pub(super) fn pairs(&self, question: PairQuestion) -> Pairs {
        let mut pairs = Pairs::default();
        for component in 0..self.members.len() {
            self.add_inside(component, question, &mut pairs);
        }
        self.add_between(&mut pairs.passes);
        pairs
    }

    fn add_inside(&self, component: usize, question: PairQuestion, pairs: &mut Pairs) {
        let members = &self.members[component];
        if members.len() < 2 {
            return;
        }
        let specials = self.specials(component);
        let mats = match members.as_slice() {
            &[left, right] if self.is_symmetric(left, right) => self.mats(left, right, &specials),
            _ => None,
        };
        // Of two lines the transactions need the fewest schedules.
        let threads = self.system.threads();
        let are_lines = members.iter().all(|&thread| threads[thread].is_line());
        let of_mats = mats
            .as_ref()
            .map(|mats| self.passes(mats, pairs.mats.len(), question));
        let passes = match of_mats {
            Some(passes) if are_lines => passes,
            of_mats => {
                let part = self.part(members, &specials, question);
                let switches = switches(self.system, &part);
                match of_mats {
                    Some(passes) if passes.len() <= switches.len() => passes,
                    _ => {
                        pairs.passes.extend(switches);
                        return;
                    }
                }
            }
        };
        pairs.passes.extend(passes);
        pairs.mats.extend(mats.into_iter().flatten());
    }

    /// The passes of transactions, which are numbered from `number`.
    fn passes(
        &self,
        mats: &[Mat],
        number: usize,
        question: PairQuestion,
    ) -> BTreeMap<Pass, Reason> {
        let mut passes = BTreeMap::new();
        for (at, mat) in mats.iter().enumerate() {
            for pass in mat.passes() {
                passes.entry(pass).or_insert(Reason::Mat(number + at));
            }
        }
        if question == PairQuestion::Standing {
            for mat in mats {
                for pass in self.passes_before_conflict(mat) {
                    passes.entry(pass).or_insert(Reason::Standing);
                }
            }
        }
        passes
    }

    /// Two threads come to stand before the last accesses of their transactions: the right one first.
    fn passes_before_conflict(&self, mat: &Mat) -> Vec<Pass> {
        let Mat { left, right } = *mat;
        let access = |thread, index| Access { thread, index };
        let last = access(right.thread, right.last);
        if !self
            .system
            .is_conflict(access(left.thread, left.last), last)
        {
            return Vec::new();
        }
        let from_first = &self.reachable[right.thread][right.first];
        self.predecessors[right.thread][right.last]
            .iter()
            .filter(|&&index| from_first[index])
            .map(|&index| Pass {
                from: access(right.thread, index),
                to: access(left.thread, left.first),
            })
            .collect()
    }

    fn mats(
        &self,
        left: usize,
        right: usize,
        specials: &BTreeSet<(Access, Access)>,
    ) -> Option<Vec<Mat>> {
        let mut dependent = Dependence::of_conflicts(self.system, left, right);
        for &(source, target) in specials {
            if source.thread == left {
                dependent.add(source.index, target.index);
            } else {
                dependent.add(target.index, source.index);
            }
        }
        let threads = self.system.threads();
        let most = threads[left].length() * threads[right].length();
        generate(self.system, &dependent, right, most)
    }

    /// Whether all that follows between two threads follows both ways.
    fn is_symmetric(&self, left: usize, right: usize) -> bool {
        let is_inside = |access: Access| access.thread == left || access.thread == right;
        let ordered = self
            .system
            .orders()
            .iter()
            .any(|&(first, second)| is_inside(first) && is_inside(second));
        !ordered
            && self
                .system
                .accesses()
                .filter(|&access| is_inside(access))
                .all(|access| {
                    let mut followers = self.system.followers(access).iter();
                    followers.all(|&follower| self.system.is_follower(follower, access))
                })
    }

    fn part(
        &self,
        members: &[usize],
        specials: &BTreeSet<(Access, Access)>,
        question: PairQuestion,
    ) -> SomeThreads {
        let mut followers: BTreeMap<Access, BTreeSet<Access>> = BTreeMap::new();
        let mut started_by: BTreeMap<Access, Vec<Access>> = BTreeMap::new();
        for access in self.system.accesses() {
            if members.contains(&access.thread) {
                let mine = self.system.followers(access);
                followers.entry(access).or_default().extend(mine);
            }
        }
        for &(first, second) in specials {
            followers.entry(first).or_default().insert(second);
            followers.entry(second).or_default().insert(first);
        }
        let mut from_outside = BTreeSet::new();
        for &(first, second) in self.system.orders() {
            if !members.contains(&second.thread) {
                continue;
            }
            if members.contains(&first.thread) {
                followers.entry(first).or_default().insert(second);
                started_by.entry(second).or_default().push(first);
            } else {
                from_outside.insert(second);
            }
        }
        started_by.retain(|access, _| !from_outside.contains(access));
        SomeThreads {
            threads: members.to_vec(),
            followers: followers
                .into_iter()
                .map(|(access, all)| (access, all.into_iter().collect()))
                .collect(),
            started_by,
            stands: match question {
                PairQuestion::Past => BTreeSet::new(),
                PairQuestion::Standing => self.before_conflicts(members),
            },
        }
    }

    /// After which accesses a conflict may be next.
    fn before_conflicts(&self, members: &[usize]) -> BTreeSet<Access> {
        let mut found = BTreeSet::new();
        for access in self.system.accesses() {
            let thread = access.thread;
            let mut followers = self.system.followers(access).iter();
            if members.contains(&thread)
                && followers.any(|&other| self.system.is_conflict(access, other))
            {
                let before = self.predecessors[thread][access.index].iter();
                found.extend(before.map(|&index| Access { thread, index }));
            }
        }
        found
    }

    /// Accesses of a component that count as dependent because of what is ordered outside: two with which the
    /// component is left, and one with which it is left and one with which it may be entered again.
    fn specials(&self, component: usize) -> BTreeSet<(Access, Access)> {
        let is_inside = |access: &Access| self.of_thread[access.thread] == component;
        let sources: Vec<Access> = self.leaving.keys().copied().filter(is_inside).collect();
        let mut specials = BTreeSet::new();
        for &source in &sources {
            for &other in &sources {
                if source.thread != other.thread {
                    specials.insert((source, other));
                }
            }
            let mut entered = BTreeSet::new();
            self.walk_outside(&self.leaving[&source], |access| {
                if is_inside(&access) {
                    entered.insert(access);
                    return Walk::Stop;
                }
                Walk::On
            });
            for target in entered {
                if source.thread != target.thread {
                    specials.insert((source, target));
                }
            }
        }
        specials
    }

    /// Goes from components to components along the orders, from where they are entered to where they are left.
    /// Tells `visit` every access that is entered or left.
    fn walk_outside(&self, from: &[Access], mut visit: impl FnMut(Access) -> Walk) {
        let mut seen: BTreeSet<Access> = BTreeSet::new();
        let mut stack: Vec<Access> = from.to_vec();
        while let Some(entered) = stack.pop() {
            if !seen.insert(entered) || visit(entered) == Walk::Stop {
                continue;
            }
            for (&source, targets) in &self.leaving {
                if self.may_come_after(entered, source) && visit(source) == Walk::On {
                    stack.extend(targets.iter().filter(|it| !seen.contains(it)));
                }
            }
        }
    }

    /// Whether the second access, of the same component, may be at or after the first.
    fn may_come_after(&self, first: Access, second: Access) -> bool {
        if first.thread == second.thread {
            self.reachable[first.thread][first.index][second.index]
        } else {
            self.of_thread[first.thread] == self.of_thread[second.thread]
        }
    }

    /// The token goes to another component after an access that something outside waits for. Components are ranked,
    /// as threads are inside of them (`switches`): one with a lower number higher, so the thread that starts the others
    /// first of all.
    fn add_between(&self, passes: &mut BTreeMap<Pass, Reason>) {
        let inside: Vec<Pass> = passes.keys().copied().collect();
        let mut add = |to: Access, reached: Option<&BTreeSet<Access>>| {
            for &from in self.leaving.keys() {
                if self.may_send(from, to) && self.may_receive(from, reached) {
                    passes.entry(Pass { from, to }).or_insert(Reason::Order);
                }
            }
        };
        let mut starters: BTreeMap<Access, Vec<Access>> = BTreeMap::new();
        for (&source, targets) in &self.leaving {
            for &target in targets {
                starters.entry(target).or_default().push(source);
            }
            let reached = self.reached(source.thread, targets);
            for to in self.next_inside(source, &inside) {
                add(to, Some(&reached));
            }
        }
        let ordered: BTreeSet<Access> = self.system.orders().iter().map(|order| order.1).collect();
        for (thread, it) in self.system.threads().iter().enumerate() {
            for &index in it.starts() {
                let to = Access { thread, index };
                if let Some(starters) = starters.get(&to) {
                    add(to, Some(&self.reached(thread, starters)));
                } else if !ordered.contains(&to) {
                    add(to, None);
                }
            }
        }
    }

    /// What may come right after an access in its component: in its thread, or by a pass of the component.
    fn next_inside(&self, access: Access, inside: &[Pass]) -> Vec<Access> {
        let thread = access.thread;
        let successors = self.system.threads()[thread].successors(access.index);
        let mut next: Vec<Access> = successors
            .iter()
            .map(|&index| Access { thread, index })
            .collect();
        let begin = inside.partition_point(|pass| pass.from < access);
        let passed = inside[begin..]
            .iter()
            .take_while(|pass| pass.from == access);
        next.extend(passed.map(|pass| pass.to));
        next
    }

    /// Whether something that is ordered after `from` may come at or after `to` in its component, or in a third one and
    /// the ranks are right.
    fn may_send(&self, from: Access, to: Access) -> bool {
        let (sender, receiver) = (self.of_thread[from.thread], self.of_thread[to.thread]);
        sender != receiver
            && self.leaving[&from].iter().any(|&target| {
                if self.of_thread[target.thread] == receiver {
                    self.may_come_after(to, target)
                } else {
                    receiver < sender
                }
            })
    }

    /// Whether `from` is reached from what was in the way, or a component with a lower rank is.
    fn may_receive(&self, from: Access, reached: Option<&BTreeSet<Access>>) -> bool {
        let rank = |access: &Access| self.of_thread[access.thread];
        reached.is_none_or(|reached| {
            reached.contains(&from) || reached.iter().any(|it| rank(it) > rank(&from))
        })
    }

    /// Accesses at or after some others from which a component is left, without the component of one thread.
    fn reached(&self, thread: usize, after: &[Access]) -> BTreeSet<Access> {
        let mut reached = BTreeSet::new();
        self.walk_outside(after, |access| {
            if self.of_thread[access.thread] == self.of_thread[thread] {
                return Walk::Stop;
            }
            if self.leaving.contains_key(&access) {
                reached.insert(access);
            }
            Walk::On
        });
        reached
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Walk {
    On,
    Stop,
}
