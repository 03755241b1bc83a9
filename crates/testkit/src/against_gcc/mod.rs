//! The meaning of C programs against gcc: the same output and the same exit status, in both data models.
//!
//! - `compiler`: runs gcc and what it made, within limits; `ours`: reads and runs the same text ourselves;
//! - `compare`: one program, both ways; `tally`: many of them, as a table;
//! - `header`: what a program of ours says about itself, what a program of gcc's test suite asks for;
//! - `layouts`, `csmith`: programs that nobody wrote.

pub mod compare;
pub mod compiler;
pub mod csmith;
pub mod header;
pub mod layouts;
pub mod ours;
pub mod sequential;
pub mod tally;

pub use compare::{Outcome, Request, compare};
pub use tally::Tally;
