//! Taking an edge from a state, once for each of its choices, and why an execution ends there.

use crate::action::Action;
use crate::program::{EdgeId, FunctionId};

use super::act::{Failure, Progress};
use super::fault::{Fault, NEVER_SET, NOT_KNOWN};
use super::run::{NewNames, Run};
use super::state::{State, ThreadNumber};
use super::sync::Wait;
use super::{Effect, Interpreter, Property, StepPart, Stop, Violation};
use crate::wording::naming::NamedDeed;

/// An edge taken with one choice, or the reason it cannot be.
#[derive(Clone, Debug)]
pub(super) struct Advance {
    pub(super) part: StepPart,
    pub(super) effects: Vec<Effect>,
    /// The execution goes on after these.
    pub(super) violations: Vec<Violation>,
    pub(super) result: Advanced,
}

#[derive(Clone, Debug)]
pub(super) enum Advanced {
    Next(State),
    Stopped(Stop),
    Blocked(Wait),
}

impl Interpreter<'_> {
    /// Takes an edge from the location of the thread's running frame, once for each choice.
    pub(super) fn advance(
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
    pub(super) fn stop(
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

    pub(super) fn overflow(
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
