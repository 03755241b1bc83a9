//! What engines count on the programs of `crates/testkit/records/counters.txt` is what is pinned there.

use raddle_testkit::counters::Pins;
use raddle_testkit::{run, walk};

/// There are at least so many programs with pins.
const FEWEST: usize = 100;

#[test]
fn what_is_counted_is_what_is_pinned() {
    let root = walk::repository_root();
    let pins = Pins::read(&root).expect("the pins are there");
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    let pinned = pins.programs();
    assert!(pinned.len() >= FEWEST, "{} programs", pinned.len());
    let mut failures: Vec<String> = pinned
        .iter()
        .filter(|name| !programs.iter().any(|it| it.name == **name))
        .map(|name| format!("{name} is pinned, but not there"))
        .collect();
    for test in programs.iter().filter(|it| pinned.contains(&*it.name)) {
        if test.needs_compiler() && !run::has_compiler() {
            continue;
        }
        match pins.differences(test) {
            Ok(found) => failures.extend(found.iter().map(|it| format!("{}: {it}", test.name))),
            Err(problem) => failures.push(format!("{}: {problem}", test.name)),
        }
    }
    assert!(
        failures.is_empty(),
        "{}\nif that is meant, `cargo xtask bless` pins what is counted now",
        failures.join("\n")
    );
}
