//! What weights are: bounded idempotent semirings, and a check of their laws.
//!
//! # Source
//!
//! AS Def. 5; \[Reps05\].
//!
//! # Definitions
//!
//! A [`Semiring`] has sums (`combine`: over runs) and products (`extend`: along a run), zero (no run) and one (the run without rules).
//!
//! # Invariants
//!
//! The laws of AS Def. 5, each with a name ([`Law`]); [`broken_law`] looks for one that some weights break.
//!
//! # Deviations
//!
//! 1. An operation may fail, because a table is full or the budget is spent; then there is no answer.
//! 2. AS asks that there are finitely many weights. [`LeastCost`] has infinitely many, but no infinite descent.
//!
//! # Tested by
//!
//! `crates/wpds/tests/against_all_runs.rs` and `relations.rs`.

use std::convert::Infallible;
use std::fmt;

/// A bounded idempotent semiring.
///
/// # Contract
///
/// [`Semiring::combine`] is associative, commutative and idempotent with the neutral element [`Semiring::zero`];
/// [`Semiring::extend`] is associative with the neutral element [`Semiring::one`], distributes over `combine` on both
/// sides, and is zero where one side is. Combining ever more weights comes to an end: no weight has infinitely many
/// different sums. [`broken_law`] looks for what breaks the laws.
///
/// Operations may fail where weights live in a table that may be full, or where a budget ends.
pub trait Semiring {
    type Weight: Clone + PartialEq + fmt::Debug;
    type Error: fmt::Debug;

    /// Of what no run does.
    fn zero(&self) -> Self::Weight;

    /// Of the run without a step.
    fn one(&self) -> Self::Weight;

    /// Of all runs that have one of the two weights: ⊕.
    fn combine(
        &self,
        left: &Self::Weight,
        right: &Self::Weight,
    ) -> Result<Self::Weight, Self::Error>;

    /// Of a run with the first weight followed by one with the second: ⊗.
    fn extend(
        &self,
        first: &Self::Weight,
        second: &Self::Weight,
    ) -> Result<Self::Weight, Self::Error>;

    /// A weight below [`Semiring::one`] that changes nothing after `weight`: `weight ⊗ entry = weight`. What a procedure
    /// does is worked out only for what its callers can bring; the smaller, the better.
    fn entry(&self, weight: &Self::Weight) -> Result<Self::Weight, Self::Error> {
        let _ = weight;
        Ok(self.one())
    }

    /// A part of a weight that is all it adds to what is known: `known ⊕ news = known ⊕ weight`. Only this is looked at
    /// further; the smaller, the better.
    fn news(
        &self,
        known: &Self::Weight,
        weight: &Self::Weight,
    ) -> Result<Self::Weight, Self::Error> {
        let _ = known;
        Ok(weight.clone())
    }

    /// Cheaper than a comparison where a semiring knows better.
    fn is_zero(&self, weight: &Self::Weight) -> bool {
        *weight == self.zero()
    }
}

/// Whether there is a run at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reachability;

impl Semiring for Reachability {
    type Weight = bool;
    type Error = Infallible;

    fn zero(&self) -> bool {
        false
    }

    fn one(&self) -> bool {
        true
    }

    fn combine(&self, left: &bool, right: &bool) -> Result<bool, Infallible> {
        Ok(*left || *right)
    }

    fn extend(&self, first: &bool, second: &bool) -> Result<bool, Infallible> {
        Ok(*first && *second)
    }
}

/// The least cost of a run. A run that costs `u64::MAX` or more counts as one that costs `u64::MAX - 1`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LeastCost;

impl Semiring for LeastCost {
    /// `None` is zero: no run.
    type Weight = Option<u64>;
    type Error = Infallible;

    fn zero(&self) -> Option<u64> {
        None
    }

    fn one(&self) -> Option<u64> {
        Some(0)
    }

    fn combine(&self, left: &Option<u64>, right: &Option<u64>) -> Result<Option<u64>, Infallible> {
        Ok(match (*left, *right) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        })
    }

    fn extend(&self, first: &Option<u64>, second: &Option<u64>) -> Result<Option<u64>, Infallible> {
        let sum = |first: u64, second: u64| first.saturating_add(second).min(u64::MAX - 1);
        Ok(first.and_then(|first| second.map(|second| sum(first, second))))
    }
}

/// A law of AS Def. 5, or of what is asked for beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    CombineIsAssociative,
    CombineIsCommutative,
    CombineIsIdempotent,
    ZeroIsNeutral,
    ExtendIsAssociative,
    OneIsNeutral,
    ZeroAnnihilates,
    ExtendDistributesFromTheLeft,
    ExtendDistributesFromTheRight,
    EntryChangesNothing,
    EntryIsBelowOne,
    NewsAreAllThatIsAdded,
}

/// A law with the weights of which it is not true.
#[derive(Clone, Debug, PartialEq)]
pub struct BrokenLaw<W> {
    pub law: Law,
    pub weights: Vec<W>,
}

/// The first law that does not hold of all these weights, any three of them where a law speaks of three.
pub fn broken_law<S: Semiring>(
    semiring: &S,
    samples: &[S::Weight],
) -> Result<Option<BrokenLaw<S::Weight>>, S::Error> {
    let plus = |a: &S::Weight, b: &S::Weight| semiring.combine(a, b);
    let times = |a: &S::Weight, b: &S::Weight| semiring.extend(a, b);
    let (zero, one) = (semiring.zero(), semiring.one());
    let broken = |law, weights: &[&S::Weight]| {
        let weights = weights.iter().copied().cloned().collect();
        Ok(Some(BrokenLaw { law, weights }))
    };
    for a in samples {
        if plus(a, a)? != *a {
            return broken(Law::CombineIsIdempotent, &[a]);
        }
        if plus(a, &zero)? != *a {
            return broken(Law::ZeroIsNeutral, &[a]);
        }
        if times(a, &one)? != *a || times(&one, a)? != *a {
            return broken(Law::OneIsNeutral, &[a]);
        }
        if times(a, &zero)? != zero || times(&zero, a)? != zero {
            return broken(Law::ZeroAnnihilates, &[a]);
        }
        if semiring.is_zero(a) != (*a == zero) {
            return broken(Law::ZeroIsNeutral, &[a]);
        }
        for b in samples {
            if plus(a, b)? != plus(b, a)? {
                return broken(Law::CombineIsCommutative, &[a, b]);
            }
            if plus(a, &semiring.news(a, b)?)? != plus(a, b)? {
                return broken(Law::NewsAreAllThatIsAdded, &[a, b]);
            }
            for c in samples {
                if plus(&plus(a, b)?, c)? != plus(a, &plus(b, c)?)? {
                    return broken(Law::CombineIsAssociative, &[a, b, c]);
                }
                if times(&times(a, b)?, c)? != times(a, &times(b, c)?)? {
                    return broken(Law::ExtendIsAssociative, &[a, b, c]);
                }
                if times(a, &plus(b, c)?)? != plus(&times(a, b)?, &times(a, c)?)? {
                    return broken(Law::ExtendDistributesFromTheLeft, &[a, b, c]);
                }
                if times(&plus(a, b)?, c)? != plus(&times(a, c)?, &times(b, c)?)? {
                    return broken(Law::ExtendDistributesFromTheRight, &[a, b, c]);
                }
            }
        }
    }
    for a in samples {
        let entry = semiring.entry(a)?;
        if times(a, &entry)? != *a {
            return broken(Law::EntryChangesNothing, &[a]);
        }
        if plus(&entry, &one)? != one {
            return broken(Law::EntryIsBelowOne, &[a]);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_simple_semirings_keep_the_laws() {
        assert_eq!(broken_law(&Reachability, &[false, true]), Ok(None));
        let costs = [None, Some(0), Some(1), Some(7), Some(u64::MAX - 1)];
        assert_eq!(broken_law(&LeastCost, &costs), Ok(None));
    }

    /// Sums instead of alternatives.
    struct Counting;

    impl Semiring for Counting {
        type Weight = u64;
        type Error = Infallible;

        fn zero(&self) -> u64 {
            0
        }

        fn one(&self) -> u64 {
            1
        }

        fn combine(&self, left: &u64, right: &u64) -> Result<u64, Infallible> {
            Ok(left + right)
        }

        fn extend(&self, first: &u64, second: &u64) -> Result<u64, Infallible> {
            Ok(first * second)
        }
    }

    #[test]
    fn a_broken_law_is_named_with_its_weights() {
        let broken = broken_law(&Counting, &[0, 3]).unwrap().unwrap();
        assert_eq!(broken.law, Law::CombineIsIdempotent);
        assert_eq!(broken.weights, [3]);
    }
}
