//! Units after the preprocessor, as `raddle cc` leaves them in object files and beside programs.
//!
//! A record is a line of JSON, then so many bytes of text as it says, then the end of a line. Linkers put sections of the same
//! name one after the other, so records stand one after the other, with zeros between them at most.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The version of the form. Another one is not read.
const VERSION: u32 = 1;

/// A unit in C.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// Seen from the folder.
    pub file: String,
    pub folder: String,
    /// What the compiler was told, but for names of files: some of it changes what the text means.
    pub words: Vec<String>,
    #[serde(skip)]
    pub text: Vec<u8>,
}

/// A part of a program whose text nobody has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Foreign {
    pub name: String,
    /// As in: it is not in C.
    pub why: String,
}

/// What belongs to one object, library or program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linked {
    pub units: Vec<Unit>,
    pub foreign: Vec<Foreign>,
    /// What linkers were told.
    pub words: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    raddle: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unit: Option<Unit>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    foreign: Vec<Foreign>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    words: Vec<String>,
    bytes: usize,
}

/// Why records cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// They are of this version.
    OtherVersion(u32),
    Damaged,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::OtherVersion(version) => {
                write!(
                    f,
                    "it is of version {version}, and version {VERSION} is read"
                )
            }
            RecordError::Damaged => {
                f.write_str("it is not what `raddle cc` writes, or not all of it")
            }
        }
    }
}

/// Appends the record of a unit.
pub fn write_unit(unit: &Unit, to: &mut Vec<u8>) {
    write(
        &Head {
            raddle: VERSION,
            unit: Some(unit.clone()),
            foreign: Vec::new(),
            words: Vec::new(),
            bytes: unit.text.len(),
        },
        &unit.text,
        to,
    );
}

/// Appends what else was linked; nothing if there is nothing to say.
pub fn write_link(foreign: &[Foreign], words: &[String], to: &mut Vec<u8>) {
    if !foreign.is_empty() || !words.is_empty() {
        let head = Head {
            raddle: VERSION,
            unit: None,
            foreign: foreign.to_vec(),
            words: words.to_vec(),
            bytes: 0,
        };
        write(&head, &[], to);
    }
}

fn write(head: &Head, text: &[u8], to: &mut Vec<u8>) {
    let line = serde_json::to_string(head).expect("strings and numbers become JSON");
    to.extend_from_slice(line.as_bytes());
    to.push(b'\n');
    to.extend_from_slice(text);
    to.push(b'\n');
}

/// Reads all records; a unit that stands there twice was linked twice and is one.
///
/// # Errors
///
/// If they are not of this form.
pub fn read_records(bytes: &[u8]) -> Result<Linked, RecordError> {
    let mut linked = Linked::default();
    let mut rest = bytes;
    loop {
        let zeros = rest.iter().take_while(|it| **it == 0).count();
        rest = &rest[zeros..];
        if rest.is_empty() {
            return Ok(linked);
        }
        let end = rest
            .iter()
            .position(|it| *it == b'\n')
            .ok_or(RecordError::Damaged)?;
        let line = &rest[..end];
        let head: Head = serde_json::from_slice(line).map_err(|_| other_version(line))?;
        if head.raddle != VERSION {
            return Err(RecordError::OtherVersion(head.raddle));
        }
        let text = rest
            .get(end + 1..)
            .and_then(|it| it.get(..head.bytes))
            .ok_or(RecordError::Damaged)?;
        rest = &rest[end + 1 + head.bytes..];
        rest = rest.strip_prefix(b"\n").ok_or(RecordError::Damaged)?;
        if let Some(mut unit) = head.unit {
            unit.text = text.to_vec();
            if !linked.units.contains(&unit) {
                linked.units.push(unit);
            }
        }
        for foreign in head.foreign {
            if !linked.foreign.contains(&foreign) {
                linked.foreign.push(foreign);
            }
        }
        linked.words.extend(head.words);
    }
}

fn other_version(line: &[u8]) -> RecordError {
    #[derive(Deserialize)]
    struct Any {
        raddle: u32,
    }
    match serde_json::from_slice::<Any>(line) {
        Ok(any) if any.raddle != VERSION => RecordError::OtherVersion(any.raddle),
        Ok(_) | Err(_) => RecordError::Damaged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(file: &str, text: &[u8]) -> Unit {
        Unit {
            file: file.to_owned(),
            folder: "/p".to_owned(),
            words: vec!["-DX".to_owned()],
            text: text.to_vec(),
        }
    }

    #[test]
    fn what_was_written_is_read_whatever_linkers_put_between() {
        let (a, b) = (
            unit("a.c", b"int a;\n\xff{\"raddle\":9}\n"),
            unit("b.c", b""),
        );
        let foreign = [Foreign {
            name: "c.S".to_owned(),
            why: "it is not in C".to_owned(),
        }];
        let mut bytes = Vec::new();
        write_unit(&a, &mut bytes);
        bytes.extend([0, 0, 0]);
        write_unit(&b, &mut bytes);
        write_link(&foreign, &["-lm".to_owned()], &mut bytes);
        write_link(&[], &[], &mut bytes);
        write_unit(&a, &mut bytes);
        let linked = read_records(&bytes).unwrap();
        assert_eq!(linked.units, [a, b]);
        assert_eq!(linked.foreign, foreign);
        assert_eq!(linked.words, ["-lm"]);
    }

    #[test]
    fn what_is_damaged_is_no_program() {
        let mut bytes = Vec::new();
        write_unit(&unit("a.c", b"int a;"), &mut bytes);
        for end in 1..bytes.len() {
            assert_eq!(
                read_records(&bytes[..end]),
                Err(RecordError::Damaged),
                "{end}"
            );
        }
        assert_eq!(
            read_records(b"{\"raddle\":7,\"new\":1}\n\n"),
            Err(RecordError::OtherVersion(7))
        );
    }
}
