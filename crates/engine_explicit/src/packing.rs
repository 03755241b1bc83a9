//! Many small numbers in few words: how the parts of a vector lie in the leaves of its tree.
//!
//! Most slots have few parts, so their numbers take few bits. The fewer leaves there are, the lower are trees, and the less
//! there is to look up for each state.
//!
//! A slot that gets more parts than it had bits for gets more of them where no other has any. Those are zero in whatever was
//! packed before, which so stays as it is.

use raddle_base::saved;

use crate::ids::{PartId, Slot};

/// Where the part of a slot lies.
#[derive(Clone, Copy, Debug)]
struct Field {
    leaf: u32,
    shift: u32,
    bits: u32,
}

impl Field {
    fn mask(self) -> u32 {
        u32::MAX >> (u32::BITS - self.bits)
    }

    /// Writes as many bits of a part as lie here.
    fn put(self, part: u32, leaf: &mut u32) {
        let mask = self.mask();
        *leaf = *leaf & !(mask << self.shift) | (part & mask) << self.shift;
    }
}

/// More bits of a slot.
#[derive(Clone, Copy, Debug)]
struct More {
    slot: Slot,
    /// How many bits of the part lie elsewhere, the lower ones.
    below: u32,
    field: Field,
}

/// Bits that are left for parts that are not known yet.
const SPARE_BITS: u32 = 2;

/// Where the parts of all slots lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    more: Vec<More>,
    /// How many bits of each leaf are in use.
    used: Vec<u32>,
}

impl Packing {
    /// With room for so many parts in each slot, and some more. In `order`, what belongs together is
    /// close together, and what is the same in all vectors comes last.
    pub(crate) fn new(counts: &[usize], order: &[Slot]) -> Self {
        let bits: u32 = counts.iter().map(|it| with_spare(*it)).sum();
        let mut width = (bits.div_ceil(u32::BITS) as usize).next_power_of_two();
        loop {
            if let Some(packing) = Self::within(width, counts, order) {
                return packing;
            }
            width *= 2;
        }
    }

    /// In so many leaves, if they are enough. A tree has few nodes if what differs between vectors is spread evenly over it,
    /// and what is the same in all of them lies wherever there is room.
    fn within(width: usize, counts: &[usize], order: &[Slot]) -> Option<Self> {
        let bits = |slot: Slot| with_spare(counts[slot.index()]);
        let different = order.iter().filter(|it| counts[it.index()] > 1);
        let all: u32 = different.map(|it| bits(*it)).sum();
        let nowhere = Field {
            leaf: 0,
            shift: 0,
            bits: 0,
        };
        let mut packing = Self {
            fields: vec![nowhere; counts.len()],
            more: Vec::new(),
            used: vec![0; width],
        };
        let mut before = 0;
        for &slot in order {
            let middle = (before + bits(slot) / 2) as usize;
            before += bits(slot);
            let first = (middle * width / all.max(1) as usize).min(width - 1);
            let fits = |leaf: &usize| packing.used[*leaf] + bits(slot) <= u32::BITS;
            let leaf = (first..width).chain(0..first).find(fits)?;
            packing.fields[slot.index()] = packing.field_in(leaf, bits(slot));
        }
        Some(packing)
    }

    /// How many leaves there are.
    pub(crate) fn leaves(&self) -> usize {
        self.used.len()
    }

    /// Whether slots with so many parts have room, those that have none yet aside.
    pub(crate) fn has_room(&self, counts: impl Iterator<Item = usize>) -> bool {
        let mut bits: Vec<u32> = self.fields.iter().map(|it| it.bits).collect();
        for more in &self.more {
            bits[more.slot.index()] += more.field.bits;
        }
        let mut bits = bits.into_iter().zip(counts);
        bits.all(|(bits, count)| needed(count) <= bits)
    }

    /// Gives room to slots that have none or too little. What was packed before stays as it is.
    pub(crate) fn extend(&mut self, counts: impl Iterator<Item = usize>) {
        let known = self.fields.len();
        for (slot, count) in counts.enumerate() {
            let bits = with_spare(count);
            if slot < known {
                self.widen(slot, count, bits);
                continue;
            }
            // Objects that are made one after the other often belong together.
            let last = self.used.len().saturating_sub(1);
            let field = self.field(bits, last);
            self.fields.push(field);
        }
    }

    /// Makes so many bits of those of a slot, if they are too few for so many parts.
    fn widen(&mut self, slot: usize, count: usize, bits: u32) {
        if needed(count) <= self.fields[slot].bits {
            return;
        }
        let slot_number = Slot::at(slot);
        let more = self.more.iter().filter(|it| it.slot == slot_number);
        let below = self.fields[slot].bits + more.map(|it| it.field.bits).sum::<u32>();
        if needed(count) <= below {
            return;
        }
        let field = self.field(bits - below, 0);
        self.more.push(More {
            slot: slot_number,
            below,
            field,
        });
    }

    /// So many bits that are not taken, in the first leaf from some on that has them.
    fn field(&mut self, bits: u32, from: usize) -> Field {
        let mut leaves = (from..self.used.len())
            .chain(0..from)
            .chain([self.used.len()]);
        let fits = |leaf: &usize| self.used.get(*leaf).is_none_or(|it| it + bits <= u32::BITS);
        let leaf = leaves.find(fits).expect("a new leaf has all of them");
        if leaf == self.used.len() {
            self.used.push(0);
        }
        self.field_in(leaf, bits)
    }

    /// So many bits of a leaf that has them.
    fn field_in(&mut self, leaf: usize, bits: u32) -> Field {
        let shift = self.used[leaf];
        self.used[leaf] += bits;
        Field {
            leaf: u32::try_from(leaf).expect("fewer leaves than slots"),
            shift,
            bits,
        }
    }

    /// The parts in these leaves.
    pub(crate) fn unpack(&self, leaves: &[u32], parts: &mut Vec<PartId>) {
        parts.clear();
        let part = |it: &Field| (leaves[it.leaf as usize] >> it.shift) & it.mask();
        parts.extend(self.fields.iter().map(part).map(PartId));
        for more in &self.more {
            parts[more.slot.index()].0 |= part(&more.field) << more.below;
        }
    }

    /// The leaves that change if some parts do, which are sorted. Leaves are so, too.
    pub(crate) fn pack_changes(
        &self,
        leaves: &[u32],
        changes: &[(Slot, PartId)],
        packed: &mut Vec<(u32, u32)>,
    ) {
        packed.clear();
        let mut put = |field: &Field, part: u32| {
            let known = packed.iter().rposition(|it| it.0 == field.leaf);
            let known = known.unwrap_or_else(|| {
                packed.push((field.leaf, leaves[field.leaf as usize]));
                packed.len() - 1
            });
            field.put(part, &mut packed[known].1);
        };
        for &(slot, part) in changes {
            put(&self.fields[slot.index()], part.0);
        }
        for more in &self.more {
            if let Ok(at) = changes.binary_search_by_key(&more.slot, |(slot, _)| *slot) {
                put(&more.field, high(changes[at].1, more.below));
            }
        }
        // Neighbours have nodes above them in common.
        packed.sort_unstable_by_key(|it| it.0);
    }

    /// The leaves of a vector.
    pub(crate) fn pack(&self, parts: &[PartId]) -> Vec<u32> {
        let mut leaves = vec![0; self.leaves()];
        self.pack_into(parts, &mut leaves);
        leaves
    }

    /// The same into leaves that are all zero.
    pub(crate) fn pack_into(&self, parts: &[PartId], leaves: &mut [u32]) {
        for (field, part) in self.fields.iter().zip(parts) {
            field.put(part.0, &mut leaves[field.leaf as usize]);
        }
        for More { slot, below, field } in &self.more {
            let part = parts.get(slot.index()).copied().unwrap_or_default();
            field.put(high(part, *below), &mut leaves[field.leaf as usize]);
        }
    }
}

/// How many bits a slot with so many parts needs.
fn needed(count: usize) -> u32 {
    usize::BITS - count.leading_zeros()
}

/// And some more.
fn with_spare(count: usize) -> u32 {
    (needed(count) + SPARE_BITS).min(u32::BITS)
}

/// A part without so many of its bits.
fn high(part: PartId, below: u32) -> u32 {
    part.0.checked_shr(below).unwrap_or(0)
}

saved!(struct Field { leaf, shift, bits });
saved!(struct More { slot, below, field });
saved!(struct Packing { fields, more, used });

#[cfg(test)]
mod tests {
    use super::*;

    fn parts_of<const N: usize>(numbers: [u32; N]) -> [PartId; N] {
        numbers.map(PartId)
    }

    #[test]
    fn what_is_packed_comes_back() {
        let counts = [1_usize, 300, 7, 0, 70_000, 5, 1 << 31];
        let mut packing = Packing::new(&counts[..5], &[3, 0, 2, 1, 4].map(Slot));
        packing.extend(counts.into_iter());
        assert!(packing.has_room(counts.into_iter()));
        let parts = parts_of([1, 299, 7, 0, 70_000, 4, (1 << 31) - 1]);
        let leaves = packing.pack(&parts);
        let mut unpacked = Vec::new();
        packing.unpack(&leaves, &mut unpacked);
        assert_eq!(unpacked, parts);
        let mut changes = Vec::new();
        packing.pack_changes(
            &leaves,
            &[(1, 5), (2, 6), (6, 9)].map(|(slot, part)| (Slot(slot), PartId(part))),
            &mut changes,
        );
        let mut changed = leaves.clone();
        for (leaf, value) in changes {
            changed[leaf as usize] = value;
        }
        packing.unpack(&changed, &mut unpacked);
        assert_eq!(unpacked, parts_of([1, 5, 6, 0, 70_000, 4, 9]));
        assert!(!packing.has_room([100].into_iter()));
    }

    #[test]
    fn what_was_packed_stays_as_it_is_when_slots_get_more_bits() {
        let mut packing = Packing::new(&[3, 1, 200, 30, 9], &[0, 1, 2, 3, 4].map(Slot));
        let before = parts_of([3, 1, 199, 30, 0]);
        let mut leaves = packing.pack(&before);
        let counts = || [5_000_usize, 1, 70_000, 30, 1 << 31, 6].into_iter();
        assert!(!packing.has_room(counts()));
        packing.extend(counts());
        assert!(packing.has_room(counts()));
        leaves.resize(packing.leaves(), 0);
        let mut unpacked = Vec::new();
        packing.unpack(&leaves, &mut unpacked);
        assert_eq!(unpacked, parts_of([3, 1, 199, 30, 0, 0]));
        let after = parts_of([4_999, 0, 69_999, 17, (1 << 31) - 1, 5]);
        let changes: Vec<(Slot, PartId)> = (0..).map(Slot).zip(after).collect();
        let mut packed = Vec::new();
        packing.pack_changes(&leaves, &changes, &mut packed);
        let mut changed: Vec<u32> = packed.iter().map(|it| it.0).collect();
        changed.sort_unstable();
        changed.dedup();
        assert_eq!(changed.len(), packed.len(), "each leaf once");
        for (leaf, value) in &packed {
            leaves[*leaf as usize] = *value;
        }
        packing.unpack(&leaves, &mut unpacked);
        assert_eq!(unpacked, after);
        assert_eq!(packing.pack(&after), leaves);
        packing.pack_changes(&leaves, &[(Slot(2), PartId(1))], &mut packed);
        for (leaf, value) in &packed {
            leaves[*leaf as usize] = *value;
        }
        packing.unpack(&leaves, &mut unpacked);
        assert_eq!(unpacked, parts_of([4_999, 0, 1, 17, (1 << 31) - 1, 5]));
    }
}
