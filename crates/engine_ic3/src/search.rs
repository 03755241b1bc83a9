//! Questions about targets, until no property is open.

use std::collections::BTreeSet;

use raddle_base::{Exhausted, Id};
use raddle_certify::certificate::{self, Doubt};
use raddle_engine::{
    Answer, Budget, Condition, Counters, Events, Proof, Property, Reason, Task, Verdict, condition,
};
use raddle_flat::{Flat, Limits, Meaning, flatten};
use raddle_ic3::{
    Abstraction, GaveUp, Given, Outcome, Reached, check_with, first_predicates, guess, induction,
};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::{Certificate, Target, TargetId, TermId};

/// How deep induction looks before invariants are guessed, and with them.
const SHALLOW: usize = 2;
const DEEP: usize = 5;

/// How often induction looks at the budget before it is given up: arithmetic can make a single question endless.
const LOOKS_OF_INDUCTION: u64 = 5_000;

struct Search<'a, 'p> {
    interpreter: &'a Interpreter<'p>,
    initial: &'a [State],
    flat: Flat<'p>,
    seed: u64,
    open: Vec<Property>,
    /// Of these a violation that ends executions is known: the steps that it ends are asked about no more.
    met: BTreeSet<Property>,
    /// Conditions that are inductive together; not guessed yet if there are none.
    lemmas: Option<Vec<TermId>>,
    answer: Answer,
}

pub(crate) fn decide(
    limits: Limits,
    task: &Task<'_>,
    budget: &Budget,
    events: &mut dyn Events,
) -> Answer {
    let open = task.semantics.properties.clone();
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
    let flat = match flatten(&interpreter, &initial, &limits, budget) {
        Ok(flat) => flat,
        Err(reason) => return unknown(&reason),
    };
    let mut search = Search {
        interpreter: &interpreter,
        initial: &initial,
        seed: task.seed,
        answer: Answer {
            observes_layout: flat.observes_layout,
            ..Answer::default()
        },
        flat,
        open,
        met: BTreeSet::new(),
        lemmas: None,
    };
    search.measure();
    search.set_aside();
    while !search.open.is_empty() {
        events.progress(&search.answer.counters);
        if let Err(reason) = search.round(budget, events) {
            search.give_up(&reason);
        }
    }
    search.answer
}

impl Search<'_, '_> {
    fn measure(&mut self) {
        let system = &self.flat.system;
        let number = |it: usize| u64::try_from(it).unwrap_or(u64::MAX);
        self.answer.counters = Counters::from([
            ("state bits", u64::from(system.state_bits())),
            ("terms", number(system.terms.len())),
            ("targets", number(system.targets.len())),
        ]);
    }

    fn count(&mut self, name: &'static str, more: u64) {
        *self.answer.counters.entry(name).or_default() += more;
    }

    /// Properties of which targets do not speak.
    fn set_aside(&mut self) {
        for property in self.open.clone() {
            if let Some(reason) = self.flat.undecided(property) {
                self.settle(property, Verdict::Unknown(reason));
            }
        }
    }

    fn settle(&mut self, property: Property, verdict: Verdict) {
        self.open.retain(|it| *it != property);
        self.answer.verdicts.insert(property, verdict);
    }

    fn give_up(&mut self, reason: &Reason) {
        for property in self.open.clone() {
            self.settle(property, Verdict::Unknown(reason.clone()));
        }
    }

    /// The targets that must not be reached for what is open to be safe, and those that end executions before.
    fn asked(&self) -> Vec<TargetId> {
        let targets = (0..self.flat.system.targets.len()).map(TargetId::from_index);
        let is_asked = |target: &TargetId| match self.flat.meaning(*target) {
            Meaning::Hazard { .. } => true,
            meaning @ Meaning::Violation { property, .. } => {
                self.open.contains(property)
                    || (meaning.reason().is_some() && !self.met.contains(property))
            }
        };
        targets.filter(is_asked).collect()
    }

    /// Asks whether any of the targets is reached, and draws the conclusion.
    fn round(&mut self, budget: &Budget, events: &mut dyn Events) -> Result<(), Reason> {
        let asked = self.asked();
        let all = std::mem::take(&mut self.flat.system.targets);
        self.flat.system.targets = asked.iter().map(|it| all[it.index()].clone()).collect();
        let found = self.solve(budget);
        self.restore(all);
        match found? {
            SearchEnd::Proof(proof) => {
                for property in self.open.clone() {
                    self.settle(property, Verdict::Safe(proof.clone()));
                }
            }
            SearchEnd::Execution(reached) => {
                let target = asked[reached.target.index()];
                self.reached(target, &reached, events);
            }
        }
        Ok(())
    }

    fn restore(&mut self, targets: Vec<Target>) {
        self.flat.system.targets = targets;
    }

    /// What an execution that reaches a target says about what is open.
    fn reached(&mut self, target: TargetId, reached: &Reached, events: &mut dyn Events) {
        match self.flat.meaning(target).clone() {
            Meaning::Hazard { reason, .. } => self.give_up(&reason),
            meaning @ Meaning::Violation { property, span, .. } => {
                if meaning.reason().is_some() {
                    let ended = Condition::not_followed(property, span);
                    condition::add(&mut self.answer.conditions, ended);
                }
                self.met.insert(property);
                if !self.open.contains(&property) {
                    return;
                }
                let steps = reached.steps.iter();
                let path: Vec<_> = steps
                    .map(|it| (it.state.clone(), it.inputs.clone()))
                    .collect();
                let (interpreter, initial) = (self.interpreter, self.initial);
                let trace = self.flat.execution(interpreter, initial, &path, target);
                let verdict = if let Some(trace) = trace {
                    events.violated(&trace);
                    Verdict::Unsafe(trace)
                } else {
                    Verdict::Unknown(Reason::Unsupported {
                        what: "a violation that could not be repeated".into(),
                        span,
                    })
                };
                self.settle(property, verdict);
            }
        }
    }

    /// Quick ways first: induction, induction with guessed invariants, then IC3.
    fn solve(&mut self, budget: &Budget) -> Result<SearchEnd, Reason> {
        let system = &mut self.flat.system;
        let known = self.lemmas.clone().unwrap_or_default();
        let quick = budget.part().with_looks(LOOKS_OF_INDUCTION);
        let outcome = induction(system, &known, SHALLOW, &quick);
        if let Some(found) = self.taken(outcome, budget)? {
            return Ok(found);
        }
        let lemmas = match self.lemmas.take() {
            Some(lemmas) => lemmas,
            None => guess(&mut self.flat.system, self.seed, budget)?,
        };
        self.lemmas = Some(lemmas.clone());
        self.answer
            .counters
            .insert("lemmas", u64::try_from(lemmas.len()).unwrap_or(u64::MAX));
        let quick = budget.part().with_looks(LOOKS_OF_INDUCTION);
        let outcome = induction(&mut self.flat.system, &lemmas, DEEP, &quick);
        if let Some(found) = self.taken(outcome, budget)? {
            return Ok(found);
        }
        let system = &mut self.flat.system;
        let abstraction = Abstraction::Predicates(first_predicates(system));
        let given = Given {
            lemmas,
            ..Given::default()
        };
        let (outcome, spent) = check_with(system, &abstraction, &given, budget);
        self.count("solver calls", spent.questions);
        self.count(
            "refinements",
            u64::try_from(spent.refinements).unwrap_or(u64::MAX),
        );
        self.taken(outcome, budget)?.ok_or(Reason::OutOfTime)
    }

    /// What an outcome is worth: proofs are checked; nothing if something else is to be tried.
    fn taken(&mut self, outcome: Outcome, budget: &Budget) -> Result<Option<SearchEnd>, Reason> {
        match outcome {
            Outcome::Proved(claim) => self.checked(&claim, budget).map(Some),
            Outcome::Reached(reached) => Ok(Some(SearchEnd::Execution(reached))),
            Outcome::GaveUp(GaveUp::DepthReached(_)) => Ok(None),
            Outcome::GaveUp(GaveUp::Exhausted(_)) => {
                // It may have been a part of the budget.
                budget.check()?;
                Ok(None)
            }
            Outcome::GaveUp(why @ (GaveUp::Contradiction(_) | GaveUp::Solver(_))) => {
                Err(Reason::Unsupported {
                    what: format!("an answer of the solver that could not be checked ({why})"),
                    span: None,
                })
            }
        }
    }

    fn checked(&mut self, claim: &Certificate, budget: &Budget) -> Result<SearchEnd, Reason> {
        match certificate::check(&mut self.flat.system, claim, budget) {
            Ok(_) => Ok(SearchEnd::Proof(Proof::Invariant {
                conjuncts: claim.invariant.len(),
                depth: claim.depth,
            })),
            Err(Doubt::Exhausted(exhausted)) => Err(spent(exhausted, budget)),
            Err(doubt) => Err(Reason::Unsupported {
                what: format!("a proof that could not be checked ({doubt})"),
                span: None,
            }),
        }
    }
}

enum SearchEnd {
    Proof(Proof),
    Execution(Reached),
}

fn spent(exhausted: Exhausted, budget: &Budget) -> Reason {
    budget.check().err().unwrap_or(exhausted).into()
}
