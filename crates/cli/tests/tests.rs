//! Tests of a library: `raddle.h` on our side and on that of plain compilers.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::path::Path;
use std::process::Command;

use support::{Finished, file, folder, run};

/// Ten tests, of which each ends in its own way.
const TEN: &str = r"
#include <raddle.h>
#include <stdlib.h>

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *own) { int v = count; count = v + 1; return own; }
static void *add_locked(void *own) { pthread_mutex_lock(&lock); count++; pthread_mutex_unlock(&lock); return own; }
static void *add_atomic(void *own) { raddle_atomic { int v = count; if (v < 0) return NULL; count = v + 1; } return own; }
static void *backwards(void *own) {
    pthread_mutex_lock(&other); pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock); pthread_mutex_unlock(&other);
    return own;
}

RADDLE_TEST(safe_with_a_lock) {
    raddle_thread_t one = raddle_thread(add_locked, NULL), two = raddle_thread(add_locked, NULL);
    raddle_join(one); raddle_join(two);
    assert(count == 2);
}
RADDLE_TEST(safe_when_atomic) {
    raddle_thread_t one = raddle_thread(add_atomic, &count), two = raddle_thread(add_atomic, NULL);
    assert(raddle_join(one) == &count);
    raddle_join(two);
    assert(count == 2);
}
RADDLE_TEST(safe_inputs) {
    int i = raddle_any_int(-3, 10);
    unsigned u = raddle_any_unsigned(1, 4);
    long l = raddle_any_long(-1, 1);
    size_t s = raddle_any_size(0, 2);
    raddle_assume(i != 7);
    raddle_assert(i >= -3 && i <= 10 && u - 1 < 4 && l * l <= 1 && s <= 2);
    if (i == 7) raddle_unreachable();
    raddle_assert(raddle_any_bool() || i < 11);
}
RADDLE_TEST(unsafe_race) { raddle_thread(add, NULL); raddle_thread(add, NULL); }
RADDLE_TEST(unsafe_assertion) { int i = raddle_any_int(0, 9); raddle_assert(i != 9); }
RADDLE_TEST(unsafe_deadlock) {
    raddle_thread(backwards, NULL);
    pthread_mutex_lock(&lock); pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other); pthread_mutex_unlock(&lock);
}
RADDLE_TEST(crashing) { int *nothing = NULL; raddle_any_bool(); *nothing = 1; }
RADDLE_TEST(vacuous_assumption) { int i = raddle_any_int(0, 9); raddle_assume(i > 9); raddle_assert(i == 3); }
RADDLE_TEST(unknown_function) { extern int nobody_defines(int); if (__builtin_expect(count == 0, 1)) raddle_assert(MAYBE(count) == 0); }
RADDLE_TEST(endless) { volatile unsigned i = 0; for (;;) { i++; if (i == 0) break; } }
";

/// As gcc can link it: nobody defines the function there.
fn ten(name: &str) -> String {
    file(
        name,
        TEN.replace(
            "static int count;",
            "#ifdef __RADDLE__\n#define MAYBE(x) nobody_defines(x)\n#else\n#define MAYBE(x) (x)\n#endif\nstatic int count;",
        ),
    )
}

fn lines(finished: &Finished) -> Vec<String> {
    let lines = finished.stdout.lines();
    lines
        .filter(|it| it.starts_with("test ") && it.contains(" ... "))
        .map(str::to_owned)
        .collect()
}

#[test]
fn each_test_of_a_file_has_its_own_verdict() {
    let path = ten("ten.c");
    let finished = run(&["test", "--no-timing", "--timeout", "4", &path]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let found = lines(&finished);
    let expected = [
        "test ten::safe_with_a_lock ... safe",
        "test ten::safe_when_atomic ... safe",
        "test ten::safe_inputs ... safe",
        "test ten::unsafe_race ... unsafe (race at ten.c:",
        "test ten::unsafe_assertion ... unsafe (assert at ten.c:",
        "test ten::unsafe_deadlock ... unsafe (deadlock at ten.c:",
        "test ten::crashing ... unsafe (memory at ten.c:",
        "test ten::vacuous_assumption ... vacuous (an assertion is never reached at ten.c:",
        "test ten::unknown_function ... unknown (",
        "test ten::endless ... unknown (",
    ];
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (line, begin) in found.iter().zip(expected) {
        assert!(line.starts_with(begin), "{line}, not {begin}");
    }
    let last = finished.stdout.lines().next_back().unwrap();
    assert_eq!(
        last,
        "test result: unsafe. 3 safe, 4 unsafe, 2 unknown, 1 vacuous; 0 filtered out"
    );
}

#[test]
fn the_exit_status_is_that_of_the_worst_test() {
    let path = ten("statuses.c");
    for (filters, code) in [
        (&["safe_with_a_lock", "safe_inputs"][..], 0),
        (&["vacuous"], 3),
        (&["unknown_function", "safe_inputs"], 3),
        (&["crashing", "vacuous"], 1),
    ] {
        let mut arguments = vec!["test", "--jobs", "2", &path];
        for filter in filters {
            arguments.extend(["--filter", filter]);
        }
        let finished = run(&arguments);
        assert_eq!(finished.code, Some(code), "{filters:?}: {finished:?}");
        assert_eq!(lines(&finished).len(), filters.len());
    }
    let listed = run(&["test", "--list", "--filter", "unsafe_", &path]);
    assert_eq!(
        listed.stdout,
        "statuses::unsafe_race\nstatuses::unsafe_assertion\nstatuses::unsafe_deadlock\n"
    );
}

#[test]
fn what_is_no_program_of_tests_is_wrong_input() {
    const TEST: &str = "#include <raddle.h>\nRADDLE_TEST(one) { }\n";
    let one = file("test-one.c", TEST);
    let again = file("test-again.c", TEST);
    let main = file("test-main.c", "int main(void) { return 0; }\n");
    for (arguments, message) in [
        (&["test", &main][..], "the files have no test"),
        (&["test", &one, &again], "there are two tests `one`"),
        (&["test", &one, &main], "the program has tests and a `main`"),
        (
            &["check", "--test", "two", &one],
            "the program has no test `two`",
        ),
        (&["check", &one], "`raddle test` decides each of them"),
    ] {
        let finished = run(arguments);
        assert_eq!(finished.code, Some(2), "{arguments:?}: {finished:?}");
        let said = format!("{}{}", finished.stdout, finished.stderr);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

#[test]
fn a_test_that_proves_nothing_is_vacuous_and_one_that_does_is_not() {
    let of = |name: &str, body: &str, is_vacuous: bool| {
        let text = format!(
            "#include <raddle.h>\nstatic int x;\n\
             static void check(int kind) {{ if (kind) assert(x == 0); else assert(x < 1); }}\n\
             static void *work(void *own) {{ check(x); return own; }}\n\
             static void *blind(void *own) {{ if (x) assert(0 == x); return own; }}\n\
             RADDLE_TEST(it) {{ {body} }}\n"
        );
        let path = file(&format!("vacuous-{name}.c"), text);
        let finished = run(&["test", &path]);
        let code = if is_vacuous { 3 } else { 0 };
        assert_eq!(finished.code, Some(code), "{name}: {finished:?}");
        assert_eq!(finished.stdout.contains("vacuous ("), is_vacuous, "{name}");
    };
    of("thread", "if (x) raddle_thread(work, 0);", true);
    of("in-thread", "raddle_thread(blind, 0);", true);
    of("end", "raddle_assume(x == 1);", true);
    of("one-of-two", "assert(x == 0); if (x) assert(x == 1);", true);
    of(
        "waits",
        "raddle_assume(x); raddle_thread(work, 0); assert(x);",
        true,
    );
    // Another branch of what it uses is for other tests.
    of("helper", "raddle_thread(work, 0);", false);
    of(
        "both",
        "if (raddle_any_bool()) assert(x == 0); else assert(!x);",
        false,
    );
    of("empty", "x = 1;", false);
    of("unreachable", "if (x) raddle_unreachable();", false);
    // Hardly any execution comes there by chance.
    of(
        "rare",
        "int i = raddle_any_int(0, 1000000); if (i == 77777) assert(x == 0);",
        false,
    );
}

/// Threads that start and join others, and an order that is too weak: what the header does itself orders none of it.
#[test]
fn threads_of_threads_are_joined_and_hide_nothing() {
    let nested = file(
        "nested.c",
        "#include <raddle.h>
static int x, y;
static void *leaf(void *own) { *(int *)own = 1; return own; }
static void *starter(void *own) { raddle_thread(leaf, own); return own; }
static void *joiner(void *own) { raddle_join(raddle_thread(leaf, own)); return own; }
__attribute__((destructor)) static void after(void) { raddle_assert(x == 1 && y == 1); }
RADDLE_TEST(it) { raddle_thread(starter, &x); raddle_join(raddle_thread(joiner, &y)); }
",
    );
    let finished = run(&["test", &nested]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    let relaxed = file(
        "relaxed.c",
        "#include <raddle.h>
#include <stdatomic.h>
static int data;
static atomic_int ready;
static void *give(void *own) { data = 1; atomic_store_explicit(&ready, 1, ORDER); return own; }
RADDLE_TEST(it) {
    raddle_thread_t giver = raddle_thread(give, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 1);
    raddle_join(giver);
}
",
    );
    for (order, code, word) in [
        ("memory_order_relaxed", 1, "unsafe (race at relaxed.c:"),
        ("memory_order_release", 0, "safe"),
    ] {
        let finished = run(&["test", "-D", &format!("ORDER={order}"), &relaxed]);
        assert_eq!(finished.code, Some(code), "{order}: {finished:?}");
        assert!(lines(&finished)[0].contains(word), "{order}: {finished:?}");
    }
}

#[test]
fn a_program_whose_assertions_are_never_reached_is_warned_of() {
    let text = |value: u8| {
        format!(
            "#include <assert.h>\nint x = {value};\nint main(void) {{ if (x == 2) assert(x < 3); return 0; }}\n"
        )
    };
    let never = run(&["check", &file("asserts-never.c", text(1))]);
    assert_eq!(never.code, Some(0), "{never:?}");
    let message = "warning[vacuous]: no assertion of the program is ever reached";
    assert!(never.stderr.contains(message), "{never:?}");
    let reached = run(&["check", &file("asserts-reached.c", text(2))]);
    assert_eq!(reached.code, Some(0), "{reached:?}");
    assert!(!reached.stderr.contains("vacuous"), "{reached:?}");
}

#[test]
fn servers_read_the_results() {
    let path = ten("junit.c");
    let finished = run(&[
        "test",
        "--format",
        "junit",
        "--timeout",
        "4",
        "--jobs",
        "2",
        &path,
    ]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let results = file("results.xml", &finished.stdout);
    // A parser that is not ours.
    let script = "import sys, xml.etree.ElementTree as t\n\
                  r = t.parse(sys.argv[1]).getroot()\n\
                  print(r.tag, r.get('tests'), r.get('failures'), r.get('errors'))\n\
                  for c in r.iter('testcase'): print(c.get('name'), *[e.tag + ' ' + e.get('type') for e in c])\n\
                  print('\\nunsafe: 1 of 7 properties violated' in ''.join(r.itertext()))";
    let Ok(output) = Command::new("python3")
        .args(["-c", script, &results])
        .current_dir(folder())
        .output()
    else {
        eprintln!("skipped: python3 is not installed");
        return;
    };
    let read = Finished::of(&output);
    assert_eq!(
        read.stdout,
        "testsuites 10 4 3\nsafe_with_a_lock\nsafe_when_atomic\nsafe_inputs\nunsafe_race failure unsafe\n\
         unsafe_assertion failure unsafe\nunsafe_deadlock failure unsafe\ncrashing failure unsafe\n\
         vacuous_assumption error vacuous\nunknown_function error unknown\nendless error unknown\nTrue\n",
        "{read:?}"
    );
}

#[test]
fn a_plain_compiler_makes_a_stress_test_of_the_same_file() {
    let path = ten("stress.c");
    let headers = folder().join("stress-headers");
    std::fs::create_dir_all(&headers).unwrap();
    std::fs::write(headers.join("raddle.h"), run(&["header"]).stdout).unwrap();
    for compiler in ["gcc", "clang"] {
        if Command::new(compiler).arg("--version").output().is_err() {
            eprintln!("skipped: {compiler} is not installed");
            continue;
        }
        for standard in ["-std=gnu17", "-std=c11"] {
            let finished = stress(compiler, standard, &headers, &path);
            assert_eq!(finished.code, Some(1), "{compiler}: {finished:?}");
            let all = lines(&finished);
            assert_eq!(all.len(), 10, "{finished:?}");
            for line in &all {
                let ends = |word: &str| line.contains(&format!(" ... {word}"));
                let is_right = if line.contains("::safe") || line.contains("unknown") {
                    ends("ok")
                } else if line.contains("assertion") || line.contains("crashing") {
                    ends("FAILED (signal")
                } else if line.contains("vacuous") {
                    ends("vacuous")
                } else if line.contains("endless") {
                    ends("FAILED (not over after 1 s")
                } else {
                    // A race or a deadlock shows by chance.
                    ends("ok") || ends("FAILED")
                };
                assert!(is_right, "{compiler}: {line}");
            }
        }
    }
}

fn stress(compiler: &str, standard: &str, headers: &Path, path: &str) -> Finished {
    let program = folder().join(format!("stress-{compiler}{standard}"));
    let compiled = Command::new(compiler)
        .args([
            standard,
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wmissing-prototypes",
        ])
        .args(["-pthread", "-I"])
        .arg(headers)
        .args([path, "-o"])
        .arg(&program)
        .current_dir(folder())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{:?}", Finished::of(&compiled));
    let ran = Command::new(&program)
        .args(["--limit", "1", "--seconds", "1", "--seed", "7"])
        .output()
        .unwrap();
    Finished::of(&ran)
}

#[test]
fn the_header_of_the_user_goes_before_ours() {
    let headers = folder().join("own-headers");
    std::fs::create_dir_all(&headers).unwrap();
    std::fs::write(headers.join("raddle.h"), "#error \"it is another one\"\n").unwrap();
    let path = file(
        "own-header.c",
        "#include <raddle.h>\nint main(void) { return 0; }\n",
    );
    assert_eq!(run(&["check", &path]).code, Some(0));
    let finished = run(&["check", "-I", "own-headers", &path]);
    assert_eq!(finished.code, Some(2), "{finished:?}");
    assert!(
        finished.stderr.contains("it is another one"),
        "{finished:?}"
    );
}

#[test]
fn the_trace_of_a_test_replays() {
    let path = ten("traced.c");
    let finished = run(&[
        "check",
        "--test",
        "unsafe_race",
        "--property",
        "race",
        "--trace",
        "traced.json",
        &path,
    ]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    let replayed = run(&["replay", "traced.json"]);
    assert_eq!(replayed.code, Some(0), "{replayed:?}");
    let parts = [
        "trace about `race`",
        "the violation recurs",
        "RADDLE_TEST(unsafe_race)",
    ];
    for part in parts {
        assert!(replayed.stdout.contains(part), "{replayed:?}");
    }
}
