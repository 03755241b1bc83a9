//! Pointers as terms: numbers in a row, of which the high bits are the number of an object and the low ones the offset in it.
//!
//! The last few addresses before those of an object belong to it too: a pointer may hold them, though not follow. Raised by
//! as many, a pointer has its object in the high bits whichever of its addresses it holds; the low bits are its rank there.

use super::{TermId, Terms};

/// How pointers are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerLayout {
    /// The low bits, which are the offset; the others are the number of the object.
    pub offset_bits: u32,
    pub object_bits: u32,
    /// How many addresses below an object a pointer may hold.
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
    fn raised_pointer(&mut self, pointer: TermId, layout: PointerLayout) -> TermId {
        assert_eq!(self.width(pointer), layout.width(), "a pointer");
        let below = self.constant(u128::from(layout.bytes_below), layout.width());
        self.add(pointer, below)
    }

    /// The number of the object that a pointer points into or below.
    pub fn pointer_object(&mut self, pointer: TermId, layout: PointerLayout) -> TermId {
        let raised = self.raised_pointer(pointer, layout);
        self.extract(raised, layout.offset_bits, layout.object_bits)
    }

    /// The offset from the object; the highest ones are below it.
    pub fn pointer_offset(&mut self, pointer: TermId, layout: PointerLayout) -> TermId {
        assert_eq!(self.width(pointer), layout.width(), "a pointer");
        self.extract(pointer, 0, layout.offset_bits)
    }

    /// The order of pointers: by object, then from the lowest address on.
    pub fn pointer_less(&mut self, left: TermId, right: TermId, layout: PointerLayout) -> TermId {
        let left = self.raised_pointer(left, layout);
        let right = self.raised_pointer(right, layout);
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
        let distance = self.resize(amount, layout.width(), is_signed);
        let moved = self.add(pointer, distance);
        // Room for the rank and for every amount that could lead to another rank, with a sign.
        let cut = self.resize(amount, layout.offset_bits + 1, is_signed);
        let is_too_much = self.is_changed_by_cut(amount, cut, is_signed);
        let raised = self.raised_pointer(pointer, layout);
        let rank = self.extract(raised, 0, layout.offset_bits);
        let rank = self.zero_extend(rank, layout.offset_bits + 2);
        let change = self.sign_extend(cut, layout.offset_bits + 2);
        let new_rank = self.add(rank, change);
        let above = self.extract(new_rank, layout.offset_bits, 2);
        let is_inside = self.equals_constant(above, 0);
        let is_outside = self.not(is_inside);
        MovedPointer {
            pointer: moved,
            leaves: self.or(is_too_much, is_outside),
        }
    }

    /// Whether `cut`, read with a sign, is another number than the one it was resized from.
    fn is_changed_by_cut(&mut self, number: TermId, cut: TermId, is_signed: bool) -> TermId {
        let kept = self.width(cut);
        let whole = self.width(number);
        if whole < kept || whole == kept && is_signed {
            return self.truth(false);
        }
        // Bits that are cut off, and the highest that is kept: all zero, or, with a sign, all the same.
        let high = self.extract(number, kept - 1, whole - kept + 1);
        let is_small = self.equals_constant(high, 0);
        let mut is_kept = is_small;
        if is_signed {
            let is_negative = self.equals_constant(high, u128::MAX);
            is_kept = self.or(is_small, is_negative);
        }
        self.not(is_kept)
    }

    /// The bytes from `right` to `left`, as a signed number of this width. Both point into one object.
    pub fn pointer_distance(&mut self, left: TermId, right: TermId, width: u32) -> TermId {
        let distance = self.subtract(left, right);
        self.resize(distance, width, true)
    }
}
