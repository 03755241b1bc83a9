//! The multi-arity relational weight domain, as decision diagrams.
//!
//! # Source
//!
//! AS Def. 7 (generalised composition) and Def. 8 (power series of relations).
//!
//! # Definitions
//!
//! What a process carries along is a state of `bits` bits, a tuple of lock histories in the pushdown engine. A weight is
//! a formal power series: its coefficient of degree `i` is a relation of arity `i + 2` between the state at the start, at
//! the end of each of the `i` phases that are over, and now. Degrees from `theta` on are dropped.
//!
//! A relation speaks of components 0, 1, 2, … of a tuple, which come one after the other in the order of variables, the
//! last one first; components 0 and 1 lie side by side, bit by bit, so that what a rule leaves alone costs little. The bits come in the
//! order that the caller gives them. What the next phase starts with should depend on few bits of the state before it.
//! To look at several processes together, each has a copy of the variables ([`Relations::in_copy`]).
//!
//! # Invariants
//!
//! - **(R1)** They keep the laws of weights (AS Def. 5).
//!
//! # Deviations
//!
//! None.
//!
//! # Tested by
//!
//! `crates/wpds/tests/relations.rs`: every operation against sets of tuples.

mod compose;
mod layout;
mod series;

use std::fmt;

use raddle_base::{Budget, Exhausted};
use raddle_bdd::{Bdd, BddVariable, Bdds, Capacity, Replacement, TableFull, VariableSet};

pub use layout::Shape;
pub use series::Series;

use crate::semiring::Semiring;
use layout::Layout;
use layout::LayoutPart::{self, Component, Scratch};
use series::SeriesRule;

/// The semiring. Weights of one are not to be used with another.
#[derive(Debug)]
pub struct Relations {
    bdds: Bdds,
    layout: Layout,
    one: Series,
    /// By degree: a relation comes to follow one of this degree, its component 1 in scratch variables.
    follow: Vec<Replacement>,
    /// By degree: components 1 and 2 become the last one of a relation of this degree and the next.
    advance: Vec<Replacement>,
    /// By degree: scratch variables become the last component of a relation of this degree.
    settle: Vec<Replacement>,
    /// By degree: the variables of the last component.
    last: Vec<VariableSet>,
    /// By degree: the variables of all components but the last one.
    before_last: Vec<VariableSet>,
    /// By degree: the last component becomes component 0.
    restart: Vec<Replacement>,
    /// By copy: from the first copy to this one.
    into_copy: Vec<Replacement>,
    budget: Budget,
}

/// Why there is no weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationsError {
    TableFull,
    Budget(Exhausted),
}

impl Relations {
    pub fn new(capacity: Capacity, shape: Shape, budget: Budget) -> Result<Self, TableFull> {
        let layout = Layout::new(shape);
        let bdds = Bdds::new(capacity, layout.variable_count())?;
        let renaming =
            |parts: Vec<(LayoutPart, LayoutPart)>| bdds.renaming(&layout.moves(&bdds, parts));
        let degrees = 0..shape.theta;
        let follow = degrees.clone().map(|degree| {
            let first_two = [
                (Component(0), Component(degree + 1)),
                (Component(1), Scratch(degree + 1)),
            ];
            let others = (2..=shape.theta - degree)
                .map(|component| (Component(component), Component(degree + component)));
            renaming(first_two.into_iter().chain(others).collect())
        });
        let follow = follow.collect();
        let advance = (1..shape.theta).map(|degree| {
            let moves = [1, 2].map(|it| (Component(it), Component(degree - 1 + it)));
            renaming(moves.to_vec())
        });
        let advance = advance.collect();
        let settle = (degrees.clone())
            .map(|degree| renaming(vec![(Scratch(degree + 1), Component(degree + 1))]))
            .collect();
        let restart = (degrees.clone())
            .map(|degree| renaming(vec![(Component(degree + 1), Component(0))]))
            .collect();
        let before_last = (degrees.clone())
            .map(|degree| {
                let variables = (0..=degree).flat_map(|it| layout.part(&bdds, Component(it)));
                bdds.variable_set(&variables.collect::<Vec<_>>())
            })
            .collect::<Result<_, _>>()?;
        let last = degrees
            .map(|degree| bdds.variable_set(&layout.part(&bdds, Component(degree + 1))))
            .collect::<Result<_, _>>()?;
        let into_copy = (0..shape.copies)
            .map(|copy| bdds.renaming(&layout.moves_to_copy(&bdds, copy)))
            .collect();
        let everything = bdds.constant(true);
        let one = Series::new(
            &layout,
            0,
            equal(&bdds, &layout, (0, 1), |_| true, everything)?,
            None,
        );
        Ok(Self {
            bdds,
            layout,
            one,
            follow,
            advance,
            settle,
            last,
            before_last,
            restart,
            into_copy,
            budget,
        })
    }

    pub fn bdds(&self) -> &Bdds {
        &self.bdds
    }

    pub fn shape(&self) -> Shape {
        self.layout.shape()
    }

    /// The variable of a bit of a component, in one of the copies. Components go from 0 to `theta`.
    pub fn variable(&self, copy: usize, component: usize, bit: usize) -> BddVariable {
        self.layout.variable(&self.bdds, copy, component, bit)
    }

    /// The bits of a component of the first copy, each as a function.
    pub fn component_bits(&self, component: usize) -> Vec<Bdd> {
        (0..self.shape().bits)
            .map(|bit| self.bdds.literal(self.variable(0, component, bit)))
            .collect()
    }

    /// The weight of a step from each state to the one that `step` gives: `{⟨s, f(s)⟩} z⁰`. It is given the bits of the
    /// state before and gives those of the state after.
    pub fn function(
        &self,
        step: impl FnOnce(&[Bdd]) -> Result<Vec<Bdd>, TableFull>,
    ) -> Result<Series, TableFull> {
        let before = self.component_bits(0);
        let after = step(&before)?;
        assert_eq!(after.len(), before.len(), "one function a bit");
        let changed: Vec<usize> = (0..before.len())
            .filter(|bit| before[*bit] != after[*bit])
            .collect();
        if changed.is_empty() {
            return Ok(self.one.clone());
        }
        let change = self.becomes(1, &after, &changed)?;
        let is_kept = |bit| !changed.contains(&bit);
        let relation = equal(&self.bdds, &self.layout, (0, 1), is_kept, change.clone())?;
        let rule = SeriesRule::Change { change, changed };
        Ok(Series::new(&self.layout, 0, relation, Some(rule)))
    }

    /// The weight of the end of a phase: `{⟨s, s, g(s)⟩} z¹`. The state is kept as it is, and the next phase starts in
    /// the one that `next` gives.
    pub fn phase(
        &self,
        next: impl FnOnce(&[Bdd]) -> Result<Vec<Bdd>, TableFull>,
    ) -> Result<Series, TableFull> {
        let before = self.component_bits(1);
        let after = next(&before)?;
        assert_eq!(after.len(), before.len(), "one function a bit");
        if self.shape().theta < 2 {
            return Ok(self.zero());
        }
        let is_constant = |bit: &usize| after[*bit].is_true() || after[*bit].is_false();
        let (constant, other): (Vec<usize>, Vec<usize>) = (0..before.len()).partition(is_constant);
        // Each new variable comes above those before it: there are never more nodes than combinations of bits.
        let mut links = vec![self.becomes(2, &after, &constant)?];
        for bit in other.iter().rev() {
            links.push(self.becomes(2, &after, &[*bit])?);
        }
        let identity = self.one.terms()[0].relation.clone();
        let relation =
            (links.iter()).try_fold(identity, |so_far, it| self.bdds.and(&so_far, it))?;
        let rule = Some(SeriesRule::Phase { links });
        Ok(Series::new(&self.layout, 1, relation, rule))
    }

    /// The weight of doing nothing in these states: `{⟨s, s⟩ | s ∈ S} z⁰`. The set is given over component 0.
    pub fn test(&self, states: &Bdd) -> Result<Series, TableFull> {
        let relation = equal(&self.bdds, &self.layout, (0, 1), |_| true, states.clone())?;
        Ok(Series::new(&self.layout, 0, relation, None))
    }

    /// The weight of doing nothing in one state.
    pub fn test_state(&self, state: &[bool]) -> Result<Series, TableFull> {
        let mut literals = self.component_bits(0);
        assert_eq!(literals.len(), state.len(), "one value a bit");
        for (literal, value) in literals.iter_mut().zip(state) {
            if !value {
                *literal = self.bdds.not(literal)?;
            }
        }
        self.test(&self.bdds.all(&literals)?)
    }

    /// The monomial with this coefficient, a relation between components 0 to `degree + 1` of the first copy.
    pub fn monomial(&self, degree: usize, relation: Bdd) -> Series {
        if degree >= self.shape().theta {
            return self.zero();
        }
        Series::new(&self.layout, degree, relation, None)
    }

    /// The coefficient of this degree: a relation between components 0 to `degree + 1` of the first copy.
    pub fn coefficient(&self, of: &Series, degree: usize) -> Bdd {
        match of.term(degree) {
            Some(term) => term.relation.clone(),
            None => self.bdds.constant(false),
        }
    }

    /// The coefficient of this degree over the variables of another copy.
    pub fn in_copy(&self, of: &Series, degree: usize, copy: usize) -> Result<Bdd, TableFull> {
        let coefficient = self.coefficient(of, degree);
        if copy == 0 {
            return Ok(coefficient);
        }
        self.bdds.replace(&coefficient, &self.into_copy[copy])
    }

    /// The bits of a component are what the functions say, those that are named.
    fn becomes(&self, component: usize, after: &[Bdd], bits: &[usize]) -> Result<Bdd, TableFull> {
        let mut all = self.bdds.constant(true);
        for bit in bits.iter().rev() {
            let literal = self.bdds.literal(self.variable(0, component, *bit));
            all = self
                .bdds
                .and(&self.bdds.iff(&literal, &after[*bit])?, &all)?;
        }
        Ok(all)
    }
}

/// Two components agree on these bits, and `rest` is true.
fn equal(
    bdds: &Bdds,
    layout: &Layout,
    (one, other): (usize, usize),
    on: impl Fn(usize) -> bool,
    rest: Bdd,
) -> Result<Bdd, TableFull> {
    let literal = |component, bit| bdds.literal(layout.variable(bdds, 0, component, bit));
    let mut all = rest;
    for bit in (0..layout.shape().bits).rev().filter(|bit| on(*bit)) {
        let agree = bdds.iff(&literal(one, bit), &literal(other, bit))?;
        all = bdds.and(&agree, &all)?;
    }
    Ok(all)
}

impl Semiring for Relations {
    type Weight = Series;
    type Error = RelationsError;

    fn zero(&self) -> Series {
        Series::zero()
    }

    fn one(&self) -> Series {
        self.one.clone()
    }

    fn combine(&self, left: &Series, right: &Series) -> Result<Series, RelationsError> {
        self.budget.check_time()?;
        Ok(self.union(left, right)?)
    }

    fn extend(&self, first: &Series, second: &Series) -> Result<Series, RelationsError> {
        self.budget.check_time()?;
        Ok(self.product(first, second)?)
    }

    fn entry(&self, weight: &Series) -> Result<Series, RelationsError> {
        self.budget.check_time()?;
        Ok(self.reached_states(weight)?)
    }

    fn is_zero(&self, weight: &Series) -> bool {
        weight.is_zero()
    }
}

impl From<TableFull> for RelationsError {
    fn from(_: TableFull) -> Self {
        RelationsError::TableFull
    }
}

impl From<Exhausted> for RelationsError {
    fn from(part: Exhausted) -> Self {
        RelationsError::Budget(part)
    }
}

impl fmt::Display for RelationsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelationsError::TableFull => TableFull.fmt(f),
            RelationsError::Budget(Exhausted::Time) => f.write_str("the time is over"),
            RelationsError::Budget(Exhausted::Memory) => f.write_str("the memory is spent"),
            RelationsError::Budget(Exhausted::Cancelled) => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for RelationsError {}
