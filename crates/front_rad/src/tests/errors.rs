//! What users are told: the place, what is wrong, and what to do.

use super::check_error;

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
fn unknown_names_get_a_suggestion() {
    check_error(
        r"var count: u8
thread t {
    cuont = 1
    frobnicate = 2
    let b = zzz
    b = 3
}",
        r"a.rad:3:5: name: there is no `cuont`; help: did you mean `count`?
a.rad:4:5: name: there is no `frobnicate`; help: declare it: `var frobnicate: u8` outside of functions, or `let frobnicate: u8` here
a.rad:5:13: name: there is no `zzz`; help: declare it: `var zzz: u8` outside of functions, or `let zzz: u8` here",
    );
}

#[test]
fn unknown_functions_types_fields_labels_and_sets_get_suggestions() {
    check_error(
        r"struct Node { value: u8 }
var n: Node
atomicset Set { n }
fn work() { skip }
thread t {
    wrok()
    n.valeu = 1
    start: skip
    goto strat
    unit Sett { skip }
    let a: u500 = 1
    let b: nod = 2
    let c: Nod = 3
}",
        r"a.rad:6:5: name: there is no function `wrok`; help: did you mean `work`?
a.rad:7:7: name: `Node` has no field `valeu`; help: did you mean `value`?
a.rad:9:10: name: there is no label `strat` in this function; help: did you mean `start`?
a.rad:10:10: name: there is no atomic set `Sett`; help: did you mean `Set`?
a.rad:11:12: name: there is no type `u500`; help: integers have 1 to 128 bits: `u1` to `u128`, `i1` to `i128`
a.rad:12:12: name: there is no type `nod`; help: declare it: `struct nod { … }`
a.rad:13:12: name: there is no type `Nod`; help: did you mean `Node`?",
    );
}

#[test]
fn names_are_declared_once() {
    check_error(
        r"var x: u8
fn x() { skip }
thread t { skip }",
        r"a.rad:2:4: name: the name `x` is declared twice; help: variables, functions, structs and atomic sets share their names: rename one",
    );
}

#[test]
fn operands_have_one_type() {
    check_error(
        r"var x: u8; var y: i16
thread t {
    assert x == y
    x = y
    if x { skip }
    x = 300
    let p: *u8 = 3
    x = 1.5
}",
        r"a.rad:3:12: type: the operands have different types, `u8` and `i16`; help: convert one of them: `(…) as u8`
a.rad:4:9: type: expected `u8`, found `i16`; help: convert it: `(…) as u8`
a.rad:5:8: type: expected `bool`, found `u8`; help: compare it, as in `x != 0`
a.rad:6:9: type: this number does not fit `u8`; help: choose a larger type, or write the type behind the number, as in `300i64`
a.rad:7:18: type: expected `*u8`, found `i32`; help: the null pointer is `null`
a.rad:8:9: type: expected `u8`, found `f64`; help: convert it: `(…) as u8`",
    );
}

#[test]
fn conditions_are_bools() {
    check_error(
        r"var x: u8
thread t {
    assert !x
    while 1 { skip }
    assert x and true
}",
        r"a.rad:3:12: type: `!` wants a condition, found `u8`; help: compare with zero, as in `x == 0`, or flip its bits with `~`
a.rad:5:12: type: expected `bool`, found `u8`; help: compare it, as in `x != 0`",
    );
}

#[test]
fn registers_have_no_address() {
    check_error(
        r"thread t {
    let a = 1u8
    let p = &a
    let q = &(a + 1)
}",
        r"a.rad:3:14: type: `a` is a register, which has no address; help: declare it with `var a: …` instead of `let`
a.rad:4:14: type: expected a place in memory",
    );
}

#[test]
fn pointers_need_a_type_to_be_followed() {
    check_error(
        r"var p: ptr
thread t {
    let a = *p
    p.x = 1
    let b = p[1]
    let c = *3
}",
        r"a.rad:3:14: type: what this `ptr` points to is not known; help: say it with a cast, as in `*(p as *u8)`
a.rad:4:5: type: what this `ptr` points to is not known; help: declare it as a pointer to a struct, as in `p: *Node`, or cast it
a.rad:5:13: type: a `ptr` has no elements; help: only arrays and typed pointers are indexed
a.rad:6:14: type: expected a pointer, found `i32`",
    );
}

#[test]
fn synchronisation_objects_are_used_as_what_they_are() {
    check_error(
        r"mutex m; rwlock l; semaphore s; var x: u8
thread t {
    acquire l
    acquire x
    lock l { skip }
    let a = m
    post m
    init s
    init x
    lock x { skip }
    wait m, m
}",
        r"a.rad:3:13: type: `acquire` wants a mutex, found `rwlock`; help: use `acquire_read` or `acquire_write`
a.rad:4:13: type: `acquire` wants a mutex, found `u8`
a.rad:5:10: type: a `rwlock` cannot be locked this way; help: write `lock read l { … }` or `lock write l { … }`
a.rad:6:13: type: a `mutex` is no value; help: use it with an operation such as `acquire`, or `owner(…)` in formulas
a.rad:7:10: type: `post` wants a semaphore, found `mutex`
a.rad:8:10: type: a semaphore begins with a number; help: write `semaphore(1)`
a.rad:9:10: type: a `u8` is no synchronisation object; help: say what is made of it, as in `init x as mutex`
a.rad:10:10: type: a `u8` cannot be locked this way; help: `lock` works on mutexes, read-write locks and monitors
a.rad:11:10: type: `wait_begin` wants a condition, found `mutex`",
    );
}

#[test]
fn calls_fit_their_function() {
    check_error(
        r"fn f(a: u8) { skip }
var x: u8
thread t {
    f()
    f(1, 2)
    let a = f(1)
    x(1)
    f(true)
    return 3
}",
        r"a.rad:4:5: type: `f` takes 1 argument and is given 0
a.rad:5:7: type: `f` takes 1 argument and is given 2
a.rad:6:13: type: this function gives no value; help: declare its result, as in `fn f() -> u8`
a.rad:7:5: type: `x` is no function; help: call through a pointer with `call x(…)`
a.rad:8:7: type: expected `u8`, found `bool`; help: convert it: `(…) as u8`
a.rad:9:12: type: this function gives no value; help: declare its result, as in `fn f() -> u8`; threads end with `exit_thread e`",
    );
}

#[test]
fn functions_with_a_result_return_one() {
    check_error(
        r"fn f() -> u8 { if true { return 1 } }
fn g() -> u8 { return }
fn h() -> u8 { loop { skip } }
fn i() -> u8 { exit }
thread t { skip }",
        r"a.rad:1:37: type: `f` may end without a `return`; help: end it with `return e`
a.rad:2:16: type: this function gives a `u8`",
    );
}

#[test]
fn registers_hold_scalars() {
    check_error(
        r"struct S { a: u8 }
var s: S
thread t {
    let a: S
    let b = s
    s = s
}
fn f(m: mutex) { skip }",
        r"a.rad:8:9: type: `mutex` does not fit a register; help: keep it in memory with `var`, or pass a pointer to it",
    );
}

#[test]
fn structs_do_not_contain_themselves() {
    check_error(
        r"struct A { b: B }
struct B { a: [A; 2] }
thread t { skip }",
        r"a.rad:1:8: type: `A` contains itself; help: use a pointer: `*A`",
    );
}

#[test]
fn types_are_not_too_large() {
    check_error(
        r"var x: [u64; 0xffffffffffff]
thread t { skip }",
        r"a.rad:1:8: limit: `[u64; 281474976710655]` is too large for an object",
    );
}

#[test]
fn initial_values_fit_their_variables() {
    check_error(
        r"var x: u8 = 1 + 2
var a: [u8; 2] = [1, 2, 3]
var b: [u8; 2] = 3
var c: u8 = x
mutex m = 1
struct S { f: u8 }
var s: S = { g = 1 }
thread t { skip }",
        r"a.rad:1:13: type: this initial value is not a constant; help: work it out by hand: initial values are not computed
a.rad:2:18: type: 3 values for an array of 2
a.rad:3:18: type: this is no initial value of a `[u8; 2]`; help: write its elements, as in `[1, 2, 3]`
a.rad:4:13: type: this is not a constant; help: write a number, or an address such as `&x`
a.rad:5:11: type: this is no initial value of a `mutex`; help: leave out the initial value
a.rad:7:14: name: `S` has no field `g`",
    );
}

#[test]
fn breaks_stand_in_loops() {
    check_error(
        r"thread t { break }",
        r"a.rad:1:12: syntax: this `break` is in no loop; help: use `goto` and a label, or `return`",
    );
}

#[test]
fn branches_of_choose_begin_with_a_step() {
    check_error(
        r"thread t {
    choose { loop { skip } } or { l: skip }
}",
        r"a.rad:2:14: syntax: a loop cannot be the first in a branch of `choose`; help: put a `skip` before it
a.rad:2:35: syntax: a label cannot be the first in a branch of `choose`; help: put a `skip` before it",
    );
}

#[test]
fn nobody_jumps_into_a_lock() {
    check_error(
        r"mutex m
thread t {
    goto l
    lock m { l: skip }
}",
        r"a.rad:3:10: syntax: this jumps into the block around `l`; help: use `acquire` and `release`, or `atomic_begin` and `atomic_end`, instead of the block",
    );
}

#[test]
fn formulas_stay_formulas() {
    check_error(
        r"var x: u8; mutex m
fn f() -> u8 { return 1 }
invariant f() == x
invariant owner(x) == self
invariant at nowhere
thread t {
    assert owner(m) == self
    l: skip
}
fn g() { l: skip }
exclusive x when at l
exclusive x when at nowhere",
        r"a.rad:7:12: type: this stands only in `invariant` and `exclusive`; help: statements see registers and memory only
a.rad:3:11: type: this cannot stand in an invariant
a.rad:4:17: type: a `u8` has no owner
a.rad:5:11: type: no thread runs where an invariant is judged; help: name variables and owners of locks only
a.rad:11:21: name: the label `l` is in several functions; help: write one of them, as in `at t.l`
a.rad:12:21: name: there is no label `nowhere` that a thread can reach; help: write `nowhere:` before a statement",
    );
}

#[test]
fn places_of_specifications_are_constant() {
    check_error(
        r"var a: [[u8; 2]; 2]; var p: *u8
atomicset S { a[p], *p }
exclusive a[i][j] when true
thread t { skip }",
        r"a.rad:2:17: type: this is not a constant; help: write a number, or an address such as `&x`
a.rad:2:22: type: this is not a constant; help: write a number, or an address such as `&x`
a.rad:3:11: type: there are two index variables; help: write a number for one of them, and one `exclusive` for each number",
    );
}

#[test]
fn numbers_are_checked() {
    check_error(
        r"thread t {
    let a = 3u200
    let b = 0x
    let c = 99999999999999999999999999999999999999999
    let d = 1.5u8
    let e = 3x
}",
        r"a.rad:2:13: syntax: `u200` is no type that a number can have; help: write it as in `3`, `3u8`, `0xff`, `1.5` or `1.5f32`
a.rad:3:13: syntax: `0x` has no digits; help: write it as in `3`, `3u8`, `0xff`, `1.5` or `1.5f32`
a.rad:4:13: syntax: `99999999999999999999…` does not fit 128 bits; help: write it as in `3`, `3u8`, `0xff`, `1.5` or `1.5f32`
a.rad:5:13: syntax: `1.5u8` has a point, but its suffix is no float type; help: write it as in `3`, `3u8`, `0xff`, `1.5` or `1.5f32`
a.rad:6:13: syntax: `x` is no type that a number can have; help: write it as in `3`, `3u8`, `0xff`, `1.5` or `1.5f32`",
    );
}

#[test]
fn the_type_of_some_values_must_be_said() {
    check_error(
        r"var p: ptr
thread t {
    let t = self
    let a = join t
    let b = call p()
    temp c = 3
}",
        r"a.rad:4:13: type: the type of this value is not known; help: say it, as in `let r: u8 = …`
a.rad:5:13: type: the type of this value is not known; help: say it, as in `let r: u8 = …`
a.rad:6:10: type: the type of `c` is not known; help: say it: `c: u8`",
    );
}

#[test]
fn too_many_threads_are_refused() {
    check_error(
        r"thread t[100000] { skip }",
        r"a.rad:1:8: limit: these are too many threads; help: start fewer threads; a few show most errors",
    );
}

#[test]
fn a_program_needs_a_thread() {
    check_error(
        r"fn f() { skip }",
        r"a.rad:1:1: invalid: no thread runs at the start; add a `thread`, a `start` or a function `main`",
    );
}

#[test]
fn a_main_with_parameters_is_started_by_name() {
    check_error(
        r"fn main(a: u8) { }",
        r"a.rad:1:1: invalid: a `main` with parameters is not started by itself; start it with arguments, as in `start t = main(1)`",
    );
}

#[test]
fn operations_inside_expressions_want_a_name() {
    check_error(
        r"mutex m
fn g(p: *u8) { skip }
thread t {
    if try_acquire m == 0 { skip }
    spawn g(alloc u8)
    let a = 1 + call g(null)
}",
        r"a.rad:4:8: syntax: `try_acquire` cannot stand inside an expression; help: give its result a name first, as in `let r = try_acquire m`
a.rad:5:13: syntax: `alloc` cannot stand inside an expression; help: give its result a name first, as in `let r = alloc u8`
a.rad:6:17: syntax: `call` cannot stand inside an expression; help: give its result a name first, as in `let r = call g(…)`",
    );
}

#[test]
fn rules_of_the_validator_have_a_remedy() {
    check_error(
        r"thread_local var x: u8
invariant x == 0
thread t { skip }",
        r"a.rad:2:11: invalid: an invariant names a thread-local global; help: name shared variables only; what holds for one thread or at one place is an `assert` there",
    );
    check_error(
        r#"thread t { emit "{}" }"#,
        r"a.rad:1:12: invalid: in `t`: a text with 1 hole (`{}` or `{%d}`) is given 0 arguments; help: write one `{}`, or a conversion of C such as `{%d}`, in the text for each argument",
    );
}

#[test]
fn a_data_model_is_one_of_two() {
    check_error(
        r"model lp65",
        r"a.rad:1:7: syntax: there is no data model `lp65`",
    );
}

#[test]
fn there_is_one_data_model() {
    check_error(
        r"model lp64
model ilp32
model lp64
thread t { skip }",
        r"a.rad:2:1: name: there are two data models; help: leave one of them out",
    );
}

#[test]
fn labels_are_declared_once() {
    check_error(
        r"thread t { l: skip; l: skip }",
        r"a.rad:1:21: name: the label `l` is declared twice; help: rename one",
    );
}

#[test]
fn parameters_and_fields_are_declared_once() {
    check_error(
        r"struct S { a: u8; a: u8 }
fn f(b: u8, b: u8) { skip }
thread t { skip }",
        r"a.rad:1:19: name: two fields are called `a`; help: rename one",
    );
}

#[test]
fn structs_are_not_too_large() {
    check_error(
        r"struct S { a: [u8; 0xffffffffffffffff] }
thread t { skip }",
        r"a.rad:1:8: limit: `S` is too large",
    );
}

#[test]
fn values_of_structs_are_not_copied_at_once() {
    check_error(
        r"struct S { a: u8 }
var s: S
thread t {
    let a: S
    let b = s
    s = s
    a = 1
}",
        r"a.rad:4:12: type: `S` does not fit a register; help: keep it in memory with `var`, or pass a pointer to it
a.rad:5:13: type: a `S` is no value; help: name one field of it, as in `s.f`
a.rad:6:5: type: a `S` is no value; help: name one field of it, as in `s.f`",
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
fn fields_are_laid_out_wholly_or_not_at_all() {
    check_error(
        r"struct S size 4 align 4 { a: u8 }
struct T { a: u8 at 3 }",
        r"a.rad:1:27: syntax: this field has no offset; help: the struct has a `size`: write `at` and the offset behind each field
a.rad:2:12: syntax: this field has an offset; help: write `size` and `align` behind the name of the struct too",
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

#[test]
fn literals_do_not_leave_their_type() {
    check_error(
        r"thread t {
    let a: i8 = -129
    let b: u8 = -1
    let c: i8 = 0xff
    let d: u1 = 2
    let e = 3000000000
}",
        r"a.rad:2:17: type: this number does not fit `i8`; help: choose a larger type, or write the type behind the number, as in `300i64`
a.rad:3:17: type: this number does not fit `u8`; help: choose a larger type, or write the type behind the number, as in `300i64`
a.rad:5:17: type: this number does not fit `bool`; help: choose a larger type, or write the type behind the number, as in `300i64`
a.rad:6:13: type: this number does not fit `i32`; help: choose a larger type, or write the type behind the number, as in `300i64`",
    );
}
