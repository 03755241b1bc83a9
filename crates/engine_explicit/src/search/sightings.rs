//! What the search sees: violations, the executions that lead to them, and ends that leave something unexplored.

use raddle_base::Span;
use raddle_engine::{Events, RaceKey, Trace, Verdict};
use raddle_ir::interpret::{Property, State, Step, Stop, ThreadNumber, Violation};

use crate::Order;
use crate::frontier::Job;
use crate::ids::NodeId;
use crate::links::Origin;
use crate::way::Way;

use super::Search;
use super::findings::LinkPolicy;

/// Where something was seen.
pub(super) struct Sighting {
    pub(super) node: NodeId,
    /// A way from there.
    pub(super) way: Option<Way>,
    /// And a last step.
    pub(super) step: Option<Step>,
    /// How many there are on the way, if they are counted.
    pub(super) switches: usize,
}

impl Sighting {
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
    pub(super) fn stopped(&mut self, stop: &Stop, place: &Sighting, events: &mut dyn Events) {
        match stop {
            Stop::Violation(violation) => {
                self.violated(violation, place, events);
                // A failed assertion ends the process: all that can happen has happened.
                if violation.property.ends_executions() {
                    let span = self.span_of(violation);
                    self.findings.ended(violation, span);
                }
            }
            Stop::Unsupported { .. } | Stop::ThreadLimit { .. } | Stop::TooManyChoices { .. } => {
                self.findings.cut_short(stop);
            }
        }
    }

    /// The first violation of an open property closes it; a shorter one may take its place, if it is looked for.
    pub(super) fn violated(
        &mut self,
        violation: &Violation,
        place: &Sighting,
        events: &mut dyn Events,
    ) {
        let property = violation.property;
        if property == Property::Race
            && self.findings.more.are_sought()
            && self.setting.engine.order == Order::FirstFound
        {
            self.another_race(violation, place, events);
            return;
        }
        if !self.knowledge.store.has_links() {
            if self.findings.open.contains(&property) {
                self.findings.links = LinkPolicy::Missed;
            }
            return;
        }
        let at = self.findings.open.iter().position(|it| *it == property);
        if at.is_none() && !self.progress.shortest.is_better(property, place.switches) {
            return;
        }
        let Some(trace) = self.trace_to(place, violation) else {
            // The violation is there, but under other names; a search without exchanges will find it.
            self.give_up_exchanges();
            return;
        };
        if let Some(at) = at {
            self.findings.open.remove(at);
        }
        if property == Property::Race {
            let key = RaceKey::of(self.setting.program, violation);
            self.findings.more.note_first(key);
        }
        self.progress.shortest.found(property, trace.switches());
        // In a check, the driver's auditor is told.
        events.violated(&trace);
        self.findings
            .verdicts
            .insert(property, Verdict::Unsafe(trace));
    }

    /// The execution that leads to a place, step by step; `None` only if states stand for others.
    pub(super) fn trace_to(&mut self, place: &Sighting, violation: &Violation) -> Option<Trace> {
        let mut ways = Vec::new();
        let mut at = place.node;
        let mut next = place.thread();
        let initial = loop {
            match self.knowledge.store.origin(at, next) {
                Origin::Initial { number } => break number as usize,
                Origin::Transaction { from, way } => {
                    ways.push(way);
                    at = from;
                    next = way.first();
                }
            }
        };
        ways.reverse();
        if self.beliefs.exchanges.is_some() {
            let ways: Vec<Way> = ways.into_iter().cloned().collect();
            return self.trace_up_to_names(initial, &ways, place, violation);
        }
        ways.extend(&place.way);
        let mut state: State = self
            .setting
            .interpreter
            .initial_state(initial)
            .expect("the search began in this initial state");
        let mut steps = Vec::new();
        let mut transactions = Vec::new();
        for way in ways {
            transactions.push(steps.len());
            state = way.follow(&self.setting.interpreter, state, &mut steps);
        }
        steps.extend(place.step.clone());
        // The last way may have no steps; and where every step is a transaction, a trace does not mark them.
        transactions.retain(|it| *it < steps.len() && self.setting.style.grounds.is_some());
        Some(Trace {
            initial,
            steps,
            transactions,
            violation: violation.clone(),
        })
    }

    fn span_of(&self, violation: &Violation) -> Option<Span> {
        match violation.labels.first() {
            Some(label) => self.setting.program.edge(label.function, label.edge).span,
            None => violation.span.as_ref().map(|(span, _)| *span),
        }
    }
}
