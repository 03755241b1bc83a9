//! Without `--engine`: two engines side by side, the first certified answer wins, and it can be repeated.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::time::{Duration, Instant};

use serde_json::Value;
use support::{ENDLESS, Finished, file, run};

/// Too many values for a search that tries them one by one.
const SUM: &str = "\
var x: u32
thread t {
    let a = any u32
    x = a * 7
    assert x != 123456789
}
";

/// Executions have no end, states are few; the range of the number is not enough for a proof.
const TURNS: &str = "\
var turn: u8
thread ping {
    loop {
        let t = atomic_load(turn)
        if t == 0 { atomic_store(turn, 2) }
    }
}
thread pong {
    loop {
        let t = atomic_load(turn)
        assert t != 1
        if t == 2 { atomic_store(turn, 0) }
    }
}
";

/// More states than there is time for; one of 2^32 values fails.
const DEEP: &str = "\
var x: u64
thread t[2] {
    loop {
        let a = atomic_load(x)
        atomic_store(x, a +% 1)
    }
}
thread u {
    let b = any u32
    assert b * b *% 5 != 4207813525
}
";

/// So many states that `bmc` joins, and executions without end, of which it finds none.
const ROUNDS: &str = "\
var x: u8
thread t[2] {
    loop {
        let a = atomic_load(x)
        atomic_store(x, (a + 2) % 10)
    }
}
thread u {
    loop {
        let a = atomic_load(x)
        assert a != 5
    }
}
";

fn check(name: &str, text: &str, options: &[&str]) -> Finished {
    let name = file(name, text);
    let mut arguments = vec!["check"];
    arguments.extend(options);
    arguments.push(&name);
    run(&arguments)
}

/// Property, verdict, engine and the command that repeats it.
fn verdicts(it: &Finished) -> Vec<(String, String, String, String)> {
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    let properties = report["properties"].as_array().unwrap();
    let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
    properties
        .iter()
        .map(|it| {
            (
                text(it, "property"),
                text(it, "verdict"),
                text(it, "engine"),
                text(it, "command"),
            )
        })
        .collect()
}

#[test]
fn what_only_one_engine_decides_is_decided() {
    for jobs in ["1", "2"] {
        let options = ["--property", "assert", "--jobs", jobs];
        let by_bmc = check("portfolio-sum.rad", SUM, &options);
        assert_eq!(by_bmc.code, Some(1), "{by_bmc:?}");
        let who = "assert: unsafe, by `bmc` with reduction";
        assert!(by_bmc.stdout.contains(who), "{by_bmc:?}");
        let by_explicit = check("portfolio-turns.rad", TURNS, &options);
        assert_eq!(by_explicit.code, Some(0), "{by_explicit:?}");
        let who = "assert: safe for sequentially consistent executions, by `explicit` with reduction `optimistic`";
        assert!(by_explicit.stdout.contains(who), "{by_explicit:?}");
    }
    let alone = |engine, name, text| {
        let options = ["--property", "assert", "--engine", engine, "--timeout", "1"];
        check(name, text, &options).code
    };
    assert_eq!(alone("explicit", "portfolio-sum-alone.rad", SUM), Some(3));
    assert_eq!(alone("bmc", "portfolio-turns-alone.rad", TURNS), Some(3));
}

#[test]
fn each_verdict_says_who_answered_and_the_command_that_repeats_it() {
    let it = check(
        "portfolio-both.rad",
        SUM,
        &[
            "--format",
            "json",
            "--property",
            "assert",
            "--property",
            "race",
        ],
    );
    assert_eq!(it.code, Some(1), "{it:?}");
    let verdicts = verdicts(&it);
    let found: Vec<(&str, &str, &str)> = verdicts
        .iter()
        .map(|(property, verdict, engine, _)| (&**property, &**verdict, &**engine))
        .collect();
    assert_eq!(
        found,
        [("assert", "unsafe", "bmc"), ("race", "safe", "static")]
    );
    for (property, verdict, _, command) in &verdicts {
        let words: Vec<&str> = command.split(' ').skip(1).chain(["-q"]).collect();
        let again = run(&words);
        assert_eq!(
            again.stdout,
            format!("{property}: {verdict}\n"),
            "{command}"
        );
    }
    let human = run(&["check", "--property", "assert", "portfolio-both.rad"]);
    let command = "repeat with: raddle check --property assert --engine bmc --reduction ";
    assert!(human.stdout.contains(command), "{human:?}");
}

#[test]
fn an_engine_ends_when_the_other_has_decided_everything() {
    for jobs in ["1", "2"] {
        let begin = Instant::now();
        let options = ["--property", "assert", "--timeout", "200", "--jobs", jobs];
        let by_bmc = check("portfolio-deep.rad", DEEP, &options);
        assert_eq!(by_bmc.code, Some(1), "{by_bmc:?}");
        assert!(by_bmc.stdout.contains("by `bmc`"), "{by_bmc:?}");
        let by_explicit = check("portfolio-rounds.rad", ROUNDS, &options);
        assert_eq!(by_explicit.code, Some(0), "{by_explicit:?}");
        assert!(
            by_explicit.stdout.contains("by `explicit`"),
            "{by_explicit:?}"
        );
        assert!(
            begin.elapsed() < Duration::from_secs(100),
            "nobody was stopped"
        );
    }
}

#[test]
fn the_limits_hold_for_both_engines_together() {
    for jobs in ["1", "2"] {
        let begin = Instant::now();
        let options = ["--property", "assert", "--timeout", "2", "--jobs", jobs];
        let text = format!("{ENDLESS}thread u {{ let a = x; assert a != 500000 }}\n");
        let late = check("portfolio-time.rad", &text, &options);
        assert_eq!(late.code, Some(3), "{late:?}");
        assert!(late.stdout.contains("[time]"), "{late:?}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{late:?}");
        let options = ["--property", "assert", "--memory", "60", "--jobs", jobs];
        let large = check("portfolio-memory.rad", &text, &options);
        assert_eq!(large.code, Some(3), "{large:?}");
        assert!(large.stdout.contains("[memory-limit]"), "{large:?}");
    }
}

#[test]
fn a_named_engine_with_one_worker_says_the_same_again() {
    for (engine, name, text) in [
        ("bmc", "portfolio-same-sum.rad", SUM),
        ("explicit", "portfolio-same-rounds.rad", ROUNDS),
    ] {
        let options = [
            "--engine",
            engine,
            "--jobs",
            "1",
            "--no-timing",
            "-v",
            "--property",
            "assert",
        ];
        let first = check(name, text, &options);
        let second = check(name, text, &options);
        assert_eq!(first.stdout, second.stdout);
        assert!(first.stdout.contains("counters of "), "{first:?}");
    }
}

#[test]
fn a_small_program_has_the_same_report_each_time() {
    let reports: Vec<String> = (0..3)
        .map(|_| check("portfolio-small.rad", TURNS, &["--no-timing", "-v"]).stdout)
        .collect();
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[1], reports[2]);
}

/// What is true of a program does not depend on who is faster.
#[test]
fn no_verdict_on_a_known_program_is_wrong() {
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/rad");
    let it = run(&["bench", "-q", "--json", "--timeout", "20", programs]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    let total = &report["total"];
    assert_eq!((&total["wrong"], &total["crashed"]), (&0.into(), &0.into()));
    assert!(total["right_true"].as_u64().unwrap() > 1_000, "{total}");
}

/// Whoever divides by zero keeps everybody from saying that anything is safe.
const DIVIDES: &str = "thread d {\n    let zero: u8 = 0\n    let a = 1 / zero\n}\n";

#[test]
fn a_run_ends_when_a_search_of_all_executions_has_met_something_undefined() {
    for (jobs, text) in [("1", ROUNDS), ("2", ROUNDS), ("2", TURNS)] {
        let begin = Instant::now();
        let text = format!("{}{DIVIDES}", text.replace("% 10", "% 4"));
        let limits = ["--timeout", "200", "--jobs", jobs];
        let options = [&["--strict", "--property", "assert"], &limits[..]].concat();
        let it = check("portfolio-undefined.rad", &text, &options);
        assert_eq!(it.code, Some(3), "{it:?}");
        let why = "assert: unknown, ";
        assert!(it.stdout.contains(why), "{it:?}");
        assert!(begin.elapsed() < Duration::from_secs(100), "{it:?}");
    }
    let bmc = ["--engine", "bmc", "--property", "assert", "--timeout", "2"];
    let text = format!("{TURNS}{DIVIDES}");
    let it = check("portfolio-undefined-bmc.rad", &text, &bmc);
    assert!(it.stdout.contains("[time]"), "it would go on: {it:?}");
}

#[test]
fn a_run_goes_on_when_the_search_has_left_out_values() {
    let text = format!("{SUM}{DIVIDES}");
    let it = check("portfolio-values.rad", &text, &["--property", "assert"]);
    assert_eq!(it.code, Some(1), "{it:?}");
    assert!(it.stdout.contains("by `bmc`"), "{it:?}");
}

#[test]
fn a_run_ends_when_no_search_can_prove_that_there_is_no_race() {
    let text = TURNS.replace("store(turn, 1)", "store(turn, 1, relaxed)");
    let begin = Instant::now();
    let options = ["--timeout", "200", "--property", "race"];
    let it = check("portfolio-relaxed.rad", &text, &options);
    let is_proved = it.stdout.contains("race: safe, by `static`");
    assert!(
        is_proved || it.stdout.contains("weaker-memory-order"),
        "{it:?}"
    );
    assert!(begin.elapsed() < Duration::from_secs(100), "{it:?}");
}
