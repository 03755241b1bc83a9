//! Operations of one edge each.

use crate::tests::check_body;

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
