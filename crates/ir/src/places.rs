//! Which objects lie, or lay, at one address.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::arithmetic::{moved_to, split_pointer};
use crate::types::DataModel;

use crate::interpret::state::{ObjectNumber, State};

/// Where a block of heap memory lies that was freed, or that lies where another did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockPlace {
    /// The number that stands for the address: that of an object which was there first.
    pub home: ObjectNumber,
    /// For how many bytes there is room.
    pub room: u64,
}

/// Freed blocks whose addresses may come back, and blocks at addresses that came back. Every other object has its address
/// to itself. Whoever knows which objects are dead counts as knowing this too: it is not noted ([`watch`](crate::watch)).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Places(pub(crate) Arc<BTreeMap<ObjectNumber, BlockPlace>>);

impl Places {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjectNumber, BlockPlace)> + '_ {
        self.0.iter().map(|(number, place)| (*number, *place))
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = ObjectNumber> + '_ {
        self.0.keys().copied()
    }

    /// Whether the number belongs to a life or to an address, so that it cannot be given to a new object.
    pub(crate) fn has(&self, number: ObjectNumber) -> bool {
        self.0.contains_key(&number) || self.0.values().any(|it| it.home == number)
    }

    /// Whether no earlier number stands for a life at its address.
    pub(crate) fn is_first(&self, number: ObjectNumber) -> bool {
        self.lives_at(self.home(number)).next() == Some(number)
    }

    fn home(&self, number: ObjectNumber) -> ObjectNumber {
        self.0.get(&number).map_or(number, |it| it.home)
    }

    /// A word with the number of the address in it, if it names a life there.
    pub(crate) fn address(&self, word: u128, model: DataModel) -> u128 {
        let (number, _) = split_pointer(word, model);
        let place = self.0.get(&ObjectNumber(number));
        // What lies too far from its object to be an address beside the home is none there either.
        place
            .and_then(|it| moved_to(word, it.home.0, model))
            .unwrap_or(word)
    }

    /// Whether two objects lie, or lay, at one address.
    pub fn share(&self, one: ObjectNumber, other: ObjectNumber) -> bool {
        self.home(one) == self.home(other)
    }

    /// The object that lives where this one lived, under another number.
    pub fn living(&self, number: ObjectNumber, state: &State) -> Option<ObjectNumber> {
        let objects = state.objects.unobserved();
        self.lives_at(self.home(number))
            .filter(|it| *it != number)
            .find(|it| objects.get(it).is_some_and(|it| it.is_live))
    }

    /// All lives at an address that somebody may tell.
    pub fn lives_at(&self, home: ObjectNumber) -> impl Iterator<Item = ObjectNumber> + '_ {
        self.iter()
            .filter(move |(_, place)| place.home == home)
            .map(|(number, _)| number)
    }

    /// The addresses where nothing lives and so many bytes fit, in order.
    pub(crate) fn free_for(&self, size: u64, state: &State) -> Vec<ObjectNumber> {
        let objects = state.objects.unobserved();
        let is_live = |number: &ObjectNumber| objects.get(number).is_some_and(|it| it.is_live);
        let mut homes: Vec<ObjectNumber> = self
            .0
            .values()
            .filter(|place| size <= place.room)
            .map(|place| place.home)
            .filter(|home| !self.lives_at(*home).any(|it| is_live(&it)))
            .collect();
        homes.sort_unstable();
        homes.dedup();
        homes
    }

    /// A block was freed: from now on others may lie there.
    pub(crate) fn free(&mut self, number: ObjectNumber, room: u64) {
        let places = Arc::make_mut(&mut self.0);
        places
            .entry(number)
            .or_insert(BlockPlace { home: number, room });
    }

    /// A new object lies at an address that is free. The block keeps its size.
    pub(crate) fn take(&mut self, number: ObjectNumber, home: ObjectNumber) {
        let rooms = self.0.values().filter(|it| it.home == home);
        let room = rooms.map(|it| it.room).max().unwrap_or(0);
        Arc::make_mut(&mut self.0).insert(number, BlockPlace { home, room });
    }

    pub(crate) fn retain(&mut self, is_kept: impl Fn(ObjectNumber) -> bool) {
        if self.0.keys().all(|it| is_kept(*it)) {
            return;
        }
        Arc::make_mut(&mut self.0).retain(|number, _| is_kept(*number));
    }

    /// Names every address after the first life there that is left, and forgets what has its address to itself: for
    /// programs that never see which number an address is.
    pub(crate) fn settle(&mut self, is_live: impl Fn(ObjectNumber) -> bool) {
        let mut lives: BTreeMap<ObjectNumber, Vec<ObjectNumber>> = BTreeMap::new();
        for (number, place) in self.iter() {
            lives.entry(place.home).or_default().push(number);
        }
        let mut settled = BTreeMap::new();
        for numbers in lives.values() {
            if let [only] = numbers[..]
                && is_live(only)
            {
                continue;
            }
            for number in numbers {
                let place = BlockPlace {
                    home: numbers[0],
                    ..self.0[number]
                };
                settled.insert(*number, place);
            }
        }
        if settled != *self.0 {
            self.0 = Arc::new(settled);
        }
    }

    /// The same with other names.
    pub fn renamed(&self, rename: impl Fn(ObjectNumber) -> ObjectNumber) -> Self {
        let renamed = self.iter().map(|(number, place)| {
            let home = rename(place.home);
            (rename(number), BlockPlace { home, ..place })
        });
        Self(Arc::new(renamed.collect()))
    }
}

impl FromIterator<(ObjectNumber, BlockPlace)> for Places {
    fn from_iter<I: IntoIterator<Item = (ObjectNumber, BlockPlace)>>(places: I) -> Self {
        Self(Arc::new(places.into_iter().collect()))
    }
}
