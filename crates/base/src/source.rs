//! Source files and places in them.

use std::fmt;

use crate::{Arena, define_id};

define_id!(
    /// A source file of the run.
    FileId, "file"
);

/// A range of bytes of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file == other.file {
            Span {
                file: self.file,
                start: self.start.min(other.start),
                end: self.end.max(other.end),
            }
        } else {
            self
        }
    }
}

/// One input, kept so that messages can show its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub text: String,
    /// Byte offsets at which lines begin; the first is 0.
    line_starts: Vec<u32>,
}

/// A place as people name it: lines and columns count from one, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All sources of a run.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Arena<FileId, SourceFile>,
}

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    /// # Panics
    ///
    /// If the text has 4 GiB or more; readers refuse such files first.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|&(_, byte)| byte == b'\n')
                    .map(|(at, _)| u32::try_from(at + 1).expect("sources are below 4 GiB")),
            )
            .collect();
        self.files.push(SourceFile {
            name: name.into(),
            text,
            line_starts,
        })
    }

    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file]
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter()
    }

    /// Where a span begins.
    pub fn place(&self, span: Span) -> Place {
        self.place_at(span.file, span.start)
    }

    /// Where a span ends.
    pub fn end_place(&self, span: Span) -> Place {
        self.place_at(span.file, span.end)
    }

    fn place_at(&self, file: FileId, offset: u32) -> Place {
        let file = &self.files[file];
        let line = file.line_starts.partition_point(|&start| start <= offset);
        let start = file.line_starts[line - 1];
        let column = file
            .text
            .get(start as usize..offset as usize)
            .map_or(0, |before| before.chars().count());
        Place {
            file: file.name.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// The text of the line in which a span begins, without its end.
    pub fn line_text(&self, span: Span) -> &str {
        let file = &self.files[span.file];
        let line = file
            .line_starts
            .partition_point(|&start| start <= span.start);
        let start = file.line_starts[line - 1] as usize;
        file.text[start..].lines().next().unwrap_or("")
    }

    pub fn text(&self, span: Span) -> &str {
        self.files[span.file]
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.rad", "one\ntwö x\n");
        let span = Span {
            file,
            start: 9,
            end: 10,
        };
        assert_eq!(sources.place(span).to_string(), "a.rad:2:5");
        assert_eq!(sources.line_text(span), "twö x");
        assert_eq!(sources.text(span), "x");
    }

    #[test]
    fn the_end_of_a_file_is_a_place() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.rad", "one\n");
        let span = Span {
            file,
            start: 4,
            end: 4,
        };
        assert_eq!(sources.place(span).to_string(), "a.rad:2:1");
        assert_eq!(sources.line_text(span), "");
    }
}
