//! Violations that a state shows by itself: races, deadlocks, lost and leaked memory, broken invariants.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, SyncOperation};
use crate::program::{EdgeId, FunctionId};
use crate::types::DataModel;

use super::evaluate::holds;
use super::memory::lost_objects;
use super::state::{ObjectNumber, State, Storage, Thread, ThreadNumber};
use super::step::Steps;
use super::sync::Wait;
use super::{Effect, Interpreter, Property, Successor, ThreadOptions, Violation};
use crate::endless::stuck::{Halt, Hope, stuck_among};

/// An access to a range of bytes, for races.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryAccess {
    pub object: ObjectNumber,
    pub offset: u64,
    pub size: u64,
    pub is_write: bool,
    pub is_atomic: bool,
}

impl MemoryAccess {
    pub fn of_effects(effects: &[Effect], model: DataModel) -> Vec<MemoryAccess> {
        effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Read {
                    object,
                    offset,
                    ty,
                    is_atomic,
                    ..
                } => Some((*object, *offset, ty.size(model), false, *is_atomic)),
                Effect::Write {
                    object,
                    offset,
                    ty,
                    is_atomic,
                    ..
                } => Some((*object, *offset, ty.size(model), true, *is_atomic)),
                Effect::Synchronize {
                    object,
                    offset,
                    size,
                    is_atomic,
                } => Some((*object, *offset, *size, true, *is_atomic)),
                Effect::Measure {
                    object,
                    size,
                    is_atomic,
                } => Some((*object, 0, *size, false, *is_atomic)),
                Effect::Free {
                    object,
                    size,
                    is_atomic,
                } => Some((*object, 0, *size, true, *is_atomic)),
                Effect::Allocate { .. }
                | Effect::Spawn { .. }
                | Effect::UnitBegin { .. }
                | Effect::UnitEnd { .. }
                | Effect::Emit { .. }
                | Effect::Set { .. }
                | Effect::ObserveLayout
                | Effect::End { .. } => None,
            })
            .map(|(object, offset, size, is_write, is_atomic)| MemoryAccess {
                object,
                offset,
                size,
                is_write,
                is_atomic,
            })
            .collect()
    }

    /// Whether two accesses of different threads race, if nothing orders them.
    pub fn races_with(&self, other: &MemoryAccess) -> bool {
        self.object == other.object
            && self.offset < other.offset + other.size
            && other.offset < self.offset + self.size
            && (self.is_write || other.is_write)
            && !(self.is_atomic && other.is_atomic)
    }

    pub(crate) fn word(&self) -> &'static str {
        if self.is_write { "written" } else { "read" }
    }
}

/// What a thread has to do with races and deadlocks of a state: all that [`Interpreter::judge`] asks of one thread for these.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Standing {
    /// The accesses that it stands before, each once, in order.
    pub accesses: Vec<MemoryAccess>,
    /// If it cannot take a step: what each of its ways waits for.
    pub waits: Option<Vec<Wait>>,
    /// If it can: whether it may go round a loop without a change of memory (see [`livelock`](crate::endless::livelock)).
    pub may_spin: bool,
}

impl Interpreter<'_> {
    /// See [`Interpreter::judge`]; `successors` are all those of the state.
    pub(super) fn violations_of(&self, state: &State, successors: &[Successor]) -> Vec<Violation> {
        let asks = |property| self.semantics.properties.contains(&property);
        let mut violations = Vec::new();
        if !state.is_over() {
            let blocked = self.blocked_threads(state, successors);
            if asks(Property::Race) {
                violations.extend(self.races(state, successors, &blocked));
            }
            if asks(Property::Deadlock) {
                violations.extend(if self.may_wake_for_no_reason(state) {
                    // Nothing promises that it does.
                    let patient = self.patient();
                    let successors = patient.successors(state);
                    patient.deadlock(state, &patient.blocked_threads(state, &successors))
                } else {
                    self.deadlock(state, &blocked)
                });
            }
        }
        violations.extend(self.violations_of_memory(state));
        if asks(Property::Leak) && state.is_over() {
            violations.extend(self.leak(state));
        }
        violations
    }

    /// Lost memory and broken invariants.
    pub(super) fn violations_of_memory(&self, state: &State) -> Vec<Violation> {
        let lost = self.may_lose_memory(state).then(|| self.lost_memory(state));
        let broken = self.broken_invariants(state);
        lost.into_iter().flatten().chain(broken).collect()
    }

    /// Whether lost memory is asked for, and would be a violation here.
    pub fn may_lose_memory(&self, state: &State) -> bool {
        self.has_heap && self.semantics.properties.contains(&Property::Memory) && !state.has_ended
    }

    /// Broken invariants, if they are asked for.
    pub fn broken_invariants(&self, state: &State) -> Vec<Violation> {
        let is_asked = self.semantics.properties.contains(&Property::Invariant);
        let broken = is_asked.then(|| self.broken_invariant(state));
        broken.into_iter().flatten().collect()
    }

    /// Whether some thread stands at a wait that may end without a signal.
    pub(crate) fn may_wake_for_no_reason(&self, state: &State) -> bool {
        let mut threads = state.threads.values();
        self.semantics.has_spurious_wakeups && threads.any(|thread| self.is_at_wait(thread))
    }

    fn is_at_wait(&self, thread: &Thread) -> bool {
        let is_wait = |action: &Action| {
            matches!(
                action,
                Action::Sync {
                    operation: SyncOperation::WaitEnd
                        | SyncOperation::WaitEndTimed
                        | SyncOperation::MonitorWaitEnd,
                    ..
                }
            )
        };
        thread.frames.last().is_some_and(|frame| {
            self.program
                .outgoing(frame.function, frame.location)
                .iter()
                .any(|&edge| is_wait(&self.program.edge(frame.function, edge).action))
        })
    }

    /// See [`Interpreter::standing`].
    pub(super) fn standing_of(
        &self,
        state: &State,
        thread: ThreadNumber,
        options: &ThreadOptions,
    ) -> Standing {
        let mut accesses: Vec<MemoryAccess> = if options.successors.is_empty() {
            options.blocked_reads.clone()
        } else {
            let is_raced = |it: &&Successor| {
                let part = &it.step.parts[0];
                !self.is_unraced(state, thread, (part.function, part.edge))
            };
            let successors = options.successors.iter().filter(is_raced);
            successors.flat_map(|it| it.accesses.clone()).collect()
        };
        accesses.sort();
        accesses.dedup();
        let content = state.threads.get(&thread);
        let is_running = content.is_some_and(|it| !it.frames.is_empty());
        let is_at_wait = content.is_some_and(|it| self.is_at_wait(it));
        let waits = if self.semantics.has_spurious_wakeups && is_at_wait {
            // Nothing promises that it wakes for no reason.
            let steps = self.patient().steps(state, thread);
            steps.successors.is_empty().then_some(steps.waits)
        } else {
            (is_running && options.successors.is_empty()).then(|| options.waits.clone())
        };
        let asks_for_livelocks = self.semantics.properties.contains(&Property::Deadlock);
        Standing {
            accesses,
            may_spin: asks_for_livelocks
                && waits.is_none()
                && content.is_some_and(|it| self.may_spin(it)),
            waits,
        }
    }

    /// What the threads that cannot take a step wait for, and have looked at.
    pub(crate) fn blocked_threads(
        &self,
        state: &State,
        successors: &[Successor],
    ) -> BTreeMap<ThreadNumber, Steps> {
        let moves: BTreeSet<ThreadNumber> = successors.iter().map(|it| it.step.thread).collect();
        state
            .threads
            .iter()
            .filter(|(number, thread)| !thread.frames.is_empty() && !moves.contains(number))
            .map(|(&number, _)| (number, self.steps(state, number)))
            .collect()
    }

    /// Two threads that stand before accesses to a common byte, at least one a write, not both atomic: each two edges and
    /// each object once.
    fn races(
        &self,
        state: &State,
        successors: &[Successor],
        blocked: &BTreeMap<ThreadNumber, Steps>,
    ) -> Vec<Violation> {
        // Each thread's accesses with an edge that makes them; the same access counts once.
        let mut accesses: BTreeMap<ThreadNumber, BTreeMap<MemoryAccess, (FunctionId, EdgeId)>> =
            BTreeMap::new();
        for successor in successors {
            let part = &successor.step.parts[0];
            let known = accesses.entry(successor.step.thread).or_default();
            for access in &successor.accesses {
                known
                    .entry(access.clone())
                    .or_insert((part.function, part.edge));
            }
        }
        for (thread, steps) in blocked {
            let known = accesses.entry(*thread).or_default();
            for (edge, access) in &steps.blocked_reads {
                if let Some(frame) = state.threads[thread].frames.last() {
                    let place = (frame.function, *edge);
                    known.entry(access.clone()).or_insert(place);
                }
            }
        }
        for (thread, accesses) in &mut accesses {
            accesses.retain(|_, place| !self.is_unraced(state, *thread, *place));
        }
        let mut races = Vec::new();
        let mut known = BTreeSet::new();
        for (&first, mine) in &accesses {
            for (&second, theirs) in accesses.range(first..).skip(1) {
                for (access, place) in mine {
                    let racing = theirs.iter().filter(|(other, _)| access.races_with(other));
                    for (other, other_place) in racing {
                        if known.insert((*place, *other_place, access.object)) {
                            races.push(self.race_between(
                                state,
                                (first, access, *place),
                                (second, other, *other_place),
                            ));
                        }
                    }
                }
            }
        }
        races
    }

    /// Whether the program says of the line of an access that its races do not count.
    fn is_unraced(&self, state: &State, thread: ThreadNumber, place: (FunctionId, EdgeId)) -> bool {
        if self.program.unraced.is_empty() {
            return false;
        }
        let (function, edge) = self.visible_edge(state, thread, place).edge;
        let span = self.program.edge(function, edge).span;
        span.is_some_and(|it| self.program.is_unraced(it))
    }

    /// The largest set of threads each of which waits for ever for a member of the set.
    fn deadlock(
        &self,
        state: &State,
        blocked: &BTreeMap<ThreadNumber, Steps>,
    ) -> Option<Violation> {
        let running: Vec<Halt<&[Wait]>> = state
            .threads
            .iter()
            .filter(|(_, thread)| !thread.frames.is_empty())
            .map(|(number, _)| (*number, blocked.get(number).map(|it| &*it.waits)))
            .collect();
        let threads: Vec<ThreadNumber> = blocked.keys().copied().collect();
        let stuck = stuck_among(&running, &threads, Hope::InWhoeverRuns);
        if stuck.is_empty() {
            return None;
        }
        let deed = |thread| self.what_it_waits_for(state, &blocked[&thread].waits);
        Some(Violation {
            property: Property::Deadlock,
            message: self.who_waits_for_ever(state, &stuck),
            labels: self.where_they_stand(state, &stuck, deed),
            span: None,
        })
    }

    fn lost_memory(&self, state: &State) -> Option<Violation> {
        let number = lost_objects(self.program, state).into_iter().next()?;
        Some(self.of_object(
            state,
            number,
            Property::Memory,
            "no pointer to this memory remains, so nobody can free it",
        ))
    }

    fn leak(&self, state: &State) -> Option<Violation> {
        let (number, _) = state
            .objects
            .iter()
            .find(|(_, object)| object.is_live && object.storage == Storage::Heap)?;
        Some(self.of_object(
            state,
            *number,
            Property::Leak,
            "memory is not freed when the process ends",
        ))
    }

    fn broken_invariant(&self, state: &State) -> Option<Violation> {
        self.program.invariants.iter().find_map(|invariant| {
            let message = match holds(self.program, state, &invariant.formula, None, 0) {
                Ok(true) => return None,
                Ok(false) => "the invariant does not hold".to_owned(),
                Err(fault) => format!("the invariant has no value: {}", fault.what()),
            };
            Some(Violation {
                property: Property::Invariant,
                message,
                labels: Vec::new(),
                span: invariant.span.map(|span| (span, "broken here".into())),
            })
        })
    }
}
