//! Whoever searches the code for a word of a paper is led to the right file: the table of `docs/papers.md`.

use crate::check::Files;
use crate::papers::LIST;

/// Below this heading is the table.
const HEADING: &str = "## Look-ups";
/// The papers that Raddle implements.
const PAPERS: [&str; 5] = ["FQ", "SC", "DR", "AS", "MAT"];
/// How many definitions of each can be looked up at least.
const LEAST: usize = 4;
/// A search that leads to more files leads nowhere.
const MOST_FILES: usize = 3;

/// A row of the table.
struct LookUp<'t> {
    paper: &'t str,
    word: &'t str,
    file: &'t str,
}

/// Searches that do not lead where they should.
pub(crate) fn problems(files: &Files) -> Vec<String> {
    let Some((_, list)) = files.documents.iter().find(|(name, _)| name == LIST) else {
        return vec![format!("`{LIST}` is missing")];
    };
    let table = table(list);
    let few = PAPERS.iter().filter(|paper| {
        let of_paper = |it: &&LookUp<'_>| it.paper.split(' ').next() == Some(**paper);
        table.iter().filter(of_paper).count() < LEAST
    });
    let few = few.map(|paper| format!("{LIST}: fewer than {LEAST} look-ups are of {paper}"));
    few.chain(table.iter().filter_map(|it| it.problem(files)))
        .collect()
}

fn table(list: &str) -> Vec<LookUp<'_>> {
    list.lines()
        .skip_while(|line| *line != HEADING)
        .skip(1)
        .take_while(|line| !line.starts_with("## "))
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            let (paper, word) = (cells.next()?, cells.next()?);
            let file = cells.next()?.strip_suffix(" |")?;
            let word = word.strip_prefix('`')?.strip_suffix('`')?;
            let file = file.trim_matches('`');
            Some(LookUp { paper, word, file })
        })
        .collect()
}

impl LookUp<'_> {
    fn problem(&self, files: &Files) -> Option<String> {
        let Self { paper, word, file } = self;
        let hits: Vec<&str> = files
            .sources
            .iter()
            .filter(|(name, text)| name.contains("/src/") && contains_word(text, word))
            .map(|(name, _)| name.as_str())
            .filter(|name| name.starts_with("crates/"))
            .collect();
        if !hits.contains(file) {
            Some(format!(
                "{LIST}: `{word}` of {paper} does not lead to `{file}`, but to {hits:?}"
            ))
        } else if hits.len() > MOST_FILES {
            Some(format!(
                "{LIST}: `{word}` of {paper} leads to too many files: {hits:?}"
            ))
        } else {
            None
        }
    }
}

/// Whether a text has the word as a whole, in small or capital letters: `grep -wiF`.
fn contains_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_letter = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(&word).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        let goes_on_before =
            is_letter(before.chars().next_back()) && is_letter(word.chars().next());
        let goes_on_after = is_letter(word.chars().next_back()) && is_letter(after.chars().next());
        !goes_on_before && !goes_on_after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_their_case_does_not_matter() {
        assert!(contains_word("an IPA, as in", "IPA"));
        assert!(contains_word("an ipa", "IPA"));
        assert!(!contains_word("participant", "IPA"));
        assert!(contains_word("with `E(t,x)`.", "E(t,x)"));
        assert!(!contains_word("LE(t,x)", "E(t,x)"));
    }

    #[test]
    fn a_search_has_to_lead_to_its_file_and_to_few() {
        let rows = |word: &str| {
            format!(
                "## Look-ups\n\n| paper | word | leads to |\n| --- | --- | --- |\n| FQ §4 | `{word}` | `crates/a/src/b.rs` |\n"
            )
        };
        let problems_of = |word: &str| {
            let source = |name: &str, text: &str| (name.to_owned(), text.to_owned());
            let mut sources = vec![
                source("crates/a/src/b.rs", "//! the phase, and more"),
                source("crates/a/src/c.rs", "//! the commit, and more"),
            ];
            sources.extend((0..3).map(|it| source(&format!("crates/a/src/d{it}.rs"), "// more")));
            let files = Files {
                documents: vec![(LIST.to_owned(), rows(word))],
                sources,
            };
            let found = problems(&files).into_iter();
            found.filter(|it| it.contains('`')).count()
        };
        assert_eq!(problems_of("phase"), 0);
        assert_eq!(problems_of("commit"), 1);
        assert_eq!(problems_of("nothing"), 1);
        assert_eq!(problems_of("more"), 1);
    }

    #[test]
    fn four_definitions_of_each_paper_can_be_looked_up() {
        let files = Files {
            documents: vec![(LIST.to_owned(), "# Papers\n".to_owned())],
            sources: Vec::new(),
        };
        assert_eq!(problems(&files).len(), PAPERS.len());
    }
}
