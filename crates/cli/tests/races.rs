//! Races for users: all distinct ones of a run, lines that are ignored, and what is new since an earlier run.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use serde_json::Value;
use support::{Finished, file, folder, run};

/// Three races: of `x` with itself at one place and at two, and of `y`.
const THREE: &str = "\
var x: u8
var y: u8
thread t[2] {
    x = 1
    y = 1
    let a = x
}
";

/// One, in two elements.
const ELEMENTS: &str = "\
var a: [u8; 2]
thread t[2] {
    let i = 0
    while i < 2 {
        a[i] = 1
        i = i + 1
    }
}
";

fn check(name: &str, text: &str, options: &[&str]) -> Finished {
    let name = file(name, text);
    let mut arguments = vec!["check", "--no-timing", "--engine", "explicit"];
    arguments.extend(options);
    arguments.push(&name);
    run(&arguments)
}

fn json(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap()
}

/// What is said of a property.
fn property<'a>(report: &'a Value, name: &str) -> &'a Value {
    let properties = report["properties"].as_array().unwrap();
    properties.iter().find(|it| it["property"] == name).unwrap()
}

#[test]
fn all_distinct_races_are_told_and_other_verdicts_stay_what_they_are() {
    let it = check("races-three.rad", THREE, &[]);
    assert_eq!(it.code, Some(1), "{it:?}");
    assert_eq!(it.stdout.matches("error[race]").count(), 3, "{it:?}");
    assert_eq!(it.stdout.matches("interleaving: ").count(), 1, "{it:?}");
    assert!(it.stdout.contains("race: unsafe, 3 distinct, by"), "{it:?}");
    assert!(it.stdout.contains("deadlock: safe"), "{it:?}");
    assert!(!it.stderr.contains("more-races"), "{it:?}");
    let again = check("races-three.rad", THREE, &[]);
    assert_eq!(it.stdout, again.stdout);
    let elements = check("races-elements.rad", ELEMENTS, &[]);
    assert_eq!(
        elements.stdout.matches("error[race]").count(),
        1,
        "{elements:?}"
    );
    for jobs in ["1", "3"] {
        for reduction in ["none", "local", "optimistic"] {
            let options = [
                "--reduction",
                reduction,
                "--jobs",
                jobs,
                "--property",
                "race",
            ];
            let it = check("races-reduced.rad", THREE, &options);
            assert_eq!(it.stdout.matches("error[race]").count(), 3, "{it:?}");
        }
    }
}

#[test]
fn as_many_are_told_as_are_asked_for() {
    for (races, told) in [("1", 1), ("2", 2), ("3", 3), ("50", 3)] {
        let it = check("races-most.rad", THREE, &["--races", races]);
        assert_eq!(it.stdout.matches("error[race]").count(), told, "{it:?}");
        let is_warned = it.stderr.contains("warning[more-races]");
        assert_eq!(is_warned, told == 2 || races == "3", "{it:?}");
        assert!(it.stdout.contains(&format!("--races {races} ")), "{it:?}");
    }
    let none = check("races-none.rad", THREE, &["--races", "0"]);
    assert_eq!(none.code, Some(2), "{none:?}");
}

/// A race in the first states, and more states than anybody has time for.
const LONG: &str = "\
var x: u64
var y: u8
thread t[2] {
    y = 1
    loop {
        let a = atomic_load(x)
        atomic_store(x, a +% 1)
    }
}
";

#[test]
fn a_run_does_not_go_on_for_ever_for_more_races() {
    let it = check("races-long.rad", LONG, &["--property", "race"]);
    assert_eq!(it.code, Some(1), "{it:?}");
    assert!(it.stderr.contains("there may be more races"), "{it:?}");
    let options = ["--property", "race", "--races", "9", "--timeout", "2"];
    let it = check("races-patient.rad", LONG, &options);
    assert_eq!(it.code, Some(1), "what was found is kept: {it:?}");
    assert!(it.stderr.contains("there may be more races"), "{it:?}");
}

#[test]
fn each_race_is_a_result_of_its_own() {
    let report = json(&check("races-json.rad", THREE, &["--format", "json"]));
    let race = property(&report, "race");
    assert_eq!(race["more_traces"].as_array().unwrap().len(), 2);
    let violations = race["violations"].as_array().unwrap();
    let mut names: Vec<&str> = violations
        .iter()
        .map(|it| it["fingerprint"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 3);
    let told = report["diagnostics"].as_array().unwrap();
    let races = told.iter().filter(|it| it["code"] == "race");
    assert_eq!(races.count(), 3);
    let sarif = json(&check("races-sarif.rad", THREE, &["--format", "sarif"]));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        assert!(result["codeFlows"].is_array(), "{result}");
        let fingerprints = &result["partialFingerprints"];
        assert!(fingerprints["violation/v1"].is_string(), "{result}");
    }
}

#[test]
fn races_of_a_line_are_ignored_if_the_program_says_so() {
    let with = |line: &str| THREE.replace("    y = 1\n", line);
    for line in [
        "    y = 1 //@ ignore race\n",
        "    //@ ignore race: it is only a hint\n    y = 1\n",
    ] {
        let it = check("races-ignored.rad", &with(line), &[]);
        assert_eq!(it.stdout.matches("error[race]").count(), 2, "{it:?}");
        assert!(!it.stdout.contains("`y` is"), "{it:?}");
        assert!(it.stdout.contains(", but for 1 ignored line\n"), "{it:?}");
    }
    let all = THREE
        .replace("x = 1", "x = 1 //@ ignore race")
        .replace("y = 1", "y = 1 //@ ignore race");
    for engine in ["auto", "explicit", "reference"] {
        let name = file("races-all-ignored.rad", &all);
        let it = run(&["check", "--engine", engine, &name]);
        assert_eq!(it.code, Some(0), "{it:?}");
        let race = it.stdout.lines().find(|it| it.contains("race: safe"));
        let race = race.unwrap_or_else(|| panic!("{it:?}"));
        assert!(race.ends_with("but for 2 ignored lines"), "{race}");
    }
    for engine in ["bmc", "token"] {
        let name = file("races-not-ignored.rad", &all);
        let it = run(&["check", "--property", "race", "--engine", engine, &name]);
        assert_eq!(it.code, Some(3), "{it:?}");
        assert!(it.stdout.contains("[no-engine]"), "{it:?}");
    }
}

#[test]
fn only_what_is_new_is_shown_beside_a_baseline() {
    let before = check("races-base.rad", THREE, &["--format", "json"]);
    std::fs::write(folder().join("base.json"), &before.stdout).unwrap();
    let same = check("races-base.rad", THREE, &["--baseline", "base.json"]);
    assert_eq!(same.code, Some(0), "{same:?}");
    assert!(!same.stdout.contains("error["), "{same:?}");
    let summary = "nothing new, 3 known from the baseline";
    assert!(same.stdout.contains(summary), "{same:?}");
    assert!(
        same.stdout.contains("race: unsafe, nothing new, by"),
        "{same:?}"
    );
    // Lines move, and one race is new.
    let text = THREE
        .replace("var y", "var z: u8\n\nvar y")
        .replace("y = 1\n", "y = 1\n    z = 1\n");
    let more = check("races-base.rad", &text, &["--baseline", "base.json"]);
    assert_eq!(more.code, Some(1), "{more:?}");
    assert_eq!(more.stdout.matches("error[race]").count(), 1, "{more:?}");
    assert!(more.stdout.contains("`z` is written"), "{more:?}");
    assert!(
        more.stdout.contains("1 new, 3 known from the baseline"),
        "{more:?}"
    );
    let options = ["--baseline", "base.json", "--format", "json"];
    let report = json(&check("races-base.rad", &text, &options));
    let violations = property(&report, "race")["violations"].as_array().unwrap();
    let new: Vec<&Value> = violations
        .iter()
        .filter(|it| it["is_known"] == false)
        .collect();
    assert_eq!((violations.len(), new.len()), (4, 1), "{violations:?}");
    assert_eq!(report["exit_code"], 1);
    let options = ["--baseline", "base.json", "--format", "sarif"];
    let log = json(&check("races-base.rad", &text, &options));
    let results = log["runs"][0]["results"].as_array().unwrap();
    let new = results.iter().filter(|it| it["baselineState"] == "new");
    assert_eq!((results.len(), new.count()), (4, 1));
}

#[test]
fn unknown_stays_unknown_beside_a_baseline() {
    let text = format!("{THREE}thread d {{\n    let zero: u8 = 0\n    let b = 1 / zero\n}}\n");
    let before = check(
        "races-unknown.rad",
        &text,
        &["--strict", "--format", "json"],
    );
    std::fs::write(folder().join("unknown.json"), &before.stdout).unwrap();
    let options = ["--strict", "--baseline", "unknown.json"];
    let it = check("races-unknown.rad", &text, &options);
    assert_eq!(it.code, Some(3), "{it:?}");
    assert!(it.stdout.contains("nothing new"), "{it:?}");
    assert!(it.stdout.contains("assert: unknown"), "{it:?}");
}

#[test]
fn what_is_no_report_is_no_baseline() {
    file("no-report.json", "{ \"version\": 1 }");
    for (name, why) in [
        ("no-report.json", "is no report of an earlier run"),
        ("missing.json", "cannot read `missing.json`"),
    ] {
        let it = check("races-wrong.rad", THREE, &["--baseline", name]);
        assert_eq!(it.code, Some(2), "{it:?}");
        assert!(it.stderr.contains(why), "{it:?}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_no_success() {
    let name = file("races-full.rad", "thread t { skip }\n");
    let full = std::fs::File::options().write(true).open("/dev/full");
    let Ok(full) = full else { return };
    let status = support::raddle(&["check", "-q", &name])
        .stdout(full)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn flags_of_other_tools_are_handed_on_or_answered() {
    let name = file(
        "races-flags.c",
        "#ifdef GIVEN\nint main(void) { return 0; }\n#endif\n",
    );
    file("races-flags.h", "#define GIVEN\n");
    let flags = "-Wall -pthread -O2 -std=c11 -include races-flags.h";
    let mut arguments = vec!["check", "-q"];
    arguments.extend(flags.split(' '));
    arguments.push(&name);
    let it = run(&arguments);
    assert_eq!(it.code, Some(0), "{it:?}");
    let it = run(&["check", "-funsigned-char", &name]);
    assert_eq!(it.code, Some(2), "{it:?}");
    assert!(it.stderr.contains("`-funsigned-char`"), "{it:?}");
    let it = run(&["check", "--unwind", "3", &name]);
    assert_eq!(it.code, Some(2), "{it:?}");
    assert_eq!(it.stderr.lines().count(), 1, "{it:?}");
    let it = run(&["check", &file("races-flags.cpp", "int main() {}\n")]);
    assert_eq!(it.code, Some(2), "{it:?}");
    assert!(it.stderr.contains("C++, which is not supported"), "{it:?}");
}

#[test]
fn an_undefined_function_is_told_once() {
    let text = "int f(void);\nint main(void) { return f(); }\n";
    let it = check("races-undefined.c", text, &["--property", "assert"]);
    assert_eq!(it.code, Some(3), "{it:?}");
    assert_eq!(it.stderr, "", "{it:?}");
    assert!(it.stdout.contains("a call of `f`"), "{it:?}");
    assert!(it.stdout.contains("--extern-havoc"), "{it:?}");
}
