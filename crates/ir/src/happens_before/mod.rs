//! Which steps of an execution come before which others, by the rules of C11 and POSIX, and which accesses nothing orders.
//!
//! Here is what a step has to do with order, as [`Event`]s; `relation`: the definition, on a whole execution; `clocks`: the same step
//! by step, as something that goes with a state in a search; `telling`: what is said of two accesses that nothing orders.
//!
//! # Source
//!
//! C17 5.1.2.4 and 7.17.3 (orders, fences, release sequences); POSIX XBD 4.12 (functions that synchronise memory); vector clocks as in
//! DJIT+ and `FastTrack`.
//!
//! # Definitions
//!
//! - A step *happens before* another if a chain of these leads from it to that: the order of one thread's steps; the start of a thread
//!   and its first step; the last step of a thread and its join; a release of a lock, a post, an unlock and every later
//!   acquisition of the same object (of a read-write lock: not from reader to reader); a signal and the step of the
//!   thread that it wakes; all arrivals of a round of a barrier and what comes after each of them; a write that releases and a
//!   read that acquires and takes its value from the write or from a read-modify-write in its release sequence.
//! - A *release sequence* is a write and the read-modify-writes that follow it without another write in between.
//! - A release fence makes every later write of its thread release what came before the fence; an acquire fence makes every earlier
//!   read of its thread acquire at the fence.
//! - `seq_cst` is acquire and release. A lock that was not taken, a post that was not waited for and `relaxed` order nothing.
//! - Two accesses *race* if threads differ, they touch a common byte, one writes, not both are atomic, and neither happens before the other.
//!
//! # Invariants
//!
//! - **(H1)** Reads take their values from the last write: executions are sequentially consistent. A verdict says so.
//! - **(H2)** What the rules do not tell makes no verdict: steps of atomic sections that do more than touch memory and start threads, orders that are computed, atomic accesses to parts of
//!   other atomic accesses are [`Unclear`].
//! - **(H3)** `clocks` and `relation` find the same first step that races, on every execution.
//!
//! # Deviations
//!
//! 1. Stores of the same thread do not continue a release sequence: so C++20 and C23 have it, C17 did not. Less is ordered.
//! 2. `consume` is acquire.
//!
//! # Tested by
//!
//! `crates/testkit/tests/happens_before.rs` (H3 on random executions, flaws that it has to notice), `tests/c/orders/`.

mod clocks;
mod relation;
mod telling;
mod touched;

pub use clocks::{Clocks, Unordered};
pub use relation::{Conflict, first_conflict};
pub use telling::violation;

use crate::action::{Access, Action, Order, SyncOperation};
use crate::effect::{LockMode, LockOperand, SyncEffect};

use crate::interpret::{
    Effect, Interpreter, MemoryAccess, ObjectNumber, Outcome, State, StepPart, Successor, Sync,
    ThreadNumber,
};

/// A synchronisation object.
pub type SyncPlace = (ObjectNumber, u64);

/// The bytes of an atomic access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicCell {
    pub object: ObjectNumber,
    pub offset: u64,
    pub size: u64,
}

impl AtomicCell {
    fn overlaps(self, object: ObjectNumber, offset: u64, size: u64) -> bool {
        self.object == object && self.offset < offset + size && offset < self.offset + self.size
    }
}

/// What a step has to do with order, in this order: what it learns, what it touches, what it tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An object or a synchronisation object is new: what was there before has nothing to do with it.
    Make(ObjectNumber),
    Remake(SyncPlace),
    /// What others have told at a synchronisation object is learnt.
    Acquire {
        place: SyncPlace,
        mode: LockMode,
    },
    /// All that a thread did is learnt.
    Join(ThreadNumber),
    /// An atomic cell is read.
    Read {
        cell: AtomicCell,
        order: Order,
    },
    /// Bytes are touched.
    Access(MemoryAccess),
    /// An atomic cell is written; a read-modify-write goes on with the release sequences that it reads from.
    Write {
        cell: AtomicCell,
        order: Order,
        continues: bool,
    },
    Fence {
        order: Order,
    },
    /// What the thread did is told at a synchronisation object.
    Release {
        place: SyncPlace,
        mode: LockMode,
    },
    /// It is told to threads that wait.
    Wake(Vec<ThreadNumber>),
    /// Threads tell each other.
    Meet(Vec<ThreadNumber>),
    /// It is told to a new thread.
    Spawn(ThreadNumber),
}

/// The rules do not tell what a step orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclear;

/// What a step from a state has to do with order.
///
/// # Errors
///
/// If the rules do not tell.
pub fn events(
    interpreter: &Interpreter<'_>,
    before: &State,
    successor: &Successor,
) -> Result<Vec<Event>, Unclear> {
    let [part] = &successor.step.parts[..] else {
        return of_section(interpreter, successor);
    };
    let action = &interpreter.program.edge(part.function, part.edge).action;
    let mut events = made(successor);
    if let (Action::Init { .. }, Some(place)) = (action, touched(successor)) {
        events.push(Event::Remake((place.object, place.offset)));
    }
    let mut told = Vec::new();
    if let Outcome::Next(after) = &successor.outcome {
        let observed = Observed {
            interpreter,
            before,
            after,
            thread: successor.step.thread,
            part,
        };
        observed.at(action, successor, &mut events, &mut told);
    }
    events.extend(successor.accesses.iter().cloned().map(Event::Access));
    events.append(&mut told);
    Ok(events)
}

/// What an atomic section has to do with order, if there is only one way through it and it does no more than touch memory and start
/// threads: a new thread runs when the section is over, so it knows all of it.
fn of_section(interpreter: &Interpreter<'_>, successor: &Successor) -> Result<Vec<Event>, Unclear> {
    let program = interpreter.program;
    for part in &successor.step.parts {
        let edge = program.edge(part.function, part.edge);
        // Of several ways through a section to one state only one is told.
        let is_only = program.outgoing(part.function, edge.from).len() == 1;
        if !is_only || !is_plain(&edge.action) {
            return Err(Unclear);
        }
    }
    let mut events = made(successor);
    events.extend(successor.accesses.iter().cloned().map(Event::Access));
    events.extend(spawned(successor));
    Ok(events)
}

/// Whether an action only touches memory, starts threads, or does what nobody else sees.
fn is_plain(action: &Action) -> bool {
    match action {
        Action::Load { access, .. } | Action::Store { access, .. } => {
            !matches!(access, Access::Atomic(_))
        }
        Action::Assign { .. }
        | Action::Spawn { .. }
        | Action::Call { .. }
        | Action::Return { .. }
        | Action::AtomicBegin
        | Action::AtomicEnd => true,
        Action::ReadModifyWrite { .. }
        | Action::CompareExchange { .. }
        | Action::Fence { .. }
        | Action::Sync { .. }
        | Action::Join { .. }
        | Action::Havoc { .. }
        | Action::Assume { .. }
        | Action::Assert { .. }
        | Action::Allocate { .. }
        | Action::Size { .. }
        | Action::Free { .. }
        | Action::Init { .. }
        | Action::Destroy { .. }
        | Action::Detach { .. }
        | Action::ExitThread { .. }
        | Action::EndProcess { .. }
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Emit { .. }
        | Action::Unsupported { .. } => false,
    }
}

fn spawned(successor: &Successor) -> impl Iterator<Item = Event> {
    successor.effects.iter().filter_map(|effect| {
        if let Effect::Spawn { thread } = effect {
            Some(Event::Spawn(*thread))
        } else {
            None
        }
    })
}

fn made(successor: &Successor) -> Vec<Event> {
    let effects = successor.effects.iter();
    effects
        .filter_map(|effect| match effect {
            Effect::Allocate { object, .. } => Some(Event::Make(*object)),
            Effect::Read { .. }
            | Effect::Write { .. }
            | Effect::Synchronize { .. }
            | Effect::Measure { .. }
            | Effect::Free { .. }
            | Effect::Spawn { .. }
            | Effect::UnitBegin { .. }
            | Effect::UnitEnd { .. }
            | Effect::Emit { .. }
            | Effect::Set { .. }
            | Effect::ObserveLayout
            | Effect::End { .. } => None,
        })
        .collect()
}

/// The bytes of the only access of a step.
fn touched(successor: &Successor) -> Option<AtomicCell> {
    let access = successor.accesses.first()?;
    Some(AtomicCell {
        object: access.object,
        offset: access.offset,
        size: access.size,
    })
}

/// A step between two states.
struct Observed<'a> {
    interpreter: &'a Interpreter<'a>,
    before: &'a State,
    after: &'a State,
    thread: ThreadNumber,
    part: &'a StepPart,
}

impl Observed<'_> {
    fn at(
        &self,
        action: &Action,
        successor: &Successor,
        learnt: &mut Vec<Event>,
        told: &mut Vec<Event>,
    ) {
        let cell = touched(successor);
        match action {
            Action::Load { access, .. } => {
                if let (Access::Atomic(order), Some(cell)) = (*access, cell) {
                    learnt.push(Event::Read { cell, order });
                }
            }
            Action::Store { access, .. } => {
                if let (Access::Atomic(order), Some(cell)) = (*access, cell) {
                    told.push(Event::Write {
                        cell,
                        order,
                        continues: false,
                    });
                }
            }
            Action::ReadModifyWrite { order, .. } => {
                let order = *order;
                learnt.extend(cell.map(|cell| Event::Read { cell, order }));
                told.extend(cell.map(|cell| Event::Write {
                    cell,
                    order,
                    continues: true,
                }));
            }
            Action::CompareExchange { order, failure, .. } => {
                let is_write = |it: &Effect| matches!(it, Effect::Write { .. });
                let has_written = successor.effects.iter().any(is_write);
                let order = if has_written { *order } else { *failure };
                learnt.extend(cell.map(|cell| Event::Read { cell, order }));
                told.extend(cell.filter(|_| has_written).map(|cell| Event::Write {
                    cell,
                    order,
                    continues: true,
                }));
            }
            Action::Fence { order } => told.push(Event::Fence { order: *order }),
            Action::Sync { operation, .. } => self.synchronized(*operation, learnt, told),
            Action::Spawn { .. } => told.extend(spawned(successor)),
            Action::Join { .. } => {
                let joined = self
                    .interpreter
                    .joined_by(self.before, self.thread, self.part);
                learnt.extend(joined.map(Event::Join));
            }
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => {}
        }
    }

    fn synchronized(
        &self,
        operation: SyncOperation,
        learnt: &mut Vec<Event>,
        told: &mut Vec<Event>,
    ) {
        let operands = self
            .interpreter
            .pointed_to(self.before, self.thread, self.part);
        let object = operands.first().copied();
        match operation.effect() {
            SyncEffect::Lock(effect) => {
                let lock = match effect.operand {
                    LockOperand::Object => object,
                    LockOperand::Mutex => operands.get(1).copied(),
                };
                // An attempt that fails leaves the lock as it was, as a release by somebody else does.
                let Some(place) = lock.filter(|it| self.has_changed(*it)) else {
                    return;
                };
                let mode = effect.mode.unwrap_or_else(|| self.held_mode(place));
                if effect.gives_back() {
                    told.push(Event::Release { place, mode });
                } else {
                    learnt.push(Event::Acquire { place, mode });
                }
            }
            SyncEffect::Wake => told.push(Event::Wake(self.woken())),
            SyncEffect::Post => {
                let mode = LockMode::Exclusive;
                told.extend(object.map(|place| Event::Release { place, mode }));
            }
            SyncEffect::Down(_) => {
                let mode = LockMode::Exclusive;
                let taken = object.filter(|it| self.has_changed(*it));
                learnt.extend(taken.map(|place| Event::Acquire { place, mode }));
            }
            SyncEffect::Arrive => {
                let members = self.woken();
                if !members.is_empty() {
                    told.push(Event::Meet(members));
                }
            }
            SyncEffect::Look | SyncEffect::Leave => {}
        }
    }

    fn has_changed(&self, place: SyncPlace) -> bool {
        sync_at(self.before, place) != sync_at(self.after, place)
    }

    /// How the thread holds a read-write lock that it gives back.
    fn held_mode(&self, place: SyncPlace) -> LockMode {
        if let Some(Sync::ReadWriteLock { writer, .. }) = sync_at(self.before, place)
            && *writer != Some(self.thread)
        {
            LockMode::Shared
        } else {
            LockMode::Exclusive
        }
    }

    /// The threads that wait no more after this step.
    fn woken(&self) -> Vec<ThreadNumber> {
        let was_woken = |number: &ThreadNumber| {
            let before = self.before.threads.get(number);
            before.is_some_and(|it| it.woken.is_some())
        };
        let threads = self.after.threads.iter();
        threads
            .filter(|(number, thread)| thread.woken.is_some() && !was_woken(number))
            .map(|(number, _)| *number)
            .collect()
    }
}

fn sync_at(state: &State, (object, offset): SyncPlace) -> Option<&Sync> {
    state.objects.get(&object)?.syncs.get(&offset)
}
