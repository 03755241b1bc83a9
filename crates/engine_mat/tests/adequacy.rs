//! For every access of every execution of small programs, some schedule with the passes that are kept executes exactly
//! what it depends on.

mod schedules;

use std::collections::BTreeSet;

use raddle_engine_mat::pairs::{Access, Ends, Mat, Pass, Thread, kept_pairs, mats};
use schedules::Operation::{Join, Lock, Post, Read, Start, Unlock, Wait, Write};
use schedules::{
    Count, Operation, Program, Random, branching, compare, compare_whole, data, line, lines,
    with_branches,
};

fn check(program: &Program) -> Count {
    let system = program.system();
    let passes: BTreeSet<Pass> = kept_pairs(&system).passes.into_keys().collect();
    let count = compare(program, &system, &passes);
    assert_eq!(count.lost, 0, "{:?}", program.operations);
    count
}

fn add_up(programs: impl IntoIterator<Item = Program>) -> Count {
    let mut total = Count::default();
    for program in programs {
        total.add(check(&program));
    }
    total
}

/// Classes, schedules of them with the passes that are kept and with all, and how many passes these are.
fn figures(count: Count) -> [u64; 5] {
    [
        count.classes,
        count.schedules,
        count.all_schedules,
        count.passes,
        count.all_passes,
    ]
}

#[test]
fn two_threads_keep_every_class_once() {
    let mut random = Random::new(2);
    let total = add_up((0..1000).map(|_| lines(&mut random, 2, 5)));
    assert_eq!(figures(total), [19_851, 19_851, 49_147, 5_245, 17_556]);
}

#[test]
fn whole_runs_of_two_threads_have_one_schedule_a_class() {
    let mut random = Random::new(9);
    let mut total = Count::default();
    for _ in 0..1000 {
        let program = lines(&mut random, 2, 5);
        let system = program.system();
        let [left, right] = [0, 1].map(|thread| Access {
            thread,
            index: program.threads[thread].length() - 1,
        });
        for leader in [0, 1] {
            let mats = mats(&system, 0, 1, leader, Ends::Dependent);
            let passes = mats.iter().flat_map(Mat::passes).collect();
            let count = compare_whole(&program, &system, &passes, &[(left, right)]);
            assert_eq!(count.lost, 0, "{:?}", program.operations);
            assert_eq!(count.schedules, count.classes, "{:?}", program.operations);
            total.add(count);
        }
    }
    assert_eq!(figures(total), [12_206, 12_206, 72_330, 15_054, 36_104]);
}

#[test]
fn three_threads_keep_every_class() {
    let mut random = Random::new(3);
    let total = add_up((0..2000).map(|_| lines(&mut random, 3, 3)));
    assert_eq!(figures(total), [66_607, 75_615, 205_858, 15_865, 47_898]);
}

/// The enumeration sees it if passes are missing: nearly every pass that is kept is needed by some class.
#[test]
fn few_passes_of_three_threads_can_be_left_out() {
    let mut random = Random::new(14);
    let (mut kept, mut needed) = (0, 0);
    for _ in 0..200 {
        let program = lines(&mut random, 3, 3);
        let system = program.system();
        let passes: BTreeSet<Pass> = kept_pairs(&system).passes.into_keys().collect();
        for pass in &passes {
            let mut others = passes.clone();
            others.remove(pass);
            kept += 1;
            needed += usize::from(compare(&program, &system, &others).lost > 0);
        }
    }
    assert_eq!((needed, kept), (1444, 1627));
}

#[test]
fn four_threads_keep_every_class() {
    let mut random = Random::new(4);
    let total = add_up((0..2000).map(|_| lines(&mut random, 4, 2)));
    assert_eq!(figures(total), [77_561, 82_802, 194_602, 18_109, 54_282]);
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
    let mut random = Random::new(5);
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
    assert_eq!(figures(total), [99_706, 127_469, 540_661, 16_338, 62_320]);
}

#[test]
fn semaphores_keep_every_class() {
    let mut random = Random::new(11);
    let mut programs = Vec::new();
    for round in 0..2000 {
        let threads = 2 + round % 2;
        let operations = (0..threads)
            .map(|_| {
                let length = 1 + random.below(if threads == 2 { 5 } else { 3 });
                let mut one = || match random.below(5) {
                    0 => Wait(0),
                    1 | 2 => Post(0),
                    _ => data(&mut random, 2),
                };
                (0..length).map(|_| one()).collect()
            })
            .collect();
        programs.push(Program::lines(operations));
    }
    assert_eq!(
        figures(add_up(programs)),
        [20_411, 21_186, 56_613, 6_523, 42_120]
    );
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
    let mut random = Random::new(6);
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
    assert_eq!(figures(total), [28_603, 36_297, 148_208, 14_476, 75_484]);
}

#[test]
fn locks_in_threads_that_are_started_and_joined_keep_every_class() {
    let mut random = Random::new(12);
    let mut programs = Vec::new();
    for round in 0..2000 {
        let workers = 2 + usize::from(round % 4 == 0);
        let own = random.below(2);
        let mut operations = vec![starting(&mut random, workers, own, 3)];
        for _ in 0..workers {
            let length = 1 + random.below(if workers == 2 { 4 } else { 3 });
            operations.push(locked(&mut random, length));
        }
        programs.push(Program::lines(operations));
    }
    assert_eq!(
        figures(add_up(programs)),
        [51_365, 70_940, 556_170, 19_663, 123_150]
    );
}

/// Workers may branch, start another thread on one branch only, and the end that is joined is one of several.
#[test]
fn branches_in_threads_that_are_started_and_joined_keep_every_class() {
    let mut random = Random::new(13);
    let mut programs = Vec::new();
    for round in 0..1000 {
        let workers = 2 + usize::from(round % 4 == 0);
        let own = random.below(2);
        let mut program = with_branches(&mut random, workers + 1, 3);
        program.operations[0] = starting(&mut random, workers, own, 3);
        let length = program.operations[0].len();
        program.threads[0] = if round % 2 == 0 {
            Thread::line(length)
        } else {
            branching(&mut random, length)
        };
        programs.push(program);
    }
    assert_eq!(
        figures(add_up(programs)),
        [23_198, 34_082, 444_754, 10_472, 53_574]
    );
}

#[test]
fn workers_apart_from_each_other_keep_every_class() {
    let mut random = Random::new(7);
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
    assert_eq!(figures(total), [14_663, 21_633, 1_079_612, 8_736, 54_858]);
}

#[test]
fn branches_keep_every_class() {
    let mut random = Random::new(8);
    let two = add_up((0..1000).map(|_| with_branches(&mut random, 2, 6)));
    let three = add_up((0..1000).map(|_| with_branches(&mut random, 3, 4)));
    assert_eq!(figures(two), [26_484, 27_770, 73_010, 4_961, 23_614]);
    assert_eq!(figures(three), [68_910, 101_831, 381_427, 12_452, 37_382]);
}

#[test]
fn transactions_with_branches_keep_every_class() {
    let mut random = Random::new(10);
    let mut total = Count::default();
    for _ in 0..1000 {
        let program = with_branches(&mut random, 2, 6);
        let system = program.system();
        let mats = mats(&system, 0, 1, 1, Ends::Independent);
        let passes = mats.iter().flat_map(Mat::passes).collect();
        let count = compare(&program, &system, &passes);
        assert_eq!(count.lost, 0, "{:?}", program.operations);
        total.add(count);
    }
    assert_eq!(figures(total), [29_525, 31_484, 82_549, 5_354, 24_238]);
}
