//! A race needs no passes of its own if a thread may claim what it is about to access, and stop: the other one meets it.
//! That two threads stand before their accesses needs some more.

mod schedules;

use std::collections::BTreeSet;

use raddle_engine_mat::pairs::{PairQuestion, Pass, all_pairs, kept_pairs, kept_pairs_for};
use schedules::Operation::{Join, Lock, Read, Start, Unlock, Write};
use schedules::{Explorer, Prefix, Program, Random, data, line, with_branches};

fn is_conflict(program: &Program, explorer: &Explorer<'_>, left: usize, right: usize) -> bool {
    let (left, right) = (explorer.accesses[left], explorer.accesses[right]);
    left.thread != right.thread
        && match (program.operation(left), program.operation(right)) {
            (Write(a), Write(b) | Read(b)) | (Read(a), Write(b)) => a == b,
            _ => false,
        }
}

/// Pairs of accesses before which two threads stand at the same time.
fn races(
    program: &Program,
    explorer: &Explorer<'_>,
    every: &BTreeSet<Pass>,
) -> BTreeSet<[usize; 2]> {
    let prefixes = explorer.prefixes(every);
    let states: BTreeSet<u32> = prefixes
        .keys()
        .map(|prefix| prefix.executed)
        .chain([0])
        .collect();
    let number = explorer.accesses.len();
    let mut races = BTreeSet::new();
    for executed in states {
        for left in 0..number {
            for right in 0..number {
                if is_conflict(program, explorer, left, right)
                    && explorer.is_next(executed, left)
                    && explorer.is_next(executed, right)
                {
                    races.insert([left, right]);
                }
            }
        }
    }
    races
}

/// Accesses that the last one of their thread made, with the last one of a schedule, if they conflict.
fn claims(
    program: &Program,
    explorer: &Explorer<'_>,
    kept: &BTreeSet<Pass>,
) -> BTreeSet<[usize; 2]> {
    let mut claims = BTreeSet::new();
    for prefix in explorer.prefixes(kept).into_keys() {
        for thread in 0..program.threads.len() {
            if let Some(claimed) = explorer.last_of(prefix.executed, thread)
                && is_conflict(program, explorer, claimed, prefix.last)
            {
                claims.insert([claimed, prefix.last]);
            }
        }
    }
    claims
}

/// Two and three threads, some accesses under a lock.
fn programs(seed: u64) -> Vec<Program> {
    let mut random = Random::new(seed);
    (0..1000)
        .map(|round| {
            let threads = 2 + round % 2;
            let operations = (0..threads)
                .map(|_| {
                    let mut thread = Vec::new();
                    for _ in 0..=random.below(if threads == 2 { 3 } else { 2 }) {
                        let operation = data(&mut random, 2);
                        if random.below(3) == 0 {
                            thread.extend([Lock(0), operation, Unlock(0)]);
                        } else {
                            thread.push(operation);
                        }
                    }
                    thread
                })
                .collect();
            Program::lines(operations)
        })
        .collect()
}

#[test]
fn races_are_seen_as_claims_with_the_passes_that_are_kept() {
    let mut found = 0;
    for program in programs(21) {
        let system = program.system();
        let explorer = Explorer::new(&program, &system, &[]);
        let races = races(&program, &explorer, &all_pairs(&system).collect());
        let kept = kept_pairs(&system).passes.into_keys().collect();
        let claims = claims(&program, &explorer, &kept);
        assert!(races.is_subset(&claims), "{:?}", program.operations);
        // Another access may have met the claim before, and that one is a race then.
        for [claimed, _] in claims {
            assert!(
                races.iter().any(|[left, _]| *left == claimed),
                "{:?}",
                program.operations
            );
        }
        found += usize::from(!races.is_empty());
    }
    assert_eq!(found, 795);
}

/// How many states in which two threads stand before a conflict, with nothing executed that this does not need, are
/// lost.
fn standing(program: &Program, question: PairQuestion) -> (usize, usize) {
    let system = program.system();
    let explorer = Explorer::new(program, &system, &[]);
    let passes = kept_pairs_for(&system, question)
        .passes
        .into_keys()
        .collect();
    let state = |prefix: Prefix| Prefix { last: 0, ..prefix };
    let kept: BTreeSet<Prefix> = explorer.prefixes(&passes).into_keys().map(state).collect();
    let number = explorer.accesses.len();
    let mut states = BTreeSet::new();
    for prefix in explorer.prefixes(&all_pairs(&system).collect()).into_keys() {
        for left in 0..number {
            for right in 0..left {
                if is_conflict(program, &explorer, left, right)
                    && explorer.is_next(prefix.executed, left)
                    && explorer.is_next(prefix.executed, right)
                {
                    // Who has executed nothing yet has been started.
                    let ends = [left, right].map(|it| {
                        let thread = explorer.accesses[it].thread;
                        let starts =
                            |&it: &usize| program.operation(explorer.accesses[it]) == Start(thread);
                        let last = explorer.last_of(prefix.executed, thread);
                        last.or_else(|| (0..number).find(starts))
                    });
                    let ends: Vec<usize> = ends.into_iter().flatten().collect();
                    if explorer.past(prefix, &ends) == prefix.executed {
                        states.insert(state(prefix));
                    }
                }
            }
        }
    }
    (states.len(), states.difference(&kept).count())
}

#[test]
fn states_in_which_two_threads_stand_before_a_conflict_are_kept_if_asked_for() {
    let mut random = Random::new(22);
    let mut total = [0; 3];
    let started = (0..500).map(|_| {
        let first = 1 + random.below(2);
        let mut main = vec![Start(first), Start(3 - first), Join(1)];
        main.insert(random.below(4), data(&mut random, 3));
        let mut line = || line(&mut random, 2, 2);
        Program::lines(vec![main, line(), line()])
    });
    let started: Vec<Program> = started.collect();
    for program in programs(23).into_iter().chain(started) {
        let (states, lost) = standing(&program, PairQuestion::Standing);
        assert_eq!(lost, 0, "{:?}", program.operations);
        total[0] += states;
        total[1] += standing(&program, PairQuestion::Past).1;
        total[2] += kept_pairs_for(&program.system(), PairQuestion::Standing)
            .passes
            .len();
    }
    // States, those that are lost if they are not asked for, and passes.
    assert_eq!(total, [3718, 309, 11_979]);
}

#[test]
fn branches_come_to_stand_before_conflicts() {
    let mut random = Random::new(24);
    let mut total = 0;
    for round in 0..1000 {
        let program = with_branches(&mut random, 2 + round % 2, 4);
        let (states, lost) = standing(&program, PairQuestion::Standing);
        assert_eq!(lost, 0, "{:?}", program.operations);
        total += states;
    }
    assert_eq!(total, 6712);
}
