//! How much a report says.

use crate::arguments::Terminal;

/// How much to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Verdicts only.
    Quiet,
    Normal,
    /// Counters, and all steps of an interleaving.
    Verbose,
}

impl Detail {
    pub(crate) fn of(terminal: Terminal) -> Self {
        match (terminal.quiet, terminal.verbose) {
            (true, _) => Detail::Quiet,
            (false, true) => Detail::Verbose,
            (false, false) => Detail::Normal,
        }
    }
}
