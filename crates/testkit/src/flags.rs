//! Who names the options of the command line: nobody but the command line.
//!
//! What to do about something is data (`Remedy`, `Misuse`), because others may offer the same settings in another way. That is
//! read off the text of the sources, without comments and tests.

use crate::modules::without_comments_and_tests;
use crate::walk;

/// Where words that begin with two dashes stand all the same, and why.
pub const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "front_c/src/gnu/option_rows.rs",
        "options of gcc, which are judged",
    ),
    (
        "project/src/command.rs",
        "options of compilers, which are read there",
    ),
    (
        "tasks/src/options.rs",
        "the language of headers in test programs, which is read there",
    ),
    (
        "tasks/src/svcomp.rs",
        "what a task definition says, as the options of a header",
    ),
];

/// Crates that are no libraries for others: the command line itself, and what runs it.
const FREE: [&str; 3] = ["cli", "testkit", "xtask"];

/// Options that are named where they should not be.
///
/// # Errors
///
/// If a source cannot be read.
pub fn problems<'c>(crates: impl IntoIterator<Item = &'c str>) -> std::io::Result<Vec<String>> {
    let root = walk::repository_root().join("crates");
    let mut problems = Vec::new();
    let mut unused: Vec<&str> = EXCEPTIONS.iter().map(|it| it.0).collect();
    for name in crates.into_iter().filter(|it| !FREE.contains(it)) {
        let mut files = Vec::new();
        walk::collect(&root.join(name).join("src"), &mut files)?;
        for file in files {
            let path = file.strip_prefix(&root).unwrap_or(&file).to_owned();
            let is_test = path.iter().any(|it| it == "tests" || it == "tests.rs");
            if path.extension().is_none_or(|it| it != "rs") || is_test {
                continue;
            }
            let named = options_in(&std::fs::read_to_string(&file)?);
            let path = path.display().to_string();
            if EXCEPTIONS.iter().any(|it| it.0 == path) {
                unused.retain(|it| *it != path || named.is_empty());
                continue;
            }
            problems.extend(named.into_iter().map(|it| {
                format!("{path} names `{it}`; make it a `Remedy`, which `cli` puts into words")
            }));
        }
    }
    let unused = unused.into_iter();
    problems.extend(unused.map(|it| format!("{it} names no option; remove it from EXCEPTIONS")));
    Ok(problems)
}

/// Words of a source that begin with two dashes.
fn options_in(source: &str) -> Vec<String> {
    let code = without_comments_and_tests(source);
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let words = code.split(|it| !is_part(it));
    let is_option = |it: &&str| {
        let name = it.strip_prefix("--").unwrap_or_default();
        name.starts_with(|it: char| it.is_ascii_lowercase())
    };
    words.filter(is_option).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_messages_and_not_in_comments_and_tests() {
        let source = "
// As `--comment` says.
fn help() -> &'static str { \"use `--engine bmc`, \\
    or leave out `--data-model`\" } // --end
const DASHES: &str = \"-- and --- and a--b\";
#[cfg(test)]
mod tests { const TESTED: &str = \"--tested\"; }
";
        assert_eq!(options_in(source), ["--engine", "--data-model"]);
    }
}
