//! `raddle movers`: classes, reasons, transactions and variables, for people and as JSON.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{ENDLESS, Finished, file, run};

/// A program of the repository.
fn program(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(path).to_str().unwrap().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let finished = run(&[&["movers", "--json"], arguments].concat());
    assert_eq!(finished.code, Some(0), "{finished:?}");
    serde_json::from_str(&finished.stdout).unwrap()
}

fn transactions(report: &Value, function: &str) -> Value {
    let functions = report["functions"].as_array().unwrap();
    let found = functions.iter().find(|it| it["name"] == function);
    found.unwrap_or_else(|| panic!("no `{function}` in {report}"))["transactions"].clone()
}

fn message<'a>(report: &'a Value, variable: &str) -> &'a str {
    let variables = report["variables"].as_array().unwrap();
    let found = variables.iter().find(|it| it["name"] == variable);
    found.unwrap_or_else(|| panic!("no `{variable}` in {report}"))["message"]
        .as_str()
        .unwrap()
}

#[track_caller]
fn has_lines(finished: &Finished, lines: &[&str]) {
    for line in lines {
        assert!(
            finished.stdout.lines().any(|it| it.trim_end() == *line),
            "no line\n{line}\nin\n{}",
            finished.stdout
        );
    }
}

#[test]
fn the_methods_of_the_counter_of_fq_are_one_transaction_each_with_phases() {
    let report = json(&[&program("examples/papers/fq-counter.rad")]);
    for method in ["incr", "decr", "read"] {
        assert_eq!(transactions(&report, method), 1, "{method}");
    }
    assert_eq!(transactions(&report, "worker"), Value::Null);
    assert_eq!(message(&report, "x"), "protected by `mx`");
    assert_eq!(message(&report, "y"), "protected by `my`");
    assert!(message(&report, "count").starts_with("not protected: read under `mx` at "));
}

#[test]
fn they_are_two_two_and_three_with_left_movers_only() {
    let report = json(&[
        "--reduction",
        "optimistic",
        &program("examples/papers/fq-counter.rad"),
    ]);
    assert_eq!(transactions(&report, "incr"), 2);
    assert_eq!(transactions(&report, "decr"), 2);
    assert_eq!(transactions(&report, "read"), 3);
}

#[test]
fn the_source_is_shown_with_classes_marks_and_reasons() {
    let program = file(
        "movers-listing.rad",
        "\
var x: u8
var flag: u8
mutex m
thread t[2] {
    lock m {
        let a = x
        x = a +% 1
    }
    flag = 1
}
",
    );
    let finished = run(&["movers", &program]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    has_lines(
        &finished,
        &[
            "t (movers-listing.rad:4): transactions a call: 2",
            "  5 | R    [   |     lock m {                                    ; acquires `m`",
            "  6 | B        |         let a = x                               ; `x` under `m`",
            "  7 | B        |         x = a +% 1                              ; `x` under `m`",
            "  8 | L     !] |     }                                           ; releases `m`",
            "  `x`: protected by `m`",
            "  `flag`: not protected: written without a lock at movers-listing.rad:9",
            "reduction `phase`",
        ],
    );
    let styled = run(&["movers", "--color", "always", &program]);
    assert!(styled.stdout.contains("\u{1b}[32mB\u{1b}[0m"), "{styled:?}");
}

#[test]
fn locks_in_c_are_called_what_the_source_calls_them() {
    for (name, variable, lock) in [
        ("counter-under-a-global-lock", "counter", "lock"),
        (
            "counter-under-a-lock-in-its-struct",
            "account.counter",
            "account.lock",
        ),
        (
            "counter-under-a-lock-in-an-array",
            "counters[1]",
            "locks[1]",
        ),
        (
            "counter-under-a-lock-on-the-heap",
            "it->counter",
            "it->lock",
        ),
        ("counter-under-a-re-entrant-lock", "counter", "lock"),
        ("counter-under-a-lock-taken-by-a-callee", "counter", "lock"),
    ] {
        let report = json(&[&program(&format!("tests/c/reduction/{name}.c"))]);
        assert_eq!(
            message(&report, variable),
            format!("protected by `{lock}`"),
            "{name}"
        );
    }
    let path = program("tests/c/reduction/counter-under-a-lock-of-each-thread.c");
    let report = json(&[&path]);
    assert!(message(&report, "counter").starts_with("not protected: "));
    assert_eq!(transactions(&report, "work"), 2);
    let path = program("tests/c/reduction/counter-under-a-re-entrant-lock.c");
    assert_eq!(transactions(&json(&[&path]), "increment"), 0);
}

#[test]
fn a_branch_without_the_access_does_not_make_two_transactions_of_one() {
    // Either the access or the release commits, but never both.
    let program = file(
        "movers-branch.rad",
        "\
var x: u8
var shared: u8
mutex m
fn step() {
    lock m {
        let a = x
        if a == 0 { shared = 1 }
        x = a ^ 1
    }
}
thread t[2] { loop { step() } }
",
    );
    assert_eq!(transactions(&json(&[&program]), "step"), 1);
}

#[test]
fn variables_that_need_no_lock_say_why() {
    let program = file(
        "movers-no-lock.rad",
        "\
var own: u8
var constant: u8 = 3
var tried: u8
mutex m
thread t {
    own = 1
    let a = constant
    lock m { tried = a }
}
thread u {
    let b = constant
    let failed = try_acquire m
    if failed == 0 { release m }
}
",
    );
    let finished = run(&["movers", "--json", &program]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(message(&report, "own"), "only thread `t` uses it");
    assert_eq!(
        message(&report, "constant"),
        "nobody writes it while threads share it"
    );
    assert!(message(&report, "m").starts_with("someone tries it"));
    let listing = run(&["movers", &program]);
    assert!(
        listing.stdout.contains("acquires `m`, which someone tries"),
        "{}",
        listing.stdout
    );
}

#[test]
fn what_could_not_be_finished_is_said_to_be_incomplete() {
    let program = file("movers-endless.rad", ENDLESS);
    let finished = run(&["movers", "--timeout", "0.3", &program]);
    assert_eq!(finished.code, Some(3), "{finished:?}");
    assert!(
        finished.stdout.contains(
            "incomplete: not all executions were examined: the time limit was reached [time]"
        ),
        "{finished:?}"
    );
    let finished = run(&["movers", "--json", "--timeout", "0.3", &program]);
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(report["exit_code"], 3);
    assert_eq!(report["incomplete"]["code"], "time");
}

#[test]
fn wrong_input_and_usage_are_refused() {
    run(&["movers", "missing.rad"]).is_refused_with(&["cannot read `missing.rad`"]);
    let program = file("movers-wrong.rad", "var x: u8 = \n");
    run(&["movers", &program]).is_refused_with(&["error"]);
    run(&["movers", "--reduction", "none", &program]).is_refused_with(&["possible values"]);
}
