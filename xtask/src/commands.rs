//! The commands in the documents are commands that exist, with options and files that exist.
//!
//! Commands are the lines of blocks marked `sh`, those after `$ ` in blocks marked `console`, the lines of `yaml`
//! blocks that run the tool or cargo, and what stands in backticks and begins with `raddle` or `cargo xtask`. Whether
//! what follows in a `console` block is what the tool prints is tested in `testkit`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use clap::CommandFactory as _;
use raddle_testkit::binary;

use crate::arguments::Arguments;
use crate::check::Files;
use crate::markdown;

/// Commands of cargo that the documents use.
const CARGO: [&str; 9] = [
    "build", "run", "test", "clippy", "fmt", "doc", "xtask", "install", "metadata",
];

/// Programs that are not ours.
const OTHERS: [&str; 19] = [
    "git",
    "cd",
    "rustup",
    "echo",
    "printf",
    "cat",
    "mkdir",
    "cp",
    "sed",
    "grep",
    "tar",
    "make",
    "cmake",
    "ninja",
    "meson",
    "docker",
    "sudo",
    "./configure",
    "./sum",
];

/// Commands that cannot be right.
pub(crate) fn problems(root: &Path, files: &Files) -> Vec<String> {
    let tool = Tool::new(root);
    let mut found = Vec::new();
    for (name, text) in &files.documents {
        for (number, command) in commands(text) {
            if let Err(problem) = tool.check(command) {
                found.push(format!("{name}:{number}: `{command}`: {problem}"));
            }
        }
    }
    found
}

/// The commands of a document with their lines, from 1.
fn commands(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut block = None;
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if let Some(language) = trimmed.strip_prefix("```") {
            block = match block {
                None => Some(language),
                Some(_) => None,
            };
            continue;
        }
        let command = match block {
            Some("sh") if !trimmed.starts_with('#') => trimmed,
            Some("console") => trimmed.strip_prefix("$ ").unwrap_or_default(),
            Some("yaml") => {
                let step = trimmed.trim_start_matches("- ");
                let step = step.strip_prefix("run: ").unwrap_or(step);
                if is_ours(step) { step } else { "" }
            }
            Some(_) | None => "",
        };
        if !command.is_empty() {
            found.push((index + 1, command));
        }
    }
    for (number, line) in markdown::prose(text) {
        let inline = line.split('`').skip(1).step_by(2);
        found.extend(inline.filter(|it| is_ours(it)).map(|it| (number, it)));
    }
    found.sort_by_key(|(number, _)| *number);
    found
}

fn is_ours(command: &str) -> bool {
    command.starts_with("raddle ") || command.starts_with("cargo ")
}

/// The tool, and what it says of itself.
struct Tool<'a> {
    root: &'a Path,
    /// What `--help` prints, by the words before it.
    helps: RefCell<BTreeMap<String, String>>,
}

impl<'a> Tool<'a> {
    fn new(root: &'a Path) -> Self {
        Self {
            root,
            helps: RefCell::default(),
        }
    }

    fn check(&self, command: &str) -> Result<(), String> {
        // What comes after the first command of a line does not matter here.
        let command = [" #", " | ", " > ", " && ", " || ", " < "]
            .iter()
            .fold(command, |it, cut| it.split(cut).next().unwrap_or(it));
        let words: Vec<&str> = without_variables(command).split_whitespace().collect();
        match words[..] {
            ["cargo", subcommand, ref rest @ ..] => {
                if !CARGO.contains(&subcommand) {
                    return Err(format!("`cargo {subcommand}` is not used here"));
                }
                match (subcommand, rest) {
                    ("xtask", [name, ..]) if !is_task(name) => {
                        Err(format!("there is no `cargo xtask {name}`"))
                    }
                    ("run", _) => match rest.iter().position(|it| *it == "--") {
                        Some(at) => self.check_raddle(&rest[at + 1..]),
                        None => Ok(()),
                    },
                    _ => Ok(()),
                }
            }
            ["raddle", ref rest @ ..] => self.check_raddle(rest),
            [program, ..] if OTHERS.contains(&program) => Ok(()),
            [program, ..] if program.starts_with("./") || program.starts_with(".ci/") => {
                if self.root.join(program).exists() {
                    Ok(())
                } else {
                    Err("there is no such file".into())
                }
            }
            [program, ..] => Err(format!("`{program}` is not known")),
            [] => Ok(()),
        }
    }

    fn check_raddle(&self, words: &[&str]) -> Result<(), String> {
        let mut path: Vec<&str> = Vec::new();
        let mut help = self.help(&path)?;
        for word in words.iter().take_while(|it| !it.starts_with('-')) {
            if !help.contains("\nCommands:\n") {
                break;
            }
            if !is_listed(&help, word) {
                let whole = [&["raddle"], &path[..]].concat().join(" ");
                return Err(format!("`{whole}` has no command `{word}`"));
            }
            path.push(word);
            help = self.help(&path)?;
        }
        // What comes after `--` is for somebody else.
        for word in words.iter().take_while(|it| **it != "--") {
            let flag = word.split('=').next().unwrap_or(word);
            let is_ours = flag.starts_with('-') && flag.len() > 1 && !is_of_compilers(flag);
            if is_ours && !has_flag(&help, flag) {
                return Err(format!("there is no option `{flag}`"));
            }
            if word.contains('/') && is_rad(word) && !self.root.join(word).exists() {
                return Err(format!("there is no `{word}`"));
            }
        }
        Ok(())
    }

    fn help(&self, path: &[&str]) -> Result<String, String> {
        let key = path.join(" ");
        if let Some(known) = self.helps.borrow().get(&key) {
            return Ok(known.clone());
        }
        let text = binary::output_of(self.root, &[path, &["--help"]].concat())?;
        self.helps.borrow_mut().insert(key, text.clone());
        Ok(text)
    }
}

/// Whether it is one of the project's own commands.
fn is_task(name: &str) -> bool {
    let mut tasks = Arguments::command();
    // Only then `help` is among them.
    tasks.build();
    tasks.find_subcommand(name).is_some()
}

/// Whether a word stands first in a line below `Commands:`.
fn is_listed(help: &str, word: &str) -> bool {
    help.split("\nCommands:\n")
        .nth(1)
        .into_iter()
        .flat_map(str::lines)
        .take_while(|line| !line.is_empty())
        .any(|line| line.split_whitespace().next() == Some(word))
}

/// Whether an option is mentioned, as a word of its own.
fn has_flag(help: &str, flag: &str) -> bool {
    help.split(|it: char| it.is_whitespace() || ",[]=`".contains(it))
        .any(|word| word == flag)
}

/// A command without the variables that are set for it, as in `CC="raddle cc" make`.
fn without_variables(command: &str) -> &str {
    let mut rest = command;
    while let Some((name, value)) = rest.split_once('=')
        && !name.is_empty()
        && name.chars().all(|it| it.is_ascii_uppercase() || it == '_')
    {
        let end = match value.strip_prefix('"') {
            Some(quoted) => quoted.find('"').map(|it| it + 2),
            None => value.find(' '),
        };
        rest = end.map_or("", |it| value[it..].trim_start());
    }
    rest
}

/// As in `-Wall`; raddle hands them on.
fn is_of_compilers(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.len() > 2
}

fn is_rad(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|it| it == "rad")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_in_their_blocks_and_in_prose() {
        let text = "x `raddle man` and `x`\n```sh\ncargo test\n# comment\n```\n```console\n$ raddle check a.rad\nsafe: 1\n```\n```text\nno\n```\n```yaml\n- run: raddle explain\n- uses: x\n```\n";
        assert_eq!(
            commands(text),
            [
                (1, "raddle man"),
                (3, "cargo test"),
                (7, "raddle check a.rad"),
                (14, "raddle explain")
            ]
        );
    }

    #[test]
    fn commands_that_cannot_be_right_are_reported() {
        let root = raddle_testkit::walk::repository_root();
        let tool = Tool::new(&root);
        for good in [
            "cargo run --release -- check examples/papers/fq-counter.rad",
            "cargo xtask bless mutex",
            "cargo test --workspace --locked",
            "raddle explain race | head -3",
            "raddle check --format=sarif -q a.rad > a.sarif",
            "raddle dump ir a.rad",
            "raddle --version",
            "raddle check -Wall -Iinclude -p build",
            "CC=\"raddle cc\" A=b cmake -B build",
        ] {
            assert_eq!(tool.check(good), Ok(()), "{good}");
        }
        for bad in [
            "cargo run --release -- check examples/papers/fq-count.rad",
            "cargo xtask blesss",
            "cargo frobnicate",
            "raddle prove x.rad",
            "raddle check --unwind 3 x.rad",
            "raddle dump tokens x.rad",
            "CC=raddle frobnicate all",
        ] {
            assert!(tool.check(bad).is_err(), "{bad}");
        }
    }
}
