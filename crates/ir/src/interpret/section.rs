//! Atomic sections: all edges from an `AtomicBegin` to its `AtomicEnd` are one step.
//!
//! The step is enabled iff some inner path gets to the end (or ends its thread or the process). Inner paths are
//! explored with a visited set, so that inner cycles do no harm; a path that stops inside counts as a step that stops.
//! A path that blocks inside is not taken; but whoever waits there has looked at memory to know that it must, and
//! those reads count as accesses that it stands before.

use super::aids::OnlyWay;
use super::inside::Inside;
use super::judge::MemoryAccess;
use super::state::{State, ThreadNumber};
use super::step::{Advance, Advanced, Steps};
use super::sync::Wait;
use super::{Effect, Interpreter, Outcome, Step, StepPart, Successor, Violation};

impl Interpreter<'_> {
    /// The ways through a section whose `AtomicBegin` was just taken.
    pub(super) fn section(&self, thread: ThreadNumber, begin: Advance, steps: &mut Steps) {
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
