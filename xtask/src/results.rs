//! `cargo xtask results`: the tables of `docs/results.md`, filled by running the tool.
//!
//! Only counters, no times: the tables are the same on every machine, so that `cargo xtask check` can compare them.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use raddle_driver::{Property, Reduction};
use raddle_testkit::header::{Expected, REDUCING_ENGINE};
use raddle_testkit::reductions::reduced;
use raddle_testkit::run;
use raddle_testkit::walk::{self, TestProgram};

const DOCUMENT: &str = "docs/results.md";

/// A table stands between these lines, the first of which names the folder of the programs.
const BEGIN: &str = "<!-- cargo xtask results: ";
const END: &str = "<!-- end of results -->";

const REFERENCE: &str = "reference";

/// The reductions that are shown beside it: of FQ, SC and DR, and none to compare them with.
const SHOWN: [Reduction; 4] = [
    Reduction::None,
    Reduction::Phase,
    Reduction::Optimistic,
    Reduction::Dynamic,
];

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
        "\n| program | engine | reduction | safe | unsafe | unknown | states | transitions |\n\
         |---|---|---|---|---|---|--:|--:|\n",
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
        let observed = run::observe(&program.source, &header, REFERENCE)?;
        push_row(
            &mut text,
            &format!("| `{name}` | `{REFERENCE}` | `none` |"),
            &observed.verdicts,
            &observed.counters,
        );
        let loaded = run::load(&program.source, &header)?;
        for it in reduced(&loaded, &observed.semantics, &SHOWN) {
            push_row(
                &mut text,
                &format!("| `{name}` | `{REDUCING_ENGINE}` | `{}` |", it.reduction),
                &it.verdicts(),
                &it.counters(),
            );
        }
    }
    if rows == 0 {
        return Err(format!("there are no programs in `{folder}`"));
    }
    text.push('\n');
    Ok(text)
}

fn push_row(
    text: &mut String,
    head: &str,
    verdicts: &BTreeMap<Property, Expected>,
    counters: &BTreeMap<String, u64>,
) {
    let with = |wanted: Expected| {
        let names: Vec<&str> = verdicts
            .iter()
            .filter(|(_, said)| **said == wanted)
            .map(|(property, _)| property.name())
            .collect();
        names.join(", ")
    };
    let counter = |name: &str| {
        let value = counters.get(name);
        value.map_or_else(String::new, ToString::to_string)
    };
    let _ = writeln!(
        text,
        "{head} {} | {} | {} | {} | {} |",
        with(Expected::Safe),
        with(Expected::Unsafe),
        with(Expected::Unknown),
        counter("states"),
        counter("transitions"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_filled_and_the_rest_is_kept() {
        let text = format!("# Title\n{BEGIN}examples/tutorial -->\nold\n{END}\nrest\n");
        let now = filled(&walk::repository_root(), &text).unwrap();
        assert!(now.starts_with("# Title\n<!-- cargo xtask results: examples/tutorial -->\n\n|"));
        assert!(
            now.contains("| `lock-order.rad` | `reference` | `none` |"),
            "{now}"
        );
        assert!(now.ends_with(&format!("|\n\n{END}\nrest\n")), "{now}");
        assert!(!now.contains("old"), "{now}");
    }

    #[test]
    fn a_folder_without_programs_is_a_problem() {
        let text = format!("{BEGIN}examples/none -->\n{END}\n");
        assert!(filled(&walk::repository_root(), &text).is_err());
    }
}
