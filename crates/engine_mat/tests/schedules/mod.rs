//! Small programs, and all their schedules with some set of token passes.
#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use raddle_base::Random;
use raddle_engine_mat::pairs::{Access, Pass, System, Thread};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Read(usize),
    Write(usize),
    Lock(usize),
    Unlock(usize),
    /// On a semaphore that is zero at first.
    Post(usize),
    Wait(usize),
    Start(usize),
    Join(usize),
}

use Operation::{Join, Lock, Post, Read, Start, Unlock, Wait, Write};

#[derive(Clone)]
pub(crate) struct Program {
    pub(crate) threads: Vec<Thread>,
    pub(crate) operations: Vec<Vec<Operation>>,
}

impl Program {
    pub(crate) fn lines(operations: Vec<Vec<Operation>>) -> Self {
        let threads = operations
            .iter()
            .map(|thread| Thread::line(thread.len()))
            .collect();
        Self {
            threads,
            operations,
        }
    }

    pub(crate) fn operation(&self, access: Access) -> Operation {
        self.operations[access.thread][access.index]
    }

    /// What follows what, as somebody who knows the locks held would say it.
    pub(crate) fn system(&self) -> System {
        let mut system = System::new(self.threads.clone());
        let accesses: Vec<Access> = system.accesses().collect();
        for &first in &accesses {
            for &second in &accesses {
                if first.thread == second.thread {
                    continue;
                }
                let are_exclusive = || !self.held(first).is_disjoint(&self.held(second));
                match (self.operation(first), self.operation(second)) {
                    (Write(a), Write(b) | Read(b)) if a == b && !are_exclusive() => {
                        system.add_conflict(first, second);
                    }
                    (Unlock(a), Lock(b)) | (Post(a), Wait(b)) if a == b => {
                        system.add_follower(first, second);
                    }
                    (Start(thread), _)
                        if thread == second.thread
                            && self.threads[thread].starts().contains(&second.index) =>
                    {
                        system.add_order(first, second);
                    }
                    (_, Join(thread))
                        if thread == first.thread
                            && self.threads[thread].ends().contains(&first.index) =>
                    {
                        system.add_order(first, second);
                    }
                    _ => {}
                }
            }
        }
        system
    }

    /// Locks held at an access of a thread without branches.
    fn held(&self, access: Access) -> BTreeSet<usize> {
        let mut held = BTreeSet::new();
        for &operation in &self.operations[access.thread][..access.index] {
            match operation {
                Lock(lock) => {
                    held.insert(lock);
                }
                Unlock(lock) => {
                    held.remove(&lock);
                }
                Read(_) | Write(_) | Post(_) | Wait(_) | Start(_) | Join(_) => {}
            }
        }
        held
    }

    /// Whether the order of two accesses makes a difference, whether or not they can be exchanged.
    fn is_dependent(&self, left: Access, right: Access) -> bool {
        match (self.operation(left), self.operation(right)) {
            (Write(a), Write(b) | Read(b)) | (Read(a), Write(b)) => a == b,
            (Lock(a) | Unlock(a), Lock(b) | Unlock(b)) => a == b,
            (Post(a), Wait(b)) | (Wait(a), Post(b)) => a == b,
            (Start(thread) | Join(thread), _) => thread == right.thread,
            (_, Start(thread) | Join(thread)) => thread == left.thread,
            _ => false,
        }
    }
}

pub(crate) fn data(random: &mut Random, variables: usize) -> Operation {
    let variable = random.below(variables);
    if random.below(2) == 0 {
        Read(variable)
    } else {
        Write(variable)
    }
}

pub(crate) fn line(random: &mut Random, length: usize, variables: usize) -> Vec<Operation> {
    (0..length).map(|_| data(random, variables)).collect()
}

/// Threads of one access and more, with three variables.
pub(crate) fn lines(random: &mut Random, threads: usize, longest: usize) -> Program {
    let operations = (0..threads)
        .map(|_| {
            let length = 1 + random.below(longest);
            line(random, length, 3)
        })
        .collect();
    Program::lines(operations)
}

/// A graph in topological order: most accesses go on to the next, some branch, some stop.
pub(crate) fn branching(random: &mut Random, length: usize) -> Thread {
    let successors = (0..length)
        .map(|index| {
            let mut next = Vec::new();
            if index + 1 < length {
                if random.below(4) > 0 {
                    next.push(index + 1);
                }
                if random.below(2) == 0 {
                    next.push(index + 1 + random.below(length - index - 1));
                }
            }
            next
        })
        .collect();
    let mut starts = vec![0];
    if random.below(4) == 0 {
        starts.push(random.below(length));
    }
    Thread::branching(successors, starts, Vec::new())
}

pub(crate) fn with_branches(random: &mut Random, threads: usize, longest: usize) -> Program {
    let mut program = Program {
        threads: Vec::new(),
        operations: Vec::new(),
    };
    for _ in 0..threads {
        let length = 1 + random.below(longest);
        program.threads.push(branching(random, length));
        program.operations.push(line(random, length, 3));
    }
    program
}

/// Which accesses were executed, in which order those that depend on one another, and which one was the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Prefix {
    pub(crate) executed: u32,
    pub(crate) order: u128,
    pub(crate) last: usize,
}

/// Explores the schedules of a program.
pub(crate) struct Explorer<'p> {
    program: &'p Program,
    system: &'p System,
    pub(crate) accesses: Vec<Access>,
    /// Pairs whose order is told apart, with the number of their bit.
    told_apart: BTreeMap<(usize, usize), u32>,
    /// Of these, those whose order can be seen afterwards: not whether somebody waited before or after one more post.
    seen: u128,
}

impl<'p> Explorer<'p> {
    pub(crate) fn new(program: &'p Program, system: &'p System, ends: &[(Access, Access)]) -> Self {
        let accesses: Vec<Access> = system.accesses().collect();
        let mut told_apart = BTreeMap::new();
        let mut seen = 0;
        for (low, &left) in accesses.iter().enumerate() {
            for (high, &right) in accesses.iter().enumerate().skip(low + 1) {
                let is_told_apart = left.thread != right.thread
                    && (program.is_dependent(left, right) || ends.contains(&(left, right)));
                if is_told_apart {
                    let bit = u32::try_from(told_apart.len()).expect("few accesses");
                    assert!(bit < 128);
                    told_apart.insert((low, high), bit);
                    if !matches!(program.operation(left), Post(_) | Wait(_)) {
                        seen |= 1 << bit;
                    }
                }
            }
        }
        Self {
            program,
            system,
            accesses,
            told_apart,
            seen,
        }
    }

    /// What can be seen of a prefix afterwards.
    fn outcome(&self, prefix: Prefix) -> Prefix {
        Prefix {
            order: prefix.order & self.seen,
            ..prefix
        }
    }

    /// Every prefix of a schedule that uses these passes only, with the number of schedules that end there.
    pub(crate) fn prefixes(&self, passes: &BTreeSet<Pass>) -> BTreeMap<Prefix, u64> {
        let mut all = BTreeMap::new();
        let mut layer: BTreeMap<Prefix, u64> = BTreeMap::new();
        for number in 0..self.accesses.len() {
            if self.is_next(0, number) {
                let prefix = Prefix {
                    executed: 1 << number,
                    order: 0,
                    last: number,
                };
                layer.insert(prefix, 1);
            }
        }
        while !layer.is_empty() {
            let mut next = BTreeMap::new();
            for (&prefix, &count) in &layer {
                for number in 0..self.accesses.len() {
                    let pass = Pass {
                        from: self.accesses[prefix.last],
                        to: self.accesses[number],
                    };
                    let is_allowed = pass.from.thread == pass.to.thread || passes.contains(&pass);
                    if is_allowed && self.is_next(prefix.executed, number) {
                        *next.entry(self.after(prefix, number)).or_insert(0) += count;
                    }
                }
            }
            all.append(&mut layer);
            layer = next;
        }
        all
    }

    /// Whether exactly what the last access depends on was executed, by what follows what.
    pub(crate) fn is_past(&self, prefix: Prefix) -> bool {
        self.past(prefix, &[prefix.last]) == prefix.executed
    }

    /// What some accesses depend on, and themselves.
    pub(crate) fn past(&self, prefix: Prefix, ends: &[usize]) -> u32 {
        let mut past = ends.iter().fold(0u32, |past, end| past | 1 << end);
        let mut stack = ends.to_vec();
        while let Some(later) = stack.pop() {
            for earlier in 0..self.accesses.len() {
                let is_new = prefix.executed & !past & (1 << earlier) != 0;
                if is_new && self.is_before(prefix, earlier, later) {
                    past |= 1 << earlier;
                    stack.push(earlier);
                }
            }
        }
        past
    }

    /// Whether every thread has come to its end.
    pub(crate) fn is_whole(&self, prefix: Prefix) -> bool {
        (0..self.program.threads.len()).all(|thread| self.has_ended(prefix.executed, thread))
    }

    fn is_before(&self, prefix: Prefix, earlier: usize, later: usize) -> bool {
        let (first, second) = (self.accesses[earlier], self.accesses[later]);
        if first.thread == second.thread {
            return first.index < second.index;
        }
        let follows = self.system.is_follower(first, second)
            || self.system.orders().contains(&(first, second));
        follows && self.came_first(prefix, earlier, later)
    }

    fn came_first(&self, prefix: Prefix, earlier: usize, later: usize) -> bool {
        let key = (earlier.min(later), earlier.max(later));
        let bit = self.told_apart[&key];
        (prefix.order >> bit & 1 != 0) == (earlier < later)
    }

    fn after(&self, prefix: Prefix, number: usize) -> Prefix {
        let mut order = prefix.order;
        for (&(low, high), &bit) in &self.told_apart {
            // Of the two, the lower one has come first: that is a one.
            if high == number && prefix.executed & (1 << low) != 0 {
                order |= 1 << bit;
            }
        }
        Prefix {
            executed: prefix.executed | 1 << number,
            order,
            last: number,
        }
    }

    pub(crate) fn last_of(&self, executed: u32, thread: usize) -> Option<usize> {
        (0..self.accesses.len())
            .rev()
            .find(|&it| self.accesses[it].thread == thread && executed & (1 << it) != 0)
    }

    fn has_ended(&self, executed: u32, thread: usize) -> bool {
        let ends = self.program.threads[thread].ends();
        match self.last_of(executed, thread) {
            Some(last) => ends.contains(&self.accesses[last].index),
            None => ends.is_empty(),
        }
    }

    /// Whether an access can be executed now.
    pub(crate) fn is_next(&self, executed: u32, number: usize) -> bool {
        let Access { thread, index } = self.accesses[number];
        let it = &self.program.threads[thread];
        let is_here = match self.last_of(executed, thread) {
            Some(last) => it.successors(self.accesses[last].index).contains(&index),
            None => it.starts().contains(&index),
        };
        let counted = |operation| {
            (0..self.accesses.len())
                .filter(|&it| {
                    executed & (1 << it) != 0
                        && self.program.operation(self.accesses[it]) == operation
                })
                .count()
        };
        let is_started = self
            .accesses
            .iter()
            .all(|&it| self.program.operation(it) != Start(thread))
            || counted(Start(thread)) > 0;
        let is_enabled = match self.program.operation(self.accesses[number]) {
            Lock(lock) => counted(Lock(lock)) == counted(Unlock(lock)),
            Wait(semaphore) => counted(Wait(semaphore)) < counted(Post(semaphore)),
            Join(other) => self.has_ended(executed, other),
            Read(_) | Write(_) | Unlock(_) | Post(_) | Start(_) => true,
        };
        is_here && is_started && is_enabled
    }
}

/// What came out for one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    /// Pasts of accesses, one for each class.
    pub(crate) classes: u64,
    /// Those that no schedule with the passes has.
    pub(crate) lost: u64,
    /// Schedules of them with the passes, and with all passes.
    pub(crate) schedules: u64,
    pub(crate) all_schedules: u64,
    pub(crate) passes: u64,
    pub(crate) all_passes: u64,
}

impl Count {
    pub(crate) fn add(&mut self, other: Count) {
        self.classes += other.classes;
        self.lost += other.lost;
        self.schedules += other.schedules;
        self.all_schedules += other.all_schedules;
        self.passes += other.passes;
        self.all_passes += other.all_passes;
    }
}

/// As [`compare`], for whole runs of programs in which threads end: how they end is told apart too if `ends` are given.
pub(crate) fn compare_whole(
    program: &Program,
    system: &System,
    passes: &BTreeSet<Pass>,
    ends: &[(Access, Access)],
) -> Count {
    let explorer = Explorer::new(program, system, ends);
    let every: BTreeSet<Pass> = raddle_engine_mat::pairs::all_pairs(system).collect();
    let classes = |passes| {
        let mut classes: BTreeMap<(u32, u128), u64> = BTreeMap::new();
        for (prefix, schedules) in explorer.prefixes(passes) {
            if explorer.is_whole(prefix) {
                *classes.entry((prefix.executed, prefix.order)).or_insert(0) += schedules;
            }
        }
        classes
    };
    let (all, kept) = (classes(&every), classes(passes));
    Count {
        classes: all.len() as u64,
        lost: (all.len() - kept.len()) as u64,
        schedules: kept.values().sum(),
        all_schedules: all.values().sum(),
        passes: passes.len() as u64,
        all_passes: every.len() as u64,
    }
}

/// Compares the schedules with some passes to those with all.
pub(crate) fn compare(program: &Program, system: &System, passes: &BTreeSet<Pass>) -> Count {
    let explorer = Explorer::new(program, system, &[]);
    let every: BTreeSet<Pass> = raddle_engine_mat::pairs::all_pairs(system).collect();
    let mut classes: BTreeMap<Prefix, (u64, u64)> = BTreeMap::new();
    for (prefix, schedules) in explorer.prefixes(&every) {
        if explorer.is_past(prefix) {
            classes.entry(explorer.outcome(prefix)).or_default().0 += schedules;
        }
    }
    for (prefix, schedules) in explorer.prefixes(passes) {
        if let Some(class) = classes.get_mut(&explorer.outcome(prefix)) {
            class.1 += schedules;
        }
    }
    Count {
        classes: classes.len() as u64,
        lost: classes.values().filter(|class| class.1 == 0).count() as u64,
        schedules: classes.values().map(|class| class.1).sum(),
        all_schedules: classes.values().map(|class| class.0).sum(),
        passes: passes.len() as u64,
        all_passes: every.len() as u64,
    }
}
