//! What the words of a report mean: the texts of `raddle explain` and of the rules in SARIF.

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
