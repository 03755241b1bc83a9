//! Mutations of texts, of bytes and of tokens. They know no language: words, numbers, quoted texts and lines are the
//! same everywhere.

use raddle_generate::Random;

/// Numbers at which something changes.
const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "2",
    "7",
    "63",
    "64",
    "128",
    "255",
    "256",
    "65535",
    "2147483648",
    "4294967295",
    "9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "0xffffffffffffffff",
    "1e400",
    "0.5",
    "3u8",
    "1u128",
    "-1",
];

/// Words and signs of the languages that are read.
const WORDS: [&str; 60] = [
    "{", "}", "(", ")", "[", "]", ";", ",", ":", ".", "=", "==", "!=", "+", "-%", "<<", "&", "*",
    "!", "?", "->", "and", "or", "var", "thread", "fn", "lock", "atomic", "await", "unit", "goto",
    "exit", "return", "alloc", "free", "if", "else", "while", "loop", "choose", "assert", "assume",
    "spawn", "join", "self", "tid", "null", "any", "as", "at", "init", "destroy", "struct",
    "union", "u8", "i64", "f64", "true", "`", "\"",
];

/// A text with a few changes, some of them taken from another text.
pub(super) fn mutated(random: &mut Random, text: &str, other: &str) -> Vec<u8> {
    if random.chance(25) {
        return mutated_bytes(random, text.as_bytes());
    }
    let mut tokens: Vec<String> = tokens(text).into_iter().map(str::to_owned).collect();
    let others = self::tokens(other);
    for _ in 0..*random.pick(&[1, 1, 1, 2, 2, 3, 8]) {
        mutate_tokens(random, &mut tokens, &others);
    }
    tokens.concat().into_bytes()
}

/// Anything at all: bytes, letters or words.
pub(super) fn random_bytes(random: &mut Random) -> Vec<u8> {
    let length = random.below(200);
    match random.below(3) {
        0 => (0..length).map(|_| byte(random)).collect(),
        1 => (0..length)
            .map(|_| b' ' + u8::try_from(random.below(95)).unwrap_or(0))
            .collect(),
        _ => {
            let words: Vec<&str> = (0..length / 2).map(|_| *random.pick(&WORDS)).collect();
            words.join(" ").into_bytes()
        }
    }
}

fn byte(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap_or(0)
}

fn mutated_bytes(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..*random.pick(&[1, 1, 2, 4]) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        let end = (at + random.between(1, 40)).min(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes.insert(at, byte(random)),
            2 => drop(bytes.remove(at)),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

fn mutate_tokens(random: &mut Random, tokens: &mut Vec<String>, others: &[&str]) {
    if tokens.is_empty() {
        return;
    }
    let at = random.below(tokens.len());
    match random.below(12) {
        0 => drop(tokens.remove(at)),
        1 => {
            let token = tokens[random.below(tokens.len())].clone();
            tokens.insert(at, token);
        }
        2 => {
            let with = random.below(tokens.len());
            tokens.swap(at, with);
        }
        3 => tokens.insert(at, format!(" {} ", random.pick(&WORDS))),
        4 => tokens[at] = random.pick(&WORDS).to_string(),
        5 | 6 => {
            if let Some(number) = next_of(tokens, at, LiteralClass::Number) {
                tokens[number] = random.pick(&NUMBERS).to_string();
            }
        }
        7 | 8 => {
            // A token of its own class: the text remains grammatical more often.
            let class = class(&tokens[at]);
            if let Some(with) = next_of(tokens, random.below(tokens.len()), class) {
                tokens[at] = tokens[with].clone();
            }
        }
        9 if !others.is_empty() => tokens[at] = random.pick(others).to_string(),
        10 => {
            let line = line_around(tokens, at);
            tokens.drain(line);
        }
        _ => {
            let line = tokens[line_around(tokens, at)].to_vec();
            let to = line_around(tokens, random.below(tokens.len())).start;
            tokens.splice(to..to, line);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LiteralClass {
    Space,
    Word,
    Number,
    Quoted,
    Sign,
}

fn class(token: &str) -> LiteralClass {
    match token.chars().next() {
        Some(first) if first.is_whitespace() => LiteralClass::Space,
        Some(first) if first.is_ascii_digit() => LiteralClass::Number,
        Some(first) if first.is_alphanumeric() || first == '_' => LiteralClass::Word,
        Some('"') if token.len() > 1 => LiteralClass::Quoted,
        Some(_) | None => LiteralClass::Sign,
    }
}

/// The next token of a class, from a place on and round about.
fn next_of(tokens: &[String], from: usize, wanted: LiteralClass) -> Option<usize> {
    (from..tokens.len())
        .chain(0..from)
        .find(|at| class(&tokens[*at]) == wanted)
}

/// The tokens of a line, its end included.
fn line_around(tokens: &[String], at: usize) -> std::ops::Range<usize> {
    let has_end = |token: &String| token.contains('\n');
    let start = tokens[..at]
        .iter()
        .rposition(has_end)
        .map_or(0, |it| it + 1);
    let end = tokens[at..]
        .iter()
        .position(has_end)
        .map_or(tokens.len(), |it| at + it + 1);
    start..end
}

/// Spaces, words, numbers and quoted texts in one piece each, all else by single characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        let length = if first.is_whitespace() {
            rest.find(|it: char| !it.is_whitespace())
                .unwrap_or(rest.len())
        } else if is_word(first) {
            rest.find(|it| !is_word(it)).unwrap_or(rest.len())
        } else if first == '"' {
            rest[1..].find(['"', '\n']).map_or(1, |end| end + 2)
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(length);
        found.push(token);
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_make_up_the_text() {
        let text = "var x: u8 = 3u8 // é\n  emit \"a b\", x\n\"open\nend";
        assert_eq!(tokens(text).concat(), text);
        assert!(tokens(text).contains(&"3u8"));
        assert!(tokens(text).contains(&"\"a b\""));
    }

    #[test]
    fn equal_seeds_mutate_equally_and_others_differ() {
        let text = "var x: u8\nthread t {\n    x = 1\n}\n";
        let of = |seed| mutated(&mut Random::new(seed), text, text);
        assert_eq!(of(7), of(7));
        let different = (0..100).filter(|seed| of(*seed) != text.as_bytes());
        assert!(different.count() > 70);
    }
}
