//! Any bytes are read as a task definition or refused.

use std::fs;

use raddle_generate::Random;

use super::{Looked, mutate};

const DEFINITIONS: [&str; 2] = [
    "\
format_version: '2.0'
# Program of two threads
input_files: 'fib_safe-5.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: ../properties/no-data-race.prp
    expected_verdict: false
  - property_file: ../properties/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
options:
  language: C
  data_model: ILP32
",
    "\
format_version: '2.1'
input_files: ['a.c', \"b.c\"]
required_files:
  - c.h
properties:
- property_file: no-overflow.prp
  expected_verdict: true
- property_file: termination.prp
options: {language: C, data_model: LP64}
",
];

pub(super) fn mutated(random: &mut Random) -> Vec<u8> {
    if random.chance(10) {
        return mutate::random_bytes(random);
    }
    let text = *random.pick(&DEFINITIONS);
    let other = *random.pick(&DEFINITIONS);
    mutate::mutated(random, text, other)
}

/// Definitions are read from files only; each process has its own.
pub(super) fn look(bytes: &[u8]) -> Looked {
    let thread = std::thread::current().id();
    let name = format!("raddle-fuzz-{}-{thread:?}.yml", std::process::id());
    let path = std::env::temp_dir().join(name);
    if fs::write(&path, bytes).is_err() {
        return Looked::fine(false);
    }
    let tasks = raddle_tasks::find::find(&[path.to_string_lossy().into_owned()]);
    let _ = fs::remove_file(&path);
    match tasks {
        Ok(tasks) => match &tasks[..] {
            [task] => Looked::fine(task.definition.is_ok()),
            _ => Looked::wrong(format!("{} tasks in one definition", tasks.len())),
        },
        Err(_) => Looked::fine(false),
    }
}
