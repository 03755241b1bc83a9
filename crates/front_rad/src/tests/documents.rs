//! The examples of the language's document are programs.

use super::read_text;

const LANGUAGE: &str = include_str!("../../../../docs/language.md");

/// The blocks marked `rad`.
fn examples() -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = LANGUAGE.lines();
    while let Some(line) = lines.next() {
        if line == "```rad" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push(block.join("\n"));
        }
    }
    found
}

#[test]
fn every_example_of_the_document_is_a_program_and_says_its_truth() {
    let examples = examples();
    assert!(examples.len() >= 10);
    for example in examples {
        assert!(example.starts_with("//@ truth:"), "{example}");
        if let Err(errors) = read_text(&example) {
            panic!("{errors}\n{example}");
        }
    }
}

#[test]
fn the_document_names_every_word_of_an_operation() {
    let synchronisation = raddle_ir::SyncOperation::ALL
        .iter()
        .map(|(_, word, _)| *word);
    let atomic = raddle_ir::RmwOperation::ALL.iter().map(|(_, word)| *word);
    for word in synchronisation.chain(atomic) {
        // Families of words are described by their first part.
        let stem = word.trim_start_matches("try_").trim_start_matches("timed_");
        assert!(LANGUAGE.contains(stem), "`{word}` is not described");
    }
}

#[test]
fn the_document_names_every_reserved_word() {
    for word in crate::words::all_reserved() {
        let stem = word.trim_start_matches("try_").trim_start_matches("timed_");
        assert!(LANGUAGE.contains(stem), "`{word}` is not described");
    }
}
