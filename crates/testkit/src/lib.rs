//! Test programs as data: what their headers say, where they lie, how a run is compared with them.
//!
//! And the nets for what no program was written for: [`oracle`] and [`relations`] for verdicts, [`fuzz`] for
//! inputs, [`commute`] for the mover table, [`flaws`] for engines that go wrong on purpose, [`meaning`] for what all of them
//! would have wrong.
//!
//! Used by this crate's own `tests/` and by `xtask` only.

pub mod against_gcc;
pub mod binary;
pub mod bless;
pub mod bottoms;
pub mod commute;
pub mod console;
pub mod counters;
pub mod decided;
pub mod definition;
pub mod explore;
pub mod field_list;
pub mod flags;
pub mod flaws;
pub mod formats;
pub mod fuzz;
pub mod layers;
pub mod meaning;
pub mod misread;
pub mod modules;
pub mod oracle;
pub mod panics;
pub mod printed;
pub mod processes;
pub mod rare;
pub mod real;
pub mod reductions;
pub mod relations;
pub mod run;
pub mod schema;
pub mod seeds;
pub mod shares;
pub mod spins;
pub mod stepping;
pub mod switches;
pub mod units;
pub mod walk;

pub use raddle_tasks::{header, options};
