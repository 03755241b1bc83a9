//! Wrong uses of locks and condition variables.

use raddle_ir::{Action, Callee, Expression, Function, MutexKind, SyncOperation, SyncType, Type};

use super::kind::{KindMaker, add_global, free_item_name};

/// Some of them: actions, and how many of them are taken before or when the violation shows.
pub(super) fn some(maker: &mut KindMaker<'_>) -> (Vec<Action>, usize) {
    let actions = match maker.random.below(7) {
        0 => release_of_a_free_mutex(maker),
        1 => destroyed_twice(maker),
        2 => used_after_destroy(maker),
        3 => destroyed_while_held(maker),
        4 => wait_without_the_mutex(maker),
        5 => release_of_a_read_write_lock(maker),
        _ => release_of_what_another_thread_takes(maker),
    };
    let count = actions.len();
    (actions, count)
}

fn new(maker: &mut KindMaker<'_>, ty: SyncType) -> Expression {
    Expression::Global(add_global(maker.draft, Type::Sync(ty), Vec::new()))
}

const MUTEX: SyncType = SyncType::Mutex(MutexKind::Plain);

fn operate(operation: SyncOperation, object: &Expression) -> Action {
    Action::Sync {
        operation,
        object: object.clone(),
        mutex: None,
        result: None,
    }
}

fn destroy(object: &Expression, sync: SyncType) -> Action {
    Action::Destroy {
        object: object.clone(),
        sync,
    }
}

fn release_of_a_free_mutex(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let mutex = new(maker, MUTEX);
    let release = operate(SyncOperation::MutexRelease, &mutex);
    if maker.random.chance(50) {
        return vec![release];
    }
    let acquire = operate(SyncOperation::MutexAcquire, &mutex);
    vec![acquire, release.clone(), release]
}

fn destroyed_twice(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let ty = *maker.random.pick(&[MUTEX, SyncType::ReadWriteLock]);
    let lock = new(maker, ty);
    vec![destroy(&lock, ty), destroy(&lock, ty)]
}

fn used_after_destroy(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let mutex = new(maker, MUTEX);
    let acquire = operate(SyncOperation::MutexAcquire, &mutex);
    vec![destroy(&mutex, MUTEX), acquire]
}

fn destroyed_while_held(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let mutex = new(maker, MUTEX);
    let acquire = operate(SyncOperation::MutexAcquire, &mutex);
    vec![acquire, destroy(&mutex, MUTEX)]
}

fn wait_without_the_mutex(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let mutex = new(maker, MUTEX);
    let condition = new(maker, SyncType::Condition);
    vec![Action::Sync {
        operation: SyncOperation::WaitBegin,
        object: condition,
        mutex: Some(mutex),
        result: None,
    }]
}

fn release_of_a_read_write_lock(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let lock = new(maker, SyncType::ReadWriteLock);
    vec![operate(SyncOperation::ReadWriteRelease, &lock)]
}

/// Whether the new thread has taken the lock already or not: it is not ours.
fn release_of_what_another_thread_takes(maker: &mut KindMaker<'_>) -> Vec<Action> {
    let mutex = new(maker, MUTEX);
    let mut other = Function::new(free_item_name(maker.draft));
    let acquire = operate(SyncOperation::MutexAcquire, &mutex);
    other.connect(other.entry, acquire, other.exit, None);
    let other = maker.draft.functions.push(other);
    let spawn = Action::Spawn {
        target: None,
        place: None,
        callee: Callee::Direct(other),
        arguments: Vec::new(),
    };
    vec![spawn, operate(SyncOperation::MutexRelease, &mutex)]
}
