//! Programs with endless loops, or loops that inputs bound, over words that nobody can enumerate, each with a broken twin.
//!
//! They stand here and not below `tests/`, where `reference` and `explicit` would go on with them for ever.
//! `RADDLE_ONLY=text` keeps to those whose name contains a text.

use std::path::{Path, PathBuf};

use raddle_base::SourceMap;
use raddle_engine::{Answer, Budget, Property, Semantics, Silent, Task, Verdict, decide};
use raddle_engine_ic3::Ic3Engine;
use raddle_ir::DataModel;

/// How often the engine looks at its budget before it gives up.
const LOOKS: u64 = 400_000;

/// Of thirty each. To be raised where the engine learns something.
const PROVED: usize = 24;
const FOUND: usize = 27;

fn ask(name: &str, text: &str) -> Answer {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let program = raddle_front_rad::read(&[(file, text)], DataModel::Lp64)
        .unwrap_or_else(|found| panic!("{name}: {found:?}"));
    let semantics = Semantics {
        properties: vec![Property::Assert],
        ..Semantics::default()
    };
    let task = Task::new(&program, semantics);
    let budget = Budget::unlimited().with_looks(LOOKS);
    decide(&mut Ic3Engine::default(), &task, &budget, &mut Silent)
}

/// The name, whether it is safe, and what the engine says.
struct Said {
    name: String,
    is_safe: bool,
    answer: Answer,
}

fn said(path: &Path) -> Said {
    let name = path.file_stem().expect("it has a name");
    let name = name.to_string_lossy().into_owned();
    let text = std::fs::read_to_string(path).expect("it can be read");
    let is_safe = text.starts_with("//@ truth: assert=safe\n");
    let is_unsafe = text.starts_with("//@ truth: assert=unsafe\n");
    assert!(is_safe || is_unsafe, "{name} has no header");
    let answer = ask(&name, &text);
    Said {
        name,
        is_safe,
        answer,
    }
}

fn all(paths: &[PathBuf]) -> Vec<Said> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers)
            .map(|worker| {
                let mine = paths.iter().skip(worker).step_by(workers);
                scope.spawn(move || mine.map(|it| said(it)).collect::<Vec<_>>())
            })
            .collect();
        let said = workers
            .into_iter()
            .map(|it| it.join().expect("it has said why"));
        said.flatten().collect()
    })
}

#[test]
fn safe_ones_are_proved_and_their_broken_twins_are_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let only = std::env::var("RADDLE_ONLY").unwrap_or_default();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .filter(|it| it.file_name().unwrap().to_str().unwrap().contains(&only))
        .collect();
    paths.sort();
    let [mut proved, mut found] = [0; 2];
    for said in all(&paths) {
        let verdict = &said.answer.verdicts[&Property::Assert];
        println!(
            "{}: {} {:?}",
            said.name,
            verdict.word(),
            said.answer.counters
        );
        match verdict {
            Verdict::Safe(_) => {
                assert!(said.is_safe, "{} is called safe", said.name);
                proved += 1;
            }
            Verdict::Unsafe(_) => {
                assert!(!said.is_safe, "{} is called unsafe", said.name);
                found += 1;
            }
            Verdict::Unknown(_) => {}
        }
    }
    println!("{proved} proved, {found} found of {}", paths.len());
    if only.is_empty() {
        assert!(
            proved >= PROVED && found >= FOUND,
            "{proved} proved, {found} found"
        );
    }
}
