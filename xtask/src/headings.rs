//! Modules that come from a paper open with five headings, in this order, and say something under each.

use std::collections::BTreeSet;
use std::path::Path;

use crate::check::Files;
use crate::papers;

const HEADINGS: [&str; 5] = [
    "Source",
    "Definitions",
    "Invariants",
    "Deviations",
    "Tested by",
];

/// Modules that come from a paper, whatever they say themselves. Another one is held to the headings as soon as it has
/// the first of them, or cites a paper in its first paragraph.
const MODULES: [&str; 35] = [
    "crates/analysis/src/feedback.rs",
    "crates/analysis/src/futures/mod.rs",
    "crates/engine_bmc/src/block.rs",
    "crates/engine_explicit/src/cycles.rs",
    "crates/engine_explicit/src/levels.rs",
    "crates/engine_explicit/src/signatures.rs",
    "crates/engine_explicit/src/transaction/mod.rs",
    "crates/engine_explicit/src/tree/mod.rs",
    "crates/engine_mat/src/pairs/mats.rs",
    "crates/engine_mat/src/pairs/mod.rs",
    "crates/engine_mat/src/threads.rs",
    "crates/engine_mat/src/tokens.rs",
    "crates/engine_wpds/src/execution.rs",
    "crates/engine_wpds/src/history.rs",
    "crates/engine_wpds/src/interleave.rs",
    "crates/engine_wpds/src/lib.rs",
    "crates/engine_wpds/src/minimal.rs",
    "crates/engine_wpds/src/patterns.rs",
    "crates/engine_wpds/src/phases.rs",
    "crates/engine_wpds/src/product.rs",
    "crates/engine_wpds/src/reentrant.rs",
    "crates/engine_wpds/src/symbolic.rs",
    "crates/engine_wpds/src/system.rs",
    "crates/reduce/src/discipline.rs",
    "crates/reduce/src/dynamic/mod.rs",
    "crates/reduce/src/guesses.rs",
    "crates/reduce/src/judge/mod.rs",
    "crates/reduce/src/lib.rs",
    "crates/reduce/src/movers.rs",
    "crates/reduce/src/predicates.rs",
    "crates/reduce/src/watched.rs",
    "crates/wpds/src/post_star.rs",
    "crates/wpds/src/pre_star.rs",
    "crates/wpds/src/relations/mod.rs",
    "crates/wpds/src/semiring.rs",
];

/// Modules that come from a paper without the headings.
pub(crate) fn problems(files: &Files) -> Vec<String> {
    let listed = papers::listed(files);
    let mut found: Vec<String> = MODULES
        .iter()
        .filter(|module| !files.sources.iter().any(|(name, _)| name == *module))
        .map(|module| format!("xtask/src/headings.rs: there is no `{module}`"))
        .collect();
    for (name, text) in &files.sources {
        if !is_module(name) {
            continue;
        }
        let docs = docs_of(text);
        if MODULES.contains(&name.as_str()) || comes_from_a_paper(&docs, &listed) {
            found.extend(missing(&docs).map(|problem| format!("{name}: {problem}")));
        }
    }
    found
}

/// Whether a file is part of a library.
fn is_module(name: &str) -> bool {
    let is_rust = Path::new(name).extension().is_some_and(|it| it == "rs");
    name.starts_with("crates/") && name.contains("/src/") && is_rust
}

/// The documentation of a module, without its marks.
fn docs_of(text: &str) -> Vec<&str> {
    text.lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect()
}

fn comes_from_a_paper(docs: &[&str], listed: &BTreeSet<String>) -> bool {
    let first: Vec<&str> = docs
        .iter()
        .copied()
        .take_while(|line| !line.is_empty())
        .collect();
    docs.contains(&"# Source")
        || papers::cited_keys(&first.join("\n"))
            .iter()
            .any(|key| listed.contains(key))
}

/// What is wrong with the headings.
fn missing(docs: &[&str]) -> impl Iterator<Item = String> {
    let headings: Vec<(usize, &str)> = docs
        .iter()
        .enumerate()
        .filter_map(|(at, line)| Some((at, line.strip_prefix("# ")?)))
        .filter(|(_, heading)| HEADINGS.contains(heading))
        .collect();
    let names: Vec<&str> = headings.iter().map(|(_, heading)| *heading).collect();
    let order = (names != HEADINGS).then(|| {
        let wanted = HEADINGS.join("`, `# ");
        format!("comes from a paper, so it has the headings `# {wanted}`, in this order")
    });
    let empty: Vec<String> = headings
        .iter()
        .filter(|(at, _)| {
            let mut below = docs[at + 1..].iter().take_while(|it| !it.starts_with("# "));
            below.all(|line| line.is_empty())
        })
        .map(|(_, heading)| format!("nothing stands below `# {heading}`"))
        .collect();
    order.into_iter().chain(empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "| key | paper |\n| --- | --- |\n| FQ | a |\n";

    fn problems_of(text: &str) -> Vec<String> {
        let files = Files {
            documents: vec![("docs/papers.md".into(), LIST.into())],
            sources: vec![("crates/a/src/b.rs".into(), text.into())],
        };
        problems(&files)
            .into_iter()
            .filter(|it| it.starts_with("crates/a"))
            .collect()
    }

    #[test]
    fn a_module_that_cites_its_source_has_all_headings() {
        let all = "//! Transactions (FQ §4).\n//!\n//! # Source\n//!\n//! FQ.\n//!\n//! # Definitions\n//! a\n\
                   //! # Invariants\n//! b\n//! # Deviations\n//! None.\n//! # Tested by\n//! c\n";
        assert_eq!(problems_of(all), Vec::<String>::new());
        let without = all.replace("//! # Deviations\n//! None.\n", "");
        assert_eq!(problems_of(&without).len(), 1);
        let empty = all.replace("//! None.\n", "");
        assert_eq!(
            problems_of(&empty),
            ["crates/a/src/b.rs: nothing stands below `# Deviations`"]
        );
        let swapped = all.replace("Source", "x").replace("Invariants", "Source");
        assert_eq!(problems_of(&swapped).len(), 1);
    }

    #[test]
    fn to_mention_a_paper_later_makes_no_module_of_it() {
        assert_eq!(
            problems_of("//! Locks.\n//!\n//! As in FQ §7.\n"),
            Vec::<String>::new()
        );
        assert_eq!(problems_of("//! Locks, as in FQ §7.\n").len(), 1);
        assert_eq!(
            problems_of("//! A.\n//!\n//! # Source\n//!\n//! b\n").len(),
            1
        );
    }
}
