//! Abstract values: what a register or a cell may hold, as far as addresses and names of threads are concerned.

use std::collections::BTreeSet;

use raddle_base::define_id;
use raddle_ir::FunctionId;

use crate::call_graph::ThreadId;

define_id!(
    /// An abstract object: all objects that one global or one allocation makes.
    ObjectId, "o"
);

/// The byte offsets `remainder + k * stride`; one offset alone if the stride is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset {
    pub stride: u64,
    pub remainder: u64,
}

impl Offset {
    /// Any offset at all.
    pub const ANY: Offset = Offset {
        stride: 1,
        remainder: 0,
    };

    pub fn exactly(offset: u64) -> Self {
        Self {
            stride: 0,
            remainder: offset,
        }
    }

    pub fn exact(self) -> Option<u64> {
        (self.stride == 0).then_some(self.remainder)
    }

    fn reduced(stride: u64, remainder: u64) -> Self {
        match stride {
            0 => Self::exactly(remainder),
            _ => Self {
                stride,
                remainder: remainder % stride,
            },
        }
    }

    pub fn covers(self, other: Offset) -> bool {
        if self.stride == 0 {
            return self == other;
        }
        other.stride.is_multiple_of(self.stride) && other.remainder % self.stride == self.remainder
    }

    pub fn join(self, other: Offset) -> Self {
        let apart = self.remainder.abs_diff(other.remainder);
        let stride = greatest_divisor(greatest_divisor(self.stride, other.stride), apart);
        Self::reduced(stride, self.remainder)
    }

    /// Moved by an amount; `None` if the result is no offset.
    pub fn moved(self, by: Amount) -> Option<Self> {
        let sum = i128::from(self.remainder).checked_add(by.remainder)?;
        let stride = greatest_divisor(self.stride, by.stride);
        if stride == 0 {
            return u64::try_from(sum).ok().map(Self::exactly);
        }
        let remainder = sum.rem_euclid(i128::from(stride));
        Some(Self::reduced(stride, u64::try_from(remainder).ok()?))
    }

    /// Whether `size` bytes here and `other_size` bytes there may share a byte.
    pub fn may_overlap(self, size: u64, other: Offset, other_size: u64) -> bool {
        if size == 0 || other_size == 0 {
            return false;
        }
        let stride = greatest_divisor(self.stride, other.stride);
        let (mine, theirs) = (self.remainder, other.remainder);
        if stride == 0 {
            return mine < theirs.saturating_add(other_size) && theirs < mine.saturating_add(size);
        }
        // How far the others begin behind mine, in the least distance that is not negative.
        let behind = (i128::from(theirs) - i128::from(mine)).rem_euclid(i128::from(stride));
        behind < i128::from(size) || i128::from(stride) - behind < i128::from(other_size)
    }

    /// Whether `size` bytes here and there are always the same bytes or share none.
    pub fn same_or_apart(self, other: Offset, size: u64) -> bool {
        let stride = greatest_divisor(self.stride, other.stride);
        if stride == 0 {
            return self == other || !self.may_overlap(size, other, size);
        }
        stride >= size && self.remainder % stride == other.remainder % stride
    }
}

/// A number of bytes: `remainder + k * stride`, one number alone if the stride is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    pub stride: u64,
    pub remainder: i128,
}

impl Amount {
    pub const ANY: Amount = Amount {
        stride: 1,
        remainder: 0,
    };

    pub fn exactly(amount: i128) -> Self {
        Self {
            stride: 0,
            remainder: amount,
        }
    }
}

pub(crate) fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        greatest_divisor(b, a % b)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    Null,
    /// A number that is the address of nothing, as it is too small or too large. May name a root.
    Small,
    /// Any bits at all: they may look like any address and any name.
    Number,
    Address(ObjectId, Offset),
    Function(FunctionId),
    /// The name of a thread that was spawned.
    Thread(ThreadId),
}

/// What may be held. Nothing at all: only a value that was never set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueSet {
    values: BTreeSet<Value>,
}

/// More offsets into one object than this are drawn together.
const MAX_OFFSETS: usize = 8;

impl ValueSet {
    pub fn of(value: Value) -> Self {
        Self {
            values: BTreeSet::from([value]),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        self.values.iter().copied()
    }

    pub fn contains(&self, value: Value) -> bool {
        self.values.contains(&value)
    }

    pub fn addresses(&self) -> impl Iterator<Item = (ObjectId, Offset)> + '_ {
        self.iter().filter_map(|value| match value {
            Value::Address(object, offset) => Some((object, offset)),
            Value::Null | Value::Small | Value::Number | Value::Function(_) | Value::Thread(_) => {
                None
            }
        })
    }

    pub fn functions(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.iter().filter_map(|value| match value {
            Value::Function(function) => Some(function),
            Value::Null | Value::Small | Value::Number | Value::Address(..) | Value::Thread(_) => {
                None
            }
        })
    }

    /// Whether following it as an address, or calling it, may lead anywhere at all.
    pub fn is_wild(&self) -> bool {
        self.iter().any(|value| match value {
            Value::Number | Value::Thread(_) => true,
            Value::Null | Value::Small | Value::Address(..) | Value::Function(_) => false,
        })
    }

    /// Whether the value was new.
    pub fn insert(&mut self, value: Value) -> bool {
        let Value::Address(object, offset) = value else {
            return self.values.insert(value);
        };
        let known: Vec<Offset> = self
            .addresses()
            .filter(|(other, _)| *other == object)
            .map(|(_, offset)| offset)
            .collect();
        if known.iter().any(|it| it.covers(offset)) {
            return false;
        }
        self.values.insert(value);
        if known.len() >= MAX_OFFSETS {
            let joined = known.iter().fold(offset, |sum, it| sum.join(*it));
            self.values
                .retain(|it| !matches!(it, Value::Address(other, _) if *other == object));
            self.values.insert(Value::Address(object, joined));
        }
        true
    }

    /// Whether anything was new.
    pub fn add(&mut self, other: &ValueSet) -> bool {
        let mut changed = false;
        for value in other.iter() {
            changed |= self.insert(value);
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;

    use super::*;

    fn strided(stride: u64, remainder: u64) -> Offset {
        Offset { stride, remainder }
    }

    #[test]
    fn fields_of_array_elements_do_not_overlap() {
        assert!(!strided(24, 8).may_overlap(4, strided(24, 12), 4));
        assert!(strided(24, 8).may_overlap(5, strided(24, 12), 4));
        assert!(strided(24, 20).may_overlap(5, strided(24, 0), 4));
        assert!(!strided(24, 8).may_overlap(4, Offset::exactly(36), 4));
        assert!(strided(24, 8).may_overlap(4, Offset::exactly(32), 4));
        assert!(Offset::ANY.may_overlap(1, Offset::exactly(100), 1));
        assert!(!Offset::exactly(0).may_overlap(4, Offset::exactly(4), 4));
    }

    #[test]
    fn joining_and_moving_keep_what_both_have_in_common() {
        assert_eq!(Offset::exactly(8).join(Offset::exactly(32)), strided(24, 8));
        assert_eq!(strided(24, 8).join(Offset::exactly(12)), strided(4, 0));
        let back = Amount::exactly(-16);
        assert_eq!(strided(24, 8).moved(back), Some(strided(24, 16)));
        assert_eq!(Offset::exactly(8).moved(back), None);
        assert!(strided(8, 0).covers(strided(24, 8)));
        assert!(!strided(24, 8).covers(strided(8, 0)));
    }

    #[test]
    fn overlap_agrees_with_enumeration() {
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            for (x, y) in (0..8).flat_map(|x| (0..8).map(move |y| (x, y))) {
                for (m, n) in [(1, 1), (2, 1), (1, 3), (4, 4)] {
                    let (mine, theirs) = (Offset::reduced(a, x), Offset::reduced(b, y));
                    let all = |offset: Offset| {
                        let last = if offset.stride == 0 { 0 } else { 40 };
                        (0..=last).map(move |k| offset.remainder + k * offset.stride)
                    };
                    let meets = all(mine).any(|p| all(theirs).any(|q| p < q + n && q < p + m));
                    // Near the beginning of an object the enumeration may find less, never more.
                    assert!(
                        !meets || mine.may_overlap(m, theirs, n),
                        "{mine:?} {theirs:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn many_offsets_into_one_object_are_drawn_together() {
        let mut set = ValueSet::default();
        let object = ObjectId::from_index(0);
        for index in 0..20 {
            set.insert(Value::Address(object, Offset::exactly(8 * index)));
        }
        assert!(
            set.addresses()
                .any(|(_, it)| it.covers(Offset::exactly(8 * 100)))
        );
        assert!(set.iter().count() <= MAX_OFFSETS + 1);
    }
}
