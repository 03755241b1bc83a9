//! Who is asked in which order: proofs without search, then engines side by side, then what a search has made provable.

use std::time::Instant;

use raddle_base::Budget;
use raddle_engine::{Answer, Events, Proof, Reason, Silent, UpTo, Verdict, settled};
use raddle_ir::interpret::Property;

use crate::EngineChoice;
use crate::ledger::Ledger;
use crate::plan::{Decider, EngineRun, apart, plan, plan_of_bmc, plan_of_sample};
use crate::portfolio::{self, Job, Plans};
use crate::profile::RunProfile;

/// Decides the properties of the task; what is found is in the ledger.
pub(crate) fn decide(job: &Job<'_>, budget: &Budget, events: &mut dyn Events) {
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

/// Proves what `static` can prove, and units of work where there is nothing to search.
fn prove_without_search(job: &Job<'_>, budget: &Budget, events: &mut dyn Events) {
    let begin = Instant::now();
    let prover = Decider::without_search();
    let mut engine = prover.engine(job.options, job.automata);
    let mut task = job.task.clone();
    // Whether predicates of exclusive access are kept, only a search tells; without them it may have nothing to do.
    let leaves_a_search =
        |it: &Property| *it == Property::Race || task.program.exclusives.is_empty();
    task.semantics
        .properties
        .retain(|it| engine.decides(*it) && leaves_a_search(it));
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
