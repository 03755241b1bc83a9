//! Messages and their places.

use raddle_diag::Severity;
use raddle_ir::DataModel;

use super::check_units;

/// The errors and warnings of a text, each as its message and the text at its place.
fn found(text: &str) -> Vec<(String, &str)> {
    let (_, diagnostics) = check_units(&[], &[text], DataModel::Lp64);
    diagnostics
        .iter()
        .map(|diagnostic| {
            let span = diagnostic.labels[0].span;
            let start = usize::try_from(span.start).unwrap();
            let end = usize::try_from(span.end).unwrap();
            let mark = match diagnostic.severity {
                Severity::Error => "",
                Severity::Warning => "warning: ",
            };
            (format!("{mark}{}", diagnostic.message), &text[start..end])
        })
        .collect()
}

fn is_found(text: &str, message: &str, place: &str) {
    assert_eq!(found(text), [(message.to_owned(), place)], "{text}");
}

#[test]
fn unknown_names_are_told_with_a_similar_one() {
    let text = "int counter; int f(void) { return conter; }";
    is_found(text, "`conter` is not declared", "conter");
    let (_, diagnostics) = check_units(&[], &[text], DataModel::Lp64);
    assert_eq!(diagnostics[0].helps, ["did you mean `counter`?"]);
}

#[test]
fn an_error_has_no_echoes() {
    is_found(
        "int f(void) { int x = missing; x = missing + x; return x; }",
        "`missing` is not declared",
        "missing",
    );
}

#[test]
fn several_errors_are_found_in_one_run() {
    let messages = found(
        "struct s { int a; };
         int f(struct s *p) { p->b = 1; goto nowhere; return p->a; }
         int g(void) { return f(); }",
    );
    let messages: Vec<&str> = messages.iter().map(|(message, _)| &**message).collect();
    assert_eq!(
        messages,
        [
            "`struct s` has no member `b`",
            "the label `nowhere` is used but not defined",
            "too few arguments for `f`",
        ]
    );
}

#[test]
fn wrong_types_are_told() {
    is_found(
        "struct s { int a; }; struct s v; int f(void) { return v; }",
        "the returned value has type `struct s`, but `int` is needed",
        "v",
    );
    is_found(
        "struct s { int a; } v; void f(void) { if (v) ; }",
        "a number or pointer is needed here, this is `struct s`",
        "v",
    );
    is_found(
        "void f(int *p, int *q) { p + q; }",
        "`+` is not for operands of types `int *` and `int *`",
        "p + q",
    );
    is_found(
        "void f(int n) { *n; }",
        "`*` needs a pointer, this is `int`",
        "*n",
    );
    is_found(
        "void f(int n) { n(1); }",
        "`n` is called, but it is no function: its type is `int`",
        "n",
    );
}

#[test]
fn places_that_cannot_be_assigned_to_are_told() {
    is_found("void f(void) { 1 = 2; }", "this cannot be assigned to", "1");
    is_found("void f(const int n) { n = 2; }", "`n` is constant", "n");
    is_found(
        "struct s { const int a; }; void f(struct s *p) { p->a++; }",
        "the member `a` is constant",
        "p->a",
    );
    is_found(
        "void f(void) { int a[2], b[2]; a = b; }",
        "an array cannot be assigned to",
        "a",
    );
}

#[test]
fn second_definitions_are_told_with_the_first() {
    let text = "int f(void) { return 1; } int f(void) { return 2; }";
    is_found(text, "`f` is defined twice", "f");
    let (_, diagnostics) = check_units(&[], &[text], DataModel::Lp64);
    assert_eq!(diagnostics[0].labels[1].span.start, 4);
    is_found(
        "void f(void) { int a; int a; }",
        "`a` is declared twice",
        "a",
    );
    is_found(
        "int g; long g;",
        "`g` was declared as `int`, now as `long`",
        "g",
    );
    is_found(
        "struct s { int a; }; struct s { int b; };",
        "`struct s` is defined twice",
        "struct s { int b; }",
    );
}

#[test]
fn misplaced_statements_are_told() {
    is_found(
        "void f(void) { break; }",
        "`break` outside of a loop or `switch`",
        "break;",
    );
    is_found(
        "void f(int n) { switch (n) { case 1: case 1: ; } }",
        "the case 1 occurs twice",
        "1",
    );
    is_found(
        "void f(int n) { switch (n) { continue; } }",
        "`continue` outside of a loop",
        "continue;",
    );
}

#[test]
fn incomplete_types_are_told() {
    is_found(
        "struct s; void f(void) { struct s v; }",
        "`v` has the incomplete type `struct s`",
        "v",
    );
    is_found(
        "struct s; int f(struct s *p) { return sizeof *p; }",
        "the type `struct s` is incomplete",
        "sizeof *p",
    );
    is_found(
        "void f(void) { void v; }",
        "`v` has the incomplete type `void`",
        "v",
    );
}

#[test]
fn constants_are_required_where_c_requires_them() {
    is_found(
        "int n; int m = n;",
        "the initial value is not a constant",
        "n",
    );
    is_found(
        "int n; int a[n];",
        "the length of this array is not a constant",
        "n",
    );
    is_found("int a[-1];", "the length of an array is negative", "-1");
    is_found(
        "_Static_assert(1 == 2, \"not so\");",
        "static assertion failed: not so",
        "_Static_assert(1 == 2, \"not so\")",
    );
}

#[test]
fn functions_that_nobody_declared_are_a_warning_once() {
    is_found(
        "int f(void) { return g(1) + g(2); }",
        "warning: the function `g` is not declared",
        "g",
    );
}
