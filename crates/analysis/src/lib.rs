//! What can be said of all executions of a program without running it.
//!
//! - [`value`]: abstract values; [`automaton`], [`feedback`]: the shape of functions; [`call_graph`]: who runs what;
//! - [`points_to`]: what registers and cells may hold; [`escape`]: which objects stay with one thread;
//! - [`futures`]: what threads may still do; [`flow`]: facts along the steps of a thread; [`locksets`]: which locks are held where;
//!   [`parallel`]: who may run at the same time;
//! - `registers`, `numbers`, `initialized`: what is certain of values; [`undefined`], `misuse`, `units`: what may go wrong, as [`doubts`];
//! - [`names`]: what people call objects and their parts;
//! - [`conflicts`]: which actions touch common bytes; [`races`]: proofs that nobody races; [`properties`]: of all else.
//!
//! Everything is an over-approximation of what the reference interpreter does up to the end of an execution, for any
//! number of threads. What is not understood makes the answer "not proved".
#![warn(clippy::wildcard_enum_match_arm)]

pub mod automaton;
pub mod call_graph;
pub mod conflicts;
pub mod doubts;
mod ends;
pub mod escape;
mod evaluate;
pub mod feedback;
pub mod flow;
pub mod futures;
mod given;
mod initialized;
pub mod locksets;
mod misuse;
pub mod names;
mod numbers;
mod objects;
pub mod parallel;
pub mod points_to;
pub mod properties;
pub mod races;
mod registers;
mod sync_places;
pub mod undefined;
mod units;
pub mod value;
