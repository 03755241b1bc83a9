//! Atomic sections: all edges from an `AtomicBegin` to its `AtomicEnd` are one step.
//!
//! The step is enabled iff some inner path gets to the end (or ends its thread or the process). Inner paths are
//! explored with a visited set, so that inner cycles do no harm; a path that stops inside counts as a step that stops.
//! A path that blocks inside is not taken; but whoever waits there has looked at memory to know that it must, and
//! those reads count as accesses that it stands before. Who waits at a single step has looked at what it waits for.

use crate::action::Action;
use crate::program::EdgeId;

use super::aids::OnlyWay;
use super::inside::Inside;
use super::judge::MemoryAccess;
use super::state::{State, ThreadNumber};
use super::step::{Advance, Advanced};
use super::sync::Wait;
use super::{Blocked, Effect, Interpreter, Outcome, Step, StepPart, Successor, Violation};

/// What a thread can do next.
pub(crate) struct Steps {
    pub(crate) successors: Vec<Successor>,
    /// For each way that is blocked: what it waits for.
    pub(crate) waits: Vec<Wait>,
    /// What was read on ways into sections that are blocked, and where the section begins.
    pub(crate) blocked_reads: Vec<(EdgeId, MemoryAccess)>,
    /// All that was looked at on ways that are blocked.
    pub(crate) blocked: Blocked,
}

impl Interpreter<'_> {
    /// Every step that a thread can take, and what it waits for where it cannot.
    pub(crate) fn steps(&self, state: &State, thread: ThreadNumber) -> Steps {
        let mut steps = Steps {
            successors: Vec::new(),
            waits: Vec::new(),
            blocked_reads: Vec::new(),
            blocked: Blocked::default(),
        };
        let Some(frame) = state.threads.get(&thread).and_then(|it| it.frames.last()) else {
            return steps;
        };
        for &edge in self.program.outgoing(frame.function, frame.location) {
            let begins_section = matches!(
                self.program.edge(frame.function, edge).action,
                Action::AtomicBegin
            );
            for advance in self.advance(state, thread, edge) {
                if begins_section {
                    self.section(thread, advance, &mut steps);
                } else {
                    match advance.result {
                        Advanced::Blocked(wait) => {
                            steps.waits.push(wait);
                            let blocked = &mut steps.blocked;
                            self.look_at_what_blocks(state, thread, &advance.part, blocked);
                        }
                        Advanced::Next(_) | Advanced::Stopped(_) => {
                            steps.successors.push(self.single(thread, advance));
                        }
                    }
                }
            }
        }
        steps
    }

    /// Whoever waits has looked at what it waits for: that it is there, and what it is.
    pub(crate) fn look_at_what_blocks(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &StepPart,
        blocked: &mut Blocked,
    ) {
        // What a woken thread waited on it touches no more.
        let forgotten = usize::from(state.threads[&thread].woken.is_some());
        let operands = self.operands(state, thread, part).into_iter();
        blocked.objects.extend(operands.skip(forgotten));
        blocked.joined.extend(self.joined_by(state, thread, part));
    }

    fn single(&self, thread: ThreadNumber, advance: Advance) -> Successor {
        let outcome = match advance.result {
            Advanced::Next(state) => Outcome::Next(state),
            Advanced::Stopped(stop) => Outcome::Stopped(stop),
            Advanced::Blocked(_) => unreachable!("only taken edges become steps"),
        };
        let accesses = MemoryAccess::of_effects(&advance.effects, self.program.model);
        Successor {
            step: Step {
                thread,
                parts: vec![advance.part],
            },
            effects: advance.effects,
            violations: advance.violations,
            outcome,
            accesses,
        }
    }

    /// The ways through a section whose `AtomicBegin` was just taken.
    fn section(&self, thread: ThreadNumber, begin: Advance, steps: &mut Steps) {
        let Advanced::Next(first) = begin.result else {
            unreachable!("the begin of a section is always enabled")
        };
        let shortcuts = self.shortcuts.as_ref();
        match shortcuts.and_then(|it| it.only_way(self, first.clone(), thread)) {
            Some(way) => self.go(way, thread, begin.part, steps),
            None => Inside::explore(self, thread, begin.part, first).tell(steps),
        }
    }

    /// Takes the only way through a section.
    fn go(&self, way: OnlyWay, thread: ThreadNumber, begin: StepPart, steps: &mut Steps) {
        if way.has_looked {
            steps.waits.push(Wait::anyone());
        }
        let mut parts = vec![begin];
        parts.extend(way.parts);
        let mut accesses = MemoryAccess::of_effects(&way.effects, self.program.model);
        accesses.sort();
        accesses.dedup();
        steps.successors.push(Successor {
            step: Step { thread, parts },
            effects: way.effects,
            violations: Vec::new(),
            outcome: Outcome::Next(way.state),
            accesses,
        });
    }

    /// Follows the parts of a step that somebody else found.
    pub(crate) fn follow(&self, state: &State, step: &Step) -> Option<Successor> {
        if step.parts.is_empty() {
            return None;
        }
        let mut state = state.clone();
        let (mut effects, mut violations) = (Vec::new(), Vec::new());
        let is_section = step.parts.len() > 1;
        for (index, part) in step.parts.iter().enumerate() {
            let frame = state.threads.get(&step.thread)?.frames.last()?;
            let leaves = self.program.outgoing(frame.function, frame.location);
            if frame.function != part.function
                || !leaves.contains(&part.edge)
                || (index > 0 && is_complete(&state, step.thread))
            {
                return None;
            }
            if !self.is_a_choice(&state, step.thread, part) {
                return None;
            }
            let mut advance = self.advance_with(&state, step.thread, part.edge, part.choice)?;
            if is_section {
                make_atomic(&mut advance.effects);
            }
            effects.extend(advance.effects);
            violations.extend(advance.violations);
            match advance.result {
                Advanced::Next(next) => state = next,
                Advanced::Blocked(_) => return None,
                Advanced::Stopped(stop) if index + 1 == step.parts.len() => {
                    return Some(self.followed(step, effects, violations, Outcome::Stopped(stop)));
                }
                Advanced::Stopped(_) => return None,
            }
        }
        is_complete(&state, step.thread)
            .then(|| self.followed(step, effects, violations, Outcome::Next(state)))
    }

    fn followed(
        &self,
        step: &Step,
        effects: Vec<Effect>,
        violations: Vec<Violation>,
        outcome: Outcome,
    ) -> Successor {
        let accesses = MemoryAccess::of_effects(&effects, self.program.model);
        Successor {
            step: step.clone(),
            effects,
            violations,
            outcome,
            accesses,
        }
    }
}

/// Whether a section has come to its end.
pub fn is_complete(state: &State, thread: ThreadNumber) -> bool {
    state.has_ended
        || state
            .threads
            .get(&thread)
            .is_none_or(|thread| thread.frames.is_empty() || thread.atomic_depth == 0)
}

/// Accesses inside an atomic section are atomic.
pub fn make_atomic(effects: &mut [Effect]) {
    for effect in effects {
        match effect {
            Effect::Read { is_atomic, .. }
            | Effect::Write { is_atomic, .. }
            | Effect::Synchronize { is_atomic, .. }
            | Effect::Measure { is_atomic, .. }
            | Effect::Free { is_atomic, .. } => *is_atomic = true,
            Effect::Allocate { .. }
            | Effect::Spawn { .. }
            | Effect::UnitBegin { .. }
            | Effect::UnitEnd { .. }
            | Effect::Emit { .. }
            | Effect::Set { .. }
            | Effect::ObserveLayout
            | Effect::End { .. } => {}
        }
    }
}
