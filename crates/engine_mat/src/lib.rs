//! The token-passing engine: threads unrolled one by one, and a token that goes from thread to thread (MAT).
//!
//! - [`pairs`]: between which accesses the token has to be able to go. It knows no programs.

pub mod pairs;
