//! `--dump-smt`: the last question to the solver, for other solvers.
//!
//! What another solver says is skipped where z3 is missing, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::process::Command;

use support::{file, folder, run};

/// Unsafe: some value fails.
const FAILS: &str = "\
var x: u32
mutex m
thread t[2] {
    let a = any u32
    lock m {
        x = x ^ a *% 3
        assert x != 77
    }
}
";

/// Safe: no square is three more than a multiple of four.
const HOLDS: &str = "\
thread t {
    let a = any u16
    let b = a *% a
    assert b % 4 != 3
}
";

#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn has_z3() -> bool {
    let has = Command::new("z3").arg("--version").output().is_ok();
    assert!(
        has || std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
        "z3 is missing, and RADDLE_REQUIRE_TOOLS is set"
    );
    if !has {
        eprintln!("skipped: z3 is missing");
    }
    has
}

/// The question after a run with this exit status.
fn question(name: &str, text: &str, status: i32) -> String {
    let program = file(&format!("{name}.rad"), text);
    let dump = format!("{name}.smt2");
    let it = run(&[
        "check",
        "--engine",
        "bmc",
        "--property",
        "assert",
        "--dump-smt",
        &dump,
        &program,
    ]);
    assert_eq!(it.code, Some(status), "{it:?}");
    std::fs::read_to_string(folder().join(dump)).unwrap()
}

#[test]
fn another_solver_gives_the_same_answer_to_the_last_question() {
    for (name, text, status, answer) in [
        ("smt-fails", FAILS, 1, "sat"),
        ("smt-holds", HOLDS, 0, "unsat"),
    ] {
        let script = question(name, text, status);
        assert!(
            script.starts_with(&format!("(set-info :status {answer})\n(set-logic QF_BV)\n")),
            "{script}"
        );
        assert!(script.ends_with("(check-sat)\n"), "{script}");
        if has_z3() {
            let path = folder().join(format!("{name}.smt2"));
            let said = Command::new("z3").arg("-T:60").arg(path).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), answer);
        }
    }
}

#[test]
fn only_an_engine_that_asks_a_solver_has_a_question_to_write() {
    let program = file("smt-other.rad", HOLDS);
    for engine in ["auto", "reference", "explicit", "static"] {
        run(&[
            "check",
            "--engine",
            engine,
            "--dump-smt",
            "q.smt2",
            &program,
        ])
        .is_refused_with(&["use `--engine bmc`", "solver"]);
    }
    assert!(!folder().join("q.smt2").exists());
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_search() {
    let program = file("smt-unwritable.rad", HOLDS);
    let check = |dump: &str| run(&["check", "--engine", "bmc", "--dump-smt", dump, &program]);
    check("no-such-folder/q.smt2").is_refused_with(&[
        "cannot write the question to `no-such-folder/q.smt2`",
        "name a file in a folder that exists",
    ]);
    check(&program).is_refused_with(&["the question would overwrite the program"]);
    check("-").is_refused_with(&["a question cannot be written to standard output"]);
    let both = ["--trace", "same", "--dump-smt", "same"];
    run(&[&["check", "--engine", "bmc"], &both[..], &[&program]].concat())
        .is_refused_with(&["cannot hold both", "name two files"]);
}

#[test]
fn a_run_without_a_question_leaves_no_old_file() {
    let old = file("smt-old.smt2", "old");
    let program = file("smt-nothing.rad", "thread t { skip }\n");
    let it = run(&[
        "check",
        "--engine",
        "bmc",
        "--property",
        "atomic-sets",
        "--dump-smt",
        &old,
        &program,
    ]);
    assert_eq!(it.code, Some(0), "{it:?}");
    assert!(!folder().join(old).exists());
}
