//! Guards: what a term is where one holds, whether two are the same, and what two are together.

use std::collections::{BTreeMap, BTreeSet};

use raddle_logic::{Operation, Term, TermId, Terms};

/// Larger terms are left as they are.
const MOST_TERMS: usize = 400;

/// A term that is the same wherever all conditions hold, and simpler if they decide parts of it.
pub fn assuming(terms: &mut Terms, term: TermId, conditions: &[TermId]) -> TermId {
    if terms.constant_value(term).is_some() {
        return term;
    }
    let mut known = BTreeMap::new();
    for condition in conditions {
        learn(terms, *condition, true, &mut known);
    }
    if known.is_empty() {
        return term;
    }
    let below = terms.below(&[term]);
    if below.len() > MOST_TERMS {
        return term;
    }
    let mut simpler: BTreeMap<TermId, TermId> = BTreeMap::new();
    for part in below {
        let result = if let Some(value) = known.get(&part) {
            terms.truth(*value)
        } else if let Term::Apply(operation, arguments) = terms.term(part) {
            let new: Vec<TermId> = arguments.iter().map(|it| simpler[it]).collect();
            if new == arguments {
                part
            } else {
                let width = terms.width(part);
                terms.apply(operation, width, &new)
            }
        } else {
            part
        };
        simpler.insert(part, result);
    }
    simpler[&term]
}

/// What follows from a truth at once.
fn learn(terms: &mut Terms, condition: TermId, value: bool, known: &mut BTreeMap<TermId, bool>) {
    let mut open = vec![(condition, value)];
    while let Some((term, value)) = open.pop() {
        if terms.constant_value(term).is_some() || known.insert(term, value).is_some() {
            continue;
        }
        let Term::Apply(operation, arguments) = terms.term(term) else {
            continue;
        };
        let splits = matches!(
            (operation, value),
            (Operation::And, true) | (Operation::Or, false)
        );
        if operation == Operation::Not {
            open.push((arguments[0], !value));
        } else if splits {
            open.extend(arguments.iter().map(|it| (*it, value)));
        }
    }
}

/// Guards of more ways than this are not looked into.
const MOST_WAYS: usize = 16;

/// Whether two guards are made of the same conditions.
pub fn is_same(terms: &Terms, one: TermId, other: TermId) -> bool {
    one == other || parts(terms, Operation::And, one) == parts(terms, Operation::And, other)
}

/// One of two guards holds. Where ways meet that parted before, what they parted by is forgotten.
pub fn either(terms: &mut Terms, one: TermId, other: TermId) -> TermId {
    let mut ways: Vec<TermId> = Vec::new();
    for guard in [one, other] {
        ways.extend(parts(terms, Operation::Or, guard));
    }
    if ways.len() > MOST_WAYS {
        return terms.or(one, other);
    }
    let conditions: Vec<BTreeSet<TermId>> = ways
        .iter()
        .map(|it| parts(terms, Operation::And, *it))
        .collect();
    let mut common = conditions[0].clone();
    for it in &conditions[1..] {
        common.retain(|condition| it.contains(condition));
    }
    let mut rests: Vec<TermId> = Vec::new();
    for it in &conditions {
        let rest: Vec<TermId> = it.difference(&common).copied().collect();
        let rest = terms.all(&rest);
        rests.extend(parts(terms, Operation::Or, rest));
    }
    let mut all: Vec<TermId> = common.into_iter().collect();
    all.push(joined(terms, rests));
    terms.all(&all)
}

/// All of them together, where two may simplify each other.
fn joined(terms: &mut Terms, mut ways: Vec<TermId>) -> TermId {
    let mut at = 0;
    while at < ways.len() {
        let partner = (0..ways.len()).filter(|it| *it != at).find_map(|other| {
            let both = terms.or(ways[at], ways[other]);
            let is_new = match terms.term(both) {
                Term::Apply(Operation::Or, [left, right]) => {
                    ![*left, *right].contains(&ways[at]) || ![*left, *right].contains(&ways[other])
                }
                Term::Constant(_) | Term::Variable(_) | Term::Apply(..) => true,
            };
            is_new.then_some((other, both))
        });
        let Some((other, both)) = partner else {
            at += 1;
            continue;
        };
        let (first, second) = (at.min(other), at.max(other));
        ways.remove(second);
        ways.remove(first);
        ways.extend(parts(terms, Operation::Or, both));
        if ways.len() > MOST_WAYS {
            break;
        }
        at = 0;
    }
    terms.any(&ways)
}

/// What a conjunction or disjunction is made of.
fn parts(terms: &Terms, operation: Operation, term: TermId) -> BTreeSet<TermId> {
    let mut found = BTreeSet::new();
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match terms.term(term) {
            Term::Apply(its, arguments) if its == operation => open.extend(arguments),
            Term::Constant(1) if operation == Operation::And => {}
            Term::Constant(_) | Term::Variable(_) | Term::Apply(..) => {
                found.insert(term);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_part_and_meet_leave_no_trace() {
        let mut terms = Terms::new();
        let [guard, first, second] = ["g", "a", "b"].map(|it| terms.variable(it, 1));
        let not_first = terms.not(first);
        let not_second = terms.not(second);
        let one = terms.and(guard, first);
        let rest = terms.and(guard, not_first);
        let two = terms.and(rest, second);
        let three = terms.and(rest, not_second);
        for order in [[one, two, three], [two, one, three], [three, one, two]] {
            let met = either(&mut terms, order[0], order[1]);
            let met = either(&mut terms, met, order[2]);
            assert!(is_same(&terms, met, guard));
        }
    }

    #[test]
    fn what_a_guard_decides_is_decided() {
        let mut terms = Terms::new();
        let [guard, free] = ["g", "f"].map(|it| terms.variable(it, 1));
        let [three, four] = [3, 4].map(|it| terms.constant(it, 8));
        let refused = terms.not(guard);
        let both = terms.and(refused, free);
        let value = terms.if_then_else(guard, three, four);
        assert_eq!(assuming(&mut terms, value, &[both]), four);
    }
}
