//! Atomic sections: all edges from an `AtomicBegin` to its `AtomicEnd` are one step.
//!
//! The step is enabled iff some inner path gets to the end (or ends its thread or the process). Inner paths are
//! explored with a visited set, so that inner cycles do no harm; a path that stops inside counts as a step that stops.
//! A path that blocks inside is not taken; but whoever waits there has looked at memory to know that it must, and
//! those reads count as accesses that it stands before. Who waits at a single step has looked at what it waits for.

use raddle_base::FastMap;

use crate::action::Action;
use crate::program::EdgeId;

use super::judge::MemoryAccess;
use super::state::{State, ThreadNumber};
use super::step::{Advance, Advanced};
use super::sync::Wait;
use super::{Blocked, Effect, Interpreter, Outcome, Part, Step, Stop, Successor, Violation};

/// More inner states than this are a limit of the model.
const MAX_INNER_STATES: usize = 10_000;

/// A way of so many states may be a circle.
const LONG_WAY: usize = 100;

/// What a thread can do next.
pub(super) struct Steps {
    pub(super) successors: Vec<Successor>,
    /// For each way that is blocked: what it waits for.
    pub(super) waits: Vec<Wait>,
    /// What was read on ways into sections that are blocked, and where the section begins.
    pub(super) blocked_reads: Vec<(EdgeId, MemoryAccess)>,
    /// All that was looked at on ways that are blocked.
    pub(super) blocked: Blocked,
}

/// An inner state and how it was first reached.
struct Inner {
    state: State,
    /// The inner state before, and the edge taken there.
    parent: Option<(usize, Part, Vec<Effect>)>,
    violations: Vec<Violation>,
    has_read_memory: bool,
}

/// Inner states where ways can meet, by their hashes.
#[derive(Default)]
struct Visited {
    by_hash: FastMap<u64, Vec<usize>>,
}

impl Visited {
    /// The number of an equal inner state, or the new number, by which it is known from now on.
    fn find(&mut self, inner: &[Inner], new: &Inner, number: usize) -> usize {
        let hash = new.state.hash_of_changes(&inner[0].state);
        let known = self.by_hash.entry(hash).or_default();
        let is_same = |it: &Inner| {
            it.has_read_memory == new.has_read_memory
                && it.violations.is_empty() == new.violations.is_empty()
                && it.state == new.state
        };
        if let Some(&same) = known.iter().find(|it| is_same(&inner[**it])) {
            return same;
        }
        known.push(number);
        number
    }
}

impl Interpreter<'_> {
    /// Every step that a thread can take, and what it waits for where it cannot.
    pub(super) fn steps(&self, state: &State, thread: ThreadNumber) -> Steps {
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
                            self.look_at_what_blocks(state, thread, &advance.part, &mut steps);
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
    fn look_at_what_blocks(
        &self,
        state: &State,
        thread: ThreadNumber,
        part: &Part,
        steps: &mut Steps,
    ) {
        // What a woken thread waited on it touches no more.
        let forgotten = usize::from(state.threads[&thread].woken.is_some());
        let operands = self.operands(state, thread, part).into_iter();
        steps.blocked.objects.extend(operands.skip(forgotten));
        steps
            .blocked
            .joined
            .extend(self.joined_by(state, thread, part));
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

    /// Explores a section whose `AtomicBegin` was just taken.
    fn section(&self, thread: ThreadNumber, begin: Advance, steps: &mut Steps) {
        let Advanced::Next(first) = begin.result else {
            unreachable!("the begin of a section is always enabled")
        };
        if let Some(straight) = self.run_straight(first.clone(), thread) {
            if straight.has_looked {
                steps.waits.push(Wait::anyone());
            }
            let mut parts = vec![begin.part];
            parts.extend(straight.parts);
            let mut accesses = MemoryAccess::of_effects(&straight.effects, self.program.model);
            accesses.sort();
            accesses.dedup();
            steps.successors.push(Successor {
                step: Step { thread, parts },
                effects: straight.effects,
                violations: Vec::new(),
                outcome: Outcome::Next(straight.state),
                accesses,
            });
            return;
        }
        let mut inner = vec![Inner {
            state: first,
            parent: None,
            violations: Vec::new(),
            has_read_memory: false,
        }];
        // States after a violation, or after a look at memory, are told apart from those without.
        let mut visited = Visited::default();
        let mut edges: Vec<(usize, usize, Vec<MemoryAccess>)> = Vec::new();
        let mut complete = Vec::new();
        let (mut stopped, mut blocked): (Vec<(usize, Advance)>, Vec<usize>) = Default::default();
        let mut joined = Vec::new();
        let mut at = 0;
        let mut has_branched = false;
        while at < inner.len() {
            if !has_branched && (inner.len() > at + 1 || at >= LONG_WAY) {
                // Nothing meets on a single way, unless it goes round in circles.
                has_branched = true;
                for number in 0..inner.len() {
                    if self.ways_meet(&inner[number].state, thread) {
                        visited.find(&inner, &inner[number], number);
                    }
                }
            }
            if is_complete(&inner[at].state, thread) {
                complete.push(at);
                at += 1;
                continue;
            }
            let state = inner[at].state.clone();
            let frame = state.threads[&thread].frames.last().expect("not complete");
            for &edge in self.program.outgoing(frame.function, frame.location) {
                for mut advance in self.advance(&state, thread, edge) {
                    make_atomic(&mut advance.effects);
                    let accesses = MemoryAccess::of_effects(&advance.effects, self.program.model);
                    joined.extend(self.joined_by(&state, thread, &advance.part));
                    let next = match advance.result {
                        Advanced::Blocked(wait) => {
                            // What it read may be written by anybody, and then it takes another way.
                            steps.waits.push(if inner[at].has_read_memory {
                                Wait::anyone()
                            } else {
                                wait
                            });
                            blocked.push(at);
                            self.look_at_what_blocks(&state, thread, &advance.part, steps);
                            steps.blocked.accesses.extend(accesses);
                            continue;
                        }
                        Advanced::Stopped(_) => {
                            stopped.push((at, advance));
                            continue;
                        }
                        Advanced::Next(next) => next,
                    };
                    let mut violations = inner[at].violations.clone();
                    violations.extend(advance.violations);
                    let has_read_memory = inner[at].has_read_memory
                        || advance.effects.iter().any(|effect| {
                            matches!(
                                effect,
                                Effect::Read { .. }
                                    | Effect::Synchronize { .. }
                                    | Effect::Measure { .. }
                            )
                        });
                    let new = inner.len();
                    let reached = Inner {
                        state: next,
                        parent: Some((at, advance.part, advance.effects)),
                        violations,
                        has_read_memory,
                    };
                    let target = if has_branched && self.ways_meet(&reached.state, thread) {
                        visited.find(&inner, &reached, new)
                    } else {
                        new
                    };
                    if target == new {
                        inner.push(reached);
                    }
                    edges.push((at, target, accesses));
                }
            }
            at += 1;
            if inner.len() > MAX_INNER_STATES {
                let span = self.program.edge(begin.part.function, begin.part.edge).span;
                steps.successors.push(Successor {
                    step: Step {
                        thread,
                        parts: vec![begin.part],
                    },
                    effects: Vec::new(),
                    violations: Vec::new(),
                    outcome: Outcome::Stopped(Stop::Unsupported {
                        what: format!(
                            "an atomic section of more than {MAX_INNER_STATES} states (fewer or narrower \
                             undetermined values make it smaller)"
                        ),
                        span,
                    }),
                    accesses: Vec::new(),
                });
                return;
            }
        }
        let ends = complete.iter().chain(stopped.iter().map(|(at, _)| at));
        let mut accesses = accesses_on_the_way(&edges, ends.copied(), inner.len());
        for (_, advance) in &stopped {
            accesses.extend(MemoryAccess::of_effects(
                &advance.effects,
                self.program.model,
            ));
        }
        if !blocked.is_empty() {
            steps.blocked.joined.extend(joined);
        }
        let blocked_accesses = accesses_on_the_way(&edges, blocked.into_iter(), inner.len());
        let blocked_reads: Vec<MemoryAccess> = blocked_accesses
            .iter()
            .filter(|access| !access.is_write)
            .cloned()
            .collect();
        steps.blocked.accesses.extend(blocked_accesses);
        accesses.extend(blocked_reads.iter().cloned());
        accesses.sort();
        accesses.dedup();
        let begin_edge = begin.part.edge;
        steps
            .blocked_reads
            .extend(blocked_reads.into_iter().map(|access| (begin_edge, access)));
        let way_to = |end: usize| {
            let (mut parts, mut effects) = (Vec::new(), Vec::new());
            let mut here = end;
            while let Some((before, part, done)) = &inner[here].parent {
                parts.push(part.clone());
                effects.push(done.clone());
                here = *before;
            }
            parts.push(begin.part.clone());
            parts.reverse();
            effects.reverse();
            (parts, effects.concat())
        };
        for end in complete {
            let (parts, effects) = way_to(end);
            steps.successors.push(Successor {
                step: Step { thread, parts },
                effects,
                violations: inner[end].violations.clone(),
                outcome: Outcome::Next(inner[end].state.clone()),
                accesses: accesses.clone(),
            });
        }
        for (before, advance) in stopped {
            let (mut parts, mut effects) = way_to(before);
            parts.push(advance.part);
            effects.extend(advance.effects);
            let mut violations = inner[before].violations.clone();
            violations.extend(advance.violations);
            let Advanced::Stopped(stop) = advance.result else {
                unreachable!("collected because it stopped")
            };
            steps.successors.push(Successor {
                step: Step { thread, parts },
                effects,
                violations,
                outcome: Outcome::Stopped(stop),
                accesses: accesses.clone(),
            });
        }
    }

    /// Follows the parts of a step that somebody else found.
    pub(super) fn follow(&self, state: &State, step: &Step) -> Option<Successor> {
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
pub(super) fn is_complete(state: &State, thread: ThreadNumber) -> bool {
    state.has_ended
        || state
            .threads
            .get(&thread)
            .is_none_or(|thread| thread.frames.is_empty() || thread.atomic_depth == 0)
}

/// Accesses inside an atomic section are atomic.
pub(super) fn make_atomic(effects: &mut [Effect]) {
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

/// The accesses of every edge that lies on some way to one of the ends.
fn accesses_on_the_way(
    edges: &[(usize, usize, Vec<MemoryAccess>)],
    ends: impl Iterator<Item = usize>,
    states: usize,
) -> Vec<MemoryAccess> {
    let mut completes = vec![false; states];
    for end in ends {
        completes[end] = true;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (from, to, _) in edges.iter().rev() {
            if completes[*to] && !completes[*from] {
                completes[*from] = true;
                changed = true;
            }
        }
    }
    edges
        .iter()
        .filter(|(_, to, _)| completes[*to])
        .flat_map(|(_, _, accesses)| accesses.iter().cloned())
        .collect()
}
