//! Locks, units and atomic sections: they end on every way out.

use crate::tests::check_body;

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
