//! What a program in C is taken to run in: options, and what reports say of it.
//!
//! Skipped where there is no C compiler, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

mod support;

use std::process::Command;

use support::{file, run};

fn has_compiler() -> bool {
    let has = Command::new("cc")
        .arg("--version")
        .output()
        .is_ok_and(|it| it.status.success());
    if !has {
        assert!(
            std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
            "there is no C compiler"
        );
        eprintln!("skipped: there is no C compiler");
    }
    has
}

const ASKS: &str = "#include <assert.h>\n\
    #include <unistd.h>\n\
    int main(int argc, char **argv) {\n\
    \x20   assert(argc == 1 || argv[1][0] == '-');\n\
    \x20   return (int)sysconf(_SC_NPROCESSORS_ONLN);\n\
    }\n";

#[test]
fn every_format_says_what_verdicts_are_for() {
    if !has_compiler() {
        return;
    }
    let name = file("surroundings-formats.c", ASKS);
    let human = run(&["check", "--args=-n", "--args=4", "--cpus", "3", &name]);
    assert_eq!(human.code, Some(0), "{human:?}");
    let line = "  = for the arguments `-n` `4`, 3 processors\n";
    assert!(human.stdout.contains(line), "{human:?}");
    // The command that repeats it says the same.
    let words = "--args=-n --args=4 --cpus 3 ";
    assert!(human.stdout.contains(words), "{human:?}");
    let usual = run(&["check", &name]);
    let line = "  = for no arguments, two processors\n";
    assert!(usual.stdout.contains(line), "{usual:?}");
    for format in ["json", "sarif"] {
        let finished = run(&["check", "--format", format, &name]);
        let at = finished.stdout.find("\"assumptions\": [");
        let list = at.map(|at| &finished.stdout[at..]).unwrap_or_default();
        assert!(list.contains("\"no arguments\""), "{format}: {finished:?}");
        assert!(
            list.contains("\"two processors\""),
            "{format}: {finished:?}"
        );
    }
}

#[test]
fn who_asks_for_nothing_is_told_of_nothing() {
    if !has_compiler() {
        return;
    }
    let name = file("surroundings-none.c", "int main(void) { return 0; }\n");
    let finished = run(&["check", &name]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    assert!(!finished.stdout.contains("= for"), "{finished:?}");
    let asks = file("surroundings-any.c", ASKS);
    let finished = run(&["check", "--assume-nothing", "--engine", "explicit", &asks]);
    assert_eq!(finished.code, Some(3), "{finished:?}");
    assert!(!finished.stdout.contains("= for"), "{finished:?}");
}

#[test]
fn contradictions_are_refused() {
    let name = file("surroundings-both.c", ASKS);
    for arguments in [
        ["check", "--args-any", "--args=4", &name],
        ["check", "--assume-nothing", "--args=4", &name],
        ["check", "--spurious", "--no-spurious", &name],
    ] {
        let finished = run(&arguments);
        assert_eq!(finished.code, Some(2), "{finished:?}");
    }
}

#[test]
fn a_choice_in_the_library_lies_at_the_call() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "surroundings-wide.c",
        "#include <assert.h>\n\
         #include <stdlib.h>\n\
         int main(void) {\n\
         \x20   int first = rand();\n\
         \x20   int second = rand();\n\
         \x20   assert(first * 3 != second + 7);\n\
         \x20   return 0;\n\
         }\n",
    );
    let checked = |format| run(&["check", "--engine", "explicit", "--format", format, &name]);
    let human = checked("human");
    assert!(human.stdout.contains("surroundings-wide.c:4:"), "{human:?}");
    assert!(human.stdout.contains("as in `rand() % 4`"), "{human:?}");
    assert!(!human.stdout.contains("any u8"), "{human:?}");
    let json = checked("json");
    assert!(json.stdout.contains("\"line\": 4"), "{json:?}");
    assert!(json.stdout.contains("as in `rand() % 4`"), "{json:?}");
    let sarif = checked("sarif");
    assert!(sarif.stdout.contains("\"startLine\": 4"), "{sarif:?}");
    assert!(sarif.stdout.contains("as in `rand() % 4`"), "{sarif:?}");
}

#[test]
fn a_trace_remembers_the_surroundings() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "surroundings-trace.c",
        "#include <assert.h>\n\
         #include <stdlib.h>\n\
         int main(int argc, char **argv) {\n\
         \x20   assert(argc == 1 || atoi(argv[1]) < 7);\n\
         \x20   return 0;\n\
         }\n",
    );
    let trace = file("surroundings-trace.json", "");
    let found = run(&["check", "--args", "9", "--trace", &trace, &name]);
    assert_eq!(found.code, Some(1), "{found:?}");
    let replayed = run(&["replay", "--print", &trace]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
}
