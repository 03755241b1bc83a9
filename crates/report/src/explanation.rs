//! What the words of a report mean: the texts of `raddle explain` and of the rules in SARIF.

use std::fmt::Write;

/// One section a word: `# word, alias …`, then its text.
const TEXTS: &str = include_str!("explanations.txt");

/// The meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The word and its aliases.
    pub words: Vec<&'static str>,
    /// Begins with the kind of the word, as in: property `race`: no two threads …
    pub text: &'static str,
}

/// All of them, in the order in which they are listed.
pub fn explanations() -> Vec<Explanation> {
    let mut found = Vec::new();
    for section in TEXTS.split("\n# ").map(|it| it.trim_start_matches("# ")) {
        let (head, text) = section.split_once('\n').unwrap_or((section, ""));
        found.push(Explanation {
            words: head.split(',').map(str::trim).collect(),
            text: text.trim(),
        });
    }
    found
}

/// What is said of a word, if anything is.
pub fn explanation(word: &str) -> Option<&'static str> {
    explanations()
        .into_iter()
        .find(|it| it.words.contains(&word))
        .map(|it| it.text)
}

/// The words by their kind, which is the first word of their text.
pub fn list_of_words(entries: &[Explanation]) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in entries {
        let kind = entry
            .text
            .split([' ', ':'])
            .next()
            .expect("splitting yields at least one piece");
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, words)) => words.push(entry.words[0]),
            None => kinds.push((kind, vec![entry.words[0]])),
        }
    }
    let mut text = String::from("`raddle explain WORD` describes:\n");
    for (kind, words) in kinds {
        let _ = writeln!(text, "  {:12}{}", format!("{kind}:"), words.join(", "));
    }
    text
}

/// The word that was most likely meant.
pub fn nearest(word: &str, entries: &[Explanation]) -> Option<&'static str> {
    entries
        .iter()
        .flat_map(|entry| entry.words.iter().copied())
        .map(|known| (strsim::levenshtein(word, known), known))
        .min()
        .filter(|(distance, known)| *distance <= known.len().div_ceil(3))
        .map(|(_, known)| known)
}
