//! Objects that come and go.

use raddle_ir::{
    Access, Action, AllocateKind, BinaryOp, Expression, IntType, MutexKind, Order, ReadOnly,
    RegisterId, Scalar, SyncInit, SyncOperation, SyncType, Type,
};

use crate::Random;
use crate::body::{Body, Cell, constant, differs, equal};
use crate::items::{Items, small_count};

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);

pub(super) fn allocate(
    items: &Items,
    body: &mut Body,
    ty: Type,
    is_zeroed: bool,
    kind: AllocateKind,
) -> RegisterId {
    make(items, body, ty, is_zeroed, (kind, ReadOnly::NOTHING))
}

fn allocate_on_stack(items: &Items, body: &mut Body, ty: Type, read_only: ReadOnly) -> RegisterId {
    make(items, body, ty, true, (AllocateKind::Stack, read_only))
}

fn make(
    items: &Items,
    body: &mut Body,
    ty: Type,
    is_zeroed: bool,
    (kind, read_only): (AllocateKind, ReadOnly),
) -> RegisterId {
    let target = body.variable("p", Scalar::Pointer);
    let size = i128::from(items.size_of(&ty));
    body.act(Action::Allocate {
        target,
        size: Expression::int(size, items.draft.model.unsigned_word()),
        ty: Some(ty),
        is_zeroed,
        kind,
        read_only,
    });
    target
}

pub(super) fn free(address: Expression) -> Action {
    Action::Free {
        address,
        kind: AllocateKind::Heap,
    }
}

/// How an address is handed to other threads.
fn some_access(random: &mut Random) -> Access {
    if random.chance(80) {
        SEQUENTIAL
    } else {
        Access::Plain
    }
}

pub(super) fn heap(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let shared = items.cell("shared", Scalar::Pointer);
    let ty = small_count(random);
    let is_zeroed = random.chance(40);
    let access = some_access(random);
    let owner = random.below(threads.len());
    // Who frees it: the owner at once, the reader, both or nobody.
    let (owner_frees, reader_frees) = *random.pick(&[
        (true, false),
        (false, true),
        (false, true),
        (true, true),
        (false, false),
    ]);
    for (at, body) in threads.iter_mut().enumerate() {
        if at == owner {
            let object = if random.chance(40) {
                let target = body.variable("p", Scalar::Pointer);
                body.act(Action::Allocate {
                    target,
                    size: Expression::int(2, IntType::signed(32)),
                    ty: None,
                    is_zeroed,
                    kind: AllocateKind::Heap,
                    read_only: ReadOnly::NOTHING,
                });
                target
            } else {
                allocate(items, body, Type::Scalar(ty), is_zeroed, AllocateKind::Heap)
            };
            let address = Expression::Register(object);
            let cell = Cell {
                address: address.clone(),
                ty,
            };
            if !is_zeroed || random.chance(50) {
                body.store(&cell, cell.value(1));
            }
            body.store_as(&shared, address.clone(), access);
            if owner_frees {
                body.act(free(address));
            }
        } else {
            let target = body.variable("q", Scalar::Pointer);
            let address = body.load_to(target, &shared, access);
            let is_there = differs(address.clone(), Expression::null());
            let expected = constant(usize::from(random.chance(80)), ty);
            let reads = random.chance(80);
            let measures = random.chance(30);
            let word = items.draft.model.unsigned_word();
            body.when(is_there, |body| {
                if measures {
                    let size = body.variable("n", Scalar::Int(word));
                    body.act(Action::Size {
                        target: size,
                        address: address.clone(),
                    });
                    body.assert(differs(
                        Expression::Register(size),
                        Expression::int(3, word),
                    ));
                }
                if reads {
                    let cell = Cell {
                        address: address.clone(),
                        ty,
                    };
                    let value = body.load(&cell);
                    body.assert(equal(value, expected));
                }
                if reader_frees {
                    body.act(free(address));
                }
            });
        }
    }
}

pub(super) fn escape(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let shared = items.cell("local", Scalar::Pointer);
    let ty = small_count(random);
    let owner = random.below(threads.len());
    let access = some_access(random);
    let inside = if random.chance(50) {
        Access::Plain
    } else {
        SEQUENTIAL
    };
    // As at the end of a block, and maybe at the beginning of the next.
    let ends_first = random.chance(80);
    // Nobody may write to it then; somebody may try.
    let is_const = random.chance(80);
    let writes = random.chance(40);
    let makes_another = random.chance(50);
    // Waits until the other thread has taken its look, or leaves the local behind.
    let done = random
        .chance(60)
        .then(|| items.cell("done", Scalar::Int(IntType::BOOL)));
    for (at, body) in threads.iter_mut().enumerate() {
        if at == owner {
            let read_only = if is_const {
                ReadOnly::all(ty.size(items.draft.model))
            } else {
                ReadOnly::NOTHING
            };
            let object = allocate_on_stack(items, body, Type::Scalar(ty), read_only);
            let cell = Cell {
                address: Expression::Register(object),
                ty,
            };
            let first = if is_const { Access::Initial } else { inside };
            body.store_as(&cell, cell.value(2), first);
            body.store_as(&shared, cell.address.clone(), access);
            if let Some(done) = &done {
                body.repeat(
                    |body| equal(body.load_as(done, SEQUENTIAL), done.value(0)),
                    |_| (),
                );
            }
            if ends_first {
                body.act(Action::Free {
                    address: cell.address.clone(),
                    kind: AllocateKind::Stack,
                });
                if makes_another {
                    let other = allocate(items, body, Type::Scalar(ty), true, AllocateKind::Stack);
                    body.store_as(&shared, Expression::Register(other), access);
                }
            }
        } else {
            let address = body.load_as(&shared, access);
            let is_there = differs(address.clone(), Expression::null());
            body.when(is_there, |body| {
                let cell = Cell { address, ty };
                let value = body.load_as(&cell, inside);
                body.assert(equal(value, cell.value(2)));
                if writes {
                    body.store_as(&cell, cell.value(2), inside);
                }
            });
            if let Some(done) = &done {
                body.store_as(done, done.value(1), SEQUENTIAL);
            }
        }
    }
}

pub(super) fn lock_life(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let sync = *random.pick(&SyncType::ALL);
    let two = Expression::int(2, IntType::unsigned(32));
    let init = match sync {
        SyncType::Mutex(kind) => SyncInit::Mutex(kind),
        SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
        SyncType::Condition => SyncInit::Condition,
        SyncType::Semaphore => SyncInit::Semaphore(two),
        SyncType::Barrier => SyncInit::Barrier(two),
        SyncType::Monitor => SyncInit::Monitor,
    };
    let operation = match sync {
        SyncType::Mutex(MutexKind::Spin) => SyncOperation::SpinAcquire,
        SyncType::Mutex(_) => SyncOperation::MutexAcquire,
        SyncType::ReadWriteLock => SyncOperation::ReadAcquire,
        SyncType::Condition => SyncOperation::Broadcast,
        SyncType::Semaphore => SyncOperation::SemaphoreWait,
        SyncType::Barrier => SyncOperation::BarrierArrive,
        SyncType::Monitor => SyncOperation::MonitorEnter,
    };
    let undo = match sync {
        SyncType::Mutex(MutexKind::Spin) => Some(SyncOperation::SpinRelease),
        SyncType::Mutex(_) => Some(SyncOperation::MutexRelease),
        SyncType::ReadWriteLock => Some(SyncOperation::ReadWriteRelease),
        SyncType::Condition => None,
        SyncType::Semaphore => Some(SyncOperation::SemaphorePost),
        SyncType::Barrier => Some(SyncOperation::BarrierLeave),
        SyncType::Monitor => Some(SyncOperation::MonitorExit),
    };
    let node = items.composite(
        "Guarded",
        vec![
            ("value", Type::int(IntType::unsigned(2))),
            ("guard", Type::Sync(sync)),
        ],
        false,
    );
    let shared = items.cell("node", Scalar::Pointer);
    let owner = random.below(threads.len());
    let (inits, destroys, frees) = (random.chance(70), random.chance(50), random.chance(50));
    for (at, body) in threads.iter_mut().enumerate() {
        if at == owner {
            let kind = AllocateKind::Heap;
            let object = allocate(items, body, Type::Struct(node), true, kind);
            let address = Expression::Register(object);
            let guard = items.field(address.clone(), node, 1);
            if inits {
                let (object, sync) = (guard.clone(), init.clone());
                body.act(Action::Init { object, sync });
            }
            body.store_as(&shared, address.clone(), SEQUENTIAL);
            if destroys {
                body.act(Action::Destroy {
                    object: guard,
                    sync,
                });
            }
            if frees {
                body.act(free(address));
            }
        } else {
            let address = body.load_as(&shared, SEQUENTIAL);
            let is_there = differs(address.clone(), Expression::null());
            let guard = items.field(address, node, 1);
            body.when(is_there, |body| {
                body.sync(operation, &guard);
                if let Some(undo) = undo {
                    body.sync(undo, &guard);
                }
            });
        }
    }
}

pub(super) fn thread_local(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let ty = small_count(random);
    let first = random.below(2);
    let own = items.number("own", ty, first);
    let global = own.global();
    items.draft.globals[global].is_thread_local = true;
    let is_read_only = random.chance(75);
    if is_read_only {
        let size = items.size_of(&items.draft.globals[global].ty);
        items.draft.globals[global].read_only = ReadOnly::all(size);
    }
    let m = items.sync("m", SyncType::Mutex(MutexKind::Plain));
    let shared = random
        .chance(30)
        .then(|| items.cell("shared", Scalar::Pointer));
    for (at, body) in threads.iter_mut().enumerate() {
        let old = body.load(&own);
        let sum = Expression::binary(BinaryOp::AddWrapping, old, own.value(at + 1));
        if !is_read_only || random.chance(20) {
            body.store(&own, sum);
        }
        if let Some(shared) = &shared {
            // The address of one thread's copy, for the next thread.
            body.sync(SyncOperation::MutexAcquire, &m);
            let other = body.load(shared);
            body.store(shared, own.address.clone());
            body.when(differs(other.clone(), Expression::null()), |body| {
                body.store(&Cell { address: other, ty }, constant(0, ty));
            });
            body.sync(SyncOperation::MutexRelease, &m);
        }
        let now = body.load(&own);
        let expected = first + at + usize::from(random.chance(85));
        body.assert(equal(now, own.value(expected)));
    }
}
