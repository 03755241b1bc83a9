//! `raddle bench` with a checker that misbehaves in every way, and after a violent end of its own.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Finished, RACE, SAFE, folder, raddle, run, send};

/// Does what the name of its file says.
const CHECKER: &str = r#"#!/bin/sh
for file; do :; done
echo "$file" >> "$(dirname "$0")/log"
echo "$$" >> "$(dirname "$0")/processes"
report() { # exit status, verdict, property
    echo '{ "exit_code": '"$1"', "diagnostics": [{ "message": "cannot read `'"$file"'` at all" }],'
    echo '  "internal_error": '"${4:-null}"', "run": { "counters": { "states": 5 } },'
    echo '  "properties": ['
    if [ "$1" != 2 ]; then
        echo '{ "property": "'"$3"'", "verdict": "'"$2"'", "standing": "trusted",'
        echo '  "reason": { "code": "bound", "message": "no" } }'
    fi
    echo ']}'
    exit "$1"
}
case "$(basename "$file")" in
    safe-*) report 0 safe race ;;
    unsafe-*) report 1 unsafe race ;;
    slow-*) sleep 0.1; report 0 safe race ;;
    unknown-*) report 3 unknown race ;;
    refused-*) report 2 safe race ;;
    usage-*) echo "error: no such option" >&2; exit 2 ;;
    internal-*) report 101 safe race '"oh dear"' ;;
    segv-*) kill -SEGV $$ ;;
    abort-*) echo "stack overflow" >&2; kill -ABRT $$ ;;
    status-*) exit 77 ;;
    silent-*) exit 0 ;;
    garbage-*) echo 'safe { "properties" '; exit 0 ;;
    torn-*) echo '{ "exit_code": 0, "prop'; exit 0 ;;
    contradiction-*) report 1 safe race ;;
    other-property-*) report 0 safe assert ;;
    nonsense-*) report 0 perhaps race ;;
    endless-output-*) exec yes ;;
    hangs-*) exec sleep 40 ;;
    family-hangs-*) sleep 40 & wait ;;
    eats-*) x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done ;;
esac
"#;

/// Name, how many, what is true, what must be said about it.
const KINDS: [(&str, usize, &str, &str, &str); 24] = [
    ("safe-right", 40, "safe", "safe", ""),
    ("unsafe-right", 40, "unsafe", "unsafe", ""),
    ("safe-wrong", 3, "unsafe", "safe", ""),
    ("unsafe-wrong", 2, "safe", "unsafe", ""),
    ("unknown", 20, "safe", "unknown", "bound"),
    (
        "refused",
        10,
        "safe",
        "error",
        "cannot read the program at all",
    ),
    ("usage", 5, "safe", "error", "error: no such option"),
    ("internal", 8, "safe", "crashed", "internal error: oh dear"),
    ("segv", 10, "safe", "crashed", "signal 11 (SIGSEGV)"),
    (
        "abort",
        5,
        "unsafe",
        "crashed",
        "signal 6 (SIGABRT): stack overflow",
    ),
    ("status", 5, "safe", "crashed", "exit status 77"),
    (
        "silent",
        5,
        "safe",
        "crashed",
        "exit status 0 without a report",
    ),
    (
        "garbage",
        10,
        "safe",
        "crashed",
        "exit status 0 without a report",
    ),
    (
        "torn",
        5,
        "safe",
        "crashed",
        "exit status 0 without a report",
    ),
    (
        "contradiction",
        5,
        "safe",
        "crashed",
        "exit status 1 contradicts the report",
    ),
    (
        "other-property",
        5,
        "safe",
        "crashed",
        "the report has not one verdict on race",
    ),
    (
        "nonsense",
        2,
        "safe",
        "crashed",
        "the report says `perhaps`, which is no verdict",
    ),
    (
        "endless-output",
        1,
        "safe",
        "crashed",
        "signal 13 (SIGPIPE)",
    ),
    ("hangs", 3, "unsafe", "unknown", "time (killed)"),
    ("family-hangs", 2, "safe", "unknown", "time (killed)"),
    ("eats", 4, "safe", "unknown", "memory-limit (killed)"),
    ("no-header", 3, "", "error", ""),
    ("broken-header", 2, "", "error", ""),
    ("safe-task", 5, "safe", "safe", ""),
];

/// A new folder with the checker in it.
fn workplace(name: &str) -> PathBuf {
    let place = folder().join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("programs")).unwrap();
    let checker = place.join("checker");
    fs::write(&checker, CHECKER).unwrap();
    fs::set_permissions(&checker, fs::Permissions::from_mode(0o755)).unwrap();
    place
}

fn program(truth: &str) -> String {
    format!("//@ truth: race={truth}\n//@ options: --property race\n//@ why: said so\n")
}

/// The program files of a kind.
fn write_kind(place: &Path, kind: &str, number: usize, truth: &str) -> String {
    // Spread over folders, to have some.
    let folder = format!("programs/{}", ["a", "b", "c"][number % 3]);
    fs::create_dir_all(place.join(&folder)).unwrap();
    let write = |name: &str, text: &str| fs::write(place.join(name), text).unwrap();
    let stem = format!("{folder}/{kind}-{number}");
    match kind {
        "no-header" => write(&format!("{stem}.rad"), "var x: u8\n"),
        "broken-header" => write(&format!("{stem}.rad"), "//@ truht: race=safe\n"),
        "safe-task" => {
            write(&format!("{stem}.c"), "int main(void) { }\n");
            write(
                &format!("{stem}.yml"),
                &format!(
                    "format_version: '2.0'\ninput_files: '{kind}-{number}.c'\nproperties:\n  - property_file: no-data-race.prp\n    expected_verdict: true\noptions:\n  data_model: LP64\n"
                ),
            );
            return format!("{stem}.yml");
        }
        _ => write(&format!("{stem}.rad"), &program(truth)),
    }
    format!("{stem}.rad")
}

fn bench(place: &Path, arguments: &[&str]) -> std::process::Command {
    let mut all = vec!["bench", "programs", "--checker", "./checker"];
    all.extend(arguments);
    let mut command = raddle(&all);
    command.current_dir(place);
    command
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// `program,property` of every line of a CSV file.
fn keys(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    text.lines()
        .skip(1)
        .map(|line| line.split(',').take(2).collect::<Vec<_>>().join(","))
        .collect()
}

#[test]
fn of_200_programs_with_every_kind_of_trouble_each_is_reported_rightly() {
    let place = workplace("bench-200");
    let mut expected = BTreeMap::new();
    for (kind, count, truth, verdict, reason) in KINDS {
        for number in 0..count {
            let name = write_kind(&place, kind, number, truth);
            expected.insert(name, (kind, truth, verdict, reason));
        }
    }
    assert_eq!(expected.len(), 200);
    let limits = ["--timeout", "0.6", "--memory", "40", "--jobs", "6"];
    let mut arguments = limits.to_vec();
    arguments.extend(["--json", "--csv", "rows.csv"]);
    let finished = Finished::of(&bench(&place, &arguments).output().unwrap());
    assert_eq!(finished.code, Some(1), "{}", finished.stderr);

    let report: Value = serde_json::from_str(&finished.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 200);
    let mut told = BTreeSet::new();
    for row in rows {
        let (kind, truth, verdict, reason) = expected[text(row, "program")];
        assert_eq!(text(row, "expected"), truth, "{row}");
        assert_eq!(text(row, "verdict"), verdict, "{row}");
        if truth.is_empty() {
            assert!(!text(row, "reason").is_empty(), "{row}");
        } else if kind == "endless-output" {
            // Whether a broken pipe kills or is an error is the tool's choice.
            assert!(!text(row, "reason").is_empty(), "{row}");
        } else {
            assert_eq!(text(row, "reason"), reason, "{row}");
        }
        assert!(told.insert(text(row, "program").to_owned()), "{row}");
    }
    assert_eq!(told, expected.keys().cloned().collect());
    let wrong = report["wrong"].as_array().unwrap();
    assert_eq!(wrong.len(), 5);
    assert_eq!(report["total"]["right_true"], 45);
    assert_eq!(report["total"]["right_false"], 40);
    assert_eq!(report["total"]["unknown"], 29);
    assert_eq!(report["total"]["error"], 20);
    assert_eq!(report["total"]["crashed"], 61);
    assert_eq!(report["is_complete"], true);

    let keys = keys(&place.join("rows.csv"));
    assert_eq!(keys.len(), 200);
    assert!(keys.is_sorted());

    // The same again from the file: nothing runs, and people read the wrong verdicts first.
    fs::remove_file(place.join("log")).unwrap();
    let finished = Finished::of(&bench(&place, &["--resume", "rows.csv"]).output().unwrap());
    assert_eq!(finished.code, Some(1));
    assert!(!place.join("log").exists());
    assert!(
        finished.stdout.starts_with(
            "wrong verdicts: 5\n  programs/a/safe-wrong-0.rad: race is said to be safe, the truth is unsafe\n"
        ),
        "{}",
        finished.stdout
    );
    assert!(finished.stdout.contains("all 200 programs\n"));
}

#[test]
fn a_run_that_was_killed_is_resumed_without_loss_or_repetition() {
    let place = workplace("bench-resumed");
    let mut names = BTreeSet::new();
    for number in 0..60 {
        names.insert(write_kind(&place, "slow", number, "safe"));
    }
    let rows = place.join("rows.csv");
    let mut child = bench(&place, &["--jobs", "4", "--csv", "rows.csv"])
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while fs::read_to_string(&rows).map_or(0, |it| it.lines().count()) < 15 {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "nothing is written"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    send("KILL", &child);
    child.wait().unwrap();
    let finished_before = keys(&rows).len();
    assert!(finished_before < 60, "killed too late");

    // As if the last row had been torn.
    let mut torn = fs::read_to_string(&rows).unwrap();
    torn.push_str("programs/a/slow-59.rad,race,safe,sa");
    fs::write(&rows, torn).unwrap();
    // What was running when bench died may still write to its log.
    std::thread::sleep(Duration::from_millis(500));
    fs::remove_file(place.join("log")).unwrap();

    let finished = Finished::of(
        &bench(&place, &["--jobs", "4", "--resume", "rows.csv"])
            .output()
            .unwrap(),
    );
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
    let keys = keys(&rows);
    assert_eq!(keys.len(), 60);
    let wanted: BTreeSet<String> = names.iter().map(|it| format!("{it},race")).collect();
    assert_eq!(keys.into_iter().collect::<BTreeSet<_>>(), wanted);
    let runs = fs::read_to_string(place.join("log")).unwrap();
    assert_eq!(runs.lines().count(), 60 - finished_before);
    assert!(finished.stdout.contains("all 60 programs\n"));
}

#[test]
fn a_program_whose_rows_are_not_all_there_or_whose_truth_changed_is_run_again() {
    let place = workplace("bench-partial");
    let two = "//@ truth: race=safe assert=safe\n//@ options: --property race --property assert\n//@ why: said so\n";
    fs::write(place.join("programs/safe-two.rad"), two).unwrap();
    fs::write(place.join("programs/safe-other.rad"), program("safe")).unwrap();
    fs::write(place.join("programs/safe-kept.rad"), program("safe")).unwrap();
    fs::write(
        place.join("rows.csv"),
        "program,property,expected,verdict,reason,certified,seconds,peak_memory_mb,states\n\
         elsewhere/x.rad,race,safe,safe,,no,1.000,,\n\
         programs/safe-kept.rad,race,safe,unknown,kept,,1.000,,\n\
         programs/safe-other.rad,race,unsafe,safe,,no,1.000,,\n\
         programs/safe-two.rad,race,safe,safe,,no,1.000,,\n",
    )
    .unwrap();
    let finished = Finished::of(&bench(&place, &["--resume", "rows.csv"]).output().unwrap());
    assert_eq!(finished.code, Some(0), "{}", finished.stdout);
    let mut runs: Vec<String> = fs::read_to_string(place.join("log"))
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    runs.sort();
    assert_eq!(runs, ["programs/safe-other.rad", "programs/safe-two.rad"]);
    assert_eq!(
        keys(&place.join("rows.csv")),
        [
            "elsewhere/x.rad,race",
            "programs/safe-kept.rad,race",
            "programs/safe-other.rad,race",
            "programs/safe-two.rad,assert",
            "programs/safe-two.rad,race",
        ]
    );
    // A row of a program that was not asked for stays in the file, but is no part of the report.
    assert!(finished.stdout.contains("all 3 programs\n"));
    assert!(finished.stdout.contains("unknown: 1 × kept\n"));
}

#[test]
fn the_report_does_not_depend_on_the_number_of_jobs() {
    let place = workplace("bench-jobs");
    for (kind, truth) in [("safe", "safe"), ("unknown", "safe"), ("segv", "unsafe")] {
        for number in 0..7 {
            write_kind(&place, kind, number, truth);
        }
    }
    let stdout = |jobs| {
        let finished = Finished::of(
            &bench(&place, &["--no-timing", "--jobs", jobs])
                .output()
                .unwrap(),
        );
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        finished.stdout
    };
    assert_eq!(stdout("1"), stdout("8"));
}

#[test]
fn an_interrupted_run_reports_what_it_knows_and_leaves_nothing_running() {
    let place = workplace("bench-interrupted");
    write_kind(&place, "safe", 0, "safe");
    for number in 0..4 {
        write_kind(&place, "hangs", number, "safe");
    }
    let child = bench(&place, &["--jobs", "6", "--csv", "rows.csv"])
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while fs::read_to_string(place.join("rows.csv")).map_or(0, |it| it.lines().count()) < 2
        || fs::read_to_string(place.join("log")).map_or(0, |it| it.lines().count()) < 5
    {
        assert!(begin.elapsed() < Duration::from_secs(30), "nothing happens");
        std::thread::sleep(Duration::from_millis(10));
    }
    send("INT", &child);
    let finished = Finished::of(&child.wait_with_output().unwrap());
    assert_eq!(finished.code, Some(3), "{}", finished.stderr);
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert!(finished.stdout.contains("all 1 programs\n"));
    assert!(finished.stderr.contains("before 4 programs were checked"));
    assert_eq!(keys(&place.join("rows.csv")).len(), 1);
    for process in fs::read_to_string(place.join("processes")).unwrap().lines() {
        let name = fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
        assert_ne!(name.trim(), "sleep", "{process} still runs");
    }
}

#[test]
fn without_another_checker_raddle_itself_decides() {
    let place = workplace("bench-itself");
    let with_header = |truth: &str, source: &str| {
        format!(
            "//@ truth: race={truth} assert=safe deadlock=safe memory=safe lock-misuse=safe\n//@ why: known\n{source}"
        )
    };
    for number in 0..4 {
        let name = |kind: &str| place.join(format!("programs/{kind}-{number}.rad"));
        fs::write(name("race"), with_header("unsafe", RACE)).unwrap();
        fs::write(name("guarded"), with_header("safe", SAFE)).unwrap();
    }
    fs::write(
        place.join("few.set"),
        "# a list\nprograms/*-1.rad\nprograms/race-2.rad\n",
    )
    .unwrap();
    let run = |arguments: &[&str]| {
        let mut all = vec!["bench", "--no-timing", "--quiet"];
        all.extend(arguments);
        Finished::of(&raddle(&all).current_dir(&place).output().unwrap())
    };
    let whole = run(&["programs"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    assert_eq!(
        whole.stdout,
        "\
all 8 programs
  property       right true  right false  wrong  unknown  crashed  error
  assert                  8            0      0        0        0      0
  race                    4            4      0        0        0      0
  deadlock                8            0      0        0        0      0
  memory                  8            0      0        0        0      0
  lock-misuse             8            0      0        0        0      0
  uninitialized           8            0      0        0        0      0
  undefined               8            0      0        0        0      0
  total                  52            4      0        0        0      0

  answered by          right true  right false  wrong
  explicit optimistic           8            4      0
  static none                  44            0      0
"
    );
    assert!(
        run(&["programs", "--every", "3"])
            .stdout
            .starts_with("all 3 programs")
    );
    assert!(run(&["few.set"]).stdout.starts_with("all 3 programs"));
    let only_race = run(&["programs/race-0.rad", "--", "--property", "race"]);
    assert!(
        only_race
            .stdout
            .contains("\n  race                    0            1"),
        "{}",
        only_race.stdout
    );
}

#[test]
fn two_runs_are_compared() {
    let place = workplace("bench-compared");
    let file = |name: &str, verdict: &str| {
        fs::write(
            place.join(name),
            format!(
                "program,property,expected,verdict,reason,certified,seconds,peak_memory_mb,states\n\
                 a.rad,race,unsafe,{verdict},,no,1.000,,\n"
            ),
        )
        .unwrap();
    };
    file("old.csv", "unsafe");
    file("new.csv", "safe");
    let diff = |a: &str, b: &str| {
        let mut command = raddle(&["bench", "--diff", a, b]);
        Finished::of(&command.current_dir(&place).output().unwrap())
    };
    let changed = diff("old.csv", "new.csv");
    assert_eq!(changed.code, Some(1));
    assert!(
        changed
            .stdout
            .contains("a.rad: race was unsafe (right), is safe (wrong) (1.00 s, then 1.00 s)"),
        "{}",
        changed.stdout
    );
    assert_eq!(diff("new.csv", "old.csv").code, Some(0));
    diff("old.csv", "missing.csv").is_refused_with(&["cannot read `missing.csv`"]);
    fs::write(place.join("bad.csv"), "a,b\n").unwrap();
    diff("old.csv", "bad.csv").is_refused_with(&["cannot read `bad.csv`: line 1"]);
}

#[test]
fn wrong_usage_is_refused() {
    let place = workplace("bench-usage");
    let refused = |arguments: &[&str], part: &str| {
        let mut all = vec!["bench"];
        all.extend(arguments);
        Finished::of(&raddle(&all).current_dir(&place).output().unwrap()).is_refused_with(&[part]);
    };
    refused(&[], "DIR|LIST");
    refused(&["nowhere"], "cannot read `nowhere`");
    refused(&["programs"], "no program with known verdicts was found");
    refused(&["programs", "--every", "0"], "--every");
    refused(&["--diff", "one.csv"], "--diff");
    fs::write(place.join("programs/a.rad"), program("safe")).unwrap();
    refused(
        &["programs", "--csv", "no/such/rows.csv"],
        "cannot write rows to",
    );
    fs::write(place.join("text.csv"), "hello\n").unwrap();
    refused(
        &["programs", "--resume", "text.csv"],
        "cannot resume `text.csv`: line 1",
    );
    fs::write(place.join("list.txt"), "programs/b*.rad\n").unwrap();
    refused(&["list.txt"], "`programs/b*.rad` fits no file");
    assert!(run(&["bench", "--help"]).stdout.contains("--checker"));
}
