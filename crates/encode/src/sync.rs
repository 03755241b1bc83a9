//! Synchronisation objects with symbolic owners and counts.

use std::collections::BTreeMap;

use raddle_ir::interpret::{self, ThreadNumber};
use raddle_ir::{DataModel, Expression, IntType, SyncInit, SyncType};
use raddle_logic::{TermId, Terms};

use crate::names::ThreadIndex;

/// Bits of the number of a thread in an unrolling; 0 is no thread.
pub const THREAD_BITS: u32 = 16;

/// Bits of counts and values.
pub const COUNT_BITS: u32 = 32;

/// A synchronisation object at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sync {
    pub ty: SyncType,
    /// Whether it is there.
    pub exists: TermId,
    pub state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Mutex {
        owner: TermId,
        count: TermId,
    },
    ReadWriteLock {
        writer: TermId,
        /// How often each thread holds it; a thread that is missing does not.
        readers: BTreeMap<ThreadIndex, TermId>,
    },
    Condition {
        /// Whether each thread waits, and with which mutex.
        waiting: BTreeMap<ThreadIndex, (TermId, TermId)>,
    },
    Semaphore {
        value: TermId,
    },
    Barrier {
        needed: TermId,
        /// Whether each thread has arrived.
        arrived: BTreeMap<ThreadIndex, TermId>,
    },
    Monitor(Monitor),
    /// Not modelled here.
    Other,
}

/// Threads that wait or were notified are there with the count that they will take up again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    pub owner: TermId,
    pub count: TermId,
    pub waiting: BTreeMap<ThreadIndex, (TermId, TermId)>,
    pub notified: BTreeMap<ThreadIndex, (TermId, TermId)>,
}

impl Monitor {
    fn new(terms: &mut Terms) -> Self {
        Self {
            owner: terms.constant(0, THREAD_BITS),
            count: terms.constant(0, COUNT_BITS),
            waiting: BTreeMap::new(),
            notified: BTreeMap::new(),
        }
    }
}

impl Sync {
    pub fn size(&self, model: DataModel) -> u64 {
        self.ty.size(model)
    }

    /// As it is in a state of the interpreter, in which only roots run.
    pub fn of(terms: &mut Terms, sync: &interpret::Sync) -> Option<Self> {
        let nobody = terms.constant(0, THREAD_BITS);
        let no_count = terms.constant(0, COUNT_BITS);
        let is_free = |owner: &Option<ThreadNumber>| owner.is_none();
        let state = match sync {
            interpret::Sync::Mutex { owner, .. } if is_free(owner) => State::Mutex {
                owner: nobody,
                count: no_count,
            },
            interpret::Sync::ReadWriteLock { writer, readers }
                if is_free(writer) && readers.is_empty() =>
            {
                State::ReadWriteLock {
                    writer: nobody,
                    readers: BTreeMap::new(),
                }
            }
            interpret::Sync::Condition { waiting } if waiting.is_empty() => State::Condition {
                waiting: BTreeMap::new(),
            },
            interpret::Sync::Semaphore { value } => State::Semaphore {
                value: terms.constant(u128::from(*value), COUNT_BITS),
            },
            interpret::Sync::Barrier { needed, arrived } if arrived.is_empty() => State::Barrier {
                needed: terms.constant(u128::from(*needed), COUNT_BITS),
                arrived: BTreeMap::new(),
            },
            interpret::Sync::Monitor {
                owner,
                waiting,
                notified,
                ..
            } if is_free(owner) && waiting.is_empty() && notified.is_empty() => {
                State::Monitor(Monitor::new(terms))
            }
            interpret::Sync::Mutex { .. }
            | interpret::Sync::ReadWriteLock { .. }
            | interpret::Sync::Condition { .. }
            | interpret::Sync::Barrier { .. }
            | interpret::Sync::Monitor { .. } => return None,
        };
        Some(Self {
            ty: sync.sync_type(),
            exists: terms.truth(true),
            state,
        })
    }

    /// As `init` makes it.
    pub fn made(terms: &mut Terms, init: &SyncInit, value: TermId) -> Self {
        let nobody = terms.constant(0, THREAD_BITS);
        let state = match init {
            SyncInit::Mutex(_) => State::Mutex {
                owner: nobody,
                count: terms.constant(0, COUNT_BITS),
            },
            SyncInit::ReadWriteLock => State::ReadWriteLock {
                writer: nobody,
                readers: BTreeMap::new(),
            },
            SyncInit::Condition => State::Condition {
                waiting: BTreeMap::new(),
            },
            SyncInit::Semaphore(_) => State::Semaphore { value },
            SyncInit::Barrier(_) => State::Barrier {
                needed: value,
                arrived: BTreeMap::new(),
            },
            SyncInit::Monitor => State::Monitor(Monitor::new(terms)),
        };
        Self {
            ty: init.sync_type(),
            exists: terms.truth(true),
            state,
        }
    }

    /// As a declaration without more words makes it.
    pub fn plain(terms: &mut Terms, ty: SyncType, nothing: TermId) -> Self {
        let one = Expression::int(0, IntType::unsigned(32));
        let init = match ty {
            SyncType::Mutex(kind) => SyncInit::Mutex(kind),
            SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
            SyncType::Condition => SyncInit::Condition,
            SyncType::Semaphore => SyncInit::Semaphore(one),
            SyncType::Barrier => SyncInit::Barrier(one),
            SyncType::Monitor => SyncInit::Monitor,
        };
        Self::made(terms, &init, nothing)
    }

    /// The same, but it is there only where the condition holds.
    pub fn only_if(&self, terms: &mut Terms, condition: TermId) -> Self {
        Self {
            exists: terms.and(self.exists, condition),
            ..self.clone()
        }
    }

    /// What is there after a choice. Of two different kinds at one place only one can be kept.
    pub fn merged(terms: &mut Terms, condition: TermId, then: &Sync, otherwise: &Sync) -> Self {
        if then == otherwise {
            return then.clone();
        }
        let exists = terms.if_then_else(condition, then.exists, otherwise.exists);
        for (one, other) in [(then, otherwise), (otherwise, then)] {
            if terms.is_false(one.exists) {
                return Self {
                    exists,
                    ..other.clone()
                };
            }
        }
        if then.ty != otherwise.ty {
            return Self {
                ty: otherwise.ty,
                exists,
                state: State::Other,
            };
        }
        let mut choose = |one: TermId, other: TermId| terms.if_then_else(condition, one, other);
        let state = match (&then.state, &otherwise.state) {
            (
                State::Mutex { owner, count },
                State::Mutex {
                    owner: other,
                    count: other_count,
                },
            ) => State::Mutex {
                owner: choose(*owner, *other),
                count: choose(*count, *other_count),
            },
            (
                State::ReadWriteLock { writer, readers },
                State::ReadWriteLock {
                    writer: other,
                    readers: others,
                },
            ) => {
                let writer = choose(*writer, *other);
                let none = terms.constant(0, COUNT_BITS);
                let mut merged = BTreeMap::new();
                for thread in readers.keys().chain(others.keys()) {
                    let one = *readers.get(thread).unwrap_or(&none);
                    let other = *others.get(thread).unwrap_or(&none);
                    merged.insert(*thread, terms.if_then_else(condition, one, other));
                }
                State::ReadWriteLock {
                    writer,
                    readers: merged,
                }
            }
            (State::Condition { waiting }, State::Condition { waiting: others }) => {
                let never = terms.truth(false);
                let mut merged = BTreeMap::new();
                for thread in waiting.keys().chain(others.keys()) {
                    let one = waiting.get(thread).copied();
                    let other = others.get(thread).copied();
                    let mutex = one.or(other).expect("one of them has it").1;
                    let one = one.unwrap_or((never, mutex));
                    let other = other.unwrap_or((never, mutex));
                    let waits = terms.if_then_else(condition, one.0, other.0);
                    let mutex = terms.if_then_else(condition, one.1, other.1);
                    merged.insert(*thread, (waits, mutex));
                }
                State::Condition { waiting: merged }
            }
            (State::Semaphore { value }, State::Semaphore { value: other }) => State::Semaphore {
                value: choose(*value, *other),
            },
            (
                State::Barrier { needed, arrived },
                State::Barrier {
                    needed: other,
                    arrived: others,
                },
            ) => {
                let needed = choose(*needed, *other);
                let never = terms.truth(false);
                let mut merged = BTreeMap::new();
                for thread in arrived.keys().chain(others.keys()) {
                    let one = *arrived.get(thread).unwrap_or(&never);
                    let other = *others.get(thread).unwrap_or(&never);
                    merged.insert(*thread, terms.if_then_else(condition, one, other));
                }
                State::Barrier {
                    needed,
                    arrived: merged,
                }
            }
            (State::Monitor(one), State::Monitor(other)) => {
                let (owner, count) = (
                    choose(one.owner, other.owner),
                    choose(one.count, other.count),
                );
                let waiting = merged_counts(terms, condition, &one.waiting, &other.waiting);
                let notified = merged_counts(terms, condition, &one.notified, &other.notified);
                State::Monitor(Monitor {
                    owner,
                    count,
                    waiting,
                    notified,
                })
            }
            _ => State::Other,
        };
        Self {
            ty: otherwise.ty,
            exists,
            state,
        }
    }
}

/// Whether the object may not be destroyed now.
pub fn in_use(terms: &mut Terms, sync: &Sync) -> TermId {
    match &sync.state {
        State::Mutex { owner, .. } => {
            let is_free = terms.equals_constant(*owner, 0);
            terms.not(is_free)
        }
        State::ReadWriteLock { writer, readers } => {
            let mut free = vec![terms.equals_constant(*writer, 0)];
            for count in readers.values() {
                free.push(terms.equals_constant(*count, 0));
            }
            let is_free = terms.all(&free);
            terms.not(is_free)
        }
        State::Condition { waiting } => {
            let waits: Vec<TermId> = waiting.values().map(|it| it.0).collect();
            terms.any(&waits)
        }
        State::Barrier { arrived, .. } => {
            let arrived: Vec<TermId> = arrived.values().copied().collect();
            terms.any(&arrived)
        }
        State::Monitor(monitor) => {
            let is_free = terms.equals_constant(monitor.owner, 0);
            terms.not(is_free)
        }
        State::Semaphore { .. } | State::Other => terms.truth(false),
    }
}

/// What threads wait with, after a choice.
fn merged_counts(
    terms: &mut Terms,
    condition: TermId,
    one: &BTreeMap<ThreadIndex, (TermId, TermId)>,
    other: &BTreeMap<ThreadIndex, (TermId, TermId)>,
) -> BTreeMap<ThreadIndex, (TermId, TermId)> {
    let absent = (terms.truth(false), terms.constant(0, COUNT_BITS));
    let threads = one.keys().chain(other.keys()).copied();
    let threads: std::collections::BTreeSet<ThreadIndex> = threads.collect();
    let mut merged = BTreeMap::new();
    for thread in threads {
        let then = one.get(&thread).unwrap_or(&absent);
        let otherwise = other.get(&thread).unwrap_or(&absent);
        let is_in = terms.if_then_else(condition, then.0, otherwise.0);
        let count = terms.if_then_else(condition, then.1, otherwise.1);
        merged.insert(thread, (is_in, count));
    }
    merged
}
