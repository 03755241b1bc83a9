//! What a system is told of the command line: version, completions, manual pages.

mod support;

use support::run;

#[test]
fn the_version_names_the_commit_and_the_solvers() {
    let it = run(&["--version"]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let line = it.stdout.trim_end();
    let commit = line
        .strip_prefix(concat!("raddle ", env!("CARGO_PKG_VERSION"), " (commit "))
        .and_then(|rest| rest.strip_suffix("; no solver)"))
        .unwrap_or_else(|| panic!("{line}"));
    let is_commit = commit.len() == 12 && commit.bytes().all(|it| it.is_ascii_hexdigit());
    assert!(is_commit || commit == "unknown", "{line}");
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let it = run(&["completions", shell]);
        assert_eq!(it.code, Some(0), "{it:?}");
        for word in ["check", "movers", "explain", "max-threads"] {
            assert!(it.stdout.contains(word), "{shell}: no `{word}`");
        }
    }
    let it = run(&["completions", "tcsh"]);
    assert_eq!(it.code, Some(2), "{it:?}");
    assert!(it.stderr.contains("possible values"), "{}", it.stderr);
}

#[test]
fn manual_pages_describe_raddle_and_each_command() {
    let whole = run(&["man"]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    for part in [".TH raddle 1", ".SH NAME", "raddle\\-check(1)"] {
        assert!(
            whole.stdout.contains(part),
            "no `{part}` in\n{}",
            whole.stdout
        );
    }
    let check = run(&["man", "check"]);
    assert_eq!(check.code, Some(0), "{check:?}");
    for part in [".TH raddle-check 1", "\\-\\-max\\-threads", "Exit status"] {
        assert!(
            check.stdout.contains(part),
            "no `{part}` in\n{}",
            check.stdout
        );
    }
    let missing = run(&["man", "prove"]);
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(
        missing.stderr.contains("there are check"),
        "{}",
        missing.stderr
    );
}
