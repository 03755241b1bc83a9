//! `cargo xtask results`: the tables of `docs/results.md`, filled by running the tool.
//!
//! Only counters, no times: the tables are the same on every machine, so that `cargo xtask check` can compare them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use raddle_testkit::header::{ENGINES, Expected};
use raddle_testkit::run;
use raddle_testkit::walk::{self, TestProgram};

const DOCUMENT: &str = "docs/results.md";

/// A table stands between these lines, the first of which names the folder of the programs.
const BEGIN: &str = "<!-- cargo xtask results: ";
const END: &str = "<!-- end of results -->";

/// Rewrites the tables.
///
/// # Errors
///
/// If the document or a program cannot be read.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let root = walk::repository_root();
    let path = root.join(DOCUMENT);
    let before = fs::read_to_string(&path).map_err(|error| vec![error.to_string()])?;
    let now = filled(&root, &before).map_err(|problem| vec![problem])?;
    if now == before {
        println!("{DOCUMENT} is up to date");
        return Ok(());
    }
    println!("{DOCUMENT}");
    fs::write(path, now).map_err(|error| vec![error.to_string()])
}

/// Whether the tables say what the tool says.
pub(crate) fn problems(root: &Path) -> Option<String> {
    let before = match fs::read_to_string(root.join(DOCUMENT)) {
        Ok(text) => text,
        Err(error) => return Some(format!("{DOCUMENT}: {error}")),
    };
    match filled(root, &before) {
        Ok(now) if now == before => None,
        Ok(_) => Some(format!(
            "{DOCUMENT}: the tables are out of date; `cargo xtask results` rewrites them"
        )),
        Err(problem) => Some(format!("{DOCUMENT}: {problem}")),
    }
}

/// The document with the tables of today.
fn filled(root: &Path, text: &str) -> Result<String, String> {
    let programs = walk::programs(root).map_err(|error| error.to_string())?;
    let mut result = String::new();
    let mut is_inside = false;
    for line in text.lines() {
        if let Some(folder) = line.strip_prefix(BEGIN) {
            let folder = folder.trim_end_matches("-->").trim();
            let _ = writeln!(result, "{line}");
            result.push_str(&table(folder, &programs)?);
            is_inside = true;
        } else if line == END {
            is_inside = false;
        }
        if !is_inside {
            let _ = writeln!(result, "{line}");
        }
    }
    if is_inside {
        return Err(format!("a table has no end: `{END}`"));
    }
    Ok(result)
}

fn table(folder: &str, programs: &[TestProgram]) -> Result<String, String> {
    let mut text = String::from(
        "\n| program | engine | safe | unsafe | unknown | states | transitions |\n\
         |---|---|---|---|---|--:|--:|\n",
    );
    let mut rows = 0;
    for program in programs {
        let Some(name) = program
            .name
            .strip_prefix(folder)
            .and_then(|it| it.strip_prefix('/'))
        else {
            continue;
        };
        rows += 1;
        let header = program.header()?;
        for engine in ENGINES {
            let observed = run::observe(&program.source, &header, engine)?;
            let with = |wanted: Expected| {
                let names: Vec<&str> = observed
                    .verdicts
                    .iter()
                    .filter(|(_, said)| **said == wanted)
                    .map(|(property, _)| property.name())
                    .collect();
                names.join(", ")
            };
            let counter = |name: &str| observed.counters.get(name).copied().unwrap_or(0);
            let _ = writeln!(
                text,
                "| `{name}` | `{engine}` | {} | {} | {} | {} | {} |",
                with(Expected::Safe),
                with(Expected::Unsafe),
                with(Expected::Unknown),
                counter("states"),
                counter("transitions"),
            );
        }
    }
    if rows == 0 {
        return Err(format!("there are no programs in `{folder}`"));
    }
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_filled_and_the_rest_is_kept() {
        let text = format!("# Title\n{BEGIN}examples/tutorial -->\nold\n{END}\nrest\n");
        let now = filled(&walk::repository_root(), &text).unwrap();
        assert!(now.starts_with("# Title\n<!-- cargo xtask results: examples/tutorial -->\n\n|"));
        assert!(now.contains("| `lock-order.rad` | `reference` |"), "{now}");
        assert!(now.ends_with(&format!("|\n\n{END}\nrest\n")), "{now}");
        assert!(!now.contains("old"), "{now}");
    }

    #[test]
    fn a_folder_without_programs_is_a_problem() {
        let text = format!("{BEGIN}examples/none -->\n{END}\n");
        assert!(filled(&walk::repository_root(), &text).is_err());
    }
}
