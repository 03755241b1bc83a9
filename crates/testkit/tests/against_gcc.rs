//! A selection of our C programs, of random layouts and of random programs without threads against gcc; `cargo xtask c` runs them all.

use std::path::{Path, PathBuf};
use std::time::Duration;

use raddle_testkit::against_gcc::{
    Outcome, Request, compare, compiler, header, layouts, sequential,
};
use raddle_testkit::seeds::seeds;
use raddle_testkit::walk;

/// One in so many of our programs is run here.
const SELECTED: usize = 5;

fn check(source: &Path, folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("a program");
    let mut problems = Vec::new();
    for &model in compiler::models_for_tests() {
        if !header::models(&text).contains(&model) {
            continue;
        }
        let outcome = compare(
            &Request {
                source,
                model,
                options: header::options(&text),
                their_limit: Duration::from_secs(20),
                our_limit: Duration::from_mins(1),
            },
            folder,
        );
        if outcome != Outcome::Equal {
            problems.push(format!("{} ({model:?}): {outcome:?}", source.display()));
        }
    }
    problems
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("raddle-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

#[test]
fn our_programs_mean_what_gcc_makes_of_them() {
    let programs = walk::repository_root().join("tests/c/meaning");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(programs)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 150, "only {} programs", paths.len());
    let folder = scratch("meaning");
    let problems: Vec<String> = paths
        .iter()
        .step_by(SELECTED)
        .flat_map(|path| check(path, &folder))
        .collect();
    std::fs::remove_dir_all(&folder).expect("it is there");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn structs_and_unions_lie_in_memory_as_gcc_puts_them() {
    let folder = scratch("layouts");
    let mut problems = Vec::new();
    for seed in [1, 2] {
        let path = folder.join(format!("layouts-{seed}.c"));
        std::fs::write(&path, layouts::program(seed, 10)).expect("it can be written");
        problems.extend(check(&path, &folder));
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn random_programs_without_threads_print_what_gcc_makes_them_print() {
    let folder = scratch("sequential");
    let (mut problems, mut undefined) = (Vec::new(), 0);
    let seeds = seeds(10);
    let most_undefined = (seeds.end - seeds.start) / 5;
    for seed in seeds {
        let text = sequential::program(seed);
        let path = folder.join(format!("sequential-{seed}.c"));
        std::fs::write(&path, text).expect("it can be written");
        let found = check(&path, &folder);
        if found.is_empty() && seed % 4 != 0 {
            continue;
        }
        // What is undefined says nothing.
        match sequential::is_defined(&path, &folder) {
            Some(false) => undefined += 1,
            Some(true) | None => problems.extend(found),
        }
    }
    std::fs::remove_dir_all(&folder).expect("it is there");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(undefined <= most_undefined, "{undefined} are undefined");
}
