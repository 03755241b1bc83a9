//! The reading path of `docs/ARCHITECTURE.md` leads somewhere: each of its rows names a function that is there.

use crate::check::Files;

const DOCUMENT: &str = "docs/ARCHITECTURE.md";
/// Below this heading is the path.
const HEADING: &str = "## One check, hop by hop";
/// A longer path is none that people follow.
const MOST: usize = 18;

/// Rows that lead nowhere.
pub(crate) fn problems(files: &Files) -> Vec<String> {
    let Some((_, text)) = files.documents.iter().find(|(name, _)| name == DOCUMENT) else {
        return vec![format!("`{DOCUMENT}` is missing")];
    };
    let hops = hops(text);
    let mut problems: Vec<String> = hops.iter().filter_map(|it| problem(it, files)).collect();
    if hops.is_empty() || hops.len() > MOST {
        problems.push(format!(
            "{DOCUMENT}: a check takes {} hops, not 1 to {MOST}",
            hops.len()
        ));
    }
    problems
}

/// The file and the function of each row.
fn hops(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .skip_while(|line| *line != HEADING)
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split(" | ");
            let file = cells.next()?.strip_suffix('`')?;
            let function = cells.next()?.trim_matches('`');
            Some((file, function))
        })
        .collect()
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
    }
}
