//! Proofs that no two threads race, one reason for each variable.
//!
//! Two accesses of different threads are excused if no two threads may make them at the same time, if both are
//! atomic, or if both threads certainly hold one lock, at least one of them not only for reading. Each excuse orders
//! the two by starts, joins and locks, so it holds under any memory order, and an attempt at a lock, which is never
//! taken to have got it, does no harm.

use std::collections::BTreeMap;

use raddle_base::{BitSet, Span};
use raddle_ir::{Deed, Program};

use crate::call_graph::{ThreadId, TooLarge};
use crate::conflicts::{Access, accesses};
use crate::escape::Escape;
use crate::given::Given;
use crate::locksets::{Held, Lock, Locksets};
use crate::names;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::undefined::{Possibility, Recursion, possibility};
use crate::value::{ObjectId, Offset};

/// What can be said of races without search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaceAnswer {
    /// No execution has a race, whatever the number of threads, and none does anything undefined.
    Proved(Vec<Reason>),
    /// No execution has a race before it does something undefined, of which this may be the first.
    ProvedUnlessUndefined {
        reasons: Vec<Reason>,
        found: Possibility,
    },
    /// What stands in the way, the first few.
    Unproved(Vec<Obstacle>),
}

/// Why nobody races for a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// As in `list[..].next`.
    pub variable: String,
    pub kind: ReasonKind,
    /// Where it is declared or allocated.
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonKind {
    /// Each thread has its own, or only one thread uses it.
    Local,
    /// Nobody writes it while another thread may use it.
    ReadOnly,
    /// Those who use it at the same time do so atomically.
    Atomic,
    /// One of these locks is held wherever threads might meet; if there is only one, it is that one.
    Guarded(Vec<String>),
    /// Those who use it start and end one after the other.
    NeverParallel,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` ", self.variable)?;
        match &self.kind {
            ReasonKind::Local => f.write_str("is used by one thread only"),
            ReasonKind::ReadOnly => f.write_str("is only read while several threads may use it"),
            ReasonKind::Atomic => f.write_str("is only used atomically"),
            ReasonKind::NeverParallel => {
                f.write_str("is used by threads that never run at the same time")
            }
            ReasonKind::Guarded(locks) => {
                let names: Vec<String> = locks.iter().map(|it| format!("`{it}`")).collect();
                write!(f, "is guarded by {}", names.join(" or "))
            }
        }
    }
}

/// Why there is no proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Two accesses that may meet, as far as is known.
    Pair {
        variable: String,
        first: Option<Span>,
        second: Option<Span>,
    },
    /// An action whose effect is not known, such as a store through a number.
    NotUnderstood {
        what: String,
        span: Option<Span>,
    },
    TooLarge,
}

/// How many obstacles are told.
const MAX_OBSTACLES: usize = 5;
/// More accesses to one object than this are not compared with one another.
const MAX_ACCESSES: usize = 2_000;

/// Proves that no execution of the program has a race, or says what stands in the way.
pub fn prove(program: &Program) -> RaceAnswer {
    let Ok(points_to) = PointsTo::new(program) else {
        return RaceAnswer::Unproved(vec![Obstacle::TooLarge]);
    };
    if let Some((instance, edge)) = points_to.not_understood() {
        let function = points_to.graph.instances[instance].function;
        let edge = program.edge(function, edge);
        return RaceAnswer::Unproved(vec![Obstacle::NotUnderstood {
            what: names::of_obstacle(&edge.action),
            span: edge.span,
        }]);
    }
    let accesses = accesses(&points_to);
    let judge = Judge {
        locksets: Locksets::new(&points_to, &accesses),
        parallel: Parallel::new(&points_to),
        escape: Escape::new(&points_to),
        points_to,
    };
    match judge.answer(&accesses) {
        Err(TooLarge) => RaceAnswer::Unproved(vec![Obstacle::TooLarge]),
        Ok(RaceAnswer::Proved(reasons)) => {
            let given = Given {
                points_to: &judge.points_to,
                accesses: &accesses,
                locksets: &judge.locksets,
                parallel: &judge.parallel,
                escape: &judge.escape,
            };
            match possibility(&given, Recursion::IsUndefined) {
                None => RaceAnswer::Proved(reasons),
                Some(found) => RaceAnswer::ProvedUnlessUndefined { reasons, found },
            }
        }
        Ok(answer) => answer,
    }
}

/// Accesses that differ in nothing but their place.
struct Use<'a> {
    access: Access,
    held: &'a Held,
    others: &'a BitSet<ThreadId>,
    is_atomic: bool,
}

struct Judge<'p> {
    points_to: PointsTo<'p>,
    locksets: Locksets,
    parallel: Parallel,
    escape: Escape,
}

impl Judge<'_> {
    fn answer(&self, accesses: &[Access]) -> Result<RaceAnswer, TooLarge> {
        let (mut reasons, mut obstacles) = (Vec::new(), Vec::new());
        for (object, uses) in self.uses(accesses) {
            if uses.len() > MAX_ACCESSES {
                return Err(TooLarge);
            }
            for part in parts(uses) {
                match self.judge(object, &part) {
                    Ok(kind) => reasons.extend(self.reason(object, &part, kind)),
                    Err((first, second)) => obstacles.push(Obstacle::Pair {
                        variable: self.name(object, &part),
                        first: self.span(&part[first]),
                        second: self.span(&part[second]),
                    }),
                }
            }
        }
        obstacles.truncate(MAX_OBSTACLES);
        reasons.sort();
        reasons.dedup();
        Ok(if obstacles.is_empty() {
            RaceAnswer::Proved(reasons)
        } else {
            RaceAnswer::Unproved(obstacles)
        })
    }

    /// The accesses that some thread may come to make, by object.
    fn uses(&self, accesses: &[Access]) -> BTreeMap<ObjectId, Vec<Use<'_>>> {
        let graph = &self.points_to.graph;
        let mut found: BTreeMap<ObjectId, Vec<Use<'_>>> = BTreeMap::new();
        for access in accesses {
            let function = graph.instances[access.instance].function;
            let from = self.points_to.program.edge(function, access.edge).from;
            let (Some(held), Some(others)) = (
                self.locksets.at(access.instance, from),
                self.parallel.at(access.instance, from),
            ) else {
                continue;
            };
            let one = Use {
                access: *access,
                held,
                others,
                is_atomic: access.is_atomic || held.is_atomic,
            };
            let known = found.entry(access.object).or_default();
            if !known.iter().any(|it| it.is_like(&one)) {
                known.push(one);
            }
        }
        found
    }

    /// Why the accesses to a part of an object do not race, or which two may.
    fn judge(&self, object: ObjectId, part: &[Use<'_>]) -> Result<ReasonKind, (usize, usize)> {
        if self.escape.is_local(object) {
            return Ok(ReasonKind::Local);
        }
        let mut meet = false;
        let (mut conflict, mut all_atomic) = (false, true);
        let mut guards: Vec<Vec<Lock>> = Vec::new();
        for (at, first) in part.iter().enumerate() {
            for (beside, second) in part.iter().enumerate().skip(at) {
                if !self.may_meet(first, second) {
                    continue;
                }
                meet = true;
                if !first.access.conflicts_with(&second.access) {
                    continue;
                }
                conflict = true;
                if first.is_atomic && second.is_atomic {
                    continue;
                }
                all_atomic = false;
                let common: Vec<Lock> = first.held.common(second.held).collect();
                if common.is_empty() {
                    return Err((at, beside));
                }
                guards.push(common);
            }
        }
        Ok(if !meet {
            let thread = part[0].access.thread;
            let is_one = part.iter().all(|it| it.access.thread == thread);
            if is_one {
                ReasonKind::Local
            } else {
                ReasonKind::NeverParallel
            }
        } else if !conflict {
            ReasonKind::ReadOnly
        } else if all_atomic {
            ReasonKind::Atomic
        } else {
            ReasonKind::Guarded(self.guards(&guards))
        })
    }

    /// Whether two threads may stand before the two accesses at the same time.
    fn may_meet(&self, first: &Use<'_>, second: &Use<'_>) -> bool {
        let (one, other) = (first.access.thread, second.access.thread);
        if one == other
            && self
                .points_to
                .graph
                .is_single(&self.points_to.automata, one)
        {
            return false;
        }
        first.others.contains(other) && second.others.contains(one)
    }

    /// The locks that are common to all pairs, or else all that guard some pair.
    fn guards(&self, guards: &[Vec<Lock>]) -> Vec<String> {
        let mut all: Vec<Lock> = guards.concat();
        all.sort_unstable();
        all.dedup();
        let in_all: Vec<Lock> = all
            .iter()
            .copied()
            .filter(|lock| guards.iter().all(|pair| pair.contains(lock)))
            .collect();
        let named = match in_all.first() {
            Some(lock) => vec![*lock],
            None => all,
        };
        named
            .into_iter()
            .map(|lock| {
                let offset = Offset::exactly(lock.offset);
                names::of_part(&self.points_to, lock.object, offset)
            })
            .collect()
    }

    /// Synchronisation objects that are used as such need no reason.
    fn reason(&self, object: ObjectId, part: &[Use<'_>], kind: ReasonKind) -> Option<Reason> {
        let is_data = |it: &Use<'_>| it.access.deed == Deed::Data;
        part.iter().any(is_data).then(|| Reason {
            variable: self.name(object, part),
            kind,
            span: names::place(&self.points_to, object),
        })
    }

    fn name(&self, object: ObjectId, part: &[Use<'_>]) -> String {
        let offset = part
            .iter()
            .map(|it| it.access.offset)
            .reduce(Offset::join)
            .unwrap_or(Offset::ANY);
        names::of_part(&self.points_to, object, offset)
    }

    fn span(&self, one: &Use<'_>) -> Option<Span> {
        let function = self.points_to.graph.instances[one.access.instance].function;
        self.points_to.program.edge(function, one.access.edge).span
    }
}

impl Use<'_> {
    fn is_like(&self, other: &Use<'_>) -> bool {
        let what = |it: &Access| (it.thread, it.offset, it.size, it.is_write, it.deed);
        what(&self.access) == what(&other.access)
            && self.is_atomic == other.is_atomic
            && self.held == other.held
            && self.others == other.others
    }
}

/// Accesses to one object in groups such that no two of different groups touch a common byte.
fn parts(uses: Vec<Use<'_>>) -> Vec<Vec<Use<'_>>> {
    let mut parts: Vec<Vec<Use<'_>>> = Vec::new();
    for one in uses {
        let touches = |part: &Vec<Use<'_>>| {
            part.iter().any(|it| {
                let (a, b) = (&one.access, &it.access);
                a.offset.may_overlap(a.size, b.offset, b.size)
            })
        };
        let (touched, apart): (Vec<_>, Vec<_>) = parts.into_iter().partition(touches);
        parts = apart;
        let mut merged: Vec<Use<'_>> = touched.into_iter().flatten().collect();
        merged.push(one);
        parts.push(merged);
    }
    parts
}
