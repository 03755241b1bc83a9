//! Maps, compared with trees.

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
fn what_is_wanted_is_found_whatever_has_changed() {
    let mark = |value: &u32| u8::from(value.is_multiple_of(97));
    let held = |value: &u32| [[u64::from(*value)].into_iter().collect(), Span::NOTHING];
    let mut entries: Entries<u32, u32> = Entries::default();
    for at in 0..1_500_u32 {
        let key = key(at);
        if at % 4 == 3 {
            entries.remove(&self::key(at / 2));
        } else if at % 7 == 6 {
            entries.values_mut().for_each(|it| *it += 1);
        } else {
            entries.insert(key, at);
            *entries.get_mut(&key).expect("is there") += 1;
        }
        let sought = u64::from(at / 2);
        let holds = |it: &(&u32, &u32)| u64::from(*it.1) == sought;
        let found = entries.holding(held, 0, sought);
        assert!(found.filter(holds).eq(entries.iter().filter(holds)));
        let is_marked = |it: &(&u32, &u32)| it.1.is_multiple_of(97);
        let found = entries.marked(mark, 1);
        assert!(found.filter(is_marked).eq(entries.iter().filter(is_marked)));
        let none = entries.holding(held, 1, sought);
        assert!(none.count() == 0 || entries.len() <= MOST_IN_ONE);
    }
}

#[test]
fn gaps_are_the_numbers_that_are_missing() {
    for len in [0, 20, 49, 1_024, 3_000] {
        let full: Entries<u32, u32> = (0..len).map(|at| (at + 64, at)).collect();
        assert_eq!(full.first_gap(0), 0);
        assert_eq!(full.first_gap(64), u64::from(len) + 64, "{len}");
        assert_eq!(full.last_gap(u64::from(len) + 64), Some(63));
        assert_eq!(full.last_gap(0), None);
        for missing in [64, 95, 96, 1_087, 1_088, 2_000] {
            let mut holed = full.clone();
            if holed.remove(&missing).is_some() {
                assert_eq!(holed.first_gap(64), u64::from(missing));
                assert_eq!(
                    holed.last_gap(u64::from(len) + 64),
                    Some(u64::from(missing))
                );
                assert_eq!(holed.last_gap(u64::from(missing)), Some(63));
                let after = holed.first_gap(u64::from(missing) + 1);
                assert_eq!(after, u64::from(len) + 64);
            }
        }
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
