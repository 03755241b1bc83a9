//! `cargo xtask mutants`: changes one thing in the mover table at a time and looks whether that is noticed.

use raddle_testkit::commute::{Checker, Mutant, Universe, mutants};

/// Prints every mutant with the number of cases that catch it.
///
/// # Errors
///
/// The mutants that nothing catches.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let universe = Universe::new();
    let mutants = mutants(&Checker::new(&universe));
    println!(
        "{:16} {:26} {:>10}  first counterexample",
        "row", "changed to", "caught by"
    );
    for mutant in &mutants {
        println!(
            "{:16} {:26} {:>10}  {}",
            format!("{:?}", mutant.row),
            mutant.change.describe(),
            mutant.caught_by,
            first(mutant)
        );
    }
    let survivors: Vec<String> = mutants
        .iter()
        .filter(|it| it.caught_by == 0)
        .map(|it| format!("nothing catches `{:?}` {}", it.row, it.change.describe()))
        .collect();
    println!("{} mutants, {} survive", mutants.len(), survivors.len());
    if survivors.is_empty() {
        Ok(())
    } else {
        Err(survivors)
    }
}

fn first(mutant: &Mutant) -> &str {
    match &mutant.first {
        Some(first) => first,
        None if mutant.caught_by > 0 => "none: all pairs of steps commute",
        None => "",
    }
}
