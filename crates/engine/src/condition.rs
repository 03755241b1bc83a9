//! What a safe verdict rests on besides its proof.
//!
//! Some violations end an execution: what would come after them nobody knows ([`Property::ends_executions`]). A search
//! that meets one has examined executions up to there, and a proof may take it for granted that no earlier step was such a
//! violation. What is safe is so *as long as no such violation happens*, and the verdict says so in a clause.
//!
//! # Which conditions go away
//!
//! If each of the properties that end executions is proved, if only of executions up to the first violation of any of
//! them, all of them hold: take the first violation in an execution. No earlier step was one, so the proof of its property speaks
//! about this very step, and says that it is none. The same argument lets a condition about a property that is safe, under
//! conditions of its own, give way to these: [`remaining`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use raddle_base::Span;
use raddle_ir::interpret::{Property, Violation};

use crate::Reason;

/// Under which a verdict is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// As long as nothing violates this property, which ends executions.
    No {
        property: Property,
        /// What was met, or could not be excluded.
        what: String,
        span: Option<Span>,
    },
    /// It speaks about sequentially consistent executions: that there are no others has not been proved, because there may
    /// be races.
    SequentiallyConsistent,
}

impl Condition {
    /// An execution ended with this violation.
    pub fn met(violation: &Violation, span: Option<Span>) -> Self {
        Condition::No {
            property: violation.property,
            what: violation.message.clone(),
            span,
        }
    }

    /// Some execution ended with a violation of this property.
    pub fn not_followed(property: Property, span: Option<Span>) -> Self {
        Condition::No {
            property,
            what: "an execution does something undefined".to_owned(),
            span,
        }
    }

    /// Nothing of what ends executions could be excluded.
    pub fn not_excluded(what: &str, span: Option<Span>) -> Vec<Self> {
        let unless = |property| Condition::No {
            property,
            what: what.to_owned(),
            span,
        };
        Property::ending().map(unless).collect()
    }

    /// The property that ends executions, if the condition is about one.
    pub fn property(&self) -> Option<Property> {
        match self {
            Condition::No { property, .. } => Some(*property),
            Condition::SequentiallyConsistent => None,
        }
    }

    /// As in lists that machines read.
    pub fn code(&self) -> String {
        match self {
            Condition::No { property, .. } => format!("no-{property}"),
            Condition::SequentiallyConsistent => "sequentially-consistent".to_owned(),
        }
    }

    /// Why the verdict is unknown for those who do not accept the condition.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Condition::No {
                property,
                what,
                span,
            } => Some(Reason::Undefined {
                what: what.clone(),
                span: *span,
                property: *property,
            }),
            Condition::SequentiallyConsistent => None,
        }
    }
}

/// Adds a condition, unless there is one of the same kind.
pub fn add(conditions: &mut Vec<Condition>, condition: Condition) {
    let code = condition.code();
    if !conditions.iter().any(|it| it.code() == code) {
        conditions.push(condition);
        conditions.sort_by_key(|it| (it.property().is_none(), it.property()));
    }
}

/// The clause of a verdict, as in: as long as no `memory` or `undefined` violation happens; nothing if there are no conditions.
pub fn clause(conditions: &[Condition]) -> Option<String> {
    let names: Vec<String> = conditions
        .iter()
        .filter_map(|it| Some(format!("`{}`", it.property()?)))
        .collect();
    let mut parts = Vec::new();
    match names.split_last() {
        None => {}
        Some((only, [])) => parts.push(format!("as long as no {only} violation happens")),
        Some((last, others)) => parts.push(format!(
            "as long as no {} or {last} violation happens",
            others.join(", ")
        )),
    }
    if conditions.contains(&Condition::SequentiallyConsistent) {
        parts.push("for sequentially consistent executions".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What conditions come to, given all that is safe, each with its own conditions: one about a property that is safe gives way
/// to what that one rests on. So what remains is about properties that are not known to be safe.
pub fn remaining(
    conditions: &[Condition],
    safe: &BTreeMap<Property, &[Condition]>,
) -> Vec<Condition> {
    let mut remaining = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<&Condition> = conditions.iter().collect();
    while let Some(condition) = open.pop() {
        match condition.property().map(|it| (it, safe.get(&it))) {
            Some((property, Some(its_own))) => {
                if seen.insert(property) {
                    open.extend(its_own.iter());
                }
            }
            Some((_, None)) | None => add(&mut remaining, condition.clone()),
        }
    }
    remaining
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clause(std::slice::from_ref(self)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no(property: Property) -> Condition {
        Condition::No {
            property,
            what: "something".to_owned(),
            span: None,
        }
    }

    #[test]
    fn a_clause_names_every_property_once() {
        let mut conditions = Vec::new();
        assert_eq!(clause(&conditions), None);
        for it in [Property::Undefined, Property::Memory, Property::Undefined] {
            add(&mut conditions, no(it));
        }
        let said = "as long as no `memory` or `undefined` violation happens";
        assert_eq!(clause(&conditions).as_deref(), Some(said));
        add(&mut conditions, Condition::SequentiallyConsistent);
        let said = format!("{said}, for sequentially consistent executions");
        assert_eq!(clause(&conditions).as_deref(), Some(&*said));
    }

    #[test]
    fn what_is_proved_up_to_the_first_violation_holds_if_all_of_it_is() {
        let (memory, undefined) = ([no(Property::Memory)], [no(Property::Undefined)]);
        let circle = BTreeMap::from([
            (Property::Memory, &undefined[..]),
            (Property::Undefined, &memory[..]),
        ]);
        assert_eq!(remaining(&memory, &circle), []);
    }

    #[test]
    fn what_rests_on_something_safe_rests_on_what_that_rests_on() {
        let (memory, undefined) = ([no(Property::Memory)], [no(Property::Undefined)]);
        let open = BTreeMap::from([(Property::Memory, &undefined[..])]);
        assert_eq!(remaining(&memory, &open), undefined);
        let nothing = BTreeMap::from([(Property::Race, &[][..])]);
        assert_eq!(remaining(&memory, &nothing), memory);
    }
}
