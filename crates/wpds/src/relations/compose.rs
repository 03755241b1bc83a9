//! Sums and products of series.
//!
//! A relation of degree `i` ends with component `i + 1`. What follows it is renamed so that it starts there, with the state
//! after it in scratch variables; it is conjoined, the component is forgotten, and the scratch variables take its place.
//! All renamings keep the order of variables. Rules are cheaper: where only some bits change, only these are forgotten
//! and renamed; where a phase ends, nothing is forgotten at all.

use std::sync::{Arc, OnceLock};

use raddle_bdd::{Bdd, TableFull};

use super::Relations;
use super::layout::LayoutPart;
use super::series::{Prepared, Series, SeriesRule, Term};

impl Relations {
    /// Coefficient by coefficient.
    pub(super) fn union(&self, left: &Series, right: &Series) -> Result<Series, TableFull> {
        let (mut left, mut right) = (left.terms().iter(), right.terms().iter());
        let (mut a, mut b) = (left.next(), right.next());
        let mut terms = Vec::new();
        loop {
            let (at_a, at_b) = match (a, b) {
                (None, None) => return Ok(Series::from_terms(terms)),
                (Some(_), None) => (true, false),
                (None, Some(_)) => (false, true),
                (Some(a), Some(b)) => (a.degree <= b.degree, b.degree <= a.degree),
            };
            match (a, b) {
                (Some(a), Some(b)) if at_a && at_b => terms.push(self.union_of_terms(a, b)?),
                (Some(it), _) if at_a => terms.push(Arc::clone(it)),
                (_, Some(it)) if at_b => terms.push(Arc::clone(it)),
                _ => {}
            }
            if at_a {
                a = left.next();
            }
            if at_b {
                b = right.next();
            }
        }
    }

    /// One of the two themselves if that is all, with what is prepared for them.
    fn union_of_terms(&self, left: &Arc<Term>, right: &Arc<Term>) -> Result<Arc<Term>, TableFull> {
        let union = self.bdds.or(&left.relation, &right.relation)?;
        Ok(if union == left.relation {
            Arc::clone(left)
        } else if union == right.relation {
            Arc::clone(right)
        } else {
            self.term(left.degree, union)
        })
    }

    pub(super) fn product(&self, first: &Series, second: &Series) -> Result<Series, TableFull> {
        let theta = self.layout.shape().theta;
        let mut by_degree: Vec<Option<Arc<Term>>> = vec![None; theta];
        for a in first.terms() {
            for b in second
                .terms()
                .iter()
                .filter(|b| a.degree + b.degree < theta)
            {
                let Some(product) = self.product_of_terms(a, b)? else {
                    continue;
                };
                let sum = match by_degree[product.degree].take() {
                    Some(other) => self.union_of_terms(&other, &product)?,
                    None => product,
                };
                let degree = sum.degree;
                by_degree[degree] = Some(sum);
            }
        }
        Ok(Series::from_terms(
            by_degree.into_iter().flatten().collect(),
        ))
    }

    fn product_of_terms(
        &self,
        first: &Arc<Term>,
        second: &Arc<Term>,
    ) -> Result<Option<Arc<Term>>, TableFull> {
        if self.is_identity(first) {
            return Ok(Some(Arc::clone(second)));
        }
        if self.is_identity(second) {
            return Ok(Some(Arc::clone(first)));
        }
        let relation = match self.prepared(second, first.degree)? {
            Prepared::Restrict(links) => (links.iter())
                .try_fold(first.relation.clone(), |so_far, it| {
                    self.bdds.and(&so_far, it)
                })?,
            Prepared::Join { with, forget } => {
                let joined = self.bdds.and_exists(&first.relation, with, forget)?;
                self.bdds.replace(&joined, &self.settle[first.degree])?
            }
        };
        Ok((!relation.is_false()).then(|| self.term(first.degree + second.degree, relation)))
    }

    /// Doing nothing in the states that are last in one of the tuples.
    pub(super) fn reached_states(&self, of: &Series) -> Result<Series, TableFull> {
        if of.terms().iter().any(|it| self.is_identity(it)) {
            return Ok(self.one.clone());
        }
        let mut states = self.bdds.constant(false);
        for term in of.terms() {
            let (before, restart) = (&self.before_last[term.degree], &self.restart[term.degree]);
            let last = self.bdds.exists(&term.relation, before)?;
            states = self.bdds.or(&states, &self.bdds.replace(&last, restart)?)?;
        }
        let identity = &self.one.terms()[0].relation;
        let relation = self.bdds.and(&states, identity)?;
        Ok(Series::new(&self.layout, 0, relation, None))
    }

    fn is_identity(&self, term: &Term) -> bool {
        let one = &self.one.terms()[0];
        term.degree == 0 && term.relation == one.relation
    }

    /// What is composed with a relation of degree `after`.
    fn prepared<'a>(&self, second: &'a Term, after: usize) -> Result<&'a Prepared, TableFull> {
        let place = &second.prepared[after];
        if let Some(prepared) = place.get() {
            return Ok(prepared);
        }
        let prepared = match &second.rule {
            None => Prepared::Join {
                with: self.bdds.replace(&second.relation, &self.follow[after])?,
                forget: self.last[after].clone(),
            },
            Some(SeriesRule::Change { change, changed }) => {
                let bits = (self.layout).part(&self.bdds, LayoutPart::Component(after + 1));
                let bits: Vec<_> = changed.iter().map(|bit| bits[*bit]).collect();
                Prepared::Join {
                    with: self.bdds.replace(change, &self.follow[after])?,
                    forget: self.bdds.variable_set(&bits)?,
                }
            }
            Some(SeriesRule::Phase { links }) => Prepared::Restrict(
                (links.iter())
                    .map(|it| self.bdds.replace(it, &self.advance[after]))
                    .collect::<Result<_, _>>()?,
            ),
        };
        Ok(place.get_or_init(|| prepared))
    }

    fn term(&self, degree: usize, relation: Bdd) -> Arc<Term> {
        Arc::new(Term {
            degree,
            relation,
            rule: None,
            prepared: (0..self.layout.shape().theta)
                .map(|_| OnceLock::new())
                .collect(),
        })
    }
}
