//! How large the definition of meaning may be: a person has to be able to read all of it and to believe it.

use std::path::Path;

use crate::walk;

const FOLDER: &str = "crates/ir/src/interpret";
const MOST_LINES: usize = 6_000;
const MOST_LINES_OF_A_FUNCTION: usize = 80;

/// What is too large, tests aside.
///
/// # Errors
///
/// If a source cannot be read.
pub fn problems() -> std::io::Result<Vec<String>> {
    let root = walk::repository_root();
    let mut files = Vec::new();
    walk::collect(&root.join(FOLDER), &mut files)?;
    let mut problems = Vec::new();
    let mut lines = 0;
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        lines += text.lines().count();
        problems.extend(long_functions(
            file.strip_prefix(&root).unwrap_or(&file),
            text,
        ));
    }
    if lines > MOST_LINES {
        problems.push(format!(
            "{FOLDER} has {lines} lines, more than {MOST_LINES}"
        ));
    }
    Ok(problems)
}

fn long_functions(file: &Path, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut problems = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = function_in(line) else {
            continue;
        };
        let indent = line.len() - line.trim_start().len();
        let is_end = |it: &&str| it.len() == indent + 1 && it.ends_with('}');
        // One without a body, or of a single line, ends where the next one does at the latest.
        let length = lines[first..]
            .iter()
            .position(is_end)
            .map_or(0, |it| it + 1);
        if length > MOST_LINES_OF_A_FUNCTION && !is_of_one_line(line) {
            problems.push(format!(
                "{}:{}: `{name}` has {length} lines, more than {MOST_LINES_OF_A_FUNCTION}",
                file.display(),
                first + 1
            ));
        }
    }
    problems
}

/// The name of the function that begins in a line.
fn function_in(line: &str) -> Option<&str> {
    let code = line.trim_start();
    let is_comment = code.starts_with("//");
    let (before, after) = code.split_once("fn ")?;
    let is_head = before
        .split_whitespace()
        .all(|it| it.starts_with("pub") || matches!(it, "const" | "unsafe" | "super)"));
    let end = after.find(['(', '<'])?;
    (is_head && !is_comment).then(|| &after[..end])
}

fn is_of_one_line(line: &str) -> bool {
    line.ends_with(';') || line.ends_with('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_is_too_long_is_found() {
        let body = |lines: usize| "        step();\n".repeat(lines);
        let text = format!(
            "impl Run {{\n    fn short(&self) {{\n{}    }}\n\n    pub(super) fn long<T>(&self) {{\n{}    }}\n}}\n",
            body(78),
            body(79)
        );
        let problems = long_functions(Path::new("run.rs"), &text);
        assert_eq!(
            problems,
            ["run.rs:83: `long` has 81 lines, more than 80"].map(String::from)
        );
    }
}
