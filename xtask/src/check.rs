//! `cargo xtask check`: what no compiler sees.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use raddle_testkit::{layers, walk};

use crate::{commands, glossary, headings, hops, lookups, markdown, papers, results};

/// Folders that are not ours to check.
const SKIPPED: [&str; 3] = ["target", ".git", "benches/results"];

/// Runs every check.
///
/// # Errors
///
/// Everything that is wrong.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let root = walk::repository_root();
    let files = Files::read(&root).map_err(|error| vec![error.to_string()])?;
    let mut problems = Vec::new();
    problems.extend(layering(&root));
    problems.extend(papers::problems(&files));
    problems.extend(headings::problems(&files));
    problems.extend(lookups::problems(&files));
    problems.extend(hops::problems(&files));
    problems.extend(glossary::problems(&files));
    problems.extend(markdown::problems(&root, &files));
    problems.extend(commands::problems(&root, &files));
    problems.extend(results::problems(&root));
    if problems.is_empty() {
        println!(
            "checked {} documents and {} sources",
            files.documents.len(),
            files.sources.len()
        );
        Ok(())
    } else {
        Err(problems)
    }
}

/// The text files of the repository; names relative to its root, with `/`.
pub(crate) struct Files {
    /// Markdown.
    pub(crate) documents: Vec<(String, String)>,
    /// Rust and `.rad`.
    pub(crate) sources: Vec<(String, String)>,
}

impl Files {
    fn read(root: &Path) -> io::Result<Self> {
        let mut paths = Vec::new();
        collect(root, root, &mut paths)?;
        let mut files = Self {
            documents: Vec::new(),
            sources: Vec::new(),
        };
        for (name, path) in paths {
            let ending = path.extension().and_then(|it| it.to_str());
            let list = match ending {
                Some("md") => &mut files.documents,
                Some("rs" | "rad") => &mut files.sources,
                Some(_) | None => continue,
            };
            list.push((name, fs::read_to_string(&path)?));
        }
        Ok(files)
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|it| it.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path
            .strip_prefix(root)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if path.is_dir() {
            collect(root, &path, found)?;
        } else {
            found.push((name, path));
        }
    }
    Ok(())
}

fn layering(root: &Path) -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output();
    match output {
        Ok(output) if output.status.success() => match serde_json::from_slice(&output.stdout) {
            Ok(metadata) => layers::problems(&metadata),
            Err(error) => vec![format!("`cargo metadata` is not understood: {error}")],
        },
        Ok(output) => vec![format!("`cargo metadata` failed: {}", output.status)],
        Err(error) => vec![format!("`cargo metadata` cannot be run: {error}")],
    }
}
