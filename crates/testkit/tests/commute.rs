//! The mover table says what the interpreter does, and nothing can be changed in it unnoticed.

use std::sync::LazyLock;

use raddle_testkit::commute::{Checker, Universe, mutants, rows_with_actions};

static UNIVERSE: LazyLock<Universe> = LazyLock::new(Universe::new);
static CHECKER: LazyLock<Checker<'static>> = LazyLock::new(|| Checker::new(&UNIVERSE));

#[test]
fn every_row_moves_as_claimed() {
    let wrong: Vec<String> = rows_with_actions()
        .flat_map(|row| CHECKER.disagreements(row, row.claim()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn flipping_any_flag_and_dropping_any_condition_is_caught() {
    let missed: Vec<String> = mutants(&CHECKER)
        .iter()
        .filter(|it| it.caught_by == 0)
        .map(|it| format!("{:?}: {}", it.row, it.change.describe()))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_row_has_actions() {
    for row in rows_with_actions() {
        assert!(UNIVERSE.has_actions(row), "no action stands for {row:?}");
    }
}
