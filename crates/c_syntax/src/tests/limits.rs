//! Long and deep programs: read in loops, or refused with a message, never a stack overflow.

use super::read;
use crate::parse::{DEEPEST, HIGHEST};

/// The messages about a text, read on a stack of the size that callers are asked to have.
fn messages(text: String) -> Vec<String> {
    std::thread::Builder::new()
        .stack_size(16 << 20)
        .spawn(move || {
            let parsed = read(&text);
            parsed
                .diagnostics
                .into_iter()
                .map(|diagnostic| diagnostic.message)
                .collect()
        })
        .unwrap()
        .join()
        .unwrap()
}

/// Texts that nest so many levels.
fn nested(levels: usize) -> Vec<String> {
    let of = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
    };
    let in_function = |body: String| format!("void f(void) {{ {body} }}");
    vec![
        format!("int x = {};", of("(", "1", ")")),
        format!("int x = {};", of("- ", "1", "")),
        format!("int x = {};", of("(int)", "1", "")),
        format!("int x = {};", of("f(", "1", ")")),
        format!("int x = {};", of("a[", "1", "]")),
        format!("int x = {};", of("a ? ", "1", " : 0")),
        format!("int x = {};", of("{", "1", "}")),
        format!(
            "int x = {};",
            of("1 || 1 && 1 | 1 ^ 1 & 1 == 1 < 1 << 1 + 1 * (", "1", ")")
        ),
        format!("int {};", of("(*", "x", ")")),
        format!("int f({});", of("int (*)(", "int", ")")),
        of("struct {", "int x;", "};"),
        in_function(of("{", ";", "}")),
        in_function(of("if (1) {", ";", "}")),
        in_function(of("for (;;) ", ";", "")),
        in_function(of("do ", ";", " while (1);")),
        of("void f(void) {", ";", "}"),
    ]
}

/// Texts with chains of so many links.
fn chains(links: usize) -> Vec<String> {
    let in_function = |body: String| format!("void f(void) {{ {body} }}");
    vec![
        format!("int x = 1{};", " + 1".repeat(links)),
        format!("int x = a{};", ".b".repeat(links)),
        format!("int x = {}1;", "a = ".repeat(links)),
        format!("int x = {}1;", "a ? b : ".repeat(links)),
        in_function(format!("1{};", ", 1".repeat(links))),
        in_function(format!("if (1) ; {}", "else if (1) ; ".repeat(links))),
        in_function(format!("switch (1) {{ {} ; }}", "case 1: ".repeat(links))),
    ]
}

#[test]
fn nesting_up_to_the_limit_is_read() {
    for text in nested(DEEPEST as usize - 2) {
        assert_eq!(messages(text.clone()), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn nesting_past_the_limit_is_one_error() {
    for levels in [300, 20_000] {
        for text in nested(levels) {
            let beginning: String = text.chars().take(40).collect();
            assert_eq!(
                messages(text),
                [format!("nesting is deeper than {DEEPEST} levels")],
                "{beginning}"
            );
        }
    }
}

#[test]
fn chains_up_to_the_limit_are_read() {
    for text in chains(HIGHEST as usize - 10) {
        let beginning: String = text.chars().take(40).collect();
        assert_eq!(messages(text), Vec::<String>::new(), "{beginning}");
    }
}

#[test]
fn chains_past_the_limit_are_one_error() {
    for text in chains(100_000) {
        let beginning: String = text.chars().take(40).collect();
        assert_eq!(
            messages(text),
            [format!(
                "more than {HIGHEST} operators or statements follow from one another"
            )],
            "{beginning}"
        );
    }
}

#[test]
fn long_lists_are_no_chains() {
    let list = "1, ".repeat(100_000);
    let names: Vec<String> = (0..100_000).map(|index| format!("x{index}, ")).collect();
    let names = names.concat();
    let statements = "f(1); ".repeat(100_000);
    let texts = [
        format!("int x[] = {{ {list} }};"),
        format!("enum {{ {names} }};"),
        format!("int {names} y;"),
        format!("int f({names} y) {{ }}"),
        format!("void f(void) {{ g({list} 1); {statements} }}"),
        format!("char *s = {};", "\"a\" ".repeat(100_000)),
        format!("int {} x;", "*".repeat(100_000)),
        format!(
            "{} int x;",
            "__extension__ __attribute__((a)) ".repeat(50_000)
        ),
        format!(
            "void f(void) {{ {} int x; }}",
            "__extension__ __attribute__((a)) ".repeat(50_000)
        ),
    ];
    for text in texts {
        let beginning: String = text.chars().take(40).collect();
        assert_eq!(messages(text), Vec::<String>::new(), "{beginning}");
    }
}

#[test]
fn open_brackets_without_end_are_errors() {
    for open in [
        "(",
        "{",
        "[",
        "int a[",
        "f(",
        "struct {",
        "__attribute__((a(",
        "({",
        "[[",
    ] {
        let found = messages(open.repeat(100_000));
        assert!(!found.is_empty(), "{open}");
    }
}
