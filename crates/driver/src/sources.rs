//! The sources of a program, wherever they come from.

use std::path::{Path, PathBuf};

use raddle_base::{FileId, SourceMap};
use raddle_diag::Diagnostic;

use crate::load::read_bytes;

/// What the source on standard input is called.
pub const STDIN_NAME: &str = "<stdin>";

/// Where a part of the program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    File(PathBuf),
    /// What was read from standard input.
    Typed(Vec<u8>),
}

impl Input {
    /// What reports call it.
    pub fn name(&self) -> String {
        match self {
            Input::File(path) => path.display().to_string(),
            Input::Typed(_) => STDIN_NAME.to_owned(),
        }
    }
}

/// The sources of a program, and what whoever made them warns of.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub map: SourceMap,
    pub warnings: Vec<Diagnostic>,
}

impl From<SourceMap> for Sources {
    fn from(map: SourceMap) -> Self {
        Self {
            map,
            warnings: Vec::new(),
        }
    }
}

/// Reads the files that line markers name, as far as they are there; the others are shown as they came.
pub(crate) fn add_originals(file: FileId, sources: &mut SourceMap) {
    let names: Vec<String> = sources
        .originals_of(file)
        .into_iter()
        .filter(|name| sources.original(name).is_none())
        .map(str::to_owned)
        .collect();
    for name in names {
        let path = Path::new(&name);
        // Anything but a file could keep us waiting.
        if path.is_file()
            && let Ok(bytes) = std::fs::File::open(path).and_then(read_bytes)
            && sources.resembles(file, &name, &bytes)
        {
            sources.add_original(name, bytes);
        }
    }
}
