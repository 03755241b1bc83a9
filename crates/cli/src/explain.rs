//! `raddle explain WORD`: what the words of a report mean.

use raddle_report::{Explanation, explanations, list_of_words, nearest};

use crate::output;

pub(crate) fn explain(word: Option<&str>) -> u8 {
    let entries = explanations();
    let Some(word) = word else {
        output::to_stdout(&list_of_words(&entries));
        return 0;
    };
    let wanted = word.to_lowercase();
    let found: Vec<&Explanation> = entries
        .iter()
        .filter(|entry| entry.words.contains(&wanted.as_str()))
        .collect();
    if found.is_empty() {
        let nearest = nearest(&wanted, &entries)
            .map_or_else(String::new, |it| format!("; did you mean `{it}`?"));
        output::to_stderr(&format!(
            "error[usage]: there is nothing to explain about `{word}`{nearest}\n  \
             = help: `raddle explain` lists the words\n"
        ));
        return 2;
    }
    let texts: Vec<String> = found
        .iter()
        .map(|entry| format!("{}\n", entry.text))
        .collect();
    output::to_stdout(&texts.join("\n"));
    0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use raddle::{EngineChoice, Options, Property, Reason, Reduction, Verdict};

    use super::*;

    fn is_explained(word: &str) -> bool {
        explanations()
            .iter()
            .any(|entry| entry.words.contains(&word))
    }

    #[test]
    fn every_property_verdict_reason_engine_and_reduction_is_explained() {
        let words = Property::ALL
            .iter()
            .map(|it| it.name())
            .chain(["safe", "unsafe", "unknown"])
            .chain(Reason::CODES)
            .chain(EngineChoice::ALL.iter().map(|it| it.name()))
            .chain(Reduction::ALL.iter().map(|it| it.name()));
        for word in words {
            assert!(is_explained(word), "`{word}` is not explained");
        }
    }

    #[test]
    fn every_code_in_brackets_is_explained() {
        let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut codes = BTreeSet::new();
        for file in rust_files(&crates) {
            let text = fs::read_to_string(&file).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            for maker in ["Diagnostic::error(", "Diagnostic::warning("] {
                for (at, _) in text.match_indices(maker) {
                    let rest = text[at + maker.len()..].trim_start();
                    if let Some(code) = rest.strip_prefix('"').and_then(|it| it.split('"').next()) {
                        codes.insert(code.to_owned());
                    }
                }
            }
        }
        assert!(codes.contains("input"), "the search finds codes: {codes:?}");
        for code in codes {
            assert!(is_explained(&code), "`{code}` is not explained");
        }
    }

    fn rust_files(folder: &Path) -> Vec<PathBuf> {
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") {
                files.extend(rust_files(&path));
            } else if path.extension().is_some_and(|it| it == "rs") && !path.ends_with("tests.rs") {
                files.push(path);
            }
        }
        files
    }

    /// The indented lines of a text.
    fn example(text: &str) -> String {
        let lines: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("    "))
            .collect();
        lines.join("\n")
    }

    #[test]
    fn the_example_of_each_property_violates_it() {
        for property in Property::ALL {
            let entries = explanations();
            let entry = entries
                .iter()
                .find(|entry| entry.words.contains(&property.name()))
                .unwrap();
            let options = Options {
                properties: Some(vec![property]),
                ..Options::default()
            };
            let report = raddle::check(&example(entry.text), &options);
            let verdict = report.verdict(property).map(Verdict::word);
            assert_eq!(verdict, Some("unsafe"), "{}", entry.text);
        }
    }

    #[test]
    fn a_mistyped_word_finds_the_nearest() {
        assert_eq!(nearest("dedlock", &explanations()), Some("deadlock"));
        assert_eq!(nearest("xylophone", &explanations()), None);
    }
}
