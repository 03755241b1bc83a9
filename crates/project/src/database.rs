//! `compile_commands.json`: the commands of a build, as `CMake`, meson, ninja, bear and others write them.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::command::{CompilerCommand, PartKind, without_wrappers};
use crate::shell::split;

/// How the file is called.
pub const DATABASE: &str = "compile_commands.json";

/// How one unit in C is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where the compiler runs.
    pub folder: PathBuf,
    /// Seen from there.
    pub file: String,
    pub output: Option<String>,
    /// Nothing: the usual one.
    pub compiler: Vec<String>,
    /// What the compiler is told of the unit, but for names of files.
    pub words: Vec<String>,
}

#[derive(Deserialize)]
struct Raw {
    directory: Option<String>,
    file: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: String,
    output: Option<String>,
}

/// What is wrong with a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseError(String);

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The units in C that a database lists, in its order; `folder` is its own, for entries that name none. Sources of other
/// languages are told apart by the second list.
///
/// # Errors
///
/// If it is not of this form.
pub fn read_database(
    text: &str,
    folder: &Path,
) -> Result<(Vec<Entry>, Vec<String>), DatabaseError> {
    let raw: Vec<Raw> =
        serde_json::from_str(text).map_err(|error| DatabaseError(error.to_string()))?;
    let (mut entries, mut others) = (Vec::new(), Vec::new());
    for (index, raw) in raw.into_iter().enumerate() {
        let wrong = |what: &str| DatabaseError(format!("entry {index} has no `{what}`"));
        let file = raw.file.ok_or_else(|| wrong("file"))?;
        let all = if raw.arguments.is_empty() {
            split(&raw.command)
        } else {
            raw.arguments
        };
        if all.is_empty() {
            return Err(wrong("command"));
        }
        let folder = folder.join(raw.directory.unwrap_or_default());
        let all = with_response_files(all, &folder, &mut 0).map_err(DatabaseError)?;
        let (compiler, words) = without_wrappers(&all);
        let command = CompilerCommand::new(words);
        // What is compiled with it goes by the options before it.
        let is_it = |name: &str| name == file || folder.join(name) == folder.join(&file);
        let kind = command
            .parts
            .iter()
            .find(|it| is_it(&it.name))
            .map(|it| it.kind);
        let ends_as_c = Path::new(&file).extension().is_some_and(|it| it == "c");
        if kind == Some(PartKind::C) || kind.is_none() && ends_as_c {
            entries.push(Entry {
                output: raw.output.or_else(|| command.output.clone()),
                words: command.words_of_text(),
                folder,
                file,
                compiler,
            });
        } else {
            others.push(file);
        }
    }
    Ok((entries, others))
}

/// So many files of options may be read for one command.
const MOST_FILES: u32 = 64;

/// The words, with those that stand in files in place of `@FILE`.
fn with_response_files(
    words: Vec<String>,
    folder: &Path,
    read: &mut u32,
) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for word in words {
        let Some(name) = word.strip_prefix('@') else {
            all.push(word);
            continue;
        };
        *read += 1;
        if *read > MOST_FILES {
            return Err(format!("`{word}`: files of options name one another"));
        }
        let text = std::fs::read_to_string(folder.join(name))
            .map_err(|error| format!("`{word}`: {error}"))?;
        all.extend(with_response_files(split(&text), folder, read)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_of_commands_are_read() {
        let text = r#"[
            {"directory": "/p/build", "command": "/usr/bin/cc -DX=\\\"y\\\" -Iinc -o a.c.o -c /p/a.c", "file": "/p/a.c"},
            {"directory": "sub", "arguments": ["ccache", "gcc", "-c", "b.c"], "file": "b.c", "output": "b.o"},
            {"directory": "/p", "command": "g++ -c c.cpp", "file": "c.cpp"}
        ]"#;
        let (entries, others) = read_database(text, Path::new("/q")).unwrap();
        assert_eq!(others, ["c.cpp"]);
        assert_eq!(entries[0].words, [r#"-DX="y""#, "-Iinc"]);
        assert_eq!(entries[0].output.as_deref(), Some("a.c.o"));
        assert_eq!(entries[0].compiler, ["/usr/bin/cc"]);
        assert_eq!(entries[1].folder, Path::new("/q/sub"));
        assert_eq!(entries[1].compiler, ["gcc"]);
        assert_eq!(entries[1].output.as_deref(), Some("b.o"));
        assert!(entries[1].words.is_empty());
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str| read_database(text, Path::new("/")).unwrap_err().to_string();
        assert!(wrong("{}").contains("sequence"));
        assert_eq!(
            wrong(r#"[{"command": "cc -c a.c"}]"#),
            "entry 0 has no `file`"
        );
        assert_eq!(wrong(r#"[{"file": "a.c"}]"#), "entry 0 has no `command`");
        assert!(wrong(r#"[{"file": "a.c", "command": "cc @none"}]"#).contains("`@none`"));
    }
}
