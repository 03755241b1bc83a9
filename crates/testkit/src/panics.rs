//! Panics as values, with the place they come from.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

thread_local! {
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// From now on panics of this process are noted instead of printed.
pub fn note_instead_of_printing() {
    panic::set_hook(Box::new(|info| {
        LAST.with_borrow_mut(|last| *last = Some(describe(info)));
    }));
}

/// The result, or what the panic said; with its place, once they are noted.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    LAST.with_borrow_mut(|last| *last = None);
    panic::catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        LAST.with_borrow_mut(Option::take)
            .unwrap_or_else(|| format!("panics: {}", message(payload.as_ref())))
    })
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |place| {
        format!(" at {}:{}", place.file(), place.line())
    });
    format!("panics{place}: {}", message(info.payload()))
}

fn message(payload: &dyn std::any::Any) -> String {
    payload
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| payload.downcast_ref::<&str>().map(|it| (*it).to_owned()))
        .unwrap_or_default()
}
