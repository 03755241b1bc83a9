//! Links and paths in Markdown files lead somewhere.

use std::path::Path;

use crate::check::Files;

/// Names in backticks that begin like this are paths of the repository.
const TOPS: [&str; 7] = [
    "crates/",
    "docs/",
    "tests/",
    "examples/",
    "xtask/",
    "benches/",
    ".ci/",
];

/// Links and paths that lead nowhere.
pub(crate) fn problems(root: &Path, files: &Files) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in &files.documents {
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        for (number, line) in prose(text) {
            for link in links(line) {
                if link.starts_with("http://") || link.starts_with("https://") {
                    continue;
                }
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let target = if path.is_empty() {
                    name.clone()
                } else {
                    plain(&folder.join(path).to_string_lossy())
                };
                if !root.join(&target).exists() {
                    found.push(format!("{name}:{number}: `{link}` leads nowhere"));
                } else if !anchor.is_empty() && !has_heading(files, &target, anchor) {
                    found.push(format!("{name}:{number}: no heading is called `#{anchor}`"));
                }
            }
            for path in paths(line) {
                if !root.join(path).exists() {
                    found.push(format!("{name}:{number}: there is no `{path}`"));
                }
            }
        }
    }
    found
}

/// The lines outside of fenced blocks, from 1.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
            return None;
        }
        (!is_fenced).then_some((index + 1, line))
    })
}

/// The targets of `[text](target)`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target)
        .filter(|target| !target.contains(' '))
}

/// Paths in backticks, without those that stand for many, as `crates/NAME` or `docs/*.md`.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    line.split('`')
        .skip(1)
        .step_by(2)
        .filter(|word| TOPS.iter().any(|top| word.starts_with(top)))
        .filter(|word| !word.contains(['*', '{', '<', ' ', '…']))
        .filter(|word| !word.contains("NAME") && !word.contains("NNNN"))
}

/// Without `.` and `..`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

fn has_heading(files: &Files, document: &str, anchor: &str) -> bool {
    files
        .documents
        .iter()
        .filter(|(name, _)| name == document)
        .flat_map(|(_, text)| prose(text))
        .any(|(_, line)| line.starts_with('#') && anchor_of(line) == anchor)
}

/// How a heading is addressed: lower case, spaces as `-`, no punctuation.
fn anchor_of(heading: &str) -> String {
    heading
        .trim_start_matches('#')
        .trim()
        .chars()
        .filter_map(|it| match it {
            ' ' => Some('-'),
            '-' | '_' => Some(it),
            _ if it.is_alphanumeric() => Some(it.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_paths_and_headings_are_found() {
        let line = "see [a](docs/a.md) and [b](b.md#the-end), `crates/ir`, `docs/*.md` and `x`";
        assert_eq!(
            links(line).collect::<Vec<_>>(),
            ["docs/a.md", "b.md#the-end"]
        );
        assert_eq!(paths(line).collect::<Vec<_>>(), ["crates/ir"]);
        assert_eq!(plain("docs/../README.md"), "README.md");
        assert_eq!(
            anchor_of("## What is *not* checked?"),
            "what-is-not-checked"
        );
    }

    #[test]
    fn fenced_lines_are_no_prose() {
        let lines: Vec<_> = prose("a\n```text\nb\n```\nc\n").collect();
        assert_eq!(lines, [(1, "a"), (5, "c")]);
    }

    #[test]
    fn a_dead_link_is_reported_with_its_line() {
        let files = Files {
            documents: vec![(
                "docs/a.md".into(),
                "# Top\n[x](b.md)\n[y](#bottom) [z](#top)\n".into(),
            )],
            sources: Vec::new(),
        };
        let root = raddle_testkit::walk::repository_root().join("xtask/src");
        assert_eq!(
            problems(&root, &files),
            [
                "docs/a.md:2: `b.md` leads nowhere",
                "docs/a.md:3: `#bottom` leads nowhere",
                "docs/a.md:3: `#top` leads nowhere",
            ]
        );
    }
}
