//! Which actions commute: the table of right and left movers, with the conditions that make it true.
//!
//! # Source
//!
//! \[Lipton75\] for movers; FQ §3 and SC §5 for locks; DR §3 for the phases; the rows for condition variables,
//! semaphores, barriers, joins and liveness are ours.
//!
//! # Definitions
//!
//! An action of thread *t* is compared with every action of every other thread *u*, in every state:
//!
//! - **(M1)** It is a *right mover* if, whenever it is followed by a step of *u*, the step of *u* could have come
//!   first, with the same state in the end; and if the step of *u* fails then, it fails before it too.
//! - **(M2)** It is a *left mover* if, whenever it follows a step of *u*, it could have come first, with the same
//!   state in the end; if it fails after the step of *u*, it fails before it too; and a step of *u* that fails before
//!   it still fails after it.
//! - **(M3)** A left mover never blocks, so that a transaction that has committed can be finished. An assume blocks
//!   alone, but not as one of several edges whose guards are jointly exhaustive: leftness is judged per location.
//! - **(M4)** A right mover does not end the process. A process that has ended has ended in one way only: what the
//!   memory held then is not compared.
//!
//! States count as the same up to the numbers of heap objects: which number a new object gets depends on which are
//! free.
//!
//! # Invariants
//!
//! - **(M5)** Every action has exactly one row. What is claimed of a row holds while all its conditions do; where one does not, the
//!   action is neither a right nor a left mover.
//!
//! # Deviations
//!
//! 1. The papers treat a lock as something that always exists. Ours can be made, destroyed and freed, and each
//!    operation reads its liveness ([`Condition::LivenessProtected`]).
//! 2. A join ends the name of the thread it waits for, so a second join fails ([`Condition::SoleJoiner`]).
//! 3. An arrival at a barrier is a left mover only if no more threads than its round use it
//!    ([`Condition::RoundFits`]): otherwise the order of arrivals decides who is in which round.
//! 4. To go on after a signal or out of a barrier touches nothing but the thread itself (and the mutex), so these
//!    need neither one mutex nor a live object.
//! 5. A thread may be started and its name stored in one step ([`Row::SpawnInto`]): what holds of both. The store comes
//!    before the new thread, which is no other thread then.
//! 6. Memory may lie where freed memory lay that somebody still points to. Whoever frees it gives others one more
//!    place to choose ([`Row::Recycle`], [`Row::FreeNamed`]).
//!
//! # Tested by
//!
//! `crates/reduce/tests/commute.rs`: every row against every action in all small states, each flag flipped, each
//! condition dropped. `cargo xtask mutants` prints what catches which change, there and by random programs on the engine
//! that goes by the table.

use raddle_ir::{Action, AllocateKind, Direction, Occasion, SyncEffect, SyncOperation};

/// A row of the table: actions that move alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Row {
    /// Registers only: assignment, havoc, assertion, output, units of work, calls of and returns from functions
    /// without stack objects.
    Register,
    /// A guard over registers.
    Assume,
    /// A load or store of a cell that only this thread can reach, or that its exclusive access predicate covers;
    /// the size of an object of which that is true.
    ExclusiveAccess,
    /// Any other load, store or size.
    SharedAccess,
    /// An atomic load, store, read-modify-write or compare-and-exchange.
    AtomicAccess,
    /// Of a mutex, a read-write lock or a monitor.
    Acquire,
    Release,
    /// Try-lock, timed lock, try-down, timed down, value of a semaphore.
    Attempt,
    /// Release the mutex and join the wait set.
    WaitBegin,
    /// Blocked until signalled and the mutex is free.
    WaitEnd,
    /// As `WaitEnd`, but may give up.
    WaitEndTimed,
    /// Signal, broadcast, notify.
    Signal,
    SemaphorePost,
    SemaphoreWait,
    BarrierArrive,
    BarrierLeave,
    Spawn,
    /// Start of a thread and store of its name, in one step.
    SpawnInto,
    Join,
    Detach,
    /// Of a thread: also a step into the exit location of its first frame.
    ExitThread,
    /// Of the process.
    EndProcess,
    Allocate,
    /// Of memory that may lie where freed memory lay which somebody still points to.
    Recycle,
    /// Free, destroy, init: a store to every byte and to the liveness of the object.
    LifeChange,
    /// Free, where others may get memory at the same address afterwards.
    FreeNamed,
    /// As strong as the accesses inside; alone, nothing is known.
    Section,
    /// Something that is not understood.
    Unsupported,
}

impl Row {
    pub const ALL: [Row; 28] = [
        Row::Register,
        Row::Assume,
        Row::ExclusiveAccess,
        Row::SharedAccess,
        Row::AtomicAccess,
        Row::Acquire,
        Row::Release,
        Row::Attempt,
        Row::WaitBegin,
        Row::WaitEnd,
        Row::WaitEndTimed,
        Row::Signal,
        Row::SemaphorePost,
        Row::SemaphoreWait,
        Row::BarrierArrive,
        Row::BarrierLeave,
        Row::Spawn,
        Row::SpawnInto,
        Row::Join,
        Row::Detach,
        Row::ExitThread,
        Row::EndProcess,
        Row::Allocate,
        Row::Recycle,
        Row::LifeChange,
        Row::FreeNamed,
        Row::Section,
        Row::Unsupported,
    ];

    /// What the table claims of a row.
    pub fn claim(self) -> Claim {
        const BOTH: (bool, bool) = (true, true);
        const RIGHT: (bool, bool) = (true, false);
        const LEFT: (bool, bool) = (false, true);
        const NEITHER: (bool, bool) = (false, false);
        let ((is_right, is_left), conditions): (_, &'static [Condition]) = match self {
            Row::Register => (BOTH, &[]),
            Row::Assume => (RIGHT, &[]),
            Row::ExclusiveAccess => (BOTH, &[Condition::Exclusive]),
            Row::SharedAccess | Row::AtomicAccess | Row::Attempt => (NEITHER, &[]),
            Row::Acquire => (
                RIGHT,
                &[Condition::NobodyTries, Condition::LivenessProtected],
            ),
            Row::Release => (
                LEFT,
                &[Condition::NobodyTries, Condition::LivenessProtected],
            ),
            Row::WaitBegin => (
                LEFT,
                &[
                    Condition::NobodyTries,
                    Condition::LivenessProtected,
                    Condition::OneMutex,
                ],
            ),
            Row::WaitEnd => (
                RIGHT,
                &[Condition::NobodyTries, Condition::LivenessProtected],
            ),
            Row::WaitEndTimed => (NEITHER, &[]),
            Row::Signal => (BOTH, &[Condition::LivenessProtected, Condition::OneMutex]),
            Row::SemaphorePost => (
                LEFT,
                &[Condition::NobodyTries, Condition::LivenessProtected],
            ),
            Row::SemaphoreWait => (
                RIGHT,
                &[Condition::NobodyTries, Condition::LivenessProtected],
            ),
            Row::BarrierArrive => (LEFT, &[Condition::LivenessProtected, Condition::RoundFits]),
            Row::BarrierLeave => (RIGHT, &[]),
            Row::Spawn => (LEFT, &[]),
            Row::SpawnInto => (LEFT, &[Condition::Exclusive]),
            Row::Join => (RIGHT, &[Condition::SoleJoiner]),
            Row::Detach => (BOTH, &[Condition::SoleJoiner]),
            Row::ExitThread => (LEFT, &[]),
            Row::EndProcess => (NEITHER, &[]),
            Row::Allocate => (BOTH, &[]),
            Row::Recycle => (RIGHT, &[]),
            Row::LifeChange => (BOTH, &[Condition::Exclusive]),
            Row::FreeNamed => (LEFT, &[Condition::Exclusive]),
            Row::Section | Row::Unsupported => (NEITHER, &[]),
        };
        Claim {
            is_right,
            is_left,
            conditions,
        }
    }
}

/// What is claimed of the actions of a row while all conditions hold. Where one does not, they are neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub is_right: bool,
    pub is_left: bool,
    pub conditions: &'static [Condition],
}

/// What has to be true of the rest of the program for a claim to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// No other thread accesses the bytes now.
    Exclusive,
    /// No other thread makes, destroys, frees or overwrites the synchronisation object now.
    LivenessProtected,
    /// Nobody tries the lock, waits for it with a time limit, or reads the value of the semaphore.
    NobodyTries,
    /// Whoever works on the condition variable holds one and the same mutex.
    OneMutex,
    /// Nobody else joins or detaches the thread.
    SoleJoiner,
    /// No more threads use the barrier than its round needs.
    RoundFits,
}

impl Condition {
    pub const ALL: [Condition; 6] = [
        Condition::Exclusive,
        Condition::LivenessProtected,
        Condition::NobodyTries,
        Condition::OneMutex,
        Condition::SoleJoiner,
        Condition::RoundFits,
    ];
}

/// The row of an action in a program in which addresses may come back.
pub fn row_with_recycling(action: &Action) -> Row {
    if let Action::Allocate {
        kind: AllocateKind::Heap,
        ..
    } = action
    {
        return Row::Recycle;
    }
    if let Action::Free {
        kind: AllocateKind::Heap,
        ..
    } = action
    {
        return Row::FreeNamed;
    }
    row_of(action)
}

/// The row of an action. A plain access counts as shared: who may call it exclusive knows more than the action.
pub fn row_of(action: &Action) -> Row {
    match action {
        Action::Assign { .. }
        | Action::Havoc { .. }
        | Action::Assert { .. }
        | Action::Fence { .. }
        | Action::Emit { .. }
        | Action::UnitBegin { .. }
        | Action::UnitEnd { .. }
        | Action::Call { .. }
        | Action::Return { .. } => Row::Register,
        Action::Assume { .. } => Row::Assume,
        Action::Load { access, .. } | Action::Store { access, .. } => match access {
            raddle_ir::Access::Plain | raddle_ir::Access::Initial => Row::SharedAccess,
            raddle_ir::Access::Atomic(_) => Row::AtomicAccess,
        },
        Action::Size { .. } => Row::SharedAccess,
        Action::ReadModifyWrite { .. } | Action::CompareExchange { .. } => Row::AtomicAccess,
        Action::Allocate { .. } => Row::Allocate,
        Action::Free { .. } | Action::Init { .. } | Action::Destroy { .. } => Row::LifeChange,
        Action::Sync { operation, .. } => row_of_operation(*operation),
        Action::Spawn { place: None, .. } => Row::Spawn,
        Action::Spawn { place: Some(_), .. } => Row::SpawnInto,
        Action::Join { .. } => Row::Join,
        Action::Detach { .. } => Row::Detach,
        Action::ExitThread { .. } => Row::ExitThread,
        Action::EndProcess { .. } => Row::EndProcess,
        Action::AtomicBegin { .. } | Action::AtomicEnd => Row::Section,
        Action::Unsupported { .. } => Row::Unsupported,
    }
}

fn row_of_operation(operation: SyncOperation) -> Row {
    if operation.is_attempt() {
        return Row::Attempt;
    }
    match operation.effect() {
        SyncEffect::Lock(effect) => match (effect.direction, effect.occasion) {
            (Direction::Acquire, Occasion::Asked) => Row::Acquire,
            (Direction::Release, Occasion::Asked) => Row::Release,
            (Direction::Release, Occasion::Wait | Occasion::TimedWait) => Row::WaitBegin,
            (Direction::Acquire, Occasion::Wait) => Row::WaitEnd,
            (Direction::Acquire, Occasion::TimedWait) => Row::WaitEndTimed,
        },
        SyncEffect::Wake => Row::Signal,
        SyncEffect::Post => Row::SemaphorePost,
        SyncEffect::Down(_) => Row::SemaphoreWait,
        SyncEffect::Look => Row::Attempt,
        SyncEffect::Arrive => Row::BarrierArrive,
        SyncEffect::Leave => Row::BarrierLeave,
    }
}
