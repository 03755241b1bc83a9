//! Lines of the sources whose accesses do not count for `race`: those with a comment `//@ ignore race`.
//!
//! The comment speaks of its own line, or of the next one if nothing stands before it.

use raddle_base::{FileId, SourceMap, Span};

const COMMENT: &[u8] = b"//@ ignore race";

/// The lines that comments name, each once.
pub(crate) fn unraced_lines(sources: &SourceMap) -> Vec<Span> {
    let mut lines = Vec::new();
    for (id, file) in sources.files() {
        lines.extend(lines_of(id, file.bytes()));
    }
    lines.dedup();
    lines
}

fn lines_of(file: FileId, text: &[u8]) -> Vec<Span> {
    let mut named = Vec::new();
    let mut start = 0;
    let mut is_next = false;
    for line in text.split_inclusive(|it| *it == b'\n') {
        let span = span(file, start, line.len());
        start += line.len();
        let comment = find(line);
        let code = trimmed(&line[..comment.unwrap_or(line.len())]);
        let is_code = !code.is_empty() && !code.starts_with(b"//") && !code.starts_with(b"#");
        if is_code && (comment.is_some() || is_next) {
            named.extend(span);
        }
        // Blank lines and other comments may stand between.
        is_next = (is_next || comment.is_some()) && !is_code;
    }
    named
}

fn span(file: FileId, start: usize, length: usize) -> Option<Span> {
    Some(Span {
        file,
        start: u32::try_from(start).ok()?,
        end: u32::try_from(start + length).ok()?,
    })
}

/// Where the comment begins, if the line has one; not inside of a string.
fn find(line: &[u8]) -> Option<usize> {
    let at = line
        .windows(COMMENT.len())
        .position(|window| window == COMMENT)?;
    let mut is_string = false;
    let mut before = line[..at].iter();
    while let Some(byte) = before.next() {
        match byte {
            b'\\' => {
                before.next();
            }
            b'"' => is_string = !is_string,
            _ => {}
        }
    }
    let after = line.get(at + COMMENT.len()).copied();
    let is_word = after.is_some_and(|it| it.is_ascii_alphanumeric() || it == b'_' || it == b'-');
    (!is_string && !is_word).then_some(at)
}

fn trimmed(text: &[u8]) -> &[u8] {
    text.trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<&str> {
        let mut sources = SourceMap::new();
        sources.add("program.rad", text);
        unraced_lines(&sources)
            .iter()
            .map(|it| text[it.start as usize..it.end as usize].trim())
            .collect()
    }

    #[test]
    fn a_comment_names_its_line_or_the_next_one_if_it_stands_alone() {
        assert_eq!(
            named("a = 1 //@ ignore race\nb = 2\n"),
            ["a = 1 //@ ignore race"]
        );
        assert_eq!(named("//@ ignore race\na = 1\nb = 2\n"), ["a = 1"]);
        assert_eq!(
            named("  //@ ignore race: it is only a hint\n\n// so\n# 3 \"f.c\"\na = 1\nb = 2"),
            ["a = 1"]
        );
        let both = "//@ ignore race\na = 1 //@ ignore race\nb = 2\n";
        assert_eq!(named(both), ["a = 1 //@ ignore race"]);
        assert_eq!(named("a = 1\n//@ ignore race"), [""; 0]);
    }

    #[test]
    fn other_comments_and_strings_name_nothing() {
        for text in [
            "a = 1 // ignore race\n",
            "a = 1 //@ ignore races\n",
            "a = 1 //@ ignore\n",
            "puts(\"//@ ignore race\"); a = 1;\n",
        ] {
            assert_eq!(named(text), [""; 0], "{text}");
        }
    }
}
