//! Maps from names to parts of states. A copy costs nothing, and a change of one of many does not copy the others.
//!
//! Few entries are one tree. Of many, those whose numbers lie close together are a block, and blocks that do are a group; copies
//! share the blocks and groups that they have in common. Which entries make a block follows from their numbers alone. So
//! what differs between two maps is found without going through what they share.
//!
//! Blocks and groups remember what can be said of all entries in them, once somebody has asked for it, until they change. So
//! whoever looks for few of many entries leaves out where they cannot be.

mod stretch;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, btree_map};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Index, RangeBounds};
use std::slice;
use std::sync::Arc;

pub use stretch::{Held, Span, Stretch};
use stretch::{Summary, to_change};

/// What entries are found by.
pub trait Key: Ord + Copy {
    fn number(self) -> u64;
}

/// More entries than these are kept in blocks.
const MOST_IN_ONE: usize = 48;
/// So many bits of numbers may differ in a block, and as many more in a group.
const BITS: u32 = 5;

type Block<K, V> = Stretch<(K, V)>;
/// Blocks with what the numbers in them have in common, in order.
type Group<K, V> = Stretch<(u64, Arc<Block<K, V>>)>;
type NumberedGroup<K, V> = (u64, Arc<Group<K, V>>);
type Groups<K, V> = Vec<NumberedGroup<K, V>>;

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
        let group = &groups[find(groups, group_of(number)).ok()?].1.items;
        let block = &group[find(group, block_of(number)).ok()?].1.items;
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
        let group = to_change(&mut groups[at].1);
        let at = find(group, block_of(number)).ok()?;
        let block = to_change(&mut group[at].1);
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
        let block = to_change(entry(to_change(group), block_of(number)));
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
        let group = to_change(&mut groups[group_at].1);
        let block_at = find(group, block_of(number)).ok()?;
        let block = to_change(&mut group[block_at].1);
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
        let blocks = groups.flat_map(|(_, group)| to_change(group));
        let entries = blocks.flat_map(|(_, block)| to_change(block));
        let few = few.into_iter().flat_map(BTreeMap::values_mut);
        few.chain(entries.map(|(_, value)| value))
    }

    /// Those with keys in a range.
    pub fn range(&self, range: impl RangeBounds<K>) -> impl Iterator<Item = (&K, &V)> {
        self.iter().filter(move |(key, _)| range.contains(key))
    }

    /// The entries, without blocks in which none bears a mark. What is said of an entry is always the same as long as it is.
    pub fn marked<'a>(
        &'a self,
        say: impl Fn(&V) -> u8 + Copy + 'a,
        mark: u8,
    ) -> impl Iterator<Item = (&'a K, &'a V)> + 'a {
        let of_block = move |block: &Block<K, V>| {
            *block
                .marks
                .get_or_init(|| u8::of_all(block.items.iter().map(|it| say(&it.1))))
        };
        let of_group = move |group: &Group<K, V>| {
            *group
                .marks
                .get_or_init(|| u8::of_all(group.items.iter().map(|it| of_block(&it.1))))
        };
        self.wanted(
            move |block| of_block(block) & mark != 0,
            move |group| of_group(group) & mark != 0,
        )
    }

    /// The entries, without blocks in which none holds a number of a kind. What is said of an entry is always the same as
    /// long as it is.
    pub fn holding<'a>(
        &'a self,
        say: impl Fn(&V) -> Held + Copy + 'a,
        kind: usize,
        number: u64,
    ) -> impl Iterator<Item = (&'a K, &'a V)> + 'a {
        let of_block = move |block: &Block<K, V>| {
            *block
                .held
                .get_or_init(|| Held::of_all(block.items.iter().map(|it| say(&it.1))))
        };
        let of_group = move |group: &Group<K, V>| {
            *group
                .held
                .get_or_init(|| Held::of_all(group.items.iter().map(|it| of_block(&it.1))))
        };
        self.wanted(
            move |block| of_block(block)[kind].contains(number),
            move |group| of_group(group)[kind].contains(number),
        )
    }

    /// Few entries, or those in the blocks that are wanted, in groups that are.
    fn wanted<'a>(
        &'a self,
        has_block: impl Fn(&Block<K, V>) -> bool + 'a,
        has_group: impl Fn(&Group<K, V>) -> bool + 'a,
    ) -> impl Iterator<Item = (&'a K, &'a V)> + 'a {
        let (few, groups): (_, &[NumberedGroup<K, V>]) = match &self.0 {
            EntryShape::Few(entries) => (Some(entries.iter()), &[]),
            EntryShape::Many(groups, _) => (None, groups),
        };
        let groups = groups.iter().map(|(_, group)| &**group);
        let blocks = groups
            .filter(move |group| has_group(group))
            .flat_map(|group| group.items.iter().map(|(_, block)| &**block));
        let entries = blocks
            .filter(move |block| has_block(block))
            .flat_map(|block| block.items.iter().map(|(key, value)| (key, value)));
        few.into_iter().flatten().chain(entries)
    }

    /// The first number, from one on, that is no entry's.
    pub fn first_gap(&self, from: u64) -> u64 {
        let groups = match &self.0 {
            EntryShape::Few(entries) => {
                let numbers = entries.keys().map(|it| it.number());
                return numbers.fold(from, |gap, number| gap + u64::from(number == gap));
            }
            EntryShape::Many(groups, _) => groups,
        };
        let mut gap = from;
        while let Ok(at) = find(groups, group_of(gap)) {
            let group = &groups[at].1.items;
            while let Ok(at) = find(group, block_of(gap)) {
                let block = &group[at].1.items;
                let next = (block_of(gap) + 1) << BITS;
                gap = if block.len() == 1 << BITS {
                    next
                } else {
                    let numbers = block.iter().map(|(key, _)| key.number());
                    numbers.fold(gap, |gap, number| gap + u64::from(number == gap))
                };
                if gap != next {
                    return gap;
                }
            }
            if group_of(gap) == groups[at].0 {
                return gap;
            }
        }
        gap
    }

    /// The last number, before one, that is no entry's.
    pub fn last_gap(&self, before: u64) -> Option<u64> {
        let groups = match &self.0 {
            EntryShape::Few(entries) => {
                let mut numbers = entries.keys().rev().map(|it| it.number());
                return numbers
                    .try_fold(before, |end, number| {
                        end.checked_sub(u64::from(number + 1 == end))
                    })
                    .and_then(|end| end.checked_sub(1));
            }
            EntryShape::Many(groups, _) => groups,
        };
        let mut gap = before.checked_sub(1)?;
        while let Ok(at) = find(groups, group_of(gap)) {
            let (group_number, group) = (groups[at].0, &groups[at].1.items);
            while let Ok(at) = find(group, block_of(gap)) {
                let (number, block) = (group[at].0, &group[at].1.items);
                if block.len() == 1 << BITS {
                    gap = (number << BITS).checked_sub(1)?;
                } else {
                    for (key, _) in block.iter().rev() {
                        if key.number() == gap {
                            gap = gap.checked_sub(1)?;
                        }
                    }
                }
                if block_of(gap) == number {
                    return Some(gap);
                }
            }
            if group_of(gap) == group_number {
                return Some(gap);
            }
        }
        Some(gap)
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

fn row<T>(of: Option<&Arc<Stretch<T>>>) -> &[T] {
    of.map_or(&[], |it| &it.items)
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
                    *block = next.items.iter();
                } else {
                    *group = groups.next()?.1.items.iter();
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
            let block = entry(to_change(group), block_of(key.number()));
            to_change(block).push((key, value));
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
