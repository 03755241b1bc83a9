//! Finds the test programs: by walking the tree, there are no lists.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::header::{self, Header};

/// A program with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestProgram {
    /// Relative to the root of the repository, with `/`; with `:line` for a block of a document.
    pub name: String,
    pub source: String,
    /// `None` for a block of a document.
    pub path: Option<PathBuf>,
    /// The rendered report beside the program, where somebody wants to see it.
    pub human: Option<(PathBuf, String)>,
}

impl TestProgram {
    /// What its header says, with the language among the options.
    ///
    /// # Errors
    ///
    /// What is wrong with the header.
    pub fn header(&self) -> Result<Header, String> {
        let mut header = header::parse(&self.source).map_err(|error| error.to_string())?;
        if let Some(path) = self.path.as_deref().filter(|it| is_c(it)) {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            header
                .options
                .extend(["--language".to_owned(), ending.into_owned()]);
        }
        Ok(header)
    }

    pub fn is_c(&self) -> bool {
        self.path.as_deref().is_some_and(is_c)
    }

    /// Whether a C compiler must preprocess it.
    pub fn needs_compiler(&self) -> bool {
        self.path
            .as_deref()
            .and_then(Path::extension)
            .is_some_and(|it| it == "c")
    }
}

fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "c" || it == "i")
}

/// The folders that hold programs.
pub const FOLDERS: [&str; 2] = ["tests", "examples"];

/// The endings of programs.
const ENDINGS: [&str; 3] = [".rad", ".c", ".i"];

/// Programs that gcc says the truth about, in a test of their own.
const MEANING: &str = "tests/c/meaning/";

/// Libraries and their tests, of which no file is a program; `docs/testing.md` and `docs/tutorial-c.md` run them.
const LIBRARIES: [&str; 2] = ["examples/queue/", "examples/pool/"];

/// The ending of rendered reports.
const HUMAN: &str = ".human.txt";

/// The ending of trace files that some reader choked on once.
const TRACE: &str = ".trace.json";

/// The ending of files of automata about a program.
const AUTOMATA: &str = ".phases";

/// The root of the repository, for tests and tools that are run by cargo.
pub fn repository_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("crates/testkit lies two folders below the root")
        .to_owned()
}

/// Every program below [`FOLDERS`], in the order of names.
///
/// # Errors
///
/// If a file cannot be read, or if a file is neither a program nor belongs to one: a typing mistake in its name
/// would else hide a test.
pub fn programs(root: &Path) -> io::Result<Vec<TestProgram>> {
    let mut programs = Vec::new();
    for folder in FOLDERS {
        let mut files = Vec::new();
        collect(&root.join(folder), &mut files)?;
        for path in &files {
            let name = path
                .strip_prefix(root)
                .unwrap_or(path)
                .to_string_lossy()
                .replace('\\', "/");
            let is_library = LIBRARIES.iter().any(|it| name.starts_with(it));
            if is_c(path) && name.starts_with(MEANING) || is_library {
                continue;
            }
            if let Some(program) = ENDINGS.iter().find_map(|it| name.strip_suffix(it)) {
                let human = root.join(format!("{program}{HUMAN}"));
                programs.push(TestProgram {
                    source: fs::read_to_string(path)?,
                    human: if files.contains(&human) {
                        Some((human.clone(), fs::read_to_string(&human)?))
                    } else {
                        None
                    },
                    path: Some(path.clone()),
                    name,
                });
            } else if let Some(program) = name.strip_suffix(HUMAN) {
                let is_program = |it: &str| files.contains(&root.join(format!("{program}{it}")));
                if !ENDINGS.iter().any(|it| is_program(it)) {
                    return Err(misplaced(
                        &name,
                        "there is no program of that name beside it",
                    ));
                }
            } else if let Some(program) = name
                .strip_suffix(TRACE)
                .or_else(|| name.strip_suffix(AUTOMATA))
            {
                if !files.contains(&root.join(format!("{program}.rad"))) {
                    return Err(misplaced(
                        &name,
                        "there is no program of that name beside it",
                    ));
                }
            } else if path
                .extension()
                .is_none_or(|it| it != "md" && it != "input")
            {
                return Err(misplaced(
                    &name,
                    "only .rad, .c, .i, .human.txt, .trace.json, .phases, .input and .md belong there",
                ));
            }
        }
    }
    Ok(programs)
}

/// What some reader choked on once: bytes that end in `.input`, and trace files with the program beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub bytes: Vec<u8>,
    /// The text of the program that a trace file belongs to.
    pub program: Option<String>,
}

/// Every such file below `tests`, in the order of names.
///
/// # Errors
///
/// If a file cannot be read.
pub fn inputs(root: &Path) -> io::Result<Vec<Input>> {
    let mut files = Vec::new();
    collect(&root.join("tests"), &mut files)?;
    let mut inputs = Vec::new();
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let program = match name.strip_suffix(TRACE) {
            Some(program) => Some(fs::read_to_string(format!("{program}.rad"))?),
            None if path.extension().is_some_and(|it| it == "input") => None,
            None => continue,
        };
        inputs.push(Input {
            bytes: fs::read(&path)?,
            name,
            program,
        });
    }
    Ok(inputs)
}

fn misplaced(name: &str, why: &str) -> io::Error {
    io::Error::other(format!("`{name}` is not understood: {why}"))
}

/// All files below a folder, in the order of names.
///
/// # Errors
///
/// If a folder cannot be read.
pub fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// The blocks marked `rad` of a Markdown file, as programs.
pub fn blocks(document: &str, text: &str) -> Vec<TestProgram> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut open {
            None if line.trim_end() == "```rad" => open = Some((index + 2, String::new())),
            None => {}
            Some(_) if line.trim_end() == "```" => {
                let (first, source) = open.take().expect("a block is open");
                found.push(TestProgram {
                    name: format!("{document}:{first}"),
                    source,
                    path: None,
                    human: None,
                });
            }
            Some((_, source)) => {
                source.push_str(line);
                source.push('\n');
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_marked_rad_are_found_with_their_line() {
        let text = "# Title\n```rad\nvar x: u8\n\nthread t { }\n```\ntext\n```text\nnot this\n```\n```rad\n```\n";
        let blocks = blocks("docs/language.md", text);
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].name, "docs/language.md:3");
        assert_eq!(blocks[0].source, "var x: u8\n\nthread t { }\n");
        assert_eq!(blocks[1].name, "docs/language.md:12");
    }

    #[test]
    fn the_walk_finds_the_programs_of_the_repository() {
        let programs = programs(&repository_root()).unwrap();
        assert!(
            programs
                .iter()
                .any(|it| it.name == "examples/papers/sc-barrier.rad")
        );
        assert!(
            programs.is_sorted_by_key(|it| FOLDERS.iter().position(|f| it.name.starts_with(f)))
        );
    }
}
