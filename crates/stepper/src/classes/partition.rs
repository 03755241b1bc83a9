//! Which values of a type are told apart.

use raddle_ir::types::IntType;

use super::segments::{Piece, Segments};

/// Finer partitions are taken to tell everything apart.
const MOST_SEGMENTS: usize = 512;
/// Remainders by larger numbers are taken to be the numbers themselves.
pub(super) const GREATEST_MODULUS: u128 = 1024;

/// A partition of the values of a type. On each interval, values are told apart if their remainders by a modulus
/// differ: by 1, none is; by 0, which stands for infinity, all are. Values of two intervals are told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Partition {
    moduli: Segments<u128>,
}

impl Partition {
    /// No two values are told apart.
    pub(super) fn nothing() -> Self {
        Self::by_remainder(1)
    }

    /// All values are told apart.
    pub(super) fn everything() -> Self {
        Self::by_remainder(0)
    }

    pub(super) fn by_remainder(modulus: u128) -> Self {
        Self {
            moduli: Segments::constant(modulus),
        }
    }

    /// Values below `start` are told from the others.
    pub(super) fn cut(start: u128) -> Self {
        Self {
            moduli: Segments::split(start, 1, 1),
        }
    }

    /// How many intervals it has.
    pub(super) fn len(&self) -> usize {
        self.moduli.len()
    }

    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::nothing()
    }

    /// Nothing if it is nothing, else everything.
    pub(super) fn nothing_or_everything(&self) -> Self {
        if self.is_nothing() {
            Self::nothing()
        } else {
            Self::everything()
        }
    }

    /// Tells apart what either does.
    pub(super) fn join(&self, other: &Self) -> Self {
        Self::bounded(self.moduli.zip(&other.moduli, least_common_multiple))
    }

    /// Looks only at values that may occur: the others are one class for each gap.
    pub(super) fn among(&self, possible: &Segments<bool>) -> Self {
        let moduli = self
            .moduli
            .zip(
                possible,
                |modulus, is_possible| {
                    if is_possible { Some(modulus) } else { None }
                },
            )
            .joined(|a, b| a.is_none() && b.is_none());
        Self::bounded(moduli.zip(&Segments::constant(()), |modulus, ()| modulus.unwrap_or(1)))
    }

    fn bounded(moduli: Segments<u128>) -> Self {
        let moduli = moduli.joined(|a, b| a == 0 && b == 0);
        if moduli.len() > MOST_SEGMENTS {
            Self::everything()
        } else {
            Self { moduli }
        }
    }

    /// What must be told of `x` so that this can be told of `x + amount`, which wraps.
    pub(super) fn before_adding(&self, amount: u128, int: IntType) -> Self {
        let mask = int.mask();
        if self.is_nothing() || amount == 0 {
            return self.clone();
        }
        self.before(&[
            Piece {
                first: 0,
                last: mask - amount,
                image: amount,
                is_reversed: false,
            },
            Piece {
                first: mask - amount + 1,
                last: mask,
                image: 0,
                is_reversed: false,
            },
        ])
    }

    /// What must be told of `x` so that this can be told of `minuend - x`, which wraps.
    pub(super) fn before_subtracting_from(&self, minuend: u128, int: IntType) -> Self {
        let mask = int.mask();
        if self.is_nothing() {
            return self.clone();
        }
        let low = Piece {
            first: 0,
            last: minuend,
            image: minuend,
            is_reversed: true,
        };
        if minuend == mask {
            return self.before(&[low]);
        }
        let high = Piece {
            first: minuend + 1,
            last: mask,
            image: mask,
            is_reversed: true,
        };
        self.before(&[low, high])
    }

    /// What must be told of an integer so that this can be told of it as another type.
    pub(super) fn before_cast(&self, from: IntType, to: IntType) -> Self {
        if self.is_nothing() || from.bits == to.bits {
            return self.clone();
        }
        if to.bits < from.bits {
            let modulus = 1_u128 << to.bits;
            return if modulus <= GREATEST_MODULUS {
                Self::by_remainder(modulus)
            } else {
                Self::everything()
            };
        }
        self.before(&extension(from, to))
    }

    fn before(&self, pieces: &[Piece]) -> Self {
        Self::bounded(self.moduli.before(pieces))
    }

    /// First value, last value and modulus of each interval of a type with this greatest value.
    pub(super) fn intervals(&self, greatest: u128) -> impl Iterator<Item = (u128, u128, u128)> {
        self.moduli
            .iter()
            .filter(move |(first, _, _)| *first <= greatest)
            .map(move |(first, last, modulus)| (first, last.min(greatest), modulus))
    }
}

/// An integer as another type that is not narrower.
pub(super) fn extension(from: IntType, to: IntType) -> Vec<Piece> {
    let piece = |first, last, image| Piece {
        first,
        last,
        image,
        is_reversed: false,
    };
    if !from.is_signed || from.bits == to.bits {
        return vec![piece(0, from.mask(), 0)];
    }
    let half = sign_bit(from);
    vec![
        piece(0, half - 1, 0),
        piece(half, from.mask(), to.mask() - (half - 1)),
    ]
}

/// The least bits that stand for a negative number.
pub(super) fn sign_bit(int: IntType) -> u128 {
    int.mask() - (int.mask() >> 1)
}

fn least_common_multiple(a: u128, b: u128) -> u128 {
    if a == 0 || b == 0 {
        return 0;
    }
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    // Both are at most the greatest modulus.
    let multiple = a / x * b;
    if multiple > GREATEST_MODULUS {
        0
    } else {
        multiple
    }
}
