//! Threads and synchronisation objects: calls whose meaning is one action, or two, are put in their place.
//!
//! What takes more than that is C text in the library, which calls the same actions by the names of the `.rad` words:
//! `__raddle_sync_acquire(object)`, `__raddle_init_barrier(object, count)`, `__raddle_destroy_mutex(object)`.

use raddle_base::Span;
use raddle_ir as ir;
use raddle_ir::{
    Access, Action, Expression, RegisterId, Scalar, SyncInit, SyncOperation, SyncType,
};

use crate::typed::{self, ExpressionKind};

use super::body::{FunctionLowering, ReturnBy, Value};
use super::primitives::Done;
use super::scalars::INT;

/// Functions of POSIX that are one operation and give its error number.
const OPERATIONS: &[(&str, SyncOperation)] = &[
    ("pthread_mutex_lock", SyncOperation::MutexAcquire),
    ("pthread_mutex_trylock", SyncOperation::MutexTry),
    ("pthread_mutex_timedlock", SyncOperation::MutexTimed),
    ("pthread_mutex_clocklock", SyncOperation::MutexTimed),
    ("pthread_mutex_unlock", SyncOperation::MutexRelease),
    ("pthread_rwlock_rdlock", SyncOperation::ReadAcquire),
    ("pthread_rwlock_tryrdlock", SyncOperation::ReadTry),
    ("pthread_rwlock_timedrdlock", SyncOperation::ReadTimed),
    ("pthread_rwlock_clockrdlock", SyncOperation::ReadTimed),
    ("pthread_rwlock_wrlock", SyncOperation::WriteAcquire),
    ("pthread_rwlock_trywrlock", SyncOperation::WriteTry),
    ("pthread_rwlock_timedwrlock", SyncOperation::WriteTimed),
    ("pthread_rwlock_clockwrlock", SyncOperation::WriteTimed),
    ("pthread_rwlock_unlock", SyncOperation::ReadWriteRelease),
    ("pthread_cond_signal", SyncOperation::Signal),
    ("pthread_cond_broadcast", SyncOperation::Broadcast),
    ("pthread_spin_lock", SyncOperation::SpinAcquire),
    ("pthread_spin_trylock", SyncOperation::SpinTry),
    ("pthread_spin_unlock", SyncOperation::SpinRelease),
];

/// Functions of C11 that are one operation, if nobody asks for their result.
const C11_OPERATIONS: &[(&str, SyncOperation)] = &[
    ("mtx_lock", SyncOperation::MutexAcquire),
    ("mtx_unlock", SyncOperation::MutexRelease),
    ("cnd_signal", SyncOperation::Signal),
    ("cnd_broadcast", SyncOperation::Broadcast),
];

/// Functions that make an object, if their attributes are the null pointer.
const MAKERS: &[(&str, SyncInit)] = &[
    ("pthread_mutex_init", SyncInit::Mutex(ir::MutexKind::Plain)),
    ("pthread_rwlock_init", SyncInit::ReadWriteLock),
    ("pthread_cond_init", SyncInit::Condition),
];

/// Functions that end the life of an object.
const ENDERS: &[(&str, SyncType)] = &[
    (
        "pthread_mutex_destroy",
        SyncType::Mutex(ir::MutexKind::Plain),
    ),
    ("pthread_rwlock_destroy", SyncType::ReadWriteLock),
    ("pthread_cond_destroy", SyncType::Condition),
    ("pthread_barrier_destroy", SyncType::Barrier),
    ("sem_destroy", SyncType::Semaphore),
    ("pthread_spin_destroy", SPIN_LOCK),
];

const SPIN_LOCK: SyncType = SyncType::Mutex(ir::MutexKind::Spin);

/// What a wait gives that was ended by a request, as the text of our library calls it.
const CANCELLED: u128 = 4095;

/// What makes a spin lock: its only attribute, whether processes share it, changes nothing.
const SPIN_MAKER: &str = "pthread_spin_init";

/// Functions that are several actions.
#[derive(Clone, Copy)]
enum ThreadCall {
    Wait(SyncOperation),
    Create,
    Join,
    Detach,
    OwnName,
    Exit,
}

const CALLS: &[(&str, ThreadCall)] = &[
    (
        "pthread_cond_wait",
        ThreadCall::Wait(SyncOperation::WaitEnd),
    ),
    (
        "pthread_cond_timedwait",
        ThreadCall::Wait(SyncOperation::WaitEndTimed),
    ),
    (
        "pthread_cond_clockwait",
        ThreadCall::Wait(SyncOperation::WaitEndTimed),
    ),
    ("pthread_create", ThreadCall::Create),
    ("pthread_join", ThreadCall::Join),
    ("pthread_detach", ThreadCall::Detach),
    ("pthread_self", ThreadCall::OwnName),
    ("pthread_exit", ThreadCall::Exit),
];

/// Functions of our library that are one operation where nobody is cancelled.
const CANCELLABLE: &[(&str, SyncOperation)] = &[
    ("__raddle_cancellable_down", SyncOperation::SemaphoreWait),
    (
        "__raddle_cancellable_timed_down",
        SyncOperation::SemaphoreTimed,
    ),
];

/// The functions of the threads library that are put in their place.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let operations = OPERATIONS.iter().chain(C11_OPERATIONS).map(|it| it.0);
    let lives = MAKERS.iter().map(|it| it.0);
    let ends = ENDERS.iter().map(|it| it.0);
    operations
        .chain(lives)
        .chain(ends)
        .chain(CALLS.iter().map(|it| it.0))
        .chain([SPIN_MAKER])
}

impl FunctionLowering<'_, '_> {
    /// A call of the threads library that is put in its place; `None` if it is left to the text of ours.
    pub(super) fn call_threads(
        &mut self,
        name: &str,
        arguments: &[typed::Expression],
        is_wanted: bool,
        span: Span,
    ) -> Option<Done> {
        let of_c11 = C11_OPERATIONS.iter().filter(|_| !is_wanted);
        let mut operations = OPERATIONS.iter().chain(of_c11);
        if let Some((_, operation)) = operations.find(|(known, _)| *known == name) {
            let (object, others) = arguments.split_first()?;
            let object = self.value(object);
            for other in others {
                self.effect(other);
            }
            return Some(Done(self.sync(*operation, object, None, is_wanted, span)));
        }
        if let Some((_, sync)) = MAKERS.iter().find(|(known, _)| *known == name)
            && let [object, attributes] = arguments
            && is_null(attributes)
        {
            let object = self.value(object);
            return Some(self.make(object, sync.clone(), span));
        }
        if let (SPIN_MAKER, [object, shared]) = (name, arguments) {
            let object = self.value(object);
            self.effect(shared);
            let sync = SyncInit::Mutex(ir::MutexKind::Spin);
            return Some(self.make(object, sync, span));
        }
        if let Some((_, sync)) = ENDERS.iter().find(|(known, _)| *known == name) {
            let object = self.value(arguments.first()?);
            return Some(self.end_life(object, *sync, span));
        }
        let features = &self.lowering.features;
        let has_nothing_to_do = match name {
            "__raddle_run_destructors" => !features.uses_keys,
            "__raddle_run_cleanups" => !features.uses_cleanups,
            "__raddle_test_cancel"
            | "__raddle_begin_ending"
            | "__raddle_refuse_waiting"
            | "__raddle_refuse_asynchronous" => !features.uses_cancel,
            "__raddle_count_thread" | "__raddle_leave" => !features.counts_threads,
            "__raddle_begin_routine"
            | "__raddle_end_routine"
            | "__raddle_leave_routines"
            | "__raddle_leave_routines_to" => !features.leaves_routines,
            _ => false,
        };
        if has_nothing_to_do {
            return Some(Done(None));
        }
        if name == "__raddle_running_routines" && !features.leaves_routines {
            return Some(Done(Some(zero())));
        }
        let uses_cancel = features.uses_cancel;
        let is_plain = !features.uses_keys && !features.counts_threads;
        let exits_plainly = is_plain && !features.uses_cleanups && !uses_cancel;
        let leaves_routines = features.leaves_routines;
        if name == "__raddle_post_or_fail" && !features.fills_semaphores {
            let object = self.value(arguments.first()?);
            let operation = SyncOperation::SemaphorePost;
            return Some(Done(self.sync(operation, object, None, is_wanted, span)));
        }
        if !uses_cancel
            && let Some((_, operation)) = CANCELLABLE.iter().find(|(known, _)| *known == name)
        {
            let object = self.value(arguments.first()?);
            return Some(Done(self.sync(*operation, object, None, is_wanted, span)));
        }
        let (_, call) = CALLS.iter().find(|(known, _)| *known == name)?;
        if let (ThreadCall::Create, [_, _, function, _], false) = (call, arguments, is_plain) {
            self.adapt_thread_function(function);
        }
        match (call, arguments) {
            (ThreadCall::Wait(end), [condition, mutex, others @ ..]) if !uses_cancel => {
                let condition = self.value(condition);
                let condition = self.in_temporary(condition, span);
                let mutex = self.value(mutex);
                let mutex = self.in_temporary(mutex, span);
                for other in others {
                    self.effect(other);
                }
                self.sync(
                    SyncOperation::WaitBegin,
                    condition.clone(),
                    Some(mutex.clone()),
                    false,
                    span,
                );
                Some(Done(self.sync(
                    *end,
                    condition,
                    Some(mutex),
                    is_wanted,
                    span,
                )))
            }
            (ThreadCall::Create, [thread, attributes, function, argument]) if is_plain => {
                let address = self.value(thread);
                let address = self.in_temporary(address, span);
                let is_detached =
                    (!is_null(attributes)).then(|| self.are_detached(attributes, span));
                let (callee, arguments) = self.started(function, argument);
                let made = self.start_into(address, callee, arguments, span);
                if let Some(is_detached) = is_detached {
                    let (detach, end) = (self.new_location(), self.new_location());
                    self.branch(is_detached, detach, end, span);
                    self.here = detach;
                    self.connect(
                        Action::Detach {
                            thread: made.expression,
                        },
                        end,
                        Some(span),
                    );
                    self.here = end;
                }
                Some(Done(Some(zero())))
            }
            (ThreadCall::Join, [thread, result])
                if !uses_cancel && self.lowering.features.uses_own_name =>
            {
                Some(self.join_another(thread, result, span))
            }
            (ThreadCall::Join, [thread, result]) if !uses_cancel => {
                // A thread may have its own name from its creator; that of `main`, nobody has who did not ask for it.
                let is_main = matches!(self.return_by, ReturnBy::ProcessStatus);
                self.lowering.asks_own_name |= !is_main;
                let thread = self.thread(thread);
                let target = (!is_null(result)).then(|| {
                    let address = self.value(result);
                    (self.temporary(Scalar::Pointer), address)
                });
                self.join(thread, target, span);
                Some(Done(Some(zero())))
            }
            (ThreadCall::Detach, [thread]) => {
                let thread = self.thread(thread);
                self.then(
                    Action::Detach {
                        thread: thread.expression,
                    },
                    span,
                );
                Some(Done(Some(zero())))
            }
            (ThreadCall::OwnName, []) => Some(Done(Some(self.own_name()))),
            (ThreadCall::Exit, [value]) if exits_plainly && !leaves_routines => {
                let value = self.value(value);
                Some(self.exit_thread(value, span))
            }
            // Left to the text, or not called as it is declared.
            (
                ThreadCall::Wait(_)
                | ThreadCall::Create
                | ThreadCall::Join
                | ThreadCall::Detach
                | ThreadCall::OwnName
                | ThreadCall::Exit,
                _,
            ) => None,
        }
    }

    /// The same, by the names that our library uses.
    pub(super) fn thread_primitive(
        &mut self,
        name: &str,
        arguments: &[typed::Expression],
        is_wanted: bool,
        span: Span,
    ) -> Option<Done> {
        if let Some(word) = name.strip_prefix("sync_") {
            let (operation, _, _) = SyncOperation::ALL.iter().find(|(_, it, _)| *it == word)?;
            let object = self.value(arguments.first()?);
            let object = self.in_temporary(object, span);
            let mutex = arguments.get(1).map(|mutex| self.value(mutex));
            return Some(Done(self.sync(*operation, object, mutex, is_wanted, span)));
        }
        if let Some(word) = name.strip_prefix("init_") {
            let sync = SyncType::ALL.into_iter().find(|it| it.name() == word)?;
            let object = self.value(arguments.first()?);
            let number = arguments.get(1).map(|number| self.value(number).expression);
            let sync = match (sync, number) {
                (SyncType::Mutex(kind), _) => SyncInit::Mutex(kind),
                (SyncType::ReadWriteLock, _) => SyncInit::ReadWriteLock,
                (SyncType::Condition, _) => SyncInit::Condition,
                (SyncType::Semaphore, Some(number)) => SyncInit::Semaphore(number),
                (SyncType::Barrier, Some(number)) => SyncInit::Barrier(number),
                (SyncType::Monitor, _) => SyncInit::Monitor,
                (SyncType::Semaphore | SyncType::Barrier, None) => return None,
            };
            return Some(self.make(object, sync, span));
        }
        if let Some(word) = name.strip_prefix("destroy_") {
            let sync = SyncType::ALL.into_iter().find(|it| it.name() == word)?;
            let object = self.value(arguments.first()?);
            return Some(self.end_life(object, sync, span));
        }
        match (name, arguments) {
            ("spawn", [function, argument]) => {
                let name = self.spawn(function, argument, span);
                let word = Scalar::Int(self.lowering.model().unsigned_word());
                Some(Done(Some(self.convert(name, word, false))))
            }
            ("spawn_into", [thread, runner, function, argument]) => {
                let ExpressionKind::FunctionAddress(runner) = peeled(runner).kind else {
                    return None;
                };
                let address = self.value(thread);
                let address = self.in_temporary(address, span);
                let runner = self.lowering.function(runner);
                let function = self.value(function);
                let argument = self.value(argument);
                let arguments = vec![function.expression, argument.expression];
                let name = self.start_into(address, ir::Callee::Direct(runner), arguments, span);
                let word = Scalar::Int(self.lowering.model().unsigned_word());
                Some(Done(Some(self.convert(name, word, false))))
            }
            ("join", [thread]) => {
                let thread = self.thread(thread);
                let target = self.temporary(Scalar::Pointer);
                self.then(
                    Action::Join {
                        thread: thread.expression,
                        target: Some(target),
                    },
                    span,
                );
                Some(Done(Some(Expression::Register(target).into())))
            }
            ("join_unless_cancelled", [thread, value]) => {
                let thread = self.thread(thread).expression;
                let address = self.value(value);
                let address = self.in_temporary(address, span);
                let joined = self.temporary(Scalar::Pointer);
                let target = Some(joined);
                let code = self.unless_cancelled(Action::Join { thread, target }, None, None, span);
                let value = Expression::Register(joined).into();
                self.store_scalar(address, value, Scalar::Pointer, Access::Plain, span);
                Some(Done(Some(code)))
            }
            ("wait_end_unless_cancelled", [condition, mutex]) => {
                let object = self.value(condition);
                let object = self.in_temporary(object, span).expression;
                let mutex = self.value(mutex);
                let mutex = Some(self.in_temporary(mutex, span).expression);
                let result = self.temporary(INT);
                let wait = |operation, result| Action::Sync {
                    operation,
                    object: object.clone(),
                    mutex: mutex.clone(),
                    result: Some(result),
                };
                // Who is not woken by a signal leaves the others as who waits no longer does.
                let leave = self.temporary(INT);
                let leave = (wait(SyncOperation::WaitEndTimed, leave), leave);
                let wait = wait(SyncOperation::WaitEnd, result);
                let code = self.unless_cancelled(wait, Some(result), Some(leave), span);
                Some(Done(Some(code)))
            }
            ("down_unless_cancelled", [semaphore]) => {
                let object = self.value(semaphore);
                let object = self.in_temporary(object, span).expression;
                let result = self.temporary(INT);
                let down = Action::Sync {
                    operation: SyncOperation::SemaphoreWait,
                    object,
                    mutex: None,
                    result: Some(result),
                };
                let code = self.unless_cancelled(down, Some(result), None, span);
                Some(Done(Some(code)))
            }
            ("detach", [thread]) => {
                let thread = self.thread(thread);
                self.then(
                    Action::Detach {
                        thread: thread.expression,
                    },
                    span,
                );
                Some(Done(None))
            }
            ("self", []) => Some(Done(Some(self.own_name()))),
            ("leaves_routines", []) => {
                let known = u128::from(self.lowering.features.leaves_routines);
                Some(Done(Some(Expression::Constant(known, INT).into())))
            }
            // Of the text of our library, which anybody may call.
            ("is_own_name", [_]) if !self.lowering.features.uses_own_name => {
                self.lowering.asks_own_name = true;
                Some(Done(Some(zero())))
            }
            ("is_own_name", [thread]) => {
                let name = self.value(thread);
                let own = self.own_name();
                let is_own = self.binary(ir::BinaryOp::Equal, name, own, span);
                Some(Done(Some(self.convert(is_own, INT, false))))
            }
            ("exit_thread", [value]) => {
                let value = self.value(value);
                Some(self.exit_thread(value, span))
            }
            _ => None,
        }
    }

    /// Waits for an action or until the thread is asked to end, whichever can be first; gives the result of the action,
    /// or that it was not taken. `leave` is done in its place then, and has to give that its time is over.
    fn unless_cancelled(
        &mut self,
        action: Action,
        result: Option<RegisterId>,
        leave: Option<(Action, RegisterId)>,
        span: Span,
    ) -> Value {
        let code = self.temporary(INT);
        let (done, inside, end) = (
            self.new_location(),
            self.new_location(),
            self.new_location(),
        );
        self.connect(action, done, Some(span));
        self.connect(
            Action::AtomicBegin {
                is_as_written: false,
            },
            inside,
            Some(span),
        );
        self.here = inside;
        if let Some(is_cancelled) = self.lowering.function_named("__raddle_is_cancelled") {
            let is_due = self.temporary(INT);
            let callee = ir::Callee::Direct(self.lowering.function(is_cancelled));
            self.then(
                Action::Call {
                    target: Some(is_due),
                    callee,
                    arguments: Vec::new(),
                },
                span,
            );
            let condition = super::scalars::is_nonzero(Expression::Register(is_due), INT);
            self.then(Action::Assume { condition }, span);
        }
        if let Some((leave, left)) = leave {
            self.then(leave, span);
            let is_over = Expression::Constant(ir::interpret::ETIMEDOUT, INT);
            let condition =
                Expression::binary(ir::BinaryOp::Equal, Expression::Register(left), is_over);
            self.then(Action::Assume { condition }, span);
        }
        self.then(Action::AtomicEnd, span);
        self.assign(code, Expression::Constant(CANCELLED, INT).into(), span);
        self.connect(Action::skip(), end, Some(span));
        self.here = done;
        let given = result.map_or(zero(), |result| Expression::Register(result).into());
        self.assign(code, given, span);
        self.connect(Action::skip(), end, Some(span));
        self.here = end;
        Expression::Register(code).into()
    }

    fn sync(
        &mut self,
        operation: SyncOperation,
        object: Value,
        mutex: Option<Value>,
        is_wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let result = is_wanted.then(|| self.temporary(INT));
        self.then(
            Action::Sync {
                operation,
                object: object.expression,
                mutex: mutex.map(|mutex| mutex.expression),
                result,
            },
            span,
        );
        result.map(|result| Expression::Register(result).into())
    }

    fn make(&mut self, object: Value, sync: SyncInit, span: Span) -> Done {
        self.then(
            Action::Init {
                object: object.expression,
                sync,
            },
            span,
        );
        Done(Some(zero()))
    }

    fn end_life(&mut self, object: Value, sync: SyncType, span: Span) -> Done {
        self.then(
            Action::Destroy {
                object: object.expression,
                sync,
            },
            span,
        );
        Done(Some(zero()))
    }
}

pub(super) fn zero() -> Value {
    Expression::Constant(0, INT).into()
}

/// Without the casts around it.
pub(super) fn peeled(expression: &typed::Expression) -> &typed::Expression {
    let mut inner = expression;
    while let ExpressionKind::Cast(operand) = &inner.kind {
        inner = operand;
    }
    inner
}

pub(super) fn is_null(expression: &typed::Expression) -> bool {
    matches!(peeled(expression).kind, ExpressionKind::Integer(0))
}
