//! `raddle replay`: printed whole, by commands on standard input, and refusals.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use support::{Finished, file, folder, run, run_with_input};

const DEADLOCK: &str = "\
mutex m, n
var x: u8
thread left {
    acquire m
    x = 1
    acquire n
    release n
    release m
}
thread right {
    acquire n
    acquire m
    release m
    release n
}
";

/// Checks the program and returns the name of its trace file.
fn recorded(name: &str, program: &str) -> String {
    let source = file(&format!("{name}.rad"), program);
    let trace = format!("{name}.json");
    let finished = run(&["check", "-q", "--trace", &trace, &source]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    trace
}

/// The trace file with a piece replaced, under another name.
fn altered(trace: &str, from: &str, to: &str) -> String {
    let text = std::fs::read_to_string(folder().join(trace)).unwrap();
    assert!(text.contains(from), "{text}");
    file(&format!("altered-{trace}"), text.replacen(from, to, 1))
}

#[track_caller]
fn says(finished: &Finished, parts: &[&str]) {
    let mut rest = finished.stdout.as_str();
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => panic!("no `{part}` in its place in:\n{}", finished.stdout),
        }
    }
}

#[test]
fn the_whole_trace_shows_values_locks_waits_and_switches() {
    let trace = recorded("replay-whole", DEADLOCK);
    let finished = run(&["replay", "--print", &trace]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    let expected = "\
trace about `deadlock` in `replay-whole.rad`: 3 steps, 1 switch of thread
transactions of several steps are in brackets

at the start:
    left   line 4   acquire m
    right  line 11  acquire n

┌   step 1  left, line 4: acquire m
│           acquire `m`
│           locks: `m` by `left`
│
└   step 2  left, line 5: x = 1
            x: 0 → 1
            locks: `m` by `left`

  > step 3  right, line 11: acquire n
            acquire `n`
            locks: `m` by `left`; `n` by `right`
            waits: `left` for `n`, held by `right`; `right` for `m`, held by `left`

error[deadlock]: threads `left`, `right` wait for ever
";
    assert!(finished.stdout.starts_with(expected), "{}", finished.stdout);
    assert!(finished.stdout.ends_with("\nthe violation recurs\n"));
}

#[test]
fn a_trace_that_says_nothing_of_transactions_has_no_brackets() {
    let trace = recorded("replay-plain", DEADLOCK);
    let older = altered(&trace, "\"transactions\"", "\"of_another_version\"");
    let finished = run(&["replay", "--print", &older]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    let expected = "\
trace about `deadlock` in `replay-plain.rad`: 3 steps, 1 switch of thread

at the start:
    left   line 4   acquire m
    right  line 11  acquire n

  step 1  left, line 4: acquire m
          acquire `m`
          locks: `m` by `left`

  step 2  left, line 5: x = 1
          x: 0 → 1
          locks: `m` by `left`

> step 3  right, line 11: acquire n
";
    assert!(finished.stdout.starts_with(expected), "{}", finished.stdout);
}

#[test]
fn transactions_that_are_no_part_of_the_trace_change_nothing() {
    let trace = recorded("replay-nonsense", DEADLOCK);
    let wrong = altered(
        &trace,
        "\"transactions\": [",
        "\"transactions\": [ 18446744073709551615, 2, 1,",
    );
    let finished = run(&["replay", "--print", &wrong]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    assert!(finished.stdout.ends_with("\nthe violation recurs\n"));
}

#[test]
fn commands_from_a_pipe_go_forwards_and_backwards() {
    let trace = recorded("replay-pipe", DEADLOCK);
    let finished = run_with_input(
        &["replay", &trace],
        b"n\n\nb\ns\nS\np 9\nb\nG\nn\ng 2\nq\nn\n",
    );
    assert_eq!(finished.code, Some(0), "{finished:?}");
    says(
        &finished,
        &[
            "the violation recurs; `?` lists the commands",
            "the start\n",
            "step 1 of 3: left, line 4, begins a transaction\n",
            "> 4 |     acquire m\n",
            "step 2 of 3: left, line 5, ends a transaction\n",
            "  x: 0 → 1\n",
            "step 1 of 3: left, line 4, begins a transaction\n",
            "step 3 of 3: right, line 11, switch of thread\n",
            "waits for `n`, held by `right`",
            "error[deadlock]",
            "there is no earlier switch of thread",
            "the start\n",
            "this is the start",
            "step 3 of 3",
            "this is the end",
            "step 2 of 3: left, line 5, ends a transaction\n",
        ],
    );
    assert!(
        !finished.stdout.contains("replay 0/3>"),
        "a pipe needs no prompt"
    );
}

#[test]
fn a_line_is_found_from_here_on_and_then_from_the_start() {
    let trace = recorded("replay-line", DEADLOCK);
    let commands = "l 11\nl 4\nl replay-line.rad:5\nl other.rad:5\nl 99\nl\nzap\n?\n";
    let finished = run_with_input(&["replay", &trace], commands.as_bytes());
    assert_eq!(finished.code, Some(0), "{finished:?}");
    says(
        &finished,
        &[
            "step 3 of 3: right, line 11",
            "step 1 of 3: left, line 4",
            "step 2 of 3: left, line 5",
            "no step of this trace is at line 5",
            "no step of this trace is at line 99",
            "expected a line, as in `l 12`",
            "there is no command `zap`; `?` lists them",
            "  n or Enter   forwards one step",
        ],
    );
}

#[test]
fn values_of_locals_and_semaphores_are_shown_as_they_change() {
    let program = "\
semaphore s = 1
var x: u8 = 7
thread t {
    down s
    let a = x
    a = a +% 1
    a = a +% 0
    assert a == 7
}
";
    let trace = recorded("replay-values", program);
    let finished = run(&["replay", "--print", &trace]);
    says(
        &finished,
        &[
            "s: 1 → 0\n",
            "x is 7\n",
            "a := 7\n",
            "a: 7 → 8\n",
            "a stays 8\n",
        ],
    );
}

#[test]
fn one_of_several_traces_is_picked_by_its_property() {
    let program = "\
var x: u8
thread t[2] {
    x = 1
    assert x == 0
}
";
    let trace = recorded("replay-several", program);
    let first = run(&["replay", "--print", &trace]);
    says(&first, &["trace about `assert`"]);
    assert!(
        first.stderr.contains("`--property` picks another: race"),
        "{first:?}"
    );
    let second = run(&["replay", "--print", "--property", "no-data-race", &trace]);
    assert_eq!(second.code, Some(0));
    says(&second, &["trace about `race`", "error[race]"]);
    run(&["replay", "--property", "leak", &trace]).is_refused_with(&[
        "error[trace]: the file has no trace about `leak`",
        "it has one about each of: `assert`, `race`",
    ]);
}

#[test]
fn a_violation_that_does_not_recur_is_status_one() {
    let trace = recorded("replay-other", DEADLOCK);
    let claims = altered(&trace, "wait for ever", "wait a little");
    let finished = run(&["replay", "--print", &claims]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    says(
        &finished,
        &[
            "step 3",
            "the violation does not recur: its end shows no such violation",
        ],
    );
    let finished = run_with_input(&["replay", &claims], b"G\n");
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let steps = altered(&trace, "\"thread\": 0", "\"thread\": 77");
    let finished = run(&["replay", "--print", &steps]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    says(&finished, &["step 1 cannot be taken"]);
}

#[test]
fn a_program_that_has_changed_is_refused() {
    let trace = recorded("replay-changed", DEADLOCK);
    file("replay-original.rad", DEADLOCK);
    file("replay-changed.rad", format!("{DEADLOCK}\n"));
    run(&["replay", &trace]).is_refused_with(&[
        "error[trace]: `replay-changed.rad` has changed since the trace was recorded",
        "record the trace again",
        "help: ",
    ]);
    let finished = run(&["replay", "--print", &trace, "replay-original.rad"]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    run(&[
        "replay",
        &trace,
        "replay-original.rad",
        "replay-changed.rad",
    ])
    .is_refused_with(&["a program of 1 files, but 2 are given", "help: "]);
    std::fs::remove_file(folder().join("replay-changed.rad")).unwrap();
    run(&["replay", &trace]).is_refused_with(&[
        "cannot read `replay-changed.rad`",
        "name the file after the trace",
    ]);
}

#[test]
fn what_is_no_trace_is_refused() {
    run(&["replay", "replay-nowhere.json"])
        .is_refused_with(&["cannot read the trace `replay-nowhere.json`", "help: "]);
    if std::path::Path::new("/dev/zero").exists() {
        run(&["replay", "/dev/zero"]).is_refused_with(&["larger than 256 MiB", "help: "]);
    }
    for (name, text) in [
        ("empty", ""),
        ("program", DEADLOCK),
        ("list", "[1, 2]"),
        ("part", "{\"version\": 1}"),
    ] {
        let name = file(&format!("replay-no-trace-{name}.json"), text);
        run(&["replay", &name]).is_refused_with(&[
            "error[trace]",
            "not in the expected form",
            "help: ",
        ]);
    }
    let trace = recorded("replay-broken", DEADLOCK);
    for (from, to, expected) in [
        ("\"version\": 1", "\"version\": 7", "has version 7"),
        ("\"lp64\"", "\"lp63\"", "no data model `lp63`"),
        (
            "\"function\": \"left\"",
            "\"function\": \"up\"",
            "no function `up`",
        ),
        ("\"edge\": ", "\"edge\": 99", "has no edge 99"),
        (
            "\"max_choices\": ",
            "\"max_choices\": 99999999999",
            "no run allows 9999999999965536 choices at a step",
        ),
        ("\"property\": \"deadlock\"", "\"property\": \"luck\"", ""),
    ] {
        let altered = altered(&trace, from, to);
        let finished = run(&["replay", "--print", &altered]);
        if expected.is_empty() {
            // The name above the trace is only a label; what is claimed is below.
            assert!(finished.code.is_some_and(|it| it < 3), "{finished:?}");
        } else {
            finished.is_refused_with(&[expected, "help: "]);
        }
    }
}

#[test]
fn a_choice_of_a_value_that_nobody_set_is_replayed() {
    let source = file(
        "replay-unset.rad",
        "thread t {\n    let a: u16\n    assert a != 7\n}\n",
    );
    let trace = "replay-unset.json";
    let finished = run(&["check", "--property", "assert", "--trace", trace, &source]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let finished = run(&["replay", "--print", trace]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    says(&finished, &["a := 7"]);
}
