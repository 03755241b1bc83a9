//! What C means, with one thing wrong: changes to the text of the front end, of the library and of the interpreter, each of
//! which undoes one thing that was wrong once. All engines share what they change, so that none contradicts another; the
//! net against real threads has to notice.
//!
//! What ships has no switches for that. [`switched`] makes texts that have, for a copy of the tree: every change is there,
//! beside what it changes, and the environment says which one counts. So one build serves for all of them.

mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

pub use table::MUTANTS;

/// Names the mutant that counts in a process.
pub const VARIABLE: &str = "RADDLE_MUTANT";

/// Where the texts of the C library are read, and what stands for the text there.
const READER: &str = "crates/front_c/src/read.rs";
const READ_TEXT: &str = "text.as_bytes()";

/// A change of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// What does not hold with it.
    pub name: &'static str,
    /// The file, from the root of the repository.
    pub file: &'static str,
    /// Text that the file holds once. What is changed stands in `«»`: in Rust an expression, or statements that bind no
    /// names.
    pub place: &'static str,
    /// What it is changed to.
    pub change: &'static str,
    /// A word of the programs that may show it; programs without it are not looked at.
    pub word: &'static str,
}

impl Mutant {
    fn is_c(&self) -> bool {
        Path::new(self.file).extension().is_some_and(|it| it == "c")
    }

    /// The place before, in and after the marks.
    fn parts(&self) -> Option<[&'static str; 3]> {
        let (before, rest) = self.place.split_once('«')?;
        let (inside, after) = rest.split_once('»')?;
        Some([before, inside, after])
    }

    /// What is changed in a text.
    ///
    /// # Errors
    ///
    /// If that is not exactly one place.
    fn range_in(&self, text: &str) -> Result<Range<usize>, String> {
        let wrong = |what: &str| format!("`{}`: {what} in {}", self.name, self.file);
        let [before, inside, after] = self.parts().ok_or_else(|| wrong("nothing is marked"))?;
        let whole = [before, inside, after].concat();
        let mut found = text.match_indices(&whole);
        match (found.next(), found.next()) {
            (None, _) => Err(wrong("its place is no more")),
            (Some(_), Some(_)) => Err(wrong("its place is there more than once")),
            (Some((at, _)), None) => {
                let begin = at + before.len();
                Ok(begin..begin + inside.len())
            }
        }
    }

    /// The switch, as an expression.
    fn is_on(&self) -> String {
        format!(
            "{{ static IS_ON: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| std::env::var_os({VARIABLE:?}).is_some_and(|it| it == {:?})); *IS_ON }}",
            self.name
        )
    }

    /// Both, as Rust.
    fn switch(&self, inside: &str) -> String {
        let (is_on, change) = (self.is_on(), self.change);
        if inside.ends_with(';') {
            format!("if {is_on} {{ {change} }} else {{ {inside} }}")
        } else {
            format!("(if {is_on} {{ {change} }} else {{ {inside} }})")
        }
    }

    /// Changes a text of the library when it is read, as a statement.
    fn switch_on_reading(&self) -> Option<String> {
        let [before, inside, after] = self.parts()?;
        let (is_on, change) = (self.is_on(), self.change);
        let from = [before, inside, after].concat();
        let to = [before, change, after].concat();
        Some(format!(
            "if {is_on} {{ text = text.replace({from:?}, {to:?}); }}"
        ))
    }
}

/// The texts of all files that a mutant changes, with switches; by their names.
///
/// # Errors
///
/// The mutants that do not apply.
pub fn switched(root: &Path) -> Result<BTreeMap<&'static str, String>, Vec<String>> {
    let (mut problems, mut changes) = (Vec::new(), BTreeMap::<_, Vec<_>>::new());
    let mut texts = BTreeMap::new();
    let mut on_reading = Vec::new();
    for mutant in MUTANTS {
        let text = texts
            .entry(mutant.file)
            .or_insert_with(|| std::fs::read_to_string(root.join(mutant.file)).unwrap_or_default());
        match mutant.range_in(text) {
            Ok(_) if mutant.is_c() => on_reading.extend(mutant.switch_on_reading()),
            Ok(range) => {
                let switch = mutant.switch(&text[range.clone()]);
                let of_file = changes.entry(mutant.file).or_default();
                of_file.push((range, switch));
            }
            Err(problem) => problems.push(problem),
        }
    }
    let reader = std::fs::read_to_string(root.join(READER)).unwrap_or_default();
    if reader.matches(READ_TEXT).count() == 1 {
        let statements = on_reading.concat();
        let read = format!("{{ let mut text = text.to_string(); {statements} text }}.as_bytes()");
        texts.insert(READER, reader.replace(READ_TEXT, &read));
    } else {
        problems.push(format!("texts are not read by `{READ_TEXT}` in {READER}"));
    }
    for (file, mut changes) in changes {
        changes.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        if changes.windows(2).any(|it| it[1].0.end > it[0].0.start) {
            problems.push(format!("two mutants change the same text in {file}"));
        } else if let Some(text) = texts.get_mut(file) {
            for (range, switch) in changes {
                text.replace_range(range, &switch);
            }
        }
    }
    let names: BTreeSet<&str> = MUTANTS.iter().map(|it| it.name).collect();
    if names.len() != MUTANTS.len() {
        problems.push("two mutants have the same name".to_owned());
    }
    texts.retain(|file, _| Path::new(file).extension().is_some_and(|it| it == "rs"));
    if problems.is_empty() {
        Ok(texts)
    } else {
        Err(problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::repository_root;

    #[test]
    fn every_mutant_still_applies() {
        let root = repository_root();
        let texts = switched(&root).unwrap_or_else(|problems| panic!("{}", problems.join("\n")));
        for mutant in MUTANTS {
            let file = if mutant.is_c() { READER } else { mutant.file };
            assert!(texts[file].contains(&mutant.is_on()), "{}", mutant.name);
        }
        for (file, text) in texts {
            let before = std::fs::read_to_string(root.join(file)).expect("it was read before");
            assert!(!before.contains(VARIABLE), "{file} has a switch of its own");
            assert_ne!(before, text);
        }
    }

    #[test]
    fn a_place_of_the_library_is_there_once_in_all_its_texts() {
        for mutant in MUTANTS.iter().filter(|it| it.is_c()) {
            let texts = raddle_front_c::library::TEXTS.iter().map(|it| it.1);
            let count = texts.filter(|it| mutant.range_in(it).is_ok()).count();
            assert_eq!(count, 1, "{}", mutant.name);
        }
    }

    #[test]
    fn only_what_is_marked_is_changed() {
        let mutant = Mutant {
            name: "nobody is last",
            file: "a.rs",
            place: "if «is_last()» {",
            change: "false",
            word: "",
        };
        let text = "is_last(); if is_last() { end() }";
        let range = mutant.range_in(text).expect("it is there once");
        assert_eq!(&text[range], "is_last()");
        assert!(mutant.switch("is_last()").starts_with("(if {"));
        assert!(mutant.range_in("if is_first() {").is_err());
        assert!(mutant.range_in("if is_last() { if is_last() {").is_err());
    }
}
