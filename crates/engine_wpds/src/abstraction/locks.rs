//! The locks that processes share, as far as each operation is on one known lock.
//!
//! A lock that is not understood is *forgotten*: its operations do nothing. That only adds interleavings.

use std::collections::{BTreeMap, BTreeSet};

use raddle_analysis::call_graph::{InstanceId, ThreadId};
use raddle_analysis::conflicts::Access;
use raddle_analysis::locksets::{Lock, is_broken, the_lock};
use raddle_analysis::names;
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_analysis::value::{ObjectId, Offset};
use raddle_base::{Arena, Span};
use raddle_ir::{
    Action, Deed, Direction, EdgeId, Expression, Initial, LockMode, MutexKind, Occasion, SyncInit,
    SyncType, Type,
};

use crate::system::LockId;

/// A lock that is kept.
#[derive(Clone, Debug)]
pub struct KnownLock {
    pub lock: Lock,
    pub name: String,
    /// Taken and given back by brackets that may be nested.
    pub is_bracket: bool,
}

/// A lock that is not, for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Forgotten {
    pub name: String,
    /// As in: it is released while a lock taken later is held.
    pub why: &'static str,
    pub span: Option<Span>,
}

/// What an operation does to a lock that excludes all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deal {
    Take,
    Give,
    /// Gives it back wholly, however often it was taken.
    GiveWholly,
    /// Gives it back if it excludes all others, and not if others share it.
    GiveIfExclusive,
}

/// What an action does to which lock; `None` for actions that deal with no lock.
pub(super) fn deal(action: &Action) -> Option<Result<(Deal, &Expression), &'static str>> {
    let (effect, lock) = action.lock_effect()?;
    let deal = match (effect.direction, effect.mode) {
        // Readers are left aside, so that writers exclude one another only.
        (Direction::Acquire, Some(LockMode::Shared)) => return None,
        (Direction::Acquire, _) if !effect.certainly_takes() => {
            return Some(Err("somebody tries to take it and may fail"));
        }
        (Direction::Acquire, _) => Deal::Take,
        (Direction::Release, _) if effect.occasion != Occasion::Asked => Deal::GiveWholly,
        (Direction::Release, None) => Deal::GiveIfExclusive,
        (Direction::Release, Some(_)) => Deal::Give,
    };
    Some(Ok((deal, lock)))
}

/// Which locks are kept and which are forgotten.
#[derive(Clone, Debug, Default)]
pub struct LockTable {
    pub locks: Arena<LockId, KnownLock>,
    by_place: BTreeMap<Lock, LockId>,
    pub forgotten: BTreeMap<Lock, Forgotten>,
    /// Those that are kept for writers only.
    pub without_readers: BTreeMap<Lock, Forgotten>,
    /// Locks that are taken by brackets, because their holder may take them again.
    brackets: BTreeSet<Lock>,
    waited_on: BTreeSet<Lock>,
}

/// One operation on a lock.
struct Use {
    lock: Lock,
    thread: ThreadId,
}

impl LockTable {
    /// The locks that at least two processes take, without those that were forgotten before.
    pub(super) fn rebuild(
        &mut self,
        points_to: &PointsTo<'_>,
        accesses: &[Access],
        is_reached: &dyn Fn(InstanceId, EdgeId) -> bool,
    ) {
        self.locks = Arena::new();
        self.by_place = BTreeMap::new();
        let mut uses: Vec<Use> = Vec::new();
        // Operations that are not understood, by where they may be.
        let mut vague = Vec::new();
        for (instance, edge, action) in points_to.actions() {
            let Some((effect, operand)) = action.lock_effect() else {
                continue;
            };
            if !is_reached(instance, edge) {
                continue;
            }
            let function = points_to.graph.instances[instance].function;
            let span = points_to.program.edge(function, edge).span;
            let Some(deal) = deal(action) else {
                if effect.mode == Some(LockMode::Shared)
                    && let Some(lock) = the_lock(points_to, instance, operand)
                {
                    let why = "readers are not kept apart from writers";
                    let entry = self.without_readers.entry(lock);
                    entry.or_insert_with(|| forgotten(points_to, lock, why, span));
                }
                continue;
            };
            let problem = deal.err();
            let lock = the_lock(points_to, instance, operand);
            let (Some(lock), None) = (lock, problem) else {
                let why = problem.unwrap_or("an operation may be on this lock or on another");
                let values = points_to.values(instance, operand);
                vague.extend(values.addresses().map(|place| (place, why, span)));
                continue;
            };
            if let Ok((Deal::GiveWholly, _)) = deal {
                self.waited_on.insert(lock);
            }
            let family = action.lock_family();
            let size = family.map_or(1, |it| it.size(points_to.program.model));
            if is_broken(accesses, lock, size) {
                self.forget(points_to, lock, "its bytes may be written over", span);
            }
            let thread = points_to.graph.instances[instance].thread;
            uses.push(Use { lock, thread });
        }
        let wanted: BTreeSet<Lock> = uses.iter().map(|it| it.lock).collect();
        for lock in wanted {
            for ((object, offset), why, span) in &vague {
                if *object == lock.object && offset.covers(Offset::exactly(lock.offset)) {
                    self.forget(points_to, lock, why, *span);
                }
            }
            if self.forgotten.contains_key(&lock) {
                continue;
            }
            let threads: BTreeSet<ThreadId> = uses
                .iter()
                .filter(|it| it.lock == lock)
                .map(|it| it.thread)
                .collect();
            let is_shared = threads.len() > 1
                || threads
                    .iter()
                    .any(|it| !points_to.graph.is_single(&points_to.automata, *it));
            if is_shared {
                let id = self.locks.push(KnownLock {
                    lock,
                    name: names::of_part(points_to, lock.object, Offset::exactly(lock.offset)),
                    is_bracket: self.brackets.contains(&lock),
                });
                self.by_place.insert(lock, id);
            }
        }
    }

    /// The lock of an operand, if it is kept.
    pub(super) fn find(
        &self,
        points_to: &PointsTo<'_>,
        instance: InstanceId,
        operand: &Expression,
    ) -> Option<LockId> {
        let lock = the_lock(points_to, instance, operand)?;
        self.by_place.get(&lock).copied()
    }

    pub(super) fn forget(
        &mut self,
        points_to: &PointsTo<'_>,
        lock: Lock,
        why: &'static str,
        span: Option<Span>,
    ) {
        self.forgotten
            .entry(lock)
            .or_insert_with(|| forgotten(points_to, lock, why, span));
    }

    /// Its holder took it again: that needs brackets, if it is reentrant at all.
    pub(super) fn taken_twice(
        &mut self,
        points_to: &PointsTo<'_>,
        accesses: &[Access],
        lock: LockId,
        span: Option<Span>,
    ) {
        let lock = self.locks[lock].lock;
        if self.waited_on.contains(&lock) {
            let why = "its holder may take it again and wait on it";
            self.forget(points_to, lock, why, span);
        } else if may_be_reentrant(points_to, accesses, lock) {
            self.brackets.insert(lock);
        } else {
            self.forget(points_to, lock, "its holder may take it again", span);
        }
    }
}

fn forgotten(
    points_to: &PointsTo<'_>,
    lock: Lock,
    why: &'static str,
    span: Option<Span>,
) -> Forgotten {
    let name = names::of_part(points_to, lock.object, Offset::exactly(lock.offset));
    Forgotten { name, why, span }
}

fn type_of<'p>(points_to: &PointsTo<'p>, object: ObjectId) -> Option<&'p Type> {
    match points_to.objects[object].kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            Some(&points_to.program.globals[global].ty)
        }
        ObjectKind::Allocated(_, instance, edge) => {
            let function = points_to.graph.instances[instance].function;
            let Action::Allocate { ty, .. } = &points_to.program.edge(function, edge).action else {
                return None;
            };
            ty.as_ref()
        }
    }
}

/// Whether its holder may take it again, as it is declared or made.
fn may_be_reentrant(points_to: &PointsTo<'_>, accesses: &[Access], lock: Lock) -> bool {
    let program = points_to.program;
    let is_reentrant = |sync: SyncType| {
        matches!(
            sync,
            SyncType::Mutex(MutexKind::Recursive) | SyncType::Monitor
        )
    };
    let declared = type_of(points_to, lock.object).is_some_and(|ty| {
        ty.sync_cells(&program.structs, program.model)
            .into_iter()
            .any(|(at, sync)| at == lock.offset && is_reentrant(sync))
    });
    let initial = match points_to.objects[lock.object].kind {
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            program.globals[global].initial.iter().any(|(at, initial)| {
                matches!(initial, Initial::Sync(sync)
                    if *at == lock.offset && is_reentrant(sync.sync_type()))
            })
        }
        ObjectKind::Allocated(..) => false,
    };
    let made = accesses.iter().any(|access| {
        let function = points_to.graph.instances[access.instance].function;
        let action = &program.edge(function, access.edge).action;
        access.deed == Deed::Init
            && access.object == lock.object
            && access.offset.covers(Offset::exactly(lock.offset))
            && matches!(
                action,
                Action::Init {
                    sync: SyncInit::Mutex(MutexKind::Recursive) | SyncInit::Monitor,
                    ..
                }
            )
    });
    declared || initial || made
}
