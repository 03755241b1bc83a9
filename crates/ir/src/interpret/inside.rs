//! The inside of an atomic section: all ways of one thread from its begin, each state once.

use raddle_base::FastMap;

use super::judge::MemoryAccess;
use super::section::{is_complete, make_atomic};
use super::state::{State, ThreadNumber};
use super::step::{Advance, Advanced, Steps};
use super::sync::Wait;
use super::{Blocked, Effect, Interpreter, Outcome, Step, StepPart, Stop, Successor, Violation};

/// More inner states than this are a limit of the model.
const MAX_INNER_STATES: usize = 10_000;

/// An inner state and how it was first reached.
struct Inner {
    state: State,
    /// The inner state before, and the edge taken there.
    parent: Option<(usize, StepPart, Vec<Effect>)>,
    violations: Vec<Violation>,
    has_read_memory: bool,
}

/// Inner states by their hashes. States after a violation, or after a look at memory, are told apart from those without.
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

/// A section that was explored from its begin on.
pub(super) struct Inside<'a> {
    interpreter: &'a Interpreter<'a>,
    thread: ThreadNumber,
    begin: StepPart,
    /// In the order in which they were reached.
    inner: Vec<Inner>,
    visited: Visited,
    /// From which inner state to which, with what is accessed on the way.
    edges: Vec<(usize, usize, Vec<MemoryAccess>)>,
    /// Inner states in which the section has come to its end.
    complete: Vec<usize>,
    /// Edges on which the execution ends, with the inner states before.
    stopped: Vec<(usize, Advance)>,
    /// Inner states that an edge does not leave now.
    blocked: Vec<usize>,
    /// The threads that are joined or detached inside.
    joined: Vec<ThreadNumber>,
    /// What the ways wait for that are blocked.
    waits: Vec<Wait>,
    /// What they have looked at.
    looked: Blocked,
}

impl<'a> Inside<'a> {
    /// Explores a section whose begin has led to a state.
    pub(super) fn explore(
        interpreter: &'a Interpreter<'a>,
        thread: ThreadNumber,
        begin: StepPart,
        first: State,
    ) -> Self {
        let mut inside = Self {
            interpreter,
            thread,
            begin,
            inner: Vec::new(),
            visited: Visited::default(),
            edges: Vec::new(),
            complete: Vec::new(),
            stopped: Vec::new(),
            blocked: Vec::new(),
            joined: Vec::new(),
            waits: Vec::new(),
            looked: Blocked::default(),
        };
        inside.inner.push(Inner {
            state: first,
            parent: None,
            violations: Vec::new(),
            has_read_memory: false,
        });
        inside.visited.find(&inside.inner, &inside.inner[0], 0);
        let mut at = 0;
        while at < inside.inner.len() && !inside.is_too_large() {
            inside.leave(at);
            at += 1;
        }
        inside
    }

    fn is_too_large(&self) -> bool {
        self.inner.len() > MAX_INNER_STATES
    }

    /// Takes every edge that leaves an inner state.
    fn leave(&mut self, at: usize) {
        let interpreter = self.interpreter;
        let state = self.inner[at].state.clone();
        if is_complete(&state, self.thread) {
            self.complete.push(at);
            return;
        }
        let thread = &state.threads[&self.thread];
        let frame = thread.frames.last().expect("not complete");
        for &edge in interpreter.program.outgoing(frame.function, frame.location) {
            for mut advance in interpreter.advance(&state, self.thread, edge) {
                make_atomic(&mut advance.effects);
                let joined = interpreter.joined_by(&state, self.thread, &advance.part);
                self.joined.extend(joined);
                match &advance.result {
                    Advanced::Blocked(_) => self.block(at, &state, &advance),
                    Advanced::Stopped(_) => {
                        // It has looked at what it fails on; the state in which is gone when the step is judged.
                        let tried = interpreter.tried(&state, self.thread, &advance.part);
                        self.looked.accesses.extend(tried.accesses);
                        self.looked.joined.extend(tried.joined);
                        self.stopped.push((at, advance));
                    }
                    Advanced::Next(_) => self.reach(at, advance),
                }
            }
        }
    }

    /// An edge cannot be taken now.
    fn block(&mut self, at: usize, state: &State, advance: &Advance) {
        let Advanced::Blocked(wait) = &advance.result else {
            unreachable!("the caller has looked")
        };
        // What it read may be written by anybody, and then it takes another way.
        self.waits.push(if self.inner[at].has_read_memory {
            Wait::anyone()
        } else {
            wait.clone()
        });
        self.blocked.push(at);
        let interpreter = self.interpreter;
        interpreter.look_at_what_blocks(state, self.thread, &advance.part, &mut self.looked);
        self.looked.accesses.extend(self.accesses_of(advance));
    }

    /// An edge leads to an inner state, which may be known.
    fn reach(&mut self, at: usize, advance: Advance) {
        let accesses = self.accesses_of(&advance);
        let Advanced::Next(state) = advance.result else {
            unreachable!("the caller has looked")
        };
        let before = &self.inner[at];
        let mut violations = before.violations.clone();
        violations.extend(advance.violations);
        let is_look = |effect: &Effect| {
            matches!(
                effect,
                Effect::Read { .. } | Effect::Synchronize { .. } | Effect::Measure { .. }
            )
        };
        let reached = Inner {
            has_read_memory: before.has_read_memory || advance.effects.iter().any(is_look),
            state,
            parent: Some((at, advance.part, advance.effects)),
            violations,
        };
        let new = self.inner.len();
        let target = if self.interpreter.ways_meet(&reached.state, self.thread) {
            self.visited.find(&self.inner, &reached, new)
        } else {
            new
        };
        if target == new {
            self.inner.push(reached);
        }
        self.edges.push((at, target, accesses));
    }

    fn accesses_of(&self, advance: &Advance) -> Vec<MemoryAccess> {
        MemoryAccess::of_effects(&advance.effects, self.interpreter.program.model)
    }

    /// What the section means for its thread.
    pub(super) fn tell(mut self, steps: &mut Steps) {
        steps.waits.append(&mut self.waits);
        let looked = std::mem::take(&mut self.looked);
        steps.blocked.accesses.extend(looked.accesses);
        steps.blocked.objects.extend(looked.objects);
        steps.blocked.joined.extend(looked.joined);
        if self.is_too_large() {
            steps.successors.push(self.given_up());
            return;
        }
        let accesses = self.tell_accesses(steps);
        for &end in &self.complete {
            let (parts, effects) = self.way_to(end);
            steps.successors.push(Successor {
                step: self.step(parts),
                effects,
                violations: self.inner[end].violations.clone(),
                outcome: Outcome::Next(self.inner[end].state.clone()),
                accesses: accesses.clone(),
            });
        }
        for (before, advance) in std::mem::take(&mut self.stopped) {
            let (mut parts, mut effects) = self.way_to(before);
            parts.push(advance.part);
            effects.extend(advance.effects);
            let mut violations = self.inner[before].violations.clone();
            violations.extend(advance.violations);
            let Advanced::Stopped(stop) = advance.result else {
                unreachable!("collected because it stopped")
            };
            steps.successors.push(Successor {
                step: self.step(parts),
                effects,
                violations,
                outcome: Outcome::Stopped(stop),
                accesses: accesses.clone(),
            });
        }
    }

    fn step(&self, parts: Vec<StepPart>) -> Step {
        Step {
            thread: self.thread,
            parts,
        }
    }

    /// The step that says that the section has too many inner states.
    fn given_up(&self) -> Successor {
        let begin = &self.begin;
        let span = self
            .interpreter
            .program
            .edge(begin.function, begin.edge)
            .span;
        Successor {
            step: self.step(vec![begin.clone()]),
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
        }
    }

    /// Tells what was looked at on ways that are blocked; what all steps of the section access.
    fn tell_accesses(&self, steps: &mut Steps) -> Vec<MemoryAccess> {
        let stopped = self.stopped.iter();
        let ends = self
            .complete
            .iter()
            .chain(stopped.clone().map(|(at, _)| at));
        let mut accesses = self.accesses_on_the_way(ends.copied());
        accesses.extend(stopped.flat_map(|(_, advance)| self.accesses_of(advance)));
        if !self.blocked.is_empty() {
            steps.blocked.joined.extend(&self.joined);
        }
        let blocked_accesses = self.accesses_on_the_way(self.blocked.iter().copied());
        let blocked_reads: Vec<MemoryAccess> = blocked_accesses
            .iter()
            .filter(|access| !access.is_write)
            .cloned()
            .collect();
        steps.blocked.accesses.extend(blocked_accesses);
        accesses.extend(blocked_reads.iter().cloned());
        accesses.sort();
        accesses.dedup();
        let at_begin = |access| (self.begin.edge, access);
        steps
            .blocked_reads
            .extend(blocked_reads.into_iter().map(at_begin));
        accesses
    }

    /// The parts and the effects of the first way to an inner state.
    fn way_to(&self, end: usize) -> (Vec<StepPart>, Vec<Effect>) {
        let (mut parts, mut effects) = (Vec::new(), Vec::new());
        let mut here = end;
        while let Some((before, part, done)) = &self.inner[here].parent {
            parts.push(part.clone());
            effects.push(done.clone());
            here = *before;
        }
        parts.push(self.begin.clone());
        parts.reverse();
        effects.reverse();
        (parts, effects.concat())
    }

    /// The accesses of every edge that lies on some way to one of the ends.
    fn accesses_on_the_way(&self, ends: impl Iterator<Item = usize>) -> Vec<MemoryAccess> {
        let mut completes = vec![false; self.inner.len()];
        for end in ends {
            completes[end] = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to, _) in self.edges.iter().rev() {
                if completes[*to] && !completes[*from] {
                    completes[*from] = true;
                    changed = true;
                }
            }
        }
        let edges = self.edges.iter().filter(|(_, to, _)| completes[*to]);
        edges
            .flat_map(|(_, _, accesses)| accesses.iter().cloned())
            .collect()
    }
}
