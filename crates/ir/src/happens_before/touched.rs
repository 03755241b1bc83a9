//! Who touched which bytes last, as ranges of bytes that have the same past.

use std::collections::BTreeMap;

use crate::interpret::{MemoryAccess, ObjectNumber};

use super::SyncPlace;
use super::clocks::Actor;

/// The counts of a thread at its last accesses to a byte, 0 for none: plain reads, plain writes, atomic reads, atomic writes.
pub(super) type LastAccesses = [u32; 4];

/// What is remembered of a byte.
pub(super) type Past = BTreeMap<Actor, LastAccesses>;

/// Ranges that do not overlap, by where they begin, with their sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Touched {
    ranges: BTreeMap<SyncPlace, (u64, Past)>,
}

impl Touched {
    pub(super) fn pasts(&self) -> impl Iterator<Item = &Past> {
        self.ranges.values().map(|(_, past)| past)
    }

    pub(super) fn pasts_mut(&mut self) -> impl Iterator<Item = &mut Past> {
        self.ranges.values_mut().map(|(_, past)| past)
    }

    pub(super) fn retain_objects(&mut self, mut is_kept: impl FnMut(&ObjectNumber) -> bool) {
        self.ranges.retain(|(object, _), _| is_kept(object));
    }

    /// The ranges that make up what an access touches, each with its first byte.
    pub(super) fn by(
        &mut self,
        access: &MemoryAccess,
    ) -> impl Iterator<Item = (u64, &mut Past)> + use<'_> {
        let (object, begin) = (access.object, access.offset);
        let end = begin + access.size;
        self.cut(object, begin);
        self.cut(object, end);
        let mut at = begin;
        let mut missing = Vec::new();
        for ((_, start), (size, _)) in self.ranges.range((object, begin)..(object, end)) {
            if at < *start {
                missing.push((at, *start));
            }
            at = start + size;
        }
        if at < end {
            missing.push((at, end));
        }
        for (from, to) in missing {
            self.ranges.insert((object, from), (to - from, Past::new()));
        }
        let ranges = self.ranges.range_mut((object, begin)..(object, end));
        ranges.map(|((_, start), (_, past))| (*start, past))
    }

    /// Makes two ranges of one, if a byte lies inside of it.
    fn cut(&mut self, object: ObjectNumber, at: u64) {
        let earlier = self.ranges.range_mut((object, 0)..(object, at)).next_back();
        let Some(((_, start), (size, past))) = earlier else {
            return;
        };
        let end = start + *size;
        if at < end {
            let past = past.clone();
            *size = at - start;
            self.ranges.insert((object, at), (end - at, past));
        }
    }

    /// Forgets ranges without a past, and makes one of neighbours that have the same: equal pasts are equal then.
    pub(super) fn settle(&mut self) {
        self.ranges.retain(|_, (_, past)| !past.is_empty());
        let mut joined: Vec<(SyncPlace, (u64, Past))> = Vec::with_capacity(self.ranges.len());
        for ((object, start), (size, past)) in std::mem::take(&mut self.ranges) {
            match joined.last_mut() {
                Some(((of, begin), (length, before)))
                    if *of == object && *begin + *length == start && *before == past =>
                {
                    *length += size;
                }
                _ => joined.push(((object, start), (size, past))),
            }
        }
        self.ranges = joined.into_iter().collect();
    }
}
