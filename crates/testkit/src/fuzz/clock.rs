//! Time that a case itself takes, not what it waits for on a busy machine.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// What the current thread has used of a processor; where the system does not tell, the time of day.
pub(super) fn time_used() -> Duration {
    fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse().ok())
        .map_or_else(|| BEGIN.elapsed(), Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        let begin = time_used();
        let end = Instant::now() + Duration::from_secs(20);
        while time_used() == begin {
            assert!(Instant::now() < end, "time stands still");
        }
    }
}
