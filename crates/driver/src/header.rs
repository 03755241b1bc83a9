//! The header of tests, `raddle.h`, for a program whose compiler does not find it.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use raddle_base::{FileId, SourceMap};
use raddle_front_c::library::HEADER;

/// How programs include it.
const NAME: &str = "raddle.h";
/// Where reports say that it lies.
const SHOWN: &str = "<raddle>/raddle.h";

/// Makes its lines known, once.
pub(crate) fn add_header(sources: &mut SourceMap) {
    if sources.original(SHOWN).is_none() {
        sources.add_original(SHOWN, HEADER.as_bytes().to_vec());
    }
}

/// The same if a text was made from it.
pub(crate) fn add_header_of(file: FileId, sources: &mut SourceMap) {
    if sources.originals_of(file).contains(&SHOWN) {
        add_header(sources);
    }
}

/// Whether this is what a compiler says that does not find it, as gcc and clang do.
pub(crate) fn is_missing(message: &str) -> bool {
    [
        "raddle.h: No such file or directory",
        "'raddle.h' file not found",
    ]
    .contains(&message)
}

/// A folder that holds nothing but the header, as long as this lives.
pub struct HeaderFolder(PathBuf);

impl HeaderFolder {
    /// # Errors
    ///
    /// If there is no room for it among the temporary files.
    pub fn new() -> io::Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("raddle-{}-{number}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            // Whoever made a folder of this name before could have put anything into it.
            match DirBuilder::new().mode(0o700).create(&folder) {
                Ok(()) => {
                    let made = Self(folder);
                    fs::write(made.0.join(NAME), HEADER)?;
                    return Ok(made);
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The text with another name for the header, which does not change from run to run.
    pub(crate) fn renamed(&self, text: &[u8]) -> Vec<u8> {
        let made = format!("\"{}\"", self.0.join(NAME).display());
        let shown = format!("\"{SHOWN}\"");
        let mut renamed = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let at = line.starts_with(b"# ").then(|| find(line, made.as_bytes()));
            match at.flatten() {
                Some(at) => {
                    renamed.extend_from_slice(&line[..at]);
                    renamed.extend_from_slice(shown.as_bytes());
                    renamed.extend_from_slice(&line[at + made.len()..]);
                }
                None => renamed.extend_from_slice(line),
            }
        }
        renamed
    }
}

impl Drop for HeaderFolder {
    fn drop(&mut self) {
        // What is left over lies among temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|it| it == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_markers_get_the_name_that_does_not_change() {
        let folder = HeaderFolder::new().expect("there are temporary files");
        let path = folder.path().join(NAME);
        let path = path.display();
        let text = format!("# 1 \"{path}\" 1 3\nchar *a = \"{path}\";\n");
        let renamed = String::from_utf8(folder.renamed(text.as_bytes())).expect("it was text");
        assert_eq!(
            renamed,
            format!("# 1 \"<raddle>/raddle.h\" 1 3\nchar *a = \"{path}\";\n")
        );
    }

    #[test]
    fn a_folder_is_gone_with_its_owner() {
        let folder = HeaderFolder::new().expect("there are temporary files");
        let path = folder.path().to_owned();
        assert!(path.join(NAME).is_file());
        drop(folder);
        assert!(!path.exists());
    }
}
