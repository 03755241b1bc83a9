//! Pointers as terms: the number of an object above an offset in it, where the highest offsets lie below the object.
//!
//! Offsets are compared and moved by their rank: how far they are from the lowest address that a pointer into the object
//! may hold.

use super::{TermId, Terms};

/// How pointers are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerLayout {
    /// The low bits, which are the offset; the others are the number of the object.
    pub offset_bits: u32,
    pub object_bits: u32,
    /// How many addresses below an object a pointer may hold; the highest offsets stand for them.
    pub bytes_below: u64,
}

/// A pointer that was moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedPointer {
    /// What it points at then; anything if it leaves.
    pub pointer: TermId,
    /// Whether it leaves the addresses of its object.
    pub leaves: TermId,
}

impl PointerLayout {
    fn width(self) -> u32 {
        self.offset_bits + self.object_bits
    }
}

impl Terms {
    /// The number of the object that a pointer points into.
    pub fn pointer_object(&mut self, pointer: TermId, layout: PointerLayout) -> TermId {
        assert_eq!(self.width(pointer), layout.width(), "a pointer");
        self.extract(pointer, layout.offset_bits, layout.object_bits)
    }

    /// The offset as it stands in the pointer.
    pub fn pointer_offset(&mut self, pointer: TermId, layout: PointerLayout) -> TermId {
        assert_eq!(self.width(pointer), layout.width(), "a pointer");
        self.extract(pointer, 0, layout.offset_bits)
    }

    /// How far the offset is from the lowest one.
    fn pointer_rank(&mut self, pointer: TermId, layout: PointerLayout) -> TermId {
        let offset = self.pointer_offset(pointer, layout);
        let below = self.constant(u128::from(layout.bytes_below), layout.offset_bits);
        self.add(offset, below)
    }

    /// The order of pointers: by object, then from the lowest address on.
    pub fn pointer_less(&mut self, left: TermId, right: TermId, layout: PointerLayout) -> TermId {
        let [left, right] = [left, right].map(|pointer| {
            let object = self.pointer_object(pointer, layout);
            let rank = self.pointer_rank(pointer, layout);
            self.concatenate(object, rank)
        });
        self.less_unsigned(left, right)
    }

    /// The pointer so many bytes further. The amount is of any width.
    pub fn move_pointer(
        &mut self,
        pointer: TermId,
        amount: TermId,
        is_signed: bool,
        layout: PointerLayout,
    ) -> MovedPointer {
        // Room for the rank and for every amount that could lead to another rank, with a sign.
        let amount_width = layout.offset_bits + 1;
        let sum_width = layout.offset_bits + 2;
        let (amount, is_too_much) = if self.width(amount) <= layout.offset_bits {
            let amount = self.resize(amount, amount_width, is_signed);
            (amount, self.truth(false))
        } else {
            let cut = self.resize(amount, amount_width, is_signed);
            let enough = self.width(amount).max(amount_width + 1).min(128);
            let exact = self.resize(amount, enough, is_signed);
            let back = self.sign_extend(cut, enough);
            let mut is_too_much = self.differ(exact, back);
            if !is_signed {
                // Without a sign, no amount is negative, not even one that 128 bits leave no room to tell.
                let is_negative = self.extract(cut, amount_width - 1, 1);
                is_too_much = self.or(is_too_much, is_negative);
            }
            (cut, is_too_much)
        };
        let rank = self.pointer_rank(pointer, layout);
        let rank = self.zero_extend(rank, sum_width);
        let amount = self.sign_extend(amount, sum_width);
        let sum = self.add(rank, amount);
        let above = self.extract(sum, layout.offset_bits, 2);
        let is_outside = {
            let is_inside = self.equals_constant(above, 0);
            self.not(is_inside)
        };
        let leaves = self.or(is_too_much, is_outside);
        let new_rank = self.extract(sum, 0, layout.offset_bits);
        let below = self.constant(u128::from(layout.bytes_below), layout.offset_bits);
        let offset = self.subtract(new_rank, below);
        let object = self.pointer_object(pointer, layout);
        MovedPointer {
            pointer: self.concatenate(object, offset),
            leaves,
        }
    }

    /// The bytes from `right` to `left`, as a signed number of this width. Both point into one object.
    pub fn pointer_distance(
        &mut self,
        left: TermId,
        right: TermId,
        width: u32,
        layout: PointerLayout,
    ) -> TermId {
        let [left, right] = [left, right].map(|pointer| {
            let rank = self.pointer_rank(pointer, layout);
            self.zero_extend(rank, layout.offset_bits + 1)
        });
        let distance = self.subtract(left, right);
        self.resize(distance, width, true)
    }
}
