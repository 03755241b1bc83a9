//! What is wrong with an annotation is said at its place.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use raddle_base::SourceMap;
use raddle_front_c::{Beginning, Options, read};
use raddle_ir::DataModel;

/// The message and the place of every error.
fn errors(text: &str) -> Vec<(String, String)> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.i", text);
    let options = Options {
        model: DataModel::Lp64,
        malloc_may_fail: false,
        extern_havoc: false,
        ignores_openmp: false,
        stack_bytes: raddle_front_c::DEFAULT_STACK_BYTES,
        surroundings: raddle_front_c::Surroundings::default(),
        stores_ids_late: true,
        beginning: Beginning::Main,
        volatile_is_atomic: false,
    };
    let wrong = read(&[(file, text.as_bytes())], &options).map(|_| ());
    wrong
        .err()
        .unwrap_or_default()
        .into_iter()
        .map(|it| {
            let span = it.labels.first().unwrap().span;
            let place = &text[span.start as usize..span.end as usize];
            (it.message, place.to_owned())
        })
        .collect()
}

fn error_of(annotation: &str) -> String {
    let text = format!("int x; int a[2];\n//@ {annotation}\nint main(void) {{ return x; }}\n");
    let errors = errors(&text);
    assert_eq!(errors.len(), 1, "{annotation}: {errors:?}");
    assert_eq!(errors[0].1, format!("//@ {annotation}"));
    errors[0].0.clone()
}

#[test]
fn what_cannot_be_understood_is_an_error() {
    for (annotation, message) in [
        ("invarient x == 0", "`invarient` is no annotation"),
        ("atomic", "`atomic` needs the name of a set"),
        ("atomic(s)", "`main` is a function"),
        (
            "atomic s",
            "the name of an atomic set in brackets is missing",
        ),
        ("unit(s)", "there is no atomic set `s`"),
        ("invariant y", "there is no object `y` with static storage"),
        ("invariant self == self", "`self` is nobody in an invariant"),
        ("exclusive x", "`exclusive` needs a condition"),
        (
            "exclusive a when 1",
            "`exclusive` needs an object that is a scalar",
        ),
        (
            "exclusive a[x + 1] when 1",
            "`exclusive` needs an object with static storage, or a part of one",
        ),
        (
            "invariant a[2] == 0",
            "this index lies outside of its array",
        ),
        (
            "invariant x[0] == 0",
            "an element needs an array or a pointer to something known",
        ),
        ("invariant x->y == 0", "here an annotation needs a pointer"),
        (
            "invariant at(x)",
            "`at` asks where a thread stands, and an invariant is of no thread",
        ),
        (
            "exclusive x when at(x)",
            "there is no label `x` in a function that the program calls",
        ),
        (
            "exclusive x when owner(x) == self",
            "`owner` needs a mutex or a read-write lock",
        ),
        ("invariant x / 2", "an annotation has no such operator"),
        ("invariant x = 2", "an annotation has no such expression"),
    ] {
        assert_eq!(error_of(annotation), message);
    }
}

#[test]
fn syntax_errors_have_the_place_of_the_annotation() {
    for annotation in [
        "invariant",
        "invariant x ==",
        "invariant x) + (x",
        "invariant 1; int y",
    ] {
        error_of(annotation);
    }
}

#[test]
fn headers_and_other_languages_are_no_annotations_of_ours() {
    for annotation in [
        "truth: assert=safe",
        "requires x > 0;",
        "loop invariant x > 0;",
        "",
    ] {
        let text = format!("int x;\n//@ {annotation}\nint main(void) {{ return x; }}\n");
        assert_eq!(errors(&text), [], "{annotation}");
    }
}

#[test]
fn attributes_are_annotations_too() {
    let program = |text: &str| {
        format!("__attribute__((annotate(\"{text}\"))) int x; int main(void) {{ return x; }}")
    };
    assert_eq!(errors(&program("raddle:invariant x == 0")), []);
    assert_eq!(errors(&program("other:invariant")), []);
    let wrong = errors(&program("raddle:invariant y"));
    assert_eq!(wrong[0].0, "there is no object `y` with static storage");
}

/// The error of a whole program, if it has just one.
fn error_in(text: &str) -> String {
    let errors = errors(text);
    assert_eq!(errors.len(), 1, "{text}: {errors:?}");
    errors[0].0.clone()
}

#[test]
fn atomic_sets_are_of_variables_and_members_with_static_storage() {
    for (text, message) in [
        (
            "//@ atomic(s)\n_Thread_local int x; int main(void) { return x; }",
            "each thread has its own `x`",
        ),
        (
            "int main(void) {\n//@ atomic(s)\nstatic int x; return x; }",
            "an atomic set holds objects with static storage, declared outside of functions",
        ),
        (
            "int main(void) { return 0; }\n//@ atomic(s)\n",
            "`atomic` stands before no variable or member",
        ),
        (
            "struct s {\n//@ atomic(s)\nint x; };\nint main(void) { return 0; }",
            "no object with static storage has a member in the atomic set `s`",
        ),
        (
            "struct s {\n//@ atomic(s)\nint x : 3; } s;\nint main(void) { return 0; }",
            "`x` shares its bytes with other bit-fields, so it cannot be in an atomic set",
        ),
        (
            "struct s {\n//@ atomic(s)\nint x; } s;\n\
             int main(void) { struct s local; local.x = 0; return 0; }",
            "there is a local object, and only objects with static storage can have members in the atomic set `s`",
        ),
        (
            "void *malloc(unsigned long); struct s {\n//@ atomic(s)\nint x; } s;\n\
             int main(void) { return malloc(4) == 0; }",
            "the program allocates memory, and only objects with static storage can have members in the atomic set `s`",
        ),
        (
            "struct s {\n//@ atomic(s)\nint x, y, z; } s; struct s get(void) { return s; }\n\
             int main(void) { return get().x; }",
            "there is a local object, and only objects with static storage can have members in the atomic set `s`",
        ),
        (
            "struct s {\n//@ atomic(s)\nint x; } s; int f(struct s *p) { return p->x; }\n\
             int main(void) { return f(&(struct s){3}); }",
            "there is a local object, and only objects with static storage can have members in the atomic set `s`",
        ),
        (
            "//@ unit\nint x; int main(void) { return x; }",
            "`unit` stands before no function",
        ),
    ] {
        assert_eq!(error_in(text), message);
    }
}

/// The sets that a program declares, as the printer writes them.
fn sets(text: &str) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.i", text);
    let options = Options {
        model: DataModel::Lp64,
        malloc_may_fail: false,
        extern_havoc: false,
        ignores_openmp: false,
        stack_bytes: raddle_front_c::DEFAULT_STACK_BYTES,
        surroundings: raddle_front_c::Surroundings::default(),
        stores_ids_late: true,
        beginning: Beginning::Main,
        volatile_is_atomic: false,
    };
    let program = read(&[(file, text.as_bytes())], &options).unwrap().program;
    raddle_ir::print::print(&program)
        .lines()
        .filter(|line| line.starts_with("atomicset"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn an_annotation_is_about_the_next_declaration_or_the_one_before_it_in_its_line() {
    for (text, expected) in [
        (
            "//@ atomic(s)\nint a, b;\nint c;",
            &["atomicset s { a, b }"][..],
        ),
        ("int a; //@ atomic(s)\nint b;", &["atomicset s { a }"]),
        (
            "int a __attribute__((annotate(\"raddle:atomic(s)\"))), b;",
            &["atomicset s { a }"],
        ),
        (
            "/*@ atomic(s) */ int a;\n/*@ atomic(t) */ int b;",
            &["atomicset s { a }", "atomicset t { b }"],
        ),
        (
            "struct { int x; struct {\n//@ atomic(s)\nint y, z; } in; } a[2];",
            &[
                "atomicset `s of a[0].in` { a[0].in.y, a[0].in.z }",
                "atomicset `s of a[1].in` { a[1].in.y, a[1].in.z }",
            ],
        ),
    ] {
        let text = format!("{text}\nint main(void) {{ return 0; }}\n");
        assert_eq!(sets(&text), expected, "{text}");
    }
}
