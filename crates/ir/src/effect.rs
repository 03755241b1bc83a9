//! What actions do, classified once: which locks they take and give back, and which memory their operands name.
//!
//! Whoever asks "does it take a lock?" asks here, so that a new action or operation is thought about in one place.

use crate::action::{Access, Action, NamePlace, Order, SyncOperation};
use crate::expression::Expression;
use crate::types::{DataModel, MutexKind, SyncType};

/// What an operation on a synchronisation object is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncEffect {
    /// Takes a lock or gives it back.
    Lock(LockEffect),
    /// Wakes those who wait on the object.
    Wake,
    /// Adds one to a semaphore.
    Post,
    /// Takes one from it.
    Down(LockOutcome),
    /// Looks at its value.
    Look,
    Arrive,
    Leave,
}

/// What an operation does to a lock: a mutex, a spin lock, a read-write lock or a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockEffect {
    pub operand: LockOperand,
    pub direction: Direction,
    /// With whom it is held; `None` if the operation gives back what it finds.
    pub mode: Option<LockMode>,
    pub outcome: LockOutcome,
    pub occasion: Occasion,
}

/// Which operand of the operation is the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockOperand {
    Object,
    /// The mutex of a wait on a condition variable.
    Mutex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Acquire,
    Release,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LockMode {
    /// With other readers.
    Shared,
    Exclusive,
}

/// Whether an operation that passes has what it asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockOutcome {
    Certain,
    /// It passes also without.
    MayFail,
}

/// Why a lock is taken or given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// The program says so.
    Asked,
    /// A wait gives it back, wholly if it was taken more than once, and takes it again.
    Wait,
    /// The end of a wait that may have given up; the lock is taken all the same.
    TimedWait,
}

impl LockEffect {
    /// Has the lock whenever it has passed.
    pub fn certainly_takes(self) -> bool {
        self.direction == Direction::Acquire && self.outcome == LockOutcome::Certain
    }

    pub fn gives_back(self) -> bool {
        self.direction == Direction::Release
    }
}

impl SyncOperation {
    /// The family of objects it works on.
    pub fn family(self) -> SyncType {
        let (_, _, family) = Self::ALL[self as usize];
        family
    }

    pub fn effect(self) -> SyncEffect {
        let taken = |mode, outcome| {
            SyncEffect::Lock(LockEffect {
                operand: LockOperand::Object,
                direction: Direction::Acquire,
                mode: Some(mode),
                outcome,
                occasion: Occasion::Asked,
            })
        };
        let given = |mode| {
            SyncEffect::Lock(LockEffect {
                operand: LockOperand::Object,
                direction: Direction::Release,
                mode,
                outcome: LockOutcome::Certain,
                occasion: Occasion::Asked,
            })
        };
        let waits = |operand, direction, occasion| {
            SyncEffect::Lock(LockEffect {
                operand,
                direction,
                mode: Some(LockMode::Exclusive),
                outcome: LockOutcome::Certain,
                occasion,
            })
        };
        match self {
            SyncOperation::MutexAcquire
            | SyncOperation::SpinAcquire
            | SyncOperation::WriteAcquire
            | SyncOperation::MonitorEnter => taken(LockMode::Exclusive, LockOutcome::Certain),
            SyncOperation::MutexTry
            | SyncOperation::MutexTimed
            | SyncOperation::SpinTry
            | SyncOperation::WriteTry
            | SyncOperation::WriteTimed => taken(LockMode::Exclusive, LockOutcome::MayFail),
            SyncOperation::ReadAcquire => taken(LockMode::Shared, LockOutcome::Certain),
            SyncOperation::ReadTry | SyncOperation::ReadTimed => {
                taken(LockMode::Shared, LockOutcome::MayFail)
            }
            SyncOperation::MutexRelease
            | SyncOperation::SpinRelease
            | SyncOperation::MonitorExit => given(Some(LockMode::Exclusive)),
            SyncOperation::ReadWriteRelease => given(None),
            SyncOperation::WaitBegin => {
                waits(LockOperand::Mutex, Direction::Release, Occasion::Wait)
            }
            SyncOperation::WaitEnd => waits(LockOperand::Mutex, Direction::Acquire, Occasion::Wait),
            SyncOperation::WaitEndTimed => {
                waits(LockOperand::Mutex, Direction::Acquire, Occasion::TimedWait)
            }
            SyncOperation::MonitorWaitBegin => {
                waits(LockOperand::Object, Direction::Release, Occasion::Wait)
            }
            SyncOperation::MonitorWaitEnd => {
                waits(LockOperand::Object, Direction::Acquire, Occasion::Wait)
            }
            SyncOperation::Signal
            | SyncOperation::Broadcast
            | SyncOperation::MonitorNotify
            | SyncOperation::MonitorNotifyAll => SyncEffect::Wake,
            SyncOperation::SemaphorePost => SyncEffect::Post,
            SyncOperation::SemaphoreWait => SyncEffect::Down(LockOutcome::Certain),
            SyncOperation::SemaphoreTry | SyncOperation::SemaphoreTimed => {
                SyncEffect::Down(LockOutcome::MayFail)
            }
            SyncOperation::SemaphoreValue => SyncEffect::Look,
            SyncOperation::BarrierArrive => SyncEffect::Arrive,
            SyncOperation::BarrierLeave => SyncEffect::Leave,
        }
    }

    /// What it does to a lock, if it deals with one.
    pub fn lock_effect(self) -> Option<LockEffect> {
        match self.effect() {
            SyncEffect::Lock(effect) => Some(effect),
            SyncEffect::Wake
            | SyncEffect::Post
            | SyncEffect::Down(_)
            | SyncEffect::Look
            | SyncEffect::Arrive
            | SyncEffect::Leave => None,
        }
    }

    /// Whether it tells a thread what others hold without waiting for them: it tries, gives up after a time, or looks.
    pub fn is_attempt(self) -> bool {
        match self.effect() {
            SyncEffect::Lock(LockEffect { outcome, .. }) | SyncEffect::Down(outcome) => {
                outcome == LockOutcome::MayFail
            }
            SyncEffect::Look => true,
            SyncEffect::Wake | SyncEffect::Post | SyncEffect::Arrive | SyncEffect::Leave => false,
        }
    }
}

/// What one operand of an action does to memory, before anything is known about where that is.
#[derive(Clone, Copy, Debug)]
pub struct Operand<'a> {
    pub address: &'a Expression,
    /// In bytes; `None` for a whole object, wherever in it the address is.
    pub extent: Option<u64>,
    pub is_write: bool,
    pub is_atomic: bool,
    pub deed: Deed,
}

/// What is done to the bytes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Reads or writes a cell.
    Data,
    /// Works on a synchronisation object.
    Synchronize,
    /// Makes a synchronisation object.
    Init,
    /// Ends a synchronisation object, or the whole object, or asks for its size.
    Whole,
}

/// What an action is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ActionGroup {
    /// Registers of the thread, and what may be said of them.
    Local,
    /// Cells of an object.
    Memory,
    /// The beginning and the end of objects.
    Life,
    /// Synchronisation objects.
    Synchronisation,
    /// Other threads, and the end of this one.
    Thread,
    /// Frames, and the end of the process.
    Control,
    /// The beginning and the end of atomic sections and units of work.
    Mark,
    Unsupported,
}

impl Action {
    pub fn group(&self) -> ActionGroup {
        match self {
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Fence { .. }
            | Action::Emit { .. } => ActionGroup::Local,
            Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Size { .. } => ActionGroup::Memory,
            Action::Allocate { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. } => ActionGroup::Life,
            Action::Sync { .. } => ActionGroup::Synchronisation,
            Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. } => ActionGroup::Thread,
            Action::Call { .. } | Action::Return { .. } | Action::EndProcess { .. } => {
                ActionGroup::Control
            }
            Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. } => ActionGroup::Mark,
            Action::Unsupported { .. } => ActionGroup::Unsupported,
        }
    }

    /// What it does to a lock, and the address of that.
    pub fn lock_effect(&self) -> Option<(LockEffect, &Expression)> {
        let Action::Sync {
            operation,
            object,
            mutex,
            ..
        } = self
        else {
            return None;
        };
        let effect = operation.lock_effect()?;
        let lock = match effect.operand {
            LockOperand::Object => object,
            LockOperand::Mutex => mutex.as_ref()?,
        };
        Some((effect, lock))
    }

    /// The family of the lock that [`Self::lock_effect`] speaks of.
    pub fn lock_family(&self) -> Option<SyncType> {
        let Action::Sync { operation, .. } = self else {
            return None;
        };
        match operation.lock_effect()?.operand {
            LockOperand::Object => Some(operation.family()),
            LockOperand::Mutex => Some(SyncType::Mutex(MutexKind::Plain)),
        }
    }

    /// The function pointer that it calls or starts a thread with.
    pub fn called_address(&self) -> Option<&Expression> {
        let (Action::Call { callee, .. } | Action::Spawn { callee, .. }) = self else {
            return None;
        };
        callee.address()
    }

    /// The memory order of an atomic access; of the two of a compare-exchange the weaker.
    pub fn order(&self) -> Option<Order> {
        match self {
            Action::Load { access, .. } | Action::Store { access, .. } => match access {
                Access::Atomic(order) => Some(*order),
                Access::Plain | Access::Initial => None,
            },
            Action::ReadModifyWrite { order, .. } => Some(*order),
            Action::CompareExchange { order, failure, .. } => {
                let is_weaker = *order == Order::SequentiallyConsistent;
                Some(if is_weaker { *failure } else { *order })
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
            | Action::Sync { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => None,
        }
    }

    /// What it touches. Waits touch two synchronisation objects, every other action at most one place.
    pub fn operands(&self, model: DataModel) -> Vec<Operand<'_>> {
        let operand = |address, extent, (is_write, is_atomic, deed)| Operand {
            address,
            extent,
            is_write,
            is_atomic,
            deed,
        };
        match self {
            Action::Load {
                address,
                ty,
                access,
                ..
            } => {
                let how = (false, access.is_atomic(), Deed::Data);
                vec![operand(address, Some(ty.size(model)), how)]
            }
            Action::Store {
                address,
                ty,
                access,
                ..
            } => {
                let how = (true, access.is_atomic(), Deed::Data);
                vec![operand(address, Some(ty.size(model)), how)]
            }
            Action::Spawn {
                place: Some(NamePlace { address, ty }),
                ..
            } => {
                let how = (true, false, Deed::Data);
                vec![operand(address, Some(ty.size(model)), how)]
            }
            Action::ReadModifyWrite { address, ty, .. }
            | Action::CompareExchange { address, ty, .. } => {
                let how = (true, true, Deed::Data);
                vec![operand(address, Some(ty.size(model)), how)]
            }
            Action::Size { address, .. } => {
                vec![operand(address, None, (false, false, Deed::Whole))]
            }
            Action::Free { address, .. } => {
                vec![operand(address, None, (true, false, Deed::Whole))]
            }
            Action::Init { object, sync } => {
                let size = sync.sync_type().size(model);
                vec![operand(object, Some(size), (true, false, Deed::Init))]
            }
            Action::Destroy { object, sync } => {
                let how = (true, false, Deed::Whole);
                vec![operand(object, Some(sync.size(model)), how)]
            }
            Action::Sync {
                operation,
                object,
                mutex,
                ..
            } => {
                let how = (true, true, Deed::Synchronize);
                let mut found = vec![operand(object, Some(operation.family().size(model)), how)];
                if let Some(mutex) = mutex {
                    let size = SyncType::Mutex(MutexKind::Plain).size(model);
                    found.push(operand(mutex, Some(size), how));
                }
                found
            }
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Allocate { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { place: None, .. }
            | Action::Join { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_operations_is_in_their_order() {
        for (number, (operation, word, family)) in SyncOperation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, number, "{word}");
            assert_eq!((operation.name(), operation.family()), (word, family));
        }
    }

    /// The words say what they do: `try_`, `timed_`, `acquire`, `release`, `read`, `wait`.
    #[test]
    fn what_an_operation_does_to_a_lock_is_what_its_word_says() {
        for (operation, word, family) in SyncOperation::ALL {
            let is_lock = match family {
                SyncType::Mutex(_) | SyncType::ReadWriteLock | SyncType::Monitor => {
                    !word.starts_with("notify")
                }
                SyncType::Condition => word.starts_with("wait"),
                SyncType::Semaphore | SyncType::Barrier => false,
            };
            let Some(effect) = operation.lock_effect() else {
                assert!(!is_lock, "{word}");
                continue;
            };
            assert!(is_lock, "{word}");
            assert_eq!(
                effect.operand == LockOperand::Mutex,
                operation.takes_mutex(),
                "{word}"
            );
            let ends = ["release", "exit", "begin"];
            assert_eq!(
                effect.gives_back(),
                ends.iter().any(|it| word.contains(it)),
                "{word}"
            );
            let tries = word.starts_with("try") || word.starts_with("timed");
            assert_eq!(effect.outcome == LockOutcome::MayFail, tries, "{word}");
            assert_eq!(operation.is_attempt(), tries, "{word}");
            assert_eq!(
                effect.occasion != Occasion::Asked,
                word.contains("wait"),
                "{word}"
            );
            assert_eq!(
                effect.occasion == Occasion::TimedWait,
                word == "wait_end_timed",
                "{word}"
            );
            let mode = if word == "release_rw" {
                None
            } else if word.contains("read") {
                Some(LockMode::Shared)
            } else {
                Some(LockMode::Exclusive)
            };
            assert_eq!(effect.mode, mode, "{word}");
        }
    }

    #[test]
    fn semaphores_are_attempted_like_locks() {
        let attempts: Vec<&str> = SyncOperation::ALL
            .into_iter()
            .filter(|(it, _, family)| *family == SyncType::Semaphore && it.is_attempt())
            .map(|(_, word, _)| word)
            .collect();
        assert_eq!(attempts, ["try_down", "timed_down", "semaphore_value"]);
    }
}
