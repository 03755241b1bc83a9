//! The patterns (AS §2.1) against all traces of two units on two locations, up to six accesses.
//!
//! Units and locations have no names: a trace begins with an access of the first unit to the first location. There are
//! four times as many with names.

use std::collections::BTreeMap;

use raddle_engine_wpds::patterns::{Pattern, PatternAccess, PatternSet};
use raddle_engine_wpds::system::AccessKind;

const LONGEST: usize = 6;
const RENAMINGS: usize = 4;

fn letters() -> Vec<PatternAccess> {
    let mut letters = Vec::new();
    for party in 0..2 {
        for kind in [AccessKind::Read, AccessKind::Write] {
            for location in 0..2 {
                letters.push(PatternAccess {
                    party,
                    kind,
                    location,
                });
            }
        }
    }
    letters
}

/// All traces, the shorter ones first.
fn traces() -> Vec<Vec<PatternAccess>> {
    let letters = letters();
    let is_first = |it: &&PatternAccess| it.party == 0 && it.location == 0;
    let mut found: Vec<Vec<PatternAccess>> = letters
        .iter()
        .filter(is_first)
        .map(|it| vec![*it])
        .collect();
    let mut at = 0;
    while found[at].len() < LONGEST {
        for letter in &letters {
            let mut longer = found[at].clone();
            longer.push(*letter);
            found.push(longer);
        }
        at += 1;
    }
    found
}

/// By the definition: each unit has an access before a conflicting one of the other.
fn is_serializable(trace: &[PatternAccess]) -> bool {
    let comes_first = |party: usize| {
        trace.iter().enumerate().any(|(at, one)| {
            one.party == party
                && trace[at..].iter().any(|other| {
                    let writes = [one.kind, other.kind].contains(&AccessKind::Write);
                    other.party != party && other.location == one.location && writes
                })
        })
    };
    !(comes_first(0) && comes_first(1))
}

/// No access can be left out.
fn is_minimal(trace: &[PatternAccess]) -> bool {
    !is_serializable(trace)
        && (0..trace.len()).all(|left_out| {
            let mut shorter = trace.to_vec();
            shorter.remove(left_out);
            is_serializable(&shorter)
        })
}

/// A unit that writes one location writes both.
fn writes_all(trace: &[PatternAccess]) -> bool {
    let writes = |party: usize, location: usize| {
        let is_it = |it: &PatternAccess| {
            it.party == party && it.location == location && it.kind == AccessKind::Write
        };
        trace.iter().any(is_it)
    };
    (0..2).all(|party| writes(party, 0) == writes(party, 1))
}

/// The accesses of a pattern in this order, with others between them, whichever unit and location is called the first.
fn contains(trace: &[PatternAccess], pattern: &Pattern) -> bool {
    (0..RENAMINGS).any(|renaming| {
        let mut wanted = pattern.accesses.iter().peekable();
        for access in trace {
            let is_next = wanted.peek().is_some_and(|it| {
                it.party ^ (renaming & 1) == access.party
                    && it.location ^ (renaming >> 1) == access.location
                    && it.kind == access.kind
            });
            if is_next {
                wanted.next();
            }
        }
        wanted.peek().is_none()
    })
}

#[test]
fn the_thirty_two_are_all_the_minimal_traces() {
    let mut minimal: Vec<Vec<PatternAccess>> = traces();
    minimal.retain(|trace| is_minimal(trace));
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    for trace in &minimal {
        *lengths.entry(trace.len()).or_default() += 1;
    }
    assert_eq!(lengths, BTreeMap::from([(3, 5), (4, 27)]));
    let patterns = PatternSet::ThirtyTwo.patterns();
    assert!(patterns.iter().all(|it| minimal.contains(&it.accesses)));
}

#[test]
fn the_thirty_two_decide_every_trace() {
    let patterns = PatternSet::ThirtyTwo.patterns();
    for trace in traces() {
        let is_found = patterns.iter().any(|it| contains(&trace, it));
        assert_eq!(is_found, !is_serializable(&trace), "{trace:?}");
    }
}

#[test]
fn the_fourteen_miss_nothing_if_units_write_all_or_nothing() {
    let patterns = PatternSet::Fourteen.patterns();
    let mut looked_at = 0;
    // How many traces only this pattern tells.
    let mut alone = vec![0_u32; patterns.len()];
    // Two accesses are always serializable.
    let is_asked = |it: &&Vec<PatternAccess>| it.len() > 2 && writes_all(it);
    for trace in traces().iter().filter(is_asked) {
        looked_at += RENAMINGS;
        let found: Vec<&Pattern> = patterns.iter().filter(|it| contains(trace, it)).collect();
        assert_eq!(!found.is_empty(), !is_serializable(trace), "{trace:?}");
        if let [only] = found[..] {
            alone[only.number - 1] += 1;
        }
    }
    assert_eq!(looked_at, 64_032);
    // A unit that writes a location twice writes the other, too, so that one of 6 to 8 says the same.
    let redundant: Vec<usize> = (1..=patterns.len())
        .filter(|number| alone[number - 1] == 0)
        .collect();
    assert_eq!(redundant, [5]);
}
