//! Ctrl-C and the polite request to end.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that the first signal sets; the second signal ends the process at once.
pub(crate) fn cancel_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Order matters: the shutdown looks at the flag before the same signal sets it.
        // Where a handler cannot be installed, the system's own default stays, which is to end.
        let _ = flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag));
        let _ = flag::register(signal, Arc::clone(&flag));
    }
    flag
}
