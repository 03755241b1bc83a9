//! The mover table says what the interpreter does, and nothing can be changed in it unnoticed.

use std::sync::LazyLock;

use raddle_reduce::movers::Row;
use raddle_testkit::commute::{Checker, Universe, mutants};

/// Without and with addresses that come back.
static UNIVERSES: LazyLock<[Universe; 2]> = LazyLock::new(|| [false, true].map(Universe::new));
static CHECKERS: LazyLock<Vec<Checker<'static>>> =
    LazyLock::new(|| UNIVERSES.iter().map(Checker::new).collect());

#[test]
fn every_row_moves_as_claimed() {
    for checker in CHECKERS.iter() {
        let wrong: Vec<String> = checker
            .rows()
            .flat_map(|row| checker.disagreements(row, row.claim()))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

#[test]
fn flipping_any_flag_and_dropping_any_condition_is_caught() {
    for checker in CHECKERS.iter() {
        let missed: Vec<String> = mutants(checker)
            .iter()
            .filter(|it| it.caught_by == 0)
            .map(|it| format!("{:?}: {}", it.row, it.change.describe()))
            .collect();
        assert!(missed.is_empty(), "{missed:#?}");
    }
}

#[test]
fn every_row_has_actions() {
    for row in Row::ALL {
        // A section is judged by what is inside; nothing is known of the unsupported.
        let is_judged = !matches!(row, Row::Section | Row::Unsupported);
        let has_actions = UNIVERSES.iter().any(|it| it.has_actions(row));
        assert_eq!(has_actions, is_judged, "actions for {row:?}");
    }
}
