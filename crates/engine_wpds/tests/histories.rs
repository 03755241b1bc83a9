//! Lock histories and their compatibility (AS §6, §9) against all interleavings.

use std::collections::BTreeSet;

use raddle_base::Id;
use raddle_engine_wpds::history::{LockHistory, Locks, are_compatible};
use raddle_engine_wpds::system::{Label, LockId};

fn lock(index: usize) -> LockId {
    LockId::from_index(index)
}

/// The locks with these numbers, which begin at one as in the paper.
fn set(numbers: &[usize]) -> Locks {
    numbers
        .iter()
        .fold(0, |set, number| set | 1 << (number - 1))
}

#[test]
fn example_3_of_the_paper() {
    let word = ")1 (2 )2 )3 (4 (5 )5 )4 (6 )6 (2 )2 )7 (6 )6 (4 (2 )2 (2 (7 )7 (8";
    let mut history = LockHistory::new(9, set(&[1, 3, 7, 9]));
    for letter in word.split_whitespace() {
        let number: usize = letter[1..].parse().expect("a number");
        history.step(match &letter[..1] {
            "(" => Label::Acquire(lock(number - 1)),
            _ => Label::Release(lock(number - 1)),
        });
    }
    assert_eq!(history.released(), set(&[1, 3, 7]));
    assert_eq!(history.used, set(&[2, 4, 5, 6, 7]));
    assert_eq!(history.acquired(), set(&[2, 4, 8]));
    assert_eq!(history.throughout, set(&[9]));
    let releases = [
        set(&[1]),
        0,
        set(&[1, 2, 3]),
        0,
        0,
        0,
        set(&[1, 2, 3, 4, 5, 6, 7]),
        0,
        0,
    ];
    assert_eq!(history.release, releases);
    let acquisitions = [
        0,
        set(&[2, 7, 8]),
        0,
        set(&[2, 4, 7, 8]),
        0,
        0,
        0,
        set(&[8]),
        0,
    ];
    assert_eq!(history.acquisition, acquisitions);
    assert_eq!(history.held_at_the_beginning(), set(&[1, 3, 7, 9]));
    assert_eq!(history.held_at_the_end(), set(&[2, 4, 8, 9]));
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}

/// What a process holds at first, in the order of taking, and what it does.
type Stretch = (Vec<usize>, Vec<Label>);

/// Well nested: only what was taken last is released, nothing is taken twice.
fn stretch(random: &mut Random, locks: usize, free: &mut Vec<usize>) -> Stretch {
    let mut held = Vec::new();
    while !free.is_empty() && random.below(3) == 0 {
        let at = random.below(free.len());
        held.push(free.swap_remove(at));
    }
    let first = held.clone();
    let mut labels = Vec::new();
    for _ in 0..random.below(7) {
        if !held.is_empty() && random.below(2) == 0 {
            labels.push(Label::Release(lock(held.pop().expect("not empty"))));
        } else {
            let next = random.below(locks);
            if !held.contains(&next) {
                held.push(next);
                labels.push(Label::Acquire(lock(next)));
            }
        }
    }
    (first, labels)
}

fn can_be_interleaved(locks: usize, stretches: &[Stretch]) -> bool {
    let mut owners = vec![None; locks];
    for (process, (held, _)) in stretches.iter().enumerate() {
        for lock in held {
            if owners[*lock].replace(process).is_some() {
                return false;
            }
        }
    }
    let mut seen = BTreeSet::new();
    let mut work = vec![(vec![0; stretches.len()], owners)];
    while let Some((done, owners)) = work.pop() {
        if !seen.insert(done.clone()) {
            continue;
        }
        if done
            .iter()
            .zip(stretches)
            .all(|(at, (_, labels))| *at == labels.len())
        {
            return true;
        }
        for (process, (_, labels)) in stretches.iter().enumerate() {
            let (mut done, mut owners) = (done.clone(), owners.clone());
            match labels.get(done[process]) {
                Some(Label::Acquire(lock)) if owners[lock.index()].is_none() => {
                    owners[lock.index()] = Some(process);
                }
                Some(Label::Release(lock)) => owners[lock.index()] = None,
                _ => continue,
            }
            done[process] += 1;
            work.push((done, owners));
        }
    }
    false
}

#[test]
fn histories_are_compatible_iff_the_stretches_can_be_interleaved() {
    let mut random = Random(1);
    let mut seen = [0_u32; 2];
    for case in 0..30_000 {
        let locks = 2 + random.below(3);
        let processes = 2 + random.below(2);
        // Mostly nobody holds at first what another holds.
        let mut free: Vec<usize> = (0..locks).collect();
        let stretches: Vec<Stretch> = (0..processes)
            .map(|_| {
                if random.below(20) == 0 {
                    free = (0..locks).collect();
                }
                stretch(&mut random, locks, &mut free)
            })
            .collect();
        let histories: Vec<LockHistory> = stretches
            .iter()
            .map(|(held, labels)| {
                let held = held.iter().fold(0, |set, lock| set | 1 << lock);
                let mut history = LockHistory::new(locks, held);
                for label in labels {
                    history.step(*label);
                }
                history
            })
            .collect();
        let truth = can_be_interleaved(locks, &stretches);
        let compatible = are_compatible(&histories.iter().collect::<Vec<_>>());
        assert_eq!(compatible, truth, "case {case}: {stretches:?}");
        seen[usize::from(truth)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 5_000), "{seen:?}");
}
