//! The words of `docs/glossary.md` that name something in the code name something that is there.

use crate::check::Files;
use crate::markdown::prose;

const GLOSSARY: &str = "docs/glossary.md";

/// Names of modules and types that do not exist, and words that stand there twice or out of order.
pub(crate) fn problems(files: &Files) -> Vec<String> {
    let Some((_, text)) = files.documents.iter().find(|(name, _)| name == GLOSSARY) else {
        return vec![format!("`{GLOSSARY}` is missing")];
    };
    let rows: Vec<Row<'_>> = prose(text).filter_map(Row::read).collect();
    let order = rows.windows(2).filter_map(|pair| {
        let [before, after] = [pair[0].word, pair[1].word].map(str::to_lowercase);
        (before >= after).then(|| {
            let Row { number, word, .. } = pair[1];
            format!("{GLOSSARY}:{number}: `{word}` stands twice, or not in its place")
        })
    });
    let names = rows.iter().flat_map(|row| {
        let names = row.names.split('`').skip(1).step_by(2);
        names
            .filter(|name| !exists(files, name))
            .map(|name| format!("{GLOSSARY}:{}: there is no `{name}`", row.number))
    });
    order.chain(names).collect()
}

/// A row of the table.
struct Row<'t> {
    number: usize,
    word: &'t str,
    /// What it is called in the code; names in backticks.
    names: &'t str,
}

impl<'t> Row<'t> {
    fn read((number, line): (usize, &'t str)) -> Option<Self> {
        let mut cells = line.strip_prefix("| ")?.strip_suffix('|')?.split(" |");
        let (word, _) = (cells.next()?, cells.next()?);
        let names = cells.next()?;
        let is_word = word != "word" && !word.starts_with("--");
        is_word.then_some(Self {
            number,
            word,
            names,
        })
    }
}

/// Whether a crate, a module or a type of this name is there, as in `reduce::guesses::Guess`.
fn exists(files: &Files, name: &str) -> bool {
    let mut segments: Vec<&str> = name.split("::").collect();
    let is_type = |it: &str| it.starts_with(char::is_uppercase);
    let item = segments.pop_if(|it| is_type(it));
    let Some((package, modules)) = segments.split_first() else {
        return false;
    };
    let module = match modules.join("/").as_str() {
        "" => format!("crates/{package}/src/"),
        path => format!("crates/{package}/src/{path}"),
    };
    let mut sources = files.sources.iter().filter(|(name, _)| {
        // A type may stand in a part of its module that the module hands on.
        name.strip_prefix(module.as_str())
            .is_some_and(|rest| rest == ".rs" || rest.starts_with('/') || modules.is_empty())
    });
    match item {
        None => sources.next().is_some(),
        Some(item) => sources.any(|(_, text)| defines(text, item)),
    }
}

fn defines(text: &str, item: &str) -> bool {
    ["struct", "enum", "trait", "type"].iter().any(|keyword| {
        let definition = format!("{keyword} {item}");
        text.match_indices(&definition).any(|(at, found)| {
            let after = text[at + found.len()..].chars().next();
            !after.is_some_and(|it| it.is_alphanumeric() || it == '_')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(rows: &str) -> Vec<String> {
        let source = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        problems(&Files {
            documents: vec![(
                GLOSSARY.to_owned(),
                format!("| word | meaning | in the code |\n| --- | --- | --- |\n{rows}"),
            )],
            sources: vec![
                source("crates/reduce/src/lib.rs", "pub mod guesses;"),
                source(
                    "crates/reduce/src/guesses.rs",
                    "pub enum Guess {}\nstruct Guesses;",
                ),
                source("crates/reduce/src/dynamic/other.rs", "pub trait Other {}"),
            ],
        })
    }

    #[test]
    fn crates_modules_and_types_are_there() {
        let rows = "| a | b | `reduce` |\n| guess | c | `reduce::guesses::Guess` |\n\
                    | w | d | `reduce::dynamic::Other`, `reduce::dynamic` |\n| x | e | |\n";
        assert_eq!(problems_of(rows), Vec::<String>::new());
        assert_eq!(
            problems_of("| a | b | `reduce::guesses::Gues`, `reduce::other`, `redu` |\n"),
            [
                "docs/glossary.md:3: there is no `reduce::guesses::Gues`",
                "docs/glossary.md:3: there is no `reduce::other`",
                "docs/glossary.md:3: there is no `redu`",
            ]
        );
    }

    #[test]
    fn words_stand_once_and_in_order() {
        assert_eq!(problems_of("| a | b | |\n| a | c | |\n").len(), 1);
        assert_eq!(problems_of("| b | b | |\n| a | c | |\n").len(), 1);
    }
}
