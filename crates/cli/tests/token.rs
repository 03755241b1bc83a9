//! The engine `token`: its options, and `raddle movers --pairs`.

mod support;

use serde_json::Value;
use support::{file, run};

/// Fails only if each thread is interrupted by the other.
const LOST_UPDATE: &str = "\
var count: u8 = 0
fn work() {
    let before = count
    count = before + 1
}
fn main() {
    let one = spawn work()
    let other = spawn work()
    join one
    join other
    let seen = count
    assert seen == 2
}
";

const COUNTED: &str = "\
var count: u8 = 0
mutex m
fn work() {
    lock m { let before = count; count = before + 1 }
}
fn main() {
    let one = spawn work()
    let other = spawn work()
    join one
    join other
    let seen = count
    assert seen == 2
}
";

#[test]
fn a_lost_update_is_found_with_either_choice_of_pairs() {
    let program = file("token-lost.rad", LOST_UPDATE);
    for pairs in ["mats", "all"] {
        let it = run(&["check", "--engine", "token", "--pairs", pairs, &program]);
        assert_eq!(it.code, Some(1), "{it:?}");
        assert!(
            it.stdout
                .contains("assert: unsafe, by `token`, trace replayed"),
            "{it:?}"
        );
        assert!(it.stdout.contains(&format!("--pairs {pairs}")), "{it:?}");
    }
}

#[test]
fn what_is_locked_is_safe_but_not_if_switches_are_bounded() {
    let program = file("token-counted.rad", COUNTED);
    let check = |options: &[&str]| {
        let first = ["check", "--engine", "token", "--property", "assert"];
        run(&[&first, options, &[&program]].concat())
    };
    let it = check(&[]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let it = check(&["--context-bound", "3"]);
    assert_eq!(it.code, Some(3), "{it:?}");
    let it = check(&["--context-bound", "work=0..1"]);
    assert_eq!(it.code, Some(3), "{it:?}");
    assert!(it.stdout.contains("raise `--context-bound`"), "{it:?}");
    let unknown = ["`--context-bound` names `wrok`, which is no function"];
    check(&["--context-bound", "wrok=0..1"]).is_refused_with(&unknown);
    check(&["--context-bound", "work"]).is_refused_with(&["`work` is neither a number nor like"]);
}

#[test]
fn a_bound_that_is_too_low_hides_the_lost_update() {
    let program = file("token-bounded.rad", LOST_UPDATE);
    let check = |bound: &str| {
        let bounded = ["check", "--engine", "token", "--property", "assert"];
        run(&[&bounded[..], &["--context-bound", bound, &program]].concat())
    };
    assert_eq!(check("work=0..1").code, Some(3));
    assert_eq!(check("work=0..2").code, Some(1));
}

#[test]
fn others_pass_no_token() {
    let program = file("token-others.rad", COUNTED);
    let refused = [
        "the engine `bmc` passes no token",
        "leave out `--pairs`, or use `--engine token`",
    ];
    run(&["check", "--engine", "bmc", "--pairs", "all", &program]).is_refused_with(&refused);
    let bounded = ["check", "--context-bound", "1", &program];
    run(&bounded).is_refused_with(&["the engine `auto` passes no token"]);
}

#[test]
fn the_pairs_of_a_program_are_shown_and_counted() {
    let program = file("token-pairs.rad", LOST_UPDATE);
    let it = run(&["movers", "--pairs", &program]);
    assert_eq!(it.code, Some(0), "{it:?}");
    assert!(
        it.stdout
            .contains("`work.1` (line 3) and `work#2.2` (line 4)"),
        "{it:?}"
    );
    let it = run(&["movers", "--pairs", "--json", &program]);
    let report: Value = serde_json::from_str(&it.stdout).unwrap();
    let count = |it: &str| report[it].as_array().unwrap().len();
    let all = usize::try_from(report["all_pairs"].as_u64().unwrap()).unwrap();
    assert_eq!(count("pairs") + count("dropped"), all);
    assert!(count("mats") > 0 && count("conflicts") > 0);
}
