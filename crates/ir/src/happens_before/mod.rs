//! Which steps of an execution come before which others, by the rules of C11 and POSIX, and which accesses nothing orders.
//!
//! Here is what a step has to do with order, as [`Event`]s; `section`: the same of atomic sections; `relation`: the definition, on a whole execution; `clocks`: the same step
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
//! - **(H2)** What the rules do not tell makes no verdict: orders that are computed and atomic accesses to parts of other atomic
//!   accesses are [`Unclear`].
//! - **(H4)** An atomic section orders what is written in it: locks, atomic accesses with their orders. Whether its plain accesses
//!   order anything nobody says, if it does more than touch memory and start threads. So they order nothing, which is
//!   the least that they can mean, and the step is *doubtful*: no race in spite of it is no race, and a race in
//!   an execution with such a step is [`Unclear`]. A section may be marked as meant as it is written, and is not doubtful
//!   then: our library's are, where POSIX promises no order. What is written in a section is no such mark, and the mark of a
//!   section inside of another one says nothing about that.
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
mod section;
mod telling;
mod touched;

pub use clocks::{Clocks, Unordered};
pub use relation::{Conflict, first_conflict};
pub use telling::{UnclearStep, violation};

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
    /// Bytes are written by a plain access inside of a section: whoever reads them has nothing to learn.
    Overwrite(AtomicCell),
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

/// Why the rules do not tell what a step orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// A memory order that is computed.
    Order,
    /// An atomic section that may order more than is written in it.
    Section,
    /// Atomic accesses of different sizes to common bytes.
    Sizes,
}

/// What a step has to do with order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// One part after the other, of which atomic sections have several.
    pub parts: Vec<Vec<Event>>,
    /// It may order more than that (H4).
    pub is_doubtful: bool,
}

/// What a step from a state has to do with order.
///
/// # Errors
///
/// If the rules do not tell.
pub fn events(
    interpreter: &Interpreter<'_>,
    before: &State,
    successor: &Successor,
) -> Result<Told, Unclear> {
    let [part] = &successor.step.parts[..] else {
        return section::events(interpreter, before, successor);
    };
    let after = match &successor.outcome {
        Outcome::Next(after) => Some(after),
        Outcome::Stopped(_) => None,
    };
    let observed = Observed {
        interpreter,
        before,
        after,
        thread: successor.step.thread,
        part,
        effects: &successor.effects,
        accesses: &successor.accesses,
    };
    Ok(Told {
        parts: vec![observed.events()],
        is_doubtful: false,
    })
}

fn spawned(effects: &[Effect]) -> impl Iterator<Item = Event> {
    effects.iter().filter_map(|effect| {
        if let Effect::Spawn { thread } = effect {
            Some(Event::Spawn(*thread))
        } else {
            None
        }
    })
}

fn made(effects: &[Effect]) -> Vec<Event> {
    effects
        .iter()
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

/// An edge that is taken between two states.
struct Observed<'a> {
    interpreter: &'a Interpreter<'a>,
    before: &'a State,
    /// None if the execution ends here.
    after: Option<&'a State>,
    thread: ThreadNumber,
    part: &'a StepPart,
    effects: &'a [Effect],
    accesses: &'a [MemoryAccess],
}

impl Observed<'_> {
    fn events(&self) -> Vec<Event> {
        let part = self.part;
        let action = &self
            .interpreter
            .program
            .edge(part.function, part.edge)
            .action;
        let mut events = made(self.effects);
        if let (Action::Init { .. }, Some(place)) = (action, self.touched()) {
            events.push(Event::Remake((place.object, place.offset)));
        }
        let mut told = Vec::new();
        if let Some(after) = self.after {
            self.at(action, after, &mut events, &mut told);
        }
        events.extend(self.accesses.iter().cloned().map(Event::Access));
        events.append(&mut told);
        events
    }

    /// The bytes of its only access.
    fn touched(&self) -> Option<AtomicCell> {
        let access = self.accesses.first()?;
        Some(AtomicCell {
            object: access.object,
            offset: access.offset,
            size: access.size,
        })
    }

    fn at(&self, action: &Action, after: &State, learnt: &mut Vec<Event>, told: &mut Vec<Event>) {
        let cell = self.touched();
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
                let has_written = self.effects.iter().any(is_write);
                let order = if has_written { *order } else { *failure };
                learnt.extend(cell.map(|cell| Event::Read { cell, order }));
                told.extend(cell.filter(|_| has_written).map(|cell| Event::Write {
                    cell,
                    order,
                    continues: true,
                }));
            }
            Action::Fence { order } => told.push(Event::Fence { order: *order }),
            Action::Sync { operation, .. } => self.synchronized(*operation, after, learnt, told),
            Action::Spawn { .. } => told.extend(spawned(self.effects)),
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
            | Action::AtomicBegin { .. }
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
        after: &State,
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
                let Some(place) = lock.filter(|it| self.has_changed(*it, after)) else {
                    return;
                };
                let mode = effect.mode.unwrap_or_else(|| self.held_mode(place));
                if effect.gives_back() {
                    told.push(Event::Release { place, mode });
                } else {
                    learnt.push(Event::Acquire { place, mode });
                }
            }
            SyncEffect::Wake => told.push(Event::Wake(self.woken(after))),
            SyncEffect::Post => {
                let mode = LockMode::Exclusive;
                told.extend(object.map(|place| Event::Release { place, mode }));
            }
            SyncEffect::Down(_) => {
                let mode = LockMode::Exclusive;
                let taken = object.filter(|it| self.has_changed(*it, after));
                learnt.extend(taken.map(|place| Event::Acquire { place, mode }));
            }
            SyncEffect::Arrive => {
                let members = self.woken(after);
                if !members.is_empty() {
                    told.push(Event::Meet(members));
                }
            }
            SyncEffect::Look | SyncEffect::Leave => {}
        }
    }

    fn has_changed(&self, place: SyncPlace, after: &State) -> bool {
        sync_at(self.before, place) != sync_at(after, place)
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
    fn woken(&self, after: &State) -> Vec<ThreadNumber> {
        let was_woken = |number: &ThreadNumber| {
            let before = self.before.threads.get(number);
            before.is_some_and(|it| it.woken.is_some())
        };
        let threads = after.threads.iter();
        threads
            .filter(|(number, thread)| thread.woken.is_some() && !was_woken(number))
            .map(|(number, _)| *number)
            .collect()
    }
}

fn sync_at(state: &State, (object, offset): SyncPlace) -> Option<&Sync> {
    state.objects.get(&object)?.syncs.get(&offset)
}
