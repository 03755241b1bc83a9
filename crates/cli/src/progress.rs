//! A line of progress on a terminal, rewritten in place; and what else engines tell before they have ended.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use raddle::{Counters, Events, Trace};

use crate::output;

const QUIET_TIME: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(200);
const CLEAR_LINE: &str = "\r\x1b[K";

/// Shows progress if somebody looks.
pub(crate) struct Progress {
    begin: Instant,
    last: Option<Instant>,
    is_shown: bool,
    question: Question,
}

/// The last question to a solver, for the thread that waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Question {
    script: Arc<Mutex<Option<String>>>,
}

impl Question {
    fn script(&self) -> MutexGuard<'_, Option<String>> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self) -> Option<String> {
        self.script().take()
    }
}

impl Progress {
    pub(crate) fn new(is_wanted: bool, question: Question) -> Self {
        Self {
            question,
            begin: Instant::now(),
            last: None,
            is_shown: is_wanted && io::stderr().is_terminal(),
        }
    }

    fn is_due(&self) -> bool {
        self.is_shown
            && match self.last {
                Some(last) => last.elapsed() >= BETWEEN,
                None => self.begin.elapsed() >= QUIET_TIME,
            }
    }
}

impl Events for Progress {
    fn progress(&mut self, counters: &Counters) {
        if !self.is_due() {
            return;
        }
        self.last = Some(Instant::now());
        let counters: Vec<String> = counters
            .iter()
            .map(|(name, value)| format!("{value} {name}"))
            .collect();
        output::to_stderr(&format!(
            "{CLEAR_LINE}{} ({} s)",
            counters.join(", "),
            self.begin.elapsed().as_secs()
        ));
    }

    fn violated(&mut self, trace: &Trace) {
        if self.is_due() {
            let property = trace.violation.property;
            output::to_stderr(&format!("{CLEAR_LINE}{property} is violated"));
        }
    }

    fn question(&mut self, script: String) {
        *self.question.script() = Some(script);
    }
}

/// Removes what is left of the line, before something else is printed.
pub(crate) fn clear(is_wanted: bool) {
    if is_wanted && io::stderr().is_terminal() {
        output::to_stderr(CLEAR_LINE);
    }
}
