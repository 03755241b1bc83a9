//! Locksets: which locks a thread certainly holds at a location, and whether it is inside an atomic section.
//!
//! Only locks that are certainly one object count: a global at a constant offset, or an object that is made once.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{
    Action, ActionGroup, Deed, Direction, EdgeId, Expression, Initial, LocationId, LockMode,
    MutexKind, Occasion, SyncInit, SyncType, Type,
};

use crate::call_graph::{InstanceId, ThreadId};
use crate::conflicts::Access;
use crate::flow::{Facts, Problem, solve};
use crate::points_to::{ObjectKind, PointsTo};
use crate::value::{ObjectId, Offset};

/// A synchronisation object of which there is only one, by where it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lock {
    pub object: ObjectId,
    pub offset: u64,
}

/// What a thread certainly holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// How, and how often at least.
    pub locks: BTreeMap<Lock, (LockMode, u32)>,
    pub is_atomic: bool,
}

impl Held {
    /// The locks that keep the two from running at the same time.
    pub fn common<'a>(&'a self, other: &'a Held) -> impl Iterator<Item = Lock> + 'a {
        self.locks.iter().filter_map(|(lock, (mode, _))| {
            let (other_mode, _) = other.locks.get(lock)?;
            (*mode == LockMode::Exclusive || *other_mode == LockMode::Exclusive).then_some(*lock)
        })
    }
}

#[derive(Clone, Debug)]
pub struct Locksets {
    facts: Facts<Held>,
}

impl Locksets {
    pub fn new(points_to: &PointsTo<'_>, accesses: &[Access]) -> Self {
        let problem = Holding {
            points_to,
            accesses,
            counted: counted_locks(points_to, accesses),
        };
        Self {
            facts: solve(points_to, &problem),
        }
    }

    /// What is held on arrival; `None` where no thread arrives.
    pub fn at(&self, instance: InstanceId, location: LocationId) -> Option<&Held> {
        self.facts.at(instance, location)
    }
}

/// The lock behind an address, if it is certainly one and the same.
pub fn the_lock(
    points_to: &PointsTo<'_>,
    instance: InstanceId,
    address: &Expression,
) -> Option<Lock> {
    let values = points_to.values(instance, address);
    let mut addresses = values.addresses();
    let (object, offset) = addresses.next()?;
    if addresses.next().is_some() || !points_to.is_single(object) {
        return None;
    }
    let offset = offset.exact()?;
    Some(Lock { object, offset })
}

/// Whether a write may fall on the bytes of a lock, or something be made out of a part of them. Then it would be gone,
/// with whoever holds it, and might be made anew.
pub fn is_broken(accesses: &[Access], lock: Lock, size: u64) -> bool {
    let here = Offset::exactly(lock.offset);
    accesses.iter().any(|it| {
        it.object == lock.object
            && it.is_write
            && it.offset.may_overlap(it.size, here, size)
            && match it.deed {
                Deed::Data => true,
                Deed::Init => it.size != size || !it.offset.same_or_apart(here, size),
                // Misuse where it is held.
                Deed::Synchronize | Deed::Whole => false,
            }
    })
}

/// The mutexes that are recursive from the beginning to the end.
fn counted_locks(points_to: &PointsTo<'_>, accesses: &[Access]) -> BTreeSet<Lock> {
    let program = points_to.program;
    let mut found = BTreeSet::new();
    for (object, known) in points_to.objects.iter() {
        let ObjectKind::Global(global) = known.kind else {
            continue;
        };
        let global = &program.globals[global];
        if !may_be_recursive_mutex(&global.ty) {
            continue;
        }
        for (offset, sync) in global.ty.sync_cells(&program.structs, program.model) {
            let size = sync.size(program.model);
            let mut initial = global.initial.iter().filter(|(at, _)| *at == offset);
            let is_declared = match (initial.next(), initial.next()) {
                (None, _) => sync == SyncType::Mutex(MutexKind::Recursive),
                (Some((_, Initial::Sync(SyncInit::Mutex(kind)))), None) => {
                    *kind == MutexKind::Recursive
                }
                (Some(_), _) => false,
            };
            let is_initialized = accesses.iter().any(|it| {
                it.deed == Deed::Init
                    && it.object == object
                    && it
                        .offset
                        .may_overlap(it.size, Offset::exactly(offset), size)
            });
            if is_declared && !is_initialized {
                found.insert(Lock { object, offset });
            }
        }
    }
    found
}

/// Whether it is worth to look for one: large arrays and structs are left alone.
fn may_be_recursive_mutex(ty: &Type) -> bool {
    matches!(ty, Type::Sync(SyncType::Mutex(_)))
}

struct Holding<'a, 'p> {
    points_to: &'a PointsTo<'p>,
    accesses: &'a [Access],
    counted: BTreeSet<Lock>,
}

impl Holding<'_, '_> {
    fn acquire(&self, held: &mut Held, instance: InstanceId, lock: &Expression, how: Taking) {
        let Some(lock) = the_lock(self.points_to, instance, lock) else {
            return;
        };
        if is_broken(self.accesses, lock, how.size) {
            return;
        }
        let is_counted = how.is_counted || self.counted.contains(&lock);
        let known = held.locks.entry(lock).or_insert((how.mode, 0));
        known.0 = how.mode;
        known.1 = if is_counted {
            known.1.saturating_add(1).min(MAX_COUNT)
        } else {
            1
        };
    }

    fn release(&self, held: &mut Held, instance: InstanceId, lock: &Expression, is_whole: bool) {
        let certainly = the_lock(self.points_to, instance, lock);
        for (object, offset) in self.points_to.values(instance, lock).addresses() {
            held.locks.retain(|known, (_, count)| {
                if known.object != object || !offset.covers(Offset::exactly(known.offset)) {
                    return true;
                }
                *count -= 1;
                !is_whole && certainly == Some(*known) && *count > 0
            });
        }
    }
}

/// More acquires than this are not counted.
const MAX_COUNT: u32 = 16;

/// How a lock is taken.
#[derive(Clone, Copy)]
struct Taking {
    mode: LockMode,
    /// Whoever holds it may take it again, and has to release it as often.
    is_counted: bool,
    size: u64,
}

impl Problem for Holding<'_, '_> {
    type Fact = Held;

    fn beginning(&self, _: ThreadId) -> Option<Held> {
        Some(Held::default())
    }

    fn after(&self, instance: InstanceId, edge: EdgeId, before: &Held) -> Held {
        let program = self.points_to.program;
        let function = self.points_to.graph.instances[instance].function;
        let mut held = before.clone();
        let action = &program.edge(function, edge).action;
        match action.group() {
            // Sections may be nested; then the end of one forgets that an outer one goes on.
            ActionGroup::Mark => {
                held.is_atomic |= matches!(action, Action::AtomicBegin { .. });
                held.is_atomic &= !matches!(action, Action::AtomicEnd);
            }
            ActionGroup::Synchronisation => self.synchronize(&mut held, instance, action),
            // Of a lock that is held, to make and to destroy it are a misuse that ends the execution.
            ActionGroup::Life
            | ActionGroup::Local
            | ActionGroup::Memory
            | ActionGroup::Thread
            | ActionGroup::Control
            | ActionGroup::Unsupported => {}
        }
        held
    }

    fn merge(&self, _: InstanceId, known: &mut Held, more: &Held) -> bool {
        let before = known.clone();
        known.is_atomic &= more.is_atomic;
        known
            .locks
            .retain(|lock, (mode, count)| match more.locks.get(lock) {
                Some((other_mode, other_count)) => {
                    *mode = (*mode).min(*other_mode);
                    *count = (*count).min(*other_count);
                    true
                }
                None => false,
            });
        *known != before
    }
}

impl Holding<'_, '_> {
    fn synchronize(&self, held: &mut Held, instance: InstanceId, action: &Action) {
        let (Some((effect, lock)), Some(family)) = (action.lock_effect(), action.lock_family())
        else {
            return;
        };
        match (effect.direction, effect.mode) {
            // An attempt may fail, and then nothing is held.
            (Direction::Acquire, Some(mode)) if effect.certainly_takes() => {
                let how = Taking {
                    mode,
                    is_counted: family == SyncType::Monitor,
                    size: family.size(self.points_to.program.model),
                };
                self.acquire(held, instance, lock, how);
            }
            (Direction::Acquire, _) => {}
            (Direction::Release, _) => {
                let is_whole = effect.occasion != Occasion::Asked;
                self.release(held, instance, lock, is_whole);
            }
        }
    }
}
