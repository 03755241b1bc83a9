//! Which line of which file a line of preprocessed C came from, as its line markers say.

/// The origins of the lines of one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LineMap {
    /// Files that markers name, each once.
    names: Vec<Name>,
    /// In the order of the text.
    stretches: Vec<Stretch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    text: String,
    /// Whether some marker names it without saying that it belongs to the system.
    is_users: bool,
}

/// Lines that follow a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    /// The line of the marker in the text, from one.
    marker: u32,
    name: usize,
    /// The number of the line after the marker.
    line: u32,
}

/// A line of an original file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin<'a> {
    pub(super) name: &'a str,
    pub(super) line: u32,
}

impl LineMap {
    /// `name` is the file that lines before the first marker belong to.
    pub(super) fn new(name: &str, text: &str) -> Self {
        let mut map = Self::default();
        for (number, line) in (1_u32..).zip(text.lines()) {
            let Some(marker) = marker(line) else {
                continue;
            };
            let name = match (marker.name, map.stretches.last()) {
                (Some(name), _) => map.name(name, !marker.is_system),
                (None, Some(last)) => last.name,
                (None, None) => map.name(name.to_owned(), true),
            };
            map.stretches.push(Stretch {
                marker: number,
                name,
                line: marker.line,
            });
        }
        map
    }

    fn name(&mut self, text: String, is_users: bool) -> usize {
        let known = self.names.iter().position(|it| it.text == text);
        let index = known.unwrap_or_else(|| {
            let is_users = false;
            self.names.push(Name { text, is_users });
            self.names.len() - 1
        });
        self.names[index].is_users |= is_users;
        index
    }

    /// The files that hold code of the user, in the order of their first line.
    pub(super) fn user_files(&self) -> impl Iterator<Item = &str> {
        self.names
            .iter()
            .filter(|it| it.is_users && !it.text.starts_with('<'))
            .map(|it| it.text.as_str())
    }

    /// Where a line came from; `None` before the first marker, and for markers themselves.
    pub(super) fn origin(&self, line: u32) -> Option<Origin<'_>> {
        let after = self
            .stretches
            .partition_point(|stretch| stretch.marker <= line);
        let stretch = self.stretches[..after].last()?;
        (line > stretch.marker).then(|| Origin {
            name: &self.names[stretch.name].text,
            line: stretch.line.saturating_add(line - stretch.marker - 1),
        })
    }

    pub(super) fn is_marker(&self, line: u32) -> bool {
        self.stretches
            .binary_search_by_key(&line, |stretch| stretch.marker)
            .is_ok()
    }
}

struct Marker {
    line: u32,
    name: Option<String>,
    is_system: bool,
}

/// Reads `# 12 "file.c" 3 4` or `#line 12 "file.c"`.
fn marker(line: &str) -> Option<Marker> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = match rest.strip_prefix("line") {
        Some(after) if after.starts_with([' ', '\t']) => after.trim_start(),
        Some(_) => return None,
        None => rest,
    };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let number = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim_start();
    if rest.is_empty() {
        return Some(Marker {
            line: number,
            name: None,
            is_system: false,
        });
    }
    let (name, flags) = quoted(rest)?;
    Some(Marker {
        line: number,
        name: Some(name),
        is_system: flags.split_whitespace().any(|flag| flag == "3"),
    })
}

/// A string literal of C without its quotes and escapes, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let bytes = inner.as_bytes();
    let mut name = Vec::new();
    let mut at = 0;
    loop {
        match *bytes.get(at)? {
            b'"' => break,
            b'\\' => {
                let octal = bytes[at + 1..]
                    .iter()
                    .take(3)
                    .take_while(|it| (b'0'..=b'7').contains(*it))
                    .count();
                if octal > 0 {
                    let value = u32::from_str_radix(&inner[at + 1..=at + octal], 8).ok()?;
                    name.push(u8::try_from(value).ok()?);
                    at += 1 + octal;
                } else {
                    name.push(*bytes.get(at + 1)?);
                    at += 2;
                }
            }
            byte => {
                name.push(byte);
                at += 1;
            }
        }
    }
    Some((
        String::from_utf8_lossy(&name).into_owned(),
        &inner[at + 1..],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_all_forms_are_read() {
        let text = "before\n# 1 \"a b\\\\\\\"\\303\\244.c\"\none\ntwo\n# 7 \"/usr/h.h\" 1 3 4\nseven\n#line 9\nnine\n# 3 \"b.c\" 2\nthree\n#pragma pack(1)\n#liner\n";
        let map = LineMap::new("x.i", text);
        let origins: Vec<Option<(&str, u32)>> = (1..=12)
            .map(|line| map.origin(line).map(|it| (it.name, it.line)))
            .collect();
        let name = "a b\\\"ä.c";
        assert_eq!(
            origins,
            [
                None,
                None,
                Some((name, 1)),
                Some((name, 2)),
                None,
                Some(("/usr/h.h", 7)),
                None,
                Some(("/usr/h.h", 9)),
                None,
                Some(("b.c", 3)),
                Some(("b.c", 4)),
                Some(("b.c", 5)),
            ]
        );
        assert_eq!(map.user_files().collect::<Vec<_>>(), [name, "b.c"]);
        assert!(map.is_marker(2) && !map.is_marker(3));
    }

    #[test]
    fn broken_markers_are_none() {
        for line in [
            "# ",
            "# x",
            "# 1 a.c",
            "# 1 \"a.c",
            "# 99999999999 \"a\"",
            "# 1 \"\\777\"",
            "#12 \"a\\",
        ] {
            assert!(marker(line).is_none(), "{line}");
        }
    }
}
