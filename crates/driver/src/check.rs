//! One run: load, choose, decide, audit.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use raddle_base::Budget;
use raddle_engine::{Events, Note, Reason, Task, Verdict};

use crate::automata::read_automata;
use crate::decide::decide;
use crate::ledger::Ledger;
use crate::load::{load, notes};
use crate::misuse::unknown_function;
use crate::portfolio::Job;
use crate::properties::asked_properties;
use crate::report::{Outcome, PropertyReport, Report};
use crate::vacuity;
use crate::{Options, Sources, ValidOptions};

/// Decides the properties of the program that the sources make up together.
///
/// The budget is the caller's: `options.timeout` and `options.memory_limit` tell what it was, for reports.
pub fn check(
    sources: impl Into<Sources>,
    options: &Options,
    budget: &Budget,
    events: &mut dyn Events,
) -> Report {
    let sources = sources.into();
    match ValidOptions::new(options.clone()) {
        Ok(options) => check_watched(sources, &options, budget, events, &Ledger::default()),
        Err(misuse) => {
            let outcome = Outcome::Misuse(misuse);
            Report::refused(sources.map, sources.warnings, outcome, Duration::ZERO)
        }
    }
}

/// The same for a caller that may have to end the run early: what is certain is in the ledger from the moment it is
/// found.
pub fn check_watched(
    sources: Sources,
    options: &ValidOptions,
    budget: &Budget,
    events: &mut dyn Events,
    ledger: &Ledger,
) -> Report {
    let begin = Instant::now();
    if let Err(outcome) = load_and_decide(sources, options, budget, events, ledger) {
        ledger.refuse(*outcome);
    }
    let report = ledger.finished(options, begin.elapsed());
    forget_checkpoints(options, &report);
    report
}

/// What is found is in the ledger; an error is what becomes of a run that has no program.
fn load_and_decide(
    sources: Sources,
    options: &Options,
    budget: &Budget,
    events: &mut dyn Events,
    ledger: &Ledger,
) -> Result<(), Box<Outcome>> {
    let begin = Instant::now();
    let Sources {
        map: mut sources,
        warnings,
    } = sources;
    ledger.record_sources(&sources);
    ledger.record_warnings(notes(warnings));
    let loaded = load(&sources, options).map_err(wrong_input)?;
    ledger.record_warnings(loaded.warnings.clone());
    if let Some(misuse) = unknown_function(options, &loaded.program) {
        return Err(Box::new(Outcome::Misuse(misuse)));
    }
    let automata = read_automata(&options.automata, &loaded.program, &mut sources);
    ledger.record_sources(&sources);
    let automata = automata.map_err(|found| wrong_input(notes(found)))?;
    let properties = asked_properties(options, Some(&loaded.program));
    let semantics = loaded.semantics(options, properties);
    ledger.begin_run(options, &loaded, &semantics, begin.elapsed());
    let job = Job {
        task: Task {
            program: &loaded.program,
            semantics,
            seed: options.seed,
            jobs: options.jobs.map_or_else(all_cores, NonZeroUsize::get),
        },
        sources: &sources,
        options,
        automata: &automata,
        ledger,
    };
    decide(&job, budget, events);
    let warnings = vacuity::warnings(&job, budget, begin.elapsed());
    ledger.record_notes(notes(warnings));
    Ok(())
}

fn wrong_input(notes: Vec<Note>) -> Box<Outcome> {
    Box::new(Outcome::InputError(notes))
}

/// What was left to go on later is of no use when everything has been done that could be.
fn forget_checkpoints(options: &Options, report: &Report) {
    let Outcome::Checked(checked) = &report.outcome else {
        return;
    };
    let is_unfinished = |it: &PropertyReport| {
        matches!(
            it.audited.verdict(),
            Verdict::Unknown(Reason::OutOfTime | Reason::OutOfMemory | Reason::Cancelled)
        )
    };
    if let Some(folder) = &options.explicit.checkpoint
        && !checked.properties.iter().any(is_unfinished)
    {
        // Should it not work, the next run in this folder ends at once or begins anew.
        let _ = raddle_engine_explicit::remove_checkpoints(folder);
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
