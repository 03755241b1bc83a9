//! The numbers of MAT: its Fig. 1 and the counts of its Table 1.

mod schedules;

use std::collections::BTreeSet;

use raddle_engine_mat::pairs::{
    Access, Ends, Mat, Pass, System, Thread, all_pairs, kept_pairs, mats,
};
use schedules::Operation::{Join, Lock, Read, Start, Unlock, Write};
use schedules::{Operation, Program};

fn passes(mats: &[Mat]) -> BTreeSet<Pass> {
    mats.iter().flat_map(Mat::passes).collect()
}

/// `1a..3a` is `(1, 3)`.
fn transactions(mats: &[Mat]) -> BTreeSet<((usize, usize), (usize, usize))> {
    mats.iter()
        .map(|mat| {
            (
                (mat.left.first + 1, mat.left.last + 1),
                (mat.right.first + 1, mat.right.last + 1),
            )
        })
        .collect()
}

#[test]
fn the_first_figure_has_five_transactions_and_eight_passes() {
    let (x, y, z) = (0, 1, 2);
    let program = Program::lines(vec![
        vec![Write(y), Read(x), Read(z), Read(y)],
        vec![Read(x), Write(z), Read(x), Write(y)],
    ]);
    let system = program.system();
    let mats = mats(&system, 0, 1, 1, Ends::Dependent);
    assert_eq!(all_pairs(&system).count(), 32);
    assert_eq!(
        transactions(&mats),
        BTreeSet::from([
            ((1, 3), (1, 2)),
            ((4, 4), (1, 4)),
            ((1, 1), (3, 4)),
            ((4, 4), (3, 4)),
            ((2, 4), (3, 4)),
        ])
    );
    assert_eq!(mats.len(), 5);
    assert_eq!(passes(&mats).len(), 8);
}

/// A thread with one access, and two that repeat `i += j` and `j += i`.
fn sums(rounds: usize) -> System {
    let (i, j) = (0, 1);
    let worker = |read, write| {
        (0..rounds)
            .flat_map(|_| [Read(read), Write(write)])
            .collect()
    };
    Program::lines(vec![vec![Read(2)], worker(j, i), worker(i, j)]).system()
}

#[test]
fn the_sums_have_the_counts_of_the_table() {
    let mut counted = Vec::new();
    for rounds in [2, 3, 7, 10, 23, 50] {
        let mats = mats(&sums(rounds), 1, 2, 2, Ends::Dependent);
        counted.push((rounds, mats.len(), passes(&mats).len()));
    }
    assert_eq!(
        counted,
        [
            (2, 14, 23),
            (3, 33, 52),
            (7, 189, 288),
            (10, 390, 591),
            (23, 2093, 3152),
            (50, 9950, 14951),
        ]
    );
    let all: Vec<usize> = [2, 10, 50]
        .iter()
        .map(|&rounds| all_pairs(&sums(rounds)).count())
        .collect();
    assert_eq!(all, [48, 880, 20_400]);
}

#[test]
fn without_dependent_ends_the_sums_have_a_little_less() {
    for (rounds, transactions, pairs) in [(2, 13, 21), (10, 389, 589), (50, 9949, 14_949)] {
        let mats = mats(&sums(rounds), 1, 2, 2, Ends::Independent);
        assert_eq!((mats.len(), passes(&mats).len()), (transactions, pairs));
    }
}

#[test]
fn sections_under_one_lock_are_transactions() {
    for (length, all) in [(8, 192), (40, 3520), (200, 81_600)] {
        let mut system = System::new(vec![
            Thread::line(2),
            Thread::line(length),
            Thread::line(length),
        ]);
        // The order of two sections is the order of their unlocks.
        for left in (3..length).step_by(4) {
            for right in (3..length).step_by(4) {
                let at = |thread, index| Access { thread, index };
                system.add_conflict(at(1, left), at(2, right));
            }
        }
        let mats = mats(&system, 1, 2, 2, Ends::Dependent);
        let sections = length / 4;
        assert_eq!(all_pairs(&system).count(), all);
        assert_eq!(mats.len(), sections * sections);
        assert_eq!(passes(&mats).len(), 2 * sections * sections);
    }
}

/// The same as a program with locks, with the thread that starts and joins the two.
#[test]
fn sections_under_one_lock_pass_the_token_only_from_unlock_to_lock() {
    for length in [8, 40, 200] {
        let worker: Vec<Operation> = (0..length / 4)
            .flat_map(|_| [Lock(0), Read(0), Write(0), Unlock(0)])
            .collect();
        let main = vec![Start(1), Start(2), Join(1), Join(2)];
        let system = Program::lines(vec![main, worker.clone(), worker]).system();
        let kept = kept_pairs(&system).passes;
        let between_workers: Vec<Pass> = kept
            .into_keys()
            .filter(|pass| pass.from.thread != 0 && pass.to.thread != 0)
            .collect();
        assert!(
            between_workers
                .iter()
                .all(|pass| pass.from.index % 4 == 3 && pass.to.index % 4 == 0)
        );
        let sections = length / 4;
        assert_eq!(between_workers.len(), 2 * sections * sections);
    }
}

#[test]
fn a_thread_that_only_starts_and_joins_adds_few_passes() {
    let (i, j) = (0, 1);
    let worker = |read, write| {
        (0..10)
            .flat_map(|_| [Read(read), Write(write)])
            .collect::<Vec<_>>()
    };
    let main = vec![Start(1), Start(2), Join(1), Join(2)];
    let system = Program::lines(vec![main, worker(j, i), worker(i, j)]).system();
    let kept = kept_pairs(&system);
    let with_main = kept
        .passes
        .keys()
        .filter(|pass| pass.from.thread == 0 || pass.to.thread == 0)
        .count();
    assert_eq!(kept.mats.len(), 390);
    assert_eq!(kept.passes.len() - with_main, 591);
    assert_eq!(with_main, 6);
}
