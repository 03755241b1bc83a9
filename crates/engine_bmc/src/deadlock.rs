//! Deadlocks: a set of threads each of which waits for ever for a member of the set.
//!
//! Any such set will do, since their union is one. So the set is chosen by variables, one for each thread, and the
//! interpreter says in the end whether the model is right: in atomic sections a thread may be said to wait though it could
//! choose another way.

use std::collections::BTreeSet;

use raddle_base::Arena;
use raddle_encode::Taking;
use raddle_encode::names::ThreadIndex;
use raddle_encode::place::UnrolledPoint;
use raddle_encode::state::{Local, Shared, Whereabouts};
use raddle_encode::sync::State;
use raddle_ir::effect::{LockOperand, LockOutcome};
use raddle_ir::{
    Action, EdgeId, Expression, FunctionId, LocationId, MutexKind, SyncEffect, SyncOperation as Op,
    SyncType,
};
use raddle_logic::TermId;

use crate::unroll::Unrolling;

/// Who will never act, if the chosen set waits for ever.
struct Never {
    each: Arena<ThreadIndex, TermId>,
    all: TermId,
}

/// What a thread waits for at an edge.
enum Wait {
    /// It does not wait here.
    Nothing,
    /// A guard that never opens.
    Guard,
    /// Others; they never act where this holds.
    Others(TermId),
}

/// Where an atomic section may block.
#[derive(Default)]
struct Blockers {
    /// After it has looked at memory.
    after_a_look: bool,
    /// At its first edges, which are no guards.
    at_once: Vec<EdgeId>,
    /// At a guard, before it has looked.
    has_guards: bool,
    /// Elsewhere before it has looked.
    has_others: bool,
}

impl Unrolling<'_> {
    /// Whether some threads wait for one another for ever; `moves` says who can move.
    pub(crate) fn deadlock(
        &mut self,
        shared: &Shared,
        standing: &Arena<ThreadIndex, Whereabouts>,
        moves: &Arena<ThreadIndex, TermId>,
    ) -> TermId {
        let goes_on = self.encoder.terms.not(shared.has_ended);
        let mut waiting = Vec::new();
        let mut each = Arena::new();
        for (whereabouts, moves) in standing.values().zip(moves.values()) {
            let guards: Vec<TermId> = whereabouts.values().map(|it| it.guard).collect();
            let runs = self.encoder.terms.any(&guards);
            let stays = self.encoder.terms.not(*moves);
            let waits = self.encoder.terms.all(&[goes_on, runs, stays]);
            let is_stuck = if self.encoder.terms.is_false(waits) {
                waits
            } else {
                self.encoder.terms.fresh_variable("stuck", 1)
            };
            waiting.push((waits, is_stuck));
            let is_out = self.encoder.terms.not(runs);
            each.push(self.encoder.terms.or(is_stuck, is_out));
        }
        let all = self.encoder.terms.all(each.values().as_slice());
        let never = Never { each, all };
        let stuck: Vec<TermId> = waiting.iter().map(|it| it.1).collect();
        let mut conditions = vec![goes_on, self.encoder.terms.any(&stuck)];
        for ((thread, whereabouts), (waits, is_stuck)) in standing.iter().zip(waiting) {
            if self.encoder.terms.is_false(waits) {
                continue;
            }
            conditions.push(self.encoder.terms.implies(is_stuck, waits));
            for (place, local) in whereabouts {
                let is_here = self.encoder.terms.and(is_stuck, local.guard);
                if self.encoder.terms.is_false(is_here) {
                    continue;
                }
                let is_for_ever = self.waits_for_ever(thread, shared, (place, local), &never);
                conditions.push(self.encoder.terms.implies(is_here, is_for_ever));
            }
        }
        self.encoder.terms.all(&conditions)
    }

    /// Whether a thread that cannot move waits for ever, and not only at guards.
    fn waits_for_ever(
        &mut self,
        thread: ThreadIndex,
        shared: &Shared,
        (place, local): (&UnrolledPoint, &Local),
        never: &Never,
    ) -> TermId {
        let spot = place.top();
        let edges = self.encoder.program.outgoing(spot.function, spot.location);
        let mut waits_for_others = false;
        let mut all = Vec::new();
        for &edge in edges {
            match self.wait(thread, shared, (place, local), edge, never) {
                Wait::Nothing => return self.encoder.terms.truth(false),
                Wait::Guard => {}
                Wait::Others(condition) => {
                    waits_for_others = true;
                    all.push(condition);
                }
            }
        }
        all.push(self.encoder.terms.truth(waits_for_others));
        self.encoder.terms.all(&all)
    }

    fn wait(
        &mut self,
        thread: ThreadIndex,
        shared: &Shared,
        (place, local): (&UnrolledPoint, &Local),
        edge: EdgeId,
        never: &Never,
    ) -> Wait {
        let program = self.encoder.program;
        let function = place.top().function;
        let mut copy = shared.clone();
        // What goes wrong here was met where the edge was taken.
        let mut taking = Taking::aside(thread, &mut copy, (place, edge), local.clone());
        let action = &program.edge(function, edge).action;
        let begin = match action {
            Action::Assume { .. } => return Wait::Guard,
            Action::AtomicBegin { .. } => program.edge(function, edge).to,
            Action::Join { .. } | Action::Sync { .. } => {
                let wait = if let Action::Sync {
                    operation,
                    object,
                    mutex,
                    ..
                } = action
                {
                    self.operation_wait(&mut taking, *operation, object, mutex.as_ref(), never)
                } else if let Action::Join { thread, .. } = action {
                    Some(self.join_wait(&mut taking, thread, never))
                } else {
                    None
                };
                return wait.map_or(Wait::Nothing, Wait::Others);
            }
            Action::Assign { .. }
            | Action::Havoc { .. }
            | Action::Assert { .. }
            | Action::Load { .. }
            | Action::Store { .. }
            | Action::ReadModifyWrite { .. }
            | Action::CompareExchange { .. }
            | Action::Allocate { .. }
            | Action::Size { .. }
            | Action::Free { .. }
            | Action::Init { .. }
            | Action::Destroy { .. }
            | Action::Call { .. }
            | Action::Return { .. }
            | Action::Spawn { .. }
            | Action::Detach { .. }
            | Action::ExitThread { .. }
            | Action::EndProcess { .. }
            | Action::AtomicEnd
            | Action::UnitBegin { .. }
            | Action::UnitEnd { .. }
            | Action::Fence { .. }
            | Action::Emit { .. }
            | Action::Unsupported { .. } => return Wait::Nothing,
        };
        let blockers = self.blockers(function, begin);
        let is_only_way = program.outgoing(function, place.top().location).len() == 1;
        let mut cases = Vec::new();
        if blockers.after_a_look {
            // What it has read may be written by anybody, and then it takes another way.
            cases.push(never.all);
        }
        for edge in &blockers.at_once {
            match self.wait(thread, shared, (place, local), *edge, never) {
                Wait::Others(condition) => cases.push(condition),
                Wait::Guard | Wait::Nothing => {}
            }
        }
        if blockers.has_others || blockers.has_guards && !is_only_way {
            cases.push(self.encoder.terms.truth(true));
        }
        if cases.is_empty() && blockers.has_guards {
            return Wait::Guard;
        }
        Wait::Others(self.encoder.terms.any(&cases))
    }

    /// Where a section may block.
    fn blockers(&self, function: FunctionId, begin: LocationId) -> Blockers {
        let mut found = Blockers::default();
        let mut seen = BTreeSet::new();
        let mut open = vec![(begin, false)];
        while let Some((location, has_looked)) = open.pop() {
            if !seen.insert((location, has_looked)) {
                continue;
            }
            // A caller may go on with anything.
            if location == self.encoder.program.functions[function].exit {
                found.has_others = true;
            }
            let edges = self.encoder.program.outgoing(function, location);
            let is_decision = self.encoder.is_either_or(function, edges);
            for &id in edges {
                let edge = self.encoder.program.edge(function, id);
                let looks = match &edge.action {
                    Action::Assume { .. } => {
                        let blocks = !is_decision;
                        found.after_a_look |= blocks && has_looked;
                        found.has_guards |= blocks && !has_looked;
                        false
                    }
                    Action::Sync { .. } | Action::Join { .. } => {
                        if has_looked {
                            found.after_a_look = true;
                        } else if location == begin {
                            found.at_once.push(id);
                        } else {
                            found.has_others = true;
                        }
                        // Who leaves a barrier does not look at it.
                        matches!(
                            edge.action,
                            Action::Sync { operation, .. } if operation != Op::BarrierLeave
                        )
                    }
                    // What comes then is not looked into.
                    Action::Call { .. } | Action::AtomicBegin { .. } => {
                        found.after_a_look = true;
                        found.has_others = true;
                        true
                    }
                    Action::Load { .. }
                    | Action::ReadModifyWrite { .. }
                    | Action::CompareExchange { .. }
                    | Action::Init { .. }
                    | Action::Destroy { .. }
                    | Action::Size { .. } => true,
                    Action::AtomicEnd => continue,
                    Action::Assign { .. }
                    | Action::Havoc { .. }
                    | Action::Assert { .. }
                    | Action::Store { .. }
                    | Action::Allocate { .. }
                    | Action::Free { .. }
                    | Action::Return { .. }
                    | Action::Spawn { .. }
                    | Action::Detach { .. }
                    | Action::ExitThread { .. }
                    | Action::EndProcess { .. }
                    | Action::UnitBegin { .. }
                    | Action::UnitEnd { .. }
                    | Action::Fence { .. }
                    | Action::Emit { .. }
                    | Action::Unsupported { .. } => false,
                };
                open.push((edge.to, has_looked || looks));
            }
        }
        found
    }

    fn join_wait(&mut self, taking: &mut Taking<'_>, thread: &Expression, never: &Never) -> TermId {
        let mut cases = Vec::new();
        for (number, condition) in self.encoder.joinable(taking, thread) {
            if let Some(never) = never.each.get(number) {
                cases.push(self.encoder.terms.and(condition, *never));
            }
        }
        self.encoder.terms.any(&cases)
    }

    /// Whether the owner of a lock never acts.
    fn owner_never_acts(&mut self, owner: TermId, never: &Never) -> TermId {
        let mut cases = Vec::new();
        for (thread, never) in never.each.iter() {
            let is_this = self.encoder.terms.equals_constant(owner, thread.in_terms());
            cases.push(self.encoder.terms.and(is_this, *never));
        }
        self.encoder.terms.any(&cases)
    }

    /// Whether what an operation waits for never comes; `None` if it never waits.
    fn operation_wait(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        object: &Expression,
        mutex: Option<&Expression>,
        never: &Never,
    ) -> Option<TermId> {
        let family = match operation.effect() {
            SyncEffect::Lock(effect) if effect.certainly_takes() => match effect.operand {
                LockOperand::Object => operation.family(),
                LockOperand::Mutex => {
                    return Some(self.wait_end(taking, operation, mutex?, never));
                }
            },
            SyncEffect::Down(LockOutcome::Certain) | SyncEffect::Leave => return Some(never.all),
            SyncEffect::Lock(_)
            | SyncEffect::Wake
            | SyncEffect::Post
            | SyncEffect::Down(LockOutcome::MayFail)
            | SyncEffect::Look
            | SyncEffect::Arrive => return None,
        };
        let mut cases = Vec::new();
        for operand in self.encoder.syncs(taking, object, family) {
            let in_vain = match operand.sync(taking.shared).state {
                State::Mutex { owner, .. } => self.owner_never_acts(owner, never),
                State::ReadWriteLock { writer, readers } => {
                    let mut holders = vec![self.owner_never_acts(writer, never)];
                    if operation == Op::WriteAcquire {
                        for (reader, count) in readers {
                            let is_none = self.encoder.terms.equals_constant(count, 0);
                            let reads = self.encoder.terms.not(is_none);
                            if let Some(never) = never.each.get(reader) {
                                holders.push(self.encoder.terms.and(reads, *never));
                            }
                        }
                    }
                    self.encoder.terms.any(&holders)
                }
                State::Monitor(monitor) => {
                    let held = self.owner_never_acts(monitor.owner, never);
                    let waits = monitor.waiting.get(&taking.thread);
                    match waits.filter(|_| operation == Op::MonitorWaitEnd) {
                        Some((waits, _)) => {
                            let no_call = self.encoder.terms.and(*waits, never.all);
                            self.encoder.terms.or(held, no_call)
                        }
                        None => held,
                    }
                }
                State::Condition { .. }
                | State::Semaphore { .. }
                | State::Barrier { .. }
                | State::Other => continue,
            };
            cases.push(self.encoder.terms.and(operand.condition, in_vain));
        }
        Some(self.encoder.terms.any(&cases))
    }

    /// The end of a wait needs the mutex, and a signal unless it came or the thread may give up.
    fn wait_end(
        &mut self,
        taking: &mut Taking<'_>,
        operation: Op,
        mutex: &Expression,
        never: &Never,
    ) -> TermId {
        let mut held = Vec::new();
        for operand in self
            .encoder
            .syncs(taking, mutex, SyncType::Mutex(MutexKind::Plain))
        {
            if let State::Mutex { owner, .. } = operand.sync(taking.shared).state {
                let in_vain = self.owner_never_acts(owner, never);
                held.push(self.encoder.terms.and(operand.condition, in_vain));
            }
        }
        let held = self.encoder.terms.any(&held);
        if operation == Op::WaitEndTimed {
            return held;
        }
        let woken = self
            .encoder
            .link(taking.shared, taking.thread)
            .woken
            .is_signalled;
        let unsignalled = self.encoder.terms.not(woken);
        let no_signal = self.encoder.terms.and(unsignalled, never.all);
        self.encoder.terms.or(held, no_signal)
    }
}
