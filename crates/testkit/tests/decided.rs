//! Every program below `tests/` and `examples/` on the engines that may leave anything unknown: nothing that they say is wrong, what
//! they decided once they still decide, and the share of what they leave unknown has a limit.
//!
//! `RADDLE_PROGRAM` keeps to programs with these letters in their names.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_testkit::decided::{Record, problems, said};
use raddle_testkit::shares::{Programs, Shares};
use raddle_testkit::walk::{self, TestProgram};

/// What all programs come to.
#[derive(Default)]
struct Run {
    failures: Vec<String>,
    shares: Shares,
    /// For want of a compiler.
    skipped: usize,
}

impl Run {
    fn look(&mut self, record: &Record, test: &TestProgram, at: usize) {
        let name = &test.name;
        let found = match said(test, at) {
            Ok(Some((program, semantics, all))) => {
                record.share(name, &all, &mut self.shares);
                let header = test.header().expect("it was read");
                let mut found = problems(&header, &program, &semantics, &all);
                found.extend(record.differences(name, &all));
                found
            }
            Ok(None) => {
                self.skipped += 1;
                Vec::new()
            }
            Err(problem) => vec![problem],
        };
        let found = found.into_iter().map(|it| format!("{name}: {it}"));
        self.failures.extend(found);
    }
}

#[test]
fn what_was_decided_is_decided_and_nothing_is_wrong() {
    let root = walk::repository_root();
    let programs = walk::programs(&root).expect("tests/ and examples/ hold programs");
    let record = Record::read(&root).expect("the records are there");
    let wanted = std::env::var("RADDLE_PROGRAM").unwrap_or_default();
    let (next, whole) = (AtomicUsize::new(0), Mutex::new(Run::default()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let work = || {
                let mut run = Run::default();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(test) = programs.get(at) else {
                        break;
                    };
                    if test.name.contains(&wanted) {
                        run.look(&record, test, at);
                    }
                }
                let mut whole = whole.lock().expect("no worker panics with it");
                whole.failures.extend(run.failures);
                whole.shares.extend(run.shares);
                whole.skipped += run.skipped;
            };
            std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, work)
                .expect("the system gives a thread its stack lazily");
        }
    });
    let mut run = whole.into_inner().expect("no worker panics with it");
    println!("{}", run.shares.describe());
    run.failures.sort();
    if wanted.is_empty() && run.skipped == 0 {
        run.failures.extend(run.shares.problems(Programs::Written));
    }
    assert!(run.failures.is_empty(), "{}", run.failures.join("\n"));
}
