//! Time-outs, signals, closed pipes and colour.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use support::{ENDLESS, Finished, RACE, file, raddle, run, send, send_twice, wait_for_handlers};

/// So long that only a signal or a time-out ends it.
const ENDLESS_RUN: [&str; 5] = ["check", "--timeout", "0", "--property", "deadlock"];

#[test]
fn a_time_out_is_kept() {
    let name = file("time-out.rad", ENDLESS);
    for (seconds, limit) in [("0.5", 1.0), ("2", 2.5)] {
        let begin = Instant::now();
        let it = run(&[
            "check",
            "--property",
            "deadlock",
            "--timeout",
            seconds,
            &name,
        ]);
        let took = begin.elapsed().as_secs_f64();
        assert_eq!(it.code, Some(3), "{it:?}");
        assert!(
            it.stdout.contains("the time limit was reached [time]"),
            "{it:?}"
        );
        assert!(took < limit, "{took} s for a limit of {seconds} s");
    }
}

#[test]
fn what_was_found_before_the_time_out_is_reported() {
    let name = file("found-before.rad", ENDLESS);
    let it = run(&["check", "-q", "--timeout", "1", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
    assert!(it.stdout.contains("race: unsafe\n"), "{it:?}");
    assert!(it.stdout.contains("deadlock: unknown\n"), "{it:?}");
}

#[test]
fn a_memory_limit_is_kept() {
    let name = file("memory-limit.rad", ENDLESS);
    let it = run(&[
        "check",
        "--property",
        "deadlock",
        "--timeout",
        "50",
        "--memory",
        "100",
        &name,
    ]);
    assert_eq!(it.code, Some(3), "{it:?}");
    assert!(
        it.stdout
            .contains("the memory limit was reached [memory-limit]"),
        "{it:?}"
    );
}

#[test]
fn one_signal_stops_the_run_and_prints_what_is_known() {
    for signal in ["INT", "TERM"] {
        let name = file(&format!("one-{signal}.rad"), ENDLESS);
        let child = raddle(&ENDLESS_RUN).arg(&name).spawn().unwrap();
        wait_for_handlers(&child);
        send(signal, &child);
        let begin = Instant::now();
        let it = Finished::of(&child.wait_with_output().unwrap());
        assert_eq!(it.code, Some(3), "{signal}: {it:?}");
        assert!(
            it.stdout.contains("the run was stopped [cancelled]"),
            "{it:?}"
        );
        assert!(begin.elapsed() < Duration::from_secs(2));
    }
}

/// A run that waits for a standard input on which nothing comes.
fn held_up(arguments: &[&str], then: impl FnOnce(&Child)) -> Finished {
    let mut child = raddle(arguments).stdin(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take();
    then(&child);
    let it = Finished::of(&child.wait_with_output().unwrap());
    drop(stdin);
    it
}

#[test]
fn a_signal_while_standard_input_is_awaited_stops_the_run() {
    let it = held_up(&["check", "--language", "rad", "-"], |child| {
        wait_for_handlers(child);
        send("INT", child);
    });
    assert_eq!(it.code, Some(3), "{it:?}");
}

#[test]
fn results_have_a_place_even_if_nothing_was_read_in_time() {
    let arguments = [
        "check",
        "--format",
        "sarif",
        "--timeout",
        "0.2",
        "--language",
        "rad",
        "-",
    ];
    let it = held_up(&arguments, |_| ());
    assert_eq!(it.code, Some(3), "{it:?}");
    let log: serde_json::Value = serde_json::from_str(&it.stdout).unwrap();
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "%3Cstdin%3E");
        assert_eq!(place["region"]["startLine"], 1);
    }
}

#[test]
fn a_second_signal_ends_the_process_at_once() {
    // The worker is held up, so that the first signal has not ended the run yet.
    let it = held_up(&["check", "--language", "rad", "-"], |child| {
        wait_for_handlers(child);
        send_twice("INT", child);
    });
    assert_eq!(it.code, Some(130), "{it:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let name = file("pipe.rad", RACE);
    let mut child = raddle(&["check", "--format", "json", &name])
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let it = Finished::of(&child.wait_with_output().unwrap());
    assert_eq!((it.code, it.stderr.as_str()), (Some(1), ""));

    let mut child = raddle(&["explain"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let it = Finished::of(&child.wait_with_output().unwrap());
    assert_eq!((it.code, it.stderr.as_str()), (Some(0), ""));
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let name = file("colour.rad", RACE);
    let has_colour = |arguments: &[&str], no_color: &str| {
        let mut command = raddle(arguments);
        let it = Finished::of(&command.env("NO_COLOR", no_color).output().unwrap());
        it.stdout.contains('\x1b') || it.stderr.contains('\x1b')
    };
    assert!(!has_colour(&["check", &name], ""));
    assert!(!has_colour(&["check", &name], "1"));
    assert!(!has_colour(&["check", "--color", "never", &name], ""));
    assert!(has_colour(&["check", "--color", "always", &name], ""));
    assert!(!has_colour(
        &["check", "--property", "nonsense", &name],
        "1"
    ));
}
