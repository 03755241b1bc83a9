//! Which raddle this is.

/// Version, commit and the solvers that are built in.
pub(crate) const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("RADDLE_COMMIT"),
    "; no solver)"
);
