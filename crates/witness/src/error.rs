//! What can be wrong with a trace file.

use std::fmt;

use crate::VERSION;

#[derive(Debug)]
pub enum ReadError {
    NotJson(serde_json::Error),
    OtherVersion {
        found: u32,
    },
    /// The program is not the one the trace was recorded from.
    OtherSource {
        name: String,
    },
    UnknownFunction {
        name: String,
    },
    UnknownEdge {
        function: String,
        edge: usize,
    },
    UnknownProperty {
        name: String,
    },
    BadChoice {
        text: String,
    },
    /// More than any run allows; a replay that believed it might never end.
    TooManyChoices {
        found: u64,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotJson(_) => f.write_str("the trace file is not in the expected form"),
            ReadError::OtherVersion { found } => write!(
                f,
                "the trace file has version {found}; this version of raddle reads {VERSION}"
            ),
            ReadError::OtherSource { name } => {
                write!(f, "`{name}` has changed since the trace was recorded")
            }
            ReadError::UnknownFunction { name } => {
                write!(f, "the program has no function `{name}`")
            }
            ReadError::UnknownEdge { function, edge } => {
                write!(f, "function `{function}` has no edge {edge}")
            }
            ReadError::UnknownProperty { name } => write!(f, "there is no property `{name}`"),
            ReadError::BadChoice { text } => write!(f, "`{text}` is not a choice"),
            ReadError::TooManyChoices { found } => {
                write!(f, "no run allows {found} choices at a step")
            }
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::NotJson(error) => Some(error),
            ReadError::OtherVersion { .. }
            | ReadError::OtherSource { .. }
            | ReadError::UnknownFunction { .. }
            | ReadError::UnknownEdge { .. }
            | ReadError::UnknownProperty { .. }
            | ReadError::BadChoice { .. }
            | ReadError::TooManyChoices { .. } => None,
        }
    }
}
