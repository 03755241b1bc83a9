//! The forms of a report: JSON and SARIF for machines, tables of where the time went, and what the words of a report mean.
//! Prints nothing.
#![warn(clippy::wildcard_enum_match_arm)]

mod baseline;
pub mod columns;
mod commands;
mod explanation;
mod fingerprint;
mod json;
pub mod numbers;
mod profile;
pub mod sarif;
mod words;

pub use baseline::{Baseline, Novelty};
pub use commands::Commands;
pub use explanation::{Explanation, explanation, explanations, list_of_words, nearest};
pub use json::{JSON_VERSION, ReportData, Timing};
pub use profile::{
    AmountData, LineData, PhaseData, ProfileData, RunProfileData, tables as profile_tables,
};
pub use words::{Words, all_worded, diagnostic, diagnostics, said, warnings, worded};
