//! Programs of every size.

use std::fmt::Write as _;

/// One program in several sizes.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) sizes: &'static [usize],
    pub(super) program: fn(usize) -> String,
    /// The verdict is not expected to be more than that.
    pub(super) is_unknown: bool,
}

const BYTES: &[usize] = &[100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000];
const LOCALS: &[usize] = &[100, 1_000, 10_000, 100_000];
const THREADS: &[usize] = &[10, 100, 1_000, 10_000];
const OBJECTS: &[usize] = &[10, 100, 1_000, 10_000, 100_000];
const LINES: &[usize] = &[100, 1_000, 10_000, 100_000];

const fn family(
    name: &'static str,
    sizes: &'static [usize],
    program: fn(usize) -> String,
) -> Family {
    Family {
        name,
        sizes,
        program,
        is_unknown: false,
    }
}

pub(super) const FAMILIES: [Family; 12] = [
    family("bytes of an array beside a lock", BYTES, shared_array),
    family("bytes of an array of its own", BYTES, own_array),
    family("bytes of locals in a recursion", LOCALS, recursion),
    family("threads one at a time", THREADS, one_at_a_time),
    family("threads one at a time, all named", THREADS, all_named),
    family("threads all at once", THREADS, all_at_once),
    family("objects on the heap", OBJECTS, heap),
    family("globals", OBJECTS, globals),
    family("lines of program", LINES, lines),
    family("bits of an undetermined value", &[1, 8, 16, 32, 64], width),
    family("undetermined values of 8 bits", &[1, 2, 3, 4], small_values),
    Family {
        name: "undetermined values",
        sizes: &[1, 2, 4, 8, 16],
        program: undetermined,
        is_unknown: true,
    },
];

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n";

/// Two threads that count, and what else is there.
fn counters(declarations: &str, in_main: &str, in_loop: &str) -> String {
    format!(
        "{HEAD}{declarations}
int count;
void *work(void *unused) {{
    for (int i = 0; i < 8; i++) {{ {in_loop} __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST); }}
    return 0;
}}
int main(void) {{
    {in_main}
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    assert(count == 16);
    return 0;
}}
"
    )
}

fn shared_array(bytes: usize) -> String {
    let declarations = format!("struct {{ pthread_mutex_t m; char room[{bytes}]; }} shared;");
    let middle = bytes / 2;
    let in_loop = format!(
        "pthread_mutex_lock(&shared.m); shared.room[{middle} + i]++; pthread_mutex_unlock(&shared.m);"
    );
    let fill = format!("for (int i = 0; i < 500; i++) shared.room[i % {bytes}] = i;");
    counters(&declarations, &fill, &in_loop)
}

fn own_array(bytes: usize) -> String {
    let fill = format!("for (int i = 0; i < 500; i++) room[{bytes} - 1 - i % {bytes}] = i;");
    counters(&format!("char room[{bytes}];"), &fill, "")
}

fn recursion(bytes: usize) -> String {
    let declarations = format!(
        "int down(int depth) {{ char room[{bytes}]; room[depth] = depth; \
         return depth ? down(depth - 1) + room[depth] : 0; }}"
    );
    counters(&declarations, "assert(down(20) == 210);", "")
}

fn one_at_a_time(threads: usize) -> String {
    format!(
        "{HEAD}int a;
void *work(void *unused) {{ a++; return 0; }}
int main(void) {{
    pthread_t id;
    for (int i = 0; i < {threads}; i++) {{ pthread_create(&id, 0, work, 0); pthread_join(id, 0); }}
    assert(a == {threads});
    return 0;
}}
"
    )
}

fn all_named(threads: usize) -> String {
    format!(
        "{HEAD}int a; pthread_t ids[{threads}];
void *work(void *unused) {{ a++; return 0; }}
int main(void) {{
    for (int i = 0; i < {threads}; i++) {{ pthread_create(&ids[i], 0, work, 0); pthread_join(ids[i], 0); }}
    assert(a == {threads});
    return 0;
}}
"
    )
}

fn all_at_once(threads: usize) -> String {
    format!(
        "{HEAD}pthread_t ids[{threads}];
void *work(void *unused) {{ return 0; }}
int main(void) {{
    for (int i = 0; i < {threads}; i++) pthread_create(&ids[i], 0, work, 0);
    for (int i = 0; i < {threads}; i++) pthread_join(ids[i], 0);
    return 0;
}}
"
    )
}

fn heap(objects: usize) -> String {
    let make = format!(
        "for (int i = 0; i < {objects}; i++) \
         {{ struct node *it = malloc(sizeof *it); it->next = list; it->value = i; list = it; }}"
    );
    counters(
        "struct node { struct node *next; int value; } *list;",
        &make,
        "",
    )
}

fn globals(objects: usize) -> String {
    let declarations = (0..objects).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "int g{at};");
        text
    });
    counters(&declarations, "for (int i = 0; i < 500; i++) g0 = i;", "")
}

fn lines(lines: usize) -> String {
    let declarations = (0..lines / 5).fold("int x;\n".to_owned(), |mut text, at| {
        let _ = writeln!(
            text,
            "int f{at}(int k) {{\n    if (k > {at})\n        x = k;\n    return x + {at};\n}}"
        );
        text
    });
    counters(&declarations, "for (int i = 0; i < 500; i++) f0(i);", "")
}

fn undetermined(values: usize) -> String {
    let declarations =
        format!("extern unsigned __VERIFIER_nondet_uint(void); unsigned v[{values}];");
    let choose = format!(
        "for (int i = 0; i < {values}; i++) {{ v[0] = __VERIFIER_nondet_uint(); if (v[0] > 100) v[0] = 1; else v[0] = 0; }}"
    );
    counters(&declarations, &choose, "")
}

/// A value of so many bits that is compared and used as an index.
fn width(bits: usize) -> String {
    let (name, ty) = match bits {
        1 => ("bool", "_Bool"),
        8 => ("uchar", "unsigned char"),
        16 => ("ushort", "unsigned short"),
        32 => ("uint", "unsigned"),
        _ => ("ulong", "unsigned long"),
    };
    let declarations = format!("extern {ty} __VERIFIER_nondet_{name}(void); int v, row[10];");
    let choose =
        format!("{ty} x = __VERIFIER_nondet_{name}(); if (x < 10) row[x] = 1; else v = x > 100;");
    counters(&declarations, &choose, "")
}

/// Several at once, in locals of their own.
fn small_values(values: usize) -> String {
    let choose = (0..values).fold(String::new(), |mut text, at| {
        let _ = write!(
            text,
            "unsigned char x{at} = __VERIFIER_nondet_uchar(); v[{at}] = x{at} > 100; "
        );
        text
    });
    let declarations =
        format!("extern unsigned char __VERIFIER_nondet_uchar(void); int v[{values}];");
    counters(&declarations, &choose, "")
}
