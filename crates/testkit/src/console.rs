//! The `console` blocks of documents: commands after `$ `, and below each what it prints.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::{binary, walk};

/// The document with what its commands print now.
///
/// # Errors
///
/// If a block does not begin with a command, or a command does not run.
pub fn rewritten(
    text: &str,
    mut print: impl FnMut(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut lines = String::new();
    let mut is_inside = false;
    let mut is_first = false;
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        if is_fence {
            is_inside = line == "```console";
            is_first = is_inside;
        }
        if is_fence || !is_inside {
            lines.push_str(line);
            lines.push('\n');
        } else if let Some(command) = line.strip_prefix("$ ") {
            is_first = false;
            lines.push_str(line);
            lines.push('\n');
            lines.push_str(&print(command)?);
        } else if is_first {
            return Err(format!("a console block begins with a command: {line}"));
        }
    }
    Ok(lines)
}

/// The first line of a document whose commands are those of a shell, in a copy of a folder that they may write to.
const IN_COPY: (&str, &str) = ("<!-- commands run in a copy of ", " -->");

/// Runs the commands of one document, one after the other.
pub struct Runner {
    root: PathBuf,
    copy: Option<PathBuf>,
}

impl Runner {
    /// # Errors
    ///
    /// If the folder that the document names cannot be copied.
    pub fn new(root: &Path, text: &str) -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let first = text.lines().next().unwrap_or_default();
        let named = first
            .strip_prefix(IN_COPY.0)
            .and_then(|it| it.strip_suffix(IN_COPY.1));
        let mut runner = Self {
            root: root.to_owned(),
            copy: None,
        };
        if let Some(folder) = named {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("raddle-console-{}-{number}", std::process::id());
            let copy = std::env::temp_dir().join(name);
            // Removed with the runner, whatever became of it.
            runner.copy = Some(copy.clone());
            copy_files(&root.join(folder), &copy)
                .map_err(|error| format!("`{folder}`: {error}"))?;
        }
        Ok(runner)
    }

    /// What a command prints.
    ///
    /// # Errors
    ///
    /// If it does not run, or is neither the tool nor `cat` and the document does not run in a copy.
    pub fn output_of(&self, command: &str) -> Result<String, String> {
        if let Some(copy) = &self.copy {
            return binary::shell_output_of(&self.root, copy, command);
        }
        if let Some(file) = command.strip_prefix("cat ") {
            return fs::read_to_string(self.root.join(file))
                .map_err(|error| format!("`{file}`: {error}"));
        }
        let arguments: Vec<&str> = command
            .strip_prefix("cargo run --release -- ")
            .or_else(|| command.strip_prefix("raddle "))
            .ok_or_else(|| format!("`{command}` does not run the tool"))?
            .split_whitespace()
            .collect();
        binary::output_of(&self.root, &arguments)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        if let Some(copy) = &self.copy {
            // What is left over lies among temporary files.
            let _ = fs::remove_dir_all(copy);
        }
    }
}

fn copy_files(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The documents for users, by their names below the root.
///
/// # Errors
///
/// If one cannot be read.
pub fn documents(root: &Path) -> io::Result<Vec<(String, String)>> {
    let mut paths = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    walk::collect(&root.join("docs"), &mut paths)?;
    paths
        .into_iter()
        .filter(|it| it.extension().is_some_and(|ending| ending == "md"))
        .map(|path| {
            let text = fs::read_to_string(&path)?;
            let name = path.strip_prefix(root).unwrap_or(&path);
            Ok((name.to_string_lossy().replace('\\', "/"), text))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_below_a_command_is_replaced() {
        let text = "a\n```console\n$ one\nold\nolder\n$ two\n```\n```text\n$ three\nold\n```\n";
        let new = rewritten(text, |command| Ok(format!("{command} prints\n"))).unwrap();
        assert_eq!(
            new,
            "a\n```console\n$ one\none prints\n$ two\ntwo prints\n```\n```text\n$ three\nold\n```\n"
        );
    }

    #[test]
    fn a_block_without_a_command_is_refused() {
        assert!(rewritten("```console\nold\n```\n", |_| Ok(String::new())).is_err());
    }
}
