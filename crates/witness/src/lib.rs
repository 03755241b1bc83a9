//! Traces as files: everything that a person or a program needs to follow an execution, and everything that
//! the certifier needs to replay it.
//!
//! - [`TraceFile`] and its parts: the versioned JSON form, `docs/trace.schema.json`;
//! - `record`: from a trace to its file form;
//! - [`TraceData::to_trace`]: and back;
//! - `brackets`: transactions beside the steps;
//! - `timeline`: where everybody stands after each step, for those who step through it.
#![warn(clippy::wildcard_enum_match_arm)]

mod brackets;
mod data;
mod error;
mod fingerprint;
mod names;
mod read;
mod record;
mod timeline;

pub use brackets::{Bracket, brackets};
pub use data::{
    COptionsData, CellData, FoundData, OptionsData, PartData, ProjectData, SourceData, StepData,
    TraceData, TraceFile, VERSION, ViolationData, ViolationLabelData,
};
pub use error::ReadError;
pub use fingerprint::fingerprint;
pub use record::record;
pub use timeline::{Change, Moment, ThreadView, timeline};
