//! Many small numbers in few words: how the parts of a vector lie in the leaves of its tree.
//!
//! Most slots have few parts, so their numbers take few bits. The fewer leaves there are, the lower are trees, and the less
//! there is to look up for each state.

use raddle_base::saved;

use crate::parts::{PartId, Slot};

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
}

/// Bits that are left for parts that are not known yet.
const SPARE_BITS: u32 = 2;

/// Where the parts of all slots lie.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packing {
    fields: Vec<Field>,
    /// How many bits of each leaf are in use.
    used: Vec<u32>,
}

impl Packing {
    /// With room for so many parts in each slot, and some more.
    pub(crate) fn new(counts: impl Iterator<Item = usize>) -> Self {
        let mut packing = Self::default();
        packing.extend(counts);
        packing
    }

    /// How many leaves there are.
    pub(crate) fn leaves(&self) -> usize {
        self.used.len()
    }

    /// Whether slots with so many parts have room, those that have none yet aside.
    pub(crate) fn has_room(&self, counts: impl Iterator<Item = usize>) -> bool {
        let mut fields = self.fields.iter().zip(counts);
        fields.all(|(field, count)| count <= field.mask() as usize)
    }

    /// Gives room to slots that have none yet. What was packed before stays as it is.
    pub(crate) fn extend(&mut self, counts: impl Iterator<Item = usize>) {
        for count in counts.skip(self.fields.len()) {
            let needed = usize::BITS - count.leading_zeros();
            let bits = (needed + SPARE_BITS).min(u32::BITS);
            let fits = |used: &u32| used + bits <= u32::BITS;
            let leaf = if self.used.last().is_some_and(fits) {
                self.used.len() - 1
            } else {
                self.used.push(0);
                self.used.len() - 1
            };
            self.fields.push(Field {
                leaf: u32::try_from(leaf).expect("fewer leaves than slots"),
                shift: self.used[leaf],
                bits,
            });
            self.used[leaf] += bits;
        }
    }

    /// The parts in these leaves.
    pub(crate) fn unpack(&self, leaves: &[u32], parts: &mut Vec<PartId>) {
        parts.clear();
        let part = |it: &Field| (leaves[it.leaf as usize] >> it.shift) & it.mask();
        parts.extend(self.fields.iter().map(part));
    }

    /// The leaves that change if some parts do, sorted as these are.
    pub(crate) fn pack_changes(
        &self,
        leaves: &[u32],
        changes: &[(Slot, PartId)],
        packed: &mut Vec<(u32, u32)>,
    ) {
        packed.clear();
        for &(slot, part) in changes {
            let field = self.fields[slot as usize];
            let is_same = packed.last().is_some_and(|(leaf, _)| *leaf == field.leaf);
            if !is_same {
                packed.push((field.leaf, leaves[field.leaf as usize]));
            }
            let (_, value) = packed.last_mut().expect("just pushed");
            *value = *value & !(field.mask() << field.shift) | part << field.shift;
        }
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
            leaves[field.leaf as usize] |= part << field.shift;
        }
    }
}

saved!(struct Field { leaf, shift, bits });
saved!(struct Packing { fields, used });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let counts = [1_usize, 300, 7, 0, 70_000, 5, 1 << 31];
        let mut packing = Packing::new(counts.into_iter().take(5));
        packing.extend(counts.into_iter());
        assert!(packing.has_room(counts.into_iter()));
        let parts = [1, 299, 7, 0, 70_000, 4, (1 << 31) - 1];
        let leaves = packing.pack(&parts);
        let mut unpacked = Vec::new();
        packing.unpack(&leaves, &mut unpacked);
        assert_eq!(unpacked, parts);
        let mut changes = Vec::new();
        packing.pack_changes(&leaves, &[(1, 5), (2, 6), (6, 9)], &mut changes);
        let mut changed = leaves.clone();
        for (leaf, value) in changes {
            changed[leaf as usize] = value;
        }
        packing.unpack(&changed, &mut unpacked);
        assert_eq!(unpacked, [1, 5, 6, 0, 70_000, 4, 9]);
        assert!(!packing.has_room([100].into_iter()));
    }
}
