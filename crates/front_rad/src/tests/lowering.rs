//! Which edges statements become.

use std::collections::BTreeSet;

use raddle_ir::interpret::{Interpreter, Outcome, Semantics};

use super::{check_body, read_text};

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
fn loads_and_stores_are_one_edge_each() {
    check_body(
        r"var x: u8; var y: u8; fn f() {
            let a = x
            let b = a + 1
            a = y
            b = a
            y = b
            x = y
            x = x + y
} thread t { f() }",
        r"
            let a: u8
            let b: u8
            temp t_1: u8
            temp t_2: u8
            temp t_3: u8
            0: a = x; goto 1
            1: b = a + 1u8; goto 2
            2: a = y; goto 3
            3: b = a; goto 4
            4: y = b; goto 5
            5: t_1 = y; goto 6
            6: x = t_1; goto 7
            7: t_2 = x; goto 8
            8: t_3 = y; goto 9
            9: x = t_2 + t_3; goto exit",
    );
}

#[test]
fn operands_are_read_from_left_to_right() {
    check_body(
        r"var x: u8; var y: u8; var a: [u8; 4]; fn g(a: u8) -> u8 { return a } fn f() {
            a[x] = g(y) + a[g(x)]
} thread t { f() }",
        r"
            temp t_1: u8
            temp t_2: u8
            temp t_3: u8
            temp t_4: u8
            temp t_5: u8
            temp t_6: u8
            0: t_1 = x; goto 1
            1: t_2 = y; goto 2
            2: t_3 = g(t_2); goto 3
            3: t_4 = x; goto 4
            4: t_5 = g(t_4); goto 5
            5: t_6 = *(offset(&a, t_5 as i64) as *u8); goto 6
            6: *(offset(&a, t_1 as i64) as *u8) = t_3 + t_6; goto exit",
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
fn locks_are_released_on_every_way_out() {
    check_body(
        r"mutex m; rwlock l; monitor o; var x: u8; fn f() -> u8 {
            loop {
            lock m {
             lock read l {
              choose { break } or { skip; continue } or { return x } or { goto done } or { goto exit } or { exit_thread }
              or { skip }
             }
             inner: lock o { goto inner }
            }
            }
            done: return 1
} thread t { f() }",
        r"
            temp t_1: u8
            0: acquire m; goto 1
            1: acquire_read l; goto 2
            2: choose { release_rw l; goto 3 } or { skip; goto 5 } or { t_1 = x; goto 7 } or { release_rw l; goto 10 } or { release_rw l; goto 11 } or { exit_thread } or { skip; goto 12 }
            3: release m; goto done
            done: return 1u8
            5: release_rw l; goto 6
            6: release m; goto 0
            7: release_rw l; goto 8
            8: release m; goto 9
            9: return t_1
            10: release m; goto done
            11: release m; goto exit
            12: release_rw l; goto inner
            inner: enter o; goto 14
            14: exit_monitor o; goto inner",
    );
}

#[test]
fn locks_are_released_where_they_were_taken() {
    check_body(
        r"mutex m[2]; fn f(i: u8, p: *mutex) {
            lock m[i] { i = i + 1 }
            lock m[i] { skip }
            lock *p { skip }
} start t = f(1, null)",
        r"
            temp t_1: ptr
            0: t_1 = offset(&m, (i as i64) * 40i64); goto 1
            1: acquire *(t_1 as *mutex); goto 2
            2: i = i + 1u8; goto 3
            3: release *(t_1 as *mutex); goto 4
            4: acquire *(offset(&m, (i as i64) * 40i64) as *mutex); goto 5
            5: skip; goto 6
            6: release *(offset(&m, (i as i64) * 40i64) as *mutex); goto 7
            7: acquire *(p as *mutex); goto 8
            8: skip; goto 9
            9: release *(p as *mutex); goto exit",
    );
}

#[test]
fn units_end_on_every_way_out() {
    check_body(
        r"atomicset S { x }; var x: u8; unit(S) fn f() -> u8 {
            if x == 1 { return 2 }
            unit { if x == 2 { return 3 } }
            return 4
} thread t { f() }",
        r"
            temp t_1: u8
            temp t_2: u8
            0: unit_begin S; goto 1
            1: t_1 = x; goto 2
            2: choose { assume t_1 == 1u8; goto 3 } or { assume !(t_1 == 1u8); goto 5 }
            3: unit_end S; goto 4
            4: return 2u8
            5: unit_begin; goto 6
            6: t_2 = x; goto 7
            7: choose { assume t_2 == 2u8; goto 8 } or { assume !(t_2 == 2u8); goto 11 }
            8: unit_end; goto 9
            9: unit_end S; goto 10
            10: return 3u8
            11: unit_end; goto 12
            12: unit_end S; goto 13
            13: return 4u8",
    );
}

#[test]
fn a_unit_without_return_ends_at_its_end() {
    check_body(
        r"var x: u8; unit fn f() {
            x = 1
} thread t { f() }",
        r"
            0: unit_begin; goto 1
            1: x = 1u8; goto 2
            2: unit_end; goto exit",
    );
}

#[test]
fn atomic_sections_and_waits_are_brackets() {
    check_body(
        r"var x: u8; condition c; mutex m; barrier b = 2; monitor o; fn f() {
            atomic { x = x + 1 }
            await x == 2
            wait c, m
            let r = timed_wait c, m
            let s = barrier_wait b
            monitor_wait o
} thread t { f() }",
        r"
            temp t_1: u8
            temp t_2: u8
            let r: i32
            let s: i32
            0: atomic_begin; goto 1
            1: t_1 = x; goto 2
            2: x = t_1 + 1u8; goto 3
            3: atomic_end; goto 4
            4: atomic_begin; goto 5
            5: t_2 = x; goto 6
            6: assume t_2 == 2u8; goto 7
            7: atomic_end; goto 8
            8: wait_begin c, m; goto 9
            9: wait_end c, m; goto 10
            10: wait_begin c, m; goto 11
            11: r = wait_end_timed c, m; goto 12
            12: arrive b; goto 13
            13: s = leave b; goto 14
            14: monitor_wait_begin o; goto 15
            15: monitor_wait_end o; goto exit",
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
fn registers_of_one_name_are_told_apart() {
    check_body(
        r"fn f(a: u8) {
            let a = a + 1
            if a == 1 { let a = a + 1; let a_2 = a; let t_1 = a_2 }
            a = a + x
} var x: u8; start t = f(1)",
        r"
            let a_3: u8
            let a_4: u8
            let a_2: u8
            let t_1: u8
            temp t_2: u8
            0: a_3 = a + 1u8; goto 1
            1: choose { assume a_3 == 1u8; goto 2 } or { assume !(a_3 == 1u8); goto 5 }
            2: a_4 = a_3 + 1u8; goto 3
            3: a_2 = a_4; goto 4
            4: t_1 = a_2; goto 5
            5: t_2 = x; goto 6
            6: a_3 = a_3 + t_2; goto exit",
    );
}

#[test]
fn pointers_count_elements() {
    check_body(
        r"struct Node { value: u32; next: *Node; data: [u16; 3] }; var n: Node; fn f(p: *Node, q: ptr, i: u8) {
            let a = p + 1
            let b = p - i
            let c = a - b
            let d = q + 3
            let e = q - i
            let g = d - q
            p.next.data[i] = p[1].data[2]
            n.data[1] = n.next.data[0]
            let h = &p.data[i]
            h[2] = *h
            let k = distance(p, q)
            let l = offset(p, 5)
            let m = &n.data[2]
            let o = p[i].value
} start t = f(null, null, 1)",
        r"
            let a: ptr
            let b: ptr
            let c: i64
            let d: ptr
            let e: ptr
            let g: i64
            temp t_1: ptr
            temp t_2: u16
            temp t_3: ptr
            temp t_4: u16
            let h: ptr
            temp t_5: u16
            let k: i64
            let l: ptr
            let m: ptr
            let o: u32
            0: a = offset(p, 24i64); goto 1
            1: b = offset(p, -((i as i64) * 24i64)); goto 2
            2: c = distance(a, b) / 24i64; goto 3
            3: d = offset(q, 3i64); goto 4
            4: e = offset(q, -(i as i64)); goto 5
            5: g = distance(d, q); goto 6
            6: t_1 = *(offset(p, 8i64) as *ptr); goto 7
            7: t_2 = *(offset(p, 44i64) as *u16); goto 8
            8: *(offset(offset(t_1, 16i64), (i as i64) * 2i64) as *u16) = t_2; goto 9
            9: t_3 = n.next; goto 10
            10: t_4 = *(offset(t_3, 16i64) as *u16); goto 11
            11: n.data[1] = t_4; goto 12
            12: h = offset(offset(p, 16i64), (i as i64) * 2i64); goto 13
            13: t_5 = *(h as *u16); goto 14
            14: *(offset(h, 4i64) as *u16) = t_5; goto 15
            15: k = distance(p, q); goto 16
            16: l = offset(p, 5i64); goto 17
            17: m = offset(&n, 20i64); goto 18
            18: o = *(offset(p, (i as i64) * 24i64) as *u32); goto exit",
    );
}

#[test]
fn literals_take_their_type_from_around() {
    check_body(
        r"var x: u8; var d: f32; fn f(a: i64, b: u8) {
            a = 3
            x = b & 1 | 2
            d = 1
            d = d * 2.5
            let c = 3
            let e = 3 + a
            let g = a == 3
            let h = tid
            let i = tid == b
            let j = self == tid
            let k = b as i32
            let l = 3 as u16
            let m = -1 as u8
            let n = a << 1
            let o = 1 << b
            let p = tid + 1
            let q = 1.5
            let r = (b == 1 ? 2 : 3) + b
            x = tid
} start t = f(1, 2)",
        r"
            temp t_1: f32
            let c: i32
            let e: i64
            let g: u1
            let h: u32
            let i: u1
            let j: u1
            let k: i32
            let l: u16
            let m: u8
            let n: i64
            let o: i32
            let p: u32
            let q: f64
            let r: u8
            0: a = 3i64; goto 1
            1: x = (b & 1u8) | 2u8; goto 2
            2: d = 1.0f32; goto 3
            3: t_1 = d; goto 4
            4: d = t_1 * 2.5f32; goto 5
            5: c = 3i32; goto 6
            6: e = 3i64 + a; goto 7
            7: g = a == 3i64; goto 8
            8: h = self as u32; goto 9
            9: i = (self as u8) == b; goto 10
            10: j = self == self; goto 11
            11: k = b as i32; goto 12
            12: l = 3u16 as u16; goto 13
            13: m = -1i32 as u8; goto 14
            14: n = a << 1i32; goto 15
            15: o = 1i32 << b; goto 16
            16: p = (self as u32) + 1u32; goto 17
            17: q = 1.5f64; goto 18
            18: r = ((b == 1u8) ? 2u8 : 3u8) + b; goto 19
            19: x = self as u8; goto exit",
    );
}

#[test]
fn variables_on_the_stack_are_allocated_and_stored_to() {
    check_body(
        r"struct S { a: u8; m: mutex; s: semaphore } fn f() {
            var a: u8
            var b: u8 = 3
            var c: [u8; 3] = [1, *]
            var s: S = { a = b; s = 2 }
            a = b
            c[a] = s.a
            acquire s.m
} thread t { f() }",
        r"
            let a: ptr
            let b: ptr
            let c: ptr
            temp t_1: u8
            let s: ptr
            temp t_2: u8
            temp t_3: u8
            temp t_4: u8
            temp t_5: u8
            0: a = stack alloc u8; goto 1
            1: b = stack alloc u8; goto 2
            2: *(b as *u8) = 3u8; goto 3
            3: c = zeroed stack alloc [u8; 3]; goto 4
            4: *(c as *u8) = 1u8; goto 5
            5: havoc t_1; goto 6
            6: *(offset(c, 1i64) as *u8) = t_1; goto 7
            7: s = zeroed stack alloc S; goto 8
            8: t_2 = *(b as *u8); goto 9
            9: *(s as *u8) = t_2; goto 10
            10: init *(offset(s, 48i64) as *semaphore) as semaphore(2u32); goto 11
            11: t_3 = *(b as *u8); goto 12
            12: *(a as *u8) = t_3; goto 13
            13: t_4 = *(a as *u8); goto 14
            14: t_5 = *(s as *u8); goto 15
            15: *(offset(c, t_4 as i64) as *u8) = t_5; goto 16
            16: acquire *(offset(s, 8i64) as *mutex); goto exit",
    );
}

#[test]
fn atomic_operations_are_one_edge() {
    check_body(
        r"var x: u8; var p: *u8; fn f() {
            let a = atomic_load(x, acquire)
            atomic_store(x, a + 1)
            fetch_add(x, 1, relaxed)
            x = exchange(x, 3)
            let ok = compare_exchange(x, 1, 2)
            let old, ok2 = compare_exchange(x, 1, 2, acq_rel)
            _, ok = compare_exchange(p, null, &x)
            x, _ = compare_exchange(x, old, fetch_max(x, 3))
            while !compare_exchange(x, 0, 1) { }
} thread t { f() }",
        r"
            let a: u8
            temp t_1: u8
            let ok: u1
            let old: u8
            let ok2: u1
            temp t_2: u8
            temp t_3: u8
            temp t_4: u1
            0: a = atomic_load(x, acquire); goto 1
            1: atomic_store(x, a + 1u8); goto 2
            2: fetch_add(x, 1u8, relaxed); goto 3
            3: t_1 = exchange(x, 3u8); goto 4
            4: x = t_1; goto 5
            5: _, ok = compare_exchange(x, 1u8, 2u8); goto 6
            6: old, ok2 = compare_exchange(x, 1u8, 2u8, acq_rel); goto 7
            7: _, ok = compare_exchange(p, null, &x); goto 8
            8: t_2 = fetch_max(x, 3u8); goto 9
            9: t_3, _ = compare_exchange(x, old, t_2); goto 10
            10: x = t_3; goto 11
            11: _, t_4 = compare_exchange(x, 0u8, 1u8); goto 12
            12: choose { assume !t_4; goto 11 } or { assume !(!t_4); goto exit }",
    );
}

#[test]
fn objects_are_allocated_with_their_type() {
    check_body(
        r"struct S { a: u32; b: u64 } fn f(n: u8) {
            let p = alloc S
            let q = zeroed alloc S[3]
            let r = stack alloc S[n]
            let s = alloc bytes n
            let t = alloc bytes 4 as S
            alloc u8
            p.b = 1
            free p
} start t = f(1)",
        r"
            let p: ptr
            let q: ptr
            let r: ptr
            let s: ptr
            let t: ptr
            temp t_1: ptr
            0: p = alloc S; goto 1
            1: q = zeroed alloc [S; 3]; goto 2
            2: r = stack alloc bytes ((n as u64) * 16u64); goto 3
            3: s = alloc bytes n; goto 4
            4: t = alloc bytes 4u64 as S; goto 5
            5: t_1 = alloc u8; goto 6
            6: *(offset(p, 8i64) as *u64) = 1u64; goto 7
            7: free p; goto exit",
    );
}

#[test]
fn calls_and_threads() {
    check_body(
        r"var g: ptr; fn h(a: u8) -> u8 { return a } fn f() {
            let p = &h
            let a = h(1)
            let b: u8 = call p(2u8)
            let t = spawn h(a)
            let u = spawn call g(1u8)
            let c: u8 = join t
            join u
            detach t
            h(h(3))
            a = call p(a)
} thread t { f() }",
        r"
            let p: ptr
            let a: u8
            let b: u8
            let t_3: thread
            temp t_1: ptr
            let u: thread
            let c: u8
            temp t_2: u8
            0: p = &h; goto 1
            1: a = h(1u8); goto 2
            2: b = call p(2u8); goto 3
            3: t_3 = spawn h(a); goto 4
            4: t_1 = g; goto 5
            5: u = spawn call t_1(1u8); goto 6
            6: c = join t_3; goto 7
            7: join u; goto 8
            8: detach t_3; goto 9
            9: t_2 = h(3u8); goto 10
            10: h(t_2); goto 11
            11: a = call p(a); goto exit",
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
fn havoc_and_any_choose_values() {
    check_body(
        r"var x: u8; fn f() {
            let a = any u8
            havoc a
            havoc x
            x = any u8
} thread t { f() }",
        r"
            let a: u8
            temp t_1: u8
            temp t_2: u8
            0: havoc a; goto 1
            1: havoc a; goto 2
            2: havoc t_1; goto 3
            3: x = t_1; goto 4
            4: havoc t_2; goto 5
            5: x = t_2; goto exit",
    );
}

#[test]
fn ends_and_output() {
    check_body(
        r#"fn f(a: u8) {
            emit "a = {}\n", a
            if a == 1 { exit } else if a == 2 { exit 3 } else if a == 3 { abort } else if a == 4 { exit_thread 5 }
            unsupported "x"
            assert a == 1, "m"
} start t = f(1)"#,
        r#"
            0: emit "a = {}\n", a; goto 1
            1: choose { assume a == 1u8; goto 2 } or { assume !(a == 1u8); goto 3 }
            2: exit 0i32
            3: choose { assume a == 2u8; goto 4 } or { assume !(a == 2u8); goto 5 }
            4: exit 3i32
            5: choose { assume a == 3u8; goto 6 } or { assume !(a == 3u8); goto 7 }
            6: abort
            7: choose { assume a == 4u8; goto 8 } or { assume !(a == 4u8); goto 9 }
            8: exit_thread 5i32
            9: unsupported "x"; goto 10
            10: assert a == 1u8, "m"; goto exit"#,
    );
}

#[test]
fn synchronisation_objects_are_made_and_ended() {
    check_body(
        r"struct S { m: mutex } fn f(p: *S, q: ptr, n: u8) {
            init p.m
            init p.m as checked_mutex
            init *(q as *semaphore) as semaphore(n)
            init *(q as *u8) as barrier(2)
            destroy p.m
            destroy *(q as *u8) as rwlock
} start t = f(null, null, 1)",
        r"
            0: init *(p as *mutex) as mutex; goto 1
            1: init *(p as *checked_mutex) as checked_mutex; goto 2
            2: init *(q as *semaphore) as semaphore(n); goto 3
            3: init *(q as *barrier) as barrier(2u32); goto 4
            4: destroy *(p as *mutex) as mutex; goto 5
            5: destroy *(q as *rwlock) as rwlock; goto exit",
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
