//! Which names are types, and where.

use super::files;

#[test]
fn a_typedef_name_is_a_type_only_where_none_was_seen() {
    files(&[
        (
            "typedef int T; T a; const T b; unsigned T;",
            "declaration(specifiers typedef int, declarator `T`), declaration(specifiers `T`, declarator `a`), declaration(specifiers const `T`, declarator `b`), declaration(specifiers unsigned int, declarator `T`)",
        ),
        (
            "typedef int T; int f(T), g(int T), h(int (T)), i(int (*T)(T));",
            "declaration(specifiers typedef int, declarator `T`), declaration(specifiers int, declarator `f`(function(parameter(specifiers `T`, declarator without a name))), declarator `g`(function(parameter(specifiers int, declarator `T`))), declarator `h`(function(parameter(specifiers int, declarator without a name(function(parameter(specifiers `T`, declarator without a name)))))), declarator `i`(function(parameter(specifiers int, declarator `T`(pointer, function(parameter(specifiers `T`, declarator without a name)))))))",
        ),
        (
            "typedef int T; struct s { T T; const T; }; T x;",
            "declaration(specifiers typedef int, declarator `T`), declaration(specifiers struct(struct `s` defined(members(specifiers `T`, declarator `T`), members(specifiers const `T`)))), declaration(specifiers `T`, declarator `x`)",
        ),
    ]);
}

#[test]
fn declarations_hide_typedef_names_from_their_declarator_on() {
    files(&[
        (
            "typedef int T; void f(void) { T T = sizeof(T), x; T * x; }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(declaration(specifiers `T`, declarator `T`(initializer(sizeof(`T`))), declarator `x`), expression(binary *(`T`, `x`))))",
        ),
        (
            "typedef int T; void f(void) { T * x; { int T; T * x; } T * y; }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(declaration(specifiers `T`, declarator `x`(pointer)), block(declaration(specifiers int, declarator `T`), expression(binary *(`T`, `x`))), declaration(specifiers `T`, declarator `y`(pointer))))",
        ),
        (
            "typedef int T; void f(T T) { T * x; } T y;",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function(parameter(specifiers `T`, declarator `T`))), block(expression(binary *(`T`, `x`)))), declaration(specifiers `T`, declarator `y`)",
        ),
        (
            "typedef int T; int f(int T, int y[sizeof(T)]); T x;",
            "declaration(specifiers typedef int, declarator `T`), declaration(specifiers int, declarator `f`(function(parameter(specifiers int, declarator `T`), parameter(specifiers int, declarator `y`(array(sizeof(`T`))))))), declaration(specifiers `T`, declarator `x`)",
        ),
        (
            "typedef int T; f(T) { } g(a, T) { }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers (no type), declarator `f`(function(parameter(specifiers `T`, declarator without a name))), block), function(specifiers (no type), declarator `g`(function without types(`a`, `T`)), block)",
        ),
        (
            "typedef int T; void f(void) { enum { T }; T * x; } T z;",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(declaration(specifiers enum(enum without a name(enumerator `T`))), expression(binary *(`T`, `x`)))), declaration(specifiers `T`, declarator `z`)",
        ),
        (
            "typedef int T; void f(void) { for (int T = 0; T * x;) T * x; T * y; }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(for(declaration(specifiers int, declarator `T`(initializer(integer 0))), binary *(`T`, `x`), nothing next, expression(binary *(`T`, `x`))), declaration(specifiers `T`, declarator `y`(pointer))))",
        ),
        (
            "typedef int T; void f(void) { enum e { A = sizeof(T), T, B = sizeof(T) } x; }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(declaration(specifiers enum(enum `e` defined(enumerator `A`(sizeof(type(specifiers `T`))), enumerator `T`, enumerator `B`(sizeof(`T`)))), declarator `x`)))",
        ),
    ]);
}

#[test]
fn typedefs_of_a_block_end_with_it() {
    files(&[
        (
            "void f(void) { typedef int T; T * x; { T * y; } } int T; void g(void) { T * x; }",
            "function(specifiers void, declarator `f`(function), block(declaration(specifiers typedef int, declarator `T`), declaration(specifiers `T`, declarator `x`(pointer)), block(declaration(specifiers `T`, declarator `y`(pointer))))), declaration(specifiers int, declarator `T`), function(specifiers void, declarator `g`(function), block(expression(binary *(`T`, `x`))))",
        ),
        (
            "typedef int T; void f(void) { { typedef char T; (T)x; } (T)(x); { int T; (T)(x); } }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(block(declaration(specifiers typedef char, declarator `T`), expression(cast(type(specifiers `T`), `x`))), expression(cast(type(specifiers `T`), `x`)), block(declaration(specifiers int, declarator `T`), expression(call(`T`, `x`)))))",
        ),
    ]);
}

#[test]
fn words_of_attributes_are_no_types() {
    files(&[(
        "typedef int word; int x __attribute__((mode(word), aligned(sizeof(word))));",
        "declaration(specifiers typedef int, declarator `word`), declaration(specifiers int, declarator `x`(attribute `mode`(`word`), attribute `aligned`(sizeof(type(specifiers `word`)))))",
    )]);
}

#[test]
fn labels_and_members_are_no_types() {
    files(&[
        (
            "typedef int T; void f(void) { T: x.T = p->T; goto T; }",
            "declaration(specifiers typedef int, declarator `T`), function(specifiers void, declarator `f`(function), block(label `T`(expression(assign(member .`T`(`x`), member ->`T`(`p`)))), goto `T`))",
        ),
        (
            "typedef int T; struct s x = { .T = 1, T: 2 };",
            "declaration(specifiers typedef int, declarator `T`), declaration(specifiers struct(struct `s`), declarator `x`(initializer(list(designated(member `T`, integer 1), designated(member `T`, integer 2)))))",
        ),
    ]);
}
