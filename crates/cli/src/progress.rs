//! A line of progress on a terminal, rewritten in place; above it each verdict as soon as it is there; and what else engines
//! tell before they have ended.
//!
//! Engines tell often; the clock is looked at first, and only when a line is due is anything else worked out.

use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use raddle::{Counters, Events, Outlook, Property, Trace};

use crate::output;
use raddle_report::numbers::{grouped, size};

const QUIET_TIME: Duration = Duration::from_millis(500);
const BETWEEN: Duration = Duration::from_millis(200);
const CLEAR_LINE: &str = "\r\x1b[K";

/// Shows progress if somebody looks.
pub(crate) struct Progress {
    begin: Instant,
    last: Option<Instant>,
    is_shown: bool,
    /// Of a search that tells how far it has come, until the line is printed.
    outlook: Option<Outlook>,
    /// States at a time, for their rate.
    before: (Instant, u64),
    /// Of a run that may still be over before anybody has looked.
    decided: Vec<String>,
    question: LastQuestion,
}

/// The last question to a solver, for the thread that waits.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastQuestion {
    script: Arc<Mutex<Option<String>>>,
}

impl LastQuestion {
    fn script(&self) -> MutexGuard<'_, Option<String>> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn take(&self) -> Option<String> {
        self.script().take()
    }
}

impl Progress {
    pub(crate) fn new(is_wanted: bool, question: LastQuestion) -> Self {
        Self {
            question,
            begin: Instant::now(),
            last: None,
            outlook: None,
            before: (Instant::now(), 0),
            decided: Vec::new(),
            is_shown: is_wanted && io::stderr().is_terminal(),
        }
    }

    /// How many states a second were found since somebody asked.
    fn rate(&mut self, states: u64) -> u64 {
        let now = Instant::now();
        let (since, before) = std::mem::replace(&mut self.before, (now, states));
        let milliseconds = (now - since).as_millis().max(1);
        // A search may have begun anew meanwhile.
        let found = u128::from(states.saturating_sub(before));
        u64::try_from(found * 1_000 / milliseconds).unwrap_or(u64::MAX)
    }

    /// Verdicts stay on the screen.
    fn show_decided(&mut self) {
        for line in self.decided.drain(..) {
            output::to_stderr(&format!("{CLEAR_LINE}{line}\n"));
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
        self.show_decided();
        let parts = match self.outlook.take() {
            Some(outlook) => {
                let rate = self.rate(outlook.states);
                of_search(&outlook, rate, raddle_base::resident_bytes())
            }
            None => match counters.get("schedules") {
                Some(&schedules) => {
                    let rate = self.rate(schedules);
                    of_samples(counters, schedules, rate)
                }
                None => of_counters(counters),
            },
        };
        output::to_stderr(&format!(
            "{CLEAR_LINE}{} ({} s)",
            parts.join(", "),
            self.begin.elapsed().as_secs()
        ));
    }

    fn outlook(&mut self, outlook: &dyn Fn() -> Outlook) {
        if self.is_due() {
            self.outlook = Some(outlook());
        }
    }

    fn violated(&mut self, _trace: &Trace) {
        // Its verdict is told too.
    }

    fn decided(&mut self, property: Property, word: &'static str) {
        if !self.is_shown {
            return;
        }
        let seconds = self.begin.elapsed().as_secs_f64();
        self.decided
            .push(format!("{property}: {word} ({seconds:.1} s)"));
        // The report of a short run follows at once.
        if self.begin.elapsed() >= QUIET_TIME {
            self.show_decided();
        }
    }

    fn question(&mut self, script: String) {
        *self.question.script() = Some(script);
    }
}

/// With so many schedules a second, and the chance that the next one is new.
fn of_samples(counters: &Counters, schedules: u64, rate: u64) -> Vec<String> {
    let count = |name| counters.get(name).copied().unwrap_or_default();
    let thousandths = (1_000 * count("seen_once")).div_ceil(schedules.max(1));
    vec![
        format!("{} schedules", grouped(schedules)),
        format!("{}/s", grouped(rate)),
        format!("{} of them different", grouped(count("distinct"))),
        format!(
            "the next one new with a chance of {}.{} %",
            thousandths / 10,
            thousandths % 10
        ),
    ]
}

fn of_counters(counters: &Counters) -> Vec<String> {
    let counters = counters.iter();
    counters
        .map(|(name, value)| format!("{value} {name}"))
        .collect()
}

/// With so many states a second, and so much memory of the process.
fn of_search(outlook: &Outlook, rate: u64, memory: Option<u64>) -> Vec<String> {
    let mut parts = vec![
        format!("{} states", grouped(outlook.states)),
        format!("{}/s", grouped(rate)),
    ];
    parts.extend(outlook.depth.map(|it| format!("depth {}", grouped(it))));
    parts.push(format!("{} waiting", grouped(outlook.waiting)));
    parts.extend(memory.map(size));
    let done = outlook.percent_done;
    parts.extend(done.map(|it| format!("about {it} % done")));
    parts
}

/// Removes what is left of the line, before something else is printed.
pub(crate) fn clear(is_wanted: bool) {
    if is_wanted && io::stderr().is_terminal() {
        output::to_stderr(CLEAR_LINE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTLOOK: Outlook = Outlook {
        states: 1_972_601,
        depth: Some(42),
        waiting: 2_859,
        percent_done: Some(29),
    };

    #[test]
    fn a_search_tells_states_rate_depth_queue_memory_and_an_estimate() {
        let line = of_search(&OUTLOOK, 731_000, Some(210_000_000)).join(", ");
        assert_eq!(
            line,
            "1,972,601 states, 731,000/s, depth 42, 2,859 waiting, 210 MB, about 29 % done"
        );
    }

    #[test]
    fn what_nobody_knows_is_left_out() {
        let outlook = Outlook {
            depth: None,
            percent_done: None,
            ..OUTLOOK
        };
        let line = of_search(&outlook, 0, None).join(", ");
        assert_eq!(line, "1,972,601 states, 0/s, 2,859 waiting");
    }

    #[test]
    fn engines_that_do_not_search_tell_their_counters() {
        let counters = Counters::from([("blocks", 3), ("clauses", 1_000)]);
        assert_eq!(of_counters(&counters).join(", "), "3 blocks, 1000 clauses");
    }

    #[test]
    fn nothing_is_worked_out_before_a_line_is_due() {
        let mut progress = Progress::new(true, LastQuestion::default());
        progress.outlook(&|| unreachable!("it has just begun"));
        assert!(progress.outlook.is_none());
    }
}
