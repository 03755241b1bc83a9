//! Many comparisons as a table.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::compare::Outcome;

/// What came of many programs.
#[derive(Debug, Default)]
pub struct Tally {
    outcomes: Vec<(String, Outcome)>,
}

impl Tally {
    pub fn add(&mut self, name: String, outcome: Outcome) {
        self.outcomes.push((name, outcome));
    }

    pub fn count(&self, word: &str) -> usize {
        let has_word = |it: &&(String, Outcome)| it.1.word() == word;
        self.outcomes.iter().filter(has_word).count()
    }

    /// Programs with an outcome, and why.
    pub fn with(&self, word: &str) -> impl Iterator<Item = (&str, &str)> {
        self.outcomes
            .iter()
            .filter(move |(_, outcome)| outcome.word() == word)
            .map(|(name, outcome)| (name.as_str(), outcome.reason().unwrap_or("")))
    }

    /// How many of each, then the reasons by how often they were given, each with the programs it was given for.
    pub fn table(&self, shown_names: usize) -> String {
        let mut text = String::new();
        let counted = ["not compiled", "left out"];
        let compared = self.outcomes.len() - counted.iter().map(|it| self.count(it)).sum::<usize>();
        for word in Outcome::WORDS {
            let count = self.count(word);
            let share = if counted.contains(&word) || compared == 0 {
                String::new()
            } else {
                let tenths = (count * 1000 + compared / 2) / compared;
                format!("  {}.{} %", tenths / 10, tenths % 10)
            };
            let _ = writeln!(text, "{word:>12}  {count:>6}{share}");
        }
        for word in Outcome::WORDS {
            let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (name, reason) in self.with(word).filter(|(_, reason)| !reason.is_empty()) {
                reasons.entry(reason).or_default().push(name);
            }
            let mut reasons: Vec<(&str, Vec<&str>)> = reasons.into_iter().collect();
            reasons.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
            if !reasons.is_empty() {
                let _ = writeln!(text, "\n{word}:");
            }
            for (reason, names) in reasons {
                let first: Vec<&str> = names.iter().take(shown_names).copied().collect();
                let dots = if names.len() > shown_names {
                    ", …"
                } else {
                    ""
                };
                let _ = writeln!(
                    text,
                    "{:>6}  {reason} ({}{dots})",
                    names.len(),
                    first.join(", ")
                );
            }
        }
        text
    }
}
