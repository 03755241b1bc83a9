//! Warnings of engines: predicates that do not hold, and locks that are taken in both orders.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::path::Path;

use serde_json::Value;
use support::{Finished, file, run};

/// A program of the repository.
fn program(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(path).to_str().unwrap().to_owned()
}

#[track_caller]
fn warns_of(finished: &Finished, code: i32, parts: &[&str]) {
    assert_eq!(finished.code, Some(code), "{finished:?}");
    for part in parts {
        assert!(
            finished.stderr.contains(part),
            "no `{part}` in {}",
            finished.stderr
        );
    }
}

#[test]
fn a_predicate_that_an_access_breaks_is_reported_though_there_is_no_race() {
    let finished = run(&[
        "check",
        &program("tests/rad/movers/predicate-broken-without-a-race.rad"),
    ]);
    let parts = [
        "warning[wrong-predicate]: the predicate of exclusive access to `x` does not hold when \
         thread `reader` accesses it",
        ".rad:13:14",
        "the predicate",
    ];
    warns_of(&finished, 0, &parts);
    let finished = run(&[
        "check",
        &program("tests/c/annotations/exclusive-access-is-broken-without-a-race.c"),
    ]);
    let parts = [
        "does not hold when thread `main` accesses it",
        "22 |     x = 2;",
    ];
    warns_of(&finished, 0, &parts);
}

#[test]
fn a_predicate_that_is_given_by_others_suits_one_reduction_and_not_the_other() {
    let path = file(
        "warnings-given.rad",
        "\
var x: u8
var turn: u8
mutex m
exclusive x when owner(m) == tid and turn == 1
thread taker {
    lock m {
        await turn == 1
        x = 3
    }
}
thread giver { atomic_store(turn, 1); let a = any u8; assert a *% 2 != 7 }
",
    );
    let check = |reduction: &str| {
        run(&[
            "check",
            "--property",
            "assert",
            "--reduction",
            reduction,
            &path,
        ])
    };
    let parts = [
        "warning[wrong-predicate]: exclusive access to `x` is given to thread `taker` by thread \
         `giver`, which the reduction `phase` does not accept",
        "warnings-given.rad:11:16",
        "given here",
        "use `--reduction optimistic`, which does",
    ];
    warns_of(&check("phase"), 0, &parts);
    let finished = check("optimistic");
    assert_eq!(finished.stderr, "");
}

#[test]
fn a_predicate_without_an_owner_is_refused_by_one_reduction() {
    let path = program("tests/rad/movers/predicate-given-and-kept.rad");
    let finished = run(&["check", "--reduction", "phase", &path]);
    let parts = [
        "names no lock or thread that it always asks for",
        "which the reduction `phase` does not accept",
        ".rad:6:1",
    ];
    warns_of(&finished, 3, &parts);
    let finished = run(&["check", "--reduction", "optimistic", &path]);
    assert_eq!(finished.stderr, "");
}

#[test]
fn a_predicate_of_two_threads_at_once_names_both() {
    let path = file(
        "warnings-shared.rad",
        "\
var x: u8
var open: u8
exclusive x when open == 1
thread t[2] {
    atomic_store(open, 1)
}
",
    );
    let finished = run(&["check", &path]);
    let parts = [
        "the predicate of exclusive access to `x` holds for the threads `t[0]` and `t[1]` at once",
        "warnings-shared.rad:5",
    ];
    warns_of(&finished, 0, &parts);
}

#[test]
fn locks_in_both_orders_are_a_warning_where_no_deadlock_can_be_reached() {
    let path = program("tests/rad/mutex/both-orders-behind-a-gate.rad");
    let finished = run(&["check", &path]);
    let parts = [
        "warning[lock-order]: locks `first` and `second` are taken in both orders",
        "thread `forth` takes `second` while it holds `first`",
        "thread `back` takes `first` while it holds `second`",
    ];
    warns_of(&finished, 0, &parts);
    let finished = run(&["check", "--format", "json", &path]);
    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(report["summary"], "safe");
    assert_eq!(report["diagnostics"][0]["code"], "lock-order");
    assert_eq!(report["diagnostics"][0]["severity"], "warning");
    assert_eq!(
        report["diagnostics"][0]["labels"].as_array().map(Vec::len),
        Some(2)
    );
    let finished = run(&["check", "--format", "sarif", &path]);
    let log: Value = serde_json::from_str(&finished.stdout).unwrap();
    let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notifications[0]["descriptor"]["id"], "lock-order", "{log}");
    assert_eq!(notifications[0]["level"], "warning", "{log}");
}

#[test]
fn a_circle_of_three_locks_is_one_too() {
    let path = program("tests/rad/mutex/circle-of-three-behind-a-gate.rad");
    let parts = ["locks `a`, `b` and `c` are taken in a circle"];
    warns_of(&run(&["check", &path]), 0, &parts);
}

#[test]
fn locks_on_the_heap_have_an_order_too() {
    let path = program("tests/c/threads/both-orders-behind-a-gate.c");
    let parts = [
        "are taken in both orders",
        "17 |     pthread_mutex_lock(&to->lock);",
    ];
    warns_of(&run(&["check", &path]), 0, &parts);
}

#[test]
fn a_deadlock_one_order_or_one_thread_give_no_warning() {
    for (name, body, code) in [
        (
            "warnings-deadlock.rad",
            "thread t { lock a { lock b { skip } } }\nthread u { lock b { lock a { skip } } }\n",
            1,
        ),
        (
            "warnings-one-order.rad",
            "thread t { lock a { lock b { skip } } }\nthread u { lock a { lock b { skip } } }\n",
            0,
        ),
        (
            "warnings-one-thread.rad",
            "thread t { lock a { lock b { skip } } lock b { lock a { skip } } }\n",
            0,
        ),
    ] {
        let path = file(name, format!("mutex a, b\n{body}"));
        let finished = run(&["check", &path]);
        assert_eq!(finished.code, Some(code), "{finished:?}");
        assert_eq!(finished.stderr, "", "{name}");
    }
}

#[test]
fn an_attempt_at_a_lock_does_not_wait_and_has_no_order() {
    let path = file(
        "warnings-attempt.rad",
        "\
mutex a, b
thread t { lock a { lock b { skip } } }
thread u {
    lock b {
        let failed = try_acquire a
        if failed == 0 { release a }
    }
}
",
    );
    let finished = run(&["check", "--property", "deadlock", &path]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    assert_eq!(finished.stderr, "");
}

#[test]
fn a_program_that_starts_no_thread_though_it_could_is_reported() {
    let text = |limit: u8| {
        format!(
            "var x: u8\nfn work() {{\n    x = 1\n}}\nfn main() {{\n    let n: u8 = 1\n    if n > {limit} {{\n        \
             let t = spawn work()\n        join t\n    }}\n}}\n"
        )
    };
    let one = file("one-thread.rad", text(1));
    let finished = run(&["check", &one]);
    let parts = [
        "warning[one-thread]: no second thread is ever started in the executions examined",
        "one-thread.rad:8:",
    ];
    warns_of(&finished, 0, &parts);
    let report: Value =
        serde_json::from_str(&run(&["check", "--format", "json", &one]).stdout).unwrap();
    let diagnostics = report["diagnostics"].as_array().unwrap();
    assert!(
        diagnostics.iter().any(|it| it["code"] == "one-thread"),
        "{report}"
    );
    let two = run(&["check", &file("two-threads.rad", text(0))]);
    assert!(!two.stderr.contains("one-thread"), "{two:?}");
    let none = run(&["check", &file("no-spawn.rad", "thread t { skip }\n")]);
    assert!(!none.stderr.contains("one-thread"), "{none:?}");
}
