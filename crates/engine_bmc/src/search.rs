//! Questions to the solver, one step after the other.

use std::collections::BTreeMap;

use raddle_base::Span;
use raddle_encode::hazard::{Hazard, Met};
use raddle_engine::{
    Answer, Budget, Condition, Counters, Events, Proof, Property, Reason, Reduction, Task, Verdict,
    condition,
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
    /// What ended executions, the first of each property: what is safe is so up to there.
    ended: Vec<Condition>,
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
    if open.contains(&Property::Invariant)
        && engine.reduction != Reduction::None
        && seen_at_once(task.program).is_none()
    {
        let reason = Reason::UnsoundReduction {
            reduction: engine.reduction,
            property: Property::Invariant,
        };
        cuts.insert(Property::Invariant, reason);
    }
    // Without a reduction, others go on before every step anyway.
    let is_careful = engine.reduction == Reduction::None;
    let Some((unrolling, solver)) = begin(engine, &interpreter, &initial, is_careful, budget)
    else {
        return unknown(&Reason::Unsupported {
            what: "what the program starts with, in this engine".into(),
            span: None,
        });
    };
    let mut search = Search {
        engine,
        interpreter: &interpreter,
        initial: &initial,
        unrolling,
        solver,
        open,
        verdicts: BTreeMap::new(),
        cut: None,
        ended: Vec::new(),
        cuts,
        depth: 0,
        last: None,
    };
    let interrupted = search.unroll(budget, events).err();
    if engine.keeps_question
        && let Some(script) = search.question()
    {
        events.question(script);
    }
    search.answer(interrupted.as_ref())
}

/// Executions of no steps; `None` if the program starts with something that is not modelled here.
fn begin<'p>(
    engine: BmcEngine,
    interpreter: &Interpreter<'p>,
    initial: &[State],
    is_careful: bool,
    budget: &Budget,
) -> Option<(Unrolling<'p>, Solver<CaDiCal>)> {
    let mut unrolling = Unrolling::new(interpreter, initial.first()?, engine.reduction)?;
    unrolling.ends_before_violations = is_careful;
    let begins = unrolling.begin_anywhere(interpreter, initial)?;
    let semantics = interpreter.semantics();
    if semantics.properties.contains(&Property::Invariant)
        && engine.reduction != Reduction::None
        && let Some(edges) = seen_at_once(interpreter.program())
    {
        unrolling.movers.never_move(edges);
    }
    unrolling.encoder.budget = budget.clone();
    let mut solver = Solver::with(CaDiCal::without_inprocessing());
    solver.assert(&unrolling.encoder.terms, begins);
    Some((unrolling, solver))
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
            if !self.ended.is_empty() && !self.unrolling.ends_before_violations {
                self.begin_anew(budget)?;
                continue;
            }
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
        self.note_ends(met, budget)?;
        if self.cut.is_none() {
            let limit = self.unrolling.encoder.semantics.max_threads;
            let cuts: Vec<(&Met, Reason)> = met
                .iter()
                .filter(|it| it.place.is_some() && !matches!(it.hazard, Hazard::Violation(_)))
                .filter_map(|it| Some((it, it.hazard.reason(self.span(it), limit)?)))
                .collect();
            self.cut = self.first_met(cuts, budget)?;
        }
        Ok(())
    }

    /// Takes note of violations that end executions, one of each property.
    fn note_ends(&mut self, met: &[Met], budget: &Budget) -> Result<(), Reason> {
        for property in Property::ending() {
            let is_known = |it: &Condition| it.property() == Some(property);
            if self.ended.iter().any(is_known) {
                continue;
            }
            let ends: Vec<(&Met, Condition)> = met
                .iter()
                .filter(|it| it.place.is_some() && it.hazard == Hazard::Violation(property))
                .map(|it| (it, Condition::not_followed(property, self.span(it))))
                .collect();
            if let Some(first) = self.first_met(ends, budget)? {
                condition::add(&mut self.ended, first);
            }
        }
        Ok(())
    }

    /// The first that some execution meets.
    fn first_met<T>(&mut self, met: Vec<(&Met, T)>, budget: &Budget) -> Result<Option<T>, Reason> {
        let conditions: Vec<TermId> = met.iter().map(|(it, _)| it.condition).collect();
        let is_met = self.unrolling.encoder.terms.any(&conditions);
        if self.unrolling.encoder.terms.is_false(is_met) {
            return Ok(None);
        }
        let Some(mut model) = self.ask(&[is_met], budget)? else {
            return Ok(None);
        };
        let terms = &self.unrolling.encoder.terms;
        let mut met = met.into_iter();
        let first = met.find(|(it, _)| model.holds(terms, it.condition));
        Ok(first.map(|(_, what)| what))
    }

    /// What others do before a violation that ends the execution was not looked at, and somebody may want to know.
    fn begin_anew(&mut self, budget: &Budget) -> Result<(), Reason> {
        // Who waits might wait for ever if executions did not end.
        let is_hopeless = |it: &Property| *it == Property::Deadlock || self.cuts.contains_key(it);
        if self.cut.is_some() || self.open.iter().all(is_hopeless) {
            self.unrolling.ends_before_violations = true;
            return Ok(());
        }
        let (unrolling, solver) = begin(self.engine, self.interpreter, self.initial, true, budget)
            .ok_or(Reason::NotDecidedByEngine)?;
        (self.unrolling, self.solver) = (unrolling, solver);
        (self.depth, self.last) = (0, None);
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
            let ended = self.ended.first().and_then(Condition::reason);
            // Who waits where an execution ends might wait for ever if it did not.
            let ended = ended.filter(|_| property == Property::Deadlock);
            let why = interrupted
                .or(self.cut.as_ref())
                .or(self.cuts.get(&property))
                .cloned();
            let verdict = match why.or(ended) {
                Some(reason) => Verdict::Unknown(reason),
                None => Verdict::Safe(Proof::SearchExhausted(self.engine.reduction)),
            };
            self.verdicts.insert(property, verdict);
        }
        Answer {
            counters: self.counters(),
            verdicts: self.verdicts,
            conditions: self.ended,
            observes_layout: self.unrolling.encoder.observes_layout,
            ..Answer::default()
        }
    }
}
