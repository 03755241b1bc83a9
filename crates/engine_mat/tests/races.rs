//! A race needs no passes of its own: a thread that claims what it is about to access, and stops, is met by the other.

mod schedules;

use std::collections::BTreeSet;

use raddle_engine_mat::pairs::{Pass, all_pairs, kept_pairs};
use schedules::Operation::{Lock, Read, Unlock, Write};
use schedules::{Explorer, Program, Random, data};

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

#[test]
fn races_are_seen_as_claims_with_the_passes_that_are_kept() {
    let mut random = Random(21);
    let mut found = 0;
    for round in 0..1000 {
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
        let program = Program::lines(operations);
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
