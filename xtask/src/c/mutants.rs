//! Mutated C programs through the front end: no panic, no hang.

use std::time::{Duration, Instant};

use raddle_ir::DataModel;
use raddle_testkit::against_gcc::compiler;
use raddle_testkit::fuzz::c_programs;
use raddle_testkit::panics;
use raddle_testkit::walk;

use super::options::Random;

/// Longer than this for a small program is a hang.
const LIMIT: Duration = Duration::from_secs(10);

pub(crate) fn run(random: &Random) -> Result<(), Vec<String>> {
    let folder = walk::repository_root().join("tests/c/meaning");
    let mut texts = Vec::new();
    let entries = std::fs::read_dir(&folder).map_err(|error| vec![error.to_string()])?;
    let mut paths: Vec<_> = entries.flatten().map(|it| it.path()).collect();
    paths.sort();
    for path in paths {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            if let Ok(text) = compiler::preprocess(&path, model, &["-P".to_owned()]) {
                texts.push((model, text));
            }
        }
    }
    panics::note_instead_of_printing();
    let mut problems = Vec::new();
    let mut accepted = 0;
    let seeds = random.seeds(10_000);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let (model, text) = c_programs::mutant(seed, &texts);
        let started = Instant::now();
        let read = c_programs::read(&text, model);
        let took = started.elapsed();
        match read {
            Ok(is_accepted) => accepted += u64::from(is_accepted),
            Err(problem) => problems.push(format!("seed {seed}: {problem}")),
        }
        if took > LIMIT {
            problems.push(format!("seed {seed}: takes {} s", took.as_secs()));
        }
        if seed % 1000 == 0 {
            eprintln!("{} of {count}", seed - random.seed);
        }
    }
    println!(
        "{count} mutants, {accepted} of them accepted, {} problems",
        problems.len()
    );
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}
