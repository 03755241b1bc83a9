//! Sets of typed ids as bits.

use std::marker::PhantomData;

use crate::Id;

/// A set of ids. Grows on insertion; equality ignores trailing absent ids.
#[derive(Clone, Debug, Default)]
pub struct BitSet<I> {
    words: Vec<u64>,
    id: PhantomData<I>,
}

impl<I: Id> BitSet<I> {
    pub fn new() -> Self {
        Self {
            words: Vec::new(),
            id: PhantomData,
        }
    }

    pub fn contains(&self, id: I) -> bool {
        let index = id.index();
        self.words
            .get(index / 64)
            .is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    /// Whether the id was absent before.
    pub fn insert(&mut self, id: I) -> bool {
        let index = id.index();
        if self.words.len() <= index / 64 {
            self.words.resize(index / 64 + 1, 0);
        }
        let word = &mut self.words[index / 64];
        let bit = 1 << (index % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub fn remove(&mut self, id: I) {
        let index = id.index();
        if let Some(word) = self.words.get_mut(index / 64) {
            *word &= !(1 << (index % 64));
        }
    }

    /// Adds all of `other`; whether anything was new.
    pub fn union_with(&mut self, other: &Self) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut changed = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            changed |= more & !*word != 0;
            *word |= more;
        }
        changed
    }

    pub fn iter(&self) -> impl Iterator<Item = I> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| I::from_index(at * 64 + bit))
        })
    }
}

impl<I: Id> PartialEq for BitSet<I> {
    fn eq(&self, other: &Self) -> bool {
        let longest = self.words.len().max(other.words.len());
        (0..longest).all(|at| self.words.get(at).unwrap_or(&0) == other.words.get(at).unwrap_or(&0))
    }
}

impl<I: Id> Eq for BitSet<I> {}

impl<I: Id> FromIterator<I> for BitSet<I> {
    fn from_iter<It: IntoIterator<Item = I>>(ids: It) -> Self {
        let mut set = Self::new();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

#[cfg(test)]
#[expect(unreachable_pub, reason = "`define_id` makes public types")]
mod tests {
    use super::*;

    crate::define_id!(
        /// An id for the tests.
        Number, "n"
    );

    #[test]
    fn a_set_holds_what_was_inserted_and_not_removed() {
        let mut set = BitSet::new();
        assert!(set.insert(Number::from_index(3)));
        assert!(set.insert(Number::from_index(130)));
        assert!(!set.insert(Number::from_index(3)));
        set.remove(Number::from_index(130));
        set.remove(Number::from_index(1000));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Number::from_index(3)]);
        assert_eq!(set, [Number::from_index(3)].into_iter().collect());
    }

    #[test]
    fn union_tells_whether_it_changed_the_set() {
        let mut set: BitSet<Number> = [1, 2].map(Number::from_index).into_iter().collect();
        let more: BitSet<Number> = [2, 70].map(Number::from_index).into_iter().collect();
        assert!(set.union_with(&more));
        assert!(!set.union_with(&more));
        assert!(set.contains(Number::from_index(70)));
    }
}
