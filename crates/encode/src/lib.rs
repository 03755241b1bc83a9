//! The meaning of the intermediate representation as terms of `logic`: what one edge does to symbolic states, for engines
//! that ask a solver.
//!
//! - `place`: calls inlined and loops unrolled as far as executions get; `word`, `values`, `names`, `object`, `memory`,
//!   `pointees`, `sync`, `state`: symbolic data; `guard`: conditions made simpler;
//! - `taking`: requests to take an edge and what they give; `action`: what one edge does, with `choices`, `callee`, `frames`,
//!   `threads` and `lifetime`; `operation`: what it does to synchronisation objects, with `lock`, `condition`, `barrier` and
//!   `monitor`;
//! - `touch`: which bytes that concerns; `encoder`: what all of it needs; `initial`: beginnings; `trace`: records in a
//!   model as an execution.
//!
//! What is not modelled is a *hazard* with its condition, never dropped: a program is safe only if no execution meets
//! one. Which thread runs, and when, is up to the engine.
#![warn(clippy::wildcard_enum_match_arm)]

mod action;
mod barrier;
mod callee;
mod choices;
mod condition;
pub mod encoder;
mod frames;
pub mod guard;
pub mod hazard;
mod initial;
pub mod inputs;
mod lifetime;
mod lock;
pub mod memory;
mod monitor;
pub mod names;
pub mod object;
pub mod operation;
pub mod place;
pub mod pointees;
pub mod state;
pub mod sync;
pub mod taking;
mod threads;
pub mod touch;
pub mod trace;
pub mod values;
pub mod word;

pub use encoder::{Beginning, Choice, Encoder, Record};
pub use hazard::{Hazard, Met};
pub use taking::{Advanced, Request, Taken, Taking, Way};
pub use word::Word;
