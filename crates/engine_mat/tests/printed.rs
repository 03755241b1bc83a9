//! The extra passes that MAT prints for three and more threads, and a repair that nobody has proved: what they lose,
//! and what ours needs instead.

mod schedules;

use std::collections::BTreeSet;

use raddle_engine_mat::pairs::{Access, Ends, Mat, Pass, System, Transaction, kept_pairs, mats};
use schedules::Operation::{Read, Write};
use schedules::{Program, Random, compare, compare_whole, lines};

/// `TP` of every two threads, with the later in `order` as leader.
struct Pairwise {
    order: Vec<usize>,
    mats: Vec<Mat>,
    passes: BTreeSet<Pass>,
}

impl Pairwise {
    fn of(system: &System, order: Vec<usize>) -> Self {
        let mut all = Vec::new();
        for (at, &left) in order.iter().enumerate() {
            for &right in &order[at + 1..] {
                all.extend(mats(system, left, right, right, Ends::Dependent));
            }
        }
        let passes = all.iter().flat_map(Mat::passes).collect();
        Self {
            order,
            mats: all,
            passes,
        }
    }

    fn leaves(&self, from: Access, thread: usize) -> bool {
        self.passes
            .iter()
            .any(|pass| pass.from == from && pass.to.thread == thread)
    }

    fn sides(&self) -> impl Iterator<Item = (Transaction, Transaction)> + '_ {
        self.mats
            .iter()
            .flat_map(|mat| [(mat.left, mat.right), (mat.right, mat.left)])
    }

    /// With `eTP` as it is printed (MAT §6.1).
    fn printed(&self) -> BTreeSet<Pass> {
        let mut passes = self.passes.clone();
        for (whole, cut) in self.sides() {
            for index in cut.first..cut.last {
                let middle = at(cut.thread, index);
                let leaves_elsewhere = self.order.iter().any(|&thread| {
                    thread != cut.thread && thread != whole.thread && self.leaves(middle, thread)
                });
                if leaves_elsewhere && !self.leaves(middle, whole.thread) {
                    passes.insert(Pass {
                        from: at(whole.thread, whole.last),
                        to: at(cut.thread, index + 1),
                    });
                }
            }
        }
        passes
    }

    /// Every transaction cut wherever it conflicts with a third thread.
    fn repaired(&self, system: &System) -> BTreeSet<Pass> {
        let mut passes = self.passes.clone();
        let cuts = |it: Transaction, other: Transaction| -> Vec<usize> {
            (it.first..it.last)
                .filter(|&index| {
                    let mut followers = system.followers(at(it.thread, index)).iter();
                    followers.any(|follower| follower.thread != other.thread)
                })
                .collect()
        };
        for (one, other) in self.sides() {
            let (mine, others) = (cuts(one, other), cuts(other, one));
            for &index in &mine {
                let here = at(one.thread, index);
                let next = at(one.thread, index + 1);
                passes.insert(Pass {
                    from: at(other.thread, other.last),
                    to: next,
                });
                passes.insert(Pass {
                    from: here,
                    to: at(other.thread, other.first),
                });
                passes.extend(others.iter().map(|&there| Pass {
                    from: at(other.thread, there),
                    to: next,
                }));
            }
        }
        passes
    }
}

fn at(thread: usize, index: usize) -> Access {
    Access { thread, index }
}

const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

#[test]
fn the_printed_passes_lose_a_class_of_three_threads() {
    let (y, z) = (0, 1);
    let program = Program::lines(vec![
        vec![Write(y), Write(z)],
        vec![Read(z), Write(z)],
        vec![Write(y), Read(z), Write(z)],
    ]);
    let system = program.system();
    for order in ORDERS {
        let printed = Pairwise::of(&system, order.to_vec()).printed();
        assert!(compare(&program, &system, &printed).lost > 0, "{order:?}");
    }
    // With the last thread as leader not even the whole run is left in which the order on `z` is R1 W0 R2 W1 W2.
    let printed = Pairwise::of(&system, vec![0, 1, 2]).printed();
    let needed = Pass {
        from: at(2, 1),
        to: at(1, 1),
    };
    assert!(compare_whole(&program, &system, &printed, &[]).lost > 0);
    assert!(!printed.contains(&needed));
    let kept: BTreeSet<Pass> = kept_pairs(&system).passes.into_keys().collect();
    assert!(kept.contains(&needed));
    assert_eq!(compare(&program, &system, &kept).lost, 0);
}

#[test]
fn the_printed_passes_lose_classes_of_random_programs() {
    let mut random = Random::new(3);
    let mut losing = [0; 4];
    let mut passes = [0; 3];
    for _ in 0..2000 {
        let program = lines(&mut random, 3, 3);
        let system = program.system();
        let pairwise = Pairwise::of(&system, vec![0, 1, 2]);
        let (printed, repaired) = (pairwise.printed(), pairwise.repaired(&system));
        for (at, set) in [&printed, &repaired].into_iter().enumerate() {
            let whole = compare_whole(&program, &system, set, &[]);
            let past = compare(&program, &system, set);
            losing[2 * at] += usize::from(whole.lost > 0);
            losing[2 * at + 1] += usize::from(past.lost > 0);
            passes[at] += set.len();
        }
        passes[2] += kept_pairs(&system).passes.len();
    }
    // Programs that lose a class of whole runs, and the past of an access: as printed, and repaired.
    assert_eq!(losing, [61, 209, 0, 0]);
    // Printed, repaired, ours.
    assert_eq!(passes, [26_457, 31_741, 15_865]);
}
