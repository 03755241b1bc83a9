//! One state for all that differ in names, as users ask for it.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use support::{Finished, RACE, file, run};

/// The text of a program in the folder of programs.
fn program(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

fn check(options: &[&str], name: &str, defines: &[&str]) -> Finished {
    let engine = ["check", "-v", "--engine", "explicit", "--symmetry"];
    run(&[&engine[..], options, &[name], defines].concat())
}

const COUNTER: &str = "tests/c/reduction/counter-under-a-global-lock.c";

#[test]
fn eight_threads_that_do_the_same_have_few_states() {
    let name = file("symmetric-counter.c", program(COUNTER));
    let options = ["--property", "assert", "--reduction", "phase"];
    let it = check(&options, &name, &["-D", "THREADS=8", "-D", "TURNS=5"]);
    assert_eq!(it.code, Some(0), "{it:?}");
    assert!(it.stdout.contains(", states 1290,"), "{it:?}");
    let proof = "search exhausted up to names of threads and objects";
    assert!(it.stdout.contains(proof), "{it:?}");
    // Nor do handles in a global keep them apart, if only one thread gets to them.
    let text = program(COUNTER);
    let global = text.replace(
        "int main(void) {\n    pthread_t threads[THREADS];",
        "static pthread_t threads[THREADS];\nint main(void) {",
    );
    assert_ne!(global, text);
    let name = file("symmetric-global.c", global);
    let it = check(&options, &name, &["-D", "THREADS=8", "-D", "TURNS=5"]);
    assert!(it.stdout.contains(", states 1290,"), "{it:?}");
}

#[test]
fn a_violation_is_shown_under_the_names_of_an_execution() {
    let text = program(COUNTER)
        .replace("    pthread_mutex_lock(&lock);\n", "")
        .replace("    pthread_mutex_unlock(&lock);\n", "");
    let name = file("symmetric-race.c", text);
    for reduction in ["none", "optimistic"] {
        let options = ["--property", "race", "--reduction", reduction];
        let it = check(&options, &name, &["-D", "THREADS=3"]);
        assert_eq!(it.code, Some(1), "{it:?}");
        assert!(it.stdout.contains("race: unsafe"), "{it:?}");
        assert!(!it.stderr.contains("symmetry"), "{it:?}");
    }
}

#[test]
fn a_pool_that_gains_nothing_is_told_why() {
    let pool = |after: &str| {
        format!(
            "#include <pthread.h>
int next, done;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t ids[3];
void *work(void *unused) {{
    pthread_mutex_lock(&m);
    next++;
    pthread_mutex_unlock(&m);
    {after}
    __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    return 0;
}}
int main(void) {{
    for (int i = 0; i < 3; i++) pthread_create(&ids[i], 0, work, 0);
    for (int i = 0; i < 3; i++) pthread_join(ids[i], 0);
    return 0;
}}
"
        )
    };
    let equal = file("symmetric-pool.c", pool(""));
    let it = check(&[], &equal, &[]);
    assert!(!it.stderr.contains("symmetry"), "{it:?}");
    let read = "if (pthread_equal(ids[0], ids[1])) return 0;";
    let shared = file("symmetric-pool-shared.c", pool(read));
    let it = check(&["--property", "deadlock"], &shared, &[]);
    assert!(it.stderr.contains("lie in `ids`"), "{it:?}");
}

#[test]
fn that_threads_get_different_arguments_is_told() {
    let pool = |argument: &str| {
        format!(
            "#include <pthread.h>
int a[3], n;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *argument) {{
    pthread_mutex_lock(&m);
    n += argument != 0;
    pthread_mutex_unlock(&m);
    return 0;
}}
int main(void) {{
    pthread_t ids[3];
    for (long i = 0; i < 3; i++) pthread_create(&ids[i], 0, work, {argument});
    for (int i = 0; i < 3; i++) pthread_join(ids[i], 0);
    return 0;
}}
"
        )
    };
    let told = "each of the threads that run `work` begins with other values";
    for (name, argument, is_told) in [
        ("symmetric-indices.c", "(void *)i", true),
        ("symmetric-cells.c", "&a[i]", true),
        ("symmetric-nothing.c", "0", false),
    ] {
        let name = file(name, pool(argument));
        for reduction in ["none", "phase", "optimistic"] {
            let it = check(&["--reduction", reduction], &name, &[]);
            assert_eq!(it.stderr.contains(told), is_told, "{reduction}: {it:?}");
        }
    }
}

#[test]
fn who_looks_at_names_is_told_that_they_are_not_exchanged() {
    let text = "\
#include <assert.h>
#include <pthread.h>
static pthread_t last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    last = pthread_self();
    assert(last == pthread_self());
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
";
    let name = file("symmetric-names.c", text);
    let it = check(&[], &name, &[]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let told = "threads look at their names here";
    assert!(
        it.stdout.contains(told) || it.stderr.contains(told),
        "{it:?}"
    );
    let text = "\
var x: u64
thread t[2] {
    let p = alloc u64
    let a = p as u64
    x = a
    free p
}
";
    let name = file("symmetric-pointers.rad", text);
    let it = check(&["--property", "deadlock"], &name, &[]);
    assert_eq!(it.code, Some(0), "{it:?}");
    let told = "names of threads or objects make a difference here";
    assert!(
        it.stdout.contains(told) || it.stderr.contains(told),
        "{it:?}"
    );
}

#[test]
fn only_a_search_of_states_exchanges_names_or_keeps_hashes() {
    let name = file("no-symmetry.rad", RACE);
    for (option, what) in [
        ("--symmetry", "exchanges no names"),
        ("--hash-compact", "keeps no hashes of states"),
    ] {
        let it = run(&["check", "--engine", "bmc", option, &name]);
        assert_eq!(it.code, Some(2), "{it:?}");
        assert!(it.stderr.contains(what), "{it:?}");
        let it = run(&["check", "--shortest", option, &name]);
        assert_eq!(it.code, Some(2), "{it:?}");
        assert!(
            it.stderr.contains("does not go with `--shortest`"),
            "{it:?}"
        );
    }
}

#[test]
fn a_verdict_by_hashes_names_the_chance() {
    let name = file("hashes.rad", support::SAFE);
    let options = ["check", "--engine", "explicit", "--hash-compact", &name];
    let it = run(&options);
    assert_eq!(it.code, Some(0), "{it:?}");
    let told = "search exhausted by hashes of states, of which one was missed with a chance below ";
    assert!(it.stdout.contains(told), "{it:?}");
    let it = run(&[&options[..], &["--format", "json"]].concat());
    assert!(
        it.stdout.contains("\"search-exhausted-by-hashes\""),
        "{it:?}"
    );
    let name = file("hashes-race.rad", RACE);
    let it = run(&["check", "--engine", "explicit", "--hash-compact", &name]);
    assert_eq!(it.code, Some(1), "{it:?}");
}

/// Programs with one thing each that makes exchanging wrong; their first line says which property is violated.
#[test]
fn what_makes_exchanges_wrong_is_noticed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symmetric");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (first, _) = text.split_once(':').unwrap();
        let property = first.strip_prefix("// ").unwrap();
        let name = path.to_str().unwrap();
        for reduction in ["none", "local", "static", "phase", "optimistic", "dynamic"] {
            let options = [
                "--property",
                property,
                "--reduction",
                reduction,
                "--timeout",
                "20",
            ];
            let it = check(&options, name, &[]);
            let safe = format!("{property}: safe");
            assert!(!it.stdout.contains(&safe), "{name}, {reduction}: {it:?}");
            assert!(
                matches!(it.code, Some(1 | 3)),
                "{name}, {reduction}: {it:?}"
            );
            if reduction == "none" {
                assert_eq!(it.code, Some(1), "{name}: {it:?}");
            }
        }
        count += 1;
    }
    assert_eq!(count, 27);
}
