//! `raddle compare`: the table, its JSON form, contradictions and failures.
//!
//! A script stands in for an engine that is wrong.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;
use support::{ENDLESS, RACE, SAFE, file, folder, run, run_with_input};

/// A script that answers every check with this text and status.
fn stub(name: &str, answer: &str, ending: &str) -> String {
    let answer = file(&format!("{name}.answer"), answer);
    let answer = folder().join(answer);
    let script = file(
        &format!("{name}.sh"),
        format!("#!/bin/sh\ncat '{}'\n{ending}\n", answer.display()),
    );
    let path = folder().join(script);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// What a check of the program prints as JSON.
fn report(name: &str, program: &str) -> String {
    run(&["check", "--format", "json", &file(name, program)]).stdout
}

#[test]
fn each_engine_is_a_row_with_its_verdicts_and_work() {
    let program = file("compare-safe.rad", SAFE);
    let finished = run(&["compare", "--no-timing", &program]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    assert!(
        finished.stdout.starts_with(
            "engine     reduction   assert   race     deadlock  memory   lock-misuse  uninitialized  undefined  work\n\
             reference  none        safe     safe     safe      safe     safe         safe           safe       "
        ),
        "{}",
        finished.stdout
    );
    for row in [
        "explicit   none        safe     safe     safe      safe     safe         safe           safe       ",
        "explicit   local       safe     safe     safe      safe     safe         safe           safe       ",
        "explicit   static      safe     unknown  unknown   safe     safe         safe           safe       ",
        "explicit   phase       safe     unknown  unknown   safe     safe         safe           safe       ",
        "explicit   optimistic  safe     safe     safe      safe     safe         safe           safe       ",
        "bmc        static      safe     unknown  unknown   ",
        "bmc        local       safe     ",
        "bmc        none        safe     ",
    ] {
        assert!(finished.stdout.contains(row), "{}", finished.stdout);
    }
    let timed = run(&["compare", "-v", "--property", "race", &program]);
    assert!(
        timed.stdout.contains("seconds  peak memory  ratio\n"),
        "{timed:?}"
    );
    assert!(timed.stdout.contains(" 1.00\n"), "{timed:?}");
    assert!(timed.stdout.contains("transitions "), "{timed:?}");
    let quiet = run(&["compare", "-q", "--property", "race", &program]);
    assert_eq!(quiet.stdout, "race: safe\n");
}

#[test]
fn the_status_is_that_of_the_verdicts_together() {
    let race = file("compare-race.rad", RACE);
    assert_eq!(run(&["compare", &race]).code, Some(1));
    let endless = file("compare-endless.rad", ENDLESS);
    let finished = run(&[
        "compare",
        "--property",
        "deadlock",
        "--timeout",
        "0.2",
        &endless,
    ]);
    assert_eq!(finished.code, Some(3), "{finished:?}");
    assert!(finished.stdout.contains("[time]"), "{finished:?}");
    let piped = run_with_input(
        &["compare", "-q", "--language", "rad", "-"],
        RACE.as_bytes(),
    );
    assert_eq!(piped.code, Some(1), "{piped:?}");
    assert!(piped.stdout.contains("race: unsafe\n"));
}

#[test]
fn another_engine_that_agrees_is_compared_by_its_time() {
    let program = file("compare-agree.rad", RACE);
    let other = stub("agrees", &report("compare-agree-2.rad", RACE), "exit 1");
    let finished = run(&["compare", "--format", "json", "--checker", &other, &program]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let json: Value = serde_json::from_str(&finished.stdout).unwrap();
    assert_eq!(json["summary"], "unsafe");
    let runs = json["runs"].as_array().unwrap();
    let mut engines: Vec<&str> = runs
        .iter()
        .map(|it| it["engine"].as_str().unwrap())
        .collect();
    engines.dedup();
    assert_eq!(
        engines,
        [
            "reference",
            "explicit",
            "bmc",
            "static",
            "pushdown",
            "token",
            "sample",
            "ic3",
            "agrees"
        ]
    );
    assert_eq!(runs[0]["verdicts"]["race"]["verdict"], "unsafe");
    assert!(runs[0]["peak_memory_bytes"].as_u64().unwrap() > 100_000);
    let best = usize::try_from(json["best"].as_u64().unwrap()).unwrap();
    assert_eq!(runs[best]["ratio"], 1.0);
    for run in runs.iter().filter(|run| !run["ratio"].is_null()) {
        assert!(run["ratio"].as_f64().unwrap() >= 1.0);
    }
}

#[test]
fn a_contradiction_is_status_101_and_names_both_sides() {
    let program = file("compare-contradiction.rad", RACE);
    let other = stub("liar", &report("compare-liar.rad", SAFE), "exit 0");
    let finished = run(&["compare", "--checker", &other, &program]);
    assert_eq!(finished.code, Some(101), "{finished:?}");
    assert!(
        finished.stderr.contains(
            "error[contradiction]: `race` is safe by `liar` with reduction `none`, \
             but unsafe by `reference` with reduction `none`"
        ),
        "{finished:?}"
    );
    assert!(finished.stderr.contains("defect of raddle"), "{finished:?}");
    assert!(finished.stdout.contains("contradiction: "), "{finished:?}");
    assert!(!finished.stdout.contains("\nsafe"), "{finished:?}");
}

#[test]
fn a_run_that_crashes_hangs_or_says_nonsense_is_named_and_never_safe() {
    let program = file("compare-crash.rad", SAFE);
    for (name, answer, ending, expected) in [
        ("crasher", "", "kill -9 $$", "signal 9 (SIGKILL)"),
        ("mumbler", "hm", "exit 0", "ended without a report"),
        ("sleeper", "", "exec sleep 100", "did not end in time"),
    ] {
        let other = stub(name, answer, ending);
        let finished = run(&["compare", "--timeout", "0.5", "--checker", &other, &program]);
        assert_eq!(finished.code, Some(101), "{finished:?}");
        assert!(finished.stdout.contains(expected), "{finished:?}");
        assert!(
            finished.stdout.contains(&format!("`{name}`")),
            "{finished:?}"
        );
    }
}

#[test]
fn wrong_input_is_said_once() {
    let program = file("compare-wrong.rad", "thread t { frob }");
    let finished = run(&["compare", &program]);
    finished.is_refused_with(&["error[", "compare-wrong.rad:1"]);
    run(&["compare", "compare-nowhere.rad"]).is_refused_with(&["cannot read", "help: "]);
    run(&[
        "compare",
        "--checker",
        "./compare-nobody",
        &file("compare-nobody.rad", SAFE),
    ])
    .is_refused_with(&["cannot run `./compare-nobody`", "help: "]);
}
