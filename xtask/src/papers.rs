//! Keys of papers: what the code cites is listed in `docs/papers.md`, and what is listed there is cited.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::Files;

pub(crate) const LIST: &str = "docs/papers.md";

/// What stands after a short key, as in `FQ §4.2` or `DR Table 2`.
const LOCATORS: [&str; 11] = [
    "§", "Fig.", "Figs.", "Table", "Alg.", "Listing", "Lemma", "Theorem", "Def.", "Example",
    "Appendix",
];

/// Citations without an entry and entries without a citation.
pub(crate) fn problems(files: &Files) -> Vec<String> {
    let Some((_, list)) = files.documents.iter().find(|(name, _)| name == LIST) else {
        return vec![format!("`{LIST}` is missing")];
    };
    let listed = listed_keys(list);
    let mut cited: BTreeMap<String, &str> = BTreeMap::new();
    for (name, text) in &files.sources {
        // What is said there about citations is no citation.
        if name.starts_with("xtask/") {
            continue;
        }
        for key in cited_keys(text) {
            cited.entry(key).or_insert(name);
        }
    }
    let unlisted = cited
        .iter()
        .filter(|(key, _)| !listed.contains(*key))
        .map(|(key, name)| format!("{name}: cites `{key}`, which `{LIST}` does not list"));
    let uncited = listed
        .iter()
        .filter(|key| !cited.contains_key(*key))
        .map(|key| format!("{LIST}: lists `{key}`, which no source cites"));
    unlisted.chain(uncited).collect()
}

/// The keys of the list; none if there is no list.
pub(crate) fn listed(files: &Files) -> BTreeSet<String> {
    let list = files.documents.iter().find(|(name, _)| name == LIST);
    list.map_or_else(BTreeSet::new, |(_, text)| listed_keys(text))
}

/// The first column of those tables of the list that have keys there.
fn listed_keys(list: &str) -> BTreeSet<String> {
    let mut has_keys = false;
    let mut keys = BTreeSet::new();
    for line in list.lines() {
        let Some(cell) = line.strip_prefix("| ").and_then(|it| it.split(" |").next()) else {
            has_keys = false;
            continue;
        };
        let cell = cell.trim().trim_matches('`');
        if cell == "key" {
            has_keys = true;
        } else if has_keys && !cell.starts_with("--") {
            keys.insert(cell.to_owned());
        }
    }
    keys
}

/// `FQ` of `FQ §2`, and `[Lipton75]`.
pub(crate) fn cited_keys(text: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for line in text.lines() {
        for (at, _) in line.char_indices().filter(|(_, it)| it.is_uppercase()) {
            let before = line[..at].chars().next_back();
            let rest = &line[at..];
            if line[..at].ends_with("&[") {
                // A slice: `&[AtomicU64]` is no paper of 1964.
            } else if before == Some('[') {
                // Rustdoc takes `[Key]` for a link unless it is written `\[Key\]`.
                if let Some((key, _)) = rest.split_once(']')
                    && let key = key.trim_end_matches('\\')
                    && is_bracket_key(key)
                {
                    keys.insert(format!("[{key}]"));
                }
            } else if before.is_none_or(|it| !it.is_alphanumeric() && it != '_')
                && let Some((key, after)) = rest.split_once(' ')
                && (2..=4).contains(&key.len())
                && key.chars().all(|it| it.is_ascii_uppercase())
                && LOCATORS.iter().any(|it| after.starts_with(it))
            {
                keys.insert(key.to_owned());
            }
        }
    }
    keys
}

/// A name and two digits of a year, as in `Lipton75`.
fn is_bracket_key(key: &str) -> bool {
    let letters = key.trim_end_matches(|it: char| it.is_ascii_digit());
    key.len() == letters.len() + 2 && letters.len() >= 2 && letters.chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(text: &str) -> Vec<String> {
        cited_keys(text).into_iter().collect()
    }

    #[test]
    fn keys_stand_before_a_locator_or_in_brackets() {
        assert_eq!(cited("// as in FQ §4.2 and (DR Table 2)"), ["DR", "FQ"]);
        assert_eq!(
            cited("//! \\[Lipton75\\]: movers, `MAT Alg. 1`"),
            ["MAT", "[Lipton75]"]
        );
        assert_eq!(
            cited("let JSON = [Vec75]; UTF-8 text, LAYERS §"),
            ["[Vec75]"]
        );
        assert_eq!(
            cited("SC, FQ and others; [Program], a[I3], &[AtomicU64]"),
            Vec::<String>::new()
        );
    }

    #[test]
    fn keys_are_listed_in_the_first_column() {
        let list = "# Papers\n| key | paper |\n| --- | --- |\n| FQ | a |\n| `[Lipton75]` | b |\n\n\
                    | paper | word |\n| --- | --- |\n| SC §4 | c |\n";
        assert_eq!(
            listed_keys(list).into_iter().collect::<Vec<_>>(),
            ["FQ", "[Lipton75]"]
        );
    }
}
