//! The words of a line, as a shell splits them. Nothing is expanded.

/// The words of a line; an open quote ends with the line.
pub fn split(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = line.chars();
    while let Some(it) = characters.next() {
        match (quote, it) {
            (Some(open), _) if it == open => quote = None,
            (Some('"'), '\\') => {
                let text = word.get_or_insert_default();
                match characters.next() {
                    Some(next @ ('"' | '\\' | '$' | '`')) => text.push(next),
                    Some('\n') => {}
                    Some(next) => text.extend(['\\', next]),
                    None => text.push('\\'),
                }
            }
            (None, '\'' | '"') => {
                quote = Some(it);
                word.get_or_insert_default();
            }
            (None, '\\') => match characters.next() {
                Some('\n') => {}
                Some(next) => word.get_or_insert_default().push(next),
                None => word.get_or_insert_default().push('\\'),
            },
            (None, _) if it.is_ascii_whitespace() => words.extend(word.take()),
            (Some(_) | None, _) => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        for (line, words) in [
            ("cc -c a.c", vec!["cc", "-c", "a.c"]),
            ("  a\t b\n", vec!["a", "b"]),
            (r#"-DNAME=\"x\" b"#, vec![r#"-DNAME="x""#, "b"]),
            (
                r#""-DA=\"x y\"" '-DB="z"'"#,
                vec![r#"-DA="x y""#, r#"-DB="z""#],
            ),
            (r"a\ b '' c'd'e", vec!["a b", "", "cde"]),
            (r#""a\nb" 'a\n'"#, vec![r"a\nb", r"a\n"]),
            ("'open", vec!["open"]),
            ("a\\", vec!["a\\"]),
            ("", vec![]),
        ] {
            assert_eq!(split(line), words, "{line}");
        }
    }
}
