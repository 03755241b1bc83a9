//! Where the tokens of a preprocessed line stand in the line they came from.
//!
//! The preprocessor keeps the order of tokens but neither the space between them nor what macros stood for. So the two
//! lines are aligned by their longest common sequence of tokens; what has no partner came from a macro, and stands for
//! the tokens of the original line that have none either.

use std::ops::Range;

/// Beyond this, only what is equal at the beginning and the end of both lines is aligned.
const LARGEST_TABLE: usize = 1 << 18;

/// What the bytes `span` of `line` stand for in `original`.
pub(super) fn aligned(line: &str, span: Range<usize>, original: &str) -> Range<usize> {
    let (made, written) = (tokens(line), tokens(original));
    if made.is_empty() || written.is_empty() {
        let blank = original.len() - original.trim_start().len();
        return blank..blank;
    }
    let partners = partners(line, &made, original, &written);
    let first = made
        .partition_point(|it| it.end <= span.start)
        .min(made.len() - 1);
    let last = made
        .partition_point(|it| it.start < span.end)
        .saturating_sub(1)
        .max(first);
    let has_partner = has_partner(&partners, written.len());
    let mut begin = partners[first].unwrap_or_else(|| {
        let gap = gap(&partners, first, written.len());
        let name = if gap.is_empty() {
            macro_around(original, &written, &has_partner, gap.start)
        } else {
            None
        };
        name.unwrap_or(gap.start).min(written.len() - 1)
    });
    // The bracket of a macro's arguments may well look like one of those that it stands for.
    if begin > 0
        && &original[written[begin].clone()] == "("
        && !has_partner[begin - 1]
        && is_name(&original[written[begin - 1].clone()])
    {
        begin -= 1;
    }
    let mut end = match partners[last] {
        Some(index) => index,
        None => gap(&partners, last, written.len()).end.saturating_sub(1),
    }
    .max(begin);
    if !has_partner[begin]
        && is_name(&original[written[begin].clone()])
        && let Some(bracket) = closing(original, &written, begin + 1)
    {
        end = end.max(bracket);
    }
    written[begin].start..written[end].end
}

/// The tokens of the original between the partners of those around `at`.
fn gap(partners: &[Option<usize>], at: usize, count: usize) -> Range<usize> {
    let before = partners[..at].iter().rev().find_map(|it| *it);
    let after = partners[at..].iter().find_map(|it| *it);
    let start = before.map_or(0, |it| it + 1);
    start..after.unwrap_or(count).max(start)
}

/// The name of the macro whose arguments end at or behind `at`.
fn macro_around(
    text: &str,
    tokens: &[Range<usize>],
    has_partner: &[bool],
    at: usize,
) -> Option<usize> {
    (0..at).rev().find(|&name| {
        !has_partner[name]
            && is_name(&text[tokens[name].clone()])
            && closing(text, tokens, name + 1).is_some_and(|end| end + 1 >= at)
    })
}

fn has_partner(partners: &[Option<usize>], count: usize) -> Vec<bool> {
    let mut has = vec![false; count];
    for index in partners.iter().flatten() {
        has[*index] = true;
    }
    has
}

/// The bracket that closes the one at `open`, if one stands there.
fn closing(text: &str, tokens: &[Range<usize>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match &text[token.clone()] {
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return (index > open).then_some(index);
        }
    }
    None
}

/// For each token of the preprocessed line, the one of the original that it is.
fn partners(
    line: &str,
    made: &[Range<usize>],
    original: &str,
    written: &[Range<usize>],
) -> Vec<Option<usize>> {
    let is_same = |a: usize, b: usize| line[made[a].clone()] == original[written[b].clone()];
    let shorter = made.len().min(written.len());
    let head = (0..shorter).take_while(|&at| is_same(at, at)).count();
    let tail = (0..shorter - head)
        .take_while(|&at| is_same(made.len() - 1 - at, written.len() - 1 - at))
        .count();
    let mut partners = vec![None; made.len()];
    for (at, partner) in partners.iter_mut().enumerate().take(head) {
        *partner = Some(at);
    }
    for at in 0..tail {
        partners[made.len() - 1 - at] = Some(written.len() - 1 - at);
    }
    let (rows, columns) = (made.len() - head - tail, written.len() - head - tail);
    if rows == 0 || columns == 0 || rows.saturating_mul(columns) > LARGEST_TABLE {
        return partners;
    }
    // longest[r][c]: the longest common sequence of the first r and the first c tokens.
    let width = columns + 1;
    let mut longest = vec![0_u32; (rows + 1) * width];
    for row in 1..=rows {
        for column in 1..=columns {
            longest[row * width + column] = if is_same(head + row - 1, head + column - 1) {
                1 + longest[(row - 1) * width + column - 1]
            } else {
                longest[(row - 1) * width + column].max(longest[row * width + column - 1])
            };
        }
    }
    // From the end, where macros have less that looks like the text around them: what `assert(x)` stands for has a `;` before
    // its own end.
    let (mut row, mut column) = (rows, columns);
    while row > 0 && column > 0 {
        if is_same(head + row - 1, head + column - 1) {
            partners[head + row - 1] = Some(head + column - 1);
            row -= 1;
            column -= 1;
        } else if longest[(row - 1) * width + column] > longest[row * width + column - 1] {
            row -= 1;
        } else {
            column -= 1;
        }
    }
    partners
}

/// What a line begins with.
pub(super) fn first_token(line: &str) -> &str {
    let first = tokens(line).into_iter().next();
    first.and_then(|it| line.get(it)).unwrap_or("")
}

/// Names, numbers and literals as a whole, everything else by character; comments are none.
fn tokens(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = line[at + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |end| at + 2 + end + 2);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                while !line.is_char_boundary(at) {
                    at += 1;
                }
            }
            byte if is_name_byte(byte) => {
                while at < bytes.len() && is_name_byte(bytes[at]) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        tokens.push(start..at);
    }
    tokens
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_name(token: &str) -> bool {
    token
        .bytes()
        .next()
        .is_some_and(|byte| is_name_byte(byte) && !byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the part of the line in `[…]` stands for.
    fn found<'a>(line: &str, original: &'a str) -> &'a str {
        let start = line.find('[').unwrap();
        let end = line.find(']').unwrap() - 1;
        let line = line.replace(['[', ']'], "");
        &original[aligned(&line, start..end, original)]
    }

    #[test]
    fn space_and_comments_do_not_matter() {
        let original = "\tint   x =  f( a,b ) ; // f( a,b )";
        assert_eq!(found("int [x] = f( a,b) ;", original), "x");
        assert_eq!(found("int x = [f( a,b)] ;", original), "f( a,b )");
        assert_eq!(found("int x = f( a,b) [;]", original), ";");
        assert_eq!(found("x [= /* a */ 1];", "x /*=*/ = 1;"), "= 1");
    }

    #[test]
    fn what_a_macro_stands_for_lies_at_the_macro() {
        let original = "  assert( x   ==  1 ) ;";
        let line = "((void) sizeof ((x == 1) ? 1 : 0), __extension__ ({ if (x == 1) ; else __assert_fail (\"x == 1\"); })) ;";
        let whole = format!("[{}] ;", &line[..line.len() - 2]);
        assert_eq!(found(&whole, original), "assert( x   ==  1 )");
        let call = line.replace("__assert_fail (\"x == 1\")", "[__assert_fail (\"x == 1\")]");
        assert!(original.contains(found(&call, original)));
        assert_eq!(found("y = [0x10] + 2;", "y = SIZE + 2;"), "SIZE");
        assert_eq!(found("[pthread_mutex_lock(&m)];", "LOCK(&m);"), "LOCK(&m)");
        assert_eq!(found("[f(1)]; g();", "BOTH"), "BOTH");
    }

    #[test]
    fn macros_beside_each_other_are_not_mixed_up() {
        let original = "f(); assert(b == 2); assert(a == 1); assert(c == 3); return 0;";
        let made = |e: &str| {
            format!(
                "((void) sizeof (({e}) ? 1 : 0), __extension__ ({{ if ({e}) ; else __assert_fail (\"{e}\", \"f.c\", 2); }})) ;"
            )
        };
        let line = format!(
            "f(); {} {} {} return 0;",
            made("b == 2"),
            made("a == 1"),
            made("c == 3")
        );
        for e in ["b == 2", "a == 1", "c == 3"] {
            let call = format!("__assert_fail (\"{e}\", \"f.c\", 2)");
            let marked = line.replace(&call, &format!("[{call}]"));
            assert_eq!(found(&marked, original), format!("assert({e})"));
        }
    }

    #[test]
    fn odd_lines_give_some_place() {
        for (line, original) in [
            ("", "x"),
            ("x", ""),
            ("x", "   "),
            ("x", "/* x"),
            ("\"a", "\"\\"),
            ("'", "é'é\\é"),
            ("((((", "))))"),
            ("M", "M("),
        ] {
            for start in 0..=line.len() {
                for end in start..=line.len() + 1 {
                    let range = aligned(line, start..end, original);
                    assert!(original.get(range).is_some());
                }
            }
        }
        let long = "a b ".repeat(2_000);
        let other = "b a ".repeat(2_000);
        assert!(other.get(aligned(&long, 100..200, &other)).is_some());
    }
}
