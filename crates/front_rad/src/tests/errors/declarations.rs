//! Errors in names and in what a program declares.

use crate::tests::check_error;

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
fn a_data_model_is_one_of_two() {
    check_error(
        r"model lp65",
        r"a.rad:1:7: syntax: there is no data model `lp65`",
    );
}

#[test]
fn what_nobody_set_is_unknown_or_nothing() {
    check_error(
        r"unset zero",
        r"a.rad:1:7: syntax: values that nobody set are not `zero`",
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
