//! Binary decision diagrams over a fixed order of variables, in a table of fixed size.
//!
//! A [`Bdd`] stands for a set of assignments; equal sets are equal values, found out in constant time. A table that is
//! full is an answer, [`TableFull`], never a panic: what nobody holds any more is collected first, and only a function
//! that does not fit beside what is in use makes an operation fail.
//!
//! ```
//! use raddle_bdd::{Bdds, Capacity, TableFull};
//!
//! fn main() -> Result<(), TableFull> {
//!     let bdds = Bdds::new(Capacity::small(), 3)?;
//!     let [x, y, z] = [0, 1, 2].map(|it| bdds.variable_at(it));
//!     // Composition of the relations x ≤ y and y ≤ z.
//!     let below = bdds.implies(&bdds.literal(x), &bdds.literal(y))?;
//!     let above = bdds.implies(&bdds.literal(y), &bdds.literal(z))?;
//!     let through_y = bdds.and_exists(&below, &above, &bdds.variable_set(&[y])?)?;
//!     assert_eq!(through_y, bdds.implies(&bdds.literal(x), &bdds.literal(z))?);
//!     Ok(())
//! }
//! ```
//!
//! The diagrams are those of the crate `oxidd`, with complemented edges: negation costs nothing.

use std::fmt;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager,
    ManagerRef, Subst, VarNo,
};
use raddle_base::{Id, define_id};

#[cfg(test)]
mod tests;

define_id!(
    /// A variable. Variables that come first are nearer to the root.
    BddVariable,
    "b"
);

/// A table of diagrams over variables that were ordered when it was made.
///
/// Operations take diagrams of the same table only, and panic on others.
pub struct Bdds {
    manager: BCDDManagerRef,
    /// Each variable as a function. They are never collected.
    literals: Vec<Bdd>,
    capacity: Capacity,
}

/// A boolean function. Cheap to clone and to compare.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

/// The function does not fit into the table beside those in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableFull;

/// How large the table is. Memory is reserved at once: about 20 bytes a node, 16 to 20 a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Nodes at a time.
    pub nodes: usize,
    /// Results that are remembered, so that nothing is computed twice.
    pub results: usize,
}

/// Variables to quantify over.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct VariableSet(Bdd);

/// What variables are replaced with, all at once. To be kept and used again: results are remembered for each value of
/// this type.
pub struct Replacement(Subst<BCDDFunction>);

impl Capacity {
    /// The most nodes that a table can have.
    const MOST_NODES: usize = 1 << 30;

    /// For examples and tests.
    pub fn small() -> Self {
        Self {
            nodes: 1 << 16,
            results: 1 << 12,
        }
    }
}

impl Bdds {
    /// A table with `variables` variables, ordered as they are numbered.
    pub fn new(capacity: Capacity, variables: usize) -> Result<Self, TableFull> {
        let capacity = Capacity {
            nodes: capacity.nodes.min(Capacity::MOST_NODES),
            results: capacity.results.clamp(1, Capacity::MOST_NODES),
        };
        if variables > capacity.nodes {
            return Err(TableFull);
        }
        let number = VarNo::try_from(variables).map_err(|_| TableFull)?;
        // One thread: it would split operations among workers, were there several.
        let manager = oxidd::bcdd::new_manager(capacity.nodes, capacity.results, 1);
        manager.with_manager_exclusive(|it| it.add_vars(number));
        let literals = manager.with_manager_shared(|it| {
            (0..number)
                .map(|variable| BCDDFunction::var(it, variable).map(Bdd))
                .collect::<AllocResult<Vec<Bdd>>>()
        });
        Ok(Self {
            manager,
            literals: literals.map_err(|_| TableFull)?,
            capacity,
        })
    }

    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    pub fn variable_count(&self) -> usize {
        self.literals.len()
    }

    /// The variable at a place of the order.
    pub fn variable_at(&self, place: usize) -> BddVariable {
        assert!(place < self.literals.len(), "a variable of this table");
        BddVariable::from_index(place)
    }

    /// The function that is true of nothing or of everything.
    pub fn constant(&self, value: bool) -> Bdd {
        Bdd(self.manager.with_manager_shared(|it| {
            if value {
                BCDDFunction::t(it)
            } else {
                BCDDFunction::f(it)
            }
        }))
    }

    /// The function that is true where the variable is.
    pub fn literal(&self, variable: BddVariable) -> Bdd {
        self.literals[variable.index()].clone()
    }

    pub fn not(&self, of: &Bdd) -> Result<Bdd, TableFull> {
        self.attempt(|| of.0.not())
    }

    pub fn and(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, TableFull> {
        self.attempt(|| left.0.and(&right.0))
    }

    pub fn or(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, TableFull> {
        self.attempt(|| left.0.or(&right.0))
    }

    pub fn xor(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, TableFull> {
        self.attempt(|| left.0.xor(&right.0))
    }

    pub fn iff(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, TableFull> {
        self.attempt(|| left.0.equiv(&right.0))
    }

    pub fn implies(&self, left: &Bdd, right: &Bdd) -> Result<Bdd, TableFull> {
        self.attempt(|| left.0.imp(&right.0))
    }

    pub fn if_then_else(
        &self,
        condition: &Bdd,
        then: &Bdd,
        otherwise: &Bdd,
    ) -> Result<Bdd, TableFull> {
        self.attempt(|| condition.0.ite(&then.0, &otherwise.0))
    }

    /// True if all of them are; the last ones are conjoined first.
    pub fn all<'a>(
        &self,
        of: impl IntoIterator<Item = &'a Bdd, IntoIter: DoubleEndedIterator>,
    ) -> Result<Bdd, TableFull> {
        of.into_iter()
            .rev()
            .try_fold(self.constant(true), |so_far, it| self.and(it, &so_far))
    }

    /// True if one of them is.
    pub fn any<'a>(&self, of: impl IntoIterator<Item = &'a Bdd>) -> Result<Bdd, TableFull> {
        of.into_iter()
            .try_fold(self.constant(false), |so_far, it| self.or(&so_far, it))
    }

    /// For [`Bdds::exists`] and [`Bdds::and_exists`].
    pub fn variable_set(&self, variables: &[BddVariable]) -> Result<VariableSet, TableFull> {
        // From the last variable on, each conjunction adds one node.
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        let literals: Vec<Bdd> = sorted.into_iter().map(|it| self.literal(it)).collect();
        Ok(VariableSet(self.all(&literals)?))
    }

    /// True if some values of the variables make `of` true.
    pub fn exists(&self, of: &Bdd, variables: &VariableSet) -> Result<Bdd, TableFull> {
        self.attempt(|| of.0.exists(&variables.0.0))
    }

    /// `exists` of `and`, without the conjunction ever being built.
    pub fn and_exists(
        &self,
        left: &Bdd,
        right: &Bdd,
        variables: &VariableSet,
    ) -> Result<Bdd, TableFull> {
        self.attempt(|| {
            let and = BooleanOperator::And;
            left.0.apply_exists(and, &right.0, &variables.0.0)
        })
    }

    /// Variables replaced with functions, for [`Bdds::replace`]. Of two for one variable the last one counts.
    pub fn replacement(&self, pairs: &[(BddVariable, Bdd)]) -> Replacement {
        let mut all = self.literals.clone();
        let mut last = 0;
        for (variable, with) in pairs {
            all[variable.index()] = with.clone();
            last = last.max(variable.index() + 1);
        }
        // All variables are named, also those that stay: looking up each of them in the table would cost more. Below
        // the last one that changes, nothing is looked at.
        all.truncate(last);
        let variables = (0..).take(all.len()).collect();
        Replacement(Subst::new(
            variables,
            all.into_iter().map(|it| it.0).collect(),
        ))
    }

    /// Variables replaced with variables, for [`Bdds::replace`].
    pub fn renaming(&self, pairs: &[(BddVariable, BddVariable)]) -> Replacement {
        let pairs: Vec<(BddVariable, Bdd)> = pairs
            .iter()
            .map(|(from, to)| (*from, self.literal(*to)))
            .collect();
        self.replacement(&pairs)
    }

    /// The function with all variables replaced at the same time. Cheapest where the order of variables stays.
    pub fn replace(&self, of: &Bdd, replacement: &Replacement) -> Result<Bdd, TableFull> {
        self.attempt(|| of.0.substitute(&replacement.0))
    }

    /// Whether the function is true under this assignment. Variables that are not in it are false.
    pub fn evaluate(
        &self,
        of: &Bdd,
        assignment: impl IntoIterator<Item = (BddVariable, bool)>,
    ) -> bool {
        of.0.eval(assignment.into_iter().map(|(variable, value)| {
            let number = VarNo::try_from(variable.index()).expect("variables are numbered so");
            (number, value)
        }))
    }

    /// What makes the function true, one value a variable, `None` where it does not matter; always the same, false
    /// rather than true. `None` if nothing does.
    pub fn satisfying(&self, of: &Bdd) -> Option<Vec<Option<bool>>> {
        let cube = of.0.pick_cube(|_, _, _| false)?;
        let value = |it: OptBool| match it {
            OptBool::None => None,
            OptBool::False => Some(false),
            OptBool::True => Some(true),
        };
        Some(cube.into_iter().map(value).collect())
    }

    /// How many nodes are in use. Collects the others, and forgets all results for that.
    pub fn nodes_in_use(&self) -> usize {
        self.collect();
        self.manager.with_manager_shared(|it| it.num_inner_nodes())
    }

    /// Again after collections, where the table is full. One may not be enough: where the manager collects by itself at
    /// the same time, one of the two gives up.
    fn attempt(&self, operation: impl Fn() -> AllocResult<BCDDFunction>) -> Result<Bdd, TableFull> {
        for _ in 0..Self::COLLECTIONS {
            if let Ok(result) = operation() {
                return Ok(Bdd(result));
            }
            self.collect();
        }
        operation().map(Bdd).map_err(|_| TableFull)
    }

    /// Before a table is taken to be full.
    const COLLECTIONS: usize = 4;

    /// Alone, because a collection that meets another one gives up.
    fn collect(&self) {
        self.manager.with_manager_exclusive(|it| it.gc());
    }
}

impl Bdd {
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// How many nodes the diagram has, with the one at the end of all paths.
    pub fn node_count(&self) -> usize {
        self.0.node_count()
    }
}

impl fmt::Debug for Bdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bdd({} nodes)", self.node_count())
    }
}

impl fmt::Debug for VariableSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VariableSet({} variables)", self.0.node_count() - 1)
    }
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Replacement")
    }
}

impl fmt::Debug for Bdds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bdds")
            .field("variables", &self.literals.len())
            .field("capacity", &self.capacity)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for TableFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the table of decision diagrams is full")
    }
}

impl std::error::Error for TableFull {}
