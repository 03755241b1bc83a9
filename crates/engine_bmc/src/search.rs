//! Questions to the solver, one step after the other.

use std::collections::BTreeMap;

use raddle_base::Span;
use raddle_encode::hazard::{Hazard, Met};
use raddle_engine::{
    Answer, Budget, Counters, Events, Proof, Property, Reason, Reduction, Task, Verdict,
};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{self as logic, CaDiCal, Model, Solver, TermId};

use crate::BmcEngine;
use crate::invariant::seen_at_once;
use crate::unroll::Unrolling;

struct Search<'a, 'p> {
    engine: BmcEngine,
    interpreter: &'a Interpreter<'p>,
    initial: &'a [State],
    unrolling: Unrolling<'p>,
    solver: Solver<CaDiCal>,
    open: Vec<Property>,
    verdicts: BTreeMap<Property, Verdict>,
    /// Why nothing that is still open can be safe.
    cut: Option<Reason>,
    /// Why one of them cannot.
    cuts: BTreeMap<Property, Reason>,
    depth: u64,
    /// What was assumed in the last question, and what the answer was.
    last: Option<(Vec<TermId>, &'static str)>,
}

pub(crate) fn decide(
    engine: BmcEngine,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let open = task.semantics.properties.clone();
    let mut cuts = BTreeMap::new();
    let may_wake = task.semantics.has_spurious_wakeups && task.program.waits_for_signals();
    if open.contains(&Property::Deadlock) && may_wake {
        // Nothing promises that they wake, so who waits may wait for ever all the same.
        let what = "deadlocks where waits may end for no reason, in this engine".into();
        cuts.insert(Property::Deadlock, Reason::Unsupported { what, span: None });
    }
    let interpreter = raddle_stepper::definition(task.program, task.semantics.clone());
    let unknown = |reason: &Reason| Answer {
        verdicts: open
            .iter()
            .map(|it| (*it, Verdict::Unknown(reason.clone())))
            .collect(),
        ..Answer::default()
    };
    let initial = match interpreter.initial_states() {
        Ok(states) => states,
        Err(stop) => return unknown(&Reason::from_stop(&stop, None)),
    };
    let not_modelled = || Reason::Unsupported {
        what: "what the program starts with, in this engine".into(),
        span: None,
    };
    let mut unrolling = match initial.first() {
        Some(first) => Unrolling::new(&interpreter, first, engine.reduction),
        None => None,
    };
    let begins = unrolling
        .as_mut()
        .and_then(|it| it.begin_anywhere(&interpreter, &initial));
    let (Some(mut unrolling), Some(begins)) = (unrolling, begins) else {
        return unknown(&not_modelled());
    };
    if open.contains(&Property::Invariant) && engine.reduction != Reduction::None {
        match seen_at_once(task.program) {
            Some(edges) => unrolling.movers.never_move(edges),
            None => {
                cuts.insert(
                    Property::Invariant,
                    Reason::UnsoundReduction {
                        reduction: engine.reduction,
                        property: Property::Invariant,
                    },
                );
            }
        }
    }
    unrolling.encoder.budget = budget.clone();
    let mut search = Search {
        engine,
        interpreter: &interpreter,
        initial: &initial,
        unrolling,
        solver: Solver::with(CaDiCal::without_inprocessing()),
        open,
        verdicts: BTreeMap::new(),
        cut: None,
        cuts,
        depth: 0,
        last: None,
    };
    search
        .solver
        .assert(&search.unrolling.encoder.terms, begins);
    let interrupted = search.unroll(budget, events).err();
    if engine.keeps_question
        && let Some(script) = search.question()
    {
        events.question(script);
    }
    search.answer(interrupted.as_ref())
}

impl Search<'_, '_> {
    /// Ends when no property is open, or no execution has more steps.
    fn unroll(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        while !self.open.is_empty() {
            budget.check()?;
            events.progress(&self.counters());
            let step = self.unrolling.extend();
            if let Some(exhausted) = self.unrolling.encoder.exhausted {
                return Err(exhausted.into());
            }
            self.look(&step.met, budget, events)?;
            self.depth += 1;
            self.solver
                .assert(&self.unrolling.encoder.terms, step.is_taken);
            if self.ask(&[], budget)?.is_none() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Looks whether executions meet something in the newest step.
    fn look(
        &mut self,
        met: &[Met],
        budget: &Budget,
        events: &mut dyn Events,
    ) -> Result<(), Reason> {
        let conditions: Vec<TermId> = met.iter().map(|it| it.condition).collect();
        let something = self.unrolling.encoder.terms.any(&conditions);
        if self.unrolling.encoder.terms.is_false(something)
            || self.ask(&[something], budget)?.is_none()
        {
            return Ok(());
        }
        for property in self.open.clone() {
            // Edges that go wrong first: what states show is sometimes more than the interpreter sees.
            for is_edge in [true, false] {
                let is_it = |met: &&Met| {
                    met.hazard == Hazard::Violation(property) && met.place.is_some() == is_edge
                };
                let of_it: Vec<&Met> = met.iter().filter(is_it).collect();
                let conditions: Vec<TermId> = of_it.iter().map(|it| it.condition).collect();
                let violated = self.unrolling.encoder.terms.any(&conditions);
                if self.unrolling.encoder.terms.is_false(violated) || !self.open.contains(&property)
                {
                    continue;
                }
                if let Some(mut model) = self.ask(&[violated], budget)? {
                    self.violated(property, &of_it, &mut model, events);
                }
            }
        }
        if self.cut.is_none() {
            let limit = self.unrolling.encoder.semantics.max_threads;
            let cuts: Vec<(&Met, Reason)> = met
                .iter()
                .filter(|it| it.place.is_some())
                .filter_map(|it| Some((it, it.hazard.reason(self.span(it), limit)?)))
                .collect();
            let conditions: Vec<TermId> = cuts.iter().map(|(it, _)| it.condition).collect();
            let is_cut = self.unrolling.encoder.terms.any(&conditions);
            if !self.unrolling.encoder.terms.is_false(is_cut)
                && let Some(mut model) = self.ask(&[is_cut], budget)?
            {
                let terms = &self.unrolling.encoder.terms;
                let first = cuts
                    .into_iter()
                    .find(|(it, _)| model.holds(terms, it.condition));
                self.cut = first.map(|(_, reason)| reason);
            }
        }
        Ok(())
    }

    fn span(&self, met: &Met) -> Option<Span> {
        let (function, edge) = met.place?;
        self.unrolling.encoder.program.edge(function, edge).span
    }

    fn violated(
        &mut self,
        property: Property,
        met: &[&Met],
        model: &mut Model,
        events: &mut dyn Events,
    ) {
        let terms = &self.unrolling.encoder.terms;
        let Some(met) = met.iter().find(|it| model.holds(terms, it.condition)) else {
            return;
        };
        let trace = self
            .unrolling
            .trace(self.interpreter, self.initial, model, (met, property));
        if let Some(trace) = trace {
            events.violated(&trace);
            self.open.retain(|it| *it != property);
            self.verdicts.insert(property, Verdict::Unsafe(trace));
        } else {
            // Others may be repeated, but it will not be safe.
            let reason = Reason::Unsupported {
                what: "a violation that could not be repeated".into(),
                span: self.span(met),
            };
            self.cuts.entry(property).or_insert(reason);
        }
    }

    fn ask(&mut self, assumed: &[TermId], budget: &Budget) -> Result<Option<Model>, Reason> {
        let answer = self
            .solver
            .check(&self.unrolling.encoder.terms, assumed, budget);
        let word = match &answer {
            Ok(logic::Answer::Satisfiable(_)) => "sat",
            Ok(logic::Answer::Unsatisfiable(_)) => "unsat",
            Ok(logic::Answer::Interrupted(_)) | Err(_) => "unknown",
        };
        self.last = Some((assumed.to_vec(), word));
        match answer {
            Ok(logic::Answer::Satisfiable(model)) => Ok(Some(model)),
            Ok(logic::Answer::Unsatisfiable(_)) => Ok(None),
            Ok(logic::Answer::Interrupted(_)) => {
                budget.check()?;
                Err(Reason::OutOfTime)
            }
            Err(error) => Err(Reason::Unsupported {
                what: format!("an answer of the solver that could not be checked ({error})"),
                span: None,
            }),
        }
    }

    /// The last question with its answer, for another solver: nothing is asserted without asking.
    fn question(&self) -> Option<String> {
        let (assumed, word) = self.last.as_ref()?;
        let script = self.solver.script(&self.unrolling.encoder.terms, assumed);
        Some(format!("(set-info :status {word})\n{script}"))
    }

    fn counters(&self) -> Counters {
        let spent = self.solver.counters();
        let number = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        Counters::from([
            ("blocks", self.depth),
            ("terms", number(self.unrolling.encoder.terms.len())),
            ("clauses", number(spent.clauses)),
            ("solver calls", number(spent.calls)),
        ])
    }

    fn answer(mut self, interrupted: Option<&Reason>) -> Answer {
        for property in std::mem::take(&mut self.open) {
            let why = interrupted
                .or(self.cut.as_ref())
                .or(self.cuts.get(&property));
            let verdict = match why {
                Some(reason) => Verdict::Unknown(reason.clone()),
                None => Verdict::Safe(Proof::SearchExhausted(self.engine.reduction)),
            };
            self.verdicts.insert(property, verdict);
        }
        Answer {
            counters: self.counters(),
            verdicts: self.verdicts,
            observes_layout: self.unrolling.encoder.observes_layout,
            notes: Vec::new(),
        }
    }
}
