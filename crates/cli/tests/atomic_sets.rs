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

/// The index depends on a value that the abstraction forgets, and a table has an end.
const INDEXED: &str = "\
var low: u8
var high: u8
var at: u8
var table: [u8; 4]
mutex m
atomicset S { low, high }
unit fn set(v: u8) {
    lock m {
        let i = at
        at = (i + 1) % 4
        table[i] = v
        low = v
        high = v
    }
}
thread t[2] { set(tid as u8) }
";

#[test]
fn what_a_search_has_shown_need_not_be_proved_again() {
    let program = file("sets-defined.rad", INDEXED);
    let alone = run(&[
        "check",
        "--property",
        "atomic-sets",
        "--engine",
        "pushdown",
        &program,
    ]);
    let together = run(&["check", "--format", "json", &program]);
    let report = json(&together);
    let decided = property(&report, "atomic-sets");
    assert_eq!(decided["verdict"], "safe", "{together:?}");
    // If it cannot do so alone, the command that repeats it says what it took for granted.
    let command = decided["command"].as_str().unwrap();
    assert_eq!(
        command.contains("--assume-defined"),
        alone.code == Some(3),
        "{alone:?}\n{command}"
    );
}

#[test]
fn an_interrupted_unit_is_unsafe_and_its_accesses_are_marked() {
    let program = file(
        "sets-unsafe.rad",
        "\
struct Pair { low: u8; high: u8 }
var p: Pair
mutex m, n
fn set(value: u8) {
    lock m { p.low = value }
    lock n { p.high = value }
}
thread t { set(1) }
thread u { set(2) }
",
    );
    let trace = folder().join("sets-unsafe.json").display().to_string();
    let it = run(&[
        "check",
        "--atomic-sets",
        "structs",
        "--trace",
        &trace,
        &program,
    ]);
    assert_eq!(it.code, Some(1), "{it:?}");
    for part in [
        "units of work on `object p` fit into no serial order",
        "accesses of the violation marked `*`",
        "begins a unit of work",
        "atomic-sets: unsafe, by `pushdown`, trace replayed",
        "repeat atomic-sets with: raddle check --property atomic-sets --engine pushdown",
    ] {
        assert!(it.stdout.contains(part), "{part}\n{}", it.stdout);
    }
    let it = run(&["replay", "--print", &trace]);
    assert_eq!(it.code, Some(0), "{it:?}");
    assert!(it.stdout.contains("* part of the violation: "), "{it:?}");
    assert!(it.stdout.contains("the violation recurs"), "{it:?}");
}

/// What keeps the units apart is a value, and one thread does something undefined, so that not all executions are known.
const POSSIBLE: &str = "\
var low: u8
var high: u8
var never: u8
mutex m, n
atomicset S { low, high }
unit fn set(v: u8) {
    lock m { low = v }
    lock n { high = v }
}
thread left { set(1) }
thread right { if never > 0 { set(2) } }
thread wrong { let x = 1 / never }
";

#[test]
fn a_possible_interleaving_shows_units_locks_and_the_accesses_of_the_pattern() {
    let program = file("sets-possible.rad", POSSIBLE);
    let asked = ["check", "--property", "atomic-sets", &program];
    let it = run(&asked);
    assert_eq!(it.code, Some(3), "{it:?}");
    assert!(
        it.stdout
            .contains("possible interleaving, not confirmed on the program"),
        "{it:?}"
    );
    let table: Vec<&str> = it
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("possible interleaving"))
        .take_while(|line| !line.is_empty())
        .collect();
    let shown = |thread: &str, what: &str| {
        let row = |line: &&str| line.contains(thread) && line.ends_with(what);
        let found = table.iter().copied().find(row);
        found.unwrap_or_else(|| panic!("{thread} {what}\n{}", it.stdout))
    };
    for thread in ["left", "right"] {
        assert!(!shown(thread, "a unit of work begins").contains('*'));
        assert!(!shown(thread, "acquire `m`").contains('*'));
        assert!(shown(thread, "write `low`").contains(" * "));
        assert!(shown(thread, "write `high`").contains(" * "));
    }
    let it = run(&[&asked[..], &["--format", "json"]].concat());
    let report = json(&it);
    let steps = property(&report, "atomic-sets")["reason"]["steps"]
        .as_array()
        .unwrap_or_else(|| panic!("{it:?}"));
    let with_role = |role: &str| -> Vec<&str> {
        let of_role = steps.iter().filter(|step| step["role"] == role);
        of_role.map(|step| step["text"].as_str().unwrap()).collect()
    };
    assert_eq!(with_role("marked").len(), 4, "{it:?}");
    // Nobody needs to go on behind the last access of the pattern.
    assert_eq!(with_role("unit"), ["a unit of work begins"; 2]);
    assert!(with_role("lock").contains(&"acquire `m`"));
    let marked = steps.iter().filter(|step| step["role"] == "marked");
    assert!(marked.into_iter().all(|step| step["place"].is_object()));
}

#[test]
fn a_program_without_units_is_warned_of() {
    let text = "var x: u8\nthread t[2] { x = x + 1 }\n";
    let program = file("sets-no-units.rad", text);
    let asked = ["check", "--property", "atomic-sets", "--atomic-sets", "all"];
    let it = run(&[&asked[..], &[&program]].concat());
    assert_eq!(it.code, Some(0), "{it:?}");
    let said = format!("{}{}", it.stdout, it.stderr);
    assert!(said.contains("there are no units of work"), "{it:?}");
    let program = file("sets-units.rad", STACK);
    let it = run(&[&asked[..], &[&program]].concat());
    let said = format!("{}{}", it.stdout, it.stderr);
    assert!(!said.contains("there are no units of work"), "{it:?}");
}
