//! Errors against rules about control flow, formulas and operations.

use crate::tests::check_error;

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
