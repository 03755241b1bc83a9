//! No input makes the reader panic, overflow the stack or take long.

use std::time::{Duration, Instant};

use raddle_base::{Random, SourceMap};
use raddle_ir::DataModel;

use super::read_text;
use crate::read;

/// Errors are expected; panics are not. Every place of an error can be shown.
fn try_reading(text: &str) {
    let mut sources = SourceMap::new();
    let file = sources.add("a.rad", text);
    if let Err(diagnostics) = read(&[(file, text)], DataModel::Lp64) {
        assert!(!diagnostics.is_empty());
        assert!(diagnostics.len() <= 20);
        for diagnostic in diagnostics {
            assert!(!diagnostic.labels.is_empty(), "{diagnostic:?}");
            for label in diagnostic.labels {
                sources.place(label.span);
                sources.line_text(label.span);
            }
        }
    }
}

const SEED: u64 = 20_260_321;

/// Programs to mutate: those of the other tests.
fn programs() -> Vec<String> {
    let sources = [
        include_str!("round_trip.rs"),
        include_str!("lowering/brackets.rs"),
        include_str!("lowering/control.rs"),
        include_str!("lowering/operations.rs"),
        include_str!("lowering/values.rs"),
        include_str!("errors/declarations.rs"),
        include_str!("errors/rules.rs"),
        include_str!("errors/syntax.rs"),
        include_str!("errors/types.rs"),
    ];
    let mut programs: Vec<String> = Vec::new();
    for source in sources {
        programs.extend(
            source
                .split('"')
                .filter(|it| it.contains('\n'))
                .map(str::to_owned),
        );
    }
    programs
}

#[test]
fn random_tokens_are_read_or_refused() {
    const WORDS: &[&str] = &[
        "fn",
        "f",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "thread",
        "t",
        "var",
        "x",
        "y",
        ":",
        "u8",
        "i32",
        "*",
        "&",
        "=",
        "==",
        "+",
        "-",
        "1",
        "3u8",
        "\n",
        ";",
        ",",
        ".",
        "if",
        "else",
        "while",
        "loop",
        "choose",
        "or",
        "and",
        "lock",
        "m",
        "mutex",
        "acquire",
        "release",
        "let",
        "a",
        "return",
        "goto",
        "l",
        "l:",
        "0:",
        "struct",
        "S",
        "atomic",
        "await",
        "assert",
        "as",
        "tid",
        "self",
        "null",
        "alloc",
        "free",
        "object_size",
        "call",
        "spawn",
        "join",
        "any",
        "?",
        "?=",
        "-%",
        "\"",
        "`",
        "'",
        "/*",
        "emit",
        "invariant",
        "exclusive",
        "when",
        "at",
        "owner",
        "sizeof",
        "init",
        "break",
        "continue",
        "unit",
        "compare_exchange",
        "1.5",
        "0x",
        "é",
        "->",
        "model",
        "unset",
        "start",
        "atomicset",
        "barrier",
        "wait",
        "exit",
        "temp",
        "_",
    ];
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    for _ in 0..20_000 {
        let mut text = String::new();
        if random.below(2) == 0 {
            text.push_str("var x: u8; var y: *u8; mutex m; fn f(a: u8) -> u8 {\n");
        }
        for _ in 0..random.below(40) {
            text.push_str(WORDS[random.below(WORDS.len())]);
            if random.below(4) > 0 {
                text.push(' ');
            }
        }
        try_reading(&text);
    }
}

#[test]
fn mutated_programs_are_read_or_refused() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let programs = programs();
    for _ in 0..5_000 {
        let mut text: Vec<char> = programs[random.below(programs.len())].chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => {
                    text.remove(at);
                }
                1 => {
                    let other = text[random.below(text.len())];
                    text[at] = other;
                }
                2 => {
                    let end = (at + random.below(30)).min(text.len());
                    let piece: Vec<char> = text[at..end].to_vec();
                    let to = random.below(text.len());
                    text.splice(to..to, piece);
                }
                _ => {
                    let end = (at + random.below(30)).min(text.len() - 1);
                    text.drain(at..end);
                }
            }
            if text.is_empty() {
                break;
            }
        }
        try_reading(&text.into_iter().collect::<String>());
    }
}

#[test]
fn random_bytes_are_refused() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.below(200))
            .map(|_| u8::try_from(random.below(256)).expect("below 256"))
            .collect();
        try_reading(&String::from_utf8_lossy(&bytes));
    }
}

/// Runs in a thread with a stack of two megabytes, as threads have by default.
#[track_caller]
fn quickly(name: &str, text: String) -> Result<(), String> {
    let start = Instant::now();
    let result = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || read_text(&text).map(|_| ()))
        .expect("a thread can be started")
        .join()
        .expect("the reader does not panic");
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(20), "{name} took {elapsed:?}");
    result
}

#[test]
fn ten_megabytes_of_brackets_are_refused_quickly() {
    for (opening, around) in [
        ("(", "thread t { let a = "),
        ("[", "thread t { let a = x"),
        ("{", "thread t "),
        ("{", ""),
        ("[", "var x: "),
        ("[", "var x: u8 = "),
        ("{a=", "var x: u8 = "),
        ("*", "var x: "),
        ("-", "thread t { let a = "),
        ("!", "thread t { let a = "),
        ("if x {", "thread t { "),
        ("lock m {", "thread t { "),
        ("choose {", "thread t { "),
        ("f(", "thread t { "),
        ("a?", "thread t { let a = "),
        ("a?b:", "thread t { let a = "),
        ("a.b", "thread t { let a = b"),
        ("1+", "thread t { let a = "),
        ("x as u8 ", "thread t { let a = "),
        ("x[1]", "thread t { let a = "),
        ("at ", "invariant "),
    ] {
        let mut text = String::from(around);
        // The first few are what people try; the others need not be as long.
        let most = if matches!(opening, "(" | "[" | "{") {
            10 << 20
        } else {
            1 << 20
        };
        while text.len() < most {
            text.push_str(opening);
        }
        let errors = quickly(opening, text).expect_err("too deep");
        assert!(errors.len() < 20_000, "{opening}: {}", errors.len());
    }
}

#[test]
fn nesting_up_to_the_limit_needs_little_stack() {
    for (opening, middle, closing, count) in [
        ("(", "1", ")", 440),
        ("-(", "y", ")", 199),
        ("~", "y", "", 199),
        ("(1 + ", "y", ")", 198),
        ("", "1", " + y", 198),
        ("a[", "y", "]", 60),
        ("(y == 1 and ", "true", ")", 190),
        ("y == 1 ? ", "1", " : 2", 190),
        ("g(", "1", ")", 200),
    ] {
        let value = format!("{}{middle}{}", opening.repeat(count), closing.repeat(count));
        let text = format!(
            "var y: i32; var a: [i32; 4]; fn g(a: i32) -> i32 {{ return a }}\n thread t {{ let r = {value} }}"
        );
        assert_eq!(quickly(opening, text), Ok(()), "{opening}");
    }
    for (opening, count) in [
        ("if true {", 220),
        ("lock m {", 220),
        ("loop {", 220),
        ("choose {", 220),
        ("atomic {", 220),
    ] {
        let text = format!(
            "mutex m; thread t {{ {} skip {} }}",
            opening.repeat(count),
            "}".repeat(count)
        );
        assert_eq!(quickly(opening, text), Ok(()), "{opening}");
    }
}

fn lines(numbers: std::ops::Range<usize>, line: impl Fn(usize) -> String) -> String {
    numbers.map(line).collect::<Vec<_>>().concat()
}

#[test]
fn long_flat_programs_are_read_quickly() {
    let many = 20_000;
    let statements = "x = x + 1\n".repeat(many);
    assert_eq!(
        quickly(
            "statements",
            format!("var x: u8; thread t {{ {statements} }}")
        ),
        Ok(())
    );
    let chain = format!(
        "if x == 0 {{ skip }} {}",
        "else if x == 1 { skip }\n".repeat(many)
    );
    assert_eq!(
        quickly("else if", format!("var x: u8; thread t {{ {chain} }}")),
        Ok(())
    );
    let jumps = lines(0..many, |at| format!("l{at}: goto l{}\n", at + 1));
    assert_eq!(
        quickly("jumps", format!("thread t {{ {jumps} l{many}: skip }}")),
        Ok(())
    );
    let back = lines(1..many, |at| format!("l{at}: goto l{}\n", at - 1));
    assert_eq!(
        quickly(
            "back",
            format!("thread t {{ goto l5; l0: skip; goto exit; {back} }}")
        ),
        Ok(())
    );
    let registers = lines(0..many, |at| format!("let r{at} = {at}\n"));
    assert_eq!(
        quickly("registers", format!("thread t {{ {registers} }}")),
        Ok(())
    );
    let globals = lines(0..many, |at| format!("var g{at}: u8 = {}\n", at % 256));
    assert_eq!(
        quickly("globals", format!("{globals} thread t {{ g77 = 1 }}")),
        Ok(())
    );
    let branches = "{ skip } or ".repeat(many);
    assert_eq!(
        quickly(
            "branches",
            format!("thread t {{ choose {branches} {{ skip }} }}")
        ),
        Ok(())
    );
    let structs = lines(1..many, |at| format!("struct S{at} {{ s: S{} }}\n", at + 1));
    let text = format!("{structs} struct S{many} {{ s: u8 }} thread t {{ skip }}");
    let errors = quickly("structs", text).expect_err("structs nest too deeply");
    assert!(errors.contains("limit"), "{errors}");
}
