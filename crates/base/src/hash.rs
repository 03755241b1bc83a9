//! A fast hash for keys that nobody chooses to collide: states and parts of them.
//!
//! The same on every run, unlike the hash of the standard library. Words are mixed by a multiplication whose high half is
//! folded in, so that every bit of a word reaches every bit of the hash.

use std::hash::{BuildHasherDefault, Hasher};

/// A map with the fast hash. Its order is not to be relied on.
pub type FastMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FastHasher>>;

/// A set with the fast hash. Its order is not to be relied on.
pub type FastSet<K> = std::collections::HashSet<K, BuildHasherDefault<FastHasher>>;

/// The hash of a value.
pub fn fast_hash(value: &impl std::hash::Hash) -> u64 {
    let mut hasher = FastHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

#[derive(Clone, Copy, Debug)]
pub struct FastHasher {
    state: u64,
}

impl Default for FastHasher {
    fn default() -> Self {
        Self {
            state: 0x243f_6a88_85a3_08d3,
        }
    }
}

impl FastHasher {
    fn mix(&mut self, word: u64) {
        // Both halves of the product count: the low one alone does not see high bits.
        let (low, high) = (self.state ^ word).widening_product(0x9e37_79b9_7f4a_7c15);
        self.state = (low ^ high).wrapping_add(0xa409_3822_299f_31d0);
    }
}

trait WideningProduct {
    /// The low and the high half of a product.
    fn widening_product(self, other: u64) -> (u64, u64);
}

impl WideningProduct for u64 {
    fn widening_product(self, other: u64) -> (u64, u64) {
        let bytes = (u128::from(self) * u128::from(other)).to_le_bytes();
        let half = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        (half(0), half(8))
    }
}

impl Hasher for FastHasher {
    fn finish(&self) -> u64 {
        let mut last = *self;
        last.mix(0x1319_8a2e_0370_7344);
        last.state
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(u64::from_le_bytes(word.try_into().expect("eight bytes")));
        }
        let rest = words.remainder();
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.mix(u64::from_le_bytes(word) ^ (rest.len() as u64) << 56);
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearby_values_do_not_collide() {
        let mut seen = FastSet::default();
        for high in 0..64_u64 {
            for low in 0..64_u64 {
                assert!(seen.insert(fast_hash(&(high << 58 | low))));
                assert!(seen.insert(fast_hash(&(low, high, 7_u8))));
            }
        }
    }

    #[test]
    fn lengths_count() {
        assert_ne!(fast_hash(&[0_u8; 3]), fast_hash(&[0_u8; 4]));
        assert_ne!(fast_hash(&vec![0_u64; 3]), fast_hash(&vec![0_u64; 4]));
    }
}
