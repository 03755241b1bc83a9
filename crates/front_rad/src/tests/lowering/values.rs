//! Values: what is read and written when, and with which type.

use crate::tests::check_body;

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
