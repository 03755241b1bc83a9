//! Answers that are given again, because nothing has changed that they depend on.
//!
//! The key of an answer is all of that: the program after the preprocessor and the lines that reports show of it, every option, the
//! files that options name, and this very build. Keys are compared as a whole, not by a hash. Only answers without an unknown
//! verdict are kept: what a limit has cut short may be decided the next time.

use std::fmt::Debug;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use raddle::{Diagnostic, Outcome, Report, SourceMap, Verdict};
use raddle_base::fast_hash;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::arguments::{Terminal, compiler};
use crate::output;
use crate::version::VERSION;

/// Changes with the form of what is kept.
const FORMAT: u32 = 1;

/// Where answers are kept.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
}

/// The place of one answer.
pub(crate) struct AnswerPlace {
    file: PathBuf,
    key: Vec<u8>,
}

impl Cache {
    /// # Errors
    ///
    /// If the folder cannot be made.
    pub(crate) fn new(folder: &Path) -> Result<Self, Diagnostic> {
        match fs::create_dir_all(folder) {
            Ok(()) => Ok(Self {
                folder: folder.to_owned(),
            }),
            Err(error) => {
                let message = format!("cannot keep answers in `{}`: {error}", folder.display());
                Err(Diagnostic::error("usage", message).help(
                    "name a folder that exists or can be made, as in `--cache .raddle-cache`",
                ))
            }
        }
    }

    /// The place of the answer to a question, with its options as they are and the files that they name. Nothing if one of these
    /// cannot be read, or if this build does not know itself.
    pub(crate) fn place(
        &self,
        sources: &SourceMap,
        options: &impl Debug,
        files: &[PathBuf],
        terminal: Terminal,
    ) -> Option<AnswerPlace> {
        let mut key = Key::default();
        key.add(format!("{FORMAT} {VERSION} {:016x}", build()?).as_bytes());
        key.add(format!("{options:?}").as_bytes());
        key.add(format!("{terminal:?} {:?}", compiler()).as_bytes());
        let colours = (
            output::stdout_colour(terminal),
            output::stderr_colour(terminal),
        );
        key.add(format!("{colours:?}").as_bytes());
        for file in files {
            key.add(&fs::read(file).ok()?);
        }
        add_sources(sources, &mut key);
        Some(AnswerPlace {
            file: self.folder.join(format!("{:016x}", fast_hash(&key.0))),
            key: key.0,
        })
    }
}

/// The text of the program, and the lines of the files that it was made of.
fn add_sources(sources: &SourceMap, key: &mut Key) {
    for (id, file) in sources.files() {
        key.add(file.name.as_bytes());
        key.add(file.bytes());
        for name in sources.originals_of(id) {
            key.add(name.as_bytes());
            if let Some(original) = sources.original(name) {
                key.add(sources.file(original).bytes());
            }
        }
    }
}

/// Parts of a key, each with its length, so that nothing of one can stand for a part of the next.
#[derive(Default)]
struct Key(Vec<u8>);

impl Key {
    fn add(&mut self, part: &[u8]) {
        self.0.extend((part.len() as u64).to_le_bytes());
        self.0.extend_from_slice(part);
    }
}

/// A number of this build: of what this process runs, byte by byte.
fn build() -> Option<u64> {
    static BUILD: OnceLock<Option<u64>> = OnceLock::new();
    *BUILD.get_or_init(|| {
        let bytes = fs::read(std::env::current_exe().ok()?).ok()?;
        Some(fast_hash(&bytes))
    })
}

impl AnswerPlace {
    /// What was kept there.
    pub(crate) fn find<T: DeserializeOwned>(&self) -> Option<T> {
        let bytes = fs::read(&self.file).ok()?;
        let rest = bytes.strip_prefix(&(self.key.len() as u64).to_le_bytes())?;
        let rest = rest.strip_prefix(self.key.as_slice())?;
        serde_json::from_slice(rest).ok()
    }

    /// Keeps it. In one step: runs beside this one may read it. That it cannot be kept changes no answer.
    pub(crate) fn keep(&self, answer: &impl Serialize) {
        let write = || -> io::Result<()> {
            let mut bytes = (self.key.len() as u64).to_le_bytes().to_vec();
            bytes.extend_from_slice(&self.key);
            serde_json::to_writer(&mut bytes, answer)?;
            let passing = self.file.with_extension(format!("{}", std::process::id()));
            fs::write(&passing, bytes)?;
            fs::rename(passing, &self.file)
        };
        if let Err(error) = write() {
            output::to_stderr(&format!("warning: the answer is not kept: {error}\n"));
        }
    }
}

/// Whether every verdict of a report is decided, so that it would be the same another time.
pub(crate) fn is_decided(report: &Report) -> bool {
    match &report.outcome {
        Outcome::Checked(checked) => checked.count(|it| matches!(it, Verdict::Unknown(_))) == 0,
        Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::InternalError(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::When;
    use raddle_base::Random;

    const TERMINAL: Terminal = Terminal {
        quiet: false,
        verbose: false,
        color: When::Never,
    };

    fn cache(name: &str) -> Cache {
        let folder =
            std::env::temp_dir().join(format!("raddle-cache-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Cache::new(&folder).unwrap()
    }

    fn sources(texts: &[String]) -> SourceMap {
        let mut map = SourceMap::new();
        for (index, text) in texts.iter().enumerate() {
            map.add(format!("{index}.rad"), text.as_str());
        }
        map
    }

    /// An edit anywhere in a program of several files or in an option: the place is the same exactly if all of it is.
    #[test]
    fn ten_thousand_random_edits_are_noticed_exactly() {
        let cache = cache("edits");
        let mut random = Random::new(7);
        for _ in 0..10_000 {
            let mut program = || {
                let texts: Vec<String> = (0..=random.below(2))
                    .map(|_| {
                        (0..random.below(4))
                            .map(|_| *random.pick(&['a', 'b', '\n']))
                            .collect()
                    })
                    .collect();
                (texts, random.below(3))
            };
            let (one, other) = (program(), program());
            let place = |it: &(Vec<String>, usize)| {
                cache.place(&sources(&it.0), &it.1, &[], TERMINAL).unwrap()
            };
            let (first, second) = (place(&one), place(&other));
            assert_eq!(first.key == second.key, one == other, "{one:?} {other:?}");
        }
        fs::remove_dir_all(cache.folder).unwrap();
    }

    #[test]
    fn an_answer_is_found_where_it_was_kept_and_nowhere_else() {
        let cache = cache("answers");
        let place = |text: &str| {
            cache
                .place(&sources(&[text.to_owned()]), &(), &[], TERMINAL)
                .unwrap()
        };
        place("a").keep(&"safe");
        assert_eq!(place("a").find(), Some("safe".to_owned()));
        assert_eq!(place("b").find::<String>(), None);
        // Another key with the same hash is another answer.
        let collision = AnswerPlace {
            file: place("a").file,
            key: place("b").key,
        };
        assert_eq!(collision.find::<String>(), None);
        // What is damaged is no answer.
        let mut bytes = fs::read(place("a").file).unwrap();
        bytes.truncate(bytes.len() - 1);
        fs::write(place("a").file, bytes).unwrap();
        assert_eq!(place("a").find::<String>(), None);
        fs::remove_dir_all(cache.folder).unwrap();
    }

    #[test]
    fn files_that_options_name_belong_to_the_question() {
        let cache = cache("files");
        let file = cache.folder.join("automaton");
        let place = || cache.place(&sources(&[]), &(), std::slice::from_ref(&file), TERMINAL);
        assert!(place().is_none());
        fs::write(&file, "a").unwrap();
        let before = place().unwrap();
        fs::write(&file, "b").unwrap();
        assert_ne!(before.key, place().unwrap().key);
        fs::remove_dir_all(cache.folder).unwrap();
    }
}
