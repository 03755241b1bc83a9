//! `cargo xtask c …`: C programs against gcc.

mod corpus;
mod mutants;
mod options;

use std::path::{Path, PathBuf};

use raddle_testkit::against_gcc::{csmith, layouts, sequential};
use raddle_testkit::walk;

use corpus::{Corpus, Item};
use options::Options;
pub(crate) use options::Programs;

/// How many types one program of layouts has.
const TYPES: usize = 10;

pub(crate) fn run(what: &Programs) -> Result<(), Vec<String>> {
    let folder = Scratch::new()?;
    match what {
        Programs::Meaning { filter, options } => {
            let programs = walk::repository_root().join("tests/c/meaning");
            Corpus::of_folder(&programs, filter)?.run(true, options, &folder.0)
        }
        Programs::Torture {
            folder: programs,
            filter,
            options,
        } => Corpus::of_folder(programs, filter)?.run(false, options, &folder.0),
        Programs::Layouts { random, options } => {
            let count = usize::try_from(random.count.unwrap_or(200)).unwrap_or(usize::MAX);
            let mut items = Vec::new();
            for at in 0..count.div_ceil(TYPES) {
                let seed = random.seed + at as u64;
                let path = folder.0.join(format!("layouts-{seed}.c"));
                write(&path, &layouts::program(seed, TYPES))?;
                items.extend(Item::in_both_models(&path, Vec::new()));
            }
            Corpus::new(items).run(true, options, &folder.0)
        }
        Programs::Sequential { random, options } => {
            let mut items = Vec::new();
            for seed in random.seeds(200) {
                let path = folder.0.join(format!("sequential-{seed}.c"));
                write(&path, &sequential::program(seed))?;
                items.extend(Item::in_both_models(&path, Vec::new()));
            }
            Corpus::new(items).run(true, options, &folder.0)
        }
        Programs::Csmith { random, options } => {
            let mut items = Vec::new();
            for seed in random.seeds(1_000) {
                let path = folder.0.join(format!("csmith-{seed}.c"));
                csmith::write(seed, &path).map_err(|problem| vec![problem])?;
                items.extend(Item::in_both_models(&path, Vec::new()));
            }
            let options = Options {
                their_milliseconds: options.their_milliseconds.min(10),
                ..*options
            };
            Corpus::new(items).run(true, &options, &folder.0)
        }
        Programs::Mutants { random } => mutants::run(random),
    }
}

/// A folder that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Vec<String>> {
        let path = std::env::temp_dir().join(format!("raddle-c-{}", std::process::id()));
        std::fs::create_dir_all(&path).map_err(|error| vec![error.to_string()])?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder left behind does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn write(path: &Path, text: &str) -> Result<(), Vec<String>> {
    std::fs::write(path, text).map_err(|error| vec![format!("`{}`: {error}", path.display())])
}
