//! The table with one thing wrong: each must be caught.

use raddle_reduce::movers::{Condition, Row};
pub use raddle_reduce::table::Change;

use super::Checker;

/// A wrong table and what speaks against it.
#[derive(Clone, Debug)]
pub struct CommuteMutant {
    pub row: Row,
    pub change: Change,
    /// Pairs of steps that show the mistake. For a mover that is denied, all pairs that were compared, since not
    /// one of them denies it; 0 if the change is not caught.
    pub caught_by: usize,
    /// The first counterexample; a mover that is denied has none.
    pub first: Option<String>,
}

/// Every flag flipped and every condition dropped, one at a time.
pub fn mutants(checker: &Checker<'_>) -> Vec<CommuteMutant> {
    let mut found = Vec::new();
    for row in checker.rows() {
        let claim = row.claim();
        let truth = checker.truth(row, claim.conditions);
        for (claimed, side, change) in [
            (claim.is_right, &truth.right, Change::Right as fn(bool) -> _),
            (claim.is_left, &truth.left, Change::Left),
        ] {
            let caught_by = match (claimed, side.count) {
                (true, 0) => side.compared,
                (true, _) => 0,
                (false, count) => count,
            };
            found.push(CommuteMutant {
                row,
                change: change(!claimed),
                caught_by,
                first: side.first.clone(),
            });
        }
        for &dropped in claim.conditions {
            let rest: Vec<Condition> = claim
                .conditions
                .iter()
                .copied()
                .filter(|it| *it != dropped)
                .collect();
            let truth = checker.truth(row, &rest);
            let claimed = [(claim.is_right, truth.right), (claim.is_left, truth.left)];
            let mut mutant = CommuteMutant {
                row,
                change: Change::Without(dropped),
                caught_by: 0,
                first: None,
            };
            for (_, side) in claimed.into_iter().filter(|(is_claimed, _)| *is_claimed) {
                mutant.caught_by += side.count;
                mutant.first = mutant.first.or(side.first);
            }
            found.push(mutant);
        }
    }
    found
}
