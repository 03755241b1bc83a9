//! What a reduction may take for granted about the actions of a program.
//!
//! So far: [`movers`], the table that says which actions commute with what other threads can do.
#![warn(clippy::wildcard_enum_match_arm)]

pub mod movers;
