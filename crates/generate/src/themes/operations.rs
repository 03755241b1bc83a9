//! Operations on one thing in no sensible order, with marks in between by which threads see how far others are.
//!
//! Whether two operations can be swapped shows in what a thread finds when it comes between them. So every operation may be
//! done only after a mark was seen, its result may be checked, and a mark may be left behind it. Mistakes are welcome: an
//! execution that goes wrong is seen, too.

use raddle_ir::{
    Access, Action, AllocateKind, Callee, EndKind, Expression, IntType, MutexKind, Order, ReadOnly,
    Scalar, SyncInit, SyncOperation, SyncType, Type,
};

use crate::Random;
use crate::body::{Body, Cell, RESULT, differs, equal};
use crate::items::Items;
use crate::themes::memory::free;

const SEQUENTIAL: Access = Access::Atomic(Order::SequentiallyConsistent);
const MARK: Scalar = Scalar::Int(IntType::unsigned(2));
const MUTEX: SyncType = SyncType::Mutex(MutexKind::Plain);

/// What the operations are about.
enum Subject {
    /// With its own operations.
    Sync(SyncType, Expression),
    /// A condition variable and two mutexes.
    Waits(Expression, [Expression; 2]),
    /// An object on the heap, behind a cell.
    Heap(Cell),
    /// A thread, behind a cell, once it is there.
    Thread(Cell, raddle_ir::FunctionId),
    /// The end of threads and of the process.
    Ends,
}

pub(super) fn operations(items: &mut Items, random: &mut Random, threads: &mut [Body]) {
    let mark = items.cell("mark", MARK);
    let plain = items.cell("plain", MARK);
    let subject = some_subject(items, random);
    if let Subject::Heap(cell) = &subject {
        let made = make(items, &mut threads[0]);
        threads[0].store_as(cell, made, SEQUENTIAL);
    }
    if let Subject::Thread(cell, start) = &subject {
        let handle = threads[0].variable("worker", Scalar::Thread);
        threads[0].act(Action::Spawn {
            target: Some(handle),
            place: None,
            callee: Callee::Direct(*start),
            arguments: Vec::new(),
        });
        threads[0].store_as(cell, Expression::Register(handle), SEQUENTIAL);
        threads[0].store_as(&mark, mark.value(1), SEQUENTIAL);
    }
    let is_long = threads.len() == 2;
    for body in threads.iter_mut() {
        for _ in 0..random.between(1, if is_long { 3 } else { 2 }) {
            let guard = if matches!(subject, Subject::Thread(..)) || random.chance(30) {
                Some((random.chance(75), random.between(0, 2)))
            } else {
                None
            };
            let mut act = |body: &mut Body| {
                operate(random, body, &subject, &mark, &plain);
                if random.chance(40) {
                    touch(random, body, &mark, &plain);
                }
            };
            if let Some((is_equal, value)) = guard {
                let seen = body.load_as(&mark, SEQUENTIAL);
                let condition = if is_equal {
                    equal(seen, mark.value(value))
                } else {
                    differs(seen, mark.value(value))
                };
                body.when(condition, |body| {
                    body.act(Action::skip());
                    act(body);
                });
            } else {
                act(body);
            }
        }
    }
}

fn some_subject(items: &mut Items, random: &mut Random) -> Subject {
    match random.below(12) {
        0 | 1 => Subject::Sync(MUTEX, items.sync("m", MUTEX)),
        2 => {
            let sync = SyncType::Mutex(MutexKind::Recursive);
            Subject::Sync(sync, items.sync("m", sync))
        }
        3 => {
            let sync = SyncType::ReadWriteLock;
            Subject::Sync(sync, items.sync("l", sync))
        }
        4 => {
            let first = random.below(2);
            let sync = SyncType::Semaphore;
            Subject::Sync(sync, items.counted("s", sync, first))
        }
        5 => {
            let needed = random.between(1, 2);
            let sync = SyncType::Barrier;
            Subject::Sync(sync, items.counted("b", sync, needed))
        }
        6 => {
            let sync = SyncType::Monitor;
            Subject::Sync(sync, items.sync("o", sync))
        }
        7 | 8 => {
            let mutexes = [items.sync("m", MUTEX), items.sync("n", MUTEX)];
            Subject::Waits(items.sync("c", SyncType::Condition), mutexes)
        }
        9 => Subject::Heap(items.cell("shared", Scalar::Pointer)),
        10 => {
            let cell = items.cell("worker", Scalar::Thread);
            let mut body = Body::new(items.fresh_name("work"));
            if random.chance(50) {
                let done = items.cell("done", MARK);
                body.store_as(&done, done.value(1), SEQUENTIAL);
            }
            let start = items.function(body.finish());
            Subject::Thread(cell, start)
        }
        _ => Subject::Ends,
    }
}

fn make(items: &Items, body: &mut Body) -> Expression {
    let target = body.variable("p", Scalar::Pointer);
    let ty = Type::Scalar(MARK);
    body.act(Action::Allocate {
        target,
        size: Expression::int(
            i128::from(items.size_of(&ty)),
            items.draft.model.unsigned_word(),
        ),
        ty: Some(ty),
        is_zeroed: true,
        kind: AllocateKind::Heap,
        read_only: ReadOnly::NOTHING,
    });
    Expression::Register(target)
}

/// Leaves a mark, looks for one, or touches a plain variable.
fn touch(random: &mut Random, body: &mut Body, mark: &Cell, plain: &Cell) {
    let value = random.between(1, 3);
    match random.below(8) {
        0..=3 => body.store_as(mark, mark.value(value), SEQUENTIAL),
        4 | 5 => {
            let seen = body.load_as(mark, SEQUENTIAL);
            body.assert(differs(seen, mark.value(value)));
        }
        6 => body.store(plain, plain.value(value)),
        _ => {
            let seen = body.load(plain);
            body.assert(differs(seen, plain.value(value)));
        }
    }
}

/// Asks for a result, and looks at it, or at a mark if it is a certain one.
fn check(
    random: &mut Random,
    body: &mut Body,
    operation: SyncOperation,
    object: &Expression,
    mark: &Cell,
) -> Expression {
    let result = body.ask(operation, object);
    let zero = Expression::int(0, RESULT);
    let condition = if random.chance(50) {
        equal(result.clone(), zero)
    } else {
        differs(result.clone(), zero)
    };
    match random.below(4) {
        0 => body.assert(condition),
        1 | 2 => {
            let value = random.below(3);
            body.when(condition, |body| {
                let seen = body.load_as(mark, SEQUENTIAL);
                body.assert(differs(seen, mark.value(value)));
            });
        }
        _ => {}
    }
    result
}

fn operate(random: &mut Random, body: &mut Body, subject: &Subject, mark: &Cell, plain: &Cell) {
    match subject {
        Subject::Sync(sync, object) => {
            if random.chance(12) {
                change_life(random, body, *sync, object);
            } else {
                synchronize(random, body, *sync, object, (mark, plain));
            }
        }
        Subject::Waits(condition, mutexes) => {
            wait(random, body, condition, mutexes, (mark, plain));
        }
        Subject::Heap(cell) => {
            let address = body.load_as(cell, SEQUENTIAL);
            let is_there = differs(address.clone(), Expression::null());
            let own = Cell {
                address: address.clone(),
                ty: MARK,
            };
            let kind = random.below(5);
            let access = *random.pick(&[SEQUENTIAL, Access::Plain]);
            let value = random.between(1, 3);
            body.when(is_there, |body| match kind {
                0 => body.act(free(address)),
                1 => body.store_as(cell, Expression::null(), SEQUENTIAL),
                2 => body.store_as(&own, own.value(value), access),
                3 => {
                    let seen = body.load_as(&own, access);
                    body.assert(differs(seen, own.value(value)));
                }
                _ => {
                    body.store_as(cell, Expression::null(), SEQUENTIAL);
                    body.act(free(address));
                }
            });
        }
        Subject::Thread(cell, _) => {
            let thread = body.load_as(cell, SEQUENTIAL);
            if random.chance(65) {
                let target = None;
                body.act(Action::Join { thread, target });
            } else {
                body.act(Action::Detach { thread });
            }
        }
        Subject::Ends => {
            let action = match random.below(4) {
                0 => Action::EndProcess {
                    kind: EndKind::Exit(Expression::int(1, RESULT)),
                },
                1 => Action::ExitThread { value: None },
                2 => Action::Unsupported {
                    what: "a call of `frobnicate`".into(),
                },
                _ => Action::Return { value: None },
            };
            let seen = body.load_as(mark, SEQUENTIAL);
            let value = mark.value(random.below(3));
            body.when(equal(seen, value), |body| body.act(action));
            touch(random, body, mark, plain);
        }
    }
}

fn change_life(random: &mut Random, body: &mut Body, sync: SyncType, object: &Expression) {
    let object = object.clone();
    if random.chance(70) {
        body.act(Action::Destroy { object, sync });
        return;
    }
    let one = Expression::int(1, IntType::unsigned(32));
    let sync = match sync {
        SyncType::Mutex(kind) => SyncInit::Mutex(kind),
        SyncType::ReadWriteLock => SyncInit::ReadWriteLock,
        SyncType::Condition => SyncInit::Condition,
        SyncType::Semaphore => SyncInit::Semaphore(one),
        SyncType::Barrier => SyncInit::Barrier(one),
        SyncType::Monitor => SyncInit::Monitor,
    };
    body.act(Action::Init { object, sync });
}

fn synchronize(
    random: &mut Random,
    body: &mut Body,
    sync: SyncType,
    object: &Expression,
    (mark, plain): (&Cell, &Cell),
) {
    use SyncOperation as Op;
    let (take, give, tries): (&[Op], Op, &[Op]) = match sync {
        SyncType::Mutex(_) => (
            &[Op::MutexAcquire],
            Op::MutexRelease,
            &[Op::MutexTry, Op::MutexTimed],
        ),
        SyncType::ReadWriteLock => (
            &[Op::ReadAcquire, Op::WriteAcquire],
            Op::ReadWriteRelease,
            &[Op::ReadTry, Op::WriteTry, Op::WriteTimed],
        ),
        SyncType::Semaphore => (
            &[Op::SemaphoreWait],
            Op::SemaphorePost,
            &[Op::SemaphoreTry, Op::SemaphoreValue, Op::SemaphoreTimed],
        ),
        SyncType::Barrier => (&[Op::BarrierArrive], Op::BarrierLeave, &[]),
        SyncType::Monitor | SyncType::Condition => (&[Op::MonitorEnter], Op::MonitorExit, &[]),
    };
    let take = *random.pick(take);
    if sync == SyncType::Barrier {
        body.sync(take, object);
        check(random, body, give, object, mark);
        return;
    }
    match random.below(10) {
        0..=4 => {
            body.sync(take, object);
            if sync == SyncType::Monitor && random.chance(60) {
                if random.chance(50) {
                    body.sync(Op::MonitorWaitBegin, object);
                    body.sync(Op::MonitorWaitEnd, object);
                } else {
                    body.sync(Op::MonitorNotify, object);
                }
            }
            if random.chance(50) {
                touch(random, body, mark, plain);
            }
            body.sync(give, object);
        }
        5 => body.sync(take, object),
        6 if sync == SyncType::Semaphore || random.chance(30) => body.sync(give, object),
        _ => {
            let Some(&attempt) = tries.get(random.below(tries.len().max(1))) else {
                body.sync(take, object);
                body.sync(give, object);
                return;
            };
            let result = check(random, body, attempt, object, mark);
            if random.chance(70) && attempt != Op::SemaphoreValue {
                let is_taken = equal(result, Expression::int(0, RESULT));
                body.when(is_taken, |body| body.sync(give, object));
            }
        }
    }
}

fn wait(
    random: &mut Random,
    body: &mut Body,
    condition: &Expression,
    mutexes: &[Expression; 2],
    (mark, plain): (&Cell, &Cell),
) {
    use SyncOperation as Op;
    let mutex = if random.chance(80) {
        &mutexes[0]
    } else {
        &mutexes[1]
    };
    match random.below(10) {
        0..=3 => {
            body.sync(Op::MutexAcquire, mutex);
            body.wait(Op::WaitBegin, condition, mutex);
            let end = *random.pick(&[Op::WaitEnd, Op::WaitEnd, Op::WaitEndTimed]);
            body.wait(end, condition, mutex);
            if random.chance(50) {
                touch(random, body, mark, plain);
            }
            body.sync(Op::MutexRelease, mutex);
        }
        4..=7 => {
            let holds = random.chance(70);
            if holds {
                body.sync(Op::MutexAcquire, mutex);
            }
            if random.chance(30) {
                touch(random, body, mark, plain);
            }
            body.sync(*random.pick(&[Op::Signal, Op::Broadcast]), condition);
            if holds {
                body.sync(Op::MutexRelease, mutex);
            }
        }
        8 => {
            check(random, body, Op::MutexTry, mutex, mark);
        }
        _ => {
            let (object, sync) = if random.chance(60) {
                (condition, SyncType::Condition)
            } else {
                (mutex, MUTEX)
            };
            change_life(random, body, sync, object);
        }
    }
}
