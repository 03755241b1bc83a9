//! `--profile`: where the time went. No test looks at times.

mod support;

use serde_json::Value;
use support::{RACE, SAFE, file, run};

#[test]
fn a_profile_comes_after_the_verdicts_and_tells_phases_numbers_memory_and_lines() {
    let program = file("profile-text.rad", SAFE);
    let it = run(&["check", "--engine", "explicit", "--profile", &program]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let mut rest = it.stdout.as_str();
    for part in [
        "safe: 7 of 7 properties proved",
        "repeat with: raddle check --engine explicit",
        "profile: ",
        "`explicit` with reduction `optimistic`: ",
        "time ",
        "working transactions out",
        "number\n",
        "transactions repeated",
        "transactions worked out",
        "inner nodes",
        "memory\n",
        "known transactions",
        "steps worked out",
        "profile-text.rad:",
    ] {
        let found = rest.split_once(part);
        rest = found
            .unwrap_or_else(|| panic!("no `{part}` in its place in {}", it.stdout))
            .1;
    }
}

#[test]
fn nobody_is_told_who_has_not_asked() {
    let program = file("profile-none.rad", SAFE);
    let it = run(&["check", &program]);
    assert!(!it.stdout.contains("profile: "), "{it:?}");
    let it = run(&["check", "--format", "json", &program]);
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    assert_eq!(report.get("profile"), None);
}

#[test]
fn the_command_that_repeats_the_run_does_not_measure_it() {
    let program = file("profile-repeat.rad", SAFE);
    let it = run(&["check", "--profile", &program]);
    let repeat = it.stdout.lines().find(|it| it.contains("repeat with:"));
    assert!(!repeat.unwrap().contains("--profile"), "{it:?}");
}

#[test]
fn in_json_it_is_an_object_of_its_own_and_counters_stay_as_they_are() {
    let program = file("profile-json.rad", RACE);
    let arguments = ["check", "--engine", "explicit", "--format", "json"];
    let report = |more: &[&str]| -> Value {
        let it = run(&[&arguments[..], more, &[&program]].concat());
        assert_eq!(it.code, Some(1), "{it:?}");
        serde_json::from_str(&it.stdout).unwrap()
    };
    let (plain, measured) = (report(&[]), report(&["--profile"]));
    assert_eq!(plain["run"]["counters"], measured["run"]["counters"]);
    let run = &measured["profile"]["runs"][0];
    assert_eq!(run["engine"], "explicit");
    assert_eq!(run["counters"], measured["run"]["counters"]);
    let names = |list: &str| -> Vec<String> {
        let all = run[list].as_array().unwrap().iter();
        all.map(|it| it["name"].as_str().unwrap().to_owned())
            .collect()
    };
    assert!(names("phases").contains(&"analysing the program".to_owned()));
    assert!(names("phases").contains(&"making the first states".to_owned()));
    assert!(names("phases").contains(&"working transactions out".to_owned()));
    assert!(names("amounts").contains(&"transactions_worked_out".to_owned()));
    assert!(names("memory").contains(&"states".to_owned()));
    let place = &run["places"][0];
    assert_eq!(place["file"], "profile-json.rad");
    let steps = |it: &Value| it["steps"].as_u64().unwrap();
    assert!(steps(place) > 0 && steps(place) <= steps(run));
}

#[test]
fn several_workers_find_as_much_as_one_and_say_where_their_time_went() {
    let program = file(
        "profile-workers.rad",
        "var x: u32\nthread t[3] {\n    temp i: u8 = 0\n    while i < 9 { i = i + 1; x = x }\n}\n",
    );
    let it = run(&[
        "check",
        "--engine",
        "explicit",
        "--reduction",
        "none",
        "--property",
        "assert",
        "--jobs",
        "2",
        "--profile",
        &program,
    ]);
    assert_eq!(it.code, Some(0), "{it:?}");
    assert!(
        it.stdout.contains("repeating and storing, several workers"),
        "{it:?}"
    );
}

#[test]
fn engines_that_run_beside_tell_their_time_and_their_counters() {
    let program = file("profile-bmc.rad", SAFE);
    let it = run(&[
        "check",
        "--engine",
        "bmc",
        "--property",
        "assert",
        "--profile",
        &program,
    ]);
    assert_eq!(it.code, Some(0), "{it:?}");
    for part in ["`bmc` with reduction `", "    solver calls "] {
        assert!(it.stdout.contains(part), "no `{part}` in {it:?}");
    }
}

#[test]
fn where_there_is_no_room_for_it_nobody_may_ask() {
    let program = file("profile-room.rad", SAFE);
    for (more, part) in [
        (&["--format", "sarif"][..], "`--format sarif` has no room"),
        (&["--quiet"][..], "`--quiet` has no room"),
        (&["--no-timing"][..], "cannot be used with"),
    ] {
        let it = run(&[&["check", "--profile", &program], more].concat());
        it.is_refused_with(&[part]);
    }
}
