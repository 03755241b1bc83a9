//! Atomic sets that nobody declared, and who decides what is said of them.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use serde_json::Value;
use support::{Finished, file, folder, run};

const STACK: &str = "\
struct Stack { count: u8; top: u8; m: mutex }
var s: Stack
var other: u8
fn push(value: u8) {
    acquire s.m
    s.count = s.count + 1
    s.top = value
    release s.m
}
thread t[2] { push(tid as u8); other = 1 }
";

fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap()
}

fn property<'a>(report: &'a Value, name: &str) -> &'a Value {
    let all = report["properties"].as_array().unwrap();
    all.iter().find(|it| it["property"] == name).unwrap()
}

#[test]
fn the_program_is_dumped_with_the_sets_and_units_that_were_asked_for() {
    let program = file("sets-dump.rad", STACK);
    let plain = run(&["dump", "ir", &program]);
    assert!(!plain.stdout.contains("atomicset"), "{plain:?}");
    for (choice, expected) in [
        ("structs", "atomicset `object s` { s.count, s.top }"),
        ("cells", "atomicset `cell s.count` { s.count }"),
        ("all", "atomicset `all data` { s.count, s.top, other }"),
    ] {
        let it = run(&["dump", "ir", "--atomic-sets", choice, &program]);
        assert_eq!(it.code, Some(0), "{it:?}");
        assert!(it.stdout.contains(expected), "{it:?}");
        assert_eq!(it.stdout.matches("unit_begin").count(), 1, "{it:?}");
    }
}

#[test]
fn who_asks_for_sets_asks_for_the_property_too() {
    let program = file("sets-implied.rad", STACK);
    let sets = ["check", "--format", "json", "--atomic-sets", "structs"];
    for more in [&[][..], &["--property", "assert"]] {
        let it = run(&[&sets[..], more, &[&program]].concat());
        let report = json(&it);
        let decided = property(&report, "atomic-sets");
        assert_eq!(decided["engine"], "pushdown", "{it:?}");
        let command = decided["command"].as_str().unwrap();
        assert!(
            command.contains("--property atomic-sets --engine pushdown")
                && command.contains("--atomic-sets structs"),
            "{command}"
        );
        let command = property(&report, "assert")["command"].as_str().unwrap();
        assert!(!command.contains("--atomic-sets"), "{command}");
        let whole = report["command"].as_str().unwrap();
        assert!(whole.contains("--atomic-sets structs"), "{whole}");
    }
}

#[test]
fn a_program_without_sets_has_nothing_to_check() {
    let program = file("sets-none.rad", "thread t { skip }\n");
    let it = run(&["check", "--property", "atomic-sets", &program]);
    assert_eq!(it.code, Some(0), "{it:?}");
    assert!(it.stdout.contains("nothing to check"), "{it:?}");
}

#[test]
fn a_trace_of_a_program_with_added_sets_replays() {
    let program = file("sets-replay.rad", STACK);
    let trace = folder().join("sets-replay.json").display().to_string();
    let it = run(&[
        "check",
        "--atomic-sets",
        "cells",
        "--property",
        "race",
        "--trace",
        &trace,
        &program,
    ]);
    assert_eq!(it.code, Some(1), "{it:?}");
    let text = std::fs::read_to_string(folder().join(&trace)).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(written["options"]["atomic_sets"], "cells");
    let it = run(&["replay", "--print", "--property", "race", &trace]);
    assert!(it.stdout.contains("the violation recurs"), "{it:?}");
    assert!(it.stdout.contains("begins a unit of work"), "{it:?}");
}

#[test]
fn patterns_are_for_those_who_look_for_them() {
    let program = file("sets-patterns.rad", STACK);
    let it = run(&["check", "--patterns", "14", "--engine", "bmc", &program]);
    it.is_refused_with(&[
        "the engine `bmc` looks for no patterns",
        "--engine pushdown",
    ]);
    run(&["check", "--patterns", "15", &program]).is_refused_with(&["14", "32"]);
    let it = run(&[
        "check",
        "--patterns",
        "14",
        "--property",
        "atomic-sets",
        "--atomic-sets",
        "all",
        "--format",
        "json",
        &program,
    ]);
    let command = json(&it)["command"].as_str().unwrap().to_owned();
    assert!(command.contains("--patterns 14"), "{command}");
}
