//! Writing to the standard streams. A reader who has seen enough (`| head`) is no error.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use raddle_diag::Colour;
use serde::{Deserialize, Serialize};

use crate::arguments::{Terminal, When};

/// Of a run whose report could not be written.
pub(crate) const EXIT_CODE: u8 = 2;

static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Whether something that was to be on standard output is not there, though somebody may look for it.
pub(crate) fn is_lost() -> bool {
    IS_LOST.load(Ordering::Relaxed)
}

/// What was written, as far as somebody asks for it.
static RECORD: Mutex<Option<Written>> = Mutex::new(None);

/// What was written to the standard streams.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Written {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Begins to record what is written from now on.
pub(crate) fn begin_record() {
    *recorded() = Some(Written::default());
}

/// What was written since.
pub(crate) fn end_record() -> Written {
    recorded().take().unwrap_or_default()
}

fn recorded() -> MutexGuard<'static, Option<Written>> {
    RECORD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a whole text to standard output.
pub(crate) fn to_stdout(text: &str) {
    if let Some(record) = recorded().as_mut() {
        record.stdout.push_str(text);
    }
    let mut stdout = io::stdout().lock();
    finish(
        stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush()),
    );
}

/// Writes a whole text to standard error.
pub(crate) fn to_stderr(text: &str) {
    if let Some(record) = recorded().as_mut() {
        record.stderr.push_str(text);
    }
    let mut stderr = io::stderr().lock();
    // There is nobody left to tell if this fails.
    let _ = stderr.write_all(text.as_bytes());
}

fn finish(result: io::Result<()>) {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            IS_LOST.store(true, Ordering::Relaxed);
            to_stderr(&format!("error: cannot write the report: {error}\n"));
        }
        Err(_) | Ok(()) => {}
    }
}

pub(crate) fn stdout_colour(terminal: Terminal) -> Colour {
    colour(terminal.color, io::stdout().is_terminal())
}

pub(crate) fn stderr_colour(terminal: Terminal) -> Colour {
    colour(terminal.color, io::stderr().is_terminal())
}

fn colour(when: When, is_terminal: bool) -> Colour {
    let forbids = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match when {
        When::Always => Colour::Styled,
        When::Never => Colour::Plain,
        When::Auto if is_terminal && !forbids => Colour::Styled,
        When::Auto => Colour::Plain,
    }
}
