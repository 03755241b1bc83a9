//! Runs the checkers, several at a time, and hands over what they found as they end.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use raddle_tasks::{Definition, Task};

use crate::answer;
use crate::process::{self, End, Limits};
use crate::row::Row;

/// How often the waiting thread looks at signals and redraws the bar.
const TICK: Duration = Duration::from_millis(100);

/// How every program is checked.
#[derive(Clone, Debug)]
pub struct Setup {
    pub checker: PathBuf,
    pub timeout: Duration,
    /// 0 is no limit.
    pub memory_mb: u64,
    /// Processes at a time.
    pub jobs: usize,
    /// Workers of each process.
    pub workers: usize,
    /// Words for the command line of every checker.
    pub options: Vec<String>,
}

impl Setup {
    fn limits(&self) -> Limits {
        Limits {
            timeout: (!self.timeout.is_zero()).then_some(self.timeout),
            memory_bytes: (self.memory_mb > 0).then(|| self.memory_mb.saturating_mul(1 << 20)),
        }
    }
}

/// The command that checks a task; what its options are called the caller knows.
pub type Checker<'a> = &'a (dyn Fn(&Setup, &Definition) -> Command + Sync);

/// What the waiting thread hears.
pub enum News<'a> {
    Finished(&'a [Row]),
    /// Time has passed.
    Tick,
}

/// Runs all tasks; each is told once, unless the run is stopped.
///
/// # Errors
///
/// What the listener says; then the run stops.
pub fn run<E>(
    tasks: &[Task],
    setup: &Setup,
    checker: Checker<'_>,
    cancelled: &AtomicBool,
    mut listener: impl FnMut(News<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..setup.jobs.min(tasks.len()) {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed)
                    && let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    if let Some(rows) = check(task, setup, checker, stop)
                        && sender.send(rows).is_err()
                    {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut result = Ok(());
        loop {
            let told = match receiver.recv_timeout(TICK) {
                // After a failure the last rows are only waited for.
                Ok(rows) if result.is_ok() => listener(News::Finished(&rows)),
                Ok(_) => Ok(()),
                Err(RecvTimeoutError::Timeout) => listener(News::Tick),
                Err(RecvTimeoutError::Disconnected) => return result,
            };
            if told.is_err() && result.is_ok() {
                result = told;
            }
            if result.is_err() || cancelled.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    })
}

/// The rows of a task; `None` if the run was stopped before they were known.
fn check(task: &Task, setup: &Setup, checker: Checker<'_>, stop: &AtomicBool) -> Option<Vec<Row>> {
    let definition = match &task.definition {
        Ok(definition) => definition,
        Err(message) => return Some(vec![answer::broken(task, message)]),
    };
    let finished = process::run(&mut checker(setup, definition), &[], setup.limits(), stop);
    match finished {
        Ok(finished) if finished.end == End::Stopped => None,
        Ok(finished) => Some(answer::rows(&task.name, definition, &finished)),
        Err(error) => {
            let message = format!("the checker cannot be run: {error}");
            Some(answer::not_started(&task.name, definition, &message))
        }
    }
}
