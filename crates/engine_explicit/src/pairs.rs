//! Pairs of numbers, each once, numbered in order of discovery, for one worker.

use raddle_base::saved::{Saved, Sink, Source};

/// How many pairs a bucket of the index holds.
const ROOM: usize = 12;

/// A line of the cache: numbers of pairs, with eight bits of their hashes, so that hardly ever a pair is looked at in vain.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
struct Bucket {
    numbers: [u32; ROOM],
    /// 0 where nothing is; those come last.
    tags: [u8; ROOM],
}

impl Bucket {
    const EMPTY: Self = Self {
        numbers: [0; ROOM],
        tags: [0; ROOM],
    };
}

/// Pairs of numbers, each once, numbered in order of discovery.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    pub(crate) pairs: Vec<u64>,
    buckets: Vec<Bucket>,
}

/// Larger pieces of memory grow where they are, by the system; glibc moves smaller ones.
const LARGEST_COPIED: usize = 32 << 20;

/// How many bytes of a vector have to be copied if so many elements come in.
pub(crate) fn copied(length: usize, capacity: usize, more: usize, size: usize) -> usize {
    let bytes = length * size;
    let is_copied = length + more > capacity && bytes <= LARGEST_COPIED;
    if is_copied { bytes } else { 0 }
}

/// How full the index may get, in percent.
const FULL: usize = 85;

impl Pairs {
    /// The number of a pair, and whether it is new.
    pub(crate) fn insert(&mut self, pair: u64) -> (u32, bool) {
        if self.pairs.len() * 100 >= self.buckets.len() * ROOM * FULL {
            self.grow();
        }
        let (mut at, tag) = self.place(pair);
        loop {
            let bucket = &self.buckets[at];
            for (known, number) in bucket.tags.iter().zip(bucket.numbers) {
                if *known == tag && self.pairs[number as usize] == pair {
                    return (number, false);
                }
            }
            if bucket.tags[ROOM - 1] == 0 {
                break;
            }
            at = self.after(at);
        }
        let number = u32::try_from(self.pairs.len()).expect("memory ends before 2^32 pairs");
        self.pairs.push(pair);
        put(&mut self.buckets[at], tag, number);
        (number, true)
    }

    /// In which bucket to look for a pair first, and under which tag.
    fn place(&self, pair: u64) -> (usize, u8) {
        let mixed = hash_of(pair);
        let scaled = (u128::from(mixed) * self.buckets.len() as u128) >> 64;
        let [.., tag] = (mixed >> 4).to_be_bytes();
        let at = usize::try_from(scaled).expect("below the number of buckets");
        (at, tag.max(1))
    }

    /// Looks where a pair will be looked for, so that several of these looks wait for memory together.
    pub(crate) fn look_ahead(&self, pair: u64) -> u8 {
        if self.buckets.is_empty() {
            return 0;
        }
        self.buckets[self.place(pair).0].tags[0]
    }

    fn after(&self, at: usize) -> usize {
        if at + 1 == self.buckets.len() {
            0
        } else {
            at + 1
        }
    }

    fn larger(&self) -> usize {
        (self.buckets.len() + self.buckets.len() / 2).max(8)
    }

    /// Makes room by a half, so that the index is never far from full.
    fn grow(&mut self) {
        self.fill(self.larger());
    }

    /// How many bytes more there will be at once if so many pairs come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        let is_full = (self.pairs.len() + more) * 100 >= self.buckets.len() * ROOM * FULL;
        let sizes = [self.larger(), self.buckets.len()].map(|it| it * size_of::<Bucket>());
        let index = match sizes {
            _ if !is_full => 0,
            // What was given back is too small to be used.
            [larger, _] if larger <= LARGEST_COPIED => larger,
            [larger, before] => larger - before,
        };
        let pairs = &self.pairs;
        index + copied(pairs.len(), pairs.capacity(), more, size_of::<u64>())
    }

    /// Makes another pair of each, under the same number.
    pub(crate) fn replace_all(&mut self, mut other: impl FnMut(u64) -> u64) {
        let size = self.buckets.len();
        self.buckets = Vec::new();
        for pair in &mut self.pairs {
            *pair = other(*pair);
        }
        self.fill(size);
    }

    /// Makes an index of this size, or none.
    fn fill(&mut self, size: usize) {
        self.buckets = Vec::new();
        if size == 0 {
            return;
        }
        self.buckets.resize(size, Bucket::EMPTY);
        for number in 0..self.pairs.len() {
            let (mut at, tag) = self.place(self.pairs[number]);
            while self.buckets[at].tags[ROOM - 1] != 0 {
                at = self.after(at);
            }
            let number = u32::try_from(number).expect("counted before");
            put(&mut self.buckets[at], tag, number);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.pairs) + size_of_val(&*self.buckets)
    }
}

/// Puts the number of a pair into a bucket with room.
fn put(bucket: &mut Bucket, tag: u8, number: u32) {
    let at = bucket.tags.iter().position(|it| *it == 0);
    let at = at.expect("the bucket has room");
    bucket.tags[at] = tag;
    bucket.numbers[at] = number;
}

/// By which a pair is looked for.
pub(crate) fn hash_of(pair: u64) -> u64 {
    let mixed = (pair ^ (pair >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Saved for Pairs {
    fn save(&self, sink: &mut Sink) {
        self.pairs.save(sink);
        self.buckets.len().save(sink);
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let mut pairs = Self {
            pairs: Vec::load(source)?,
            buckets: Vec::new(),
        };
        // Where they lie in the index follows from what they are.
        pairs.fill(usize::load(source)?);
        Ok(pairs)
    }
}
