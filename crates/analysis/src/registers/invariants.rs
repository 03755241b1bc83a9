//! What holds of guarded cells whenever nobody has what guards them, for people.

use raddle_base::Span;
use raddle_ir::Scalar;

use crate::names;
use crate::numbers::{NumberFacts, bounds};
use crate::value::Offset;

use super::Registers;

/// A range that threads leave behind and find.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Invariant {
    /// As in: `count` is from 0 to 10 when a thread takes `lock`.
    pub text: String,
    /// Where the variable is declared or allocated.
    pub span: Option<Span>,
}

impl Registers<'_, '_> {
    /// The invariants of all guarded cells of which more is certain than their type.
    pub(crate) fn invariants(&self) -> Vec<Invariant> {
        let cells = (0..self.tracked.cells.len())
            .filter(|it| matches!(self.tracked.ty(*it), Scalar::Int(_)));
        let cells = cells.map(|it| (it, self.name(it), it));
        let pairs = self.tracked.pairs();
        let pairs = pairs.map(|(one, other, pair)| {
            (
                pair,
                format!("{} - {}", self.name(one), self.name(other)),
                one,
            )
        });
        let all = cells.chain(pairs);
        let mut found: Vec<Invariant> = all
            .filter_map(|(cell, name, first)| {
                let range = self.range(cell)?;
                let guards = self.tracked.guard_names(self.points_to, cell);
                let object = self.tracked.cells[first].object;
                (!guards.is_empty()).then(|| Invariant {
                    text: format!(
                        "`{name}` is {range} when a thread takes {}",
                        guards.join(" or ")
                    ),
                    span: names::place(self.points_to, object),
                })
            })
            .collect();
        found.sort();
        found
    }

    fn name(&self, cell: usize) -> String {
        let cell = &self.tracked.cells[cell];
        names::of_part(self.points_to, cell.object, Offset::exactly(cell.offset))
    }

    /// The range that is handed on, in words, if it says anything.
    fn range(&self, cell: usize) -> Option<String> {
        let NumberFacts { low, high, .. } = self.handed.get(cell);
        let (least, greatest) = bounds(self.tracked.ty(cell));
        match (low > least, high < greatest) {
            _ if low > high => None,
            (true, true) if low == high => Some(low.to_string()),
            (true, true) => Some(format!("from {low} to {high}")),
            (true, false) => Some(format!("at least {low}")),
            (false, true) => Some(format!("at most {high}")),
            (false, false) => None,
        }
    }
}
