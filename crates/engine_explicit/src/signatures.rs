//! A set of hashes in few bytes: hash compaction.
//!
//! # Source
//!
//! \[Wolper93\]: a state is known by a hash that is so long that two states hardly ever share one.
//!
//! # Definitions
//!
//! A hash has 64 bits. Its bucket tells the first ones, so that only the last 48 are kept, ten in a line of the cache.
//!
//! # Invariants
//!
//! - **(H1)** There are at least 2^16 buckets, and the bucket of a hash is the part of all hashes in which it lies. So the bucket and the
//!   last bits together are the hash, and the table can grow without having seen the states again.
//!
//! # Deviations
//!
//! 1. How the hashes lie in memory is ours (H1).
//! 2. The report says how likely it is that a state was missed, at most.
//!
//! # Tested by
//!
//! The tests below; `crates/testkit/tests/compaction.rs`.

use raddle_base::saved::{Saved, Sink, Source};
use raddle_base::{FastSet, saved};

/// How many hashes a bucket has room for.
const ROOM: usize = 10;
/// How many bits of each are kept.
const KEPT_BITS: u32 = 48;
/// How many buckets there are at first.
const FIRST: usize = 1 << (u64::BITS - KEPT_BITS);
/// How full the buckets may get, in percent.
const FULL: usize = 75;

/// A line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
struct SignatureBucket {
    kept: [[u8; 6]; ROOM],
    count: u8,
}

impl Saved for SignatureBucket {
    fn save(&self, sink: &mut Sink) {
        let mut bytes = [0; 6 * ROOM];
        bytes.copy_from_slice(self.kept.as_flattened());
        bytes.save(sink);
        self.count.save(sink);
    }

    fn load(source: &mut Source) -> std::io::Result<Self> {
        let bytes: [u8; 6 * ROOM] = Saved::load(source)?;
        let mut bucket = Self::default();
        bucket.kept.as_flattened_mut().copy_from_slice(&bytes);
        bucket.count = u8::load(source)?;
        Ok(bucket)
    }
}

impl SignatureBucket {
    fn contains(&self, kept: [u8; 6]) -> bool {
        self.kept[..self.count.into()].contains(&kept)
    }

    /// Whether there was room.
    fn put(&mut self, kept: [u8; 6]) -> bool {
        let at = usize::from(self.count);
        if at == ROOM {
            return false;
        }
        self.kept[at] = kept;
        self.count += 1;
        true
    }
}

/// Many buckets, in segments, so that there can be more without copying them.
#[derive(Debug, Default)]
struct Buckets {
    segments: Vec<Box<[SignatureBucket]>>,
    len: usize,
}

/// How many buckets are in one segment.
const SEGMENT: usize = 1 << 14;

impl Buckets {
    fn at(&mut self, at: usize) -> &mut SignatureBucket {
        &mut self.segments[at / SEGMENT][at % SEGMENT]
    }

    fn resize(&mut self, len: usize) {
        while self.segments.len() * SEGMENT < len {
            self.segments
                .push(vec![SignatureBucket::default(); SEGMENT].into_boxed_slice());
        }
        self.len = len;
    }

    fn bytes(&self) -> usize {
        self.segments.len() * SEGMENT * size_of::<SignatureBucket>()
    }
}

saved!(struct Buckets { segments, len });

/// A set of hashes.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    buckets: Buckets,
    /// Those for which their bucket had no room.
    others: FastSet<u64>,
    count: usize,
}

saved!(struct Signatures { buckets, others, count });

/// The last bits of a hash.
fn kept(hash: u64) -> [u8; 6] {
    let [_, _, kept @ ..] = hash.to_be_bytes();
    kept
}

/// The first bucket that a hash can be in is the so-manieth part of all.
fn bucket(hash: u64, buckets: usize) -> usize {
    let scaled = (u128::from(hash) * buckets as u128) >> u64::BITS;
    usize::try_from(scaled).expect("below the number of buckets")
}

/// The hash in a bucket, by its last bits.
fn whole(kept: [u8; 6], at: usize, buckets: usize) -> u64 {
    let last = kept
        .iter()
        .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
    let first = ((at as u128) << u64::BITS).div_ceil(buckets as u128);
    let first = u64::try_from(first).expect("the bucket is one of them");
    let space = 1 << KEPT_BITS;
    first + (last.wrapping_sub(first) & (space - 1))
}

impl Signatures {
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    pub(crate) fn bytes(&self) -> usize {
        // A set of the standard library has one byte more for each, and is half empty.
        self.buckets.bytes() + self.others.len() * 2 * (size_of::<u64>() + 1)
    }

    /// How many bytes more that will be at once if so many come in.
    pub(crate) fn growth(&self, more: usize) -> usize {
        let is_full = (self.count + more) * 100 >= self.buckets.len * ROOM * FULL;
        let growth = self.larger().saturating_sub(self.buckets.len);
        if is_full {
            growth * size_of::<SignatureBucket>()
        } else {
            0
        }
    }

    /// Two to this power is at most the number of pairs of states of which one may have been missed, for one that was.
    pub(crate) fn power(&self) -> u32 {
        let pairs = (self.count as u128 * self.count as u128) / 2;
        u64::BITS.saturating_sub(pairs.max(1).ilog2() + 1)
    }

    /// Whether the hash is new.
    pub(crate) fn insert(&mut self, hash: u64) -> bool {
        if self.count * 100 >= self.buckets.len * ROOM * FULL {
            self.grow();
        }
        let at = bucket(hash, self.buckets.len);
        let bucket = self.buckets.at(at);
        let is_full = usize::from(bucket.count) == ROOM;
        if bucket.contains(kept(hash)) || is_full && self.others.contains(&hash) {
            return false;
        }
        if is_full {
            self.others.insert(hash);
        } else {
            bucket.put(kept(hash));
        }
        self.count += 1;
        true
    }

    fn larger(&self) -> usize {
        (self.buckets.len + self.buckets.len / 4).max(FIRST)
    }

    /// Makes room by a quarter, in place: no hash comes to lie before where it was, so the last go first.
    fn grow(&mut self) {
        let (before, size) = (self.buckets.len, self.larger());
        self.buckets.resize(size);
        for at in (0..before).rev() {
            let bucket_before = std::mem::take(self.buckets.at(at));
            for kept_bits in &bucket_before.kept[..bucket_before.count.into()] {
                self.put_back(whole(*kept_bits, at, before));
            }
        }
        let others = std::mem::take(&mut self.others);
        #[expect(
            clippy::iter_over_hash_type,
            reason = "no order is better than another"
        )]
        for hash in others {
            self.put_back(hash);
        }
    }

    fn put_back(&mut self, hash: u64) {
        let at = bucket(hash, self.buckets.len);
        if !self.buckets.at(at).put(kept(hash)) {
            self.others.insert(hash);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random.
    fn hashes(count: u64) -> impl Iterator<Item = u64> {
        (0..count).map(|it| {
            let mixed = (it + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        })
    }

    #[test]
    fn what_was_inserted_is_known_however_large_the_set_has_grown() {
        let mut set = Signatures::default();
        for hash in hashes(1_000_000) {
            assert!(set.insert(hash));
        }
        for hash in [0, u64::MAX, 1 << 63] {
            assert!(set.insert(hash));
        }
        assert_eq!(set.len(), 1_000_003);
        for hash in hashes(1_000_000).chain([0, u64::MAX, 1 << 63]) {
            assert!(!set.insert(hash));
        }
        assert!(set.bytes() < 11 * set.len(), "{}", set.bytes() / set.len());
    }

    #[test]
    fn a_bucket_and_the_last_bits_are_the_hash() {
        for buckets in [FIRST, FIRST + FIRST / 4, 3 * FIRST + 17] {
            for hash in hashes(10_000).chain([0, u64::MAX]) {
                let at = bucket(hash, buckets);
                assert_eq!(whole(kept(hash), at, buckets), hash);
            }
        }
    }

    #[test]
    fn the_chance_to_miss_a_state_grows_with_their_number() {
        let mut set = Signatures::default();
        for hash in hashes(1 << 16) {
            set.insert(hash);
        }
        // 2^31 pairs, each of which is the same with a chance of one in 2^64.
        assert_eq!(set.power(), 64 - 32);
    }
}
