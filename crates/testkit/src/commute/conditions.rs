//! What the conditions of a claim rule out.

use raddle_ir::interpret::{State, Sync, ThreadNumber, Woken};
use raddle_ir::{Action, EdgeId, FunctionId, SyncOperation};
use raddle_reduce::movers::Condition;

use super::universe::{Entry, Role, T, Universe};

/// Whether the conditions allow this other step, taken in `state`, beside the entry of `t`.
pub(super) fn is_allowed(
    universe: &Universe,
    conditions: &[Condition],
    entry: &Entry,
    state: &State,
    (thread, function, edge): (ThreadNumber, FunctionId, EdgeId),
) -> bool {
    if !is_consistent(
        universe,
        state,
        thread,
        &universe.program.edge(function, edge).action,
    ) {
        return false;
    }
    let other = universe.entry_of(function, edge);
    let shares = |other: &Entry| entry.objects.iter().any(|it| other.objects.contains(it));
    let touches = match other {
        Some(other) => shares(other),
        // What `third` does.
        None => match &universe.program.edge(function, edge).action {
            Action::Store { .. } => entry.objects.contains(&"x"),
            Action::Sync { .. } => entry.objects.contains(&"b"),
            _ => false,
        },
    };
    conditions.iter().all(|condition| match condition {
        Condition::Exclusive => !touches,
        Condition::LivenessProtected => {
            !other.is_some_and(|it| it.role == Role::ChangesLife && shares(it))
        }
        Condition::NobodyTries => !other.is_some_and(|it| it.role == Role::Tries && shares(it)),
        Condition::OneMutex => {
            !other.is_some_and(|it| it.role == Role::NeedsMutex && shares(it))
                || holds_mutex(universe, state, thread)
        }
        Condition::SoleJoiner => !other.is_some_and(|it| it.role == Role::Joins && shares(it)),
        Condition::RoundFits => true,
    })
}

pub(super) fn holds_mutex(universe: &Universe, state: &State, thread: ThreadNumber) -> bool {
    matches!(
        state.objects[&universe.object("m")].syncs.get(&0),
        Some(Sync::Mutex { owner, .. }) if *owner == Some(thread)
    )
}

/// Whether a thread can stand before an action in a state: one that waits does nothing else.
pub(super) fn is_consistent(
    universe: &Universe,
    state: &State,
    thread: ThreadNumber,
    action: &Action,
) -> bool {
    let waits_at = |name: &str| match state.objects[&universe.object(name)].syncs.get(&0) {
        Some(Sync::Condition { waiting }) => waiting.contains_key(&thread),
        Some(Sync::Barrier { arrived, .. }) => arrived.contains(&thread),
        Some(Sync::Monitor {
            waiting, notified, ..
        }) => waiting.contains_key(&thread) || notified.contains_key(&thread),
        _ => false,
    };
    let woken = state.threads[&thread].woken;
    let in_condition = waits_at("c") || matches!(woken, Some(Woken::Signalled { .. }));
    let in_barrier = waits_at("b") || matches!(woken, Some(Woken::Released { .. }));
    let in_monitor = waits_at("o");
    match action {
        Action::Sync {
            operation: SyncOperation::WaitEnd | SyncOperation::WaitEndTimed,
            ..
        } => in_condition,
        Action::Sync {
            operation: SyncOperation::BarrierLeave,
            ..
        } => in_barrier,
        Action::Sync {
            operation: SyncOperation::MonitorWaitEnd,
            ..
        } => in_monitor,
        _ => !in_condition && !in_barrier && !in_monitor,
    }
}

/// Whether the conditions allow the entry of `t` itself in a state.
pub(super) fn is_situation(
    universe: &Universe,
    conditions: &[Condition],
    entry: &Entry,
    state: &State,
) -> bool {
    conditions.iter().all(|condition| match condition {
        Condition::OneMutex => entry.role != Role::NeedsMutex || holds_mutex(universe, state, T),
        Condition::RoundFits => match state.objects[&universe.object("b")].syncs.get(&0) {
            // All three may come to it.
            Some(Sync::Barrier { needed, .. }) => state.threads.len() as u64 <= u64::from(*needed),
            _ => true,
        },
        Condition::Exclusive
        | Condition::LivenessProtected
        | Condition::NobodyTries
        | Condition::SoleJoiner => true,
    })
}
