//! Diagnostics as people read them in a terminal: the source lines with their labels underneath.

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};
use raddle_base::{FileId, SourceMap, Span};

use crate::{Diagnostic, Label, Severity};

/// Whether the text carries escape sequences for colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    Plain,
    Styled,
}

impl Colour {
    /// The text with this escape sequence before it, if it is to be coloured.
    pub fn painted(self, text: &str, escape: &str) -> String {
        match self {
            Colour::Plain => text.to_owned(),
            Colour::Styled => format!("{escape}{text}\x1b[0m"),
        }
    }
}

/// A source line longer than this is named, not shown.
const LONGEST_LINE_SHOWN: usize = 4_000;

/// The text of a diagnostic, without a line end after it.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, colour: Colour) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(
        level
            .primary_title(diagnostic.message.as_str())
            .id(diagnostic.code),
    );
    let (labels, hidden) = diagnostic.labels_in(sources);
    for (file, labels) in by_file(&labels, sources) {
        group = group.elements(file_elements(sources, file, &labels));
    }
    let notes = hidden
        .into_iter()
        .map(|label| &label.text)
        .chain(&diagnostic.notes)
        .map(|note| Level::NOTE.message(note));
    let helps = diagnostic
        .helps
        .iter()
        .map(|help| Level::HELP.message(help));
    group = group.elements(notes.chain(helps));
    let renderer = match colour {
        Colour::Plain => Renderer::plain(),
        Colour::Styled => Renderer::styled(),
    };
    renderer.render(&[group])
}

/// A label where it is shown.
struct Shown<'a> {
    text: &'a str,
    span: Span,
    kind: AnnotationKind,
}

/// Labels of one file stand together, files in the order of their first label.
fn by_file<'a>(labels: &[&'a Label], sources: &SourceMap) -> Vec<(FileId, Vec<Shown<'a>>)> {
    let mut files: Vec<(FileId, Vec<Shown<'a>>)> = Vec::new();
    for (index, label) in labels.iter().enumerate() {
        let shown = Shown {
            text: &label.text,
            span: sources.shown(label.span),
            kind: if index == 0 {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            },
        };
        match files.iter_mut().find(|(file, _)| *file == shown.span.file) {
            Some((_, group)) => group.push(shown),
            None => files.push((shown.span.file, vec![shown])),
        }
    }
    files
}

fn file_elements<'a>(
    sources: &'a SourceMap,
    file: FileId,
    labels: &[Shown<'a>],
) -> Vec<Element<'a>> {
    let source = sources.file(file);
    let lines: Vec<Line> = labels
        .iter()
        .map(|label| Line::of(&source.text, label.span))
        .collect();
    if lines
        .iter()
        .any(|line| line.end - line.start > LONGEST_LINE_SHOWN)
    {
        return labels
            .iter()
            .flat_map(|label| origin_only(sources, label))
            .collect();
    }
    if source.is_preprocessed() && labels.len() > 1 {
        // Neighbours in the text may be far apart in the file that it came from.
        return labels
            .iter()
            .flat_map(|label| file_elements(sources, file, std::slice::from_ref(label)))
            .collect();
    }
    let start = lines.iter().map(|line| line.start).min().unwrap_or(0);
    let end = lines.iter().map(|line| line.end).max().unwrap_or(0);
    let first_line = labels
        .iter()
        .map(|label| sources.place(label.span).line)
        .min()
        .unwrap_or(1);
    // Carriage returns are left out, which moves what stands behind them.
    let text = &source.text[start..end];
    let shown = |at: usize| at - start - text[..at - start].matches("\r\n").count();
    let annotations = labels.iter().zip(&lines).map(|(label, line)| {
        label
            .kind
            .span(shown(line.span_start)..shown(line.span_end))
            .label(label.text)
    });
    let path = labels.first().map_or_else(
        || source.name.clone(),
        |label| sources.place(label.span).file,
    );
    let snippet: Snippet<'_, Annotation<'_>> = Snippet::source(text.replace("\r\n", "\n"))
        .path(path)
        .line_start(first_line as usize)
        .fold(true)
        .annotations(annotations);
    vec![snippet.into()]
}

/// For lines that no terminal shows well.
fn origin_only<'a>(sources: &SourceMap, label: &Shown<'a>) -> Vec<Element<'a>> {
    let place = sources.place(label.span);
    let origin = Origin::path(place.file)
        .line(place.line as usize)
        .char_column(place.column as usize);
    vec![origin.into(), Level::NOTE.message(label.text).into()]
}

/// The line in which a span begins, and what of the span lies in it, as byte offsets into the file.
struct Line {
    start: usize,
    end: usize,
    span_start: usize,
    span_end: usize,
}

impl Line {
    fn of(text: &str, span: Span) -> Self {
        let span_start = floor_boundary(text, span.start as usize);
        let start = text[..span_start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[span_start..]
            .find('\n')
            .map_or(text.len(), |at| span_start + at);
        let end = if text[start..end].ends_with('\r') {
            end - 1
        } else {
            end
        };
        let span_start = span_start.min(end);
        let span_end = floor_boundary(text, span.end as usize).clamp(span_start, end);
        Self {
            start,
            end,
            span_start,
            span_end,
        }
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&it| text.is_char_boundary(it))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> (SourceMap, FileId) {
        let mut sources = SourceMap::new();
        let file = sources.add("bank.rad", "var x: u8\n\nthread t {\n    x = 1\n}\n");
        (sources, file)
    }

    fn span(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    #[test]
    fn labels_stand_under_their_source_lines() {
        let (sources, file) = sources();
        let diagnostic = Diagnostic::error("race", "`x` is written and read at the same time")
            .at(span(file, 26, 31), "written by thread `t`")
            .at(span(file, 4, 5), "declared here")
            .note("1 step")
            .help("take a lock");
        let text = render(&diagnostic, &sources, Colour::Plain);
        let expected = "\
error[race]: `x` is written and read at the same time
 --> bank.rad:4:5
  |
1 | var x: u8
  |     - declared here
...
4 |     x = 1
  |     ^^^^^ written by thread `t`
  |
  = note: 1 step
  = help: take a lock";
        assert_eq!(text, expected);
    }

    #[test]
    fn carriage_returns_at_the_ends_of_lines_are_not_shown() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.rad", "var x: u8\r\nvar y: u8\r\nthread t { x = 1 }\r\n");
        let diagnostic = Diagnostic::error("race", "m")
            .at(span(file, 33, 38), "written")
            .at(span(file, 4, 5), "declared here");
        let expected = "\
error[race]: m
 --> a.rad:3:12
  |
1 | var x: u8
  |     - declared here
2 | var y: u8
3 | thread t { x = 1 }
  |            ^^^^^ written";
        assert_eq!(render(&diagnostic, &sources, Colour::Plain), expected);
    }

    #[test]
    fn a_span_over_several_lines_is_shown_by_its_first() {
        let (sources, file) = sources();
        let diagnostic = Diagnostic::error("race", "m").at(span(file, 11, 33), "here");
        let text = render(&diagnostic, &sources, Colour::Plain);
        assert!(
            text.contains("thread t {") && !text.contains("x = 1"),
            "{text}"
        );
    }

    #[test]
    fn a_span_past_the_end_does_no_harm() {
        let (sources, file) = sources();
        let diagnostic = Diagnostic::error("syntax", "m").at(span(file, 900, 901), "here");
        assert!(render(&diagnostic, &sources, Colour::Plain).contains("here"));
    }

    #[test]
    fn a_very_long_line_is_named_but_not_shown() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.rad", "(".repeat(1 << 20));
        let diagnostic = Diagnostic::error("syntax", "m").at(span(file, 700, 701), "too deep");
        let text = render(&diagnostic, &sources, Colour::Plain);
        assert!(text.contains("a.rad:1:701") && text.len() < 1000, "{text}");
    }

    #[test]
    fn preprocessed_text_is_shown_as_the_file_it_came_from() {
        let mut sources = SourceMap::new();
        let text = "# 1 \"t.c\"\nint x;\n# 40 \"t.c\"\nint y = 2 + 3;\n";
        let file = sources.add_preprocessed("t.c", text);
        let at = |part: &str| {
            let start = u32::try_from(text.find(part).unwrap()).unwrap();
            span(file, start, start + u32::try_from(part.len()).unwrap())
        };
        let diagnostic = Diagnostic::error("c", "odd")
            .at(at("2 + 3"), "five")
            .at(at("x"), "not used");
        let expected = "\
error[c]: odd
  --> t.c:40:9
   |
40 | int y = 2 + 3;
   |         ^^^^^ five
   |
  ::: t.c:1:5
   |
 1 | int x;
   |     - not used";
        assert_eq!(render(&diagnostic, &sources, Colour::Plain), expected);
        let blank = "// nothing\n".repeat(36);
        sources.add_original(
            "t.c",
            format!("int x;\n\n{blank}#define FIVE 2 + 3\nint  y = FIVE ;\n"),
        );
        let expected = "\
error[c]: odd
  --> t.c:40:10
   |
 1 | int x;
   |     - not used
...
40 | int  y = FIVE ;
   |          ^^^^ five";
        assert_eq!(render(&diagnostic, &sources, Colour::Plain), expected);
    }
}
