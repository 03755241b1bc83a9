//! `raddle run`: output and exit status of a program.

mod support;

use support::{file, run};

#[test]
fn a_program_prints_and_gives_its_status() {
    let name = file(
        "execute-status.rad",
        "fn main() { emit \"{%05.1f}|{%c}\\n\", 2.25, 'a'; exit 259 }",
    );
    let it = run(&["run", &name]);
    assert_eq!(it.stdout, "002.2|a\n", "{it:?}");
    assert_eq!(it.stderr, "", "{it:?}");
    assert_eq!(it.code, Some(3), "{it:?}");
}

#[test]
fn threads_take_turns_by_the_seed() {
    let name = file(
        "execute-turns.rad",
        "thread t[2] { let i: u32 = 0; while i < 8 { emit \"{}\", tid; i = i + 1 } }",
    );
    let output = |seed: &str| run(&["run", "--seed", seed, &name]).stdout;
    assert_eq!(output("1"), output("1"));
    let different = (0..10).map(|seed| output(&seed.to_string()));
    assert!(different.collect::<std::collections::BTreeSet<_>>().len() > 1);
}

#[test]
fn what_stops_a_program_is_said_with_its_place() {
    for (body, code, parts) in [
        ("assert 1 == 2", 1, ["error[assert]", ":1:13"]),
        ("let p: *u8 = null; *p = 1", 1, ["error[memory]", ":1:"]),
        ("unsupported \"longjmp\"", 3, ["longjmp", ":1:13"]),
        ("loop { skip }", 3, ["[step-limit]", "--max-steps"]),
        ("assume 1 == 2", 3, ["[blocked]", "--seed"]),
        ("abort", 134, ["", ""]),
    ] {
        let name = file("execute-stops.rad", format!("fn main() {{ {body} }}"));
        let it = run(&["run", "--max-steps", "1000", &name]);
        assert_eq!(it.code, Some(code), "{it:?}");
        for part in parts {
            assert!(it.stderr.contains(part), "no `{part}` in {it:?}");
        }
    }
}
