//! Texts with pieces deleted, doubled, swapped and replaced: read without panic and in the time that their length allows.

use raddle_base::{Random, SourceMap};

use crate::dump::dump;

/// All constructs, in few lines each.
const SNIPPETS: &[&str] = &[
    "typedef unsigned long size_t; static inline __attribute__((always_inline)) size_t f(size_t a, ...) { return a * 2u; }",
    "struct s { int a : 3, : 0; union { char c[4]; float d; }; struct s *next; int tail[]; } __attribute__((packed)) v = { .a = 1, .c = { [0 ... 2] = 'x' }, next: 0 };",
    "enum e { A, B = 1 << 3, C = sizeof(int[2]) + A, }; enum e g = B ?: C;",
    "int (*(*table[3])(int (*)(char), double [*], struct s))[4]; int *const *volatile p, **q;",
    "int old(a, b, c) int a; char *b, c; { return a ? *b : c; }",
    "void loops(int n) { for (int i = 0; i < n; i++) { if (i % 2) continue; else if (i > 5) break; } while (n--) ; do { n += 1; } while (n < 10); }",
    "void choose(int n) { switch (n) { case 1: case 2 ... 4: n = 1; break; default: goto out; } out: return; }",
    "void gnu(void) { __label__ l; int x = ({ int y = 1; y; }); void *t[] = { &&l, &&l }; goto *t[x]; l: __attribute__((unused)); __auto_type z = (typeof(x))x; }",
    "void assembler(int a) { asm volatile (\"nop\" ::: \"memory\"); __asm__ (\"add %1, %0\" : [r] \"+r\" (a) : \"0\" (a) : \"cc\"); asm goto (\"\" : : : : l); l: ; }",
    "_Static_assert(sizeof(long) == 8, \"long\"); _Alignas(16) _Thread_local int t; _Noreturn void stop(void); _Atomic(int) at; _Atomic long al;",
    "int pick(int x) { return _Generic(x, int: 1, char *: 2, default: 3) + __builtin_offsetof(struct s, c[1]) + __builtin_types_compatible_p(int, long); }",
    "const char *text = \"a\\n\" L\"\\x41\" \"\\u00e9\\101\"; int ch = 'ab' + L'\\0'; double d = 1.5e3 + 0x1p-2f + .5L; long n = 0xffUL + 0b101 + 017;",
    "# 1 \"file.c\" 1 3\n#pragma pack(push, 1)\n//@ annotation\n/*@ other */ int x\\\ny; // end",
    "[[noreturn]] void g2(void [[maybe_unused]] *p), h2(); extern int y2 asm(\"z\") __attribute__((weak, alias(\"w\")));",
    "main() { int a[3] = {1, 2, 3}, i = 0; (void)(struct s){ 1 }.a; a[i++] <<= ~-+!i && (i, 2) || *&a[0] != 3; return __real__ 1.0i; }",
    "void nest(void) { int inner(int q) { return q; } auto int later(int); __extension__ int w = inner(__extension__ 3); }",
];

/// Words, numbers, quoted texts and single marks, with the space before them.
fn pieces(text: &str) -> Vec<Vec<u8>> {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    for byte in text.bytes() {
        match pieces.last_mut() {
            Some(last)
                if is_word(byte) && last.last().is_some_and(|&it| is_word(it) || it == b' ') =>
            {
                last.push(byte);
            }
            _ => pieces.push(vec![byte]),
        }
    }
    pieces
}

fn mutated(random: &mut Random) -> Vec<u8> {
    let count = 1 + random.below(3);
    let mut all: Vec<Vec<u8>> = Vec::new();
    for _ in 0..count {
        all.append(&mut pieces(SNIPPETS[random.below(SNIPPETS.len())]));
    }
    for _ in 0..=random.below(6) {
        let at = random.below(all.len());
        let other = random.below(all.len());
        match random.below(6) {
            0 => {
                all.remove(at);
            }
            1 => all.insert(at, all[other].clone()),
            2 => all.swap(at, other),
            3 => all[at] = all[other].clone(),
            4 => {
                let end = (at + random.below(10)).min(all.len());
                all.drain(at..end);
            }
            _ => {
                let piece = &mut all[at];
                let place = random.below(piece.len().max(1));
                let byte = u8::try_from(random.below(256)).unwrap();
                match random.below(3) {
                    0 => piece[place] = byte,
                    1 => piece.insert(place, byte),
                    _ => {
                        piece.remove(place);
                    }
                }
            }
        }
        if all.is_empty() {
            break;
        }
    }
    all.concat()
}

fn read(text: &[u8]) -> (String, usize) {
    let file = SourceMap::new().add("test.i", "");
    let parsed = crate::parse(file, text);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.labels[0].span;
        assert!(span.start <= span.end && span.end as usize <= text.len());
    }
    let shown = dump(&parsed.unit, &|span| {
        assert!(span.start <= span.end && span.end as usize <= text.len());
        String::new()
    });
    (shown, parsed.diagnostics.len())
}

#[test]
fn the_snippets_themselves_are_read() {
    for text in SNIPPETS {
        let (_, messages) = read(text.as_bytes());
        assert_eq!(messages, 0, "{text}");
    }
}

#[test]
fn mutated_programs_are_read_or_refused() {
    for seed in 0..6_000 {
        let mut random = Random::new(seed);
        let text = mutated(&mut random);
        let result = std::panic::catch_unwind(|| {
            let start = std::time::Instant::now();
            let first = read(&text);
            assert!(start.elapsed().as_secs() < 5, "took too long");
            assert_eq!(first, read(&text), "not the same twice");
        });
        assert!(
            result.is_ok(),
            "seed {seed}: {}",
            String::from_utf8_lossy(&text)
        );
    }
}

#[test]
fn beginnings_of_programs_are_read_or_refused() {
    let whole = SNIPPETS.join("\n");
    for end in (0..whole.len()).step_by(3) {
        read(&whole.as_bytes()[..end]);
    }
}
