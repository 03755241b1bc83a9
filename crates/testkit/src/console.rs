//! The `console` blocks of documents: commands after `$ `, and below each what it prints.

use std::fs;
use std::io;
use std::path::Path;

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

/// What a command of a document prints, run in the root of the repository.
///
/// # Errors
///
/// If it is neither the tool nor `cat`.
pub fn output_of(root: &Path, command: &str) -> Result<String, String> {
    if let Some(file) = command.strip_prefix("cat ") {
        return fs::read_to_string(root.join(file)).map_err(|error| format!("`{file}`: {error}"));
    }
    let arguments: Vec<&str> = command
        .strip_prefix("cargo run --release -- ")
        .or_else(|| command.strip_prefix("raddle "))
        .ok_or_else(|| format!("`{command}` does not run the tool"))?
        .split_whitespace()
        .collect();
    binary::output_of(root, &arguments)
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
