//! Pairs of numbers, each once, that several workers look up and add to at the same time, without waiting for each other.
//!
//! # Source
//!
//! \[Laarman11\]: the number of a pair is the place where it lies, and a pair is added by one exchange of an atomic number.
//!
//! # Definitions
//!
//! The number of a pair is the place where it lies, so it can never move. When there is
//! no more room, a larger level is added, and the pairs stay in the ones before.
//!
//! # Invariants
//!
//! - **(L1)** While workers are at it, pairs are added to the last level only, and no level is added. So two workers that add the
//!   same pair come to the same place, and one of them finds it there.
//! - **(L2)** Where a pair lies follows from a hash that the worker that adds it knows, and not from the pair itself, which may be replaced by
//!   another one with the same meaning.
//! - **(L3)** How many pairs there are is not counted while workers are at it, because a worker that counts has to wait for the others;
//!   each worker has a share of the room, and says afterwards how much of it was taken.
//! - **(L4)** A pair is one atomic number and nothing else has to be seen with it, so no order of memory is asked for.
//!
//! # Deviations
//!
//! 1. The paper's table has one size, given beforehand.
//!
//! # Tested by
//!
//! The tests below; `crates/testkit/tests/workers.rs`.

use std::sync::atomic::{AtomicU64, Ordering};

use raddle_base::saved::{Saved, Sink, Source};

/// How many pairs the first level has room for.
const FIRST: usize = 1 << 12;
/// A level is so many times larger than the one before.
const GROWTH: usize = 4;
/// Or so many times smaller than the largest one where memory is scarce.
const SLOW_GROWTH: usize = 8;
/// How full a level may get, in percent.
const FULL: usize = 75;
/// From so many pairs on it is worth it to make a thread for half of them.
const MUCH: usize = 1 << 18;
/// Numbers are below this, and so is the one after the last.
const MOST_NUMBERS: usize = u32::MAX as usize;
/// In pieces of so many bytes, or larger ones, memory is given to a process.
const PAGE: usize = 4096;

/// Pairs at their places; 0 where none is.
#[derive(Debug)]
struct Level {
    /// The number of the first place.
    first: u32,
    places: Vec<AtomicU64>,
    count: usize,
}

/// So many zeros.
///
/// The system finds memory for zeros only when they are written to. Workers read a place before they write it, so the system would
/// do its work twice, and stop all workers for it. So the zeros are written to at once; where there are many, by two threads.
fn zeros(count: usize) -> Vec<AtomicU64> {
    let zeros: Vec<_> = (0..count).map(|_| AtomicU64::new(0)).collect();
    let touch = |places: &[AtomicU64]| {
        for place in places.iter().step_by(PAGE / size_of::<u64>()) {
            place.store(0, Ordering::Relaxed);
        }
    };
    if count < MUCH {
        touch(&zeros);
        return zeros;
    }
    let (mine, theirs) = zeros.split_at(count / 2);
    std::thread::scope(|scope| {
        scope.spawn(|| touch(theirs));
        touch(mine);
    });
    zeros
}

/// Where the search for a pair ended.
enum Cell {
    Taken(usize),
    Empty(usize),
}

impl Level {
    fn new(first: u32, size: usize) -> Self {
        Self {
            first,
            places: zeros(size),
            count: 0,
        }
    }

    fn number(&self, at: usize) -> u32 {
        self.first + u32::try_from(at).expect("memory ends before 2^32 pairs")
    }

    /// The place of a pair, or the empty one where it would be, from some place on.
    fn search(&self, pair: u64, from: usize) -> Cell {
        let mut at = from;
        loop {
            match self.places[at].load(Ordering::Relaxed) {
                0 => return Cell::Empty(at),
                known if known == pair => return Cell::Taken(at),
                _ => at = (at + 1) % self.places.len(),
            }
        }
    }

    /// Where the search for a pair of this hash begins.
    fn start(&self, hash: u64) -> usize {
        let scaled = (u128::from(hash) * self.places.len() as u128) >> 64;
        usize::try_from(scaled).expect("below the number of places")
    }

    fn room(&self) -> usize {
        let most = self.places.len() * FULL / 100;
        most.saturating_sub(self.count)
    }
}

/// What one worker may add.
#[derive(Debug, Default)]
pub(crate) struct Share {
    room: usize,
    added: usize,
}

/// A set of pairs.
#[derive(Debug, Default)]
pub(crate) struct Levels {
    levels: Vec<Level>,
    /// Memory is scarce.
    grows_slowly: bool,
}

impl Levels {
    pub(crate) fn len(&self) -> usize {
        self.levels.iter().map(|it| it.count).sum()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.levels.iter().map(|it| size_of_val(&*it.places)).sum()
    }

    /// How many bytes more there will be at once if so many pairs come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        self.growth_of_numbers(more) * size_of::<u64>()
    }

    /// How many more numbers there will be at once then; more than memory has room for if there are no more.
    pub(crate) fn growth_of_numbers(&self, more: usize) -> usize {
        if self.levels.last().is_some_and(|it| it.room() >= more) {
            return 0;
        }
        let size = self.next_size(more);
        if size < more { 1 << 48 } else { size }
    }

    /// Adds small levels from now on; whether they were large before. The more levels there are, the longer pairs are looked for.
    pub(crate) fn grow_slowly(&mut self) -> bool {
        !std::mem::replace(&mut self.grows_slowly, true)
    }

    /// How large the next level is, if it is for so many pairs at least and numbers last.
    fn next_size(&self, more: usize) -> usize {
        let sizes = self.levels.iter().map(|it| it.places.len());
        let largest = sizes.max().unwrap_or(0);
        let wished = if self.grows_slowly {
            largest / SLOW_GROWTH
        } else {
            largest * GROWTH
        };
        let size = FIRST.max(wished).max(more * 2);
        size.min(MOST_NUMBERS - self.numbers())
    }

    /// Makes room for so many pairs.
    pub(crate) fn reserve(&mut self, more: usize) {
        if self.levels.last().is_some_and(|it| it.room() >= more) {
            return;
        }
        let size = self.next_size(more);
        let first = u32::try_from(self.numbers()).expect("memory ends before 2^32 pairs");
        self.levels.push(Level::new(first, size));
    }

    pub(crate) fn get(&self, number: u32) -> u64 {
        let mut levels = self.levels.iter().rev();
        let level = levels.find(|it| it.first <= number);
        let level = level.expect("a number was given by one of the levels");
        level.places[(number - level.first) as usize].load(Ordering::Relaxed)
    }

    /// Makes another pair of each, which lies where the one before did: its hash has to be the same.
    pub(crate) fn replace_all(&mut self, mut other: impl FnMut(u64) -> u64) {
        for place in self.levels.iter_mut().flat_map(|it| &mut it.places) {
            let pair = place.get_mut();
            if *pair != 0 {
                *pair = other(*pair);
            }
        }
    }

    /// How many numbers there are room for.
    pub(crate) fn numbers(&self) -> usize {
        self.levels.iter().map(|it| it.places.len()).sum()
    }

    /// Looks where a pair of this hash will be looked for first, so that several of these looks wait for memory together.
    pub(crate) fn look_ahead(&self, hash: u64) -> u64 {
        let largest = self.levels.iter().rev().take(2);
        let first = largest.map(|it| it.places[it.start(hash)].load(Ordering::Relaxed));
        first.fold(0, |all, it| all ^ it)
    }

    /// What each of so many workers may add.
    pub(crate) fn share(&self, workers: usize) -> Share {
        let room = self.levels.last().map_or(0, Level::room);
        Share {
            room: room / workers,
            added: 0,
        }
    }

    /// A worker is done.
    pub(crate) fn settle(&mut self, share: &Share) {
        if let Some(last) = self.levels.last_mut() {
            last.count += share.added;
        }
    }

    /// The number of a pair, which is no zero, and whether it is new, while no other worker adds pairs.
    pub(crate) fn insert_alone(&mut self, pair: u64, hash: u64) -> (u32, bool) {
        self.reserve(1);
        let mut share = self.share(1);
        let inserted = self.insert(pair, hash, &mut share);
        self.settle(&share);
        inserted.expect("there is room for one")
    }

    /// The same while others are; `None` if it is new and there is no room.
    pub(crate) fn insert(&self, pair: u64, hash: u64, share: &mut Share) -> Option<(u32, bool)> {
        let (last, before) = self.levels.split_last()?;
        let mut at = match last.search(pair, last.start(hash)) {
            Cell::Taken(at) => return Some((last.number(at), false)),
            Cell::Empty(at) => at,
        };
        for level in before.iter().rev() {
            if let Cell::Taken(at) = level.search(pair, level.start(hash)) {
                return Some((level.number(at), false));
            }
        }
        if share.added == share.room {
            return None;
        }
        loop {
            let place = &last.places[at];
            match place.compare_exchange(0, pair, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => {
                    share.added += 1;
                    return Some((last.number(at), true));
                }
                Err(known) if known == pair => return Some((last.number(at), false)),
                // Another worker was faster with another pair.
                Err(_) => match last.search(pair, at) {
                    Cell::Taken(at) => return Some((last.number(at), false)),
                    Cell::Empty(next) => at = next,
                },
            }
        }
    }
}

impl Saved for Levels {
    fn save(&self, sink: &mut Sink) {
        self.levels.len().save(sink);
        for level in &self.levels {
            level.places.len().save(sink);
            for place in &level.places {
                place.load(Ordering::Relaxed).save(sink);
            }
        }
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let mut levels = Self::default();
        for _ in 0..usize::load(source)? {
            let size = usize::load(source)?;
            let first = u32::try_from(levels.numbers());
            let first = first.map_err(|_| raddle_base::saved::wrong())?;
            let mut level = Level::new(first, size);
            for place in &mut level.places {
                let pair = u64::load(source)?;
                *place.get_mut() = pair;
                level.count += usize::from(pair != 0);
            }
            levels.levels.push(level);
        }
        Ok(levels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_keep_their_numbers_over_many_levels() {
        let mut levels = Levels::default();
        let pair = |it: u64| (it + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut numbers = Vec::new();
        for it in 0..2_000_000 {
            if it == 1_000_000 {
                assert!(levels.grow_slowly());
            }
            let (number, is_new) = levels.insert_alone(pair(it), pair(it));
            assert!(is_new);
            numbers.push(number);
        }
        let sizes: Vec<usize> = levels.levels.iter().map(|it| it.places.len()).collect();
        assert!(sizes[1] > sizes[0], "{sizes:?}");
        assert!(sizes.last() < sizes.iter().max(), "{sizes:?}");
        assert_eq!(levels.len(), 2_000_000);
        for (it, number) in (0..).zip(numbers) {
            let known = levels.insert_alone(pair(it), pair(it));
            assert_eq!(known, (number, false));
            assert_eq!(levels.get(number), pair(it));
        }
    }

    #[test]
    fn who_adds_the_same_pairs_at_the_same_time_gets_the_same_numbers() {
        let mut levels = Levels::default();
        levels.reserve(4 * 40_000);
        let all = |levels: &Levels| -> (Vec<Option<u32>>, Share) {
            let hash = |it: u64| it.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut share = levels.share(4);
            let insert = |it: u64| levels.insert(it * it, hash(it), &mut share);
            let numbers = (1..40_000).map(insert);
            let numbers = numbers.map(|it| Some(it?.0)).collect();
            (numbers, share)
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| all(&levels))).collect();
            let workers = workers.into_iter();
            workers.map(|it| it.join().expect("no panic")).collect()
        });
        assert!(done[0].0.iter().all(Option::is_some));
        for (numbers, share) in &done {
            assert_eq!(*numbers, done[0].0);
            levels.settle(share);
        }
        assert_eq!(levels.len(), 39_999);
    }

    #[test]
    fn nothing_new_is_added_without_room() {
        let mut levels = Levels::default();
        let mut share = levels.share(1);
        assert_eq!(levels.insert(7, 7, &mut share), None);
        levels.reserve(1);
        let room = levels.levels[0].room() as u64 / 2;
        let mut share = levels.share(2);
        for it in 1..=room {
            assert!(levels.insert(it, it << 40, &mut share).is_some());
        }
        assert_eq!(levels.insert(room + 1, 0, &mut share), None);
        let known = levels.insert(room, room << 40, &mut share);
        assert!(known.is_some());
    }
}
