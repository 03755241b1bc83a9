//! Names of violations that stay the same while the program does.

use raddle_base::SourceMap;
use raddle_diag::{Diagnostic, PlaceData};
use raddle_ir::interpret::Property;
use raddle_witness::fingerprint;

/// Another one for another violation, the same while the message and the text of its lines are: lines may move.
pub(crate) fn fingerprint_of(
    property: Property,
    diagnostic: &Diagnostic,
    sources: &SourceMap,
) -> String {
    let labels = diagnostic.labels.iter();
    let mut lines: Vec<String> = labels
        .filter(|it| sources.knows(it.span))
        .map(|it| {
            let file = PlaceData::new(it.span, sources).file;
            let text = sources.line_text(it.span).trim();
            format!("{file}: {text}")
        })
        .collect();
    // Which of two threads comes first may be another one next time.
    lines.sort_unstable();
    let text = format!("{property}\n{}\n{}", diagnostic.message, lines.join("\n"));
    fingerprint(text.as_bytes())
}
