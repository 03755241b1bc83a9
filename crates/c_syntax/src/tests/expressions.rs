//! Operators and operands.

use super::expressions;

#[test]
fn operators_bind_as_in_the_standard() {
    expressions(&[
        (
            "a + b * c - d",
            "binary -(binary +(`a`, binary *(`b`, `c`)), `d`)",
        ),
        (
            "!a && ~b || -c & +d",
            "binary ||(binary &&(unary !(`a`), unary ~(`b`)), binary &(unary -(`c`), unary +(`d`)))",
        ),
        (
            "a << 1 >> 2 < 3 == 4 != 5",
            "binary !=(binary ==(binary <(binary >>(binary <<(`a`, integer 1), integer 2), integer 3), integer 4), integer 5)",
        ),
        (
            "a | b ^ c & d",
            "binary |(`a`, binary ^(`b`, binary &(`c`, `d`)))",
        ),
        (
            "*p++ + --*q",
            "binary +(unary *(postfix ++(`p`)), prefix --(unary *(`q`)))",
        ),
        (
            "&a[1].b->c(d, e)()",
            "unary &(call(call(member ->`c`(member .`b`(index(`a`, integer 1))), `d`, `e`)))",
        ),
    ]);
}

#[test]
fn assignments_and_conditions_lean_to_the_right() {
    expressions(&[
        ("a = b += c", "assign(`a`, assign +(`b`, `c`))"),
        (
            "a ? b : c ? d : e",
            "conditional(`a`, `b`, conditional(`c`, `d`, `e`))",
        ),
        ("a ? b, c : d", "conditional(`a`, comma(`b`, `c`), `d`)"),
        ("a ?: b", "conditional(`a`, the condition itself, `b`)"),
        ("a <<= b >>= c", "assign <<(`a`, assign >>(`b`, `c`))"),
    ]);
}

#[test]
fn commas_lean_to_the_left() {
    expressions(&[
        ("a, b, c", "comma(comma(`a`, `b`), `c`)"),
        ("f(a, (b, c))", "call(`f`, `a`, comma(`b`, `c`))"),
    ]);
}

#[test]
fn parentheses_hold_types_or_values() {
    expressions(&[
        (
            "(int)x + (char *)y",
            "binary +(cast(type(specifiers int), `x`), cast(type(specifiers char, declarator without a name(pointer)), `y`))",
        ),
        ("(a)(b)", "call(`a`, `b`)"),
        (
            "(int (*)(void))x",
            "cast(type(specifiers int, declarator without a name(pointer, function)), `x`)",
        ),
        (
            "-(int)-x",
            "unary -(cast(type(specifiers int), unary -(`x`)))",
        ),
        (
            "sizeof a + sizeof(int) + sizeof (a)[0]",
            "binary +(binary +(sizeof(`a`), sizeof(type(specifiers int))), sizeof(index(`a`, integer 0)))",
        ),
        (
            "_Alignof(int) + __alignof__ a",
            "binary +(alignof(type(specifiers int)), alignof(`a`))",
        ),
    ]);
}

#[test]
fn compound_literals_are_operands() {
    expressions(&[
        (
            "sizeof (int){1}",
            "sizeof(compound literal(type(specifiers int), list(integer 1)))",
        ),
        (
            "(int[]){1, 2}[0]",
            "index(compound literal(type(specifiers int, declarator without a name(array of any length)), list(integer 1, integer 2)), integer 0)",
        ),
        (
            "&(struct s){ .x = 1 }",
            "unary &(compound literal(type(specifiers struct(struct `s`)), list(designated(member `x`, integer 1))))",
        ),
    ]);
}

#[test]
fn gnu_operands_are_read() {
    expressions(&[
        ("__extension__ (1 + 2)", "binary +(integer 1, integer 2)"),
        (
            "({ int z = 1; z; })",
            "statement expression(block(declaration(specifiers int, declarator `z`(initializer(integer 1))), expression(`z`)))",
        ),
        ("&&label", "address of label `label`"),
        (
            "__real__ a + __imag__ b",
            "binary +(real part(`a`), imaginary part(`b`))",
        ),
        (
            "__builtin_va_arg(list, int *)",
            "va_arg(`list`, type(specifiers int, declarator without a name(pointer)))",
        ),
        (
            "__builtin_offsetof(struct s, a.b[2])",
            "offsetof(type(specifiers struct(struct `s`)), member `a`, member `b`, index(integer 2))",
        ),
        (
            "__builtin_offsetof(struct s, a->b)",
            "offsetof(type(specifiers struct(struct `s`)), member `a`, index(integer 0), member `b`)",
        ),
        (
            "__builtin_types_compatible_p(int, char *)",
            "types compatible(type(specifiers int), type(specifiers char, declarator without a name(pointer)))",
        ),
        (
            "__builtin_choose_expr(1, a, b)",
            "choose(integer 1, `a`, `b`)",
        ),
        (
            "_Generic(a, int: 1, char *: 2, default: 3)",
            "generic(`a`, association(type(specifiers int), integer 1), association(type(specifiers char, declarator without a name(pointer)), integer 2), association(default, integer 3))",
        ),
    ]);
}
