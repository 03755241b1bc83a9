//! Automata that a user gives.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use serde_json::Value;
use support::{Finished, file, run};

const BANK: &str = "\
var balance: u8 = 10
mutex m
fn deposit() {
    lock m { balance = balance + 10 }
}
fn withdraw() {
    let seen = balance
    if seen >= 5 {
        lock m { balance = seen - 5 }
    }
}
fn withdraw_safely() {
    lock m {
        let seen = balance
        if seen >= 5 { balance = seen - 5 }
    }
}
";

const LOST: &str = "\
automaton `lost update` {
    party first
    party second is depositor
    step first read balance
    step second write balance
    step first write balance refusing first read balance
}
";

fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap()
}

#[test]
fn what_no_interleaving_does_is_safe() {
    let text =
        format!("{BANK}thread depositor {{ deposit() }}\nthread t {{ withdraw_safely() }}\n");
    let program = file("automata-safe.rad", &text);
    let automaton = file("automata-safe.phases", LOST);
    let asked = ["check", "--property", "atomic-sets", "--automaton"];
    let it = run(&[&asked[..], &[&automaton, &program]].concat());
    assert_eq!(it.code, Some(0), "{it:?}");
    let it = run(&[&asked[..], &[&automaton, "--format", "json", &program]].concat());
    let report = json(&it);
    let decided = &report["properties"][0];
    assert_eq!(decided["engine"], "pushdown", "{it:?}");
    assert!(
        it.stdout
            .contains("no interleaving is accepted by the automaton `lost update`"),
        "{it:?}"
    );
    let command = decided["command"].as_str().unwrap();
    assert!(command.contains("--automaton "), "{command}");
}

#[test]
fn what_some_interleaving_does_is_unknown_with_its_steps_marked() {
    let text = format!("{BANK}thread depositor {{ deposit() }}\nthread t {{ withdraw() }}\n");
    let program = file("automata-possible.rad", &text);
    let automaton = file("automata-possible.phases", LOST);
    let asked = ["check", "--property", "atomic-sets", "--automaton"];
    let it = run(&[&asked[..], &[&automaton, &program]].concat());
    assert_eq!(it.code, Some(3), "{it:?}");
    for part in [
        "automaton `lost update`: first read balance, second write balance, first write balance",
        "possible interleaving, not confirmed on the program (its accesses marked `*`)",
        "* t",
        "* depositor",
        "acquire `m`",
    ] {
        assert!(it.stdout.contains(part), "{part}\n{}", it.stdout);
    }
    let it = run(&[&asked[..], &[&automaton, "--format", "json", &program]].concat());
    let report = json(&it);
    let steps = report["properties"][0]["reason"]["steps"].as_array();
    let roles: Vec<&str> = steps
        .unwrap_or_else(|| panic!("{it:?}"))
        .iter()
        .map(|step| step["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles.iter().filter(|it| **it == "marked").count(), 3);
}

#[test]
fn who_gives_an_automaton_asks_for_the_property_and_for_the_engine() {
    let text = format!("{BANK}thread depositor {{ deposit() }}\nthread t {{ withdraw() }}\n");
    let program = file("automata-implied.rad", &text);
    let automaton = file("automata-implied.phases", LOST);
    let it = run(&[
        "check",
        "--property",
        "assert",
        "--format",
        "json",
        "--automaton",
        &automaton,
        &program,
    ]);
    let report = json(&it);
    let all = report["properties"].as_array().unwrap();
    let names: Vec<&str> = all
        .iter()
        .map(|it| it["property"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["assert", "atomic-sets"]);
    let command = all[0]["command"].as_str().unwrap();
    assert!(!command.contains("--automaton"), "{command}");
    run(&[
        "check",
        "--engine",
        "bmc",
        "--automaton",
        &automaton,
        &program,
    ])
    .is_refused_with(&["the engine `bmc` decides no automata", "--engine pushdown"]);
}

#[test]
fn names_that_mean_nothing_in_the_program_are_refused_with_their_place() {
    let program = file(
        "automata-names.rad",
        format!("{BANK}thread t {{ deposit() }}\n"),
    );
    for (line, message) in [
        ("step p read credit", "no variable is called `credit`"),
        ("step p read balance.x", "`balance` has no part `.x`"),
        ("step p lock balance", "`balance` is no lock"),
        ("step p enter audit", "no function is called `audit`"),
        (
            "party q is nobody step q begin step p end",
            "no thread or function is called `nobody`",
        ),
    ] {
        let text = format!("automaton a {{\n    party p\n    {line}\n}}\n");
        let automaton = file("automata-names.phases", &text);
        let it = run(&["check", "--automaton", &automaton, &program]);
        it.is_refused_with(&[message, "automata-names.phases:3:"]);
    }
    run(&["check", "--automaton", "nowhere.phases", &program]).is_refused_with(&["nowhere.phases"]);
}

/// A file of the repository.
fn example(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/papers/");
    format!("{folder}{name}")
}

#[test]
fn the_example_of_the_paper_is_excluded_by_the_repair() {
    let automaton = example("as-listing1-stack.phases");
    for name in ["as-listing1-stack-repaired.rad", "as-listing1-stack.rad"] {
        let it = run(&[
            "check",
            "--property",
            "atomic-sets",
            "--engine",
            "pushdown",
            "--assume-defined",
            "--automaton",
            &automaton,
            &example(name),
        ]);
        let is_repaired = name.contains("repaired");
        assert_eq!(it.code, Some(i32::from(!is_repaired)), "{it:?}");
    }
}
