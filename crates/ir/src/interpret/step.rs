//! The steps that a thread can take: each edge that leaves its location, once for each of its choices, and why an execution
//! ends there. What an edge does is in `act`; an atomic section is one step, in `section`.
//!
//! Who waits at a single step has looked at what it waits for.

use crate::action::Action;
use crate::program::{EdgeId, FunctionId};

use super::act::{Failure, Progress};
use super::fault::{Fault, NEVER_SET, NOT_KNOWN};
use super::judge::MemoryAccess;
use super::run::{NewNames, Run};
use super::state::{State, ThreadNumber};
use super::sync::Wait;
use super::{
    Blocked, Effect, Interpreter, Outcome, Property, Step, StepPart, Stop, Successor,
    ThreadOptions, Violation,
};
use crate::wording::naming::NamedDeed;

/// An edge taken with one choice, or the reason it cannot be.
#[derive(Clone, Debug)]
pub(crate) struct Advance {
    pub(crate) part: StepPart,
    pub(crate) effects: Vec<Effect>,
    /// The execution goes on after these.
    pub(crate) violations: Vec<Violation>,
    pub(crate) result: Advanced,
}

#[derive(Clone, Debug)]
pub(crate) enum Advanced {
    Next(State),
    Stopped(Stop),
    Blocked(Wait),
}

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
    /// Every step that this thread can take.
    pub fn thread_successors(&self, state: &State, thread: ThreadNumber) -> Vec<Successor> {
        self.steps(state, thread).successors
    }

    /// The same, and whether another thread can enable more.
    pub fn thread_options(&self, state: &State, thread: ThreadNumber) -> ThreadOptions {
        let steps = self.steps(state, thread);
        ThreadOptions {
            waits_for_others: steps.waits.iter().any(|wait| *wait != Wait::Assume),
            successors: steps.successors,
            blocked: steps.blocked,
            waits: steps.waits,
            blocked_reads: steps.blocked_reads.into_iter().map(|(_, it)| it).collect(),
        }
    }

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
                Action::AtomicBegin { .. }
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

    /// Takes an edge from the location of the thread's running frame, once for each choice.
    pub(crate) fn advance(
        &self,
        state: &State,
        thread: ThreadNumber,
        edge: EdgeId,
    ) -> Vec<Advance> {
        let function = state.threads[&thread].frames.last().expect("runs").function;
        match self.choices(state, thread, function, edge) {
            Ok(choices) => choices
                .into_iter()
                .filter_map(|choice| self.advance_with(state, thread, edge, choice))
                .collect(),
            Err(values) => {
                // A library of the front end has no places: whoever called it has one.
                let visible = self.visible_edge(state, thread, (function, edge)).edge;
                let span = self.program.edge(visible.0, visible.1).span;
                let mut advances = vec![Advance {
                    part: StepPart {
                        function,
                        edge,
                        choice: None,
                    },
                    effects: Vec::new(),
                    violations: Vec::new(),
                    result: Advanced::Stopped(Stop::TooManyChoices {
                        values,
                        span,
                        is_unanalysed: self.wide_choices_are_unknown(),
                    }),
                }];
                if let Action::Havoc { target } = self.program.edge(function, edge).action
                    && let Some(wide) = &self.wide
                    && !self.program.functions[function].is_approximate
                {
                    let ty = self.program.functions[function].registers[target].ty;
                    let samples = wide.samples(function, ty).into_iter();
                    advances.extend(
                        samples.filter_map(|value| {
                            self.advance_with(state, thread, edge, Some(value))
                        }),
                    );
                }
                advances
            }
        }
    }

    /// Takes an edge with one choice; `None` if the choice cannot be made.
    pub(super) fn advance_with(
        &self,
        state: &State,
        thread: ThreadNumber,
        edge: EdgeId,
        choice: Option<u128>,
    ) -> Option<Advance> {
        let function = state.threads[&thread].frames.last()?.function;
        let mut next = state.clone();
        let mut run = Run {
            interpreter: self,
            state: &mut next,
            thread,
            function,
            edge,
            choice,
            effects: Vec::new(),
            overflowed: false,
            names: NewNames::Canonical,
        };
        let progress = run.perform();
        let (effects, overflowed) = (run.effects, run.overflowed);
        let result = match progress {
            Progress::Done => {
                self.tidy(&mut next);
                Advanced::Next(next)
            }
            Progress::Blocked(wait) => Advanced::Blocked(wait),
            Progress::NotAChoice => return None,
            Progress::Failed(failure) => {
                Advanced::Stopped(self.stop(state, thread, (function, edge), failure))
            }
        };
        let violations = if overflowed {
            vec![self.overflow(state, thread, (function, edge))]
        } else {
            Vec::new()
        };
        Some(Advance {
            part: StepPart {
                function,
                edge,
                choice,
            },
            effects,
            violations,
            result,
        })
    }

    /// Why an execution ends with a failed action of a thread, in the words of reports.
    pub(crate) fn stop(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
        failure: Failure,
    ) -> Stop {
        let visible = self.visible_edge(state, thread, place).edge;
        let span = self.program.edge(visible.0, visible.1).span;
        let violation = |property, message, deed| {
            Stop::Violation(self.violation_at(state, thread, place, property, message, deed))
        };
        match failure {
            Failure::Assertion(message) => violation(
                Property::Assert,
                message.unwrap_or_else(|| "the assertion does not hold".into()),
                NamedDeed::Does("fails".into()),
            ),
            Failure::ThreadLimit => Stop::ThreadLimit {
                limit: self.semantics.max_threads,
                span,
            },
            Failure::Fault(Fault::Memory(message)) => violation(
                Property::Memory,
                message,
                NamedDeed::Done("done".to_owned()),
            ),
            Failure::Fault(Fault::LockMisuse(message)) => violation(
                Property::LockMisuse,
                message,
                NamedDeed::Done("done".to_owned()),
            ),
            Failure::Fault(Fault::Uninitialized(_)) if self.program.has_unknown_values => {
                Stop::Unsupported {
                    what: NOT_KNOWN.to_owned(),
                    span,
                }
            }
            Failure::Fault(Fault::Uninitialized(unset)) => Stop::Violation(Violation {
                span: self.place_of_unset(state, thread, place.0, unset),
                ..self.violation_at(
                    state,
                    thread,
                    place,
                    Property::Uninitialized,
                    NEVER_SET.to_owned(),
                    NamedDeed::Done("used".to_owned()),
                )
            }),
            Failure::Fault(Fault::Undefined(message)) => violation(
                Property::Undefined,
                message,
                NamedDeed::Done("done".to_owned()),
            ),
            Failure::Fault(Fault::Unsupported(what)) => Stop::Unsupported { what, span },
        }
    }

    pub(crate) fn overflow(
        &self,
        state: &State,
        thread: ThreadNumber,
        place: (FunctionId, EdgeId),
    ) -> Violation {
        self.violation_at(
            state,
            thread,
            place,
            Property::Overflow,
            "a signed operation overflows".into(),
            NamedDeed::Done("computed".to_owned()),
        )
    }
}
