//! Themes: each adds its variables and a few statements to every thread.

mod atomics;
mod calls;
mod formulas;
mod kept;
mod locks;
mod memory;
mod operations;
mod places;
mod probes;
mod recycling;
mod rounds;
mod sections;
mod steps;
mod threads;
mod values;
mod waits;

use crate::Random;
use crate::body::Body;
use crate::items::Items;

pub(crate) use rounds::wait_in_the_end;

macro_rules! define_themes {
    ($($(#[$doc:meta])* $name:ident, $weight:literal, $weave:path;)*) => {
        /// What a program is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Theme {
            $($(#[$doc])* $name,)*
        }

        impl Theme {
            /// Every theme with how often it is picked by default.
            pub const ALL: &'static [(Theme, usize)] = &[$((Theme::$name, $weight),)*];

            pub(crate) fn weave(
                self,
                items: &mut Items,
                random: &mut Random,
                threads: &mut [Body],
            ) {
                match self {
                    $(Theme::$name => $weave(items, random, threads),)*
                }
            }
        }
    };
}

define_themes! {
    /// A counter, perhaps under a lock.
    Counter, 7, locks::counter;
    /// Two locks, taken in one order or in two.
    LockOrder, 10, locks::order;
    /// Mutexes that may be taken twice.
    Reentry, 9, locks::reentry;
    /// Locks that are tried, or waited for a while.
    TryLock, 11, locks::try_lock;
    /// Readers and writers.
    ReadersWriters, 23, locks::readers_writers;
    /// A condition variable with its flag.
    Condition, 13, waits::condition;
    Semaphore, 18, waits::semaphore;
    Barrier, 7, waits::barrier;
    Monitor, 12, waits::monitor;
    /// Messages through atomic variables.
    Message, 8, atomics::message;
    ReadModifyWrite, 25, atomics::read_modify_write;
    CompareExchange, 8, atomics::compare_exchange;
    /// Messages with fences; they come on top of others.
    Fenced, 0, atomics::fenced;
    /// An object on the heap that threads share.
    Heap, 21, memory::heap;
    /// Addresses of freed memory that come back.
    Recycling, 6, recycling::recycling;
    /// A local that other threads can reach.
    Escape, 7, memory::escape;
    /// Locks that are made and destroyed.
    LockLife, 11, memory::lock_life;
    ThreadLocal, 11, memory::thread_local;
    /// Structs, arrays and unions.
    Places, 14, places::places;
    /// Indices that may be out of bounds.
    Index, 7, places::index;
    Calls, 7, calls::calls;
    Recursion, 8, calls::recursion;
    FunctionPointer, 14, calls::function_pointer;
    /// Threads that threads start.
    Children, 16, threads::children;
    /// Ways to end a thread or the process.
    Ends, 19, threads::ends;
    Arithmetic, 21, values::arithmetic;
    /// A number near the end of its type; it comes on top of others.
    Bounds, 0, values::bounds;
    Floats, 12, values::floats;
    /// Integers of more than 64 bits.
    Wide, 7, values::wide;
    /// Values that come from nowhere.
    Nondeterminism, 13, values::nondeterminism;
    /// Operations on one thing in no sensible order.
    Operations, 5, operations::operations;
    /// A look, at a certain moment, at what others do nothing wrong with.
    Probes, 4, probes::probes;
    /// Single operations on one thing, with marks in between.
    LockSteps, 1, steps::objects::locks;
    ConditionSteps, 1, steps::waits::conditions;
    HandshakeSteps, 1, steps::waits::handshakes;
    SemaphoreSteps, 1, steps::objects::semaphores;
    BarrierSteps, 1, steps::objects::barriers;
    MonitorSteps, 1, steps::waits::monitors;
    JoinSteps, 1, steps::threads::joins;
    AloneSteps, 1, steps::threads::alone;
    EndSteps, 1, steps::threads::ends;
    CellSteps, 1, steps::memory::cells;
    SectionSteps, 1, steps::memory::sections;
    FailureSteps, 1, steps::memory::failures;
    HeapSteps, 1, steps::memory::heap;
    OwnLockSteps, 1, steps::memory::own_locks;
    AtomicSection, 13, sections::atomic_section;
    /// Units of work on atomic sets.
    Units, 13, sections::units;
    Invariant, 6, formulas::invariant;
    /// An invariant of cells that threads have to themselves.
    InvariantSteps, 1, formulas::invariant_of_two;
    /// Predicates of exclusive access.
    Exclusive, 12, formulas::exclusive;
    /// Predicates that may be wrong.
    HandOver, 6, formulas::hand_over;
    /// A thread that goes round for ever, and others that wait.
    Rounds, 5, rounds::rounds;
    /// Numbers that a lock protects, and what threads leave in them. It has nets of its own.
    Kept, 0, kept::kept;
}
