//! What is wrong with an annotation is said at its place.
#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

use raddle_base::SourceMap;
use raddle_front_c::{Options, read};
use raddle_ir::DataModel;

/// The message and the place of every error.
fn errors(text: &str) -> Vec<(String, String)> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.i", text);
    let options = Options {
        model: DataModel::Lp64,
        malloc_may_fail: false,
        extern_havoc: false,
        command_line: raddle_front_c::CommandLine::Empty,
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
        ("atomic(s)", "`atomic` is no annotation"),
        ("invariant y", "there is no object `y` with static storage"),
        ("invariant self == self", "`self` is nobody in an invariant"),
        ("exclusive x", "`exclusive` needs a condition"),
        (
            "invariant a",
            "an annotation reads integers and pointers only",
        ),
        (
            "invariant a[2] == 0",
            "an element needs an array and a number within it",
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
