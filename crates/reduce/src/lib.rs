//! What a reduction may take for granted about the actions of a program.
//!
//! - [`movers`]: the table that says which actions commute with what other threads can do, and under which conditions; [`table`]:
//!   the same as it is used; [`omission`]: the other conditions, by name;
//! - [`keys`]: names for cells and locks; [`discipline`]: how accesses to one cell are kept apart;
//! - [`guesses`]: what is taken for granted until a step shows otherwise; [`predicates`]: what the user says, `own` by its form;
//!   [`watched`]: what invariants look at;
//! - [`static_movers`]: what holds in every state; [`dynamic`]: what holds from some state on (DR Table 2);
//! - [`symmetry`]: states that differ in names only;
//! - [`history`]: states with what has to be remembered; [`judge`]: which way a step moves.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod discipline;
pub mod dynamic;
pub mod guesses;
pub mod history;
pub mod judge;
pub mod keys;
pub mod movers;
pub mod omission;
mod own;
pub mod predicates;
pub mod static_movers;
pub mod symmetry;
pub mod table;
pub mod watched;
