//! Defects of raddle itself: said to be such, and never a verdict.

use std::panic::{self, PanicHookInfo};
use std::sync::{Mutex, PoisonError};

use crate::output;
use crate::version::VERSION;

pub(crate) const EXIT_CODE: u8 = 101;

/// What the first panic said, and where.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the message of a panic for [`complain`] instead of printing it at once.
pub(crate) fn install() {
    panic::set_hook(Box::new(remember));
}

fn remember(info: &PanicHookInfo<'_>) {
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .map(|it| (*it).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_owned());
    let place = info
        .location()
        .map_or_else(String::new, |it| format!("{}:{}: ", it.file(), it.line()));
    let mut first = PANIC.lock().unwrap_or_else(PoisonError::into_inner);
    first.get_or_insert(format!("{place}{message}"));
}

/// So that tests see what users see after a defect. Builds for users have no such switch.
#[cfg(debug_assertions)]
pub(crate) fn fail_if_asked(place: &str) {
    let asked = std::env::var_os("RADDLE_TEST_PANIC");
    assert!(
        asked.is_none_or(|it| it != place),
        "the {place} was asked to fail"
    );
}

#[cfg(not(debug_assertions))]
pub(crate) fn fail_if_asked(_place: &str) {}

/// What the panic said.
pub(crate) fn panic_message() -> String {
    PANIC
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
        .unwrap_or_else(|| "the worker ended without an answer".to_owned())
}

/// Says that no verdict follows, and what to send.
pub(crate) fn complain(message_and_command: Option<(&str, &str)>) {
    let panic = panic_message();
    let (message, command) = message_and_command.unwrap_or((&panic, "raddle"));
    output::to_stderr(&format!(
        "error[internal]: internal error, no verdict follows\n  \
         = note: {message}\n  \
         = note: raddle {VERSION}\n  \
         = help: this is a defect of raddle; please report it with the program and this command: {command}\n"
    ));
}
