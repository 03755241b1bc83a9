//! Writing to the standard streams. A reader who has seen enough (`| head`) is no error.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use raddle_diag::Colour;

use crate::arguments::{Terminal, When};

/// Of a run whose report could not be written.
pub(crate) const EXIT_CODE: u8 = 2;

static IS_LOST: AtomicBool = AtomicBool::new(false);

/// Whether something that was to be on standard output is not there, though somebody may look for it.
pub(crate) fn is_lost() -> bool {
    IS_LOST.load(Ordering::Relaxed)
}

/// Writes a whole text to standard output.
pub(crate) fn to_stdout(text: &str) {
    let mut stdout = io::stdout().lock();
    finish(
        stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush()),
    );
}

/// Writes a whole text to standard error.
pub(crate) fn to_stderr(text: &str) {
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
