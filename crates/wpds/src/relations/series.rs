//! Formal power series over relations.

use std::fmt;
use std::sync::{Arc, OnceLock};

use raddle_bdd::{Bdd, VariableSet};

use super::layout::Layout;

/// A weight. Cheap to clone.
#[derive(Clone)]
pub struct Series {
    /// By degree, without empty relations.
    terms: Vec<Arc<Term>>,
}

/// One coefficient with its degree.
pub(super) struct Term {
    pub(super) degree: usize,
    /// Between components 0 to `degree + 1`.
    pub(super) relation: Bdd,
    /// What is known of it if it is that of a rule.
    pub(super) rule: Option<SeriesRule>,
    /// By degree of what comes before it: prepared for the composition with that.
    pub(super) prepared: Box<[OnceLock<Prepared>]>,
}

/// How a rule changes the state: smaller than its relation.
pub(super) enum SeriesRule {
    /// Some bits change: over component 0, and component 1 of these bits.
    Change { change: Bdd, changed: Vec<usize> },
    /// A phase ends: conditions on components 1 and 2, each of which is small where all together may not be.
    Phase { links: Vec<Bdd> },
}

/// What is composed with a relation of some degree.
pub(super) enum Prepared {
    /// It is conjoined with, and these variables are forgotten.
    Join { with: Bdd, forget: VariableSet },
    /// It is conjoined with these, one after the other.
    Restrict(Vec<Bdd>),
}

impl Series {
    pub(super) fn zero() -> Self {
        Self { terms: Vec::new() }
    }

    pub(super) fn new(
        layout: &Layout,
        degree: usize,
        relation: Bdd,
        rule: Option<SeriesRule>,
    ) -> Self {
        let mut series = Self::zero();
        if !relation.is_false() {
            series.terms.push(Arc::new(Term {
                degree,
                relation,
                rule,
                prepared: (0..layout.shape().theta).map(|_| OnceLock::new()).collect(),
            }));
        }
        series
    }

    /// From terms in the order of their degrees, none of them empty.
    pub(super) fn from_terms(terms: Vec<Arc<Term>>) -> Self {
        debug_assert!(terms.is_sorted_by(|a, b| a.degree < b.degree));
        Self { terms }
    }

    pub(super) fn terms(&self) -> &[Arc<Term>] {
        &self.terms
    }

    pub(super) fn term(&self, degree: usize) -> Option<&Arc<Term>> {
        self.terms.iter().find(|it| it.degree == degree)
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The degrees with a coefficient that is not empty, in their order.
    pub fn degrees(&self) -> impl Iterator<Item = usize> {
        self.terms.iter().map(|it| it.degree)
    }

    /// How large the diagrams are.
    pub fn node_count(&self) -> usize {
        self.terms.iter().map(|it| it.relation.node_count()).sum()
    }
}

impl PartialEq for Series {
    fn eq(&self, other: &Self) -> bool {
        let same =
            |(a, b): (&Arc<Term>, &Arc<Term>)| a.degree == b.degree && a.relation == b.relation;
        self.terms.len() == other.terms.len() && self.terms.iter().zip(&other.terms).all(same)
    }
}

impl Eq for Series {}

impl fmt::Debug for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = self.terms.iter().map(|it| (it.degree, &it.relation));
        f.debug_map().entries(terms).finish()
    }
}
