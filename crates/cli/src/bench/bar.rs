//! The bar of progress, on a terminal only.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use raddle_bench::{Rating, Row};

use crate::output;

const BETWEEN: Duration = Duration::from_millis(200);
const WIDTH: usize = 30;
const CLEAR_LINE: &str = "\r\x1b[K";

pub(crate) struct Bar {
    is_shown: bool,
    begin: Instant,
    last: Option<Instant>,
    done: usize,
    total: usize,
    wrong: usize,
    crashed: usize,
}

impl Bar {
    pub(crate) fn new(is_wanted: bool, total: usize) -> Self {
        Self {
            is_shown: is_wanted && io::stderr().is_terminal(),
            begin: Instant::now(),
            last: None,
            done: 0,
            total,
            wrong: 0,
            crashed: 0,
        }
    }

    /// Counts the rows of one program.
    pub(crate) fn count(&mut self, rows: &[Row]) {
        let has = |rating| rows.iter().any(|it| it.rating() == rating);
        self.done += 1;
        self.wrong += usize::from(has(Rating::Wrong));
        self.crashed += usize::from(has(Rating::Crashed));
    }

    pub(crate) fn draw(&mut self) {
        if self.is_shown && self.last.is_none_or(|it| it.elapsed() >= BETWEEN) {
            self.last = Some(Instant::now());
            output::to_stderr(&format!("{CLEAR_LINE}{}", self.line()));
        }
    }

    pub(crate) fn clear(&self) {
        if self.is_shown {
            output::to_stderr(CLEAR_LINE);
        }
    }

    fn line(&self) -> String {
        let filled = (WIDTH * self.done).checked_div(self.total).unwrap_or(WIDTH);
        let filled = filled.min(WIDTH);
        format!(
            "[{}{}] {}/{} programs, {} wrong, {} crashed, {} s",
            "#".repeat(filled),
            " ".repeat(WIDTH - filled),
            self.done,
            self.total,
            self.wrong,
            self.crashed,
            self.begin.elapsed().as_secs()
        )
    }
}
