//! Statements and blocks.

use super::statements;

#[test]
fn all_kinds_of_statements_are_read() {
    statements(&[
        ("; {} { ; }", "nothing, block, block(nothing)"),
        (
            "if (a) b; else if (c) d; else e;",
            "if(`a`, expression(`b`), if(`c`, expression(`d`), expression(`e`)))",
        ),
        (
            "if (a) if (b) c; else d;",
            "if(`a`, if(`b`, expression(`c`), expression(`d`)))",
        ),
        (
            "while (a) b; do c; while (d);",
            "while(`a`, expression(`b`)), do(expression(`c`), `d`)",
        ),
        (
            "for (;;) break; for (a; b; c) continue; for (int i = 0, j; i; i++) ;",
            "for(nothing first, no condition, nothing next, break), for(`a`, `b`, `c`, continue), for(declaration(specifiers int, declarator `i`(initializer(integer 0)), declarator `j`), `i`, postfix ++(`i`), nothing)",
        ),
        (
            "switch (a) { case 1: case 2 ... 3: b; default: break; }",
            "switch(`a`, block(case(integer 1, case range(integer 2, integer 3, expression(`b`))), default(break)))",
        ),
        (
            "goto out; goto *p; out: return; return a, b;",
            "goto `out`, goto computed(`p`), label `out`(return), return(comma(`a`, `b`))",
        ),
    ]);
}

#[test]
fn labels_may_stand_at_the_end_and_before_declarations() {
    statements(&[
        ("a: b: c;", "label `a`(label `b`(expression(`c`)))"),
        ("a: { } b:", "label `a`(block), label `b`(nothing)"),
        (
            "switch (x) { case 1: }",
            "switch(`x`, block(case(integer 1, nothing)))",
        ),
        (
            "a: int x; x;",
            "label `a`(nothing), declaration(specifiers int, declarator `x`), expression(`x`)",
        ),
        (
            "a: __attribute__((unused)) b;",
            "label `a`(attribute `unused`, expression(`b`))",
        ),
    ]);
}

#[test]
fn assembler_has_operands_clobbers_and_labels() {
    statements(&[
        (
            r#"asm("nop"); __asm__ __volatile__ ("" : : : "memory");"#,
            r#"asm string "nop", asm volatile string ""(clobber string "memory")"#,
        ),
        (
            r#"asm ("x" : "=r" (a), [n] "+m" (b) : "0" (c + 1) : "cc", "memory");"#,
            r#"asm string "x"(output string "=r"(`a`), output `n` string "+m"(`b`), input string "0"(binary +(`c`, integer 1)), clobber string "cc", clobber string "memory")"#,
        ),
        (
            r#"asm goto ("jmp %l0" : : "r" (a) : : out, other); out: other: ;"#,
            r#"asm string "jmp %l0"(input string "r"(`a`), label `out`, label `other`), label `out`(label `other`(nothing))"#,
        ),
        (
            r#"asm volatile ("" :: "r" (a));"#,
            r#"asm volatile string ""(input string "r"(`a`))"#,
        ),
    ]);
}

#[test]
fn blocks_declare_labels_functions_and_types() {
    statements(&[
        (
            "__label__ a, b; __label__ c; a: ;",
            "local label `a`, local label `b`, local label `c`, label `a`(nothing)",
        ),
        (
            "int g(int x) { return x; } g(1);",
            "function(specifiers int, declarator `g`(function(parameter(specifiers int, declarator `x`))), block(return(`x`))), expression(call(`g`, integer 1))",
        ),
        (
            r#"auto int g(int); _Static_assert(1, ""); struct s { int x; } y; enum { A };"#,
            r#"declaration(specifiers auto int, declarator `g`(function(parameter(specifiers int, declarator without a name)))), static assert(integer 1, string ""), declaration(specifiers struct(struct `s` defined(members(specifiers int, declarator `x`))), declarator `y`), declaration(specifiers enum(enum without a name(enumerator `A`)))"#,
        ),
    ]);
}

#[test]
fn attributes_before_a_statement_say_nothing() {
    statements(&[
        (
            "__attribute__((fallthrough)); [[fallthrough]];",
            "nothing, nothing",
        ),
        (
            "__extension__ int x; __extension__ (x); __attribute__((unused)) int y;",
            "declaration(specifiers int, declarator `x`), expression(`x`), declaration(specifiers int(attribute `unused`), declarator `y`)",
        ),
    ]);
}
