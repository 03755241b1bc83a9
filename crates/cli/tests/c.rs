//! Programs in C: the preprocessor, its options, and places.
//!
//! Skipped where there is no C compiler, unless `RADDLE_REQUIRE_TOOLS` is set.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests stop at the first surprise and say what they skip"
)]

mod support;

use std::process::Command;

use support::{Finished, file, folder, raddle, run, run_with_input};

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

fn run_with_compiler(compiler: &str, arguments: &[&str]) -> Finished {
    let mut command = raddle(arguments);
    command.env("CC", compiler);
    Finished::of(&command.output().unwrap())
}

#[test]
fn options_reach_the_preprocessor() {
    if !has_compiler() {
        return;
    }
    std::fs::create_dir_all(folder().join("c-headers")).unwrap();
    file("c-headers/c-names.h", "typedef int wanted;\n");
    file("c-first.h", "typedef long first;\n");
    let name = file(
        "c-options.c",
        "#include <c-names.h>\n\
         #if defined A && B == 2 && !defined __linux__ && __STDC_VERSION__ == 199901L && defined REST\n\
         wanted found; first other;\n\
         #endif\n",
    );
    let finished = run(&[
        "dump",
        "ast",
        "-I",
        "c-headers",
        "-DA",
        "-D",
        "B=2",
        "-U__linux__",
        "--include",
        "c-first.h",
        "--std",
        "c99",
        &name,
        "--",
        "-DREST",
    ]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    for part in ["wanted", "found", "first", "other"] {
        assert!(
            finished.stdout.contains(part),
            "no `{part}` in {finished:?}"
        );
    }
}

#[test]
fn data_models_are_those_of_the_compiler() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-model.c",
        "#ifdef __LP64__\nint wide;\n#else\nint narrow;\n#endif\n",
    );
    let wide = run(&["dump", "ast", &name]);
    assert!(wide.stdout.contains("wide"), "{wide:?}");
    let narrow = run(&["dump", "ast", "--data-model", "ilp32", &name]);
    assert!(narrow.stdout.contains("narrow"), "{narrow:?}");
}

#[test]
fn what_the_compiler_complains_about_has_its_place_and_a_remedy() {
    if !has_compiler() {
        return;
    }
    let name = file("c-missing.c", "int x;\n#include \"c-nowhere.h\"\n");
    run(&["check", &name]).is_refused_with(&[
        "error[preprocessor]: c-nowhere.h: No such file or directory",
        "c-missing.c:2:10",
        "2 | #include \"c-nowhere.h\"",
    ]);
    let fine = file("c-fine.c", "int x;\n");
    run(&["check", &fine, "--", "--no-such-option"]).is_refused_with(&[
        "the compiler's option `--no-such-option` is not supported: it is not known what it does",
        "= help:",
    ]);
    run(&["check", &fine, "--", "-fmax-include-depth=x"])
        .is_refused_with(&["`cc` cannot preprocess `c-fine.c`", "= help:"]);
}

#[test]
fn options_that_change_the_language_are_refused() {
    if !has_compiler() {
        return;
    }
    let name = file("c-language.c", "int main(void) { return 0; }\n");
    for option in ["-funsigned-char", "-fshort-enums", "-fopenmp", "-Ofast"] {
        let said = format!("error[compiler-option]: the compiler's option `{option}`");
        run(&["check", &name, "--", option]).is_refused_with(&[&said, "= help: leave it out"]);
        let compiler = format!("cc {option}");
        run_with_compiler(&compiler, &["check", &name]).is_refused_with(&[&said]);
    }
    run(&["check", &name, "--", "-m32"]).is_refused_with(&["say `--data-model ilp32` instead"]);
    let advice = run(&[
        "check", &name, "--", "-O2", "-Wall", "-g", "-fwrapv", "-m64",
    ]);
    assert_eq!(advice.code, Some(0), "{advice:?}");
}

#[test]
fn openmp_is_ignored_on_request() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-openmp.c",
        "int main(void) {\n#pragma omp parallel\n{ }\nreturn 0; }\n",
    );
    let unknown = run(&["check", "--engine", "explicit", &name]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    let safe = run(&["check", "--engine", "explicit", &name, "--", "-fno-openmp"]);
    assert_eq!(safe.code, Some(0), "{safe:?}");
}

#[test]
fn a_verdict_that_rests_on_an_order_of_evaluation_says_so() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-order.c",
        "static int c;\nstatic int n(void) { return ++c; }\n\
         static int f(int a, int b, int d, int e) { return a - b - d - e; }\n\
         int main(void) { return f(n(), n(), n(), n()); }\n",
    );
    for format in ["human", "json", "sarif"] {
        let checked = run(&["check", "--engine", "explicit", "--format", format, &name]);
        assert_eq!(checked.code, Some(0), "{checked:?}");
        let said = format!("{}{}", checked.stdout, checked.stderr);
        assert!(said.contains("evaluation-order"), "{format}: {said}");
    }
}

#[test]
fn the_size_of_the_stack_can_be_said() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-stack.c",
        "static void fill(char *p) { p[0] = 1; }\n\
         int main(void) { char room[5000]; fill(room); return 0; }\n",
    );
    let check = |stack| run(&["check", "--engine", "explicit", "--stack", stack, &name]);
    assert_eq!(check("10000").code, Some(0));
    let beyond = check("4000");
    assert_eq!(beyond.code, Some(1), "{beyond:?}");
    assert!(beyond.stdout.contains("stack of 4000 bytes"), "{beyond:?}");
}

#[test]
fn without_a_compiler_the_way_out_is_said() {
    let name = file("c-alone.c", "int x;\n");
    run_with_compiler("c-no-such-compiler", &["check", &name]).is_refused_with(&[
        "cannot run the C compiler `c-no-such-compiler`",
        "= help: install one, such as gcc, or name yours in the environment variable `CC`",
        "gcc -E",
    ]);
    let done = file("c-alone.i", "int x;\n");
    let finished = run_with_compiler("c-no-such-compiler", &["dump", "ast", &done]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
    let finished = run_with_compiler("c-no-such-compiler", &["check", "--format", "json", &name]);
    assert!(
        finished
            .stdout
            .contains("CC=c-no-such-compiler raddle check"),
        "{finished:?}"
    );
}

#[test]
fn places_are_those_of_the_file_that_was_written() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-places.c",
        b"#include <assert.h>\n#define PLUS +\n/* \xff\xfe */   int   z =\t3   PLUS   ;\n"
            .as_slice(),
    );
    run(&["dump", "ast", &name]).is_refused_with(&["c-places.c:3:33", "3 | /* ?? */   int   z ="]);
    let piped = run_with_input(
        &["dump", "ast", "--language", "c", "-"],
        b"\n\nint z = 3 + ;\n",
    );
    piped.is_refused_with(&["<stdin>:3:13", "3 | int z = 3 + ;"]);
    let line_markers = file(
        "c-marked.i",
        "# 41 \"c-not-there.c\"\nint y;\nint z = 3 + ;\n",
    );
    run(&["dump", "ast", &line_markers])
        .is_refused_with(&["c-not-there.c:42:13", "42 | int z = 3 + ;"]);
}

#[test]
fn a_compiler_that_hangs_is_stopped_in_time() {
    let name = file("c-hangs.c", "int x;\n");
    let script = file("c-hangs.sh", "sleep 100\n");
    let begin = std::time::Instant::now();
    let finished = run_with_compiler(
        &format!("sh {script}"),
        &["check", "--timeout", "0.3", &name],
    );
    assert_eq!(finished.code, Some(3), "{finished:?}");
    assert!(finished.stdout.contains("[time]"), "{finished:?}");
    assert!(begin.elapsed().as_secs() < 20);
}

#[test]
fn models_and_c_do_not_mix() {
    let model = file("c-mixed.rad", support::SAFE);
    let unit = file("c-mixed.i", "int x;\n");
    run(&["check", &model, &unit]).is_refused_with(&[
        "`c-mixed.rad` and `c-mixed.i` are of different languages",
        "= help:",
    ]);
    run(&["dump", "ast", &model]).is_refused_with(&["`c-mixed.rad` is not C", "= help:"]);
}

/// A race that is there only with the right options.
const HIDDEN: &str = "\
#include <pthread.h>
#include \"c-hidden.h\"

static int x;

static void *work(void *unused) {
    TOUCH( x );
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
#ifdef RACE
    TOUCH( x );
#endif
    return pthread_join(thread, 0);
}
";

fn hidden(name: &str) -> String {
    std::fs::create_dir_all(folder().join(name)).unwrap();
    file(
        &format!("{name}/c-hidden.h"),
        "#define TOUCH(it) ((it)++)\n",
    );
    file(&format!("{name}.c"), HIDDEN)
}

#[test]
fn a_trace_is_replayed_with_the_options_it_was_recorded_with() {
    if !has_compiler() {
        return;
    }
    let name = hidden("c-replay");
    let arguments = ["check", "-I", "c-replay", "-DRACE", "--property", "race"];
    let check = |more: &[&str]| {
        let mut all = arguments.to_vec();
        all.extend(more);
        run(&all)
    };
    let found = check(&["--trace", "c-replay.json", &name]);
    assert_eq!(found.code, Some(1), "{found:?}");
    for part in [
        "c-replay.c:15:5",
        "15 |     TOUCH( x );",
        "-I c-replay -D RACE c-replay.c\n",
    ] {
        assert!(found.stdout.contains(part), "no `{part}` in {found:?}");
    }
    let printed = run(&["replay", "--print", "c-replay.json"]);
    assert_eq!(printed.code, Some(0), "{printed:?}");
    assert!(printed.stdout.contains("TOUCH( x )"), "{printed:?}");
    let stepped = run_with_input(&["replay", "c-replay.json"], b"G\n");
    assert_eq!(stepped.code, Some(0), "{stepped:?}");
    assert!(stepped.stdout.contains("| \tTOUCH") || stepped.stdout.contains("TOUCH( x );"));

    let free = check(&["--trace", "c-replay-free.json", &name, "--", "-DFREE"]);
    assert_eq!(free.code, Some(1), "{free:?}");
    assert!(free.stdout.contains("c-replay.c -- -DFREE\n"), "{free:?}");
    run(&["replay", "--print", "c-replay-free.json"]).is_refused_with(&[
        "other options for the C compiler",
        "raddle replay TRACE -- -DFREE",
    ]);
    let trusted = run(&["replay", "--print", "c-replay-free.json", "--", "-DFREE"]);
    assert_eq!(trusted.code, Some(0), "{trusted:?}");

    file("c-replay/c-hidden.h", "#define TOUCH(it) ((it) += 1)\n");
    run(&["replay", "--print", "c-replay.json"])
        .is_refused_with(&["`c-replay.c` has changed", "= help:"]);
}

#[test]
fn every_command_and_format_reads_c() {
    if !has_compiler() {
        return;
    }
    let name = hidden("c-formats");
    let options = ["-I", "c-formats", "-DRACE", name.as_str()];
    let with = |words: &[&str]| {
        let mut all = words.to_vec();
        all.extend(options);
        run(&all)
    };
    let sarif = with(&["check", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&sarif.stdout).unwrap();
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "c-formats.c");
    assert_eq!(place["region"]["startLine"], 15, "{place}");
    assert_eq!(place["region"]["startColumn"], 5, "{place}");
    assert_eq!(place["region"]["endColumn"], 15, "{place}");
    let json = with(&["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["sources"].as_array().map(Vec::len), Some(1));
    let compared = with(&["compare", "-q", "--property", "race"]);
    assert_eq!(compared.stdout, "race: unsafe\n", "{compared:?}");
    let dumped = with(&["dump", "ir"]);
    assert!(dumped.stdout.contains("fn main("), "{dumped:?}");
    let benched = {
        let text = format!(
            "//@ truth: race=unsafe\n//@ options: --property race\n//@ why: two touch it\n{HIDDEN}"
        );
        let program = file("c-benched.c", text);
        run(&[
            "bench",
            "-q",
            "--no-timing",
            &program,
            "--",
            "-I",
            "c-formats",
            "-DRACE",
        ])
    };
    assert_eq!(benched.code, Some(0), "{benched:?}");
    assert!(benched.stdout.contains("right false"), "{benched:?}");
    assert!(!benched.stdout.contains("error:"), "{benched:?}");
}

#[test]
fn several_files_are_one_program() {
    if !has_compiler() {
        return;
    }
    let main = file(
        "c-main.c",
        "#include <assert.h>\nint twice(int);\nint main(void) { assert(twice(2) == 5); return 0; }\n",
    );
    let other = file("c-other.c", "int twice(int a) { return 2 * a; }\n");
    let finished = run(&["check", "--property", "assert", &main, &other]);
    assert_eq!(finished.code, Some(1), "{finished:?}");
    assert!(finished.stdout.contains("c-main.c:3:18"), "{finished:?}");
    let preprocessed = file("c-other.i", "int twice(int a) { return 2 * a + 1; }\n");
    let finished = run(&["check", "-q", "--property", "assert", &main, &preprocessed]);
    assert_eq!(finished.code, Some(0), "{finished:?}");
}

#[test]
fn allocation_fails_only_on_request() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-malloc.c",
        "#include <stdlib.h>\n#include <assert.h>\n\
         int main(void) { int *p = malloc(4); assert(p); free(p); return 0; }\n",
    );
    assert_eq!(run(&["check", "-q", &name]).code, Some(0));
    let fails = run(&["check", "--malloc-may-fail", &name]);
    assert_eq!(fails.code, Some(1), "{fails:?}");
    assert!(
        fails.stdout.contains("--malloc-may-fail c-malloc.c\n"),
        "{fails:?}"
    );
    let external = file(
        "c-extern.c",
        "int any(void); int main(void) { return any(); }\n",
    );
    let unknown = run(&["check", &external]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    assert!(unknown.stdout.contains("warning["), "{unknown:?}");
    let anything = run(&["check", "-q", "--extern-havoc", &external]);
    assert!(
        anything.code.is_some_and(|it| it == 0 || it == 3),
        "{anything:?}"
    );
}

#[test]
fn what_is_missing_is_named_and_gets_a_stub() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-missing.c",
        "#include <unistd.h>\n\
         extern int limit;\n\
         int helper(struct part *, char, ...);\n\
         int main(void) {\n\
         if (limit) return helper(0, 'a');\n    return chdir(\"folder\");\n}\n",
    );
    let unknown = run(&["check", &name]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    let all = format!("{}{}", unknown.stderr, unknown.stdout);
    for told in [
        "a use of `limit`, which no file defines, is not supported",
        "define it in a file of yours, which takes precedence; `raddle stubs` writes one",
    ] {
        assert!(all.contains(told), "{told}: {unknown:?}");
    }
    let stubs = run(&["stubs", &name]);
    assert_eq!(stubs.code, Some(0), "{stubs:?}");
    for told in [
        "struct part;",
        "int limit;",
        "int helper(struct part *argument_1, char argument_2, ...) {",
        "int chdir(const char *argument_1) {",
    ] {
        assert!(stubs.stdout.contains(told), "{told}: {stubs:?}");
    }
    let written = file("c-stubs.c", &stubs.stdout);
    let decided = run(&[
        "check",
        "--engine",
        "explicit",
        "--property",
        "assert",
        &name,
        &written,
    ]);
    assert_eq!(decided.code, Some(0), "{decided:?}");
    // What is there, maybe edited, stays.
    let refused = run(&["stubs", &name, "-o", &written]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
}

#[test]
fn what_is_not_modelled_returns_anything_if_asked() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-not-modelled.c",
        "#include <unistd.h>\n\
         int main(void) {\n    int (*change)(const char *) = chdir;\n\
         return chdir(0) + change(0) != 0;\n}\n",
    );
    let unknown = run(&["check", "--property", "memory", &name]);
    assert_eq!(unknown.code, Some(3), "{unknown:?}");
    let anything = run(&["check", "--property", "memory", "--extern-havoc", &name]);
    assert_eq!(anything.code, Some(0), "{anything:?}");
    assert!(
        anything
            .stderr
            .contains("`chdir` is not modelled: it returns anything"),
        "{anything:?}"
    );
}

#[test]
fn what_goes_wrong_in_the_library_lies_at_the_call() {
    if !has_compiler() {
        return;
    }
    let name = file(
        "c-library.c",
        "#include <string.h>\n\
         int main(void) {\n    char small[4];\n    strcpy(small, \"long\");\n    return small[0];\n}\n",
    );
    let found = run(&["check", "--property", "memory", &name]);
    assert_eq!(found.code, Some(1), "{found:?}");
    assert!(found.stdout.contains("--> c-library.c:4:5"), "{found:?}");
    assert!(
        found.stdout.contains("done in `strcpy` by thread `main`"),
        "{found:?}"
    );
}
