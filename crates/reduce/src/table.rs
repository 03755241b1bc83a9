//! The table that a search goes by: the documented one, or, for tests of the tests, one with something wrong.

use crate::movers::{Claim, Condition, Row};

/// What is claimed of each row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Of the documented table.
    change: Option<(Row, Change)>,
}

/// What is different about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The flag says the opposite of what the table says.
    Right(bool),
    Left(bool),
    Without(Condition),
}

impl Change {
    pub fn describe(self) -> String {
        match self {
            Change::Right(true) => "right mover".into(),
            Change::Right(false) => "no right mover".into(),
            Change::Left(true) => "left mover".into(),
            Change::Left(false) => "no left mover".into(),
            Change::Without(condition) => format!("without {condition:?}"),
        }
    }

    /// Whether more steps move with it, so that it may hide executions.
    pub fn is_dangerous(self) -> bool {
        match self {
            Change::Right(moves) | Change::Left(moves) => moves,
            Change::Without(_) => true,
        }
    }
}

impl Table {
    /// The documented table with one change.
    pub fn changed(row: Row, change: Change) -> Self {
        Self {
            change: Some((row, change)),
        }
    }

    fn change_of(self, row: Row) -> Option<Change> {
        self.change
            .filter(|(changed, _)| *changed == row)
            .map(|(_, change)| change)
    }

    /// Whether the actions of a row are right and left movers while all conditions hold.
    pub fn sides(self, row: Row) -> (bool, bool) {
        let Claim {
            mut is_right,
            mut is_left,
            conditions: _,
        } = row.claim();
        match self.change_of(row) {
            Some(Change::Right(flag)) => is_right = flag,
            Some(Change::Left(flag)) => is_left = flag,
            Some(Change::Without(_)) | None => {}
        }
        (is_right, is_left)
    }

    /// What has to hold for that.
    pub fn conditions(self, row: Row) -> impl Iterator<Item = Condition> {
        let dropped = self.change_of(row);
        row.claim()
            .conditions
            .iter()
            .copied()
            .filter(move |it| dropped != Some(Change::Without(*it)))
    }
}

/// Every flag flipped and every condition dropped, one at a time.
pub fn changes() -> Vec<(Row, Change)> {
    let mut found = Vec::new();
    for row in Row::ALL {
        let claim = row.claim();
        found.push((row, Change::Right(!claim.is_right)));
        found.push((row, Change::Left(!claim.is_left)));
        let dropped = claim.conditions.iter().map(|it| Change::Without(*it));
        found.extend(dropped.map(|change| (row, change)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_concerns_one_row_and_one_claim_of_it() {
        let documented = Table::default();
        for (row, change) in changes() {
            let changed = Table::changed(row, change);
            for other in Row::ALL {
                let is_same = changed.sides(other) == documented.sides(other)
                    && changed.conditions(other).eq(documented.conditions(other));
                assert_eq!(is_same, other != row, "{row:?} {change:?} on {other:?}");
            }
        }
    }
}
