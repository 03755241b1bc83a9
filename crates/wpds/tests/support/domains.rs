//! Semirings as sets of what they stand for.

use std::collections::BTreeSet;
use std::convert::Infallible;

use raddle_wpds::Semiring;

use super::Random;

/// Languages of words of at most so many letters; longer ones are dropped. Order counts.
pub(crate) struct Words {
    pub(crate) longest: usize,
}

impl Words {
    pub(crate) fn letter(letter: u8) -> BTreeSet<Vec<u8>> {
        BTreeSet::from([vec![letter]])
    }
}

impl Semiring for Words {
    type Weight = BTreeSet<Vec<u8>>;
    type Error = Infallible;

    fn zero(&self) -> Self::Weight {
        BTreeSet::new()
    }

    fn one(&self) -> Self::Weight {
        BTreeSet::from([Vec::new()])
    }

    fn combine(
        &self,
        left: &Self::Weight,
        right: &Self::Weight,
    ) -> Result<Self::Weight, Infallible> {
        Ok(left | right)
    }

    fn extend(
        &self,
        first: &Self::Weight,
        second: &Self::Weight,
    ) -> Result<Self::Weight, Infallible> {
        let mut all = BTreeSet::new();
        for a in first {
            let room = self.longest - a.len();
            all.extend(
                (second.iter().filter(|b| b.len() <= room)).map(|b| [a.as_slice(), b].concat()),
            );
        }
        Ok(all)
    }
}

/// A formal power series: the coefficients by degree, as sets of tuples.
pub(crate) type Tuples = Vec<BTreeSet<Vec<u8>>>;

/// The multi-arity relational domain of AS Def. 8 over states `0..states`.
pub(crate) struct ExplicitRelations {
    pub(crate) states: u8,
    pub(crate) theta: usize,
}

impl ExplicitRelations {
    pub(crate) fn function(&self, step: impl Fn(u8) -> u8) -> Tuples {
        let mut series = self.zero();
        series[0] = (0..self.states).map(|it| vec![it, step(it)]).collect();
        series
    }

    pub(crate) fn phase(&self, next: impl Fn(u8) -> u8) -> Tuples {
        let mut series = self.zero();
        if self.theta > 1 {
            series[1] = (0..self.states).map(|it| vec![it, it, next(it)]).collect();
        }
        series
    }

    /// With some tuples of each degree.
    pub(crate) fn random(&self, random: &mut Random) -> Tuples {
        let mut series = self.zero();
        for (degree, tuples) in series.iter_mut().enumerate() {
            for _ in 0..random.below(4) {
                let tuple = (0..degree + 2).map(|_| self.random_state(random));
                tuples.insert(tuple.collect());
            }
        }
        series
    }

    fn random_state(&self, random: &mut Random) -> u8 {
        u8::try_from(random.below(usize::from(self.states))).unwrap()
    }
}

impl Semiring for ExplicitRelations {
    type Weight = Tuples;
    type Error = Infallible;

    fn zero(&self) -> Tuples {
        vec![BTreeSet::new(); self.theta]
    }

    fn one(&self) -> Tuples {
        self.function(|it| it)
    }

    fn combine(&self, left: &Tuples, right: &Tuples) -> Result<Tuples, Infallible> {
        Ok(left.iter().zip(right).map(|(a, b)| a | b).collect())
    }

    fn extend(&self, first: &Tuples, second: &Tuples) -> Result<Tuples, Infallible> {
        let mut product = self.zero();
        for (i, left) in first.iter().enumerate() {
            for (j, right) in second.iter().enumerate().take(self.theta - i) {
                for a in left {
                    let (last, before) = a.split_last().unwrap();
                    for b in right.iter().filter(|b| b[0] == *last) {
                        product[i + j].insert([before, &b[1..]].concat());
                    }
                }
            }
        }
        Ok(product)
    }

    fn entry(&self, weight: &Tuples) -> Result<Tuples, Infallible> {
        let mut states = self.zero();
        states[0] = (weight.iter().flatten())
            .map(|tuple| vec![tuple[tuple.len() - 1]; 2])
            .collect();
        Ok(states)
    }
}
