//! Raddle decides whether a multithreaded program can fail an assertion, race, deadlock, overrun memory or break
//! the atomicity of its data, over all interleavings, and shows the interleaving that does.
//!
//! ```
//! use raddle::{Options, Property, Summary, check};
//!
//! let report = check(
//!     "var x: u8
//!      thread t[2] {
//!          let a = x
//!          x = a + 1
//!      }",
//!     &Options::default(),
//! );
//! assert_eq!(report.summary(), Summary::Unsafe);
//! assert_eq!(report.verdict(Property::Race).map(|it| it.word()), Some("unsafe"));
//! assert_eq!(report.verdict(Property::Deadlock).map(|it| it.word()), Some("safe"));
//! ```

mod words;

use std::time::Instant;

use raddle_driver::Input;

pub use words::Flags;

pub use raddle_base::{Budget, SourceMap};
pub use raddle_diag::Diagnostic;
pub use raddle_driver::{
    Audited, Beginning, COptions, Checked, ContextBound, ContextBounds, Counters, DataModel,
    DefaultSets, EngineChoice, EngineId, Events, ExplicitOptions, Language, Ledger, Misuse, Note,
    Options, Outcome, Outlook, PairChoice, PatternSet, ProfileReport, ProjectOptions, Proof,
    Property, PropertyReport, Races, Reason, Reduction, Remedy, Report, RunProfile, STACK_BYTES,
    SampleOptions, Setting, Silent, Standing, StrategyName, Summary, Surroundings, Test, Trace,
    TraceData, TraceFile, Verdict,
};
pub use raddle_report::{
    AmountData, Commands, LineData, PhaseData, ProfileData, ReportData, RunProfileData, Timing,
    Words,
};

/// Decides the properties of a program in the `.rad` language (or in `options.language`).
///
/// Wrong input is no panic but [`Outcome::InputError`] in the report.
///
/// # Panics
///
/// If the system refuses a thread with a large stack, or on a defect of raddle itself.
pub fn check(source: &str, options: &Options) -> Report {
    let mut budget = Budget::unlimited();
    if let Some(timeout) = options.timeout {
        budget = budget.with_timeout(timeout);
    }
    if let Some(bytes) = options.memory_limit {
        budget = budget.with_memory_limit(bytes);
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, || check_here(source, options, &budget))
            .expect("the system gives a thread its stack lazily")
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn check_here(source: &str, options: &Options, budget: &Budget) -> Report {
    let begin = Instant::now();
    let is_c = matches!(
        options.language,
        Some(Language::C | Language::PreprocessedC)
    );
    if !is_c {
        let mut sources = SourceMap::new();
        sources.add("program.rad", source);
        return raddle_driver::check(sources, options, budget, &mut Silent);
    }
    let input = Input::Typed(source.as_bytes().to_vec());
    match raddle_driver::read(&[input], options, budget) {
        Ok(sources) => raddle_driver::check(sources, options, budget, &mut Silent),
        Err(unread) => unread.report(options, begin.elapsed()),
    }
}
