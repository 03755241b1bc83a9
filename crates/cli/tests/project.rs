//! Programs as builds make them: lists of commands, the stand-in for a compiler, and answers that are given again.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{Finished, folder, raddle};

/// A folder of its own, with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let root = folder().join("project").join(name);
    let _ = fs::remove_dir_all(&root);
    fs::create_dir_all(&root).unwrap();
    for (name, text) in files {
        write(&root, name, text);
    }
    root
}

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn run(root: &Path, line: &str) -> Finished {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (program, words) = words.split_first().unwrap();
    let output = if *program == "raddle" {
        raddle(words).current_dir(root).output()
    } else {
        std::process::Command::new(program)
            .args(words)
            .current_dir(root)
            .output()
    };
    Finished::of(&output.unwrap())
}

#[track_caller]
fn works(root: &Path, line: &str) -> Finished {
    let finished = run(root, line);
    assert_eq!(finished.code, Some(0), "{line}: {finished:?}");
    finished
}

/// A counter that is protected only if the build says so.
const COUNTER: &str = "\
#include <pthread.h>
#include \"counter.h\"
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void count(void) {
#ifdef PROTECTED
    pthread_mutex_lock(&lock);
    counter += STEP;
    pthread_mutex_unlock(&lock);
#else
    counter += STEP;
#endif
}
";
const HEADER: &str = "void count(void);\n#define STEP 1\n";
const MAIN: &str = "\
#include <pthread.h>
#include \"counter.h\"
static void *work(void *argument) { count(); return argument; }
int main(void) {
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    count();
    pthread_join(other, 0);
    return 0;
}
";

fn counter(name: &str) -> PathBuf {
    project(
        name,
        &[
            ("src/counter.c", COUNTER),
            ("inc/counter.h", HEADER),
            ("src/main.c", MAIN),
        ],
    )
}

const RACE: &str = "check --quiet --property race";

#[test]
fn what_was_linked_is_checked_with_the_options_of_each_file() {
    let root = counter("linked");
    for (flags, verdict, code) in [("-DPROTECTED", "safe", 0), ("-UPROTECTED", "unsafe", 1)] {
        works(
            &root,
            &format!("raddle cc -c -O2 -Wall -Iinc {flags} -o counter.o src/counter.c -MD"),
        );
        works(&root, "raddle cc -c -Iinc -o main.o src/main.c");
        let _ = fs::remove_file(root.join("libcounter.a"));
        works(&root, "ar rcs libcounter.a counter.o");
        works(&root, "raddle cc -pthread -o prog main.o -L. -lcounter");
        // The build is what it would be without.
        works(&root, "./prog");
        let checked = run(&root, &format!("raddle {RACE} prog.raddle"));
        assert_eq!(checked.stdout, format!("race: {verdict}\n"), "{checked:?}");
        assert_eq!(checked.code, Some(code));
    }
    let report = run(
        &root,
        "raddle check --no-timing --property race prog.raddle",
    );
    assert!(
        report.stdout.contains("--> src/counter.c:11:5"),
        "{report:?}"
    );
    assert!(root.join("counter.d").is_file());
    assert!(!report.stderr.contains("has changed since"), "{report:?}");
    write(&root, "src/main.c", MAIN);
    let report = run(
        &root,
        "raddle check --no-timing --property race prog.raddle",
    );
    assert!(
        report
            .stderr
            .contains("`src/main.c` has changed since `prog.raddle` was linked"),
        "{report:?}"
    );
}

#[test]
fn sources_shared_libraries_and_objects_that_are_linked_again_are_followed() {
    let root = counter("shared");
    works(
        &root,
        "raddle cc -shared -fPIC -Iinc -DPROTECTED -o libcounter.so src/counter.c",
    );
    works(
        &root,
        "raddle cc -Iinc -pthread -o prog src/main.c -L. -lcounter",
    );
    assert_eq!(
        works(&root, &format!("raddle {RACE} prog.raddle")).stdout,
        "race: safe\n"
    );
    works(&root, "raddle cc -c -flto -Iinc -DPROTECTED src/counter.c");
    works(&root, "raddle cc -c -flto -Iinc src/main.c");
    works(&root, "raddle cc -r -o both.o counter.o main.o");
    works(&root, "raddle cc -flto -pthread both.o");
    assert_eq!(
        works(&root, &format!("raddle {RACE} a.out.raddle")).stdout,
        "race: safe\n"
    );
}

#[test]
fn what_has_no_text_is_named_and_not_dropped() {
    let root = counter("foreign");
    write(&root, "fast.s", "\t.globl fast\nfast:\n\tret\n");
    works(&root, "raddle cc -c fast.s");
    works(&root, "cc -c -Iinc -o counter.o src/counter.c");
    works(
        &root,
        "raddle cc -Iinc -pthread -o prog src/main.c counter.o fast.o",
    );
    run(&root, "raddle check prog.raddle").is_refused_with(&[
        "fast.s",
        "it is not in C",
        "counter.o",
        "was not compiled with `raddle cc`",
        "--without fast.s",
    ]);
    run(&root, "raddle check --without fast.s prog.raddle").is_refused_with(&["counter.o"]);
    works(&root, "ar rcs libcounter.a counter.o");
    works(
        &root,
        "raddle cc -Iinc -pthread -o other src/main.c -L. -lcounter",
    );
    run(&root, "raddle check other.raddle").is_refused_with(&["./libcounter.a"]);
    run(&root, "raddle check --without none.c prog.raddle").is_refused_with(&["no part `none.c`"]);
    // Its definition is not there, so that nothing is claimed.
    let report = run(
        &root,
        "raddle check --no-timing --property race --without fast.s --without counter.o prog.raddle",
    );
    assert_eq!(report.code, Some(3), "{report:?}");
}

#[test]
fn options_that_change_the_meaning_are_refused_with_the_name_of_their_file() {
    let root = counter("meaning");
    works(
        &root,
        "raddle cc -c -Iinc -funsigned-char -o counter.o src/counter.c",
    );
    works(
        &root,
        "raddle cc -Iinc -pthread -Wl,--wrap=malloc -o prog src/main.c counter.o -Wl,--defsym,__wrap_malloc=0",
    );
    run(&root, "raddle check prog.raddle").is_refused_with(&[
        "-funsigned-char",
        "`src/counter.c` is compiled with it",
        "--wrap=malloc",
    ]);
    run(&root, "raddle check -DX prog.raddle")
        .is_refused_with(&["`-DX` changes nothing", "build again"]);
}

#[test]
fn files_that_are_no_linked_program_are_refused() {
    let root = project(
        "damaged",
        &[
            ("a.raddle", "{}"),
            ("b.raddle", "{\"raddle\":99}\n"),
            ("empty.raddle", ""),
        ],
    );
    run(&root, "raddle check a.raddle").is_refused_with(&["no linked program"]);
    run(&root, "raddle check b.raddle").is_refused_with(&["version 99"]);
    run(&root, "raddle check empty.raddle").is_refused_with(&["main"]);
}

#[test]
fn the_compiler_has_the_last_word_and_its_exit_status() {
    let root = project(
        "compiler",
        &[
            ("a.c", "int main(void) { return x; }\n"),
            ("b.c", "int main(void) { return 0; }\n"),
        ],
    );
    let wrong = run(&root, "raddle cc -c a.c");
    assert_eq!(wrong.code, Some(1));
    assert!(wrong.stderr.contains("a.c:1"), "{wrong:?}");
    assert!(!root.join("a.o").exists());
    assert!(
        works(&root, "raddle cc --version")
            .stdout
            .contains("Free Software")
    );
    assert!(works(&root, "raddle cc -E b.c").stdout.contains("int main"));
    works(&root, "raddle cc b.c -o /dev/null");
    assert!(
        works(&root, "raddle cc --help")
            .stdout
            .contains("RADDLE_CC")
    );
    let missing = Finished::of(
        &raddle(&["cc", "b.c"])
            .current_dir(&root)
            .env("RADDLE_CC", "no-such-compiler")
            .output()
            .unwrap(),
    );
    assert_eq!(missing.code, Some(1));
    assert!(missing.stderr.contains("no-such-compiler"), "{missing:?}");
}

#[test]
fn tests_are_compiled_by_the_stand_in_without_a_header_of_their_own() {
    let root = project(
        "tests",
        &[(
            "test.c",
            "#include <raddle.h>\nstatic int x;\nRADDLE_TEST(two) { x = raddle_any_int(0, 9); raddle_assert(x < 10); }\n",
        )],
    );
    works(&root, "raddle cc -MD -pthread -o tests test.c");
    assert_eq!(
        works(&root, "raddle test --quiet --no-timing tests.raddle").stdout,
        "test test::two ... safe\n\ntest result: safe. 1 safe, 0 unsafe, 0 unknown, 0 vacuous; 0 filtered out\n"
    );
    // What depends on the header can be made again.
    let depends = fs::read_to_string(root.join("tests.d")).unwrap();
    let header = depends
        .split_whitespace()
        .find(|it| it.ends_with("raddle.h"))
        .unwrap();
    assert!(Path::new(header).is_file());
}

/// A list of commands of a build below `build`.
fn list(root: &Path, commands: &[(&str, &str)]) {
    let entries: Vec<String> = commands
        .iter()
        .map(|(file, flags)| {
            format!(
                "{{\"directory\": \"{}/build\", \"command\": \"cc {flags} -o {file}.o -c ../{file}\", \"file\": \"../{file}\"}}",
                root.display()
            )
        })
        .collect();
    write(
        root,
        "build/compile_commands.json",
        &format!("[{}]", entries.join(",\n")),
    );
}

#[test]
fn a_list_of_commands_says_how_each_file_is_compiled() {
    let root = counter("list");
    for (flags, verdict) in [("-DPROTECTED -I../inc", "safe"), ("-I../inc", "unsafe")] {
        list(
            &root,
            &[
                ("src/counter.c", flags),
                ("src/main.c", "-I../inc -O2 -Wall"),
            ],
        );
        let checked = run(&root, &format!("raddle {RACE} -p build"));
        assert_eq!(checked.stdout, format!("race: {verdict}\n"), "{checked:?}");
    }
    let report = run(&root, "raddle check --no-timing --property race -p build");
    assert!(
        report.stdout.contains("--> src/counter.c:11:5"),
        "{report:?}"
    );
    assert!(report.stdout.contains("repeat with: raddle check --property race --engine explicit --reduction optimistic --seed 0 --timeout 60 -p build\n"), "{report:?}");
    // Options of the command line come last.
    assert_eq!(
        works(&root, &format!("raddle {RACE} -p build -DPROTECTED")).stdout,
        "race: safe\n"
    );
}

#[test]
fn of_several_programs_one_is_chosen_with_the_files_that_it_uses() {
    let root = counter("several");
    write(&root, "src/other.c", "int main(void) { return count; }\n");
    write(&root, "src/third.c", "void count(void) {}\n");
    let flags = "-DPROTECTED -I../inc";
    let all = [
        ("src/counter.c", flags),
        ("src/main.c", flags),
        ("src/other.c", flags),
    ];
    list(&root, &all);
    run(&root, "raddle check -p build").is_refused_with(&[
        "2 programs",
        "`--main src/main.c`",
        "`--main src/other.c`",
    ]);
    assert_eq!(
        works(&root, &format!("raddle {RACE} -p build --main main.c")).stdout,
        "race: safe\n"
    );
    assert_eq!(
        works(
            &root,
            &format!("raddle {RACE} -p build/compile_commands.json src/main.c")
        )
        .stdout,
        "race: safe\n"
    );
    run(&root, "raddle check -p build --main none.c").is_refused_with(&["none.c"]);
    list(&root, &[all[0], all[1], ("src/third.c", "")]);
    run(&root, "raddle check -p build").is_refused_with(&[
        "`count`, which several units define",
        "src/counter.c",
        "src/third.c",
        "--without src/third.c.o",
    ]);
    let chosen = works(
        &root,
        "raddle check --no-timing --property race -p build --without third.c",
    );
    assert!(chosen.stdout.contains("nothing of `third.c`"), "{chosen:?}");
}

#[test]
fn a_test_of_a_library_takes_what_it_uses_from_its_build() {
    let root = counter("library");
    list(
        &root,
        &[("src/counter.c", "-I../inc"), ("src/main.c", "-I../inc")],
    );
    write(
        &root,
        "test.c",
        "#include <raddle.h>\n#include \"counter.h\"\nstatic void *work(void *a) { count(); return a; }\nRADDLE_TEST(both) { raddle_thread(work, 0); count(); }\n",
    );
    let tested = run(
        &root,
        "raddle test --quiet --no-timing -p build test.c -I inc",
    );
    assert!(
        tested
            .stdout
            .starts_with("test test::both ... unsafe (race at src/counter.c:11)"),
        "{tested:?}"
    );
}

#[test]
fn lists_that_cannot_be_used_are_refused() {
    let root = counter("unusable");
    run(&root, "raddle check -p build").is_refused_with(&["build", "cmake", "raddle cc"]);
    write(&root, "build/compile_commands.json", "[{}]");
    run(&root, "raddle check -p build").is_refused_with(&["entry 0 has no `file`"]);
    write(&root, "build/compile_commands.json", "[]");
    run(&root, "raddle check -p build").is_refused_with(&["no unit in C"]);
    list(&root, &[("src/counter.c", "-I../inc")]);
    run(&root, "raddle check -p build").is_refused_with(&["no unit of the build has a `main`"]);
    list(
        &root,
        &[
            ("src/counter.c", "-I../inc -funsigned-char"),
            ("src/main.c", "-I../inc"),
        ],
    );
    run(&root, "raddle check -p build")
        .is_refused_with(&["-funsigned-char", "`src/counter.c` is compiled with it"]);
}

const REUSED: &str = "nothing has changed since an earlier run";

#[test]
fn an_answer_is_given_again_only_if_nothing_has_changed() {
    let root = counter("cache");
    let files = "src/main.c src/counter.c -I inc";
    let line = format!("raddle check --no-timing --property race --cache answers {files}");
    let first = run(&root, &line);
    assert!(!first.stderr.contains(REUSED), "{first:?}");
    let again = run(&root, &line);
    assert!(again.stderr.contains(REUSED), "{again:?}");
    assert_eq!((again.code, &again.stdout), (first.code, &first.stdout));
    for other in [
        format!("{line} -DPROTECTED"),
        format!("{line} --engine explicit"),
        line.replace("--property race", "--property deadlock"),
    ] {
        let other = run(&root, &other);
        assert!(!other.stderr.contains(REUSED), "{other:?}");
    }
    write(&root, "inc/counter.h", &HEADER.replace("STEP 1", "STEP 2"));
    assert!(!run(&root, &line).stderr.contains(REUSED));
    write(&root, "inc/counter.h", HEADER);
    assert!(run(&root, &line).stderr.contains(REUSED));
}

#[test]
fn random_edits_are_answered_as_without_earlier_answers() {
    let root = counter("edits");
    let mut seen = 0;
    for edit in 0..12_u32 {
        // A few states of the project, each of which comes back.
        let flag = if edit % 2 == 0 {
            "-DPROTECTED"
        } else {
            "-DOTHER"
        };
        let step = edit / 2 % 3;
        let body = if edit % 5 < 2 {
            MAIN.replace("    count();\n", "")
        } else {
            MAIN.to_owned()
        };
        write(
            &root,
            "inc/counter.h",
            &HEADER.replace("STEP 1", &format!("STEP {step}")),
        );
        write(&root, "src/main.c", &body);
        let line = |cache: &str| {
            run(
                &root,
                &format!(
                    "raddle check --quiet --property race {cache} src/main.c src/counter.c -I inc {flag}"
                ),
            )
        };
        let (with, without) = (line("--cache answers"), line(""));
        assert_eq!(
            (with.code, with.stdout),
            (without.code, without.stdout),
            "{edit}"
        );
        seen = fs::read_dir(root.join("answers")).unwrap().count();
    }
    assert!((2..12).contains(&seen), "{seen}");
}

#[test]
fn what_is_unknown_is_asked_again_and_traces_are_written_again() {
    let root = counter("unknown");
    write(&root, "endless.rad", support::ENDLESS);
    let unknown = "raddle check --timeout 0.5 --engine explicit --property deadlock --cache answers endless.rad";
    for _ in 0..2 {
        let finished = run(&root, unknown);
        assert_eq!(finished.code, Some(3));
        assert!(!finished.stderr.contains(REUSED));
    }
    assert_eq!(fs::read_dir(root.join("answers")).unwrap().count(), 0);
    let line = "raddle check --property race --cache answers --trace trace.json src/main.c src/counter.c -I inc";
    run(&root, line);
    let trace = fs::read(root.join("trace.json")).unwrap();
    fs::remove_file(root.join("trace.json")).unwrap();
    assert!(run(&root, line).stderr.contains(REUSED));
    assert_eq!(fs::read(root.join("trace.json")).unwrap(), trace);
}

#[test]
fn results_of_tests_are_given_again_one_by_one() {
    let root = project(
        "results",
        &[(
            "test.c",
            "#include <raddle.h>\nRADDLE_TEST(a) { raddle_assert(1); }\nRADDLE_TEST(b) { raddle_assert(0); }\n",
        )],
    );
    let line = "raddle test --no-timing --cache answers test.c";
    let first = run(&root, line);
    let again = run(&root, line);
    assert_eq!((first.code, &first.stdout), (again.code, &again.stdout));
    assert!(!first.stderr.contains("earlier"), "{first:?}");
    assert!(
        again
            .stderr
            .contains("2 of 2 results are those of an earlier run"),
        "{again:?}"
    );
    let one = run(
        &root,
        "raddle test --no-timing --cache answers --filter a test.c",
    );
    assert!(one.stderr.contains("earlier"), "{one:?}");
}

#[test]
fn traces_of_builds_and_of_linked_programs_are_replayed() {
    let root = counter("replayed");
    list(
        &root,
        &[("src/counter.c", "-I../inc"), ("src/main.c", "-I../inc")],
    );
    run(
        &root,
        "raddle check --quiet --property race --trace build.json -p build",
    );
    run(&root, "raddle replay --print build.json")
        .is_refused_with(&["recorded of a build", "raddle replay TRACE -p build"]);
    let replayed = works(&root, "raddle replay --print build.json -p build");
    assert!(
        replayed.stdout.contains("the violation recurs"),
        "{replayed:?}"
    );
    works(
        &root,
        "raddle cc -Iinc -pthread -o prog src/main.c src/counter.c",
    );
    run(
        &root,
        "raddle check --quiet --property race --trace linked.json prog.raddle",
    );
    let replayed = works(&root, "raddle replay --print linked.json prog.raddle");
    assert!(
        replayed.stdout.contains("the violation recurs"),
        "{replayed:?}"
    );
}
