//! What is said about mistakes, and where.

use super::report;

/// Sources, with `\n` for the end of a line, and their messages as `line:column: message`, with further places in
/// parentheses and helps in brackets.
fn check(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        let text = text.replace("\\n", "\n");
        assert_eq!(report(&text), *expected, "{text}");
    }
}

#[test]
fn a_missing_semicolon_is_reported_where_it_should_stand() {
    check(&[
        (
            "int x = 1\nint y;",
            &["1:10: expected `;` after the declaration, found `int`"],
        ),
        (
            "void f(void) {\n  int x = 1\n  x = 2;\n}",
            &["2:12: expected `;` after the declaration, found `x`"],
        ),
        (
            "void f(void) {\n  g(1)\n}",
            &["2:7: expected `;` after the expression, found `}`"],
        ),
        (
            "void f(void) { x = 1 y = 2; z = 3; }",
            &["1:21: expected `;` after the expression, found `y`"],
        ),
        (
            "void f(void) {\n  return 1\n}",
            &["2:11: expected `;` after the `return` statement, found `}`"],
        ),
        (
            "struct s { int x; }\nint y;",
            &["1:20: expected `;` after the definition of a struct"],
        ),
        (
            "struct s { int x; }\nstatic int y;",
            &["1:20: expected `;` after the definition of a struct"],
        ),
        (
            "struct s { int x; }\nint main(void) { return 0; }",
            &["1:20: expected `;` after the definition of a struct"],
        ),
        (
            "typedef int T; enum e { A }\nT y;",
            &["1:28: expected `;` after the definition of an enum"],
        ),
        (
            "struct s { int x\n  int y; };",
            &["1:17: expected `;` after the declaration of a member, found `int`"],
        ),
    ]);
}

#[test]
fn an_unknown_type_is_reported_once() {
    check(&[
        ("foo x;\nfoo y;", &["1:1: unknown type name `foo`"]),
        ("foo *x;", &["1:1: unknown type name `foo`"]),
        (
            "void f(void) { foo x; foo *y; }",
            &["1:16: unknown type name `foo`"],
        ),
        ("int f(foo x, foo *y);", &["1:7: unknown type name `foo`"]),
        (
            "struct foo { int a; };\nfoo x;",
            &["2:1: unknown type name `foo` [write `struct foo`]"],
        ),
        (
            "uint32_t x;",
            &["1:1: unknown type name `uint32_t` [`uint32_t` is declared in `<stdint.h>`]"],
        ),
        (
            "struct s { foo x; int y; };",
            &["1:12: unknown type name `foo`"],
        ),
        (
            "void f(void) { g((foo *)x); }",
            &["1:19: unknown type name `foo`"],
        ),
        (
            "void f(void) { g((int)(intptr_t)x, (intptr_t)1); }",
            &["1:24: unknown type name `intptr_t` [`intptr_t` is declared in `<stdint.h>`]"],
        ),
        ("static foo x;", &["1:8: unknown type name `foo`"]),
        (
            "__init int f(void) { return 1; }",
            &["1:1: unknown type name `__init`"],
        ),
        (
            "x y z;",
            &[
                "1:1: unknown type name `x`",
                "1:4: expected `;` after the declaration, found `z`",
            ],
        ),
    ]);
}

#[test]
fn unbalanced_brackets_point_to_the_opening_one() {
    check(&[
        (
            "void f(void) {\n  if (x) {\n    y;\n}\nint g(void) { return 1; }",
            &[
                "1:14: unclosed `{` (5:1 a function begins here inside of it: is a `}` missing before?)",
            ],
        ),
        ("void f(void) { } }\nint x;", &["1:18: unmatched `}`"]),
        ("struct s { int x;", &["1:10: unclosed `{`"]),
        (
            "int a[2] = { 1, 2;\nint b;",
            &["1:18: expected `}`, found `;` (1:12 to match this `{`)"],
        ),
        (
            "void f(void) { g(1, 2; h(); }",
            &["1:22: expected `)`, found `;` (1:17 to match this `(`)"],
        ),
        (
            "void f(void) { x = (1 + 2; y = 3; }",
            &["1:26: expected `)`, found `;` (1:20 to match this `(`)"],
        ),
        (
            "int (x; int y;",
            &["1:7: expected `)`, found `;` (1:5 to match this `(`)"],
        ),
        (
            "int f(void) { return (int){1; }",
            &["1:29: expected `}`, found `;` (1:27 to match this `{`)"],
        ),
        (
            "int f(void) { return ({ 1; ; }",
            &[
                "1:13: unclosed `{`",
                "1:31: expected `)`, found the end of the file (1:22 to match this `(`)",
            ],
        ),
        (
            "void f(void) { if (x { a; } b; }",
            &["1:22: expected `)`, found `{` (1:19 to match this `(`)"],
        ),
        (
            "int main( { return 0; }",
            &["1:11: expected a parameter, found `{`"],
        ),
        (
            "_Static_assert(1; int x;",
            &["1:17: expected `)`, found `;` (1:15 to match this `(`)"],
        ),
    ]);
}

#[test]
fn errors_in_expressions_end_with_them() {
    check(&[
        (
            "typedef int T; void f(void) { x = T; y = T + 1; sizeof T; g(T, 1); }",
            &[
                "1:35: expected an expression, found the type `T`",
                "1:42: expected an expression, found the type `T`",
                "1:56: expected an expression, found the type `T`",
                "1:61: expected an expression, found the type `T`",
            ],
        ),
        (
            "void f(void) { g(, 1); h(2; }",
            &[
                "1:18: expected an expression, found `,`",
                "1:27: expected `)`, found `;` (1:25 to match this `(`)",
            ],
        ),
        (
            "void f(void) { x +; y; *; }",
            &[
                "1:19: expected an expression, found `;`",
                "1:25: expected an expression, found `;`",
            ],
        ),
        (
            "void f(void) { a[; b; }",
            &["1:18: expected an expression, found `;`"],
        ),
        (
            "void f(void) { sizeof int; }",
            &["1:23: expected an expression, found `int`"],
        ),
        (
            "void f(void) { (int) ; int y; }",
            &["1:22: expected an expression, found `;`"],
        ),
        (
            "void f(void) { int x = { 1, , 2 }; y; }",
            &["1:29: expected an expression, found `,`"],
        ),
        (
            "void f(void) { .x = 1; a.1; a.; a->; }",
            &[
                "1:16: expected an expression, found `.`",
                "1:25: expected `;` after the expression, found `.1`",
                "1:31: expected the name of a member, found `;`",
                "1:36: expected the name of a member, found `;`",
            ],
        ),
        (
            "void f(void) { _Generic(x); _Generic(x, int); }",
            &[
                "1:26: expected `,` and a type, found `)`",
                "1:44: expected `:`, found `)`",
            ],
        ),
        (
            "void f(int x) { x ? 1; x ? : ; }",
            &[
                "1:22: expected `:`, found `;`",
                "1:30: expected an expression, found `;`",
            ],
        ),
        (
            "int ;x = 3 = ;",
            &["1:14: expected an expression, found `;`"],
        ),
        (
            r#"_Static_assert(, "x"); int x;"#,
            &["1:16: expected an expression, found `,`"],
        ),
    ]);
}

#[test]
fn errors_in_statements_end_with_them() {
    check(&[
        (
            "void f(void) { if (x > ) { a; } else { b; } while () c; }",
            &[
                "1:24: expected an expression, found `)`",
                "1:52: expected an expression, found `)`",
            ],
        ),
        (
            "void f(void) { if x { a; } }",
            &["1:19: expected `(` after `if`, found `x`"],
        ),
        (
            "void f(void) { for (i = 0; i < ; i++) { a; } for (;;;) b; }",
            &[
                "1:32: expected an expression, found `;`",
                "1:53: expected an expression, found `;`",
            ],
        ),
        (
            "void f(void) { else x; }",
            &["1:16: `else` without an `if` before it"],
        ),
        (
            "void f(void) { do x; y; }",
            &["1:22: expected `while` after the body of `do`, found `y`"],
        ),
        (
            "void f(void) { if (x) int y; }",
            &["1:23: expected a statement, found a declaration [put it between `{` and `}`]"],
        ),
        (
            "void f(void) { case: x; }",
            &["1:20: expected an expression, found `:`"],
        ),
        (
            "void f(void) { switch (x) { case 1 y; } }",
            &["1:35: expected `:` after the `case` label, found `y`"],
        ),
        (
            "void f(void) { goto ; goto 3; break }",
            &[
                "1:21: expected the name of a label, found `;`",
                "1:28: expected the name of a label, found `3`",
                "1:36: expected `;` after `break`, found `}`",
            ],
        ),
        (
            "void f(void) { __label__ a; x; __label__ b; }",
            &["1:32: `__label__` must stand at the beginning of its block"],
        ),
        (
            r#"void f(void) { asm("x" : "=r"); asm(x); y }"#,
            &[
                "1:30: expected `(`, found `)`",
                "1:37: expected a string literal, found `x`",
                "1:42: expected `;` after the expression, found `}`",
            ],
        ),
        (
            "int f(int x) {\n  int y = x +;\n  int z = ;\n  foo(;\n  return y z;\n}\nint g(void) { return 3 }",
            &[
                "2:14: expected an expression, found `;`",
                "3:11: expected an expression, found `;`",
                "4:7: expected an expression, found `;`",
                "5:11: expected `;` after the `return` statement, found `z`",
                "7:23: expected `;` after the `return` statement, found `}`",
            ],
        ),
    ]);
}

#[test]
fn errors_in_declarations_end_with_them() {
    check(&[
        (
            "struct s { int; x; 3; int z; };",
            &[
                "1:17: unknown type name `x`",
                "1:20: expected a type, found `3`",
            ],
        ),
        (
            "enum e { A B, C = , D };",
            &[
                "1:12: expected `,` or `}`, found `B`",
                "1:19: expected an expression, found `,`",
            ],
        ),
        ("enum e { };", &["1:10: expected an enumerator, found `}`"]),
        (
            "enum e { A,\nint x;\nint y;",
            &["2:1: expected the name of an enumerator, found `int`"],
        ),
        (
            "long long long x; signed unsigned y; int char z; short double w;",
            &[
                "1:11: `long long long` is too long for a type",
                "1:19: these words make no type together",
                "1:42: two types in one declaration",
                "1:50: these words make no type together",
            ],
        ),
        (
            "static extern int x; typedef typedef int y;",
            &[
                "1:8: two storage classes in one declaration",
                "1:30: `typedef` stands here twice",
            ],
        ),
        (
            "int f(int, , int); int g(int a b); int h(1);",
            &[
                "1:12: expected a parameter, found `,`",
                "1:32: expected `)`, found `b` (1:25 to match this `(`)",
                "1:42: expected a parameter, found `1`",
            ],
        ),
        (
            "int f(a, int b); int g(a, foo b) { }",
            &[
                "1:10: expected the name of a parameter, found `int`",
                "1:31: expected `,` or `)`, found `b`",
            ],
        ),
        (
            "int a[; int b;",
            &["1:7: expected an expression, found `;`"],
        ),
        (
            "return 1;\nint x;",
            &["1:1: expected a declaration, found `return`"],
        ),
        (")\nint x;", &["1:1: expected a declaration, found `)`"]),
        (
            r#""a"\nint x;"#,
            &[r#"1:1: expected a declaration, found `"a"`"#],
        ),
        ("int x, ; int y;", &["1:8: expected a name, found `;`"]),
        (
            "int x __attribute__((a b)); int y __attribute__(a); int z;",
            &[
                "1:24: expected `,` or `)`, found `b`",
                "1:49: expected `(`, found `a`",
            ],
        ),
    ]);
}

#[test]
fn bad_literals_are_reported() {
    check(&[
        (
            "int x = 089 + 0b12 + 1.2.3 + 12abc;",
            &[
                "1:9: `8` is no digit of an octal number, in `089`",
                "1:15: `2` is no digit of a binary number, in `0b12`",
                "1:22: `1.2.3` has too many decimal points",
                "1:30: `abc` is no suffix of an integer, in `12abc`",
            ],
        ),
        (
            "int x = 99999999999999999999;",
            &["1:9: `99999999999999999999` does not fit into 64 bits"],
        ),
        (
            r#"int x = ''; char *s = "\q\xzz";"#,
            &[
                "1:9: empty character literal",
                r"1:23: unknown escape sequence `\q`",
                r"1:23: `\x` is not followed by hexadecimal digits",
            ],
        ),
        (
            r#"char *s = "abc;\nint y;"#,
            &[r#"1:11: missing terminating `"` of a string literal"#],
        ),
        (
            "char c = 'a;\nint y;",
            &["1:10: missing terminating `'` of a character literal"],
        ),
        (
            r#"int x = "a" + L"b" u"c";"#,
            &["1:20: string literals of different encodings stand next to each other"],
        ),
    ]);
}

#[test]
fn bad_text_is_reported() {
    check(&[
        (
            "int x = 1 @ 2; int ` y;",
            &[
                "1:11: stray `@` in the program",
                "1:20: stray backtick in the program",
            ],
        ),
        (
            "int x = 1 @ 2; int $y @;",
            &[
                "1:11: stray `@` in the program",
                "1:23: stray `@` in the program",
            ],
        ),
        (
            "int x = 1 # 2;",
            &["1:11: stray `#` in the program [a directive stands at the beginning of its line]"],
        ),
        ("/* abc\nint x;", &["1:1: unterminated comment"]),
        (
            "#include <stdio.h>\nint x;",
            &[
                "1:1: `#include` has not been preprocessed [run the preprocessor first, as in `cc -E file.c -o file.i`]",
            ],
        ),
    ]);
}
