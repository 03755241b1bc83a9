//! For every access of every execution of small programs, some schedule with the passes that are kept executes exactly
//! what it depends on.

mod schedules;

use std::collections::BTreeSet;

use raddle_engine_mat::pairs::{Pass, Thread, kept_pairs};
use schedules::Operation::{Join, Lock, Read, Start, Unlock, Write};
use schedules::{Count, Operation, Program, Random, compare};

fn check(program: &Program) -> Count {
    let system = program.system();
    let passes: BTreeSet<Pass> = kept_pairs(&system).passes.into_keys().collect();
    let count = compare(program, &system, &passes);
    assert_eq!(count.lost, 0, "{:?}", program.operations);
    count
}

fn data(random: &mut Random, variables: usize) -> Operation {
    let variable = random.below(variables);
    if random.below(2) == 0 {
        Read(variable)
    } else {
        Write(variable)
    }
}

fn line(random: &mut Random, length: usize, variables: usize) -> Vec<Operation> {
    (0..length).map(|_| data(random, variables)).collect()
}

#[test]
fn two_threads_keep_every_class() {
    let mut random = Random(2);
    let mut total = Count::default();
    for _ in 0..1000 {
        let program = Program::lines(
            (0..2)
                .map(|_| {
                    let length = 1 + random.below(5);
                    line(&mut random, length, 3)
                })
                .collect(),
        );
        total.add(check(&program));
    }
    println!("{total:?}");
}

#[test]
fn three_threads_keep_every_class() {
    let mut random = Random(3);
    let mut total = Count::default();
    for _ in 0..2000 {
        let program = Program::lines(
            (0..3)
                .map(|_| {
                    let length = 1 + random.below(3);
                    line(&mut random, length, 3)
                })
                .collect(),
        );
        total.add(check(&program));
    }
    println!("{total:?}");
}

#[test]
fn four_threads_keep_every_class() {
    let mut random = Random(4);
    let mut total = Count::default();
    for _ in 0..2000 {
        let program = Program::lines(
            (0..4)
                .map(|_| {
                    let length = 1 + random.below(2);
                    line(&mut random, length, 3)
                })
                .collect(),
        );
        total.add(check(&program));
    }
    println!("{total:?}");
}

/// Accesses, some of them under locks that are nested or overlap.
fn locked(random: &mut Random, length: usize) -> Vec<Operation> {
    let mut held: Vec<usize> = Vec::new();
    let mut operations = Vec::new();
    while operations.len() + held.len() < length {
        let lock = random.below(2);
        let choice = random.below(4);
        if choice == 0 && !held.contains(&lock) && operations.len() + held.len() + 2 <= length {
            held.push(lock);
            operations.push(Lock(lock));
        } else if choice == 1 && !held.is_empty() {
            let at = random.below(held.len());
            operations.push(Unlock(held.remove(at)));
        } else {
            operations.push(data(random, 2));
        }
    }
    operations.extend(held.into_iter().rev().map(Unlock));
    operations
}

#[test]
fn locks_keep_every_class() {
    let mut random = Random(5);
    let mut total = Count::default();
    for round in 0..2000 {
        let threads = 2 + round % 2;
        let program = Program::lines(
            (0..threads)
                .map(|_| {
                    let length = 1 + random.below(if threads == 2 { 6 } else { 4 });
                    locked(&mut random, length)
                })
                .collect(),
        );
        total.add(check(&program));
    }
    println!("{total:?}");
}

/// A thread that starts and joins the others, in some order, and does something of its own in between.
fn starting(random: &mut Random, workers: usize, own: usize, variables: usize) -> Vec<Operation> {
    let mut to_start: Vec<usize> = (1..=workers).collect();
    let mut to_join = Vec::new();
    let mut own = own;
    let mut operations = Vec::new();
    while !to_start.is_empty() || !to_join.is_empty() || own > 0 {
        match random.below(4) {
            0 | 1 if !to_start.is_empty() => {
                let thread = to_start.remove(random.below(to_start.len()));
                operations.push(Start(thread));
                to_join.push(thread);
            }
            2 if !to_join.is_empty() => {
                let thread = to_join.remove(random.below(to_join.len()));
                // Not every thread is joined.
                if random.below(4) > 0 {
                    operations.push(Join(thread));
                }
            }
            3 if own > 0 => {
                own -= 1;
                operations.push(data(random, variables));
            }
            _ => {}
        }
    }
    operations
}

#[test]
fn threads_that_are_started_and_joined_keep_every_class() {
    let mut random = Random(6);
    let mut total = Count::default();
    for round in 0..2000 {
        let workers = 1 + round % 3;
        let variables = 2 + random.below(3);
        let own = random.below(2);
        let mut operations = vec![starting(&mut random, workers, own, variables)];
        for _ in 0..workers {
            let length = 1 + random.below(if workers == 3 { 2 } else { 3 });
            operations.push(line(&mut random, length, variables));
        }
        total.add(check(&Program::lines(operations)));
    }
    println!("{total:?}");
}

#[test]
fn workers_apart_from_each_other_keep_every_class() {
    let mut random = Random(7);
    let mut total = Count::default();
    for _ in 0..500 {
        // Two pairs of workers, each with its own variables.
        let mut operations = vec![starting(&mut random, 4, 0, 1)];
        for worker in 0..4 {
            let length = 1 + random.below(2);
            let mine = line(&mut random, length, 1).into_iter();
            operations.push(
                mine.map(|operation| match operation {
                    Read(_) => Read(worker % 2),
                    _ => Write(worker % 2),
                })
                .collect(),
            );
        }
        total.add(check(&Program::lines(operations)));
    }
    println!("{total:?}");
}

/// A graph in topological order: most accesses go on to the next, some branch, some stop.
fn branching(random: &mut Random, length: usize) -> Thread {
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

#[test]
fn branches_keep_every_class() {
    let mut random = Random(8);
    let mut total = Count::default();
    for round in 0..2000 {
        let threads = 2 + round % 2;
        let mut program = Program {
            threads: Vec::new(),
            operations: Vec::new(),
        };
        for _ in 0..threads {
            let length = 1 + random.below(if threads == 2 { 6 } else { 4 });
            program.threads.push(branching(&mut random, length));
            program.operations.push(line(&mut random, length, 3));
        }
        total.add(check(&program));
    }
    println!("{total:?}");
}
