//! What an initialiser comes down to: values at offsets, later ones instead of earlier ones.

use std::collections::HashMap;

use raddle_base::Span;

use crate::typed::PieceValue;
use crate::types::{BitField, RecordId, Type};

/// One scalar, record or run of bytes of an object that is initialised.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// In bytes; of a bit-field, that of its record.
    pub(super) offset: u64,
    pub(super) bits: Option<BitField>,
    pub(super) ty: Type,
    pub(super) value: PieceValue,
    pub(super) span: Span,
    /// In bits.
    pub(super) start: u64,
    pub(super) end: u64,
}

/// The leaves so far. Later ones replace earlier ones.
#[derive(Default)]
pub(super) struct Sink {
    pub(super) leaves: Vec<Leaf>,
    pub(super) is_static: bool,
    /// In bits: how far the leaves reach.
    end: u64,
    /// Which member of a union, by its place and type, is initialised.
    active: HashMap<(u64, RecordId), usize>,
}

/// How many leaves an initialiser may have.
pub(super) const LEAF_LIMIT: usize = 1 << 22;

impl Sink {
    pub(super) fn of_static() -> Self {
        Self {
            is_static: true,
            ..Self::default()
        }
    }

    pub(super) fn add(&mut self, leaf: Leaf) {
        if leaf.start < self.end {
            self.clear(leaf.start, leaf.end);
        }
        self.end = self.end.max(leaf.end);
        self.leaves.push(leaf);
    }

    /// Removes what lies between two bits.
    fn clear(&mut self, start: u64, end: u64) {
        let mut kept = Vec::with_capacity(self.leaves.len());
        for leaf in self.leaves.drain(..) {
            if leaf.end <= start || end <= leaf.start {
                kept.push(leaf);
                continue;
            }
            match &leaf.value {
                PieceValue::Bytes(bytes) => {
                    // What is left and right of it stays.
                    let first = start.saturating_sub(leaf.start) / 8;
                    let after = end.saturating_sub(leaf.start).div_ceil(8);
                    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
                    for (from, to) in [(0, first.min(length)), (after.min(length), length)] {
                        if from < to {
                            kept.push(leaf.part(from, to));
                        }
                    }
                }
                // A part of a record that is initialised as a whole: first the whole, then the part.
                PieceValue::Expression(_) if leaf.start < start || end < leaf.end => {
                    kept.push(leaf);
                }
                PieceValue::Expression(_) => {}
            }
        }
        self.leaves = kept;
    }

    /// Another member of a union makes the earlier one undone.
    pub(super) fn activate(&mut self, offset: u64, union: RecordId, member: usize, size: u64) {
        if let Some(earlier) = self.active.insert((offset, union), member)
            && earlier != member
        {
            self.clear(offset * 8, (offset + size) * 8);
        }
    }

    /// Bytes up to the end of the last leaf.
    pub(super) fn size(&self) -> u64 {
        self.end.div_ceil(8)
    }
}

impl Leaf {
    /// A run of the bytes of this leaf.
    fn part(&self, from: u64, to: u64) -> Leaf {
        let PieceValue::Bytes(bytes) = &self.value else {
            return self.clone();
        };
        let range = usize::try_from(from).unwrap_or(0)..usize::try_from(to).unwrap_or(0);
        Leaf {
            offset: self.offset + from,
            value: PieceValue::Bytes(bytes.get(range).unwrap_or_default().to_vec()),
            start: self.start + from * 8,
            end: self.start + to * 8,
            ..self.clone()
        }
    }

    pub(super) fn moved(&self, bytes: u64) -> Leaf {
        Leaf {
            offset: self.offset + bytes,
            start: self.start + bytes * 8,
            end: self.end + bytes * 8,
            ..self.clone()
        }
    }
}
