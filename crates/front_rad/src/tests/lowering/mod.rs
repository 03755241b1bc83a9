//! Which edges statements become.

mod brackets;
mod control;
mod operations;
mod values;
