//! Values that are tried where there are too many to try all: those that programs tend to tell apart.
//!
//! Whoever sees only these has not seen everything, and is told so; but what is found with one of them is found.

use std::collections::BTreeSet;

use raddle_ir::action::Action;
use raddle_ir::expression::Expression;
use raddle_ir::program::{Function, FunctionId, Program};
use raddle_ir::types::{DataModel, Scalar};

/// More than these are not tried.
const MOST: usize = 24;

/// For each function, the integers that it mentions.
#[derive(Clone, Debug)]
pub struct Samples {
    mentioned: Vec<BTreeSet<u128>>,
}

impl Samples {
    pub fn new(program: &Program) -> Self {
        Self {
            mentioned: program.functions.values().map(mentioned).collect(),
        }
    }

    /// Values of a type, smallest first: small ones, extreme ones, those the function mentions and their neighbours.
    pub fn values(&self, function: FunctionId, ty: Scalar, model: DataModel) -> Vec<u128> {
        let mask = ty.mask(model);
        let mut found: BTreeSet<u128> = [0, 1, 2, mask, mask >> 1, (mask >> 1) + 1]
            .into_iter()
            .collect();
        for &number in &self.mentioned[raddle_base::Id::index(function)] {
            for near in [number, number.wrapping_add(1), number.wrapping_sub(1)] {
                if found.len() < MOST {
                    found.insert(near & mask);
                }
            }
        }
        found.into_iter().collect()
    }
}

fn mentioned(function: &Function) -> BTreeSet<u128> {
    let mut found = BTreeSet::new();
    for edge in function.edges.values() {
        if let Action::Assume { condition } = &edge.action {
            constants(condition, &mut found);
        }
    }
    found
}

fn constants(expression: &Expression, found: &mut BTreeSet<u128>) {
    match expression {
        Expression::Constant(bits, Scalar::Int(_)) => {
            found.insert(*bits);
        }
        Expression::Constant(..)
        | Expression::Register(_)
        | Expression::Global(_)
        | Expression::Function(_)
        | Expression::CurrentThread => {}
        Expression::Unary(_, operand) | Expression::Cast(_, operand) => constants(operand, found),
        Expression::Binary(_, left, right) => {
            constants(left, found);
            constants(right, found);
        }
        Expression::Select(condition, then, otherwise) => {
            constants(condition, found);
            constants(then, found);
            constants(otherwise, found);
        }
    }
}
