//! Conjunctions of literals over labels.

use raddle_base::define_id;

define_id!(
    /// A label of one search: a truth value of the state.
    LabelId, "p"
);

/// A label or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LabelLiteral {
    pub(crate) label: LabelId,
    pub(crate) is_true: bool,
}

/// A set of states, given by a conjunction. Sorted, no label twice. Its negation is a clause of a frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Cube(Vec<LabelLiteral>);

impl Cube {
    pub(crate) fn new(mut literals: Vec<LabelLiteral>) -> Self {
        literals.sort_unstable();
        literals.dedup();
        Self(literals)
    }

    pub(crate) fn literals(&self) -> &[LabelLiteral] {
        &self.0
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn contains(&self, literal: LabelLiteral) -> bool {
        self.0.binary_search(&literal).is_ok()
    }

    /// Whether every state of `other` is one of this cube's: its literals are some of the other's.
    pub(crate) fn subsumes(&self, other: &Cube) -> bool {
        self.len() <= other.len() && self.0.iter().all(|&it| other.contains(it))
    }

    pub(crate) fn without(&self, literal: LabelLiteral) -> Cube {
        self.only(|it| it != literal)
    }

    /// The literals of which `keeps` says so.
    pub(crate) fn only(&self, keeps: impl Fn(LabelLiteral) -> bool) -> Cube {
        Cube(self.0.iter().copied().filter(|&it| keeps(it)).collect())
    }

    /// The smallest cube with the states of both.
    pub(crate) fn join(&self, other: &Cube) -> Cube {
        self.only(|it| other.contains(it))
    }
}

#[cfg(test)]
mod tests {
    use raddle_base::Id;

    use super::*;

    fn cube(literals: &[(usize, bool)]) -> Cube {
        let literal = |&(label, is_true)| LabelLiteral {
            label: LabelId::from_index(label),
            is_true,
        };
        Cube::new(literals.iter().map(literal).collect())
    }

    #[test]
    fn fewer_literals_are_more_states() {
        let all = cube(&[(2, true), (0, false), (1, true)]);
        let some = cube(&[(0, false), (2, true)]);
        assert!(some.subsumes(&all) && !all.subsumes(&some));
        assert!(!cube(&[(0, true)]).subsumes(&all));
        assert_eq!(all.join(&cube(&[(0, true), (1, true)])), cube(&[(1, true)]));
    }
}
