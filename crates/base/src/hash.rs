//! A fast hash for keys that nobody chooses to collide: states and parts of them.
//!
//! The same on every run, unlike the hash of the standard library.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

pub type FastHasher = foldhash::fast::FoldHasher<'static>;

/// A map with the fast hash. Its order is not to be relied on.
pub type FastMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A set with the fast hash. Its order is not to be relied on.
pub type FastSet<K> = std::collections::HashSet<K, FixedState>;

/// The hash of a value.
pub fn fast_hash(value: &impl std::hash::Hash) -> u64 {
    FixedState::default().hash_one(value)
}

/// For a hash of many things one after the other.
pub fn fast_hasher() -> FastHasher {
    FixedState::default().build_hasher()
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

    #[test]
    fn it_is_the_same_on_every_run() {
        assert_eq!(
            fast_hash(&(1_u32, 2_u64, "three")),
            7_438_974_539_393_762_997
        );
    }
}
