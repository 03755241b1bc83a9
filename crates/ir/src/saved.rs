//! Parts of states as bytes and back.

use raddle_base::saved;

use crate::types::{FloatType, IntType, MutexKind, Scalar};

use crate::interpret::property::{Property, Stop, Violation, ViolationLabel};
use crate::interpret::state::{
    Frame, Object, ObjectNumber, Origin, Storage, Sync, Thread, ThreadNumber, Value, Woken,
};
use crate::interpret::{Step, StepPart};
use crate::places::{BlockPlace, Places};

saved!(struct ThreadNumber(number));
saved!(struct ObjectNumber(number));
saved!(
    enum Value {
        Bits(bits),
        Undefined,
    }
);
saved!(struct Thread {
    function, creator, child, frames, result, result_type, woken, is_detached, locals, units, atomic_depth,
});
saved!(struct Frame { function, location, registers, stack_objects, target });
saved!(enum Woken {
    Signalled { condition, mutex, may_time_out },
    Released { barrier, is_serial },
});
saved!(
    enum Storage {
        Global,
        ThreadLocal,
        Heap,
        Stack,
    }
);
saved!(struct BlockPlace { home, room });
saved!(struct Places(places));
saved!(struct Object { storage, is_live, bytes, syncs, origin });
saved!(
    enum Origin {
        Global(global),
        Edge(function, edge),
    }
);
saved!(enum Sync {
    Mutex { kind, owner, count },
    ReadWriteLock { writer, readers },
    Condition { waiting },
    Semaphore { value },
    Barrier { needed, arrived },
    Monitor { owner, count, waiting, notified },
});
saved!(
    enum MutexKind {
        Plain,
        Recursive,
        ErrorChecking,
        Spin,
    }
);
saved!(struct IntType { bits, is_signed });
saved!(
    enum FloatType {
        F32,
        F64,
    }
);
saved!(
    enum Scalar {
        Int(int),
        Float(float),
        Pointer,
        Thread,
    }
);
saved!(struct Step { thread, parts });
saved!(struct StepPart { function, edge, choice });
saved!(
    enum Property {
        Assert,
        Race,
        Deadlock,
        Memory,
        Leak,
        Overflow,
        LockMisuse,
        Uninitialized,
        Undefined,
        Invariant,
        AtomicSets,
    }
);
saved!(struct Violation { property, message, labels, span });
saved!(struct ViolationLabel { thread, function, edge, step, text });
saved!(
    enum Stop {
        Violation(violation),
        Unsupported { what, span },
        ThreadLimit { limit, span },
        TooManyChoices { values, span, is_unanalysed },
    }
);
