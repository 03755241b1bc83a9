//! Errors in the text.

use crate::tests::check_error;

#[test]
fn a_missing_bracket_is_named_with_its_place() {
    check_error(
        r"var x: u8
thread t {
    x = (1 + 2
    x = 3
}",
        r"a.rad:3:14: syntax: expected `)`, found `x`",
    );
}

#[test]
fn a_missing_brace_is_found_at_the_next_item() {
    check_error(
        r"thread t {
    if true {
        skip
}
fn f() { skip }",
        r"a.rad:5:1: syntax: expected `}`, found `fn`",
    );
}

#[test]
fn a_missing_brace_is_found_at_the_end() {
    check_error(
        r"thread t {
    lock m {
",
        r"a.rad:2:12: syntax: expected `}`, found the end of the file",
    );
}

#[test]
fn several_syntax_errors_are_found_in_one_run() {
    check_error(
        r"thread t {
    let = 3
    skip skip
    x ==
}
var y
fn () {}
struct S { a }",
        r"a.rad:2:9: syntax: expected the name of a register, found `=`
a.rad:3:10: syntax: expected `;` or the end of the line, found `skip`
a.rad:4:7: syntax: expected `;` or the end of the line, found `==`
a.rad:6:5: syntax: expected `:`, found `fn`
a.rad:7:4: syntax: expected the name of a function, found `(`
a.rad:8:14: syntax: expected `:`, found `}`",
    );
}

#[test]
fn statements_outside_of_functions_are_explained() {
    check_error(
        r"x = 3",
        r"a.rad:1:1: syntax: `x` begins no item; help: statements stand inside a function or a thread: `thread t { … }`",
    );
}

#[test]
fn mistyped_items_get_a_suggestion() {
    check_error(
        r"thraed t { skip }",
        r"a.rad:1:1: syntax: `thraed` begins no item; help: did you mean `thread`?",
    );
}

#[test]
fn mistyped_statements_get_a_suggestion() {
    check_error(
        r"mutex m
thread t {
    aquire m
}",
        r"a.rad:3:5: syntax: `aquire` begins no statement; help: did you mean `acquire`?",
    );
}

#[test]
fn there_are_no_compound_assignments() {
    check_error(
        r"var x: u8
thread t {
    x += 1
}",
        r"a.rad:3:7: syntax: there is no `+=`; help: write `x = x + …`, which is a load and a store",
    );
}

#[test]
fn words_of_the_language_need_backticks_as_names() {
    check_error(
        r"var lock: u8
fn wait() { skip }",
        r"a.rad:1:5: syntax: `lock` is a word of the language, not the name of a variable; help: write it in backticks to use it as a name: `` `lock` ``
a.rad:2:4: syntax: `wait` is a word of the language, not the name of a function; help: write it in backticks to use it as a name: `` `wait` ``",
    );
}

#[test]
fn bad_characters_are_shown() {
    check_error(
        r"var x: u8 = 3 § 4",
        r"a.rad:1:15: syntax: the character `§` means nothing here; help: names of other characters are written in backticks",
    );
}

#[test]
fn texts_and_comments_must_end() {
    check_error(
        r#"thread t { emit "abc
}
/* never"#,
        r#"a.rad:1:17: syntax: this text does not end on its line; help: close it with `"`; write `\n` for the end of a line
a.rad:3:1: syntax: this comment does not end; help: close it with `*/`"#,
    );
}

#[test]
fn an_error_in_a_condition_does_not_hide_those_in_the_block() {
    check_error(
        r"thread t {
    if a { b = 1 } else { c = 1 }
    while d { e = 1 }
}",
        r"a.rad:2:8: name: there is no `a`; help: declare it: `var a: u8` outside of functions, or `let a: u8` here
a.rad:2:12: name: there is no `b`; help: declare it: `var b: u8` outside of functions, or `let b: u8` here
a.rad:2:27: name: there is no `c`; help: declare it: `var c: u8` outside of functions, or `let c: u8` here
a.rad:3:11: name: there is no `d`; help: declare it: `var d: u8` outside of functions, or `let d: u8` here
a.rad:3:15: name: there is no `e`; help: declare it: `var e: u8` outside of functions, or `let e: u8` here",
    );
}

#[test]
fn after_twenty_errors_the_reader_gives_up() {
    check_error(
        r"thread t {
    v0v = 1
    v1v = 1
    v2v = 1
    v3v = 1
    v4v = 1
    v5v = 1
    v6v = 1
    v7v = 1
    v8v = 1
    v9v = 1
    v10v = 1
    v11v = 1
    v12v = 1
    v13v = 1
    v14v = 1
    v15v = 1
    v16v = 1
    v17v = 1
    v18v = 1
    v19v = 1
    v20v = 1
    v21v = 1
    v22v = 1
    v23v = 1
    v24v = 1
    v25v = 1
    v26v = 1
    v27v = 1
    v28v = 1
    v29v = 1
}",
        r"a.rad:2:5: name: there is no `v0v`; help: declare it: `var v0v: u8` outside of functions, or `let v0v: u8` here
a.rad:3:5: name: there is no `v1v`; help: declare it: `var v1v: u8` outside of functions, or `let v1v: u8` here
a.rad:4:5: name: there is no `v2v`; help: declare it: `var v2v: u8` outside of functions, or `let v2v: u8` here
a.rad:5:5: name: there is no `v3v`; help: declare it: `var v3v: u8` outside of functions, or `let v3v: u8` here
a.rad:6:5: name: there is no `v4v`; help: declare it: `var v4v: u8` outside of functions, or `let v4v: u8` here
a.rad:7:5: name: there is no `v5v`; help: declare it: `var v5v: u8` outside of functions, or `let v5v: u8` here
a.rad:8:5: name: there is no `v6v`; help: declare it: `var v6v: u8` outside of functions, or `let v6v: u8` here
a.rad:9:5: name: there is no `v7v`; help: declare it: `var v7v: u8` outside of functions, or `let v7v: u8` here
a.rad:10:5: name: there is no `v8v`; help: declare it: `var v8v: u8` outside of functions, or `let v8v: u8` here
a.rad:11:5: name: there is no `v9v`; help: declare it: `var v9v: u8` outside of functions, or `let v9v: u8` here
a.rad:12:5: name: there is no `v10v`; help: declare it: `var v10v: u8` outside of functions, or `let v10v: u8` here
a.rad:13:5: name: there is no `v11v`; help: declare it: `var v11v: u8` outside of functions, or `let v11v: u8` here
a.rad:14:5: name: there is no `v12v`; help: declare it: `var v12v: u8` outside of functions, or `let v12v: u8` here
a.rad:15:5: name: there is no `v13v`; help: declare it: `var v13v: u8` outside of functions, or `let v13v: u8` here
a.rad:16:5: name: there is no `v14v`; help: declare it: `var v14v: u8` outside of functions, or `let v14v: u8` here
a.rad:17:5: name: there is no `v15v`; help: declare it: `var v15v: u8` outside of functions, or `let v15v: u8` here
a.rad:18:5: name: there is no `v16v`; help: declare it: `var v16v: u8` outside of functions, or `let v16v: u8` here
a.rad:19:5: name: there is no `v17v`; help: declare it: `var v17v: u8` outside of functions, or `let v17v: u8` here
a.rad:20:5: name: there is no `v18v`; help: declare it: `var v18v: u8` outside of functions, or `let v18v: u8` here
a.rad:21:5: name: there is no `v19v`; help: declare it: `var v19v: u8` outside of functions, or `let v19v: u8` here",
    );
}

#[test]
fn memory_orders_are_known_words() {
    check_error(
        r"var x: u8
thread t { let a = atomic_load(x, aquire) }",
        r"a.rad:2:35: syntax: expected a memory order as the last argument of `atomic_load`; help: did you mean `acquire`?",
    );
}

#[test]
fn only_compare_exchange_gives_two_values() {
    check_error(
        r"var x: u8
thread t { let a, b = fetch_add(x, 1) }",
        r"a.rad:2:23: syntax: only `compare_exchange` gives two values; help: write one name before `=`",
    );
}

#[test]
fn values_alone_are_no_statements() {
    check_error(
        r"var x: u8
thread t {
    x[1]
    x + 1
    (x)
    3
}",
        r"a.rad:3:5: syntax: this does nothing; help: write `let a = …` to keep it, or `x = …` to store something
a.rad:4:7: syntax: expected `;` or the end of the line, found `+`
a.rad:5:5: syntax: `x` begins no statement
a.rad:6:5: syntax: expected a statement, found `3`",
    );
}

#[test]
fn else_and_or_need_a_beginning() {
    check_error(
        r"thread t {
    else { skip }
    or { skip }
}",
        r"a.rad:2:5: syntax: this `else` belongs to no `if`; help: write `if e { … } else { … }`
a.rad:3:5: syntax: this `or` belongs to no `choose`; help: write `choose { … } or { … }`",
    );
}
