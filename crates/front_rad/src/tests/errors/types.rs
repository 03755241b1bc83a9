//! Errors in types and values.

use crate::tests::check_error;

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
fn structs_are_not_too_large() {
    check_error(
        r"struct S { a: [u8; 0xffffffffffffffff] }
thread t { skip }",
        r"a.rad:1:8: limit: `S` is too large",
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
fn fields_are_laid_out_wholly_or_not_at_all() {
    check_error(
        r"struct S size 4 align 4 { a: u8 }
struct T { a: u8 at 3 }",
        r"a.rad:1:27: syntax: this field has no offset; help: the struct has a `size`: write `at` and the offset behind each field
a.rad:2:12: syntax: this field has an offset; help: write `size` and `align` behind the name of the struct too",
    );
}
