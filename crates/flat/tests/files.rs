//! The models that are tests and examples, walked side by side with their flat programs.

mod walk;

use std::path::{Path, PathBuf};

use raddle_base::SourceMap;
use raddle_flat::Limits;
use raddle_ir::Program;
use walk::{Compared, compare};

/// The models below a folder of the repository.
fn models(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(folder);
    let mut open = vec![root];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "rad") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> Option<Program> {
    let text = std::fs::read_to_string(path).ok()?;
    let mut sources = SourceMap::new();
    let file = sources.add("program.rad", &*text);
    raddle_front_rad::read(&[(file, &text)], raddle_ir::DataModel::Lp64).ok()
}

#[test]
fn models_and_their_flat_programs_go_side_by_side() {
    let is_shown = std::env::var_os("RADDLE_SHOW").is_some();
    let (mut whole, mut hazards, mut skipped) = (0_usize, 0_usize, 0_usize);
    for path in [models("tests"), models("examples")].concat() {
        let Some(program) = read(&path) else {
            continue;
        };
        let name = path.file_name().unwrap_or_default().display().to_string();
        match compare(&program, &Limits::default(), 60) {
            Ok(Compared::Matched(matched)) if matched.hazards.is_empty() => whole += 1,
            Ok(Compared::Matched(matched)) => {
                hazards += 1;
                if is_shown {
                    println!("{name}: {:?}", matched.hazards);
                }
            }
            Ok(Compared::Skipped(why)) => {
                skipped += 1;
                if is_shown {
                    println!("{name}: skipped: {why}");
                }
            }
            Err(problem) => panic!("{}: {problem}", path.display()),
        }
    }
    println!("{whole} without hazard, {hazards} with, {skipped} skipped");
    assert!(whole > hazards + skipped, "most models are compared wholly");
}
