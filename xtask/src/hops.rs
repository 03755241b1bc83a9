//! The reading path of `docs/ARCHITECTURE.md` leads somewhere: each of its rows names functions that are there, and no
//! file comes twice.

use std::collections::BTreeSet;

use crate::check::Files;

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
/// Below this heading is the path.
const HEADING: &str = "## One check, hop by hop";
/// A longer path is none that people follow.
const MOST: usize = 15;

/// Rows that lead nowhere.
pub(crate) fn problems(files: &Files) -> Vec<String> {
    let Some((_, text)) = files.documents.iter().find(|(name, _)| name == DOCUMENT) else {
        return vec![format!("`{DOCUMENT}` is missing")];
    };
    let hops = hops(text);
    let named = hops.iter().flat_map(|it| it.iter());
    let mut problems: Vec<String> = named.filter_map(|it| problem(it, files)).collect();
    if hops.is_empty() || hops.len() > MOST {
        problems.push(format!(
            "{DOCUMENT}: a check takes {} hops, not 1 to {MOST}",
            hops.len()
        ));
    }
    let mut visited = BTreeSet::new();
    for (file, _) in hops.iter().filter_map(|it| it.first()) {
        if !visited.insert(file) {
            problems.push(format!("{DOCUMENT}: `{file}` is visited twice"));
        }
    }
    problems
}

/// The files and functions of each row: first the hop, then what lies aside.
fn hops(text: &str) -> Vec<Vec<(&str, &str)>> {
    text.lines()
        .skip_while(|line| *line != HEADING)
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let mut named = vec![(quoted(cells.first()), quoted(cells.get(1)))];
            let aside: Vec<&str> = cells
                .get(3)
                .map_or(Vec::new(), |it| it.split('`').skip(1).step_by(2).collect());
            named.extend(aside.chunks_exact(2).map(|it| (it[0], it[1])));
            named
        })
        .collect()
}

fn quoted<'a>(cell: Option<&&'a str>) -> &'a str {
    cell.map_or("", |it| it.trim().trim_matches('`'))
}

fn problem((file, function): &(&str, &str), files: &Files) -> Option<String> {
    let source = files.sources.iter().find(|(name, _)| name == file);
    let Some((_, source)) = source else {
        return Some(format!("{DOCUMENT}: there is no `{file}`"));
    };
    let starts = [format!("fn {function}("), format!("fn {function}<")];
    let is_there = starts.iter().any(|it| source.contains(it));
    (!is_there).then(|| format!("{DOCUMENT}: `{file}` has no function `{function}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_to_name_a_function_that_is_there() {
        let problems_of = |row: &str| {
            problems(&Files {
                documents: vec![(
                    DOCUMENT.to_owned(),
                    format!("{HEADING}\n\n{row}\n## Next\n"),
                )],
                sources: vec![(
                    "crates/a/src/b.rs".to_owned(),
                    "pub fn run<T>() {}".to_owned(),
                )],
            })
        };
        let nothing = Vec::<String>::new();
        assert_eq!(
            problems_of("| `crates/a/src/b.rs` | `run` | runs |"),
            nothing
        );
        assert_eq!(
            problems_of("| `crates/a/src/b.rs` | `ru` | runs |").len(),
            1
        );
        assert_eq!(
            problems_of("| `crates/a/src/c.rs` | `run` | runs |").len(),
            1
        );
        assert_eq!(problems_of("").len(), 1, "no path at all");
        let row = "| `crates/a/src/b.rs` | `run` | runs | |";
        assert_eq!(problems_of(&format!("{row}\n{row}")).len(), 1, "twice");
        let aside = "| `crates/a/src/b.rs` | `run` | runs | `crates/a/src/c.rs` `run` |";
        assert_eq!(problems_of(aside).len(), 1, "aside leads nowhere");
    }
}
