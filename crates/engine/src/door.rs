//! The one door through which answers go: here what an engine claims becomes a verdict, or the reason why it does not.
//!
//! | what is asked | what comes out |
//! |---|---|
//! | `atomic-sets`, and nothing is declared | safe: there is nothing to check |
//! | a property that the engine does not decide | unknown: not decided by the engine |
//! | `race`, and some races are to be ignored, which the engine cannot | the same |
//! | one that the reduction keeps in no program | unknown: unsound reduction; the engine is not asked |
//! | one that it keeps in others, but not in this program | the same, unless the engine looks all the same and finds a violation |
//! | `race`, and a search found no two accesses that meet, but came across a weaker order, or a lock that may fail | unknown, unless happens-before decides |
//! | anything else | what the engine claims |
//!
//! What comes out unknown is so *for good* if the engine has looked at every execution, its reduction keeps the property, and
//! the reason lies in the program: no other search says safe then, nor finds a violation. A weaker order is such a reason only
//! for an engine that has looked for it: others may know what happens before what.
//!
//! # Invariants
//!
//! - [`Claims`] can be looked into only here, so nobody else makes verdicts of what engines say.
//! - A violation passes as it is: whoever believes it replays it. Only *safe* is doubted.
//! - What is known of the other properties is told before happens-before is asked for, which may take longer than there is time.

use std::collections::BTreeMap;

use crate::unordered::is_of_meetings;
use crate::{
    Answer, Budget, Counters, Engine, Events, Facts, Proof, Property, Reason, Task, Verdict,
};

/// What an engine says of a task, before anybody has asked whether it is to be believed.
#[derive(Debug)]
#[must_use]
pub struct Claims {
    answer: Answer,
    weakness: ReachedWeakness,
}

/// Whether interleavings are all that can happen.
#[derive(Debug)]
enum ReachedWeakness {
    /// The engine has not looked, so the whole program counts.
    NotLookedFor,
    /// What the engine came across first, if anything.
    LookedFor(Option<Reason>),
}

impl Claims {
    pub fn new(answer: Answer) -> Self {
        Self {
            answer,
            weakness: ReachedWeakness::NotLookedFor,
        }
    }

    /// What a search claims that has looked for weaknesses on its way, with the first that it found.
    pub fn of_search(answer: Answer, weakness: Option<Reason>) -> Self {
        Self {
            answer,
            weakness: ReachedWeakness::LookedFor(weakness),
        }
    }

    /// These are nobody's verdicts.
    pub fn counters_mut(&mut self) -> &mut Counters {
        &mut self.answer.counters
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
        match without_asking(engine, property, &facts) {
            Some(verdict) => {
                settled.insert(property, verdict);
            }
            None => asked.push(property),
        }
    }
    let mut task = task.clone();
    task.semantics.properties.clone_from(&asked);
    let claims = if asked.is_empty() {
        Claims::new(Answer::default())
    } else {
        engine.claim(&task, budget, events)
    };
    let (weakness, is_looked_for) = match claims.weakness {
        ReachedWeakness::NotLookedFor => (facts.weakness.clone(), false),
        ReachedWeakness::LookedFor(reached) => (reached, true),
    };
    let mut answer = claims.answer;
    let mut claimed = std::mem::replace(&mut answer.verdicts, settled);
    let mut unordered = None;
    for property in asked {
        let verdict = claimed
            .remove(&property)
            .unwrap_or(Verdict::Unknown(Reason::NotDecidedByEngine));
        let is_searched = answer.is_exhaustive || is_by_search(&verdict);
        let verdict = believed(engine, property, verdict, &facts);
        match &weakness {
            Some(weakness) if is_of_meetings(property, &verdict) => {
                unordered = Some((weakness, is_searched && is_looked_for));
            }
            Some(_) | None => conclude(engine, &facts, &mut answer, property, verdict, is_searched),
        }
    }
    if let Some((weakness, is_searched)) = unordered {
        // What is known is known, however long this takes; and no two accesses meet, whoever looks.
        answer.goes_on_with = is_searched.then_some(Property::Race);
        events.answered(&answer);
        answer.goes_on_with = None;
        let (verdict, counters) = engine.decide_unordered(&task, weakness, budget, events);
        answer.counters.extend(counters);
        let race = Property::Race;
        conclude(engine, &facts, &mut answer, race, verdict, is_searched);
    }
    answer
}

/// Enters a verdict, and whether it is unknown for good.
fn conclude(
    engine: &dyn Engine,
    facts: &Facts,
    answer: &mut Answer,
    property: Property,
    verdict: Verdict,
    is_searched: bool,
) {
    if let Verdict::Unknown(reason) = &verdict
        && is_searched
        && reason.is_of_the_program()
        && engine.reduction().keeps(property, facts)
    {
        answer.unknown_for_good.insert(property);
    }
    answer.verdicts.insert(property, verdict);
}

/// What is said of the properties of a task without asking the engine.
pub fn settled(engine: &dyn Engine, task: &Task<'_>) -> BTreeMap<Property, Verdict> {
    let facts = Facts::of(task.program);
    let properties = task.semantics.properties.iter();
    properties
        .filter_map(|it| Some((*it, without_asking(engine, *it, &facts)?)))
        .collect()
}

/// Why the engine need not be asked, as a verdict.
fn without_asking(engine: &dyn Engine, property: Property, facts: &Facts) -> Option<Verdict> {
    let is_declared = facts.has_atomic_sets || engine.is_asked_more(property);
    if property == Property::AtomicSets && !is_declared {
        return Some(Verdict::Safe(Proof::NothingToCheck));
    }
    let is_asked_less = property == Property::Race && facts.ignores_races;
    if !engine.decides(property) || is_asked_less && !engine.id().can_ignore_races() {
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

/// What becomes of a claim, if interleavings are all that can happen.
fn believed(engine: &dyn Engine, property: Property, claimed: Verdict, facts: &Facts) -> Verdict {
    let is_safe = matches!(claimed, Verdict::Safe(_));
    if is_safe && !engine.reduction().keeps(property, facts) {
        return unsound(engine, property);
    }
    claimed
}

/// Whether it is claimed that a search found no violation in any interleaving.
fn is_by_search(claimed: &Verdict) -> bool {
    match claimed {
        Verdict::Safe(
            Proof::SearchExhausted(_)
            | Proof::SearchUpTo(_)
            | Proof::HappensBefore(_)
            | Proof::Invariant { .. },
        ) => true,
        Verdict::Safe(Proof::NothingToCheck | Proof::OverApproximation { .. })
        | Verdict::Unsafe(_)
        | Verdict::Unknown(_) => false,
    }
}

fn unsound(engine: &dyn Engine, property: Property) -> Verdict {
    Verdict::Unknown(Reason::UnsoundReduction {
        reduction: engine.reduction(),
        property,
    })
}
