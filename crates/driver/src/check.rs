//! One run: load, choose, decide, audit.

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use raddle_base::Budget;
use raddle_engine::{Answer, Events, Note, Proof, Reason, Silent, Task, UpTo, Verdict, settled};
use raddle_ir::interpret::Property;

use crate::automata::read_automata;
use crate::ledger::Ledger;
use crate::load::{load, notes};
use crate::misuse::unknown_function;
use crate::plan::{Decider, EngineRun, apart, plan, plan_of_bmc, plan_of_sample};
use crate::portfolio::{self, Job, Plans};
use crate::profile::RunProfile;
use crate::properties::asked_properties;
use crate::report::{Outcome, PropertyReport, Report};
use crate::{EngineChoice, Options, Sources, ValidOptions};

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
    Ok(())
}

fn wrong_input(notes: Vec<Note>) -> Box<Outcome> {
    Box::new(Outcome::InputError(notes))
}

fn decide(job: &Job<'_>, budget: &Budget, events: &mut dyn Events) {
    let options = job.options;
    let properties = &job.task.semantics.properties;
    let is_free = options.engine == EngineChoice::Auto;
    if is_free {
        prove_without_search(job, budget, events);
    }
    let open: Vec<Property> = properties
        .iter()
        .copied()
        .filter(|it| !job.ledger.is_decided(*it))
        .collect();
    let parts = plan(options, &open);
    if !is_free {
        job.run_all(parts, budget, events);
        return;
    }
    let (pushdown, explicit) = apart(parts);
    let plans = Plans {
        explicit,
        bmc: plan_of_bmc(options, &open),
        sample: plan_of_sample(options, &open),
        pushdown,
    };
    portfolio::run(job, plans, budget, events);
    if needs_only_definedness(job.ledger, properties) {
        let part = EngineRun {
            decider: Decider::of_units_after_search(),
            properties: vec![Property::AtomicSets],
        };
        job.run_all(vec![part], budget, events);
    }
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

/// Proves what `static` can prove, and units of work where there is nothing to search.
fn prove_without_search(job: &Job<'_>, budget: &Budget, events: &mut dyn Events) {
    let begin = Instant::now();
    let prover = Decider::without_search();
    let mut engine = prover.engine(job.options, job.automata);
    let mut task = job.task.clone();
    task.semantics.properties.retain(|it| engine.decides(*it));
    let answer = raddle_engine::decide(engine.as_mut(), &task, budget, &mut Silent);
    job.ledger
        .record_profile(RunProfile::new(prover, begin.elapsed()));
    note_safe(job, prover, budget, answer, events);
    let units = Decider::of_units();
    let engine = units.engine(job.options, job.automata);
    let settled = Answer {
        verdicts: settled(engine.as_ref(), &job.task),
        ..Answer::default()
    };
    note_safe(job, units, budget, settled, events);
}

fn note_safe(
    job: &Job<'_>,
    decider: Decider,
    budget: &Budget,
    answer: Answer,
    events: &mut dyn Events,
) {
    let mut auditor = job.auditor(decider, budget, events);
    for (property, verdict) in answer.verdicts {
        if matches!(verdict, Verdict::Safe(_)) {
            auditor.audit(property, verdict, &answer.conditions);
        }
    }
}

/// Whether units of work are in order unless something undefined happens, and a search that came to its end has shown
/// that nothing does: had it met anything undefined, what it called safe would rest on that.
fn needs_only_definedness(ledger: &Ledger, properties: &[Property]) -> bool {
    let is_open = ledger.is_known_to(Property::AtomicSets, |it| {
        matches!(it, Verdict::Unknown(Reason::UndefinedNotExcluded { .. }))
    });
    let is_searched = |it: &Verdict| {
        matches!(
            it,
            Verdict::Safe(Proof::SearchExhausted(_) | Proof::SearchUpTo(UpTo { hashes: None, .. }))
        )
    };
    let is_without_ends = |it: &Property| ledger.is_without_conditions(*it, is_searched);
    is_open && properties.iter().any(is_without_ends)
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
