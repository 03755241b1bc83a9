//! Stretches of a run, as far as lock histories tell them apart, and which of two restricts others less.
//!
//! The lock history of a run (AS Fig. 3) is put together from those of its parts, so it is an element of a monoid. And
//! it is monotone: who uses fewer locks between two points, takes fewer after those it holds at the end and fewer
//! before it lets go those it held at the beginning, can be interleaved with whatever the other can be interleaved with
//! (AS Def. 4 only ever asks that sets are disjoint or orders free of circles). So of several stretches between the same
//! points only the least are of interest.

use raddle_base::Id;

use crate::history::{LockHistory, Locks};
use crate::product::Tuple;
use crate::system::Label;

/// The locks of a set, by number.
fn members(set: Locks) -> impl Iterator<Item = u32> {
    (0..Locks::BITS).filter(move |lock| set & 1 << lock != 0)
}

/// What happens to which locks in a part of a run within one phase. Stretches with the same outlines can be compared,
/// and can be followed by the same ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Outline {
    /// Held before and released.
    released: Locks,
    /// Taken and kept.
    acquired: Locks,
}

impl Outline {
    /// How many sets belong to it: those that are used, and one for each of its locks.
    fn sets(self) -> usize {
        let locks = self.released.count_ones() + self.acquired.count_ones();
        1 + locks as usize
    }
}

/// What a part of a run does to locks, phase by phase; the first and the last phase may have more parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stretch {
    outlines: Vec<Outline>,
    /// For each phase: what is taken and given back; for each lock that is released, by number, itself and what was
    /// released or used before; for each that is kept, itself and what was taken since.
    sets: Vec<Locks>,
}

impl Stretch {
    /// Of a step within a phase.
    pub fn of_label(label: Label) -> Self {
        let mut outline = Outline::default();
        let mut sets = vec![0];
        match label {
            Label::Acquire(lock) => outline.acquired = 1 << lock.index(),
            Label::Release(lock) => outline.released = 1 << lock.index(),
            Label::Silent | Label::Begin | Label::End | Label::Access(_) | Label::Event(_) => {}
        }
        sets.extend(members(outline.released | outline.acquired).map(|lock| 1 << lock));
        Self {
            outlines: vec![outline],
            sets,
        }
    }

    /// Of a step that nobody notices.
    pub fn silent() -> Self {
        Self {
            outlines: vec![Outline::default()],
            sets: vec![0],
        }
    }

    /// Of what leads to the next phase.
    pub fn next_phase() -> Self {
        Self {
            outlines: vec![Outline::default(); 2],
            sets: vec![0; 2],
        }
    }

    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let (last, before) = self.outlines.split_last().expect("a phase at least");
        let (first, after) = next.outlines.split_first().expect("a phase at least");
        let (sets_before, last_sets) = self.sets.split_at(self.sets.len() - last.sets());
        let (first_sets, sets_after) = next.sets.split_at(first.sets());
        let mut outlines = Vec::with_capacity(before.len() + 1 + after.len());
        let mut sets = Vec::with_capacity(self.sets.len() + next.sets.len());
        outlines.extend_from_slice(before);
        sets.extend_from_slice(sets_before);
        outlines.push(joined((*last, last_sets), (*first, first_sets), &mut sets));
        outlines.extend_from_slice(after);
        sets.extend_from_slice(sets_after);
        Self { outlines, sets }
    }

    /// Whether this one restricts others no more than the other, and lets the same stretches follow.
    pub fn is_below(&self, other: &Self) -> bool {
        let mut sets = self.sets.iter().zip(&other.sets);
        self.outlines == other.outlines && sets.all(|(few, many)| few & !many == 0)
    }

    /// The least of these, in order.
    pub fn least(mut all: Vec<Self>) -> Vec<Self> {
        all.sort_unstable();
        let mut least: Vec<Self> = Vec::with_capacity(all.len());
        // Who is below another comes before it, and those with the same outlines come one after the other.
        let mut first = 0;
        for stretch in all {
            if least
                .get(first)
                .is_some_and(|it| it.outlines != stretch.outlines)
            {
                first = least.len();
            }
            if !least[first..].iter().any(|it| it.is_below(&stretch)) {
                least.push(stretch);
            }
        }
        least
    }

    /// Of a whole run, which begins without locks.
    pub fn tuple(&self, locks: usize) -> Tuple {
        let mut held: Locks = 0;
        let mut sets = self.sets.iter().copied();
        let mut next = || sets.next().expect("there is a set for each lock");
        let of_phase = |outline: &Outline| {
            let mut history = LockHistory::new(locks, held & !outline.released);
            history.used = next();
            for lock in members(outline.released) {
                history.release[lock as usize] = next();
            }
            for lock in members(outline.acquired) {
                history.acquisition[lock as usize] = next();
            }
            held = history.held_at_the_end();
            history
        };
        self.outlines.iter().map(of_phase).collect()
    }
}

/// Two parts of one phase, one after the other; what belongs to the outline is added to `sets`.
fn joined(
    (outline, sets): (Outline, &[Locks]),
    (next, next_sets): (Outline, &[Locks]),
    all: &mut Vec<Locks>,
) -> Outline {
    let part = |outline: Outline, sets: &'_ [Locks]| -> (Locks, [Locks; 32], [Locks; 32]) {
        let mut sets = sets.iter().copied();
        let used = sets.next().expect("the first set");
        let (mut before, mut since) = ([0; 32], [0; 32]);
        for lock in members(outline.released) {
            before[lock as usize] = sets.next().expect("one for each");
        }
        for lock in members(outline.acquired) {
            since[lock as usize] = sets.next().expect("one for each");
        }
        (used, before, since)
    };
    let (used, before, since) = part(outline, sets);
    let (next_used, next_before, next_since) = part(next, next_sets);
    let given_back = outline.acquired & next.released;
    let kept = outline.acquired & !next.released;
    let whole = Outline {
        released: outline.released | next.released & !outline.acquired,
        acquired: kept | next.acquired,
    };
    all.push(used | next_used | given_back);
    for lock in members(whole.released) {
        let at = lock as usize;
        all.push(if outline.released & 1 << lock == 0 {
            next_before[at] | used | outline.released
        } else {
            before[at]
        });
    }
    for lock in members(whole.acquired) {
        let at = lock as usize;
        all.push(if kept & 1 << lock == 0 {
            next_since[at]
        } else {
            since[at] | next_used | next.acquired
        });
    }
    whole
}
