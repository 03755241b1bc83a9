//! What users are told: the place, what is wrong, and what to do.

mod declarations;
mod rules;
mod syntax;
mod types;
