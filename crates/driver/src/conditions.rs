//! What the verdicts of a run rest on together, once all of them are known.
//!
//! | a condition | goes away if |
//! |---|---|
//! | as long as no violation of a property happens that ends executions | that property is safe; then what it rests on takes its place |
//! | for sequentially consistent executions | `race` is safe; then what `race` rests on takes its place |

use std::collections::BTreeMap;

use raddle_engine::{Condition, Facts, Proof, Property, Reason, Verdict, condition};
use raddle_ir::{Action, Program};

use crate::report::PropertyReport;

/// Whether executions are interleavings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Interleaving {
    /// There is one thread.
    #[default]
    Trivial,
    /// If there are no races.
    WithoutRaces,
    /// The program writes weaker memory orders.
    NotPromised,
}

impl Interleaving {
    pub(crate) fn of(program: &Program) -> Self {
        let mut actions = program
            .functions
            .values()
            .flat_map(|it| it.edges.values())
            .map(|it| &it.action);
        let has_threads =
            program.roots.len() > 1 || actions.any(|it| matches!(it, Action::Spawn { .. }));
        let weakness = Facts::of(program).weakness;
        if !has_threads {
            Interleaving::Trivial
        } else if matches!(weakness, Some(Reason::WeakerMemoryOrder { .. })) {
            Interleaving::NotPromised
        } else {
            Interleaving::WithoutRaces
        }
    }
}

/// Which conditions a verdict may rest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terms {
    /// None that is about violations.
    Strict,
    /// Not that every value that somebody looks at was set: who does not ask for `uninitialized` takes such a value for any
    /// value, and what comes then has not been examined.
    Set,
    Any,
}

impl Terms {
    pub(crate) fn new(is_strict: bool, asked: &[Property]) -> Self {
        if is_strict {
            Terms::Strict
        } else if asked.contains(&Property::Uninitialized) {
            Terms::Any
        } else {
            Terms::Set
        }
    }

    /// Why a verdict that rests on these conditions is unknown, if it is.
    pub(crate) fn refused(self, conditions: &[Condition]) -> Option<Reason> {
        let is_refused = |it: &&Condition| match self {
            Terms::Strict => true,
            Terms::Set => it.property() == Some(Property::Uninitialized),
            Terms::Any => false,
        };
        conditions
            .iter()
            .filter(is_refused)
            .find_map(Condition::reason)
    }
}

/// Leaves the conditions that remain.
pub(crate) fn settle(properties: &mut [PropertyReport], interleaving: Interleaving) {
    let known: Vec<(Property, Vec<Condition>)> = properties
        .iter()
        .filter(|it| is_safe(it))
        .map(|it| (it.audited.property(), it.conditions.clone()))
        .collect();
    let safe: BTreeMap<Property, &[Condition]> = known.iter().map(|it| (it.0, &*it.1)).collect();
    for report in properties.iter_mut().filter(|it| is_safe(it)) {
        let is_race = report.audited.property() == Property::Race;
        if !is_race && has_something_to_check(report) {
            for it in ordered(interleaving, safe.get(&Property::Race).copied()) {
                condition::add(&mut report.conditions, it);
            }
        }
        report.conditions = condition::remaining(&report.conditions, &safe);
    }
}

/// What it takes for executions to be interleavings; `race` is safe under these conditions, or not known to be.
fn ordered(interleaving: Interleaving, of_race: Option<&[Condition]>) -> Vec<Condition> {
    match (interleaving, of_race) {
        (Interleaving::Trivial, _) => Vec::new(),
        (Interleaving::WithoutRaces, Some(conditions)) => conditions.to_vec(),
        (Interleaving::WithoutRaces, None) | (Interleaving::NotPromised, _) => {
            vec![Condition::SequentiallyConsistent]
        }
    }
}

fn is_safe(report: &PropertyReport) -> bool {
    matches!(report.audited.verdict(), Verdict::Safe(_))
}

fn has_something_to_check(report: &PropertyReport) -> bool {
    !matches!(
        report.audited.verdict(),
        Verdict::Safe(Proof::NothingToCheck)
    )
}
