//! Random programs for the nets: small, closed, with every kind of action, many of them wrong.
//!
//! - [`generate`]: a program from a seed;
//! - [`fn@shrink`]: the smallest part of a program that still shows something;
//! - [`kinds`]: which kinds of actions and items a program has.
//!
//! A program is woven of one to three *themes*, such as a counter under a lock or a pointer that outlives
//! its object. Each theme adds its variables and a few statements to each thread. So the state space stays
//! small, and still every kind of action turns up often.

mod body;
mod items;
mod kind;
mod shrink;
mod themes;
mod weave;

#[cfg(test)]
mod tests;

pub use kind::{Kind, kinds};
pub use raddle_base::Random;
pub use shrink::shrink;
pub use themes::Theme;
pub use weave::{Profile, generate};
