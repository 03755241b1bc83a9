//! Maps from names to parts of states. A copy costs nothing, and a change of one of many does not copy the others.
//!
//! Few entries are one tree. Of many, those whose numbers lie close together are a block, and blocks that do are a group; copies
//! share the blocks and groups that they have in common. Which entries make a block follows from their numbers alone. So
//! what differs between two maps is found without going through what they share.

use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Index, RangeBounds};
use std::slice;
use std::sync::Arc;

/// What entries are found by.
pub trait Key: Ord + Copy {
    fn number(self) -> u64;
}

/// More entries than these are kept in blocks.
const MOST_IN_ONE: usize = 48;
/// So many bits of numbers may differ in a block, and as many more in a group.
const BITS: u32 = 5;

type Block<K, V> = Vec<(K, V)>;
/// Blocks with what the numbers in them have in common, in order.
type Group<K, V> = Vec<(u64, Arc<Block<K, V>>)>;
type Groups<K, V> = Vec<(u64, Arc<Group<K, V>>)>;

#[derive(Clone)]
pub struct Entries<K, V>(EntryShape<K, V>);

#[derive(Clone)]
enum EntryShape<K, V> {
    Few(Arc<BTreeMap<K, V>>),
    Many(Arc<Groups<K, V>>, usize),
}

fn block_of(number: u64) -> u64 {
    number >> BITS
}

fn group_of(number: u64) -> u64 {
    number >> (2 * BITS)
}

impl<K, V> Default for Entries<K, V> {
    fn default() -> Self {
        Self(EntryShape::Few(Arc::default()))
    }
}

impl<K: Key, V: Clone> Entries<K, V> {
    pub fn len(&self) -> usize {
        match &self.0 {
            EntryShape::Few(entries) => entries.len(),
            EntryShape::Many(_, len) => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, key: &K) -> Option<&V> {
        let groups = match &self.0 {
            EntryShape::Few(entries) => return entries.get(key),
            EntryShape::Many(groups, _) => groups,
        };
        let number = key.number();
        let group = &groups[find(groups, group_of(number)).ok()?].1;
        let block = &group[find(group, block_of(number)).ok()?].1;
        let at = block.binary_search_by_key(key, |it| it.0).ok()?;
        Some(&block[at].1)
    }

    pub fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// To change it in place.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let groups = match &mut self.0 {
            EntryShape::Few(entries) => return Arc::make_mut(entries).get_mut(key),
            EntryShape::Many(groups, _) => Arc::make_mut(groups),
        };
        let number = key.number();
        let at = find(groups, group_of(number)).ok()?;
        let group = Arc::make_mut(&mut groups[at].1);
        let at = find(group, block_of(number)).ok()?;
        let block = Arc::make_mut(&mut group[at].1);
        let at = block.binary_search_by_key(key, |it| it.0).ok()?;
        Some(&mut block[at].1)
    }

    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let EntryShape::Few(entries) = &mut self.0 {
            if entries.len() < MOST_IN_ONE || entries.contains_key(&key) {
                return Arc::make_mut(entries).insert(key, value);
            }
            let entries = std::mem::take(entries);
            *self = entries
                .iter()
                .map(|(key, it)| (*key, it.clone()))
                .chain([(key, value)])
                .collect();
            return None;
        }
        let EntryShape::Many(groups, len) = &mut self.0 else {
            unreachable!("there are many")
        };
        let number = key.number();
        let group = entry(Arc::make_mut(groups), group_of(number));
        let block = Arc::make_mut(entry(Arc::make_mut(group), block_of(number)));
        match block.binary_search_by_key(&key, |it| it.0) {
            Ok(at) => Some(std::mem::replace(&mut block[at].1, value)),
            Err(at) => {
                block.insert(at, (key, value));
                *len += 1;
                None
            }
        }
    }

    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.get(key)?;
        let (groups, len) = match &mut self.0 {
            EntryShape::Few(entries) => return Arc::make_mut(entries).remove(key),
            EntryShape::Many(groups, len) => (Arc::make_mut(groups), len),
        };
        let number = key.number();
        let group_at = find(groups, group_of(number)).ok()?;
        let group = Arc::make_mut(&mut groups[group_at].1);
        let block_at = find(group, block_of(number)).ok()?;
        let block = Arc::make_mut(&mut group[block_at].1);
        let at = block.binary_search_by_key(key, |it| it.0).ok()?;
        let (_, removed) = block.remove(at);
        if block.is_empty() {
            group.remove(block_at);
            if group.is_empty() {
                groups.remove(group_at);
            }
        }
        *len -= 1;
        if *len <= MOST_IN_ONE {
            *self = self.iter().map(|(key, it)| (*key, it.clone())).collect();
        }
        Some(removed)
    }

    pub fn retain(&mut self, mut is_kept: impl FnMut(&K, &mut V) -> bool) {
        if let EntryShape::Few(entries) = &mut self.0 {
            Arc::make_mut(entries).retain(is_kept);
            return;
        }
        let entries = self.iter().map(|(key, it)| (*key, it.clone()));
        *self = entries
            .filter_map(|(key, mut it)| is_kept(&key, &mut it).then_some((key, it)))
            .collect();
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        match &self.0 {
            EntryShape::Few(entries) => Iter::Few(entries.iter()),
            EntryShape::Many(groups, _) => Iter::Many {
                groups: groups.iter(),
                group: [].iter(),
                block: [].iter(),
            },
        }
    }

    pub fn keys(&self) -> impl Iterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// To change all of them in place.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        let (few, many) = match &mut self.0 {
            EntryShape::Few(entries) => (Some(Arc::make_mut(entries)), None),
            EntryShape::Many(groups, _) => (None, Some(Arc::make_mut(groups))),
        };
        let groups = many.into_iter().flatten();
        let blocks = groups.flat_map(|(_, group)| Arc::make_mut(group));
        let entries = blocks.flat_map(|(_, block)| Arc::make_mut(block));
        let few = few.into_iter().flat_map(BTreeMap::values_mut);
        few.chain(entries.map(|(_, value)| value))
    }

    /// Those with keys in a range.
    pub fn range(&self, range: impl RangeBounds<K>) -> impl Iterator<Item = (&K, &V)> {
        self.iter().filter(move |(key, _)| range.contains(key))
    }

    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    /// Goes through all entries that the other map does not have so, in order, and those that only it has.
    pub fn differences<'a>(
        &'a self,
        other: &'a Self,
        mut each: impl FnMut(&'a K, Option<&'a V>, Option<&'a V>),
    ) where
        V: PartialEq,
    {
        match (&self.0, &other.0) {
            (EntryShape::Many(mine, _), EntryShape::Many(theirs, _)) => {
                merge(
                    mine,
                    theirs,
                    |it| it.0,
                    |_, mine, theirs| {
                        let mine = mine.map(|it| &it.1);
                        let theirs = theirs.map(|it| &it.1);
                        if !are_shared(mine, theirs) {
                            merge(
                                row(mine),
                                row(theirs),
                                |it| it.0,
                                |_, mine, theirs| {
                                    let mine = mine.map(|it| &it.1);
                                    let theirs = theirs.map(|it| &it.1);
                                    if !are_shared(mine, theirs) {
                                        different(row(mine), row(theirs), &mut each);
                                    }
                                },
                            );
                        }
                    },
                );
            }
            (EntryShape::Few(mine), EntryShape::Few(theirs)) if Arc::ptr_eq(mine, theirs) => {}
            (
                EntryShape::Few(_) | EntryShape::Many(..),
                EntryShape::Few(_) | EntryShape::Many(..),
            ) => {
                let (mut mine, mut theirs) = (self.iter().peekable(), other.iter().peekable());
                loop {
                    let key = match (mine.peek(), theirs.peek()) {
                        (Some(one), Some(other)) => one.0.min(other.0),
                        (Some(one), None) | (None, Some(one)) => one.0,
                        (None, None) => return,
                    };
                    let is = mine.next_if(|it| it.0 == key).map(|it| it.1);
                    let was = theirs.next_if(|it| it.0 == key).map(|it| it.1);
                    if is != was {
                        each(key, is, was);
                    }
                }
            }
        }
    }
}

fn find<T>(row: &[(u64, T)], number: u64) -> Result<usize, usize> {
    row.binary_search_by_key(&number, |it| it.0)
}

/// What belongs to a number in a row that is sorted by them, made if it is not there.
fn entry<T: Default>(row: &mut Vec<(u64, T)>, number: u64) -> &mut T {
    let at = find(row, number).unwrap_or_else(|at| {
        row.insert(at, (number, T::default()));
        at
    });
    &mut row[at].1
}

fn are_shared<T>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
    matches!((one, other), (Some(one), Some(other)) if Arc::ptr_eq(one, other))
}

fn row<T>(of: Option<&Arc<Vec<T>>>) -> &[T] {
    of.map_or(&[], |it| it)
}

/// Goes through two sorted rows side by side.
fn merge<'a, T, N: Ord + Copy>(
    one: &'a [T],
    other: &'a [T],
    number: impl Fn(&T) -> N,
    mut each: impl FnMut(N, Option<&'a T>, Option<&'a T>),
) {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    loop {
        let least = match (one.peek(), other.peek()) {
            (Some(one), Some(other)) => number(one).min(number(other)),
            (Some(it), None) | (None, Some(it)) => number(it),
            (None, None) => return,
        };
        let here = one.next_if(|it| number(it) == least);
        let there = other.next_if(|it| number(it) == least);
        each(least, here, there);
    }
}

fn different<'a, K: Key, V: PartialEq>(
    mine: &'a [(K, V)],
    theirs: &'a [(K, V)],
    each: &mut impl FnMut(&'a K, Option<&'a V>, Option<&'a V>),
) {
    merge(
        mine,
        theirs,
        |it| it.0,
        |_, mine, theirs| {
            if let Some((key, _)) = mine.or(theirs) {
                let (is, was) = (mine.map(|it| &it.1), theirs.map(|it| &it.1));
                if is != was {
                    each(key, is, was);
                }
            }
        },
    );
}

/// The entries of a map, in the order of their keys.
pub enum Iter<'a, K, V> {
    Few(btree_map::Iter<'a, K, V>),
    Many {
        groups: slice::Iter<'a, (u64, Arc<Group<K, V>>)>,
        group: slice::Iter<'a, (u64, Arc<Block<K, V>>)>,
        block: slice::Iter<'a, (K, V)>,
    },
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        match self {
            Iter::Few(entries) => Iter::Few(entries.clone()),
            Iter::Many {
                groups,
                group,
                block,
            } => Iter::Many {
                groups: groups.clone(),
                group: group.clone(),
                block: block.clone(),
            },
        }
    }
}

impl<'a, K, V> Iterator for Iter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(entries) => entries.next(),
            Iter::Many {
                groups,
                group,
                block,
            } => loop {
                if let Some((key, value)) = block.next() {
                    return Some((key, value));
                }
                if let Some((_, next)) = group.next() {
                    *block = next.iter();
                } else {
                    *group = groups.next()?.1.iter();
                }
            },
        }
    }
}

impl<K: Key, V: Clone> FromIterator<(K, V)> for Entries<K, V> {
    /// Of two entries with one key, the later stays.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries: BTreeMap<K, V> = entries.into_iter().collect();
        let len = entries.len();
        if len <= MOST_IN_ONE {
            return Self(EntryShape::Few(Arc::new(entries)));
        }
        let mut groups: Groups<K, V> = Vec::new();
        for (key, value) in entries {
            let group = entry(&mut groups, group_of(key.number()));
            let block = entry(Arc::make_mut(group), block_of(key.number()));
            Arc::make_mut(block).push((key, value));
        }
        Self(EntryShape::Many(Arc::new(groups), len))
    }
}

impl<'a, K: Key, V: Clone> IntoIterator for &'a Entries<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Key, V: Clone> Index<&K> for Entries<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        self.get(key).expect("the caller knows that it is there")
    }
}

impl<K: Key, V: Clone + PartialEq> PartialEq for Entries<K, V> {
    fn eq(&self, other: &Self) -> bool {
        let mut are_same = self.len() == other.len();
        if are_same {
            self.differences(other, |_, _, _| are_same = false);
        }
        are_same
    }
}

impl<K: Key, V: Clone + Eq> Eq for Entries<K, V> {}

impl<K: Key, V: Clone + PartialOrd> PartialOrd for Entries<K, V> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.iter().partial_cmp(other.iter())
    }
}

impl<K: Key, V: Clone + Ord> Ord for Entries<K, V> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.iter().cmp(other.iter())
    }
}

impl<K: Key + Hash, V: Clone + Hash> Hash for Entries<K, V> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_usize(self.len());
        for entry in self {
            entry.hash(hasher);
        }
    }
}

impl<K: Key + fmt::Debug, V: Clone + fmt::Debug> fmt::Debug for Entries<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Key for u32 {
        fn number(self) -> u64 {
            self.into()
        }
    }

    /// Numbers that are close together, and far from each other.
    fn key(at: u32) -> u32 {
        at * 7 % 900 + (at % 3) * 0x50_0000
    }

    #[test]
    fn entries_are_those_of_a_tree() {
        let (mut entries, mut plain) = (Entries::default(), BTreeMap::new());
        for at in 0..2_000_u32 {
            let before = (entries.clone(), plain.clone());
            if at % 3 == 2 || at > 1_200 {
                let gone = key(at * 5 % 1_300);
                assert_eq!(entries.remove(&gone), plain.remove(&gone));
            } else {
                assert_eq!(entries.insert(key(at), at), plain.insert(key(at), at));
            }
            assert_eq!(entries.len(), plain.len());
            assert!(entries.iter().eq(&plain), "in order");
            assert_eq!(entries.get(&key(at)), plain.get(&key(at)));
            let built: Entries<u32, u32> = plain.iter().map(|(key, it)| (*key, *it)).collect();
            assert_eq!(built, entries);
            let mut found = Vec::new();
            entries.differences(&before.0, |key, is, was| {
                found.push((*key, is.copied(), was.copied()));
            });
            let mut expected = Vec::new();
            for key in plain.keys().chain(before.1.keys()) {
                let (is, was) = (plain.get(key).copied(), before.1.get(key).copied());
                if is != was && !expected.contains(&(*key, is, was)) {
                    expected.push((*key, is, was));
                }
            }
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn changes_in_place_leave_copies_alone() {
        for len in [10, 500] {
            let mut entries: Entries<u32, u32> = (0..len).map(|at| (at, at)).collect();
            let copy = entries.clone();
            for value in entries.values_mut() {
                *value += 1;
            }
            *entries.get_mut(&3).expect("is there") = 77;
            entries.retain(|key, _| key % 2 == 1);
            assert!(copy.iter().all(|(key, value)| key == value));
            assert_eq!(entries.len(), len as usize / 2);
            assert_eq!((entries[&3], entries[&5]), (77, 6));
            assert_eq!(entries.range(4..).next(), Some((&5, &6)));
        }
    }
}
