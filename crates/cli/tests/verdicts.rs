//! Verdicts, exit codes and the forms of a report.

mod support;

use serde_json::Value;
use support::{Finished, RACE, SAFE, file, folder, run, run_with_input};

/// What becomes of memory is not proved without search.
const HEAP: &str = "\
mutex m
thread t[2] {
    let p: *u8 = alloc u8
    lock m { *p = 1 }
    free p
}
";

#[test]
fn a_safe_program_exits_with_0() {
    let name = file("safe.rad", SAFE);
    let it = run(&["check", "--no-timing", &name]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let expected = "\
safe: 7 of 7 properties proved
  assert: safe, by `static`, proved for every action by ranges of numbers, definite assignment and what locks protect, not checked independently
  race: safe, by `static`, proved by locksets, thread-locality and the order of starts and joins, not checked independently
    `x` is guarded by `m`
  deadlock: safe, by `explicit` with reduction `optimistic`, search exhausted, not checked independently
  memory: safe, by `static`, proved for every action by ranges of numbers, definite assignment and what locks protect, not checked independently
  lock-misuse: safe, by `static`, proved for every action by ranges of numbers, definite assignment and what locks protect, not checked independently
  uninitialized: safe, by `static`, proved for every action by ranges of numbers, definite assignment and what locks protect, not checked independently
  undefined: safe, by `static`, proved for every action by ranges of numbers, definite assignment and what locks protect, not checked independently
  repeat with: raddle check --engine auto --seed 0 --timeout 60 safe.rad
";
    assert_eq!(it.stdout, expected);
    assert_eq!(it.stderr, "");
}

#[test]
fn an_unsafe_program_exits_with_1_and_shows_who_did_what() {
    let name = file("race.rad", RACE);
    let it = run(&["check", "--no-timing", "--property", "race", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
    for part in [
        "error[race]: `x` is written and read at the same time",
        "--> race.rad:",
        "by thread `t[0]`, holding no lock",
        "by thread `t[1]`, holding no lock",
        "found by `explicit` with reduction `optimistic`, trace replayed",
        "interleaving: ",
        "unsafe: 1 of 1 property violated\n",
        "race: unsafe, 2 distinct, by `explicit` with reduction `optimistic`, traces replayed",
        "repeat with: raddle check --property race --engine explicit --reduction optimistic",
    ] {
        assert!(it.stdout.contains(part), "no `{part}` in\n{}", it.stdout);
    }
}

#[test]
fn switches_of_thread_are_marked_in_the_interleaving() {
    let text = "var x: u8\nthread t { x = 1 }\nthread u { let a = x; assert a == 0 }\n";
    let name = file("switch.rad", text);
    let it = run(&["check", "--no-timing", "--property", "assert", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
    assert!(
        it.stdout.contains("1 switch of thread (marked `>`)"),
        "{}",
        it.stdout
    );
    assert!(it.stdout.contains("x := 1"), "{}", it.stdout);
    assert!(
        it.stdout
            .lines()
            .any(|line| line.contains("> u") && line.contains("x is 1")),
        "{}",
        it.stdout
    );
}

#[test]
fn an_unknown_verdict_exits_with_3_and_says_what_to_try() {
    let text = "fn main() { unsupported \"longjmp\" }\n";
    let name = file("unsupported.rad", text);
    let it = run(&["check", "--property", "assert", &name]);
    assert_eq!(it.code, Some(3), "{it:?}");
    for part in [
        "longjmp",
        "unsupported.rad:1:",
        "unknown: 0 of 1 property proved, 1 undecided",
        "= help:",
    ] {
        assert!(it.stdout.contains(part), "no `{part}` in\n{}", it.stdout);
    }
}

#[test]
fn unsafe_weighs_more_than_unknown() {
    let text = "\
var x: u8
thread t { x = 1; unsupported \"longjmp\" }
thread u { x = 2 }
";
    let name = file("unsafe-and-unknown.rad", text);
    let it = run(&["check", "-q", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
    assert!(it.stdout.contains("race: unsafe\n"), "{it:?}");
    assert!(it.stdout.contains("deadlock: unknown\n"), "{it:?}");
}

#[test]
fn a_property_that_the_engine_does_not_decide_is_unknown_not_skipped() {
    let text = "var x: u8\natomicset S { x }\nfn main() { x = 1 }\n";
    let name = file("atomic-sets.rad", text);
    let explicit = ["check", "--engine", "explicit"];
    let it = run(&[&explicit[..], &["-q", "--property", "atomic-sets", &name]].concat());
    assert_eq!(
        (it.code, it.stdout.as_str()),
        (Some(3), "atomic-sets: unknown\n"),
        "{it:?}"
    );
    let it = run(&[&explicit[..], &[&name]].concat());
    assert!(
        it.stdout.contains("atomic-sets: unknown"),
        "applies by default: {it:?}"
    );
    assert!(it.stdout.contains("use `--engine pushdown`"), "{it:?}");
}

/// Only builds with assertions can be asked to fail.
#[cfg(debug_assertions)]
#[test]
fn a_defect_of_raddle_exits_with_101_and_gives_no_verdict() {
    let name = file("defect.rad", SAFE);
    for (place, arguments) in [
        ("worker", &["check"][..]),
        ("worker", &["check", "--format", "json"]),
        ("worker", &["check", "--format", "sarif"]),
        ("worker", &["dump", "ir"]),
        ("worker", &["compare"]),
        ("command line", &["check"]),
    ] {
        let mut command = support::raddle(arguments);
        command.arg(&name).env("RADDLE_TEST_PANIC", place);
        let it = Finished::of(&command.output().unwrap());
        assert_eq!(it.code, Some(101), "{arguments:?}: {it:?}");
        for part in [
            "error[internal]: internal error, no verdict follows",
            "was asked to fail",
            "please report it",
        ] {
            assert!(it.stderr.contains(part), "{arguments:?}: {it:?}");
        }
        assert!(!it.stdout.contains("\"safe\""), "{arguments:?}: {it:?}");
        if arguments.contains(&"json") {
            assert!(it.stdout.contains("\"internal-error\""), "{it:?}");
        }
    }
}

#[test]
fn quiet_prints_verdicts_only() {
    let name = file("quiet.rad", RACE);
    let it = run(&[
        "check",
        "-q",
        "--property",
        "race",
        "--property",
        "deadlock",
        &name,
    ]);
    assert_eq!(it.stdout, "race: unsafe\ndeadlock: safe\n");
    assert_eq!(it.stderr, "");
}

#[test]
fn verbose_prints_counters() {
    let name = file("verbose.rad", SAFE);
    let it = run(&["check", "-v", &name]);
    assert!(
        it.stdout
            .contains("counters of `explicit` with reduction `optimistic`: "),
        "{it:?}"
    );
    let leak = run(&[
        "check",
        "-v",
        "--property",
        "leak",
        "--property",
        "deadlock",
        &file("verbose-heap.rad", HEAP),
    ]);
    for reduction in ["optimistic", "local"] {
        let line = format!("counters of `explicit` with reduction `{reduction}`: ");
        assert!(leak.stdout.contains(&line), "{leak:?}");
    }
}

#[test]
fn each_property_is_decided_by_a_reduction_that_keeps_it() {
    let name = file("reductions.rad", HEAP);
    let it = run(&[
        "check",
        "--property",
        "leak",
        "--property",
        "deadlock",
        &name,
    ]);
    assert_eq!(it.code, Some(0), "{it:?}");
    for line in [
        "  deadlock: safe for sequentially consistent executions, by `explicit` with reduction `optimistic`, ",
        "  leak: safe for sequentially consistent executions, by `explicit` with reduction `local`, ",
        "  repeat with: raddle check --property leak --property deadlock --engine auto ",
    ] {
        assert!(it.stdout.contains(line), "{it:?}");
    }
    let alone = run(&["check", "--property", "deadlock", &name]);
    assert!(
        alone
            .stdout
            .contains("--engine explicit --reduction optimistic "),
        "{alone:?}"
    );
}

#[test]
fn the_shortest_counterexample_is_shown_on_request() {
    let name = file(
        "lost-update.rad",
        "var count: u8
         fn work() { count = count + 1 }
         fn main() {
             let first = spawn work()
             let second = spawn work()
             join first
             join second
             assert count == 2
         }",
    );
    for reduction in ["none", "local", "static", "phase", "optimistic"] {
        let it = run(&[
            "check",
            "--shortest",
            "--property",
            "assert",
            "--reduction",
            reduction,
            &name,
        ]);
        assert_eq!(it.code, Some(1), "{it:?}");
        for line in [
            "4 switches of thread; found by `explicit`".to_owned(),
            format!(
                "repeat with: raddle check --property assert --engine explicit --reduction {reduction} --shortest --seed 0"
            ),
        ] {
            assert!(it.stdout.contains(&line), "{it:?}");
        }
    }
}

#[test]
fn a_reduction_that_may_miss_something_leaves_it_unknown() {
    let name = file("unsound.rad", SAFE);
    let it = run(&[
        "check",
        "--engine",
        "explicit",
        "--reduction",
        "phase",
        &name,
    ]);
    assert_eq!(it.code, Some(3), "{it:?}");
    for line in [
        "  assert: safe for sequentially consistent executions, by `explicit` with reduction `phase`, ",
        "  deadlock: unknown, the reduction `phase` may miss deadlocks [unsound-reduction]",
        "  = help: for deadlock use `--reduction none`, `--reduction local` or `--reduction optimistic`",
        "  repeat with: raddle check --engine explicit --reduction phase ",
    ] {
        assert!(it.stdout.contains(line), "{it:?}");
    }
}

#[test]
fn names_of_sv_comp_are_aliases() {
    let name = file("aliases.rad", SAFE);
    let mut arguments = vec!["check", "-q", &name];
    for alias in [
        "unreach-call",
        "no-data-race",
        "valid-memsafety",
        "no-overflow",
    ] {
        arguments.extend(["--property", alias]);
    }
    let it = run(&arguments);
    assert_eq!(
        it.stdout,
        "assert: safe\nrace: safe\nmemory: safe\noverflow: safe\n"
    );
}

#[test]
fn standard_input_is_read_with_its_language_named() {
    let it = run_with_input(
        &[
            "check",
            "-q",
            "--property",
            "race",
            "--language",
            "rad",
            "-",
        ],
        RACE.as_bytes(),
    );
    assert_eq!(
        (it.code, it.stdout.as_str()),
        (Some(1), "race: unsafe\n"),
        "{it:?}"
    );
}

#[test]
fn the_json_report_has_a_version_and_one_verdict_a_property() {
    let name = file("json.rad", RACE);
    let it = run(&["check", "--format", "json", "--no-timing", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    assert_eq!(report["version"], 1);
    assert_eq!(report["summary"], "unsafe");
    assert_eq!(report["exit_code"], 1);
    assert_eq!(report["properties"].as_array().unwrap().len(), 7);
    let race = &report["properties"][1];
    assert_eq!(race["property"], "race");
    assert_eq!(race["verdict"], "unsafe");
    assert_eq!(race["standing"], "checked");
    assert_eq!(
        race["trace"]["violation"]["labels"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert!(report["run"]["counters"]["states"].as_u64().unwrap() > 1);
    assert!(
        report.get("seconds").is_none(),
        "--no-timing leaves times out"
    );
    let again = run(&["check", "--format", "json", "--no-timing", &name]);
    assert_eq!(it.stdout, again.stdout, "equal runs give equal reports");
}

#[test]
fn wrong_input_is_a_json_report_too() {
    let it = run(&["check", "--format", "json", "missing-for-json.rad"]);
    assert_eq!(it.code, Some(2));
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    assert_eq!(report["summary"], "input-error");
    assert_eq!(report["diagnostics"][0]["code"], "input");
}

#[test]
fn a_trace_is_written_only_where_it_was_asked_for() {
    let name = file("traced.rad", RACE);
    let path = folder().join("traced.json");
    let _ = std::fs::remove_file(&path);
    run(&["check", &name]);
    assert!(!path.exists());
    let it = run(&["check", "--trace", "traced.json", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
    let trace: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(trace["version"], 1);
    assert_eq!(trace["traces"][0]["property"], "race");
    assert_eq!(trace["sources"][0]["name"], "traced.rad");
}

#[test]
fn the_command_that_is_printed_repeats_the_run() {
    let name = file("repeat me.rad", RACE);
    let it = run(&[
        "check",
        "--no-timing",
        "--property",
        "race",
        "--max-threads",
        "5",
        &name,
    ]);
    let line = it
        .stdout
        .lines()
        .find_map(|it| it.trim().strip_prefix("repeat with: raddle "))
        .unwrap();
    let again = std::process::Command::new("sh")
        .args([
            "-c",
            &format!("\"$0\" {line} --no-timing"),
            env!("CARGO_BIN_EXE_raddle"),
        ])
        .current_dir(folder())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(again.stdout).unwrap(), it.stdout);
}

#[test]
fn dump_ir_prints_text_that_is_read_back_to_the_same() {
    let name = file("dumped.rad", SAFE);
    let first = run(&["dump", "ir", &name]);
    assert_eq!(first.code, Some(0), "{first:?}");
    let second = run_with_input(
        &["dump", "ir", "--language", "rad", "-"],
        first.stdout.as_bytes(),
    );
    assert_eq!(second.stdout, first.stdout, "{second:?}");
}

#[test]
fn explain_describes_words_and_suggests_the_nearest() {
    let it = run(&["explain", "race"]);
    assert_eq!(it.code, Some(0));
    assert!(it.stdout.contains("property `race`"), "{it:?}");
    run(&["explain", "rice"]).is_refused_with(&["`race`"]);
    let list = run(&["explain"]);
    assert!(list.stdout.contains("deadlock"), "{list:?}");
}

#[test]
fn an_old_trace_does_not_outlive_a_run_without_violation() {
    let name = support::file("no-violation.rad", support::SAFE);
    support::file("old-trace.json", "old");
    support::run(&["check", "--trace", "old-trace.json", &name]);
    assert!(!support::folder().join("old-trace.json").exists());
}
