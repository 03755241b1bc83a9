//! `cargo xtask c …`: C programs against gcc.

mod corpus;
mod mutants;
mod options;

use std::path::{Path, PathBuf};

use raddle_testkit::against_gcc::{csmith, layouts, sequential};
use raddle_testkit::walk;

use corpus::{Corpus, Item};
use options::Options;

/// How many types one program of layouts has.
const TYPES: usize = 10;

pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    let Some((what, words)) = words.split_first() else {
        return Err(vec![
            "say what: meaning, torture, csmith, layouts, sequential or mutants".into(),
        ]);
    };
    let options = Options::read(words)?;
    let folder = Scratch::new()?;
    match *what {
        "meaning" => {
            let programs = walk::repository_root().join("tests/c/meaning");
            Corpus::of_folder(&programs, options.filter())?.run(true, &options, &folder.0)
        }
        "torture" => {
            let Some(programs) = options.arguments.first() else {
                return Err(vec!["`torture` needs a folder of C programs".into()]);
            };
            let filter = options.arguments.get(1).map_or("", String::as_str);
            Corpus::of_folder(Path::new(programs), filter)?.run(false, &options, &folder.0)
        }
        "layouts" => {
            let count = usize::try_from(options.count.unwrap_or(200)).unwrap_or(usize::MAX);
            let mut items = Vec::new();
            for at in 0..count.div_ceil(TYPES) {
                let seed = options.seed + at as u64;
                let path = folder.0.join(format!("layouts-{seed}.c"));
                write(&path, &layouts::program(seed, TYPES))?;
                items.extend(Item::in_both_models(&path, Vec::new()));
            }
            Corpus::new(items).run(true, &options, &folder.0)
        }
        "sequential" => {
            let mut items = Vec::new();
            for seed in options.seed..options.seed + options.count.unwrap_or(200) {
                let path = folder.0.join(format!("sequential-{seed}.c"));
                write(&path, &sequential::program(seed))?;
                items.extend(Item::in_both_models(&path, Vec::new()));
            }
            Corpus::new(items).run(true, &options, &folder.0)
        }
        "csmith" => {
            let mut items = Vec::new();
            for seed in options.seed..options.seed + options.count.unwrap_or(1000) {
                let path = folder.0.join(format!("csmith-{seed}.c"));
                csmith::write(seed, &path).map_err(|problem| vec![problem])?;
                items.extend(Item::in_both_models(&path, Vec::new()));
            }
            let options = Options {
                their_milliseconds: options.their_milliseconds.min(10),
                ..options
            };
            Corpus::new(items).run(true, &options, &folder.0)
        }
        "mutants" => mutants::run(&options),
        _ => Err(vec![format!("`c {what}` is not understood")]),
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
