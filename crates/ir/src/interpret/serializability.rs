//! A naive judge of atomicity: whether the units of work of a trace are conflict-serializable, set by set.
//!
//! # Source
//!
//! AS §2, atomic-set serializability.
//!
//! # Definitions
//!
//! A *unit* is a dynamic stretch of one thread from a `UnitBegin` to its `UnitEnd`; units inside a unit of the
//! same set belong to the outer one. An access outside every unit is a unit by itself. Two accesses *conflict* if
//! they touch a common byte of the set, belong to units of different threads, and one of them is a write. The trace
//! is serializable iff the order of conflicting accesses orders the units without a cycle.
//!
//! # Invariants
//!
//! - **(Z1)** What is judged is the whole trace; no pattern and no abstraction comes into it.
//!
//! # Deviations
//!
//! 1. AS names access patterns of two units; here a cycle may go through any number of units.
//!
//! # Tested by
//!
//! `crates/testkit/tests/atomic_sets.rs`, and `tests/` of `engine_wpds`, where the patterns are compared with the definition.

use std::collections::BTreeMap;

use crate::program::{AtomicSetId, Program};

use super::Effect;
use super::state::ThreadNumber;
use crate::numbering::global_number;

pub use crate::wording::serializability::violations;

/// An access to a member of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitAccess {
    /// The position of its step in the trace.
    pub step: usize,
    pub thread: ThreadNumber,
    /// Units of a trace, numbered in order of their first access.
    pub unit: usize,
    pub offset: u64,
    pub size: u64,
    pub object: super::ObjectNumber,
    pub is_write: bool,
    /// Outside every unit, and so one by itself.
    pub is_alone: bool,
}

impl UnitAccess {
    pub(crate) fn conflicts_with(&self, other: &UnitAccess) -> bool {
        self.thread != other.thread
            && self.object == other.object
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
            && (self.is_write || other.is_write)
    }
}

/// A set whose units are not serializable, and a shortest cycle of units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSerializable {
    pub set: AtomicSetId,
    /// Each unit was ordered before the next, the last before the first.
    pub cycle: Vec<usize>,
    /// All accesses to the set, in the order of the trace.
    pub accesses: Vec<UnitAccess>,
}

/// The first atomic set whose units of work are not serializable in a trace, given the effects of its steps.
pub fn judge_trace(
    program: &Program,
    steps: &[(ThreadNumber, Vec<Effect>)],
) -> Option<NotSerializable> {
    let mut sets = program.atomic_sets.ids();
    sets.find_map(|set| judge_set(program, set, steps))
}

/// The same for one set.
pub fn judge_set(
    program: &Program,
    set: AtomicSetId,
    steps: &[(ThreadNumber, Vec<Effect>)],
) -> Option<NotSerializable> {
    let accesses = accesses_of(program, set, steps);
    let cycle = shortest_cycle(&accesses)?;
    Some(NotSerializable {
        set,
        cycle,
        accesses,
    })
}

/// The parts of an access that lie in a set, from where to where.
pub fn parts_in(
    program: &Program,
    set: AtomicSetId,
    object: super::ObjectNumber,
    offset: u64,
    size: u64,
) -> Vec<(u64, u64)> {
    program.atomic_sets[set]
        .members
        .iter()
        .filter(|member| global_number(member.global) == object)
        .map(|member| {
            (
                member.offset.max(offset),
                (member.offset + member.size).min(offset + size),
            )
        })
        .filter(|(start, end)| start < end)
        .collect()
}

/// The accesses to the members of a set, each with its unit.
pub fn accesses_of(
    program: &Program,
    set: AtomicSetId,
    steps: &[(ThreadNumber, Vec<Effect>)],
) -> Vec<UnitAccess> {
    let mut accesses = Vec::new();
    let mut units = 0;
    // For each thread inside a unit of this set: how deep, and the number of the unit once it has one.
    let mut open: BTreeMap<ThreadNumber, (u32, Option<usize>)> = BTreeMap::new();
    let covers = |unit: &Option<AtomicSetId>| unit.is_none_or(|it| it == set);
    for (step, (thread, effects)) in steps.iter().enumerate() {
        for effect in effects {
            let (object, offset, ty, is_write) = match effect {
                Effect::UnitBegin { set } if covers(set) => {
                    open.entry(*thread).or_insert((0, None)).0 += 1;
                    continue;
                }
                Effect::UnitEnd { set } if covers(set) => {
                    if let Some((depth, _)) = open.get_mut(thread) {
                        *depth -= 1;
                        if *depth == 0 {
                            open.remove(thread);
                        }
                    }
                    continue;
                }
                Effect::Read {
                    object, offset, ty, ..
                } => (*object, *offset, *ty, false),
                Effect::Write {
                    object, offset, ty, ..
                } => (*object, *offset, *ty, true),
                Effect::Spawn { thread } => {
                    // The name may have been that of a thread which ended inside a unit.
                    open.remove(thread);
                    continue;
                }
                Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Synchronize { .. }
                | Effect::Allocate { .. }
                // The size of a global never changes.
                | Effect::Measure { .. }
                | Effect::Free { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => continue,
            };
            let parts = parts_in(program, set, object, offset, ty.size(program.model));
            if parts.is_empty() {
                continue;
            }
            let mut fresh = || {
                units += 1;
                units - 1
            };
            let (unit, is_alone) = match open.get_mut(thread) {
                Some((_, unit)) => (*unit.get_or_insert_with(fresh), false),
                None => (fresh(), true),
            };
            accesses.extend(parts.into_iter().map(|(start, end)| UnitAccess {
                step,
                thread: *thread,
                unit,
                offset: start,
                size: end - start,
                object,
                is_write,
                is_alone,
            }));
        }
    }
    accesses
}

/// A shortest cycle of the conflict order between units.
fn shortest_cycle(accesses: &[UnitAccess]) -> Option<Vec<usize>> {
    let units = accesses.iter().map(|it| it.unit + 1).max()?;
    let mut before = vec![vec![false; units]; units];
    for (index, first) in accesses.iter().enumerate() {
        for second in &accesses[index + 1..] {
            if first.unit != second.unit && first.conflicts_with(second) {
                before[first.unit][second.unit] = true;
            }
        }
    }
    (0..units)
        .filter_map(|start| cycle_through(start, &before))
        .min_by_key(Vec::len)
}

/// A shortest cycle through one unit, breadth first.
fn cycle_through(start: usize, before: &[Vec<bool>]) -> Option<Vec<usize>> {
    let mut parent = vec![None; before.len()];
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(unit) = queue.pop_front() {
        for next in (0..before.len()).filter(|&next| before[unit][next]) {
            if next == start {
                let mut cycle = vec![unit];
                while let Some(previous) = parent[*cycle.last().expect("not empty")] {
                    cycle.push(previous);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if parent[next].is_none() {
                parent[next] = Some(unit);
                queue.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `R1c` is a read of `c` by unit 1; each unit is a thread of its own.
    fn accesses(text: &str) -> Vec<UnitAccess> {
        text.split_whitespace()
            .enumerate()
            .map(|(step, word)| {
                let bytes = word.as_bytes();
                let unit = usize::from(bytes[1] - b'0');
                UnitAccess {
                    step,
                    thread: ThreadNumber(unit as u64),
                    unit,
                    offset: u64::from(bytes[2]),
                    size: 1,
                    object: super::super::ObjectNumber(1),
                    is_write: bytes[0] == b'W',
                    is_alone: false,
                }
            })
            .collect()
    }

    /// Some serial order of the units has every conflict in the order of the trace.
    fn is_serializable(accesses: &[UnitAccess]) -> bool {
        let units = accesses.iter().map(|it| it.unit + 1).max().unwrap_or(0);
        let mut orders = vec![Vec::new()];
        for unit in 0..units {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<usize>| {
                    (0..=order.len()).map(move |at| {
                        let mut longer = order.clone();
                        longer.insert(at, unit);
                        longer
                    })
                })
                .collect();
        }
        orders.iter().any(|order| {
            let place = |unit: usize| order.iter().position(|it| *it == unit);
            accesses.iter().enumerate().all(|(index, first)| {
                accesses[index + 1..].iter().all(|second| {
                    first.unit == second.unit
                        || !first.conflicts_with(second)
                        || place(first.unit) < place(second.unit)
                })
            })
        })
    }

    #[test]
    fn the_fourteen_patterns_are_not_serializable() {
        let patterns = [
            "R0a W1a W0a",
            "R0a W1a R0a",
            "W0a R1a W0a",
            "W0a W1a R0a",
            "W0a W1a W0a",
            "W0a W1a W1b W0b",
            "W0a W1b W1a W0b",
            "W0a W1b W0b W1a",
            "W0a R1a R1b W0b",
            "W0a R1b R1a W0b",
            "R0a W1a W1b R0b",
            "R0a W1b W1a R0b",
            "R0a W1b R0b W1a",
            "W0a R1b W0b R1a",
        ];
        for pattern in patterns {
            assert!(shortest_cycle(&accesses(pattern)).is_some(), "{pattern}");
        }
    }

    #[test]
    fn cycles_agree_with_the_search_for_a_serial_order() {
        let words: Vec<String> = ["R", "W"]
            .iter()
            .flat_map(|kind| {
                (0..3).flat_map(move |unit| ["a", "b"].map(|place| format!("{kind}{unit}{place}")))
            })
            .collect();
        let mut random = 1_u64;
        for case in 0..5_000 {
            let mut text = String::new();
            for _ in 0..6 {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                let index = usize::try_from(random >> 33).unwrap() % words.len();
                text = format!("{text} {}", words[index]);
            }
            let trace = accesses(&text);
            assert_eq!(
                shortest_cycle(&trace).is_none(),
                is_serializable(&trace),
                "case {case}:{text}"
            );
        }
    }
}
