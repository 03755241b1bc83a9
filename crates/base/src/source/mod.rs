//! Source files and places in them.
//!
//! Inputs are bytes; what is no UTF-8 in them is shown as question marks, one a byte, so that offsets into the bytes
//! and into the text that is shown are the same. The places of preprocessed C are those of the file that its line
//! markers name: `lines` reads the markers, `align` finds the columns.

mod align;
mod lines;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use crate::{Arena, define_id};
use lines::{LineMap, Origin};

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

/// One input, or a file that inputs were made from, kept so that messages can show its lines.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    /// As it is shown; of the same length as the bytes.
    pub text: String,
    /// Only if they are no UTF-8.
    bytes: Option<Vec<u8>>,
    /// Byte offsets at which lines begin; the first is 0.
    line_starts: Vec<u32>,
    /// Of preprocessed text.
    origins: Option<LineMap>,
}

impl SourceFile {
    fn new(name: String, bytes: Vec<u8>) -> Self {
        let (text, bytes) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let bytes = error.into_bytes();
                (shown(&bytes), Some(bytes))
            }
        };
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes()
                    .enumerate()
                    .filter(|&(_, byte)| byte == b'\n')
                    .map(|(at, _)| u32::try_from(at + 1).expect("sources are below 4 GiB")),
            )
            .collect();
        Self {
            name,
            text,
            bytes,
            line_starts,
            origins: None,
        }
    }

    /// What the file holds.
    pub fn bytes(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// What the file says, whatever its parts are called and wherever they lie: without line markers.
    pub fn content(&self) -> Cow<'_, [u8]> {
        let Some(origins) = &self.origins else {
            return Cow::Borrowed(self.bytes());
        };
        let lines = self.bytes().split_inclusive(|byte| *byte == b'\n');
        Cow::Owned(
            (1_u32..)
                .zip(lines)
                .filter(|(number, _)| !origins.is_marker(*number))
                .flat_map(|(_, line)| line.iter().copied())
                .collect(),
        )
    }

    pub fn is_preprocessed(&self) -> bool {
        self.origins.is_some()
    }

    /// The number of the line, from one.
    fn line_at(&self, offset: u32) -> u32 {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        u32::try_from(line).unwrap_or(u32::MAX)
    }

    /// The bytes of a line, without its end.
    fn line(&self, number: u32) -> Option<std::ops::Range<usize>> {
        let start = *self.line_starts.get((number as usize).checked_sub(1)?)? as usize;
        let length = self.text[start..].lines().next().map_or(0, str::len);
        Some(start..start + length)
    }
}

/// Each byte that is no part of a character as a question mark.
fn shown(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// A place as people name it: lines and columns count from one, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All sources of a run. Every span is a place in them; those of unknown files are at the beginning of nothing.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Arena<FileId, SourceFile>,
    inputs: Vec<FileId>,
    /// What inputs were made from, by name.
    originals: BTreeMap<String, FileId>,
}

/// Where spans of files lie that are not in the map.
static NOWHERE: LazyLock<SourceFile> =
    LazyLock::new(|| SourceFile::new("<built in>".to_owned(), Vec::new()));

impl SourceMap {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an input.
    ///
    /// # Panics
    ///
    /// If it has 4 GiB or more; readers refuse such files first.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> FileId {
        let file = self.files.push(SourceFile::new(name.into(), text.into()));
        self.inputs.push(file);
        file
    }

    /// Adds an input that went through a preprocessor of C.
    ///
    /// # Panics
    ///
    /// As [`SourceMap::add`].
    pub fn add_preprocessed(
        &mut self,
        name: impl Into<String>,
        text: impl Into<Vec<u8>>,
    ) -> FileId {
        let mut file = SourceFile::new(name.into(), text.into());
        file.origins = Some(LineMap::new(&file.name, &file.text));
        let id = self.files.push(file);
        self.inputs.push(id);
        id
    }

    /// Adds a file that line markers name, so that its lines are shown.
    ///
    /// # Panics
    ///
    /// As [`SourceMap::add`].
    pub fn add_original(&mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> FileId {
        let name = name.into();
        let file = self.files.push(SourceFile::new(name.clone(), text.into()));
        self.originals.insert(name, file);
        file
    }

    /// The original of this name, if it was added.
    pub fn original(&self, name: &str) -> Option<FileId> {
        self.originals.get(name).copied()
    }

    /// What stands in a line from a column on, both counted from one, the column in bytes.
    pub fn span_at(&self, id: FileId, line: u32, column: u32) -> Option<Span> {
        let file = self.file(id);
        let line = file.line(line)?;
        let start = (line.start + (column as usize).saturating_sub(1)).min(line.end);
        Some(Span {
            file: id,
            start: u32::try_from(start).ok()?,
            end: u32::try_from(line.end).ok()?,
        })
    }

    /// The files of the user that an input was made from, as its line markers name them.
    pub fn originals_of(&self, file: FileId) -> Vec<&str> {
        match &self.file(file).origins {
            Some(origins) => origins.user_files().collect(),
            None => Vec::new(),
        }
    }

    /// Whether an input may well have been made from a text that its line markers call so: most lines begin with
    /// something that stands in the line they came from. The file of that name may be another one by now.
    pub fn resembles(&self, file: FileId, name: &str, text: &[u8]) -> bool {
        /// So many lines tell.
        const MOST: usize = 500;
        let file = self.file(file);
        let Some(origins) = &file.origins else {
            return false;
        };
        let original = String::from_utf8_lossy(text);
        let lines: Vec<&str> = original.lines().collect();
        let (mut alike, mut all) = (0_usize, 0_usize);
        let of_name = (1_u32..)
            .zip(file.text.lines())
            .filter_map(|(number, line)| Some((origins.origin(number)?, line.trim_start())))
            .filter(|(origin, line)| origin.name == name && !line.is_empty());
        for (origin, line) in of_name.take(MOST) {
            all += 1;
            let first = align::first_token(line);
            let there = (origin.line as usize)
                .checked_sub(1)
                .and_then(|it| lines.get(it));
            alike += usize::from(there.is_some_and(|it| it.contains(first)));
        }
        2 * alike >= all
    }

    pub fn file(&self, file: FileId) -> &SourceFile {
        self.files.get(file).unwrap_or(&NOWHERE)
    }

    /// Whether a span lies in some file of the run.
    pub fn knows(&self, span: Span) -> bool {
        self.files.contains(span.file)
    }

    /// The inputs.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.inputs.iter().map(|&id| (id, &self.files[id]))
    }

    /// The file whose lines places of this name count.
    pub fn named(&self, name: &str) -> Option<&SourceFile> {
        match self.originals.get(name) {
            Some(&id) => Some(&self.files[id]),
            None => self
                .files()
                .map(|(_, file)| file)
                .find(|file| file.name == name && !file.is_preprocessed()),
        }
    }

    /// Where a span begins.
    pub fn place(&self, span: Span) -> LineColumn {
        let shown = self.shown(span);
        self.place_at(shown.file, shown.start)
    }

    /// Where a span ends; where it begins, if the two lie in different files.
    pub fn end_place(&self, span: Span) -> LineColumn {
        let shown = self.shown(span);
        let start = self.place_at(shown.file, shown.start);
        let end = self.place_at(shown.file, shown.end);
        if end.file == start.file && end >= start {
            end
        } else {
            start
        }
    }

    fn place_at(&self, id: FileId, offset: u32) -> LineColumn {
        let file = self.file(id);
        let line = file.line_at(offset);
        let start = file.line_starts[line as usize - 1];
        let column = file
            .text
            .get(start as usize..offset as usize)
            .map_or(0, |before| before.chars().count());
        let origin = file.origins.as_ref().and_then(|it| it.origin(line));
        LineColumn {
            file: origin.map_or(file.name.as_str(), |it| it.name).to_owned(),
            line: origin.map_or(line, |it| it.line),
            column: u32::try_from(column + 1).unwrap_or(u32::MAX),
        }
    }

    /// The part of an original file that a span of preprocessed text stands for; the span itself where that is not
    /// known.
    pub fn shown(&self, span: Span) -> Span {
        self.stands_for(span).unwrap_or(span)
    }

    fn stands_for(&self, span: Span) -> Option<Span> {
        let file = self.file(span.file);
        let origins = file.origins.as_ref()?;
        let (first, last) = (
            file.line_at(span.start),
            file.line_at(span.end.max(span.start + 1) - 1),
        );
        let begin = origins.origin(first)?;
        let id = *self.originals.get(begin.name)?;
        let begins = self.aligned(file, origins, first, begin, span, id)?;
        let end = origins
            .origin(last)
            .filter(|end| end.name == begin.name && end.line >= begin.line)
            .and_then(|end| self.aligned(file, origins, last, end, span, id))
            .map_or(begins.end, |ends| ends.end.max(begins.end));
        Some(Span {
            file: id,
            start: begins.start,
            end,
        })
    }

    /// What of a span in a line of preprocessed text stands for what in a line of the original.
    fn aligned(
        &self,
        file: &SourceFile,
        origins: &LineMap,
        line: u32,
        origin: Origin<'_>,
        span: Span,
        id: FileId,
    ) -> Option<Span> {
        let original = &self.files[id];
        let place = original.line(origin.line)?;
        let made = pieces(file, origins, line, origin);
        let bounds = made.first()?.start..made.last()?.end;
        // Markers between the pieces become blank, so that offsets stay.
        let mut text = " ".repeat(bounds.len());
        for piece in &made {
            let at = piece.start - bounds.start..piece.end - bounds.start;
            text.replace_range(at, &file.text[piece.clone()]);
        }
        let clamp = |offset: u32| (offset as usize).clamp(bounds.start, bounds.end) - bounds.start;
        let found = align::aligned(
            &text,
            clamp(span.start)..clamp(span.end),
            &original.text[place.clone()],
        );
        Some(Span {
            file: id,
            start: u32::try_from(place.start + found.start).ok()?,
            end: u32::try_from(place.start + found.end).ok()?,
        })
    }

    /// The text of the line in which a span begins, without its end.
    pub fn line_text(&self, span: Span) -> &str {
        let shown = self.shown(span);
        let file = self.file(shown.file);
        let line = file.line(file.line_at(shown.start));
        line.and_then(|line| file.text.get(line)).unwrap_or("")
    }

    pub fn text(&self, span: Span) -> &str {
        let shown = self.shown(span);
        self.file(shown.file)
            .text
            .get(shown.start as usize..shown.end as usize)
            .unwrap_or("")
    }
}

/// The lines around `line` that came from the same one: a macro of the system breaks a line into several.
fn pieces(
    file: &SourceFile,
    origins: &LineMap,
    line: u32,
    origin: Origin<'_>,
) -> Vec<std::ops::Range<usize>> {
    let is_same = |number: &u32| match origins.origin(*number) {
        Some(it) => it == origin,
        // A marker, unless it lies before all of them.
        None => origins.is_marker(*number),
    };
    let count = u32::try_from(file.line_starts.len()).unwrap_or(u32::MAX);
    let first = (1..=line).rev().take_while(is_same).last().unwrap_or(line);
    let last = (line..=count).take_while(is_same).last().unwrap_or(line);
    (first..=last)
        .filter(|number| !origins.is_marker(*number))
        .filter_map(|number| file.line(number))
        .collect()
}

#[cfg(test)]
mod tests;
