//! The one door through which answers go: here what an engine claims becomes a verdict, or the reason why it does not.
//!
//! | what is asked | what comes out |
//! |---|---|
//! | `atomic-sets`, and nothing is declared | safe: there is nothing to check |
//! | a property that the engine does not decide | unknown: not decided by the engine |
//! | one that the reduction keeps in no program | unknown: unsound reduction; the engine is not asked |
//! | one that it keeps in others, but not in this program | the same, unless the engine looks all the same and finds a violation |
//! | `race`, and a search found none, but interleavings are not all that can happen | unknown: a weaker order, or a lock that may fail |
//! | anything else | what the engine claims |
//!
//! # Invariants
//!
//! - [`Claims`] can be looked into only here, so nobody else makes verdicts of what engines say.
//! - A violation passes as it is: whoever believes it replays it. Only *safe* is doubted.

use std::collections::BTreeMap;

use crate::{
    Answer, Budget, Counters, Engine, Events, Facts, Proof, Property, Reason, Task, Verdict,
};

/// What an engine says of a task, before anybody has asked whether it is to be believed.
#[derive(Debug)]
#[must_use]
pub struct Claims(Answer);

impl Claims {
    pub fn new(answer: Answer) -> Self {
        Self(answer)
    }

    /// These are nobody's verdicts.
    pub fn counters_mut(&mut self) -> &mut Counters {
        &mut self.0.counters
    }
}

/// Decides the properties of a task as far as the engine can, or says of each why not: one verdict for each of them.
pub fn decide(
    engine: &mut dyn Engine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let facts = Facts::of(task.program);
    let mut settled = BTreeMap::new();
    let mut asked = Vec::new();
    for &property in &task.semantics.properties {
        match before(engine, property, &facts) {
            Some(verdict) => {
                settled.insert(property, verdict);
            }
            None => asked.push(property),
        }
    }
    let mut answer = if asked.is_empty() {
        Answer::default()
    } else {
        let mut task = task.clone();
        task.semantics.properties.clone_from(&asked);
        engine.claim(&task, budget, events).0
    };
    let mut claimed = std::mem::replace(&mut answer.verdicts, settled);
    for property in asked {
        let verdict = claimed
            .remove(&property)
            .unwrap_or(Verdict::Unknown(Reason::NotDecidedByEngine));
        let verdict = after(engine, property, verdict, &facts);
        answer.verdicts.insert(property, verdict);
    }
    answer
}

/// What is said of the properties of a task without asking the engine.
pub fn settled(engine: &dyn Engine, task: &Task<'_>) -> BTreeMap<Property, Verdict> {
    let facts = Facts::of(task.program);
    let properties = task.semantics.properties.iter();
    properties
        .filter_map(|it| Some((*it, before(engine, *it, &facts)?)))
        .collect()
}

/// Why the engine need not be asked, as a verdict.
fn before(engine: &dyn Engine, property: Property, facts: &Facts) -> Option<Verdict> {
    let is_declared = facts.has_atomic_sets || engine.is_asked_more(property);
    if property == Property::AtomicSets && !is_declared {
        return Some(Verdict::Safe(Proof::NothingToCheck));
    }
    if !engine.decides(property) {
        return Some(Verdict::Unknown(Reason::NotDecidedByEngine));
    }
    let reduction = engine.reduction();
    let is_worth_asking = if engine.looks_in_doubt() {
        reduction.is_sound_for(property)
    } else {
        reduction.keeps(property, facts)
    };
    (!is_worth_asking).then(|| unsound(engine, property))
}

/// What becomes of a claim.
fn after(engine: &dyn Engine, property: Property, claimed: Verdict, facts: &Facts) -> Verdict {
    let Verdict::Safe(proof) = claimed else {
        return claimed;
    };
    if !engine.reduction().keeps(property, facts) {
        return unsound(engine, property);
    }
    let covers_interleavings_only = match proof {
        Proof::SearchExhausted(_) | Proof::SearchUpTo(_) => true,
        Proof::NothingToCheck | Proof::OverApproximation { .. } => false,
    };
    match &facts.weakness {
        Some(reason) if property == Property::Race && covers_interleavings_only => {
            Verdict::Unknown(reason.clone())
        }
        Some(_) | None => Verdict::Safe(proof),
    }
}

fn unsound(engine: &dyn Engine, property: Property) -> Verdict {
    Verdict::Unknown(Reason::UnsoundReduction {
        reduction: engine.reduction(),
        property,
    })
}
