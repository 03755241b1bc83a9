//! Random and mutated inputs: the reader answers with a program or with diagnostics that have a place, never with a
//! panic; and what it accepts prints and reads back.

use raddle_base::{Random, SourceMap};
use raddle_driver::{Options, load, program_text};

const SEEDS: u64 = 2_000;

const PROGRAMS: [&str; 3] = [
    "\
struct Node { value: u32; next: *Node }
var head: *Node
var count: i8 = -3
mutex m, n[2]
condition c
semaphore s = 1
invariant count <= 3
exclusive count when owner(m) == self
atomicset S { count }
fn push(v: u32) -> u32 {
    let p: *Node = alloc Node
    p.value = v
    lock m { p.next = head; head = p }
    return v + 1u32
}
thread worker[2] {
    let r = push(tid as u32)
    while r != 0 { r = r - 1; if r == 3 { break } else { continue } }
    choose { acquire n[0]; release n[0] } or { skip }
    atomic { count = count + 1 }
    await count >= 0
    assert count < 5, \"too many\"
}
",
    "\
model ilp32
union U { a: u32; b: [u8; 4] }
var u: U
thread_local var t: u16 = 7
barrier b = 2
rwlock l
fn f(x: f64) -> f64 { return x * 1.5 }
fn main() {
    let h = spawn g(&u.a)
    let k: f64 = f(0.5)
    let old, ok = compare_exchange(u.a, 1u32, 2u32, acq_rel)
    let any1 = any u3
    lock read l { emit \"k = {}\\n\", k }
    barrier_wait b
    join h
    exit 0
}
fn g(p: *u32) { *p = fetch_add(u.a, 3u32); barrier_wait b }
",
    "\
start t[0] = t(1u8)
fn t(a: u8) {
    let b: u8
    0: b = a +% 1u8; goto again
    again: choose { assume b < 3u8; goto 0 } or { assume !(b < 3u8); goto exit }
}
",
];

const TOKENS: [&str; 40] = [
    "{", "}", "(", ")", "[", "]", ";", ",", ":", "=", "==", "+", "-%", "<<", "&", "*", "!", "?",
    "and", "or", "var", "thread", "fn", "lock", "atomic", "unit", "goto", "exit", "return",
    "alloc", "free", "0", "255u8", "1u128", "0x1f", "null", "self", "`", "\"", "é",
];

/// A place between two characters.
fn boundary(random: &mut Random, text: &str) -> usize {
    let mut at = random.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutated(seed: u64) -> String {
    let mut random = Random::new(seed);
    if seed.is_multiple_of(10) {
        return (0..random.below(60))
            .map(|_| TOKENS[random.below(TOKENS.len())])
            .collect::<Vec<_>>()
            .join(" ");
    }
    let mut text = PROGRAMS[random.below(PROGRAMS.len())].to_owned();
    for _ in 0..=random.below(2) {
        let (a, b) = (boundary(&mut random, &text), boundary(&mut random, &text));
        let (start, end) = (a.min(b), a.max(b));
        match random.below(9) {
            0..3 => text.insert_str(a, TOKENS[random.below(TOKENS.len())]),
            3..5 => text.replace_range(start..end.min(floor(&text, start + 1)), ""),
            5..7 => text.replace_range(start..end.min(floor(&text, start + 8)), ""),
            7 => {
                let piece = text[start..end.min(floor(&text, start + 40))].to_owned();
                let at = boundary(&mut random, &text);
                text.insert_str(at, &piece);
            }
            _ => text.truncate(end),
        }
    }
    text
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&it| text.is_char_boundary(it))
        .unwrap_or(0)
}

fn try_to_load(text: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    sources.add("mutated.rad", text);
    match load(&sources, &Options::default()) {
        Ok(loaded) => Some(program_text(&loaded.program)),
        Err(diagnostics) => {
            assert!(!diagnostics.is_empty(), "refused without a word:\n{text}");
            for raddle_driver::Note { diagnostic, .. } in diagnostics {
                assert!(
                    !diagnostic.labels.is_empty() && !diagnostic.message.is_empty(),
                    "{diagnostic:?} has no place in\n{text}"
                );
                let _ = raddle_diag::render(&diagnostic, &sources, raddle_diag::Colour::Plain);
            }
            None
        }
    }
}

#[test]
fn programs_that_are_mutated_are_programs() {
    for program in PROGRAMS {
        assert!(try_to_load(program).is_some(), "{program}");
    }
}

#[test]
fn no_input_makes_the_reader_panic() {
    let mut accepted = 0;
    for seed in 0..SEEDS {
        let text = mutated(seed);
        let result = std::panic::catch_unwind(|| {
            if let Some(printed) = try_to_load(&text) {
                assert_eq!(
                    try_to_load(&printed).as_deref(),
                    Some(printed.as_str()),
                    "what is printed reads back"
                );
                return 1;
            }
            0
        });
        assert!(result.is_ok(), "seed {seed}:\n{text}");
        accepted += result.unwrap_or(0);
    }
    assert!(accepted > 20, "only {accepted} mutations were accepted");
}
