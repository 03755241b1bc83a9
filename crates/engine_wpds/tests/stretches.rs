//! Least stretches as weights: they are put together as runs are, and keep the laws of weights.

use raddle_base::{Budget, Id};
use raddle_engine_wpds::history::LockHistory;
use raddle_engine_wpds::minimal::{Antichain, Antichains};
use raddle_engine_wpds::product::Tuple;
use raddle_engine_wpds::stretch::Stretch;
use raddle_engine_wpds::system::{Label, LockId};
use raddle_wpds::{Semiring, broken_law};

const LOCKS: usize = 4;

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

/// `None` leads to the next phase. Locks are well nested; the run begins without any.
fn word(random: &mut Random, held: &mut Vec<usize>, length: usize) -> Vec<Option<Label>> {
    let mut word = Vec::new();
    while word.len() < length {
        match random.below(5) {
            0 => word.push(None),
            1 | 2 if !held.is_empty() => {
                let lock = held.pop().expect("not empty");
                word.push(Some(Label::Release(LockId::from_index(lock))));
            }
            _ => {
                let free: Vec<usize> = (0..LOCKS).filter(|it| !held.contains(it)).collect();
                if let Some(lock) = free.get(random.below(LOCKS)) {
                    held.push(*lock);
                    word.push(Some(Label::Acquire(LockId::from_index(*lock))));
                }
            }
        }
    }
    word
}

fn stretch(word: &[Option<Label>]) -> Stretch {
    word.iter().fold(Stretch::silent(), |all, label| {
        all.then(&label.map_or_else(Stretch::next_phase, Stretch::of_label))
    })
}

/// AS Fig. 3, step by step.
fn tuple(word: &[Option<Label>]) -> Tuple {
    let mut tuple = vec![LockHistory::new(LOCKS, 0)];
    for label in word {
        let last = tuple.last_mut().expect("one for each phase");
        if let Some(label) = label {
            last.step(*label);
        } else {
            let next = last.next_phase();
            tuple.push(next);
        }
    }
    tuple
}

#[test]
fn the_stretch_of_a_run_is_its_lock_history_however_it_is_put_together() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let length = random.below(16);
        let word = word(&mut random, &mut Vec::new(), length);
        let (first, second) = word.split_at(random.below(word.len() + 1));
        let joined = stretch(first).then(&stretch(second));
        assert_eq!(joined, stretch(&word), "{word:?}");
        assert_eq!(joined.tuple(LOCKS), tuple(&word), "{word:?}");
    }
}

#[test]
fn antichains_keep_the_laws_of_weights() {
    let antichains = Antichains {
        most: usize::MAX,
        budget: Budget::unlimited(),
    };
    let mut random = Random(7);
    for _ in 0..40 {
        // All from the same beginning to the same end, so that any can follow any.
        let samples: Vec<Antichain> = (0..6)
            .map(|_| {
                let words = (0..random.below(4)).map(|_| {
                    let mut held = Vec::new();
                    let length = random.below(6);
                    let mut word = word(&mut random, &mut held, length);
                    let releases = held.into_iter().rev();
                    word.extend(releases.map(|it| Some(Label::Release(LockId::from_index(it)))));
                    vec![stretch(&word)]
                });
                let words: Vec<Antichain> = words.collect();
                words.iter().fold(antichains.zero(), |sum, it| {
                    antichains.combine(&sum, it).expect("no limits")
                })
            })
            .collect();
        assert_eq!(broken_law(&antichains, &samples), Ok(None));
    }
}

#[test]
fn who_uses_fewer_locks_makes_the_other_superfluous() {
    let lock = |lock| LockId::from_index(lock);
    let used = |of: usize| {
        [Label::Acquire(lock(of)), Label::Release(lock(of))]
            .map(Stretch::of_label)
            .into_iter()
            .reduce(|first, second| first.then(&second))
            .expect("two of them")
    };
    let both = used(0).then(&used(1));
    assert_eq!(
        Stretch::least(vec![both.clone(), used(1), used(0)]),
        [used(0), used(1)]
    );
    // But not who holds others at the end.
    let kept = used(0).then(&Stretch::of_label(Label::Acquire(lock(2))));
    assert_eq!(Stretch::least(vec![kept.clone(), both.clone()]).len(), 2);
    assert!(!both.is_below(&kept) && !kept.is_below(&both));
}
