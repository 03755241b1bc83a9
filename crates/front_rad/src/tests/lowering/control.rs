//! Control flow: which edges branches, loops, choices and jumps become.

use std::collections::BTreeSet;

use raddle_ir::interpret::{Interpreter, Outcome, Semantics};

use crate::tests::{check_body, read_text};

/// SC §10: two threads, a hand-made barrier.
const BARRIER_SYSTEM: &str = "
var x: [u1; 2] = [0, 1]
var y: u2 = 0
mutex m[2]
exclusive x[j] when owner(m[j]) == tid or (y == 2 and tid == j)
thread f[2] {
    acquire m[0]; x[0] = tid; release m[0]
    acquire m[1]; x[1] = tid; release m[1]
    atomic { y = y + 1 }
    await y == 2
    x[tid] = tid
}";

#[test]
fn sc_barrier_system_has_one_edge_a_statement() {
    check_body(
        BARRIER_SYSTEM,
        "
        temp t_1: u2
        temp t_2: u2
        0: acquire m[0]; goto 1
        1: x[0] = self as u1; goto 2
        2: release m[0]; goto 3
        3: acquire m[1]; goto 4
        4: x[1] = self as u1; goto 5
        5: release m[1]; goto 6
        6: atomic_begin; goto 7
        7: t_1 = y; goto 8
        8: y = t_1 + 1u2; goto 9
        9: atomic_end; goto 10
        10: atomic_begin; goto 11
        11: t_2 = y; goto 12
        12: assume t_2 == 2u2; goto 13
        13: atomic_end; goto 14
        14: *(offset(&x, self as i64) as *u1) = self as u1; goto exit",
    );
}

#[test]
fn branches_are_two_assumptions() {
    check_body(
        r"var x: u8; fn f(a: u8) {
            if a == 1 { x = 1 } else if a == 2 { x = 2 } else { x = 3 }
            if a == 3 { x = 4 }
} start t = f(1)",
        r"
            0: choose { assume a == 1u8; goto 1 } or { assume !(a == 1u8); goto 4 }
            1: x = 1u8; goto 2
            2: choose { assume a == 3u8; goto 3 } or { assume !(a == 3u8); goto exit }
            3: x = 4u8; goto exit
            4: choose { assume a == 2u8; goto 5 } or { assume !(a == 2u8); goto 6 }
            5: x = 2u8; goto 2
            6: x = 3u8; goto 2",
    );
}

#[test]
fn conditions_that_read_memory_are_short_circuit() {
    check_body(
        r"var x: u8; var y: u8; fn f() {
            if x == 1 and y == 2 { skip }
            while !(x == 1 or y == 2) { skip }
            let c = x == 1 or y == 2
            let d = c ? x : 3
            let e = c and d == 1
} thread t { f() }",
        r"
            temp t_1: u8
            temp t_2: u8
            temp t_3: u8
            temp t_4: u8
            let c: u1
            temp t_5: u8
            temp t_6: u8
            temp t_7: u8
            let d: u8
            let e: u1
            0: t_1 = x; goto 1
            1: choose { assume t_1 == 1u8; goto 2 } or { assume !(t_1 == 1u8); goto 5 }
            2: t_2 = y; goto 3
            3: choose { assume t_2 == 2u8; goto 4 } or { assume !(t_2 == 2u8); goto 5 }
            4: skip; goto 5
            5: t_3 = x; goto 6
            6: choose { assume t_3 == 1u8; goto 7 } or { assume !(t_3 == 1u8); goto 17 }
            7: t_5 = x; goto 8
            8: choose { assume t_5 == 1u8; goto 9 } or { assume !(t_5 == 1u8); goto 15 }
            9: c = true; goto 10
            10: choose { assume c; goto 11 } or { assume !c; goto 14 }
            11: t_7 = x; goto 12
            12: d = t_7; goto 13
            13: e = c and (d == 1u8); goto exit
            14: t_7 = 3u8; goto 12
            15: t_6 = y; goto 16
            16: c = t_6 == 2u8; goto 10
            17: t_4 = y; goto 18
            18: choose { assume t_4 == 2u8; goto 7 } or { assume !(t_4 == 2u8); goto 19 }
            19: skip; goto 5",
    );
}

#[test]
fn loops_add_no_edges() {
    check_body(
        r"var x: u8; fn f(a: u8) {
            while a < 3 { a = a + 1; if a == 2 { continue } if a == 1 { break } }
            loop { x = 1; if a == 2 { break } }
            loop { }
} start t = f(1)",
        r"
            0: choose { assume a < 3u8; goto 1 } or { assume !(a < 3u8); goto 4 }
            1: a = a + 1u8; goto 2
            2: choose { assume a == 2u8; goto 0 } or { assume !(a == 2u8); goto 3 }
            3: choose { assume a == 1u8; goto 4 } or { assume !(a == 1u8); goto 0 }
            4: x = 1u8; goto 5
            5: choose { assume a == 2u8; goto 6 } or { assume !(a == 2u8); goto 4 }
            6: skip; goto 6",
    );
}

#[test]
fn choices_leave_from_one_location() {
    check_body(
        r"var x: u8; fn f() {
            loop { choose { x = 1 } or { } or { break } or { lock m { skip } } or { if x == 1 { skip } } }
}  mutex m; thread t { f() }",
        r"
            temp t_1: u8
            0: choose { x = 1u8; goto 0 } or { skip; goto 0 } or { skip; goto exit } or { acquire m; goto 1 } or { t_1 = x; goto 3 }
            1: skip; goto 2
            2: release m; goto 0
            3: choose { assume t_1 == 1u8; goto 4 } or { assume !(t_1 == 1u8); goto 0 }
            4: skip; goto 0",
    );
}

#[test]
fn jumps_and_labels_add_no_edges() {
    check_body(
        r"fn f() {
            goto b
            a: skip
            goto c
            b: c: skip
            goto a
} thread t { f() }",
        r"
            b: skip; goto a
            a: skip; goto b",
    );
}

#[test]
fn a_loop_of_jumps_goes_round_for_ever() {
    check_body(
        r"fn f() {
            a: goto b
            b: goto a
} thread t { f() }",
        r"
            a: skip; goto a",
    );
}

#[test]
fn an_empty_function_skips() {
    check_body(
        r"fn f() { } thread t { f() }",
        r"
            0: skip; goto exit",
    );
}

#[test]
fn unreachable_statements_are_dropped() {
    check_body(
        r"var x: u8; fn f() {
            return
            x = 1
            l: x = 2
} thread t { f() }",
        r"
            0: return",
    );
}

#[test]
fn newlines_end_statements_unless_in_brackets() {
    check_body(
        r"var x: u8; fn f(p: *u8, a: u8) {
            x = a
            *p = 3
            x = (a
            + 1
            )
            x = a +
            2
            x = p[
            1
            ]
            let b = a; let c = b
} start t = f(null, 1)",
        r"
            temp t_1: u8
            let b: u8
            let c: u8
            0: x = a; goto 1
            1: *(p as *u8) = 3u8; goto 2
            2: x = a + 1u8; goto 3
            3: x = a + 2u8; goto 4
            4: t_1 = *(offset(p, 1i64) as *u8); goto 5
            5: x = t_1; goto 6
            6: b = a; goto 7
            7: c = b; goto exit",
    );
}

#[test]
fn the_barrier_system_of_sc_has_106_states() {
    let program = read_text(BARRIER_SYSTEM).unwrap();
    let interpreter = Interpreter::new(&program, Semantics::default());
    let mut seen = BTreeSet::new();
    let mut work = interpreter.initial_states().unwrap();
    while let Some(state) = work.pop() {
        if seen.insert(state.clone()) {
            work.extend(
                interpreter
                    .successors(&state)
                    .into_iter()
                    .map(|it| match it.outcome {
                        Outcome::Next(next) => next,
                        Outcome::Stopped(stop) => panic!("{stop:?}"),
                    }),
            );
        }
    }
    assert_eq!(seen.len(), 106);
}
