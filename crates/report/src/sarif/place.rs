//! Places as SARIF names them: by URIs, with columns in characters.

use std::fmt::Write;

use raddle_base::SourceMap;
use raddle_diag::PlaceData;

use super::log::{ArtifactLocation, Location, Message, PhysicalLocation, Region};

/// A message in which nothing is a placeholder: braces are doubled (SARIF 2.1.0, 3.11.5).
pub(super) fn message(text: &str) -> Message {
    Message {
        text: text.replace('{', "{{").replace('}', "}}"),
    }
}

pub(super) fn location(place: &PlaceData, text: Option<&str>) -> Location {
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: artifact(&place.file),
            region: Region {
                start_line: place.line,
                start_column: place.column,
                end_line: place.end_line,
                end_column: place.end_column,
            },
        },
        // An empty text is none: a message has at least one character.
        message: text.filter(|it| !it.is_empty()).map(message),
    }
}

/// The beginning of the first file, for what lies nowhere: services refuse results without a place.
pub(super) fn whole_file(sources: &SourceMap, names: &[String]) -> PlaceData {
    let known = sources.files().next().map(|(_, file)| &file.name);
    PlaceData {
        file: known
            .or(names.first())
            .map_or_else(|| "program".to_owned(), Clone::clone),
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 1,
    }
}

pub(super) fn artifact(name: &str) -> ArtifactLocation {
    ArtifactLocation { uri: uri(name) }
}

/// The path of a file as a reference: relative paths stay relative.
fn uri(name: &str) -> String {
    let mut path = name.replace('\\', "/");
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.to_owned();
    }
    let has_drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes().get(2) == Some(&b'/');
    let mut text = String::new();
    if has_drive {
        text.push_str("file:///");
    } else if path.starts_with('/') {
        text.push_str("file://");
    }
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_references() {
        for (path, expected) in [
            ("examples/bank.rad", "examples/bank.rad"),
            ("./bank.rad", "bank.rad"),
            ("/models/bank.rad", "file:///models/bank.rad"),
            ("C:\\models\\bank.rad", "file:///C%3A/models/bank.rad"),
            ("my bank.rad", "my%20bank.rad"),
            ("odd:name#1.rad", "odd%3Aname%231.rad"),
            ("zähler.rad", "z%C3%A4hler.rad"),
            ("<stdin>", "%3Cstdin%3E"),
        ] {
            assert_eq!(uri(path), expected);
        }
    }

    #[test]
    fn an_empty_label_is_no_message() {
        let place = PlaceData {
            file: "bank.c".to_owned(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 2,
        };
        assert_eq!(location(&place, Some("")).message, None);
        assert!(location(&place, Some("here")).message.is_some());
    }

    #[test]
    fn braces_are_no_placeholders() {
        assert_eq!(message("atomic { x = 1 }").text, "atomic {{ x = 1 }}");
    }
}
