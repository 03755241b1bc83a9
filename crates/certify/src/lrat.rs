//! Refutations in the format LRAT, followed step by step.
//!
//! # Source
//!
//! \[Cruz17\].
//!
//! # Definitions
//!
//! A line `id literals 0 hints 0` adds a clause, a line `id d ids 0` forgets some. The clauses to refute are numbered from
//! 1 on. The hints name clauses, in the order in which they become *unit* when all literals of the new clause are false:
//! all their literals but one are false, so that one is true. The last one has no literal left.
//!
//! # Invariants
//!
//! Every clause that is kept follows from those to refute, so the empty one refutes them. Whatever the text is, a clause
//! is kept only if its hints were followed to the end.
//!
//! # Deviations
//!
//! Only what follows by units. A step that names a negative hint (a *resolution asymmetric tautology*) keeps
//! satisfiability only, needs a look at all clauses, and is refused; the solver makes none in the way it is used.
//!
//! # Tested by
//!
//! The tests below, on refutations of random clauses by a solver, and on damaged ones.

use std::fmt;

use raddle_base::{Budget, Exhausted, FastMap, FastSet};

/// How many lines are checked between two looks at the budget.
const LINES_BETWEEN_LOOKS: usize = 1000;

/// Why a refutation does not refute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// From 1 on; one more than there are if the end is missing.
    pub line: usize,
    pub kind: FlawKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// The line is none of the format.
    Malformed,
    /// A hint or a deletion names a clause that is not there, or a new clause has the number of another.
    WrongNumber,
    /// A clause that a hint names is neither unit nor false.
    NotUnit,
    /// All hints were followed, and nothing is contradicted.
    NothingContradicted,
    /// The step is none that follows by units.
    NotByUnits,
    /// No line adds the empty clause.
    NoEmptyClause,
    Exhausted(Exhausted),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            FlawKind::Malformed => "is not understood",
            FlawKind::WrongNumber => "names a clause wrongly",
            FlawKind::NotUnit => "has a hint that leads nowhere",
            FlawKind::NothingContradicted => "has hints that end too early",
            FlawKind::NotByUnits => "does not follow by units",
            FlawKind::NoEmptyClause => "is the end, and nothing is refuted",
            FlawKind::Exhausted(_) => "could not be checked within the budget",
        };
        write!(f, "line {} of the refutation {what}", self.line)
    }
}

impl std::error::Error for Flaw {}

/// Follows the refutation of some clauses, given as literals of DIMACS, to its end.
///
/// # Errors
///
/// If some line before the empty clause does not follow from what is there. What comes after it is not read.
pub fn check(clauses: &[Vec<i32>], refutation: &[u8], budget: &Budget) -> Result<(), Flaw> {
    let mut known: FastMap<u64, Vec<i32>> = FastMap::default();
    for (number, clause) in (1..).zip(clauses) {
        if clause.is_empty() {
            return Ok(());
        }
        known.insert(number, clause.clone());
    }
    let mut lines = 0;
    for (index, text) in refutation.split(|&it| it == b'\n').enumerate() {
        lines = index + 1;
        let flaw = |kind| Flaw { line: lines, kind };
        if index.is_multiple_of(LINES_BETWEEN_LOOKS) {
            budget
                .check()
                .map_err(|why| flaw(FlawKind::Exhausted(why)))?;
        }
        if text.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match Line::parse(text).ok_or_else(|| flaw(FlawKind::Malformed))? {
            Line::Delete(numbers) => {
                for number in numbers {
                    known
                        .remove(&number)
                        .ok_or_else(|| flaw(FlawKind::WrongNumber))?;
                }
            }
            Line::Add {
                number,
                clause,
                hints,
            } => {
                follow(&known, &clause, &hints).map_err(flaw)?;
                if clause.is_empty() {
                    return Ok(());
                }
                if known.insert(number, clause).is_some() {
                    return Err(flaw(FlawKind::WrongNumber));
                }
            }
        }
    }
    Err(Flaw {
        line: lines + 1,
        kind: FlawKind::NoEmptyClause,
    })
}

enum Line {
    Add {
        number: u64,
        clause: Vec<i32>,
        hints: Vec<i64>,
    },
    Delete(Vec<u64>),
}

impl Line {
    fn parse(text: &[u8]) -> Option<Line> {
        let text = std::str::from_utf8(text).ok()?;
        let mut words = text.split_ascii_whitespace();
        let number: u64 = words.next()?.parse().ok()?;
        let mut words = words.peekable();
        if words.peek() == Some(&"d") {
            words.next();
            return until_zero(&mut words)
                .filter(|_| words.next().is_none())
                .map(Line::Delete);
        }
        let clause: Vec<i32> = until_zero(&mut words)?;
        let hints = until_zero(&mut words)?;
        let is_whole = words.next().is_none() && !clause.contains(&i32::MIN);
        is_whole.then_some(Line::Add {
            number,
            clause,
            hints,
        })
    }
}

/// Numbers up to a zero, which is read too and has to be there.
fn until_zero<'t, N: std::str::FromStr + Default + PartialEq>(
    words: &mut impl Iterator<Item = &'t str>,
) -> Option<Vec<N>> {
    let mut found = Vec::new();
    loop {
        let number: N = words.next()?.parse().ok()?;
        if number == N::default() {
            return Some(found);
        }
        found.push(number);
    }
}

/// Whether the clauses that the hints name contradict each other when all literals of `clause` are false.
fn follow(known: &FastMap<u64, Vec<i32>>, clause: &[i32], hints: &[i64]) -> Result<(), FlawKind> {
    let mut is_false: FastSet<i32> = clause.iter().copied().collect();
    for &hint in hints {
        let hint = u64::try_from(hint).map_err(|_| FlawKind::NotByUnits)?;
        let used = known.get(&hint).ok_or(FlawKind::WrongNumber)?;
        let mut left = used.iter().filter(|it| !is_false.contains(it));
        let Some(&unit) = left.next() else {
            return Ok(());
        };
        if left.any(|&other| other != unit) {
            return Err(FlawKind::NotUnit);
        }
        is_false.insert(-unit);
    }
    Err(FlawKind::NothingContradicted)
}

#[cfg(test)]
mod tests;
