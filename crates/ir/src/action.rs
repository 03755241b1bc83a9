//! What an edge of a control-flow automaton does.

use crate::expression::Expression;
use crate::program::{AtomicSetId, FunctionId, RegisterId};
use crate::read_only::ReadOnly;
use crate::types::{MutexKind, Scalar, SyncType, Type};

/// One action. It makes at most one access to memory that another thread may see.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `target = value`
    Assign {
        target: RegisterId,
        value: Expression,
    },
    /// `havoc target`: any value of its type.
    Havoc {
        target: RegisterId,
    },
    /// Passes if the condition holds; executions stuck here do not count. `assume true` is `skip`.
    Assume {
        condition: Expression,
    },
    /// Violates `assert` and ends the process if the condition does not hold.
    Assert {
        condition: Expression,
        message: Option<String>,
    },

    /// `target = *address`
    Load {
        target: RegisterId,
        address: Expression,
        ty: Scalar,
        access: Access,
    },
    /// `*address = value`
    Store {
        address: Expression,
        value: Expression,
        ty: Scalar,
        access: Access,
    },
    /// Reads, computes and writes in one step; `target` receives the value read.
    ReadModifyWrite {
        target: Option<RegisterId>,
        operation: RmwOperation,
        address: Expression,
        operand: Expression,
        ty: Scalar,
        order: Order,
    },
    /// Writes `desired` if the cell holds `expected`, in one step.
    CompareExchange {
        /// Receives the value read.
        previous: Option<RegisterId>,
        /// Receives, as `u1`, whether the cell was written.
        success: Option<RegisterId>,
        address: Expression,
        expected: Expression,
        desired: Expression,
        ty: Scalar,
        order: Order,
        /// Of the look at a cell that holds something else.
        failure: Order,
    },
    /// Orders the accesses around it; has no effect on the state.
    Fence {
        order: Order,
    },

    /// A new object of `size` bytes, undefined unless `is_zeroed`. With a type, its synchronisation objects are initialised.
    Allocate {
        target: RegisterId,
        size: Expression,
        ty: Option<Type>,
        is_zeroed: bool,
        kind: AllocateKind,
        /// Whoever writes there violates `memory`, but for [`Access::Initial`]. Only on the stack.
        read_only: ReadOnly,
    },
    /// The number of bytes of the live object whose beginning `address` points to. Counts as a read of all of them.
    Size {
        target: RegisterId,
        address: Expression,
    },
    /// Ends the life of an object of this kind; of the null pointer: nothing. On the stack, only the frame that made an
    /// object ends it before its time: the block that it belongs to is left.
    Free {
        address: Expression,
        kind: AllocateKind,
    },

    /// Makes a synchronisation object at an address.
    Init {
        object: Expression,
        sync: SyncInit,
    },
    /// Ends the life of a synchronisation object.
    Destroy {
        object: Expression,
        /// Only the family counts; the kind of a mutex is not checked.
        sync: SyncType,
    },
    /// An operation on a synchronisation object.
    Sync {
        operation: SyncOperation,
        object: Expression,
        /// The mutex of a wait on a condition variable, else absent.
        mutex: Option<Expression>,
        /// Receives 0 or an error number (or the value, for `SemaphoreValue`).
        result: Option<RegisterId>,
    },

    Call {
        target: Option<RegisterId>,
        callee: Callee,
        arguments: Vec<Expression>,
    },
    /// Leads to the exit location of its function.
    Return {
        value: Option<Expression>,
    },
    /// Starts a thread; `target` receives its name, and so does `place`, by a plain store that comes before all that the thread does.
    Spawn {
        target: Option<RegisterId>,
        place: Option<NamePlace>,
        callee: Callee,
        arguments: Vec<Expression>,
    },
    /// Blocks until the thread has ended; `target` receives its result.
    Join {
        thread: Expression,
        target: Option<RegisterId>,
    },
    Detach {
        thread: Expression,
    },
    /// Ends the thread with all its frames. Leads to the exit location.
    ExitThread {
        value: Option<Expression>,
    },
    /// Ends the process. Leads to the exit location.
    EndProcess {
        kind: EndKind,
    },

    /// From here to the matching `AtomicEnd` is one step, enabled iff some path gets there.
    AtomicBegin {
        /// It orders what is written in it and nothing more (H4 of `happens_before`).
        is_as_written: bool,
    },
    AtomicEnd,
    /// Begins a unit of work on an atomic set, or on all of them.
    UnitBegin {
        set: Option<AtomicSetId>,
    },
    UnitEnd {
        set: Option<AtomicSetId>,
    },

    /// Output. `{}` in the text stands for the next argument, `{%SPEC}` for the next as C's `printf` prints it
    /// ([`crate::emit`]). Has no effect on the state.
    Emit {
        text: String,
        arguments: Vec<Expression>,
    },
    /// Something that a front end did not understand. Reaching it makes the verdict unknown.
    Unsupported {
        what: String,
    },
}

/// Whether an access takes part in races.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    Plain,
    /// A plain store of a first value, which may also go to what is read-only.
    Initial,
    Atomic(Order),
}

impl Access {
    pub fn is_atomic(self) -> bool {
        match self {
            Access::Plain | Access::Initial => false,
            Access::Atomic(_) => true,
        }
    }
}

/// The memory order written in the program. Values are always those of `SequentiallyConsistent`; what a weaker order leaves
/// unordered counts for races ([`happens_before`](crate::interpret::happens_before)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
    /// Computed when the program runs.
    Unknown,
}

impl Order {
    pub const ALL: [(Order, &'static str); 6] = [
        (Order::Relaxed, "relaxed"),
        (Order::Acquire, "acquire"),
        (Order::Release, "release"),
        (Order::AcquireRelease, "acq_rel"),
        (Order::SequentiallyConsistent, "seq_cst"),
        (Order::Unknown, "unknown_order"),
    ];

    /// As in `.rad`.
    pub fn name(self) -> &'static str {
        let (_, name) = Self::ALL[self as usize];
        name
    }

    /// That of a compare-exchange which fails, unless it is given: there is nothing to release.
    #[must_use]
    pub fn on_failure(self) -> Order {
        match self {
            Order::Relaxed | Order::Release => Order::Relaxed,
            Order::Acquire | Order::AcquireRelease => Order::Acquire,
            Order::SequentiallyConsistent | Order::Unknown => self,
        }
    }

    /// Whether what it reads from comes before what follows; `None` if that is not known.
    pub fn acquires(self) -> Option<bool> {
        match self {
            Order::Relaxed | Order::Release => Some(false),
            Order::Acquire | Order::AcquireRelease | Order::SequentiallyConsistent => Some(true),
            Order::Unknown => None,
        }
    }

    /// Whether what came before it comes before whoever reads from it; `None` if that is not known.
    pub fn releases(self) -> Option<bool> {
        match self {
            Order::Relaxed | Order::Acquire => Some(false),
            Order::Release | Order::AcquireRelease | Order::SequentiallyConsistent => Some(true),
            Order::Unknown => None,
        }
    }
}

/// What an atomic read-modify-write does with the old value `a` and its operand `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RmwOperation {
    Exchange,
    /// Wraps, as C11's `atomic_fetch_add` does.
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Nand,
    Min,
    Max,
}

impl RmwOperation {
    pub const ALL: [(RmwOperation, &'static str); 9] = [
        (RmwOperation::Exchange, "exchange"),
        (RmwOperation::Add, "fetch_add"),
        (RmwOperation::Subtract, "fetch_sub"),
        (RmwOperation::And, "fetch_and"),
        (RmwOperation::Or, "fetch_or"),
        (RmwOperation::Xor, "fetch_xor"),
        (RmwOperation::Nand, "fetch_nand"),
        (RmwOperation::Min, "fetch_min"),
        (RmwOperation::Max, "fetch_max"),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AllocateKind {
    /// Lives until it is freed.
    Heap,
    /// Lives until its frame ends, or frees it: a local whose address escapes.
    Stack,
}

/// How a new synchronisation object begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SyncInit {
    Mutex(MutexKind),
    ReadWriteLock,
    Condition,
    /// With its first value.
    Semaphore(Expression),
    /// With the number of threads that meet.
    Barrier(Expression),
    Monitor,
}

impl SyncInit {
    pub fn sync_type(&self) -> SyncType {
        match self {
            SyncInit::Mutex(kind) => SyncType::Mutex(*kind),
            SyncInit::ReadWriteLock => SyncType::ReadWriteLock,
            SyncInit::Condition => SyncType::Condition,
            SyncInit::Semaphore(_) => SyncType::Semaphore,
            SyncInit::Barrier(_) => SyncType::Barrier,
            SyncInit::Monitor => SyncType::Monitor,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Direct(FunctionId),
    /// Through a function pointer. A value that is no function's address violates `memory`; a function that takes
    /// or gives other types is undefined behaviour.
    Indirect(Expression),
}

impl Callee {
    /// The function pointer, if there is one.
    pub fn address(&self) -> Option<&Expression> {
        match self {
            Callee::Direct(_) => None,
            Callee::Indirect(address) => Some(address),
        }
    }
}

/// A cell to which the name of a new thread is stored in the step that starts it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamePlace {
    pub address: Expression,
    /// A thread, or the word that names of threads are written as.
    pub ty: Scalar,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EndKind {
    Exit(Expression),
    Abort,
}

/// Operations on synchronisation objects. Names are those of the `.rad` statements.
///
/// `*Try` never blocks; `*Timed` may give up whenever the object is not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SyncOperation {
    MutexAcquire,
    MutexTry,
    MutexTimed,
    MutexRelease,
    ReadAcquire,
    ReadTry,
    ReadTimed,
    WriteAcquire,
    WriteTry,
    WriteTimed,
    ReadWriteRelease,
    /// Releases the mutex and joins the wait set, in one step.
    WaitBegin,
    /// Blocks until signalled and the mutex is free, then takes it.
    WaitEnd,
    /// As `WaitEnd`, but may give up waiting for a signal.
    WaitEndTimed,
    Signal,
    Broadcast,
    SemaphorePost,
    SemaphoreWait,
    SemaphoreTry,
    SemaphoreTimed,
    SemaphoreValue,
    BarrierArrive,
    BarrierLeave,
    MonitorEnter,
    MonitorExit,
    /// Releases the monitor wholly and joins its wait set, in one step.
    MonitorWaitBegin,
    MonitorWaitEnd,
    MonitorNotify,
    MonitorNotifyAll,
    SpinAcquire,
    SpinTry,
    SpinRelease,
}

impl SyncOperation {
    /// Every operation with the `.rad` word for it and the family of object it works on, in their order.
    pub const ALL: [(SyncOperation, &'static str, SyncType); 32] = [
        (
            SyncOperation::MutexAcquire,
            "acquire",
            SyncType::Mutex(MutexKind::Plain),
        ),
        (
            SyncOperation::MutexTry,
            "try_acquire",
            SyncType::Mutex(MutexKind::Plain),
        ),
        (
            SyncOperation::MutexTimed,
            "timed_acquire",
            SyncType::Mutex(MutexKind::Plain),
        ),
        (
            SyncOperation::MutexRelease,
            "release",
            SyncType::Mutex(MutexKind::Plain),
        ),
        (
            SyncOperation::ReadAcquire,
            "acquire_read",
            SyncType::ReadWriteLock,
        ),
        (
            SyncOperation::ReadTry,
            "try_acquire_read",
            SyncType::ReadWriteLock,
        ),
        (
            SyncOperation::ReadTimed,
            "timed_acquire_read",
            SyncType::ReadWriteLock,
        ),
        (
            SyncOperation::WriteAcquire,
            "acquire_write",
            SyncType::ReadWriteLock,
        ),
        (
            SyncOperation::WriteTry,
            "try_acquire_write",
            SyncType::ReadWriteLock,
        ),
        (
            SyncOperation::WriteTimed,
            "timed_acquire_write",
            SyncType::ReadWriteLock,
        ),
        (
            SyncOperation::ReadWriteRelease,
            "release_rw",
            SyncType::ReadWriteLock,
        ),
        (SyncOperation::WaitBegin, "wait_begin", SyncType::Condition),
        (SyncOperation::WaitEnd, "wait_end", SyncType::Condition),
        (
            SyncOperation::WaitEndTimed,
            "wait_end_timed",
            SyncType::Condition,
        ),
        (SyncOperation::Signal, "signal", SyncType::Condition),
        (SyncOperation::Broadcast, "broadcast", SyncType::Condition),
        (SyncOperation::SemaphorePost, "post", SyncType::Semaphore),
        (SyncOperation::SemaphoreWait, "down", SyncType::Semaphore),
        (SyncOperation::SemaphoreTry, "try_down", SyncType::Semaphore),
        (
            SyncOperation::SemaphoreTimed,
            "timed_down",
            SyncType::Semaphore,
        ),
        (
            SyncOperation::SemaphoreValue,
            "semaphore_value",
            SyncType::Semaphore,
        ),
        (SyncOperation::BarrierArrive, "arrive", SyncType::Barrier),
        (SyncOperation::BarrierLeave, "leave", SyncType::Barrier),
        (SyncOperation::MonitorEnter, "enter", SyncType::Monitor),
        (
            SyncOperation::MonitorExit,
            "exit_monitor",
            SyncType::Monitor,
        ),
        (
            SyncOperation::MonitorWaitBegin,
            "monitor_wait_begin",
            SyncType::Monitor,
        ),
        (
            SyncOperation::MonitorWaitEnd,
            "monitor_wait_end",
            SyncType::Monitor,
        ),
        (SyncOperation::MonitorNotify, "notify", SyncType::Monitor),
        (
            SyncOperation::MonitorNotifyAll,
            "notify_all",
            SyncType::Monitor,
        ),
        (
            SyncOperation::SpinAcquire,
            "acquire_spin",
            SyncType::Mutex(MutexKind::Spin),
        ),
        (
            SyncOperation::SpinTry,
            "try_acquire_spin",
            SyncType::Mutex(MutexKind::Spin),
        ),
        (
            SyncOperation::SpinRelease,
            "release_spin",
            SyncType::Mutex(MutexKind::Spin),
        ),
    ];

    /// The `.rad` word.
    pub fn name(self) -> &'static str {
        let (_, name, _) = Self::ALL[self as usize];
        name
    }

    /// Waits on a condition variable name a mutex too.
    pub fn takes_mutex(self) -> bool {
        matches!(
            self,
            SyncOperation::WaitBegin | SyncOperation::WaitEnd | SyncOperation::WaitEndTimed
        )
    }
}

impl Action {
    /// Passes without effect.
    pub fn skip() -> Action {
        Action::Assume {
            condition: Expression::bool(true),
        }
    }

    /// Whether control leaves the function here, so that the edge leads to the exit location.
    pub fn leaves_function(&self) -> bool {
        matches!(
            self,
            Action::Return { .. } | Action::ExitThread { .. } | Action::EndProcess { .. }
        )
    }

    /// The registers it writes.
    pub fn written_registers(&self) -> impl Iterator<Item = RegisterId> {
        let (first, second) = match self {
            Action::Assign { target, .. }
            | Action::Havoc { target }
            | Action::Load { target, .. }
            | Action::Allocate { target, .. }
            | Action::Size { target, .. } => (Some(*target), None),
            Action::ReadModifyWrite { target, .. }
            | Action::Call { target, .. }
            | Action::Spawn { target, .. }
            | Action::Join { target, .. } => (*target, None),
            Action::CompareExchange {
                previous, success, ..
            } => (*previous, *success),
            Action::Sync { result, .. } => (*result, None),
            Action::Assume { .. }
            | Action::Assert { .. }
            | Action::Store { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Return { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }

    /// The expressions it evaluates, in order of evaluation.
    pub fn expressions(&self) -> Vec<&Expression> {
        match self {
            Action::Assign { value, .. } => vec![value],
            Action::Assume { condition } | Action::Assert { condition, .. } => vec![condition],
            Action::Load { address, .. }
            | Action::Size { address, .. }
            | Action::Free { address, .. } => {
                vec![address]
            }
            Action::Store { address, value, .. } => vec![address, value],
            Action::ReadModifyWrite {
                address, operand, ..
            } => vec![address, operand],
            Action::CompareExchange {
                address,
                expected,
                desired,
                ..
            } => vec![address, expected, desired],
            Action::Allocate { size, .. } => vec![size],
            Action::Init { object, sync } => match sync {
                SyncInit::Semaphore(value) | SyncInit::Barrier(value) => vec![object, value],
                SyncInit::Mutex(_)
                | SyncInit::ReadWriteLock
                | SyncInit::Condition
                | SyncInit::Monitor => vec![object],
            },
            Action::Destroy { object, .. } => vec![object],
            Action::Sync { object, mutex, .. } => std::iter::once(object).chain(mutex).collect(),
            Action::Call {
                callee, arguments, ..
            } => callee.address().into_iter().chain(arguments).collect(),
            Action::Spawn {
                callee,
                arguments,
                place,
                ..
            } => {
                let called = callee.address().into_iter();
                let place = place.iter().map(|it| &it.address);
                called.chain(arguments).chain(place).collect()
            }
            Action::Return { value } | Action::ExitThread { value } => value.iter().collect(),
            Action::Join { thread, .. } | Action::Detach { thread } => vec![thread],
            Action::EndProcess {
                kind: EndKind::Exit(status),
            } => vec![status],
            Action::Emit { arguments, .. } => arguments.iter().collect(),
            Action::EndProcess {
                kind: EndKind::Abort,
            }
            | Action::Havoc { .. }
            | Action::Fence { .. }
            | Action::AtomicBegin { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Unsupported { .. } => Vec::new(),
        }
    }
}
