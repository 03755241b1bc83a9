//! What the search sees: violations, the executions that lead to them, and ends that leave something unexplored.

use raddle_base::Span;
use raddle_engine::{Events, Reason, Trace, Verdict};
use raddle_ir::interpret::{Property, State, Step, Stop, ThreadNumber, Violation};

use crate::frontier::Job;
use crate::store::{NodeId, Origin};
use crate::transaction::Way;

use super::{Links, Search};

/// Where something was seen.
pub(super) struct Place {
    pub(super) node: NodeId,
    /// A way from there.
    pub(super) way: Option<Way>,
    /// And a last step.
    pub(super) step: Option<Step>,
    /// How many there are on the way, if they are counted.
    pub(super) switches: usize,
}

impl Place {
    /// The thread that goes on from the state.
    fn thread(&self) -> Option<ThreadNumber> {
        let first = self.way.as_ref().and_then(Way::first);
        first.or(self.step.as_ref().map(|it| it.thread))
    }

    /// In the state itself.
    pub(super) fn at(job: &Job) -> Self {
        Self {
            node: job.node,
            way: None,
            step: None,
            switches: job.switches,
        }
    }
}

impl Search<'_> {
    /// An execution ends.
    pub(super) fn stopped(&mut self, stop: &Stop, place: &Place, events: &mut dyn Events) {
        let span = match stop {
            Stop::Violation(violation) => {
                self.violated(violation, place, events);
                if violation.property == Property::Assert {
                    // A failed assertion ends the process: all that can happen has happened.
                    return;
                }
                self.span_of(violation)
            }
            Stop::Undefined { .. }
            | Stop::Unsupported { .. }
            | Stop::ThreadLimit { .. }
            | Stop::TooManyChoices { .. } => None,
        };
        if self.cut.is_none() {
            self.cut = Some(Reason::from_stop(stop, span));
        }
    }

    /// The first violation of an open property closes it; a shorter one may take its place, if it is looked for.
    pub(super) fn violated(
        &mut self,
        violation: &Violation,
        place: &Place,
        events: &mut dyn Events,
    ) {
        let property = violation.property;
        if !self.store.has_links() {
            if self.open.contains(&property) {
                self.links = Links::Missed;
            }
            return;
        }
        let at = self.open.iter().position(|it| *it == property);
        if at.is_none() && !self.shortest.is_better(property, place.switches) {
            return;
        }
        let Some(trace) = self.trace_to(place, violation) else {
            // The violation is there, but under other names; a search without exchanges will find it.
            self.give_up_exchanges();
            return;
        };
        if let Some(at) = at {
            self.open.remove(at);
        }
        self.shortest.found(property, trace.switches());
        events.violated(&trace);
        self.verdicts.insert(property, Verdict::Unsafe(trace));
    }

    /// The execution that leads to a place, step by step; `None` only if states stand for others.
    fn trace_to(&mut self, place: &Place, violation: &Violation) -> Option<Trace> {
        let mut ways = Vec::new();
        let mut at = place.node;
        let mut next = place.thread();
        let initial = loop {
            match self.store.origin(at, next) {
                Origin::Initial { number } => break number as usize,
                Origin::Transaction { from, way } => {
                    ways.push(way);
                    at = from;
                    next = way.first();
                }
            }
        };
        ways.reverse();
        if self.exchanges.is_some() {
            let ways: Vec<Way> = ways.into_iter().cloned().collect();
            return self.trace_up_to_names(initial, &ways, place, violation);
        }
        ways.extend(&place.way);
        let mut state: State = self
            .interpreter
            .initial_states()
            .ok()
            .and_then(|states| states.into_iter().nth(initial))
            .expect("the search began in this initial state");
        let mut steps = Vec::new();
        let mut transactions = Vec::new();
        for way in ways {
            transactions.push(steps.len());
            state = way.follow(&self.interpreter, state, &mut steps);
        }
        steps.extend(place.step.clone());
        // The last way may have no steps; and where every step is a transaction, a trace does not mark them.
        transactions.retain(|it| *it < steps.len() && self.style.grounds.is_some());
        Some(Trace {
            initial,
            steps,
            transactions,
            violation: violation.clone(),
        })
    }

    fn span_of(&self, violation: &Violation) -> Option<Span> {
        match violation.labels.first() {
            Some(label) => self.program.edge(label.function, label.edge).span,
            None => violation.span.as_ref().map(|(span, _)| *span),
        }
    }
}
