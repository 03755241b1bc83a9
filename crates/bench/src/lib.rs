//! Programs with known verdicts, each checked in a process of its own, and how the verdicts compare with the truth: what
//! `raddle bench` runs and tells.
//!
//! No program is lost: one whose definition is broken, or whose checker crashes, hangs, eats memory or babbles, has
//! its rows like every other. The report is in the order of names, however the processes end. Prints nothing.

mod answer;
mod difference;
pub mod json;
pub mod pool;
pub mod process;
mod row;
pub mod store;
mod summary;
pub mod table;

use std::collections::BTreeMap;

pub use difference::Difference;
pub use pool::{News, Setup};
pub use row::{Answer, Rating, Row};
pub use store::Store;
pub use summary::Summary;

/// What was not run.
pub struct Notes {
    /// Properties that definitions name but that are not decided here, with how often.
    pub left_out: BTreeMap<String, usize>,
    /// Programs that a stopped run did not come to.
    pub missing: usize,
}
