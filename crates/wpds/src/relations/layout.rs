//! Which variable stands for what.
//!
//! Bit by bit; for each bit the components in their order, those of all copies side by side. The first copy has one
//! component more, for the time of a composition.

use raddle_logic::bdd::{BddVariable, Bdds};

/// What the relations are between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Of a state.
    pub bits: usize,
    /// The degree from which on coefficients are dropped: the number of phases. Tuples have at most one component more.
    pub theta: usize,
    /// How many processes are looked at together, at least one.
    pub copies: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    shape: Shape,
}

impl Layout {
    pub(super) fn new(shape: Shape) -> Self {
        assert!(shape.theta > 0 && shape.copies > 0, "at least one of each");
        Self { shape }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// Of the first copy.
    pub(super) fn component_count(&self) -> usize {
        self.shape.theta + 2
    }

    /// Variables of one bit.
    fn block(&self) -> usize {
        (self.shape.theta + 1) * self.shape.copies + 1
    }

    pub(super) fn variable_count(&self) -> usize {
        self.block().saturating_mul(self.shape.bits)
    }

    pub(super) fn variable(
        &self,
        bdds: &Bdds,
        copy: usize,
        component: usize,
        bit: usize,
    ) -> BddVariable {
        let Shape { bits, copies, .. } = self.shape;
        let last = self.component_count() - usize::from(copy > 0);
        assert!(
            copy < copies && component < last && bit < bits,
            "of this shape"
        );
        bdds.variable_at(bit * self.block() + component * copies + copy)
    }

    /// All bits of a component of the first copy.
    pub(super) fn component(&self, bdds: &Bdds, component: usize) -> Vec<BddVariable> {
        (0..self.shape.bits)
            .map(|bit| self.variable(bdds, 0, component, bit))
            .collect()
    }

    /// Components moved to where `target` says, those without one and those that would leave the table excepted.
    pub(super) fn moves(
        &self,
        bdds: &Bdds,
        target: impl Fn(usize) -> Option<usize>,
    ) -> Vec<(BddVariable, BddVariable)> {
        let mut pairs = Vec::new();
        for from in 0..self.component_count() {
            let Some(to) = target(from).filter(|to| *to < self.component_count()) else {
                continue;
            };
            for bit in 0..self.shape.bits {
                let pair = [from, to].map(|it| self.variable(bdds, 0, it, bit));
                pairs.push((pair[0], pair[1]));
            }
        }
        pairs
    }

    pub(super) fn moves_to_copy(
        &self,
        bdds: &Bdds,
        copy: usize,
    ) -> Vec<(BddVariable, BddVariable)> {
        let mut pairs = Vec::new();
        for component in 0..=self.shape.theta {
            for bit in 0..self.shape.bits {
                let variable = |copy| self.variable(bdds, copy, component, bit);
                pairs.push((variable(0), variable(copy)));
            }
        }
        pairs
    }
}
