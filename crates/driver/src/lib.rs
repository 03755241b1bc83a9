//! From sources to a report: reads the program, chooses the engine, runs it within its budget, has its evidence
//! audited. Prints nothing.
#![warn(clippy::wildcard_enum_match_arm)]

mod advice;
mod atomic_sets;
mod audit;
mod automata;
mod check;
mod diagnostics;
mod execute;
mod ledger;
mod load;
mod machine;
mod merge;
mod misuse;
mod options;
mod plan;
mod portfolio;
mod preprocess;
mod profile;
mod properties;
mod read;
mod replay;
mod report;
mod runs;

pub use atomic_sets::DefaultSets;
pub use check::{check, check_watched};
pub use execute::{ExecuteOptions, Executed, ExecutedEnd, execute};
pub use ledger::Ledger;
pub use load::{Language, Loaded, decode, load, read_bytes, read_file, syntax_text};
pub use machine::machine_memory_bytes;
pub use misuse::{Misuse, Setting, ValidOptions};
pub use options::{COptions, EngineChoice, ExplicitOptions, Options};
pub use plan::{bounded_engines, combinations, engines};
pub use profile::{ProfileReport, RunProfile};
pub use properties::applicable_properties;
pub use raddle_certify::{Audited, Mismatch, Standing};
pub use raddle_engine::{
    AbstractRole, AbstractStep, Counters, EngineId, Events, Note, Outlook, Proof, Reason,
    Reduction, Remedy, Silent, Trace, Verdict,
};
pub use raddle_engine_mat::{ContextBound, ContextBounds, PairChoice};
pub use raddle_engine_wpds::patterns::PatternSet;
pub use raddle_ir::interpret::Property;
pub use raddle_ir::{DataModel, Program};
pub use raddle_witness::{
    Bracket, Change, Moment, ReadError, StepData, ThreadView, TraceData, TraceFile,
    VERSION as TRACE_VERSION, brackets,
};
pub use read::{Input, STDIN_NAME, Sources, Unread, read};
pub use replay::{Replay, replay, replay_options, trace_error};
pub use report::{Checked, Outcome, PropertyReport, Report, RunReport, Summary};

/// What the stack of a thread that reads or runs programs needs: deep nesting is bounded, not forbidden.
pub const STACK_BYTES: usize = 256 << 20;

/// The program in the text form of the intermediate representation.
pub fn program_text(program: &raddle_ir::Program) -> String {
    raddle_ir::print::print(program)
}
