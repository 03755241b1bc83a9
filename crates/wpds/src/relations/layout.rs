//! Which variable stands for what.
//!
//! Component by component: those of phases that are over hardly depend on one another, and side by side their diagrams
//! would multiply. The last component comes first: what a rule changes is near the root, and what is over stays as it is
//! below. Only what is related bit by bit lies side by side: components 0 and 1, the states before and after what a rule
//! or a procedure does, and each component and its scratch variables, which stand for the state after a composition
//! until it is over. The copies of one variable are neighbours.

use raddle_bdd::{BddVariable, Bdds};

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

/// A component of the first copy, or its scratch variables. Component 0 has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayoutPart {
    Component(usize),
    Scratch(usize),
}

impl Layout {
    pub(super) fn new(shape: Shape) -> Self {
        assert!(shape.theta > 0 && shape.copies > 0, "at least one of each");
        Self { shape }
    }

    pub(super) fn shape(&self) -> Shape {
        self.shape
    }

    /// From 0 to `theta`.
    pub(super) fn component_count(&self) -> usize {
        self.shape.theta + 1
    }

    pub(super) fn variable_count(&self) -> usize {
        let Shape { bits, copies, .. } = self.shape;
        self.start_of_first_two()
            .saturating_add(bits.saturating_mul(2 * copies + 1))
    }

    /// The first variable of components 0 and 1.
    fn start_of_first_two(&self) -> usize {
        self.start_of(1)
    }

    /// The first variable of a component from the second one on, or of what follows these.
    fn start_of(&self, component: usize) -> usize {
        let Shape { bits, copies, .. } = self.shape;
        (self.shape.theta - component)
            .saturating_mul(copies + 1)
            .saturating_mul(bits)
    }

    pub(super) fn variable(
        &self,
        bdds: &Bdds,
        copy: usize,
        component: usize,
        bit: usize,
    ) -> BddVariable {
        let Shape { bits, copies, .. } = self.shape;
        let exists = copy < copies && component < self.component_count() && bit < bits;
        assert!(exists, "a variable of this shape");
        bdds.variable_at(match component {
            0 | 1 => self.start_of_first_two() + bit * (2 * copies + 1) + component * copies + copy,
            _ => self.start_of(component) + bit * (copies + 1) + copy,
        })
    }

    /// All bits of a part.
    pub(super) fn part(&self, bdds: &Bdds, part: LayoutPart) -> Vec<BddVariable> {
        let copies = self.shape.copies;
        (0..self.shape.bits)
            .map(|bit| match part {
                LayoutPart::Component(component) => self.variable(bdds, 0, component, bit),
                LayoutPart::Scratch(1) => {
                    let start = self.start_of_first_two();
                    bdds.variable_at(start + bit * (2 * copies + 1) + 2 * copies)
                }
                LayoutPart::Scratch(component) => {
                    bdds.variable_at(self.start_of(component) + bit * (copies + 1) + copies)
                }
            })
            .collect()
    }

    /// Parts renamed to others, bit by bit.
    pub(super) fn moves(
        &self,
        bdds: &Bdds,
        parts: impl IntoIterator<Item = (LayoutPart, LayoutPart)>,
    ) -> Vec<(BddVariable, BddVariable)> {
        let pairs = |(from, to)| self.part(bdds, from).into_iter().zip(self.part(bdds, to));
        parts.into_iter().flat_map(pairs).collect()
    }

    pub(super) fn moves_to_copy(
        &self,
        bdds: &Bdds,
        copy: usize,
    ) -> Vec<(BddVariable, BddVariable)> {
        let mut pairs = Vec::new();
        for component in 0..self.component_count() {
            for bit in 0..self.shape.bits {
                let variable = |copy| self.variable(bdds, copy, component, bit);
                pairs.push((variable(0), variable(copy)));
            }
        }
        pairs
    }
}
