//! Reading what the printer wrote gives the same program.

use raddle_generate::{Profile, generate};
use raddle_ir::Program;
use raddle_ir::print::print;

use super::read_text;

#[track_caller]
fn check(text: &str) {
    let program = read_text(text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    check_program(&program);
}

#[track_caller]
fn check_program(program: &Program) {
    let printed = print(program);
    let again = read_text(&printed).unwrap_or_else(|errors| panic!("{errors}\n{printed}"));
    assert!(
        program.is_same_as(&again),
        "{printed}\nis read as\n{}",
        print(&again)
    );
}

#[test]
fn every_item_comes_back() {
    check(
        "
        model ilp32
        struct Node { value: u32; next: *Node, lock: mutex
            data: [U; 2] }
        union U { a: u32, b: [u8; 4] }
        struct Packed size 12 align 4 { a: u8 at 0; b: u32 at 4 }
        var n: Node = { value = 3; next = &n; data = [{ b = [1, 2] }] }
        var p: *u32 = &n.data[1].a
        var g: ptr = &work
        var x: u8 = *
        var y: [f32; 3] = [1.5, -2.25, 0x7fc00001f32]
        var raw: [u8; 64] init { at 0: u8 = 3u8; at 8: ptr = &x; at 16: u32 = *; at 32: ptr = null }
        var sems: [semaphore; 2] = [1, 2]
        thread_local var t: i16 = -5
        mutex mx, my; mutex m[2]
        recursive_mutex r; checked_mutex c; rwlock l; condition cond
        semaphore s = 1; semaphore many[2] = 3; barrier b = 2; monitor o
        var `f::x`: bool = true
        var `lock`: u128 = 0xffffffffffffffffffffffffffffffff
        fn work(a: u8, q: *Node) -> u8 { start: return a; }
        unit fn in_unit() { x = 1 }
        unit(S) fn in_unit_of() -> u8 { if x == 1 { return 2 } return 3 }
        thread worker[2] { lock mx { x = 1 } }
        start other[7] = work(1, null)
        start last = in_unit_of()
        fn main() { here: x = 2 }
        invariant x + n.data[0].b[1] <= 3 and n.next.value != 4
        exclusive n.data[j].a when owner(m[j]) == tid or (x == 2 and tid == j) or at here
        exclusive x when at work.start ? true : owner(n.lock) != self
        exclusive `f::x` when (tid as u8) < 2 and `lock` != 0
        atomicset S { x, n.data[0], n.next }
        ",
    );
}

#[test]
fn every_statement_comes_back() {
    check(
        r#"
        struct Node { value: u32; next: *Node; m: mutex }
        var x: u8; var y: i32; var d: f64; var n: Node; var a: [u16; 4]; var p: *Node
        mutex m; rwlock l; condition c; semaphore s; barrier b = 2; monitor o
        atomicset S { x }
        fn g(a: u8) -> u8 { return a }
        fn h() { return }
        fn f(q: *Node, i: u8) -> u8 {
            let k = x + 1
            let k = k
            temp tt: u8
            tt = k +% x *% 3 -% 1
            var local: [u8; 4] = [1, 2]
            var one: u8 = 7
            var anything: u8 = *
            var sem: semaphore = 3
            local[i] = one
            if x == 1 and y == 2 { y = 3 } else if !(x == 1 or y > 2) { y = 4 } else { y = 5 }
            while x < 3 { x = x + 1; if x == 2 { continue } if x == 1 { break } }
            loop { choose { x = 1; break } or { } or { goto done } }
            done:
            lock m { lock write l { y = 1 } lock read l { y = 2 } lock o { if y == 3 { return 1 } } }
            atomic { y = y + 1 } await y == 2
            unit { x = 1 } unit S { x = 2 }
            atomic_begin; atomic_begin as written; atomic_end; atomic_end; unit_begin S; unit_end S; unit_begin; unit_end
            assert x == 1; assert y == 2, "say \"so\"\n\u{e9}"
            assume x == 1; skip; havoc k; havoc y; let e = any f32; let e2: i128 = any i128
            acquire m; try_acquire m; let r1 = try_acquire m; let r2: u8 = timed_acquire m; y = try_acquire m; release m
            acquire_read l; let r3 = try_acquire_read l; timed_acquire_write l; release_rw l
            wait c, m; let r4 = timed_wait c, m; wait_begin c, n.m; wait_end c, m; signal c; broadcast c
            post s; down s; let r5 = try_down s; let v = semaphore_value s
            let serial = barrier_wait b; arrive b; leave b
            enter o; exit_monitor o; monitor_wait o; notify o; notify_all o
            acquire q.m; release n.m; acquire *(&n.m as *mutex)
            init n.m as recursive_mutex; init s as semaphore(3); init b as barrier(k); init q.m; destroy q.m; destroy s as semaphore
            init local as mutex
            g(1); let z = g(x); x = g(2); y = (g(3) as i32) + 1; h()
            let fp = &g
            call fp(1u8); let w: u8 = call fp(2u8)
            spawn g(1); let t = spawn g(1); let t2 = spawn call fp(1u8); join t; let jr: u8 = join t; detach t2
            let nn = alloc Node; nn.value = 3; let many = alloc u16[3]; let some = alloc u16[k]; let bytes8 = alloc bytes 8
            let stacked = zeroed stack alloc bytes k as Node; p = zeroed alloc Node; stack alloc u8
            alloc bytes 4 + k as usize * 2
            let os = object_size(nn); object_size(p); k = object_size(many) as u8
            free nn; free p
            emit "{%08x} {%-5d}|{%c} {%.3f} {%p}\n", k, y, x, d, p
            let al = atomic_load(x); atomic_store(x, 3, release); let old = exchange(x, 4, acq_rel); fetch_add(x, 1)
            let fm = fetch_max(y, 3, relaxed); x = fetch_xor(x, 1)
            let ok = compare_exchange(x, 1, 2); let o1, o2 = compare_exchange(x, 1, 2, acquire); _, o2 = compare_exchange(x, 3, 4)
            compare_exchange(p, null, q); x, _ = compare_exchange(x, 1, 2)
            let ptr1 = many + 1; let ptr2 = many - k; let diff = ptr1 - ptr2; let pb = bytes8 + 3
            let db = distance(bytes8, pb); let po = offset(pb, -3)
            *ptr1 = a[2]; a[k] = ptr1[1]; a[-1] = 3; *(pb as *u8) = 'a'; many[k] = *many
            d = -d * 2.0 / 3.5e2; let cond = d < 1 ? x : k; let sel = x == 1 ? a[0] : a[1]
            let neg = -y + -3 - -(3) + ~y; let big = 1u128 << 100; let sh = x >> 1 <<% 2 >>% 3
            let size = sizeof Node + sizeof [u8; 3]; let me = tid; let myself = self; let same = self == tid
            let bits = k & 1 | 2 ^ 3; let rem = y % 3; let cast = (k as i32) as f32 as f64
            let addr = 0x10ptr; let th = 0x3thread; let null_p: *Node = null; let isnull = p == null
            emit "x = {}, {}\n", x, tid; emit "done"
            while p != null and p.value != 0 { p = p.next }
            if k == 1 { exit_thread } else if k == 2 { exit 3 } else if k == 3 { abort } else if k == 4 { unsupported "inline \\ assembly" }
            else if k == 5 { exit } else if k == 6 { exit_thread 7u8 } else if k == 7 { goto exit }
            return k
        }
        thread t { }
        "#,
    );
}

#[test]
fn casts_of_index_variables_are_told_from_their_types() {
    check(
        "
        var x: [u8; 4]
        exclusive x[j] when (j as u64) as u8 == 3 and (j as u8) == 3 and j == 3 and x[j] == 1
        thread t { skip }
        ",
    );
}

#[test]
fn random_programs_come_back() {
    for seed in 0..3000 {
        println!("seed {seed}");
        check_program(&generate(seed, &Profile::default()));
    }
}

#[test]
fn strange_names_come_back() {
    check(
        "
        struct `u8` { `a b`: u8; at: `v-1` }
        struct `v-1` { x: u8 }
        var `_`: `u8`; var `offset`: u8; var `at`: u8; var `read`: rwlock; var `3`: u8; var at_: u8
        atomicset `fn` { `_` }
        fn `owner`(`if`: u8) -> u8 { return `if` }
        fn f() {
            let `_`: u8
            let `temp`: bool
            `_`, `temp` = compare_exchange(`offset`, 1, 2)
            `3`: skip
            3: `_` = `owner`(`at` + at_ + offset)
            choose { goto 3 } or { goto `3` } or { goto `exit` } or { goto exit }
            `exit`: lock read `read` { temp = offset == 1 }
            lock write read { unit `fn` { `_` = `3` } }
        }
        start `a b` = f()
        start `a b`[4294967295] = f()
        invariant `_`.`a b` == 1 and `at` == 2
        exclusive `3` when at f.3 or at f.`3` or at f.`exit`
        ",
    );
}

#[test]
fn the_deepest_expressions_come_back() {
    let deepest = raddle_ir::validate::MAX_DEPTH;
    for (opening, middle, closing) in [
        ("-(", "y", ")"),
        ("~", "y", ""),
        ("(1 + ", "y", ")"),
        ("(", "y", " + 1)"),
        ("(", "y", " as i32)"),
        ("(c ? 1 : ", "y", ")"),
        ("((", "y", " == 1) ? 1 : 2)"),
    ] {
        let most = (1..=deepest)
            .rev()
            .find(|count| {
                let value = format!(
                    "{}{middle}{}",
                    opening.repeat(*count),
                    closing.repeat(*count)
                );
                let text =
                    format!("fn f(y: i32, c: bool) {{ let r = {value} }} start t = f(1, true)");
                let Ok(program) = read_text(&text) else {
                    return false;
                };
                check_program(&program);
                true
            })
            .expect("some depth is possible");
        assert!(most * 2 >= deepest - 2, "{opening} {most}");
    }
    let chain = ".next".repeat(deepest - 2);
    check(&format!(
        "struct N {{ next: *N }} var n: N; invariant n{chain} == null; thread t {{ skip }}",
    ));
}

#[test]
fn several_files_are_one_program() {
    let mut sources = raddle_base::SourceMap::new();
    let texts = ["fn f() { x = 1 }", "var x: u8\nthread t { f(); y = 2 }"];
    let files: Vec<_> = texts
        .iter()
        .map(|text| (sources.add("a.rad", *text), *text))
        .collect();
    let errors = crate::read(&files, raddle_ir::DataModel::Lp64).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(sources.text(errors[0].labels[0].span), "y");
    assert_eq!(errors[0].labels[0].span.file, files[1].0);
}
