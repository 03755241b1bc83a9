//! The problematic access patterns of atomic-set serializability (AS §2.1).
//!
//! # Source
//!
//! AS §2.1, which takes them from earlier work on atomic sets.
//!
//! # Definitions
//!
//! Two units `u` and `v` of different threads are not serializable iff some access of `u` comes before a conflicting
//! one of `v`, and some access of `v` before a conflicting one of `u`. Leaving out what is not needed, that is
//!
//! - on one location: an access of `v` between two of `u` that conflicts with both, 5 patterns; or
//! - on two: `X` of `u` before `Y` of `v` on the first, `Z` of `v` before `T` of `u` on the second, where `X` comes
//!   first: 3 orders and 3 times 3 kinds of accesses, 27 patterns.
//!
//! If a unit that writes one location writes all of them, 9 of the 27 are enough: those 14 are the paper's, with its
//! numbers; the others follow them.
//!
//! ## Cycles of any length
//!
//! Units may also be ordered in a circle of three and more, without any two of them making one of the patterns. In
//! every circle there is a unit `u` that is left by a conflict from `X` and entered by a conflict into `T` where some
//! access `Z` of another thread that conflicts with `T` lies between `X` and `T`. For let unit `i` be left from the
//! access `a(i)` and entered at `b(i)`, so that `a(i)` comes before `b(i+1)`. If `a(i) < a(i+1)` held for all `i`,
//! time would go round in a circle. So `a(i+1) <= a(i) < b(i+1)` for some `i`: in unit `i+1`, `X = a(i+1)` comes
//! before `Z = a(i)`, and that before `T = b(i+1)`; and `Z`, which conflicts with `T`, is of another unit.
//! Where no [`sandwich`] is possible, all executions are serializable, whatever the number of units. The same unit is
//! left from `X`, so that somebody else makes an access `Y` after it that conflicts with it; where no [`circles`] with
//! such an access are possible, they are serializable too. `Y` and `Z` need not be of one unit, nor of one thread, and
//! they may be the same access.
//!
//! # Invariants
//!
//! - **(N1)** The thirty-two are all that two units can do and are not serializable, up to steps that are not needed.
//!
//! # Deviations
//!
//! 1. AS has the fourteen. The other eighteen are for units that write some locations of a set and not all
//!    ([`partial`](crate::partial)), the circles for more than two units.
//!
//! # Tested by
//!
//! `crates/engine_wpds/tests/patterns.rs`: all traces of two units on two locations, up to six accesses.

use crate::phases::{Letter, Phase, PhaseAutomaton};
use crate::system::{AccessKind, CellId};

use AccessKind::{Read, Write};

/// The unit that is interrupted.
pub const FIRST: usize = 0;
/// The other.
pub const SECOND: usize = 1;
/// Somebody else again.
pub const THIRD: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The paper's, or beyond 14 ours.
    pub number: usize,
    pub accesses: Vec<PatternAccess>,
}

/// One access of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternAccess {
    pub party: usize,
    pub kind: AccessKind,
    /// The first or the second location.
    pub location: usize,
}

/// How many patterns to look for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PatternSet {
    /// The paper's: enough if a unit that writes a member of a set writes them all.
    Fourteen,
    /// Every way in which two units are not serializable.
    #[default]
    ThirtyTwo,
}

impl Pattern {
    /// How many locations it speaks about.
    pub fn locations(&self) -> usize {
        1 + self
            .accesses
            .iter()
            .map(|it| it.location)
            .max()
            .unwrap_or(0)
    }

    /// In the words of the paper: `R1(l) W2(l) W1(l)`.
    pub fn describe(&self, names: &[&str]) -> String {
        let words = self.accesses.iter().map(|access| {
            let kind = if access.kind == Read { 'R' } else { 'W' };
            format!("{kind}{}({})", access.party + 1, names[access.location])
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// The automaton that accepts what contains the pattern on these locations, if the interrupted unit is one of the
    /// process `first`.
    pub fn automaton(&self, cells: &[CellId], first: usize) -> PhaseAutomaton {
        let span = |party: usize| {
            let mut of_party =
                (0..self.accesses.len()).filter(|&index| self.accesses[index].party == party);
            let first = of_party.next();
            first.map(|first| (first, of_party.next_back().unwrap_or(first)))
        };
        let spans = [span(FIRST), span(SECOND)];
        let last_of_first = spans[FIRST].map(|(_, last)| last);
        let phases = self.accesses.iter().enumerate().map(|(index, access)| {
            let open = spans.iter().enumerate().filter_map(|(party, span)| {
                let (first, last) = (*span)?;
                // Before the access `index` the unit is open if it has made an access and will make another.
                (first < index && index <= last).then_some((party, Letter::End))
            });
            let has_two = spans[access.party].is_some_and(|(first, last)| first < last);
            Phase {
                refused: open.collect(),
                party: access.party,
                letter: Letter::Access {
                    cells: vec![cells[access.location]],
                    kind: Some(access.kind),
                    // An access outside of units is a unit by itself.
                    is_in_unit: has_two,
                    // Whoever interrupts does so while the other is alive.
                    beside: (access.party == SECOND && Some(index) < last_of_first)
                        .then_some(first),
                },
            }
        });
        PhaseAutomaton {
            name: format!("pattern {}", self.number),
            parties: 2,
            phases: phases.collect(),
        }
    }
}

fn access(party: usize, kind: AccessKind, location: usize) -> PatternAccess {
    PatternAccess {
        party,
        kind,
        location,
    }
}

/// The kinds of two accesses of which one writes.
const CONFLICTS: [(AccessKind, AccessKind); 3] = [(Write, Write), (Write, Read), (Read, Write)];

/// The patterns on one location.
fn on_one_location() -> Vec<Pattern> {
    let kinds = [
        [Read, Write, Write],
        [Read, Write, Read],
        [Write, Read, Write],
        [Write, Write, Read],
        [Write, Write, Write],
    ];
    let patterns = kinds.into_iter().enumerate().map(|(index, kinds)| Pattern {
        number: index + 1,
        accesses: vec![
            access(FIRST, kinds[0], 0),
            access(SECOND, kinds[1], 0),
            access(FIRST, kinds[2], 0),
        ],
    });
    patterns.collect()
}

/// The three orders of `X` and `Y` on the first location, `Z` and `T` on the second.
fn orders(
    (x, y): (AccessKind, AccessKind),
    (z, t): (AccessKind, AccessKind),
) -> [Vec<PatternAccess>; 3] {
    let x = access(FIRST, x, 0);
    let y = access(SECOND, y, 0);
    let z = access(SECOND, z, 1);
    let t = access(FIRST, t, 1);
    [vec![x, y, z, t], vec![x, z, y, t], vec![x, z, t, y]]
}

impl PatternSet {
    pub fn patterns(self) -> Vec<Pattern> {
        let mut patterns = on_one_location();
        // Writers against writers, a writer interrupted by a reader, a reader interrupted by a writer.
        let [six, seven, eight] = orders((Write, Write), (Write, Write));
        let [nine, ten, fourteen] = orders((Write, Read), (Read, Write));
        let [eleven, twelve, thirteen] = orders((Read, Write), (Write, Read));
        let mut of_two = vec![
            six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen,
        ];
        if self == PatternSet::ThirtyTwo {
            for first in CONFLICTS {
                for (t, z) in CONFLICTS {
                    for accesses in orders(first, (z, t)) {
                        if !of_two.contains(&accesses) {
                            of_two.push(accesses);
                        }
                    }
                }
            }
        }
        patterns.extend(
            of_two
                .into_iter()
                .enumerate()
                .map(|(index, accesses)| Pattern {
                    number: index + 6,
                    accesses,
                }),
        );
        patterns
    }
}

/// What every circle of units contains: between two accesses of one unit, one of another thread that conflicts with
/// the second. The first is any access to the `shared` locations: those to which another thread has a conflicting
/// access at all. The interrupted unit is one of the process `first`.
pub fn sandwich(shared: &[CellId], cell: CellId, kind: AccessKind, first: usize) -> PhaseAutomaton {
    let letter = |cells: &[CellId], kind, is_in_unit| Letter::Access {
        cells: cells.to_vec(),
        kind,
        is_in_unit,
        beside: (!is_in_unit).then_some(first),
    };
    // What conflicts with a read is a write; what conflicts with a write is any access.
    let other = (kind == Read).then_some(Write);
    let open = || vec![(FIRST, Letter::End)];
    PhaseAutomaton {
        name: "an interrupted unit".to_owned(),
        parties: 2,
        phases: vec![
            Phase {
                refused: Vec::new(),
                party: FIRST,
                letter: letter(shared, None, true),
            },
            Phase {
                refused: open(),
                party: SECOND,
                letter: letter(&[cell], other, false),
            },
            Phase {
                refused: open(),
                party: FIRST,
                letter: letter(&[cell], Some(kind), true),
            },
        ],
    }
}

/// What every circle of units contains, with the access `Y` that makes it leave the unit: `X` and `Y` on `left`, `Z`
/// and `T` on `entered`, which may be the same; then `Y` and `Z` may be one access. `Y` is made by the party that makes
/// `Z`, or by a third.
pub fn circles(
    left: CellId,
    entered: CellId,
    kind: AccessKind,
    first: usize,
    is_third: bool,
) -> Vec<PhaseAutomaton> {
    let letter = |party: usize, cell: CellId, kind, beside: bool| {
        let letter = Letter::Access {
            cells: vec![cell],
            kind,
            is_in_unit: party == FIRST,
            beside: beside.then_some(first),
        };
        (party, letter)
    };
    let other = if is_third { THIRD } else { SECOND };
    let z = letter(SECOND, entered, (kind == Read).then_some(Write), true);
    let t = letter(FIRST, entered, Some(kind), false);
    let mut found = Vec::new();
    // What conflicts with a write is any access, what conflicts with a read is a write.
    for (x, y) in [(Write, None), (Read, Some(Write))] {
        let x = letter(FIRST, left, Some(x), false);
        let before = letter(other, left, y, true);
        let after = letter(other, left, y, false);
        let mut orders = vec![
            vec![x.clone(), before.clone(), z.clone(), t.clone()],
            vec![x.clone(), z.clone(), before, t.clone()],
            vec![x.clone(), z.clone(), t.clone(), after],
        ];
        if left == entered && !is_third {
            // It conflicts with both, so it writes unless both do.
            let only = (y.is_some() || kind == Read).then_some(Write);
            orders.push(vec![x, letter(SECOND, left, only, true), t.clone()]);
        }
        for order in orders {
            let last = order.iter().rposition(|(party, _)| *party == FIRST);
            let phases = order.iter().enumerate().map(|(index, (party, letter))| {
                let is_open = index > 0 && Some(index) <= last;
                Phase {
                    refused: is_open
                        .then_some((FIRST, Letter::End))
                        .into_iter()
                        .collect(),
                    party: *party,
                    letter: letter.clone(),
                }
            });
            found.push(PhaseAutomaton {
                name: "a circle of units".to_owned(),
                parties: if is_third { 3 } else { 2 },
                phases: phases.collect(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_five_patterns_of_one_location_and_nine_or_twenty_seven_of_two() {
        let count = |set: PatternSet, locations| {
            let patterns = set.patterns();
            patterns
                .iter()
                .filter(|it| it.locations() == locations)
                .count()
        };
        assert_eq!(count(PatternSet::Fourteen, 1), 5);
        assert_eq!(count(PatternSet::Fourteen, 2), 9);
        assert_eq!(count(PatternSet::ThirtyTwo, 1), 5);
        assert_eq!(count(PatternSet::ThirtyTwo, 2), 27);
        let all = PatternSet::ThirtyTwo.patterns();
        assert_eq!(all[..14], PatternSet::Fourteen.patterns()[..]);
        assert!(
            all.iter()
                .enumerate()
                .all(|(index, it)| it.number == index + 1)
        );
    }

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        let patterns = PatternSet::Fourteen.patterns();
        let said = |number: usize| patterns[number - 1].describe(&["c", "d"]);
        assert_eq!(said(1), "R1(c) W2(c) W1(c)");
        assert_eq!(said(8), "W1(c) W2(d) W1(d) W2(c)");
        assert_eq!(said(12), "R1(c) W2(d) W2(c) R1(d)");
        assert_eq!(said(14), "W1(c) R2(d) W1(d) R2(c)");
    }
}
