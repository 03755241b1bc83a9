//! From sources to a report: reads the program, chooses engines, runs them within their budget, has their evidence audited. Prints
//! nothing.
//!
//! - `read` and `preprocess`: sources as they lie on disk, `header`: the one of ours; `project`: what builds say of it; `load`: the program that they make up together; `automata` and
//!   `atomic_sets`: what the user declares beside it; `unraced`: which lines he does not want to hear of;
//! - `options` and `misuse`: what may be asked, `properties`: what is; `machine`: what there is to run on;
//! - `check`: one check from beginning to end; `decide`: who is asked in which order; `plan`: which engine for which property; `portfolio`: several side by side, and each of their runs; `relay`: what they tell each other;
//! - `audit`: evidence is replayed as it comes; `ledger`: the report under way; `merge`: which of two answers says more; `report`: what comes out;
//! - `tests_of`: the tests of a program; `vacuity`: what a proof says nothing about;
//! - `diagnostics` and `advice`: a violation for people; `profile`: where time went;
//! - `execute`: `raddle run`; `replay`: a trace read back.
#![warn(clippy::wildcard_enum_match_arm)]

mod advice;
mod atomic_sets;
mod audit;
mod automata;
mod check;
mod conditions;
mod decide;
mod diagnostics;
mod execute;
mod header;
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
mod project;
mod properties;
mod read;
mod relay;
mod replay;
mod report;
mod sources;
mod tests_of;
mod unraced;
mod vacuity;

pub use atomic_sets::DefaultSets;
pub use check::{check, check_watched};
pub use execute::{ExecuteOptions, Executed, ExecutedEnd, execute};
pub use header::HeaderFolder;
pub use ledger::Ledger;
pub use load::{Language, Loaded, decode, load, read_bytes, read_file, syntax_text};
pub use machine::machine_memory_bytes;
pub use misuse::{Misuse, Setting, ValidOptions};
pub use options::{
    COptions, EngineChoice, ExplicitOptions, Options, ProjectOptions, SampleOptions,
};
pub use plan::{bounded_engines, combinations, engines};
pub use profile::{ProfileReport, RunProfile};
pub use project::{LINKED, Recorded, record};
pub use properties::applicable_properties;
pub use raddle_certify::{Audited, Mismatch, Standing};
pub use raddle_engine::{
    AbstractRole, AbstractStep, Condition, Counters, EngineId, Events, Note, Outlook, Proof,
    Reason, Reduction, Remedy, Silent, Trace, Verdict, condition,
};
pub use raddle_engine_explicit::Races;
pub use raddle_engine_mat::{ContextBound, ContextBounds, PairChoice};
pub use raddle_engine_sample::StrategyName;
pub use raddle_engine_wpds::patterns::PatternSet;
pub use raddle_front_c::Surroundings;
pub use raddle_front_c::entry::{Beginning, Test};
pub use raddle_front_c::library::HEADER;
pub use raddle_ir::interpret::Property;
pub use raddle_ir::{DataModel, Program};
pub use raddle_witness::{
    Bracket, Change, Moment, ReadError, StepData, ThreadView, TraceData, TraceFile,
    VERSION as TRACE_VERSION, brackets,
};
pub use read::{Unread, read};
pub use replay::{Replay, replay, replay_options, trace_error};
pub use report::{Checked, Finding, Outcome, PropertyReport, Report, RunReport, Summary};
pub use sources::{Input, STDIN_NAME, Sources};
pub use tests_of::tests_of;

/// What the stack of a thread that reads or runs programs needs: deep nesting is bounded, not forbidden.
pub const STACK_BYTES: usize = 256 << 20;

/// The finite transition system of a program, for people.
///
/// # Errors
///
/// Why there is none.
pub fn flat_text(program: &raddle_ir::Program) -> Result<String, raddle_engine::Reason> {
    let semantics = raddle_engine::Semantics::default();
    let interpreter = raddle_stepper::definition(program, semantics);
    let initial = (interpreter.initial_states())
        .map_err(|stop| raddle_engine::Reason::from_stop(&stop, None))?;
    let (limits, budget) = (
        raddle_flat::Limits::default(),
        raddle_engine::Budget::unlimited(),
    );
    let flat = raddle_flat::flatten(&interpreter, &initial, &limits, &budget)?;
    Ok(flat.print())
}

/// The program in the text form of the intermediate representation.
pub fn program_text(program: &raddle_ir::Program) -> String {
    raddle_ir::print::print(program)
}
