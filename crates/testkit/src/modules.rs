//! Order inside the crates: modules form no cycle, and no name is given to two types of a crate.
//!
//! Both are read off the text of the sources, without comments and tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::walk;

/// Modules of a crate that need each other, and why they are not taken apart.
pub const CYCLES: &[(&str, &[&str], &str)] = &[
    (
        "ir",
        &["action", "effect", "expression", "formula", "program"],
        "the language is defined by mutual recursion: programs have edges with actions of expressions, which name what programs have",
    ),
    (
        "ir",
        &[
            "endless",
            "happens_before",
            "interpret",
            "numbering",
            "places",
            "pointers",
            "recycling",
            "watch",
            "wording",
        ],
        "one definition, cut up by subject: states hold places and numbers, and rules of all of them speak of states",
    ),
];

/// Words that say too little to be the whole name of a type.
const VAGUE: [&str; 6] = ["Place", "Part", "Found", "Known", "Question", "World"];

/// The sources of a crate, by their top-level modules; the root of the crate is not among them.
#[derive(Debug, Default)]
pub struct Sources {
    texts: BTreeMap<String, String>,
    /// Where types are defined, by their names.
    types: BTreeMap<String, Vec<String>>,
}

impl Sources {
    /// The crate in a folder of `crates`.
    ///
    /// # Errors
    ///
    /// If a source cannot be read.
    pub fn read(name: &str) -> std::io::Result<Self> {
        let folder = walk::repository_root()
            .join("crates")
            .join(name)
            .join("src");
        let mut sources = Self::default();
        let mut files = Vec::new();
        walk::collect(&folder, &mut files)?;
        for file in files
            .into_iter()
            .filter(|it| it.extension().is_some_and(|it| it == "rs"))
        {
            let path = file.strip_prefix(&folder).unwrap_or(&file).to_owned();
            sources.add(&path, &std::fs::read_to_string(&file)?);
        }
        Ok(sources)
    }

    fn add(&mut self, path: &Path, text: &str) {
        let words = path.iter().map(|it| it.to_string_lossy().into_owned());
        let words: Vec<String> = words.collect();
        let is_test = |it: &String| it == "tests" || it == "tests.rs";
        if words.iter().any(is_test) {
            return;
        }
        let text = without_comments_and_tests(text);
        for name in defined_types(&text) {
            let places = self.types.entry(name).or_default();
            places.push(path.display().to_string());
        }
        let module = words[0].trim_end_matches(".rs").to_owned();
        if module != "lib" && module != "main" {
            self.texts.entry(module).or_default().push_str(&text);
        }
    }

    /// Sets of modules that need each other.
    pub fn cycles(&self) -> Vec<Vec<String>> {
        let needs: BTreeMap<&str, BTreeSet<&str>> = self
            .texts
            .iter()
            .map(|(module, text)| (module.as_str(), self.needed(module, text)))
            .collect();
        let reached: BTreeMap<&str, BTreeSet<&str>> =
            needs.keys().map(|it| (*it, reach(it, &needs))).collect();
        let mut cycles = BTreeSet::new();
        for (module, theirs) in &reached {
            let back = |it: &&&str| reached[**it].contains(module);
            let cycle: Vec<String> = theirs.iter().filter(back).map(|it| (*it).into()).collect();
            if cycle.len() > 1 {
                cycles.insert(cycle);
            }
        }
        cycles.into_iter().collect()
    }

    fn needed(&self, module: &str, text: &str) -> BTreeSet<&str> {
        let mut needed = BTreeSet::new();
        for (at, _) in text.match_indices("crate::") {
            let rest = &text[at + "crate::".len()..];
            let end = match rest.strip_prefix('{') {
                Some(list) => list.find(';').map_or(rest.len(), |it| it + 1),
                None => rest.find(|it| !is_part_of_a_word(it)).unwrap_or(rest.len()),
            };
            for word in rest[..end].split(|it| !is_part_of_a_word(it)) {
                let known = self.texts.get_key_value(word);
                needed.extend(known.map(|(it, _)| it.as_str()).filter(|it| *it != module));
            }
        }
        needed
    }

    /// Types that have the name of another, or a name that says nothing.
    pub fn unclear_types(&self) -> Vec<String> {
        let twice = self.types.iter().filter(|(_, places)| places.len() > 1);
        let twice = twice
            .map(|(name, places)| format!("`{name}` is defined in {}", places.join(" and in ")));
        let vague = self
            .types
            .iter()
            .filter(|(name, _)| VAGUE.contains(&name.as_str()));
        let vague =
            vague.map(|(name, places)| format!("`{name}` in {} says not of what", places[0]));
        twice.chain(vague).collect()
    }
}

/// What breaks the rules, in all crates.
///
/// # Errors
///
/// If a source cannot be read.
pub fn problems<'c>(crates: impl IntoIterator<Item = &'c str>) -> std::io::Result<Vec<String>> {
    let mut problems = Vec::new();
    let mut unused: Vec<_> = CYCLES.iter().collect();
    for name in crates {
        let sources = Sources::read(name)?;
        for cycle in sources.cycles() {
            let known = unused.iter().position(|it| it.0 == name && *it.1 == cycle);
            match known {
                Some(at) => {
                    unused.remove(at);
                }
                None => problems.push(format!(
                    "{name}: the modules {} need each other; take them apart, or say in CYCLES why not",
                    cycle.join(", ")
                )),
            }
        }
        let types = sources.unclear_types();
        problems.extend(types.into_iter().map(|it| format!("{name}: {it}")));
    }
    for (name, cycle, _) in unused {
        problems.push(format!(
            "{name}: the modules {} form no cycle any more; remove them from CYCLES",
            cycle.join(", ")
        ));
    }
    Ok(problems)
}

fn reach<'m>(from: &'m str, needs: &BTreeMap<&'m str, BTreeSet<&'m str>>) -> BTreeSet<&'m str> {
    let mut reached = BTreeSet::new();
    let mut waiting = vec![from];
    while let Some(module) = waiting.pop() {
        for next in &needs[module] {
            if reached.insert(*next) {
                waiting.push(next);
            }
        }
    }
    reached
}

fn is_part_of_a_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Tests are the last in a file.
pub(crate) fn without_comments_and_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = code
        .lines()
        .map(|it| it.split("//").next().unwrap_or_default());
    lines.flat_map(|it| [it, "\n"]).collect()
}

/// Types that are not inside of something.
fn defined_types(code: &str) -> Vec<String> {
    let defined = |line: &str| {
        let line = match line.strip_prefix("pub") {
            Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
            Some(rest) => rest.trim_start(),
            None => line,
        };
        let (keyword, rest) = line.split_once(' ')?;
        if !["struct", "enum", "trait", "union"].contains(&keyword) {
            return None;
        }
        let name = rest.split(|it| !is_part_of_a_word(it)).next()?;
        Some(name.to_owned())
    };
    code.lines().filter_map(defined).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> Sources {
        let mut sources = Sources::default();
        for (path, text) in files {
            sources.add(Path::new(path), text);
        }
        sources
    }

    #[test]
    fn modules_that_need_each_other_are_found() {
        let sources = sources(&[
            ("lib.rs", "use crate::first::A;"),
            (
                "first.rs",
                "use crate::{second::B, third};\n// crate::fourth\n",
            ),
            ("second/mod.rs", "mod inner;"),
            ("second/inner.rs", "fn f() { crate::third::f() }"),
            (
                "third.rs",
                "use crate::second::B;\n#[cfg(test)]\nmod tests { use crate::first; }",
            ),
            ("fourth.rs", "use crate::first::A;"),
        ]);
        assert_eq!(sources.cycles(), [["second", "third"]]);
    }

    #[test]
    fn a_name_that_is_given_twice_is_found() {
        let sources = sources(&[
            (
                "first.rs",
                "pub(crate) struct Way<'a>;\nenum Step {}\n    struct Inner;\npub trait Part {}",
            ),
            ("second.rs", "pub struct Way(u32);\nstruct Inner;"),
        ]);
        let expected = [
            "`Way` is defined in first.rs and in second.rs",
            "`Part` in first.rs says not of what",
        ];
        assert_eq!(sources.unclear_types(), expected);
    }
}
