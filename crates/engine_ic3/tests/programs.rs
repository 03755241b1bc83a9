//! Programs with endless loops, or loops that inputs bound, over words that nobody can enumerate, each with a broken twin.
//!
//! `RADDLE_ONLY=text` keeps to those whose name contains a text, and tells what was spent.

use std::path::Path;

use raddle_base::SourceMap;
use raddle_engine::{Answer, Budget, Property, Semantics, Silent, Task, Verdict, decide};
use raddle_engine_ic3::Ic3Engine;
use raddle_ir::DataModel;

/// How often the engine looks at its budget before it gives up.
const LOOKS: u64 = 400_000;

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

#[test]
fn safe_ones_are_proved_and_their_broken_twins_are_not() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let only = std::env::var("RADDLE_ONLY").unwrap_or_default();
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|it| it.contains(&only))
        .collect();
    names.sort();
    let [mut proved, mut violated] = [0; 2];
    for name in &names {
        let text = std::fs::read_to_string(folder.join(name)).unwrap();
        let began = std::time::Instant::now();
        let answer = ask(name, &text);
        let verdict = &answer.verdicts[&Property::Assert];
        println!(
            "{name}: {} {:?} {:?}",
            verdict.word(),
            began.elapsed(),
            answer.counters
        );
        let is_safe = text.starts_with("//@ truth: assert=safe\n");
        assert!(
            is_safe || text.starts_with("//@ truth: assert=unsafe\n"),
            "{name}"
        );
        match verdict {
            Verdict::Safe(_) => {
                assert!(is_safe, "{name}");
                proved += 1;
            }
            Verdict::Unsafe(_) => {
                assert!(!is_safe, "{name}");
                violated += 1;
            }
            Verdict::Unknown(reason) => println!("  {reason}"),
        }
    }
    println!("{proved} proved, {violated} violated of {}", names.len());
}
